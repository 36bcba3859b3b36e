"""A scene to be drawn: links with their shapes, inertias and joints."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.errors import counted
from sdfinertia.inertia.rigid_transform import IDENTITY, RigidTransform
from sdfinertia.inertia.spatial_inertia import SpatialInertia, welded
from sdfinertia.links.provenance import Status
from sdfinertia.robot.inertial import MASS, POSE, TENSOR, InertialPart
from sdfinertia.robot.link import LinkKey

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from sdfinertia.links.context import Context
    from sdfinertia.links.inputs import Body
    from sdfinertia.mesh.method import Factors, MeshSource
    from sdfinertia.robot.link import Colour
    from sdfinertia.robot.robot import PlacedJoint


# Differences of two inertias below this part of their scale are not drawn.
_VISIBLE = 0.01

# Kinds of shapes that are not solids.
MESH, PLANE = "mesh", "plane"
# The note of a shape that cannot be drawn.
NOT_DRAWN = "is not drawn"
# Names on the page of inertias drawn beside the written one.
PROPOSED, OF_GEOMETRY = "proposed", "computed"


class Triangles(NamedTuple):
    """A surface to be drawn.

    Attributes:
        vertices: (n, 3) in m.
        faces: (m, 3) rows of `vertices`.
        is_coarser: whether triangles were left out.
        paint: (m,) rows of `palette`, -1 for none; None without colours.
    """

    vertices: npt.NDArray[np.float64]
    faces: npt.NDArray[np.int64]
    is_coarser: bool = False
    paint: npt.NDArray[np.int32] | None = None
    palette: tuple[Colour, ...] = ()

    def coarsened(self, limit: int) -> Triangles:
        """At most as many triangles, which look the same."""
        from sdfinertia.mesh.tessellation import clustered

        vertices, faces, kept = clustered(self.vertices, self.faces, limit)
        paint = self.paint[kept] if self.paint is not None else None
        return Triangles(vertices, faces, self.is_coarser or len(self.faces) > limit, paint, self.palette)


class SceneShape(NamedTuple):
    """The shape of a collision or a visual.

    Attributes:
        X_LG: pose of the geometry in the link frame.
        kind: MESH for triangles, PLANE for a rectangle about the origin across z, else a primitive.
        dimensions: of a primitive, or of a rectangle (m).
        triangles: in the frame of the geometry; None for shapes with dimensions, or those that are drawn later.
        awaited: the name of a mesh that is drawn later.
    """

    name: str
    X_LG: RigidTransform
    kind: str
    dimensions: tuple[float, ...] = ()
    triangles: Triangles | None = None
    colour: Colour | None = None
    awaited: str = ""


@dataclass(frozen=True, slots=True)
class SceneLink:
    """A link of a scene.

    Attributes:
        scoped_name: in its own file, where that differs.
        X_ML: its pose in the frame of the root model, or of the world.
        written: the inertia in the file before a run changes it; in the link frame.
        computed: from its shapes; in the link frame.
        volume: of the solids that it is computed from (m³).
        simulated: the inertia that a simulator infers, or makes of the written one, where it is not the written one.
        besides: other inertias to be drawn, each with PROPOSED or OF_GEOMETRY.
        number: among the links of its name in its file, from 1.
    """

    name: str
    scoped_name: str = ""
    file: str = ""
    line: int = 0
    X_ML: RigidTransform = IDENTITY
    shapes: tuple[SceneShape, ...] = ()
    visuals: tuple[SceneShape, ...] = ()
    written: SpatialInertia | None = None
    computed: SpatialInertia | None = None
    simulated: SpatialInertia | None = None
    status: Status = Status.NOTHING
    volume: float | None = None
    parts: tuple[Body, ...] = ()
    notes: tuple[str, ...] = ()
    is_own: bool = True
    besides: tuple[tuple[str, SpatialInertia], ...] = ()
    number: int = 1

    @property
    def key(self) -> LinkKey:
        return LinkKey(self.file, self.scoped_name or self.name, self.number)

    @property
    def inertia(self) -> SpatialInertia | None:
        """The one that simulators use."""
        if self.status in (Status.WOULD_BE_FILLED, Status.FILLED, Status.COMPUTED):
            return self.computed
        return self.simulated if self.simulated is not None else self.written

    @property
    def drawn(self) -> SpatialInertia | None:
        return self.computed if self.computed is not None else self.written

    @property
    def ghost(self) -> SpatialInertia | None:
        """The written one, where it visibly differs from the drawn one."""
        if self.written is None or self.computed is None:
            return None
        if not visible_differences(self.written, self.computed):
            return None
        return self.written


def visible_differences(a: SpatialInertia, b: SpatialInertia) -> frozenset[InertialPart]:
    """Which of MASS, POSE (relative to the radius of gyration) and TENSOR differ by more than 1 %."""
    largest = max(abs(value) for value in b.I_BBcm_B)
    turned = max(abs(x - y) for x, y in zip(a.I_BBcm_B, b.I_BBcm_B, strict=True))
    sizes = {
        MASS: (a.mass - b.mass, b.mass),
        POSE: (math.dist(a.p_BoBcm_B, b.p_BoBcm_B), b.gyradius),
        TENSOR: (turned, largest),
    }
    return frozenset(name for name, (by, scale) in sizes.items() if is_visible(by, scale))


def is_visible(difference: float, scale: float) -> bool:
    """Whether a difference is more than 1 % of a scale; NaN differs."""
    return difference != 0.0 and not abs(difference) <= _VISIBLE * abs(scale)


@dataclass(frozen=True, slots=True)
class Scene:
    """A world, a root model, or a mesh file.

    Attributes:
        missing: models that could not be included, and why.
        is_world: whether model names are the first parts of link names.
    """

    model: str
    file: str
    links: tuple[SceneLink, ...]
    notes: tuple[str, ...] = ()
    joints: tuple[PlacedJoint, ...] = ()
    missing: tuple[tuple[str, str], ...] = ()
    is_world: bool = False


def total_of(links: list[SceneLink]) -> SpatialInertia | None:
    """The mass and centre of mass of links together, in the frame of the scene."""
    bodies = [link.inertia.transformed(link.X_ML) for link in links if link.inertia is not None]
    return welded(bodies) if bodies else None


# Triangles kept of a mesh: enough for its shape to be known at the size of a page.
MESH_LIMIT = 4000
# Triangles of all meshes of a page: at some fifteen bytes each, a page of a hundred links stays below three megabytes.
PAGE_LIMIT = 80_000
# A mesh is recognized by so many triangles, however many share the page.
_LEAST = 200


class ScaledMesh(NamedTuple):
    source: MeshSource
    scale: Factors


# Takes a mesh that a page will draw, and returns the name by which the page requests it.
Later = Callable[[ScaledMesh], str]


def limit_of_each(sizes: Sequence[int]) -> int:
    if sum(sizes) <= PAGE_LIMIT:
        return max(sizes, default=0)
    return max(_LEAST, PAGE_LIMIT // len(sizes))


def triangles_of(mesh: ScaledMesh, context: Context, limit: int = MESH_LIMIT) -> Triangles:
    read = context.meshes.mesh(mesh.source).scaled(mesh.scale)
    return Triangles(read.vertices, read.faces, False, read.paint, read.palette).coarsened(limit)


def missing_words(scenes: Sequence[Scene]) -> str:
    """How many models could not be included, and how often; "" for none."""
    reasons = [reason for scene in scenes for _, reason in scene.missing]
    number = len(set(reasons))
    often = f", {len(reasons):,} times" if len(reasons) > number else ""
    return f"{counted(number, 'model')} missing{often}" if number else ""
