"""Writing a link that was computed: the edits that put its numbers into the file, and the result to report.

Loaded where there is something to write: a run with nothing to do needs nothing of this.
"""

from __future__ import annotations

from collections.abc import Iterator

from sdfinertia.errors import InertiaError
from sdfinertia.links.computation import Computation
from sdfinertia.links.doubts import SizeDoubt, number_doubts, stand_in_notes
from sdfinertia.links.inertia import IN_MILLIMETRES
from sdfinertia.links.result import LinkResult, LinkStatus
from sdfinertia.links.study import LinkStudy
from sdfinertia.markup.document import Edit


def written(
    study: LinkStudy, status: LinkStatus, computation: Computation, doubt: SizeDoubt | None
) -> tuple[LinkResult, list[Edit]]:
    """The edits that write a link, none if its block holds these numbers already, and the result to report.

    Args:
        status: what became of the link if it is written.
        doubt: of the size of its meshes.

    Raises:
        SdfInertiaError: its numbers cannot be written, or would stand where no reader finds them.
    """
    link, options = study.link, computation.options
    if not options.provenance:
        computation = computation.with_written_mass()
    inertia, text = computation.inertia, computation.text()
    comment = computation.provenance(text).comment() if options.provenance else None
    replaced = study.provenance_comment or study.repair_comment
    edits = link.fill_edits(text, comment, replaced, auto=options.auto)
    if edits and not link.reads_back(edits, text):
        raise InertiaError(
            "the numbers would stand in its <inertial> where no reader finds them",
            remedy="take out of its elements what is neither a number nor a comment",
        )
    result = LinkResult(
        link.scoped_name,
        status,
        link.line,
        before=study.explicit,
        inertia=inertia.inertia,
        text=text,
        mass_given=computation.inputs.mass is not None,
        collisions=inertia.collisions,
        notes=tuple(_notes(study, computation, text.note, is_scale_told=doubt is not None)),
        warnings=(*number_doubts(study), *([doubt.problem] if doubt is not None else [])),
        assumes_density=computation.inputs.assumes_density,
        number=link.key.number,
    )
    return result, edits


def _notes(study: LinkStudy, computation: Computation, of_text: str, *, is_scale_told: bool) -> Iterator[str]:
    """What is to be said of a link that was computed, beside its warnings."""
    for note in computation.inertia.notes:
        if not (is_scale_told and note.endswith(IN_MILLIMETRES)):
            yield note
    if of_text:
        yield of_text
    yield from map(str, study.link.unknown_moments())
    yield from stand_in_notes(study, computation)
