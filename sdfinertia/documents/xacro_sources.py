"""Edits of expanded xacro, made in its sources.

One block of the source makes the inertials of many links, in several robots perhaps. The edited sources are expanded
again, in memory, and nothing is written if anything but these inertials differs.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from sdfinertia.documents import OpenDocument, described
from sdfinertia.documents.corrections import correction, proposal_of
from sdfinertia.documents.link_results import LinkResult, fill_links
from sdfinertia.errors import SdfInertiaError, ValueTextError, first_few, shorten
from sdfinertia.inertia.inertial_text import InertialText
from sdfinertia.links import Study
from sdfinertia.links.inputs import Status
from sdfinertia.markup import Document, Edit, Element, splice
from sdfinertia.options import Options
from sdfinertia.robot import Link, LinkKey, attempt
from sdfinertia.robot.inertial import TENSOR_NAMES, NewInertial
from sdfinertia.robot.names import filled_entries, repaired_cause
from sdfinertia.robot.numbers import parse_numbers
from sdfinertia.robot.problems import Command
from sdfinertia.rules.rule import Finding
from sdfinertia.urdf.edits import fill_edits
from sdfinertia.xacro.expansion import Block, Expansion, Place, expand

# Options of `fill` in remedies.
_FLAGS = {"all": "--all", "missing": "--missing", "overwrite_edited": "--overwrite-edited"}
_VALUED = ("geometry", "overlaps")
_WRITTEN = (Status.FILLED, Status.REFILLED, Status.REPAIRED)
_PARTS = ("origin", "mass", "inertia")

# The path of a source, its content before and after, and its edits.
Source = tuple[str, bytes, bytes, tuple[Edit, ...]]
# The attributes in an inertial, by the element and the attribute.
Values = Mapping[tuple[str, str], str]


class Change(NamedTuple):
    """A link and its element after it; `place` is its inertial's, or its own without one."""

    link: Link
    after: Element
    place: Place

    @property
    def before(self) -> Element:
        return self.link.element

    @property
    def is_changed(self) -> bool:
        return _bytes(self.before) != _bytes(self.after)


class NewBlock(NamedTuple):
    """The edits of a block in its source, the values that change, and its comment."""

    edits: Sequence[Edit]
    values: Values
    comment: str | None

    def is_in(self, before: Element, after: Element) -> bool:
        wanted, found = {**_values(before), **self.values}, _values(after)
        is_same = wanted.keys() == found.keys() and all(_is_same(value, found[key]) for key, value in wanted.items())
        return is_same and _own_comment(after) == self.comment


def written_in_source(
    document: OpenDocument, expansion: Expansion, results: Sequence[LinkResult], edits: Sequence[Edit], options: Options
) -> tuple[list[LinkResult], list[Source], int]:
    """The results with edits in the sources, what changes, and how many blocks are printed since they cannot be."""
    changes = _changes(document, expansion, edits)
    blocks, reasons = _blocks(document, expansion, changes)
    sources = _sources(expansion, blocks)
    refusal = _refusal(document, expansion, options, blocks, sources) if blocks else ""
    if refusal:
        reasons.update(dict.fromkeys(blocks, refusal))
        sources = _sources(expansion, {})
    by_key = {
        (each.link.scoped_name, each.link.number): (each, block) for block, made in changes.items() for each in made
    }
    told: list[LinkResult] = []
    unwritten: set[str] = set()
    for result in results:
        change, block = by_key[result.name, result.number]
        note = ""
        if result.status in _WRITTEN and block in reasons:
            line = _block_line(change.after)
            # Links of one block mostly need the same text, which is printed once.
            paste = f"; paste: {line}" if line not in unwritten else ""
            unwritten.add(line)
            note = f"not written at {expansion.location(change.place)}: {reasons[block]}{paste}"
            result = result._replace(status=Status.LEFT, text=None)
        elif result.status in _WRITTEN:
            note = f"written at {expansion.location(change.place)}"
        told.append(
            result._replace(
                line=expansion.in_source(change.before.location()).line,
                error=expansion.moved(result.error) if result.error is not None else None,
                notes=(*result.notes, note) if note else result.notes,
                warnings=tuple(
                    each._replace(location=expansion.in_source(each.location)) if each.location is not None else each
                    for each in result.warnings
                ),
            )
        )
    return told, list(sources.values()), len(unwritten)


