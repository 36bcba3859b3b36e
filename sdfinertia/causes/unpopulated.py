"""Unpopulated: zeros, ones, powers of ten, one number for all axes, and what was rounded away."""

from __future__ import annotations

from math import floor, log, log10

import numpy as np

from sdfinertia.causes.clues import Clues
from sdfinertia.causes.copies import contradiction, lost
from sdfinertia.causes.hypothesis import Candidates, Telling
from sdfinertia.causes.wording import entries, row, said

# What shows that a tensor was never filled in.
_NOISE = 1e-9  # kg·m²: what somebody wrote who had a number in mind
_SAME = 1e-3  # part by which a moment differs from another at most to be the same
_ZERO_MOMENT = 4.0
_MISPLACED = 0.02  # part of the largest entry that a product beside a zero moment is
_OF_OTHER_SLOT = 8.0
_MOST_STEP = 8.0
_DOUBT = 10.0  # by which the size of a link may be wrong that is guessed
_FINE_STEP = 1e-5  # kg·m²: that a program rounds to, and nobody makes up
_SHORT = 2  # significant digits of a number that was made up
_SHORT_NUMBERS = 3.0
_CONTRADICTED = 0.6  # |ln λ| against the geometry
_UNIT = 12.0
_POWER_OF_TEN = 9.0
_ONE_NUMBER = 3.0
_OF_MANY = 3.0
_SECOND_DIGIT = 2.5
_ITS_OWN, _OF_ITS_OWN = 0.01, 4.0  # a moment that is the geometry's was not made up
_CONSTANT = 6.0  # a diagonal of one number beside products of many digits
_PRODUCTS_AGREE = 0.2
_ROUND_NUMBERS = 6.0
_ROUND_AND_NO_BODY = 3.5
_STEPS = 0.75  # how many the geometry may be away, which is no more exact than the part is like it
_ROUNDED_BODY = 0.6  # |ln λ| from which a rounded body is wrong
_ROUNDED = 3.0

# The rule that finds the unit tensor itself.
_DEFAULT = "SDI105"
# The axes of ixy, ixz and iyz.
_AXES = ((0, 1), (0, 2), (1, 2))


def natural_moment(clues: Clues) -> float:
    """The moment that a link of this mass would have (kg·m²): of its geometry, else of a twin, else of a usual size."""
    if not clues.mass > 0.0:
        return 0.0
    if len(clues.bodies):
        return clues.mass * float(clues.tensors_of_bodies[:, :3].mean())
    if clues.related:
        return clues.related[0].block.tensor.trace / 3.0
    gyradius = 0.66 * (clues.mass / 1000.0) ** (1.0 / 3.0)  # of real links, over the edge of a cube of 1000 kg/m³
    return float(2.0 / 3.0 * clues.mass * gyradius**2)


def step_of(clues: Clues) -> float | None:
    """The power of ten of which all six are small multiples, the largest such (kg·m²); None where there is none."""
    present = [abs(value) for value in clues.tensor if value]
    if not present:
        return None
    step = 10.0 ** floor(log10(min(present)) + 1e-9)
    if not max(present) <= 9.0 * step:  # the largest entry in steps
        return None
    multiples = [value / step for value in present]
    return step if all(abs(multiple - round(multiple)) < 1e-6 for multiple in multiples) else None


def is_rounded_away(clues: Clues) -> bool:
    """Whether the six are what rounding to their step leaves of a tensor like that of the geometry (trap 8)."""
    geometry, everywhere = clues.from_geometry, clues.step
    if everywhere is not None and geometry is not None and not clues.is_all_one:
        # What all tensors of the file are rounded to: what looks like zero is rounded, the rest is the geometry's.
        six, theirs = clues.six[:3], geometry[:3]
        gone = (six == 0.0) & (theirs < _STEPS * everywhere)
        kept = (six > 0.0) & (np.abs(np.log(np.maximum(six, 1e-99) / theirs)) < _ROUNDED_BODY)
        if gone.any() and (gone | kept).all():
            return True
    step = step_of(clues)
    if step is None or (clues.is_all_one and step != everywhere):
        return False
    if geometry is not None:
        near = bool((np.abs(clues.six - geometry)[:3] <= _STEPS * step).all())
        # Steps that the least moment of the geometry has at most.
        return near and float(geometry[:3].min()) < 1.5 * step
    return step <= 1e-3 and _is_of_size(clues, step)  # kg·m²: programs round to three decimals or more


def _is_of_size(clues: Clues, step: float, doubt: float = 1.0) -> bool:
    """Whether a step is one that would round away moments like those of the link, give or take a factor."""
    natural = natural_moment(clues)
    # Of the moment that a link has, of a step that rounds it away.
    return 0.2 * natural < step * doubt and step < _MOST_STEP * natural * doubt


def _is_nothing(clues: Clues) -> bool:
    if clues.largest > _NOISE:
        return False
    # Part of the moment that a link has: below it there is none.
    return clues.largest <= max(min(3e-7 * natural_moment(clues), _NOISE), 1e-36)


