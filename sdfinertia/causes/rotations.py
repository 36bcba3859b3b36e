"""Rotations missing, inverted, in degrees, or of another frame; a block in a mirror, or half a turn away."""

from __future__ import annotations

from math import pi, radians
from typing import TYPE_CHECKING

import numpy as np

from sdfinertia.causes.candidates import Candidates, Telling, joined, row, said_all
from sdfinertia.inertia.rigid_transform import IDENTITY_ROTATION, Rotation, rotation_from_rpy
from sdfinertia.inertia.tensor_arrays import AXES_OF_PRODUCTS, Array, matrices, rotated

if TYPE_CHECKING:
    from sdfinertia.causes.clues import Clues


def other_axes(clues: Clues) -> Candidates | None:
    if not clues.may_be_turned_or_moved:
        return None
    turned = [frame for frame in clues.frames if frame.pose.rotation != IDENTITY_ROTATION]
    half = next((found for axis in range(3) if (found := mirrored(axis, clues, is_turned=True)) is not None), None)
    if not turned:
        return half
    tensors = rotated(clues.in_link(clues.six), np.array([frame.pose.rotation for frame in turned]).reshape(-1, 3, 3))
    found = Candidates(
        clues.in_written(tensors),
        lambda i: f"the tensor is in the axes of {turned[i].name}; in those of the link it is {row(tensors[i])}",
        -np.log(len(turned)),
        centres=np.repeat(clues.centre[None], len(turned), axis=0),
    )
    return joined(found, half)


def _as_rotation(R: Array) -> Rotation:
    a, b, c, d, e, f, g, h, i = (float(value) + 0.0 for value in R.ravel())
    return (a, b, c, d, e, f, g, h, i)


def missing(clues: Clues) -> Candidates | None:
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
    what = f"the tensor is {'a tensor in axes of its own' if clues.products else 'principal moments'}, and "
    what += "the rotation of the inertial is missing: about the axes of the mesh it agrees with it"
    return Candidates(
        np.repeat(clues.six[None], len(meshes), axis=0),
        lambda i: Telling(what, texts=clues.texts, rotation=_as_rotation(R[i])),
        in_link=rotated(clues.six, R),
        bonus=-4.0 + (0.0 if clues.products else 1.5),  # three angles that are chosen to fit
        is_fixed=False,
        is_certifiable=False,
    )


def _turned(clues: Clues, R: Array, sentence: str, bonus: float = 0.0) -> Candidates:
    telling = Telling(sentence, texts=clues.texts, rotation=_as_rotation(R))
    return Candidates(clues.six[None], telling, in_link=rotated(clues.six, R)[None], bonus=bonus)


def inverted(clues: Clues) -> Candidates | None:
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
