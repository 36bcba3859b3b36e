"""Unpopulated: zeros, ones, powers of ten, one number for all axes, and what was rounded away."""

from __future__ import annotations

from math import floor, log, log10

import numpy as np

from sdfinertia.causes.clues import Clues
from sdfinertia.causes.copies import contradiction, lost
from sdfinertia.causes.hypothesis import Candidates, Group, Hypothesis, Telling
from sdfinertia.causes.weights import EMPTY
from sdfinertia.causes.wording import entries, row, said

# The axes of ixy, ixz and iyz.
_AXES = ((0, 1), (0, 2), (1, 2))


def natural_moment(clues: Clues) -> float:
    """The moment that a link of this mass would have (kg·m²): of its geometry, else of a twin, else of a usual size."""
    if not clues.mass > 0.0:
        return 0.0
    if len(clues.bodies):
        return clues.mass * float(clues.tensors_of_bodies[:, :3].mean())
    if clues.kin:
        return clues.kin[0].block.tensor.trace / 3.0
    gyradius = EMPTY.gyradius * (clues.mass / 1000.0) ** (1.0 / 3.0)
    return float(2.0 / 3.0 * clues.mass * gyradius**2)


def step_of(clues: Clues) -> float | None:
    """The power of ten of which all six are small multiples, the largest such (kg·m²); None where there is none."""
    present = [abs(value) for value in clues.tensor if value]
    if not present:
        return None
    step = 10.0 ** floor(log10(min(present)) + 1e-9)
    if not max(present) <= EMPTY.multiples * step:
        return None
    multiples = [value / step for value in present]
    return step if all(abs(multiple - round(multiple)) < 1e-6 for multiple in multiples) else None


def is_rounded_away(clues: Clues) -> bool:
    """Whether the six are what rounding to their step leaves of a tensor like that of the geometry (trap 8)."""
    geometry, everywhere = clues.from_geometry, clues.step
    if everywhere is not None and geometry is not None and not clues.is_all_one:
        # What all tensors of the file are rounded to: what looks like zero is rounded, the rest is the geometry's.
        six, theirs = clues.six[:3], geometry[:3]
        gone = (six == 0.0) & (theirs < EMPTY.steps * everywhere)
        kept = (six > 0.0) & (np.abs(np.log(np.maximum(six, 1e-99) / theirs)) < EMPTY.rounded_body)
        if gone.any() and (gone | kept).all():
            return True
    step = step_of(clues)
    if step is None or (clues.is_all_one and step != everywhere):
        return False
    if geometry is not None:
        near = bool((np.abs(clues.six - geometry)[:3] <= EMPTY.steps * step).all())
        return near and float(geometry[:3].min()) < EMPTY.smallest * step
    return step <= EMPTY.exporters_step and _is_of_size(clues, step)


def _is_of_size(clues: Clues, step: float, doubt: float = 1.0) -> bool:
    """Whether a step is one that would round away moments like those of the link, give or take a factor."""
    natural = natural_moment(clues)
    return EMPTY.least_step * natural < step * doubt and step < EMPTY.most_step * natural * doubt


def _is_nothing(clues: Clues) -> bool:
    """Whether all six are zeros but for what a computation leaves."""
    if clues.largest > EMPTY.noise:
        return False
    return clues.largest <= max(min(EMPTY.nothing * natural_moment(clues), EMPTY.noise), 1e-36)


def _zeros(clues: Clues) -> Candidates | None:
    if not _is_nothing(clues):
        return None
    what = "all six are 0" if not any(clues.tensor) else f"the six are zeros but for noise ({row(clues.six)})"
    # Zeros may be what six decimals leave of a grain: then it is the program that rounded, and nobody left them out.
    natural = natural_moment(clues)
    maybe_rounded = natural < EMPTY.six_decimals
    return lost(
        clues,
        f"{what} at a mass of {said(clues.mass)} kg: the tensor was never filled in",
        EMPTY.zeros,
        decisive=not maybe_rounded,
    )


