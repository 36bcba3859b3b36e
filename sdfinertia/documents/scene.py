"""Worlds, root models and mesh files as scenes to be drawn: links with their shapes, inertias and joints."""

from __future__ import annotations

import math
import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.documents import OpenDocument
from sdfinertia.documents.link_results import LinkResult
from sdfinertia.errors import SdfInertiaError
from sdfinertia.inertia import SpatialInertia, welded
from sdfinertia.inertia.rigid_transform import IDENTITY, RigidTransform, Vector3, rotation_from_quaternion
from sdfinertia.links import Study
from sdfinertia.links.context import Context
from sdfinertia.links.inputs import Status
from sdfinertia.mesh import NO_SCALE, Factors, MeshSource
from sdfinertia.robot import COLLISION, VISUAL, Colour, Link, LinkKey, Solid, SolidKind, given
from sdfinertia.robot.poses import product
from sdfinertia.rules import RULE_OF_CODE
from sdfinertia.rules.rule import Finding, Level
from sdfinertia.shapes import MeshShape, NoVolume, Polyline, Primitive, assert_never, surface_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from sdfinertia.robot.robot import Assembly, PlacedJoint, PlacedLink


# Differences of two inertias below this part of their scale are not drawn.
_VISIBLE = 0.01

# Kinds of shapes that are not solids.
MESH, PLANE = "mesh", "plane"
# The note of a shape that cannot be drawn.
NOT_DRAWN = "is not drawn"


class Triangles(NamedTuple):
    vertices: npt.NDArray[np.float64]
    faces: npt.NDArray[np.int64]
    is_coarser: bool = False

    def coarsened(self, limit: int) -> Triangles:
        """At most as many triangles, which look the same."""
        from sdfinertia.mesh.tessellation import clustered

        vertices, faces = clustered(self.vertices, self.faces, limit)
        return Triangles(vertices, faces, self.is_coarser or len(self.faces) > limit)


class SceneShape(NamedTuple):
    """MESH, PLANE (a rectangle about the origin across z) or a primitive; `awaited` names a mesh to come."""

    name: str
    X_LG: RigidTransform
    kind: str
    dimensions: tuple[float, ...] = ()
    triangles: Triangles | None = None
    colour: Colour | None = None
    awaited: str = ""


@dataclass(frozen=True, slots=True)
class DrawnLink:
    """A link at a place of a scene; the findings of its result are those of a check, the gravest first."""

    name: str
    result: LinkResult
    X_ML: RigidTransform = IDENTITY
    shapes: tuple[SceneShape, ...] = ()
    visuals: tuple[SceneShape, ...] = ()
    is_own: bool = True

    @property
    def findings(self) -> Sequence[Finding]:
        return self.result.findings

    @property
    def level(self) -> str:
        """Of its gravest finding; "" without findings."""
        return RULE_OF_CODE[self.findings[0].code].level.value if self.findings else ""

    @property
    def key(self) -> LinkKey:
        return LinkKey(self.result.file, self.result.name, self.result.number)

    @property
    def inertia(self) -> SpatialInertia | None:
        """The one that simulators use."""
        result = self.result
        if result.status in (Status.WOULD_BE_FILLED, Status.FILLED, Status.COMPUTED):
            return result.inertia
        return result.simulated if result.simulated is not None else result.before

    @property
    def drawn(self) -> SpatialInertia | None:
        return self.result.inertia if self.result.inertia is not None else self.result.before

    @property
    def ghost(self) -> SpatialInertia | None:
        """The written one, where the computed one is drawn and differs."""
        before, computed = self.result.before, self.result.inertia
        return before if before is not None and computed is not None and differ_visibly(before, computed) else None


