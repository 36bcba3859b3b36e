"""Scale: units of tensor, mass and centre, a tensor of another mass or at a default density, a mesh in millimetres."""

from __future__ import annotations

from collections.abc import Iterable
from math import log

import numpy as np

from sdfinertia.causes.case import GeometryBody
from sdfinertia.causes.centres import worth_in_units
from sdfinertia.causes.clues import Clues
from sdfinertia.causes.components import Array
from sdfinertia.causes.hypothesis import ELSEWHERE, Candidates, Telling
from sdfinertia.causes.wording import geometry_name, row, said
from sdfinertia.named_tuple import NamedTuple

# What scale shows.
_EXACT_SHAPE = 1.5  # within 0.3 %
_NO_SHAPE = -3.0  # a ball
_IS_UNIT = -4.0  # the factor is that of a unit
CENTRE_OF_GEOMETRY = 2.0  # a centre that comes to that of the geometry, or leaves it
_DENSITY = 0.01  # how near a density is to a default
_DEFAULTS = (1.0, 1000.0, 2700.0, 7800.0, 7850.0, 8000.0)  # of CAD programs and libsdformat
_NEAR = 1.1  # |ln λ| for the mesh a thousandth as large

POUND, INCH, FOOT = 0.45359237, 0.0254, 0.3048


class _Unit(NamedTuple):
    name: str
    factor: float
    worth: float = 0.0


_TENSORS = (
    _Unit("g·mm²", 1e-9, -1.0),
    _Unit("kg·mm²", 1e-6),
    _Unit("g·cm²", 1e-7, -1.0),
    _Unit("kg·cm²", 1e-4, -0.5),
    _Unit("lb·in²", POUND * INCH**2, -1.0),
    _Unit("lb·ft²", POUND * FOOT**2, -2.0),
    _Unit("g·m²", 1e-3),
    _Unit("", 1e-2),
    _Unit("", 1e-1),
    _Unit("", 1e1),
    _Unit("", 1e2),
    _Unit("", 1e3, -0.5),
    _Unit("", 1e6, -0.5),
)
# Tonnes stand in finite-element models in mm, t and s, and on no scales that weigh a link.
_MASSES = (_Unit("g", 1e-3), _Unit("lb", POUND, -1.0), _Unit("t", 1e3, -2.5))
# The unit systems in which CAD programs print mass properties (MMGS, kg with mm, IPS, CGS), and how common each is.
_SETS = (
    (_Unit("g", 1e-3), _Unit("mm", 1e-3, log(0.45))),
    (_Unit("kg", 1.0), _Unit("mm", 1e-3, log(0.25))),
    (_Unit("lb", POUND), _Unit("in", INCH, log(0.15))),
    (_Unit("g", 1e-3), _Unit("cm", 1e-2, log(0.15))),
)


def _factors(units: Iterable[_Unit]) -> Array:
    return np.array([unit.factor for unit in units])


def _worth(units: tuple[_Unit, ...]) -> Array:
    worth: Array = np.array([unit.worth for unit in units]) - np.log(len(units))
    return worth


_TENSOR_FACTORS, _TENSOR_WORTH = _factors(_TENSORS), _worth(_TENSORS)
# A factor without a unit may as well be that of the mass.
_NAMED = np.array([bool(unit.name) for unit in _TENSORS])
_MASS_FACTORS, _MASS_WORTH = _factors(_MASSES), _worth(_MASSES)
_LENGTH_FACTORS = np.array([1e-3, 1e-2, INCH])
_SET_MASSES, _SET_LENGTHS = _factors(mass for mass, _ in _SETS), _factors(length for _, length in _SETS)
_SET_WORTH = np.array([length.worth for _, length in _SETS])

# Of tensor, of mass, and of length squared: by what a tensor in a unit seems to be of another mass.
_UNITS = np.concatenate((_TENSOR_FACTORS, _MASS_FACTORS, _LENGTH_FACTORS**2))


def tensor_units(clues: Clues) -> Candidates | None:
    if not clues.is_body:
        return None
    tensors = clues.six * _TENSOR_FACTORS[:, None]

    def tell(i: int) -> Telling:
        unit = _TENSORS[i]
        what = f"is in {unit.name}" if unit.name else f"is {1.0 / unit.factor:g} times what it should be"
        return Telling(f"the tensor {what}: times {unit.factor:.4g} it is {row(tensors[i])}")

    return Candidates(tensors, tell, bonus=_TENSOR_WORTH, is_fixed=False, is_certifiable=_NAMED)


