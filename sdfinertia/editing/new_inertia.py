"""What a change makes of an inertia: other numbers, worked out in plain floats and held to what bodies can have."""

from __future__ import annotations

from math import isfinite

from sdfinertia.editing.changes import DragFace, Solid
from sdfinertia.errors import InertiaError
from sdfinertia.inertia.principal_axes import PrincipalAxes
from sdfinertia.inertia.rigid_transform import Rotation, Vector3, rotate, rotation_from_rpy
from sdfinertia.inertia.solids import equivalent_box, equivalent_ellipsoid, rescaled_to_mass
from sdfinertia.inertia.spatial_inertia import InertiaTensor, SpatialInertia

NOT_JUDGED = "its numbers are too large or too small to be judged in double precision"

# I1 = m/12 (d2² + d3²) of a box of edges d, m/5 (r2² + r3²) of an ellipsoid of radii r.
_PARTS = {Solid.BOX: 12.0, Solid.ELLIPSOID: 5.0}


def why_no_body(body: SpatialInertia) -> str:
    """Why no body can have an inertia; "" where one can."""
    if not body.can_be_judged:
        return NOT_JUDGED
    if body.is_physically_valid():
        return ""
    moments = " ".join(f"{moment:.6g}" for moment in body.principal().moments)
    return f"no body has a mass of {body.mass:.6g} kg and the principal moments {moments} kg·m²"


def with_mass(body: SpatialInertia, mass: float, *, is_linked: bool) -> SpatialInertia:
    """The body with another mass, and its tensor in proportion or as it is.

    Raises:
        InertiaError: a mass is not above zero and finite.
    """
    if is_linked:
        return rescaled_to_mass(body, mass)
    if not (isfinite(mass) and mass > 0.0):
        raise InertiaError(f"a mass must be a number above zero, not {mass:g} kg")
    return SpatialInertia(mass, body.p_BoBcm_B, body.I_BBcm_B)


def with_axes(body: SpatialInertia, rotation: Rotation) -> SpatialInertia:
    """The body turned about its centre until its principal axes are those of the rotation.

    Each axis goes where the axis that is shown under its name was, so that the moments keep their names.
    """
    moments = body.principal().moments
    return SpatialInertia(body.mass, body.p_BoBcm_B, InertiaTensor(*moments).rotated(rotation))


def turned_by(body: SpatialInertia, rpy: Vector3) -> SpatialInertia:
    """The body with principal axes that stand so to those of its frame (rad)."""
    return with_axes(body, rotation_from_rpy(*rpy))


def with_moments(body: SpatialInertia, moments: Vector3) -> SpatialInertia:
    """The body with other principal moments about the same axes (kg·m²)."""
    rotation = body.principal().rotation
    return SpatialInertia(body.mass, body.p_BoBcm_B, InertiaTensor(*moments).rotated(rotation))


def solid_sizes(body: SpatialInertia, solid: Solid) -> tuple[PrincipalAxes, Vector3]:
    """The principal axes of a body, and the full sizes along them of the solid that has its inertia (m).

    Raises:
        InertiaError: no body has its mass and moments.
    """
    axes = body.principal()
    if solid is Solid.BOX:
        return axes, equivalent_box(body.mass, axes.moments)
    x, y, z = equivalent_ellipsoid(body.mass, axes.moments)
    return axes, (2.0 * x, 2.0 * y, 2.0 * z)


def with_face_moved(body: SpatialInertia, drag: DragFace) -> SpatialInertia:
    """The body whose solid of equal inertia has a face, or two opposite ones, moved.

    Raises:
        InertiaError: no body has its inertia, or the solid would have no thickness left.
    """
    if drag.axis not in (0, 1, 2) or drag.side not in (-1, 1) or not isfinite(drag.distance):
        raise InertiaError("a face is named by an axis 0, 1 or 2 and a side 1 or -1, and moves by a finite distance")
    axes, sizes = solid_sizes(body, drag.solid)
    old = sizes[drag.axis]
    new = old + drag.distance * (1.0 if drag.is_alone else 2.0)
    if not new > 0.0:
        raise InertiaError(f"the {drag.solid.value} would be {new:g} m thick")
    mass = body.mass
    if drag.keeps_density:
        if not old > 0.0:
            raise InertiaError(f"a {drag.solid.value} without thickness has no density", remedy="keep the mass")
        mass = body.mass * new / old
    squares = [size * size for size in sizes]
    squares[drag.axis] = new * new
    if drag.solid is Solid.ELLIPSOID:
        squares = [square / 4.0 for square in squares]
    x, y, z = squares
    part = mass / _PARTS[drag.solid]
    moments = InertiaTensor(part * (y + z), part * (x + z), part * (x + y))
    centre = body.p_BoBcm_B
    if drag.is_alone:
        direction = [0.0, 0.0, 0.0]
        direction[drag.axis] = 0.5 * drag.side * drag.distance
        dx, dy, dz = rotate(axes.rotation, (direction[0], direction[1], direction[2]))
        centre = (centre[0] + dx, centre[1] + dy, centre[2] + dz)
    return SpatialInertia(mass, centre, moments.rotated(axes.rotation))


def mirrored(body: SpatialInertia, axis: str) -> SpatialInertia:
    """The mirror image of a body in the plane through its origin that stands across an axis of its frame.

    With the reflection S = diag(±1), the centre p becomes S p and the tensor S I S: products with the axis change sign.

    Raises:
        InertiaError: the axis is none.
    """
    if axis not in ("x", "y", "z"):
        raise InertiaError(f"a mirror stands across x, y or z, not {axis!r}")
    signs = tuple(-1.0 if name == axis else 1.0 for name in "xyz")
    x, y, z = body.p_BoBcm_B
    xx, yy, zz, xy, xz, yz = body.I_BBcm_B
    sx, sy, sz = signs
    # 0.0 is added so that a zero stays a plain one.
    centre = (sx * x + 0.0, sy * y + 0.0, sz * z + 0.0)
    tensor = InertiaTensor(xx, yy, zz, sx * sy * xy + 0.0, sx * sz * xz + 0.0, sy * sz * yz + 0.0)
    return SpatialInertia(body.mass, centre, tensor)
