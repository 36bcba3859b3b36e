"""Findings in expanded xacro, reported at the source; and edits of expanded xacro, made in the source.

One block of the source makes the inertials of many links. A problem in it is reported once, with the links that it
makes. It is edited only if all these links need the same numbers.
"""

from __future__ import annotations

import os
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.documents.opened import described
from sdfinertia.errors import SdfInertiaError, first_few
from sdfinertia.files.regular_file import is_inside
from sdfinertia.files.walk import ancestors_in_repository, repository_of
from sdfinertia.links.filling import LinkResult
from sdfinertia.links.study import Status
from sdfinertia.markup.document import Document, Edit, Element, splice
from sdfinertia.robot.values import Command
from sdfinertia.rules.accepted import SUPPRESSION
from sdfinertia.rules.rule import ABOUT_NUMBERS, Finding
from sdfinertia.xacro.blocks import Change, UnwritableError, block_line, edited_sources, is_same, source_edits
from sdfinertia.xacro.expansion import Expansion, Place, expand, has_xacro

if TYPE_CHECKING:
    from sdfinertia.documents.opened import OpenDocument
    from sdfinertia.options import Options
    from sdfinertia.robot.link import Link
    from sdfinertia.rules.rule import Unjudged

_MAX_NAMED = 6
_USE, _NAME = re.compile(rb"\$\{([^}]*)\}"), re.compile(rb"[A-Za-z_][A-Za-z0-9_]*")
_WRITTEN = (Status.FILLED, Status.REFILLED, Status.REPAIRED)


# Findings -------------------------------------------------------------------------------------------------------------


def found_in_source(findings: Iterable[Finding], expansion: Expansion) -> tuple[Finding, ...]:
    """The findings with source locations, one for each rule and source element, with all its links."""
    groups: dict[object, list[Finding]] = {}
    for finding in findings:
        groups.setdefault(_kind(finding, expansion), []).append(finding)
    found = [each for group in groups.values() for each in _reported_once(group, expansion)]
    return tuple(sorted(found, key=lambda finding: (finding.location, finding.code)))


def unjudged_in_source(unjudged: Iterable[Unjudged], expansion: Expansion) -> tuple[Unjudged, ...]:
    """The same, with source locations."""
    return tuple(each._replace(location=expansion.in_source(each.location)) for each in unjudged)


def _kind(finding: Finding, expansion: Expansion) -> object:
    if finding.location.file != expansion.path:
        return finding.code, finding.location, finding.message
    block = expansion.place(finding.location.line).block
    # A comment may suppress several rules.
    return finding.code, block, finding.message if finding.code == SUPPRESSION.code else ""


def _reported_once(group: Sequence[Finding], expansion: Expansion) -> list[Finding]:
    first = group[0]
    if first.location.file != expansion.path:
        return list(group)
    places = [expansion.place(each.location.line) for each in group]
    if first.code == SUPPRESSION.code and len(group) < expansion.copies[places[0].block]:
        # It suppresses something in another copy of the comment.
        return []
    links = list(dict.fromkeys(each.link for each in group if each.link))
    names = [link.rpartition("::")[2] for link in links]
    told = f"; in {len(names)} links: {first_few(names, _MAX_NAMED)}" if len(names) > 1 else ""
    calls: dict[str, list[str]] = {}
    for call in dict.fromkeys(call for place in places for call in expansion.calls(place) if call.macro):
        calls.setdefault(call.macro, []).append(str(call.location))
    if calls:
        sites = (f"macro {macro!r} called at {first_few(each)}" for macro, each in calls.items())
        told += f" ({'; '.join(sites)})"
    if first.code in ABOUT_NUMBERS:
        numbers = _properties(expansion, places[0])
        told += f"; it uses the properties {first_few(numbers)}" if numbers else ""
    advice = first.advice
    if isinstance(advice, Command):
        # It must select all links of the block, or the block is not edited.
        advice = advice._replace(links=tuple(links))
    location = expansion.location(places[0])
    return [first._replace(message=first.message + told, location=location, advice=advice, is_fixable=False)]


def _properties(expansion: Expansion, place: Place) -> list[str]:
    """The properties in the mass and tensor at a place, each with its definition; those with several are left out."""
    element = expansion.element(place)
    element = element.child("inertial") or element
    parts = [each for each in (element, *element.children) if each.name in ("mass", "inertia")]
    names = dict.fromkeys(
        name for part in parts for use in _USE.findall(part.raw_attributes) for name in _NAME.findall(use)
    )
    given = ((name, expansion.properties.get(name.decode(), ())) for name in names)
    return [f"{name.decode()} ({found[0][1].location()})" for name, found in given if len(found) == 1]


def merged(results: Iterable[tuple[str, Sequence[Finding]]]) -> list[Finding]:
    """The findings of several files, by file; one in a file of macros is reported for the first robot that has it."""
    results = list(results)
    told: dict[object, str] = {
        (finding.code, finding.location): path
        for path, findings in results
        for finding in findings
        if finding.location.file == path
    }
    return [
        finding
        for path, findings in results
        for finding in findings
        if finding.location.file == path or told.setdefault((finding.code, finding.location), path) == path
    ]


def unused_lines(macros: Sequence[str], used: Container[str]) -> Iterator[str]:
    """Names the xacro files that no expanded robot uses; `used` has absolute paths."""
    if not has_xacro():
        yield from missing_package(macros)
        return
    unused = [path for path in macros if os.path.abspath(path) not in used]
    if unused:
        why = f"because no expanded robot uses {'it' if len(unused) == 1 else 'them'}"
        yield f"{_files_were(len(unused))} not checked, {why}: {first_few(unused, _MAX_NAMED)}"


