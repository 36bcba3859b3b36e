"""The formula in the digits: a tensor that is, to the digits written, a box, cylinder, ball or rod of round size.

Each shape is solved for its dimensions, these are rounded, and what is gained is counted in digits: those of the
moments that the formula gives back, less those of the dimensions that went into it. Chance gives back one in ten.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from math import log, sqrt

import numpy as np

from sdfinertia.causes.clues import Clues
from sdfinertia.causes.copies import contradiction, is_unit_shape, lost
from sdfinertia.causes.hypothesis import Candidates, Group, Hypothesis
from sdfinertia.causes.sixes import Array
from sdfinertia.causes.wording import said
from sdfinertia.named_tuple import NamedTuple

Moments = tuple[float, float, float]
# Digits gained from which a formula is no chance, those that count of one moment, and the worth of each (ln 10).
_TELLING, _MOST_DIGITS, _DIGIT = 2.0, 7, 2.3
_MOST_WORTH = 11.0
# Of a moment: what more digits than that may be off by; of the least: a moment that stands for none; of a length.
_EXACT, _NONE, _SAME = 3e-7, 1e-2, 0.02
# ln of a moment's ratio to the geometry's: of its size, and of lengths in millimetres, of the numbers or of the mesh.
_OWN, _MILLIMETRES = log(3.0), np.array([0.0, 6.0, -6.0]) * log(10.0)
_AXES = ((0, 1, 2), (1, 2, 0), (2, 0, 1))


class Fit(NamedTuple):
    """A shape whose formula gives the moments."""

    name: str
    gain: float
    sizes: Moments


def _box_moments(dims: tuple[float, ...], twelfth: float = 12.0) -> Moments:
    x, y, z = (d * d / twelfth for d in dims)
    return (y + z, x + z, x + y)


def _cylinder_moments(axis: int, dims: tuple[float, ...]) -> Moments:
    radius, height = dims
    found = [radius * radius / 4.0 + height * height / 12.0] * 3
    found[axis] = radius * radius / 2.0
    return (found[0], found[1], found[2])


def _solutions(unit: Moments) -> Iterator[tuple[str, tuple[float, ...], Callable[..., Moments], int]]:
    """Shapes with their dimensions, what gives their moments back at 1 kg, and the axis of a cylinder."""
    squares = [6.0 * (unit[b] + unit[c] - unit[a]) for a, b, c in _AXES]
    if min(squares) > 0.0:
        yield "box", tuple(map(sqrt, squares)), _box_moments, -1
    for axis in range(3):
        along, across = unit[axis], unit[axis - 1]
        if 0.0 < along < 2.0 * across and abs(across - unit[axis - 2]) < 1e-2 * across:
            dims = (sqrt(2.0 * along), sqrt(12.0 * (across - 0.5 * along)))
            yield "cylinder", dims, partial(_cylinder_moments, axis), axis
    if max(unit) - min(unit) < 1e-2 * max(unit):
        yield "ball", (sqrt(2.5 * unit[0]),), lambda dims: (0.4 * dims[0] ** 2,) * 3, -1


def best_fit(clues: Clues, six: Array | None = None) -> Fit | None:
    """The shape that gains most, of the six as written or of others as exact; None where none gains enough."""
    moments = tuple(float(value) for value in (clues.six if six is None else six)[:3])
    products = clues.six[3:] if six is None else six[3:]
    if not clues.mass > 0.0 or not min(moments) > 0.0 or np.abs(products).max() > 1e-6 * max(moments):
        return None
    digits, units = _digits(clues)
    if digits < _TELLING + 1:
        return None
    x, y, z = (value / clues.mass for value in moments)
    best: Fit | None = None
    for name, dims, back, axis in _solutions((x, y, z)):
        for count in range(1, 5):
            rounded = tuple(float(f"{value:.{count - 1}e}") for value in dims)
            given = back(rounded)
            if all(abs(clues.mass * new - old) <= unit for new, old, unit in zip(given, moments, units, strict=True)):
                gain = digits - sum(_count(value) for value in set(rounded))
                if gain >= _TELLING and (best is None or gain > best.gain):
                    best = Fit(_named(name, rounded), gain, _sizes(rounded, axis))
                break
    return best


def _digits(clues: Clues) -> tuple[float, Moments]:
    """How many digits the three moments have, equal ones once, and what each may be off by (kg·m²)."""
    counts, units = {}, []
    for k, numeral in enumerate(clues.numerals[:3]):
        digits = clues.significant[k]
        counts[digits] = min(len(digits), _MOST_DIGITS)
        last = 10.0**numeral.last_place if numeral is not None else 0.0
        units.append(max(min(last, 0.02 * abs(clues.tensor[k])), _EXACT * abs(clues.tensor[k])))
    return float(sum(counts.values())), (units[0], units[1], units[2])


def _count(value: float) -> int:
    return len(f"{value:.6e}".partition("e")[0].replace(".", "").rstrip("0"))


def _named(name: str, dims: tuple[float, ...]) -> str:
    if name == "box":
        return f"a box of {' × '.join(map(said, dims))} m"
    if name == "ball":
        return f"a ball of radius {said(dims[0])} m"
    return f"a cylinder of radius {said(dims[0])} m and length {said(dims[1])} m"


def _sizes(dims: tuple[float, ...], axis: int) -> Moments:
    if len(dims) == 3:
        return (dims[0], dims[1], dims[2])
    found = [2.0 * dims[0]] * 3
    if axis >= 0:
        found[axis] = dims[1]
    return (found[0], found[1], found[2])


def worth(gain: float) -> float:
    """What digits gained are worth, less the shapes and roundings that were tried."""
    return min(_DIGIT * (gain - 1.0), _MOST_WORTH)


def _another_size(clues: Clues) -> Candidates | None:
    fit = best_fit(clues)
    if fit is None or is_unit_shape(clues) or (contradiction(clues) < 0.3 and not clues.is_about_centre):
        return None
    if clues.bodies and _is_own_shape(clues):
        return None
    if clues.is_about_centre and any(clues.centre) and not _is_its_place(clues, fit):
        return None
    drawn = f", and what is drawn is {' × '.join(map(said, clues.case.box.sizes))} m" if clues.case.box else ""
    return lost(
        clues,
        f"at {said(clues.mass)} kg the six are, to the digits written, {fit.name}{drawn}",
        worth(fit.gain),
        decisive=False,
    )


def _is_own_shape(clues: Clues) -> bool:
    """Whether it is the link's shape or size in other axes, at another mass, or in or beside millimetres."""
    own = np.concatenate((clues.from_bodies, clues.mass * clues.tensors_of_bodies))
    logs = np.log(np.sort(clues.six[:3]) / np.sort(own[:, :3]))
    nearest = np.abs(logs[:, None] - _MILLIMETRES[:, None]).max(2).min()
    return bool((nearest < _OWN and not clues.is_all_one) or np.ptp(logs, axis=1).min() < _SAME)


