"""Meshes as shapes: which part of which file one is."""

from __future__ import annotations

from sdfinertia.mesh.store import MeshSource, MeshStore
from sdfinertia.shapes.reach import Bounds
from sdfinertia.shapes.shape import MeshShape


def mesh_source(shape: MeshShape, path: str) -> MeshSource:
    """What is taken of the file of a mesh.

    Args:
        path: of the file that its uri names.
    """
    return MeshSource(path, shape.submesh, shape.center)


def mesh_bounds(shape: MeshShape, path: str, meshes: MeshStore) -> Bounds:
    """The box round the triangles of a mesh, stretched by its scale, in its own frame.

    Raises:
        MeshError: the file is damaged, or has no such part.
    """
    lower, upper = meshes.bounds(mesh_source(shape, path))
    return Bounds(lower, upper).scaled(shape.scale)
