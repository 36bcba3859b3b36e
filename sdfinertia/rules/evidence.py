"""SDI204, SDI209 and SDI210: numbers far from the geometry, or one mistake away; and rules in groups of fixed links."""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Iterator, Sequence
from math import dist, inf, isnan, log10
from typing import TYPE_CHECKING

from sdfinertia.errors import SdfInertiaError
from sdfinertia.inertia import SpatialInertia
from sdfinertia.inertia.nearest_valid import largest_factor, relative_moments
from sdfinertia.links import Study
from sdfinertia.links.body import Computed
from sdfinertia.links.groups import Lumped, closed_visuals, geometry_body, group_of, harm_of, lumped, solid_box
from sdfinertia.links.solids import ShapeBody, has_mesh, shape_bodies
from sdfinertia.links.written_block import written_block
from sdfinertia.mesh import Method
from sdfinertia.robot import COLLISION, VISUAL, known
from sdfinertia.robot.inertial import DEFAULT_DENSITY, MASS, POSE, TENSOR, InertialPart
from sdfinertia.robot.numbers import number
from sdfinertia.robot.problems import Command, Problem
from sdfinertia.robot.twins import twin_names
from sdfinertia.rules.plausibility import (
    DENSEST,
    FAR,
    FAR_LIGHTER,
    NO_FACTOR,
    OF_BOXES,
    OF_SIZE,
    box_volume,
    factor_off,
    implausible_density,
    is_far,
    off_words,
    with_geometry,
)
from sdfinertia.rules.remedies import WRITE_TENSOR, for_numbers, moment_of_all_axes, tensor_problem, why_meant
from sdfinertia.rules.rule import ABOUT_NUMBERS, COMPUTE_IT, rule

if TYPE_CHECKING:
    from sdfinertia.causes.case import Case

# The same where visuals cannot be read and collisions are no meshes: the part may be three times as long as these.
_FAR_UNSEEN = 10.0
# The same of collisions denser than steel, of which the mass or the drawing is doubtful too.
_FAR_DENSE = 30.0
# Factor of moments within which the visuals confirm the numbers, and the collisions stand in for the part.
_AGREES = 1.75
# Ratio of the volumes of boxes: collisions that reach as far as the visuals are the part, others stand in for it.
_SAME_BOX = 0.5
# kg/m³ of the collisions at the written mass: less dense are zones of sensors, denser are dots that stand for sensors,
# and links of which only a cover is drawn. Foam has 15, a block of steel 7,850.
_LIGHTEST, _DENSEST = 10.0, 6_200.0
# Readers disagree on their up axis: Drake turns y to z, Gazebo does not.
_UPRIGHT_BY_READER = (".gltf", ".glb")
# Longest by shortest edge of a box, above which no body in it has the same moment about all axes.
_ELONGATED = 1.5
# Part of the largest moment within which two tensors are one, and of the radius of gyration and the mass beyond which
# centres and masses differ.
_DIGITS, _ELSEWHERE, _OTHER_MASS = 1e-5, 0.05, 0.1
# Part of the largest moment within which moments are equal, and of the diagonal below which an edge is flat.
_EQUAL, _FLAT = 1e-9, 1e-3


# A tensor beside that of the collisions -------------------------------------------------------------------------------


@rule(
    "SDI204",
    what="A moment is above 3 times, or below a seventh of, that of collisions that can be trusted (closed, as large "
    "as the visuals, round the centre, of a likely density), else of closed meshes of the visuals; above 10 times that "
    "of primitives where the visuals cannot be read. Minor where visuals agree with the tensor. Links that fixed "
    "joints make one body are also judged together. Selected by its code, it finds all above the tolerance (10 %).",
    why="Collisions are simpler than the part, but not by that much: the tensor, the mass or the shape is wrong.",
    example="the tensor of a box in a link whose collision is a ball",
    fix="Compute it with `sdfinertia fill --all`, or allow more: `tolerance` in the configuration.",
)
def tensor_differs_from_geometry(study: Study) -> Iterator[Problem]:
    # Selected by its code, it reports every difference above the tolerance, for any collisions.
    yield from _different(study) if study.is_selected_by_name("SDI204") else _far_from_geometry(study)


