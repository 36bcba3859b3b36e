"""Axes: exchanged, those of another frame, or turned by a rotation that is missing, inverted or in degrees."""

from __future__ import annotations

from itertools import permutations, product
from math import pi, radians
from typing import Any

import numpy as np

from sdfinertia.causes.clues import Clues
from sdfinertia.causes.hypothesis import Candidates, Group, Hypothesis, Need, Telling
from sdfinertia.causes.sixes import Array, matrices, rotated
from sdfinertia.causes.weights import AXES, SCALE
from sdfinertia.causes.wording import exchanged_texts, row, said
from sdfinertia.inertia.rigid_transform import Rotation, rotation_from_rpy

# Where each of ixx iyy izz ixy ixz iyz is in a matrix.
_PLACES = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
_ENTRY_OF = {frozenset(place): k for k, place in enumerate(_PLACES)}
# How axes are turned that leave a body what it is: the signs of two of them.
_TURNS = ((1, 1, 1), (1, 1, -1), (1, -1, 1), (-1, 1, 1))
# What has y up beside what has z up: turned about x, either way.
_Y_UP = np.array([[[1.0, 0, 0], [0, 0, -1], [0, 1, 0]], [[1.0, 0, 0], [0, 0, 1], [0, -1, 0]]])


def _exchanges() -> tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]:
    """For each way to exchange axes: where the right six stand now, and the signs of the right six."""
    found = []
    for order, turn in product([*permutations(range(3))][1:], _TURNS):
        origins = tuple(_ENTRY_OF[frozenset((order[i], order[j]))] for i, j in _PLACES)
        found.append((origins, tuple(turn[i] * turn[j] for i, j in _PLACES)))
    return tuple(found)


_EXCHANGES = _exchanges()
EXCHANGED_ORIGINS = np.array([origins for origins, _ in _EXCHANGES])
EXCHANGED_SIGNS = np.array([signs for _, signs in _EXCHANGES], dtype=float)
# What is written, and then each exchange, beside each exchange: whether it comes before.
_EARLIER = np.tri(len(_EXCHANGES), len(_EXCHANGES) + 1, dtype=bool).T


def _axes_exchanged(clues: Clues) -> Candidates | None:
    if not clues.may_be_turned_or_moved:
        return None
    tensors = clues.six[EXCHANGED_ORIGINS] * EXCHANGED_SIGNS
    # Zeros turn no signs, and equal moments exchange nothing: of those that are one the first stands for all.
    before = np.concatenate((clues.six[None], tensors))
    is_same = (np.abs(before[:, None] - tensors[None]) <= AXES.same * clues.largest).all(2)
    chosen = np.flatnonzero(~(is_same & _EARLIER).any(0)).tolist()
    if not chosen:
        return None

    def tell(i: int) -> Telling:
        origins, signs = _EXCHANGES[chosen[i]]
        named = " ".join("xyz"[origins[k]] for k in range(3))
        return Telling(
            f"the axes are exchanged: what is written for {named} belongs to x y z, which gives "
            f"{row(tensors[chosen[i]])}",
            texts=exchanged_texts(clues, origins, [sign < 0 for sign in signs]),
        )

    return Candidates(tensors[chosen], tell, bonus=-np.log(len(chosen)))


def _y_up(clues: Clues) -> Candidates | None:
    if not clues.may_be_turned_or_moved or not any(clues.case.written.centre):
        return None
    tensors, centres = rotated(clues.six, _Y_UP), _Y_UP @ clues.centre

    def tell(i: int) -> Telling:
        centre = " ".join(said(float(value)) for value in centres[i])
        return Telling(
            f"centre and tensor are in axes with y up: turned about x the centre is {centre} and the six are "
            f"{row(tensors[i])}"
        )

    bonus = np.full(2, -np.log(2.0))
    if clues.best_body is not None:
        # The centre was turned, too: it comes to that of the geometry, or it leaves it.
        middle = np.array(clues.best_body.inertia.p_BoBcm_B)
        now = float(np.abs(clues.centre - middle).max())
        then = np.abs(centres - middle).max(1)
        bonus += np.where(
            then < 0.5 * now, SCALE.centre_of_geometry, np.where(then > 2.0 * now, -SCALE.centre_of_geometry, 0.0)
        )
    return Candidates(tensors, tell, centres=centres, bonus=bonus)


def _other_axes(clues: Clues) -> Candidates | None:
    frames = sorted(clues.case.frames, key=lambda frame: (frame.kind.value, frame.name))
    turned = [frame for frame in frames if np.abs(np.array(frame.pose.rotation) - np.eye(3).ravel()).max() > 1e-6]
    if not turned or not clues.may_be_turned_or_moved:
        return None
    R_LF = np.array([frame.pose.rotation for frame in turned]).reshape(-1, 3, 3)
    tensors = rotated(clues.in_link(clues.six), R_LF)

    def tell(i: int) -> Telling:
        return Telling(f"the tensor is in the axes of {turned[i].name}; in those of the link it is {row(tensors[i])}")

    return Candidates(clues.in_written(tensors), tell, bonus=-np.log(len(turned)))


def _as_rotation(R: Array) -> Rotation:
    a, b, c, d, e, f, g, h, i = (float(value) + 0.0 for value in R.ravel())
    return (a, b, c, d, e, f, g, h, i)


