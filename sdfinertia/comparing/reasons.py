"""Why two bodies differ: a mistake in either, by the search of `causes` with the other as the reference, or frames."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations, product
from math import atan2, degrees, dist, hypot
from typing import TYPE_CHECKING, Literal, NamedTuple

from sdfinertia.causes.bits import Digits, Reading, Reference, best_of, readings
from sdfinertia.causes.operations import RIGHT_ANGLES
from sdfinertia.causes.registry import PRIOR_OF_CAUSE
from sdfinertia.comparing.difference import HALF_TURNS, Rounding, differing, principal_frame, significant_digits
from sdfinertia.errors import SdfInertiaError
from sdfinertia.inertia import InertiaTensor, SpatialInertia
from sdfinertia.inertia.inertial_text import numeral
from sdfinertia.inertia.rigid_transform import (
    RigidTransform,
    Rotation,
    quaternion_from_rpy,
    rotate,
    rpy_from_rotation,
    transpose,
)
from sdfinertia.links.written_block import ENTRIES, WrittenBlock
from sdfinertia.robot.inertial import MASS, POSE, TENSOR, InertialPart

if TYPE_CHECKING:
    from sdfinertia.comparing.robots import ComparedBody

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
        _joined("second", [*_causes(second, first, "second", "first", parts, rounding[1])]),
        _joined("first", [*_causes(first, second, "first", "second", parts, rounding[0])]),
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
    words = "; ".join(sentence for cause, sentence in made if cause in causes)
    if len(causes) > 1 and _UNITS.issuperset(causes):
        causes = ["consistent-units"]
    if len(causes) > 1 and all(cause in _UNKNOWN for cause in causes):
        names = [cause.partition("-")[0].replace("centre", "centre of mass") for cause in causes]
        words = f"{', '.join(names[:-1])} and {names[-1]} differ, by no one mistake that is known"
        causes = ["numbers-changed"]
    return Reason(", ".join(causes), side, words)


def _causes(
    wrong: WrittenBlock,
    right: WrittenBlock,
    whose: Side,
    name: str,
    parts: frozenset[InertialPart],
    rounding: Rounding,
) -> Iterator[_Cause]:
    """A cause for each quantity; `whose` numbers are wrong, and those of `name` right."""
    if MASS in parts:
        of = f"the mass of the {whose}"
        tries = [("zeros", "is 0", (0.0,))]
        tries += [("mass-units", f"is in {unit}", (right.mass * by,)) for unit, by in _MASS_UNITS.items()]
        times = f"{_factor(wrong.mass / right.mass)} times that" if right.mass else "another than that"
        texts = (wrong.mass_text,), (right.mass_text,)
        of_mass = _first(of, tries, (wrong.mass,), (right.mass,), texts, rounding.mass)
        yield of_mass or ("mass-changed", f"{of} is {times} of the {name}")
    if POSE in parts:
        of, apart = f"the centre of mass of the {whose}", 1e3 * dist(wrong.centre, right.centre)
        both = wrong.centre_texts, right.centre_texts
        of_centre = _first(of, _of_centre(right), wrong.centre, right.centre, both, max(rounding.centre))
        yield of_centre or ("centre-changed", f"the centres of mass are {apart:.4g} mm apart")
    if TENSOR in parts:
        yield _of_tensor(wrong, right, whose, name)


def _first(
    of: str,
    tries: Iterable[_Try],
    wrong: Sequence[float],
    right: Sequence[float],
    texts: tuple[Sequence[str], Sequence[str]],
    rounding: float,
) -> _Cause | None:
    """The first try that gives the wrong numbers, which may have fewer digits alone."""
    found = [each for text in texts[0] if (each := numeral(text)) is not None]
    if len(found) == len(wrong) and significant_digits(texts[0]) < significant_digits(texts[1]):
        finest = min(each.half_unit for each in found)
        units = [max(each.half_unit if each.significant else 0.0, finest) for each in found]
        # Numbers with fewer than two decimals are meant so, not rounded.
        if finest <= 0.5e-2 and all(abs(a - b) <= 1.001 * unit for a, b, unit in zip(wrong, right, units, strict=True)):
            return "rounded-away", f"{of} has fewer digits"
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


def _of_tensor(wrong: WrittenBlock, right: WrittenBlock, whose: str, name: str) -> _Cause:
    of, changed = (
        f"the tensor of the {whose}",
        ("tensor-changed", "the tensors differ, by no one mistake that is known"),
    )
    if not any(wrong.tensor):
        return "zeros", f"{of} is zero"
    if tuple(wrong.tensor) == (1.0, 1.0, 1.0, 0.0, 0.0, 0.0):
        return "unit-tensor", f"{of} is the unit tensor"
    tensor, tries = right.inertia.I_BBcm_B.rotated(transpose(wrong.rotation)), list[_Try]()
    if right.mass and wrong.mass != right.mass:
        times = wrong.mass / right.mass
        what = f"and the mass are {_factor(times)} times those of the {name}, as at another density"
        tries = [("other-density", what, [times * value for value in tensor])]
    found = _first(of, tries, wrong.tensor, tensor, (wrong.entry_texts, right.entry_texts), 0.0)
    if found is not None:
        return found
    best = _by_digits(wrong, right, tensor, name)
    factor = wrong.tensor.trace / tensor.trace if tensor.trace else 0.0
    if best is not None and best.cause == "one-entry-wrong":
        # Which of two numbers is wrong is not known, but for a 0 that was left.
        entry = max(range(6), key=lambda k: abs(wrong.tensor[k] - tensor[k]))
        if wrong.tensor[entry] == 0.0:
            return best.cause, f"{ENTRIES[entry]} of the {whose} is 0"
        return (best.cause, f"{ENTRIES[entry]} alone differs") if tensor[entry] else changed
    if best is None or best.cause == "mass-changed" or (best.cause == "tensor-units" and factor < 1.0):
        if len(set(wrong.tensor[:3])) == 1:
            cause = "constant-diagonal" if any(wrong.tensor[3:]) else "one-number"
            return cause, f"the moments of the {whose} are one number"
        if 0.0 in wrong.tensor[:3]:
            return "zero-moment", f"moments of the {whose} are 0"
        return changed if best is None else (changed[0], f"{of} is {_factor(factor)} times that of the {name}")
    # Both tensors are known here, and a factor is the tensor's.
    words = best.sentence.partition(", and the mass is")[0].partition(": the mass or")[0]
    return best.cause, f"in the {whose} {words}"


def _by_digits(wrong: WrittenBlock, right: WrittenBlock, tensor: InertiaTensor, name: str) -> Reading | None:
    numbers = Digits.of(wrong)
    if numbers is None or not min(tensor[:3]) > 0.0:
        return None
    centre, mass = rotate(transpose(wrong.rotation), right.centre), right.mass or 1.0
    reference = Reference(f"the {name}", tensor, centre, None, 0.0, mass, rotation=right.rotation)
    try:
        found = [each for each in readings(numbers, reference, wrong, 0.0) if each.cause != "mass-left-out"]
    except (SdfInertiaError, ArithmeticError):
        return None
    # A unit is an explanation, a factor none.
    best = best_of(each for each in found if each.cause != "mass-changed") or best_of(found)
    return best if best is not None and best.bits >= 0.0 else None


def _factor(ratio: float) -> str:
    return f"{ratio:.4g}" if abs(ratio - 1.0) > 1e-3 else f"{ratio:.9g}"


# Links whose frames differ --------------------------------------------------------------------------------------------

# Frames are exported with five digits or so; of angles (rad), and of lengths beside the size of a body.
_FITS = 1e-4
# Links among which a transformation for several is searched.
_SAMPLE = 24


class Pair(NamedTuple):
    """A link in both descriptions."""

    one: ComparedBody
    other: ComparedBody

    @property
    def blocks(self) -> tuple[WrittenBlock, WrittenBlock] | None:
        """None where either has no inertial."""
        one, other = self.one.block, self.other.block
        return (one, other) if one is not None and other is not None else None

    @property
    def bodies(self) -> tuple[SpatialInertia, SpatialInertia]:
        assert self.blocks is not None, "both have an inertial"
        return self.blocks[0].inertia, self.blocks[1].inertia

    @property
    def poses(self) -> tuple[RigidTransform, RigidTransform] | None:
        """X_RL of both at the zero position, where that is known."""
        return (self.one.pose, self.other.pose) if self.one.pose is not None and self.other.pose is not None else None


def transformations(links: Sequence[Pair], root: Pair | None) -> list[RigidTransform | None]:
    """X_AB of each link, of the second's frame in the first's, that makes its inertials the same; None where none does.

    It is taken from the places of the links in both robots, or from other links with the same: any body can be turned
    into another of equal moments.

    Args:
        root: a link by which the frames of the two robots are known to each other.
    """
    found = [next(_explaining(_by_place(link, root), link), None) for link in links]
    sample = [link for link, X_AB in zip(links, found, strict=True) if X_AB is None][:_SAMPLE]
    tried = (X_AB for link in sample for X_AB in _explaining(_candidates(link), link))
    common = next(
        (each for each in tried if sum(_moves_centre(each, one) and _explains(each, one) for one in sample) > 1), None
    )
    if common is None:
        return found
    return [
        common if X_AB is None and _explains(common, link) else X_AB for link, X_AB in zip(links, found, strict=True)
    ]


def rotation_between(link: Pair) -> RigidTransform | None:
    """A rotation alone that the centre of mass, which it moves, confirms."""
    tried = (X_AB for X_AB in _candidates(link) if not any(X_AB.translation) and _moves_centre(X_AB, link))
    return next(_explaining(tried, link), None)


def in_words(X_AB: RigidTransform) -> str:
    angle, axis = _turn(X_AB.rotation)
    parts = [f"turned by {degrees(angle):.4g}° about {_axis(axis)}"] if degrees(angle) > 1e-4 else []
    if hypot(*X_AB.translation) > 0.0:
        parts.append(f"offset by {' '.join(f'{value + 0.0:.6g}' for value in X_AB.translation)} m")
    return " and ".join(parts)


def _turn(rotation: Rotation) -> tuple[float, list[float]]:
    """The angle of a rotation (rad), and its axis times the sine of half of it."""
    *axis, w = quaternion_from_rpy(*rpy_from_rotation(rotation))
    is_backward = w < 0.0 if abs(w) > 1e-9 else max(axis, key=abs) < 0.0  # half a turn is one about either end
    return 2.0 * atan2(hypot(*axis), abs(w)), [-value if is_backward else value for value in axis]


def _axis(axis: Sequence[float]) -> str:
    unit = [value / (hypot(*axis) or 1.0) for value in axis]
    for name, value in zip("xyz", unit, strict=True):
        if abs(value) > 1.0 - 1e-9:
            return name if value > 0.0 else f"-{name}"
    return " ".join(f"{value + 0.0:.4g}" for value in unit)


def _explaining(tried: Iterable[RigidTransform], link: Pair) -> Iterator[RigidTransform]:
    """Those that move something, and make the bodies of a link the same."""
    size = link.bodies[0].gyradius
    least = 10.0 * _FITS * (size if size > 0.0 else 1.0)
    for X_AB in tried:
        is_none = _turn(X_AB.rotation)[0] < 10.0 * _FITS and hypot(*X_AB.translation) < least
        if not is_none and _explains(X_AB, link):
            yield X_AB


def _explains(X_AB: RigidTransform, link: Pair) -> bool:
    (first, other), (mass, centre, tensor, _) = link.bodies, link.other.rounding
    own = Rounding(mass, (hypot(*centre),) * 3, (hypot(*tensor),) * 6, is_turned=True)
    return {*differing(first, other.transformed(X_AB), _FITS, (link.one.rounding, own))} <= {MASS}


def _moves_centre(X_AB: RigidTransform, link: Pair) -> bool:
    second = link.bodies[1]
    return dist(X_AB.apply(second.p_BoBcm_B), second.p_BoBcm_B) > 0.01 * second.gyradius


def _by_place(link: Pair, root: Pair | None) -> Iterator[RigidTransform]:
    if link.poses is not None:
        yield link.poses[0].inverse() @ link.poses[1]
        if root is not None and root.poses is not None:
            own, other = (base.inverse() @ pose for base, pose in zip(root.poses, link.poses, strict=True))
            yield own.inverse() @ other


def _candidates(link: Pair) -> Iterator[RigidTransform]:
    """What lays axes on axes, or one body's principal axes on the other's; alone, and with the centres together."""
    first, second = link.bodies
    own, other = map(principal_frame, link.bodies)
    rotations = list(RIGHT_ANGLES)
    for signs in HALF_TURNS:
        a, b, c, d, e, f, g, h, i = (own * signs @ other.T).ravel().tolist()
        rotations.append((a, b, c, d, e, f, g, h, i))
    for rotation in rotations:
        x, y, z = (a - b for a, b in zip(first.p_BoBcm_B, rotate(rotation, second.p_BoBcm_B), strict=True))
        yield RigidTransform(rotation, (0.0, 0.0, 0.0))
        yield RigidTransform(rotation, (x, y, z))
