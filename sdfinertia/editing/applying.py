"""The files of a document after a change."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

from sdfinertia.documents.filling import fill_document
from sdfinertia.documents.opened import OpenDocument
from sdfinertia.editing.changes import Change, Compute, Mirror, ResizeShape, SetDensity, SetMass, mirrored, why_no_body
from sdfinertia.errors import ConfigurationError, GeometryError, InertiaError, SdfInertiaError
from sdfinertia.inertia.inertial_text import format_number, inertial_text, text_as_given
from sdfinertia.inertia.rigid_transform import RigidTransform
from sdfinertia.inertia.solids import rescaled_in_size
from sdfinertia.inertia.spatial_inertia import SpatialInertia, less
from sdfinertia.links.filling import edits_read_back
from sdfinertia.links.status import Status
from sdfinertia.links.study import Study
from sdfinertia.markup.document import Edit, splice
from sdfinertia.robot.edits import scalable_inertia, scale_edits
from sdfinertia.robot.link import Link, Solid
from sdfinertia.robot.poses import product
from sdfinertia.robot.solid_kinds import COLLISION
from sdfinertia.shapes import Primitive

# Edited numbers are as exact as computed ones.
_DIGITS = 12


def files_after(document: OpenDocument, change: Change, *, is_body: bool = True) -> tuple[bytes, ...]:
    """The content of each file of a document after a change."""
    if isinstance(change, Compute):
        return _spliced(document, _computed(document, change))
    study = study_named(document, change.link)
    try:
        if isinstance(change, ResizeShape):
            return _resized(document, study, change, is_body=is_body)
        body = _changed(document, study, change)
        if isinstance(change, SetMass | SetDensity) and study.is_auto:
            return _given_mass(document, study, body.mass)
        return _spliced(document, _written(study, body, is_body=is_body))
    except SdfInertiaError as error:
        raise error.within(location=study.link.location(), link=study.link.scoped_name) from None


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


def _spliced(document: OpenDocument, edits: Sequence[Edit]) -> tuple[bytes, ...]:
    return tuple(splice(part.data, own) for part, own in document.robot.document.divided(edits))


def _edited(document: OpenDocument, edits: Sequence[Edit]) -> OpenDocument:
    return OpenDocument(document.robot.edited(edits), document.options, document.context)


def _changed(document: OpenDocument, study: Study, change: Change) -> SpatialInertia:
    if isinstance(change, Mirror):
        source = study_named(document, change.source)
        X_ML, X_MS = _pose_of(document, study), _pose_of(document, source)
        return mirrored(starting_inertia(source).transformed(X_MS), change.axis).transformed(X_ML.inverse())
    if isinstance(change, SetDensity):
        if not study.has_solids:
            raise InertiaError("it has no collisions, and so no volume for a density", remedy="give its mass")
        change = SetMass(change.link, change.density * study.computed.volume, change.is_linked)
    assert not isinstance(change, Compute | ResizeShape), "these change more than numbers"
    return change.after(starting_inertia(study))


def _pose_of(document: OpenDocument, study: Study) -> RigidTransform:
    for assembly in document.robot.assemblies(document.context):
        for placed in assembly.links:
            if placed.is_own and placed.link.key == study.link.key:
                if isinstance(placed.pose_in_model, SdfInertiaError):
                    raise placed.pose_in_model
                return placed.pose_in_model
    raise InertiaError(f"the pose of {study.link.scoped_name} in its model is not known")


def _written(study: Study, after: SpatialInertia, *, is_body: bool) -> Sequence[Edit]:
    link = study.link
    link.require_own_name()
    problem = why_no_body(after)
    if not after.can_be_judged:
        raise InertiaError(problem, remedy="check the units")
    if problem and is_body:
        raise InertiaError(problem, remedy="each must be above zero, and none above the sum of the other two")
    if link.has_tensor and not study.is_auto:
        if after == scalable_inertia(link):
            return ()
        return tuple(scale_edits(link, after, study.provenance_comment, digits=_DIGITS, is_body=not problem))
    text = text_as_given(after, digits=_DIGITS) if problem else inertial_text(after, digits=_DIGITS)
    return tuple(edits_read_back(link, text, None, study.provenance_comment))


def _given_mass(document: OpenDocument, study: Study, mass: float) -> tuple[bytes, ...]:
    """Gives a mass to a link with auto inertia: it stays auto, and the rest is computed."""
    link = study.link
    link.require_own_name()
    edits = tuple(link.mass_edits(format_number(mass, _DIGITS)))
    if not link.has_request:
        return _spliced(document, edits)
    # Its format has no mass without a tensor; the request stays beside the numbers.
    return files_after(_edited(document, edits), Compute(link.key.label))


def _computed(document: OpenDocument, change: Compute) -> Sequence[Edit]:
    """The edits of `fill --all` for one link or all; hand edits are overwritten, as requested."""
    fills = {"all": True, "missing": True, "refresh": True, "overwrite_edited": True, "keep_going": False}
    options = document.options.replaced({"link": (), **fills})
    only = None
    if change.link:
        study = study_named(document, change.link)
        only = (study.link.key,)
        if not study.has_solids:
            raise InertiaError("it has no collisions to compute an inertia from", link=change.link)
    result = fill_document(document, options, only)
    if result.errors:
        raise result.errors[0]
    return document.robot.document.gathered([result.edits, *(other.edits for other in result.others)])


def _resized(document: OpenDocument, study: Study, change: ResizeShape, *, is_body: bool) -> tuple[bytes, ...]:
    solid, old = _collision_named(study.link, change.collision)
    if len(change.dimensions) != len(old.dimensions):
        raise GeometryError(f"a {old.kind} has {len(old.dimensions)} dimensions, not {len(change.dimensions)}")
    if not all(isfinite(value) and value > 0.0 for value in change.dimensions):
        raise GeometryError("dimensions must be numbers above zero")
    new = Primitive(old.kind, change.dimensions)
    if new.dimensions == old.dimensions:
        return _spliced(document, ())
    edits = tuple(solid.dimension_edits(new.dimensions, digits=_DIGITS))
    if _is_clean(study):
        # A filled link stays filled.
        return files_after(_edited(document, edits), Compute(change.link))
    if study.link.has_tensor and not study.is_auto and study.written is not None:
        after = _inertia_after(study, study.written.inertia, solid, old, new)
        edits = (*edits, *_written(study, after, is_body=is_body))
    return _spliced(document, edits)


# Where the dimensions of a kind count, along x, y and z of its frame.
_ALONG = {
    **dict.fromkeys(("box", "ellipsoid"), (0, 1, 2)),
    **dict.fromkeys(("cylinder", "cone", "capsule"), (0, 0, 1)),
    "sphere": (0, 0, 0),
}


def _collision_named(link: Link, name: str) -> tuple[Solid, Primitive]:
    for solid in link.solids(COLLISION):
        if solid.name == name:
            shape = solid.shape()
            if isinstance(shape, Primitive) and shape.kind in _ALONG:
                return solid, shape
            raise GeometryError(f"collision {name!r} is not a primitive shape")
    raise GeometryError(f"there is no collision {name!r}")


def _inertia_after(
    study: Study, written: SpatialInertia, solid: Solid, old: Primitive, new: Primitive
) -> SpatialInertia:
    """The inertia of a link whose collision is resized.

    A link of one collision is stretched with it at the same density, as `scale` does; else the link gains what the
    collision gains, at the density implied by its mass.
    """
    X_LG: RigidTransform = product(solid.placement(study.context))
    # The ends of a capsule stay half balls, and are not stretched.
    if len(study.link.solids(COLLISION)) == 1 and old.kind != "capsule":
        x, y, z = (new.dimensions[k] / old.dimensions[k] for k in _ALONG[old.kind])
        return rescaled_in_size(written.transformed(X_LG.inverse()), (x, y, z)).transformed(X_LG)
    own = next((part.density for part in study.computed.parts if part.name == solid.name), None)
    if own is None:
        problem = f"collision {solid.name!r} has no mass, so its size does not determine the inertia of its link"
        raise InertiaError(problem)
    density = own * (written.mass / study.computed.inertia.mass)
    gained = new.inertia(density).transformed(X_LG) + less(old.inertia(density).transformed(X_LG))
    return written + gained


def _is_clean(study: Study) -> bool:
    try:
        return study.status is Status.CLEAN
    except SdfInertiaError:
        return False
