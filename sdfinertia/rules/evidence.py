"""SDI204, SDI209 and SDI210: numbers far from a link's geometry, or one mistake away from it."""

from __future__ import annotations

import re
from math import dist, inf, log10, prod
from typing import TYPE_CHECKING

from sdfinertia.inertia.nearest_valid import largest_factor, relative_moments
from sdfinertia.inertia.spatial_inertia import InertiaTensor, SpatialInertia
from sdfinertia.links.groups import geometry_body, solid_box
from sdfinertia.links.study import written_block
from sdfinertia.mesh.method import Method
from sdfinertia.robot.inertial import DEFAULT_DENSITY, MASS, POSE, TENSOR
from sdfinertia.robot.link import COLLISION, VISUAL, known
from sdfinertia.robot.numbers import number
from sdfinertia.robot.problems import Problem
from sdfinertia.rules.plausibility import DENSEST, is_of_another_size, tensor_problem, with_geometry
from sdfinertia.rules.remedies import for_numbers, why_meant
from sdfinertia.rules.rule import COMPUTE_IT, rule
from sdfinertia.shapes import Bounds, MeshShape

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sdfinertia.causes.case import Case
    from sdfinertia.links.body import Computed
    from sdfinertia.links.study import Study

# Factor of moments, either way: parts are hollow, and drawn simpler than they are; below it too many right ones differ.
_FAR = 3.0
# The same where visuals cannot be read and collisions are no meshes: the part may be three times as long as these.
_FAR_UNSEEN = 10.0
# Factor of moments that are too small: a propeller with its motor has a sixth of the moment of its blades at that mass.
_FAR_LIGHTER = 7.0
# The same of collisions denser than steel, of which the mass or the drawing is doubtful too.
_FAR_DENSE = 30.0
# Factor of moments within which the visuals confirm the numbers, and the collisions stand in for the part.
_AGREES = 1.75
# Part of the largest moment that a slender part may have more about its long axis.
_THICKER = 0.03
# Ratio of the volumes of boxes: collisions that reach as far as the visuals are the part, others stand in for it.
_SAME_BOX = 0.5
# kg/m³ of the collisions at the written mass: less dense are zones of sensors, denser are dots that stand for sensors,
# and links of which only a cover is drawn. Foam has 15, a block of steel 7,850.
_LIGHTEST, _DENSEST = 10.0, 6_200.0
# Readers disagree on their up axis: Drake turns y to z, Gazebo does not.
_UPRIGHT_BY_READER = (".gltf", ".glb")
# Longest by shortest edge of a box, above which no body in it has the same moment about all axes.
_ELONGATED = 1.5
# From this factor on messages show the numbers themselves.
_NO_FACTOR = 1e3
_MOMENTS = ("ixx", "iyy", "izz")
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
            yield tensor_problem(
                study,
                f"tensor {100 * difference:.3g} % of the largest moment off that of its collisions",
            )


def _far_from_geometry(study: Study) -> Iterator[Problem]:
    inertia = moving_body(study)
    # Without the box the collisions are no evidence, and a centre outside them means that the mass is not drawn.
    if inertia is None or study.box is None or study.box.distance_outside(inertia.p_BoBcm_B) > 0.0:
        return
    # One mistake is one finding.
    if is_of_another_size(study) or placeholder_tensor.finds(study):
        return
    computation = study.geometry
    if computation is None or not _is_trustworthy(study, computation, inertia.mass):
        yield from _far_from_visuals(study, inertia)
        return
    geometry = computation.inertia
    if inertia.mass > _DENSEST * computation.volume:
        if _is_far_lighter(inertia, geometry, 0.0, _FAR_DENSE):
            yield tensor_problem(study, off_words(inertia, geometry, "its collisions"))
        return
    is_unseen = bool(study.unreadable(VISUAL)) and not any(part.faces for part in computation.parts)
    if is_far(inertia, geometry, most=_FAR_UNSEEN if is_unseen else _FAR):
        problem = tensor_problem(study, off_words(inertia, geometry, "its collisions"))
        yield _about_collisions(problem) if _agrees_with_visuals(study, inertia) else problem


