"""What a geometry shows: units of tensor and mass, another mass or density, a mesh in millimetres, a mirrored block."""

from __future__ import annotations

from math import exp, log

import numpy as np

from sdfinertia.causes.candidates import ELSEWHERE, Candidates, Telling, geometry_name, row, said
from sdfinertia.causes.clues import Clues, are_bodies
from sdfinertia.causes.reference_point import worth_in_units
from sdfinertia.links.solids import ShapeBody
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.robot.values import COLLISION, VISUAL

_NEAR = 1.1  # |ln λ| for the mesh a thousandth as large
_DENSITY = 0.01  # how near a density is to a default
_RATIO, _SAME_CENTRE = log(1.3), 0.01  # of masses, and of a link's size, from which a mesh proves another mass
_DEFAULTS = np.array([1.0, 1000.0, 2700.0, 7800.0, 7850.0, 8000.0])  # of CAD programs and libsdformat
_POUND, _INCH, _FOOT = 0.45359237, 0.0254, 0.3048

# Units of tensors, or factors without a name, and how much rarer each is (natural logarithms).
_TENSORS = (
    *(("g·mm²", 1e-9, -1.0), ("kg·mm²", 1e-6, 0.0), ("g·cm²", 1e-7, -1.0), ("kg·cm²", 1e-4, -0.5)),
    *(("lb·in²", _POUND * _INCH**2, -1.0), ("lb·ft²", _POUND * _FOOT**2, -2.0), ("g·m²", 1e-3, 0.0)),
    *(("", 1e-2, 0.0), ("", 1e-1, 0.0), ("", 1e1, 0.0), ("", 1e2, 0.0), ("", 1e3, -0.5), ("", 1e6, -0.5)),
)
_TENSOR_FACTORS = np.array([factor for _, factor, _ in _TENSORS])
_TENSOR_WORTH = np.array([worth for *_, worth in _TENSORS]) - np.log(len(_TENSORS))
# A factor without a unit may as well be that of the mass.
_NAMED = np.array([bool(name) for name, *_ in _TENSORS])
# Tonnes stand in finite-element models in mm, t and s, and on no scales that weigh a link.
_MASSES, _MASS_FACTORS = ("g", "lb", "t"), np.array([1e-3, _POUND, 1e3])
_MASS_WORTH = np.array([0.0, -1.0, -2.5]) - log(3.0)
# The unit systems in which CAD programs print mass properties (MMGS, kg with mm, IPS, CGS), and how common each is.
_SETS = ("g and mm", "kg and mm", "lb and in", "g and cm")
_SET_MASSES, _SET_LENGTHS = np.array([1e-3, 1.0, _POUND, 1e-3]), np.array([1e-3, 1e-3, _INCH, 1e-2])
_SET_WORTH = np.log([0.45, 0.25, 0.15, 0.15])
# Of tensor, of mass, and of length squared: by what a tensor in a unit seems to be of another mass.
_UNITS = np.array([*_TENSOR_FACTORS, *_MASS_FACTORS, 1e-6, 1e-4, _INCH**2])


def tensor_units(clues: Clues) -> Candidates | None:
    if not clues.is_body:
        return None
    tensors = clues.six * _TENSOR_FACTORS[:, None]

    def tell(i: int) -> str:
        name, factor, _ = _TENSORS[i]
        what = f"is in {name}" if name else f"is {1.0 / factor:g} times what it should be"
        return f"the tensor {what}: times {factor:.4g} it is {row(tensors[i])}"

    return Candidates(tensors, tell, bonus=_TENSOR_WORTH, is_fixed=False, is_certifiable=_NAMED)


def mass_units(clues: Clues) -> Candidates | None:
    if not clues.is_body:
        return None
    masses = clues.mass * _MASS_FACTORS
    return Candidates(
        np.repeat(clues.six[None], len(masses), axis=0),
        lambda i: f"the mass is in {_MASSES[i]}: {said(float(masses[i]))} kg",
        _MASS_WORTH + (-3.0 if clues.mass == 1.0 else 0.0),  # 1 kg is what stands where nobody has given a mass
        masses=masses,
        texts=clues.texts,
        is_fixed=False,
    )


