"""Filling the selected links of a model: which are verified, computed and written, and what becomes of the others."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from sys import float_info
from typing import TYPE_CHECKING

from sdfinertia.errors import InertiaError, SdfInertiaError
from sdfinertia.links.result import LinkResult, LinkStatus, failure
from sdfinertia.links.selection import Candidate, Reason
from sdfinertia.links.study import LinkStudy
from sdfinertia.links.verification import BlockState
from sdfinertia.markup.document import Edit
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.options import Options
from sdfinertia.robot.numbers import half_unit

if TYPE_CHECKING:
    from sdfinertia.links.computation import Computation
    from sdfinertia.links.doubts import SizeDoubt


class FilledLinks(NamedTuple):
    """What came of the candidates of one model: results to report, edits to make, and how many need neither."""

    results: list[LinkResult]
    edits: list[Edit]
    untouched: int


class _Computed(NamedTuple):
    """A link that was computed, what its status will be once it is written, and what speaks against its size."""

    study: LinkStudy
    status: LinkStatus
    computation: Computation
    doubt: SizeDoubt | None


def fill_links(candidates: Sequence[Candidate], options: Options, *, is_complete: bool) -> FilledLinks:
    """Fills the candidates of one root model.

    Args:
        options: which of them are wanted, and how they are written.
        is_complete: whether these are all links of the model that should be filled; if others failed already, a total
            mass cannot be shared out.
    """
    results: list[LinkResult] = []
    edits: list[Edit] = []
    computed: list[_Computed] = []
    for candidate in candidates:
        study = candidate.study
        try:
            outcome = _compute(candidate, options)
        except SdfInertiaError as error:
            outcome = failure(study.link, error)
            is_complete = False
        if isinstance(outcome, _Computed):
            computed.append(outcome)
        elif outcome is not None:
            results.append(outcome)
        study.surroundings.forget_contents()
    if options.total_mass is not None and computed:
        if not is_complete:
            problem = "is not scaled to the total mass, because another link of the model failed"
            results += (failure(link.study.link, InertiaError(problem)) for link in computed)
            computed = []
        else:
            computed = _scaled_to_total(computed, options.total_mass)
    if computed:
        from sdfinertia.links.writing import written

        for link in computed:
            try:
                result, link_edits = written(*link)
            except SdfInertiaError as error:
                result, link_edits = failure(link.study.link, error), []
            if link_edits or result.error is not None:
                results.append(result)
                edits += link_edits
    return FilledLinks(results, edits, len(candidates) - len(results))


def _compute(candidate: Candidate, options: Options) -> _Computed | LinkResult | None:
    """The candidate computed; or why it is left as it is; or None if nothing is to be said of it."""
    study = candidate.study
    match candidate.reason:
        case Reason.MANAGED:
            return _verified(study, options)
        case Reason.HAND_WRITTEN:
            why = _without_volume(study)
            if why is not None:
                return _left(study, LinkStatus.LEFT, why)
            return _computed(study, LinkStatus.FILLED)
        case Reason.AUTO | Reason.MISSING:
            return _computed(study, LinkStatus.FILLED)


def _computed(study: LinkStudy, status: LinkStatus) -> _Computed:
    """The link computed.

    Raises:
        SdfInertiaError: it cannot be, or only from a mesh that is near certainly not in metres.
    """
    from sdfinertia.links.doubts import require_likely_size, size_doubt

    computation = study.computation
    doubt = size_doubt(study, computation)
    require_likely_size(doubt, computation.options)
    return _Computed(study, status, computation, doubt)


def _verified(study: LinkStudy, options: Options) -> _Computed | LinkResult | None:
    """A block that was filled before: left if it is clean or edited, else computed."""
    if options.all and options.provenance and options.total_mass is None and study.is_current:
        return None  # computed, it would be the same
    # With --all a block is computed in any other case, but what was edited is still its author's.
    verification = study.verification if not options.all else None
    match verification.state if verification is not None else None:
        case BlockState.EDITED | None:
            if study.is_edited and not options.overwrite_edited:
                note = "was edited by hand and is left; --overwrite-edited fills it again"
                return _left(study, LinkStatus.EDITED, note)
            return _computed(study, LinkStatus.FILLED)
        case BlockState.CLEAN:
            return None
        case BlockState.STALE:
            if not options.refresh:
                return _left(study, LinkStatus.STALE, "is stale, and left so")
            return _computed(study, LinkStatus.REFILLED)


def _left(study: LinkStudy, status: LinkStatus, note: str) -> LinkResult:
    """The result of a link that is left as it is."""
    link = study.link
    inertia = study.computation.inertia.inertia if status is LinkStatus.STALE else None
    before = study.explicit if status is not LinkStatus.LEFT else None
    return LinkResult(
        link.scoped_name, status, link.line, before=before, inertia=inertia, notes=(note,), number=link.key.number
    )


def _without_volume(study: LinkStudy) -> str | None:
    """Why a hand-written link has nothing to compute an inertia from, or None."""
    if not study.has_solids:
        return "has no collisions to compute an inertia from, and is left"
    if study.encloses_nothing:
        return "has only shapes without volume, and is left"
    return None


def _scaled_to_total(computed: list[_Computed], total: float) -> list[_Computed]:
    """The links of a root model with their masses scaled together to the total, unless they sum to it as given."""
    computations = [link.computation for link in computed]
    present = fsum(each.inertia.inertia.mass for each in computations)
    if all(each.inputs.mass is not None for each in computations):
        # What they were rounded by when they were written, if this was done before.
        rounding = fsum(half_unit(each.inertia.inertia.mass, each.options.digits) for each in computations)
        if abs(present - total) <= rounding + len(computed) * float_info.epsilon * total:
            return computed
    return [
        link._replace(computation=link.computation.scaled_to(link.computation.inertia.inertia.mass * total / present))
        for link in computed
    ]