def _far_from_visuals(study: Study, inertia: SpatialInertia) -> Iterator[Problem]:
    """Beside closed meshes of the visuals, where the collisions stand in for the part."""
    if not study.link.has_solids(VISUAL) or study.unreadable(VISUAL):
        return
    drawn = geometry_body(study, inertia.mass)
    if drawn is None or drawn.kind is not VISUAL or not (drawn.is_closed and drawn.faces):
        return
    if _LIGHTEST <= inertia.mass / drawn.volume <= _DENSEST and is_far(inertia, drawn.inertia):
        yield tensor_problem(study, off_words(inertia, drawn.inertia, "its visuals"))


def _agrees_with_visuals(study: Study, inertia: SpatialInertia) -> bool:
    drawn = geometry_body(study, inertia.mass) if study.link.has_solids(VISUAL) else None
    return drawn is not None and drawn.kind is VISUAL and _factor(inertia, drawn.inertia) < _AGREES


def _about_collisions(problem: Problem) -> Problem:
    return problem._replace(
        message=f"the collisions are wrong, for the tensor agrees with the visuals: {problem.message}",
        advice="draw the collisions as the visuals are",
        is_fixable=False,
        is_minor=True,
    )


def moving_body(study: Study) -> SpatialInertia | None:
    """A moving link's inertia that others wrote, if possible for a body and not the default tensor (SDI105)."""
    return None if study.is_static or study.has_default_tensor or not study.is_nearly_a_body else study.hand_written


def _is_trustworthy(study: Study, computation: Computed, mass: float) -> bool:
    parts = computation.parts
    if any(part.method is not Method.EXACT for part in parts) or not _LIGHTEST <= mass / computation.volume <= DENSEST:
        return False
    if any(collision.mesh_path.lower().endswith(_UPRIGHT_BY_READER) for collision in computation.inputs.counting()):
        return False
    return not study.link.has_solids(VISUAL) or _fills_visuals(study)


def _fills_visuals(study: Study) -> bool:
    if study.unreadable(VISUAL):
        return True  # missing visuals are no evidence against the collisions
    collisions, visuals = (known(study.bounds(kind)) for kind in (COLLISION, VISUAL))
    if collisions is None or visuals is None or study.box is None:
        return False
    # A flat visual has no volume, and is no evidence of thickness.
    whole = _volume(study.box)
    return min(_volume(collisions), _volume(visuals)) >= _SAME_BOX * whole


def _volume(box: Bounds) -> float:
    return prod(max(size, _FLAT * box.diagonal) for size in box.sizes)


def is_far(inertia: SpatialInertia, geometry: SpatialInertia, slender: float = 0.0, most: float = _FAR) -> bool:
    """Whether a moment is so far from that of a geometry that hollow parts and simple drawings do not explain it.

    Args:
        slender: by how much a moment may be too small, as a part of the largest.
        most: the largest allowed factor.
    """
    return _is_far_heavier(inertia, geometry, most) or _is_far_lighter(inertia, geometry, slender)


def _is_far_heavier(inertia: SpatialInertia, geometry: SpatialInertia, most: float) -> bool:
    expected = geometry.scaled_to_mass(inertia.mass).I_BBcm_B
    return relative_moments(inertia.I_BBcm_B, _thickened(expected, _THICKER * max(expected[:3])))[2] > most


def _is_far_lighter(
    inertia: SpatialInertia, geometry: SpatialInertia, slender: float, most: float = _FAR_LIGHTER
) -> bool:
    expected = geometry.scaled_to_mass(inertia.mass).I_BBcm_B
    thickened = _thickened(inertia.I_BBcm_B, slender * max(expected[:3]))
    return relative_moments(thickened, expected)[0] < 1.0 / most


def _thickened(tensor: InertiaTensor, more: float) -> InertiaTensor:
    xx, yy, zz, *products = tensor
    return InertiaTensor(xx + more, yy + more, zz + more, *products)


