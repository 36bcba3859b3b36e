"""Points: a tensor about another one than the centre of mass, or moved there already; a centre that is elsewhere."""

from __future__ import annotations

from math import log

import numpy as np

from sdfinertia.causes.clues import NO_PRODUCT, Candidates, Clues, Telling, row, said, said_all
from sdfinertia.inertia.tensor_arrays import Array, point_masses
from sdfinertia.robot.inertial import ENTRIES

# Evidence of a parallel-axis term.
_COINCIDENCE = 3.0  # a product that vanishes, or two moments that become equal, to a thousandth
_EXACT = 1e-3  # of the largest moment: how near that is
_NEAR_ORIGIN, _HOLLOW = 0.06, 0.2  # of the largest moment, how near a tensor is to the geometry's about the origin
_MIRRORED = np.array([[1.0] * 6, *([1.0, 1, 1, *signs] for signs in ((-1, -1, 1), (-1, 1, -1), (1, -1, -1)))])
_DECISIVE = 6.0  # two coincidences beyond the fitted one
# Parts of today's mass that an earlier one may have been.
_FRACTIONS = (0.1, 0.2, 0.25, 1 / 3, 0.5, 2 / 3, 0.75, 1.5, 2.0, 3.0, 4.0, 5.0, 10.0)
# The worth of a mass that is not today's, and of signs that were mistaken too.
_OTHER_MASS, _TURNED = -0.5, -1.5


def coincidences(clues: Clues, tensors: Array, largest: Array | float, fitted: Array | int = 0) -> Array:
    """(n,), the worth of exact coincidences that the tensor written does not show: products gone, moments equal."""
    # Part of the term added that counts for how near.
    least = _EXACT * np.maximum(np.abs(tensors[:, :3]).max(1), 0.1 * np.asarray(largest))
    six, size = clues.tensor, clues.largest_moment
    gone, equal = np.zeros(len(tensors)), np.zeros(len(tensors))
    for k in clues.products:
        # A product that was next to nothing did not vanish.
        if abs(six[k]) > 0.01 * size:  # least product that can vanish, as a part of the largest moment
            gone += np.abs(tensors[:, k]) < least
    for a, b in ((0, 1), (0, 2), (1, 2)):
        if abs(six[a] - six[b]) > _EXACT * size:
            equal += np.abs(tensors[:, a] - tensors[:, b]) < least
    found: Array = _COINCIDENCE * np.clip(gone + np.minimum(equal, 2.0) - fitted, 0.0, 5.0)
    return found


def about_origin(clues: Clues) -> Candidates | None:
    term = clues.offset_term
    if term is None or not clues.may_be_turned_or_moved:
        return _about_origin_without_centre(clues)
    tensors = (clues.six - clues.mass * term)[None]
    bonus = coincidences(clues, tensors, clues.mass * float(term[:3].max()))
    sentence = (
        "the tensor is about the origin of the link, where SDFormat and URDF have it about the centre of mass; with"
    )
    sentence += f" m·(c²·1 - c cᵀ) taken away it is {row(tensors[0])}"
    return Candidates(tensors, sentence, bonus, bonus >= _DECISIVE)


def _about_origin_without_centre(clues: Clues) -> Candidates | None:
    if any(clues.centre) or not clues.bodies or not clues.mass > 0.0 or clues.is_about_centre:
        return None
    middles = np.array([body.inertia.p_BoBcm_B for body in clues.bodies])
    terms, six = point_masses(1.0, middles), clues.in_link(clues.six)
    about_origin = clues.mass * (clues.tensors_of_bodies + terms)
    # As written, or mirrored.
    apart = np.abs(about_origin - six * _MIRRORED[:, None]).max(2) / about_origin[:, :3].max(1)
    central = clues.mass * terms[:, :3].max(1) / about_origin[:, :3].max(1)
    is_mirrored, best = map(int, np.unravel_index(apart.argmin(), apart.shape))
    # A tensor nearer to the one about the centre is about the centre.
    least = float(apart.min())
    if least > min(_HOLLOW, 0.3 * central[best]) or central[best] < _NEAR_ORIGIN:
        return None
    sentence = (
        "the tensor is that of the geometry about the origin of the link, and the centre was left at 0 0 0, where "
        f"the geometry has it at {said_all(middles[best])}"
    )
    sentence += "; two products have the signs of the mirror image" if is_mirrored else ""
    # 4: the prior of a tensor about the origin where the centre was left out.
    bonus = 4.0 - log(max(least, _EXACT) / _NEAR_ORIGIN) - (log(3.0) if is_mirrored else 0.0)
    telling = Telling(sentence, source="geometry")
    return Candidates(
        clues.from_bodies[best][None], telling, bonus, centres=middles[best][None], is_lost=True, is_certifiable=False
    )


