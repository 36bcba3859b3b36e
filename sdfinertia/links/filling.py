"""Filling the selected links of a model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import fsum
from sys import float_info
from typing import TYPE_CHECKING

from sdfinertia.errors import InertiaError, SdfInertiaError
from sdfinertia.links.result import LinkResult, Status, failure
from sdfinertia.links.selection import Reason
from sdfinertia.links.study import Study
from sdfinertia.markup.document import Edit
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.options import Options
from sdfinertia.robot.numbers import half_unit

if TYPE_CHECKING:
    from sdfinertia.links.computed import Computed
    from sdfinertia.links.warnings import SizeDoubt


class FilledLinks(NamedTuple):
    """Of one model; `untouched` counts the links that need neither result nor edit."""

    results: list[LinkResult]
    edits: list[Edit]
    untouched: int


class _Computed(NamedTuple):
    study: Study
    status: Status
    computed: Computed
    doubt: SizeDoubt | None


def fill_links(candidates: Sequence[tuple[Study, Reason]], options: Options, *, is_complete: bool) -> FilledLinks:
    results: list[LinkResult] = []
    edits: list[Edit] = []
    computed: list[_Computed] = []
    for study, reason in candidates:
        try:
            outcome = _compute(study, reason, options)
        except SdfInertiaError as error:
            outcome = failure(study.link, error)
            is_complete = False
        if isinstance(outcome, _Computed):
            computed.append(outcome)
        elif outcome is not None:
            results.append(outcome)
        study.context.forget_contents()
    if options.total_mass is not None and computed:
        if not is_complete:
            problem = "is not scaled to the total mass, because another link of the model failed"
            results += (failure(link.study.link, InertiaError(problem)) for link in computed)
            computed = []
        else:
            computed = _scaled_to_total(computed, options.total_mass)
    if computed:
        for link in computed:
            try:
                result, link_edits = _written(*link)
            except SdfInertiaError as error:
                result, link_edits = failure(link.study.link, error), []
            if link_edits or result.error is not None:
                results.append(result)
                edits += link_edits
    return FilledLinks(results, edits, len(candidates) - len(results))


def _compute(study: Study, reason: Reason, options: Options) -> _Computed | LinkResult | None:
    """None if there is nothing to report."""
    match reason:
        case Reason.MANAGED:
            return _verified(study, options)
        case Reason.HAND_WRITTEN:
            why = _without_volume(study)
            if why is not None:
                return _left(study, Status.LEFT, why)
            return _computed(study, Status.FILLED)
        case Reason.AUTO | Reason.MISSING:
            return _computed(study, Status.FILLED)


def _computed(study: Study, status: Status) -> _Computed:
    from sdfinertia.links.warnings import require_likely_size, size_doubt

    computed = study.computed
    doubt = size_doubt(study, computed)
    require_likely_size(doubt, computed.options)
    return _Computed(study, status, computed, doubt)


def _verified(study: Study, options: Options) -> _Computed | LinkResult | None:
    if options.all and options.provenance and options.total_mass is None and study.is_current:
        return None  # computed, it would be the same
    # With --all a block is computed in any other case, but what was edited is still its author's.
    match study.status if not options.all else None:
        case Status.CLEAN:
            return None
        case Status.STALE:
            if not options.refresh:
                return _left(study, Status.STALE, "is stale, and left so")
            return _computed(study, Status.REFILLED)
        case _:
            if study.is_edited and not options.overwrite_edited:
                note = "was edited by hand and is left; --overwrite-edited fills it again"
                return _left(study, Status.EDITED, note)
            return _computed(study, Status.FILLED)


def _left(study: Study, status: Status, note: str) -> LinkResult:
    link = study.link
    inertia = study.computed.inertia if status is Status.STALE else None
    before = study.explicit if status is not Status.LEFT else None
    return LinkResult(
        link.scoped_name, status, link.line, before=before, inertia=inertia, notes=(note,), number=link.key.number
    )


def _without_volume(study: Study) -> str | None:
    if not study.has_solids:
        return "has no collisions to compute an inertia from, and is left"
    if study.encloses_nothing:
        return "has only shapes without volume, and is left"
    return None


def _scaled_to_total(computed: list[_Computed], total: float) -> list[_Computed]:
    computations = [link.computed for link in computed]
    present = fsum(each.inertia.mass for each in computations)
    if all(each.inputs.mass is not None for each in computations):
        # What they were rounded by when they were written, if this was done before.
        rounding = fsum(half_unit(each.inertia.mass, each.options.digits) for each in computations)
        if abs(present - total) <= rounding + len(computed) * float_info.epsilon * total:
            return computed
    return [
        link._replace(computed=link.computed.scaled_to(link.computed.inertia.mass * total / present))
        for link in computed
    ]


def _written(
    study: Study, status: Status, computed: Computed, doubt: SizeDoubt | None
) -> tuple[LinkResult, list[Edit]]:
    # Loaded where there is something to write: a run with nothing to do needs nothing of this.
    from sdfinertia.links.warnings import number_warnings

    link, options = study.link, computed.options
    if not options.provenance:
        computed = computed.with_written_mass()
    inertia, text = computed.inertia, computed.text()
    comment = computed.provenance(text).comment() if options.provenance else None
    replaced = study.provenance_comment or study.repair_comment
    edits = link.fill_edits(text, comment, replaced, auto=options.auto)
    if edits and not link.reads_back(edits, text):
        raise InertiaError(
            "its <inertial> holds other markup, so that parsers would not read the new numbers",
            remedy="leave only numbers and comments in its elements",
        )
    result = LinkResult(
        link.scoped_name,
        status,
        link.line,
        before=study.explicit,
        inertia=inertia,
        text=text,
        mass_given=computed.inputs.mass is not None,
        collisions=computed.parts,
        notes=tuple(_notes(study, computed, text.note, has_size_warning=doubt is not None)),
        warnings=(*number_warnings(study), *([doubt.problem] if doubt is not None else [])),
        assumes_density=computed.inputs.assumes_density,
        number=link.key.number,
    )
    return result, edits


def _notes(study: Study, computed: Computed, of_text: str, *, has_size_warning: bool) -> Iterator[str]:
    from sdfinertia.links.computed import IN_MILLIMETRES
    from sdfinertia.links.warnings import stand_in_notes

    for note in computed.notes:
        if not (has_size_warning and note.endswith(IN_MILLIMETRES)):
            yield note
    if of_text:
        yield of_text
    if study.link.is_static:
        yield "the model is static: simulators do not use its inertia"
    yield from map(str, study.link.unknown_moments())
    yield from stand_in_notes(study, computed)
