"""The view of a document in an editor: diagnostics, symbols, links to its files, and numbers under the cursor."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from lsprotocol import types as lsp

from sdfinertia.documents.showing import ShownBody, shown_bodies
from sdfinertia.errors import Location, SdfInertiaError, one_line, unicode_text
from sdfinertia.files.walk import repository_of
from sdfinertia.inertia.spatial_inertia import SpatialInertia
from sdfinertia.lsp.session import Version
from sdfinertia.lsp.text import EditorText
from sdfinertia.markup.document import Element
from sdfinertia.mesh.method import NO_SCALE
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.report.bodies import body_notes, mesh_lines
from sdfinertia.report.causes import why_words
from sdfinertia.report.findings import level_of, reason_sentence, what_to_do
from sdfinertia.report.markdown import code_span, plain
from sdfinertia.report.quantities import box_of, centre_of, density_of, mass_of, principal_moments_of
from sdfinertia.report.rules import rule_address
from sdfinertia.robot.inertial import DEFAULT_DENSITY
from sdfinertia.robot.link import Link
from sdfinertia.robot.numbers import parse_numbers
from sdfinertia.robot.solid_kinds import COLLISION
from sdfinertia.rules.rule import Finding
from sdfinertia.rules.suppressions import SUPPRESSION
from sdfinertia.runs.mesh_facts import mesh_facts
from sdfinertia.runs.mesh_rows import MeshWeighing
from sdfinertia.sdf.root import find_model
from sdfinertia.wording import for_editors

SOURCE = "sdfinertia"
_START = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))
_SEVERITIES = {"error": lsp.DiagnosticSeverity.Error, "warning": lsp.DiagnosticSeverity.Warning}
_KINDS = {
    "world": lsp.SymbolKind.Namespace,
    "model": lsp.SymbolKind.Class,
    "robot": lsp.SymbolKind.Class,
    "xacro:macro": lsp.SymbolKind.Function,
    "include": lsp.SymbolKind.Module,
    "link": lsp.SymbolKind.Object,
    "joint": lsp.SymbolKind.Interface,
}
# Code actions of an editor in place of commands, by the verb of the command.
_BY_ACTION = {
    "fill": "a code action computes it",
    "repair": "a code action repairs it",
    "check": "a code action moves its last digit",
}
# A path outside the repository, shown by its last two parts.
_ABSOLUTE = re.compile(r"(?<![^\s'\"(`])/[^\s'\"`;,)]+")
# Elements around symbols that are none themselves.
_TRANSPARENT = frozenset({"sdf", "xacro:if", "xacro:unless"})


# Diagnostics ----------------------------------------------------------------------------------------------------------


def diagnostics(version: Version) -> list[lsp.Diagnostic]:
    """The findings in a checked version, and the reasons why links could not be checked fully."""
    assert version.result is not None, "it was checked"
    tags: dict[int, int] = {}
    pending = list(version.roots)
    while pending:
        element = pending.pop()
        tags[element.start] = element.inner_start
        pending += element.children
    found = [_diagnostic(version, tags, each.location, _message(each), each.code) for each in version.result.findings]
    for reason in version.result.unjudged:
        found.append(_diagnostic(version, tags, reason.location, reason_sentence(reason)))
    return found


def of_error(error: SdfInertiaError) -> lsp.Diagnostic:
    """The diagnostic of an error by which nothing could be checked, usually one in the configuration."""
    message = _shown(str(error), error.location.file if error.location else error.file or "")
    return lsp.Diagnostic(_START, message, severity=lsp.DiagnosticSeverity.Error, source=SOURCE)


def _message(finding: Finding) -> str:
    command, words = what_to_do(finding)
    remedy = f"; {_BY_ACTION[command.words[1]]}" if command is not None else f"; {words}" if words else ""
    why = f"; why: {why_words(finding.why)}" if finding.why is not None else ""
    return one_line(f"{finding.message}{remedy}{why}")


def _shown(text: str, file: str) -> str:
    """A message for an editor, with the paths of a repository as they are in it, and of others the last two parts."""
    text = for_editors(text)
    root = os.path.join(os.path.dirname(os.path.abspath(file)), "")
    inside = os.path.join(repository_of(root) or root, "")
    text = text.replace(root, "").replace(inside, "")
    return unicode_text(_ABSOLUTE.sub(lambda found: "/".join(("…", *found[0].split("/")[-2:])), text))


def _diagnostic(
    version: Version, tags: dict[int, int], location: Location, message: str, code: str | None = None
) -> lsp.Diagnostic:
    """A diagnostic on the tag or comment at a location; one in another file is at the macro call, or else at the top,
    with a link to its place.
    """
    address = rule_address(code) if code is not None else None
    place, related = _START, None
    assert version.result is not None, "it was checked"
    own = location if location.file == version.path else dict(version.result.calls).get(location)
    if own is not None:
        start = version.text.offset_at(own)
        stop = tags.get(start, 0)
        if version.text.data.startswith(b"<!--", start):
            stop = version.text.data.find(b"-->", start) + len(b"-->")
        place = version.text.range(start, stop) if stop > start else version.text.line_range(start)
    if own is not location:
        there = lsp.Position(max(location.line - 1, 0), max(location.column - 1, 0))
        uri = Path(os.path.abspath(location.file)).as_uri()
        related = [lsp.DiagnosticRelatedInformation(lsp.Location(uri, lsp.Range(there, there)), "here")]
    return lsp.Diagnostic(
        place,
        _shown(message, version.path),
        severity=_SEVERITIES[level_of(code)] if code is not None else lsp.DiagnosticSeverity.Information,
        code=code,
        code_description=lsp.CodeDescription(address) if address is not None else None,
        source=SOURCE,
        tags=[lsp.DiagnosticTag.Unnecessary] if code == SUPPRESSION.code else None,
        related_information=related,
    )


# Symbols, and the files that are named --------------------------------------------------------------------------------


def symbols(version: Version) -> list[lsp.DocumentSymbol]:
    return [symbol for root in version.roots for symbol in _symbols(root, version.text)]


def _symbols(element: Element, text: EditorText) -> Iterator[lsp.DocumentSymbol]:
    kind = _KINDS.get(element.name)
    if kind is None and element.name not in _TRANSPARENT:
        return
    inner = [symbol for child in element.children for symbol in _symbols(child, text)]
    if kind is None:
        yield from inner
        return
    name = element.attribute("name") or element.child_text("name") or element.child_text("uri")
    whole, tag = text.range(element.start, element.end), text.range(element.start, element.inner_start)
    yield lsp.DocumentSymbol(
        unicode_text(name) or f"<{element.name}>", kind, whole, tag, detail=element.name, children=inner or None
    )


class NamedFile(NamedTuple):
    """A file that a mesh or an include names; `start` and `stop` are the span of its uri."""

    uri: str
    start: int
    stop: int
    owner: Element

    @property
    def is_mesh(self) -> bool:
        return self.owner.name == "mesh"

    def path(self, version: Version) -> str:
        resources = version.context.resources
        if self.is_mesh:
            return resources.find(self.uri, version.path)
        return find_model(resources, self.uri, version.path)


def named_files(version: Version) -> Iterator[NamedFile]:
    """The meshes and models that it names, in the order of the text."""
    pending = list(reversed(version.roots))
    while pending:
        element = pending.pop()
        pending += reversed(element.children)
        if element.name not in ("mesh", "include"):
            continue
        uri, span = element.child("uri"), element.attribute_span("filename")
        if uri is not None and uri.text():
            yield NamedFile(uri.text(), uri.inner_start, uri.inner_end, element)
        elif span is not None and (name := element.attribute("filename")):
            yield NamedFile(name, span[2], span[3], element)


def named_file_at(version: Version, offset: int) -> NamedFile | None:
    return next((each for each in named_files(version) if each.start <= offset <= each.stop), None)


def asking_links(version: Version) -> Iterator[tuple[str, lsp.Range]]:
    """The labels of links that request to be filled, and the places of the requests."""
    for link in version.links():
        try:
            asks = link.asks_to_be_filled()
        except SdfInertiaError:
            continue
        if asks:
            element = link.inertial or link.element
            yield link.key.label, version.text.range(element.start, element.inner_start)


# Numbers under the cursor ---------------------------------------------------------------------------------------------


def hover(version: Version, offset: int) -> lsp.Hover | None:
    named = named_file_at(version, offset)
    if named is not None and named.is_mesh:
        return _hover(version, _mesh(version, named), named.start, named.stop)
    link = version.link_at(offset)
    if link is None:
        return None
    part = next((child for child in link.element.children if child.start <= offset < child.end), link.element)
    if part.name == "collision":
        return _hover(version, _collision(version, link, part), part.start, part.inner_start)
    if part.name == "inertial" or offset < link.element.inner_start:
        return _hover(version, _link_lines(version, link), part.start, part.inner_start)
    return None


def _hover(version: Version, lines: Iterator[str], start: int, stop: int) -> lsp.Hover:
    value = unicode_text("\n".join(lines))
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, value), version.text.range(start, stop))


def _bodies(version: Version, link: Link) -> list[ShownBody]:
    """The link and its collisions, as `show --computed` shows them."""
    document = version.opened(replace(version.options, all=True))
    return shown_bodies(document.study(link), with_computed=True)


def _link_lines(version: Version, link: Link) -> Iterator[str]:
    body = _bodies(version, link)[0]
    yield from _table(body)
    for note in body_notes(body):
        yield from ("", plain(note))
    findings = version.explained(link)
    for finding in findings:
        yield from ("", f"**{finding.code}** {plain(finding.message)}")
    for why in dict.fromkeys(why_words(finding.why) for finding in findings if finding.why is not None):
        yield from ("", f"Why: {plain(why)}")


def _collision(version: Version, link: Link, element: Element) -> Iterator[str]:
    solids = link.solids(COLLISION)
    place = next((place for place, solid in enumerate(solids) if solid.element is element), None)
    own, *parts = _bodies(version, link)
    # Parts without mass are left out, and names may repeat.
    name = f"{link.scoped_name} / {solids[place].name}" if place is not None else ""
    of_name = [part for part in parts if part.name == name]
    if len(of_name) == 1:
        yield from _table(of_name[0])
    elif len(parts) == len(solids) and place is not None:
        yield from _table(parts[place])
    else:
        yield plain(own.problem or "has no mass, and does not count in the inertia of its link")


def _table(body: ShownBody) -> Iterator[str]:
    """Written and computed quantities in columns, aligned for editors that show Markdown as text."""
    columns = [(body.origin, _quantities(body.inertia, body.volume))]
    if body.origin == "written":
        columns.append(("computed", _quantities(body.computed, body.volume)))
    columns = [(title, values) for title, values in columns if values]
    yield f"**{plain(body.name)}**"
    if not columns:
        return
    rows = [["", *(title for title, _ in columns)]]
    rows += [[label, *(values.get(label, "") for _, values in columns)] for label in columns[0][1]]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    rows.insert(1, ["-" * max(width, 3) for width in widths])
    yield ""
    for row in rows:
        yield "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"


def _quantities(inertia: SpatialInertia | None, volume: float | None) -> dict[str, str]:
    """The quantities that fit a hover, by their names."""
    if inertia is None:
        return {}
    shown = [mass_of(inertia)]
    if volume:
        shown.append(density_of(inertia, volume))
    shown += [centre_of(inertia)._replace(name="centre"), principal_moments_of(inertia), box_of(inertia)]
    return {each.name: each.text for each in shown if each.values is not None}


def _mesh(version: Version, named: NamedFile) -> Iterator[str]:
    """The report of `mesh` on the file, with the scale and the submesh beside its uri."""
    context, options = version.context, version.options
    factors = parse_numbers(named.owner.child_text("scale") or named.owner.attribute("scale") or "")
    x, y, z = factors if factors is not None and len(factors) == 3 else NO_SCALE
    submesh = named.owner.child("submesh")
    name = submesh.child_text("name") if submesh is not None else ""
    density = DEFAULT_DENSITY if options.density is None else options.density
    weighing = MeshWeighing(density, options.mesh_treatment(), options, (x, y, z), name or None)
    try:
        title, *lines = mesh_lines(mesh_facts(context.meshes, named.path(version), weighing))
    except SdfInertiaError as error:
        yield plain(error.problem)
    else:
        yield from (code_span(title), "", "```text", *(line.strip() for line in lines), "```")
    finally:
        context.forget_contents()
