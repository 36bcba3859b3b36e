"""What a change makes of a document: the edits, held to what a reader of the format finds once they are made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
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
)
from sdfinertia.editing.composing import composed
from sdfinertia.editing.new_inertia import (
    is_finite,
    mirrored,
    turned_by,
    why_no_body,
    with_face_moved,
    with_mass,
    with_moments,
)
from sdfinertia.editing.shape_resizing import collision_named, inertia_after, is_clean, require_dimensions
from sdfinertia.errors import ConfigurationError, InertiaError, SdfInertiaError
from sdfinertia.inertia.inertial_text import inertial_text, text_as_given
from sdfinertia.inertia.rigid_transform import RigidTransform
from sdfinertia.inertia.spatial_inertia import InertiaTensor, SpatialInertia
from sdfinertia.markup.document import Edit, splice
from sdfinertia.shapes.shape import assert_never

if TYPE_CHECKING:
    from sdfinertia.documents.opened import OpenDocument
    from sdfinertia.links.study import Study
    from sdfinertia.robot.values import LinkKey

# Numbers written by hand are as exact as those that are computed.
_DIGITS = 12

Reopen = Callable[[bytes], "OpenDocument"]


def edits_of(document: OpenDocument, change: Change, reopen: Reopen, *, is_body: bool = True) -> tuple[Edit, ...]:
    """The edits that a change makes.

    Args:
        reopen: opens other content at the place of the document.
        is_body: whether what comes out is to be what a body can have.

    Raises:
        SdfInertiaError: the change cannot be made, or no body could have what comes out.
    """
    if isinstance(change, Compute):
        return _computed(document, change)
    study = study_named(document, change.link)
    try:
        if isinstance(change, ResizeShape):
            edits = _resized(document, study, change, reopen, is_body=is_body)
        else:
            edits = _written(study, _changed(document, study, change), is_body=is_body)
    except SdfInertiaError as error:
        raise error.within(location=study.link.location(), link=study.link.scoped_name) from None
    return edits


def study_named(document: OpenDocument, name: str) -> Study:
    """The study of the link of a name that stands in the document itself.

    Args:
        name: scoped; of the second link of that name in the file `model::link#2`.

    Raises:
        ConfigurationError: there is none, or there are several.
    """
    found = [link for link in document.links() if link.key.label == name]
    if len(found) != 1:
        problem = f"there are {len(found)} links" if found else "there is no link"
        raise ConfigurationError(f"{problem} {name!r} in {document.robot.path}", file=document.robot.path)
    return document.study(found[0])


def body_of(study: Study) -> SpatialInertia:
    """The inertia that a change by hand begins with: what is written and counts, else what the shapes give.

    Raises:
        SdfInertiaError: there is neither.
    """
    if study.explicit is not None and not study.is_auto:
        return study.explicit
    if not study.has_solids:
        raise InertiaError("it has no numbers to change, and no shapes to compute them from")
    return study.computed.inertia


def _changed(document: OpenDocument, study: Study, change: Change) -> SpatialInertia:
    """The inertia that a link has after a change of its numbers."""
    match change:
        case SetMass(_, mass, is_linked):
            return with_mass(body_of(study), mass, is_linked=is_linked)
        case SetDensity(_, density, is_linked):
            return with_mass(body_of(study), density * _volume(study), is_linked=is_linked)
        case MoveCentre(_, centre):
            body = body_of(study)
            return SpatialInertia(body.mass, centre, body.I_BBcm_B)
        case SetTensor(_, tensor):
            body = body_of(study)
            return SpatialInertia(body.mass, body.p_BoBcm_B, InertiaTensor(*tensor))
        case TurnAxes(_, rpy):
            return turned_by(body_of(study), rpy)
        case SetMoments(_, moments):
            return with_moments(body_of(study), moments)
        case DragFace():
            return with_face_moved(body_of(study), change)
        case Mirror(_, source, axis):
            X_ML, X_MS = (_pose_of(document, each) for each in (study, study_named(document, source)))
            body = body_of(study_named(document, source))
            return mirrored(body.transformed(X_MS), axis).transformed(X_ML.inverse())
        case Compute() | ResizeShape():
            raise AssertionError("these change more than numbers")
        case _:
            assert_never(change)


def _volume(study: Study) -> float:
    """The volume of the collisions that have mass (m³)."""
    if not study.has_solids:
        raise InertiaError("it has no collisions, so no volume that a density could fill", remedy="give its mass")
    return study.computed.volume


def _pose_of(document: OpenDocument, study: Study) -> RigidTransform:
    """The pose of a link in its root model.

    Raises:
        SdfInertiaError: it is not known.
    """
    for assembly in document.robot.assemblies(document.surroundings):
        for placed in assembly.links:
            if placed.is_own and placed.link.key == study.link.key:
                if isinstance(placed.pose_in_model, SdfInertiaError):
                    raise placed.pose_in_model
                return placed.pose_in_model
    raise InertiaError(f"the place of {study.link.scoped_name} in its model is not known")


def _written(study: Study, after: SpatialInertia, *, is_body: bool) -> tuple[Edit, ...]:
    """The edits that give a link numbers by hand: without provenance, and with the texts of those that stay."""
    link = study.link
    if link.naming_defect is not None:
        raise InertiaError(link.naming_defect.message, remedy=link.naming_defect.remedy)
    problem = why_no_body(after)
    if problem and (is_body or not is_finite(after)):
        raise InertiaError(problem, remedy="each must be above zero, and none above the sum of the other two")
    if link.has_tensor and not study.is_auto:
        before = link.scalable_inertia()
        if after == before:
            return ()
        return tuple(link.scale_edits(after, study.provenance_comment, digits=_DIGITS, is_body=not problem))
    text = text_as_given(after, digits=_DIGITS) if problem else inertial_text(after, digits=_DIGITS)
    edits = link.fill_edits(text, None, study.provenance_comment, auto=study.options.auto)
    if edits and not link.reads_back(edits, text):
        raise InertiaError(
            "the numbers would stand in its <inertial> where no reader finds them",
            remedy="take out of its elements what is neither a number nor a comment",
        )
    return tuple(edits)


def _computed(document: OpenDocument, change: Compute) -> tuple[Edit, ...]:
    """The edits that fill a link, or all, as `fill --all` does; what was edited by hand too, for it is asked for."""
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
    return result.edits


def _resized(
    document: OpenDocument, study: Study, change: ResizeShape, reopen: Reopen, *, is_body: bool
) -> tuple[Edit, ...]:
    """The edits that give a shape other dimensions, and its link the inertia that goes with them."""
    solid, old = collision_named(study.link, change.collision)
    new = require_dimensions(old, change.dimensions)
    if new.dimensions == old.dimensions:
        return ()
    edits = tuple(solid.dimension_edits(new.dimensions, digits=_DIGITS))
    if is_clean(study):
        # What was filled stays so.
        data = document.robot.data
        filled = edits_of(reopen(splice(data, edits)), Compute(change.link), reopen)
        return composed(data, edits, filled)
    after = inertia_after(study, solid, old, new)
    return edits if after is None else (*edits, *_written(study, after, is_body=is_body))
