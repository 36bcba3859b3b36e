"""Which single mistake makes the numbers of one description those of the other, as converters and people make them.

Each is made in one side's numbers and compared with the other's, in both directions: which side is right is not known.
The causes have the names of `docs/reference/causes.md`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import permutations
from itertools import product as combinations
from math import degrees, dist
from typing import Literal, NamedTuple

from sdfinertia.comparing.rounding import Rounding, significant_digits
from sdfinertia.inertia.numeral import is_one_slip, numeral
from sdfinertia.inertia.principal_axes import principal_moments
from sdfinertia.inertia.rigid_transform import IDENTITY_ROTATION, rotate, rotation_from_rpy, transpose
from sdfinertia.inertia.spatial_inertia import InertiaTensor
from sdfinertia.links.written_block import WrittenBlock
from sdfinertia.robot.inertial import MASS, POSE, TENSOR, InertialPart

Side = Literal["first", "second", "either"]

# An explanation comes this near, as a part of the scale and of the difference that it explains.
_NEAR, _OF_DIFFERENCE = 1e-3, 0.05
_POUND, _INCH = 0.45359237, 0.0254
_MASS_UNITS = {"g": 1e3, "lb": 1.0 / _POUND, "t": 1e-3}
_LENGTH_UNITS = {"mm": 1e3, "cm": 1e2, "dm": 10.0, "in": 1.0 / _INCH}
_TENSOR_UNITS = {
    "g·m²": 1e3,
    "kg·cm²": 1e4,
    "kg·mm²": 1e6,
    "g·cm²": 1e7,
    "g·mm²": 1e9,
    "lb·in²": 1.0 / (_POUND * _INCH**2),
    "lb·ft²": 1.0 / (_POUND * (12.0 * _INCH) ** 2),
}
_AXES = "xyz"
# The pairs of axes of ixx iyy izz ixy ixz iyz, by which entries move when axes are permuted.
_PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
_ENTRY_NAMES = InertiaTensor._fields


class Reason(NamedTuple):
    """A mistake that makes the one description of the other.

    Attributes:
        cause: name of the mistake; several, with commas between, where mass, centre and tensor have one each.
        side: whose numbers have it; "either" where it reads the same from both.
        sentence: the mistake in words, without a full stop.
    """

    cause: str
    side: Side
    sentence: str


class _Made(NamedTuple):
    """The numbers of the right side after a mistake."""

    cause: str
    sentence: str
    values: Sequence[float]


# The commonest first, as the priors of `causes/registry.py` have them; later ones say less. The last four are
# changes of unknown cause.
_ORDER = (
    *("zeros", "unit-tensor", "mass-units", "centre-omitted", "products-cad-signs", "rotation-missing", "tensor-units"),
    *("about-link-origin", "product-sign", "mirrored-in-x", "mirrored-in-y", "mirrored-in-z", "centre-sign"),
    *("angles-in-degrees", "centre-units", "rotation-inverted", "rotation-surplus", "parallel-axis-subtracted"),
    *("parallel-axis-wrong-way", "axes-exchanged", "other-density", "rounded-away", "listed-in-other-order"),
    *("entry-omitted", "decimal-point", "digit-mistyped", "products-omitted", "in-other-axes", "one-number"),
    *("tensor-scaled", "mass-changed", "centre-changed", "tensor-changed", "numbers-changed"),
)
_RANKS = {cause: rank for rank, cause in enumerate(_ORDER)}
_UNKNOWN = _RANKS["mass-changed"]


def reasons(
    first: WrittenBlock, second: WrittenBlock, parts: frozenset[InertialPart], rounding: tuple[Rounding, Rounding]
) -> tuple[Reason, ...]:
    """The mistakes that explain the differences, the likelier first; those that read the same from both sides once."""
    sides: tuple[tuple[Side, WrittenBlock, WrittenBlock, tuple[Rounding, Rounding]], ...] = (
        ("second", second, first, (rounding[1], rounding[0])),
        ("first", first, second, rounding),
    )
    found = [(side, _joint(_explained(wrong, right, parts, rounded))) for side, wrong, right, rounded in sides]
    found.sort(key=lambda each: max(_RANKS[made.cause] for made in each[1]))
    causes = [_joined([made.cause for made in each]) for _, each in found]
    best = max(_RANKS[made.cause] for made in found[0][1])
    if causes[0] == causes[1] or best >= _UNKNOWN:
        return (_reason("either", causes[0], found[0]),)
    known = [k for k in (0, 1) if max(_RANKS[made.cause] for made in found[k][1]) < _UNKNOWN]
    return tuple(_reason(found[k][0], causes[k], found[k]) for k in known)


def _reason(side: Side, cause: str, found: tuple[Side, Sequence[_Made]]) -> Reason:
    whose, made = found
    if len(made) > 1 and all(_RANKS[each.cause] >= _UNKNOWN for each in made):
        names = [each.cause.partition("-")[0].replace("centre", "centre of mass") for each in made]
        sentence = f"{', '.join(names[:-1])} and {names[-1]} differ, by no one mistake that is known"
        return Reason("numbers-changed", side, sentence)
    wrong, right = str(whose), "first" if whose == "second" else "second"
    # How a factor or a distance reads from the second robot to the first.
    if side == "either" and not any(_RANKS[each.cause] >= _UNKNOWN or each.cause == "other-density" for each in made):
        wrong, right = "one file", "other"
    return Reason(cause, side, "; ".join(each.sentence.format(wrong=wrong, right=right) for each in made))


def _joint(found: Iterator[_Made]) -> list[_Made]:
    """Mass, centre and tensor after a mistake; a mass that changed with the tensor is one mistake with it."""
    made = list(found)
    with_mass = any(each.cause == "other-density" for each in made)
    return [each for each in made if not (with_mass and each.cause == "mass-changed")]


def _joined(causes: Sequence[str]) -> str:
    """The causes of mass, centre and tensor as one; units of several quantities are a set of units."""
    units = {"mass-units", "centre-units", "tensor-units", "other-density"}
    if len(causes) > 1 and units.issuperset(causes) and set(causes) != {"other-density"}:
        return "consistent-units"
    return ", ".join(dict.fromkeys(causes))


def _explained(
    wrong: WrittenBlock, right: WrittenBlock, parts: frozenset[InertialPart], rounding: tuple[Rounding, Rounding]
) -> Iterator[_Made]:
    own, other = rounding
    if MASS in parts:
        limit = _limit((wrong.mass,), (right.mass,), own.mass, other.mass)
        yield _first(_masses(wrong, right), (wrong.mass,), limit)
    if POSE in parts:
        limit = _limit(wrong.centre, right.centre, max(own.centre), max(other.centre))
        yield _first(_centres(wrong, right), wrong.centre, limit)
    if TENSOR in parts:
        tensor = wrong.inertia.I_BBcm_B
        limit = _limit(tensor, right.inertia.I_BBcm_B, max(own.tensor), max(other.tensor))
        yield _first(_tensors(wrong, right), tensor, limit)


def _limit(wrong: Sequence[float], right: Sequence[float], own: float, other: float) -> float:
    """How near a mistake has to come, with the rounding of the wrong numbers, and of the right ones at their scale."""
    apart = max(abs(a - b) for a, b in zip(wrong, right, strict=True))
    scale, reference = max(map(abs, wrong)), max(map(abs, right))
    rounding = own + (other * scale / reference if reference else 0.0)
    return min(0.5 * apart, rounding + min(_NEAR * scale, _OF_DIFFERENCE * apart))


def _first(made: Iterator[_Made], wrong: Sequence[float], limit: float) -> _Made:
    """The first mistake that comes near enough; the last, without values, is a change of unknown cause."""
    for each in made:
        if not each.values or all(abs(a - b) <= limit for a, b in zip(each.values, wrong, strict=True)):
            return each
    raise AssertionError("the last explains everything")


# Mistakes in the mass, the centre and the tensor; the commonest first -------------------------------------------------


def _masses(wrong: WrittenBlock, right: WrittenBlock) -> Iterator[_Made]:
    for unit, factor in _MASS_UNITS.items():
        yield _Made("mass-units", f"the mass of the {{wrong}} is in {unit}", (right.mass * factor,))
    if _is_rounded((wrong.mass_text,), (right.mass_text,), (wrong.mass,), (right.mass,)):
        yield _Made("rounded-away", "the mass of the {wrong} has fewer digits", (wrong.mass,))
    if wrong.mass == 0.0:
        yield _Made("zeros", "the mass of the {wrong} is 0", (0.0,))
    times = f"{_factor(wrong.mass / right.mass)} times that" if right.mass else "another than that"
    yield _Made("mass-changed", f"the mass of the {{wrong}} is {times} of the {{right}}", ())


def _centres(wrong: WrittenBlock, right: WrittenBlock) -> Iterator[_Made]:
    centre = right.centre
    yield _Made("centre-omitted", "the centre of mass of the {wrong} is at the link's origin", (0.0, 0.0, 0.0))
    for signs in combinations((1.0, -1.0), repeat=3):
        changed = [_AXES[k] for k in range(3) if signs[k] < 0.0 and centre[k]]
        if changed:
            sentence = f"the centre of mass of the {{wrong}} has the other sign in {' and '.join(changed)}"
            yield _Made("centre-sign", sentence, _signed(centre, signs))
    for unit, factor in _LENGTH_UNITS.items():
        sentence = f"the centre of mass of the {{wrong}} is in {unit}"
        yield _Made("centre-units", sentence, [value * factor for value in centre])
    for order in permutations(range(3)):
        moved = [centre[k] for k in order]
        for signs in combinations((1.0, -1.0), repeat=3):
            sentence = "the coordinates of the centre of mass are exchanged in the {wrong}"
            yield _Made("axes-exchanged", sentence, _signed(moved, signs))
    for rotation in (right.rotation, transpose(right.rotation)):
        if rotation != IDENTITY_ROTATION:
            sentence = "the centre of mass of the {wrong} is given in the axes of the inertial"
            yield _Made("in-other-axes", sentence, rotate(rotation, centre))
    if _is_rounded(wrong.centre_texts, right.centre_texts, wrong.centre, centre):
        yield _Made("rounded-away", "the centre of mass of the {wrong} has fewer digits", wrong.centre)
    apart = 1e3 * dist(wrong.centre, centre)
    yield _Made("centre-changed", f"the centres of mass are {apart:.4g} mm apart", ())


def _signed(values: Sequence[float], signs: Sequence[float]) -> list[float]:
    return [value * sign for value, sign in zip(values, signs, strict=True)]


def _tensors(wrong: WrittenBlock, right: WrittenBlock) -> Iterator[_Made]:
    """In link axes."""
    if not any(wrong.tensor):
        yield _Made("zeros", "the tensor of the {wrong} is zero", wrong.tensor)
    if tuple(wrong.tensor) == (1.0, 1.0, 1.0, 0.0, 0.0, 0.0):
        yield _Made("unit-tensor", "the tensor of the {wrong} is the unit tensor", wrong.inertia.I_BBcm_B)
    yield from _signs(right)
    yield from _rotations(wrong, right)
    yield from _units(right)
    yield from _reference_points(right)
    yield from _exchanges(right)
    if wrong.mass != right.mass and right.mass:
        ratio = wrong.mass / right.mass
        sentence = (
            f"mass and tensor of the {{wrong}} are {_factor(ratio)} times those of the {{right}}, as at another density"
        )
        yield _Made("other-density", sentence, [value * ratio for value in right.inertia.I_BBcm_B])
    yield from _digits(wrong, right)
    yield from _omissions(wrong, right)
    yield from _other_tensors(wrong, right)
    yield _Made("tensor-changed", "the tensors differ, by no one mistake that is known", ())


def _in_both_axes(right: WrittenBlock, change: Callable[[Sequence[float]], Sequence[float]]) -> Iterator[InertiaTensor]:
    """The tensor changed in the axes of the link, and in those it is written in."""
    yield InertiaTensor(*change(right.inertia.I_BBcm_B))
    if right.rotation != IDENTITY_ROTATION:
        yield InertiaTensor(*change(right.tensor)).rotated(right.rotation)


def _signs(right: WrittenBlock) -> Iterator[_Made]:
    for flipped in ((3, 4, 5), (3,), (4,), (5,), (3, 4), (3, 5), (4, 5)):
        signs = [-1.0 if k in flipped else 1.0 for k in range(6)]
        names = " and ".join(_ENTRY_NAMES[k] for k in flipped)
        if len(flipped) == 3:
            cause, sentence = "products-cad-signs", "the products of inertia of the {wrong} have the other sign"
        elif len(flipped) == 2:
            axis = {(3, 4): "x", (3, 5): "y", (4, 5): "z"}[flipped[0], flipped[1]]
            cause, sentence = (
                f"mirrored-in-{axis}",
                f"{names} of the {{wrong}} have the other sign, as of a part mirrored",
            )
        else:
            cause, sentence = "product-sign", f"{names} of the {{wrong}} has the other sign"
        for tensor in _in_both_axes(right, lambda six, signs=signs: _signed(six, signs)):  # type: ignore[misc]
            yield _Made(cause, sentence, tensor)


def _rotations(wrong: WrittenBlock, right: WrittenBlock) -> Iterator[_Made]:
    link_tensor = right.inertia.I_BBcm_B
    lost = "the {wrong} lacks the rotation of the inertial's axes that the {right} has"
    if right.rotation != IDENTITY_ROTATION:
        yield _Made("rotation-missing", lost, right.tensor)
        sentence = "the rotation of the inertial's axes is inverted in the {wrong}"
        yield _Made("rotation-inverted", sentence, right.tensor.rotated(transpose(right.rotation)))
        sentence = "the {wrong} applies the rotation of the inertial's axes twice"
        yield _Made("rotation-surplus", sentence, link_tensor.rotated(right.rotation))
        if all(map(numeral, right.angle_texts)):
            roll, pitch, yaw = map(degrees, map(float, right.angle_texts))
            sentence = "the angles of the inertial's axes are in degrees in the {wrong}"
            yield _Made("angles-in-degrees", sentence, right.tensor.rotated(rotation_from_rpy(roll, pitch, yaw)))
    if wrong.rotation != IDENTITY_ROTATION:
        sentence = "the {wrong} has a rotation of the inertial's axes beside a tensor that is in link axes"
        yield _Made("rotation-surplus", sentence, link_tensor.rotated(wrong.rotation))
    elif not any(wrong.tensor[3:]) and any(link_tensor[3:]):
        order = sorted(range(3), key=wrong.tensor.__getitem__)
        moments = [0.0] * 3
        for place, moment in zip(order, principal_moments(link_tensor), strict=True):
            moments[place] = moment
        sentence = "the {wrong} has the principal moments without the rotation of their axes"
        yield _Made("rotation-missing", sentence, (*moments, 0.0, 0.0, 0.0))


def _units(right: WrittenBlock) -> Iterator[_Made]:
    tensor = right.inertia.I_BBcm_B
    for unit, factor in _TENSOR_UNITS.items():
        sentence = f"the tensor of the {{wrong}} is in {unit}"
        yield _Made("tensor-units", sentence, [value * factor for value in tensor])


def _reference_points(right: WrittenBlock) -> Iterator[_Made]:
    inertia = right.inertia
    about = inertia.I_BBcm_B.with_point_mass
    if not any(inertia.p_BoBcm_B):
        return
    yield _Made("about-link-origin", "the tensor of the {wrong} is about the link's origin", inertia.I_BBo_B)
    sentence = "the {wrong} has the parallel-axis term taken away from a tensor that is about the centre of mass"
    yield _Made("parallel-axis-subtracted", sentence, about(-inertia.mass, inertia.p_BoBcm_B))
    sentence = "the {wrong} has the parallel-axis term with the wrong sign"
    yield _Made("parallel-axis-wrong-way", sentence, about(2.0 * inertia.mass, inertia.p_BoBcm_B))


def _exchanges(right: WrittenBlock) -> Iterator[_Made]:
    for order in list(permutations(range(3)))[1:]:
        names = " ".join(_AXES[k] for k in order)
        places = [_PAIRS.index((min(order[i], order[j]), max(order[i], order[j]))) for i, j in _PAIRS]
        sentence = f"the axes of the tensor are exchanged in the {{wrong}}: {names} for x y z"
        for whole in ([*places], [*places[:3], 3, 4, 5]):
            for tensor in _in_both_axes(right, lambda six, whole=whole: [six[k] for k in whole]):  # type: ignore[misc]
                yield _Made("axes-exchanged", sentence, tensor)
        # A rotation about an axis, by a right angle, changes signs as well.
        for signs in combinations((1.0, -1.0), repeat=2):
            turned = (1.0, 1.0, 1.0, signs[0], signs[1], signs[0] * signs[1])
            for tensor in _in_both_axes(right, lambda six, s=turned, p=places: _signed([six[k] for k in p], s)):  # type: ignore[misc]
                yield _Made("axes-exchanged", sentence, tensor)


def _digits(wrong: WrittenBlock, right: WrittenBlock) -> Iterator[_Made]:
    reference = right.inertia.I_BBcm_B.rotated(transpose(wrong.rotation))
    if _is_rounded(wrong.entry_texts, right.entry_texts, wrong.tensor, reference):
        yield _Made("rounded-away", "the tensor of the {wrong} has fewer digits", wrong.inertia.I_BBcm_B)
    if wrong.rotation != right.rotation:
        return
    apart = max(abs(a - b) for a, b in zip(wrong.tensor, right.tensor, strict=True))
    limit = min(_NEAR * max(map(abs, right.tensor)), _OF_DIFFERENCE * apart)
    others = [k for k in range(6) if abs(wrong.tensor[k] - right.tensor[k]) > 1e-9 * max(map(abs, right.tensor))]
    if len(others) > 1:
        if sum(not abs(a - b) <= limit for a, b in zip(sorted(wrong.tensor), sorted(right.tensor), strict=True)) == 0:
            sentence = "the six numbers of the tensor are in another order in the {wrong}"
            yield _Made("listed-in-other-order", sentence, wrong.inertia.I_BBcm_B)
        return
    for k in others:
        (one, other), name = (wrong.entry_texts[k], right.entry_texts[k]), _ENTRY_NAMES[k]
        texts = numeral(one), numeral(other)
        if wrong.tensor[k] == 0.0:
            sentence = f"{name} of the {{wrong}} is 0"
            yield _Made("entry-omitted", sentence, wrong.inertia.I_BBcm_B)
        if texts[0] is None or texts[1] is None or right.tensor[k] == 0.0 or wrong.tensor[k] == 0.0:
            continue
        if texts[0].significant == texts[1].significant:
            sentence = f"{name} of the {{wrong}} has its decimal point elsewhere: {one} for {other}"
            yield _Made("decimal-point", sentence, wrong.inertia.I_BBcm_B)
        elif is_one_slip(texts[0].significant, texts[1].significant):
            sentence = f"{name} of the {{wrong}} differs in one digit: {one} for {other}"
            yield _Made("digit-mistyped", sentence, wrong.inertia.I_BBcm_B)


def _omissions(wrong: WrittenBlock, right: WrittenBlock) -> Iterator[_Made]:
    tensor = right.inertia.I_BBcm_B
    if any(tensor[3:]):
        sentence = "the {wrong} lacks the products of inertia"
        yield _Made("products-omitted", sentence, (*tensor[:3], 0.0, 0.0, 0.0))
        if not any(wrong.tensor[3:]):
            yield _Made("products-omitted", sentence, right.tensor._replace(ixy=0.0, ixz=0.0, iyz=0.0))


def _other_tensors(wrong: WrittenBlock, right: WrittenBlock) -> Iterator[_Made]:
    """Explanations that fit many tensors, and are weaker for it."""
    tensor, reference = wrong.inertia.I_BBcm_B, right.inertia.I_BBcm_B
    moments, others = principal_moments(tensor), principal_moments(reference)
    apart = max(abs(a - b) for a, b in zip(tensor, reference, strict=True))
    limit = min(_NEAR * others[2], _OF_DIFFERENCE * apart)
    if all(abs(a - b) <= limit for a, b in zip(moments, others, strict=True)):
        yield _Made(
            "in-other-axes", "the tensor of the {wrong} is in other axes, with the same principal moments", tensor
        )
    if len(set(wrong.tensor[:3])) == 1 and not any(wrong.tensor[3:]):
        yield _Made("one-number", "the moments of the {wrong} are one number", tensor)
    if reference.trace:
        ratio = tensor.trace / reference.trace
        sentence = f"the tensor of the {{wrong}} is {_factor(ratio)} times that of the {{right}}"
        yield _Made("tensor-scaled", sentence, [value * ratio for value in reference])


def _is_rounded(
    texts: Sequence[str], others: Sequence[str], values: Sequence[float], reference: Sequence[float]
) -> bool:
    """Whether numbers are others with fewer digits or decimals, two decimals at least."""
    found = [each for text in texts if (each := numeral(text)) is not None]
    if not found or significant_digits(texts) >= significant_digits(others):
        return False
    finest = min(each.half_unit for each in found)
    # Numbers with fewer than two decimals are meant so, not rounded.
    if finest > 0.5e-2:
        return False
    units = [max(each.half_unit if each.significant else 0.0, finest) for each in found]
    if len(units) != len(values):
        return False
    return all(abs(a - b) <= 1.001 * unit for a, b, unit in zip(values, reference, units, strict=True))


def _factor(ratio: float) -> str:
    """In four digits, or as many as distinguish it from 1."""
    return f"{ratio:.4g}" if abs(ratio - 1.0) > 1e-3 else f"{ratio:.9g}"
