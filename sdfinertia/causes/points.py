"""Tensors about another point, and centres that are elsewhere."""

from __future__ import annotations

from math import log

import numpy as np
import numpy.typing as npt

from sdfinertia.causes.clues import NO_PRODUCT, Candidates, Clues, Telling, row, said, said_all
from sdfinertia.inertia.tensor_arrays import Array, point_masses

# Evidence of a parallel-axis term.
_COINCIDENCE = 3.0  # a product that vanishes, or two moments that become equal, to a thousandth
_EXACT = 1e-3  # of the largest moment: how near that is
_NEAR_ORIGIN, _HOLLOW = 0.06, 0.2  # of the largest moment, how near a tensor is to the geometry's about the origin
_MIRRORED = np.array([[1.0] * 6, *([1.0, 1, 1, *signs] for signs in ((-1, -1, 1), (-1, 1, -1), (1, -1, -1)))])
_DECISIVE = 6.0  # two coincidences beyond the fitted one
_OTHER_MASS = -0.5  # the worth of a mass that is not today's


def coincidences(
    clues: Clues, tensors: Array, largest: Array | float, fitted: npt.NDArray[np.bool_] | int = 0
) -> Array:
    """(n,), what it is worth that products vanish or moments become equal in a tensor, and do not as written."""
    # Part of the term added that counts for how near.
    least = _EXACT * np.maximum(np.abs(tensors[:, :3]).max(1), 0.1 * np.asarray(largest))[:, None]
    six, size = clues.tensor, clues.largest_moment
    # A product that was next to nothing (a hundredth) did not vanish.
    products = [k for k in clues.products if abs(six[k]) > 0.01 * size]
    gone = (np.abs(tensors[:, products]) < least).sum(1)
    pairs = [(a, b) for a, b in ((0, 1), (0, 2), (1, 2)) if abs(six[a] - six[b]) > _EXACT * size]
    one, other = np.array(pairs, dtype=int).reshape(-1, 2).T
    equal = np.minimum((np.abs(tensors[:, one] - tensors[:, other]) < least).sum(1), 2)
    found: Array = _COINCIDENCE * np.clip(gone + equal - fitted, 0.0, 5.0)
    return found


def about_origin(clues: Clues) -> Candidates | None:
    term = clues.offset_term
    if term is None or not clues.may_be_turned_or_moved:
        return _about_origin_without_centre(clues)
    tensors = (clues.six - clues.mass * term)[None]
    bonus = coincidences(clues, tensors, clues.mass * float(term[:3].max()))
    sentence = "the tensor is about the origin of the link, where SDFormat and URDF have it about the centre of mass;"
    return Candidates(
        tensors, f"{sentence} with m·(c²·1 - c cᵀ) taken away it is {row(tensors[0])}", bonus, bonus >= _DECISIVE
    )


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
    telling, tensors, centres = Telling(sentence, source="geometry"), clues.from_bodies[[best]], middles[[best]]
    return Candidates(tensors, telling, bonus, centres=centres, is_lost=True, is_certifiable=False)


def subtracted(clues: Clues) -> Candidates | None:
    if clues.offset_term is None:
        return None
    (x, y, z), six = clues.offset.tolist(), clues.tensor
    # Masses at which the term may have been taken away: today's, and those that products or moments give.
    offsets = {k: offset for k, offset in ((3, x * y), (4, x * z), (5, y * z)) if offset and k in clues.products}
    differences = ((0, 1, y * y - x * x), (0, 2, z * z - x * x), (1, 2, z * z - y * y))
    fitted = [six[k] / offset for k, offset in offsets.items()]
    fitted += [(six[b] - six[a]) / difference for a, b, difference in differences if difference]
    masses = np.array([clues.mass, *(mass for mass in fitted if mass > 0.0)])
    terms = masses[:, None] * clues.offset_term
    tensors = clues.six + terms
    tensors[:, 3:][np.abs(tensors[:, 3:]) < NO_PRODUCT * np.abs(terms[:, :3]).max(1)[:, None]] = 0.0
    is_other = np.arange(len(masses)) > 0
    shown = coincidences(clues, tensors, terms[:, :3].max(1), is_other)

    def tell(i: int) -> Telling:
        sentence = "the parallel-axis term was taken away from a tensor that was about the centre of mass already"
        if abs(masses[i] - clues.mass) > _EXACT * clues.mass:
            sentence += f", when the mass was {said(masses[i])} kg (now {said(clues.mass)} kg)"
        digits = ("with it added back, products vanish or moments become equal to the digits written",)
        evidence = digits if shown[i] > 0.0 else ()
        return Telling(f"{sentence}; with it added back the tensor is {row(tensors[i])}", evidence)

    # All masses but today's share one prior.
    bonus = shown + np.where(is_other, _OTHER_MASS - log(max(len(masses) - 1, 1)), 0.0)
    return Candidates(tensors, tell, bonus, decisive=shown >= _DECISIVE, is_fixed=~is_other)


def centre_omitted(clues: Clues) -> Candidates | None:
    if any(clues.centre) or not clues.bodies:
        return None
    # A centre taken from the geometry is there by construction: the tensor, and the rest of the file, are evidence.
    everywhere = 1.5 if clues.case.file is not None and clues.case.file.has_no_centres else 0.0
    what = "the centre of mass was left at 0 0 0, and the geometry has it at"
    return _from_geometry(clues, what, everywhere - 2.0, "geometry")


def in_other_frame(clues: Clues) -> Candidates | None:
    if not any(clues.centre) or not clues.is_about_centre or not clues.bodies or clues.is_template:
        return None
    return _from_geometry(clues, "the centre is given in another frame; the geometry has it at", -2.0, "digits")


def _from_geometry(clues: Clues, what: str, bonus: float, source: str) -> Candidates:
    centres = np.array([clues.bodies[0].inertia.p_BoBcm_B])
    telling = Telling(f"{what} {said_all(centres[0])}", texts=clues.texts, source=source)
    is_certifiable = source == "geometry"
    return Candidates(clues.six[None], telling, bonus, centres=centres, is_fixed=False, is_certifiable=is_certifiable)
