"""Filling the selected links of a model: verify, compute, and make the edits that write what came out."""

from __future__ import annotations

from typing import NamedTuple

from sdfinertia.errors import InertiaError, SdfInertiaError
from sdfinertia.filling import EDITED, FILLED, LEFT, REFILLED, STALE, LinkResult, failure
from sdfinertia.inertia.spatial_inertia import SpatialInertia
from sdfinertia.link_inertia import LinkInertia, link_inertia
from sdfinertia.link_inputs import LinkInputs, read_link_inputs
from sdfinertia.options import DEFAULT_DIGITS, Options
from sdfinertia.provenance import Provenance, values_digest
from sdfinertia.sdf.document import Edit
from sdfinertia.sdf.geometry import NoVolume, read_shape
from sdfinertia.sdf.inertial import InertialText, format_number, inertial_text, read_inertial, written_numbers
from sdfinertia.sdf.inertial_edit import fill_edits, new_block_edit
from sdfinertia.sdf.model import Link
from sdfinertia.selection import HAND_WRITTEN, MANAGED, Candidate
from sdfinertia.staleness import differs_from
from sdfinertia.surroundings import Surroundings


class FilledLinks(NamedTuple):
    """What came of the candidates of one model: results to report, edits to make, and how many need neither."""

    results: list[LinkResult]
    edits: list[Edit]
    untouched: int


class _Computed(NamedTuple):
    """A link that was computed, with the options that hold for it."""

    candidate: Candidate
    status: str
    options: Options
    inputs: LinkInputs
    inertia: LinkInertia


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
    provenance = candidate.provenance
    if candidate.reason == MANAGED and provenance is not None:
        return _verified(candidate, provenance, options, surroundings)
    if candidate.reason == HAND_WRITTEN:
        reason = _without_volume(candidate.link)
        if reason is not None:
            return _result(candidate.link, LEFT, notes=(reason,))
    mass_given = True
    if provenance is not None:
        options, mass_given = provenance.completing(options), provenance.mass_given
    return _computed(candidate, FILLED, options, surroundings, mass_given=mass_given)


def _verified(
    candidate: Candidate, provenance: Provenance, options: Options, surroundings: Surroundings
) -> _Computed | LinkResult | None:
    """A block that was filled before: left if it is clean or edited, else computed."""
    link = candidate.link
    inertial = link.inertial
    assert inertial is not None, "a managed block is an <inertial>"
    numbers = written_numbers(inertial)
    is_edited = numbers is None or values_digest(numbers) != provenance.values
    if is_edited and not options.overwrite_edited:
        note = "was edited by hand and is left; --overwrite-edited fills it again"
        return _result(link, EDITED, before=_explicit(link), notes=(note,))
    mass_given = provenance.mass_given
    if options.all:
        return _computed(candidate, FILLED, provenance.completing(options), surroundings, mass_given=mass_given)
    recorded = provenance.applied_to(options)
    if is_edited:
        return _computed(candidate, FILLED, recorded, surroundings, mass_given=mass_given)
    inputs = read_link_inputs(link, recorded, surroundings, mass_given=mass_given)
    if inputs.digest() == provenance.inputs:
        return None
    inertia = link_inertia(inputs, surroundings, is_static=link.model.is_static)
    computed = _Computed(candidate, REFILLED, recorded, inputs, inertia)
    if not differs_from(inertia.inertia, read_inertial(inertial), recorded.digits, mass_given=mass_given):
        return None
    if _text_of(computed).numbers() == numbers:
        # With few digits, what is added so that libsdformat takes a tensor is more than half a unit of the last.
        return None
    if not options.refresh:
        return _result(link, STALE, before=_explicit(link), inertia=inertia.inertia, notes=("is stale, and left so",))
    return computed


def _computed(
    candidate: Candidate, status: str, options: Options, surroundings: Surroundings, *, mass_given: bool
) -> _Computed:
    link = candidate.link
    inputs = read_link_inputs(link, options, surroundings, mass_given=mass_given)
    inertia = link_inertia(inputs, surroundings, is_static=link.model.is_static)
    return _Computed(candidate, status, options, inputs, inertia)


def _without_volume(link: Link) -> str | None:
    """Why a hand-written link has nothing to compute an inertia from, or None."""
    shapes = [read_shape(element) for element in link.element.children_named("collision")]
    if not shapes:
        return "has no collisions to compute an inertia from, and is left"
    if all(isinstance(shape, NoVolume) for shape in shapes):
        return "has only shapes without volume, and is left"
    return None


def _scaled_to_total(computed: list[_Computed], total: float) -> list[_Computed]:
    """The links of a root model with their masses scaled together to the total; they then count as given."""
    present = 0.0
    for link in computed:
        present += link.inertia.inertia.mass
    scaled = []
    for link in computed:
        text = format_number(link.inertia.inertia.mass * total / present, link.options.digits)
        inertia = link.inertia.inertia.scaled_to_mass(float(text))
        scaled.append(
            link._replace(
                inputs=link.inputs._replace(mass=float(text), mass_text=text),
                inertia=link.inertia._replace(inertia=inertia),
            )
        )
    return scaled


def _written(computed: _Computed) -> tuple[LinkResult, list[Edit]]:
    """The edits that write a link, none if its block holds these numbers already, and the result to report."""
    candidate, options, inputs = computed.candidate, computed.options, computed.inputs
    link = candidate.link
    text = _text_of(computed)
    comment = _provenance_of(inputs, options, text).comment() if options.provenance else None
    if link.inertial is None:
        edits = [new_block_edit(link.element, text, comment, auto=options.auto)]
    else:
        edits = fill_edits(link.inertial, text, comment, candidate.comment, auto=options.auto)
    result = _result(
        link,
        computed.status,
        before=_explicit(link),
        inertia=computed.inertia.inertia,
        text=text,
        mass_given=inputs.mass is not None,
        collisions=computed.inertia.collisions,
        notes=computed.inertia.notes,
    )
    return result, edits


def _text_of(computed: _Computed) -> InertialText:
    return inertial_text(
        computed.inertia.inertia,
        digits=computed.options.digits,
        principal_axes=computed.options.axes == "principal",
        mass_text=computed.inputs.mass_text,
    )


def _provenance_of(inputs: LinkInputs, options: Options, text: InertialText) -> Provenance:
    recorded = inputs.shaping_options(options)
    if options.axes != "link":
        recorded["axes"] = options.axes
    if options.digits != DEFAULT_DIGITS:
        recorded["digits"] = str(options.digits)
    return Provenance(inputs.mass is not None, recorded, inputs.digest(), values_digest(text.numbers()))


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