def mass_units(clues: Clues) -> Candidates | None:
    if not clues.is_body:
        return None
    masses = clues.mass * _MASS_FACTORS

    def tell(i: int) -> Telling:
        return Telling(f"the mass is in {_MASSES[i].name}: {said(float(masses[i]))} kg", texts=clues.texts)

    tensors = np.repeat(clues.six[None], len(masses), axis=0)
    bonus = _MASS_WORTH + (-3.0 if clues.mass == 1.0 else 0.0)  # 1 kg is what stands where nobody has given a mass
    return Candidates(tensors, tell, masses=masses, bonus=bonus, is_fixed=False)


def consistent_units(clues: Clues) -> Candidates | None:
    if not clues.is_body:
        return None
    tensors = clues.six * (_SET_MASSES * _SET_LENGTHS**2)[:, None]
    centres = clues.centre * _SET_LENGTHS[:, None]

    def tell(i: int) -> Telling:
        mass, length = _SETS[i]
        return Telling(
            f"mass, centre and tensor are in {mass.name} and {length.name}: {said(clues.mass * mass.factor)} kg with "
            f"{row(tensors[i])}"
        )

    # With another mass and no centre it is the mass that tells these from the tensor alone.
    is_told = (_SET_MASSES != 1.0) & (not any(clues.case.written.centre))
    worth = _SET_WORTH + np.where(is_told, 0.0, worth_in_units(clues, centres))
    return Candidates(tensors, tell, masses=clues.mass * _SET_MASSES, centres=centres, bonus=worth, is_fixed=False)


def _proportional(clues: Clues) -> list[tuple[GeometryBody, float, float]]:
    """Bodies to which the tensor is proportional, each with the mass that it fits (kg), and how nearly it does."""
    if not clues.is_body:
        return []
    six, found = clues.in_link(clues.six), []
    for body, tensor in zip(clues.bodies, clues.tensors_of_bodies, strict=True):
        if body.filling.value == "hull":
            continue
        mass = float(six @ tensor / (tensor @ tensor))
        error = float(np.abs(six - mass * tensor).max() / np.abs(six).max())
        if mass > 0.0 and error < 0.004:  # of the largest entry: how near a tensor is to be proportional
            found.append((body, mass, error))
    return found


def _is_telling(clues: Clues) -> bool:
    """Whether the shape of a tensor says anything: that of a ball or a cube is proportional to every other's."""
    moments = np.linalg.eigvalsh(
        np.array(
            [
                [clues.six[0], *clues.six[3:5]],
                [clues.six[3], clues.six[1], clues.six[5]],
                [clues.six[4], clues.six[5], clues.six[2]],
            ]
        )
    )
    return bool(moments[2] > 1.2 * moments[0])  # ratio of the moments from which a tensor has a shape of its own


def _mass_of_sibling(clues: Clues) -> Candidates | None:
    """The same link of another file, with the same six and another mass, at which they fit."""
    fitting = [each for each in clues.same_with_another_mass if clues.fits_at(each.block.mass)]
    if not fitting or not clues.mass > 0.0:
        return None
    name, mass = fitting[0].name, fitting[0].block.mass
    tensors = clues.six[None] * (clues.mass / mass)
    sentence = (
        f"the six are those of {name} at {said(mass)} kg, and the mass is {said(clues.mass)} kg: the mass was changed "
        f"and the tensor was not; at this mass it is {row(tensors[0])}"
    )
    # The same six beside another mass in another version.
    return Candidates(tensors, lambda _: Telling(sentence), 9.0, trust=0.85, is_lost=True, is_certifiable=False)


