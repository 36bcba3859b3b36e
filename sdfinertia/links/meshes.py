"""Which part of which file the meshes of a link are, how large they are, and what those of its collisions are like."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sdfinertia.errors import SdfInertiaError
from sdfinertia.links.surroundings import Surroundings
from sdfinertia.mesh.store import MeshSource
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.robot.values import COLLISION
from sdfinertia.shapes.reach import Bounds
from sdfinertia.shapes.shape import MeshShape

if TYPE_CHECKING:
    from sdfinertia.mesh.diagnosis import MeshDiagnosis
    from sdfinertia.mesh.store import MeshStore
    from sdfinertia.robot.robot import Link


def mesh_source(shape: MeshShape, path: str) -> MeshSource:
    """What is taken of the file that the uri of a mesh names."""
    return MeshSource(path, shape.submesh, shape.center)


def mesh_bounds(shape: MeshShape, path: str, meshes: MeshStore) -> Bounds:
    """The box round the triangles of a mesh, stretched by its scale, in its own frame.

    Raises:
        MeshError: the file is damaged, or has no such part.
    """
    lower, upper = meshes.bounds(mesh_source(shape, path))
    return Bounds(lower, upper).scaled(shape.scale)


class DiagnosedMesh(NamedTuple):
    """A mesh, with the name of its collision."""

    collision: str
    diagnosis: MeshDiagnosis


class DiagnosedMeshes(NamedTuple):
    """The meshes of a link.

    Attributes:
        found: those that were looked at.
        errors: why others cannot be found or read.
    """

    found: list[DiagnosedMesh]
    errors: list[SdfInertiaError]


def diagnosed_meshes(link: Link, surroundings: Surroundings) -> DiagnosedMeshes:
    """What each mesh among the collisions of a link is like; one that cannot be read does not hide the others.

    Raises:
        SdfInertiaError: two collisions bear the same name.
    """
    result = DiagnosedMeshes([], [])
    for collision in link.solids(COLLISION):
        try:
            shape = collision.shape()
            if isinstance(shape, MeshShape):
                # Loaded with the first mesh, since it needs numpy.
                from sdfinertia.mesh.diagnosis import diagnose

                path = surroundings.resources.find(shape.uri, collision.file)
                mesh = surroundings.meshes.mesh(mesh_source(shape, path))
                result.found.append(DiagnosedMesh(collision.name, diagnose(mesh.scaled(shape.scale))))
        except SdfInertiaError as error:
            result.errors.append(error.within(location=collision.location(), collision=collision.name))
    return result
