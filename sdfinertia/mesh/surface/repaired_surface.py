"""A triangle surface on its way to being closed, with what was done to it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from sdfinertia.errors import MeshError
from sdfinertia.inertia.polyhedron import bounding_box
from sdfinertia.mesh.surface.topology import Edges, Flags, Indices, any_on_the_same_vertices, edges_of

Points = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class RepairedSurface:
    """A triangle surface after repair, closed if `open_edges` is empty.

    Args:
        vertices: (n, 3), no two equal, each used.
        faces: (m, 3), no vertex twice in one face; wound consistently wherever two faces meet, but not yet outward.
        edges: their edges.
        one_sided: whether a part of it has only one side, so that no winding agrees.
        notes: what was repaired, one sentence each without a full stop.
    """

    vertices: Points
    faces: Indices
    edges: Edges
    one_sided: bool
    notes: tuple[str, ...]

    @property
    def open_edges(self) -> Indices:
        """The numbers of the edges that are not used equally often in both directions."""
        return self.edges.open

    @cached_property
    def has_faces_alike(self) -> bool:
        """Whether two of its faces stand on the same three vertices: copies of each other, or reverses."""
        return any_on_the_same_vertices(self.faces, self.edges)

    def subset(self, kept: Flags) -> RepairedSurface:
        """The surface of the faces (m,) that are kept, on all its vertices."""
        return self._with_faces(self.faces[kept])

    def with_turned(self, turned: Flags) -> RepairedSurface:
        """The surface with those faces (m,) wound the other way."""
        return self._with_faces(np.where(turned[:, None], self.faces[:, ::-1], self.faces))

    def on_used_vertices(self) -> RepairedSurface:
        """The surface on those vertices that its faces use."""
        vertices, faces = only_used(self.vertices, self.faces)
        return self if vertices is self.vertices else replace(self._with_faces(faces), vertices=vertices)

    def faces_at_open_edges(self) -> Indices:
        """The numbers of the faces at open edges, ascending."""
        return np.unique(self.edges.face[self.edges.sides(self.open_edges)])

    def _with_faces(self, faces: Indices) -> RepairedSurface:
        return replace(self, faces=faces, edges=edges_of(faces))


def extent(vertices: Points) -> float:
    """The diagonal of the bounding box of the vertices (n, 3), in their unit.

    Raises:
        MeshError: it is not finite, so a coordinate is not, or is next to the end of the range of floats.
    """
    return diagonal(*bounding_box(vertices))


def diagonal(lower: Points, upper: Points) -> float:
    """The diagonal of a box between two corners, (3,) each, in their unit.

    Raises:
        MeshError: as `extent`.
    """
    with np.errstate(all="ignore"):
        sides = upper - lower
        longest = float(sides.max())
        length = longest * float(np.sqrt(((sides / longest) ** 2).sum())) if longest > 0 else longest
    if not np.isfinite(length):
        raise MeshError("the mesh has coordinates that are not finite, or too large to compute with")
    return length


def only_used(vertices: Points, faces: Indices) -> tuple[Points, Indices]:
    """The vertices (n, 3) that faces (m, 3) use, and the faces on them."""
    used = np.zeros(len(vertices), np.bool_)
    for corner in range(3):
        used[faces[:, corner]] = True
    if used.all():
        return vertices, faces
    return vertices[used], (np.cumsum(used) - 1)[faces]


def noted(notes: tuple[str, ...], count: int, one: str, many: str) -> tuple[str, ...]:
    """The notes and one more, if there is anything to count."""
    return (*notes, f"{count:,} {one if count == 1 else many}") if count else notes
