"""Numbers in other units, of another mass, about another point, or of a centre elsewhere."""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sdfinertia.causes.case import is_same
from sdfinertia.causes.clues import NO_PRODUCT, Candidates, Clues, Telling, row, said, said_all
from sdfinertia.causes.operations import IN_ORDER, table
from sdfinertia.inertia.tensor_arrays import Array, point_masses
from sdfinertia.links.groups import geometry_name
from sdfinertia.robot.inertial import ENTRIES

if TYPE_CHECKING:
    from sdfinertia.links.solids import ShapeBody

_POUND, _INCH = 0.45359237, 0.0254
# Units that programs print tensors in (SolidWorks by its unit systems, Fusion 360 and Inventor always), and factors.
_OF_TENSOR = (
    ("g·mm²", 1e-9, -1.0, "SolidWorks"),
    ("kg·mm²", 1e-6, 0.0, "Fusion 360"),
    ("g·cm²", 1e-7, -1.0, "SolidWorks (CGS)"),
    ("kg·cm²", 1e-4, -0.5, ""),
    ("lb·in²", _POUND * _INCH**2, -1.0, "SolidWorks (IPS)"),
    ("lb·ft²", _POUND * (12.0 * _INCH) ** 2, -2.0, "a program set to feet"),
    ("g·m²", 1e-3, 0.0, ""),
    *(("", factor, worth, "") for factor, worth in ((1e-2, 0.0), (1e-1, 0.0), (10.0, 0.0), (1e2, 0.0))),
    *(("", 1e3, -0.5, ""), ("", 1e6, -0.5, "")),
)
_TENSORS = table((name, IN_ORDER, (factor,) * 6, worth - log(len(_OF_TENSOR))) for name, factor, worth, _ in _OF_TENSOR)
TENSOR_UNITS = {name: 1.0 / factor for name, factor, *_ in _OF_TENSOR if name}
# Tonnes stand in finite-element models in mm, t and s, and on no scales that weigh a link.
_MASSES = {"g": (1e-3, 0.0), "lb": (_POUND, -1.0), "t": (1e3, -2.5)}
_LENGTHS = {"mm": 1e-3, "cm": 1e-2, "in": _INCH}
# The unit systems in which CAD programs print mass properties (MMGS, kg with mm, IPS, CGS), and how common each is.
_SYSTEMS = {
    "g and mm": (1e-3, 1e-3, 0.45),
    "kg and mm": (1.0, 1e-3, 0.25),
    "lb and in": (_POUND, _INCH, 0.15),
    "g and cm": (1e-3, 1e-2, 0.15),
}
# Units of tensor, mass and squared length: factors by which a tensor seems to be of another mass.
_ANY = np.array([*_TENSORS.factors[:, 0], *(mass for mass, _ in _MASSES.values()), 1e-6, 1e-4, _INCH**2])
# Distance of a centre in the right unit from the geometry's, as a part of the diagonal, and the cost of a larger one.
_NEAR, _FAR_CENTRE = 0.1, -6.0
# How near a density is to a default; the part from which a mass is another; |ln λ| within which both are of one unit.
_DENSITY, _ANOTHER, _PROPORTIONAL = 0.01, 0.02, 0.1
_RATIO, _SAME_CENTRE = log(1.3), 0.01  # of masses, and of a link's size, from which a mesh proves another mass
_DEFAULTS = np.array([1.0, 1000.0, 7800.0, 7850.0, 8000.0])  # of CAD programs and libsdformat


def tensor_units(clues: Clues) -> Candidates | None:
    if not clues.is_body:
        return None

    def words(k: int, right: str) -> str:
        name, factor, _, printed_by = _OF_TENSOR[k]
        what = f"is in {name}" if name else f"is {1.0 / factor:g} times what it should be"
        what += f", as {printed_by} prints it" if printed_by else ""
        return f"the tensor {what}: times {factor:.4g} it is {right}"

    # A factor without a unit may as well be that of the mass.
    named = np.array([bool(name) for name in _TENSORS.words])
    return _TENSORS.candidates(clues, range(len(named)), words, 0.0, is_fixed=False, is_certifiable=named)


