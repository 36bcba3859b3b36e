"""Filling the selected links of a model: verify, compute, and make the edits that write what came out."""

from __future__ import annotations

from typing import NamedTuple

from sdfinertia.errors import InertiaError, SdfInertiaError
from sdfinertia.inertia.spatial_inertia import SpatialInertia
from sdfinertia.links.computation import Computation, compute
from sdfinertia.links.provenance import Provenance
from sdfinertia.links.result import EDITED, FILLED, LEFT, REFILLED, STALE, LinkResult, failure
from sdfinertia.links.selection import HAND_WRITTEN, MANAGED, Candidate
from sdfinertia.links.surroundings import Surroundings
from sdfinertia.links.verification import CLEAN, is_edited, verify
from sdfinertia.links.verification import EDITED as WAS_EDITED
from sdfinertia.options import Options
from sdfinertia.sdf.document import Edit
from sdfinertia.sdf.geometry import read_shape
from sdfinertia.sdf.inertial import read_inertial
from sdfinertia.sdf.inertial_edit import fill_edits, new_block_edit
from sdfinertia.sdf.model import Link
from sdfinertia.shapes.shape import NoVolume


class FilledLinks(NamedTuple):
    """What came of the candidates of one model: results to report, edits to make, and how many need neither."""

    results: list[LinkResult]
    edits: list[Edit]
    untouched: int


class _Computed(NamedTuple):
    """A candidate that was computed, and what its status will be once it is written."""

    candidate: Candidate
    status: str
    computation: Computation


def fill_links(
    candidates: list[Candidate], options: Options, surroundings: Surroundings, *, is_complete: bool
) -> FilledLinks:
    """Fills the candidates of one root model.

    Args:
        is_complete: whether these are all links of the model that should be filled; if others failed already, a total
            mass cannot be shared out.
    """
    results: list[LinkResult] = []
    edits: list[Edit] = []
    computed: list[_Computed] = []
    for candidate in candidates:
        try:
            outcome = _compute(candidate, options, surroundings)
        except SdfInertiaError as error:
            outcome = failure(candidate.link, error)
            is_complete = False
        if isinstance(outcome, _Computed):
            computed.append(outcome)
        elif outcome is not None:
            results.append(outcome)
        surroundings.forget_contents()
    if options.total_mass is not None and computed:
        if not is_complete:
            problem = "is not scaled to the total mass, because another link of the model failed"
            results += (failure(link.candidate.link, InertiaError(problem)) for link in computed)
            computed = []
        else:
            computed = _scaled_to_total(computed, options.total_mass)
    for link in computed:
        try:
            result, link_edits = _written(link)
        except SdfInertiaError as error:
            result, link_edits = failure(link.candidate.link, error), []
        if link_edits or result.error is not None:
            results.append(result)
            edits += link_edits
    return FilledLinks(results, edits, len(candidates) - len(results))


def _compute(candidate: Candidate, options: Options, surroundings: Surroundings) -> _Computed | LinkResult | None:
    """The candidate computed; or why it is left as it is; or None if nothing is to be said of it."""
    link, provenance = candidate.link, candidate.provenance
    if candidate.reason == MANAGED and provenance is not None:
        return _verified(candidate, provenance, options, surroundings)
    if candidate.reason == HAND_WRITTEN:
        reason = _without_volume(link, options)
        if reason is not None:
            return _result(link, LEFT, notes=(reason,))
    mass_given = True
    if provenance is not None:
        options, mass_given = provenance.completing(options), provenance.mass_given
    return _Computed(candidate, FILLED, compute(link, options, surroundings, mass_given=mass_given))


def _verified(
    candidate: Candidate, provenance: Provenance, options: Options, surroundings: Surroundings
) -> _Computed | LinkResult | None:
    """A block that was filled before: left if it is clean or edited, else computed."""
    link = candidate.link
    verification = verify(link, provenance, options, surroundings) if not options.all else None
    if verification is None or verification.status == WAS_EDITED:
        # With --all a block is computed in any case, but what was edited is still its author's.
        if is_edited(link, provenance) and not options.overwrite_edited:
            note = "was edited by hand and is left; --overwrite-edited fills it again"
            return _result(link, EDITED, before=_explicit(link), notes=(note,))
        chosen = provenance.completing(options) if options.all else provenance.applied_to(options)
        computation = compute(link, chosen, surroundings, mass_given=provenance.mass_given)
        return _Computed(candidate, FILLED, computation)
    if verification.status == CLEAN or verification.computation is None:
        return None
    if not options.refresh:
        inertia = verification.computation.inertia.inertia
        return _result(link, STALE, before=_explicit(link), inertia=inertia, notes=("is stale, and left so",))
    return _Computed(candidate, REFILLED, verification.computation)


def _without_volume(link: Link, options: Options) -> str | None:
    """Why a hand-written link has nothing to compute an inertia from, or None."""
    solids = link.element.children_named("collision")
    if not solids and options.geometry == "visual":
        solids = link.element.children_named("visual")
    shapes = [read_shape(element) for element in solids]
    if not shapes:
        return "has no collisions to compute an inertia from, and is left"
    if all(isinstance(shape, NoVolume) for shape in shapes):
        return "has only shapes without volume, and is left"
    return None


def _scaled_to_total(computed: list[_Computed], total: float) -> list[_Computed]:
    """The links of a root model with their masses scaled together to the total."""
    present = 0.0
    for link in computed:
        present += link.computation.inertia.inertia.mass
    return [
        link._replace(computation=link.computation.scaled_to(link.computation.inertia.inertia.mass * total / present))
        for link in computed
    ]


def _written(computed: _Computed) -> tuple[LinkResult, list[Edit]]:
    """The edits that write a link, none if its block holds these numbers already, and the result to report."""
    candidate, (options, inputs, inertia) = computed.candidate, computed.computation
    link = candidate.link
    text = computed.computation.text()
    comment = computed.computation.provenance(text).comment() if options.provenance else None
    if link.inertial is None:
        edits = [new_block_edit(link.element, text, comment, auto=options.auto)]
    else:
        edits = fill_edits(link.inertial, text, comment, candidate.comment, auto=options.auto)
    result = _result(
        link,
        computed.status,
        before=_explicit(link),
        inertia=inertia.inertia,
        text=text,
        mass_given=inputs.mass is not None,
        collisions=inertia.collisions,
        notes=inertia.notes,
    )
    return result, edits


def _result(link: Link, status: str, **facts: object) -> LinkResult:
    return LinkResult(link.scoped_name, status, link.element.line, **facts)  # type: ignore[arg-type]


def _explicit(link: Link) -> SpatialInertia | None:
    """The inertia that is written in a link, if there is one that can be read."""
    if link.inertial is None or link.inertial.child("inertia") is None:
        return None
    try:
        return read_inertial(link.inertial)
    except SdfInertiaError:
        return None
