"""Reference point: a tensor about another point than the centre of mass, or moved there when it was there already."""

from __future__ import annotations

from math import log

import numpy as np

from sdfinertia.causes.axes import EXCHANGED_ORIGINS, EXCHANGED_SIGNS
from sdfinertia.causes.clues import ENTRIES, NO_PRODUCT, Clues
from sdfinertia.causes.components import Array, point_masses
from sdfinertia.causes.formulas import best_fit, stands_on_origin, worth_of_digits
from sdfinertia.causes.hypothesis import Candidates, Telling, joined
from sdfinertia.causes.wording import row, said, said_all
from sdfinertia.named_tuple import NamedTuple

# What a parallel-axis term shows.
_COINCIDENCE = 3.0  # a product that vanishes, or two moments that become equal, to a thousandth
_EXACT = 1e-3  # of the largest moment: how near that is
_OTHER_MASS = -0.5  # a mass that is not today's is a free number
_IN_OTHER_AXES = -3.0
_NEAR_ORIGIN = 0.06  # of the largest moment, how near a tensor is to the geometry's about the origin
_DECISIVE = 6.0  # two coincidences beyond what was fitted

# Parts of today's mass that an earlier one may have been.
_FRACTIONS = (0.1, 0.2, 0.25, 1 / 3, 0.5, 2 / 3, 0.75, 1.5, 2.0, 3.0, 4.0, 5.0, 10.0)
_NICE = np.array((*_FRACTIONS, 1.0))


def coincidences(clues: Clues, tensors: Array, largest: Array | float) -> Array:
    """(n,), how many exact coincidences tensors show that the one written does not: products gone, moments equal."""
    # Part of the term added that counts for how near.
    least = _EXACT * np.maximum(np.abs(tensors[:, :3]).max(1), 0.1 * np.asarray(largest))
    six, size = clues.tensor, clues.largest_moment
    gone, equal = np.zeros(len(tensors)), np.zeros(len(tensors))
    for k in clues.products:
        # What was next to nothing before has not gone.
        if abs(six[k]) > 0.01 * size:  # of the largest moment: what a product was that vanished
            gone += np.abs(tensors[:, k]) < least
    for a, b in ((0, 1), (0, 2), (1, 2)):
        if abs(six[a] - six[b]) > _EXACT * size:
            equal += np.abs(tensors[:, a] - tensors[:, b]) < least
    found: Array = gone + np.minimum(equal, 2.0)
    return found


def _worth(found: Array) -> Array:
    return _COINCIDENCE * np.clip(found, 0.0, 5.0)  # coincidences that count


def _about_origin(clues: Clues) -> Candidates | None:
    term = clues.offset_term
    if term is None or not clues.may_be_turned_or_moved:
        return None
    tensors = (clues.six - clues.mass * term)[None]
    bonus = _worth(coincidences(clues, tensors, clues.mass * float(term[:3].max())))
    fit = best_fit(clues, tensors[0])
    if fit is not None and (stands_on_origin(clues, fit) or best_fit(clues) is None):
        bonus = np.maximum(bonus, worth_of_digits(fit.gain))

    def tell(_: int) -> Telling:
        which = f", to the digits {fit.name}" if fit is not None else ""
        return Telling(
            "the tensor is about the origin of the link, where SDFormat and URDF have it about the centre of mass; "
            f"with m·(c²·1 - c cᵀ) taken away it is {row(tensors[0])}{which}"
        )

    return Candidates(tensors, tell, bonus, decisive=bonus >= _DECISIVE)


