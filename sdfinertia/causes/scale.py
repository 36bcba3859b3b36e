"""Numbers in other units, or of another mass."""

from __future__ import annotations

from math import log
from typing import NamedTuple

import numpy as np

from sdfinertia.causes.case import is_same
from sdfinertia.causes.clues import Candidates, Clues, row, said, said_all
from sdfinertia.inertia.tensor_arrays import Array
from sdfinertia.links.groups import geometry_name
from sdfinertia.links.solids import ShapeBody


class _Unit(NamedTuple):
    """A unit, the factors that bring numbers into kg and m, and how common it is (ln)."""

    name: str  # "" for a factor that is none
    mass: float
    length: float
    tensor: float
    worth: float
    printed_by: str = ""


_POUND, _INCH = 0.45359237, 0.0254
_LENGTHS = {"mm": 1e-3, "cm": 1e-2, "in": _INCH}
_OF_TENSOR = tuple(
    _Unit(name, 1.0, 1.0, factor, worth - log(13.0), printed_by)
    for name, factor, worth, printed_by in (
        ("g·mm²", 1e-9, -1.0, "SolidWorks"),
        ("kg·mm²", 1e-6, 0.0, "Fusion 360"),
        ("g·cm²", 1e-7, -1.0, "SolidWorks (CGS)"),
        ("kg·cm²", 1e-4, -0.5, ""),
        ("lb·in²", _POUND * _INCH**2, -1.0, "SolidWorks (IPS)"),
        ("lb·ft²", _POUND * (12.0 * _INCH) ** 2, -2.0, "a program set to feet"),
        ("g·m²", 1e-3, 0.0, ""),
        *(("", factor, 0.0, "") for factor in (1e-2, 1e-1, 10.0, 1e2)),
        *(("", factor, -0.5, "") for factor in (1e3, 1e6)),
    )
)
# The unit systems of CAD programs, and the mass alone.
_UNITS = {
    "tensor-units": _OF_TENSOR,
    "mass-units": (_Unit("g", 1e-3, 1.0, 1.0, -log(3.0)), _Unit("lb", _POUND, 1.0, 1.0, -1.0 - log(3.0))),
    "consistent-units": tuple(
        _Unit(name, mass, length, mass * length**2, log(common))
        for name, mass, length, common in (
            ("g and mm", 1e-3, 1e-3, 0.45),
            ("kg and mm", 1.0, 1e-3, 0.25),
            ("lb and in", _POUND, _INCH, 0.15),
            ("g and cm", 1e-3, 1e-2, 0.15),
        )
    ),
}
_OF_UNITS = np.array([unit.tensor for unit in _OF_TENSOR] + [_POUND, _INCH**2])
TENSOR_UNITS = {unit.name: 1.0 / unit.tensor for unit in _OF_TENSOR if unit.name}
# Distance of a centre in the right unit from the geometry's, as a part of the diagonal, and the cost of a larger one.
_NEAR, _FAR_CENTRE = 0.1, -6.0
_PROPORTIONAL = 0.1  # |ln λ| within which mass and tensor are of one unit


def in_units(cause: str, clues: Clues) -> Candidates | None:
    if not clues.is_body:
        return None
    if cause == "consistent-units" and clues.case.findings == {"SDI203"}:
        # A density that is impossible beside proportions that are right; squares of lengths would tell more.
        if not clues.bodies or clues.written_distances.min() >= _PROPORTIONAL:
            return None
        what = f"mass and tensor are in g: {said(clues.mass * 1e-3)} kg with {row(clues.six * 1e-3)}"
        mass = np.array([clues.mass * 1e-3])
        return Candidates(clues.six[None] * 1e-3, what, 0.0, True, mass, is_fixed=False, is_certifiable=False)
    units = _UNITS[cause]
    of_mass, of_length, of_tensor, bonus = np.array([unit[1:5] for unit in units]).T
    masses, centres, tensors = clues.mass * of_mass, clues.centre * of_length[:, None], clues.six * of_tensor[:, None]
    named = np.array([bool(unit.name) for unit in units])
    if cause == "mass-units" and clues.mass == 1.0:
        bonus = bonus - 3.0  # 1 kg is the mass of links that were given none
    if cause == "consistent-units":
        # Without a centre only another mass distinguishes these from a unit of the tensor alone.
        is_told = (of_mass != 1.0) & (not any(clues.case.written.centre))
        bonus = bonus + np.where(is_told, 0.0, _worth_of_centres(clues, centres))

    def tell(i: int) -> str:
        unit, mass, tensor = units[i], said(float(masses[i])), row(tensors[i])
        if cause == "mass-units":
            return f"the mass is in {unit.name}: {mass} kg"
        if cause == "consistent-units":
            return f"mass, centre and tensor are in {unit.name}: {mass} kg with {tensor}"
        what = f"is in {unit.name}" if unit.name else f"is {1.0 / unit.tensor:g} times what it should be"
        what += f", as {unit.printed_by} prints it" if unit.printed_by else ""
        return f"the tensor {what}: times {unit.tensor:.4g} it is {tensor}"

    # A factor without a unit may as well be that of the mass.
    texts = clues.texts if cause == "mass-units" else None
    return Candidates(
        tensors, tell, bonus, masses=masses, centres=centres, texts=texts, is_fixed=False, is_certifiable=named
    )


