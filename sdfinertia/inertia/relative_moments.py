"""How one inertia tensor compares with another in every direction at once."""

from __future__ import annotations

from math import sqrt

from sdfinertia.errors import InertiaError
from sdfinertia.inertia.principal_axes import principal_axes, principal_moments
from sdfinertia.inertia.rigid_transform import Vector3
from sdfinertia.inertia.spatial_inertia import InertiaTensor


def relative_moments(tensor: InertiaTensor, reference: InertiaTensor) -> Vector3:
    """The generalized eigenvalues λ of J x = λ G x, ascending: 1 1 1 where the two are the same.

    No direction has a moment of J below the least, or above the largest, of them times that of G, so that exchanged
    axes show in them as well as a wrong size.

    Args:
        tensor: J (kg·m²); it may be impossible.
        reference: G, in the same axes.

    Raises:
        InertiaError: the reference is not positive definite.
    """
    moments, R_AP = principal_axes(reference)
    if not min(moments) > 0.0:
        raise InertiaError("a tensor that is not positive definite is no measure of another")
    a, b, c, d, e, f, g, h, i = R_AP
    x, y, z = (1.0 / sqrt(moment) for moment in moments)
    xx, yy, zz, xy, xz, yz = tensor.rotated((a, d, g, b, e, h, c, f, i))
    return principal_moments(InertiaTensor(xx * x * x, yy * y * y, zz * z * z, xy * x * y, xz * x * z, yz * y * z))