def subtracted(clues: Clues) -> Candidates | None:
    if clues.offset_term is None:
        return None
    (x, y, z), six = clues.offset.tolist(), clues.tensor
    # Masses at which the term may have been taken away: today's, parts of it, and those that products or moments give.
    offsets = {k: offset for k, offset in ((3, x * y), (4, x * z), (5, y * z)) if offset and k in clues.products}
    of_products = {k: six[k] / offset for k, offset in offsets.items()}
    differences = ((0, 1, y * y - x * x), (0, 2, z * z - x * x), (1, 2, z * z - y * y))
    of_moments = [(six[b] - six[a]) / difference for a, b, difference in differences if difference]
    fitted = [mass for mass in (*of_products.values(), *of_moments) if mass > 0.0]
    nice = clues.mass * np.array((1.0, *_FRACTIONS))
    masses = [*nice.tolist(), *fitted]
    signs, worth = [np.ones(6)] * len(masses), [0.0, *[_OTHER_MASS] * (len(masses) - 1)]
    # Products that give one mass but for its sign: signs were mistaken too.
    if of_products and min(of_products.values()) < 0.0 < max(of_products.values()):
        masses.append(float(np.median(np.abs(list(of_products.values())))))
        signs.append(np.array([1.0 if of_products.get(k, 1.0) > 0.0 else -1.0 for k in range(6)]))
        worth.append(_OTHER_MASS + _TURNED)
    weights = np.array(masses)
    terms = weights[:, None] * clues.offset_term
    tensors = clues.six * np.array(signs) + terms
    tensors[:, 3:][np.abs(tensors[:, 3:]) < NO_PRODUCT * np.abs(terms[:, :3]).max(1)[:, None]] = 0.0
    # A fitted mass that is a simple fraction of today's is evidence after all.
    is_simple = (np.abs(nice - weights[:, None]) < _EXACT * weights[:, None]).any(1)
    shown = coincidences(clues, tensors, terms[:, :3].max(1), ~is_simple)
    # All masses but today's share one prior.
    bonus = shown + np.array(worth) - np.where(np.arange(len(masses)) > 0, log(len(masses) - 1), 0.0)

    def tell(i: int) -> Telling:
        sentence = "the parallel-axis term was taken away from a tensor that was about the centre of mass already"
        if abs(masses[i] - clues.mass) > _EXACT * clues.mass:
            sentence += f", when the mass was {said(masses[i])} kg (now {said(clues.mass)} kg)"
        turned = [ENTRIES[k] for k in (3, 4, 5) if signs[i][k] < 0.0]
        evidence = [f"{' and '.join(turned)} turned as well"] if turned else []
        if shown[i] > 0.0:
            evidence.append("with it added back, products vanish or moments become equal to the digits written")
        return Telling(f"{sentence}; with it added back the tensor is {row(tensors[i])}", tuple(evidence))

    return Candidates(tensors, tell, bonus, decisive=shown >= _DECISIVE, is_fixed=np.arange(len(masses)) == 0)


def centre_omitted(clues: Clues) -> Candidates | None:
    if any(clues.centre) or not clues.bodies:
        return None
    centres = np.array([clues.bodies[0].inertia.p_BoBcm_B])
    sentence = f"the centre of mass was left at 0 0 0, and the geometry has it at {said_all(centres[0])}"
    telling = Telling(sentence, texts=clues.texts, source="geometry")
    # A centre taken from the geometry is there by construction: the tensor, and the rest of the file, are evidence.
    everywhere = 1.5 if clues.case.file is not None and clues.case.file.has_no_centres else 0.0
    return Candidates(clues.six[None], telling, everywhere - 2.0, centres=centres, is_fixed=False)


def in_other_frame(clues: Clues) -> Candidates | None:
    if not any(clues.centre) or not clues.is_about_centre or not clues.bodies or clues.is_template:
        return None
    centres = np.array([clues.bodies[0].inertia.p_BoBcm_B])
    sentence = f"the centre is given in another frame; the geometry has it at {said_all(centres[0])}"
    return Candidates(clues.six[None], sentence, -2.0, centres=centres, texts=clues.texts, is_certifiable=False)