def _zero_moment(clues: Clues) -> Candidates | None:
    size = clues.largest
    zero = [k for k in range(3) if abs(clues.tensor[k]) <= EMPTY.zero * size]
    if not zero or (len(zero) == 3 and not any(clues.tensor[3:])):
        return None
    if _is_nothing(clues) or min(clues.tensor[:3]) < -1e-9 * size:
        return None
    # A product of an axis about which nothing turns is a moment that stands in its slot.
    misplaced = any(
        abs(clues.tensor[3 + k]) > EMPTY.misplaced * size for k, axes in enumerate(_AXES) if set(axes) & set(zero)
    )
    exact = all(clues.tensor[k] == 0.0 for k in zero)
    short = all(len(numeral.significant) <= EMPTY.short for numeral in clues.numerals if numeral is not None)
    made_up = exact and short and not is_rounded_away(clues)
    bonus = EMPTY.zero_moment if not is_rounded_away(clues) else 0.0
    bonus += (EMPTY.short_numbers if made_up else 0.0) - (EMPTY.of_other_slot if misplaced else 0.0)
    verb = "is" if len(zero) == 1 else "are"
    return lost(
        clues,
        f"{entries(zero)} {verb} 0, which no body of {said(clues.mass)} kg has: the tensor was filled in by halves",
        bonus,
        decisive=made_up and not misplaced and not _is_of_size(clues, step_of(clues) or 1.0, EMPTY.doubt),
    )


def _for_all_axes(clues: Clues) -> float | None:
    """The moment about every axis of a tensor that is one number."""
    xx, yy, zz = clues.tensor[:3]
    return xx if xx > 0.0 and xx == yy == zz else None


def _is_power_of_ten(value: float) -> bool:
    return abs(log10(value) - round(log10(value))) < 1e-9


def _unit(clues: Clues) -> Candidates | None:
    if _for_all_axes(clues) != 1.0 or any(clues.tensor[3:]) or _fits(clues):
        return None
    if not any(clues.texts) and clues.case.findings:
        return lost(
            clues,
            f"no tensor is written at {said(clues.mass)} kg, and readers take 1 about every axis",
            EMPTY.unit,
            decisive=False,
        )
    text = f"1 about every axis at {said(clues.mass)} kg is what stands where nobody has filled in a tensor"
    return lost(clues, text, EMPTY.unit + _of_many(clues), decisive=True)


def _fits(clues: Clues) -> bool:
    """Whether there is a geometry, and the tensor is like it."""
    return bool(clues.bodies) and contradiction(clues) < EMPTY.contradicted


def _of_many(clues: Clues) -> float:
    """What it adds that several links of the file have the same number."""
    return min(EMPTY.of_each * log(clues.sharing), EMPTY.of_many)


def _power_of_ten(clues: Clues) -> Candidates | None:
    moment = _for_all_axes(clues)
    if moment is None or moment == 1.0 or any(clues.tensor[3:]) or not _is_power_of_ten(moment) or _is_nothing(clues):
        return None
    if _fits(clues):
        return None
    text = (
        f"{moment:g} about every axis at {said(clues.mass)} kg is a power of ten that somebody wrote to have a number"
    )
    return lost(clues, text, EMPTY.power_of_ten + _of_many(clues), decisive=_is_of_no_geometry(clues))


def _is_of_no_geometry(clues: Clues) -> bool:
    """Whether there is a geometry, and one moment about all axes is not its own at a mass a power of ten away.

    A ball of 1 kg and 0.5 m has 0.1 about every axis, and at 1000 kg may have its mass in grams.
    """
    geometry = clues.from_geometry
    if geometry is None:
        return False
    ratios = geometry[:3] / clues.tensor.ixx
    power = 10.0 ** round(log10(float(ratios[0])))
    return bool(np.abs(ratios / power - 1.0).max() > EMPTY.same)


