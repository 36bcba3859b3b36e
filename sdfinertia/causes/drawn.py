"""Digits decide on primitives: one mistake that turns the tensor of a drawn shape into all six entries written.

Its score is in bits: those that the digits agree in, less those of what was tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations, permutations, product
from math import log2, pi, radians
from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.errors import SdfInertiaError
from sdfinertia.inertia.nearest_valid import largest_factor
from sdfinertia.inertia.numeral import negated_text
from sdfinertia.inertia.principal_axes import principal_moments
from sdfinertia.inertia.rigid_transform import (
    IDENTITY_ROTATION,
    RigidTransform,
    Vector3,
    rotate,
    rotation_from_rpy,
    transpose,
)
from sdfinertia.inertia.spatial_inertia import InertiaTensor, SpatialInertia, welded
from sdfinertia.links.written_block import ENTRIES, EntryTexts, WrittenBlock
from sdfinertia.robot.numbers import parse_number
from sdfinertia.robot.poses import product as product_of_poses
from sdfinertia.robot.solid_kinds import COLLISION, VISUAL, SolidKind
from sdfinertia.shapes import Bounds, NoVolume, Primitive

if TYPE_CHECKING:
    from sdfinertia.links.study import Study

# Bits from which digits decide, and by which one group must lead all others to be certain; what a search costs before
# anything is tried; and the most that one number counts (six digits). Fitted to 4,737 public blocks: 71 of 71 right.
ENOUGH, AHEAD = 5.0, 3.0
_BEFOREHAND, _MOST_OF_ONE = 4.0, 20.0
AGREES_AS_WRITTEN, _COARSE, _NOISE = 1.02, 5e-4, 1e-9
_MOST_SHAPES = 4  # of which each may be the part by itself
_WALLS = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4)  # thicknesses of hollow bodies, as parts of their smallest size
_POUND = 0.45359237
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
    """A solid of a link; `shape` is None for what is no primitive."""

    kind: SolidKind
    shape: Primitive | None
    pose: RigidTransform


class Reading(NamedTuple):
    """One mistake that gives the entries written, and the bits that show it.

    Attributes:
        right: the tensor without it, in the axes written; None where it is not known what is wrong.
        centre: the right one in link axes (m), where the mistake has left it at 0 0 0.
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
        numbers = _Digits.of(written)
        assert numbers is not None, "it was read"
        values, texts = [], []
        for k, value in enumerate(self.right):
            old = next(
                (j for j in (k, *range(6)) if abs(abs(written.tensor[j]) - abs(value)) <= numbers.units[j]), None
            )
            text = "" if old is None or abs(value) <= _COARSE**2 * max(self.right) else written.entry_texts[old]
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


class _Reference(NamedTuple):
    """A body that the tensor may be that of, at the mass and in the axes written."""

    name: str  # as its box, its collisions
    tensor: InertiaTensor
    centre: Vector3  # in the axes written, from the origin of the link
    shape: Drawn | None
    volume: float
    mass: float
    own: InertiaTensor | None = None  # of parts, added without their parallel-axis terms


class _Try(NamedTuple):
    """What would be written after a mistake; entries in `free` may be anything."""

    cause: str
    sentence: str
    six: Sequence[float]
    free: tuple[int, ...] = ()
    cost: float = 0.0
    is_fitted: bool = False
    gives: bool = True  # whether the reference is right then
    centre: Vector3 | None = None  # of the link, where it is wrong too


def drawn_solids(study: Study) -> tuple[Drawn, ...]:
    """The solids of a link; none where one cannot be read."""
    found = []
    try:
        for kind in (COLLISION, VISUAL):
            for solid in study.link.solids(kind):
                shape = solid.shape()
                if not isinstance(shape, NoVolume):
                    X_LG = product_of_poses(solid.placement(study.context))
                    found.append(Drawn(kind, shape if isinstance(shape, Primitive) else None, X_LG))
    except SdfInertiaError:
        return ()
    return tuple(found)


@lru_cache(maxsize=1024)
def reading_of(block: WrittenBlock, drawn: tuple[Drawn, ...], box: Bounds | None) -> Reading | None:
    """The mistake that the digits show, with however few bits; None where a shape agrees as written.

    A rule asks, and the search for causes; and robots have the same wheel four times.
    """
    numbers = _Digits.of(block)
    if numbers is None or not block.mass > 0.0 or not any(each.shape for each in drawn):
        return None
    try:
        references = _references(block, drawn)
        if not references or any(_is_honest(numbers, each, block) for each in (*references, *_around(block, box))):
            return None
        found = [one for each in references for one in _readings(numbers, each, block, log2(len(references)))]
    except (SdfInertiaError, ArithmeticError):
        return None
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


