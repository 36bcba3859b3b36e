"""What only a geometry shows: that it is the geometry that is wrong, a part summed wrongly, a block mirrored."""

from __future__ import annotations

from math import exp, log

import numpy as np

from sdfinertia.causes.case import Source
from sdfinertia.causes.clues import Clues
from sdfinertia.causes.components import are_bodies
from sdfinertia.causes.hypothesis import ELSEWHERE, Candidates, Telling
from sdfinertia.causes.wording import row

# |ln λ| within which a tensor is that of the visual, and beyond which it is not that of the collision.
_AGREES, _DIFFERS = 0.1, 0.8
# Significant digits of the shortest moment, and products, of what was measured; |ln λ| that a stand-in may be off.
_MEASURED, _STAND_IN = 4, log(8.0)


def geometry_is_bogus(clues: Clues) -> Candidates | None:
    """Numbers that agree with what is seen and not with what collides, or that were measured beside a few boxes."""
    if not clues.is_body or not clues.bodies or clues.is_about_centre:
        return None
    visual = [k for k, body in enumerate(clues.bodies) if body.source is Source.VISUAL]
    collision = [k for k, body in enumerate(clues.bodies) if body.source is Source.COLLISION]
    near_visual = float(clues.written_distances[visual].min()) if visual else np.inf
    near_collision = float(clues.written_distances[collision].min()) if collision else np.inf
    if near_visual < _AGREES and near_collision > _DIFFERS:
        sentence = (
            f"the tensor agrees with the visual geometry within {100 * (exp(near_visual) - 1):.2g} %, and not with the "
            "collisions: these are wrong, and the numbers are right"
        )
        bonus = 6.0 + log(_AGREES / max(near_visual, 0.01))
    elif clues.is_of_simple_shapes and near_collision < _STAND_IN and _is_measured(clues):
        sentence = (
            "the tensor was measured, to the last digit and with products, and the collisions are simple shapes that "
            "stand in for the part: these are wrong, and the numbers are right"
        )
        bonus = -5.0
    else:
        return None

    telling = Telling(sentence, texts=clues.texts, source=ELSEWHERE)
    return Candidates(clues.six[None], telling, bonus=bonus, is_lost=True, is_certifiable=False, is_fixed=False)


def _is_measured(clues: Clues) -> bool:
    return len(clues.products) >= 1 and min(len(digits) for digits in clues.significant[:3]) >= _MEASURED


def parts_summed(clues: Clues) -> Candidates | None:
    """A centre that is the mesh's beside a tensor that is too small about every axis, by no one factor."""
    geometry, body = clues.from_geometry, clues.best_body
    if geometry is None or body is None or not (clues.is_body and any(clues.centre) and body.faces):
        return None
    apart = float(np.abs(clues.centre - body.inertia.p_BoBcm_B).max())
    if apart > 0.03 * clues.size or not _is_measured(clues):
        return None
    ratios = clues.six[:3] / geometry[:3]
    # What is missing is that of masses at a distance: a body, and none in proportion to the whole.
    missing = are_bodies((geometry - clues.six)[None], 0.02)[0]
    if not missing or not 0.02 < float(ratios.min()) < 0.6 or np.ptp(ratios) < 0.02:
        return None
    telling = Telling(
        "the centre is that of the mesh and every moment is too small: the tensors of the solids of the part were "
        f"added without their parallel-axis terms; the whole mesh has {row(geometry)}",
        source="geometry",
    )
    return Candidates(geometry[None], telling, bonus=5.0, is_lost=True, is_certifiable=False, is_fixed=False)


def mirrored(axis: int, clues: Clues) -> Candidates | None:
    """A whole block in a mirror: one coordinate of the centre and the two products with this axis."""
    exact = [body for body in clues.bodies if body.is_exact_mesh]
    products = {0: (3, 4), 1: (3, 5), 2: (4, 5)}[axis]
    if not exact or not clues.centre[axis] or not any(k in clues.products for k in products) or clues.R is not None:
        return None
    signs, turn = np.ones(6), np.ones(3)
    signs[list(products)], turn[axis] = -1.0, -1.0
    centres = (clues.centre * turn)[None]
    middle = np.array(exact[0].inertia.p_BoBcm_B)
    # The centre has to say so too.
    apart = abs(centres[0, axis] - middle[axis])
    if clues.has_centre_outside or apart > 0.2 * abs(clues.centre[axis] - middle[axis]):
        return None

    telling = Telling(
        f"the whole block is mirrored in {'xyz'[axis]}: beside the mesh the centre and both products with it have "
        "the other sign"
    )
    return Candidates((clues.six * signs)[None], telling, centres=centres)
