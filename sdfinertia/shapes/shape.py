"""The shapes of collisions and visuals, as values that any description of a robot can be read into."""

from __future__ import annotations

from typing import NoReturn

from sdfinertia.named_tuple import NamedTuple


class Primitive(NamedTuple):
    """A solid in closed form.

    Attributes:
        kind: its name in `PRIMITIVES`.
        dimensions: (m), in the order of that table; as read, so they may be zero or negative.
    """

    kind: str
    dimensions: tuple[float, ...]


class Polyline(NamedTuple):
    """Closed loops of points (m), extruded from z = 0 to the height of each."""

    loops: tuple[tuple[tuple[float, float], ...], ...]
    heights: tuple[float, ...]


class MeshShape(NamedTuple):
    """A mesh file and which part of it counts.

    Attributes:
        submesh: None for the whole file.
        center: whether that part's bounding box is centred on the origin.
        optimization: "", "convex_hull" or "convex_decomposition".
    """

    uri: str
    scale: tuple[float, float, float]
    submesh: str | None
    center: bool
    optimization: str
    max_convex_hulls: int | None = None
    voxel_resolution: int | None = None


class Plane(NamedTuple):
    """A plane through the origin with a unit normal, of which a rectangle (m) is drawn."""

    normal: tuple[float, float, float]
    size: tuple[float, float]


class NoVolume(NamedTuple):
    """A geometry that encloses no volume.

    Attributes:
        kind: as the subject of a sentence: "a plane".
        is_unbounded: whether it has no bounding box.
        problem: the rest of that sentence.
    """

    kind: str
    is_unbounded: bool = False
    problem: str = "has no volume"
    plane: Plane | None = None

    def __str__(self) -> str:
        return f"{self.kind} {self.problem}"


Shape = Primitive | Polyline | MeshShape | NoVolume


def assert_never(value: NoReturn) -> NoReturn:
    """`typing.assert_never`, which Python has from 3.11 on only."""
    raise AssertionError(f"a case that nobody handles: {value!r}")
