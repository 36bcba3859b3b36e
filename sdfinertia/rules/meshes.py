"""SDI401 to SDI403: collision meshes that are no solids, or count volume twice."""

from __future__ import annotations

from collections.abc import Iterator

from sdfinertia.errors import OpenMeshError, SdfInertiaError
from sdfinertia.mesh.treatment import Overlaps
from sdfinertia.rules.facts import LinkFacts
from sdfinertia.rules.rule import Fault, Level, Mender, Rule

_SHARED = 0.01


def _is_judged(facts: LinkFacts, code: str) -> bool:
    """Meshes are looked at where a link is to be computed, or failed to be, or where the rule is asked for."""
    return facts.is_auto or facts.is_selected_by_name(code) or isinstance(facts.verification, OpenMeshError)


def _open(facts: LinkFacts) -> Iterator[Fault]:
    for collision, mesh in facts.diagnoses if _is_judged(facts, "SDI401") else ():
        edges = mesh.open_edges
        if edges:
            element = facts.link.phrases.parameter.format("open_mesh")
            yield Fault(
                f"collision {collision!r}: the mesh is not closed, it has {edges:,} open edges",
                f"close it in a modelling program, or choose {element}; `sdfinertia mesh` tells more",
                facts.collision_location(collision),
            )


def _inside_out(facts: LinkFacts) -> Iterator[Fault]:
    for collision, mesh in facts.diagnoses if _is_judged(facts, "SDI402") else ():
        bodies = mesh.inside_out_bodies
        if bodies:
            yield Fault(
                f"collision {collision!r}: {bodies:,} of the mesh's bodies face inside out",
                "turn their normals in a modelling program; `fill` turns them round and says so",
                facts.collision_location(collision),
            )


def _overlaps(facts: LinkFacts) -> Iterator[Fault]:
    computation = facts.geometry
    if computation is None or computation.inputs.overlaps is Overlaps.UNION:
        return
    from sdfinertia.links.overlaps import shared_share

    try:
        share = shared_share(computation.parts, computation.inputs.counting(), facts.surroundings)
    except SdfInertiaError:
        crossing = list(_crossing(facts))
        yield from crossing
        facts.skipped = not crossing
        return
    if share > _SHARED:
        yield Fault(
            f"counts {100 * share:.3g} % of its volume more than once, where its solids overlap",
            facts.fill_command(*(() if facts.is_auto else ("--all",)), "--overlaps", "union"),
        )


def _crossing(facts: LinkFacts) -> Iterator[Fault]:
    """Meshes whose surface crosses itself, which no union resolves: what it winds round twice counts twice."""
    for collision, mesh in facts.diagnoses:
        winding = mesh.greatest_winding or 0
        if winding > 1:
            method = facts.link.phrases.parameter_value.format("method", "voxel")
            yield Fault(
                f"collision {collision!r}: the mesh winds {winding} times round a part of its volume,"
                " which counts as often",
                f"resolve where its surface crosses itself in a modelling program, or choose {method}",
                facts.collision_location(collision),
            )


RULES = (
    Rule(
        code="SDI401",
        name="open-mesh",
        level=Level.ERROR,
        is_default=True,
        mender=Mender.NONE,
        fails_run=False,
        tags=("mesh",),
        what="A collision mesh of a link that is to be computed is not closed.",
        why="An open surface has no volume: tools that integrate it anyway give a number by where its origin lies.",
        example="a box without its lid",
        fix="Close it, or say how it is to be taken with <sdfinertia:open_mesh>.",
        find=_open,
    ),
    Rule(
        code="SDI402",
        name="mesh-inside-out",
        level=Level.ERROR,
        is_default=True,
        mender=Mender.NONE,
        fails_run=False,
        tags=("mesh",),
        what="A collision mesh of a link that is to be computed has bodies that face inside out.",
        why="Tools that do not notice subtract them.",
        example="a mesh mirrored without turning its faces",
        fix="Turn the normals; `fill` does it for the numbers.",
        find=_inside_out,
    ),
    Rule(
        code="SDI403",
        name="overlapping-solids",
        level=Level.WARNING,
        is_default=False,
        mender=Mender.NONE,
        fails_run=False,
        tags=("mesh",),
        what="Collisions of a link, or bodies of a mesh, share more than 1 % of their volume.",
        why="What they share counts twice in mass and tensor.",
        example="a mast that reaches into the chassis",
        fix="`sdfinertia fill --overlaps union` counts it once.",
        find=_overlaps,
    ),
)