def mass_units(clues: Clues) -> Candidates | None:
    if not clues.is_body:
        return None
    factors, worth = np.array([*_MASSES.values()]).T
    masses, names = clues.mass * factors, [*_MASSES]
    return Candidates(
        np.repeat(clues.six[None], len(masses), axis=0),
        lambda i: f"the mass is in {names[i]}: {said(float(masses[i]))} kg",
        worth
        - log(len(names))
        + (-3.0 if clues.mass == 1.0 else 0.0),  # 1 kg is the mass of links that were given none
        masses=masses,
        texts=clues.texts,
        is_fixed=False,
    )


def centre_units(clues: Clues) -> Candidates | None:
    if not clues.is_body or clues.case.box is None or not any(clues.case.written.centre):
        return None
    names, centres = [*_LENGTHS], clues.centre * np.array([*_LENGTHS.values()])[:, None]
    bonus = _worth_of_centres(clues, centres) - log(len(names))
    # Divided by a thousand, any centre comes near a geometry about the origin.
    middle = np.array(clues.bodies[0].inertia.p_BoBcm_B) if clues.bodies else np.zeros(3)
    tells = np.abs(centres - middle).max(1) < 0.2 * np.abs(middle).max()
    bonus = bonus + np.where(tells, 0.0, np.minimum(bonus, 0.0))
    return Candidates(
        np.repeat(clues.six[None], len(names), axis=0),
        lambda i: f"the centre is in {names[i]}: {said_all(centres[i])} m",
        bonus,
        centres=centres,
        texts=clues.texts,
        is_fixed=False,
        is_certifiable=tells | (bonus > _FAR_CENTRE),
    )


def _worth_of_centres(clues: Clues, centres: Array) -> Array:
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


def consistent_units(clues: Clues) -> Candidates | None:
    if not clues.is_body:
        return None
    if clues.case.findings == {"SDI203"} and clues.bodies and clues.written_distances.min() < _PROPORTIONAL:
        what = f"mass and tensor are in g: {said(clues.mass * 1e-3)} kg with {row(clues.six * 1e-3)}"
        mass = np.array([clues.mass * 1e-3])
        return Candidates(clues.six[None] * 1e-3, what, 0.0, True, mass, is_fixed=False, is_certifiable=False)
    of_mass, of_length, common = np.array([*_SYSTEMS.values()]).T
    names, tensors = [*_SYSTEMS], clues.six * (of_mass * of_length**2)[:, None]
    masses, centres = clues.mass * of_mass, clues.centre * of_length[:, None]
    # Without a centre only another mass distinguishes these from a unit of the tensor alone.
    is_told = (of_mass != 1.0) & (not any(clues.case.written.centre))
    return Candidates(
        tensors,
        lambda i: f"mass, centre and tensor are in {names[i]}: {said(float(masses[i]))} kg with {row(tensors[i])}",
        np.log(common) + np.where(is_told, 0.0, _worth_of_centres(clues, centres)),
        masses=masses,
        centres=centres,
        is_fixed=False,
    )


# Another mass ---------------------------------------------------------------------------------------------------------


class _OfBody(NamedTuple):
    """A body to which the tensor is proportional, the mass that it fits (kg), and how nearly it does."""

    body: ShapeBody
    mass: float
    error: float
    worth: float  # of the ratio of masses: less beyond a hundred, and of a unit
    is_proof: bool  # of a closed mesh beside quite another mass, of no ball's shape, about the same centre
    default: float  # the density by default that is nearest to its own (kg/m³)
    off_default: float


def is_default(density: float) -> bool:
    return bool((np.abs(density / _DEFAULTS - 1.0) < _DENSITY).any())