def differ_visibly(a: SpatialInertia, b: SpatialInertia) -> bool:
    """Whether mass, centre (relative to the radius of gyration) or tensor differ by more than 1 %."""
    turned = max(abs(x - y) for x, y in zip(a.I_BBcm_B, b.I_BBcm_B, strict=True))
    return (
        is_visible(a.mass - b.mass, b.mass)
        or is_visible(math.dist(a.p_BoBcm_B, b.p_BoBcm_B), b.gyradius)
        or is_visible(turned, max(map(abs, b.I_BBcm_B)))
    )


def is_visible(difference: float, scale: float) -> bool:
    """Whether a difference is more than 1 % of a scale; NaN differs."""
    return difference != 0.0 and not abs(difference) <= _VISIBLE * abs(scale)


@dataclass(frozen=True, slots=True)
class Scene:
    """A world, a root model, or a mesh file; `missing` are models that could not be included, and why."""

    model: str
    file: str
    links: tuple[DrawnLink, ...]
    notes: tuple[str, ...] = ()
    joints: tuple[PlacedJoint, ...] = ()
    missing: tuple[tuple[str, str], ...] = ()
    is_world: bool = False

    def shares(self) -> list[float | None]:
        """The share of each link in the mass of its model; None where it has no mass."""
        results = [link.result for link in self.links]
        bodies = [each.simulated or each.before or each.inertia for each in results]
        masses = [body.mass if body is not None and 0.0 < body.mass < math.inf else 0.0 for body in bodies]
        models = [link.name.partition("::")[0] for link in self.links]
        totals = defaultdict[str, float](float)
        for model, mass in zip(models, masses, strict=True):
            totals[model] += mass
        return [mass / totals[model] if mass else None for model, mass in zip(models, masses, strict=True)]


def with_findings(scenes: Sequence[Scene], findings: Sequence[Finding]) -> list[Scene]:
    """The scenes with the findings of each link; one that is included several times has them at each place."""
    by_link: dict[LinkKey, list[Finding]] = {}
    for finding in sorted(findings, key=is_warning):
        by_link.setdefault(real_key(finding.key), []).append(finding)

    def found(link: DrawnLink) -> DrawnLink:
        return replace(link, result=link.result._replace(findings=tuple(by_link.get(real_key(link.key), ()))))

    return [replace(scene, links=tuple(map(found, scene.links))) for scene in scenes]


def is_warning(finding: Finding) -> bool:
    return RULE_OF_CODE[finding.code].level is Level.WARNING


def real_key(key: LinkKey) -> LinkKey:
    return key._replace(file=os.path.realpath(key.file))


def total_of(links: list[DrawnLink]) -> SpatialInertia | None:
    bodies = [link.inertia.transformed(link.X_ML) for link in links if link.inertia is not None]
    return welded(bodies) if bodies else None


# Triangles kept of a mesh: enough for its shape to be known at the size of a page.
MESH_LIMIT = 4000
# Triangles of all meshes of a page: at some fifteen bytes each, a page of a hundred links stays below three megabytes.
PAGE_LIMIT = 80_000
# A mesh is recognized by so many triangles, however many share the page.
_LEAST = 200


class ScaledMesh(NamedTuple):
    source: MeshSource
    scale: Factors


# Takes a mesh that a page will draw, and returns the name by which the page requests it.
Later = Callable[[ScaledMesh], str]


