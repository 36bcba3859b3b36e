"""STL: triangles without sharing, in the binary or in the text form."""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

from sdfinertia.errors import MeshError
from sdfinertia.inertia.polyhedron import bounding_box
from sdfinertia.mesh.arrays.distinct_rows import distinct_rows
from sdfinertia.mesh.readers.stl_text import holds_facets, read_stl_text
from sdfinertia.mesh.triangle_mesh import TriangleMesh

# 80 bytes of free text, the number of facets, and 50 bytes for each (3D Systems, StereoLithography Interface
# Specification, 1989).
_HEADER_SIZE = 84
_FACET = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])

_SOLID = re.compile(rb"(?:\xef\xbb\xbf)?\s*solid(?!\S)", re.IGNORECASE)


def read_stl(data: bytes) -> TriangleMesh:
    """The triangles of an STL file.

    A file is binary if it is exactly as long as its number of facets says; else text if it begins with `solid` and
    holds facets (binary files begin with `solid` too); else binary with something after its end.

    Args:
        data: the file's bytes.

    Raises:
        MeshError: the file ends early, or its text is not that of facets of three vertices.
    """
    facets = int.from_bytes(data[80:84], "little")
    size = _HEADER_SIZE + _FACET.itemsize * facets
    if len(data) >= _HEADER_SIZE and len(data) == size:
        return _binary(data, facets, ())
    if _SOLID.match(data):
        if holds_facets(data):
            return read_stl_text(data)
        if len(data) < max(size, _HEADER_SIZE):
            raise MeshError("begins as a text STL, but holds no facets")
    if len(data) < _HEADER_SIZE:
        raise MeshError(f"a binary STL has a header of 84 bytes, but the file ends after {len(data)}")
    if len(data) < size:
        raise MeshError(
            f"the header counts {facets} facets, which need {size} bytes, but the file ends after {len(data)}"
        )
    note = f"the {len(data) - size} bytes after the last of the {facets} facets that the STL header counts are ignored"
    return _binary(data, facets, (note,))


def _binary(data: bytes, facets: int, notes: tuple[str, ...]) -> TriangleMesh:
    corners = corners_of_facets(data, facets)
    if not np.isfinite(corners).all():
        # Refused later, with all coordinates that are not finite, by the number of the corner in the file.
        with np.errstate(invalid="ignore"):
            return TriangleMesh(corners.astype(np.float64), _every_three(len(corners)), (), notes)
    # Welded while they are 32 bits short: of six corners at one position one is left.
    first, number = distinct_rows(corners.view(np.uint32))
    return TriangleMesh(corners[first].astype(np.float64), number.reshape(-1, 3), (), notes)


def box_of_binary(data: bytes) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]] | None:
    """The lower and the upper corner, (3,) each, of the box round the facets of a binary STL.

    None where the file is not just that, has none, or not all of their coordinates are finite.
    """
    facets = int.from_bytes(data[80:84], "little")
    if not facets or len(data) != _HEADER_SIZE + _FACET.itemsize * facets:
        return None
    lower, upper = bounding_box(corners_of_facets(data, facets))
    return (lower, upper) if np.isfinite(lower).all() and np.isfinite(upper).all() else None


def corners_of_facets(data: bytes, facets: int) -> npt.NDArray[np.float32]:
    """The corners of a binary STL's facets, three after three, (3 facets, 3); a zero is never negative.

    Args:
        data: the file's bytes, no fewer than so many facets take.
    """
    records = np.frombuffer(data, dtype=_FACET, count=facets, offset=_HEADER_SIZE)
    corners = np.empty((3 * facets, 3), np.float32)
    with np.errstate(invalid="ignore"):
        # -0 + 0 is 0, so equal numbers have equal bits.
        np.add(records["corners"], np.float32(0.0), out=corners.reshape(-1, 3, 3))
    return corners


def _every_three(vertices: int) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    return np.arange(vertices, dtype=np.int64).reshape(-1, 3)
