"""SDI001 to SDI107 and SDI901: blocks that were filled or are to be, and numbers that are physically impossible."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from sys import float_info
from typing import Literal

from sdfinertia.errors import OpenMeshError, SdfInertiaError
from sdfinertia.inertia import SpatialInertia
from sdfinertia.inertia.inertial_text import is_accepted_by_libsdformat
from sdfinertia.inertia.principal_axes import principal_moments
from sdfinertia.links import Study, reason_in_words
from sdfinertia.links.inputs import Status
from sdfinertia.links.solids import weighs_by_default
from sdfinertia.links.warnings import Lack, lack
from sdfinertia.robot import COLLISION, attempt, known
from sdfinertia.robot.inertial import MASS, TENSOR
from sdfinertia.robot.nudging import nudge_edits
from sdfinertia.robot.numbers import is_word
from sdfinertia.robot.problems import Command, Problem
from sdfinertia.rules.reading import is_refused
from sdfinertia.rules.remedies import command, fill_advice, for_numbers, tensor_problem
from sdfinertia.rules.rule import COMPUTE_IT, Fixer, rule

# Numbers that differ by less are the same to a reader.
_SHOWN_CHANGE = 1e-9


@rule(
    "SDI001",
    fixer=Fixer.FILL,
    what="A link asks for its inertial to be computed, and no numbers are written.",
    why="Simulators other than Gazebo do not compute it, and assume 1 kg and a unit tensor.",
    example='<inertial auto="true"/>',
    fix="Run `sdfinertia fill`.",
)
def auto_not_filled(study: Study) -> Iterator[Problem]:
    if study.is_requested:
        yield _filled_by(fill_advice(study, otherwise="fix the cause"), "not filled, although it asks to be computed")


def _filled_by(remedy: str | Command, message: str) -> Problem:
    return Problem(message, remedy, is_fixable=isinstance(remedy, Command))


@rule(
    "SDI002",
    fixer=Fixer.FILL,
    what="A filled block no longer matches the geometry, poses, densities or meshes.",
    why="The simulated body is not the one in the file.",
    example="<!-- sdfinertia: inputs=... --> above numbers of an older geometry",
    fix="Run `sdfinertia fill`.",
)
def stale_block(study: Study) -> Iterator[Problem]:
    computed = known(study.computed) if study.status is Status.STALE else None
    if computed is None:
        return
    changes = _changes(study.body, computed.inertia) if study.body is not None else "numbers that can be read"
    if not changes and study.judged is not None:
        # In the axes of the link the small moment of a rod is lost in the large ones.
        before, after = principal_moments(study.judged.tensor), sorted(computed.principal_axes().moments)
        changes = f"principal moments {_shown(before)} → {_shown(after)}"
    message = f"stale, since geometry, pose, density or mesh changed: {changes}"
    yield _filled_by(fill_advice(study, otherwise="fix the cause"), message)


def _changes(old: SpatialInertia, new: SpatialInertia) -> str:
    size = max(new.gyradius, *map(abs, new.p_BoBcm_B))
    moments = new.I_BBcm_B[:3]
    names = ("mass", "x", "y", "z", "ixx", "iyy", "izz", "ixy", "ixz", "iyz")
    scales = (new.mass, size, size, size, *moments, *(max(moments),) * 3)
    before = (old.mass, *old.p_BoBcm_B, *old.I_BBcm_B)
    after = (new.mass, *new.p_BoBcm_B, *new.I_BBcm_B)
    numbers = zip(names, before, after, scales, strict=True)
    changed = (f"{name} {a:.6g} → {b:.6g}" for name, a, b, scale in numbers if abs(a - b) > _SHOWN_CHANGE * scale)
    return ", ".join(changed)


def _shown(moments: Iterable[float]) -> str:
    return " ".join(f"{moment:.6g}" for moment in moments)


@rule(
    "SDI003",
    what="The numbers of a filled block were edited by hand.",
    why="The next reader takes them for computed, and `fill` leaves them alone.",
    example="<ixx>0.02</ixx> where 0.0182 was written",
    fix="Fill it again with --overwrite-edited, or take the provenance comment out to make the numbers yours.",
)
def edited_block(study: Study) -> Iterator[Problem]:
    if study.status is Status.EDITED:
        old, computed = study.body, known(study.computed)
        changes = _changes(old, computed.inertia) if old is not None and computed is not None else ""
        otherwise = "take its comment out, which makes it yours"
        does = "fills it again; without its comment it is yours"
        remedy = fill_advice(study, "--overwrite-edited", does=does, otherwise=otherwise)
        message = "edited by hand since it was filled" + (f"; filled again: {changes}" if changes else "")
        yield Problem(message, remedy)


@rule(
    "SDI104",
    what="A link that moves has collisions and no <inertial>; in MJCF, MuJoCo refuses it, or most others have one.",
    why="Readers of SDF assume 1 kg and a unit tensor, the inertia of a body metres across. Of URDF, Gazebo drops the "
    "link and its children (sdformat 2ace536, by its source); Drake 1.51 takes 0 kg, MuJoCo 4.0 its collisions at "
    "1000 kg/m³, Bullet (pybullet 3.2.7) 1 kg. A URDF link that fixed joints lump with one that has an inertia is "
    "accepted, unless <gazebo> keeps the joint: to Gazebo and Drake it adds nothing.",
    example='<link name="wheel"><collision name="c">...</collision></link>',
    fix="Run `sdfinertia fill --missing`.",
)
def missing_inertial(study: Study) -> Iterator[Problem]:
    link = study.link
    yield from link.model.massless_joints(link)
    if link.is_inferred and not (link.has_inertial or study.is_requested):
        yield from _inferred(study)
    # A malformed request is another finding.
    if link.has_inertial or study.is_static or known(attempt(lack, study)) is not Lack.INERTIAL:
        return
    remedy: str | Command = "write an <inertial>: no collision has a volume"
    if not study.encloses_nothing(COLLISION):
        remedy = fill_advice(study, "--missing", otherwise="write an <inertial>")
    yield _filled_by(remedy, f"no <inertial>: {link.phrases.without_inertial}")


def _inferred(study: Study) -> Iterator[Problem]:
    if is_refused(study):
        message = "a joint moves it, and it has no <inertial> and no geom with mass: MuJoCo refuses the file"
        yield Problem(message, "give it an <inertial>, or a geom of it a mass")
    elif study.link.is_alone_inferred and weighs_by_default(study.link):
        message = "no <inertial>, although nearly all other bodies have one: MuJoCo infers it at 1000 kg/m³"
        yield Problem(message, "write its <inertial>, or the mass of its geoms")


@rule(
    "SDI901",
    fails_run=True,
    what="A link that is to be computed, or was, cannot be: a geometry, a mesh or a frame is missing or invalid.",
    why="Whether its numbers are right is unknown.",
    example="<uri>meshes/gone.stl</uri>",
    fix="Make the file findable (--resource-path), or fix what the message names.",
)
def unverifiable_link(study: Study) -> Iterator[Problem]:
    link = study.link
    problem = link.naming
    if problem is not None and (study.is_requested or study.filled is not None):
        yield Problem(f"cannot be computed: {problem.message}", problem.remedy)
        return
    outcome = study.computed if study.is_requested else study.status
    if isinstance(outcome, SdfInertiaError) and not isinstance(outcome, OpenMeshError):
        what = "cannot be computed" if study.is_requested else "cannot be verified"
        yield Problem(f"{what}: {reason_in_words(outcome)}", outcome.remedy, study.own_location(outcome))


# Numbers that are physically impossible -------------------------------------------------------------------------------

# Five significant digits are off by up to 5e-5 of an entry (1.00005 becomes 1.0001). No diagonal entry is above the
# largest moment and no product above half of it, so that a row of errors adds up to 1e-4 of the largest moment, which
# bounds the error of each principal moment (Gershgorin, Weyl); the triangle inequality holds three of them together.
_ROUNDED_MOMENT = 1e-4
_ROUNDED_TRIANGLE = 3 * _ROUNDED_MOMENT
# Part of the largest moment that is rounding of zero.
_SINGULAR = 10.0 * float_info.epsilon


@rule(
    "SDI101",
    what="A mass is zero, negative or not finite.",
    why="Simulators reject the model, or divide by zero. A frame merged with another URDF link may have zeros.",
    example="<mass>-1.5</mass>",
    fix="Write the mass of the part.",
)
def mass_not_positive(study: Study) -> Iterator[Problem]:
    text, mass = study.link.mass_text(), study.link.mass
    if text is None or (mass == 0.0 and _is_part_without_moments(study)):
        return
    # SDI106 reports texts that are not numbers.
    if is_word(text) or (mass is not None and mass <= 0.0):
        message = f"mass of {text} kg: it must be above zero and finite"
        yield Problem(message, "write the mass of the part", study.link.inertial_location(MASS))


def _is_part_without_moments(study: Study) -> bool:
    return study.judged is not None and not any(study.judged.tensor) and study.link.model.lump(study.link).has_body


@rule(
    "SDI102",
    what="A tensor has a principal moment that is negative or zero.",
    why="It is physically impossible: a torque about that axis turns it infinitely fast, or backwards. MuJoCo refuses "
    "a moving body below 1e-15. A URDF link merged with another may be a mass point, or a frame without mass.",
    example="<ixx>0.1</ixx><iyy>0.1</iyy><izz>0.1</izz><ixy>0.2</ixy>",
    fix=COMPUTE_IT,
)
def tensor_not_positive_definite(study: Study) -> Iterator[Problem]:
    link, why = study.link, _impossibility(study)
    moments = study.principal_moments if link.refused_up_to else study.doubtful_moments
    if moments is None or why == "triangle" or _is_part_without_moments(study):
        return
    # Without products the moments are the numbers as written, and none is rounding of zero.
    is_rounding = study.judged is None or any(study.judged.tensor[3:])
    lump = link.model.lump(link)
    is_part = lump.has_body and lump.mass_of_others > 0.0
    least = max(link.refused_up_to, _SINGULAR * moments[2] if is_rounding else 0.0)
    message = f"principal moments {_shown(moments)} kg·m² are not all positive"
    if why == "sign":
        yield tensor_problem(study, _one_for_all(study) or f"physically impossible: {message}")
    elif link.refused_up_to and moments[0] <= least:
        if is_refused(study):
            yield tensor_problem(study, f"MuJoCo refuses the file: {message}")
    elif moments[0] <= least and not (study.is_static or is_part or _is_rounded(study)):
        yield tensor_problem(study, f"without thickness, a body that simulators refuse or divide by zero: {message}")


def _impossibility(study: Study) -> Literal["", "sign", "triangle"]:
    moments = study.doubtful_moments
    if moments is None:
        return ""
    low, middle, high = moments
    if low <= -_ROUNDED_MOMENT * high:
        return "sign"
    return "triangle" if low + middle < high * (1.0 - _ROUNDED_TRIANGLE) else ""


@rule(
    "SDI103",
    what="A principal moment is larger than the sum of the other two.",
    why="It is physically impossible; simulated, the body gains energy from nothing.",
    example="<ixx>10</ixx><iyy>4</iyy><izz>2</izz>",
    fix=COMPUTE_IT,
)
def triangle_inequality(study: Study) -> Iterator[Problem]:
    if _impossibility(study) == "triangle" and study.principal_moments is not None:
        low, middle, high = study.principal_moments
        message = f"physically impossible: moments {low:.6g} + {middle:.6g} < {high:.6g} kg·m²"
        yield tensor_problem(study, _one_for_all(study) or message)


def _one_for_all(study: Study) -> str:
    entries = {*study.judged.tensor} if study.judged is not None else set()
    return f"all six entries are {entries.pop():g}: a placeholder" if len(entries) == 1 and any(entries) else ""


@rule(
    "SDI105",
    what="An <inertial> of a link that moves has no <inertia>, or the default unit tensor.",
    why="A unit tensor is that of a body metres across: a hand-sized part hardly turns.",
    example="<inertial><mass>0.2</mass></inertial>",
    fix=COMPUTE_IT,
)
def default_tensor(study: Study) -> Iterator[Problem]:
    if not study.link.has_inertial or study.is_requested or study.is_static or study.filled is not None:
        return
    if not study.link.has_tensor:
        if isinstance(study.link.request.asks, SdfInertiaError):
            return  # SDI106 reports malformed values
        what = f"no <inertia> in its <inertial>: {study.link.phrases.without_tensor}"
        yield Problem(what, for_numbers(study))
    elif study.has_default_tensor:
        yield tensor_problem(study, "the default unit tensor, that of a body metres across")


@rule(
    "SDI106",
    what="An <inertial> holds what SDFormat does not have there: wrong counts, unknown moments, an element twice. So "
    "are elements that a collision gives twice, frames that cannot be resolved, and sibling models of one name.",
    why="libsdformat silently reads a part of it, or a default.",
    example="<mass>10kg</mass>",
    fix="Write what the format has there.",
)
def malformed_inertial(study: Study) -> Iterator[Problem]:
    return study.link.model.format.malformations(study.link)


@rule(
    "SDI107",
    fixer=Fixer.NUDGE,
    what="A tensor is valid except for rounding, and libsdformat, which allows 10 machine epsilons, rejects it.",
    why="The model does not load.",
    example="a thin plate, <ixx>0.0833</ixx><iyy>0.0833</iyy><izz>0.1667</izz>",
    fix="`sdfinertia check --fix` moves the last digit of its moments.",
)
def rejected_for_rounding(study: Study) -> Iterator[Problem]:
    if _is_rounded(study):
        remedy = command(study, "check", "--fix", "--select", "SDI107", does="moves its last digit")
        place, is_fixable = study.link.inertial_location(TENSOR), bool(nudge_edits(study.link))
        yield Problem("libsdformat rejects its tensor, which is valid except for rounding", remedy, place, is_fixable)


def _is_rounded(study: Study) -> bool:
    judged = study.judged if study.doubtful_moments is not None and not _impossibility(study) else None
    if judged is None or judged.inertia.mass <= 0.0:
        return False
    # As written: libsdformat judges a tensor in the axes of its own pose.
    return not is_accepted_by_libsdformat(judged.inertia.mass, judged.tensor, must_turn=False)
