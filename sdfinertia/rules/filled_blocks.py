"""SDI001 to SDI003, SDI104 and SDI901: what was to be filled, and whether it still is right."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sdfinertia.errors import OpenMeshError, SdfInertiaError
from sdfinertia.inertia.principal_axes import principal_moments
from sdfinertia.inertia.spatial_inertia import SpatialInertia
from sdfinertia.links.study import Status
from sdfinertia.robot.values import COLLISION, Command, Problem
from sdfinertia.rules.facts import LinkFacts, reason_in_words
from sdfinertia.rules.rule import Fixer, Rule

# Numbers that differ by less are the same to a reader.
_SHOWN_CHANGE = 1e-9


def _unfilled(facts: LinkFacts) -> Iterator[Problem]:
    if facts.is_auto:
        message = "asks for its inertial to be computed, and it is not filled"
        remedy = facts.fill_advice(otherwise="fix the cause")
        can_fill = facts.obstacle is None
        yield Problem(message, remedy, is_fixable=can_fill, is_safe=can_fill and facts.is_safely_filled)


def _stale(facts: LinkFacts) -> Iterator[Problem]:
    if facts.verification is not Status.STALE:
        return
    old, computed = facts.explicit, facts.study.computed
    changes = ", ".join(_changes(old, computed.inertia)) if old is not None else "numbers that can be read"
    if not changes and facts.written is not None:
        # In the axes of the link the small moment of a rod is lost in the large ones.
        before, after = principal_moments(facts.written.tensor), sorted(computed.principal_axes().moments)
        changes = f"principal moments {_shown(before)} → {_shown(after)}"
    message = f"is stale, since geometry, pose, density or mesh changed: {changes}"
    remedy = facts.fill_advice(otherwise="fix the cause")
    yield Problem(message, remedy, is_fixable=facts.obstacle is None, is_safe=facts.is_safely_filled)


def _changes(old: SpatialInertia, new: SpatialInertia) -> Iterator[str]:
    size = max(new.gyradius, *map(abs, new.p_BoBcm_B))
    moments = new.I_BBcm_B[:3]
    names = ("mass", "x", "y", "z", "ixx", "iyy", "izz", "ixy", "ixz", "iyz")
    scales = (new.mass, size, size, size, *moments, *(max(moments),) * 3)
    before = (old.mass, *old.p_BoBcm_B, *old.I_BBcm_B)
    after = (new.mass, *new.p_BoBcm_B, *new.I_BBcm_B)
    for name, a, b, scale in zip(names, before, after, scales, strict=True):
        if abs(a - b) > _SHOWN_CHANGE * scale:
            yield f"{name} {a:.6g} → {b:.6g}"


def _shown(moments: Iterable[float]) -> str:
    return " ".join(f"{moment:.6g}" for moment in moments)


def _edited(facts: LinkFacts) -> Iterator[Problem]:
    if facts.verification is Status.EDITED:
        old, computation = facts.explicit, facts.computation
        changes = ""
        if old is not None and not isinstance(computation, SdfInertiaError):
            changes = ", ".join(_changes(old, computation.inertia))
        remedy = facts.fill_advice(
            "--overwrite-edited",
            does="fills it again; without its comment it is yours",
            otherwise="take its comment out, which makes it yours",
        )
        message = "was edited by hand since it was filled" + (f"; filled again: {changes}" if changes else "")
        yield Problem(message, remedy)


def _missing(facts: LinkFacts) -> Iterator[Problem]:
    link = facts.link
    yield from link.massless_joints()
    if link.has_inertial or facts.is_auto or facts.is_static or not link.has_solids(COLLISION):
        return
    if not link.needs_inertial(facts.context):
        return
    remedy: str | Command = "write an <inertial>: no collision has a volume"
    if facts.has_volume:
        remedy = facts.fill_advice("--missing", otherwise="write an <inertial>")
    message = f"has collisions and no <inertial>: {link.phrases.without_inertial}"
    yield Problem(message, remedy, is_fixable=facts.obstacle is None, is_safe=facts.is_safely_filled)


def _unverified(facts: LinkFacts) -> Iterator[Problem]:
    link = facts.link
    problem = link.naming_problem
    if problem is not None and (facts.is_auto or facts.provenance is not None):
        yield Problem(f"cannot be computed: {problem.message}", problem.remedy)
        return
    outcome = facts.computation if facts.is_auto else facts.verification
    if isinstance(outcome, SdfInertiaError) and not isinstance(outcome, OpenMeshError):
        what = "cannot be computed" if facts.is_auto else "cannot be verified"
        yield Problem(f"{what}: {reason_in_words(outcome)}", outcome.remedy, facts.own_location(outcome))


RULES = (
    Rule(
        code="SDI001",
        name="auto-not-filled",
        fixer=Fixer.FILL,
        tags=("provenance",),
        what="A link asks for its inertial to be computed, and no numbers are written.",
        why="Simulators other than Gazebo do not compute it, and assume 1 kg and a unit tensor.",
        example='<inertial auto="true"/>',
        fix="Run `sdfinertia fill`.",
        find=_unfilled,
    ),
    Rule(
        code="SDI002",
        name="stale-block",
        fixer=Fixer.FILL,
        tags=("provenance",),
        what="A filled block no longer matches the geometry, poses, densities or meshes.",
        why="The simulated body is not the one in the file.",
        example="<!-- sdfinertia: inputs=... --> above numbers of an older geometry",
        fix="Run `sdfinertia fill`.",
        find=_stale,
    ),
    Rule(
        code="SDI003",
        name="edited-block",
        tags=("provenance",),
        what="The numbers of a filled block were edited by hand.",
        why="The next reader takes them for computed, and `fill` leaves them alone.",
        example="<ixx>0.02</ixx> where 0.0182 was written",
        fix="Fill it again with --overwrite-edited, or take the provenance comment out to make the numbers yours.",
        find=_edited,
    ),
    Rule(
        code="SDI104",
        name="missing-inertial",
        fixer=Fixer.FILL_MISSING,
        tags=("physics",),
        what="A link that moves has collisions and no <inertial>.",
        why=(
            "Readers of SDF assume 1 kg and a unit tensor, the inertia of a body metres across. Of URDF, Gazebo drops "
            "the link and all that hangs on it (sdformat 2ace536, by its source), Drake 1.51 takes it for massless, "
            "MuJoCo 4.0 for water in the shape of its collisions, Bullet (pybullet 3.2.7) for 1 kg. A URDF link that "
            "fixed joints lump with one that has an inertia is accepted: to Gazebo and Drake it adds nothing, MuJoCo "
            "adds its collisions as water, Bullet 1 kg. Where <gazebo> keeps the fixed joint, Gazebo drops the link."
        ),
        example='<link name="wheel"><collision name="c">...</collision></link>',
        fix="Run `sdfinertia fill --missing`.",
        find=_missing,
    ),
    Rule(
        code="SDI901",
        name="unverifiable-link",
        fails_run=True,
        tags=("reading",),
        what="A link that is to be computed, or was, cannot be: a geometry, a mesh or a frame is missing or invalid.",
        why="Whether its numbers are right is unknown.",
        example="<uri>meshes/gone.stl</uri>",
        fix="Make the file findable (--resource-path), or fix what the message names.",
        find=_unverified,
    ),
)