def consistent_units(clues: Clues) -> Candidates | None:
    if not clues.is_body:
        return None
    tensors = clues.six * (_SET_MASSES * _SET_LENGTHS**2)[:, None]
    masses, centres = clues.mass * _SET_MASSES, clues.centre * _SET_LENGTHS[:, None]
    # With another mass and no centre it is the mass that tells these from the tensor alone.
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
        if body.filling != "hull" and mass > 0.0 and error < 0.004:
            apart = float(np.abs(clues.centre - body.inertia.p_BoBcm_B).max())
            is_proof = body.is_exact_mesh and clues.has_shape and apart < _SAME_CENTRE * clues.size
            is_proof = is_proof and abs(log(clues.mass / mass)) > _RATIO and _worth_of_ratio(clues, mass) >= 0.0
            found.append(_OfBody(body, mass, error, is_proof))
    return found


def _mass_of_sibling(clues: Clues) -> Candidates | None:
    """The same link of another file, with the same six and another mass, at which they fit."""
    fitting = [each for each in clues.same_with_another_mass if clues.fits_at(each.block.mass)]
    if not fitting or not clues.mass > 0.0:
        return None
    name, mass = fitting[0].name, fitting[0].block.mass
    tensors = clues.six[None] * (clues.mass / mass)
    sentence = (
        f"the tensor is that of {name} at {said(mass)} kg, and the mass is {said(clues.mass)} kg: the mass was changed "
        f"and the tensor was not; at this mass it is {row(tensors[0])}"
    )
    return Candidates(tensors, sentence, 9.0, trust=0.85, is_lost=True, is_certifiable=False)


def mass_changed(clues: Clues) -> Candidates | None:
    of_sibling = _mass_of_sibling(clues)
    found = [one for one in proportional(clues) if one.off_default >= _DENSITY] if of_sibling is None else []
    if not found:
        return of_sibling
    tensors = np.array([clues.six * clues.mass / one.mass for one in found])

    def tell(i: int) -> str:
        return (
            f"the tensor is that of {geometry_name(found[i].body)} at {said(found[i].mass)} kg within "
            f"{max(100.0 * found[i].error, 0.01):.2g} %, and the mass is {said(clues.mass)} kg: the mass was changed "
            f"and the tensor was not; at this mass it is {row(tensors[i])}"
        )

    # The shape of a ball or a cube is proportional to every other's, and says nothing.
    shape = 1.5 if clues.has_shape else -3.0
    bonus = [shape + (1.5 if one.error < 0.003 else 0.0) + _worth_of_ratio(clues, one.mass) for one in found]
    # A ratio that is fitted brings any such tensor to the geometry: how near it comes shows its shape and no more.
    return Candidates(tensors, tell, np.array(bonus), is_lost=True, is_certifiable=False, is_fixed=False)


def _worth_of_ratio(clues: Clues, mass: float) -> float:
    """What the factor from a mass to the written one says: a unit is not another mass, nor is a million."""
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


def mesh_in_millimetres(clues: Clues) -> Candidates | None:
    """Numbers that are right for a mesh a thousandth as large."""
    meshes = [k for k, body in enumerate(clues.bodies) if body.faces]
    # A mesh a thousandth as large has a millionth of the tensor at the same mass.
    if not clues.is_body or not meshes or clues.written_distances[meshes].max() < log(1e6) - 2.0 * _NEAR:
        return None
    distance = float(clues.distance_at(clues.mass * 1e-6)[meshes].min())
    density = clues.mass / (clues.volume * 1e-9) if clues.volume is not None else None
    if distance > _NEAR or (density is not None and not 10.0 < density < 30_000.0):
        return None
    # Within a factor of 3 where a million is off.
    sentence = "the mesh is in millimetres: with a <scale> of 0.001 0.001 0.001 mass and tensor are right as they are"
    return _elsewhere(clues, sentence, 3.0)


def _elsewhere(clues: Clues, sentence: str, bonus: float) -> Candidates:
    """What leaves the numbers as they are, for something else is wrong."""
    telling = Telling(sentence, source=ELSEWHERE)
    return Candidates(clues.six[None], telling, bonus, is_lost=True, is_certifiable=False, is_fixed=False)


# The geometry is wrong, a part summed wrongly, a block mirrored -------------------------------------------------------

# |ln λ| within which a tensor is that of the visual, and beyond which it is not that of the collision.
_AGREES, _DIFFERS = 0.1, 0.8
# Significant digits of the shortest moment, and products, of what was measured; |ln λ| that a stand-in may be off.
_MEASURED, _STAND_IN = 4, log(8.0)
_IDENTIFIED = log(1.5)  # |ln λ| from which a tensor is not the geometry's


