"""xacro, read for its literal numbers: links whose inertials a person wrote. The program is neither run nor rewritten.

A value that is a property, such as `${hip_mass}`, is followed one step, to where its number stands in this file or in
one that it includes. Numbers that are computed, or parameters of macros, are left to the expanded file.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from sdfinertia.documents.checking import CheckResult, check_document
from sdfinertia.documents.opened import OpenDocument, Source, described
from sdfinertia.documents.repairing import By, Repair, RepairResult, repair_document
from sdfinertia.errors import Location, SdfInertiaError, TextError, first_few
from sdfinertia.files.regular_file import read_regular_file
from sdfinertia.links.context import Context
from sdfinertia.links.result import Status
from sdfinertia.markup.document import Document, Element
from sdfinertia.markup.text import decode
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.robot.numbers import parse_number
from sdfinertia.rules.rule import ABOUT_NUMBERS

if TYPE_CHECKING:
    from sdfinertia.options import Options
    from sdfinertia.robot.values import LinkKey

_PROPERTY, _INCLUDE, _PREFIX = "xacro:property", "xacro:include", "xacro:"
# A property, or it with the other sign: what one step leads to a number.
_REFERENCE = re.compile(r"\$\{\s*(?:(-)\s*)?([A-Za-z_][A-Za-z0-9_]*)\s*\}")
_PACKAGE = re.compile(r"\$\(find\s+([A-Za-z0-9_.-]+)\s*\)")
_LINE_END = re.compile(rb"\r\n?|\n")
_PROGRAM = re.compile(r"\$\{|\$\(")
_PARAMETER = re.compile(r"\$[{(]([^$})]*)[})]")


class Property(NamedTuple):
    """A property that is a number, and its place."""

    text: str
    location: Location


class LiteralXacro(NamedTuple):
    """A xacro file as far as its inertials are literal.

    Attributes:
        document: the links whose inertials are, each on its own lines.
        properties: by link, the place of each number that is a property: what it is of, and the property's name.
        macros: how many links have numbers that a program makes.
    """

    document: OpenDocument
    properties: Mapping[LinkKey, tuple[tuple[str, str, Location], ...]]
    macros: int

    def notes(self) -> Iterator[str]:
        if self.macros:
            links = "1 link has" if self.macros == 1 else f"{self.macros} links have"
            yield f"{links} numbers from macros: expand the file (`xacro FILE`) and check the result"

    def remedy(self, link: LinkKey) -> str:
        """Where the numbers of a link are to be edited."""
        found = [f"{what} is {name} at {location}" for what, name, location in self.properties.get(link, ())]
        return f"edit the xacro source: {first_few(found)}" if found else "edit the xacro source"


def open_literal_xacro(
    source: Source, options: Options, context: Context | None = None, *, filename: str = "<bytes>"
) -> LiteralXacro:
    """The links of a xacro file whose inertials are literal, as a URDF document."""
    path = filename if isinstance(source, bytes) else os.fspath(source)
    data = source if isinstance(source, bytes) else read_regular_file(path, confine=options.confine)
    document = Document(data, path)
    root = next((root for root in document.roots if root.name == "robot"), None)
    if root is None:
        raise TextError("there is no <robot> root element", location=document.location(0))
    context = context or Context(options)
    known = _properties(document)
    for included in _included(root, path, context):
        for name, each in _properties(included).items():
            known.setdefault(name, each)
    links, uses, macros = _literal_links(root, known)
    robot = described(Document(_document_of(root, links), path))
    opened = OpenDocument(robot, options, context)
    properties = {link.key: used for link, used in zip(opened.links(), uses, strict=True)}
    return LiteralXacro(opened, properties, macros)


def check_literal_xacro(source: Source, options: Options, context: Context, *, filename: str) -> CheckResult:
    """What is wrong with the literal numbers of a xacro file; each finding says their place."""
    xacro = open_literal_xacro(source, options, context, filename=filename)
    result = check_document(xacro.document)
    findings = tuple(
        finding._replace(remedy=xacro.remedy(finding.key), is_fixable=False)
        for finding in result.findings
        if finding.code in ABOUT_NUMBERS
    )
    return result._replace(findings=findings, notes=tuple(xacro.notes()))


# Properties -----------------------------------------------------------------------------------------------------------


def _properties(document: Document) -> dict[str, Property]:
    """The properties of a file that are numbers; those that are given twice with different ones are none."""
    found: dict[str, Property] = {}
    doubtful: set[str] = set()
    for root in document.roots:
        for element in _below(root):
            name, value = element.attribute("name"), element.attribute("value")
            if element.name != _PROPERTY or not name or value is None:
                continue
            if parse_number(value) is None or (name in found and found[name].text != value):
                doubtful.add(name)
            else:
                found.setdefault(name, Property(value, element.location()))
    return {name: each for name, each in found.items() if name not in doubtful}


def _included(root: Element, path: str, context: Context) -> Iterator[Document]:
    """The files that a file includes itself, where they can be found and read, each once."""
    seen: set[str] = set()
    for element in _below(root):
        name = element.attribute("filename") if element.name == _INCLUDE else None
        if not name:
            continue
        uri = _PACKAGE.sub(lambda match: f"package://{match[1]}", name)
        try:
            if not _PROGRAM.search(uri):
                found = os.path.realpath(context.resources.find(uri, path))
                if found not in seen:
                    seen.add(found)
                    yield Document(read_regular_file(found, confine=context.resources.confinement), found)
        except SdfInertiaError:
            continue


def _below(root: Element, *, leaf: str = "") -> Iterator[Element]:
    """All elements in an element, in the order of the file, but for those in elements named `leaf`."""
    pending = list(reversed(root.children))
    while pending:
        element = pending.pop()
        yield element
        if element.name != leaf:
            pending += reversed(element.children)


# Links ----------------------------------------------------------------------------------------------------------------


def _literal_links(
    root: Element, known: Mapping[str, Property]
) -> tuple[list[tuple[int, bytes]], list[tuple[tuple[str, str, Location], ...]], int]:
    """The links whose inertials are literal, each with its line and as it reads; their properties; how many are not."""
    links: list[tuple[int, bytes]] = []
    uses: list[tuple[tuple[str, str, Location], ...]] = []
    macros = 0
    # A link in a link is none in URDF.
    for element in _below(root, leaf="link"):
        inertial = element.child("inertial") if element.name == "link" else None
        if inertial is None:
            continue
        used = _used(inertial, known)
        if used is None:
            macros += 1
            continue
        links.append((element.line, _as_it_reads(element, inertial, known)))
        uses.append(used)
    return links, uses, macros


def _used(inertial: Element, known: Mapping[str, Property]) -> tuple[tuple[str, str, Location], ...] | None:
    """The properties in an inertial: what each is of, and its place; None where a number is made by a program."""
    found: list[tuple[str, str, Location]] = []
    for element in (inertial, *_below(inertial)):
        if element.name.startswith(_PREFIX):
            return None
        for name in ("value", "ixx", "ixy", "ixz", "iyy", "iyz", "izz", "xyz", "rpy"):
            text = element.attribute(name)
            if text is None:
                continue
            what = element.name if name == "value" else name
            for _, reference in _REFERENCE.findall(text):
                if reference in known:
                    found.append((what, reference, known[reference].location))
            if _PROGRAM.search(_REFERENCE.sub(lambda match: "" if match[2] in known else match[0], text)):
                return None
    return tuple(found)


def _as_it_reads(link: Element, inertial: Element, known: Mapping[str, Property]) -> bytes:
    """A link with its properties in place, on as many lines; what a program makes of its shapes is left out.

    A parameter in its name stands in braces.
    """
    data = link.document.data
    encoding = link.document.encoding
    name = _in_braces(link.attribute("name") or "")
    pieces = [_bytes(f'<link name="{_escaped(name)}">'), _lines_in(data[link.start : link.inner_start])]
    position = link.inner_start
    for child in link.children:
        pieces.append(_lines_in(data[position : child.start]))
        own = data[child.start : child.end]
        text = None
        if child is inertial or child.name in ("visual", "collision"):
            text = _resolved(decode(own, encoding), known)
        if text is None or (child is not inertial and (_PROGRAM.search(text) or f"<{_PREFIX}" in text)):
            pieces.append(_lines_in(own))
        else:
            pieces.append(_bytes(text))
        position = child.end
    pieces += [_lines_in(data[position : link.inner_end]), b"</link>"]
    return b"".join(pieces)


def _resolved(text: str, known: Mapping[str, Property]) -> str:
    """A text with the numbers of properties in their place, and packages as uris name them."""

    def number(match: re.Match[str]) -> str:
        found = known.get(match[2])
        if found is None:
            return match[0]
        return _negated(found.text) if match[1] else found.text

    return _PACKAGE.sub(lambda match: f"package://{match[1]}", _REFERENCE.sub(number, text)).replace(
        "file://package://", "package://"
    )


def _negated(text: str) -> str:
    return text[1:] if text.startswith("-") else f"-{text.removeprefix('+')}"


def _document_of(root: Element, links: list[tuple[int, bytes]]) -> bytes:
    """A robot with the links, each beginning on its own line."""
    pieces = [_bytes(f'<robot name="{_escaped(_name(root))}">')]
    line = 1
    for start, text in links:
        pieces += [b"\n" * max(0, start - line), text]
        line = max(line, start) + len(_lines_in(text))
    return b"".join([*pieces, b"</robot>\n"])


def _name(root: Element) -> str:
    return _in_braces(root.attribute("name") or "robot")


def _in_braces(name: str) -> str:
    """A name in which each parameter stands in braces alone."""
    return _PARAMETER.sub(lambda match: f"{{{match[1].strip()}}}", name)


def _escaped(name: str) -> str:
    return name.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")


def _bytes(text: str) -> bytes:
    """A text of the document that is made, which declares no encoding; bytes that were no text are there again."""
    return text.encode("utf-8", "surrogateescape")


def _lines_in(data: bytes) -> bytes:
    """As many ends of lines as there are, of whatever kind."""
    return b"\n" * len(_LINE_END.findall(data))


def look_at_xacro(source: Source, options: Options, by: By, context: Context, *, filename: str) -> RepairResult:
    """The result for a xacro file, whose bytes stay as they are."""
    path = filename if isinstance(source, bytes) else os.fspath(source)
    data = source if isinstance(source, bytes) else read_regular_file(path, confine=options.confine)
    xacro = open_literal_xacro(data, options, context, filename=path)
    found = repair_document(xacro.document, options, by)
    repairs = tuple(_left(repair, xacro) for repair in found.repairs)
    return replace(
        found,
        path=path,
        original=data,
        content=data,
        links=tuple(repair.result for repair in repairs),
        notes=tuple(xacro.notes()),
        edits=(),
        repairs=repairs,
    )


def _left(repair: Repair, xacro: LiteralXacro) -> Repair:
    """The repair with nothing done, and where somebody would do it."""
    result = repair.result
    if result.status is not Status.REPAIRED:
        return repair
    notes = (*result.notes, f"unchanged, since xacro files are not rewritten: {xacro.remedy(repair.findings[0].key)}")
    return repair._replace(result=result._replace(status=Status.LEFT, text=None, notes=notes))
