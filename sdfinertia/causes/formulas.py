"""The formula in the digits: a tensor that is, to the digits written, a box, cylinder, ball or rod of round size.

Each shape is solved for its dimensions, which are rounded. The gain is the number of digits of the moments that the
formula gives back, less those of the dimensions. By chance one digit in ten comes back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import permutations, product
from math import log, sqrt
from typing import NamedTuple

import numpy as np

from sdfinertia.causes.candidates import Candidates, Telling, contradiction, joined, lost, row, said, said_all
from sdfinertia.causes.clues import Clues
from sdfinertia.causes.copied import is_unit_shape
from sdfinertia.inertia.tensor_arrays import Array, point_masses

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


def thin_rod(clues: Clues) -> Candidates | None:
    least, *others = sorted(range(3), key=lambda k: clues.tensor[k])
    along, one, other = (clues.tensor[k] for k in (least, *others))
    # Of a planar model one moment counts, and the others were left at the 1 that readers assume.
    is_planar = one == other == 1.0 > along > 0.0
    if not clues.mass > 0.0 or not one > 0.0 or one != other or not (is_planar or 0.0 <= along <= _NONE * one):
        return None
    if (len(clues.significant[least]) > 1 and not is_planar) or any(clues.tensor[3:]) or contradiction(clues) < 0.3:
        return None
    if is_planar:
        one, others = along, [least]
    digits = min(len(clues.significant[others[0]]), _MAX_DIGITS)
    for count in range(3):
        length = float(f"{sqrt(12.0 * one / clues.mass):.{count}e}")
        numeral = clues.numerals[others[0]]
        unit = numeral.half_unit if numeral is not None else 0.0
        gain = digits - _count(length)
        if abs(clues.mass * length**2 / 12.0 - one) <= max(_EXACT * one, min(unit, 0.02 * one)) and gain >= 1:
            what = f"along {'xyz'[least]}, and next to nothing about it"
            what = f"about {'xyz'[least]}, and the 1 that readers assume about the others" if is_planar else what
            sentence = f"the tensor is m l²/12 of a rod of {said(length)} m {what}"
            return lost(clues, sentence, worth_of_digits(gain + 2.0), decisive=False)
    # Two equal moments of many digits, and a third that is made up.
    if digits >= _FEW and clues.tensor[least] > 0.0:
        sentence = (
            f"two moments are {said(one)}, and the third is one digit, next to nothing: the formula of a thin rod"
        )
        return lost(clues, sentence, _MADE_UP, decisive=False)
    return None


def _slip(factors: Mapping[str, tuple[float, ...]], sentence: str, clues: Clues) -> Candidates | None:
    """The formula of a shape that the link is drawn with, with values of its dimensions times factors."""
    if not clues.mass > 0.0 or not min(clues.tensor[:3]) > 0.0 or any(clues.tensor[3:]):
        return None
    drawn = [theirs for body, theirs in zip(clues.bodies, clues.from_bodies, strict=True) if not body.faces]
    for shape, inverse in _SHAPES:
        if shape.name not in factors:
            continue
        found = [(np.square(clues.case.box.sizes), _SAME)] if shape.name == "box" and clues.case.box else []
        for moments in (theirs[:3] / clues.mass for theirs in drawn):
            squares = inverse @ moments
            if np.abs(shape.matrix @ squares - moments).max() < _EXACT * moments.max():
                found.append((squares, _SLIP))
        for squares, part in found:
            wrong = clues.mass * (shape.matrix @ (squares * np.square(factors[shape.name])))
            if np.abs(wrong - clues.six[:3]).max() <= part * wrong.max():
                what = f"the tensor is the formula of the {shape.name} {sentence}"
                return lost(clues, what, worth_of_digits(5.0), decisive=False)
    return None


def box_without_a_twelfth(clues: Clues) -> Candidates | None:
    """Also with the products of its sizes: m (s² 1 - s sᵀ)."""
    box = clues.case.box
    if box is not None and clues.mass > 0.0 and any(clues.tensor[3:]):
        wrong = point_masses(clues.mass, np.array(box.sizes))
        if np.abs(wrong - clues.six).max() <= _SLIP * wrong.max():
            sentence = "the tensor is m (s² 1 - s sᵀ) of the sizes of the box, without its 1/12"
            return lost(clues, sentence, worth_of_digits(6.0), decisive=False)
    return _slip({"box": (sqrt(12.0),) * 3}, "without its 1/12", clues)


diameter_for_radius = partial(_slip, {"cylinder": (2.0, 1.0), "ball": (2.0,)}, "with the diameter for the radius")


def about_corner(clues: Clues) -> Candidates | None:
    """The formula of a box about a corner, or the middle of an edge or a face, of its own size or of its products'.

    A centre left at the origin belongs to that corner as well: it moves with the tensor, to where the geometry has it.
    """
    found = _about_corner(clues)
    if found is None or any(clues.centre):
        return found
    if not clues.bodies:
        return replace(found, is_certifiable=False)
    # The first is of an exact mesh where there is one, with which a repair is compared too.
    centres = np.array([clues.bodies[0].inertia.p_BoBcm_B] * len(found.tensors))
    centres[np.abs(centres) < _ROUNDING * clues.size] = 0.0

    def tell(i: int) -> Telling:
        telling = found.telling(i)
        moved = f"; that was left at 0 0 0, not {said_all(centres[i])}" if centres[i].any() else ""
        return telling._replace(sentence=telling.sentence + moved)

    return replace(found, tell=tell, centres=centres)


def _about_corner(clues: Clues) -> Candidates | None:
    by_products = _corner_by_products(clues)
    if clues.case.box is None or not clues.may_be_turned_or_moved or not clues.bodies or clues.bodies[0].faces:
        return by_products
    half = 0.5 * np.array(clues.case.box.sizes) * _PLACES
    terms = clues.mass * point_masses(np.ones(len(half)), half)
    # With its products, and as tables of moments give it, without.
    tensors = clues.six - clues.in_written(np.concatenate((terms, terms * (1.0, 1.0, 1.0, 0.0, 0.0, 0.0))))

    def tell(i: int) -> str:
        where = _PLACE_NAMES[int(_PLACES[i % len(half)].sum())]
        return f"the tensor is about {where} of the box; moved to its centre it is {row(tensors[i])}"

    found = Candidates(tensors, tell, bonus=1.0 - np.log(len(tensors)), is_fixed=False)
    return found if by_products is None else joined(by_products, found)


def _corner_by_products(clues: Clues) -> Candidates | None:
    """The dimensions that products m·a·b/4 give, with the moments m/3 (b² + c²), which may be repeated or exchanged."""
    if len(clues.products) < 3 or not clues.mass > 0.0:
        return None
    xy, xz, yz = np.abs(clues.six[3:]) * 4.0 / clues.mass
    squares = np.array([xy * xz / yz, xy * yz / xz, xz * yz / xy])
    moments = clues.mass / 3.0 * (squares.sum() - squares)
    agree = np.abs(clues.six[:3, None] - moments) <= _OF_PRODUCTS * moments
    if not agree.any(1).all() or agree.any(0).sum() < 2:
        return None
    turned = squares[list(permutations(range(3)))]
    tensors = np.zeros((6, 6))
    tensors[:, :3] = clues.mass / 12.0 * (turned.sum(1, keepdims=True) - turned)
    repeated = "" if agree.any(0).all() else ", of which one is written twice"

    def tell(i: int) -> str:
        sizes = " × ".join(said(float(size)) for size in np.sqrt(turned[i]))
        return (
            f"the tensor is m a b/4 and m/3 (b² + c²){repeated}: a box of {sizes} m about its corner; about its centre "
            f"it has {row(tensors[i])}"
        )

    return Candidates(tensors, tell, bonus=np.full(6, _BY_PRODUCTS - log(6.0)), decisive=True, is_fixed=False)
