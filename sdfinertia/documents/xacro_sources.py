"""Edits of expanded xacro, made in its sources.

One block of the source makes the inertials of many links, in several robots perhaps. The edited sources are expanded
again, in memory, and nothing is written if anything but these inertials differs.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.documents.corrections import correction, proposal_of
from sdfinertia.documents.opened import OpenDocument
from sdfinertia.documents.reading import described
from sdfinertia.errors import SdfInertiaError, first_few
from sdfinertia.files.walk import tree_of, why_not_writable
from sdfinertia.links.filling import fill_links
from sdfinertia.links.provenance import Status
from sdfinertia.links.study import Study
from sdfinertia.markup.document import Document, Edit, Element, splice
from sdfinertia.robot.problems import Command
from sdfinertia.xacro.blocks import Change, NewBlock, UnwritableError, block_line, new_block, without_inertials
from sdfinertia.xacro.expansion import Expansion, expand

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sdfinertia.links.filling import LinkResult
    from sdfinertia.options import Options
    from sdfinertia.robot.link import LinkKey
    from sdfinertia.rules.rule import Finding

# Options of `fill` in remedies.
_FLAGS = {"all": "--all", "missing": "--missing", "overwrite_edited": "--overwrite-edited"}
_VALUED = ("geometry", "overlaps")
_MACROS = "it is a file of macros alone"
_WRITTEN = (Status.FILLED, Status.REFILLED, Status.REPAIRED)

# An element of a source: its real path and byte offset.
_Block = tuple[str, int]
# The path of a source, its content before and after, and its edits.
Source = tuple[str, bytes, bytes, tuple[Edit, ...]]


class InSource(NamedTuple):
    """Results for links, the sources that change, and the number of blocks not written."""

    links: tuple[LinkResult, ...]
    sources: tuple[Source, ...]
    unwritten: int = 0


def written_in_source(
    document: OpenDocument, results: Sequence[LinkResult], edits: Sequence[Edit], options: Options
) -> InSource:
    """Makes edits in the sources; blocks that cannot be written are printed."""
    expansion = document.expansion
    assert expansion is not None, "it comes from xacro"
    changes = _changes(document, expansion, edits)
    blocks, reasons = _blocks(document, expansion, changes)
    sources = _sources(expansion, blocks)
    refusal = _refusal(document, expansion, options, blocks, sources) if blocks else ""
    if refusal:
        reasons.update(dict.fromkeys(blocks, refusal))
        sources = _sources(expansion, {})
    placed = {each.link.start: (each, place) for place, found in changes.items() for each in found}
    by_key = {(link.scoped_name, link.number): link.element for link in document.links()}
    told: list[LinkResult] = []
    unwritten: set[str] = set()
    for each in results:
        link = by_key[each.name, each.number]
        result = _at_source(each, link, expansion)
        if each.status in _WRITTEN:
            change, place = placed[link.start]
            result = _with_place(result, change, reasons.get(place), expansion, unwritten)
        told.append(result)
    return InSource(tuple(told), tuple(sources.values()), len(unwritten))


def _blocks(
    document: OpenDocument, expansion: Expansion, changes: Mapping[_Block, Sequence[Change]]
) -> tuple[dict[_Block, NewBlock], dict[_Block, str]]:
    """The blocks to write, and why others cannot be written."""
    blocks: dict[_Block, NewBlock] = {}
    reasons: dict[_Block, str] = {}
    disputed = {
        link.element.start: document.disputed.get((link.scoped_name, link.number), "") for link in document.links()
    }
    for place, found in changes.items():
        dispute = next(filter(None, (disputed[each.link.start] for each in found)), "")
        if dispute:
            reasons[place] = dispute
        elif any(each.is_changed for each in found):
            try:
                block = new_block(expansion, found)
                _require_writable(document, expansion, found[0].place.file)
                blocks[place] = block
            except UnwritableError as reason:
                reasons[place] = str(reason)
    return blocks, reasons


# Blocks to paste ------------------------------------------------------------------------------------------------------


def advice_to_paste(document: OpenDocument, findings: Iterable[Finding]) -> dict[LinkKey, str]:
    """By link, what to do where `fill` or `repair` would refuse to write what a finding advises."""
    expansion = document.expansion
    assert expansion is not None, "it comes from xacro"
    edits: dict[LinkKey, Sequence[Edit]] = {}
    for finding in findings:
        advice = finding.advice
        if finding.key not in edits and isinstance(advice, Command) and advice.words[1] in ("fill", "repair"):
            edits[finding.key] = _advised(document, finding, advice.words[1:])
    if not any(edits.values()):
        return {}
    changes = _changes(document, expansion, [edit for each in edits.values() for edit in each])
    _, reasons = _blocks(document, expansion, changes)
    keys = {link.element.start: link.key for link in document.links()}
    found: dict[LinkKey, str] = {}
    for block, made in changes.items():
        reason = _MACROS if expansion.by_default else reasons.get(block, "")
        is_one = len({block_line(each.after) for each in made}) == 1
        for each in made if reason else ():
            key = keys[each.link.start]
            if edits.get(key):
                alone = "" if is_one else f" for {each.link.attribute('name')} alone"
                where = _files_of_numbers(document, expansion, key)
                found[key] = f"paste by hand ({reason}{where}): {block_line(each.after)}{alone}"
    return found


def _files_of_numbers(document: OpenDocument, expansion: Expansion, key: LinkKey) -> str:
    written = document.links_by_label[key.label][0].written_texts()
    texts = (written.mass, *written.tensor) if written is not None else ()
    files = expansion.values_with(texts, document.options.confine)
    return f"; its numbers are in {first_few(files)}" if files else ""


def _advised(document: OpenDocument, finding: Finding, words: Sequence[str]) -> Sequence[Edit]:
    (link, *others) = document.links_by_label[finding.key.label]
    if others:
        return ()
    study = document.study(link)
    if words[0] == "fill":
        given = {key: True for key, word in _FLAGS.items() if word in words}
        values = {name: words[words.index(f"--{name}") + 1] for name in _VALUED if f"--{name}" in words}
        options = document.options.replaced({**given, **values})
        _, edits = fill_links([Study(link, options, document.context)], options, document.require_writable)
        return edits
    why = finding.why
    if why is None or why.obstacle:
        return ()
    found = correction(study, why.written, proposal_of(why.explanations[0]), document.study, document.options.digits)
    return () if isinstance(found, str) else found.edits


def _changes(document: OpenDocument, expansion: Expansion, edits: Sequence[Edit]) -> Mapping[_Block, list[Change]]:
    found: dict[_Block, list[Change]] = {}
    after = _links(Document(splice(expansion.data, edits), expansion.path)) if edits else []
    for link, new in zip(document.links(), after, strict=bool(edits)):
        place = expansion.place((link.inertial or link).element.line)
        change = Change(link.element, new, place)
        found.setdefault((expansion.real_paths[place.file], place.offset), []).append(change)
    return found


def _links(document: Document) -> list[Element]:
    return [link.element for model in described(document).models() for link in model.all_links()]


def _require_writable(document: OpenDocument, expansion: Expansion, file: int) -> None:
    reason = why_not_writable(expansion.files[file], document.trees or (tree_of(expansion.real_paths[0]),))
    if reason:
        raise UnwritableError(f"{expansion.name(file)} {reason}")


def _sources(expansion: Expansion, blocks: Mapping[_Block, NewBlock]) -> dict[str, Source]:
    edits: dict[str, list[Edit]] = {expansion.real_paths[0]: []}
    for (path, _), block in blocks.items():
        edits.setdefault(path, []).extend(block.edits)
    found: dict[str, Source] = {}
    for file, path in enumerate(expansion.real_paths):
        if path in edits and path not in found:
            data = expansion.source(file).data
            found[path] = expansion.name(file), data, splice(data, edits[path]), tuple(edits[path])
    return found


# Expanded again -------------------------------------------------------------------------------------------------------


def _refusal(
    document: OpenDocument,
    expansion: Expansion,
    options: Options,
    blocks: Mapping[_Block, NewBlock],
    sources: Mapping[str, Source],
) -> str:
    contents = {path: after for path, (_, before, after, _) in sources.items() if before != after}
    if not _changes_only(expansion, options, blocks, contents):
        return "the robot would change elsewhere too"
    for robot in document.robots_of_run:
        if os.path.realpath(robot.path) != expansion.real_paths[0] and not robot.files.isdisjoint(contents):
            try:
                other = expand(robot.path, robot.options)
            except SdfInertiaError:
                # It is refused by itself.
                continue
            if not _changes_only(other, robot.options, blocks, contents):
                return f"{robot.path} would change elsewhere too"
    return ""


def _changes_only(
    expansion: Expansion, options: Options, blocks: Mapping[_Block, NewBlock], contents: Mapping[str, bytes]
) -> bool:
    paths = enumerate(zip(expansion.files, expansion.real_paths, strict=True))
    overlay = {path: contents.get(real, expansion.source(file).data) for file, (path, real) in paths}
    try:
        after = expand(expansion.path, options, overlay=overlay)
        documents = [Document(each.data, each.path) for each in (expansion, after)]
        old, new = map(_links, documents)
    except SdfInertiaError:
        return False
    if len(old) != len(new):
        return False
    written: list[tuple[Element, Element]] = []
    for before, now in zip(old, new, strict=True):
        place = expansion.place((before.child("inertial") or before).line)
        block = blocks.get((expansion.real_paths[place.file], place.offset))
        if block is not None:
            if not block.is_in(before, now):
                return False
            written.append((before, now))
    outside = [without_inertials(document, (pair[k] for pair in written)) for k, document in enumerate(documents)]
    return outside[0] == outside[1]


# Results --------------------------------------------------------------------------------------------------------------


def _at_source(each: LinkResult, link: Element, expansion: Expansion) -> LinkResult:
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
    at = expansion.location(change.place)
    if reason is None:
        return each._replace(notes=(*each.notes, f"written at {at}"))
    block = block_line(change.after)
    # Links of one block mostly need the same text, which is printed once.
    paste = f"; paste: {block}" if block not in unwritten else ""
    unwritten.add(block)
    notes = (*each.notes, f"not written at {at}: {reason}{paste}")
    return each._replace(status=Status.LEFT, text=None, notes=notes)
