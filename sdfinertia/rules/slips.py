"""SDI210: numbers that are possible, and one mistake away from an exact mesh."""

from __future__ import annotations

from collections.abc import Iterator
from math import exp, log

from sdfinertia.errors import InertiaError, SdfInertiaError
from sdfinertia.inertia.nearest_valid import relative_moments
from sdfinertia.inertia.spatial_inertia import SpatialInertia
from sdfinertia.robot.values import COLLISION, TENSOR, VISUAL, Problem
from sdfinertia.rules.evidence import moving_body
from sdfinertia.rules.facts import LinkFacts
from sdfinertia.rules.rule import Level, Rule
from sdfinertia.shapes.shape import MeshShape


def _slip(facts: LinkFacts) -> Iterator[Problem]:
    if moving_body(facts) is None or not _has_mesh(facts):
        return
    # Loaded where there is a mesh to compare with: it needs numpy.
    from sdfinertia.causes.case import Case
    from sdfinertia.causes.diagnosis import diagnose
    from sdfinertia.causes.link_numbers import geometry_bodies, written_block

    block = written_block(facts.study)
    bodies = geometry_bodies(facts.study, ("solid",))
    facts.context.forget_contents()
    exact = [body.inertia for body in bodies if body.is_exact_mesh]
    if not exact:
        facts.keep_unreadable(COLLISION, VISUAL)
    if block is None or not exact:
        return
    diagnosis = diagnose(Case(facts.link.scoped_name, block, None, bodies))
    best = diagnosis.likeliest
    # What is no body by itself is told by other rules.
    if diagnosis.is_finding or best is None or best.proposal is None:
        return
    written, undone = (min(_distance(each.inertia, body) for body in exact) for each in (block, best.proposal))
    yield Problem(
        f"has moments up to {_percent(written)} off those of its closed mesh at the same mass, and within "
        f"{_percent(undone)} of them once one slip is undone: {best.sentence}",
        f"{facts.command('repair', '--diff')} shows what would be written",
        facts.link.inertial_location(TENSOR),
    )


def _has_mesh(facts: LinkFacts) -> bool:
    for kind in (COLLISION, VISUAL):
        try:
            if any(isinstance(solid.shape(), MeshShape) for solid in facts.link.solids(kind)):
                return True
        except SdfInertiaError:
            continue
    return False


def _distance(inertia: SpatialInertia, geometry: SpatialInertia) -> float:
    """The largest |ln λ| of two tensors at equal mass; infinite where there is none."""
    try:
        low, _, high = relative_moments(inertia.I_BBcm_B, geometry.scaled_to_mass(inertia.mass).I_BBcm_B)
    except InertiaError:
        return float("inf")
    return max(-log(low), log(high)) if low > 0.0 else float("inf")


def _percent(distance: float) -> str:
    return f"{100 * (exp(distance) - 1):.2g} %"


# It takes the solids of all meshes, visuals too, which nobody waits for who has not asked why; see `rules_in_force`.
SLIP = Rule(
    code="SDI210",
    name="slip-beside-mesh",
    level=Level.WARNING,
    is_default=False,
    tags=("plausibility",),
    what=(
        "A tensor is one that a body can have; undoing one slip (signs of products, axes, reference point) brings it "
        "within 5 % of a closed mesh, three times nearer. Looked for with --why too."
    ),
    why=(
        "CAD programs give products as positive integrals, and exporters exchange axes: the body is a mirror image of "
        "the part, and nothing but its mesh tells."
    ),
    example="<ixy>0.002</ixy> where the mesh at that mass has -0.002, and all else is alike",
    fix="Look at what `sdfinertia repair --diff` proposes.",
    find=_slip,
)

RULES = (SLIP,)