def _about_origin_without_centre(clues: Clues) -> Candidates | None:
    """The tensor about the origin of the link, whose centre was left at 0 0 0: beside the geometry about its origin."""
    if any(clues.centre) or not clues.bodies or not clues.mass > 0.0 or clues.is_about_centre:
        return None
    middles = np.array([body.inertia.p_BoBcm_B for body in clues.bodies])
    terms, six = point_masses(1.0, middles), clues.in_link(clues.six)
    about_origin = clues.mass * (clues.tensors_of_bodies + terms)
    apart = np.abs(about_origin - six).max(1) / about_origin[:, :3].max(1)
    central = clues.mass * terms[:, :3].max(1) / about_origin[:, :3].max(1)
    best = int(apart.argmin())
    # Rounded entries may be off by half a unit; what is nearer about the centre is about the centre.
    unit = (
        2.0
        * max((n.half_unit for n in clues.numerals if n is not None), default=0.0)
        / float(about_origin[best, :3].max())
    )
    if apart[best] > _NEAR_ORIGIN + unit or apart[best] > 0.3 * central[best] or central[best] < _NEAR_ORIGIN:
        return None
    where = said_all(middles[best])

    telling = Telling(
        "the tensor is that of the geometry about the origin of the link, and the centre was left at 0 0 0, where "
        f"the geometry has it at {where}",
        source="geometry",
    )
    bonus = 4.0 - log(max(float(apart[best]), _EXACT) / _NEAR_ORIGIN)  # that it is, where the centre was left out
    tensors = clues.from_bodies[best][None]
    return Candidates(tensors, telling, bonus, centres=middles[best][None], is_lost=True, is_certifiable=False)


def _about_origin_in_other_axes(clues: Clues) -> Candidates | None:
    term = clues.offset_term
    if term is None or not clues.may_be_turned_or_moved:
        return None
    tensors = clues.six[EXCHANGED_ORIGINS] * EXCHANGED_SIGNS - clues.mass * term

    def tell(i: int) -> Telling:
        return Telling(
            "the tensor is about the origin of the link, and in exchanged axes; put right and with m·(c²·1 - c cᵀ) "
            f"taken away it is {row(tensors[i])}"
        )

    return Candidates(tensors, tell, bonus=_IN_OTHER_AXES - np.log(len(tensors)), is_fixed=False, is_certifiable=False)


def about_origin(clues: Clues) -> Candidates | None:
    for way in (_about_origin_without_centre, _about_origin):
        found = way(clues)
        if found is not None:
            return found if way is not _about_origin else joined(found, _about_origin_in_other_axes(clues))
    return None


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
    bonus = _worth(coincidences(clues, tensors, terms[:, :3].max(1)))

    def tell(i: int) -> Telling:
        return Telling(
            f"the tensor is about the origin of {frames[i].name}, {said(float(np.linalg.norm(offsets[i])))} m from the "
            f"centre of mass; moved to this it is {row(tensors[i])}"
        )

    return Candidates(tensors, tell, bonus - np.log(len(frames)), decisive=bonus >= _DECISIVE)


def moved_wrong_way(clues: Clues) -> Candidates | None:
    term = clues.offset_term
    if term is None or not clues.may_be_turned_or_moved:
        return None
    tensors = (clues.six - 2.0 * clues.mass * term)[None]
    bonus = _worth(coincidences(clues, tensors, 2.0 * clues.mass * float(term[:3].max())))

    telling = Telling(
        "the parallel-axis term was added where it had to be taken away, to come from the origin of the link to "
        f"the centre of mass; with twice m·(c²·1 - c cᵀ) taken away the tensor is {row(tensors[0])}"
    )
    return Candidates(tensors, telling, bonus, decisive=bonus >= _DECISIVE)


class _Way(NamedTuple):
    """A way in which the parallel-axis term may have been taken away."""

    mass: float
    signs: Array
    fitted: int
    cost: float
    earlier: Array | None = None  # (3,), where the centre was


_AS_WRITTEN = np.ones(6)


def _ways(clues: Clues) -> list[_Way]:
    """At today's mass, or at an earlier one that its products, or differences of its moments, give."""
    (x, y, z), six = clues.offset.tolist(), clues.tensor
    found = [_Way(clues.mass, _AS_WRITTEN, 0, 0.0)]
    found += [_Way(clues.mass * part, _AS_WRITTEN, 0, _OTHER_MASS) for part in _FRACTIONS]
    offsets = ((3, x * y), (4, x * z), (5, y * z))
    masses = {k: six[k] / offset for k, offset in offsets if offset and k in clues.products}
    # Products that give one mass but for its sign: signs were mistaken too.
    if masses and min(masses.values()) < 0.0 < max(masses.values()):
        mean = float(np.median(np.abs(list(masses.values()))))
        signs = np.array([1.0 if masses.get(k, 1.0) > 0.0 else -1.0 for k in range(6)])
        found.append(_Way(mean, signs, 1, _OTHER_MASS - 1.5))
    differences = ((0, 1, y * y - x * x), (0, 2, z * z - x * x), (1, 2, z * z - y * y))
    of_moments = [(six[b] - six[a]) / difference for a, b, difference in differences if difference]
    found += [_Way(mass, _AS_WRITTEN, 1, _OTHER_MASS) for mass in (*masses.values(), *of_moments) if mass > 0.0]
    earlier = _earlier_centre(clues)
    return found if earlier is None else [*found, _Way(clues.mass, _AS_WRITTEN, 3, _OTHER_MASS, earlier)]


