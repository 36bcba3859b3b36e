"""What can be done to a document by hand: one value for each kind of change, which says what is meant and does nothing.

Links are named by their scoped names, `model::nested::link`, the second of a name in a file `model::link#2`; lengths
are in m, masses in kg, angles in rad, tensors in kg·m² about the centre of mass and in the axes of the link.
"""

from __future__ import annotations

from enum import Enum

from sdfinertia.inertia.rigid_transform import Vector3
from sdfinertia.named_tuple import NamedTuple

Six = tuple[float, float, float, float, float, float]


class Solid(Enum):
    """The solid of equal inertia whose faces are moved."""

    BOX = "box"
    ELLIPSOID = "ellipsoid"


class SetMass(NamedTuple):
    """Another mass; the tensor follows in proportion where it is linked to it, and else stays."""

    link: str
    mass: float
    is_linked: bool = True


class SetDensity(NamedTuple):
    """The mass that the shapes of a link have at a density (kg/m³); the tensor as for `SetMass`."""

    link: str
    density: float
    is_linked: bool = True


class MoveCentre(NamedTuple):
    """Another centre of mass, in the frame of the link."""

    link: str
    centre: Vector3


class SetTensor(NamedTuple):
    """Another tensor: ixx iyy izz ixy ixz iyz."""

    link: str
    tensor: Six


class TurnAxes(NamedTuple):
    """Other principal axes, turned by fixed-axis roll, pitch and yaw from those of the link; the moments stay."""

    link: str
    rpy: Vector3


class SetMoments(NamedTuple):
    """Other principal moments, by axis as they are shown; the axes stay."""

    link: str
    moments: Vector3


class DragFace(NamedTuple):
    """A face of the solid of equal inertia, moved outward.

    Attributes:
        axis: 0, 1 or 2, of the principal axes as they are shown.
        side: 1 for the face in the direction of the axis, -1 for the other.
        distance: how far it moves outward (m); inward below zero.
        is_alone: whether the opposite face stays, so that the centre of mass moves by half of it.
        keeps_density: whether the mass grows with the solid; else it stays.
    """

    link: str
    axis: int
    side: int
    distance: float
    solid: Solid = Solid.BOX
    is_alone: bool = False
    keeps_density: bool = False


class ResizeShape(NamedTuple):
    """Other dimensions of a simple shape, as its kind orders them; the inertia of the link is scaled with it.

    Attributes:
        collision: its name.
        dimensions: of a box its three edges, of a cylinder radius and length, and so on (m).
    """

    link: str
    collision: str
    dimensions: tuple[float, ...]


class Compute(NamedTuple):
    """The inertia that the shapes of a link give, or those of all links.

    Attributes:
        link: "" for every link that has shapes.
        open_mesh: what becomes of meshes that are not closed; "" for what the file or its options say.
    """

    link: str = ""
    open_mesh: str = ""


class Mirror(NamedTuple):
    """The inertia of another link, mirrored in a plane through the origin of their model.

    Attributes:
        link: that gets it.
        source: whose it is.
        axis: "x", "y" or "z" of the model, across which the plane stands: y for left and right.
    """

    link: str
    source: str
    axis: str = "y"


Change = (
    SetMass | SetDensity | MoveCentre | SetTensor | TurnAxes | SetMoments | DragFace | ResizeShape | Compute | Mirror
)

# By the names that programs give them.
CHANGES: dict[str, type[Change]] = {
    kind.__name__: kind
    for kind in (
        SetMass,
        SetDensity,
        MoveCentre,
        SetTensor,
        TurnAxes,
        SetMoments,
        DragFace,
        ResizeShape,
        Compute,
        Mirror,
    )
}
