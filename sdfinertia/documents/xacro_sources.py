"""Edits of expanded xacro, made in its sources.

One block of the source makes the inertials of many links, in several robots perhaps. The edited sources are expanded
again, in memory, and nothing is written if anything but these inertials differs.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from sdfinertia.documents.corrections import correction, proposal_of
from sdfinertia.documents.link_results import LinkResult, fill_links
from sdfinertia.documents.opened import OpenDocument, described
from sdfinertia.errors import SdfInertiaError, ValueTextError, first_few
from sdfinertia.files.walk import tree_of, why_not_writable
from sdfinertia.inertia.inertial_text import InertialText
from sdfinertia.links.inputs import Status
from sdfinertia.links.study import Study
from sdfinertia.markup.document import Document, Edit, Element, splice
from sdfinertia.options import Options
from sdfinertia.robot.inertial import TENSOR_NAMES, NewInertial
from sdfinertia.robot.link import LinkKey, attempt
from sdfinertia.robot.names import filled_entries, repaired_cause
from sdfinertia.robot.numbers import parse_numbers, shorten
from sdfinertia.robot.problems import Command
from sdfinertia.rules.rule import Finding
from sdfinertia.urdf.edits import fill_edits
from sdfinertia.xacro.expansion import Expansion, Place, expand

# Options of `fill` in remedies.
_FLAGS = {"all": "--all", "missing": "--missing", "overwrite_edited": "--overwrite-edited"}
_VALUED = ("geometry", "overlaps")
_MACROS = "it is a file of macros alone"
_WRITTEN = (Status.FILLED, Status.REFILLED, Status.REPAIRED)

# An element of a source: its real path and byte offset.
_Block = tuple[str, int]
# The path of a source, its content before and after, and its edits.
Source = tuple[str, bytes, bytes, tuple[Edit, ...]]


_ATTRIBUTES = {"origin": ("xyz", "rpy"), "mass": ("value",), "inertia": TENSOR_NAMES}
# The attributes in an inertial, by the element and the attribute.
Values = Mapping[tuple[str, str], str]


class Change(NamedTuple):
    """A link before and after; `place` is its inertial's, or its own without one."""

    link: Element
    after: Element
    place: Place

    @property
    def is_changed(self) -> bool:
        return _bytes(self.link) != _bytes(self.after)


class NewBlock(NamedTuple):
    """The edits of a block in its source, the values that change, and its comment."""

    edits: Sequence[Edit]
    values: Values
    comment: str | None

    def is_in(self, before: Element, after: Element) -> bool:
        return _is_same({**_values(before), **self.values}, _values(after)) and _own_comment(after) == self.comment


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
            block = attempt(_new_block, expansion, found)
            unwritable = _why_unwritable(document, expansion, found[0].place.file)
            if isinstance(block, NewBlock) and not unwritable:
                blocks[place] = block
            else:
                reasons[place] = unwritable if isinstance(block, NewBlock) else block.problem
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
        is_one = len({_block_line(each.after) for each in made}) == 1
        for each in made if reason else ():
            key = keys[each.link.start]
            if edits.get(key):
                alone = "" if is_one else f" for {each.link.attribute('name')} alone"
                where = _files_of_numbers(document, expansion, key)
                found[key] = f"paste by hand ({reason}{where}): {_block_line(each.after)}{alone}"
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
    found = correction(study, why.written, proposal_of(why.explanations[0]), document.options.digits)
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


def _why_unwritable(document: OpenDocument, expansion: Expansion, file: int) -> str:
    reason = why_not_writable(expansion.files[file], document.trees or (tree_of(expansion.real_paths[0]),))
    return f"{expansion.name(file)} {reason}" if reason else ""


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
            other = attempt(expand, robot.path, robot.options)
            # One that cannot be expanded is refused by itself.
            if isinstance(other, Expansion) and not _changes_only(other, robot.options, blocks, contents):
                return f"{robot.path} would change elsewhere too"
    return ""


def _changes_only(
    expansion: Expansion, options: Options, blocks: Mapping[_Block, NewBlock], contents: Mapping[str, bytes]
) -> bool:
    paths = enumerate(zip(expansion.files, expansion.real_paths, strict=True))
    overlay = {path: contents.get(real, expansion.source(file).data) for file, (path, real) in paths}
    after = attempt(partial(expand, expansion.path, options, overlay=overlay))
    if isinstance(after, SdfInertiaError):
        return False
    documents = [Document(each.data, each.path) for each in (expansion, after)]
    old, new = (attempt(_links, document) for document in documents)
    if isinstance(old, SdfInertiaError) or isinstance(new, SdfInertiaError) or len(old) != len(new):
        return False
    written: list[tuple[Element, Element]] = []
    for before, now in zip(old, new, strict=True):
        place = expansion.place((before.child("inertial") or before).line)
        block = blocks.get((expansion.real_paths[place.file], place.offset))
        if block is not None:
            if not block.is_in(before, now):
                return False
            written.append((before, now))
    outside = [_without_inertials(document, (pair[k] for pair in written)) for k, document in enumerate(documents)]
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
    block = _block_line(change.after)
    # Links of one block mostly need the same text, which is printed once.
    paste = f"; paste: {block}" if block not in unwritten else ""
    unwritten.add(block)
    notes = (*each.notes, f"not written at {at}: {reason}{paste}")
    return each._replace(status=Status.LEFT, text=None, notes=notes)


# The new block of a source -------------------------------------------------------------------------------------------


