"""The edits that a change makes in a document, each read back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import isfinite
from typing import TYPE_CHECKING

from sdfinertia.documents.filling import fill_document
from sdfinertia.editing.changes import (
    Change,
    Compute,
    DragFace,
    Mirror,
    MoveCentre,
    ResizeShape,
    SetDensity,
    SetMass,
    SetMoments,
    SetTensor,
    TurnAxes,
    mirrored,
    why_no_body,
    with_face_moved,
    with_mass,
    with_principal,
)
from sdfinertia.editing.edit_algebra import composed
from sdfinertia.errors import ConfigurationError, GeometryError, InertiaError, SdfInertiaError
from sdfinertia.inertia.inertial_text import format_number, inertial_text, text_as_given
from sdfinertia.inertia.rigid_transform import RigidTransform, Vector3, rotation_from_rpy
from sdfinertia.inertia.solids import rescaled_in_size
from sdfinertia.inertia.spatial_inertia import InertiaTensor, SpatialInertia, less
from sdfinertia.links.filling import edits_read_back
from sdfinertia.links.status import Status
from sdfinertia.links.study import Study
from sdfinertia.markup.document import Edit
from sdfinertia.robot.edits import scalable_inertia, scale_edits
from sdfinertia.robot.poses import product
from sdfinertia.robot.solid_kinds import COLLISION
from sdfinertia.shapes import Primitive, assert_never

if TYPE_CHECKING:
    from sdfinertia.documents.opened import OpenDocument
    from sdfinertia.robot.keys import LinkKey
    from sdfinertia.robot.link import Link, Solid

# Edited numbers are as exact as computed ones.
_DIGITS = 12

Reopen = Callable[[Sequence[Edit]], "OpenDocument"]


def edits_of(document: OpenDocument, change: Change, reopen: Reopen, *, is_body: bool = True) -> tuple[Edit, ...]:
    if isinstance(change, Compute):
        return _computed(document, change)
    study = study_named(document, change.link)
    try:
        if isinstance(change, ResizeShape):
            edits = _resized(document, study, change, reopen, is_body=is_body)
        elif isinstance(change, SetMass | SetDensity) and study.is_auto:
            edits = _given_mass(document, study, _changed(document, study, change).mass, reopen)
        else:
            edits = _written(study, _changed(document, study, change), is_body=is_body)
        if edits:
            document.require_writable(study.link)
    except SdfInertiaError as error:
        raise error.within(location=study.link.location(), link=study.link.scoped_name) from None
    return edits


def study_named(document: OpenDocument, name: str) -> Study:
    found = document.links_by_label.get(name, [])
    if len(found) != 1:
        problem = f"there are {len(found)} links" if found else "there is no link"
        raise ConfigurationError(f"{problem} {name!r} in {document.robot.path}", file=document.robot.path)
    return document.study(found[0])


def starting_inertia(study: Study) -> SpatialInertia:
    """The inertia that an edit starts from: the written one if it counts, else the computed one."""
    if study.explicit is not None and not study.is_auto:
        return study.explicit
    if not study.has_solids:
        raise InertiaError("it has no numbers to change, and no shapes to compute them from")
    return study.computed.inertia


def _changed(document: OpenDocument, study: Study, change: Change) -> SpatialInertia:
    match change:
        case SetMass(_, mass, is_linked):
            return with_mass(starting_inertia(study), mass, is_linked=is_linked)
        case SetDensity(_, density, is_linked):
            return with_mass(starting_inertia(study), density * _volume(study), is_linked=is_linked)
        case MoveCentre(_, centre):
            body = starting_inertia(study)
            return SpatialInertia(body.mass, centre, body.I_BBcm_B)
        case SetTensor(_, tensor):
            body = starting_inertia(study)
            return SpatialInertia(body.mass, body.p_BoBcm_B, InertiaTensor(*tensor))
        case TurnAxes(_, rpy):
            body = starting_inertia(study)
            return with_principal(body, body.principal().moments, rotation_from_rpy(*rpy))
        case SetMoments(_, moments):
            body = starting_inertia(study)
            return with_principal(body, moments, body.principal().rotation)
        case DragFace():
            return with_face_moved(starting_inertia(study), change)
        case Mirror(_, source, axis):
            X_ML, X_MS = (_pose_of(document, each) for each in (study, study_named(document, source)))
            body = starting_inertia(study_named(document, source))
            return mirrored(body.transformed(X_MS), axis).transformed(X_ML.inverse())
        case Compute() | ResizeShape():
            raise AssertionError("these change more than numbers")
        case _:
            assert_never(change)


def _volume(study: Study) -> float:
    if not study.has_solids:
        raise InertiaError("it has no collisions, and so no volume for a density", remedy="give its mass")
    return study.computed.volume


def _pose_of(document: OpenDocument, study: Study) -> RigidTransform:
    for assembly in document.robot.assemblies(document.context):
        for placed in assembly.links:
            if placed.is_own and placed.link.key == study.link.key:
                if isinstance(placed.pose_in_model, SdfInertiaError):
                    raise placed.pose_in_model
                return placed.pose_in_model
    raise InertiaError(f"the pose of {study.link.scoped_name} in its model is not known")


def _written(study: Study, after: SpatialInertia, *, is_body: bool) -> tuple[Edit, ...]:
    link = study.link
    link.require_own_name()
    problem = why_no_body(after)
    if not after.can_be_judged:
        raise InertiaError(problem, remedy="check the units")
    if problem and is_body:
        raise InertiaError(problem, remedy="each must be above zero, and none above the sum of the other two")
    if link.has_tensor and not study.is_auto:
        before = scalable_inertia(link)
        if after == before:
            return ()
        return tuple(scale_edits(link, after, study.provenance_comment, digits=_DIGITS, is_body=not problem))
    text = text_as_given(after, digits=_DIGITS) if problem else inertial_text(after, digits=_DIGITS)
    return tuple(edits_read_back(link, text, None, study.provenance_comment))


def _given_mass(document: OpenDocument, study: Study, mass: float, reopen: Reopen) -> tuple[Edit, ...]:
    """Gives a mass to a link with auto inertia: it stays auto, and the rest is computed."""
    link = study.link
    link.require_own_name()
    data = document.robot.document.data
    edits = tuple(link.mass_edits(format_number(mass, _DIGITS)))
    if not link.has_request:
        return edits
    # Its format has no mass without a tensor; the request stays beside the numbers.
    return composed(data, edits, _computed(reopen(edits), Compute(link.key.label)))


def _computed(document: OpenDocument, change: Compute) -> tuple[Edit, ...]:
    """The edits of `fill --all` for one link or all; hand edits are overwritten, as requested."""
    options = replace(
        document.options,
        link=(),
        all=True,
        missing=True,
        refresh=True,
        overwrite_edited=True,
        keep_going=False,
    )
    only: tuple[LinkKey, ...] | None = None
    if change.link:
        study = study_named(document, change.link)
        only = (study.link.key,)
        if not study.has_solids:
            raise InertiaError("it has no collisions to compute an inertia from", link=change.link)
    result = fill_document(document, options, only)
    if result.errors:
        raise result.errors[0]
    return tuple(document.robot.document.gathered([result.edits, *(other.edits for other in result.others)]))


def _resized(
    document: OpenDocument, study: Study, change: ResizeShape, reopen: Reopen, *, is_body: bool
) -> tuple[Edit, ...]:
    solid, old = collision_named(study.link, change.collision)
    new = require_dimensions(old, change.dimensions)
    if new.dimensions == old.dimensions:
        return ()
    edits = tuple(solid.dimension_edits(new.dimensions, digits=_DIGITS))
    if is_clean(study):
        # A filled link stays filled.
        filled = edits_of(reopen(edits), Compute(change.link), reopen)
        return composed(document.robot.document.data, edits, filled)
    after = inertia_after(study, solid, old, new)
    return edits if after is None else (*edits, *_written(study, after, is_body=is_body))


# Where the dimensions of a kind count, along x, y and z of its frame.
_ALONG: dict[str, tuple[int, int, int]] = {
    "box": (0, 1, 2),
    "ellipsoid": (0, 1, 2),
    "sphere": (0, 0, 0),
    "cylinder": (0, 0, 1),
    "cone": (0, 0, 1),
    "capsule": (0, 0, 1),
}
# The ends of a capsule stay half balls: it gains and loses, and is not stretched as the others are.
_STRETCHED = frozenset(_ALONG) - {"capsule"}


def collision_named(link: Link, name: str) -> tuple[Solid, Primitive]:
    for solid in link.solids(COLLISION):
        if solid.name == name:
            shape = solid.shape()
            if isinstance(shape, Primitive) and shape.kind in _ALONG:
                return solid, shape
            raise GeometryError(f"collision {name!r} is not a primitive shape")
    raise GeometryError(f"there is no collision {name!r}")


def require_dimensions(shape: Primitive, dimensions: tuple[float, ...]) -> Primitive:
    if len(dimensions) != len(shape.dimensions):
        raise GeometryError(f"a {shape.kind} has {len(shape.dimensions)} dimensions, not {len(dimensions)}")
    if not all(isfinite(value) and value > 0.0 for value in dimensions):
        raise GeometryError("dimensions must be numbers above zero")
    return Primitive(shape.kind, dimensions)


def inertia_after(study: Study, solid: Solid, old: Primitive, new: Primitive) -> SpatialInertia | None:
    """The written inertia of a link whose collision is resized; None where it has none.

    A link of one collision is stretched with it at the same density, as `scale` does; else the link gains what the
    collision gains, at the density implied by its mass.
    """
    written = study.written.inertia if study.link.has_tensor and not study.is_auto and study.written else None
    if written is None:
        return None
    X_LG: RigidTransform = product(solid.placement(study.context))
    if len(study.link.solids(COLLISION)) == 1 and old.kind in _STRETCHED:
        return rescaled_in_size(written.transformed(X_LG.inverse()), _factors(old, new)).transformed(X_LG)
    computed = study.computed.inertia
    density = _density_of(study, solid.name) * (written.mass / computed.mass)
    gained = new.inertia(density).transformed(X_LG) + less(old.inertia(density).transformed(X_LG))
    return written + gained


def _factors(old: Primitive, new: Primitive) -> Vector3:
    x, y, z = (new.dimensions[k] / old.dimensions[k] for k in _ALONG[old.kind])
    return x, y, z


def _density_of(study: Study, name: str) -> float:
    for part in study.computed.parts:
        if part.name == name:
            return part.density
    raise InertiaError(f"collision {name!r} has no mass, so its size does not determine the inertia of its link")


def is_clean(study: Study) -> bool:
    try:
        return study.status is Status.CLEAN
    except SdfInertiaError:
        return False
