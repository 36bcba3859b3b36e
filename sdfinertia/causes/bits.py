"""One mistake that turns a reference tensor into all six entries written, scored in bits.

The bits are those that the digits agree in, less those of what was tried.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, permutations, product
from math import copysign, log2, pi, radians, sqrt
from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.inertia.numeral import negated_text
from sdfinertia.inertia.principal_axes import principal_moments
from sdfinertia.inertia.rigid_transform import (
    IDENTITY_ROTATION,
    RigidTransform,
    Rotation,
    Vector3,
    rotate,
    rotation_from_quaternion,
    rotation_from_rpy,
    transpose,
)
from sdfinertia.inertia.spatial_inertia import InertiaTensor
from sdfinertia.links.written_block import ENTRIES, EntryTexts, WrittenBlock
from sdfinertia.robot.numbers import parse_number
from sdfinertia.shapes import Primitive

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sdfinertia.robot.link import SolidKind

# Bits from which digits decide, and by which one group must lead all others to be certain; what a search costs before
# anything is tried; and the most that one number counts (six digits). Fitted to 4,737 public blocks: 71 of 71 right.
ENOUGH, AHEAD = 5.0, 3.0
BEFOREHAND, _MOST_OF_ONE = 4.0, 20.0
AGREES_AS_WRITTEN, COARSE, _NOISE, _TURNED = 1.02, 5e-4, 1e-9, 1e-8
_POUND, _INCH = 0.45359237, 0.0254
# Units of tensors, and 1 kg·m² in each.
TENSOR_UNITS = {
    "g·m²": 1e3,
    "kg·cm²": 1e4,
    "kg·mm²": 1e6,
    "g·cm²": 1e7,
    "g·mm²": 1e9,
    "lb·in²": 1.0 / (_POUND * _INCH**2),
    "lb·ft²": 1.0 / (_POUND * (12.0 * _INCH) ** 2),
}
# Where the right ixx iyy izz ixy ixz iyz stand, listed in another order or with two products exchanged.
ORDERS = {
    "the entries are listed as xx yy zz xy xz yz": (0, 3, 4, 1, 5, 2),
    "the entries are listed as xx yy zz yz xz xy": (0, 3, 4, 2, 5, 1),
    "the entries are listed as xx xy yy xz yz zz": (0, 4, 2, 3, 1, 5),
    "ixy and ixz are exchanged": (0, 1, 2, 4, 3, 5),
    "ixy and iyz are exchanged": (0, 1, 2, 5, 4, 3),
    "ixz and iyz are exchanged": (0, 1, 2, 3, 5, 4),
}
_POWERS = [power for power in range(-9, 10) if power]

# Where each of ixx iyy izz ixy ixz iyz is in a matrix; for each way to exchange axes, where the right six stand now and
# the signs of the right six. Two axes may turn, which leaves a body what it is.
_PLACES = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
_ENTRY_OF = {frozenset(place): k for k, place in enumerate(_PLACES)}
_TURNS = ((1, 1, 1), (1, 1, -1), (1, -1, 1), (-1, 1, 1))
EXCHANGES = [
    ([_ENTRY_OF[frozenset((order[i], order[j]))] for i, j in _PLACES], [turn[i] * turn[j] for i, j in _PLACES])
    for order, turn in list(product(permutations(range(3)), _TURNS))[1:]
]


class Drawn(NamedTuple):
    """A solid of a link; `shape` is None for a mesh or a polyline."""

    kind: SolidKind
    shape: Primitive | None
    pose: RigidTransform


class Reading(NamedTuple):
    """One mistake that gives the entries written, and the bits that show it.

    Attributes:
        right: the tensor without it, in the axes written; None where it is not known what is wrong.
        centre: the right one in link axes (m), where it is wrong.
        is_certain: whether no mistake of another group comes near.
    """

    cause: str
    group: str
    sentence: str
    right: InertiaTensor | None
    bits: float
    centre: Vector3 | None = None
    is_certain: bool = False

    def put_right(self, written: WrittenBlock) -> WrittenBlock | None:
        """The block without the mistake; numbers that are in it already keep their digits."""
        if self.right is None:
            return None
        numbers = Digits.of(written)
        assert numbers is not None, "it was read"
        values, texts = [], []
        for k, value in enumerate(self.right):
            old = next(
                (j for j in (k, *range(6)) if abs(abs(written.tensor[j]) - abs(value)) <= numbers.units[j]), None
            )
            text = "" if old is None or abs(value) <= COARSE**2 * max(self.right) else written.entry_texts[old]
            if text and (written.tensor[old or 0] < 0.0) != (value < 0.0):
                text = negated_text(text)
            texts.append(text)
            values.append(float(text) if text else value)
        centre = self.centre or written.centre
        return replace(
            written,
            centre=centre,
            tensor=InertiaTensor(*values),
            entry_texts=EntryTexts(*texts),
            centre_texts=written.centre_texts if centre == written.centre else ("", "", ""),
        )


class Reference(NamedTuple):
    """A body that the tensor may be that of, at the mass and in the axes written."""

    name: str  # as its box, its collisions
    tensor: InertiaTensor
    centre: Vector3  # in the axes written, from the origin of the link
    shape: Drawn | None
    volume: float
    mass: float
    own: InertiaTensor | None = None  # of parts, added without their parallel-axis terms
    is_one: bool = True  # not a sum of shapes, which comes near anything at a mass that is fitted
    is_whole: bool = True  # all collisions, or all visuals


class Try(NamedTuple):
    """What would be written after a mistake; entries in `free` may be anything."""

    cause: str
    sentence: str
    six: Sequence[float]
    free: tuple[int, ...] = ()
    cost: float = 0.0
    is_fitted: bool = False
    gives: bool = True  # whether the reference is right then
    centre: Vector3 | None = None  # of the link, where it is wrong too


def best_of(found: Iterable[Reading]) -> Reading | None:
    """The one with the most bits; certain where those of no other group come near."""
    best: dict[str, Reading] = {}
    for reading in found:
        if reading.group not in best or reading.bits > best[reading.group].bits:
            best[reading.group] = reading
    if not best:
        return None
    first, *others = sorted(best.values(), key=lambda each: -each.bits)
    ahead = all(first.bits - other.bits >= AHEAD for other in others)
    return first._replace(is_certain=first.bits >= ENOUGH and ahead)


# The digits -----------------------------------------------------------------------------------------------------------


class Digits(NamedTuple):
    six: InertiaTensor
    units: tuple[float, ...]  # of the last digit of each that is not 0

    @classmethod
    def of(cls, block: WrittenBlock) -> Digits | None:
        places = []
        for each, value in zip(block.numerals, block.tensor, strict=True):
            if each is None and value:
                return None
            zeros = len(each.digits) - len(each.digits.rstrip("0")) if each is not None else 0
            places.append(each.last_place + zeros if each is not None and each.significant else None)
        known = [place for place in places if place is not None]
        if not known:
            return None
        # A bare 0 is rounded as finely as the others, or as rotations are.
        of_zero = max(10.0 ** min(known), _TURNED * max(map(abs, block.tensor)))
        units = tuple(10.0**place if place is not None else of_zero for place in places)
        return Digits(block.tensor, units)

    def agreement(self, six: Sequence[float], free: tuple[int, ...] = (), *, is_fitted: bool = False) -> float | None:
        """How many bits of the digits agree with a prediction; None where one entry does not."""
        units = self.units
        if not self.differing(six) <= {*free}:
            return None
        for share in (0.5, 1.0):
            limits = [share * unit + _NOISE * abs(value) for unit, value in zip(units, six, strict=True)]
            if all(abs(self.six[k] - six[k]) <= limits[k] for k in range(6) if k not in free):
                return self.bits(six, free, limits, is_fitted=is_fitted)
        limits = [max(unit, COARSE * abs(value)) for unit, value in zip(units, six, strict=True)]
        return self.bits(six, free, limits, is_fitted=is_fitted) - 1.0

    def differing(self, six: Sequence[float]) -> set[int]:
        """The entries that no rounding explains."""
        return {
            k
            for k, value in enumerate(six)
            if (apart := abs(self.six[k] - value)) > COARSE * abs(value) and apart > self.units[k] + _NOISE * abs(value)
        }

    def bits(
        self, six: Sequence[float], free: tuple[int, ...], limits: Sequence[float], *, is_fitted: bool = False
    ) -> float:
        terms, seen = [], [0.0]
        for k in sorted(set(range(6)).difference(free), key=lambda k: -abs(six[k])):
            distance = min(abs(abs(six[k]) - value) for value in seen)
            if distance > _NOISE * abs(six[k]):
                terms.append(max(0.0, min(_MOST_OF_ONE, log2(distance / (2.0 * limits[k])))))
            seen.append(abs(six[k]))
        return sum(terms) - (max(terms, default=0.0) if is_fitted else 0.0)


# The mistakes ---------------------------------------------------------------------------------------------------------


def readings(
    numbers: Digits, reference: Reference, block: WrittenBlock, references: float, *more: tuple[str, list[Try]]
) -> Iterator[Reading]:
    """All mistakes that agree, beside one of several references (their number in bits)."""
    families: list[tuple[str, list[Try]]] = [
        *more,
        ("reference point", list(_points(reference, block))),
        ("formula", list(_sizes(reference, block))),
    ]
    # Signs and axes leave the trace, one entry the others, a factor the ratios.
    if abs(numbers.six.trace - reference.tensor.trace) <= 3.0 * max(numbers.units) + COARSE * reference.tensor.trace:
        families += [("axes", list(_exchanged(reference))), ("axes", list(_of_angles(reference, block)))]
        families.append(("signs", list(_signs(reference))))
    families.append(("order", list(_listed(reference))))
    if len(numbers.differing(reference.tensor)) <= 2:
        of_entries = list(_entries(numbers, reference))
        causes = dict.fromkeys(each.cause for each in of_entries)
        families += [("digits", [each for each in of_entries if each.cause == cause]) for cause in causes]
    other_mass = list(_other_mass(numbers, reference))
    if not other_mass or not numbers.differing(other_mass[0].six):
        families += [("scale", other_mass), ("scale", list(_scales(reference)))]
    has_axes = False
    for group, tries in families:
        agreed = [numbers.agreement(each.six, each.free, is_fitted=each.is_fitted) for each in tries]
        hits = [(each, bits) for each, bits in zip(tries, agreed, strict=True) if bits is not None]
        if not hits:
            continue
        has_axes |= group in ("axes", "signs")
        count = log2(len({(each.free, *(f"{value:.5e}" for value in each.six)) for each in tries}))
        for each, bits in hits:
            right = reference.tensor if each.gives else None
            score = bits - count - references - BEFOREHAND - each.cost
            yield Reading(each.cause, group, each.sentence, right, score, each.centre)
    turned = _turned(numbers, reference, block)
    if turned is not None and not has_axes:
        yield turned._replace(bits=turned.bits - references - BEFOREHAND)


def _exchanged(reference: Reference) -> Iterator[Try]:
    # Without an exchange the turns of two axes are signs of products.
    for origins, signs in EXCHANGES[len(_TURNS) - 1 :]:
        six = [0.0] * 6
        for k, origin in enumerate(origins):
            six[origin] = reference.tensor[k] * signs[k]
        if any(abs(a - b) > COARSE * max(six[:3]) for a, b in zip(six, reference.tensor, strict=True)):
            named = " ".join("xyz"[origins[k]] for k in range(3))
            what = f"the axes are exchanged: what is written for {named} is {reference.name} about x y z"
            yield Try("axes-exchanged", what, six)


def _listed(reference: Reference) -> Iterator[Try]:
    for words, origins in ORDERS.items() if any(reference.tensor[3:]) else ():
        six = [0.0] * 6
        for k, origin in enumerate(origins):
            six[origin] = reference.tensor[k]
        yield Try("listed-in-other-order", f"{words}; put right they are those of {reference.name}", six)


def _of_angles(reference: Reference, block: WrittenBlock) -> Iterator[Try]:
    """The rotation of the inertial inverted, one too many, or in degrees."""
    if block.rotation == IDENTITY_ROTATION:
        return
    tensor = reference.tensor.rotated(block.rotation)
    is_inverted = "the rotation of the inertial is inverted: the other way round the tensor is that of"
    yield Try("rotation-inverted", f"{is_inverted} {reference.name}", tensor.rotated(block.rotation))
    what = f"the tensor is that of {reference.name} in the axes of the link, and the inertial turns it once more"
    yield Try("rotation-surplus", what, tensor)
    x, y, z, w = _quaternion(block.rotation)
    in_order = rotation_from_quaternion(w, x, y, z)
    words = "the quaternion of the inertial is written x y z w, where w x y z is read: put right the tensor is that of"
    yield Try("quaternion-order", f"{words} {reference.name}", tensor.rotated(transpose(in_order)))
    angles = [each for text in block.angle_texts if (each := parse_number(text)) is not None]
    if len(angles) == 3 and max(map(abs, angles)) > 2.0 * pi:
        in_degrees = rotation_from_rpy(*map(radians, angles))
        what = f"the angles of the inertial are degrees: in radians the tensor is that of {reference.name}"
        yield Try("angles-in-degrees", what, tensor.rotated(transpose(in_degrees)))


def _quaternion(rotation: Rotation) -> tuple[float, float, float, float]:
    """Its x, y, z and w."""
    a, b, c, d, e, f, g, h, i = rotation
    w, x, y, z = (0.5 * sqrt(max(0.0, 1.0 + s)) for s in (a + e + i, a - e - i, e - a - i, i - a - e))
    signs = {w: (h - f, c - g, d - b, 1.0), x: (1.0, b + d, c + g, h - f)}
    signs |= {y: (b + d, 1.0, f + h, c - g), z: (c + g, f + h, 1.0, d - b)}
    sx, sy, sz, sw = signs[max(w, x, y, z)]
    return copysign(x, sx), copysign(y, sy), copysign(z, sz), copysign(w, sw)


def _turned(numbers: Digits, reference: Reference, block: WrittenBlock) -> Reading | None:
    """The principal moments of the shape in other axes: those of a rotation that was lost, or that is too many."""
    six = numbers.six
    is_aligned = not any(abs(each) > COARSE * max(reference.tensor[:3]) for each in (*six[3:], *reference.tensor[3:]))
    if is_aligned or not max(six[:3]) > 0.0:
        return None
    # No principal moment changes by more than the largest sum of a row of changes.
    rows = ((0, 3, 4), (3, 1, 5), (4, 5, 2))
    unit = max(sum(numbers.units[k] for k in row) for row in rows)
    moments = InertiaTensor(*principal_moments(six))
    wanted = InertiaTensor(*principal_moments(reference.tensor))
    bits = Digits(moments, (unit,) * 6).agreement(wanted)
    if bits is None:
        return None
    if any(abs(value) > unit for value in six[3:]):
        cause = "in-other-axes"
        what = f"a rotation is lost: the principal moments are those of {reference.name}, and its axes are others"
    else:
        cause = "rotation-missing"
        what = f"the tensor is about the axes of {reference.name} itself, and its rotation is missing"
    # Its own axes, those of the shape, the inverse, those of the joint; each with the axes exchanged.
    return Reading(cause, "axes", what, reference.tensor, bits - log2(24.0))


def _signs(reference: Reference) -> Iterator[Try]:
    products = [k for k in (3, 4, 5) if abs(reference.tensor[k]) > _TURNED * max(reference.tensor[:3])]
    for count in (3, 2, 1):
        for chosen in combinations(products, count):
            six = [-value if k in chosen else value for k, value in enumerate(reference.tensor)]
            cause = "products-cad-signs" if len(chosen) == len(products) else "product-sign"
            names = " and ".join(ENTRIES[k] for k in chosen)
            has = "has" if count == 1 else "have"
            yield Try(cause, f"{names} {has} the other sign than those of {reference.name}", six)


def _points(reference: Reference, block: WrittenBlock) -> Iterator[Try]:
    written = rotate(transpose(block.rotation), block.centre)
    for offset in (written, reference.centre) if written != reference.centre else (written,):
        if not any(offset):
            continue
        for times, cause, what in (
            (1.0, "about-link-origin", "is about the origin of the link, not about the centre of mass"),
            (-1.0, "parallel-axis-subtracted", "has the parallel-axis term taken away once too often"),
            (2.0, "parallel-axis-wrong-way", "has the parallel-axis term added where it had to be taken away"),
        ):
            six = reference.tensor.with_point_mass(times * block.mass, offset)
            is_moved = offset is not written and not any(written)
            centre = rotate(block.rotation, offset) if is_moved else None
            yield Try(cause, f"the tensor of {reference.name} {what}", six, centre=centre)
    if reference.own is not None:
        what = f"the tensors of {reference.name} were added without their parallel-axis terms"
        yield Try("parts-summed-without-parallel-axis", what, reference.own)


def _sizes(reference: Reference, block: WrittenBlock) -> Iterator[Try]:
    """One size doubled, halved, or left out, and the diameter for the radius."""
    shape = reference.shape
    if shape is None or shape.shape is None:
        return
    kind, sizes = shape.shape
    names = {"box": "xyz", "ellipsoid": "xyz", "sphere": ("radius",)}.get(kind, ("radius", "length"))
    back = transpose(block.rotation)
    for place, name in enumerate(names):
        for times in (2.0, 0.5):
            other = Primitive(kind, tuple(size * times if k == place else size for k, size in enumerate(sizes)))
            six = other.inertia(1.0).scaled_to_mass(block.mass).I_BBcm_B.rotated(shape.pose.rotation).rotated(back)
            is_radius = name == "radius" and times == 2.0
            cause = "diameter-for-radius" if is_radius else "shape-of-another-size"
            half = "twice" if times == 2.0 else "half"
            what = "the diameter for the radius" if is_radius else f"{half} its {name}"
            yield Try(cause, f"the tensor is that of {reference.name} with {what}", six)


def _entries(numbers: Digits, reference: Reference) -> Iterator[Try]:
    """One entry, or two moments that are equal by symmetry, which may be a formula that slipped."""
    right, six = reference.tensor, numbers.six
    moments = right[:3]
    # Moments of the shape along the axes; the table of formulas that are mistaken for another.
    along = [0.5 * sum(moments) - moment for moment in moments]
    sets: list[tuple[int, ...]] = [(k,) for k in range(6)]
    pairs = [pair for pair in combinations(range(3), 2) if abs(right[pair[0]] - right[pair[1]]) <= COARSE * moments[0]]
    sets += [pair for pair in pairs if six[pair[0]] == six[pair[1]]]
    for free in sets:
        names = " and ".join(ENTRIES[k] for k in free)
        if len(free) == 1:
            yield Try("one-entry-wrong", f"all but {names} are those of {reference.name}", right, free)
            if right[free[0]] > 0.0 and free[0] < 3:
                changed = [-value if j in free else value for j, value in enumerate(right)]
                yield Try("negative-moment", f"{names} is negative; all else is {reference.name}'s", changed)
            for power in _POWERS if right[free[0]] else ():
                changed = [value * 10.0**power if j in free else value for j, value in enumerate(right)]
                places = f"{abs(power)} place{'s' if abs(power) > 1 else ''} too far {'right' if power > 0 else 'left'}"
                what = f"the decimal point of {names} is {places}; all else is {reference.name}'s"
                yield Try("decimal-point", what, changed)
        if free[0] > 2:
            continue
        k = free[0]
        others = [j for j in range(3) if j not in free]
        formulas = [(f"that of {ENTRIES[j]} again", moments[j]) for j in others]
        if reference.name == "its sphere":
            formulas += [("half as much as that of a ball", 0.5 * moments[k])]
        formulas += [(f"m/12 (or m/4) of the size along {'xyz'[j]} alone, as of a rod", along[j]) for j in range(3)]
        formulas += [(f"with the size along {'xyz'[j]} twice", 2.0 * along[j]) for j in range(3)]
        formulas += [("twice as much", 2.0 * moments[k]), ("half as much", 0.5 * moments[k])]
        formulas.append(("without the mass, which was left out", moments[k] / reference.mass))
        for words, value in formulas:
            if abs(value - moments[k]) > COARSE * moments[k]:
                changed = [value if j in free else each for j, each in enumerate(right)]
                what = f"{names} {'is' if len(free) == 1 else 'are'} {words}"
                yield Try("formula-slip", f"{what}; all else is {reference.name}'s", changed)


def _scales(reference: Reference) -> Iterator[Try]:
    """All entries times one factor: which of mass and tensor is wrong is not known, so that nothing is put right."""
    mass, of, which = reference.mass, f"the tensor is that of {reference.name}", _which(reference)
    known = [(1.0 / mass, "mass-left-out", f"{of} at 1 kg, not multiplied by its mass")]
    for density in (1.0, 1000.0):
        weight = density * reference.volume
        words = f"{of} at {density:g} kg/m³, at which it would weigh {weight:.4g} kg, {which}"
        known.append((weight / mass, "default-density", words))
    known += [(times, "tensor-units", f"{of} in {unit}, {which}") for unit, times in TENSOR_UNITS.items()]
    known += [
        (10.0**power, "tensor-units", f"{of} times {10.0**power:g}: the mass or the tensor is wrong")
        for power in _POWERS
        if 10.0**power not in TENSOR_UNITS.values()
    ]
    for factor, cause, words in known:
        if abs(factor - 1.0) > 0.02:
            yield Try(cause, words, [factor * value for value in reference.tensor], gives=False)


def _other_mass(numbers: Digits, reference: Reference) -> Iterator[Try]:
    """One shape at a mass that is fitted; sums of several come near anything."""
    largest = max(range(3), key=reference.tensor.__getitem__)
    factor = numbers.six[largest] / reference.tensor[largest]
    if reference.is_one and factor > 0.0 and abs(factor - 1.0) > 0.02:
        words = f"the tensor is that of {reference.name} at {factor * reference.mass:.4g} kg, {_which(reference)}"
        six = [factor * value for value in reference.tensor]
        yield Try("mass-changed", words, six, is_fitted=True, gives=False)


def _which(reference: Reference) -> str:
    return f"and the mass is {reference.mass:.4g} kg: the mass or the tensor is wrong"
