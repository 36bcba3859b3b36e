"""Axes and signs: exchanged, negated, those of another frame, or turned by a rotation that is missing or inverted."""

from __future__ import annotations

from itertools import product
from math import pi, radians
from typing import TYPE_CHECKING

import numpy as np

from sdfinertia.causes.bits import EXCHANGES, ORDERS
from sdfinertia.causes.candidates import Candidates, Telling, as_written, entries, joined, row, said_all
from sdfinertia.inertia.rigid_transform import IDENTITY_ROTATION, Rotation, rotation_from_rpy
from sdfinertia.inertia.tensor_arrays import AXES_OF_PRODUCTS, Array, matrices, rotated

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sdfinertia.causes.clues import Clues

# The signs that turn positive integrals into products of inertia.
CAD_SIGNS = np.array([1.0, 1.0, 1.0, -1.0, -1.0, -1.0])

EXCHANGED_ORIGINS = np.array([origins for origins, _ in EXCHANGES])
EXCHANGED_SIGNS = np.array([signs for _, signs in EXCHANGES], dtype=float)
# (1 + n, n): whether the written numbers, or an exchange, come before each exchange.
_EARLIER = np.tri(len(EXCHANGES), len(EXCHANGES) + 1, dtype=bool).T


def axes_exchanged(clues: Clues) -> Candidates | None:
    if not clues.may_be_turned_or_moved:
        return None
    tensors = clues.six[EXCHANGED_ORIGINS] * EXCHANGED_SIGNS
    # With zeros, or equal moments, several exchanges give the same tensor: keep the first.
    before = np.concatenate((clues.six[None], tensors))
    # Part of the largest entry within which tensors are the same.
    is_same = (np.abs(before[:, None] - tensors[None]) <= 1e-3 * clues.largest).all(2)
    chosen = np.flatnonzero(~(is_same & _EARLIER).any(0)).tolist()
    if not chosen:
        return None

    def tell(i: int) -> Telling:
        origins, signs = EXCHANGES[chosen[i]]
        named = " ".join("xyz"[origins[k]] for k in range(3))
        return Telling(
            f"the axes are exchanged: what is written for {named} belongs to x y z, which gives "
            f"{row(tensors[chosen[i]])}",
            texts=clues.texts.moved(origins).signed(signs),
        )

    return Candidates(tensors[chosen], tell, bonus=-np.log(len(chosen)))


def other_axes(clues: Clues) -> Candidates | None:
    turned = [frame for frame in clues.frames if frame.pose.rotation != IDENTITY_ROTATION]
    halves = [found for axis in range(3) if (found := mirrored(axis, clues, is_turned=True)) is not None]
    if not clues.may_be_turned_or_moved or not (turned or halves):
        return None
    if not turned:
        return halves[0]
    R_LF = np.array([frame.pose.rotation for frame in turned]).reshape(-1, 3, 3)
    tensors = rotated(clues.in_link(clues.six), R_LF)
    found = Candidates(
        clues.in_written(tensors),
        lambda i: f"the tensor is in the axes of {turned[i].name}; in those of the link it is {row(tensors[i])}",
        bonus=-np.log(len(turned)),
        centres=np.repeat(clues.centre[None], len(turned), axis=0),
    )
    return joined(found, halves[0] if halves else None)


def _as_rotation(R: Array) -> Rotation:
    a, b, c, d, e, f, g, h, i = (float(value) + 0.0 for value in R.ravel())
    return (a, b, c, d, e, f, g, h, i)


def rotation_missing(clues: Clues) -> Candidates | None:
    """The moments of the mesh in other axes: about its principal axes they would agree."""
    meshes = [k for k, body in enumerate(clues.bodies) if body.faces and body.filling != "shell"][:2]
    if not meshes or not clues.is_body or clues.R is not None:
        return None
    _, U = np.linalg.eigh(matrices(clues.six))
    _, V = np.linalg.eigh(matrices(clues.tensors_of_bodies[meshes]))
    # The signs of eigenvectors are free: choose those of a proper rotation.
    R = V @ U.T
    U = np.where(np.linalg.det(R)[:, None, None] < 0.0, U * np.array([1.0, 1.0, -1.0]), U)
    R = V @ np.swapaxes(U, -1, -2)
    own = "a tensor in axes of its own" if clues.products else "principal moments"
    missing = "the rotation of the inertial is missing: about the axes of the mesh it agrees with it"
    return Candidates(
        np.repeat(clues.six[None], len(meshes), axis=0),
        lambda i: Telling(f"the tensor is {own}, and {missing}", texts=clues.texts, rotation=_as_rotation(R[i])),
        in_link=rotated(clues.six, R),
        bonus=-4.0 + (0.0 if clues.products else 1.5),  # three angles that are chosen to fit
        is_fixed=False,
        is_certifiable=False,
    )


def _turned(clues: Clues, R: Array, sentence: str, bonus: float = 0.0) -> Candidates:
    telling = Telling(sentence, texts=clues.texts, rotation=_as_rotation(R))
    return Candidates(clues.six[None], telling, in_link=rotated(clues.six, R)[None], bonus=bonus)


def rotation_inverted(clues: Clues) -> Candidates | None:
    sentence = "the rotation of the inertial is inverted: it turns the link into the tensor's axes"
    return _turned(clues, clues.R.T, sentence) if clues.R is not None and clues.may_be_turned_or_moved else None


def degrees(clues: Clues) -> Candidates | None:
    try:
        angles = [float(text) for text in clues.case.written.angle_texts]
    except ValueError:
        return None
    if not clues.may_be_turned_or_moved or max(map(abs, angles)) <= 2.0 * pi:
        return None
    R = np.array(rotation_from_rpy(*(radians(angle) for angle in angles))).reshape(3, 3)
    sentence = f"the angles {said_all(angles)} of the inertial are degrees, where radians are due"
    return _turned(clues, R, sentence, bonus=4.0)


