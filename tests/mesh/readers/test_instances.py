"""Placement of geometry by a scene: many copies at once are what each would be by itself, and they are bounded."""

from __future__ import annotations

import math
from collections.abc import Hashable

import numpy as np
import pytest

from sdfinertia.errors import MeshError
from sdfinertia.mesh.readers import instances
from sdfinertia.mesh.readers.instances import (
    IDENTITY,
    Affine,
    Geometry,
    Instance,
    compose,
    determinant,
    place,
    refuse_too_many_triangles,
    rotation_about,
    rotation_from_quaternion,
    scaling,
    translation,
)
from sdfinertia.mesh.triangle_mesh import MeshPart

GEOMETRIES: dict[Hashable, Geometry] = {
    "corner": Geometry(np.array([[0.1, 0, 0], [0, 0.7, 0], [0, 0, 1.3]]), np.array([[0, 1, 2]])),
    "sheet": Geometry(np.array([[0, 0, 0], [1, 0, 0], [1, 1.1, 0], [0, 1, 0.3]]), np.array([[0, 1, 2], [0, 2, 3]])),
    "nothing": Geometry(np.empty((0, 3)), np.empty((0, 3), np.int64)),
}
TURNED = compose(translation(0.3, -7, 1e6), rotation_about((1, 2, 3), 33.0))
MIRRORED = compose(TURNED, scaling(1, -0.37, 2))


def scene(*placed: tuple[str, Affine]) -> list[Instance]:
    return [Instance(key, to_scene, (f"part {number}",)) for number, (key, to_scene) in enumerate(placed)]


@pytest.mark.parametrize("at_once", [1, 7, 1 << 15])
@pytest.mark.parametrize("scale", [1.0, 0.0254])
def test_copies_made_together_are_those_made_one_by_one(monkeypatch, at_once, scale):
    monkeypatch.setattr(instances, "_AT_ONCE", at_once)
    transforms = (TURNED, MIRRORED, IDENTITY, MIRRORED, TURNED)
    placed = scene(*((key, each) for each in transforms for key in ("sheet", "nothing", "corner", "corner")))
    together = place(placed, GEOMETRIES.__getitem__, lambda: 0, scale)
    singly = [place([each], GEOMETRIES.__getitem__, lambda: 0, scale) for each in placed]
    corners = np.concatenate([mesh.vertices[mesh.faces] for mesh in singly])
    assert together.vertices[together.faces].tobytes() == corners.tobytes()
    stops = np.cumsum([len(mesh.faces) for mesh in singly]).tolist()
    assert together.parts == tuple(
        MeshPart(each.names, stop - len(mesh.faces), stop)
        for each, mesh, stop in zip(placed, singly, stops, strict=True)
        if len(mesh.faces)
    )


def test_a_scene_of_nothing_is_a_mesh_without_triangles() -> None:
    mesh = place(scene(("nothing", TURNED)), GEOMETRIES.__getitem__, lambda: 0)
    assert (mesh.vertices.shape, mesh.faces.shape, mesh.parts) == ((0, 3), (0, 3), ())


@pytest.mark.parametrize(
    ("triangles", "held"), [(500_000, 0), (500_000, 2_000_000), (750_000, 3_000_000), (10_000_000, 1 << 40)]
)
def test_a_file_accounts_for_triangles_by_its_bytes(triangles: int, held: int) -> None:
    refuse_too_many_triangles(triangles, held)
    with pytest.raises(MeshError, match=f"more than {triangles} triangles"):
        refuse_too_many_triangles(triangles + 1, held)


SINE, COSINE = math.sin(math.tau / 360), math.cos(math.tau / 360)


def square(transform: Affine) -> np.ndarray:
    return np.vstack([np.array(transform), [0, 0, 0, 1]])


def test_composition_and_determinant_are_those_of_matrices() -> None:
    first = compose(translation(1, 2, 3), compose(rotation_about((1, 2, 3), 40), scaling(2, -3, 4)))
    second = compose(scaling(-1, 5, 0.5), translation(4, 5, 6))
    assert np.allclose(square(compose(first, second)), square(first) @ square(second), rtol=1e-14)
    assert determinant(first) == pytest.approx(-24, rel=1e-14)


