"""Placement of geometry by a scene: many copies at once are what each would be by itself, and they are bounded."""

import math
from collections.abc import Hashable

import numpy as np
import pytest

from sdfinertia.errors import MeshError
from sdfinertia.inertia.rigid_transform import rotation_from_quaternion as turn_of_a_pose
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


@pytest.mark.parametrize("scale", [1.0, 0.0254])
def test_copies_made_together_are_those_made_one_by_one(scale: float) -> None:
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


def test_transforms_multiply_as_their_matrices_and_so_do_determinants() -> None:
    first = compose(translation(1, 2, 3), compose(rotation_about((1, 2, 3), 40), scaling(2, -3, 4)))
    assert determinant(first) == pytest.approx(-24, rel=1e-14)
    outer = ((2.0, 3.0, 5.0, 7.0), (11.0, 13.0, 17.0, 19.0), (23.0, 29.0, 31.0, 37.0))
    inner = ((41.0, 43.0, 47.0, 53.0), (59.0, 61.0, 67.0, 71.0), (73.0, 79.0, 83.0, 89.0))
    assert np.array_equal(square(compose(outer, inner)), square(outer) @ square(inner))
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
        ((0, 0, 2), -90, [[0, 1, 0], [-1, 0, 0], [0, 0, 1]]),
        ((0, 0, 2), 450, [[0, -1, 0], [1, 0, 0], [0, 0, 1]]),
        ((0, 0, 2), 720, [[1, 0, 0], [0, 1, 0], [0, 0, 1]]),
        ((0, 0, 2), 1, [[COSINE, -SINE, 0], [SINE, COSINE, 0], [0, 0, 1]]),
        ((0, 0, 2), 60, [[0.5, -math.sqrt(0.75), 0], [math.sqrt(0.75), 0.5, 0], [0, 0, 1]]),
        ((1, 1, 1), 120, [[0, 0, 1], [1, 0, 0], [0, 1, 0]]),
        ((0, 0, 0), 90, [[1, 0, 0], [0, 1, 0], [0, 0, 1]]),
    ],
)
def test_turns_about_the_axes_are_right_handed(axis, degrees, turned):
    found = square(rotation_about(axis, degrees))[:3, :3]
    assert np.allclose(found, turned, rtol=0, atol=1e-15)
    if not degrees % 90:
        assert np.array_equal(found, turned), "quarter turns are exact"


@pytest.mark.parametrize("size", [1e-200, 0.9, 1e200])
@pytest.mark.parametrize(
    "quaternion", [(0.1, -0.3, 0.5, 0.9), (0.9, 0.1, -0.3, 0.5), (0.5, 0.5, 0.5, 0.5), (0, 0, 0, -3)]
)
def test_quaternions_of_any_length_turn_as_in_a_pose(quaternion, size):
    for first in range(4):
        turned = [size * component for component in (*quaternion[first:], *quaternion[:first])]
        expected = np.reshape(turn_of_a_pose(*turned), (3, 3))
        assert np.allclose(square(rotation_from_quaternion(*turned))[:3, :3], expected, rtol=0, atol=1e-15)
    alone = rotation_from_quaternion(1.0, 1e200, 1.0, 1.0)
    assert np.allclose(square(alone), np.diag([-1.0, 1.0, -1.0, 1.0]), rtol=0, atol=1e-15)
