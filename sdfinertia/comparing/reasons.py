"""Why two bodies differ: a mistake in either, by the search of `causes` with the other as the reference, or frames."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import atan2, degrees, dist, hypot
from typing import Literal, NamedTuple

from sdfinertia.causes.bits import Digits, Reference, best_of, readings
from sdfinertia.causes.operations import MOTIONS, RIGHT_ANGLES
from sdfinertia.causes.registry import HYPOTHESES
from sdfinertia.comparing.difference import EXACT, HALF_TURNS, differing, principal_frame, significant_digits
from sdfinertia.comparing.robots import ComparedBody, Pair
from sdfinertia.inertia import InertiaTensor
from sdfinertia.inertia.inertial_text import numeral
from sdfinertia.inertia.rigid_transform import RigidTransform, quaternion_from_rpy, rotate, rpy_from_rotation, transpose
from sdfinertia.links.written_block import ENTRIES, WrittenBlock
from sdfinertia.robot.inertial import MASS, POSE, TENSOR, InertialPart

Side = Literal["first", "second", "either"]
_Cause = tuple[str, str]  # its name, and the mistake in words
_Numbers = Sequence[float]
_Texts = Sequence[str]
_Try = tuple[str, str, _Numbers]  # and the numbers that it gives

# An explanation comes this near, as a part of the scale and of the difference that it explains.
_NEAR, _OF_DIFFERENCE = 1e-3, 0.05
_MASS_UNITS = {"g": 1e3, "lb": 1.0 / 0.45359237, "t": 1e-3}
_LENGTH_UNITS = {"mm": 1e3, "cm": 1e2, "dm": 10.0, "in": 1.0 / 0.0254}
_UNKNOWN = {"mass-changed", "centre-changed", "tensor-changed", "numbers-changed", "other-density"}
_UNITS = {"mass-units", "centre-units", "tensor-units", "other-density"}


_PRIORS = {one.name: one.prior for one in HYPOTHESES} | {"rotation-surplus": -9.0, "one-entry-wrong": -9.0}


class Reason(NamedTuple):
    """A mistake that makes the one description of the other."""

    cause: str  # its name; several, with commas between, where mass, centre and tensor have one each
    side: Side  # whose numbers have it; "either" where it reads the same from both
    sentence: str  # without a full stop


def reasons(pair: Pair, parts: frozenset[InertialPart]) -> tuple[Reason, ...]:
    """The mistakes that explain the differences, the likelier first; those that read the same from both sides once."""
    one, other = pair
    found = [_reason("second", other, "first", one, parts), _reason("first", one, "second", other, parts)]
    known = [each for each in found if _UNKNOWN.isdisjoint(each.cause.split(", "))]
    if found[0].cause == found[1].cause or not known:
        return (found[0]._replace(side="either"),)
    return tuple(sorted(known, key=lambda each: -min(_PRIORS.get(cause, -3.0) for cause in each.cause.split(", "))))


def _reason(whose: Side, wrong: ComparedBody, name: str, right: ComparedBody, parts: frozenset[InertialPart]) -> Reason:
    """A mistake for each quantity; the numbers of `whose` are wrong, and those of `name` right."""
    one, other = wrong.block, right.block
    tensor = other.inertia.I_BBcm_B.rotated(transpose(one.rotation))
    made = list[_Cause]()
    if MASS in parts:
        texts, tries = ((one.mass_text,), (other.mass_text,)), _of_mass(whose, one, name, other)
        made.append(_first(f"the mass of the {whose}", tries, (one.mass,), (other.mass,), texts, wrong.rounding[0]))
    if POSE in parts:
        of, both = f"the centre of mass of the {whose}", (one.centre_texts, other.centre_texts)
        made.append(_first(of, _of_centre(of, one, other), one.centre, other.centre, both, max(wrong.rounding[1:4])))
    if TENSOR in parts:
        entries, found = (one.entry_texts, other.entry_texts), _of_tensor(whose, one, name, other, tensor)
        made.append(_first(f"the tensor of the {whose}", found, one.tensor, tensor, entries, 0.0))
    causes = list(dict.fromkeys(cause for cause, _ in made))
    if "other-density" in causes and "mass-changed" in causes:
        causes.remove("mass-changed")
    words = "; ".join(sentence for cause, sentence in made if cause in causes)
    if len(causes) > 1 and _UNITS.issuperset(causes):
        causes = ["consistent-units"]
    if len(causes) > 1 and _UNKNOWN.issuperset(causes):
        names = [cause.partition("-")[0].replace("centre", "centre of mass") for cause in causes]
        words = f"{', '.join(names[:-1])} and {names[-1]} differ, by no one mistake that is known"
        causes = ["numbers-changed"]
    return Reason(", ".join(causes), whose, words)


def _of_mass(whose: Side, wrong: WrittenBlock, name: str, right: WrittenBlock) -> Iterator[_Try]:
    of, times = f"the mass of the {whose}", "another than that"
    yield "zeros", f"{of} is 0", (0.0,)
    for unit, factor in _MASS_UNITS.items():
        yield "mass-units", f"{of} is in {unit}", (right.mass * factor,)
    if right.mass:
        times = f"{_factor(wrong.mass / right.mass)} times that"
    yield "mass-changed", f"{of} is {times} of the {name}", (wrong.mass,)


def _of_centre(of: str, wrong: WrittenBlock, right: WrittenBlock) -> Iterator[_Try]:
    yield "centre-omitted", f"{of} is at the link's origin", (0.0, 0.0, 0.0)
    for unit, factor in _LENGTH_UNITS.items():
        yield "centre-units", f"{of} is in {unit}", [value * factor for value in right.centre]
    for R in MOTIONS:
        signs, cause, words = R[::4], "axes-exchanged", "has its coordinates exchanged"
        if all(signs):
            changed = " and ".join(axis for axis, sign in zip("xyz", signs, strict=True) if sign < 0.0)
            cause, words = "centre-sign", f"has the other sign in {changed}"
        yield cause, f"{of} {words}", rotate(R, right.centre)
    for R in (right.rotation, transpose(right.rotation)):
        yield "in-other-axes", f"{of} is given in the axes of the inertial", rotate(R, right.centre)
    apart = 1e3 * dist(wrong.centre, right.centre)
    yield "centre-changed", f"the centres of mass are {apart:.4g} mm apart", wrong.centre


def _of_tensor(
    whose: Side, wrong: WrittenBlock, name: str, right: WrittenBlock, tensor: InertiaTensor
) -> Iterator[_Try]:
    of, by_mass = f"the tensor of the {whose}", wrong.mass / (right.mass or wrong.mass or 1.0)
    yield "zeros", f"{of} is zero", (0.0,) * 6
    yield "unit-tensor", f"{of} is the unit tensor", (1.0, 1.0, 1.0, 0.0, 0.0, 0.0)
    words = f"{of} and the mass are {_factor(by_mass)} times those of the {name}, as at another density"
    yield "other-density", words, [by_mass * value for value in tensor]
    yield from _by_digits(whose, wrong, name, right, tensor)
    if 0.0 in wrong.tensor[:3]:
        yield "zero-moment", f"moments of the {whose} are 0", wrong.tensor
    if len(set(wrong.tensor[:3])) == 1:
        yield "one-number", f"the moments of the {whose} are one number", wrong.tensor
    times = wrong.tensor.trace / (tensor.trace or 1.0)
    words = f"{of} is {_factor(times)} times that of the {name}"
    yield "tensor-changed", words, [times * value for value in tensor]
    yield "tensor-changed", "the tensors differ, by no one mistake that is known", wrong.tensor


def _first(
    of: str, tries: Iterable[_Try], wrong: _Numbers, right: _Numbers, texts: tuple[_Texts, _Texts], rounding: float
) -> _Cause:
    """The first try that gives the wrong numbers, as the last does, unless they have fewer digits alone."""
    found = [each for each in map(numeral, texts[0]) if each is not None]
    changes = [abs(a - b) for a, b in zip(wrong, right, strict=True)]
    if any(wrong) and len(found) == len(wrong) and significant_digits(texts[0]) < significant_digits(texts[1]):
        finest = min(each.half_unit for each in found)
        units = [max(each.half_unit if each.significant else 0.0, finest) for each in found]
        # Numbers with fewer than two decimals are meant so, not rounded.
        if finest <= 0.5e-2 and all(change <= 1.001 * unit for change, unit in zip(changes, units, strict=True)):
            return "rounded-away", f"{of} has fewer digits"
    limit = rounding + min(_NEAR * max(map(abs, wrong)), _OF_DIFFERENCE * max(changes))
    limit = min(limit, 0.5 * max(changes))
    return next(
        (cause, sentence)
        for cause, sentence, values in tries
        if all(abs(a - b) <= limit for a, b in zip(values, wrong, strict=True))
    )


def _by_digits(
    whose: Side, wrong: WrittenBlock, name: str, right: WrittenBlock, tensor: InertiaTensor
) -> Iterator[_Try]:
    numbers = Digits.of(wrong)
    if numbers is None or not min(tensor[:3]) > 0.0:
        return
    centre, mass = rotate(transpose(wrong.rotation), right.centre), right.mass or 1.0
    reference = Reference(f"the {name}", tensor, centre, None, 0.0, mass, rotation=right.rotation)
    found = readings(numbers, reference, wrong, 0.0)
    # A factor is no explanation, and a unit one where the numbers grow.
    best = best_of(each for each in found if each.cause not in ("mass-left-out", "mass-changed"))
    if best is None or best.bits < 0.0 or (best.cause == "tensor-units" and wrong.tensor.trace < tensor.trace):
        return
    # Both tensors are known here, and a factor is the tensor's.
    words = f"in the {whose} {best.sentence.partition(', and the mass is')[0].partition(': the mass or')[0]}"
    if best.cause == "one-entry-wrong":
        # Which of two numbers is wrong is not known, but for a 0 that was left.
        entry = max(range(6), key=lambda k: abs(wrong.tensor[k] - tensor[k]))
        words = f"{ENTRIES[entry]} alone differs" if wrong.tensor[entry] else f"{ENTRIES[entry]} of the {whose} is 0"
        if not tensor[entry]:
            return
    yield best.cause, words, wrong.tensor


def _factor(ratio: float) -> str:
    return f"{ratio:.4g}" if abs(ratio - 1.0) > 1e-3 else f"{ratio:.9g}"


# Links whose frames differ --------------------------------------------------------------------------------------------

# Frames are exported with five digits or so; of angles (rad), and of lengths beside the size of a body.
_FITS = 1e-4
_MOVED = 0.01  # the part of its size by which a body's centre of mass is moved that confirms a rotation
_SAMPLE = 24  # links among which a transformation for several is searched
_IN_PLACE = RigidTransform(), RigidTransform()
_AXES = {"1 0 0": "x", "0 1 0": "y", "0 0 1": "z", "-1 0 0": "-x", "0 -1 0": "-y", "0 0 -1": "-z"}


def transformations(pairs: Sequence[Pair], root: Pair | None) -> list[RigidTransform | None]:
    """X_AB of each link, of the second's frame in the first's, that makes its inertials the same; None where none does.

    From the places of the links, beside a root in both, or from other links with the same: any body can be turned into
    another of equal moments.
    """
    found = [next((each for each in _by_place(pair, root) if _moved_parts(each, pair)), None) for pair in pairs]
    sample = [pair for pair, X_AB in zip(pairs, found, strict=True) if X_AB is None][:_SAMPLE]
    for X_AB in (each for pair in sample for each in _candidates(pair)):
        if sum(POSE in _moved_parts(X_AB, pair, _MOVED) for pair in sample) > 1:
            both = zip(pairs, found, strict=True)
            return [X_AB if own is None and _moved_parts(X_AB, pair) else own for pair, own in both]
    return found


def rotation_between(pair: Pair) -> RigidTransform | None:
    """A rotation alone that the centre of mass, which it moves, confirms."""
    tried = (X_AB for X_AB in _candidates(pair) if not any(X_AB.translation))
    return next((X_AB for X_AB in tried if POSE in _moved_parts(X_AB, pair, _MOVED)), None)


def in_words(X_AB: RigidTransform) -> str:
    *axis, w = quaternion_from_rpy(*rpy_from_rotation(X_AB.rotation))
    # Half a turn is one about either end of its axis.
    if w < -1e-9 or (w < 1e-9 and max(axis, key=abs) < 0.0):
        axis = [-value for value in axis]
    length, parts = hypot(*axis), list[str]()
    angle = degrees(2.0 * atan2(length, abs(w)))
    if angle > 1e-4:
        direction = " ".join(f"{round(value / length, 4) + 0.0:g}" for value in axis)
        parts.append(f"turned by {angle:.4g}° about {_AXES.get(direction, direction)}")
    if any(X_AB.translation):
        parts.append(f"offset by {' '.join(f'{value + 0.0:.6g}' for value in X_AB.translation)} m")
    return " and ".join(parts)


def _by_place(pair: Pair, root: Pair | None) -> Iterator[RigidTransform]:
    """In the frames of both robots, and in those of the root."""
    for bases in (_IN_PLACE, root.poses if root is not None else None):
        if bases is not None and pair.poses is not None:
            own, other = (base.inverse() @ pose for base, pose in zip(bases, pair.poses, strict=True))
            yield own.inverse() @ other


def _candidates(pair: Pair) -> Iterator[RigidTransform]:
    """What explains a link, and lays axes on axes, or one body's principal axes on the other's."""
    first, second = pair.bodies
    own, other = principal_frame(first), principal_frame(second)
    turns = [(own * signs @ other.T).ravel().tolist() for signs in HALF_TURNS]
    for a, b, c, d, e, f, g, h, i in [*RIGHT_ANGLES, *turns]:
        rotation = (a, b, c, d, e, f, g, h, i)
        x, y, z = (a - b for a, b in zip(first.p_BoBcm_B, rotate(rotation, second.p_BoBcm_B), strict=True))
        tried = RigidTransform(rotation, (0.0, 0.0, 0.0)), RigidTransform(rotation, (x, y, z))
        yield from (X_AB for X_AB in tried if _moved_parts(X_AB, pair))


def _moved_parts(X_AB: RigidTransform, pair: Pair, least: float = 10.0 * _FITS) -> frozenset[InertialPart]:
    """What it moves by that part at least, where it makes the bodies the same but for their mass."""
    (first, second), rounding = pair.bodies, pair.other.rounding
    moved = second.transformed(X_AB)
    turned = (rounding[0], *(hypot(*rounding[1:4]),) * 3, *(hypot(*rounding[4:]),) * 6)
    if not differing(first, moved, _FITS, (pair.one.rounding, turned)) <= {MASS}:
        return frozenset()
    return differing(second, moved, least, (EXACT, EXACT))
