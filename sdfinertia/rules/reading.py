"""SDI108, SDI109, SDI206, SDI211, SDI400 to SDI902: elements, units, meshes, files, and MuJoCo."""

from __future__ import annotations

from collections.abc import Iterator

from sdfinertia.errors import OpenMeshError, SdfInertiaError, counted
from sdfinertia.inertia import SpatialInertia
from sdfinertia.links import Study
from sdfinertia.links.groups import group_of
from sdfinertia.links.solids import overcounted, visual_weighed_twice, weighs_by_default
from sdfinertia.links.warnings import number_warnings, size_doubt
from sdfinertia.mesh import Overlaps
from sdfinertia.robot import COLLISION, attempt, known
from sdfinertia.robot.inertial import TENSOR
from sdfinertia.robot.numbers import number, per_cent
from sdfinertia.robot.problems import Problem
from sdfinertia.rules.remedies import for_overlaps
from sdfinertia.rules.rule import Level, declared, rule

# Part of the volume that is reported as shared.
_SHARED = 0.01
# Part of the exact volume that is reported as overcounted.
_OVERCOUNTED = 0.01
# Shared part of the volume of two boxes below which they are not of one part.
_SAME_PLACE = 0.5


@rule(
    "SDI108",
    topic="reading",
    what="A link or its parts hold an element that SDFormat of that version does not have there, or it is misplaced.",
    why="Readers silently skip it; `fill` refuses a link whose numbers a misspelt one would shape.",
    example="<colision>...</colision>",
    fix="Write it as the format has it, or give it a namespace if it is another program's.",
)
def unknown_element(study: Study) -> Iterator[Problem]:
    return study.link.model.format.unknown_elements(study.link)


LOST_REFERENCE = declared(
    "SDI109",
    "unresolved-reference",
    topic="reading",
    what="A joint's parent or child does not exist, or a pose is relative to nothing, or to itself.",
    why="Simulators reject the model, or place the link wrongly.",
    example='<joint name="j" type="fixed"><parent>base</parent><child>front_axl</child></joint>',
    fix="Name an existing link or frame.",
)


@rule(
    "SDI206",
    what="A mesh is almost certainly in millimetres or inches, a density in g/cm³, an angle in degrees.",
    why="SDFormat and URDF use metres, kilograms and radians: a mesh in millimetres weighs 1e9 times too much. `fill` "
    "refuses a mesh over 50 m long or, where no mass is given, over 1,000 t, and collisions 1000, 25.4 or 39.37 times "
    "as large as the visuals.",
    example="<density>2.7</density>",
    fix="Give the mesh a scale, such as 0.001 0.001 0.001, or numbers in these units, or `fill --accept-size`.",
)
def wrong_unit(study: Study) -> Iterator[Problem]:
    yield from number_warnings(study)
    doubt = size_doubt(study, known(study.computed) if study.is_requested else None)
    if doubt is not None:
        yield doubt.problem


def _is_judged(study: Study, code: str) -> bool:
    return study.is_requested or study.is_selected_by_name(code) or isinstance(study.status, OpenMeshError)


def _of_mesh(study: Study, collision: str, message: str, remedy: str) -> Problem:
    place = next((each.location() for each in study.link.solids(COLLISION) if each.name == collision), None)
    return Problem(f"collision {collision!r}: {message}", remedy, place)


@rule(
    "SDI401",
    level=Level.ERROR,
    what="A collision mesh of a link that is to be computed is not closed.",
    why="An open surface has no volume: tools that integrate it anyway get a number that depends on its origin.",
    example="a box without its lid",
    fix="Close it, or say how it is to be taken with <sdfinertia:open_mesh>.",
)
def open_mesh(study: Study) -> Iterator[Problem]:
    for collision, mesh in study.diagnoses if _is_judged(study, "SDI401") else ():
        if mesh.open_edges:
            element = study.link.phrases.parameter.format("open_mesh")
            remedy = f"close it in a modelling program, or choose {element}; see `sdfinertia mesh`"
            yield _of_mesh(study, collision, f"the mesh is not closed: {counted(mesh.open_edges, 'open edge')}", remedy)


@rule(
    "SDI402",
    level=Level.ERROR,
    what="A collision mesh of a link that is to be computed has bodies whose faces point inward.",
    why="Tools that do not notice subtract their volume.",
    example="a mesh mirrored without flipping its faces",
    fix="Flip the normals; `fill` does so for its numbers.",
)
def mesh_inside_out(study: Study) -> Iterator[Problem]:
    remedy = "flip their normals in a modelling program; `fill` flips them and says so"
    for collision, mesh in study.diagnoses if _is_judged(study, "SDI402") else ():
        if bodies := mesh.inside_out_bodies:
            yield _of_mesh(study, collision, f"inside out: {bodies:,} of the mesh's bodies", remedy)


@rule(
    "SDI403",
    is_default=False,
    what="Collisions of a link, or bodies of a mesh, share more than 1 % of their volume.",
    why="What they share counts twice in mass and tensor.",
    example="a mast that reaches into the chassis",
    fix="`sdfinertia fill --overlaps union` counts it once.",
)
def overlapping_solids(study: Study) -> Iterator[Problem]:
    computation = study.only_geometry
    if computation is None or computation.inputs.overlaps is Overlaps.UNION:
        return
    from sdfinertia.links.surfaces import shared_share

    share = attempt(shared_share, computation.parts, computation.inputs.counting(), study.context)
    if isinstance(share, SdfInertiaError):
        crossing = list(_crossing(study))
        yield from crossing
        if not crossing:
            study.keep(share, is_finding=False)
    elif share > _SHARED:
        message = f"solids overlap: {100 * share:.3g} % of its volume counts more than once"
        yield Problem(message, for_overlaps(study))


