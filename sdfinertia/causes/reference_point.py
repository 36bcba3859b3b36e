"""Points: a tensor about another one than the centre of mass, or moved there already; a centre that is elsewhere."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import product
from math import log
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sdfinertia.causes.clues import NO_PRODUCT, Candidates, Clues, Telling, joined, row, said, said_all
from sdfinertia.inertia.tensor_arrays import Array, point_masses, rotated
from sdfinertia.robot.inertial import ENTRIES

if TYPE_CHECKING:
    from collections.abc import Callable

# Evidence of a parallel-axis term.
_COINCIDENCE = 3.0  # a product that vanishes, or two moments that become equal, to a thousandth
_EXACT = 1e-3  # of the largest moment: how near that is
_OTHER_MASS = -0.5  # a mass that is not today's is a free number
_NEAR_ORIGIN, _HOLLOW = 0.06, 0.2  # of the largest moment, how near a tensor is to the geometry's about the origin
_MIRRORED = np.array([[1.0] * 6, *([1.0, 1, 1, *signs] for signs in ((-1, -1, 1), (-1, 1, -1), (1, -1, -1)))])
_DECISIVE = 6.0  # two coincidences beyond the fitted one

# Parts of today's mass that an earlier one may have been.
_FRACTIONS = (0.1, 0.2, 0.25, 1 / 3, 0.5, 2 / 3, 0.75, 1.5, 2.0, 3.0, 4.0, 5.0, 10.0)
_NICE = np.array((*_FRACTIONS, 1.0))


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
    sentence = (
        "the tensor is about the origin of the link, where SDFormat and URDF have it about the centre of mass; with"
    )
    found = _taken_away(1.0, sentence, clues)
    return _about_origin_without_centre(clues) if found is None else found


def _taken_away(times: float, sentence: str, clues: Clues) -> Candidates | None:
    term = clues.offset_term
    # Without a centre there is no such term.
    if term is None or not clues.may_be_turned_or_moved:
        return None
    tensors = (clues.six - times * clues.mass * term)[None]
    bonus = coincidences(clues, tensors, times * clues.mass * float(term[:3].max()))
    return Candidates(
        tensors, f"{sentence} m·(c²·1 - c cᵀ) taken away it is {row(tensors[0])}", bonus, bonus >= _DECISIVE
    )


moved_wrong_way: Callable[[Clues], Candidates | None] = partial(
    _taken_away,
    2.0,
    "the parallel-axis term was added where it had to be taken away, to come from the origin of the link to the centre "
    "of mass; with twice",
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
    # Rounded entries may be off by half a unit; a tensor nearer to the one about the centre is about the centre.
    half_unit = max((each.half_unit for each in clues.numerals if each is not None), default=0.0)
    unit = 2.0 * half_unit / float(about_origin[best, :3].max())
    least = float(apart.min())
    if least > min(_HOLLOW + unit, 0.3 * central[best]) or central[best] < _NEAR_ORIGIN:
        return None
    sentence = (
        "the tensor is that of the geometry about the origin of the link, and the centre was left at 0 0 0, where "
        f"the geometry has it at {said_all(middles[best])}"
    )
    sentence += "; two products have the signs of the mirror image" if is_mirrored else ""
    # 4: the prior of a tensor about the origin where the centre was left out.
    bonus = 4.0 - log(max(least, _EXACT) / _NEAR_ORIGIN) - (log(3.0) if is_mirrored else 0.0)
    tensors = clues.from_bodies[best][None]
    telling = Telling(sentence, source="geometry")
    return Candidates(tensors, telling, bonus, centres=middles[best][None], is_lost=True, is_certifiable=False)


def about_frame(clues: Clues) -> Candidates | None:
    frames = clues.frames
    if not frames or not clues.may_be_turned_or_moved:
        return None
    offsets = clues.centre - np.array([frame.pose.translation for frame in frames])
    # The origin of the link is a hypothesis of its own.
    apart = [k for k, frame in enumerate(frames) if np.abs(frame.pose.translation).max() > 1e-6 * clues.size]
    if not apart:
        return None
    frames, offsets = [frames[k] for k in apart], offsets[apart]
    offsets = offsets if clues.R is None else offsets @ clues.R
    terms = clues.mass * point_masses(np.ones(len(frames)), offsets)
    tensors = clues.six - terms
    bonus = coincidences(clues, tensors, terms[:, :3].max(1))
    return Candidates(
        tensors,
        lambda i: (
            f"the tensor is about the origin of {frames[i].name}, {said(float(np.linalg.norm(offsets[i])))} m from the "
            f"centre of mass; moved to this it is {row(tensors[i])}"
        ),
        bonus - np.log(len(frames)),
        decisive=bonus >= _DECISIVE,
    )


class _Way(NamedTuple):
    """A mass at which the parallel-axis term may have been taken away."""

    mass: float
    fitted: int = 0
    cost: float = _OTHER_MASS
    signs: Array = np.ones(6)


def _ways(clues: Clues) -> list[_Way]:
    (x, y, z), six = clues.offset.tolist(), clues.tensor
    found = [_Way(clues.mass, cost=0.0), *(_Way(clues.mass * part) for part in _FRACTIONS)]
    offsets = ((3, x * y), (4, x * z), (5, y * z))
    masses = {k: six[k] / offset for k, offset in offsets if offset and k in clues.products}
    # Products that give one mass but for its sign: signs were mistaken too.
    if masses and min(masses.values()) < 0.0 < max(masses.values()):
        mean = float(np.median(np.abs(list(masses.values()))))
        signs = np.array([1.0 if masses.get(k, 1.0) > 0.0 else -1.0 for k in range(6)])
        found.append(_Way(mean, 1, _OTHER_MASS - 1.5, signs))
    differences = ((0, 1, y * y - x * x), (0, 2, z * z - x * x), (1, 2, z * z - y * y))
    of_moments = [(six[b] - six[a]) / difference for a, b, difference in differences if difference]
    return [*found, *(_Way(mass, 1) for mass in (*masses.values(), *of_moments) if mass > 0.0)]


def subtracted(clues: Clues) -> Candidates | None:
    if clues.offset_term is None:
        return None
    ways = _ways(clues)
    masses, fitted = np.array([way.mass for way in ways]), np.array([way.fitted for way in ways])
    terms = masses[:, None] * clues.offset_term
    tensors = clues.six * np.array([way.signs for way in ways]) + terms
    tensors[:, 3:][np.abs(tensors[:, 3:]) < NO_PRODUCT * np.abs(terms[:, :3]).max(1)[:, None]] = 0.0
    # A fitted mass that is a simple fraction of today's is evidence after all.
    is_simple = (np.abs(_NICE * clues.mass - masses[:, None]) < _EXACT * masses[:, None]).any(1)
    fitted -= (fitted == 1) & (masses != clues.mass) & is_simple
    shown = coincidences(clues, tensors, terms[:, :3].max(1), fitted)
    # All masses but today's share one prior.
    costs = np.array([way.cost for way in ways])
    bonus = shown + costs - np.where(costs < 0.0, np.log(max(len(ways) - 1, 1)), 0.0)

    def tell(i: int) -> Telling:
        evidence = []
        sentence = "the parallel-axis term was taken away from a tensor that was about the centre of mass already"
        if abs(ways[i].mass - clues.mass) > _EXACT * clues.mass:
            sentence += f", when the mass was {said(ways[i].mass)} kg (now {said(clues.mass)} kg)"
        turned = [ENTRIES[k] for k in (3, 4, 5) if ways[i].signs[k] < 0.0]
        if turned:
            evidence.append(f"{' and '.join(turned)} turned as well")
        if shown[i] > 0.0:
            evidence.append("with it added back, products vanish or moments become equal to the digits written")
        return Telling(f"{sentence}; with it added back the tensor is {row(tensors[i])}", tuple(evidence))

    decisive = shown >= _DECISIVE
    return Candidates(tensors, tell, bonus, decisive=decisive, is_fixed=np.arange(len(ways)) == 0)


_UNITS, _UNIT_FACTORS = ("mm", "cm", "in"), np.array([1e-3, 1e-2, 0.0254])
# Distance of a centre in the right unit from the geometry's, as a part of the diagonal, and the cost of a larger one.
_NEAR, _FAR_CENTRE = 0.1, -6.0
# Part of the size within which a centre equals the pose of its link, and the worth of that.
_ON_POSE, _IS_POSE = 1e-5, 5.0
_UNKNOWN_FRAME = -8.0


def _moved(clues: Clues, centres: Array, tell: Callable[[int], str] | Telling, bonus: Array | float) -> Candidates:
    tensors = np.repeat(clues.six[None], len(centres), axis=0)
    return Candidates(tensors, tell, bonus, centres=centres, texts=clues.texts, is_fixed=False)


def worth_in_units(clues: Clues, centres: Array) -> Array:
    """(n,), the evidence of the geometry on centres in other units."""
    if not any(clues.centre):
        return np.full(len(centres), -3.0)  # a centre of 0 0 0 shows no unit of length
    if not clues.bodies:
        return np.zeros(len(centres))
    apart = np.abs(centres - clues.bodies[0].inertia.p_BoBcm_B).max(1)
    near = np.where(apart < _NEAR * clues.size, 0.0, _FAR_CENTRE)
    # A centre that is not far away is brought near by any unit.
    is_far = not clues.is_about_centre or np.abs(clues.centre).max() > 5.0 * clues.size
    return near + (0.0 if is_far else _FAR_CENTRE)


def centre_units(clues: Clues) -> Candidates | None:
    if not clues.is_body or clues.case.box is None or not any(clues.case.written.centre):
        return None
    centres = clues.centre * _UNIT_FACTORS[:, None]
    bonus = worth_in_units(clues, centres) - np.log(len(centres))
    # Divided by a thousand, any centre comes near a geometry about the origin.
    middle = np.array(clues.bodies[0].inertia.p_BoBcm_B) if clues.bodies else np.zeros(3)
    tells = np.abs(centres - middle).max(1) < 0.2 * np.abs(middle).max()
    bonus = bonus + np.where(tells, 0.0, np.minimum(bonus, 0.0))
    found = _moved(clues, centres, lambda i: f"the centre is in {_UNITS[i]}: {said_all(centres[i])} m", bonus)
    return replace(found, is_certifiable=tells | (bonus > _FAR_CENTRE))


def centre_omitted(clues: Clues) -> Candidates | None:
    if any(clues.centre) or not clues.bodies:
        return None
    centres = np.array([clues.bodies[0].inertia.p_BoBcm_B])
    sentence = f"the centre of mass was left at 0 0 0, and the geometry has it at {said_all(centres[0])}"
    telling = Telling(sentence, texts=clues.texts, source="geometry")
    # A centre taken from the geometry is there by construction: the tensor, and the rest of the file, are evidence.
    everywhere = 1.5 if clues.case.file is not None and clues.case.file.has_no_centres else 0.0
    return _moved(clues, centres, telling, everywhere - 2.0)


def centre_signs(clues: Clues) -> Candidates | None:
    present = np.flatnonzero(clues.centre)
    signs = [s for s in product((1.0, -1.0), repeat=3) if -1.0 in s and all(s[k] > 0 or k in present for k in range(3))]
    if not signs:
        return None
    centres = clues.centre * np.array(signs)

    def tell(i: int) -> str:
        axes = " and ".join("xyz"[k] for k in range(3) if signs[i][k] < 0)
        return f"the centre has the wrong sign in {axes}: {said_all(centres[i])}"

    count = (np.array(signs) < 0).sum(1)
    return _moved(clues, centres, tell, -np.log(len(signs)) - 1.0 * (count == 2))


def in_other_frame(clues: Clues) -> Candidates | None:
    """Centre and tensor, or the centre alone, in another frame."""
    moved = [frame for frame in clues.frames if not frame.pose.is_identity]
    if not any(clues.centre) or not (clues.may_be_turned_or_moved or clues.is_about_centre):
        return None
    if not moved:
        return _in_unknown_frame(clues)
    R_LF = np.array([frame.pose.rotation for frame in moved]).reshape(-1, 3, 3)
    centres = R_LF @ clues.centre + np.array([frame.pose.translation for frame in moved])
    tensors = clues.in_written(rotated(clues.in_link(clues.six), R_LF))
    both = np.concatenate((tensors, np.repeat(clues.six[None], len(moved), axis=0)))
    is_pose = np.where(np.abs(centres).max(1) <= _ON_POSE * max(clues.size, 1e-9), _IS_POSE, 0.0)

    def tell(i: int) -> Telling:
        frame, where = moved[i % len(moved)], said_all(centres[i % len(moved)])
        what, texts = ("centre and tensor are", None) if i < len(moved) else ("the centre is", clues.texts)
        return Telling(f"{what} given in {frame.name}; in the link the centre is {where}", texts=texts)

    # Less where no finding is about the centre.
    bonus = np.concatenate((is_pose, is_pose)) - np.log(len(both)) - (0.0 if clues.is_about_centre else 1.5)
    found = Candidates(both, tell, centres=np.concatenate((centres, centres)), bonus=bonus)
    return joined(found, _in_unknown_frame(clues))


def _in_unknown_frame(clues: Clues) -> Candidates | None:
    if not clues.is_about_centre or not clues.bodies or clues.is_template:
        return None
    centres = np.array([clues.bodies[0].inertia.p_BoBcm_B])
    where = said_all(centres[0])
    sentence = f"the centre is given in a frame that is none of the file's; the geometry has it at {where}"
    return Candidates(
        clues.six[None], sentence, _UNKNOWN_FRAME, centres=centres, texts=clues.texts, is_certifiable=False
    )
