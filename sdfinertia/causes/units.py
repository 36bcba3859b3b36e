"""Numbers in other units, or of another mass: factors of the tensor, of the mass, of the centre, or of all."""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sdfinertia.causes.case import is_same
from sdfinertia.causes.clues import Candidates, row, said, said_all
from sdfinertia.causes.operations import IN_ORDER, table
from sdfinertia.links.groups import geometry_name

if TYPE_CHECKING:
    from sdfinertia.causes.clues import Clues
    from sdfinertia.inertia.tensor_arrays import Array
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
