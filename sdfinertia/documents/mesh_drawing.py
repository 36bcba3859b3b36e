"""Meshes as a picture shows them: coarse enough for a page, in the colours that their files give them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from sdfinertia.documents.scene import Triangles
from sdfinertia.mesh.store import Factors, MeshSource
from sdfinertia.named_tuple import NamedTuple

if TYPE_CHECKING:
    from sdfinertia.links.surroundings import Surroundings

# Triangles kept of a mesh: enough for its shape to be known at the size of a page.
MESH_LIMIT = 4000
# Triangles of all meshes of a page: at some fifteen bytes each they stay below two megabytes.
PAGE_LIMIT = 120_000
# A mesh is recognized by so many triangles, however many share the page.
_LEAST = 200


class ScaledMesh(NamedTuple):
    """What is drawn of a mesh file, and the scale of its description."""

    source: MeshSource
    scale: Factors


# Takes a mesh that is to be drawn once a page asks for it, and gives the name by which it will.
Later = Callable[[ScaledMesh], str]


def limit_of_each(sizes: Sequence[int]) -> int:
    """How many triangles are kept of each of some meshes that share a page.

    Args:
        sizes: their triangles.
    """
    if sum(sizes) <= PAGE_LIMIT:
        return max(sizes, default=0)
    return max(_LEAST, PAGE_LIMIT // len(sizes))


def triangles_of(mesh: ScaledMesh, surroundings: Surroundings, limit: int = MESH_LIMIT) -> Triangles:
    """The triangles of a mesh, at most so many.

    Raises:
        MeshError: the file is damaged, holds no triangles, or has no such part.
        ResourceError: it cannot be read.
    """
    # Loaded with the first mesh: it needs numpy.
    from sdfinertia.mesh.surface.vertex_clustering import clustered

    read = surroundings.meshes.mesh(mesh.source).scaled(mesh.scale)
    drawn = clustered(read.vertices, read.faces, limit)
    paint = read.paint[drawn.kept] if read.paint is not None else None
    return Triangles(drawn.vertices, drawn.faces, len(read.faces) > limit, paint, read.palette)
