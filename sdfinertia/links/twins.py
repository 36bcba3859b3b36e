"""How one link lies to its twin, and how its numbers read in the axes of that."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from sdfinertia.inertia import InertiaTensor
from sdfinertia.inertia.inertial_text import negated_text
from sdfinertia.inertia.rigid_transform import Rotation, Vector3, product, rotate, signed_permutations
from sdfinertia.inertia.tensor_arrays import Array, rotated
from sdfinertia.links.written_block import WrittenBlock
from sdfinertia.robot.twins import NamedTwin
from sdfinertia.shapes import Bounds


def _diagonal(x: float, y: float, z: float) -> Rotation:
    return (x, 0.0, 0.0, 0.0, y, 0.0, 0.0, 0.0, z)


MIRROR_Y, MIRROR_X, MIRROR_Z = _diagonal(1.0, -1.0, 1.0), _diagonal(-1.0, 1.0, 1.0), _diagonal(1.0, 1.0, -1.0)
_UNTURNED, _HALF_TURN = _diagonal(1.0, 1.0, 1.0), _diagonal(-1.0, -1.0, 1.0)
# All that lays axes on axes; what leaves them where they are first.
_MOTIONS = sorted(signed_permutations(), key=lambda matrix: not (matrix[0] and matrix[4]))
# Part of the size of a link, for a point at its origin; of misfits, for a tie, which the likelier motion wins.
_NEAR_ORIGIN, _TIE = 0.01, 1e-3


class Look(NamedTuple):
    """The places of a link's mass and shapes, in its axes; each None where unknown."""

    centre: Vector3 | None = None
    box: Bounds | None = None
    solid: tuple[InertiaTensor, Vector3] | None = None


def matrix_between(twin: Look, own: Look, named: NamedTwin) -> Rotation:
    """The matrix that takes the mass and shapes of a twin to those of a link."""
    if named.is_across and named.is_along:
        first = [_HALF_TURN, _UNTURNED, MIRROR_Y, MIRROR_X]
    else:
        first = [MIRROR_Y if named.is_across else MIRROR_X, _UNTURNED, MIRROR_Z, MIRROR_X, MIRROR_Y, _HALF_TURN]
    likeliest = list(dict.fromkeys((*first, *_MOTIONS)))
    misfits = _misfits(twin, own, np.array(likeliest).reshape(-1, 3, 3))
    return likeliest[int((misfits + _TIE * np.arange(len(likeliest))).argmin())]


def _misfits(twin: Look, own: Look, motions: Array) -> Array:
    """(n,), of motions (n, 3, 3)."""
    found, size = np.zeros(len(motions)), own.box.diagonal if own.box is not None else 0.0
    size = size or (max(map(abs, own.centre)) if own.centre is not None else 0.0) or 1.0
    if twin.box is not None and own.box is not None:
        corners = np.sort(np.array(twin.box) @ motions.transpose(0, 2, 1), axis=1)
        found += np.abs(corners - own.box).sum((1, 2)) / size
    if twin.centre is not None and own.centre is not None:
        # A centre shows the axes near the origin as well as far from it.
        far = max(*map(abs, own.centre), _NEAR_ORIGIN * size)
        found += np.abs(motions @ twin.centre - own.centre).sum(1) / far
    if twin.solid is not None and own.solid is not None:
        largest = max(own.solid[0][:3])
        if largest > 0.0:
            found += np.abs(rotated(np.array(twin.solid[0]), motions) - own.solid[0]).sum(1) / largest
        found += np.abs(motions @ twin.solid[1] - own.solid[1]).sum(1) / size
    return found


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