def off_words(inertia: SpatialInertia, geometry: SpatialInertia, of: str) -> str:
    """The deviation of moments from those of a geometry in words, at equal mass."""
    expected = geometry.scaled_to_mass(inertia.mass).I_BBcm_B
    low, _, high = relative_moments(inertia.I_BBcm_B, expected)
    is_little = low * high < 1.0
    what = "too little inertia" if is_little else "too much inertia"
    factor = high if not is_little else 1.0 / low if low > 0.0 else inf
    if factor < _NO_FACTOR:
        times = f"1/{factor:.3g} of" if is_little else f"{factor:.3g} times"
        return f"{what}: a moment is {times} that of {of}"
    choose = min if is_little else max
    k = choose(range(3), key=lambda k: inertia.I_BBcm_B[k] / expected[k])
    return f"{what}: {_MOMENTS[k]} is {number(inertia.I_BBcm_B[k])}; {of} would have {number(expected[k])}"


def _factor(inertia: SpatialInertia, geometry: SpatialInertia) -> float:
    return largest_factor(inertia.I_BBcm_B, geometry.scaled_to_mass(inertia.mass).I_BBcm_B)


# Placeholders ---------------------------------------------------------------------------------------------------------


@rule(
    "SDI209",
    what="All moments are one number, a power of ten or on a link 1.5 times as long as wide, and more than a factor of "
    "3 off the geometry.",
    why="It is probably a placeholder; the link has far too much inertia, or too little.",
    example="<ixx>0.001</ixx><iyy>0.001</iyy><izz>0.001</izz> at 0.1 kg in a box of 0.05 m",
    fix=COMPUTE_IT,
)
def placeholder_tensor(study: Study) -> Iterator[Problem]:
    inertia = moving_body(study)
    moment = _one_for_all_axes(study) if inertia is not None else None
    if inertia is None or moment is None or study.box is None:
        return
    box = study.box
    sizes = sorted(box.sizes)
    if not (sizes[2] >= _ELONGATED * sizes[0] or _is_decimal(moment)):
        return
    body, against = solid_box(box), "a body that fills its box"
    factor = _factor(inertia, body)
    if factor > _FAR and study.geometry is not None:
        body, against = study.geometry.inertia, "its collisions"
        factor = _factor(inertia, body)
    if not factor > _FAR:
        return
    beside = f", up to a factor of {factor:.3g} off {against}"
    if factor >= _NO_FACTOR:
        largest = max(body.scaled_to_mass(inertia.mass).principal().moments)
        beside = f"; {against} would have up to {number(largest)}"
    meant = why_meant(study)
    meant = f", perhaps meant: {meant}" if meant else ""
    yield Problem(f"placeholder: {moment:g} kg·m² about every axis{beside}{meant}", for_numbers(study))


def _one_for_all_axes(study: Study) -> float | None:
    if study.judged is None:
        return None
    xx, yy, zz, *products = study.judged.tensor
    return xx if 0.0 < xx == yy == zz and not any(products) else None


def _is_decimal(number: float) -> bool:
    exponent = log10(number)
    return abs(exponent - round(exponent)) < _EQUAL


# A mistake beside a mesh ---------------------------------------------------------------------------------------------


@rule(
    "SDI210",
    what="Undoing one mistake (signs of products, axes, reference point) brings a possible tensor within 5 % of a "
    "closed mesh, three times nearer; or it is that of the mesh at 1000 kg/m³ beside another mass; or five links of "
    "the file show its mistake and none contradicts; or one mistake gives all digits of a drawn primitive. Not looked "
    "for with --no-why.",
    why="CAD programs give products as positive integrals, and exporters swap axes: only the mesh shows it.",
    example="<ixy>0.002</ixy> where the mesh at that mass has -0.002, and all else is equal",
    fix="Where it is certain `sdfinertia repair` undoes it; else look at the numbers in CAD.",
)
def likely_mistake(study: Study) -> Iterator[Problem]:
    if moving_body(study) is None:
        return
    found = list(_beside_primitives(study))
    yield from found or (_beside_mesh(study) if _has_mesh(study) else ())


