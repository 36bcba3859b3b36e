"""What a picture of a model shows: its links with their shapes and inertias, and its joints, each where it has them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from sdfinertia.inertia.rigid_transform import IDENTITY, RigidTransform
from sdfinertia.inertia.spatial_inertia import SpatialInertia
from sdfinertia.mesh.store import Factors, MeshSource
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.robot.values import MASS, POSE, TENSOR, InertialPart, LinkKey

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from sdfinertia.links.body import Body
    from sdfinertia.links.context import Context
    from sdfinertia.robot.robot import PlacedJoint
    from sdfinertia.robot.values import Colour


class LinkStatus(str, Enum):
    """How a link stands, or what became of it in a run; the values are the words of the page."""

    # An explicit inertial, and not known to be other than its author wants it.
    WRITTEN = "written"
    # Filled once, and its shapes are others since.
    STALE = "stale"
    # Filled once, and changed by hand since.
    EDITED = "edited"
    # It asks for it, or a run that writes nothing would do it.
    WOULD_BE_FILLED = "would be filled"
    FILLED_NOW = "filled now"
    # Because another link of its file failed.
    WITHHELD = "withheld"
    REFUSED = "refused"
    # A mesh file, which has nothing written.
    COMPUTED = "computed"
    NOTHING = "no inertial"
    UNREADABLE = "unreadable"

    def __str__(self) -> str:
        return self.value


# Below this part of its scale, a difference of two inertias is none that is drawn.
_VISIBLE = 0.01

# Kinds of shapes that are no solid.
MESH, PLANE = "mesh", "plane"
# What the note of a shape says that cannot be drawn.
NOT_DRAWN = "is not drawn"
# What is drawn beside what is written, as the page calls it.
PROPOSED, OF_GEOMETRY = "proposed", "computed"


class Triangles(NamedTuple):
    """A surface for the eye.

    Attributes:
        vertices: (n, 3) in m.
        faces: (m, 3) rows of `vertices`.
        is_coarser: whether it is coarser than its file has it.
        paint: (m,) the place of the colour of each face in `palette`, -1 for none; None where there are no colours.
    """

    vertices: npt.NDArray[np.float64]
    faces: npt.NDArray[np.int64]
    is_coarser: bool = False
    paint: npt.NDArray[np.int32] | None = None
    palette: tuple[Colour, ...] = ()


class SceneShape(NamedTuple):
    """The shape of a collision or a visual.

    Attributes:
        X_LG: pose of the geometry in the link frame.
        kind: MESH for what is given as triangles, PLANE for a rectangle about the origin across z, else that of a solid
            in closed form.
        dimensions: of such a solid, as `sdfinertia.shapes.shape.Primitive` has them, or of a rectangle (m).
        triangles: in the frame of the geometry; None for what has dimensions, or is drawn later.
        awaited: of a mesh that is drawn later, the name by which its triangles are asked for.
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
        scoped_name: the name that its own file gives it; "" where that is the one in the scene.
        X_ML: its pose in the frame of the root model, or of the world.
        written: the explicit inertia in the file, before a run changes it; in the link frame.
        computed: what its shapes give, where that was asked for and can be told; in the link frame.
        volume: of the solids that it is computed from (m³), or None.
        parts: what a computed inertia is the sum of.
        is_own: whether it stands in the file that is shown, and is not included.
        besides: other inertias to be drawn with it, each with what it is: PROPOSED or OF_GEOMETRY.
        number: among the links of its name in its own file, from 1.
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
    status: LinkStatus = LinkStatus.NOTHING
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
        """The one that counts: what the file says, or will be given by who reads it."""
        if self.status in (LinkStatus.WOULD_BE_FILLED, LinkStatus.FILLED_NOW, LinkStatus.COMPUTED):
            return self.computed
        return self.written

    @property
    def drawn(self) -> SpatialInertia | None:
        """The one that is drawn: what is computed, where it is known."""
        return self.computed if self.computed is not None else self.written

    @property
    def ghost(self) -> SpatialInertia | None:
        """What is written, where it is seen to be another than what is drawn."""
        if self.written is None or self.computed is None:
            return None
        if not visible_differences(self.written, self.computed):
            return None
        return self.written


def visible_differences(a: SpatialInertia, b: SpatialInertia) -> frozenset[InertialPart]:
    """In which of MASS, POSE (of the centre, beside the gyradius) and TENSOR two inertias differ by more than 1 %."""
    largest = max(abs(value) for value in b.I_BBcm_B)
    turned = max(abs(x - y) for x, y in zip(a.I_BBcm_B, b.I_BBcm_B, strict=True))
    sizes = {
        MASS: (a.mass - b.mass, b.mass),
        POSE: (math.dist(a.p_BoBcm_B, b.p_BoBcm_B), b.gyradius),
        TENSOR: (turned, largest),
    }
    return frozenset(name for name, (by, scale) in sizes.items() if is_visible(by, scale))


def is_visible(difference: float, scale: float) -> bool:
    """Whether a difference is more than 1 % of a scale; what is no number differs."""
    return difference != 0.0 and not abs(difference) <= _VISIBLE * abs(scale)


@dataclass(frozen=True, slots=True)
class Scene:
    """A world, a root model, or a mesh file.

    Attributes:
        links: its own, and those of nested and included models; of a world, those of every model in it.
        missing: models that could not be included, each by the name it would have in the scene, and why.
        is_world: whether its models are the first parts of the names of its links.
    """

    model: str
    file: str
    links: tuple[SceneLink, ...]
    notes: tuple[str, ...] = ()
    joints: tuple[PlacedJoint, ...] = ()
    missing: tuple[tuple[str, str], ...] = ()
    is_world: bool = False


def total_of(links: list[SceneLink]) -> SpatialInertia | None:
    """The mass and centre of mass of links together, in the frame of the scene; None where no inertia is known."""
    bodies = [link.inertia.transformed(link.X_ML) for link in links if link.inertia is not None]
    if not bodies:
        return None
    total = bodies[0]
    for body in bodies[1:]:
        total = total + body
    return total


# Triangles kept of a mesh: enough for its shape to be known at the size of a page.
MESH_LIMIT = 4000
# Triangles of all meshes of a page: at some fifteen bytes each, a page of a hundred links stays below three megabytes.
PAGE_LIMIT = 80_000
# A mesh is recognized by so many triangles, however many share the page.
_LEAST = 200


class ScaledMesh(NamedTuple):
    """What is drawn of a mesh file, and the scale of its description."""

    source: MeshSource
    scale: Factors


# Takes a mesh that is to be drawn once a page asks for it, and gives the name by which it will.
Later = Callable[[ScaledMesh], str]


def limit_of_each(sizes: Sequence[int]) -> int:
    """How many triangles are kept of each of some meshes that share a page."""
    if sum(sizes) <= PAGE_LIMIT:
        return max(sizes, default=0)
    return max(_LEAST, PAGE_LIMIT // len(sizes))


def triangles_of(mesh: ScaledMesh, context: Context, limit: int = MESH_LIMIT) -> Triangles:
    """The triangles of a mesh, at most so many."""
    # Loaded with the first mesh: it needs numpy.
    from sdfinertia.mesh.surface.vertex_clustering import clustered

    read = context.meshes.mesh(mesh.source).scaled(mesh.scale)
    drawn = clustered(read.vertices, read.faces, limit)
    paint = read.paint[drawn.kept] if read.paint is not None else None
    return Triangles(drawn.vertices, drawn.faces, len(read.faces) > limit, paint, read.palette)