def zeros(clues: Clues) -> Candidates | None:
    if not _is_nothing(clues):
        return None
    what = "all six are 0" if not any(clues.tensor) else f"the six are zeros but for noise ({row(clues.six)})"
    # Zeros may be what six decimals leave of a grain: then it is the program that rounded, and nobody left them out.
    natural = natural_moment(clues)
    maybe_rounded = natural < 2e-6  # kg·m²: mean moment below which six decimals may leave zeros
    return lost(
        clues,
        f"{what} at a mass of {said(clues.mass)} kg: the tensor was never filled in",
        9.0,  # nothing else leaves zeros
        decisive=not maybe_rounded,
    )


def zero_moment(clues: Clues) -> Candidates | None:
    size = clues.largest
    # Of the largest entry: what a computation leaves of none.
    zero = [k for k in range(3) if abs(clues.tensor[k]) <= 1e-16 * size]
    if not zero or (len(zero) == 3 and not any(clues.tensor[3:])):
        return None
    if _is_nothing(clues) or min(clues.tensor[:3]) < -1e-9 * size:
        return None
    # A product of an axis about which nothing turns is a moment that stands in its slot.
    misplaced = any(
        abs(clues.tensor[3 + k]) > _MISPLACED * size for k, axes in enumerate(_AXES) if set(axes) & set(zero)
    )
    exact = all(clues.tensor[k] == 0.0 for k in zero)
    short = all(len(numeral.significant) <= _SHORT for numeral in clues.numerals if numeral is not None)
    made_up = exact and short and not is_rounded_away(clues)
    bonus = _ZERO_MOMENT if not is_rounded_away(clues) else 0.0
    bonus += (_SHORT_NUMBERS if made_up else 0.0) - (_OF_OTHER_SLOT if misplaced else 0.0)
    verb = "is" if len(zero) == 1 else "are"
    return lost(
        clues,
        f"{entries(zero)} {verb} 0, which no body of {said(clues.mass)} kg has: the tensor was filled in by halves",
        bonus,
        decisive=made_up and not misplaced and not _is_of_size(clues, step_of(clues) or 1.0, _DOUBT),
    )


def _for_all_axes(clues: Clues) -> float | None:
    xx, yy, zz = clues.tensor[:3]
    return xx if xx > 0.0 and xx == yy == zz else None


def _is_power_of_ten(value: float) -> bool:
    return abs(log10(value) - round(log10(value))) < 1e-9


def unit(clues: Clues) -> Candidates | None:
    if _for_all_axes(clues) != 1.0 or any(clues.tensor[3:]):
        return None
    if _fits(clues) and _DEFAULT not in clues.case.findings:
        return None
    if not any(clues.texts) and clues.case.findings:
        return lost(
            clues,
            f"no tensor is written at {said(clues.mass)} kg, and readers take 1 about every axis",
            _UNIT,
            decisive=False,
        )
    text = f"1 about every axis at {said(clues.mass)} kg is what stands where nobody has filled in a tensor"
    return lost(clues, text, _UNIT + _of_many(clues), decisive=True)


def _fits(clues: Clues) -> bool:
    return bool(clues.bodies) and contradiction(clues) < _CONTRADICTED


def _of_many(clues: Clues) -> float:
    return min(1.2 * log(clues.sharing), _OF_MANY)  # of ln of the links that share a number


def _has_products(clues: Clues) -> bool:
    """Whether there are products that are not made up too: three times one number of one digit."""
    xy, xz, yz = map(abs, clues.tensor[3:])
    # Of the moment: what products beside it are at most that were made up with it.
    made_up = xy == xz == yz and len(clues.significant[3]) <= 1 and xy <= 0.1 * clues.largest
    return not made_up


def power_of_ten(clues: Clues) -> Candidates | None:
    moment = _for_all_axes(clues)
    if moment is None or moment == 1.0 or _has_products(clues) or not _is_power_of_ten(moment) or _is_nothing(clues):
        return None
    if _fits(clues):
        return None
    text = (
        f"{moment:g} about every axis at {said(clues.mass)} kg is a power of ten that somebody wrote to have a number"
    )
    return lost(clues, text, _POWER_OF_TEN + _of_many(clues), decisive=_is_of_no_geometry(clues))


def _is_of_no_geometry(clues: Clues) -> bool:
    """Whether there is a geometry, and one moment about all axes is not its own at a mass a power of ten away."""
    geometry = clues.from_geometry
    if geometry is None:
        return False
    ratios = geometry[:3] / clues.tensor.ixx
    power = 10.0 ** round(log10(float(ratios[0])))
    return bool(np.abs(ratios / power - 1.0).max() > _SAME)


def one_number(clues: Clues) -> Candidates | None:
    moment = _for_all_axes(clues)
    if moment is None or any(clues.tensor[3:]) or _is_power_of_ten(moment) or _fits(clues):
        return None
    numeral = clues.numerals[0]
    short = numeral is not None and len(numeral.significant) <= _SHORT
    text = f"{moment:g} about every axis at {said(clues.mass)} kg is one number for a link that is no ball"
    is_round = clues.from_geometry is not None and np.ptp(clues.from_geometry[:3]) <= _SAME * clues.from_geometry[0]
    bonus = (0.0 if is_round else _ONE_NUMBER + (_SHORT_NUMBERS if short else 0.0)) + _of_many(clues)
    return lost(clues, text, bonus, decisive=False)


