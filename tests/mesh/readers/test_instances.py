"""Placement of geometry by a scene: many copies at once are what each would be by itself, and they are bounded."""

from __future__ import annotations

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
    place,
    refuse_too_many_triangles,
    rotation_about,
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