def test_all_twelve_numbers_of_both_transforms_count() -> None:
    outer = ((2.0, 3.0, 5.0, 7.0), (11.0, 13.0, 17.0, 19.0), (23.0, 29.0, 31.0, 37.0))
    inner = ((41.0, 43.0, 47.0, 53.0), (59.0, 61.0, 67.0, 71.0), (73.0, 79.0, 83.0, 89.0))
    assert np.array_equal(square(compose(outer, inner)), square(outer) @ square(inner))


def test_shifts_and_scalings_move_points_along_the_axes_only() -> None:
    assert translation(4, 5, 6) == ((1, 0, 0, 4), (0, 1, 0, 5), (0, 0, 1, 6))
    assert scaling(4, 5, 6) == ((4, 0, 0, 0), (0, 5, 0, 0), (0, 0, 6, 0))


@pytest.mark.parametrize(
    ("axis", "degrees", "turned"),
    [
        ((2, 0, 0), 90, [[1, 0, 0], [0, 0, -1], [0, 1, 0]]),
        ((0, 2, 0), 90, [[0, 0, 1], [0, 1, 0], [-1, 0, 0]]),
        ((0, 0, 2), 90, [[0, -1, 0], [1, 0, 0], [0, 0, 1]]),
        ((0, 0, 2), -180, [[-1, 0, 0], [0, -1, 0], [0, 0, 1]]),
        ((0, 0, 2), 270, [[0, 1, 0], [-1, 0, 0], [0, 0, 1]]),
        ((0, 0, 2), 720, [[1, 0, 0], [0, 1, 0], [0, 0, 1]]),
        ((0, 0, 2), 1, [[COSINE, -SINE, 0], [SINE, COSINE, 0], [0, 0, 1]]),
        ((0, 0, 2), 60, [[0.5, -math.sqrt(0.75), 0], [math.sqrt(0.75), 0.5, 0], [0, 0, 1]]),
        ((1, 1, 1), 120, [[0, 0, 1], [1, 0, 0], [0, 1, 0]]),
        ((0, 0, 0), 90, [[1, 0, 0], [0, 1, 0], [0, 0, 1]]),
    ],
)
def test_turns_about_the_axes_are_right_handed(axis, degrees, turned):
    assert np.allclose(square(rotation_about(axis, degrees))[:3, :3], turned, rtol=0, atol=1e-15)


@pytest.mark.parametrize("degrees", [-90, 0, 90, 180, 270, 450])
def test_quarter_turns_are_exact(degrees: float) -> None:
    turned = rotation_about((0, 0, 1), degrees)
    assert {abs(x) for row in turned for x in row} <= {0.0, 1.0}
    assert turned[1][0] == round(math.sin(math.radians(degrees)))


@pytest.mark.parametrize("size", [1e-200, 0.9, 1e200])
def test_quaternions_of_any_length_rotate_as_the_unit_one(size: float) -> None:
    half = math.radians(50) / 2
    axis = np.array([2, -1, 2]) / 3
    made = rotation_from_quaternion(*(axis * math.sin(half) * size).tolist(), math.cos(half) * size)
    assert np.allclose(made, rotation_about((2, -1, 2), 50), atol=1e-15)
    assert rotation_from_quaternion(0, 0, 0, -3) == IDENTITY


@pytest.mark.parametrize(
    "quaternion", [(0.1, -0.3, 0.5, 0.9), (-0.3, 0.5, 0.9, 0.1), (0.5, 0.9, 0.1, -0.3), (0.9, 0.1, -0.3, 0.5)]
)
def test_a_quaternion_turns_points_by_its_products(quaternion: tuple[float, float, float, float]) -> None:
    unit = np.array(quaternion) / math.sqrt(sum(component * component for component in quaternion))
    v, w = unit[:3], unit[3]
    points = np.eye(3)
    turned = points + 2 * w * np.cross(v, points) + 2 * np.cross(v, np.cross(v, points))
    made = square(rotation_from_quaternion(*quaternion))
    assert np.allclose(made[:3, :3], turned.T, rtol=0, atol=1e-15)
    assert not made[:3, 3].any()


@pytest.mark.parametrize("component", range(4))
def test_a_component_above_all_others_stands_alone(component: int) -> None:
    parts = [1.0, 1.0, 1.0, 1.0]
    parts[component] = 1e200
    alone = [0.0, 0.0, 0.0, 0.0]
    alone[component] = 1.0
    x, y, z, w = parts
    assert np.allclose(rotation_from_quaternion(x, y, z, w), rotation_from_quaternion(*alone), rtol=0, atol=1e-15)