def _is_its_place(clues: Clues, fit: Fit) -> bool:
    """Whether a centre is where a shape that stands on its origin has it: half a size away."""
    return any(
        c and abs(abs(c) - 0.5 * size) <= 1e-6 * size for c, size in zip(clues.centre.tolist(), fit.sizes, strict=True)
    )


def _thin_rod(clues: Clues) -> Candidates | None:
    least, *others = sorted(range(3), key=lambda k: clues.tensor[k])
    along, one, other = (clues.tensor[k] for k in (least, *others))
    if not clues.mass > 0.0 or not one > 0.0 or one != other or not 0.0 <= along <= _NONE * one:
        return None
    if len(clues.significant[least]) > 1 or any(clues.tensor[3:]) or contradiction(clues) < 0.3:
        return None
    length = float(f"{sqrt(12.0 * one / clues.mass):.3g}")
    gain = min(len(clues.significant[others[0]]), _MOST_DIGITS) - _count(length)
    if abs(clues.mass * length**2 / 12.0 - one) > _EXACT * one or gain < 1:
        return None
    return lost(
        clues,
        f"the six are m l²/12 of a rod of {said(length)} m along {'xyz'[least]}, and next to nothing about it",
        worth(gain + 2.0),
        decisive=False,
    )


def _without_a_twelfth(clues: Clues) -> Candidates | None:
    box = clues.case.box
    if box is None or not clues.mass > 0.0 or best_fit(clues) is not None or not min(clues.tensor[:3]) > 0.0:
        return None
    own = _box_moments(box.sizes, 1.0)
    if any(abs(clues.mass * new - old) > _SAME * old for new, old in zip(own, clues.tensor[:3], strict=True)):
        return None
    return lost(clues, "the six are m (b² + c²) of the sizes of the box, without the 1/12", worth(5.0), decisive=False)


def _diameter(clues: Clues) -> Candidates | None:
    """2r put for r: four times the moment about the axis of a cylinder, or all of a ball."""
    geometry = clues.from_geometry
    if geometry is None or not clues.is_of_simple_shapes or not min(clues.tensor[:3]) > 0.0:
        return None
    for a, b, c in _AXES:
        radius = geometry[a] * 2.0 / clues.mass
        height = 12.0 * geometry[b] / clues.mass - 3.0 * radius
        wide: Array = clues.mass * np.array([2.0 * radius, radius + height / 12.0, radius + height / 12.0])
        round_one = abs(geometry[b] - geometry[c]) <= _EXACT * geometry[b] and height > 0.0
        is_ball = bool(np.abs(geometry[:3] - geometry[0]).max() <= _EXACT * geometry[0])
        wide = 4.0 * geometry[:3] if is_ball else wide
        if (round_one or is_ball) and np.abs(clues.six[[a, b, c]] - wide).max() <= 2e-3 * wide.max():
            return lost(
                clues, "the six are the formula with the diameter put for the radius", worth(5.0), decisive=False
            )
    return None


HYPOTHESES = (
    Hypothesis("shape-of-another-size", Group.FORMULA, _another_size, prior=-2.5, trust=0.9),
    Hypothesis("thin-rod-formula", Group.FORMULA, _thin_rod, prior=-2.5, trust=0.8),
    Hypothesis("box-formula-without-a-twelfth", Group.FORMULA, _without_a_twelfth, prior=-4.0, trust=0.7),
    Hypothesis("diameter-for-radius", Group.FORMULA, _diameter, prior=-4.0, trust=0.7),
)
