"""Why two bodies differ: a mistake in either, by the search of `causes` with the other as reference, or link frames."""

from __future__ import annotations

from itertools import permutations
from itertools import product as combinations
from math import acos, degrees, dist, hypot, sqrt
from typing import TYPE_CHECKING, Literal, NamedTuple

from sdfinertia.causes.bits import Digits, Family, Reading, Reference, Try, best_of, readings
from sdfinertia.causes.operations import RIGHT_ANGLES
from sdfinertia.causes.registry import PRIOR_OF_CAUSE
from sdfinertia.comparing.difference import Rounding, differing, significant_digits
from sdfinertia.errors import SdfInertiaError
from sdfinertia.inertia.inertial_text import numeral
from sdfinertia.inertia.principal_axes import principal_moments
from sdfinertia.inertia.rigid_transform import IDENTITY_ROTATION, RigidTransform, Rotation, product, rotate, transpose
from sdfinertia.inertia.spatial_inertia import InertiaTensor
from sdfinertia.robot.inertial import ENTRIES, MASS, POSE, TENSOR, InertialPart, WrittenBlock

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sdfinertia.comparing.robots import ComparedBody
    from sdfinertia.inertia.spatial_inertia import SpatialInertia

Side = Literal["first", "second", "either"]
_Cause = tuple[str, str]  # its name, and the mistake in words

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
        of, mass, other = f"the mass of the {whose}", (wrong.mass,), (right.mass,)
        units = [("mass-units", f"is in {unit}", (right.mass * times,)) for unit, times in _MASS_UNITS.items()]
        found = _first(of, [*units, ("zeros", "is 0", (0.0,))], mass, other, rounding.mass)
        found = found or _rounded(of, (wrong.mass_text,), (right.mass_text,), mass, other)
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
    of: str,
    tries: Iterable[tuple[str, str, Sequence[float]]],
    wrong: Sequence[float],
    right: Sequence[float],
    rounding: float,
) -> _Cause | None:
    """The first try that gives the wrong numbers."""
    apart = max(abs(a - b) for a, b in zip(wrong, right, strict=True))
    limit = min(0.5 * apart, rounding + min(_NEAR * max(map(abs, wrong)), _OF_DIFFERENCE * apart))
    return next(
        (
            (cause, f"{of} {words}")
            for cause, words, values in tries
            if all(abs(a - b) <= limit for a, b in zip(values, wrong, strict=True))
        ),
        None,
    )


def _of_centre(right: WrittenBlock) -> Iterator[tuple[str, str, Sequence[float]]]:
    centre = right.centre
    yield "centre-omitted", "is at the link's origin", (0.0, 0.0, 0.0)
    signed = list(combinations((1.0, -1.0), repeat=3))
    for signs in signed:
        changed = " and ".join("xyz"[k] for k in range(3) if signs[k] < 0.0 and centre[k])
        if changed:
            yield "centre-sign", f"has the other sign in {changed}", _signed(centre, signs)
    for unit, times in _LENGTH_UNITS.items():
        yield "centre-units", f"is in {unit}", [value * times for value in centre]
    for order in permutations(range(3)):
        for signs in signed:
            yield "axes-exchanged", "has its coordinates exchanged", _signed([centre[k] for k in order], signs)
    for rotation in (right.rotation, transpose(right.rotation)):
        yield "in-other-axes", "is given in the axes of the inertial", rotate(rotation, centre)


def _signed(values: Sequence[float], signs: Sequence[float]) -> list[float]:
    return [value * sign for value, sign in zip(values, signs, strict=True)]


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
        scaled = [("other-density", what, [times * value for value in tensor])]
        density = _first(of, scaled, wrong.tensor, tensor, 0.0)
        if density is not None:
            return density
    best = _by_digits(wrong, right, name)
    factor = wrong.tensor.trace / tensor.trace if tensor.trace else 0.0
    differing = [k for k in range(6) if abs(wrong.tensor[k] - tensor[k]) > _NEAR * max(map(abs, tensor))]
    if best is not None and best.cause == "one-entry-wrong":
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


def _by_digits(wrong: WrittenBlock, right: WrittenBlock, name: str) -> Reading | None:
    numbers, back = Digits.of(wrong), transpose(wrong.rotation)
    tensor = right.inertia.I_BBcm_B.rotated(back)
    if numbers is None or not min(tensor[:3]) > 0.0:
        return None
    reference = Reference(f"the {name}", tensor, rotate(back, right.centre), None, 0.0, right.mass or 1.0)
    lost: list[Try] = []
    if right.rotation != IDENTITY_ROTATION:
        what = "the rotation of the inertial's axes is"
        lost.append(Try("rotation-missing", f"{what} lost that the {name} has", right.tensor.rotated(back)))
        inverted = right.tensor.rotated(transpose(right.rotation)).rotated(back)
        lost.append(Try("rotation-inverted", f"{what} inverted", inverted))
    try:
        found = list(readings(numbers, reference, wrong, 0.0, Family.of("axes", lost)))
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


# Link frames ----------------------------------------------------------------------------------------------------------

# Frames are exported with five digits or so; of angles (rad), and of lengths beside the size of a body.
_FITS = 1e-4
# Links among which a transformation for several is searched.
_SAMPLE = 24