def _different(study: Study) -> Iterator[Problem]:
    for inertia, computation in with_geometry(study):
        expected = computation.inertia.scaled_to_mass(inertia.mass).I_BBcm_B
        largest = max(expected[:3])
        difference = max(abs(a - b) for a, b in zip(inertia.I_BBcm_B, expected, strict=True)) / largest
        if difference > study.options.tolerance:
            message = f"tensor {100 * difference:.3g} % of the largest moment off that of its collisions"
            yield tensor_problem(study, message)


def _far_from_geometry(study: Study) -> Iterator[Problem]:
    inertia = moving_body(study)
    # Without the box the collisions are no evidence, and a centre outside them means that the mass is not drawn.
    if inertia is None or study.box is None or study.box.distance_outside(inertia.p_BoBcm_B) > 0.0:
        return
    # One mistake is one finding.
    if any(rule.finds(study) for rule in (*OF_SIZE, placeholder_tensor)):
        return
    computation = study.geometry
    if computation is None or not _is_trustworthy(study, computation, inertia.mass):
        # Beside closed meshes of the visuals, where the collisions stand in for the part.
        drawn = closed_visuals(study, inertia.mass) if not study.unreadable(VISUAL) else None
        density = inertia.mass / drawn.volume if drawn is not None and drawn.faces else 0.0
        if drawn is not None and _LIGHTEST <= density <= _DENSEST and is_far(inertia, drawn.inertia):
            yield tensor_problem(study, off_words(inertia, drawn.inertia, "its visuals"))
        return
    geometry, is_dense = computation.inertia, inertia.mass > _DENSEST * computation.volume
    is_unseen = bool(study.unreadable(VISUAL)) and not any(part.faces for part in computation.parts)
    heavier = inf if is_dense else _FAR_UNSEEN if is_unseen else FAR
    if not is_far(inertia, geometry, heavier=heavier, lighter=_FAR_DENSE if is_dense else FAR_LIGHTER):
        return
    problem = tensor_problem(study, off_words(inertia, geometry, "its collisions"))
    drawn = _visuals(study, inertia.mass) if not is_dense else None
    if drawn is not None and factor_off(inertia, drawn.inertia) < _AGREES:
        message = f"the collisions are wrong, for the tensor agrees with the visuals: {problem.message}"
        advice = "draw the collisions as the visuals are"
        problem = problem._replace(message=message, advice=advice, is_fixable=False, is_minor=True)
    yield problem


def _visuals(study: Study, mass: float) -> ShapeBody | None:
    body = geometry_body(study, mass) if study.link.has_solids(VISUAL) else None
    return body if body is not None and body.kind is VISUAL else None


def moving_body(study: Study) -> SpatialInertia | None:
    """A moving link's inertia that others wrote, if possible for a body and not the default tensor (SDI105)."""
    body = study.hand_written
    return None if body is None or study.is_static or study.has_default_tensor or not study.is_nearly_a_body else body


def _is_trustworthy(study: Study, computation: Computed, mass: float) -> bool:
    parts = computation.parts
    if any(part.method is not Method.EXACT for part in parts) or not _LIGHTEST <= mass / computation.volume <= DENSEST:
        return False
    if any(collision.mesh_path.lower().endswith(_UPRIGHT_BY_READER) for collision in computation.inputs.counting()):
        return False
    # Missing visuals are no evidence against the collisions.
    if not study.link.has_solids(VISUAL) or study.unreadable(VISUAL):
        return True
    collisions, visuals = (known(study.bounds(kind)) for kind in (COLLISION, VISUAL))
    if collisions is None or visuals is None or study.box is None:
        return False
    # A flat visual has no volume, and is no evidence of thickness.
    whole, *drawn = (box_volume(box, _FLAT) for box in (study.box, collisions, visuals))
    return min(drawn) >= _SAME_BOX * whole


