"""Reference point: a tensor about another point than the centre of mass, or moved there when it was there already."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sdfinertia.causes.clues import ENTRIES, Clues
from sdfinertia.causes.hypothesis import Candidates, Group, Hypothesis, Need, Telling
from sdfinertia.causes.signs import NO_PRODUCT, has_products
from sdfinertia.causes.sixes import Array, point_masses
from sdfinertia.causes.weights import LEVER
from sdfinertia.causes.wording import row, said

# Parts of today's mass that an earlier one may have been.
_FRACTIONS = np.array([0.1, 0.2, 0.25, 1 / 3, 0.5, 2 / 3, 0.75, 1.5, 2.0, 3.0, 4.0, 5.0, 10.0])
# A lever (m²) shorter than this part of the squared gyradius moves nothing that anybody could tell.
_NO_LEVER = 1e-3


def _term(clues: Clues) -> Array | None:
    """(6,), the parallel-axis term of 1 kg at the centre (m²), in the axes of the tensor; None where it is none."""
    if not clues.is_finite or not clues.mass > 0.0:
        return None
    term = point_masses(np.array(1.0), clues.lever)
    moved = clues.mass * float(term[:3].max())
    return term if moved > _NO_LEVER * float(np.abs(clues.six[:3]).max()) else None


def coincidences(clues: Clues, tensors: Array, largest: Array | float) -> Array:
    """(n,), how many exact coincidences tensors show that the one written does not: products gone, moments equal.

    Args:
        largest: numbers that were added, whose rounding counts too (kg·m²).
    """
    scale = np.maximum(np.abs(tensors[:, :3]).max(1), LEVER.rounding_of_term * np.asarray(largest))
    size = float(np.abs(clues.six[:3]).max())
    # What was next to nothing before has not gone.
    present = [k for k in has_products(clues) if abs(clues.six[k]) > LEVER.was_there * size]
    gone = (np.abs(tensors[:, present]) < LEVER.exact * scale[:, None]).sum(1)
    pairs = ((0, 1), (0, 2), (1, 2))
    unequal = [(a, b) for a, b in pairs if abs(clues.six[a] - clues.six[b]) > LEVER.exact * size]
    equal = np.zeros(len(tensors))
    for a, b in unequal:
        equal += np.abs(tensors[:, a] - tensors[:, b]) < LEVER.exact * scale
    return np.asarray(gone + np.minimum(equal, 2), dtype=float)


def _worth(found: Array) -> Array:
    """What coincidences are worth beyond those that were fitted."""
    return LEVER.coincidence * np.clip(found, 0.0, LEVER.most)


def _about_origin(clues: Clues) -> Candidates | None:
    term = _term(clues)
    if term is None:
        return None
    tensors = (clues.six - clues.mass * term)[None]
    bonus = _worth(coincidences(clues, tensors, clues.mass * float(term[:3].max())))

    def tell(_: int) -> Telling:
        return Telling(
            "the tensor is about the origin of the link, where SDFormat and URDF have it about the centre of mass; "
            f"with m·(c²·1 - c cᵀ) taken away it is {row(tensors[0])}"
        )

    return Candidates(tensors, tell, bonus, decisive=bonus >= LEVER.decisive)


def _about_frame(clues: Clues) -> Candidates | None:
    frames = sorted(clues.case.frames, key=lambda frame: (frame.kind.value, frame.name))
    if not frames or not clues.is_finite or not clues.mass > 0.0:
        return None
    offsets = clues.centre - np.array([frame.pose.translation for frame in frames])
    # The origin of the link is a hypothesis of its own.
    apart = [k for k, frame in enumerate(frames) if np.abs(frame.pose.translation).max() > 1e-6 * clues.size]
    if not apart:
        return None
    frames, offsets = [frames[k] for k in apart], offsets[apart]
    levers = offsets if clues.R is None else offsets @ clues.R
    terms = clues.mass * point_masses(np.ones(len(frames)), levers)
    tensors = clues.six - terms
    bonus = _worth(coincidences(clues, tensors, terms[:, :3].max(1)))

    def tell(i: int) -> Telling:
        return Telling(
            f"the tensor is about the origin of {frames[i].name}, {said(float(np.linalg.norm(offsets[i])))} m from the "
            f"centre of mass; moved to this it is {row(tensors[i])}"
        )

    return Candidates(tensors, tell, bonus - np.log(len(frames)), decisive=bonus >= LEVER.decisive)


def _moved_wrong_way(clues: Clues) -> Candidates | None:
    term = _term(clues)
    if term is None:
        return None
    tensors = (clues.six - 2.0 * clues.mass * term)[None]
    bonus = _worth(coincidences(clues, tensors, 2.0 * clues.mass * float(term[:3].max())))

    def tell(_: int) -> Telling:
        return Telling(
            "the parallel-axis term was added where it had to be taken away, to come from the origin of the link to "
            f"the centre of mass; with twice m·(c²·1 - c cᵀ) taken away the tensor is {row(tensors[0])}"
        )

    return Candidates(tensors, tell, bonus, decisive=bonus >= LEVER.decisive)


class _Lever(NamedTuple):
    """A way to add a parallel-axis term back.

    Attributes:
        mass: of the term (kg), that of earlier.
        centre: (3,), of the term (m), that of earlier, in the axes of the tensor.
        signs: (6,), put on the tensor first.
        fitted: how many coincidences the mass was chosen for.
        cost: what choosing among so many is worth.
    """

    mass: float
    centre: Array
    signs: Array
    fitted: int
    cost: float


_AS_WRITTEN = np.ones(6)


def _levers(clues: Clues) -> list[_Lever]:
    """Ways in which the parallel-axis term may have been taken away, at today's mass and centre or at earlier ones."""
    x, y, z = clues.lever
    found = [_Lever(clues.mass, clues.lever, _AS_WRITTEN, 0, 0.0)]
    found += [_Lever(clues.mass * part, clues.lever, _AS_WRITTEN, 0, LEVER.other_mass) for part in _FRACTIONS]
    products = {k: (float(clues.six[k]), float(lever)) for k, lever in ((3, x * y), (4, x * z), (5, y * z))}
    masses = {
        k: product / lever for k, (product, lever) in products.items() if lever and product and k in has_products(clues)
    }
    found += [_Lever(mass, clues.lever, _AS_WRITTEN, 1, LEVER.other_mass) for mass in masses.values() if mass > 0.0]
    # Products that give one mass but for its sign: signs were mistaken too.
    if masses and min(masses.values()) < 0.0 < max(masses.values()):
        mean = float(np.median(np.abs(list(masses.values()))))
        signs = np.array([1.0 if masses.get(k, 1.0) > 0.0 else -1.0 for k in range(6)])
        found.append(_Lever(mean, clues.lever, signs, 1, LEVER.other_mass + LEVER.signs))
    for a, b, difference in ((0, 1, y * y - x * x), (0, 2, z * z - x * x), (1, 2, z * z - y * y)):
        mass = float(clues.six[b] - clues.six[a]) / difference if difference else 0.0
        if mass > 0.0:
            found.append(_Lever(mass, clues.lever, _AS_WRITTEN, 1, LEVER.other_mass))
    found += [_Lever(clues.mass, centre, _AS_WRITTEN, 3, LEVER.other_mass) for centre in _earlier_centres(clues)]
    return found


