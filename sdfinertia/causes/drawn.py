"""Digits decide on primitives: the shapes that a link is drawn with, and what is honest beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from math import dist, log2, prod, sqrt

import numpy as np

from sdfinertia.causes.bits import BEFOREHAND, COARSE, Digits, Reading, Reference, best_of, readings
from sdfinertia.causes.case import Case, Drawn, distance_to_geometry, is_same
from sdfinertia.errors import SdfInertiaError
from sdfinertia.inertia import InertiaTensor, SpatialInertia, welded
from sdfinertia.inertia.nearest_valid import largest_factor
from sdfinertia.inertia.rigid_transform import IDENTITY_ROTATION, RigidTransform, rotate, transpose
from sdfinertia.inertia.tensor_arrays import AXES_OF_PRODUCTS, Array, rotated
from sdfinertia.links import Study
from sdfinertia.links.groups import geometry_name
from sdfinertia.links.solids import ShapeBody
from sdfinertia.links.written_block import ENTRIES, WrittenBlock
from sdfinertia.robot import COLLISION, VISUAL
from sdfinertia.robot.poses import product as product_of_poses
from sdfinertia.shapes import Bounds, NoVolume, Primitive

# Part of the size by which a centre is off, and the bits for it (of 16 in public robots none was known to be false).
_OFF, _OF_CENTRE = 0.05, 8.0
AGREES_AS_WRITTEN = 1.02  # factor about every axis within which a shape is honest
_MOST_SHAPES = 4  # of which each may be the part by itself
_WALLS = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4)  # thicknesses of hollow bodies, as parts of their smallest size


def drawn_solids(study: Study) -> tuple[Drawn, ...]:
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
        found = [one for each in references for one in readings(numbers, each, block, log2(len(references)))]
        if found and box is not None and min(box.sizes) > 0.0:
            shape = Drawn(COLLISION, Primitive("box", box.sizes), RigidTransform(IDENTITY_ROTATION, box.middle))
            references.append(_reference(block, "the box round it", shape))
        if found and any(_is_honest(numbers, each, block) for each in references):
            return None
    except (SdfInertiaError, ArithmeticError):
        return None
    return best_of(found)


def _of_centre(block: WrittenBlock, whole: Sequence[Reference]) -> Reading | None:
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
    """All collisions, all visuals, and each of a few shapes; equal ones once."""
    found = []
    for kind in (COLLISION, VISUAL):
        of_kind = [each for each in drawn if each.kind is kind]
        shapes = [each for each in of_kind if each.shape is not None]
        if len(shapes) == len(of_kind) > 1:
            found.append(_reference(block, f"its {kind.value}s", *shapes))
        if len(of_kind) <= _MOST_SHAPES:
            for each in shapes:
                name = f"its {each.shape.kind}" if each.shape is not None else ""
                found.append(_reference(block, name, each)._replace(is_whole=len(of_kind) == 1))
    for mesh in meshes:
        body = mesh.inertia.scaled_to_mass(mesh.volume if mesh.volume > 0.0 else 1.0)
        found.append(_of_body(block, geometry_name(mesh), body))
    different: list[Reference] = []
    for one in found:
        size = COARSE * COARSE * max(one.tensor[:3])
        if not any(np.abs(np.subtract(one.tensor, other.tensor)).max() <= size for other in different):
            different.append(one)
    return different


def _reference(block: WrittenBlock, name: str, *shapes: Drawn) -> Reference:
    parts = [each.shape.inertia(1.0).transformed(each.pose) for each in shapes if each.shape is not None]
    if len(parts) == 1:
        return _of_body(block, name, parts[0])._replace(shape=shapes[0])
    body = welded(parts)
    sums = (sum(part.I_BBcm_B[k] for part in parts) * block.mass / body.mass for k in range(6))
    return _of_body(block, name, body)._replace(own=InertiaTensor(*sums).rotated(transpose(block.rotation)))


def _of_body(block: WrittenBlock, name: str, body: SpatialInertia) -> Reference:
    back = transpose(block.rotation)
    tensor = body.scaled_to_mass(block.mass).I_BBcm_B.rotated(back)
    return Reference(name, tensor, rotate(back, body.p_BoBcm_B), None, body.mass, block.mass)


def _is_honest(numbers: Digits, reference: Reference, block: WrittenBlock) -> bool:
    if _agrees(numbers, reference.tensor):
        return True
    if reference.shape is None or reference.shape.shape is None:
        return False
    tensors = block.mass * _other_bodies(reference.shape.shape)
    for R in (reference.shape.pose.rotation, transpose(block.rotation)):
        tensors = tensors if R == IDENTITY_ROTATION else rotated(tensors, np.array(R).reshape(3, 3))
    apart = np.abs(tensors[:, :3].sum(1) - numbers.six.trace)
    near = apart <= (AGREES_AS_WRITTEN - 1.0) * numbers.six.trace + sum(numbers.units)
    return any(_agrees(numbers, InertiaTensor(*each)) for each in tensors[near].tolist())


def _agrees(numbers: Digits, tensor: InertiaTensor) -> bool:
    """Whether the entries are those of a tensor, to the last digit or within a factor about every axis."""
    if all(abs(a - b) <= unit for a, b, unit in zip(tensor, numbers.six, numbers.units, strict=True)):
        return True
    near = min(tensor[:3]) > 0.0 and 1.0 / AGREES_AS_WRITTEN <= numbers.six.trace / tensor.trace <= AGREES_AS_WRITTEN
    return near and largest_factor(numbers.six, tensor) <= AGREES_AS_WRITTEN


@lru_cache(maxsize=256)  # robots have the same wheel four times
@np.errstate(over="ignore", invalid="ignore")  # sizes whose squares no double holds
def _other_bodies(shape: Primitive) -> Array:
    """(n, 6), hollow, inscribed and bounding bodies of a primitive, at 1 kg in its own axes."""
    kind, sizes = shape
    length = sizes[-1] + (2.0 * sizes[0] if kind == "capsule" else 0.0)
    spans = {"box": sizes, "sphere": (2.0 * sizes[0],) * 3, "ellipsoid": tuple(2.0 * size for size in sizes)}.get(
        kind, (2.0 * sizes[0], 2.0 * sizes[0], length)
    )
    s, axes = np.array(spans) ** 2, np.arange(3)
    # A box, an ellipsoid, and a cylinder along each axis, of these sizes; and the ellipsoid around, or the cylinder.
    squares = [s / 12.0, s / 20.0, *(s / np.where(axes == axis, 12.0, 16.0) for axis in axes)]
    # Boxes in a cylinder, and balls of the least and the largest size.
    squares += [s / (24.0, 24.0, 12.0), *(np.full(3, each / 20.0) for each in (s.min(), s.max(), s.sum()))]
    if kind == "sphere":
        # Of any thickness: half the moment.
        squares += [np.full(3, s[0] / 8.0 * (0.4 + 0.01 * k)) for k in range(28)]
    elif kind == "cylinder":
        # A tube, ring or disc: the inner radius over the outer, squared.
        parts = [s[0] / 16.0 * (1.0 + 0.02 * k) for k in range(51)]
        squares += [np.array((across, across, along)) for across in parts for along in (s[2] / 12.0, 0.0)]
    divisors = {"box": (12.0, 12.0, 12.0), "cylinder": (16.0, 16.0, 12.0)}.get(kind, (20.0, 20.0, 20.0))
    for wall in _WALLS if kind != "sphere" else ():
        inner = np.array(spans) - 2.0 * wall * min(spans)
        share = prod(inner) / prod(spans)
        squares.append((s - share * inner**2) / (1.0 - share) / divisors)
    moments = np.zeros((len(squares), 6))
    moments[:, :3] = np.array(squares) @ (1.0 - np.eye(3))
    return moments


# A tensor that was not mirrored ---------------------------------------------------------------------------------------

# Parts of the size within which centres are each other's mirror images, and of the largest moment within which tensors
# are alike and from which a product counts; the bits of that.
_IMAGE, _ALIKE, _PRODUCT, _OF_TWIN = 0.02, 0.01, 0.05, 8.0


def of_twin(case: Case) -> Reading | None:
    """The tensor of a twin, beside the centre of its mirror image."""
    written, size = case.written, case.written.inertia.gyradius
    for twin in case.relatives:
        theirs, largest = twin.verbatim, max(written.tensor[:3])
        if not twin.is_twin or not is_same(written.mass, theirs.mass) or not written.mass > 0.0:
            continue
        if written.rotation != theirs.rotation or not are_alike(written, theirs):
            continue
        apart = [k for k in range(3) if abs(written.centre[k] - theirs.centre[k]) > _IMAGE * size]
        if len(apart) != 1 or abs(written.centre[apart[0]] + theirs.centre[apart[0]]) > _IMAGE * size:
            continue
        (axis,) = apart
        signs = [-1.0 if k > 2 and axis in AXES_OF_PRODUCTS[k - 3] else 1.0 for k in range(6)]
        counts = [AXES_OF_PRODUCTS[k - 3] for k in (3, 4, 5) if abs(written.tensor[k]) > _PRODUCT * largest]
        # Half a turn about a third axis may take the centre to its image too, and leave the products that count.
        turns = [3 - axis - k for k in {0, 1, 2} - {axis} if abs(written.centre[k]) <= _IMAGE * size]
        if not any(axis in axes for axes in counts) or any(not any(k in axes for axes in counts) for k in turns):
            continue
        right = InertiaTensor(*(sign * value + 0.0 for sign, value in zip(signs, written.tensor, strict=True)))
        factors = [distance_to_geometry(replace(written, tensor=each), case.bodies) for each in (right, written.tensor)]
        if (factors[0] or 0.0) <= (factors[1] or 0.0):
            names = " and ".join(ENTRIES[k] for k in range(3, 6) if signs[k] < 0.0)
            words = f"the tensor is that of {twin.name}, and the centre that of its mirror image in {'xyz'[axis]}: "
            words += f"{names} were not negated"
            return Reading("tensor-not-mirrored", "signs", words, right, _OF_TWIN)
    return None


def are_alike(one: WrittenBlock, other: WrittenBlock) -> bool:
    largest = max(one.tensor[:3])
    return largest > 0.0 and all(abs(a - b) <= _ALIKE * largest for a, b in zip(one.tensor, other.tensor, strict=True))
