"""Why two bodies differ: a mistake in either, by the search of `causes` with the other as the reference."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations, product
from math import dist, sqrt
from typing import Literal, NamedTuple

from sdfinertia.causes.bits import Digits, Reading, Reference, best_of, readings
from sdfinertia.causes.registry import PRIOR_OF_CAUSE
from sdfinertia.comparing.difference import Rounding, significant_digits
from sdfinertia.errors import SdfInertiaError
from sdfinertia.inertia import InertiaTensor
from sdfinertia.inertia.inertial_text import numeral
from sdfinertia.inertia.principal_axes import principal_moments
from sdfinertia.inertia.rigid_transform import rotate, transpose
from sdfinertia.robot.inertial import ENTRIES, MASS, POSE, TENSOR, InertialPart, WrittenBlock

Side = Literal["first", "second", "either"]
_Cause = tuple[str, str]  # its name, and the mistake in words
_Try = tuple[str, str, "Sequence[float]"]  # and the numbers that it gives

# An explanation comes this near, as a part of the scale and of the difference that it explains.
_NEAR, _OF_DIFFERENCE = 1e-3, 0.05
_MASS_UNITS = {"g": 1e3, "lb": 1.0 / 0.45359237, "t": 1e-3}
_LENGTH_UNITS = {"mm": 1e3, "cm": 1e2, "dm": 10.0, "in": 1.0 / 0.0254}
_UNKNOWN = ("mass-changed", "centre-changed", "tensor-changed", "numbers-changed", "other-density")
_UNITS = {"mass-units", "centre-units", "tensor-units", "other-density"}


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


def reasons(
    first: WrittenBlock, second: WrittenBlock, parts: frozenset[InertialPart], rounding: tuple[Rounding, Rounding]
) -> tuple[Reason, ...]:
    """The mistakes that explain the differences, the likelier first; those that read the same from both sides once."""
    found = [
        _joined("second", [*_causes(second, first, ("second", "first"), parts, rounding[1])]),
        _joined("first", [*_causes(first, second, ("first", "second"), parts, rounding[0])]),
    ]
    known = [each for each in found if not any(cause in _UNKNOWN for cause in each.cause.split(", "))]
    if found[0].cause == found[1].cause or not known:
        return (found[0]._replace(side="either"),)
    return tuple(
        sorted(known, key=lambda one: max(-PRIOR_OF_CAUSE.get(cause, -9.0) for cause in one.cause.split(", ")))
    )


def _joined(side: Side, made: Sequence[_Cause]) -> Reason:
    causes = list(dict.fromkeys(cause for cause, _ in made))
    if "other-density" in causes and "mass-changed" in causes:
        causes.remove("mass-changed")
    words = [sentence for cause, sentence in made if cause in causes]
    if len(causes) > 1 and _UNITS.issuperset(causes):
        causes = ["consistent-units"]
    if len(causes) > 1 and all(cause in _UNKNOWN for cause in causes):
        names = [cause.partition("-")[0].replace("centre", "centre of mass") for cause in causes]
        what = f"{', '.join(names[:-1])} and {names[-1]} differ, by no one mistake that is known"
        return Reason("numbers-changed", side, what)
    return Reason(", ".join(causes), side, "; ".join(words))


def _causes(
    wrong: WrittenBlock, right: WrittenBlock, names: tuple[str, str], parts: frozenset[InertialPart], rounding: Rounding
) -> Iterator[_Cause]:
    """A cause for each quantity; `names` are those of the wrong side and of the right."""
    whose, name = names
    if MASS in parts:
        of = f"the mass of the {whose}"
        tries: list[_Try] = [("mass-units", f"is in {unit}", (right.mass * by,)) for unit, by in _MASS_UNITS.items()]
        tries.append(("zeros", "is 0", (0.0,)))
        found = _first(of, tries, (wrong.mass,), (right.mass,), rounding.mass)
        found = found or _rounded(of, (wrong.mass_text,), (right.mass_text,), (wrong.mass,), (right.mass,))
        times = f"{_factor(wrong.mass / right.mass)} times that" if right.mass else "another than that"
        yield found or ("mass-changed", f"{of} is {times} of the {name}")
    if POSE in parts:
        of = f"the centre of mass of the {whose}"
        found = _first(of, _of_centre(right), wrong.centre, right.centre, max(rounding.centre))
        found = found or _rounded(of, wrong.centre_texts, right.centre_texts, wrong.centre, right.centre)
        apart = 1e3 * dist(wrong.centre, right.centre)
        yield found or ("centre-changed", f"the centres of mass are {apart:.4g} mm apart")
    if TENSOR in parts:
        yield _of_tensor(wrong, right, name, f"the tensor of the {whose}", whose)


def _first(
    of: str, tries: Iterable[_Try], wrong: Sequence[float], right: Sequence[float], rounding: float
) -> _Cause | None:
    """The first try that gives the wrong numbers."""
    apart = max(abs(a - b) for a, b in zip(wrong, right, strict=True))
    limit = min(0.5 * apart, rounding + min(_NEAR * max(map(abs, wrong)), _OF_DIFFERENCE * apart))
    for cause, words, values in tries:
        if all(abs(a - b) <= limit for a, b in zip(values, wrong, strict=True)):
            return cause, f"{of} {words}"
    return None


def _of_centre(right: WrittenBlock) -> Iterator[_Try]:
    centre = right.centre
    yield "centre-omitted", "is at the link's origin", (0.0, 0.0, 0.0)
    signs = list(product((1.0, -1.0), repeat=3))
    for each in signs:
        changed = " and ".join("xyz"[k] for k in range(3) if each[k] < 0.0 and centre[k])
        if changed:
            yield "centre-sign", f"has the other sign in {changed}", [each[k] * centre[k] for k in range(3)]
    for unit, times in _LENGTH_UNITS.items():
        yield "centre-units", f"is in {unit}", [value * times for value in centre]
    for order, each in product(permutations(range(3)), signs):
        exchanged = [each[k] * centre[order[k]] for k in range(3)]
        yield "axes-exchanged", "has its coordinates exchanged", exchanged
    for rotation in (right.rotation, transpose(right.rotation)):
        yield "in-other-axes", "is given in the axes of the inertial", rotate(rotation, centre)


def _of_tensor(wrong: WrittenBlock, right: WrittenBlock, name: str, of: str, whose: str) -> _Cause:
    if not any(wrong.tensor):
        return "zeros", f"{of} is zero"
    if tuple(wrong.tensor) == (1.0, 1.0, 1.0, 0.0, 0.0, 0.0):
        return "unit-tensor", f"{of} is the unit tensor"
    tensor = right.inertia.I_BBcm_B.rotated(transpose(wrong.rotation))
    rounded = _rounded(of, wrong.entry_texts, right.entry_texts, wrong.tensor, tensor)
    if rounded is not None:
        return rounded
    if right.mass and wrong.mass != right.mass:
        times = wrong.mass / right.mass
        what = f"and the mass are {_factor(times)} times those of the {name}, as at another density"
        density = _first(of, [("other-density", what, [times * value for value in tensor])], wrong.tensor, tensor, 0.0)
        if density is not None:
            return density
    best = _by_digits(wrong, right, tensor, name)
    factor = wrong.tensor.trace / tensor.trace if tensor.trace else 0.0
    if best is not None and best.cause == "one-entry-wrong":
        differing = [k for k in range(6) if abs(wrong.tensor[k] - tensor[k]) > _NEAR * max(map(abs, tensor))]
        entry = ENTRIES[differing[0]] if differing else ""
        # Which of two numbers is wrong is not known, but for a 0 that was left.
        if len(differing) == 1 and wrong.tensor[differing[0]] == 0.0:
            return best.cause, f"{entry} of the {whose} is 0"
        return ("one-entry-wrong", f"{entry} alone differs") if all(tensor[k] for k in differing) else _CHANGED
    if best is None or best.cause == "mass-changed" or (best.cause == "tensor-units" and factor < 1.0):
        if len(set(wrong.tensor[:3])) == 1:
            cause = "constant-diagonal" if any(wrong.tensor[3:]) else "one-number"
            return cause, f"the moments of the {whose} are one number"
        if 0.0 in wrong.tensor[:3]:
            return "zero-moment", f"moments of the {whose} are 0"
        if best is not None:
            return "tensor-changed", f"{of} is {_factor(factor)} times that of the {name}"
        return _about_point(wrong, tensor, of) or _CHANGED
    # Both tensors are known here, and a factor is the tensor's.
    words = best.sentence.partition(", and the mass is")[0].partition(": the mass or")[0]
    return best.cause, f"in the {whose} {words}"


_CHANGED = "tensor-changed", "the tensors differ, by no one mistake that is known"


def _about_point(wrong: WrittenBlock, tensor: InertiaTensor, of: str) -> _Cause | None:
    """A difference that is the parallel-axis term of one offset: two equal moments, and none about the offset."""
    apart = InertiaTensor(*(a - b for a, b in zip(wrong.tensor, tensor, strict=True)))
    low, middle, high = sorted(principal_moments(apart))
    none, one, other = (low, middle, high) if high > -low else (high, middle, low)
    if not wrong.mass > 0.0 or max(abs(none), abs(one - other)) > _OF_DIFFERENCE * abs(other):
        return None
    words = "is about a point" if other > 0.0 else "has the parallel-axis term taken away once too often, of a point"
    return "about-other-point", f"{of} {words} {sqrt(abs(other) / wrong.mass):.4g} m from the centre of mass"


def _by_digits(wrong: WrittenBlock, right: WrittenBlock, tensor: InertiaTensor, name: str) -> Reading | None:
    numbers = Digits.of(wrong)
    if numbers is None or not min(tensor[:3]) > 0.0:
        return None
    centre, mass = rotate(transpose(wrong.rotation), right.centre), right.mass or 1.0
    reference = Reference(f"the {name}", tensor, centre, None, 0.0, mass, rotation=right.rotation)
    try:
        found = list(readings(numbers, reference, wrong, 0.0))
    except (SdfInertiaError, ArithmeticError):
        return None
    # A unit is an explanation, a factor none.
    named = [each for each in found if each.cause not in ("mass-left-out", "mass-changed")]
    best = best_of(named) or best_of(each for each in found if each.cause != "mass-left-out")
    return best if best is not None and best.bits >= 0.0 else None


def _rounded(
    of: str, texts: Sequence[str], others: Sequence[str], values: Sequence[float], reference: Sequence[float]
) -> _Cause | None:
    found = [each for text in texts if (each := numeral(text)) is not None]
    if len(found) != len(values) or significant_digits(texts) >= significant_digits(others):
        return None
    finest = min(each.half_unit for each in found)
    units = [max(each.half_unit if each.significant else 0.0, finest) for each in found]
    # Numbers with fewer than two decimals are meant so, not rounded.
    are_near = all(abs(a - b) <= 1.001 * unit for a, b, unit in zip(values, reference, units, strict=True))
    return ("rounded-away", f"{of} has fewer digits") if are_near and finest <= 0.5e-2 else None


def _factor(ratio: float) -> str:
    return f"{ratio:.4g}" if abs(ratio - 1.0) > 1e-3 else f"{ratio:.9g}"