# Placeholders ---------------------------------------------------------------------------------------------------------


@rule(
    "SDI209",
    what="All moments are one number, round or on a link 1.5 times as long as wide, a factor of 3 off the geometry.",
    why="It is probably a placeholder; the link has far too much inertia, or too little.",
    example="<ixx>0.001</ixx><iyy>0.001</iyy><izz>0.001</izz> at 0.1 kg in a box of 0.05 m",
    fix=COMPUTE_IT,
)
def placeholder_tensor(study: Study) -> Iterator[Problem]:
    inertia = moving_body(study)
    moment = moment_of_all_axes(study) if inertia is not None else None
    if inertia is None or moment is None or study.box is None:
        return
    sizes, exponent = study.box.sizes, log10(moment)
    if max(sizes) < _ELONGATED * min(sizes) and abs(exponent - round(exponent)) >= _EQUAL:
        return
    body, against = solid_box(study.box), "a body that fills its box"
    factor = factor_off(inertia, body)
    if factor > FAR and study.geometry is not None:
        body, against = study.geometry.inertia, "its collisions"
        factor = factor_off(inertia, body)
    if not factor > FAR:
        return
    beside = f", up to a factor of {factor:.3g} off {against}"
    if factor >= NO_FACTOR:
        largest = max(body.scaled_to_mass(inertia.mass).principal().moments)
        beside = f"; {against} would have up to {number(largest)}"
    why = why_meant(study)
    meant = f", perhaps meant: {why}" if why else ""
    yield Problem(f"placeholder: {moment:g} kg·m² about every axis{beside}{meant}", for_numbers(study))


# A mistake beside a mesh ---------------------------------------------------------------------------------------------


@rule(
    "SDI210",
    what="Undoing one mistake (signs of products, axes, reference point) brings a possible tensor within 5 % of a "
    "closed mesh, three times nearer; or it is that of the mesh at 1000 kg/m³ beside another mass; or five links of "
    "the file show its mistake and none contradicts; or one mistake gives all digits of a drawn primitive; or the "
    "tensor is its twin's and the centre mirrored. Not looked for with --no-why.",
    why="CAD programs give products as positive integrals, and exporters swap axes: only the mesh shows it.",
    example="<ixy>0.002</ixy> where the mesh at that mass has -0.002, and all else is equal",
    fix="Where it is certain `sdfinertia repair` undoes it; else look at the numbers in CAD.",
)
def likely_mistake(study: Study) -> Iterator[Problem]:
    if moving_body(study) is None:
        return
    found = list(_beside_primitives(study))
    yield from found or (_beside_mesh(study) if has_mesh(study.link) else ())


def _beside_primitives(study: Study) -> Iterator[Problem]:
    block = written_block(study)
    if block is None or not block.is_judged:
        return
    from sdfinertia.causes.drawn import AGREES_AS_WRITTEN, drawn_solids, of_twin, reading_of

    reading = reading_of(block, drawn_solids(study), study.box)
    if reading is None and twin_names(study.link.name):
        case = study.beside_meshes()
        reading = of_twin(case) if case is not None else None
    if reading is None or not reading.decides:
        return
    # A mesh that agrees with the numbers is the part.
    bodies = shape_bodies(study.link, study.context, ("solid",)) if has_mesh(study.link) else ()
    if not any(factor_off(block.inertia, body.inertia) <= AGREES_AS_WRITTEN for body in bodies):
        advice = "look which of them is right" if reading.right is None else "look whether that is meant, or correct it"
        place: InertialPart = POSE if reading.centre is not None and reading.right == block.tensor else TENSOR
        yield _mistake(study, _first_clause(reading.sentence), advice, place)


