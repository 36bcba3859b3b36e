"""Twins, such as the left and the right arm: how the numbers of one read in the axes of the other."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sdfinertia.causes.bits import Reading
from sdfinertia.causes.case import Case, Relation, distance_to_geometry, is_same
from sdfinertia.causes.operations import signed_permutations
from sdfinertia.inertia.inertial_text import negated_text
from sdfinertia.inertia.rigid_transform import Rotation, Vector3, product, rotate
from sdfinertia.inertia.spatial_inertia import InertiaTensor
from sdfinertia.inertia.tensor_arrays import AXES_OF_PRODUCTS, rotated
from sdfinertia.robot.inertial import ENTRIES, WrittenBlock

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sdfinertia.robot.names import NamedTwin
    from sdfinertia.shapes import Bounds


def _diagonal(x: float, y: float, z: float) -> Rotation:
    return (x, 0.0, 0.0, 0.0, y, 0.0, 0.0, 0.0, z)


MIRROR_Y, MIRROR_X, MIRROR_Z = _diagonal(1.0, -1.0, 1.0), _diagonal(-1.0, 1.0, 1.0), _diagonal(1.0, 1.0, -1.0)
_UNTURNED, _HALF_TURN = _diagonal(1.0, 1.0, 1.0), _diagonal(-1.0, -1.0, 1.0)
# All motions that lay axes on axes, those that leave them where they are first.
_ON_AXES = tuple(sorted(signed_permutations(), key=lambda matrix: not (matrix[0] and matrix[4])))
# Relative limits: of the lengths of twins, which differ by less; of the size of a link, for a point at its origin; of
# misfits, for a tie, which the likelier motion wins.
_SAME, _NEAR_ORIGIN, _TIE = 0.02, 0.01, 1e-3


class Look(NamedTuple):
    """The places of a link's mass and shapes, in its axes; each None where unknown."""

    centre: Vector3 | None = None
    box: Bounds | None = None
    solid: tuple[InertiaTensor, Vector3] | None = None


def matrix_between(twin: Look, own: Look, named: NamedTwin) -> tuple[Rotation, bool]:
    """The matrix that takes the mass and shapes of a twin to those of a link, and whether it fits well."""
    if named.is_across and named.is_along:
        first = [_HALF_TURN, _UNTURNED, MIRROR_Y, MIRROR_X]
    else:
        first = [MIRROR_Y if named.is_across else MIRROR_X, _UNTURNED, MIRROR_Z, MIRROR_X, MIRROR_Y, _HALF_TURN]
    likeliest = list(dict.fromkeys((*first, *_ON_AXES)))
    misfits = [_misfit(twin, own, np.array(matrix).reshape(3, 3)) for matrix in likeliest]
    best = min(range(len(misfits)), key=lambda place: misfits[place] + _TIE * place)
    return likeliest[best], misfits[best] <= _SAME


