"""One mistake that turns a reference into all six entries: bits of digits that agree, less those of what was tried."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from math import log2
from typing import NamedTuple

import numpy as np

from sdfinertia.causes.case import Drawn
from sdfinertia.causes.operations import EXCHANGES, ORDERS, POWERS, SIGNS, TURNS
from sdfinertia.causes.scale import TENSOR_UNITS
from sdfinertia.inertia import InertiaTensor
from sdfinertia.inertia.inertial_text import negated_text
from sdfinertia.inertia.principal_axes import principal_moments
from sdfinertia.inertia.rigid_transform import (
    IDENTITY_ROTATION,
    Rotation,
    Vector3,
    quaternion_from_rpy,
    rotate,
    rotation_from_quaternion,
    rpy_from_rotation,
    transpose,
)
from sdfinertia.links.written_block import ENTRIES, EntryTexts, WrittenBlock
from sdfinertia.shapes import Primitive

# Bits from which digits decide, and by which one group must lead all others to be certain; what a search costs before
# anything is tried; and the most that one number counts (six digits). Fitted to 4,737 public blocks: 71 of 71 right.
ENOUGH, AHEAD = 5.0, 3.0
BEFOREHAND, _MOST_OF_ONE = 4.0, 20.0
COARSE, _NOISE, _TURNED = 5e-4, 1e-9, 1e-8


class Reading(NamedTuple):
    """One mistake that gives the entries written, and the bits that show it."""

    cause: str
    group: str
    sentence: str
    right: InertiaTensor | None  # the tensor without it, in the axes written; None where it is not known what is wrong
    bits: float
    centre: Vector3 | None = None  # the right one in link axes (m), where it is wrong
    is_certain: bool = False  # no mistake of another group comes near

    @property
    def decides(self) -> bool:
        return self.bits >= ENOUGH

    def put_right(self, written: WrittenBlock) -> WrittenBlock | None:
        """The block without the mistake; numbers that are in it already keep their digits."""
        if self.right is None:
            return None
        numbers = Digits.of(written)
        assert numbers is not None, "it was read"
        values, texts = [], []
        for k, value in enumerate(self.right):
            near = (j for j in (k, *range(6)) if abs(abs(written.tensor[j]) - abs(value)) <= numbers.units[j])
            old = next(near, None)
            text = "" if old is None or abs(value) <= COARSE**2 * max(self.right) else written.entry_texts[old]
            if text and (written.tensor[old or 0] < 0.0) != (value < 0.0):
                text = negated_text(text)
            texts.append(text)
            values.append(float(text) if text else value)
        centre = self.centre or written.centre
        centre_texts = written.centre_texts if centre == written.centre else ("", "", "")
        tensor, entry_texts = InertiaTensor(*values), EntryTexts(*texts)
        return replace(written, centre=centre, tensor=tensor, entry_texts=entry_texts, centre_texts=centre_texts)


class Reference(NamedTuple):
    """A body that the tensor may be that of, at the mass and in the axes written."""

    name: str  # as its box, its collisions
    tensor: InertiaTensor
    centre: Vector3  # in the axes written, from the origin of the link
    shape: Drawn | None
    volume: float
    mass: float
    own: InertiaTensor | None = None  # of several parts, added without their parallel-axis terms
    is_whole: bool = True  # all collisions, or all visuals
    rotation: Rotation = IDENTITY_ROTATION  # of its inertial in the link, where it is that of another file


class Try(NamedTuple):
    """What would be written after a mistake; entries in `free` may be anything."""

    cause: str
    sentence: str
    six: Sequence[float]
    free: tuple[int, ...] = ()
    is_fitted: bool = False
    gives: bool = True  # whether the reference is right then
    centre: Vector3 | None = None  # of the link, where it is wrong too


# A kind of mistake: its group, how many variants it has (0 for as many as differ: the more, the less one counts), and
# what they give.
Family = tuple[str, int, "Sequence[Try]"]


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
        return Digits(block.tensor, tuple(10.0**place if place is not None else of_zero for place in places))

    def allow(self, entry: int, value: float) -> bool:
        """Whether rounding explains how far an entry is from a prediction."""
        size = abs(value)
        return abs(value - self.six[entry]) <= max(COARSE * size, self.units[entry] + _NOISE * size)

    def agree(self, six: Sequence[float], free: tuple[int, ...] = ()) -> bool:
        return all(self.allow(k, value) or k in free for k, value in enumerate(six))

    def agreement(self, six: Sequence[float], free: tuple[int, ...] = (), *, is_fitted: bool = False) -> float:
        """How many bits of the digits agree with a prediction that they allow."""
        both = list(zip(self.units, map(abs, six), strict=True))
        for share in (0.5, 1.0):
            limits = [share * unit + _NOISE * size for unit, size in both]
            if all(abs(self.six[k] - six[k]) <= limits[k] for k in range(6) if k not in free):
                return self.bits(six, free, limits, is_fitted=is_fitted)
        return self.bits(six, free, [max(unit, COARSE * size) for unit, size in both], is_fitted=is_fitted) - 1.0

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


def readings(numbers: Digits, reference: Reference, block: WrittenBlock, references: float) -> Iterator[Reading]:
    """All mistakes that agree, beside one of several references (their number in bits)."""
    has_axes = False
    for group, variants, tries in _families(numbers, reference, block):
        for one in tries:
            if not numbers.agree(one.six, one.free):
                continue
            has_axes |= group in ("axes", "signs")
            bits = numbers.agreement(one.six, one.free, is_fitted=one.is_fitted)
            bits -= log2(variants or _distinct(each.six for each in tries)) + references + BEFOREHAND
            yield Reading(one.cause, group, one.sentence, reference.tensor if one.gives else None, bits, one.centre)
    turned = None if has_axes else _turned(numbers, reference)
    if turned is not None:
        yield turned._replace(bits=turned.bits - references - BEFOREHAND)


def _distinct(rows: Iterable[Sequence[float]]) -> int:
    return len({tuple(f"{value:.5e}" for value in row) for row in rows})


def _families(numbers: Digits, reference: Reference, block: WrittenBlock) -> Iterator[Family]:
    tensor, name, ratio = reference.tensor, reference.name, numbers.six.trace / reference.tensor.trace
    yield "reference point", 0, list(_points(reference, block))
    # A size that is doubled makes no moment more than four times as large.
    if 0.2 < ratio < 5.0:
        yield "formula", 0, list(_sizes(reference, block))
    # Signs and axes leave the trace, one entry the others, a factor the ratios.
    if abs(numbers.six.trace - tensor.trace) <= 3.0 * max(numbers.units) + COARSE * tensor.trace:
        # Without an exchange the turns of two axes are signs of products.
        made = EXCHANGES.made(np.array(tensor)).tolist()[TURNS:]
        what, of, largest = "the axes are exchanged: what is written for", f"is {name} about x y z", max(tensor[:3])
        exchanged = [
            Try("axes-exchanged", f"{what} {words} {of}", six)
            for words, six in zip(EXCHANGES.words[TURNS:], made, strict=True)
            if any(abs(a - b) > COARSE * largest for a, b in zip(six, tensor, strict=True))
        ]
        yield "axes", 0, exchanged
        yield "axes", 0, list(_rotations(reference, block))
        yield "signs", 0, list(_signs(reference))
    if any(tensor[3:]):
        of, cause = f"put right they are those of {name}", "listed-in-other-order"
        listed = zip(ORDERS.words, ORDERS.made(np.array(tensor)).tolist(), strict=True)
        yield "order", 0, [Try(cause, f"{words}; {of}", six) for words, six in listed]
    yield from _entries(numbers, reference)
    yield from _scales(numbers, reference)


def _rotations(reference: Reference, block: WrittenBlock) -> Iterator[Try]:
    """The tensor in axes that the rotation of the inertial, or its lack, makes wrong."""
    R, what, name = block.rotation, "the rotation of the inertial", reference.name
    in_link = reference.tensor.rotated(R)
    if R != IDENTITY_ROTATION:
        words = f"{what} is inverted: the other way round the tensor is that of {name}"
        yield Try("rotation-inverted", words, in_link.rotated(R))
        words = f"the tensor is that of {name} in the axes of the link, and the inertial turns it once more"
        yield Try("rotation-surplus", words, in_link)
        x, y, z, w = quaternion_from_rpy(*rpy_from_rotation(R))
        words = "the quaternion of the inertial is written x y z w, where w x y z is read: "
        words += f"put right the tensor is that of {name}"
        yield Try("quaternion-order", words, in_link.rotated(transpose(rotation_from_quaternion(w, x, y, z))))
    if reference.rotation != IDENTITY_ROTATION:
        theirs, back = transpose(reference.rotation), transpose(R)
        own = in_link.rotated(theirs)
        yield Try("rotation-missing", f"{what}'s axes is lost that {name} has", own.rotated(back))
        yield Try("rotation-inverted", f"{what}'s axes is inverted", own.rotated(theirs).rotated(back))


def _turned(numbers: Digits, reference: Reference) -> Reading | None:
    """The tensor in any other axes: its principal moments are the reference's."""
    six, tensor = numbers.six, reference.tensor
    is_aligned = not any(abs(each) > COARSE * max(tensor[:3]) for each in (*six[3:], *tensor[3:]))
    is_far = abs(six.trace - tensor.trace) > COARSE * tensor.trace + sum(numbers.units)
    if is_aligned or is_far or not max(six[:3]) > 0.0:
        return None
    # No principal moment changes by more than the largest sum of a row of changes.
    unit = max(sum(numbers.units[k] for k in row) for row in ((0, 3, 4), (3, 1, 5), (4, 5, 2)))
    moments = Digits(InertiaTensor(*principal_moments(six)), (unit,) * 6)
    wanted = InertiaTensor(*principal_moments(tensor))
    if not moments.agree(wanted):
        return None
    cause = "rotation-missing"
    what = f"the tensor is about the axes of {reference.name} itself, and its rotation is missing"
    if any(abs(value) > unit for value in six[3:]):
        cause = "in-other-axes"
        what = f"a rotation is lost: the principal moments are those of {reference.name}, and its axes are others"
    # Its own axes, those of the shape, the inverse, those of the joint; each with the axes exchanged.
    return Reading(cause, "axes", what, tensor, moments.agreement(wanted) - log2(24.0))


