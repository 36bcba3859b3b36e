"""The state of a link, for a look at it: what is written, what its shapes give, and what is to be said of the two."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from sdfinertia.documents.scene import SceneLink, Standing
from sdfinertia.errors import SdfInertiaError
from sdfinertia.links.result import Status
from sdfinertia.links.study import Study
from sdfinertia.robot.values import COLLISION
from sdfinertia.shapes.shape import Primitive

if TYPE_CHECKING:
    from sdfinertia.documents.opened import OpenDocument
    from sdfinertia.links.computed import Computed
    from sdfinertia.links.result import LinkResult

_OF_BLOCK = {
    Status.CLEAN: Standing.WRITTEN,
    Status.STALE: Standing.STALE,
    Status.EDITED: Standing.EDITED,
}


def state_of(
    document: OpenDocument, study: Study, result: LinkResult | None, *, with_computed: bool, is_written: bool
) -> SceneLink:
    """A link with its inertias and its status.

    Args:
        result: what became of it in a run, or None where the run did not look at it.
        with_computed: compute it too where nothing asks for it.
        is_written: whether what the run filled stands in the file now.
    """
    if result is not None and result.error is not None:
        notes = (*result.remarks, _problem(result.error))
        return SceneLink(study.link.scoped_name, written=study.explicit, status=Standing.REFUSED, notes=notes)
    if result is not None and result.text is not None:
        return _filled(study, result, is_written=is_written)
    state = _standing(document, study, with_computed=with_computed)
    return replace(state, notes=(*result.remarks, *state.notes)) if result is not None else state


def _filled(study: Study, result: LinkResult, *, is_written: bool) -> SceneLink:
    """A link that a run filled, or would fill."""
    filled = Standing.FILLED_NOW if is_written else Standing.WOULD_BE_FILLED
    status = Standing.WITHHELD if result.status == Status.WITHHELD else filled
    was_stale = ("its block was stale",) if result.status == Status.REFILLED else ()
    volume = sum(part.volume for part in result.collisions)
    return SceneLink(
        study.link.scoped_name,
        written=result.before,
        computed=result.inertia,
        status=status,
        volume=volume or None,
        parts=result.collisions,
        notes=(*was_stale, *result.remarks),
    )


def _standing(document: OpenDocument, study: Study, *, with_computed: bool) -> SceneLink:
    """A link as it stands in the file."""
    name = study.link.scoped_name
    try:
        if study.written is None:
            return _with_computed(SceneLink(name, status=Standing.NOTHING), study) if with_computed else SceneLink(name)
        if study.is_auto:
            return _asking(study)
    except SdfInertiaError as error:
        unreadable = SceneLink(name, status=Standing.UNREADABLE, notes=(_problem(error),))
        return _with_computed(unreadable, study) if with_computed else unreadable
    state = SceneLink(name, written=study.written.inertia, status=Standing.WRITTEN)
    try:
        # What a run computes anew in any case, as `show` does, is stale or not whatever its options.
        own = study
        if study.options.all:
            own = Study(study.link, replace(study.options, all=False), document.surroundings)
        status = own.status
        if status is not None:
            state = replace(state, status=_OF_BLOCK[status])
            if status is Status.STALE:
                state = _computed(state, own.computed)
    except SdfInertiaError as error:
        state = replace(state, notes=(f"cannot be verified: {_problem(error)}",))
    return _with_computed(state, study) if with_computed and state.computed is None else state


def _asking(study: Study) -> SceneLink:
    """A link that asks to be computed: what is written in it counts for nothing."""
    state = SceneLink(study.link.scoped_name, status=Standing.WOULD_BE_FILLED)
    try:
        computation = study.computed
        return replace(_computed(state, computation), notes=computation.notes)
    except SdfInertiaError as error:
        return replace(state, status=Standing.REFUSED, notes=(_problem(error),))


def _with_computed(state: SceneLink, study: Study) -> SceneLink:
    """The state with what its shapes give, where there are any."""
    with suppress(SdfInertiaError):
        if not study.has_solids or study.encloses_nothing:
            return state
    try:
        return _computed(state, study.computed)
    except SdfInertiaError as error:
        problem = _problem(error)
        told = any(problem in note for note in state.notes)
        return state if told else replace(state, notes=(*state.notes, f"cannot be computed: {problem}"))


def _computed(state: SceneLink, computation: Computed) -> SceneLink:
    return replace(state, computed=computation.inertia, volume=computation.volume or None, parts=computation.parts)


def _problem(error: SdfInertiaError) -> str:
    """What is wrong and what to do, without the place, which the table gives."""
    return error.problem + (f"; {error.remedy}" if error.remedy else "")


def state_anew(document: OpenDocument, old: SceneLink) -> SceneLink:
    """A link of a scene as a document that was changed has it, at the same place; one of another file stays as it was.

    Raises:
        SdfInertiaError: what is asked of it cannot be found or read.
    """
    if not old.is_own:
        return old
    study = next(document.study(link) for link in document.links() if link.key == old.key)
    state = state_of(document, study, None, with_computed=True, is_written=False)
    shapes = []
    solids = {solid.name: solid for solid in study.link.solids(COLLISION)}
    for shape in old.shapes:
        found = solids[shape.name].shape() if shape.dimensions and shape.name in solids else None
        shapes.append(shape._replace(dimensions=found.dimensions) if isinstance(found, Primitive) else shape)
    document.surroundings.forget_contents()
    return replace(
        state,
        name=old.name,
        scoped_name=old.scoped_name,
        file=old.file,
        line=study.link.line,
        number=old.number,
        X_ML=old.X_ML,
        shapes=tuple(shapes),
        visuals=old.visuals,
    )