def proportional(clues: Clues) -> list[_OfBody]:
    six, found = clues.in_link(clues.six), []
    for body, tensor in zip(clues.bodies, clues.tensors_of_bodies, strict=True) if clues.is_body else ():
        mass = float(six @ tensor / (tensor @ tensor))
        error = float(np.abs(six - mass * tensor).max() / np.abs(six).max())
        if body.filling != "hull" and mass > 0.0 and error < 0.004 and not is_same(mass, clues.mass, _ANOTHER):
            apart = float(np.abs(clues.centre - body.inertia.p_BoBcm_B).max())
            ratio, worth = abs(log(clues.mass / mass)), _worth_of_ratio(clues, mass)
            is_proof = body.is_exact_mesh and clues.has_shape and apart < _SAME_CENTRE * clues.size
            density = mass / body.volume if body.volume > 0.0 else np.inf
            default = float(_DEFAULTS[np.abs(_DEFAULTS - density).argmin()])
            is_proof &= ratio > _RATIO and worth >= 0.0
            found.append(_OfBody(body, mass, error, worth, is_proof, default, abs(density / default - 1.0)))
    return found


def _worth_of_ratio(clues: Clues, mass: float) -> float:
    ratio = clues.mass / mass
    beyond = max(abs(log(ratio)) - log(100.0), 0.0)
    # The mass that a tensor fits is known as nearly as its digits are.
    digits = (n.half_unit / abs(float(n.text)) for n in clues.numerals[:3] if n is not None and n.significant)
    is_unit = bool((np.abs(ratio / _ANY - 1.0) < max(min(digits, default=0.0), 1e-3)).any())
    return -2.0 * beyond - (4.0 if is_unit else 0.0)


def mass_changed(clues: Clues) -> Candidates | None:
    found = [one for one in proportional(clues) if one.off_default >= _DENSITY]
    if not found:
        return None
    tensors = np.array([clues.six * clues.mass / one.mass for one in found])

    def tell(i: int) -> str:
        return (
            f"the tensor is that of {geometry_name(found[i].body)} at {said(found[i].mass)} kg within "
            f"{max(100.0 * found[i].error, 0.01):.2g} %, and the mass is {said(clues.mass)} kg: the mass was changed "
            f"and the tensor was not; at this mass it is {row(tensors[i])}"
        )

    # All balls and cubes have proportional tensors: no evidence.
    shape = 1.5 if clues.has_shape else -3.0
    bonus = np.array([shape + (1.5 if one.error < 0.003 else 0.0) + one.worth for one in found])
    # A fitted ratio brings any proportional tensor to the geometry: nearness is evidence of the shape alone.
    return Candidates(tensors, tell, bonus, is_lost=True, is_certifiable=False, is_fixed=False)


def default_density(clues: Clues) -> Candidates | None:
    found = [one for one in proportional(clues) if one.off_default < _DENSITY]
    if not found:
        return None
    tensors = np.array([clues.six * clues.mass / one.mass for one in found])

    def tell(i: int) -> str:
        return (
            f"the tensor is that of {geometry_name(found[i].body)} at {said(found[i].default)} kg/m³, a density by "
            f"default, at which it would weigh {said(found[i].mass)} kg; at {said(clues.mass)} kg it is "
            f"{row(tensors[i])}"
        )

    # Where the factor is that of a unit, the mass may be in grams as well. Chance comes as near to one of six densities
    # in proportion.
    worth = np.array([one.worth for one in found])
    bonus = 5.0 + worth + np.log(_DENSITY / np.maximum([one.off_default for one in found], 1e-4))
    proved = np.array([one.is_proof for one in found])
    return Candidates(tensors, tell, bonus, decisive=worth >= 0.0, is_lost=True, is_fixed=proved)


# Points ---------------------------------------------------------------------------------------------------------------

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