class Pair(NamedTuple):
    """A link in both descriptions."""

    one: ComparedBody
    other: ComparedBody

    @property
    def bodies(self) -> tuple[SpatialInertia, SpatialInertia]:
        assert self.one.inertia is not None, "both have an inertial"
        assert self.other.inertia is not None, "both have an inertial"
        return self.one.inertia, self.other.inertia

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
    found = [_by_place(link, root) for link in links]
    sample = [link for link, X_AB in zip(links, found, strict=True) if X_AB is None][:_SAMPLE]
    tried = (X_AB for link in sample for X_AB in _candidates(link))
    common = next(
        (each for each in tried if sum(_moves_centre(each, one) and _explains(each, one) for one in sample) > 1), None
    )
    if common is None:
        return found
    return [
        common if X_AB is None and _explains(common, link) else X_AB for link, X_AB in zip(links, found, strict=True)
    ]


def in_words(X_AB: RigidTransform) -> str:
    offset = " ".join(f"{value + 0.0:.6g}" for value in X_AB.translation)
    angle = degrees(_angle(X_AB.rotation))
    axis = _axis(X_AB.rotation)
    parts = [f"turned by {angle:.4g}° about {axis}"] if angle > 1e-4 else []
    if hypot(*X_AB.translation) > 0.0:
        parts.append(f"offset by {offset} m")
    return " and ".join(parts)


def _angle(rotation: Rotation) -> float:
    return acos(max(-1.0, min(1.0, 0.5 * (rotation[0] + rotation[4] + rotation[8] - 1.0))))


def _axis(rotation: Rotation) -> str:
    xx, xy, xz, yx, yy, yz, zx, zy, zz = rotation
    vector = (zy - yz, xz - zx, yx - xy)
    if hypot(*vector) < 1e-6:
        # Half a turn: the largest column of R + 1.
        columns = [(xx + 1.0, yx, zx), (xy, yy + 1.0, zy), (xz, yz, zz + 1.0)]
        vector = max(columns, key=lambda column: hypot(*column))
    length = hypot(*vector) or 1.0
    unit = [value / length for value in vector]
    for name, k in (("x", 0), ("y", 1), ("z", 2)):
        if abs(unit[k]) > 1.0 - 1e-9:
            return name if unit[k] > 0.0 else f"-{name}"
    return " ".join(f"{value + 0.0:.4g}" for value in unit)


def _explains(X_AB: RigidTransform, link: Pair) -> bool:
    (first, other), second = link.bodies, link.other.rounding
    centre, tensor = hypot(*second.centre), hypot(*second.tensor)
    own = Rounding(second.mass, (centre,) * 3, (tensor,) * 6, is_turned=True)
    return {*differing(first, other.transformed(X_AB), _FITS, (link.one.rounding, own))} <= {MASS}


def _is_none(X_AB: RigidTransform, link: Pair) -> bool:
    size = link.bodies[0].gyradius
    return _angle(X_AB.rotation) < 10.0 * _FITS and hypot(*X_AB.translation) < 10.0 * _FITS * (
        size if size > 0.0 else 1.0
    )


def _by_place(link: Pair, root: Pair | None) -> RigidTransform | None:
    if link.poses is None:
        return None
    tried = [link.poses[0].inverse() @ link.poses[1]]
    if root is not None and root.poses is not None:
        own, other = (base.inverse() @ pose for base, pose in zip(root.poses, link.poses, strict=True))
        tried.append(own.inverse() @ other)
    return next((each for each in tried if not _is_none(each, link) and _explains(each, link)), None)


def rotation_between(link: Pair) -> RigidTransform | None:
    """A rotation alone that the centre of mass, which it moves, confirms."""
    for rotation in _rotations(link):
        X_AB = RigidTransform(rotation, (0.0, 0.0, 0.0))
        if _moves_centre(X_AB, link) and _explains(X_AB, link):
            return X_AB
    return None


def _moves_centre(X_AB: RigidTransform, link: Pair) -> bool:
    second = link.bodies[1]
    return dist(X_AB.apply(second.p_BoBcm_B), second.p_BoBcm_B) > 0.01 * second.gyradius


def _candidates(link: Pair) -> Iterator[RigidTransform]:
    first, second = link.bodies
    for rotation in (IDENTITY_ROTATION, *_rotations(link)):
        x, y, z = (a - b for a, b in zip(first.p_BoBcm_B, rotate(rotation, second.p_BoBcm_B), strict=True))
        for offset in ((0.0, 0.0, 0.0), (x, y, z)):
            X_AB = RigidTransform(rotation, offset)
            if not _is_none(X_AB, link) and _explains(X_AB, link):
                yield X_AB


def _rotations(link: Pair) -> Iterator[Rotation]:
    yield from RIGHT_ANGLES[1:]
    # Of the same moments along other axes: one on the other, turned round about each.
    (moments, own), (others, other) = (body.principal() for body in link.bodies)
    order, turned = (sorted(range(3), key=each.__getitem__) for each in (moments, others))
    own, other = _ordered(own, order), _ordered(other, turned)
    for signs in ((1.0, 1.0, 1.0), (1.0, -1.0, -1.0), (-1.0, 1.0, -1.0), (-1.0, -1.0, 1.0)):
        yield product(_with_signs(own, signs), transpose(other))


def _ordered(rotation: Rotation, order: Sequence[int]) -> Rotation:
    u, v, _ = (rotation[k::3] for k in order)
    w = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
    return (u[0], v[0], w[0], u[1], v[1], w[1], u[2], v[2], w[2])


def _with_signs(rotation: Rotation, signs: Sequence[float]) -> Rotation:
    a, b, c, d, e, f, g, h, i = (value * signs[k % 3] for k, value in enumerate(rotation))
    return (a, b, c, d, e, f, g, h, i)
