"""Numbers that are not the link's own: never filled in, made up, rounded away, or those of an editor's shape."""

from __future__ import annotations

from dataclasses import replace
from math import floor, inf, log10

import numpy as np

from sdfinertia.causes.clues import Candidates, Clues, contradiction, entries, lost, row, said
from sdfinertia.inertia.tensor_arrays import AXES_OF_PRODUCTS

_NOISE = 1e-9  # kg·m²: numbers that an author had in mind
_SAME = 1e-3  # part by which a moment differs from another at most to be the same
_SHORT = 2  # significant digits of a made-up number
_SHORT_NUMBERS = 3.0
_CONTRADICTED = 0.6  # |ln λ| against the geometry
_STEPS = 0.75  # how many the geometry may be away, which is no more exact than the part is like it


def _natural_moment(clues: Clues) -> float:
    """The moment that a link of this mass would have (kg·m²): of its geometry, else of a twin, else of a usual size."""
    if not clues.mass > 0.0:
        return 0.0
    if clues.bodies:
        return clues.mass * float(clues.tensors_of_bodies[:, :3].mean())
    if clues.related:
        return clues.related[0].block.tensor.trace / 3.0
    gyradius = 0.66 * (clues.mass / 1000.0) ** (1.0 / 3.0)  # of real links, over the edge of a cube of 1000 kg/m³
    return float(2.0 / 3.0 * clues.mass * gyradius**2)


def _rounding(clues: Clues) -> float | None:
    """The step (kg·m²) to which the tensor was rounded until nothing of it was left; None where it was not."""
    if clues.is_all_one and clues.largest:
        return None
    geometry, six = clues.from_geometry, clues.six[:3]
    decimals = {len(text.partition(".")[2]) if "e" not in text.lower() else 0 for text in clues.texts}
    if geometry is not None and len(decimals) == 1 and 3 <= min(decimals) <= 7:
        # What is below the last decimal looks like zero, and the rest is the geometry's.
        step = 10.0 ** -min(decimals)
        is_gone = (six == 0.0) & (geometry[:3] < _STEPS * step)
        is_kept = (six > 0.0) & (np.abs(np.log(np.maximum(six, 1e-99) / geometry[:3])) < _CONTRADICTED)
        if is_gone.any() and (is_gone | is_kept).all():
            return step
    # All entries are small multiples of a power of ten.
    present = [abs(value) for value in clues.tensor if value]
    if not present:
        return None
    step = 10.0 ** floor(log10(min(present)) + 1e-9)
    multiples = [value / step for value in present] if step else [inf]
    if max(multiples) > 9.0 or any(abs(each - round(each)) > 1e-6 for each in multiples):
        return None
    if geometry is not None:
        is_near = bool((np.abs(six - geometry[:3]) <= _STEPS * step).all())
        return step if is_near and float(geometry[:3].min()) < 1.5 * step else None
    # Programs round to three decimals or more (kg·m²).
    natural = _natural_moment(clues)
    return step if step <= 1e-3 and 0.2 * natural < step < 8.0 * natural else None


def _is_nothing(clues: Clues) -> bool:
    # A tensor far below the natural moment of the link is zero.
    return clues.largest <= _NOISE and clues.largest <= max(min(3e-7 * _natural_moment(clues), _NOISE), 1e-36)


def rounded_away(clues: Clues) -> Candidates | None:
    step, geometry = _rounding(clues), clues.from_geometry
    if step is None or (clues.is_body and contradiction(clues) < _CONTRADICTED):
        return None
    evidence = (f"the geometry has {row(geometry)}",) if geometry is not None else ()
    # Programs round to a step of five decimals; authors do not make one up.
    decisive = geometry is not None and step <= 1e-5
    what = f"rounded to {step:g}: nothing is left of the tensor"
    return lost(clues, what, 6.0 if geometry is not None else 3.0, decisive=decisive, evidence=evidence)


def zeros(clues: Clues) -> Candidates | None:
    if not _is_nothing(clues):
        return None
    what = "the tensor is 0" if not any(clues.tensor) else f"the tensor is 0 except for noise ({row(clues.six)})"
    sentence = f"never filled in: {what} at a mass of {said(clues.mass)} kg"
    # Zeros may be a grain whose author left nothing out.
    rounded = _rounding(clues) is not None
    return lost(clues, sentence, 4.0 if rounded else 9.0, decisive=_natural_moment(clues) >= 2e-6 and not rounded)


