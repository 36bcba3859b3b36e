"""The valid tensor nearest to an invalid one, with the same axes; and the range of one moment, given the others."""

from __future__ import annotations

from math import hypot, inf, isfinite, nan, sqrt
from typing import NamedTuple

from sdfinertia.errors import InertiaError
from sdfinertia.inertia import InertiaTensor
from sdfinertia.inertia.inertial_text import is_accepted_by_libsdformat
from sdfinertia.inertia.principal_axes import principal_axes, principal_moments
from sdfinertia.inertia.rigid_transform import Vector3

# Part of the trace inside the faces: libsdformat's closed form parts equal moments by up to 1e-7, Drake allows less.
MARGIN = 1e-6
# Rounding noise of a discriminant, and of a second moment, in units of the sum of the other two moments.
_ROUNDING, _SLACK = 1e-13, 1e-9


class NearestTensor(NamedTuple):
    tensor: InertiaTensor
    before: Vector3  # the principal moments, ascending (kg·m²)
    after: Vector3
    moved: float  # the Frobenius norm of the difference (kg·m²)

    @property
    def share(self) -> float:
        return self.moved / sqrt(sum(moment * moment for moment in self.before)) if self.moved else 0.0


def nearest_valid_tensor(mass: float, tensor: InertiaTensor) -> NearestTensor:
    """The nearest tensor, by least squares, that a body of this mass with these principal axes can have.

    One that libsdformat accepts is its own nearest; others end `MARGIN` inside the cone of valid moments, so that the
    result is too. An InertiaError where none is near.
    """
    if not (mass > 0.0 and all(map(isfinite, (mass, *tensor)))):
        raise InertiaError(f"the tensor at a mass of {mass:g} kg has no nearest physically valid one")
    before = principal_moments(tensor)
    if is_accepted_by_libsdformat(mass, tensor):
        return NearestTensor(tensor, before, before, 0.0)
    axes = principal_axes(tensor)
    order = sorted(range(3), key=lambda index: axes.moments[index])
    low, middle, high = (axes.moments[index] for index in order)
    nearest = nearest_moments((low, middle, high))
    if nearest is None:
        shown = " ".join(f"{moment:.6g}" for moment in before)
        raise InertiaError(
            f"no physically valid tensor is near the principal moments {shown}",
            remedy="compute the tensor from the geometry",
        )
    steps = [0.0, 0.0, 0.0]
    for index, old, new in zip(order, (low, middle, high), nearest, strict=True):
        steps[index] = new - old
    # I + R diag(steps) Rᵀ: unmoved entries keep their digits.
    added = InertiaTensor(*steps).rotated(axes.rotation)
    moved = InertiaTensor(*(a + b for a, b in zip(tensor, added, strict=True)))
    if not is_accepted_by_libsdformat(mass, moved):
        raise InertiaError("the tensor is too small or too large for libsdformat to judge")
    return NearestTensor(moved, before, nearest, hypot(*steps))


def nearest_moments(moments: Vector3) -> Vector3 | None:
    """The point nearest to ascending moments in the cone r ≤ p + q, `MARGIN` inside; None where that is its tip.

    Ascending moments break only one face, so there is one to project on, and one edge where that leads beyond the next.
    """
    p, q, r = moments
    total = p + q + r
    if p + q - r >= MARGIN * total and total > 0.0:
        return moments
    # The normal of the face, inward: (1, 1, -1) less the margin.
    side, top = 1.0 - MARGIN, -1.0 - MARGIN
    outside = (side * (p + q) + top * r) / (2.0 * side * side + top * top)
    a, b, c = p - outside * side, q - outside * side, r - outside * top
    if a + c - b >= MARGIN * (a + b + c) and a + b + c > 0.0:
        return a, b, c
    # Where two faces meet the two large moments are equal, and the margin m leaves the small one: 2m/(1 - m).
    small = 2.0 * MARGIN / (1.0 - MARGIN)
    length = (small * p + q + r) / (small * small + 2.0)
    return (small * length, length, length) if length > 0.0 else None


def relative_moments(tensor: InertiaTensor, reference: InertiaTensor) -> Vector3:
    """The generalized eigenvalues λ of J x = λ G x, ascending: 1 1 1 where J and G are equal.

    They bound the ratio of the moments in every direction. An InertiaError if G is not positive definite.
    """
    moments, R_AP = principal_axes(reference)
    if not min(moments) > 0.0:
        raise InertiaError("the reference tensor is not positive definite")
    a, b, c, d, e, f, g, h, i = R_AP
    x, y, z = (1.0 / sqrt(moment) for moment in moments)
    xx, yy, zz, xy, xz, yz = tensor.rotated((a, d, g, b, e, h, c, f, i))
    return principal_moments(InertiaTensor(xx * x * x, yy * y * y, zz * z * z, xy * x * y, xz * x * z, yz * y * z))


def largest_factor(tensor: InertiaTensor, reference: InertiaTensor) -> float:
    """The largest factor between moments about any axis; NaN where the reference is not positive definite."""
    try:
        low, _, high = relative_moments(tensor, reference)
    except InertiaError:
        return nan
    return max(high, 1.0 / low if low > 0.0 else inf)