def _signs(reference: Reference) -> Iterator[Try]:
    present = [abs(reference.tensor[k]) > _TURNED * max(reference.tensor[:3]) for k in (3, 4, 5)]
    for names, factors in zip(SIGNS.words, SIGNS.signs.tolist(), strict=True):
        negative = [factor < 0.0 for factor in factors[3:]]
        if any(turned and not there for turned, there in zip(negative, present, strict=True)):
            continue
        cause = "products-cad-signs" if negative == present else "product-sign"
        has = "has" if sum(negative) == 1 else "have"
        six = [factor * value for factor, value in zip(factors, reference.tensor, strict=True)]
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
    shape = reference.shape
    if shape is None or shape.shape is None:
        return
    kind, sizes = shape.shape
    names = {"box": "xyz", "ellipsoid": "xyz", "sphere": ("radius",)}.get(kind, ("radius", "length"))
    for place, name in enumerate(names):
        for times in (2.0, 0.5):
            cause, what = "shape-of-another-size", f"{'twice' if times > 1.0 else 'half'} its {name}"
            if (name, times) == ("radius", 2.0):
                cause, what = "diameter-for-radius", "the diameter for the radius"
            other = Primitive(kind, tuple(size * times if k == place else size for k, size in enumerate(sizes)))
            tensor = other.inertia(1.0).scaled_to_mass(block.mass).I_BBcm_B.rotated(shape.pose.rotation)
            words = f"the tensor is that of {reference.name} with {what}"
            yield Try(cause, words, tensor.rotated(transpose(block.rotation)))