def _misfit(twin: Look, own: Look, M: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> float:
    misfit, size = 0.0, own.box.diagonal if own.box is not None else 0.0
    size = size or (max(map(abs, own.centre)) if own.centre is not None else 0.0) or 1.0
    if twin.box is not None and own.box is not None:
        misfit += np.abs(np.sort(np.array(twin.box) @ M.T, axis=0) - own.box).sum() / size
    if twin.centre is not None and own.centre is not None:
        # A centre shows the axes near the origin as well as far from it.
        misfit += np.abs(M @ twin.centre - own.centre).sum() / max(*map(abs, own.centre), _NEAR_ORIGIN * size)
    if twin.solid is not None and own.solid is not None:
        target = own.solid[0]
        largest = max(target[:3])
        misfit += np.abs(rotated(np.array(twin.solid[0]), M) - target).sum() / largest if largest > 0.0 else 0.0
        misfit += np.abs(M @ twin.solid[1] - own.solid[1]).sum() / size
    return float(misfit)


def seen_through(block: WrittenBlock, matrix: Rotation) -> WrittenBlock:
    """A block of one link in the axes of another, of which it is a copy that p ↦ M p moves; a mirror keeps digits."""
    if matrix == _UNTURNED:
        return block
    # What is no mirror in axes is a turn, and for a mirror image one of its own.
    texts, mirror = block.centre_texts, matrix
    if any(matrix[k] for k in (1, 2, 3, 5, 6, 7)):
        texts = ("", "", "")
        mirror = MIRROR_Y if np.linalg.det(np.array(matrix).reshape(3, 3)) < 0.0 else _UNTURNED
    x, y, z = signs = mirror[0], mirror[4], mirror[8]
    a, b, c = (negated_text(text) if sign < 0.0 else text for text, sign in zip(texts, signs, strict=True))
    return replace(
        block,
        centre=rotate(matrix, block.centre),
        tensor=block.tensor.rotated(mirror),
        rotation=product(product(matrix, block.rotation), mirror),
        # Products change their signs, and nothing else.
        entry_texts=block.entry_texts.signed((1.0, 1.0, 1.0, x * y, x * z, y * z)),
        centre_texts=(a, b, c),
        angle_texts=("", "", ""),
    )


# A tensor that was not mirrored ---------------------------------------------------------------------------------------

# Parts of the size within which centres are each other's mirror images, and of the largest moment within which tensors
# are alike and from which a product counts; the bits of that.
_IMAGE, _ALIKE, _PRODUCT, _OF_TWIN = 0.02, 0.01, 0.05, 8.0


def of_twin(case: Case) -> Reading | None:
    """The tensor of a twin, beside the centre of its mirror image."""
    written, size = case.written, case.written.inertia.gyradius
    for twin in case.relatives:
        theirs, largest = twin.verbatim, max(written.tensor[:3])
        if twin.relation is not Relation.TWIN or not is_same(written.mass, theirs.mass) or not written.mass > 0.0:
            continue
        if written.rotation != theirs.rotation or not are_alike(written, theirs):
            continue
        apart = [k for k in range(3) if abs(written.centre[k] - theirs.centre[k]) > _IMAGE * size]
        if len(apart) != 1 or abs(written.centre[apart[0]] + theirs.centre[apart[0]]) > _IMAGE * size:
            continue
        signs = [-1.0 if k > 2 and apart[0] in AXES_OF_PRODUCTS[k - 3] else 1.0 for k in range(6)]
        counts = [k for k in (3, 4, 5) if abs(written.tensor[k]) > _PRODUCT * largest]
        if all(signs[k] > 0.0 for k in counts) or _is_half_turn(written, apart[0], counts):
            continue
        right = InertiaTensor(*(sign * value + 0.0 for sign, value in zip(signs, written.tensor, strict=True)))
        factors = [distance_to_geometry(replace(written, tensor=each), case.bodies) for each in (right, written.tensor)]
        if (factors[0] or 0.0) <= (factors[1] or 0.0):
            names = " and ".join(ENTRIES[k] for k in range(3, 6) if signs[k] < 0.0)
            words = f"the tensor is that of {twin.name}, and the centre that of its mirror image in {'xyz'[apart[0]]}: "
            words += f"{names} were not negated"
            return Reading("tensor-not-mirrored", "signs", words, right, _OF_TWIN)
    return None


def are_alike(one: WrittenBlock, other: WrittenBlock) -> bool:
    largest = max(one.tensor[:3])
    return largest > 0.0 and all(abs(a - b) <= _ALIKE * largest for a, b in zip(one.tensor, other.tensor, strict=True))


def _is_half_turn(written: WrittenBlock, axis: int, counts: Sequence[int]) -> bool:
    """True if half a turn, not a mirror, takes the centre to its image and leaves the products that count."""
    for about in {0, 1, 2} - {axis}:
        third = 3 - axis - about
        stays = abs(written.centre[third]) <= _IMAGE * written.inertia.gyradius
        if stays and not any(about in AXES_OF_PRODUCTS[k - 3] for k in counts):
            return True
    return False