def _earlier_centres(clues: Clues) -> list[Array]:
    """The centre whose products at today's mass are those written, where two of its coordinates are today's."""
    xy, xz, yz = (float(product) / clues.mass for product in clues.six[3:])
    if not xy * xz * yz > 0.0:
        return []
    size = np.sqrt([xy * xz / yz, xy * yz / xz, xz * yz / xy])
    signs = np.sign([xz or xy, yz or xy, xz or yz]) * np.array([np.sign(clues.lever[2]) or 1.0] * 2 + [1.0])
    centre = size * np.where(clues.lever != 0.0, np.sign(clues.lever), signs)
    same = np.abs(centre - clues.lever) < LEVER.same_coordinate * np.abs(clues.lever)
    products = np.array([centre[0] * centre[1], centre[0] * centre[2], centre[1] * centre[2]])
    if same.sum() != 2 or not np.allclose(products, (xy, xz, yz), rtol=1e-6):
        return []
    # Coordinates that are today's are known to more digits than products tell; the third was a short number, too.
    third = np.array([float(f"{value:.3g}") for value in centre])
    is_short = np.abs(third - centre) < LEVER.same_coordinate * np.abs(centre)
    return [np.where(same, clues.lever, np.where(is_short, third, centre))]


def _subtracted(clues: Clues) -> Candidates | None:
    term = _term(clues)
    if term is None:
        return None
    levers = _levers(clues)
    terms = point_masses(np.array([lever.mass for lever in levers]), np.array([lever.centre for lever in levers]))
    tensors = clues.six * np.array([lever.signs for lever in levers]) + terms
    # What the term took below zero by rounding is none.
    tensors[:, 3:][np.abs(tensors[:, 3:]) < NO_PRODUCT * np.abs(terms[:, :3]).max(1)[:, None]] = 0.0
    shown = coincidences(clues, tensors, terms[:, :3].max(1)) - np.array([lever.fitted for lever in levers])
    nice = np.array([lever.fitted == 1 and _is_nice(lever.mass, clues.mass) for lever in levers])
    earlier = np.array([not np.array_equal(lever.centre, clues.lever) for lever in levers])
    shown = shown + nice + LEVER.earlier_centre * earlier
    # All masses but today's share what is known of none.
    shared = np.where(np.array([lever.cost for lever in levers]) < 0.0, np.log(max(len(levers) - 1, 1)), 0.0)
    bonus = _worth(shown) + np.array([lever.cost for lever in levers]) - shared

    def tell(i: int) -> Telling:
        return _tell_lever(clues, levers[i], tensors[i], float(shown[i]))

    slips = np.arange(len(levers)) == 0
    return Candidates(tensors, tell, bonus, decisive=shown >= LEVER.decisive / LEVER.coincidence, slips=slips)