def centre_units(clues: Clues) -> Candidates | None:
    if not clues.is_body or clues.case.box is None or not any(clues.case.written.centre):
        return None
    names, centres = [*_LENGTHS], clues.centre * np.array([*_LENGTHS.values()])[:, None]
    bonus = _worth_of_centres(clues, centres) - log(len(names))
    # Divided by a thousand, any centre comes near a geometry about the origin.
    middle = np.array(clues.bodies[0].inertia.p_BoBcm_B) if clues.bodies else np.zeros(3)
    tells = np.abs(centres - middle).max(1) < 0.2 * np.abs(middle).max()
    return Candidates(
        np.repeat(clues.six[None], len(names), axis=0),
        lambda i: f"the centre is in {names[i]}: {said_all(centres[i])} m",
        bonus + np.where(tells, 0.0, np.minimum(bonus, 0.0)),
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
    # A centre that is not far away is brought near by any unit.
    is_far = not clues.is_about_centre or np.abs(clues.centre).max() > 5.0 * clues.size
    return np.where(apart < _NEAR * clues.size, 0.0, _FAR_CENTRE) + (0.0 if is_far else _FAR_CENTRE)


# Another mass ---------------------------------------------------------------------------------------------------------

# How near a density is to a default; the part from which a mass is another; and how near in proportion a tensor is.
_DENSITY, _ANOTHER, _ERROR = 0.01, 0.02, 0.004
# Of masses, how much apart a mesh proves another, and units are likelier; of a link's size, how near centres are one.
_RATIO, _UNIT_RATIO, _SAME_CENTRE = log(1.3), log(100.0), 0.01
_DEFAULTS = np.array([1.0, 1000.0, 7800.0, 7850.0, 8000.0])  # kg/m³, of CAD programs and libsdformat


class _OfBody(NamedTuple):
    """A body to which the tensor is proportional, the mass that it fits (kg), and how nearly it does."""

    body: ShapeBody
    mass: float
    error: float
    is_likely: bool  # no mass is a hundred times another, and the factor is that of no unit
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
        if body.filling != "hull" and mass > 0.0 and error < _ERROR and not is_same(mass, clues.mass, _ANOTHER):
            apart = float(np.abs(clues.centre - body.inertia.p_BoBcm_B).max())
            is_proof = body.is_exact_mesh and clues.has_shape and apart < _SAME_CENTRE * clues.size
            ratio, density = clues.mass / mass, mass / body.volume if body.volume > 0.0 else np.inf
            is_likely = abs(log(ratio)) < _UNIT_RATIO and bool((np.abs(ratio / _OF_UNITS - 1.0) > 1e-3).all())
            default = float(_DEFAULTS[np.abs(_DEFAULTS - density).argmin()])
            is_proof &= is_likely and abs(log(ratio)) > _RATIO
            found.append(_OfBody(body, mass, error, is_likely, is_proof, default, abs(density / default - 1.0)))
    return found


def another_mass(is_by_default: bool, clues: Clues) -> Candidates | None:
    """The tensor of a body at another mass: that of a density by default, or of any."""
    found = [one for one in proportional(clues) if (one.off_default < _DENSITY) is is_by_default]
    if not found:
        return None
    tensors, now = np.array([clues.six * clues.mass / one.mass for one in found]), f"{said(clues.mass)} kg"

    def tell(i: int) -> str:
        one, of = found[i], f"the tensor is that of {geometry_name(found[i].body)} at"
        if is_by_default:
            weight = f"a density by default, at which it would weigh {said(one.mass)} kg"
            return f"{of} {said(one.default)} kg/m³, {weight}; at {now} it is {row(tensors[i])}"
        part = f"{max(100.0 * one.error, 0.01):.2g} %"
        changed = "the mass was changed and the tensor was not; at this mass it is"
        return f"{of} {said(one.mass)} kg within {part}, and the mass is {now}: {changed} {row(tensors[i])}"

    worth = np.array([0.0 if one.is_likely else -4.0 if is_by_default else -8.0 for one in found])
    if is_by_default:
        # Chance comes as near to one of six densities in proportion; of a unit the mass may be in grams as well.
        worth += 5.0 + np.log(_DENSITY / np.maximum([one.off_default for one in found], 1e-4))
        likely, proved = (
            np.array(each) for each in zip(*((one.is_likely, one.is_proof) for one in found), strict=True)
        )
        return Candidates(tensors, tell, worth, decisive=likely, is_lost=True, is_fixed=proved)
    # All balls and cubes have proportional tensors; a fitted ratio makes nearness evidence of the shape alone.
    worth += 3.0 if clues.has_shape else -3.0
    return Candidates(tensors, tell, worth, is_lost=True, is_certifiable=False, is_fixed=False)
