"""One moment lost: left out, or overwritten; the values that the other five leave it, and what stands in for it."""

from __future__ import annotations

from math import acos, cos, pi, sqrt

import numpy as np

from sdfinertia.causes.case import EntryTexts, Interval
from sdfinertia.causes.clues import ENTRIES, Clues
from sdfinertia.causes.components import Array
from sdfinertia.causes.hypothesis import Telling
from sdfinertia.named_tuple import NamedTuple

# What rounding leaves of a discriminant, and of a second moment, in units of the sum of the other two moments.
_ROUNDING, _SLACK = 1e-13, 1e-9


def interval_of(six: Array, entry: int) -> tuple[float, float] | None:
    """The values (kg·m²) of one moment with which the other five make a body; None where there are none.

    With u for the moment, s and d for sum and difference of the other two, the second moments are (u + d)/2, (u - d)/2
    and (s - u)/2 beside products that do not depend on u. Their determinant is a cubic in u that falls from +∞ to -∞,
    and the matrix is positive semidefinite between its two larger roots, if these are real and lie between |d| and s.

    Args:
        six: (6,), of which the entry is not looked at.
        entry: 0, 1 or 2.
    """
    i, j = (k for k in range(3) if k != entry)
    first, second = float(six[i]), float(six[j])
    total, apart = first + second, second - first
    if not total > 0.0:
        return None
    # Products between the two others, and of each with the axis that is lost: as second moments, with the sign turned.
    between, of_first, of_second = (-float(six[2 + a + b]) for a, b in ((i, j), (i, entry), (j, entry)))
    if max(abs(first), abs(second), abs(between), abs(of_first), abs(of_second)) > total:
        # No body has a product above half its larger moments, and cubes of far larger ones leave the range of floats.
        return None
    scale = total
    s, d = 1.0, apart / scale
    q, r, t = (4.0 * (product / scale) ** 2 for product in (between, of_first, of_second))
    mixed = 16.0 * (between / scale) * (of_first / scale) * (of_second / scale)
    # 8 det = (s - u)(u² - d² - q) - (u - d) r - (u + d) t + mixed, as -(u³ + b u² + c u + e).
    b, c, e = -s, r + t - d * d - q, s * (d * d + q) + d * (t - r) - mixed
    roots = _real_roots(b, c, e)
    if roots is None:
        return None
    low, high = roots[1], roots[2]
    middle = 0.5 * (low + high)
    is_inside = abs(d) <= middle + _SLACK and middle <= s + _SLACK and middle * middle - d * d - q >= -_SLACK
    return (max(low, 0.0) * scale, high * scale) if is_inside else None


def _real_roots(b: float, c: float, e: float) -> tuple[float, float, float] | None:
    """The roots of u³ + b u² + c u + e, ascending, where all are real (Viète's cosines)."""
    p, half = c - b * b / 3.0, (2.0 * b**3 / 27.0 - b * c / 3.0 + e) / 2.0
    cube = -p / 3.0
    if cube < 0.0 or half * half > cube**3 + _ROUNDING:
        return None
    radius = sqrt(cube)
    angle = acos(max(-1.0, min(1.0, -half / radius**3))) / 3.0 if radius > 0.0 else 0.0
    low, middle, high = sorted(2.0 * radius * cos(angle + k * 2.0 * pi / 3.0) - b / 3.0 for k in range(3))
    return low, middle, high


class StandIn(NamedTuple):
    """What stands in for a lost moment (kg·m²), the interval that is left to it, and where it is from."""

    value: float
    interval: Interval
    source: str

    def telling(self, sentence: str, texts: EntryTexts) -> Telling:
        entry, low, high = self.interval
        left = f"the other five leave {entry} between {low:.4g} and {high:.4g}"
        is_free = self.source == "interval"
        return Telling(
            sentence,
            (left if is_free else f"{left}, and the {self.source} says where",),
            texts=texts._replace(**{entry: ""}),
            interval=self.interval,
            source="digits" if is_free else self.source,
        )


def stand_in(clues: Clues, six: Array, entry: int) -> StandIn | None:
    limits = interval_of(six, entry)
    if limits is None:
        return None
    low, high = limits
    interval = Interval(ENTRIES[entry], low, high)
    for relative in clues.related:
        value = float(clues.block_of(relative)[entry])
        if low <= value <= high:
            return StandIn(value, interval, relative.relation.value)
    if clues.bodies and clues.mass > 0.0:
        i, j = (k for k in range(3) if k != entry)
        # Of the body whose other five entries are nearest, in proportion to the other two moments.
        apart = np.abs(clues.from_bodies - six)
        apart[:, entry] = 0.0
        body = clues.from_bodies[int((apart.max(1) / clues.from_bodies[:, :3].max(1)).argmin())].tolist()
        value = body[entry] * sqrt(max(float(six[i]) * float(six[j]), 0.0) / (body[i] * body[j]))
        if low < value < high:
            return StandIn(value, interval, "geometry")
    return StandIn(0.5 * (low + high), interval, "interval")


def whole_stand_in(clues: Clues) -> tuple[Array, str, str] | None:
    """What replaces a tensor of which nothing is left: its entries (kg·m², axes written), their source, and its name.

    A twin's, else a sibling's, else that of the geometry at the mass written; None where there is none of these.
    """
    for relative in clues.related:
        if not clues.has_numbers_of(relative) and clues.can_stand_in(relative):
            return clues.block_of(relative), relative.relation.value, relative.name
    if clues.from_geometry is not None and clues.best_body is not None:
        return clues.from_geometry, "geometry", ""
    return None