def _crossing(study: Study) -> Iterator[Problem]:
    method = study.link.phrases.parameter.format("method")
    remedy = f"remove the self-intersection in a modelling program, or choose voxel for {method}"
    for collision, mesh in study.diagnoses:
        winding = mesh.max_winding or 0
        if winding > 1:
            times = "twice" if winding == 2 else f"{winding} times"
            message = f"the mesh crosses itself: a part of its volume counts {times}"
            yield _of_mesh(study, collision, message, remedy)


def is_refused(study: Study) -> bool:
    """Whether MuJoCo refuses a body that a joint moves: neither it nor a body fixed to it has mass and moments."""
    least = study.link.refused_up_to
    if not least:
        return False
    for member, _ in group_of(study).members:
        body = member.simulated
        if isinstance(body, SdfInertiaError):
            return False
        if body is not None and min(body.mass, *body.principal_moments()) > least:
            return False
    return True


@rule(
    "SDI211",
    topic="simulation",
    what="A setting of <compiler> in MJCF changes the inertia that is written.",
    why='MuJoCo replaces what is written with inertiafromgeom="true", scales it to settotalmass, raises it to '
    "boundmass and boundinertia, and evens it out with balanceinertia: the file says other numbers.",
    example='<compiler inertiafromgeom="true"/> above a body with geoms and an inertial',
    fix="Take the setting out, or write the numbers that are meant.",
)
def simulated_otherwise(study: Study) -> Iterator[Problem]:
    found = known(study.simulated) if study.is_changed and not study.is_static else None
    if found is not None and study.body is not None:
        message = f"not simulated as written: {_shown(study.body)} → {_shown(found)} by {study.link.adjusted_by}"
        yield Problem(message, "take that setting out, or write what is meant", study.link.inertial_location(TENSOR))


def _shown(inertia: SpatialInertia) -> str:
    return f"{number(inertia.mass)} kg and moments {' '.join(map(number, inertia.principal_moments()))} kg·m²"


@rule(
    "SDI404",
    what="MuJoCo's legacy inertia of a mesh is more than 1 % off its volume, in a body whose inertia is inferred.",
    why="By default MuJoCo adds tetrahedra over faces as if all were positive: what is not convex weighs too much.",
    example='<mesh name="mug" file="mug.obj"/>, a cup whose volume counts 150 % more',
    fix='Write inertia="exact" in the <mesh>, or inertia="convex" where that is nearer to an open one.',
)
def legacy_mesh_inertia(study: Study) -> Iterator[Problem]:
    solids = study.link.collisions if study.link.is_inferred and not study.is_static else ()
    for solid, share, inertia, is_sound in overcounted(known(solids) or (), study.context, _OVERCOUNTED):
        message = f"collision {solid.name!r}: MuJoCo's legacy inertia counts {per_cent(100 * share)} more volume"
        also = "" if is_sound else ", and turn all its faces outward, once each, which MuJoCo needs for that"
        remedy = f'write inertia="{inertia}" in its <mesh>{also}'
        yield Problem(f"{message} than the mesh has", remedy, solid.location())


@rule(
    "SDI405",
    what="A body without <inertial> counts a visual geom and a collision geom of the same part.",
    why="MuJoCo infers it from all geoms in inertiagrouprange, also those with contype and conaffinity 0: the body "
    "weighs twice what it should. Where a geom gives its mass or density, both are taken to be meant.",
    example='<geom type="mesh" mesh="arm" contype="0" conaffinity="0"/><geom type="box" size=".1 .1 .3"/>',
    fix='Write mass="0" in the visual geom, or exclude its group with <compiler inertiagrouprange>.',
)
def part_weighed_twice(study: Study) -> Iterator[Problem]:
    link = study.link
    is_judged = link.is_inferred and not study.is_static and known(attempt(weighs_by_default, link))
    seen = known(attempt(visual_weighed_twice, link, study.context, _SAME_PLACE)) if is_judged else None
    if seen is not None:
        message = f"weighed twice: {seen.name!r} only draws what its collision geoms weigh already"
        remedy = f'write mass="0" in {seen.name!r}, or leave its group out by inertiagrouprange'
        yield Problem(message, remedy, seen.location())


@rule(
    "SDI902",
    level=Level.WARNING,
    what="A collision or visual of a hand-written link is impossible, or its file, which exists, cannot be read.",
    why="Its inertial was not compared with its geometry. A missing file is counted in the closing line.",
    example="<cylinder><radius>abc</radius><length>1</length></cylinder>",
    fix="Correct the geometry, or fetch the file (`git lfs pull`).",
)
def unreadable_geometry(study: Study) -> Iterator[Problem]:
    """Reasons that kept the rules before this one, the last by its code, from judging."""
    for reason in study.unjudged.values():
        if reason.is_finding:
            message = f"cannot be checked against its geometry: {reason.problem}"
            yield Problem(message, reason.remedy, reason.location)


UNREADABLE = declared(
    "SDI900",
    "unreadable-file",
    fails_run=True,
    what="A file cannot be read as SDF.",
    why="Nothing in it was checked.",
    example="a file cut short",
    fix="Fix what the message names.",
)
