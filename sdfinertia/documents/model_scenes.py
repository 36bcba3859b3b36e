"""Worlds, root models and mesh files as scenes to be drawn; a shape that cannot be drawn becomes a note."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from sdfinertia.documents.scene import (
    MESH,
    NOT_DRAWN,
    PLANE,
    Later,
    ScaledMesh,
    Scene,
    SceneLink,
    SceneShape,
    Triangles,
    triangles_of,
)
from sdfinertia.errors import SdfInertiaError
from sdfinertia.inertia.rigid_transform import IDENTITY, RigidTransform, Vector3, rotation_from_quaternion
from sdfinertia.links.groups import added
from sdfinertia.links.provenance import Status
from sdfinertia.links.study import Study
from sdfinertia.mesh.method import NO_SCALE, MeshSource
from sdfinertia.robot.link import COLLISION, VISUAL, SolidKind
from sdfinertia.robot.poses import product
from sdfinertia.shapes import MeshShape, NoVolume, Polyline, Primitive, assert_never, surface_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sdfinertia.documents.opened import OpenDocument
    from sdfinertia.inertia.spatial_inertia import SpatialInertia
    from sdfinertia.links.context import Context
    from sdfinertia.links.filling import LinkResult
    from sdfinertia.robot.link import Link, Solid
    from sdfinertia.robot.robot import Assembly, PlacedLink

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
    """The worlds of a document, each with all its models, and the root models outside them.

    Args:
        context: for included files; they may have changed since the study.
        is_written: whether the filled numbers are in the file now.
        later: takes meshes that the page requests when it draws them.
    """
    by_place = {(result.name, result.number): result for result in results}
    return [
        _scene(found, by_place, document, with_computed=with_computed, is_written=is_written, later=later)
        for found in document.robot.assemblies(context or document.context)
    ]


def mesh_scene(path: str, inertia: SpatialInertia | None, context: Context) -> Scene:
    triangles = triangles_of(ScaledMesh(MeshSource(path), NO_SCALE), context)
    name = os.path.basename(path)
    shape = SceneShape(name, IDENTITY, MESH, triangles=triangles)
    status = Status.COMPUTED if inertia is not None else Status.UNREADABLE
    return Scene(path, path, (SceneLink(name, file=path, line=1, shapes=(shape,), computed=inertia, status=status),))


def _scene(
    assembly: Assembly,
    results: Mapping[tuple[str, int], LinkResult],
    document: OpenDocument,
    *,
    with_computed: bool,
    is_written: bool,
    later: Later | None,
) -> Scene:
    links: list[SceneLink] = []
    for placed in assembly.links:
        link = placed.link
        result = results.get((link.scoped_name, link.number))
        own = result if placed.is_own else None
        known = _known_of(placed, document, own, with_computed=with_computed, is_written=is_written)
        links.append(_drawn(known, placed, document.context, later))
        document.context.forget_contents()
    joints = tuple(assembly.joints)
    missing = tuple(dict.fromkeys((name, _problem(error)) for name, error in assembly.broken))
    notes = tuple(dict.fromkeys(f"an included model is missing: {reason}" for _, reason in missing))
    return Scene(assembly.name, assembly.file, tuple(links), notes, joints, missing, assembly.is_world)


def _drawn(known: SceneLink, placed: PlacedLink, context: Context, later: Later | None) -> SceneLink:
    """A link with its place and shapes."""
    notes = list(known.notes)
    X_ML = IDENTITY
    if isinstance(placed.pose, SdfInertiaError):
        notes.append(_note("is drawn at the origin of its model", placed.pose, notes))
    else:
        X_ML = placed.pose
    shapes = tuple(_shapes(placed.link, COLLISION, context, notes, later))
    visuals = tuple(_shapes(placed.link, VISUAL, context, notes, later))
    return replace(known, X_ML=X_ML, shapes=shapes, visuals=visuals, notes=tuple(notes))


def _shapes(
    link: Link, kind: SolidKind, context: Context, notes: list[str], later: Later | None
) -> Iterator[SceneShape]:
    try:
        solids = link.solids(kind)
    except SdfInertiaError as error:
        notes.append(_note(f"its {kind.element}s are not drawn", error, notes))
        return
    for solid in solids:
        try:
            shape = _scene_shape(solid, context, later)
        except SdfInertiaError as error:
            notes.append(_note(f"{kind.element} {solid.name!r} {NOT_DRAWN}", error, notes))
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


def _known_of(
    placed: PlacedLink, document: OpenDocument, result: LinkResult | None, *, with_computed: bool, is_written: bool
) -> SceneLink:
    """A link with its inertia, as far as known."""
    link = placed.link
    scoped_name = link.scoped_name if link.scoped_name != placed.name else ""
    known = SceneLink(placed.name, scoped_name, link.file, link.line, is_own=placed.is_own, number=link.number)
    study = document.study(link)
    if result is None:
        return _standing(known, document, study, with_computed=with_computed)
    if result.error is not None:
        notes = (*result.remarks, _problem(result.error))
        return replace(known, status=Status.FAILED, written=study.explicit, notes=notes)
    if result.text is None:
        standing = _standing(known, document, study, with_computed=with_computed)
        return replace(standing, notes=(*result.remarks, *standing.notes))
    was_stale = ("its block was stale",) if result.status == Status.REFILLED else ()
    filled = Status.FILLED if is_written else Status.WOULD_BE_FILLED
    return replace(
        known,
        status=Status.WITHHELD if result.status == Status.WITHHELD else filled,
        written=result.before,
        computed=result.inertia,
        volume=sum(part.volume for part in result.collisions) or None,
        parts=result.collisions,
        notes=(*was_stale, *result.remarks),
    )


def _standing(known: SceneLink, document: OpenDocument, study: Study, *, with_computed: bool) -> SceneLink:
    try:
        if study.is_auto:
            return _asking(known, study)
        if study.written is not None:
            written = replace(known, status=Status.WRITTEN, written=study.written.inertia)
            known = _verified(written, document, study)
        if study.link.is_inferred or study.link.adjusted_by:
            known = replace(known, simulated=added(study))
    except SdfInertiaError as error:
        known = replace(known, status=Status.UNREADABLE, notes=(_problem(error),))
    return _with_computed(known, study) if with_computed and known.computed is None else known


def _verified(known: SceneLink, document: OpenDocument, study: Study) -> SceneLink:
    try:
        # In a run that always computes, as `show` does, options do not decide which blocks are stale.
        if study.options.all:
            study = Study(study.link, replace(study.options, all=False), document.context)
        known = replace(known, status=study.status or known.status)
        return _computed(known, study) if study.status is Status.STALE else known
    except SdfInertiaError as error:
        return replace(known, notes=(f"cannot be verified: {_problem(error)}",))


def _asking(known: SceneLink, study: Study) -> SceneLink:
    try:
        return _computed(replace(known, status=Status.WOULD_BE_FILLED, notes=study.computed.remarks), study)
    except SdfInertiaError as error:
        return replace(known, status=Status.FAILED, notes=(_problem(error),))


def _computed(known: SceneLink, study: Study) -> SceneLink:
    computed = study.computed
    return replace(known, computed=computed.inertia, volume=computed.volume or None, parts=computed.parts)


def _with_computed(known: SceneLink, study: Study) -> SceneLink:
    with suppress(SdfInertiaError):
        if not study.has_solids or study.encloses_nothing:
            return known
    try:
        return _computed(known, study)
    except SdfInertiaError as error:
        problem = _problem(error)
        told = any(problem in note for note in known.notes)
        return known if told else replace(known, notes=(*known.notes, f"cannot be computed: {problem}"))
