"""Numbers that are not the link's own: made up, copied, of another shape; and right ones beside a wrong geometry."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import exp, floor, inf, log, log10, sqrt

import numpy as np

from sdfinertia.causes.case import is_same
from sdfinertia.causes.clues import ELSEWHERE, Candidates, Clues, Telling, contradiction, entries, lost, row, said
from sdfinertia.inertia.tensor_arrays import AXES_OF_PRODUCTS, Array, are_bodies
from sdfinertia.robot import COLLISION, VISUAL

# Made up --------------------------------------------------------------------------------------------------------------

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


# Copies ---------------------------------------------------------------------------------------------------------------

_OTHER_MASS = -1.0  # the mass is another
_NO_BODY = -6.0  # the numbers are invalid, as the original's are
# Blocks that dozens of models have from the robot that they were written for, by the digits of their moments.
_OF_OTHER_ROBOTS = {
    ("975", "166704", "167604"): "the propeller of the Iris quadrotor",
    ("975", "273104", "274004"): "the propeller of the Typhoon multicopter",
    ("197563", "1458929", "1477"): "the body of the PX4 plane",
    ("1152", "1152", "218"): "the body of the Hector quadrotor",
}


def copied_link(clues: Clues) -> Candidates | None:
    # |ln λ| against the geometry from which a block cannot be the link's own.
    if contradiction(clues) < 1.0 or not any(clues.tensor) or not clues.case.written.is_fingerprint:
        return None
    found = list[tuple[float, str, bool]]()
    for one in clues.others:
        if one.is_twin or one.verbatim.tensor != clues.tensor or one.has_same_geometry is not False:
            continue
        same_mass = is_same(one.verbatim.mass, clues.mass)
        proved = one.is_near_geometry is True
        # Where no link is near its own geometry, none is known as the original; nor does a copy explain invalid ones.
        unproved = (-2.0 if one.is_near_geometry is False else 0.0) + (0.0 if clues.is_body else _NO_BODY)
        worth = (6.0 if proved else unproved) + (0.0 if same_mass else _OTHER_MASS) + 0.5 * len(found)
        six = "six numbers and mass" if same_mass else "six numbers"
        found.append((worth, f"the {six} are those of {one.name} to the last digit, but the geometry differs", proved))
    if not found:
        return None
    worth, sentence, decisive = max(found)
    return lost(clues, sentence, 6.5 + worth, decisive=decisive)


def copied_from_other_robot(clues: Clues) -> Candidates | None:
    whose = _OF_OTHER_ROBOTS.get(clues.significant[:3])  # type: ignore[arg-type]
    if whose is None or any(clues.tensor[3:]) or contradiction(clues) < 1.0:
        return None
    sentence = f"the digits of {row(clues.six)} are those of {whose}, which many models have, and this link is another"
    return lost(clues, sentence, 8.0, decisive=False)


# Another shape in the digits ------------------------------------------------------------------------------------------

# Digits gained from which a formula is no chance, those that count of one moment, the worth of each (ln 10), and the
# weight of the shapes and roundings that are tried.
_TELLING, _MAX_DIGITS, _DIGIT, _MAX_WORTH = 2.0, 7, 2.3, 11.0
_EXACT = 3e-7  # part of a moment that more digits than seven may be off by
_PROPORTIONAL = 0.02  # part that moments of the geometry's proportions are off
# ln of a moment's ratio to the geometry's: of its size, and of lengths in millimetres, of the numbers or of the mesh.
_OWN, _MILLIMETRES = log(3.0), np.array([0.0, 6.0, -6.0]) * log(10.0)
# Moments of 1 kg by the squares of up to three dimensions, in rows, and their inverses.
_FORMULAS: tuple[tuple[str, Array], ...] = (
    ("box", (1.0 - np.eye(3)) / 12.0),
    ("ball", np.full((3, 1), 0.4)),
    *(("cylinder", np.column_stack((0.25 + 0.25 * along, (1.0 - along) / 12.0))) for along in np.eye(3)),
)
_SHAPES = [(name, each.tolist(), np.linalg.pinv(each).tolist()) for name, each in _FORMULAS]


def _times(rows: Sequence[Sequence[float]], values: Iterable[float]) -> list[float]:
    given = list(values)
    return [sum(a * b for a, b in zip(row, given, strict=True)) for row in rows]


def another_size(clues: Clues) -> Candidates | None:
    fit = _best_fit(clues) if contradiction(clues) >= 0.3 or clues.is_about_centre else None
    if fit is None or (clues.bodies and _is_own_shape(clues)):
        return None
    name, gain = fit
    drawn = f", and what is drawn is {' × '.join(map(said, clues.case.box.sizes))} m" if clues.case.box else ""
    sentence = f"at {said(clues.mass)} kg the tensor is, to the digits written, {name}{drawn}"
    return lost(clues, sentence, min(_DIGIT * (gain - 1.0), _MAX_WORTH), decisive=False)


def _best_fit(clues: Clues) -> tuple[str, float] | None:
    """The box, cylinder or ball of round size that gains most digits, and its gain; None for none.

    The gain is the number of digits of the moments that the formula gives back, less those of the dimensions. By chance
    one digit in ten comes back.
    """
    moments = clues.tensor[:3]
    digits = float(sum(min(len(each), _MAX_DIGITS) for each in {*clues.significant[:3]}))  # equal moments count once
    if not clues.mass > 0.0 or not min(moments) > 0.0 or digits <= _TELLING:
        return None
    if max(map(abs, clues.tensor[3:])) > 1e-6 * clues.largest:
        return None
    parts = [moment / clues.mass for moment in moments]
    last = [10.0**each.last_place if each is not None else 0.0 for each in clues.numerals[:3]]
    units = [max(min(unit, 0.02 * each), _EXACT * each) / clues.mass for unit, each in zip(last, moments, strict=True)]
    best: tuple[float, str, list[float]] | None = None
    for name, matrix, inverse in _SHAPES:
        squares = _times(inverse, parts)
        again = zip(_times(matrix, squares), parts, strict=True)
        if min(squares) <= 0.0 or max(abs(a - b) for a, b in again) > 1e-2 * max(parts):
            continue
        for count in range(4):
            dims = [float(f"{sqrt(square):.{count}e}") for square in squares]
            again = zip(_times(matrix, (each * each for each in dims)), parts, strict=True)
            if all(abs(a - b) <= unit for (a, b), unit in zip(again, units, strict=True)):
                written = {f"{value:.6e}".partition("e")[0].replace(".", "").rstrip("0") for value in dims}
                gain = digits - sum(map(len, written))
                if gain >= _TELLING and (best is None or gain > best[0]):
                    best = gain, name, dims
                break
    if best is None:
        return None
    gain, shape, dims = best
    if shape == "box":
        return f"a box of {' × '.join(map(said, dims))} m", gain
    length = f" and length {said(dims[1])} m" if shape == "cylinder" else ""
    return f"a {shape} of radius {said(dims[0])} m{length}", gain


def _is_own_shape(clues: Clues) -> bool:
    own = np.concatenate((clues.from_bodies, clues.mass * clues.tensors_of_bodies))
    logs = np.log(np.sort(clues.six[:3]) / np.sort(own[:, :3]))
    nearest = np.abs(logs[:, None] - _MILLIMETRES[:, None]).max(2).min()
    return bool((nearest < _OWN and not clues.is_all_one) or np.ptp(logs, axis=1).min() < _PROPORTIONAL)


def thin_rod(clues: Clues) -> Candidates | None:
    """Two equal moments, and a third that is next to nothing where the geometry has one."""
    low, middle, high = sorted(range(3), key=lambda k: clues.six[k])
    least, moment, digits = clues.tensor[low], clues.tensor[high], clues.significant
    if not clues.mass > 0.0 or any(clues.tensor[3:]) or not 0.0 < least < _THIN * clues.tensor[middle]:
        return None
    if clues.tensor[middle] < (1.0 - _THIN) * moment or not clues.bodies or digits[low] == digits[middle]:
        return None
    if float(clues.from_bodies[:, :3].min()) < _THICKER * least:
        return None
    length = said(sqrt(12.0 * moment / clues.mass))
    what = f"the tensor is m L²/12 of a rod of {length} m, with next to nothing about its axis ({least:g})"
    return lost(clues, what, _OF_ROD, decisive=False)


_THIN, _THICKER, _OF_ROD = 0.01, 5.0, 8.0

# No mistake in the numbers --------------------------------------------------------------------------------------------

_AGREES, _DIFFERS = 0.1, 0.8  # |ln λ| within which a tensor is that of the visual, and not that of the collision
_MEASURED, _STAND_IN = 4, log(8.0)  # digits of the shortest moment of a measured tensor; |ln λ| off a stand-in
_EQUAL = 1e-4  # part that an entry with four digits is off


def geometry_is_bogus(clues: Clues) -> Candidates | None:
    """Numbers that agree with the visuals and not with the collisions, or measured numbers beside a few boxes."""
    if not clues.is_body or not clues.bodies or clues.is_about_centre:
        return None
    kinds = [[k for k, body in enumerate(clues.bodies) if body.kind is kind] for kind in (VISUAL, COLLISION)]
    near_visual, near_collision = (float(clues.written_distances[of].min(initial=np.inf)) for of in kinds)
    is_simple = clues.solid is not None and not clues.solid.faces
    if near_visual < _AGREES and near_collision > _DIFFERS:
        within = f"within {100 * (exp(near_visual) - 1):.2g} %"
        what = f"the tensor agrees with the visual geometry {within}, and not with the collisions"
        bonus = 6.0 + log(_AGREES / max(near_visual, 0.01))
    elif is_simple and _is_measured(clues) and min(near_collision, near_visual) < _STAND_IN:
        # Who wrote an entry of many digits that is the shape's had that shape.
        equal = np.abs(clues.from_bodies - clues.six) <= _EQUAL * np.abs(clues.six)
        if (equal & np.array([len(digits) >= _MEASURED for digits in clues.significant])).any():
            return None
        what = "the tensor was measured, to the last digit, and the shapes are simple ones that stand in for the part"
        bonus = -4.0
    else:
        return None
    telling = Telling(f"{what}: these are wrong, and the numbers are right", source=ELSEWHERE)
    return Candidates(clues.six[None], telling, bonus, is_lost=True, is_certifiable=False, is_fixed=False)


def _is_measured(clues: Clues) -> bool:
    digits = [len(each) for each in clues.significant[:3]]
    is_round = len({*clues.tensor[:3]}) < 3 and max(digits) > _MEASURED
    return (bool(clues.products) or is_round) and min(digits) >= _MEASURED


def parts_summed(clues: Clues) -> Candidates | None:
    """A centre that is the mesh's beside a tensor that is too small about every axis, by no one factor."""
    geometry = clues.from_geometry
    if geometry is None or not (clues.is_body and any(clues.centre) and clues.bodies[0].faces):
        return None
    apart = float(np.abs(clues.centre - clues.bodies[0].inertia.p_BoBcm_B).max())
    if apart > 0.03 * clues.size or not _is_measured(clues):
        return None
    ratios = clues.six[:3] / geometry[:3]
    # The missing part is of masses at a distance: a valid tensor, not in proportion to the whole.
    missing = are_bodies((geometry - clues.six + 0.02 * geometry[:3].max() * np.array([1.0, 1, 1, 0, 0, 0]))[None])[0]
    if not missing or not 0.02 < float(ratios.min()) < 0.6 or np.ptp(ratios) < 0.02:
        return None
    what = "the centre is that of the mesh and every moment is too small: the tensors of the solids of the part were"
    what += f" added without their parallel-axis terms; the whole mesh has {row(geometry)}"
    telling = Telling(what, source="geometry")
    return Candidates(geometry[None], telling, bonus=5.0, is_lost=True, is_certifiable=False, is_fixed=False)