def limit_of_each(sizes: Sequence[int]) -> int:
    if sum(sizes) <= PAGE_LIMIT:
        return max(sizes, default=0)
    return max(_LEAST, PAGE_LIMIT // len(sizes))


def triangles_of(mesh: ScaledMesh, context: Context, limit: int = MESH_LIMIT) -> Triangles:
    read = context.meshes.mesh(mesh.source).scaled(mesh.scale)
    return Triangles(read.vertices, read.faces).coarsened(limit)


# The scenes of a document --------------------------------------------------------------------------------------------

# Primitives that the page of a report draws from their dimensions; it gets the triangles of all others.
DRAWN_BY_THE_PAGE = frozenset({"box", "sphere", "cylinder", "capsule", "cone", "ellipsoid"})


def scenes_of(
    document: OpenDocument,
    results: Sequence[LinkResult] = (),
    context: Context | None = None,
    *,
    with_computed: bool = False,
    is_written: bool = False,
    later: Later | None = None,
) -> list[Scene]:
    """Worlds with their models, and other root models; `later` takes meshes that the page requests."""
    by_place = {(result.name, result.number): result for result in results}

    def drawn(placed: PlacedLink) -> DrawnLink:
        link = placed.link
        found = by_place.get((link.scoped_name, link.number)) if placed.is_own else None
        if found is None or (found.text is None and found.error is None):
            result = _standing(document, link, with_computed=with_computed)
            result = result._replace(notes=(*(found.remarks if found is not None else ()), *result.notes))
        else:
            result = _of_run(found, document, link, is_written=is_written)
        drawn = _drawn(placed, result._replace(file=link.file, line=link.line), document.context, later)
        document.context.forget_contents()
        return drawn

    return [_scene(each, map(drawn, each.links)) for each in document.robot.assemblies(context or document.context)]


def _scene(assembly: Assembly, links: Iterable[DrawnLink]) -> Scene:
    drawn = tuple(links)
    joints = tuple(assembly.joints)
    missing = tuple(dict.fromkeys((name, _problem(error)) for name, error in assembly.broken))
    notes = tuple(dict.fromkeys(f"an included model is missing: {reason}" for _, reason in missing))
    return Scene(assembly.name, assembly.file, drawn, notes, joints, missing, assembly.is_world)


def mesh_scene(path: str, inertia: SpatialInertia | None, context: Context) -> Scene:
    triangles = triangles_of(ScaledMesh(MeshSource(path), NO_SCALE), context)
    name = os.path.basename(path)
    shape = SceneShape(name, IDENTITY, MESH, triangles=triangles)
    status = Status.COMPUTED if inertia is not None else Status.UNREADABLE
    return Scene(
        path, path, (DrawnLink(name, LinkResult(name, status, 1, inertia=inertia, file=path), shapes=(shape,)),)
    )


def _drawn(placed: PlacedLink, result: LinkResult, context: Context, later: Later | None) -> DrawnLink:
    notes = list(result.notes)
    X_ML = IDENTITY
    if isinstance(placed.pose, SdfInertiaError):
        notes.append(_note("is drawn at the origin of its model", placed.pose, notes))
    else:
        X_ML = placed.pose
    shapes = tuple(_shapes(placed.link, COLLISION, context, notes, later))
    visuals = tuple(_shapes(placed.link, VISUAL, context, notes, later))
    return DrawnLink(placed.name, result._replace(notes=tuple(notes)), X_ML, shapes, visuals, placed.is_own)


def _shapes(
    link: Link, kind: SolidKind, context: Context, notes: list[str], later: Later | None
) -> Iterator[SceneShape]:
    try:
        solids = link.solids(kind)
    except SdfInertiaError as error:
        notes.append(_note(f"its {kind.value}s are not drawn", error, notes))
        return
    for solid in solids:
        try:
            shape = _scene_shape(solid, context, later)
        except SdfInertiaError as error:
            notes.append(_note(f"{kind.value} {solid.name!r} {NOT_DRAWN}", error, notes))
        else:
            if shape is not None:
                yield shape


def _scene_shape(solid: Solid, context: Context, later: Later | None) -> SceneShape | None:
    shape = solid.shape()
    if isinstance(shape, NoVolume) and shape.plane is None:
        return None
    name, colour = solid.name, solid.colour
    X_LG: RigidTransform = product(solid.placement(context))
    match shape:
        case NoVolume(plane=plane):
            assert plane is not None, "what is nothing to be drawn was left out"
            return SceneShape(name, X_LG @ _turned_from_z(plane.normal), PLANE, plane.size, colour=colour)
        case Primitive(kind, dimensions) if kind in DRAWN_BY_THE_PAGE:
            return SceneShape(name, X_LG, kind, dimensions, colour=colour)
        case Primitive() | Polyline():
            triangles = Triangles(*surface_of(shape))
        case MeshShape():
            path = solid.mesh_path(shape.uri, context)
            mesh = ScaledMesh(shape.source(path), shape.scale)
            if later is not None:
                return SceneShape(name, X_LG, MESH, colour=colour, awaited=later(mesh))
            triangles = triangles_of(mesh, context)
        case _:
            assert_never(shape)
    return SceneShape(name, X_LG, MESH, triangles=triangles, colour=colour)


def _turned_from_z(direction: Vector3) -> RigidTransform:
    """The shortest rotation from z to a unit direction; half a turn about x for the opposite."""
    x, y, z = direction
    half = (0.0 - y, x, 0.0, 1.0 + z) if z > -1.0 + 1e-12 else (1.0, 0.0, 0.0, 0.0)
    return RigidTransform(rotation_from_quaternion(*half))


def _problem(error: SdfInertiaError) -> str:
    return error.problem + (f"; {error.remedy}" if error.remedy else "")


def _note(fact: str, error: SdfInertiaError, notes: Sequence[str]) -> str:
    problem = _problem(error)
    return fact if any(problem in note for note in notes) else f"{fact}: {problem}"


# The numbers of a link ------------------------------------------------------------------------------------------------


def _of_run(result: LinkResult, document: OpenDocument, link: Link, *, is_written: bool) -> LinkResult:
    """The result of a run that filled a link, or failed on it; its notes are all remarks."""
    if result.error is not None:
        before, notes = document.study(link).explicit, (*result.remarks, _problem(result.error))
        return result._replace(status=Status.FAILED, before=before, inertia=None, notes=notes, warnings=())
    was_stale = ("its block was stale",) if result.status == Status.REFILLED else ()
    filled = Status.FILLED if is_written else Status.WOULD_BE_FILLED
    status = Status.WITHHELD if result.status == Status.WITHHELD else filled
    return result._replace(status=status, notes=(*was_stale, *result.remarks), warnings=())


def _standing(document: OpenDocument, link: Link, *, with_computed: bool) -> LinkResult:
    """A link as it stands in its file."""
    study = document.study(link)
    known = LinkResult(link.scoped_name, Status.NOTHING, link.line, number=link.number)
    if study.is_requested:
        if isinstance(study.computed, SdfInertiaError):
            return known._replace(status=Status.FAILED, notes=(_problem(study.computed),))
        return _computed(known._replace(status=Status.WOULD_BE_FILLED, notes=study.computed.remarks), study)
    try:
        link.asks_to_be_filled()
        if (written := given(study.written)) is not None:
            known = _verified(known._replace(status=Status.WRITTEN, before=written.inertia), study)
        if study.link.is_inferred or study.link.adjusted_by:
            known = known._replace(simulated=given(study.added))
    except SdfInertiaError as error:
        known = known._replace(status=Status.UNREADABLE, notes=(_problem(error),))
    return _with_computed(known, study) if with_computed and known.inertia is None else known


def _verified(known: LinkResult, study: Study) -> LinkResult:
    try:
        # In a run that always computes, as `show` does, options do not decide which blocks are stale.
        if study.options.all:
            study = study.by(all=False)
        status = given(study.status)
        known = known._replace(status=status or known.status)
        return _computed(known, study) if status is Status.STALE else known
    except SdfInertiaError as error:
        return known._replace(notes=(f"cannot be verified: {_problem(error)}",))


def _computed(known: LinkResult, study: Study) -> LinkResult:
    computed = given(study.computed)
    return known._replace(inertia=computed.inertia, collisions=computed.parts)


def _with_computed(known: LinkResult, study: Study) -> LinkResult:
    if not study.has_solids or study.encloses_nothing():
        return known
    if not isinstance(study.computed, SdfInertiaError):
        return _computed(known, study)
    problem = _problem(study.computed)
    told = any(problem in note for note in known.notes)
    return known if told else known._replace(notes=(*known.notes, f"cannot be computed: {problem}"))