def constant_diagonal(clues: Clues) -> Candidates | None:
    moment = _for_all_axes(clues)
    if not any(clues.tensor[3:]):
        return None
    if moment is None:
        return _two_moments(clues)
    products = clues.six[3:]
    # Products of many digits are measured, and a diagonal of one digit beside them is not.
    digits = max(len(numeral.significant) for numeral in clues.numerals[3:] if numeral is not None)
    measured = digits > _SHORT and clues.numerals[0] is not None and len(clues.numerals[0].significant) <= _SHORT
    if not measured or contradiction(clues) < _CONTRADICTED:
        return None
    geometry = clues.from_geometry
    bonus = _CONSTANT
    evidence: tuple[str, ...] = ()
    if geometry is not None:
        far = float(np.abs(products - geometry[3:]).max()) / float(np.abs(products).max())
        if far < _PRODUCTS_AGREE:
            bonus, evidence = (
                bonus + _SHORT_NUMBERS,
                (f"the products are those of the geometry within {100 * far:.2g} %",),
            )
    text = f"ixx, iyy and izz are {moment:g}, one number for all, beside products that were measured"
    return lost(clues, text, bonus, decisive=True, evidence=evidence)


def _two_moments(clues: Clues) -> Candidates | None:
    """Two moments of one short number beside a third, and products, that were measured."""
    lengths = [len(digits) for digits in clues.significant]
    for k in range(3):
        a, b = (j for j in range(3) if j != k)
        same = clues.tensor[a] == clues.tensor[b] > 0.0 and lengths[a] == 1
        if same and min(lengths[k], max(lengths[3:])) > 2 * _SHORT:
            text = f"{entries((a, b))} are {clues.tensor[a]:g}, one number of one digit, beside a moment and products"
            return lost(clues, f"{text} that were measured", _CONSTANT, decisive=False)
    return None


def products_made_up(clues: Clues) -> Candidates | None:
    """Three products of one digit, all one number, beside moments that are the geometry's."""
    products = clues.tensor[3:]
    if not products[0] or not products[0] == products[1] == products[2] or len(clues.significant[3]) > 1:
        return None
    tensors = (clues.six * np.array([1.0, 1.0, 1.0, 0.0, 0.0, 0.0]))[None]

    telling = Telling(f"ixy, ixz and iyz are {products[0]:g}, one number of one digit, which somebody made up")
    return Candidates(tensors, telling, bonus=_SHORT_NUMBERS, is_certifiable=False)


def round_numbers(clues: Clues) -> Candidates | None:
    if any(clues.tensor[3:]) or not min(clues.tensor[:3]) > 0.0 or _for_all_axes(clues) is not None:
        return None
    digits = max(map(len, clues.significant[:3]))
    parts = [clues.tensor[k] / clues.mass for k in range(3)] if clues.mass > 0.0 else []
    of_mass = bool(parts) and all(abs(float(f"{part:.0e}") / part - 1.0) < 1e-9 for part in parts)
    file = clues.case.file
    # Two digits are a rough estimate where all links have no more.
    is_short = digits <= 1 or (digits <= _SHORT and clues.is_body and file is not None and file.is_rough)
    if not is_short and not of_mass:
        return None
    if _fits(clues) or is_rounded_away(clues):
        return None
    what = "the mass times numbers of one digit" if of_mass and digits > 1 else "numbers of one digit or two"
    text = f"{row(clues.six)} at {said(clues.mass)} kg are {what}, that somebody wrote to have some"
    worth = (_ROUND_NUMBERS if clues.is_body else _ROUND_AND_NO_BODY) + _of_many(clues)
    worth -= 0.0 if of_mass or digits == 1 else _SECOND_DIGIT
    if len(clues.bodies) and (np.abs(clues.from_bodies - clues.six)[:, :3] < _ITS_OWN * clues.six[:3]).any():
        worth -= _OF_ITS_OWN
    return lost(clues, text, worth, decisive=False)


def rounded_away(clues: Clues) -> Candidates | None:
    if not is_rounded_away(clues) or (clues.is_body and contradiction(clues) < _ROUNDED_BODY):
        return None
    step = step_of(clues) or clues.step
    assert step is not None
    geometry = clues.from_geometry
    evidence = []
    if geometry is not None:
        evidence.append(f"the geometry has {row(geometry)}")
    like = clues.case.file is not None and clues.step == step
    if like:
        evidence.append("all other entries are multiples of it, too")
    # The geometry rounds to it.
    # Other links have multiples of the same step.
    bonus = _ROUNDED + (1.5 if like else 0.0) + (3.0 if geometry is not None else 0.0)
    return lost(
        clues,
        f"all entries are multiples of {step:g}, to which the tensor was rounded, and with it the body away",
        bonus,
        decisive=geometry is not None and (like or step <= _FINE_STEP),
        evidence=tuple(evidence),
    )