def _beside_mesh(study: Study) -> Iterator[Problem]:
    from sdfinertia.causes.diagnosis import diagnose

    case = study.beside_meshes()
    study.context.forget_contents()
    bodies = case.bodies if case is not None else ()
    has_exact = any(body.is_exact_mesh for body in bodies)
    if study.is_selected_by_name("SDI210") and not has_exact:
        study.keep_unreadable(COLLISION, VISUAL)
    exact = [body.inertia for body in bodies if body.is_exact_mesh or body.filling == "hull"]
    diagnosis = diagnose(case) if exact else None
    # Other rules report physically impossible inertias.
    if case is None or (diagnosis is not None and diagnosis.is_finding):
        return
    best, written = diagnosis.likeliest if diagnosis is not None else None, case.written
    if best is None:
        yield from _to_the_digits(study, case)
    elif best.proposal is None:
        yield _mistake(study, best.sentence, "weigh the links", MASS)
    elif (best.proposal.tensor, best.proposal.rotation) == (written.tensor, written.rotation):
        yield _mistake(study, _first_clause(best.sentence), "look whether that is meant, or correct it", POSE)
    else:
        undone, as_written = (
            f"{100 * (min(factor_off(each.inertia, body) for body in exact) - 1):.2g} %"
            for each in (best.proposal, written)
        )
        told = f"{_first_clause(best.sentence)}; undone, its moments are within {undone} of those of its "
        told += f"{'closed ' if has_exact else ''}mesh, not {as_written}"
        told += "".join(f"; {part}" for part in best.evidence if best.is_certain and part.endswith("contradicts it"))
        yield _mistake(study, told, "look whether the numbers in CAD say so, and correct them")


def _mistake(study: Study, told: str, advice: str, place: InertialPart = TENSOR) -> Problem:
    return Problem(f"likely mistake: {told}", advice, study.link.inertial_location(place))


def _first_clause(sentence: str) -> str:
    """The cause of the finding has the whole sentence."""
    return re.split(r"(?<=.{24})[;:,] ", sentence, maxsplit=1)[0]


def _to_the_digits(study: Study, case: Case) -> Iterator[Problem]:
    """A tensor that is the mesh's to the digits, about another centre or at the mass of water."""
    written = case.written.inertia
    for body in case.bodies:
        if not (body.is_closed and body.faces):
            continue
        mesh = body.inertia.scaled_to_mass(written.mass)
        apart = dist(written.p_BoBcm_B, mesh.p_BoBcm_B)
        if body.is_exact_mesh and apart > _ELSEWHERE * written.gyradius and _is_equal(written, mesh):
            told = f"the tensor is that of the closed mesh to the digits, and the centre {apart:.3g} m off"
            advice = f"the mesh has its centre at {' '.join(map(number, mesh.p_BoBcm_B))} m"
            yield _mistake(study, told, advice, POSE)
            return
        water = body.inertia.scaled_to_mass(DEFAULT_DENSITY * body.volume)
        if abs(written.mass / water.mass - 1.0) > _OTHER_MASS and _is_equal(written, water):
            masses = f"{water.mass:.4g} kg, not {written.mass:.4g} kg"
            told = f"the tensor is that of the closed mesh at 1000 kg/m³, {masses}"
            advice = f"at its mass the mesh has the moments {' '.join(map(number, mesh.I_BBcm_B[:3]))} kg·m²"
            yield _mistake(study, told, advice)
            return


def _is_equal(one: SpatialInertia, other: SpatialInertia) -> bool:
    least = _DIGITS * max(other.I_BBcm_B[:3])
    return all(abs(a - b) <= least for a, b in zip(one.I_BBcm_B, other.I_BBcm_B, strict=True))


# Groups ---------------------------------------------------------------------------------------------------------------

_DENSITY, _TENSOR = implausible_density.code, tensor_differs_from_geometry.code
# Ratios of moments to those of the box of all shapes within which no geometry could be far off.
_LIGHT_IN_BOX, _HEAVY_IN_BOX = 1 / 4, 1.0
# Part of the largest moment: fixed links may be mass points, which have no moment about a long axis through them.
_SLENDER = 0.01

