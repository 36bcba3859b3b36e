"""The rigid motion, reflections allowed, that best lays one set of points on another."""

from __future__ import annotations

from itertools import product
from math import sqrt
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from sdfinertia.inertia.rigid_transform import Rotation, Vector3

Points = npt.NDArray[np.float64]

# Rounding of coordinates by exporters, as a part of the size of the points.
_FITS = 2e-3
# Axes whose variances differ by less than this part of the largest have no direction of their own.
_DISTINCT = 0.01
# Points to match; more add nothing.
_MAX_SOUGHT = 400
# Entries of the matrix this near to 0 or ±1 are meant to be that.
_ALONG = 2e-3


class RigidFit(NamedTuple):
    """A motion p ↦ R p + t.

    Attributes:
        matrix: R, row by row; its determinant is -1 where it mirrors.
        residual: root mean square distance that is left, relative to the size of the points.
    """

    matrix: Rotation
    translation: Vector3
    residual: float


def least_squares_motion(source: Points, target: Points) -> RigidFit:
    """The motion that lays points (n, 3) on others of the same number (m) with the least squared distances.

    S. Umeyama, Least-squares estimation of transformation parameters between two point patterns, 1991, eq. 38 to 42,
    with S = 1 and c = 1: reflections stay.
    """
    a, b = source.mean(axis=0), target.mean(axis=0)
    u, _, vt = np.linalg.svd((target - b).T @ (source - a))
    matrix = u @ vt
    return _fit(matrix, b - matrix @ a, source, target)


def rigid_fits(source: Points, target: Points) -> list[RigidFit]:
    """The motions that lay the corners of one surface (n, 3) on those of another (m, 3), best first; none if they
    differ.

    Sets of one size are tried in their order, others along their principal axes, each either way round.
    """
    if len(source) == len(target):
        ordered = least_squares_motion(source, target)
        if ordered.residual <= _FITS:
            return [_snapped(ordered, source, target)]
    size = _size(target)
    (own, own_axes), (other, other_axes) = _principal(source), _principal(target)
    if not size > 0.0 or np.abs(own - other).max() > _DISTINCT * other.max():
        return []
    if np.diff(other).min() < _DISTINCT * other.max():
        return []
    from scipy.spatial import cKDTree

    tree = cKDTree(target)
    some = source[:: max(1, len(source) // _MAX_SOUGHT)]
    middle, goal = source.mean(axis=0), target.mean(axis=0)
    fits: list[RigidFit] = []
    for signs in product((1.0, -1.0), repeat=3):
        matrix = (other_axes * np.array(signs)) @ own_axes.T
        _, nearest = tree.query((some - middle) @ matrix.T + goal)
        fit = least_squares_motion(some, target[nearest])
        if fit.residual <= _FITS:
            fits.append(_snapped(fit, some, target[nearest]))
    # Of a symmetric part several fit; those nearest to the identity come first.
    return sorted(fits, key=lambda fit: (round(fit.residual, 4), -sum(fit.matrix[::4])))


def _fit(matrix: Points, translation: Points, source: Points, target: Points) -> RigidFit:
    left = source @ matrix.T + translation - target
    size = _size(target)
    residual = sqrt(float((left * left).sum()) / len(left)) / size if size > 0.0 else float("inf")
    a, b, c, d, e, f, g, h, i = matrix.ravel().tolist()
    x, y, z = translation.tolist()
    return RigidFit((a, b, c, d, e, f, g, h, i), (x, y, z), residual)


def _snapped(fit: RigidFit, source: Points, target: Points) -> RigidFit:
    matrix = np.array(fit.matrix).reshape(3, 3)
    rounded = np.round(matrix)
    if np.abs(matrix - rounded).max() > _ALONG or abs(abs(np.linalg.det(rounded)) - 1.0) > _ALONG:
        return fit
    return _fit(rounded + 0.0, target.mean(axis=0) - rounded @ source.mean(axis=0), source, target)


def _principal(points: Points) -> tuple[Points, Points]:
    centred = points - points.mean(axis=0)
    variances, axes = np.linalg.eigh(centred.T @ centred / len(points))
    return variances, axes


def _size(points: Points) -> float:
    centred = points - points.mean(axis=0)
    return sqrt(float((centred * centred).sum()) / len(points))