def _is_nice(mass: float, today: float) -> bool:
    """Whether a mass that was fitted is today's or a simple part of it."""
    return bool((np.abs(np.append(_FRACTIONS, 1.0) * today - mass) < LEVER.exact * mass).any()) and mass != today


def _tell_lever(clues: Clues, lever: _Lever, tensor: Array, shown: float) -> Telling:
    evidence = []
    sentence = "the parallel-axis term was taken away from a tensor that was about the centre of mass already"
    if not np.array_equal(lever.centre, clues.lever):
        where = " ".join(said(float(value)) for value in lever.centre)
        sentence += f", when the centre was {where}"
        evidence.append("the products are exactly those of the mass there, and two of its coordinates are today's")
    elif abs(lever.mass - clues.mass) > LEVER.exact * clues.mass:
        sentence += f", when the mass was {said(lever.mass)} kg (now {said(clues.mass)} kg)"
    turned = [ENTRIES[k] for k in (3, 4, 5) if lever.signs[k] < 0.0]
    if turned:
        evidence.append(f"{' and '.join(turned)} turned as well")
    if shown > 0.0:
        evidence.append("with it added back, products vanish or moments become equal to the digits written")
    return Telling(f"{sentence}; with it added back the tensor is {row(tensor)}", tuple(evidence))


def _about_corner(clues: Clues) -> Candidates | None:
    if clues.box is None or not clues.is_finite or not clues.mass > 0.0 or not clues.bodies:
        return None
    lower, upper = clues.box
    half = 0.5 * (upper - lower)
    places = {
        "a corner": ((1, 1, 1), (-1, 1, 1), (1, -1, 1), (1, 1, -1)),
        "the middle of a face": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
        "the middle of an edge": ((1, 1, 0), (1, 0, 1), (0, 1, 1), (-1, 1, 0), (-1, 0, 1), (0, -1, 1)),
    }
    names = [name for name, points in places.items() for _ in points]
    offsets = half * np.array([point for points in places.values() for point in points], dtype=float)
    terms = point_masses(np.full(len(names), clues.mass), offsets)
    # With its products, and as tables of moments give it, without.
    moments = np.array([1.0, 1.0, 1.0, 0.0, 0.0, 0.0])
    both = clues.in_written(np.concatenate((terms, terms * moments)))
    tensors = clues.six - both

    def tell(i: int) -> Telling:
        return Telling(
            f"the tensor is about {names[i % len(names)]} of the box, not its centre; moved there it is "
            f"{row(tensors[i])}"
        )

    return Candidates(tensors, tell, bonus=LEVER.corner - np.log(len(tensors)))


HYPOTHESES = (
    Hypothesis(
        name="about-link-origin",
        group=Group.REFERENCE,
        what="gave the tensor about the origin of the link",
        undo="m (c² 1 - c cᵀ) taken away",
        prior=-2.6,
        example="robot_lab atom01 left_arm_roll_link: moved to the centre the six agree with the mesh within 0.6 %",
        find=_about_origin,
        is_slip=True,
    ),
    Hypothesis(
        name="about-other-frame",
        group=Group.REFERENCE,
        what="gave the tensor about the origin of another frame of the model",
        undo="the parallel-axis term of the distance taken away",
        prior=-4.0,
        example="a CAD assembly exported about its own origin",
        find=_about_frame,
        needs=Need.FRAME,
        is_slip=True,
    ),
    Hypothesis(
        name="parallel-axis-wrong-way",
        group=Group.REFERENCE,
        what="added the parallel-axis term where it had to be taken away",
        undo="twice m (c² 1 - c cᵀ) taken away",
        prior=-4.4,
        example="a tensor about the origin of the link, plus m (c² 1 - c cᵀ)",
        find=_moved_wrong_way,
        is_slip=True,
    ),
    Hypothesis(
        name="parallel-axis-subtracted",
        group=Group.REFERENCE,
        what="took the parallel-axis term away from a tensor that was about the centre already, or twice",
        undo="the term added back, at the mass and centre of that time",
        prior=-3.4,
        example="compas_fab ABB IRB4600 link_1: products are exactly those of 30 kg (now 120); added back, all vanish",
        find=_subtracted,
        is_slip=True,
    ),
    Hypothesis(
        name="about-corner",
        group=Group.REFERENCE,
        what="took the tensor of a box about a corner, or of a rod about its end",
        undo="the parallel-axis term of the half edges taken away",
        prior=-3.6,
        example="m/3 (b² + c²) for a box, where its centre has m/12",
        find=_about_corner,
        needs=Need.GEOMETRY,
    ),
)