def _blocks(
    document: OpenDocument, expansion: Expansion, changes: Mapping[Block, Sequence[Change]]
) -> tuple[dict[Block, NewBlock], dict[Block, str]]:
    """The blocks to write, and why others cannot be written."""
    blocks: dict[Block, NewBlock] = {}
    reasons: dict[Block, str] = {}
    for block, found in changes.items():
        disputes = (document.disputed.get((each.link.scoped_name, each.link.number), "") for each in found)
        reason = next(filter(None, disputes), "")
        if not reason and any(each.is_changed for each in found):
            new = attempt(_new_block, expansion, found)
            file = found[0].place.file
            if isinstance(new, SdfInertiaError):
                reason = new.problem
            elif outside := document.why_outside(expansion.files[file]):
                reason = f"{expansion.name(file)} {outside}"
            else:
                blocks[block] = new
        if reason:
            reasons[block] = reason
    return blocks, reasons


def _changes(document: OpenDocument, expansion: Expansion, edits: Sequence[Edit]) -> dict[Block, list[Change]]:
    found: dict[Block, list[Change]] = {}
    links = document.links()
    after = [link.element for link in links]
    if edits:
        after = _links(Document(splice(expansion.data, edits), expansion.path))
    for link, new in zip(links, after, strict=True):
        place = expansion.place((link.inertial or link).element.line)
        found.setdefault(expansion.block(place), []).append(Change(link, new, place))
    return found


def _links(document: Document) -> list[Element]:
    return [link.element for model in described(document).models() for link in model.all_links()]


def _sources(expansion: Expansion, blocks: Mapping[Block, NewBlock]) -> dict[str, Source]:
    """By real path, the robot's own first."""
    edits: dict[str, list[Edit]] = {expansion.real_paths[0]: []}
    for (path, _), block in blocks.items():
        edits.setdefault(path, []).extend(block.edits)
    found: dict[str, Source] = {}
    for file, path in enumerate(expansion.real_paths):
        if path in edits and path not in found:
            data = expansion.source(file).data
            found[path] = expansion.name(file), data, splice(data, edits[path]), tuple(edits[path])
    return found


# Blocks to paste ------------------------------------------------------------------------------------------------------


def advice_to_paste(document: OpenDocument, expansion: Expansion, findings: Iterable[Finding]) -> dict[LinkKey, str]:
    """By link, what to do where `fill` or `repair` would refuse to write what a finding advises."""
    edits: dict[LinkKey, Sequence[Edit]] = {}
    for finding in findings:
        advice = finding.advice
        if finding.key not in edits and isinstance(advice, Command) and advice.words[1] in ("fill", "repair"):
            edits[finding.key] = _advised(document, finding, advice.words[1:])
    if not any(edits.values()):
        return {}
    changes = _changes(document, expansion, [edit for each in edits.values() for edit in each])
    _, reasons = _blocks(document, expansion, changes)
    found: dict[LinkKey, str] = {}
    for block, made in changes.items():
        reason = "it is a file of macros alone" if expansion.by_default else reasons.get(block, "")
        is_one = len({_block_line(each.after) for each in made}) == 1
        for each in made if reason else ():
            if edits.get(each.link.key):
                alone = "" if is_one else f" for {each.link.name} alone"
                written = each.link.written_texts()
                files = expansion.values_with((written.mass, *written.tensor)) if written is not None else ()
                where = f"; its numbers are in {first_few(files)}" if files else ""
                found[each.link.key] = f"paste by hand ({reason}{where}): {_block_line(each.after)}{alone}"
    return found


def _advised(document: OpenDocument, finding: Finding, words: Sequence[str]) -> Sequence[Edit]:
    link = document.links_by_label[finding.key.label][0]
    if words[0] == "fill":
        given = {key: True for key, word in _FLAGS.items() if word in words}
        values = {name: words[words.index(f"--{name}") + 1] for name in _VALUED if f"--{name}" in words}
        options = document.options.replaced({**given, **values})
        return fill_links([Study(link, options, document.context)], options, document.require_writable)[1]
    why = finding.why
    if why is None or why.obstacle:
        return ()
    digits = document.options.digits
    found = correction(document.study(link), why.written, proposal_of(why.explanations[0]), digits)
    return () if isinstance(found, str) else found.edits


# Expanded again -------------------------------------------------------------------------------------------------------


def _refusal(
    document: OpenDocument,
    expansion: Expansion,
    options: Options,
    blocks: Mapping[Block, NewBlock],
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
    expansion: Expansion, options: Options, blocks: Mapping[Block, NewBlock], contents: Mapping[str, bytes]
) -> bool:
    paths = enumerate(zip(expansion.files, expansion.real_paths, strict=True))
    overlay = {path: contents.get(real, expansion.source(file).data) for file, (path, real) in paths}
    try:
        after = expand(expansion.path, options, overlay=overlay)
        old, new = (_links(Document(each.data, each.path)) for each in (expansion, after))
    except SdfInertiaError:
        return False
    places = (expansion.place((link.child("inertial") or link).line) for link in old)
    found = [blocks.get(expansion.block(place)) for place in places]
    if len(old) != len(new) or not all(
        block.is_in(*pair) for block, *pair in zip(found, old, new, strict=True) if block is not None
    ):
        return False
    outside = (
        _without_inertials(made.data, [link for link, block in zip(links, found, strict=True) if block is not None])
        for made, links in ((expansion, old), (after, new))
    )
    return next(outside) == next(outside)


