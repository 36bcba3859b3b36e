"""Filling links: which, and the result of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from math import fsum
from sys import float_info
from typing import TYPE_CHECKING, Any, NamedTuple

from sdfinertia.errors import InertiaError, SdfInertiaError, ValueTextError, printable, screen
from sdfinertia.inertia import SpatialInertia
from sdfinertia.inertia.inertial_text import InertialText
from sdfinertia.links import Study, warnings
from sdfinertia.links.body import Computed
from sdfinertia.links.inputs import Body, Status
from sdfinertia.links.warnings import Lack, SizeDoubt, lack
from sdfinertia.markup import Edit
from sdfinertia.options import Options
from sdfinertia.robot import Link, attempt, given
from sdfinertia.robot.inertial import NewInertial
from sdfinertia.robot.numbers import half_unit, number
from sdfinertia.robot.problems import Problem

if TYPE_CHECKING:
    from sdfinertia.links.written_block import WrittenBlock
    from sdfinertia.rules.rule import Finding, Why


class LinkResult(NamedTuple):
    """The result of one link.

    Attributes:
        name, line: its scoped name, and the line of its opening tag.
        before: the explicit inertia of the file before.
        inertia: the computed one, before rounding.
        text: the written numbers.
        mass_given: whether its mass is its author's.
        collisions: the parts of its sum.
        notes: defaults, repairs and approximations that shaped it.
        warnings: problems of its inputs that are almost certain.
        assumes_density: whether the default density shapes its numbers.
        error: why it failed.
        number: among the links of its name in the file, from 1.
        file: that has its tag, where that is known.
        simulated: the inertia of simulators, where they take another than the written one.
        findings: in its numbers, where it was repaired; of its rules, on the page of a check.
        why: the explanation that a repair took; of repairs alone, as those below.
        cause: in the comment of its repaired block; "" where nothing was repaired.
        proposal: the numbers that are, or would be, written.
    """

    name: str
    status: Status
    line: int
    before: SpatialInertia | None = None
    inertia: SpatialInertia | None = None
    text: InertialText | None = None
    mass_given: bool = False
    collisions: tuple[Body, ...] = ()
    notes: tuple[str, ...] = ()
    warnings: tuple[Problem, ...] = ()
    assumes_density: bool = False
    error: SdfInertiaError | None = None
    number: int = 1
    file: str = ""
    simulated: SpatialInertia | None = None
    findings: tuple[Finding, ...] = ()
    why: Why | None = None
    cause: str = ""
    proposal: WrittenBlock | None = None

    @property
    def after(self) -> SpatialInertia | None:
        """The inertia that the link has, or would have, after the run."""
        return self.inertia

    @property
    def volume(self) -> float | None:
        """Of its collisions (m³); None where nothing was computed."""
        return sum(part.volume for part in self.collisions) or None

    @property
    def remarks(self) -> tuple[str, ...]:
        """Warnings and notes together."""
        return (*map(str, self.warnings), *self.notes)

    def __str__(self) -> str:
        mass = f", {number(self.inertia.mass)} kg" if self.inertia is not None else ""
        why = f": {self.error.problem}" if self.error is not None else ""
        return printable(f"{self.name}: {self.status}{mass}{why}")

    def __repr__(self) -> str:
        return screen(f"LinkResult of {self}", self.remarks)


def result_of(study: Study, status: Status, **others: Any) -> LinkResult:
    link = study.link
    return LinkResult(link.scoped_name, status, link.line, number=link.number, **others)


def failure(study: Study, error: SdfInertiaError) -> LinkResult:
    link = study.link
    return result_of(study, Status.FAILED, error=error.within(location=link.location(), link=link.scoped_name))


class _Ready(NamedTuple):
    study: Study
    status: Status
    computed: Computed
    doubt: SizeDoubt | None


def fill_links(
    studies: Iterable[Study], options: Options, require_writable: Callable[[Link], None]
) -> tuple[list[LinkResult], list[Edit]]:
    results: list[LinkResult] = []
    ready: list[_Ready] = []
    for study in studies:
        outcome = attempt(_outcome, study, options)
        study.context.forget_contents()
        if isinstance(outcome, _Ready):
            ready.append(outcome)
        elif outcome is not None:
            results.append(failure(study, outcome) if isinstance(outcome, SdfInertiaError) else outcome)
    if options.total_mass is not None and ready:
        if any(result.error is not None for result in results):
            problem = InertiaError("is not scaled to the total mass, because another link of the model failed")
            results += (failure(each.study, problem) for each in ready)
            ready = []
        else:
            ready = _scaled_to_total(ready, options.total_mass)
    edits: list[Edit] = []
    for each in ready:
        written = attempt(_written, each, require_writable)
        if isinstance(written, SdfInertiaError):
            results.append(failure(each.study, written))
        elif written[1]:
            results.append(written[0])
            edits += written[1]
    return results, edits


def require_readable(study: Study) -> None:
    link = study.link
    if link.asks_to_be_filled() or study.provenance is not None:
        return
    try:
        link.require_numbers()
    except ValueTextError as error:
        raise error.with_remedy(error.remedy or "write what is meant, or let `fill --all` compute it") from None


def _is_to_be_filled(study: Study, options: Options) -> bool:
    if study.link.asks_to_be_filled():
        return True
    if study.link.has_inertial:
        return options.all or study.provenance is not None
    if study.link.is_inferred:
        return (options.missing or options.all) and study.has_solids
    return options.missing and not study.link.is_static and lack(study) is Lack.INERTIAL


def _outcome(study: Study, options: Options) -> _Ready | LinkResult | None:
    if not _is_to_be_filled(study, options):
        require_readable(study)
        return None
    study.link.require_own_name()
    if study.is_requested or not study.link.has_inertial:
        return _ready(study, Status.FILLED)
    if study.provenance is not None:
        return _verified(study, options)
    if not study.has_solids:
        return _left(study, Status.LEFT, "left: no collisions to compute an inertia from")
    if study.encloses_nothing():
        return _left(study, Status.LEFT, "left: only shapes without volume")
    return _ready(study, Status.FILLED)


def _ready(study: Study, status: Status) -> _Ready:
    if study.is_hand_written:
        study.link.require_spelling()
    computed = given(study.computed)
    doubt = warnings.size_doubt(study, computed)
    warnings.require_likely_size(doubt, computed.options)
    return _Ready(study, status, computed, doubt)


def _verified(study: Study, options: Options) -> _Ready | LinkResult | None:
    if options.all and options.provenance and options.total_mass is None and study.is_current():
        return None  # computed, it would be the same
    # With --all a block is computed in any other case, but edited numbers are still their author's.
    status = given(study.status) if not options.all else None
    if status is Status.CLEAN:
        return None
    if status is Status.STALE:
        is_left = not options.refresh
        return _left(study, status, "left stale by refresh = false") if is_left else _ready(study, Status.REFILLED)
    if study.is_edited and not options.overwrite_edited:
        return _left(study, Status.EDITED, "edited by hand, and left: --overwrite-edited fills it again")
    return _ready(study, Status.FILLED)


def _left(study: Study, status: Status, note: str) -> LinkResult:
    inertia = given(study.computed).inertia if status is Status.STALE else None
    before = study.explicit if status is not Status.LEFT else None
    return result_of(study, status, before=before, inertia=inertia, notes=(note,))


def _scaled_to_total(ready: list[_Ready], total: float) -> list[_Ready]:
    computations = [each.computed for each in ready]
    present = fsum(computed.inertia.mass for computed in computations)
    if all(computed.inputs.mass is not None for computed in computations):
        # The rounding of an earlier run that scaled to the same total.
        rounding = fsum(half_unit(computed.inertia.mass, computed.options.digits) for computed in computations)
        if abs(present - total) <= rounding + len(ready) * float_info.epsilon * total:
            return ready
    scaled = (computed.scaled_to(computed.inertia.mass * total / present) for computed in computations)
    return [each._replace(computed=computed) for each, computed in zip(ready, scaled, strict=True)]


def _written(ready: _Ready, require_writable: Callable[[Link], None]) -> tuple[LinkResult, list[Edit]]:
    study, status, computed, doubt = ready
    link, options = study.link, computed.options
    if not options.provenance:
        computed = computed.with_written_mass()
    inertia, text = computed.inertia, computed.text()
    comment = computed.provenance(link.model.numbers_of(text)).comment() if options.provenance else None
    edits = edits_read_back(link, NewInertial(text, comment, study.own_comment))
    stand_in = list(warnings.stand_in_warnings(study, inertia))
    doubts = (*warnings.number_warnings(study), *([doubt.problem] if doubt is not None else []), *stand_in)
    hints = (computed.hint if doubt is None else "", text.note)
    notes = [*computed.notes, *filter(None, hints)]
    if link.is_static:
        notes.append("the model is static: simulators do not use its inertia")
    notes += map(str, link.model.format.unknown_moments(link))
    if not stand_in:
        notes += warnings.stand_in_notes(study, computed)
    if edits:
        require_writable(link)
    result = result_of(
        study,
        status,
        before=study.explicit,
        inertia=inertia,
        text=text,
        mass_given=computed.inputs.mass is not None,
        collisions=computed.parts,
        notes=tuple(notes),
        warnings=doubts,
        assumes_density=computed.inputs.assumes_density,
    )
    return result, edits


def edits_read_back(link: Link, new: NewInertial, after: SpatialInertia | None = None) -> list[Edit]:
    """The edits that write numbers into a link, from which a reader gets them again.

    Args:
        after: the inertia that is read then, where some numbers stay as they are.

    Raises:
        InertiaError: a reader would get others.
    """
    edits = link.edits(new)
    if after is None:
        is_read = not edits or link.reads_back(edits, new.text)
    else:
        block = link.new_block(edits)
        model = link.model
        written = replace(link, inertial=model.read_inertial(block)).written_inertia() if block is not None else None
        is_read = written is not None and written.inertia.is_close(after)
    if not is_read:
        raise InertiaError(
            "its <inertial> holds other markup, so that parsers would not read the new numbers",
            remedy="leave only numbers and comments in its elements",
        )
    return edits
