"""SDI211, SDI404, SDI405: MuJoCo simulates other numbers than the written or the meant ones."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from sdfinertia.errors import SdfInertiaError
from sdfinertia.links.simulated import differ, overcounted, simulated, weighed_twice
from sdfinertia.links.study import Study
from sdfinertia.robot.inertial import TENSOR
from sdfinertia.robot.numbers import number, per_cent
from sdfinertia.robot.problems import Problem
from sdfinertia.rules.rule import Level, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sdfinertia.inertia.spatial_inertia import SpatialInertia

# Part of the exact volume that is reported as overcounted.
_OVERCOUNTED = 0.01
# Shared part of the volume of two boxes below which they are not of one part.
_SAME_PLACE = 0.5


def is_refused(study: Study) -> bool:
    """Whether MuJoCo refuses a body that a joint moves: neither it nor a body fixed to it has mass and moments."""
    least = study.link.refused_up_to
    if not least:
        return False
    try:
        members = study.link.group(study.context).members
        bodies = [simulated(Study(member.link, study.options, study.context)) for member in members]
    except SdfInertiaError:
        return False
    return not any(body is not None and min(body.mass, *body.principal_moments()) > least for body in bodies)


@rule(
    "SDI211",
    "simulated-otherwise",
    tags=("simulation",),
    what="A setting of <compiler> in MJCF changes the inertia that is written.",
    why='MuJoCo replaces what is written with inertiafromgeom="true", scales it to settotalmass, raises it to '
    "boundmass and boundinertia, and evens it out with balanceinertia: the file says other numbers.",
    example='<compiler inertiafromgeom="true"/> above a body with geoms and an inertial',
    fix="Take the setting out, or write the numbers that are meant.",
    level=Level.WARNING,
)
def simulated_otherwise(study: Study) -> Iterator[Problem]:
    link = study.link
    if not link.has_inertial or study.is_requested or study.is_static:
        return
    if not link.adjusted_by:
        return

    try:
        written, found = study.body, simulated(study)
    except SdfInertiaError:
        return
    if written is None or found is None or not differ(written, found):
        return
    message = f"not simulated as written: {_shown(written)} → {_shown(found)} by {link.adjusted_by}"
    yield Problem(message, "take that setting out, or write what is meant", link.inertial_location(TENSOR))


def _shown(inertia: SpatialInertia) -> str:
    return f"{number(inertia.mass)} kg and moments {' '.join(map(number, inertia.principal_moments()))} kg·m²"


@rule(
    "SDI404",
    "legacy-mesh-inertia",
    tags=("mesh",),
    what="MuJoCo's legacy inertia of a mesh is more than 1 % off its volume, in a body whose inertia is inferred.",
    why="It adds the tetrahedra over all faces as if each were positive: what is not convex, or has a cavity, weighs "
    "too much. It is the default of <mesh inertia>.",
    example='<mesh name="mug" file="mug.obj"/>, a cup whose volume counts 150 % more',
    fix='Write inertia="exact" in the <mesh>, or inertia="convex" where that is nearer to an open one.',
    level=Level.WARNING,
)
def legacy_mesh_inertia(study: Study) -> Iterator[Problem]:
    link = study.link
    if not link.is_inferred or study.is_static:
        return

    with suppress(SdfInertiaError):
        for solid, share, inertia, is_sound in overcounted(study, _OVERCOUNTED):
            message = f"collision {solid.name!r}: MuJoCo's legacy inertia counts {per_cent(100 * share)} more volume"
            remedy = f'write inertia="{inertia}" in its <mesh>'
            if not is_sound:
                remedy += ", and turn all its faces outward, once each, which MuJoCo needs for that"
            yield Problem(f"{message} than the mesh has", remedy, solid.location())


@rule(
    "SDI405",
    "part-weighed-twice",
    tags=("mesh",),
    what="A body without <inertial> counts a visual geom and a collision geom of the same part.",
    why="MuJoCo infers the inertia of a body from all its geoms in inertiagrouprange, also from those with contype "
    "and conaffinity 0: the body weighs twice what it should. Where a geom gives its mass or density, both are "
    "taken to be meant.",
    example='<geom type="mesh" mesh="arm" contype="0" conaffinity="0"/><geom type="box" size=".1 .1 .3"/>',
    fix='Write mass="0" in the visual geom, or exclude its group with <compiler inertiagrouprange>.',
    level=Level.WARNING,
)
def part_weighed_twice(study: Study) -> Iterator[Problem]:
    link = study.link
    if not link.is_inferred or study.is_static:
        return

    with suppress(SdfInertiaError):
        seen = weighed_twice(study, _SAME_PLACE)
        if seen is not None:
            message = f"weighed twice: {seen.name!r} only draws what its collision geoms weigh already"
            remedy = f'write mass="0" in {seen.name!r}, or leave its group out by inertiagrouprange'
            yield Problem(message, remedy, seen.location())