class _Digits(NamedTuple):
    six: InertiaTensor
    units: tuple[float, ...]  # of the last digit of each that is not 0

    @classmethod
    def of(cls, block: WrittenBlock) -> _Digits | None:
        places = []
        for each in block.numerals:
            if each is None:
                return None
            zeros = len(each.digits) - len(each.digits.rstrip("0"))
            places.append(each.last_place + zeros if each.significant else None)
        known = [place for place in places if place is not None]
        if not known:
            return None
        # A bare 0 is rounded as finely as the others.
        finest = min(known)
        units = tuple(10.0 ** (place if place is not None else finest) for place in places)
        digits = _Digits(block.tensor, units)
        most = digits.bits(block.tensor, (), [0.5 * unit for unit in units])
        return digits if most - _BEFOREHAND > 0.0 else None

    def agreement(self, six: Sequence[float], free: tuple[int, ...] = (), *, is_fitted: bool = False) -> float | None:
        """How many bits of the digits agree with a prediction; None where one entry does not."""
        units = self.units
        if not self.differing(six) <= {*free}:
            return None
        for share in (0.5, 1.0):
            limits = [share * unit + _NOISE * abs(value) for unit, value in zip(units, six, strict=True)]
            if all(abs(self.six[k] - six[k]) <= limits[k] for k in range(6) if k not in free):
                return self.bits(six, free, limits, is_fitted=is_fitted)
        limits = [max(unit, _COARSE * abs(value)) for unit, value in zip(units, six, strict=True)]
        return self.bits(six, free, limits, is_fitted=is_fitted) - 1.0

    def differing(self, six: Sequence[float]) -> set[int]:
        """The entries that no rounding explains."""
        return {
            k
            for k, value in enumerate(six)
            if (apart := abs(self.six[k] - value)) > _COARSE * abs(value)
            and apart > self.units[k] + _NOISE * abs(value)
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


# The shapes -----------------------------------------------------------------------------------------------------------


def _references(block: WrittenBlock, drawn: Sequence[Drawn]) -> list[_Reference]:
    back = transpose(block.rotation)
    found: list[_Reference] = []

    def add(name: str, body: SpatialInertia, shape: Drawn | None, parts: Sequence[SpatialInertia] = ()) -> None:
        at_mass = body.scaled_to_mass(block.mass)
        tensor = at_mass.I_BBcm_B.rotated(back)
        size = _COARSE * _COARSE * max(tensor[:3])
        if any(all(abs(a - b) <= size for a, b in zip(each.tensor, tensor, strict=True)) for each in found):
            return
        own = None
        if len(parts) > 1:
            sums = (sum(part.I_BBcm_B[k] for part in parts) * block.mass / body.mass for k in range(6))
            own = InertiaTensor(*sums).rotated(back)
        found.append(_Reference(name, tensor, rotate(back, body.p_BoBcm_B), shape, body.mass, block.mass, own))

    for kind in (COLLISION, VISUAL):
        of_kind = [each for each in drawn if each.kind is kind]
        bodies = [(each, each.shape.inertia(1.0).transformed(each.pose)) for each in of_kind if each.shape is not None]
        if len(bodies) == len(of_kind) > 1:
            parts = [body for _, body in bodies]
            add(f"its {kind.element}s", welded(parts), None, parts)
        if len(of_kind) <= _MOST_SHAPES:
            for each, body in bodies:
                add(f"its {each.shape.kind}" if each.shape else "", body, each)
    return found


def _around(block: WrittenBlock, box: Bounds | None) -> Iterator[_Reference]:
    """The box round all that is drawn, of which a simple tensor may be."""
    if box is not None and min(box.sizes) > 0.0:
        whole = Primitive("box", box.sizes)
        shape = Drawn(COLLISION, whole, RigidTransform(IDENTITY_ROTATION, box.middle))
        tensor = whole.inertia(1.0).scaled_to_mass(block.mass).I_BBcm_B.rotated(transpose(block.rotation))
        yield _Reference("the box round it", tensor, box.middle, shape, 0.0, block.mass)


def _is_honest(numbers: _Digits, reference: _Reference, block: WrittenBlock) -> bool:
    """Whether a body of this shape, solid, hollow, inscribed or bounding, has the entries written."""
    if _agrees(numbers, reference.tensor):
        return True
    if reference.shape is None:
        return False
    back, pose = transpose(block.rotation), reference.shape.pose.rotation
    return any(_agrees(numbers, tensor.rotated(pose).rotated(back)) for tensor in _other_bodies(reference, block.mass))


def _agrees(numbers: _Digits, tensor: InertiaTensor) -> bool:
    apart = (abs(a - b) for a, b in zip(numbers.six, tensor, strict=True))
    if all(distance <= unit for distance, unit in zip(apart, numbers.units, strict=True)):
        return True
    if not 1.0 / AGREES_AS_WRITTEN <= numbers.six.trace / tensor.trace <= AGREES_AS_WRITTEN:
        return False
    return min(tensor[:3]) > 0.0 and largest_factor(numbers.six, tensor) <= AGREES_AS_WRITTEN


def _other_bodies(reference: _Reference, mass: float) -> Iterator[InertiaTensor]:
    """Hollow, inscribed and bounding bodies of a primitive, in its own axes."""
    assert reference.shape is not None
    assert reference.shape.shape is not None
    kind, sizes = reference.shape.shape
    if kind == "box":
        spans = sizes
    elif kind == "sphere":
        spans = (2.0 * sizes[0],) * 3
    elif kind == "ellipsoid":
        spans = tuple(2.0 * size for size in sizes)
    else:
        length = sizes[1] + (2.0 * sizes[0] if kind == "capsule" else 0.0)
        spans = (2.0 * sizes[0], 2.0 * sizes[0], length)
    x, y, z = (mass * span * span for span in spans)
    # A box, an ellipsoid, and a cylinder along each axis, of these sizes; and the ellipsoid around, or the cylinder.
    squares: list[tuple[float, ...]] = [(x / 12.0, y / 12.0, z / 12.0), (x / 20.0, y / 20.0, z / 20.0)]
    squares += [tuple(s / (12.0 if k == axis else 16.0) for k, s in enumerate((x, y, z))) for axis in range(3)]
    # Boxes in a cylinder, and balls of the least and the largest size.
    squares += [(x / 24.0, y / 24.0, z / 12.0)]
    squares += [(s / 20.0,) * 3 for s in (min(x, y, z), max(x, y, z), x + y + z)]
    yield from (InertiaTensor(b + c, a + c, a + b) for a, b, c in squares)
    if kind == "sphere":
        # Of any thickness.
        yield from (InertiaTensor(m, m, m) for m in (x / 4.0 * (0.4 + 0.01 * k) for k in range(28)))
    elif kind == "cylinder":
        # A tube, ring or disc: the inner radius over the outer, squared.
        for part in (0.02 * k for k in range(51)):
            for along in (z / 12.0, 0.0):
                across = x / 16.0 * (1.0 + part)
                yield InertiaTensor(across + along, across + along, 2.0 * across)
    thinnest = min(spans)
    for wall in _WALLS:
        inner = tuple(span - 2.0 * wall * thinnest for span in spans)
        if kind in ("box", "cylinder", "ellipsoid", "capsule"):
            share = inner[0] * inner[1] * inner[2] / (spans[0] * spans[1] * spans[2])
            a, b, c = ((s - share * mass * i * i) / (1.0 - share) for s, i in zip((x, y, z), inner, strict=True))
            of = {"box": (12.0, 12.0), "cylinder": (16.0, 12.0)}.get(kind, (20.0, 20.0))
            a, b, c = a / of[0], b / of[0], c / of[1]
            yield InertiaTensor(b + c, a + c, a + b)


# The mistakes ---------------------------------------------------------------------------------------------------------


def _readings(numbers: _Digits, reference: _Reference, block: WrittenBlock, references: float) -> Iterator[Reading]:
    families: list[tuple[str, list[_Try]]] = [
        ("reference point", list(_points(reference, block))),
        ("formula", list(_sizes(reference, block))),
    ]
    # Signs and axes leave the trace, one entry the others, a factor the ratios.
    if abs(numbers.six.trace - reference.tensor.trace) <= 3.0 * max(numbers.units) + _COARSE * reference.tensor.trace:
        families.append(("axes", [*_exchanged(reference), *_of_angles(reference, block)]))
        families.append(("signs", list(_signs(reference))))
    if len(numbers.differing(reference.tensor)) <= 2:
        of_entries = list(_entries(numbers, reference))
        causes = dict.fromkeys(each.cause for each in of_entries)
        families += [("digits", [each for each in of_entries if each.cause == cause]) for cause in causes]
    other_mass = list(_other_mass(numbers, reference))
    if not other_mass or not numbers.differing(other_mass[0].six):
        families += [("scale", other_mass), ("scale", list(_scales(reference)))]
    for group, tries in families:
        agreed = [numbers.agreement(each.six, each.free, is_fitted=each.is_fitted) for each in tries]
        hits = [(each, bits) for each, bits in zip(tries, agreed, strict=True) if bits is not None]
        if not hits:
            continue
        count = log2(len({(each.free, *(f"{value:.5e}" for value in each.six)) for each in tries}))
        for each, bits in hits:
            right = reference.tensor if each.gives else None
            score = bits - count - references - _BEFOREHAND - each.cost
            yield Reading(each.cause, group, each.sentence, right, score, each.centre)
    turned = _turned(numbers, reference, block)
    if turned is not None:
        yield turned._replace(bits=turned.bits - references - _BEFOREHAND)


def _exchanged(reference: _Reference) -> Iterator[_Try]:
    for origins, signs in EXCHANGES:
        six = [0.0] * 6
        for k, origin in enumerate(origins):
            six[origin] = reference.tensor[k] * signs[k]
        if any(abs(a - b) > _COARSE * max(six[:3]) for a, b in zip(six, reference.tensor, strict=True)):
            named = " ".join("xyz"[origins[k]] for k in range(3))
            what = f"the axes are exchanged: what is written for {named} is {reference.name} about x y z"
            yield _Try("axes-exchanged", what, six)


def _of_angles(reference: _Reference, block: WrittenBlock) -> Iterator[_Try]:
    """The rotation of the inertial inverted, one too many, or in degrees."""
    if block.rotation == IDENTITY_ROTATION:
        return
    tensor = reference.tensor.rotated(block.rotation)
    is_inverted = "the rotation of the inertial is inverted: the other way round the tensor is that of"
    yield _Try("rotation-inverted", f"{is_inverted} {reference.name}", tensor.rotated(block.rotation))
    what = f"the tensor is that of {reference.name} in the axes of the link, and the inertial turns it once more"
    yield _Try("rotation-surplus", what, tensor)
    angles = [each for text in block.angle_texts if (each := parse_number(text)) is not None]
    if len(angles) == 3 and max(map(abs, angles)) > 2.0 * pi:
        in_degrees = rotation_from_rpy(*map(radians, angles))
        what = f"the angles of the inertial are degrees: in radians the tensor is that of {reference.name}"
        yield _Try("angles-in-degrees", what, tensor.rotated(transpose(in_degrees)))


def _turned(numbers: _Digits, reference: _Reference, block: WrittenBlock) -> Reading | None:
    """The principal moments of the shape in other axes: those of a rotation that was lost, or that is too many."""
    six = numbers.six
    is_aligned = not any(abs(each) > _COARSE * max(reference.tensor[:3]) for each in (*six[3:], *reference.tensor[3:]))
    if is_aligned or not max(six[:3]) > 0.0:
        return None
    # No principal moment changes by more than the largest sum of a row of changes.
    rows = ((0, 3, 4), (3, 1, 5), (4, 5, 2))
    unit = max(sum(numbers.units[k] for k in row) for row in rows)
    moments = InertiaTensor(*principal_moments(six))
    wanted = InertiaTensor(*principal_moments(reference.tensor))
    bits = _Digits(moments, (unit,) * 6).agreement(wanted)
    if bits is None:
        return None
    if any(abs(value) > unit for value in six[3:]):
        cause = "in-other-axes"
        what = f"the principal moments are those of {reference.name}, in other axes than it is drawn in"
    else:
        cause = "rotation-missing"
        what = f"the tensor is about the axes of {reference.name} itself, and its rotation is missing"
    # Its own axes, those of the shape, the inverse, those of the joint; each with the axes exchanged.
    return Reading(cause, "axes", what, reference.tensor, bits - log2(24.0))


def _signs(reference: _Reference) -> Iterator[_Try]:
    products = [k for k in (3, 4, 5) if abs(reference.tensor[k]) > _COARSE * max(reference.tensor[:3])]
    for count in (3, 2, 1):
        for chosen in combinations(products, count):
            six = [-value if k in chosen else value for k, value in enumerate(reference.tensor)]
            cause = "products-cad-signs" if len(chosen) == len(products) else "product-sign"
            names = " and ".join(ENTRIES[k] for k in chosen)
            has = "has" if count == 1 else "have"
            yield _Try(cause, f"{names} {has} the other sign than those of {reference.name}", six)


def _points(reference: _Reference, block: WrittenBlock) -> Iterator[_Try]:
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
            yield _Try(cause, f"the tensor of {reference.name} {what}", six, centre=centre)
    if reference.own is not None:
        what = f"the tensors of {reference.name} were added without their parallel-axis terms"
        yield _Try("parts-summed-without-parallel-axis", what, reference.own)


def _sizes(reference: _Reference, block: WrittenBlock) -> Iterator[_Try]:
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
            yield _Try(cause, f"the tensor is that of {reference.name} with {what}", six)


def _entries(numbers: _Digits, reference: _Reference) -> Iterator[_Try]:
    """One entry, or two moments that are equal by symmetry, which may be a formula that slipped."""
    right, six = reference.tensor, numbers.six
    moments = right[:3]
    # Moments of the shape along the axes; the table of formulas that are mistaken for another.
    along = [0.5 * sum(moments) - moment for moment in moments]
    sets: list[tuple[int, ...]] = [(k,) for k in range(6)]
    pairs = [pair for pair in combinations(range(3), 2) if abs(right[pair[0]] - right[pair[1]]) <= _COARSE * moments[0]]
    sets += [pair for pair in pairs if six[pair[0]] == six[pair[1]]]
    for free in sets:
        names = " and ".join(ENTRIES[k] for k in free)
        if len(free) == 1:
            yield _Try("one-entry-wrong", f"all but {names} are those of {reference.name}", right, free)
            if right[free[0]] > 0.0 and free[0] < 3:
                changed = [-value if j in free else value for j, value in enumerate(right)]
                yield _Try("negative-moment", f"{names} is negative; all else is {reference.name}'s", changed)
            for power in _POWERS if right[free[0]] else ():
                changed = [value * 10.0**power if j in free else value for j, value in enumerate(right)]
                places = f"{abs(power)} place{'s' if abs(power) > 1 else ''} too far {'right' if power > 0 else 'left'}"
                what = f"the decimal point of {names} is {places}; all else is {reference.name}'s"
                yield _Try("decimal-point", what, changed)
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
            if abs(value - moments[k]) > _COARSE * moments[k]:
                changed = [value if j in free else each for j, each in enumerate(right)]
                what = f"{names} {'is' if len(free) == 1 else 'are'} {words}"
                yield _Try("formula-slip", f"{what}; all else is {reference.name}'s", changed)


def _scales(reference: _Reference) -> Iterator[_Try]:
    """All six times one factor: which of mass and tensor is wrong is not known, so that nothing is put right."""
    mass, of, which = reference.mass, f"the tensor is that of {reference.name}", _which(reference)
    known = [(1.0 / mass, "mass-left-out", f"{of} at 1 kg, not multiplied by its mass")]
    for density in (1.0, 1000.0):
        weight = density * reference.volume
        words = f"{of} at {density:g} kg/m³, at which it would weigh {weight:.4g} kg, {which}"
        known.append((weight / mass, "default-density", words))
    known += [
        (1e3, "tensor-units", f"{of} in g·m², or the mass is in tonnes: the mass or the tensor is wrong"),
        (1.0 / _POUND, "tensor-units", f"{of} in lb·m², {which}"),
    ]
    known += [
        (10.0**power, "tensor-units", f"{of} times 1e{power:+d}: the mass or the tensor is wrong")
        for power in _POWERS
        if power != 3
    ]
    for factor, cause, words in known:
        if abs(factor - 1.0) > 0.02:
            yield _Try(cause, words, [factor * value for value in reference.tensor], gives=False)


def _other_mass(numbers: _Digits, reference: _Reference) -> Iterator[_Try]:
    """One shape at a mass that is fitted; sums of several come near anything."""
    largest = max(range(3), key=reference.tensor.__getitem__)
    factor = numbers.six[largest] / reference.tensor[largest]
    if reference.shape is not None and factor > 0.0 and abs(factor - 1.0) > 0.02:
        words = f"the tensor is that of {reference.name} at {factor * reference.mass:.4g} kg, {_which(reference)}"
        six = [factor * value for value in reference.tensor]
        yield _Try("mass-changed", words, six, is_fitted=True, gives=False)


def _which(reference: _Reference) -> str:
    return f"and the mass is {reference.mass:.4g} kg: the mass or the tensor is wrong"