def geometry_is_bogus(clues: Clues) -> Candidates | None:
    """Numbers that agree with what is seen and not with what collides, or that were measured beside a few boxes."""
    if not clues.is_body or not clues.bodies or clues.is_about_centre:
        return None
    visual = [k for k, body in enumerate(clues.bodies) if body.kind is VISUAL]
    collision = [k for k, body in enumerate(clues.bodies) if body.kind is COLLISION]
    near_visual = float(clues.written_distances[visual].min()) if visual else np.inf
    near_collision = float(clues.written_distances[collision].min()) if collision else np.inf
    if near_visual < _AGREES and near_collision > _DIFFERS:
        sentence = (
            f"the tensor agrees with the visual geometry within {100 * (exp(near_visual) - 1):.2g} %, and not with the "
            "collisions: these are wrong, and the numbers are right"
        )
        bonus = 6.0 + log(_AGREES / max(near_visual, 0.01))
    elif clues.is_of_simple_shapes and min(near_collision, near_visual) < _STAND_IN and _is_measured(clues):
        sentence = (
            "the tensor was measured, to the last digit, and the shapes are simple ones that stand in for the part: "
            "these are wrong, and the numbers are right"
        )
        bonus = -4.0
    else:
        return None
    return _elsewhere(clues, sentence, bonus)


def identified(clues: Clues) -> Candidates | None:
    """Parameters that somebody identified on the real robot, which are no mistake of typing."""
    file = clues.case.file
    is_far = clues.is_body and clues.bodies and float(clues.written_distances.min()) > _IDENTIFIED
    if file is None or not is_far or len(clues.products) < 3 or not (file.is_identified or file.says_identified):
        return None
    said_so = (
        "the file says so" if file.says_identified else "many tensors of the file are at the border of what a body has"
    )
    sentence = (
        f"the parameters were identified on the real robot, by regression: {said_so}, and no one change explains them"
    )
    return _elsewhere(clues, sentence, 6.0 if file.says_identified else 4.0)


def _is_measured(clues: Clues) -> bool:
    is_round = bool(clues.pairs) and max(map(len, clues.significant[:3])) > _MEASURED
    return (len(clues.products) >= 1 or is_round) and min(map(len, clues.significant[:3])) >= _MEASURED


def parts_summed(clues: Clues) -> Candidates | None:
    """A centre that is the mesh's beside a tensor that is too small about every axis, by no one factor."""
    geometry = clues.from_geometry
    if geometry is None or not (clues.is_body and any(clues.centre) and clues.bodies[0].faces):
        return None
    apart = float(np.abs(clues.centre - clues.bodies[0].inertia.p_BoBcm_B).max())
    if apart > 0.03 * clues.size or not _is_measured(clues):
        return None
    ratios = clues.six[:3] / geometry[:3]
    # What is missing is that of masses at a distance: a body, and none in proportion to the whole.
    missing = are_bodies((geometry - clues.six + 0.02 * geometry[:3].max() * np.array([1.0, 1, 1, 0, 0, 0]))[None])[0]
    if not missing or not 0.02 < float(ratios.min()) < 0.6 or np.ptp(ratios) < 0.02:
        return None
    telling = Telling(
        "the centre is that of the mesh and every moment is too small: the tensors of the solids of the part were "
        f"added without their parallel-axis terms; the whole mesh has {row(geometry)}",
        source="geometry",
    )
    return Candidates(geometry[None], telling, bonus=5.0, is_lost=True, is_certifiable=False, is_fixed=False)


def mirrored(axis: int, clues: Clues) -> Candidates | None:
    """A whole block in a mirror: one coordinate of the centre and the two products with this axis."""
    products = {0: (3, 4), 1: (3, 5), 2: (4, 5)}[axis]
    if (
        not len(clues.exact)
        or not clues.centre[axis]
        or not any(k in clues.products for k in products)
        or clues.R is not None
    ):
        return None
    signs, turn = np.ones(6), np.ones(3)
    signs[list(products)], turn[axis] = -1.0, -1.0
    centres = (clues.centre * turn)[None]
    middle = np.array(clues.bodies[clues.exact[0]].inertia.p_BoBcm_B)
    # The centre has to say so too.
    apart = abs(centres[0, axis] - middle[axis])
    if clues.has_centre_outside or apart > 0.2 * abs(clues.centre[axis] - middle[axis]):
        return None
    sentence = (
        f"the whole block is mirrored in {'xyz'[axis]}: beside the mesh the centre and both products with it have "
        "the other sign"
    )
    return Candidates((clues.six * signs)[None], sentence, centres=centres)