def mass_changed(clues: Clues) -> Candidates | None:
    of_sibling = _mass_of_sibling(clues)
    if of_sibling is not None:
        return of_sibling
    found = [one for one in _proportional(clues) if not _is_at_default(one[0], one[1])]
    if not found:
        return None
    tensors = np.array([clues.six * clues.mass / mass for _, mass, _ in found])

    def tell(i: int) -> Telling:
        body, mass, error = found[i]
        per_cent = max(100.0 * error, 0.01)
        return Telling(
            f"the tensor is that of {geometry_name(body)} at {said(mass)} kg within {per_cent:.2g} %, and "
            f"the mass is {said(clues.mass)} kg: the mass was changed and the tensor was not; at this mass it is "
            f"{row(tensors[i])}",
            source="digits",
        )

    shape = 1.5 if _is_telling(clues) else _NO_SHAPE  # a shape of its own, within that
    bonus = np.array(
        [shape + (_EXACT_SHAPE if error < 0.003 else 0.0) + _worth_of_ratio(clues, mass) for _, mass, error in found]
    )
    # A ratio that is fitted brings any such tensor to the geometry: how near it comes shows its shape and no more.
    return Candidates(tensors, tell, bonus=bonus, is_lost=True, is_certifiable=False, is_fixed=False)


def _worth_of_ratio(clues: Clues, mass: float) -> float:
    """What the factor from a mass to that written says: that of a unit is no change of mass, nor is a million."""
    ratio = clues.mass / mass
    beyond = max(abs(log(ratio)) - log(100.0), 0.0)  # factor that a mass is changed by at most
    # The mass that a tensor fits is known as nearly as its digits are.
    digits = (n.half_unit / abs(n.value) for n in clues.numerals[:3] if n is not None and n.significant)
    # Part within which it is, if the digits tell as much.
    is_unit = bool((np.abs(ratio / _UNITS - 1.0) < max(min(digits, default=0.0), 1e-3)).any())
    return -2.0 * beyond + (_IS_UNIT if is_unit else 0.0)  # for each e-fold more


def default_density(clues: Clues) -> Candidates | None:
    found = [(body, mass, mass / body.volume) for body, mass, _ in _proportional(clues) if _is_at_default(body, mass)]
    if not found:
        return None
    tensors = np.array([clues.six * clues.mass / mass for _, mass, _ in found])

    def tell(i: int) -> Telling:
        body, mass, density = found[i]
        return Telling(
            f"the tensor is that of {geometry_name(body)} at {said(_nearest_default(density))} kg/m³, a density by "
            f"default, at which it would weigh {said(mass)} kg; at {said(clues.mass)} kg it is {row(tensors[i])}"
        )

    # Where the factor is that of a unit, the mass may be in grams as well.
    ratios = np.array([_worth_of_ratio(clues, mass) for _, mass, _ in found])
    # One of six densities to a hundredth.
    bonus = 5.0 + ratios + np.array([_worth_of_density(density) for _, _, density in found])
    return Candidates(tensors, tell, bonus=bonus, decisive=ratios >= 0.0, is_lost=True, is_fixed=False)


def _is_at_default(body: GeometryBody, mass: float) -> bool:
    density = mass / body.volume if body.volume > 0.0 else 0.0
    return _off_default(density) < _DENSITY


def _off_default(density: float) -> float:
    return abs(density / _nearest_default(density) - 1.0)


def _worth_of_density(density: float) -> float:
    """What it is worth that a density is nearer to a default than it has to be: chance comes as near in proportion."""
    return log(_DENSITY / max(_off_default(density), 1e-4))  # what digits and faces leave of it


def _nearest_default(density: float) -> float:
    return min(_DEFAULTS, key=lambda default: abs(default - density))


def mesh_in_millimetres(clues: Clues) -> Candidates | None:
    """Numbers that are right for a mesh a thousandth as large."""
    meshes = [k for k, body in enumerate(clues.bodies) if body.faces]
    # A mesh a thousandth as large has a millionth of the tensor at the same mass.
    if not clues.is_body or not meshes or clues.written_distances[meshes].max() < log(1e6) - 2.0 * _NEAR:
        return None
    larger = clues.in_link(clues.six)[None] * 1e6
    distance = float(clues.distances(larger, np.array([clues.mass]))[0, meshes].min())
    density = clues.mass / (clues.volume * 1e-9) if clues.volume is not None else None
    if distance > _NEAR or (density is not None and not 10.0 < density < 30_000.0):
        return None

    telling = Telling(
        "the mesh is in millimetres: with a <scale> of 0.001 0.001 0.001 mass and tensor are right as they are",
        texts=clues.texts,
        source=ELSEWHERE,
    )
    # Within a factor of 3 where a million is off.
    return Candidates(clues.six[None], telling, bonus=3.0, is_lost=True, is_certifiable=False, is_fixed=False)