def _earlier_centre(clues: Clues) -> Array | None:
    """The centre whose products at today's mass are those written, where two of its coordinates are today's."""
    xy, xz, yz = (clues.six[3:] / clues.mass).tolist()
    if not xy * xz * yz > 0.0:
        return None
    # Products leave one sign free, which is today's.
    centre = np.copysign(np.sqrt([xy * xz / yz, xy * yz / xz, xz * yz / xy]), clues.offset)
    products = clues.six[3:] / clues.mass
    if np.abs(point_masses(1.0, centre)[3:] + products).max() > 1e-6 * np.abs(products).max():
        return None
    same = np.abs(centre - clues.offset) < _EXACT * np.abs(clues.offset)
    # Coordinates that are today's are known to more digits than products tell; the third was a short number, too.
    short = np.array([float(f"{value:.3g}") for value in centre])
    third = np.where(np.abs(short - centre) < _EXACT * np.abs(centre), short, centre)
    return np.where(same, clues.offset, third) if same.sum() == 2 else None


def subtracted(clues: Clues) -> Candidates | None:
    if clues.offset_term is None:
        return None
    ways = _ways(clues)
    terms = np.array(
        [way.mass * (clues.offset_term if way.earlier is None else point_masses(1.0, way.earlier)) for way in ways]
    )
    tensors = clues.six * np.array([way.signs for way in ways]) + terms
    # What the term took below zero by rounding is none.
    tensors[:, 3:][np.abs(tensors[:, 3:]) < NO_PRODUCT * np.abs(terms[:, :3]).max(1)[:, None]] = 0.0
    shown = coincidences(clues, tensors, terms[:, :3].max(1)) - np.array([way.fitted for way in ways])
    # A mass that was fitted and is a simple part of today's.
    shown += [
        way.fitted == 1 and way.mass != clues.mass and (np.abs(_NICE * clues.mass - way.mass) < _EXACT * way.mass).any()
        for way in ways
    ]
    # Two coordinates out of products that are today's to a thousandth.
    shown += [4.0 * (way.earlier is not None) for way in ways]
    # All masses but today's share what is known of none.
    costs = np.array([way.cost for way in ways])
    bonus = _worth(shown) + costs - np.where(costs < 0.0, np.log(max(len(ways) - 1, 1)), 0.0)

    def tell(i: int) -> Telling:
        evidence = []
        sentence = "the parallel-axis term was taken away from a tensor that was about the centre of mass already"
        where = ways[i].earlier
        if where is not None:
            sentence += f", when the centre was {said_all(where)}"
            evidence.append("the products are exactly those of the mass there, and two of its coordinates are today's")
        elif abs(ways[i].mass - clues.mass) > _EXACT * clues.mass:
            sentence += f", when the mass was {said(ways[i].mass)} kg (now {said(clues.mass)} kg)"
        turned = [ENTRIES[k] for k in (3, 4, 5) if ways[i].signs[k] < 0.0]
        if turned:
            evidence.append(f"{' and '.join(turned)} turned as well")
        if shown[i] > 0.0:
            evidence.append("with it added back, products vanish or moments become equal to the digits written")
        return Telling(f"{sentence}; with it added back the tensor is {row(tensors[i])}", tuple(evidence))

    decisive = shown >= _DECISIVE / _COINCIDENCE
    return Candidates(tensors, tell, bonus, decisive=decisive, is_fixed=np.arange(len(ways)) == 0)
