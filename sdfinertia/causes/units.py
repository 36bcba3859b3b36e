"""Numbers in other units, or of another mass: factors of the tensor, of the mass, or of all."""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sdfinertia.causes.case import is_same
from sdfinertia.causes.clues import Candidates, row, said
from sdfinertia.causes.operations import INCH, POUND, UNIT_FACTORS
from sdfinertia.causes.reference_point import worth_in_units
from sdfinertia.links.harm import geometry_name

if TYPE_CHECKING:
    from sdfinertia.causes.clues import Clues
    from sdfinertia.links.solids import ShapeBody

_DENSITY, _ANOTHER = 0.01, 0.02  # how near a density is to a default; the part from which a mass is another
# |ln λ| within which tensor and mass are of one unit.
_PROPORTIONAL = 0.1
_RATIO, _SAME_CENTRE = log(1.3), 0.01  # of masses, and of a link's size, from which a mesh proves another mass
_DEFAULTS = np.array([1.0, 1000.0, 7800.0, 7850.0, 8000.0])  # of CAD programs and libsdformat
# Tonnes stand in finite-element models in mm, t and s, and on no scales that weigh a link.
_MASSES, _MASS_FACTORS = ("g", "lb", "t"), np.array([1e-3, POUND, 1e3])
_MASS_WORTH = np.array([0.0, -1.0, -2.5]) - log(3.0)
# The unit systems in which CAD programs print mass properties (MMGS, kg with mm, IPS, CGS), and how common each is.
_SETS = ("g and mm", "kg and mm", "lb and in", "g and cm")
_SET_MASSES, _SET_LENGTHS = np.array([1e-3, 1.0, POUND, 1e-3]), np.array([1e-3, 1e-3, INCH, 1e-2])
_SET_WORTH = np.log([0.45, 0.25, 0.15, 0.15])
# Units of tensor, mass and squared length: factors by which a tensor seems to be of another mass.
_UNITS = np.array([*UNIT_FACTORS, *_MASS_FACTORS, 1e-6, 1e-4, INCH**2])


def mass_units(clues: Clues) -> Candidates | None:
    if not clues.is_body:
        return None
    masses = clues.mass * _MASS_FACTORS
    return Candidates(
        np.repeat(clues.six[None], len(masses), axis=0),
        lambda i: f"the mass is in {_MASSES[i]}: {said(float(masses[i]))} kg",
        _MASS_WORTH + (-3.0 if clues.mass == 1.0 else 0.0),  # 1 kg is the mass of links that were given none
        masses=masses,
        texts=clues.texts,
        is_fixed=False,
    )


def consistent_units(clues: Clues) -> Candidates | None:
    if not clues.is_body:
        return None
    if clues.case.findings == {"SDI203"} and clues.bodies and clues.written_distances.min() < _PROPORTIONAL:
        what = f"mass and tensor are in g: {said(clues.mass * 1e-3)} kg with {row(clues.six * 1e-3)}"
        mass = np.array([clues.mass * 1e-3])
        return Candidates(clues.six[None] * 1e-3, what, masses=mass, is_fixed=False, trust=0.8)
    tensors = clues.six * (_SET_MASSES * _SET_LENGTHS**2)[:, None]
    masses, centres = clues.mass * _SET_MASSES, clues.centre * _SET_LENGTHS[:, None]
    # Without a centre only another mass distinguishes these from a unit of the tensor alone.
    is_told = (_SET_MASSES != 1.0) & (not any(clues.case.written.centre))
    worth = _SET_WORTH + np.where(is_told, 0.0, worth_in_units(clues, centres))
    return Candidates(
        tensors,
        lambda i: f"mass, centre and tensor are in {_SETS[i]}: {said(float(masses[i]))} kg with {row(tensors[i])}",
        worth,
        masses=masses,
        centres=centres,
        is_fixed=False,
    )


class _OfBody(NamedTuple):
    """A body to which the tensor is proportional, the mass that it fits (kg), and how nearly it does."""

    body: ShapeBody
    mass: float
    error: float
    is_proof: bool  # of a closed mesh beside quite another mass, of no ball's shape, about the same centre

    @property
    def default(self) -> float:
        """The density by default (kg/m³) that is nearest to its own."""
        return float(_DEFAULTS[np.abs(_DEFAULTS - self.mass / self.body.volume).argmin()])

    @property
    def off_default(self) -> float:
        return abs(self.mass / self.body.volume / self.default - 1.0) if self.body.volume > 0.0 else np.inf


def is_default(density: float) -> bool:
    return bool((np.abs(density / _DEFAULTS - 1.0) < _DENSITY).any())


def proportional(clues: Clues) -> list[_OfBody]:
    six, found = clues.in_link(clues.six), []
    for body, tensor in zip(clues.bodies, clues.tensors_of_bodies, strict=True) if clues.is_body else ():
        mass = float(six @ tensor / (tensor @ tensor))
        error = float(np.abs(six - mass * tensor).max() / np.abs(six).max())
        if body.filling != "hull" and mass > 0.0 and error < 0.004 and not is_same(mass, clues.mass, _ANOTHER):
            apart = float(np.abs(clues.centre - body.inertia.p_BoBcm_B).max())
            is_proof = body.is_exact_mesh and clues.has_shape and apart < _SAME_CENTRE * clues.size
            is_proof = is_proof and abs(log(clues.mass / mass)) > _RATIO and _worth_of_ratio(clues, mass) >= 0.0
            found.append(_OfBody(body, mass, error, is_proof))
    return found


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
    bonus = [shape + (1.5 if one.error < 0.003 else 0.0) + _worth_of_ratio(clues, one.mass) for one in found]
    # A fitted ratio brings any proportional tensor to the geometry: nearness is evidence of the shape alone.
    return Candidates(tensors, tell, np.array(bonus), is_lost=True, is_certifiable=False, is_fixed=False)


def _worth_of_ratio(clues: Clues, mass: float) -> float:
    ratio = clues.mass / mass
    beyond = max(abs(log(ratio)) - log(100.0), 0.0)
    # The mass that a tensor fits is known as nearly as its digits are.
    digits = (n.half_unit / abs(float(n.text)) for n in clues.numerals[:3] if n is not None and n.significant)
    is_unit = bool((np.abs(ratio / _UNITS - 1.0) < max(min(digits, default=0.0), 1e-3)).any())
    return -2.0 * beyond - (4.0 if is_unit else 0.0)


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
    ratios = np.array([_worth_of_ratio(clues, one.mass) for one in found])
    bonus = 5.0 + ratios + np.array([log(_DENSITY / max(one.off_default, 1e-4)) for one in found])
    proved = np.array([one.is_proof for one in found])
    return Candidates(tensors, tell, bonus, decisive=ratios >= 0.0, is_lost=True, is_fixed=proved)
