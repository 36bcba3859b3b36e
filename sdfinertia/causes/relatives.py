"""The relatives of a link: which other link is its twin, and how the one's numbers read in the axes of the other."""

from __future__ import annotations

from itertools import permutations, product
from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.inertia.numeral import negated_text
from sdfinertia.inertia.rigid_transform import Rotation, Vector3, rotate
from sdfinertia.inertia.rigid_transform import product as composed
from sdfinertia.robot.inertial import WrittenBlock

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sdfinertia.inertia.spatial_inertia import InertiaTensor
    from sdfinertia.robot.twin_names import NamedTwin
    from sdfinertia.shapes import Bounds


def _signed_permutations() -> Iterator[Rotation]:
    for order in permutations(range(3)):
        for signs in product((1.0, -1.0), repeat=3):
            entries = [signs[k // 3] if k % 3 == order[k // 3] else 0.0 for k in range(9)]
            a, b, c, d, e, f, g, h, i = entries
            yield (a, b, c, d, e, f, g, h, i)


def _diagonal(x: float, y: float, z: float) -> Rotation:
    return (x, 0.0, 0.0, 0.0, y, 0.0, 0.0, 0.0, z)


MIRROR_Y, MIRROR_X, MIRROR_Z = _diagonal(1.0, -1.0, 1.0), _diagonal(-1.0, 1.0, 1.0), _diagonal(1.0, 1.0, -1.0)
_UNTURNED, _HALF_TURN = _diagonal(1.0, 1.0, 1.0), _diagonal(-1.0, -1.0, 1.0)
# All motions that lay axes on axes, those that leave them where they are first.
_ON_AXES = tuple(sorted(_signed_permutations(), key=lambda matrix: not (matrix[0] and matrix[4])))
# Relative limits: of the lengths of twins, which differ by less; of the size of a link, for a point at its origin; of
# misfits, for a tie, which the likelier motion wins.
_SAME, _NEAR_ORIGIN, _TIE = 0.02, 0.01, 1e-3


class Look(NamedTuple):
    """The places of a link's mass and shapes, in its axes; each None where unknown."""

    centre: Vector3 | None = None
    box: Bounds | None = None
    solid: tuple[InertiaTensor, Vector3] | None = None


def matrix_between(twin: Look, own: Look, named: NamedTwin) -> tuple[Rotation, bool]:
    """The matrix S that takes the mass and shapes of a twin to those of a link, and whether it fits well."""
    if named.is_across and named.is_along:
        first = [_HALF_TURN, _UNTURNED, MIRROR_Y, MIRROR_X]
    else:
        first = [MIRROR_Y if named.is_across else MIRROR_X, _UNTURNED, MIRROR_Z, MIRROR_X, MIRROR_Y, _HALF_TURN]
    likeliest = list(dict.fromkeys((*first, *_ON_AXES)))
    best, least = 0, float("inf")
    for place, matrix in enumerate(likeliest):
        misfit = _misfit(twin, own, matrix)
        if misfit + _TIE * (place - best) < least:
            best, least = place, misfit
        if least <= _TIE:
            # Less likely ones could not be better by enough.
            break
    return likeliest[best], least <= _SAME


def _misfit(twin: Look, own: Look, matrix: Rotation) -> float:
    size, misfit = _size(own), 0.0
    if twin.box is not None and own.box is not None:
        ends = zip(rotate(matrix, twin.box.lower), rotate(matrix, twin.box.upper), strict=True)
        lower, upper = zip(*map(sorted, ends), strict=True)
        misfit += (_apart(lower, own.box.lower) + _apart(upper, own.box.upper)) / size
    if twin.centre is not None and own.centre is not None:
        # A centre shows the axes near the origin as well as far from it.
        misfit += _apart(rotate(matrix, twin.centre), own.centre) / max(*map(abs, own.centre), _NEAR_ORIGIN * size)
    if twin.solid is not None and own.solid is not None:
        target = own.solid[0]
        largest = max(target[:3])
        misfit += _apart(twin.solid[0].rotated(matrix), target) / largest if largest > 0.0 else 0.0
        misfit += _apart(rotate(matrix, twin.solid[1]), own.solid[1]) / size
    return misfit


def _apart(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(abs(a - b) for a, b in zip(one, other, strict=True))


def _size(look: Look) -> float:
    if look.box is not None and look.box.diagonal > 0.0:
        return look.box.diagonal
    return (max(map(abs, look.centre)) if look.centre is not None else 0.0) or 1.0


def seen_through(block: WrittenBlock, matrix: Rotation) -> WrittenBlock:
    """A block of one link in the axes of another, of which it is a copy that p ↦ M p moves."""
    if matrix == _UNTURNED:
        return block
    mirror = _mirror_in(matrix)
    sx, sy, sz = mirror[0], mirror[4], mirror[8]
    return WrittenBlock(
        block.mass,
        rotate(matrix, block.centre),
        block.tensor.rotated(mirror),
        composed(composed(matrix, block.rotation), mirror),
        # Products change their signs, and nothing else.
        block.entry_texts.signed((1.0, 1.0, 1.0, sx * sy, sx * sz, sy * sz)),
        block.mass_text,
        _moved_texts(block.centre_texts, matrix),
    )


def _mirror_in(matrix: Rotation) -> Rotation:
    if matrix[1:4] == (0.0, 0.0, 0.0) and matrix[5:8] == (0.0, 0.0, 0.0):
        return matrix
    a, b, c, d, e, f, g, h, i = matrix
    determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    return MIRROR_Y if determinant < 0.0 else _UNTURNED


def _moved_texts(texts: tuple[str, str, str], matrix: Rotation) -> tuple[str, str, str]:
    moved: list[str] = []
    for row in (matrix[0:3], matrix[3:6], matrix[6:9]):
        along = [column for column, value in enumerate(row) if value]
        is_axis = len(along) == 1 and abs(row[along[0]]) == 1.0
        text = texts[along[0]] if is_axis else ""
        moved.append(negated_text(text) if is_axis and row[along[0]] < 0.0 else text)
    return (moved[0], moved[1], moved[2])
