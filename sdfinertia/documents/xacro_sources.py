"""Edits of expanded xacro, made in its sources.

One block of the source makes the inertials of many links, of several robots perhaps. It is edited only if all of them
need the same numbers, and no argument could let it make others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from sdfinertia.documents.xacro_robots import Again, Block, Judged, Robots
from sdfinertia.errors import SdfInertiaError
from sdfinertia.links.filling import LinkResult
from sdfinertia.links.status import Status
from sdfinertia.markup.document import Document, Edit, Element, splice
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.xacro.blocks import Change, UnwritableError, block_line, edited_sources, is_same, source_edits
from sdfinertia.xacro.expansion import Expansion, expand

if TYPE_CHECKING:
    from sdfinertia.documents.opened import OpenDocument
    from sdfinertia.options import Options

_WRITTEN = (Status.FILLED, Status.REFILLED, Status.REPAIRED)

# The path of a source, its content before and after, and its edits.
Source = tuple[str, bytes, bytes, tuple[Edit, ...]]


class InSource(NamedTuple):
    """The results for links, the robot's own file and others that change, and the number of blocks not written."""

    links: tuple[LinkResult, ...]
    sources: tuple[Source, ...]
    unwritten: int = 0


class _Block(NamedTuple):
    """A block of the source to be written, and its edits by file."""

    place: Block
    edits: Mapping[int, Sequence[Edit]]


def written_in_source(
    document: OpenDocument, results: Sequence[LinkResult], edits: Sequence[Edit], options: Options, again: Again
) -> InSource:
    """Makes the edits of an expanded document in its sources; blocks that cannot be written are printed.

    Args:
        again: the edits of another document, made as these were.
    """
    expansion = document.expansion
    assert expansion is not None, "it comes from xacro"
    own = Judged.of(document, expansion, options, edits)
    reasons: dict[Block, str] = {}
    blocks: list[_Block] = []
    robots = Robots(document, own, again)
    disputed = {
        link.element.start: document.disputed.get((link.scoped_name, link.number), "") for link in document.links()
    }
    for place, instances in own.blocks.items():
        dispute = next(filter(None, (disputed[each.link.start] for each in instances)), "")
        if dispute:
            reasons[place] = dispute
        elif any(each.is_changed for each in instances):
            try:
                blocks.append(_Block(place, _edits(place, instances, robots, expansion)))
            except UnwritableError as reason:
                reasons[place] = str(reason)
    if (refusal := _refusal(blocks, robots)) is not None:
        reasons.update((block.place, refusal) for block in blocks)
        blocks = []
    changed = {each.link.start: (each, place) for place, found in own.blocks.items() for each in found}
    by_key = {(link.scoped_name, link.number): link.element for link in document.links()}
    told: list[LinkResult] = []
    unwritten: set[str] = set()
    for each in results:
        link = by_key[each.name, each.number]
        result = _at_source(each, link, expansion)
        if each.status in _WRITTEN:
            change, place = changed[link.start]
            result = _with_place(result, change, reasons.get(place), expansion, unwritten)
        told.append(result)
    return InSource(tuple(told), _sources(blocks, expansion), len(unwritten))


def _edits(
    place: Block, instances: Sequence[Change], robots: Robots, expansion: Expansion
) -> Mapping[int, Sequence[Edit]]:
    # If this robot refuses the edits, the others need not be read.
    alone = source_edits(expansion, instances, lambda _: None)
    robots.require_own_files(alone)
    return source_edits(expansion, [*instances, *robots.other_instances(place)], robots.require_unused)


def _refusal(blocks: Sequence[_Block], robots: Robots) -> str | None:
    """Why the robots would change more than in these inertials; each is expanded once for all blocks."""
    if not blocks:
        return None
    own = robots.own.expansion
    try:
        sources = edited_sources(own, (block.edits for block in blocks))
    except ValueError:
        return "its edits overlap those of another block"
    contents = {own.real_paths[file]: content for file, (content, _) in sources.items()}
    for judged in robots.judged():
        if not _makes([block.place for block in blocks], contents, judged):
            return f"{'the robot' if judged is robots.own else judged.expansion.path} would change elsewhere too"
    return None


def _makes(places: Sequence[Block], contents: Mapping[str, bytes], judged: Judged) -> bool:
    """Whether the edited sources expand to the document with these inertials, without any other difference."""
    expansion = judged.expansion
    spans = [(each.link.start, each.link.end) for place in places for each in judged.blocks.get(place, ())]
    expected = splice(expansion.data, [edit for edit in judged.edits if any(a <= edit.start < b for a, b in spans)])
    overlay = {
        path: contents.get(real, expansion.source(file).data)
        for file, (path, real) in enumerate(zip(expansion.files, expansion.real_paths, strict=True))
    }
    try:
        again = expand(expansion.path, judged.options, overlay=overlay)
        return is_same(Document(expected, expansion.path), Document(again.data, expansion.path))
    except SdfInertiaError:
        return False  # it no longer expands


def _sources(blocks: Sequence[_Block], expansion: Expansion) -> tuple[Source, ...]:
    sources = {0: (expansion.source(0).data, list[Edit]())}
    sources |= edited_sources(expansion, (block.edits for block in blocks))
    return tuple(
        (expansion.name(file), expansion.source(file).data, content, tuple(edits))
        for file, (content, edits) in sorted(sources.items())
    )


def _at_source(each: LinkResult, link: Element, expansion: Expansion) -> LinkResult:
    """The result with source locations."""
    warnings = tuple(
        warning._replace(location=expansion.in_source(warning.location)) if warning.location is not None else warning
        for warning in each.warnings
    )
    error = expansion.moved(each.error) if each.error is not None else None
    line = expansion.location(expansion.place(link.line)).line
    return each._replace(line=line, error=error, warnings=warnings)


def _with_place(
    each: LinkResult, change: Change, reason: str | None, expansion: Expansion, unwritten: set[str]
) -> LinkResult:
    """The result with a note on where the block is written, or why it is not."""
    at = expansion.location(change.place)
    if reason is None:
        return each._replace(notes=(*each.notes, f"written at {at}"))
    block = block_line(change.after)
    # Links of one block mostly need the same text, which is printed once.
    paste = f"; paste: {block}" if block not in unwritten else ""
    unwritten.add(block)
    notes = (*each.notes, f"not written at {at}: {reason}{paste}")
    return each._replace(status=Status.LEFT, text=None, notes=notes)
