"""Mistakes that are not in the numbers: in the geometry, or in how the whole was measured or summed."""

from __future__ import annotations

from math import exp, inf, log
from typing import TYPE_CHECKING

import numpy as np

from sdfinertia.causes.candidates import ELSEWHERE, Candidates, Telling, contradiction, row
from sdfinertia.inertia.tensor_arrays import are_bodies
from sdfinertia.robot.link import COLLISION, VISUAL

if TYPE_CHECKING:
    from sdfinertia.causes.clues import Clues

_NEAR = 1.1  # |ln λ| for the mesh a thousandth as large
# |ln λ| within which a tensor is that of the visual, and beyond which it is not that of the collision.
_AGREES, _DIFFERS = 0.1, 0.8
_LIKE, _FAR = 0.5 * log(3.0), log(3.0)
# Digits of the shortest moment, and number of products, of a measured tensor; |ln λ| that a stand-in may be off.
_MEASURED, _STAND_IN = 4, log(8.0)
_EXACT = 3e-7  # part of an entry that more digits than seven may be off by
_IDENTIFIED = log(1.5)  # |ln λ| from which a tensor is not the geometry's


def mesh_in_millimetres(clues: Clues) -> Candidates | None:
    """Numbers that are right for a mesh a thousandth as large."""
    meshes = [k for k, body in enumerate(clues.bodies) if body.faces]
    # A mesh a thousandth as large has a millionth of the tensor at the same mass.
    if not clues.is_body or not meshes or clues.written_distances[meshes].max() < log(1e6) - 2.0 * _NEAR:
        return None
    distance = float(clues.distance_at(clues.mass * 1e-6)[meshes].min())
    density = clues.mass / (clues.volume * 1e-9) if clues.volume is not None else None
    if distance > _NEAR or (density is not None and not 10.0 < density < 30_000.0):
        return None
    # Within a factor of 3 where a million is off.
    sentence = "the mesh is in millimetres: with a <scale> of 0.001 0.001 0.001 mass and tensor are right as they are"
    return _elsewhere(clues, sentence, 3.0)


def _elsewhere(clues: Clues, sentence: str, bonus: float) -> Candidates:
    """Candidates that keep the written numbers: something else is wrong."""
    telling = Telling(sentence, source=ELSEWHERE)
    return Candidates(clues.six[None], telling, bonus, is_lost=True, is_certifiable=False, is_fixed=False)


def geometry_is_bogus(clues: Clues) -> Candidates | None:
    """Numbers that agree with the visuals and not the collisions, or measured numbers beside a few boxes."""
    if not clues.is_body or not clues.bodies or clues.is_about_centre:
        return None
    visual = [k for k, body in enumerate(clues.bodies) if body.kind is VISUAL]
    collision = [k for k, body in enumerate(clues.bodies) if body.kind is COLLISION]
    confirmed = [k for k, body in enumerate(clues.bodies) if not body.faces and _is_confirmed(clues, k)]
    if set(confirmed) & set(collision):
        return None
    near_visual = float(clues.written_distances[visual].min()) if visual else np.inf
    near_collision = float(clues.written_distances[collision].min()) if collision else np.inf
    # Simple shapes stand in for a mesh; what lies beyond the box of both is neither's.
    is_stand_in = all(bool(body.faces) is (body.kind is VISUAL) for body in clues.bodies) and contradiction(clues) < inf
    like, far = (_LIKE, _FAR) if is_stand_in and _is_measured(clues) else (_AGREES, _DIFFERS)
    if near_visual < like and near_collision > far:
        sentence = (
            f"the tensor agrees with the visual geometry within {100 * (exp(near_visual) - 1):.2g} %, and not with the "
            "collisions: these are wrong, and the numbers are right"
        )
        bonus = 6.0 + log(_AGREES / max(near_visual, 0.01))
    elif (
        not confirmed
        and clues.is_of_simple_shapes
        and min(near_collision, near_visual) < _STAND_IN
        and _is_measured(clues)
    ):
        sentence = (
            "the tensor was measured, to the last digit, and the shapes are simple ones that stand in for the part: "
            "these are wrong, and the numbers are right"
        )
        bonus = -4.0
    else:
        return None
    return _elsewhere(clues, sentence, bonus)


def _is_confirmed(clues: Clues, body: int) -> bool:
    """Whether an entry of many digits is that of the body: who wrote the numbers had that shape."""
    found = zip(clues.tensor, clues.numerals, clues.significant, clues.from_bodies[body].tolist(), strict=True)
    return any(
        numeral is not None
        and len(digits) >= _MEASURED
        and abs(value - theirs) <= max(10.0**numeral.last_place, _EXACT * abs(value))
        for value, numeral, digits, theirs in found
    )


def identified(clues: Clues) -> Candidates | None:
    """Parameters identified on the real robot: no mistake."""
    file = clues.case.file
    is_far = clues.is_body and clues.bodies and float(clues.written_distances.min()) > _IDENTIFIED
    if file is None or not is_far or len(clues.products) < 3 or not (file.is_identified or file.says_identified):
        return None
    said_so = (
        "the file says so" if file.says_identified else "many tensors of the file are at the border of what a body has"
    )
    sentence = (
        f"the parameters were identified on the real robot, by regression: {said_so}, and no one change explains them"
    )
    return _elsewhere(clues, sentence, 6.0 if file.says_identified else 4.0)


def _is_measured(clues: Clues) -> bool:
    is_round = bool(clues.pairs) and max(map(len, clues.significant[:3])) > _MEASURED
    return (len(clues.products) >= 1 or is_round) and min(map(len, clues.significant[:3])) >= _MEASURED


def parts_summed(clues: Clues) -> Candidates | None:
    """A centre that is the mesh's beside a tensor that is too small about every axis, by no one factor."""
    geometry = clues.from_geometry
    if geometry is None or not (clues.is_body and any(clues.centre) and clues.bodies[0].faces):
        return None
    apart = float(np.abs(clues.centre - clues.bodies[0].inertia.p_BoBcm_B).max())
    if apart > 0.03 * clues.size or not _is_measured(clues):
        return None
    ratios = clues.six[:3] / geometry[:3]
    # The missing part is of masses at a distance: a valid tensor, not in proportion to the whole.
    missing = are_bodies((geometry - clues.six + 0.02 * geometry[:3].max() * np.array([1.0, 1, 1, 0, 0, 0]))[None])[0]
    if not missing or not 0.02 < float(ratios.min()) < 0.6 or np.ptp(ratios) < 0.02:
        return None
    telling = Telling(
        "the centre is that of the mesh and every moment is too small: the tensors of the solids of the part were "
        f"added without their parallel-axis terms; the whole mesh has {row(geometry)}",
        source="geometry",
    )
    return Candidates(geometry[None], telling, bonus=5.0, is_lost=True, is_certifiable=False, is_fixed=False)