def _entries(numbers: Digits, reference: Reference) -> Iterator[Family]:
    """One entry that is wrong, or two moments that are equal."""
    right, six, all_else = reference.tensor, numbers.six, f"all else is {reference.name}'s"
    moments = right[:3]
    pairs = [(i, j) for i, j in combinations(range(3), 2) if abs(right[i] - right[j]) <= COARSE * moments[0]]
    pairs = [(i, j) for i, j in pairs if six[i] == six[j]]
    free = tuple(k for k in range(6) if not numbers.allow(k, right[k]))
    if not (len(free) == 1 or free in pairs):
        return
    names, k = " and ".join(ENTRIES[k] for k in free), free[0]

    def changed(cause: str, words: str, value: float) -> Try:
        return Try(cause, words, [value if j in free else right[j] for j in range(6)])

    if len(free) == 1:
        what = f"all but {names} are those of {reference.name}"
        yield "digits", 6, [Try("one-entry-wrong", what, right, free)]
        if right[k] > 0.0 and k < 3:
            yield "digits", 3, [changed("negative-moment", f"{names} is negative; {all_else}", -right[k])]
        of_powers = []
        for power in POWERS if right[k] else ():
            places = f"{abs(power)} place{'s' if abs(power) > 1 else ''} too far {'right' if power > 0 else 'left'}"
            words = f"the decimal point of {names} is {places}; {all_else}"
            of_powers.append(changed("decimal-point", words, right[k] * 10.0**power))
        yield "digits", len(POWERS) * sum(map(bool, right)), of_powers
    if k > 2:
        return
    # Moments of the shape along the axes; the table of formulas that are mistaken for another.
    along = [0.5 * sum(moments) - moment for moment in moments]
    formulas = [(f"that of {ENTRIES[j]} again", moments[j]) for j in range(3) if j not in free]
    formulas += [(f"m/12 (or m/4) of the size along {'xyz'[j]} alone, as of a rod", along[j]) for j in range(3)]
    formulas += [(f"with the size along {'xyz'[j]} twice", 2.0 * along[j]) for j in range(3)]
    formulas += [("twice as much", 2.0 * moments[k]), ("half as much", 0.5 * moments[k])]
    formulas.append(("without the mass, which was left out", moments[k] / reference.mass))
    is_are = "is" if len(free) == 1 else "are"
    tries = [
        changed("formula-slip", f"{names} {is_are} {words}; {all_else}", value)
        for words, value in formulas
        if abs(value - moments[k]) > COARSE * moments[k]
    ]
    yield "digits", (3 + len(pairs)) * _distinct([value] for _, value in formulas), tries


