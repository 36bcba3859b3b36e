"""Centres: of mass, left out, given in another frame or unit, with a wrong sign or power of ten, or another link's."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np

from sdfinertia.causes.clues import Clues
from sdfinertia.causes.components import Array, rotated
from sdfinertia.causes.hypothesis import Candidates, Telling
from sdfinertia.causes.wording import said_all

_UNITS, _UNIT_FACTORS = ("mm", "cm", "in"), np.array([1e-3, 1e-2, 0.0254])
# Part of the diagonal that a centre in the right unit is from that of the geometry, and what it costs to be farther.
_NEAR, _FAR_CENTRE = 0.1, -6.0
# Of the size: a centre that is, to the digits, the pose of its link; and what that is worth.
_EXACT, _IS_POSE = 1e-5, 5.0


def _moved(clues: Clues, centres: Array, tell: Callable[[int], Telling] | Telling, bonus: Array | float) -> Candidates:
    tensors = np.repeat(clues.six[None], len(centres), axis=0)
    return Candidates(tensors, tell, centres=centres, bonus=bonus, is_fixed=False)


def worth_in_units(clues: Clues, centres: Array) -> Array:
    """(n,), what the geometry says of centres in other units."""
    if not any(clues.centre):
        return np.full(len(centres), -3.0)  # a centre of 0 0 0 shows no unit of length
    if clues.best_body is None:
        return np.zeros(len(centres))
    apart = np.abs(centres - clues.best_body.inertia.p_BoBcm_B).max(1)
    near = np.where(apart < _NEAR * clues.size, 0.0, _FAR_CENTRE)
    # A centre that is not far away is brought near by any unit.
    is_far = not clues.is_about_centre or np.abs(clues.centre).max() > 5.0 * clues.size
    return near + (0.0 if is_far else _FAR_CENTRE)


def units(clues: Clues) -> Candidates | None:
    if not clues.is_body or clues.box is None or not any(clues.case.written.centre):
        return None
    centres = clues.centre * _UNIT_FACTORS[:, None]

    def tell(i: int) -> Telling:
        return Telling(f"the centre is in {_UNITS[i]}: {said_all(centres[i])} m", texts=clues.texts)

    return _moved(clues, centres, tell, worth_in_units(clues, centres) - np.log(len(centres)))


def omitted(clues: Clues) -> Candidates | None:
    if any(clues.centre) or not clues.bodies:
        return None
    centres = np.array([body.inertia.p_BoBcm_B for body in clues.bodies[:1]])

    sentence = f"the centre of mass was left at 0 0 0, and the geometry has it at {said_all(centres[0])}"
    telling = Telling(sentence, texts=clues.texts, source="geometry")
    # That it is where it was taken from shows nothing: the tensor beside the geometry does, and the rest of the file.
    everywhere = 1.5 if clues.case.file is not None and clues.case.file.has_no_centres else 0.0
    return _moved(clues, centres, telling, everywhere - 2.0)


def signs(clues: Clues) -> Candidates | None:
    present = np.flatnonzero(clues.centre)
    signs = [s for s in product((1.0, -1.0), repeat=3) if -1.0 in s and all(s[k] > 0 or k in present for k in range(3))]
    if not signs:
        return None
    centres = clues.centre * np.array(signs)

    def tell(i: int) -> Telling:
        axes = " and ".join("xyz"[k] for k in range(3) if signs[i][k] < 0)
        return Telling(f"the centre has the wrong sign in {axes}: {said_all(centres[i])}", texts=clues.texts)

    count = (np.array(signs) < 0).sum(1)
    return _moved(clues, centres, tell, -np.log(len(signs)) - 1.0 * (count == 2))


def other_frame(clues: Clues) -> Candidates | None:
    """Centre and tensor, or the centre alone, in another frame."""
    moved = [frame for frame in clues.frames if not frame.pose.is_identity]
    if not moved or not any(clues.centre) or not (clues.may_be_turned_or_moved or clues.is_about_centre):
        return None
    R_LF = np.array([frame.pose.rotation for frame in moved]).reshape(-1, 3, 3)
    centres = R_LF @ clues.centre + np.array([frame.pose.translation for frame in moved])
    tensors = clues.in_written(rotated(clues.in_link(clues.six), R_LF))
    both = np.concatenate((tensors, np.repeat(clues.six[None], len(moved), axis=0)))
    is_pose = np.where(np.abs(centres).max(1) <= _EXACT * max(clues.size, 1e-9), _IS_POSE, 0.0)

    def tell(i: int) -> Telling:
        frame = moved[i % len(moved)]
        what = "centre and tensor are" if i < len(moved) else "the centre is"
        where = said_all(centres[i % len(moved)])
        return Telling(
            f"{what} given in {frame.name}; in the link the centre is {where}",
            texts=None if i < len(moved) else clues.texts,
        )

    # Less where the centre is not what is found.
    bonus = np.concatenate((is_pose, is_pose)) - np.log(len(both)) - (0.0 if clues.is_about_centre else 1.5)
    return Candidates(both, tell, centres=np.concatenate((centres, centres)), bonus=bonus)