def _one_number(clues: Clues) -> Candidates | None:
    moment = _for_all_axes(clues)
    if moment is None or any(clues.tensor[3:]) or _is_power_of_ten(moment) or _fits(clues):
        return None
    numeral = clues.numerals[0]
    short = numeral is not None and len(numeral.significant) <= EMPTY.short
    text = f"{moment:g} about every axis at {said(clues.mass)} kg is one number for a link that is no ball"
    bonus = (EMPTY.one_number if _is_of_no_geometry(clues) else 0.0) + (EMPTY.short_numbers if short else 0.0) + _of_many(clues)
    return lost(clues, text, bonus, decisive=False)


def _constant_diagonal(clues: Clues) -> Candidates | None:
    moment = _for_all_axes(clues)
    if not any(clues.tensor[3:]):
        return None
    if moment is None:
        return _two_moments(clues)
    products = clues.six[3:]
    # Products of many digits are measured, and a diagonal of one digit beside them is not.
    digits = max(len(numeral.significant) for numeral in clues.numerals[3:] if numeral is not None)
    measured = (
        digits > EMPTY.short and clues.numerals[0] is not None and len(clues.numerals[0].significant) <= EMPTY.short
    )
    if not measured or contradiction(clues) < EMPTY.contradicted:
        return None
    geometry = clues.from_geometry
    bonus = EMPTY.constant
    evidence: tuple[str, ...] = ()
    if geometry is not None:
        far = float(np.abs(products - geometry[3:]).max()) / float(np.abs(products).max())
        if far < EMPTY.products_agree:
            bonus, evidence = (
                bonus + EMPTY.short_numbers,
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
        if same and min(lengths[k], max(lengths[3:])) > 2 * EMPTY.short:
            text = f"{entries((a, b))} are {clues.tensor[a]:g}, one number of one digit, beside a moment and products"
            return lost(clues, f"{text} that were measured", EMPTY.constant, decisive=False)
    return None


def _products_made_up(clues: Clues) -> Candidates | None:
    """Three products of one digit, all one number, beside moments that are the geometry's."""
    products = clues.tensor[3:]
    if not products[0] or not products[0] == products[1] == products[2] or len(clues.significant[3]) > 1:
        return None
    tensors = (clues.six * np.array([1.0, 1.0, 1.0, 0.0, 0.0, 0.0]))[None]

    def tell(_: int) -> Telling:
        return Telling(f"ixy, ixz and iyz are {products[0]:g}, one number of one digit, which somebody made up")

    return Candidates(tensors, tell, bonus=EMPTY.short_numbers, is_certifiable=False)


def _round_numbers(clues: Clues) -> Candidates | None:
    if any(clues.tensor[3:]) or not min(clues.tensor[:3]) > 0.0 or _for_all_axes(clues) is not None:
        return None
    digits = max(map(len, clues.significant[:3]))
    parts = [clues.tensor[k] / clues.mass for k in range(3)] if clues.mass > 0.0 else []
    of_mass = bool(parts) and all(abs(float(f"{part:.0e}") / part - 1.0) < 1e-9 for part in parts)
    if digits > EMPTY.short and not of_mass:
        return None
    if _fits(clues) or is_rounded_away(clues):
        return None
    what = "the mass times numbers of one digit" if of_mass and digits > 1 else "numbers of one digit or two"
    text = f"{row(clues.six)} at {said(clues.mass)} kg are {what}, that somebody wrote to have some"
    worth = EMPTY.round_numbers + _of_many(clues) - (0.0 if of_mass or digits == 1 else EMPTY.second_digit)
    return lost(clues, text, worth, decisive=False)


def _rounded_away(clues: Clues) -> Candidates | None:
    if not is_rounded_away(clues) or (clues.is_body and contradiction(clues) < EMPTY.rounded_body):
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
    bonus = EMPTY.rounded + (EMPTY.same_step if like else 0.0) + (EMPTY.rounds_to if geometry is not None else 0.0)
    return lost(
        clues,
        f"all entries are multiples of {step:g}, to which the tensor was rounded, and with it the body away",
        bonus,
        decisive=geometry is not None and (like or step <= EMPTY.fine_step),
        evidence=tuple(evidence),
    )


HYPOTHESES = (
    Hypothesis(
        name="zeros",
        group=Group.UNPOPULATED,
        what="left zeros",
        undo="nothing: the tensor was never there",
        prior=-2.0,
        example="0 0 0 0 0 0 at 0.02 kg; its collision sphere has 3.872e-6",
        source="DeepRoboticsLab/deep_robotics_model@b452a1f4 Lite3.urdf FL_FOOT",
        find=_zeros,
        trust=0.97,
    ),
    Hypothesis(
        name="zero-moment",
        group=Group.UNPOPULATED,
        what="filled in some moments and left others zero",
        undo="nothing: the tensor was never there",
        prior=-3.0,
        example="0.1 0 0 0.1 0 0 at 0.4 kg; the maintainer replaced it",
        source="shadow-robot/sr_common@6f4e6989 shadowarm_base.urdf.xacro shadowarm_base",
        find=_zero_moment,
        trust=0.8,
    ),
    Hypothesis(
        name="unit-tensor",
        group=Group.UNPOPULATED,
        what="left the unit tensor",
        undo="nothing: the tensor was never there",
        prior=-2.0,
        example="1 0 0 1 0 1 for a box of 0.4 m at 1 kg, which has 0.0267",
        source="ArduPilot/ardupilot_gazebo@082a0fe2 iris_warehouse.sdf box_link",
        find=_unit,
        trust=0.97,
    ),
    Hypothesis(
        name="power-of-ten",
        group=Group.UNPOPULATED,
        what="wrote a power of ten for every axis",
        undo="nothing: the tensor was never there",
        prior=-2.0,
        example="0.0001 about every axis for a box of 1 mm at 0.001 kg, which has 1.7e-10",
        source="fan-ziqi/robot_lab@09f7fb4a a1.urdf imu_link",
        find=_power_of_ten,
        trust=0.95,
    ),
    Hypothesis(
        name="one-number",
        group=Group.UNPOPULATED,
        what="wrote one number for every axis",
        undo="nothing: the tensor was never there",
        prior=-3.0,
        example="4e-5 about every axis at 0.05 kg, where the geometry has 4.9e-6 4.9e-6 8.7e-6",
        source="PX4/PX4-gazebo-models@f419c6dc optical_flow model.sdf flow_link",
        find=_one_number,
        trust=0.85,
    ),
    Hypothesis(
        name="constant-diagonal",
        group=Group.UNPOPULATED,
        what="had an exporter that puts a floor under moments",
        undo="nothing for the moments; the products are right",
        prior=-3.0,
        example="0.01 three times; the mesh has 2.7e-5 5.7e-5 8.0e-5, and its products within some per cent",
        source="robotology/icub-models@dca8c618 left_hand_mk3 model.urdf l_hand_palm_link",
        find=_constant_diagonal,
        trust=0.95,
    ),
    Hypothesis(
        name="products-made-up",
        group=Group.UNPOPULATED,
        what="made up products of one digit",
        undo="no products",
        prior=-3.5,
        example="0.001 three times as products, beside 0.00196 three times, which is exactly the ball",
        source="osrf/gazebo_models@c4ee9a3b demo_joint_types model.sdf ball_ball",
        find=_products_made_up,
        trust=0.7,
    ),
    Hypothesis(
        name="round-numbers",
        group=Group.UNPOPULATED,
        what="made up numbers of one digit",
        undo="nothing: the tensor was never there",
        prior=-3.5,
        example="0.001 0 0 0.003 0 0.001 for a plate that has 6.3e-6 2.5e-5 1.9e-5",
        source="FRCTeam159/FRCGazebo@2be70947 SimBot2017 SimBot.sdf GearPlate",
        find=_round_numbers,
        trust=0.8,
    ),
    Hypothesis(
        name="rounded-away",
        group=Group.UNPOPULATED,
        what="rounded a small tensor to a step that is too coarse for it",
        undo="nothing: the digits are gone",
        prior=-2.5,
        example="1e-06 0 0 1e-06 0 0, where the mesh has 9.2e-7 8.2e-7 2.9e-7",
        source="iotdesignshop/dexhand_description@211b0ea2 dexhand-left.urdf index_tip_1",
        find=_rounded_away,
        trust=0.85,
    ),
)