def products_of_cad(clues: Clues) -> Candidates | None:
    if not clues.products:
        return None
    have = "has the sign of a positive integral" if len(clues.products) == 1 else "have the signs of positive integrals"
    tensors = clues.six[None] * CAD_SIGNS
    sentence = (
        f"{entries(clues.products)} {have}, as CAD programs print them: SDFormat and URDF define ixy as -∫ x y dm; "
        f"negated, the tensor is {row(tensors[0])}"
    )
    return Candidates(tensors, Telling(sentence, texts=clues.texts.signed(CAD_SIGNS)))


def single_products(clues: Clues) -> Candidates | None:
    """The signs of some, but not all, products that are not zero."""
    present = clues.products
    some = [signs for signs in product((1.0, -1.0), repeat=len(present)) if 0 < signs.count(-1.0) < len(present)]
    if not some:
        return None
    patterns = np.ones((len(some), 6))
    patterns[:, list(present)] = some

    def tell(i: int) -> Telling:
        changed = [k for k in present if patterns[i, k] < 0.0]
        have = "has" if len(changed) == 1 else "have"
        numbers = ", ".join(as_written(clues, k) for k in changed)
        sentence = f"{entries(changed)} {have} the wrong sign: {numbers}"
        return Telling(sentence, texts=clues.texts.signed(patterns[i]))

    # One at a time is commoner than two; which of them cannot be known beforehand.
    bonus = np.where((patterns < 0.0).sum(1) == 1, 0.0, -1.0) - np.log(len(patterns))
    return Candidates(clues.six * patterns, tell, bonus=bonus)


def negative_moments(clues: Clues) -> Candidates | None:
    negative = [k for k in range(3) if clues.tensor[k] < 0.0]
    if not negative:
        return None
    patterns = np.ones((2 if clues.products else 1, 6))
    patterns[:, negative] = -1.0
    patterns[1:, 3:] = -1.0

    def tell(i: int) -> Telling:
        are = "is" if len(negative) == 1 else "are"
        sentence = (
            f"{entries(negative)} {are} negative ({', '.join(as_written(clues, k) for k in negative)}), which no "
            f"moment of inertia is; with the sign removed{' and the products turned' if i else ''} the tensor is "
            f"{row(clues.six * patterns[i])}"
        )
        return Telling(sentence, texts=clues.texts.signed(patterns[i]))

    # Small negative moments are rounding noise, not slips of a sign; a parallel-axis term taken off too often is
    # another hypothesis.
    least = min(abs(clues.tensor[k]) for k in negative) / clues.largest_moment
    bonus = np.array([0.0, -5.0 if len(negative) < 3 else 0.0])[: len(patterns)] - (3.0 if least < 1e-3 else 0.0)
    return Candidates(clues.six * patterns, tell, bonus=bonus, decisive=least > 0.05)


def mirrored(axis: int, clues: Clues, *, is_turned: bool = False) -> Candidates | None:
    """A whole block in a mirror, or half a turn away: coordinates of the centre and the two products with an axis."""
    products = [k for k, axes in enumerate(AXES_OF_PRODUCTS, 3) if axis in axes]
    if not len(clues.exact) or clues.R is not None or not {*products} & {*clues.products}:
        return None
    signs, turn = np.ones(6), np.where((np.arange(3) == axis) != is_turned, -1.0, 1.0)
    signs[products] = -1.0
    centres = (clues.centre * turn)[None]
    middle = np.array(clues.bodies[clues.exact[0]].inertia.p_BoBcm_B)
    # The centre must agree too: how far each coordinate is afterwards, over how far it is now.
    near = (np.abs(centres[0] - middle) / np.maximum(np.abs(clues.centre - middle), 1e-99))[turn < 0.0]
    if clues.are_outside(centres[0]) or near.max() > 0.25:
        return None
    what = f"{'half a turn about' if is_turned else 'mirrored in'} {'xyz'[axis]}"
    sentence = f"the whole block is {what}{' away' if is_turned else ''}: beside the mesh "
    sentence += f"{said_all(centres[0])} is the centre, and both products with this axis have the other sign"
    return Candidates(
        (clues.six * signs)[None],
        sentence,
        bonus=-float(np.log(np.maximum(near, 0.01)).sum()) * is_turned,
        is_certifiable=not clues.has_centre_outside,  # the centre may be wrong by itself
        centres=centres,
    )


def _permuted(clues: Clues, orders: Mapping[str, Sequence[int]]) -> Candidates | None:
    # With zero products and positive moments nothing shows an exchange.
    if not clues.products:
        return None
    words, origins = list(orders), [list(order) for order in orders.values()]
    tensors = np.array([clues.six[order] for order in origins])
    # A moment that is negative or tiny, beside a product larger than it: they are in other slots.
    return Candidates(
        tensors,
        lambda i: Telling(f"{words[i]}: put right it is {row(tensors[i])}", texts=clues.texts.moved(origins[i])),
        decisive=bool(clues.six[:3].min() < 0.2 * np.abs(clues.six[3:]).max()),
    )


def listed_otherwise(clues: Clues) -> Candidates | None:
    return _permuted(clues, ORDERS)


def rows_first(clues: Clues) -> Candidates | None:
    """Six numbers of a file's order in slots that are moments, then products."""
    return _permuted(clues, {"the entries are listed as xx xy xz yy yz zz": (0, 3, 5, 1, 2, 4)})
