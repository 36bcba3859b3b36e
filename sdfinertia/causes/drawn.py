"""Digits decide on primitives: the shapes that a link is drawn with, and what is honest beside them."""

from __future__ import annotations

from functools import lru_cache
from math import dist, log2, sqrt
from typing import TYPE_CHECKING

from sdfinertia.causes.bits import (
    AGREES_AS_WRITTEN,
    BEFOREHAND,
    COARSE,
    Digits,
    Drawn,
    Reading,
    Reference,
    best_of,
    readings,
)
from sdfinertia.errors import SdfInertiaError
from sdfinertia.inertia.nearest_valid import largest_factor
from sdfinertia.inertia.rigid_transform import IDENTITY_ROTATION, RigidTransform, rotate, transpose
from sdfinertia.inertia.spatial_inertia import InertiaTensor, SpatialInertia, welded
from sdfinertia.links.harm import geometry_name
from sdfinertia.robot.link import COLLISION, VISUAL
from sdfinertia.robot.poses import product as product_of_poses
from sdfinertia.shapes import Bounds, NoVolume, Primitive

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sdfinertia.links.solids import ShapeBody
    from sdfinertia.links.study import Study
    from sdfinertia.links.written_block import WrittenBlock

# Part of the size by which a centre is off, and the bits for it (of 16 in public robots none was known to be false).
_OFF, _OF_CENTRE = 0.05, 8.0
_MOST_SHAPES = 4  # of which each may be the part by itself
_WALLS = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4)  # thicknesses of hollow bodies, as parts of their smallest size


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
def reading_of(
    block: WrittenBlock, drawn: tuple[Drawn, ...], box: Bounds | None, meshes: tuple[ShapeBody, ...] = ()
) -> Reading | None:
    """The mistake that the digits show, with however few bits; None where a shape, or a mesh, agrees as written.

    A rule asks, and the search for causes; and robots have the same wheel four times.
    """
    numbers = Digits.of(block)
    if numbers is None or not block.mass > 0.0 or not (meshes or any(each.shape for each in drawn)):
        return None
    if numbers.bits(block.tensor, (), [0.5 * unit for unit in numbers.units]) <= BEFOREHAND:
        return None
    try:
        references = _references(block, drawn, meshes)
        if not references:
            return None
        whole = [each for each in references if each.is_whole and _agrees(numbers, each.tensor)]
        if whole:
            return _of_centre(block, whole)
        if any(_is_honest(numbers, each, block) for each in (*references, *_around(block, box))):
            return None
        found = [one for each in references for one in readings(numbers, each, block, log2(len(references)))]
    except (SdfInertiaError, ArithmeticError):
        return None
    return best_of(found)


def _of_centre(block: WrittenBlock, whole: Sequence[Reference]) -> Reading | None:
    """A centre that was left at 0 0 0, or has a wrong sign, beside a tensor that is that of all that is drawn."""
    # The diagonal of the box of this tensor.
    size, written = sqrt(6.0 * block.tensor.trace / block.mass), block.centre
    centres = [rotate(block.rotation, each.centre) for each in whole]
    if min(dist(written, centre) for centre in centres) <= _OFF * size:
        return None
    for reference, centre in zip(whole, centres, strict=True):
        where = " ".join(f"{value + 0.0:.4g}" for value in centre)
        beside = f"while the tensor is that of {reference.name}, whose centre is at {where}"
        if not any(written):
            words = f"the centre of mass was left at 0 0 0, {beside}"
            return Reading("centre-omitted", "reference point", words, block.tensor, _OF_CENTRE, centre)
        if all(abs(abs(a) - abs(b)) <= 0.1 * _OFF * size for a, b in zip(written, centre, strict=True)):
            words = f"the centre of mass has a wrong sign, {beside}"
            return Reading("centre-sign", "signs", words, block.tensor, _OF_CENTRE, centre)
    return None


# The shapes -----------------------------------------------------------------------------------------------------------


def _references(block: WrittenBlock, drawn: Sequence[Drawn], meshes: Sequence[ShapeBody]) -> list[Reference]:
    back = transpose(block.rotation)
    found: list[Reference] = []

    def add(
        name: str,
        body: SpatialInertia,
        shape: Drawn | None,
        parts: Sequence[SpatialInertia] = (),
        *,
        is_whole: bool = True,
    ) -> None:
        at_mass = body.scaled_to_mass(block.mass)
        tensor = at_mass.I_BBcm_B.rotated(back)
        size = COARSE * COARSE * max(tensor[:3])
        if any(all(abs(a - b) <= size for a, b in zip(each.tensor, tensor, strict=True)) for each in found):
            return
        own = None
        if len(parts) > 1:
            sums = (sum(part.I_BBcm_B[k] for part in parts) * block.mass / body.mass for k in range(6))
            own = InertiaTensor(*sums).rotated(back)
        centre, is_one = rotate(back, body.p_BoBcm_B), shape is not None or not parts
        found.append(Reference(name, tensor, centre, shape, body.mass, block.mass, own, is_one, is_whole))

    for kind in (COLLISION, VISUAL):
        of_kind = [each for each in drawn if each.kind is kind]
        bodies = [(each, each.shape.inertia(1.0).transformed(each.pose)) for each in of_kind if each.shape is not None]
        if len(bodies) == len(of_kind) > 1:
            parts = [body for _, body in bodies]
            add(f"its {kind.element}s", welded(parts), None, parts)
        if len(of_kind) <= _MOST_SHAPES:
            for each, body in bodies:
                name = f"its {each.shape.kind}" if each.shape is not None else ""
                add(name, body, each, is_whole=len(of_kind) == 1)
    for mesh in meshes:
        volume = mesh.volume if mesh.volume > 0.0 else 1.0
        add(geometry_name(mesh), mesh.inertia.scaled_to_mass(volume), None)
    return found


def _around(block: WrittenBlock, box: Bounds | None) -> Iterator[Reference]:
    """The box round all that is drawn, of which a simple tensor may be."""
    if box is not None and min(box.sizes) > 0.0:
        whole = Primitive("box", box.sizes)
        shape = Drawn(COLLISION, whole, RigidTransform(IDENTITY_ROTATION, box.middle))
        tensor = whole.inertia(1.0).scaled_to_mass(block.mass).I_BBcm_B.rotated(transpose(block.rotation))
        yield Reference("the box round it", tensor, box.middle, shape, 0.0, block.mass)


def _is_honest(numbers: Digits, reference: Reference, block: WrittenBlock) -> bool:
    """Whether a body of this shape, solid, hollow, inscribed or bounding, has the entries written."""
    if _agrees(numbers, reference.tensor):
        return True
    if reference.shape is None:
        return False
    back, pose = transpose(block.rotation), reference.shape.pose.rotation
    return any(_agrees(numbers, tensor.rotated(pose).rotated(back)) for tensor in _other_bodies(reference, block.mass))


def _agrees(numbers: Digits, tensor: InertiaTensor) -> bool:
    apart = (abs(a - b) for a, b in zip(numbers.six, tensor, strict=True))
    if all(distance <= unit for distance, unit in zip(apart, numbers.units, strict=True)):
        return True
    if not 1.0 / AGREES_AS_WRITTEN <= numbers.six.trace / tensor.trace <= AGREES_AS_WRITTEN:
        return False
    return min(tensor[:3]) > 0.0 and largest_factor(numbers.six, tensor) <= AGREES_AS_WRITTEN


def _other_bodies(reference: Reference, mass: float) -> Iterator[InertiaTensor]:
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