def zero_moment(clues: Clues) -> Candidates | None:
    size = clues.largest
    zero = [k for k in range(3) if abs(clues.tensor[k]) <= 1e-16 * size]  # rounding noise
    if not zero or _is_nothing(clues) or min(clues.tensor[:3]) < -1e-9 * size:
        return None
    # A product of an axis whose moment is zero is a moment in the wrong slot.
    in_slots = (k for k, axes in enumerate(AXES_OF_PRODUCTS, 3) if set(axes) & set(zero))
    misplaced = any(abs(clues.tensor[k]) > 0.02 * size for k in in_slots)
    short = all(len(digits) <= _SHORT for digits in clues.significant)
    rounded = _rounding(clues) is not None
    made_up = short and not rounded and all(clues.tensor[k] == 0.0 for k in zero)
    worth = (0.0 if rounded else 4.0) + (_SHORT_NUMBERS if made_up else 0.0) - (8.0 if misplaced else 0.0)
    what = f"{entries(zero)} {'is' if len(zero) == 1 else 'are'} 0, physically impossible at {said(clues.mass)} kg"
    return lost(clues, f"only partly filled in: {what}", worth, decisive=made_up and not misplaced)


def _fits(clues: Clues) -> bool:
    return bool(clues.bodies) and contradiction(clues) < _CONTRADICTED


def one_for_all_axes(clues: Clues) -> Candidates | None:
    """A moment about all axes that is not the geometry's, and no power of ten."""
    moment, geometry = clues.tensor.ixx, clues.from_geometry
    if not clues.is_all_one or not moment > 0.0 or any(clues.tensor[3:]) or _is_power(moment) or _fits(clues):
        return None
    is_ball = geometry is not None and np.ptp(geometry[:3]) <= _SAME * geometry[0]
    what = f"one number for a {'ball of another size' if is_ball else 'link that is not a ball'}"
    worth = 3.0 + (_SHORT_NUMBERS if 0 < len(clues.significant[0]) <= _SHORT else 0.0)
    sentence = f"{moment:g} about every axis at {said(clues.mass)} kg is {what}"
    return lost(clues, sentence, 0.0 if is_ball else worth, decisive=False)


def _is_power(moment: float) -> bool:
    return abs(log10(moment) - round(log10(moment))) < 1e-9


def power_of_ten(clues: Clues) -> Candidates | None:
    moment, geometry = clues.tensor.ixx, clues.from_geometry
    if not clues.is_all_one or not moment > 0.0 or not _is_power(moment) or _fits(clues):
        return None
    # Equal products of one digit were made up too.
    is_made_up = len({*clues.tensor[3:]}) == 1 and len(clues.significant[3]) <= 1
    if moment == 1.0 or _is_nothing(clues) or not is_made_up:
        return None
    # Whether the geometry has other proportions at any mass.
    ratios = geometry[:3] / moment if geometry is not None else np.ones(3)
    other = bool(np.abs(ratios / 10.0 ** round(log10(float(ratios[0]))) - 1.0).max() > _SAME)
    what = f"probably a placeholder: {moment:g} about every axis at {said(clues.mass)} kg is a power of ten"
    return lost(clues, what, 9.0, decisive=other)


def unit(clues: Clues) -> Candidates | None:
    # If the rule for unit tensors found it, a 1 is no chance.
    if not clues.is_all_one or clues.tensor.ixx != 1.0 or any(clues.tensor[3:]):
        return None
    if _fits(clues) and "SDI105" not in clues.case.findings:
        return None
    if not any(clues.texts) and clues.case.findings:
        what = f"no tensor is written at {said(clues.mass)} kg, and readers take 1 about every axis"
        return lost(clues, what, 12.0, decisive=False)
    what = f"never filled in: 1 about every axis at {said(clues.mass)} kg is a default"
    return lost(clues, what, 12.0, decisive=True)


def constant_diagonal(clues: Clues) -> Candidates | None:
    moment = clues.tensor.ixx
    if not clues.is_all_one or not moment > 0.0 or contradiction(clues) < _CONTRADICTED:
        return None
    # Products of many digits are measured, and moments of one or two beside them are not.
    if not max(map(len, clues.significant[3:])) > _SHORT >= len(clues.significant[0]) > 0:
        return None
    what = f"ixx, iyy and izz are {moment:g}, one number for all, beside entries that were measured"
    return lost(clues, what, 6.0, decisive=True)


def products_made_up(clues: Clues) -> Candidates | None:
    products = clues.tensor[3:]
    if not products[0] or not products[0] == products[1] == products[2] or len(clues.significant[3]) > 1:
        return None
    sentence = f"probably invented: ixy, ixz and iyz are {products[0]:g}, one number of one digit"
    tensors = clues.six[None] * (1.0, 1.0, 1.0, 0.0, 0.0, 0.0)
    return Candidates(tensors, sentence, _SHORT_NUMBERS, is_certifiable=False)


def round_numbers(clues: Clues) -> Candidates | None:
    if any(clues.tensor[3:]) or not min(clues.tensor[:3]) > 0.0 or clues.is_all_one:
        return None
    if max(map(len, clues.significant[:3])) > 1 or _fits(clues) or _rounding(clues) is not None:
        return None
    worth = 6.0 if clues.is_body else 3.5
    sentence = f"probably invented: {row(clues.six)} at {said(clues.mass)} kg are values of one digit"
    # What is no body was not measured.
    return replace(lost(clues, sentence, worth, decisive=not clues.is_body), is_certifiable=False)