# The code of a rule, and a problem that it finds.
Found = tuple[str, Problem]


class GroupFindings:
    """Each group is judged once, at its first link, for the link that carries most of the deviation."""

    def __init__(self, codes: Collection[str]) -> None:
        self._codes = codes
        self._groups: dict[Hashable, Lumped | None] = {}
        self._found: dict[Hashable, list[Found]] = {}

    def with_group(self, study: Study, alone: Sequence[Found]) -> list[Found]:
        """The findings in a link, less those that its group disproves, and those in its group that add to them."""
        place = study.link.place
        if place not in self._groups:
            group = lumped(study)
            self._groups.update((member.link.place, group) for member, _ in group_of(study).members)
            for at, code, problem in _judged(group, self._codes) if group is not None else ():
                self._found.setdefault(at.link.place, []).append((code, problem))
        if self._is_light(study):
            alone = [each for each in alone if each[0] != _DENSITY]
        repeats = not ABOUT_NUMBERS.isdisjoint(code for code, _ in alone)
        return [*alone, *(self._found.get(place, []) if not repeats else [])]

    def _is_light(self, study: Study) -> bool:
        """Whether the mass of a link and those fixed to it fits into the box of all, even if not into its own."""
        group = self._groups[study.link.place]
        if group is None or group.hand_written is None or group.box is None or study.is_selected_by_name(_DENSITY):
            return False
        return not implausible_density.finds(group)


def _judged(group: Lumped, codes: Collection[str]) -> Iterator[tuple[Lumped, str, Problem]]:
    if group.hand_written is None or group.box is None:
        return
    rules = [rule for rule in OF_BOXES if rule.code in codes]
    found: list[tuple[Lumped, str, Problem]] = []
    if any(rule.finds(group) for rule in rules):
        boxed = group.named_by(solid_box(group.box))
        found = [(boxed, rule.code, problem) for rule in rules for problem in rule(boxed)]
    if not found and _TENSOR in codes:
        found = [(at, _TENSOR, problem) for at, problem in _unlike_drawn(group)]
    for at, code, problem in found:
        others = len(at.group.members) - 1
        links = "a link" if others == 1 else f"{others} links"
        what, colon, why = problem.message.partition(":")
        message = f"{what}, with {links} fixed to it{colon}{why}"
        yield at, code, problem._replace(message=message, advice=_advice(at.carrier))


def _unlike_drawn(group: Lumped) -> Iterator[tuple[Lumped, Problem]]:
    total, box = group.hand_written, group.box
    if total is None or box is None or not group.is_nearly_a_body or box.distance_outside(total.p_BoBcm_B) > 0.0:
        return
    low, _, high = relative_moments(total.I_BBcm_B, solid_box(box).scaled_to_mass(total.mass).I_BBcm_B)
    is_off = low < _LIGHT_IN_BOX or high > _HEAVY_IN_BOX
    drawn = known(group.group.geometry) if is_off and group.is_drawn_round_its_masses else None
    group.context.forget_contents()
    if drawn is None:
        return
    off = largest_factor(total.I_BBcm_B, drawn.scaled_to_mass(total.mass).I_BBcm_B)
    if not isnan(off) and is_far(total, drawn, slender=_SLENDER):
        at = group.named_by(drawn)
        yield at, tensor_problem(at, off_words(total, drawn, "their shapes"))


def _advice(study: Study) -> str | Command:
    if not (study.link.has_solids(COLLISION) or study.link.has_solids(VISUAL)):
        return WRITE_TENSOR
    advice = for_numbers(study)
    if not isinstance(advice, Command):
        return advice
    computed = (study.by(geometry="visual") if "visual" in advice.words else study).computed
    if isinstance(computed, SdfInertiaError):
        return WRITE_TENSOR
    harm = harm_of(study, computed.inertia)
    return f"don't refill: by its shapes, {harm}; take its tensor from CAD" if harm else advice