def missing_package(files: Sequence[str]) -> Iterator[str]:
    """Says that xacro files are skipped, where the package xacro is missing."""
    if not has_xacro():
        yield f"{_files_were(len(files))} skipped: install xacro with `pip install 'sdfinertia[xacro]'`"


def _files_were(number: int) -> str:
    return "1 xacro file was" if number == 1 else f"{number:,} xacro files were"


# Blocks ---------------------------------------------------------------------------------------------------------------


# The path of a source, its content before and after, and its edits.
Source = tuple[str, bytes, bytes, tuple[Edit, ...]]


class InSource(NamedTuple):
    """The results for links, the robot's own file and others that change, and the number of blocks not written."""

    links: tuple[LinkResult, ...]
    sources: tuple[Source, ...]
    unwritten: int = 0


class _Block(NamedTuple):
    """A block of the source to be written, and its edits by file."""

    instances: Sequence[Change]
    edits: Mapping[int, Sequence[Edit]]


def written_in_source(
    document: OpenDocument, results: Sequence[LinkResult], edits: Sequence[Edit], options: Options
) -> InSource:
    """Makes the edits of an expanded document in its sources; blocks that cannot be written are printed."""
    expansion = document.expansion
    assert expansion is not None, "it comes from xacro"
    links = list(document.links())
    reasons: dict[int, str] = {}
    blocks: list[_Block] = []
    made = _changes(links, edits, expansion) if edits else []
    groups: dict[tuple[int, int], list[Change]] = {}
    for change in made:
        groups.setdefault(change.place.block, []).append(change)
    for instances in groups.values():
        if any(each.is_changed for each in instances):
            try:
                own = source_edits(expansion, instances)
                _require_own_files(own, expansion)
                blocks.append(_Block(instances, own))
            except UnwritableError as reason:
                reasons.update({each.link.start: str(reason) for each in instances})
    blocks, refused = _verified(blocks, edits, expansion, options)
    why = "the robot would change elsewhere too"
    reasons.update({each.link.start: why for block in refused for each in block.instances})
    changed = {each.link.start: each for each in made}
    by_key = {(link.scoped_name, link.key.number): link.element for link in links}
    told: list[LinkResult] = []
    unwritten: set[str] = set()
    for each in results:
        link = by_key[each.name, each.number]
        result = _at_source(each, link, expansion)
        if each.status in _WRITTEN:
            result = _with_place(result, changed[link.start], reasons.get(link.start), expansion, unwritten)
        told.append(result)
    return InSource(tuple(told), _sources(blocks, expansion), len(unwritten))


def _require_own_files(edits: Iterable[int], expansion: Expansion) -> None:
    """Refuses to edit files outside the repository or package of the robot, such as macros of installed packages."""
    own = os.path.dirname(os.path.realpath(expansion.files[0]))
    packages = (each for each in ancestors_in_repository(own) if os.path.isfile(os.path.join(each, "package.xml")))
    tree = repository_of(own) or next(packages, own)
    for file in edits:
        if not is_inside(expansion.files[file], tree):
            raise UnwritableError(f"{expansion.name(file)} is outside {tree}")


def _changes(links: Sequence[Link], edits: Sequence[Edit], expansion: Expansion) -> list[Change]:
    after = described(Document(splice(expansion.data, edits), expansion.path))
    again = [link for model in after.models() for link in model.all_links()]
    return [
        Change(old.element, new.element, expansion.place((old.inertial or old.element).line))
        for old, new in zip(links, again, strict=True)
    ]


def _verified(
    blocks: list[_Block], edits: Sequence[Edit], expansion: Expansion, options: Options
) -> tuple[list[_Block], list[_Block]]:
    """The blocks that change nothing but their inertials, and the others."""
    if not blocks or _makes(blocks, edits, expansion, options):
        return blocks, []
    sound = [block for block in blocks if _makes([block], edits, expansion, options)]
    if len(sound) > 1 and not _makes(sound, edits, expansion, options):
        sound = sound[:1]
    return sound, [block for block in blocks if block not in sound]


def _makes(blocks: Sequence[_Block], edits: Sequence[Edit], expansion: Expansion, options: Options) -> bool:
    """Whether the edited sources expand to the document with these inertials, and no other difference."""
    spans = [(each.link.start, each.link.end) for block in blocks for each in block.instances]
    expected = splice(expansion.data, [edit for edit in edits if any(a <= edit.start < b for a, b in spans)])
    overlay = {name: expansion.source(file).data for file, name in enumerate(expansion.files)}
    try:
        sources = edited_sources(expansion, (block.edits for block in blocks))
        overlay |= {expansion.files[file]: content for file, (content, _) in sources.items()}
        again = expand(expansion.path, options, overlay=overlay)
        return is_same(Document(expected, expansion.path), Document(again.data, expansion.path))
    except (SdfInertiaError, ValueError):
        # The file no longer expands, or edits overlap.
        return False


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
    """The result with a note on where the block is written, or why not."""
    at = expansion.location(change.place)
    if reason is None:
        return each._replace(notes=(*each.notes, f"written at {at}"))
    block = block_line(change.after)
    # Links of one block want the same text most often: it is printed once.
    paste = f"; paste: {block}" if block not in unwritten else ""
    unwritten.add(block)
    notes = (*each.notes, f"not written at {at}: {reason}{paste}")
    return each._replace(status=Status.LEFT, text=None, notes=notes)