def _scales(numbers: Digits, reference: Reference) -> Iterator[Family]:
    """The tensor times one factor, of which nothing says whether the mass or the tensor has it."""
    mass, of = reference.mass, f"the tensor is that of {reference.name}"
    which = f"and the mass is {mass:.4g} kg: the mass or the tensor is wrong"

    def scaled(factor: float, cause: str, words: str, *, is_fitted: bool = False) -> Try:
        six = [factor * value for value in reference.tensor]
        return Try(cause, f"{of} {words}", six, is_fitted=is_fitted, gives=False)

    largest = max(range(3), key=reference.tensor.__getitem__)
    factor = numbers.six[largest] / reference.tensor[largest]
    # A sum of shapes comes near anything at a mass that is fitted.
    if reference.own is None and factor > 0.0 and abs(factor - 1.0) > 0.02:
        other = scaled(factor, "mass-changed", f"at {factor * mass:.4g} kg, {which}", is_fitted=True)
        if not numbers.agree(other.six):
            return
        yield "scale", 0, [other]
    known = [(1.0 / mass, "mass-left-out", "at 1 kg, not multiplied by its mass")]
    for density in (1.0, 1000.0):
        weight = density * reference.volume
        words = f"at {density:g} kg/m³, at which it would weigh {weight:.4g} kg, {which}"
        known.append((weight / mass, "default-density", words))
    known += [(times, "tensor-units", f"in {unit}, {which}") for unit, times in TENSOR_UNITS.items()]
    known += [
        (10.0**power, "tensor-units", f"times {10.0**power:g}: the mass or the tensor is wrong")
        for power in POWERS
        if not any(abs(10.0**power / times - 1.0) < 1e-9 for times in TENSOR_UNITS.values())
    ]
    yield "scale", 0, [scaled(*each) for each in known if abs(each[0] - 1.0) > 0.02]