def _without_inertials(data: bytes, links: Iterable[Element]) -> bytes:
    """An expanded document without the lines of the inertials of some links."""
    inertials = filter(None, (link.child("inertial") for link in links))
    return splice(
        data, [Edit(data.rfind(b"\n", 0, each.start) + 1, data.find(b"\n", each.end) + 1, b"") for each in inertials]
    )


# The new block of a source -------------------------------------------------------------------------------------------


def _new_block(expansion: Expansion, changes: Sequence[Change]) -> NewBlock:
    first = changes[0]
    if first.before.document.roots[0].name != "robot":
        raise ValueTextError("xacro that makes SDF is not edited")
    values, comment, texts = _agreed(changes), _own_comment(first.after), _texts(first.after)
    source = expansion.element(first.place)
    if source is None or source.name not in ("link", "inertial"):
        raise ValueTextError(f"it is written as <{source.name if source is not None else '?'}>")
    inertial = source if source.name == "inertial" else None
    old = None
    if inertial is not None:
        if not _has_own_origin(first.before.child("inertial"), inertial, values):
            texts = texts._replace(pose="0 0 0 0 0 0")
        old = next((each for each in inertial.comments if _is_own(each.text)), None)
    new = NewInertial(texts, f"<!--{comment}-->" if comment is not None else None, old)
    edits = fill_edits(source, inertial, new, has_quaternions=False)
    return NewBlock(_literal(edits, source, values), values, comment)


def _agreed(changes: Sequence[Change]) -> Values:
    """The new values of the attributes that change in any link."""
    first, new = changes[0], _values(changes[0].after)
    pairs = [(_values(each.before), _values(each.after)) for each in changes]
    changed = {key for old, its in pairs for key in {**old, **its} if not _is_same(old.get(key), its.get(key))}
    for other, (_, its) in zip(changes, pairs, strict=True):
        if not other.is_changed:
            raise ValueTextError(f"it also makes {other.link.name}, which does not change")
        both = f"it makes {first.link.name} and {other.link.name}, which"
        if not all(_is_same(new.get(key), its.get(key)) for key in changed):
            raise ValueTextError(f"{both} need different numbers")
        if _own_comment(other.after) != _own_comment(first.after):
            raise ValueTextError(f"{both} are filled from different geometry")
    return {key: new[key] for key in changed if key in new}


def _has_own_origin(made: Element | None, source: Element, values: Values) -> bool:
    """True if the block holds its origin, or has none; refuses parts from elsewhere that change."""
    assert made is not None, "its place is that of an inertial"
    foreign = [name for name in _PARTS if _names(made.child(name)) != _names(source.child(name))]
    changed = next((name for name in foreign if any(part == name for part, _ in values)), None)
    if changed is not None:
        raise ValueTextError(f"its <{changed}> comes from elsewhere")
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


def _block_line(link: Element) -> str:
    inertial = link.child("inertial")
    return " ".join(_bytes(inertial).decode("utf-8", "replace").split()) if inertial is not None else ""


def _bytes(element: Element) -> bytes:
    return element.document.data[element.start : element.end]


def _values(link: Element) -> dict[tuple[str, str], str]:
    inertial = link.child("inertial")
    parts = inertial.children if inertial is not None else ()
    return {(part.name, name): value for part in parts for name, value in part.attributes.items()}


def _is_same(one: str | None, other: str | None) -> bool:
    if one is None or other is None:
        return one is other
    return one == other or parse_numbers(one) == parse_numbers(other) is not None


def _is_own(comment: str) -> bool:
    return filled_entries(comment) is not None or repaired_cause(comment) is not None


def _own_comment(link: Element) -> str | None:
    inertial = link.child("inertial")
    comments = inertial.comments if inertial is not None else ()
    return next((each.text for each in comments if _is_own(each.text)), None)


def _texts(link: Element) -> InertialText:
    values = _values(link)
    mass, *tensor = values.get(("mass", "value")), *(values.get(("inertia", name)) for name in TENSOR_NAMES)
    if mass is None or None in tensor:
        raise ValueTextError("it would have no mass or no tensor")
    xyz, rpy = (values.get(("origin", name), "0 0 0") for name in ("xyz", "rpy"))
    return InertialText(f"{xyz} {rpy}", mass, tuple(map(str, tensor)))
