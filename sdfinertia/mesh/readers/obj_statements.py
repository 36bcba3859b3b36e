"""The statements of an OBJ file, line by line: every form in which they may be written."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sdfinertia.errors import MeshError
from sdfinertia.mesh.readers.text_lines import unmarked
from sdfinertia.mesh.readers.text_numbers import floats, shown

# Statements that put a curved surface into the file (Wavefront, Object Files, "Free-form curve/surface attributes",
# and the superseded patches of its version 2.11). Leaving them out would leave a hole, silently.
_FREE_FORM = frozenset((b"curv", b"curv2", b"surf", b"bzp", b"bsp", b"cdp"))
_ELSEWHERE = frozenset((b"call", b"csh"))

# Names that all parts together may bear: alternating `o` lines after one `g` line of many names would otherwise
# multiply a small file into gigabytes.
_MAX_NAMES = 5_000_000


class Naming:
    """The names that `o` and `g` lines give to the polygons after them.

    Attributes:
        starts: names, and the number of the first polygon that bears them.
    """

    def __init__(self) -> None:
        self.starts: list[tuple[tuple[str, ...], int]] = []
        self._object: tuple[str, ...] = ()
        self._groups: tuple[str, ...] = ()
        self._borne = 0

    def read(self, line: bytes, polygon: int) -> None:
        """Takes the names of an `o` or `g` line without comment, which stands before the polygon of that number.

        Raises:
            MeshError: there are too many names.
        """
        if line.split()[0] == b"o":
            self._object = tuple(_names(line)[:1])
        else:
            self._groups = tuple(dict.fromkeys(_names(line)))
        names = self._object + self._groups
        if self._borne + len(names) > _MAX_NAMES:
            raise MeshError(f"its objects and groups bear more than {_MAX_NAMES} names")
        self.starts.append((names, polygon))
        self._borne += len(names)


@dataclass(frozen=True, eq=False)
class Statements:
    """What an OBJ file states, as far as it makes a solid.

    Args:
        vertices: (n, 3) positions.
        corners: (sum of counts,) vertex numbers from 0 of all polygons, one after the other; none is negative, and
            some may be beyond the last vertex.
        counts: (k,) number of corners of each polygon.
        lines: (k,) the line in which each polygon stands, counted from 1.
        starts: names, and the number of the first polygon that bears them.
        has_weights: whether a vertex has a weight that is not 1.
    """

    vertices: npt.NDArray[np.float64]
    corners: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]
    lines: npt.NDArray[np.int64]
    starts: list[tuple[tuple[str, ...], int]]
    has_weights: bool


def statements(data: bytes) -> Statements:
    """What the lines of an OBJ file state.

    Raises:
        MeshError: a line is not what its keyword asks for, an index points before the first vertex, or there are
            free-form surfaces; the message names the line.
    """
    coordinates = array("d")
    corners = array("q")
    counts = array("q")
    lines = array("q")
    naming = Naming()
    has_weights = False

    for number, line in _logical_lines(data):
        words = line.split()
        if not words:
            continue
        keyword = words[0]
        if keyword == b"v":
            values = _vertex(words[1:], number)
            coordinates.extend(values[:3])
            has_weights = has_weights or (len(values) == 4 and values[3] != 1.0)
        elif keyword in (b"f", b"fo"):
            before = len(corners)
            corners.extend(_corners(words[1:], len(coordinates) // 3, number))
            counts.append(len(corners) - before)
            lines.append(number)
        elif keyword in (b"o", b"g"):
            naming.read(line, len(counts))
        elif keyword in _FREE_FORM:
            raise MeshError(
                f"line {number}: free-form surfaces ({keyword.decode()!r}) are not read",
                remedy="export the mesh as polygons",
            )
        elif keyword in _ELSEWHERE:
            raise MeshError(
                f"line {number}: {keyword.decode()!r} runs or reads what is not in the file; it is not followed"
            )

    return Statements(
        np.array(coordinates, dtype=np.float64).reshape(-1, 3),
        np.array(corners, dtype=np.int64),
        np.array(counts, dtype=np.int64),
        np.array(lines, dtype=np.int64),
        naming.starts,
        has_weights,
    )


def _logical_lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Line numbers and lines without comments, with lines that end in a backslash joined to the next."""
    pending: list[bytes] = []
    first = 1
    for number, line in enumerate(unmarked(data).splitlines(), start=1):
        if b"#" in line:
            line = without_comment(line)
        if not pending:
            first = number
        if line.endswith(b"\\"):
            pending.append(line[:-1])
            continue
        if pending:
            line = b" ".join([*pending, line])
            pending = []
        yield first, line
    if pending:
        yield first, b" ".join(pending)


def without_comment(line: bytes) -> bytes:
    """The line up to its comment; inside the names of objects and groups only a `#` after white space begins one."""
    if not line.lstrip().startswith((b"o ", b"g ", b"o\t", b"g\t")):
        return line.split(b"#", 1)[0]
    return line.replace(b"\t#", b" #").split(b" #", 1)[0]


def _vertex(words: list[bytes], line: int) -> list[float]:
    try:
        values = floats(words)
    except ValueError as error:
        raise MeshError(f"line {line}: a vertex needs decimal numbers, found {error}") from None
    # x y z, then nothing, a weight, a colour, or both.
    if not 3 <= len(values) <= 8:
        raise MeshError(f"line {line}: a vertex has 3 coordinates, found {len(values)} numbers")
    return values


def _corners(words: list[bytes], vertices: int, line: int) -> list[int]:
    if not words:
        raise MeshError(f"line {line}: a face without corners")
    corners = []
    for word in words:
        position, _, rest = word.partition(b"/")
        if rest:
            texture, _, normal = rest.partition(b"/")
            plain = _is_index(position) and (not texture or _is_index(texture)) and (not normal or _is_index(normal))
        else:
            plain = _is_index(position)
        if not plain:
            raise MeshError(
                f"line {line}: a corner of a face is v, v/vt, v//vn or v/vt/vn in whole numbers, found {shown(word)}"
            )
        index = int(position)
        # Indices count from 1; negative ones count back from the last vertex before this line.
        corners.append(index - 1 if index > 0 else vertices + index if index < 0 else -1)
        if corners[-1] < 0:
            raise MeshError(f"line {line}: vertex {index} does not exist")
    return corners


def _is_index(word: bytes) -> bool:
    # 18 digits fit into 64 bits.
    return (word[1:] if word[:1] in (b"-", b"+") else word).isdigit() and len(word) <= 18


def _names(line: bytes) -> list[str]:
    """The names on an `o` or `g` line: all of it as one name, as Gazebo takes it, then its words."""
    text = line.strip().decode("utf-8", "replace")[1:].strip()
    return [text, *text.split()] if text else []
