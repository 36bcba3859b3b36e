"""The triangles of a mesh file, and the names by which ranges of them can be chosen."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from sdfinertia.errors import MeshError
from sdfinertia.inertia.polyhedron import bounding_box
from sdfinertia.named_tuple import NamedTuple

_NAMES_LISTED = 20  # an error that prints thousands of names hides its own first words


Colour = tuple[float, float, float, float]


class MeshPart(NamedTuple):
    """A range of faces, `start` included and `stop` not, and every name that selects it: its own and its ancestors'."""

    names: tuple[str, ...]
    start: int
    stop: int


@dataclass(frozen=True, eq=False)
class TriangleMesh:
    """Triangles as a file gives them: not checked for closedness, in metres and the mesh file's own frame.

    A file may give vertices alone; they stand for no solid but their hull.

    Corners at one position may be one vertex or several, as the format has it or as reads faster.

    Args:
        vertices: (n, 3) float64, n positions [m].
        faces: (m, 3) int64, rows of `vertices`, counter-clockwise seen from outside.
        parts: what `submesh` can choose from; no face is in two parts.
        notes: what was read otherwise than the file says, or than Gazebo reads it, one sentence each.
        paint: (m,) the place of the colour of each face in `palette`, -1 for none; None where there are no colours.
        palette: red, green, blue in sRGB and opacity, from 0 to 1.
    """

    vertices: npt.NDArray[np.float64]
    faces: npt.NDArray[np.int64]
    parts: tuple[MeshPart, ...] = ()
    notes: tuple[str, ...] = ()
    paint: npt.NDArray[np.int32] | None = None
    palette: tuple[Colour, ...] = ()

    @property
    def nbytes(self) -> int:
        """How much memory its vertices and faces take."""
        return self.vertices.nbytes + self.faces.nbytes

    def submesh(self, name: str) -> TriangleMesh:
        """The faces of all parts that bear `name`, with only the vertices these use.

        Raises:
            MeshError: no part bears the name; the message lists the names there are.
        """
        chosen = [part for part in self.parts if name in part.names]
        if not chosen:
            raise MeshError(f"no submesh is named {name!r}", remedy=_names_there_are(self.parts))
        faces = np.concatenate([self.faces[part.start : part.stop] for part in chosen])
        used, renumbered = on_used_rows(faces, len(self.vertices))
        parts, start = [], 0
        for part in chosen:
            stop = start + part.stop - part.start
            parts.append(MeshPart(part.names, start, stop))
            start = stop
        paint = self.paint
        if paint is not None:
            paint = np.concatenate([paint[part.start : part.stop] for part in chosen])
        return TriangleMesh(self.vertices[used], renumbered, tuple(parts), self.notes, paint, self.palette)

    def with_note_first(self, note: str) -> TriangleMesh:
        """The same mesh, with one more note before the others."""
        return replace(self, notes=(note, *self.notes))

    def used_vertices(self) -> npt.NDArray[np.float64]:
        """The positions (k, 3) that its faces use, in the order of the file; all if there are no faces."""
        if not len(self.faces):
            return self.vertices
        used = used_rows(self.faces, len(self.vertices))
        return self.vertices if len(used) == len(self.vertices) else self.vertices[used]

    @cached_property
    def bounds(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """The lower and the upper corner of the box round the positions that its faces use, (3,) each."""
        return bounding_box(self.used_vertices())

    def scaled(self, factors: tuple[float, float, float]) -> TriangleMesh:
        """The same mesh with its vertices multiplied; mirrored faces are wound the other way, so that they look out.

        Raises:
            MeshError: a coordinate of a face becomes too large for a float.
        """
        mirrored = factors[0] * factors[1] * factors[2] < 0.0
        faces = self.faces[:, ::-1] if mirrored else self.faces
        with np.errstate(over="ignore", invalid="ignore"):  # what overflows is found in the result
            mesh = replace(self, vertices=self.vertices * np.array(factors), faces=faces)
        # Vertices that no face uses may be anything, and are seldom there.
        if not np.isfinite(mesh.vertices).all() and not np.isfinite(mesh.used_vertices()).all():
            raise MeshError("the mesh is too large to compute with: its scale makes coordinates that are not finite")
        return mesh

    def centered(self) -> TriangleMesh:
        """The same mesh, moved so that the bounding box of the vertices its faces use has its centre at the origin."""
        if not len(self.vertices):
            return self
        lower, upper = self.bounds
        # Halves first: the sum of two coordinates near the largest float would overflow.
        center = lower / 2 + upper / 2
        with np.errstate(over="ignore", invalid="ignore"):  # vertices that no face uses may be anything
            return replace(self, vertices=self.vertices - center)


def used_rows(faces: npt.NDArray[np.int64], count: int) -> npt.NDArray[np.int64]:
    """The vertex numbers, ascending, that faces (m, 3) use of so many; in linear time."""
    is_used = np.zeros(count, np.bool_)
    is_used[faces.reshape(-1)] = True
    return np.flatnonzero(is_used)


def on_used_rows(faces: npt.NDArray[np.int64], count: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The vertex numbers, ascending, that faces of any shape use of so many, and the faces in numbers of only these.

    These are the same faces where all are used.
    """
    if count > 3 * faces.size:
        # A table of all vertices for each of many sets of few faces would take quadratic time.
        used, renumbered = np.unique(faces, return_inverse=True)
        return used.astype(np.int64, copy=False), renumbered.reshape(faces.shape).astype(np.int64, copy=False)
    used = used_rows(faces, count)
    if len(used) == count:
        return used, faces
    number = np.zeros(count, np.int64)
    number[used] = np.arange(len(used))
    return used, number[faces]


def fans(corners: npt.NDArray[np.int64], counts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """(m, 3) triangles of polygons, each cut as a fan from its first corner.

    A fan covers a planar polygon exactly in the signed sense, even where the polygon is not convex: what a triangle
    covers outside it, another of opposite orientation takes back. Polygons of fewer than three corners give nothing.

    Args:
        corners: (sum of counts,) vertex numbers of all polygons, one after the other.
        counts: (k,) number of corners of each polygon, none negative.
    """
    if (counts == 3).all():
        return np.asarray(corners, dtype=np.int64).reshape(-1, 3)
    triangles = np.maximum(counts - 2, 0)
    starts = np.repeat(np.cumsum(counts) - counts, triangles)
    within = np.arange(len(starts)) - np.repeat(np.cumsum(triangles) - triangles, triangles)
    triples = np.column_stack((starts, starts + within + 1, starts + within + 2))
    return np.asarray(corners[triples], dtype=np.int64)


def strip(corners: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """(k - 2, 3) triangles of one strip of k vertex numbers, every second one turned so that all face the same side."""
    faces = np.column_stack((corners[:-2], corners[1:-1], corners[2:]))
    faces[1::2, [0, 1]] = faces[1::2, [1, 0]]
    return faces


def _names_there_are(parts: tuple[MeshPart, ...]) -> str:
    names = list(dict.fromkeys(name for part in parts for name in part.names))
    if not names:
        return "the mesh file names no parts, so remove <submesh>"
    listed = ", ".join(repr(name) for name in names[:_NAMES_LISTED])
    more = f" and {len(names) - _NAMES_LISTED} more" if len(names) > _NAMES_LISTED else ""
    return f"its names are {listed}{more}"
