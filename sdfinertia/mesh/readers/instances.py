"""Geometry placed by a scene: each instance is its own copy, and the copies are bounded before memory is used."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sdfinertia.errors import MeshError
from sdfinertia.mesh.readers.affine import IDENTITY, Affine, determinant
from sdfinertia.mesh.triangle_mesh import MeshPart, TriangleMesh

# Limits of what a scene may multiply a file to. References let a file of a few kilobytes ask for any number of copies
# (nodes that hold two copies of nodes that hold two copies ...). No collision mesh comes near these limits; 10 million
# triangles are about 0.5 GB here.
MAX_TRIANGLES = 10_000_000
MAX_INSTANCES = 100_000
MAX_NODES = 200_000
MAX_DEPTH = 500
MAX_NAMES = 5_000_000

Geometry = tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]


class Instance(NamedTuple):
    """One placement: which geometry, by any key; its transform to the scene; every name that selects it."""

    geometry: Hashable
    to_scene: Affine
    names: tuple[str, ...]


def too_many(what: str, limit: int) -> MeshError:
    """The error for a scene that asks for more than `limit` of `what`."""
    return MeshError(f"the scene asks for more than {limit} {what}", remedy="simplify the mesh")


def place(instances: Iterable[Instance], geometry: Callable[[Hashable], Geometry], scale: float = 1.0) -> TriangleMesh:
    """One mesh of all instances, in their order.

    Args:
        instances: what to place.
        geometry: vertices (n, 3), all of them used, and faces (m, 3) of a key; called once for each key.
        scale: multiplies all positions after the transforms [m per unit of length].

    Raises:
        MeshError: more instances, triangles or names than the limits of this module.
    """
    placed: list[Instance] = []
    read: dict[Hashable, Geometry] = {}
    total = named = 0
    for instance in instances:
        placed.append(instance)
        if len(placed) > MAX_INSTANCES:
            raise too_many("instances", MAX_INSTANCES)
        named += len(instance.names)
        if named > MAX_NAMES:
            raise too_many("names", MAX_NAMES)
        if instance.geometry not in read:
            read[instance.geometry] = geometry(instance.geometry)
        total += len(read[instance.geometry][1])
        if total > MAX_TRIANGLES:
            raise too_many("triangles", MAX_TRIANGLES)

    vertices: list[npt.NDArray[np.float64]] = [np.empty((0, 3))]
    faces: list[npt.NDArray[np.int64]] = [np.empty((0, 3), dtype=np.int64)]
    parts = []
    first_vertex = first_face = 0
    for key, to_scene, names in placed:
        own_vertices, own_faces = read[key]
        if not len(own_faces):
            continue
        vertices.append(_transformed(own_vertices, to_scene, scale))
        # A mirrored copy has its outside inside: turning each triangle makes that good.
        turned = own_faces[:, ::-1] if determinant(to_scene) < 0.0 else own_faces
        faces.append(turned + first_vertex if first_vertex else turned)
        if names:
            parts.append(MeshPart(names, first_face, first_face + len(own_faces)))
        first_vertex += len(own_vertices)
        first_face += len(own_faces)
    if len(faces) == 2:
        # The only geometry there is need not be copied.
        return TriangleMesh(vertices[1], faces[1], tuple(parts))
    return TriangleMesh(np.concatenate(vertices), np.concatenate(faces), tuple(parts))


def _transformed(vertices: npt.NDArray[np.float64], to_scene: Affine, scale: float) -> npt.NDArray[np.float64]:
    if to_scene == IDENTITY and scale == 1.0:
        return vertices
    x, y, z = vertices.T
    # Sums written out, because the order of additions in a library's matrix product depends on the machine. What
    # overflows here is refused later, with all coordinates that are not finite.
    with np.errstate(over="ignore", invalid="ignore"):
        columns = [row[0] * x + row[1] * y + row[2] * z + row[3] for row in to_scene]
        return np.column_stack(columns) * scale
