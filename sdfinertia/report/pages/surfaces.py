"""The triangles of a page: in base64 within it, or as bytes that it asks for."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from struct import pack
from typing import TYPE_CHECKING, Any

from sdfinertia.documents.scene import Scene, limit_of_each
from sdfinertia.named_tuple import NamedTuple

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from sdfinertia.description.protocols import Colour
    from sdfinertia.documents.scene import Triangles

# The page draws in 32-bit floats, whose squares must stay in their range (3.4e38) too.
LARGEST = 1e18


class Group(NamedTuple):
    """Faces one after the other that have one colour, or none."""

    start: int
    size: int
    colour: Colour | None


def is_drawable(triangles: Triangles) -> bool:
    """Whether there is anything, and nothing too large."""
    return len(triangles.faces) > 0 and bool((abs(triangles.vertices) < LARGEST).all())


class Surfaces:
    """The surfaces of a page, each once, coarse enough for all together to stay within the limit."""

    def __init__(self, scenes: Sequence[Scene]) -> None:
        self.encoded: list[dict[str, Any]] = []
        self.is_coarser = False
        self._index_of: dict[object, int] = {}
        shapes = [s for scene in scenes for link in scene.links for s in (*link.shapes, *link.visuals)]
        distinct = {_key(shape.triangles): len(shape.triangles.faces) for shape in shapes if shape.triangles}
        self._limit = limit_of_each(list(distinct.values()))

    def number(self, triangles: Triangles) -> int:
        """The place of a surface in the list."""
        key = _key(triangles)
        if key not in self._index_of:
            self._index_of[key] = len(self.encoded)
            self.encoded.append(self._encode(triangles))
        return self._index_of[key]

    def _encode(self, triangles: Triangles) -> dict[str, Any]:
        from sdfinertia.mesh.surface.vertex_clustering import clustered

        self.is_coarser |= triangles.is_coarser or len(triangles.faces) > self._limit
        if len(triangles.faces) > self._limit:
            vertices, faces, kept = clustered(triangles.vertices, triangles.faces, self._limit)
            paint = triangles.paint[kept] if triangles.paint is not None else None
            triangles = triangles._replace(vertices=vertices, faces=faces, paint=paint)
        faces, groups = _grouped(triangles)
        # Two bytes count to 65,535, which is more than the vertices that are left of a mesh.
        width = "<u2" if len(triangles.vertices) <= 0xFFFF else "<u4"
        surface: dict[str, Any] = {
            "positions": _base64(triangles.vertices.astype("<f4").tobytes()),
            "indices": _base64(faces.astype(width).tobytes()),
            "width": width[-1],
        }
        return {**surface, "groups": groups} if groups else surface


def surface_bytes(triangles: Triangles) -> bytes:
    """A surface as a page asks for it, in numbers of four bytes, the least first.

    How many vertices, faces and groups there are, and 1 if it is coarser than its file has it; of each group its first
    face, how many it has, 1 if it has a colour, and that: red, green, blue, opacity as floats; the positions as floats;
    the corners of faces.
    """
    faces, groups = _grouped(triangles)
    head = pack("<4I", len(triangles.vertices), len(faces), len(groups), triangles.is_coarser)
    for start, size, colour in groups:
        head += pack("<3I4f", start, size, colour is not None, *(colour or (0.0, 0.0, 0.0, 0.0)))
    return head + triangles.vertices.astype("<f4").tobytes() + faces.astype("<u4").tobytes()


def _grouped(triangles: Triangles) -> tuple[npt.NDArray[np.int64], list[Group]]:
    """The faces with those of one colour one after the other; no groups where there are no colours."""
    import numpy as np

    if triangles.paint is None or not len(triangles.faces):
        return triangles.faces, []
    order = np.argsort(triangles.paint, kind="stable")
    paint = triangles.paint[order]
    starts = [0, *(np.flatnonzero(paint[1:] != paint[:-1]) + 1).tolist()]
    groups = [
        Group(start, stop - start, triangles.palette[number] if (number := int(paint[start])) >= 0 else None)
        for start, stop in zip(starts, [*starts[1:], len(paint)], strict=True)
    ]
    return triangles.faces[order], groups


def _key(triangles: Triangles) -> object:
    paint = triangles.paint.tobytes() if triangles.paint is not None else None
    return triangles.vertices.tobytes(), triangles.faces.tobytes(), paint, triangles.palette


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")
