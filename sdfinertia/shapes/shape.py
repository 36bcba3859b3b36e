"""The shapes of collisions and visuals, as values that any description of a robot can be read into."""

from __future__ import annotations

from typing import NoReturn

from sdfinertia.named_tuple import NamedTuple


class Primitive(NamedTuple):
    """A solid in closed form.

    Attributes:
        kind: its name in the table `sdfinertia.shapes.primitives.PRIMITIVES`.
        dimensions: in metres, in the order in which the table names them; as read, so they may be zero or negative.
    """

    kind: str
    dimensions: tuple[float, ...]


class Polyline(NamedTuple):
    """Closed loops of points (m), extruded from z = 0 to the height of each."""

    loops: tuple[tuple[tuple[float, float], ...], ...]
    heights: tuple[float, ...]


class MeshShape(NamedTuple):
    """A mesh file and what is taken of it.

    Attributes:
        scale: factors on the vertices.
        submesh: name of the part that counts, or None for the whole file.
        center: whether that part's bounding box is centred on the origin.
        optimization: "", "convex_hull" or "convex_decomposition".
        max_convex_hulls, voxel_resolution: settings of a convex decomposition, None for the default.
    """

    uri: str
    scale: tuple[float, float, float]
    submesh: str | None
    center: bool
    optimization: str
    max_convex_hulls: int | None = None
    voxel_resolution: int | None = None


class Plane(NamedTuple):
    """A plane through the origin, of which a rectangle is drawn.

    Attributes:
        normal: a direction of unit length.
        size: of the rectangle (m).
    """

    normal: tuple[float, float, float]
    size: tuple[float, float]


class NoVolume(NamedTuple):
    """A geometry that encloses no volume, and what it is.

    Attributes:
        kind: as the subject of a sentence: "a plane".
        is_unbounded: whether no box goes round it.
        problem: why it has none, as the rest of that sentence.
        plane: what is drawn of it, if it is a plane.
    """

    kind: str
    is_unbounded: bool = False
    problem: str = "has no volume"
    plane: Plane | None = None

    def __str__(self) -> str:
        return f"{self.kind} {self.problem}"


Shape = Primitive | Polyline | MeshShape | NoVolume


def assert_never(value: NoReturn) -> NoReturn:
    """Nothing ever: a type checker refuses the call unless every case has been handled before it.

    `typing.assert_never` is in Python from 3.11 on only.
    """
    raise AssertionError(f"a case that nobody handles: {value!r}")
