"""The meshes among the collisions of a link, and what they are like."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sdfinertia.mesh.store import MeshSource
from sdfinertia.sdf.geometry import MeshShape, read_shape
from sdfinertia.sdf.model import Link
from sdfinertia.surroundings import Surroundings

if TYPE_CHECKING:
    from sdfinertia.mesh.diagnosis import MeshDiagnosis


def diagnosed_meshes(link: Link, surroundings: Surroundings) -> list[tuple[str, MeshDiagnosis]]:
    """Name of collision and diagnosis of each of its meshes.

    Raises:
        SdfInertiaError: a mesh cannot be found or read.
    """
    found = []
    for collision in link.collisions():
        shape = read_shape(collision.element)
        if isinstance(shape, MeshShape):
            # Loaded with the first mesh, since it needs numpy.
            from sdfinertia.mesh.diagnosis import diagnose

            path = surroundings.resources.find(shape.uri, collision.element.document.path)
            mesh = surroundings.meshes.mesh(MeshSource(path, shape.submesh, shape.center))
            found.append((collision.name, diagnose(mesh.scaled(shape.scale))))
    return found