def _rotation_missing(clues: Clues) -> Candidates | None:
    """The moments of the mesh in other axes: about its principal axes they would agree."""
    meshes = [k for k, body in enumerate(clues.bodies) if body.faces and body.filling.value != "shell"][:2]
    if not meshes or not clues.is_body or clues.R is not None:
        return None
    _, U = np.linalg.eigh(matrices(clues.six))
    _, V = np.linalg.eigh(matrices(clues.tensors_of_bodies[meshes]))
    # Eigenvectors have no direction: of the rotations that they allow, a proper one.
    R = V @ U.T
    U = np.where(np.linalg.det(R)[:, None, None] < 0.0, U * np.array([1.0, 1.0, -1.0]), U)
    R = V @ np.swapaxes(U, -1, -2)
    in_link = rotated(clues.six, R)
    is_principal = not clues.products

    def tell(i: int) -> Telling:
        own = "principal moments" if is_principal else "a tensor in axes of its own"
        return Telling(
            f"the six are {own}, and the rotation of the inertial is missing: about the axes of the mesh they agree "
            "with it",
            texts=clues.texts,
            rotation=_as_rotation(R[i]),
        )

    tensors = np.repeat(clues.six[None], len(meshes), axis=0)
    bonus = AXES.free_rotation + (AXES.principal if is_principal else 0.0)
    return Candidates(tensors, tell, in_link=in_link, bonus=bonus, slips=False, is_certifiable=False)


def _turned(clues: Clues, R: Array, sentence: str, bonus: float = 0.0, *, slips: bool = True) -> Candidates:
    def tell(_: int) -> Telling:
        return Telling(sentence, texts=clues.texts, rotation=_as_rotation(R))

    return Candidates(clues.six[None], tell, in_link=rotated(clues.six, R)[None], bonus=bonus, slips=slips)


def _rotation_inverted(clues: Clues) -> Candidates | None:
    if clues.R is None or not clues.may_be_turned_or_moved:
        return None
    return _turned(
        clues, clues.R.T, "the rotation of the inertial is inverted: it turns the link into the tensor's axes"
    )


def _rotation_surplus(clues: Clues) -> Candidates | None:
    if clues.R is None or not clues.may_be_turned_or_moved:
        return None
    return _turned(
        clues, np.eye(3), "the tensor is in the axes of the link already, and the inertial turns it once more"
    )


def _degrees(clues: Clues) -> Candidates | None:
    angles = _angles(clues.case.written.angle_texts)
    if angles is None or not clues.may_be_turned_or_moved or max(map(abs, angles)) <= 2.0 * pi:
        return None
    R = np.array(rotation_from_rpy(*(radians(angle) for angle in angles))).reshape(3, 3)
    given = " ".join(said(angle) for angle in angles)
    return _turned(
        clues, R, f"the angles {given} of the inertial are degrees, where radians are due", bonus=AXES.degrees
    )


def _angles(texts: Any) -> tuple[float, float, float] | None:
    try:
        roll, pitch, yaw = (float(text) for text in texts)
    except ValueError:
        return None
    return roll, pitch, yaw


HYPOTHESES = (
    Hypothesis(
        name="axes-exchanged",
        group=Group.AXES,
        what="wrote moments for other axes, or took y for up",
        undo="the order of the axes",
        prior=-2.8,
        example="0.0177 0 0 0.1855 0 0.168 for a box that has 0.1855 0 0 0.168 0 0.0177",
        source="chaolmu/gazebo_models_worlds_collection@cce115b8 6_Cube_StorageE model.sdf Wall_12",
        find=_axes_exchanged,
        is_slip=True,
        trust=0.6,
    ),
    Hypothesis(
        name="y-up",
        group=Group.AXES,
        what="exported centre and tensor with y up",
        undo="a quarter turn about x of both",
        prior=-4.6,
        example="centre 0 0.3 0 and moments 0.01 0.002 0.01 of a pole that stands 0.6 m along z",
        find=_y_up,
        is_slip=True,
        about="both",
    ),
    Hypothesis(
        name="in-other-axes",
        group=Group.AXES,
        what="gave the tensor in the axes of another frame of the model",
        undo="the rotation of this frame",
        prior=-4.0,
        example="moments 0.03 0.01 0.02 in the axes of the model, in a link turned by 90° about z: 0.01 0.03 0.02",
        find=_other_axes,
        needs=Need.FRAME,
        is_slip=True,
        trust=0.6,
    ),
    Hypothesis(
        name="rotation-missing",
        group=Group.AXES,
        what="left out the rotation of the inertial",
        undo="the axes of the mesh",
        prior=-3.6,
        example="principal moments 0.01 0.02 0.025 without the 30° by which their axes are turned in the mesh",
        find=_rotation_missing,
        needs=Need.GEOMETRY,
    ),
    Hypothesis(
        name="rotation-inverted",
        group=Group.AXES,
        what="inverted the rotation of the inertial",
        undo="its inverse",
        prior=-3.4,
        example="rpy of 0 0 0.5 for axes that are turned by -0.5 in the link",
        find=_rotation_inverted,
        is_slip=True,
    ),
    Hypothesis(
        name="rotation-surplus",
        group=Group.AXES,
        what="turned a tensor that was in the axes of the link",
        undo="the rotation of the inertial taken away",
        prior=-4.0,
        example="rpy 0 -3.1415926 0 turns ixy and iyz; without it all six are within 0.35 % of the mesh, with it 18 %",
        source="RealManRobot/rm_models@bdb12ca3 inspire_hand_r.urdf R_thumb_proximal_base",
        find=_rotation_surplus,
        is_slip=True,
    ),
    Hypothesis(
        name="angles-in-degrees",
        group=Group.AXES,
        what="gave the angles of the inertial in degrees",
        undo="the angles in radians",
        prior=-2.5,
        example="rpy of 0 0 90: 14 turns and 2.04 rad",
        find=_degrees,
        trust=0.8,
    ),
)
