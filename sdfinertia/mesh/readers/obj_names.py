"""The names that `o` and `g` lines of an OBJ file give to the polygons after them."""

from __future__ import annotations

from sdfinertia.errors import MeshError

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


def without_comment(line: bytes) -> bytes:
    """The line up to its comment; inside the names of objects and groups only a `#` after white space begins one."""
    if not line.lstrip().startswith((b"o ", b"g ", b"o\t", b"g\t")):
        return line.split(b"#", 1)[0]
    return line.replace(b"\t#", b" #").split(b" #", 1)[0]


def _names(line: bytes) -> list[str]:
    """The names on an `o` or `g` line: all of it as one name, as Gazebo takes it, then its words."""
    text = line.strip().decode("utf-8", "replace")[1:].strip()
    return [text, *text.split()] if text else []