def _new_block(expansion: Expansion, changes: Sequence[Change]) -> NewBlock:
    first = changes[0]
    if first.link.document.roots[0].name != "robot":
        raise ValueTextError("xacro that makes SDF is not edited")
    values, comment = _agreed(changes), _own_comment(first.after)
    source = expansion.element(first.place)
    if source is None:
        raise ValueTextError("its element was not found in the source")
    if source.name == "link":
        if not source.children:
            raise ValueTextError("its link is empty")
        new = NewInertial(_texts(first.after), _markup(comment), None)
        return NewBlock(fill_edits(source, None, new, has_quaternions=False), values, comment)
    if source.name != "inertial":
        raise ValueTextError(f"it is written as <{source.name}>")
    texts = _texts(first.after)
    if not _has_own_origin(first, source, values):
        texts = texts._replace(pose="0 0 0 0 0 0")
    old = next((each for each in source.comments() if _is_own(each.text)), None)
    edits = fill_edits(source, source, NewInertial(texts, _markup(comment), old), has_quaternions=False)
    return NewBlock(_literal(edits, source, values), values, comment)


def _agreed(changes: Sequence[Change]) -> Values:
    first = changes[0]
    new = _values(first.after)
    changed = {
        key
        for each in changes
        for key in {**_values(each.link), **_values(each.after)}
        if not _is_same_text(_values(each.link).get(key), _values(each.after).get(key))
    }
    for other in changes:
        if not other.is_changed:
            raise ValueTextError(f"it also makes {_name(other.link)}, which does not change")
        its = _values(other.after)
        both = f"it makes {_name(first.link)} and {_name(other.link)}, which"
        if not all(_is_same_text(new.get(key), its.get(key)) for key in changed):
            raise ValueTextError(f"{both} need different numbers")
        if _own_comment(other.after) != _own_comment(first.after):
            raise ValueTextError(f"{both} are filled from different geometry")
    return {key: new[key] for key in changed if key in new}


def _has_own_origin(change: Change, source: Element, values: Values) -> bool:
    """True if the block holds its origin, or has none; refuses parts from elsewhere that change."""
    made = change.link.child("inertial")
    assert made is not None, "its place is that of an inertial"
    foreign = [name for name in _ATTRIBUTES if _names(made.child(name)) != _names(source.child(name))]
    for name in foreign:
        if any(part == name for part, _ in values):
            raise ValueTextError(f"its <{name}> comes from elsewhere")
    return "origin" not in foreign


def _names(part: Element | None) -> set[str] | None:
    return set(part.attributes) if part is not None else None


def _literal(edits: Iterable[Edit], source: Element, values: Values) -> list[Edit]:
    """Drops edits of expressions whose values stay, and refuses those of others."""
    kept = {
        span[2:]
        for part in source.children
        for name in part.attributes
        if (part.name, name) not in values and (span := part.attribute_span(name)) is not None
    }
    found = [edit for edit in edits if (edit.start, edit.stop) not in kept]
    for edit in found:
        was = source.document.data[edit.start : edit.stop].decode("utf-8", "surrogateescape")
        if "$" in was and not was.startswith("<!--"):
            raise ValueTextError(f"{shorten(was)} is not a literal number")
    return found


def _without_inertials(document: Document, links: Iterable[Element]) -> bytes:
    """An expanded document without the lines of the inertials of some links."""
    data = document.data
    inertials = filter(None, (link.child("inertial") for link in links))
    return splice(
        data, [Edit(data.rfind(b"\n", 0, each.start) + 1, data.find(b"\n", each.end) + 1, b"") for each in inertials]
    )


def _block_line(link: Element) -> str:
    inertial = link.child("inertial")
    return " ".join(_bytes(inertial).decode("utf-8", "replace").split()) if inertial is not None else ""


def _bytes(element: Element) -> bytes:
    return element.document.data[element.start : element.end]


def _name(link: Element) -> str:
    return link.attribute("name") or "a link without a name"


def _values(link: Element) -> dict[tuple[str, str], str]:
    inertial = link.child("inertial")
    parts = inertial.children if inertial is not None else ()
    return {(part.name, name): value for part in parts for name, value in part.attributes.items()}


def _is_same(one: Values, other: Values) -> bool:
    return one.keys() == other.keys() and all(_is_same_text(value, other[key]) for key, value in one.items())


def _is_same_text(one: str | None, other: str | None) -> bool:
    if one is None or other is None:
        return one is other
    return one == other or parse_numbers(one) == parse_numbers(other) is not None


def _is_own(comment: str) -> bool:
    return filled_entries(comment) is not None or repaired_cause(comment) is not None


def _own_comment(link: Element) -> str | None:
    inertial = link.child("inertial")
    comments = inertial.comments() if inertial is not None else ()
    return next((each.text for each in comments if _is_own(each.text)), None)


def _markup(comment: str | None) -> str | None:
    return f"<!--{comment}-->" if comment is not None else None


def _texts(link: Element) -> InertialText:
    values = _values(link)
    mass, *tensor = values.get(("mass", "value")), *(values.get(("inertia", name)) for name in TENSOR_NAMES)
    if mass is None or None in tensor:
        raise ValueTextError("it would have no mass or no tensor")
    xyz, rpy = (values.get(("origin", name), "0 0 0") for name in _ATTRIBUTES["origin"])
    return InertialText(f"{xyz} {rpy}", mass, tuple(map(str, tensor)))
