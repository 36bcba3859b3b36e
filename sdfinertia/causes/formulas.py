"""The formula in the digits: a tensor that is, to the digits written, a box, cylinder, ball or rod of round size.

Each shape is solved for its dimensions, which are rounded. The gain is the number of digits of the moments that the
formula gives back, less those of the dimensions. By chance one digit in ten comes back.
"""

from __future__ import annotations

from itertools import product
from math import log, sqrt
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sdfinertia.causes.candidates import Candidates, contradiction, lost, said
from sdfinertia.causes.copied import is_unit_shape

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sdfinertia.causes.clues import Clues
    from sdfinertia.inertia.tensor_arrays import Array

# Digits gained from which a formula is no chance, those that count of one moment, and the worth of each (ln 10).
_TELLING, _MAX_DIGITS, _DIGIT = 2.0, 7, 2.3
_MAX_WORTH = 11.0
_FEW, _MADE_UP = 4, 4.0  # digits of two equal computed moments, and the worth of a third beside them
# Of a moment: what more digits than that may be off by; of the least: a moment that stands for none; of a length.
_EXACT, _NONE, _SAME, _SLIP = 3e-7, 1e-2, 0.02, 2e-3
# ln of a moment's ratio to the geometry's: of its size, and of lengths in millimetres, of the numbers or of the mesh.
_OWN, _MILLIMETRES = log(3.0), np.array([0.0, 6.0, -6.0]) * log(10.0)
# Of a moment: what a formula with products may be off by, and its worth: three numbers that nothing was fitted to.
_OF_PRODUCTS, _BY_PRODUCTS = 1e-3, 9.0
# Coordinates below this part of the size are rounding noise.
_ROUNDING = 1e-9
_PLACES = np.array([place for place in product((0.0, 1.0), repeat=3) if any(place)])
_PLACE_NAMES = {1: "the middle of a face", 2: "the middle of an edge", 3: "a corner"}


class _Shape(NamedTuple):
    """Moments of 1 kg by the squares of k dimensions: (3, k); the axis is that of a cylinder."""

    name: str
    axis: int
    matrix: Array


def _shapes() -> Iterator[_Shape]:
    yield _Shape("box", -1, (1.0 - np.eye(3)) / 12.0)
    yield _Shape("ball", -1, np.full((3, 1), 0.4))
    for axis, along in enumerate(np.eye(3)):
        yield _Shape("cylinder", axis, np.column_stack((0.25 + 0.25 * along, (1.0 - along) / 12.0)))


_SHAPES = tuple((shape, np.linalg.pinv(shape.matrix)) for shape in _shapes())


class Fit(NamedTuple):
    name: str
    gain: float
    sizes: Array


def best_fit(clues: Clues, six: Array | None = None, *, without: int = -1) -> Fit | None:
    """The shape that gains most, of the tensor as written or of others as exact; None where none gains enough.

    Args:
        without: a moment whose digits do not count.
    """
    six = clues.six if six is None else six
    moments = six[:3]
    largest = float(moments.max())
    if not clues.mass > 0.0 or not moments.min() > 0.0 or np.abs(six[3:]).max() > 1e-6 * largest:
        return None
    digits, units = _digits(clues, without)
    best: Fit | None = None
    for shape, inverse in _SHAPES if digits > _TELLING else ():
        squares = inverse @ moments / clues.mass
        if squares.min() <= 0.0:
            continue
        if np.abs(clues.mass * (shape.matrix @ squares) - moments).max() > 1e-2 * largest:
            continue
        for count in range(4):
            dims = [float(f"{sqrt(square):.{count}e}") for square in squares.tolist()]
            if (np.abs(clues.mass * (shape.matrix @ np.square(dims)) - moments) <= units).all():
                gain = digits - sum(_count(value) for value in set(dims))
                if gain >= _TELLING and (best is None or gain > best.gain):
                    best = _fit(shape, gain, dims)
                break
    return best


def _fit(shape: _Shape, gain: float, dims: list[float]) -> Fit:
    sizes, name = dims, f"a box of {' × '.join(map(said, dims))} m"
    if shape.name != "box":
        sizes, name = [2.0 * dims[0]] * 3, f"a {shape.name} of radius {said(dims[0])} m"
    if shape.name == "cylinder":
        sizes[shape.axis], name = dims[1], f"{name} and length {said(dims[1])} m"
    return Fit(name, gain, np.array(sizes))


def _digits(clues: Clues, without: int) -> tuple[float, Array]:
    """How many digits the three moments have, equal ones once, and the rounding of each (kg·m²)."""
    counts = {digits: min(len(digits), _MAX_DIGITS) for k, digits in enumerate(clues.significant[:3]) if k != without}
    moments = np.abs(clues.six[:3])
    last = [10.0**numeral.last_place if numeral is not None else 0.0 for numeral in clues.numerals[:3]]
    return float(sum(counts.values())), np.maximum(np.minimum(last, 0.02 * moments), _EXACT * moments)


def _count(value: float) -> int:
    return len(f"{value:.6e}".partition("e")[0].replace(".", "").rstrip("0"))


def worth_of_digits(gain: float) -> float:
    """The weight of gained digits, less the shapes and roundings that were tried."""
    return min(_DIGIT * (gain - 1.0), _MAX_WORTH)


def another_size(clues: Clues) -> Candidates | None:
    fit = best_fit(clues)
    if fit is None or is_unit_shape(clues) or (contradiction(clues) < 0.3 and not clues.is_about_centre):
        return None
    if clues.bodies and _is_own_shape(clues):
        return None
    if clues.is_about_centre and any(clues.centre) and not stands_on_origin(clues, fit):
        return None
    drawn = f", and what is drawn is {' × '.join(map(said, clues.case.box.sizes))} m" if clues.case.box else ""
    sentence = f"at {said(clues.mass)} kg the tensor is, to the digits written, {fit.name}{drawn}"
    return lost(clues, sentence, worth_of_digits(fit.gain), decisive=False)


def stands_on_origin(clues: Clues, fit: Fit) -> bool:
    """Whether the centre is half a size from the origin, as for a shape whose face is at the origin of the link."""
    half = 0.5 * fit.sizes
    return bool((np.abs(np.abs(clues.centre) - half) <= 1e-6 * half).any())


def _is_own_shape(clues: Clues) -> bool:
    own = np.concatenate((clues.from_bodies, clues.mass * clues.tensors_of_bodies))
    logs = np.log(np.sort(clues.six[:3]) / np.sort(own[:, :3]))
    nearest = np.abs(logs[:, None] - _MILLIMETRES[:, None]).max(2).min()
    return bool((nearest < _OWN and not clues.is_all_one) or np.ptp(logs, axis=1).min() < _SAME)
