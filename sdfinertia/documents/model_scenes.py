"""Worlds, root models and mesh files as scenes to be drawn; what cannot be drawn becomes a note."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.documents.opened import OpenDocument
from sdfinertia.documents.scene import (
    MESH,
    NOT_DRAWN,
    PLANE,
    Later,
    LinkStatus,
    ScaledMesh,
    Scene,
    SceneLink,
    SceneShape,
    Triangles,
    triangles_of,
)
from sdfinertia.errors import SdfInertiaError
from sdfinertia.inertia.rigid_transform import IDENTITY, RigidTransform, Vector3, rotation_from_quaternion
from sdfinertia.inertia.spatial_inertia import SpatialInertia
from sdfinertia.links.context import Context
from sdfinertia.links.filling import LinkResult
from sdfinertia.links.study import Status, Study
from sdfinertia.mesh.treatment import NO_SCALE, MeshSource
from sdfinertia.robot.values import COLLISION, VISUAL, SolidKind, product
from sdfinertia.shapes import MeshShape, NoVolume, Polyline, Primitive, assert_never

if TYPE_CHECKING:
    from sdfinertia.links.bodies import Body
    from sdfinertia.links.computed import Computed
    from sdfinertia.robot.link import Link, Solid
    from sdfinertia.robot.robot import Assembly, PlacedLink

# Primitives that the page of a report draws from their dimensions; of any other it is given the triangles.
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
        later: takes meshes to be drawn when they are asked for.
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
    status = LinkStatus.COMPUTED if inertia is not None else LinkStatus.UNREADABLE
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
        result = results.get((link.scoped_name, link.key.number)) if placed.is_own else None
        state = _state_of(document, document.study(link), result, with_computed=with_computed, is_written=is_written)
        links.append(_placed(state, placed, document.context, later))
        document.context.forget_contents()
    joints = tuple(assembly.joints)
    missing = tuple(dict.fromkeys((name, _problem(error)) for name, error in assembly.broken))
    notes = tuple(dict.fromkeys(f"an included model is missing: {reason}" for _, reason in missing))
    return Scene(assembly.name, assembly.file, tuple(links), notes, joints, missing, assembly.is_world)


def _placed(state: _State, placed: PlacedLink, context: Context, later: Later | None) -> SceneLink:
    link, notes = placed.link, list(state.notes)
    X_ML = IDENTITY
    if isinstance(placed.pose, SdfInertiaError):
        notes.append(_note("is drawn at the origin of its model", placed.pose, notes))
    else:
        X_ML = placed.pose
    shapes = tuple(_shapes(link, COLLISION, context, notes, later))
    visuals = tuple(_shapes(link, VISUAL, context, notes, later))
    return SceneLink(
        placed.name,
        link.scoped_name if link.scoped_name != placed.name else "",
        link.file,
        link.line,
        X_ML,
        shapes,
        visuals,
        is_own=placed.is_own,
        number=link.key.number,
        **state._replace(notes=tuple(notes))._asdict(),
    )


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
    name, colour = solid.name, solid.colour()
    X_LG: RigidTransform = product(solid.placement(context))
    match shape:
        case NoVolume(plane=plane):
            assert plane is not None, "what is nothing to be drawn was left out"
            return SceneShape(name, X_LG @ _turned_from_z(plane.normal), PLANE, plane.size, colour=colour)
        case Primitive(kind, dimensions) if kind in DRAWN_BY_THE_PAGE:
            return SceneShape(name, X_LG, kind, dimensions, colour=colour)
        case Primitive() | Polyline():
            triangles = Triangles(*shape.surface())
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


class _State(NamedTuple):
    """The fields of a `SceneLink` that say what its inertia is."""

    status: LinkStatus
    written: SpatialInertia | None = None
    computed: SpatialInertia | None = None
    volume: float | None = None
    parts: tuple[Body, ...] = ()
    notes: tuple[str, ...] = ()

    def with_computed(self, computed: Computed) -> _State:
        return self._replace(computed=computed.inertia, volume=computed.volume or None, parts=computed.parts)


_OF_BLOCK = {
    Status.CLEAN: LinkStatus.WRITTEN,
    Status.STALE: LinkStatus.STALE,
    Status.EDITED: LinkStatus.EDITED,
}


def _state_of(
    document: OpenDocument, study: Study, result: LinkResult | None, *, with_computed: bool, is_written: bool
) -> _State:
    if result is None:
        return _standing(document, study, with_computed=with_computed)
    if result.error is not None:
        return _State(LinkStatus.REFUSED, study.explicit, notes=(*result.remarks, _problem(result.error)))
    if result.text is None:
        state = _standing(document, study, with_computed=with_computed)
        return state._replace(notes=(*result.remarks, *state.notes))
    filled = LinkStatus.FILLED_NOW if is_written else LinkStatus.WOULD_BE_FILLED
    status = LinkStatus.WITHHELD if result.status == Status.WITHHELD else filled
    was_stale = ("its block was stale",) if result.status == Status.REFILLED else ()
    volume = sum(part.volume for part in result.collisions) or None
    notes = (*was_stale, *result.remarks)
    return _State(status, result.before, result.inertia, volume, result.collisions, notes)


def _standing(document: OpenDocument, study: Study, *, with_computed: bool) -> _State:
    try:
        if study.is_auto:
            return _asking(study)
        if study.written is None:
            state = _State(LinkStatus.NOTHING)
        else:
            state = _verified(_State(LinkStatus.WRITTEN, study.written.inertia), document, study)
    except SdfInertiaError as error:
        state = _State(LinkStatus.UNREADABLE, notes=(_problem(error),))
    return _with_computed(state, study) if with_computed and state.computed is None else state


def _verified(state: _State, document: OpenDocument, study: Study) -> _State:
    try:
        # What a run computes anew in any case, as `show` does, is stale or not whatever its options.
        if study.options.all:
            study = Study(study.link, replace(study.options, all=False), document.context)
        status = study.status
        state = state._replace(status=_OF_BLOCK[status]) if status is not None else state
        return state.with_computed(study.computed) if status is Status.STALE else state
    except SdfInertiaError as error:
        return state._replace(notes=(f"cannot be verified: {_problem(error)}",))


def _asking(study: Study) -> _State:
    try:
        return _State(LinkStatus.WOULD_BE_FILLED, notes=study.computed.notes).with_computed(study.computed)
    except SdfInertiaError as error:
        return _State(LinkStatus.REFUSED, notes=(_problem(error),))


def _with_computed(state: _State, study: Study) -> _State:
    with suppress(SdfInertiaError):
        if not study.has_solids or study.encloses_nothing:
            return state
    try:
        return state.with_computed(study.computed)
    except SdfInertiaError as error:
        problem = _problem(error)
        told = any(problem in note for note in state.notes)
        return state if told else state._replace(notes=(*state.notes, f"cannot be computed: {problem}"))


def state_anew(document: OpenDocument, old: SceneLink) -> SceneLink:
    """A link of a scene after an edit of the document."""
    if not old.is_own:
        return old
    study = document.study(document.links_by_label[old.key.label][0])
    state = _standing(document, study, with_computed=True)
    shapes = []
    solids = {solid.name: solid for solid in study.link.solids(COLLISION)}
    for shape in old.shapes:
        found = solids[shape.name].shape() if shape.dimensions and shape.name in solids else None
        shapes.append(shape._replace(dimensions=found.dimensions) if isinstance(found, Primitive) else shape)
    document.context.forget_contents()
    return replace(old, line=study.link.line, shapes=tuple(shapes), besides=(), **state._asdict())