def _beside_primitives(study: Study) -> Iterator[Problem]:
    block = written_block(study)
    if block is None or not block.is_judged:
        return
    from sdfinertia.causes.bits import AGREES_AS_WRITTEN, ENOUGH
    from sdfinertia.causes.case import geometry_bodies
    from sdfinertia.causes.drawn import drawn_solids, reading_of

    reading = reading_of(block, drawn_solids(study), study.box)
    if reading is None or reading.bits < ENOUGH:
        return
    # A mesh that agrees with the numbers is the part.
    bodies = geometry_bodies(study, ("solid",)) if _has_mesh(study) else ()
    if not any(_factor(block.inertia, body.inertia) <= AGREES_AS_WRITTEN for body in bodies):
        advice = "look which of them is right" if reading.right is None else "look whether that is meant, or correct it"
        place = POSE if reading.centre is not None and reading.right == block.tensor else TENSOR
        yield Problem(f"likely mistake: {_first_clause(reading.sentence)}", advice, study.link.inertial_location(place))


def _beside_mesh(study: Study) -> Iterator[Problem]:
    from sdfinertia.causes.case import Case, geometry_bodies
    from sdfinertia.causes.diagnosis import diagnose

    if study.beside_meshes is not None:
        case = study.beside_meshes()
    else:
        block = written_block(study)
        bodies = geometry_bodies(study, ("solid",)) if block is not None else ()
        case = Case(study.link.scoped_name, block, None, bodies) if block is not None else None
    study.context.forget_contents()
    exact = [body.inertia for body in case.bodies if body.is_exact_mesh or body.filling == "hull"] if case else []
    if study.is_selected_by_name("SDI210") and not (case and any(body.is_exact_mesh for body in case.bodies)):
        study.keep_unreadable(COLLISION, VISUAL)
    if case is None or not exact:
        yield from _to_the_digits(study, case) if case else ()
        return
    diagnosis = diagnose(case)
    best = diagnosis.likeliest
    if best is None and not diagnosis.is_finding:
        yield from _to_the_digits(study, case)
    # Other rules report physically impossible inertias.
    if diagnosis.is_finding or best is None:
        return
    if best.proposal is None:
        yield Problem(f"likely mistake: {best.sentence}", "weigh the links", study.link.inertial_location(MASS))
        return
    mesh = "closed mesh" if any(body.is_exact_mesh for body in case.bodies) else "mesh"
    written, undone = (min(_factor(each.inertia, body) for body in exact) for each in (case.written, best.proposal))
    if best.proposal.tensor == case.written.tensor and best.proposal.rotation == case.written.rotation:
        advice = "look whether that is meant, or correct it"
        yield Problem(f"likely mistake: {_first_clause(best.sentence)}", advice, study.link.inertial_location(POSE))
        return
    yield Problem(
        f"likely mistake: {_first_clause(best.sentence)}; undone, its moments are within "
        f"{_percent(undone)} of those of its {mesh}, not {_percent(written)}"
        + "".join(f"; {part}" for part in best.evidence if best.is_certain and part.endswith("contradicts it")),
        "look whether the numbers in CAD say so, and correct them",
        study.link.inertial_location(TENSOR),
    )


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
            yield Problem(f"likely mistake: {told}", advice, study.link.inertial_location(POSE))
            return
        water = body.inertia.scaled_to_mass(DEFAULT_DENSITY * body.volume)
        if abs(written.mass / water.mass - 1.0) > _OTHER_MASS and _is_equal(written, water):
            told = (
                f"the tensor is that of the closed mesh at 1000 kg/m³, {water.mass:.4g} kg, not {written.mass:.4g} kg"
            )
            advice = f"at its mass the mesh has the moments {' '.join(map(number, mesh.I_BBcm_B[:3]))} kg·m²"
            yield Problem(f"likely mistake: {told}", advice, study.link.inertial_location(TENSOR))
            return


def _is_equal(one: SpatialInertia, other: SpatialInertia) -> bool:
    least = _DIGITS * max(other.I_BBcm_B[:3])
    return all(abs(a - b) <= least for a, b in zip(one.I_BBcm_B, other.I_BBcm_B, strict=True))


def _has_mesh(study: Study) -> bool:
    solids = (known(solids) or () for solids in (study.link.collisions, study.link.visuals))
    return any(isinstance(solid.own_shape, MeshShape) for each in solids for solid in each)


def _percent(factor: float) -> str:
    return f"{100 * (factor - 1):.2g} %"
