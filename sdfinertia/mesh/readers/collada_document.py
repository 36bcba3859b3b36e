"""COLLADA documents, their XML read without entities, files or network: elements, and the numbers in them."""

from __future__ import annotations

import codecs
import re
from typing import Any
from urllib.parse import unquote

from lxml import etree

from sdfinertia.errors import MeshError
from sdfinertia.mesh.kernel import Indices, Points
from sdfinertia.mesh.readers.text_numbers import decimals, integers, quoted, whole_numbers

Element = Any  # lxml.etree._Element, which has types only with stubs that users do not install

_REFERRED_TO = frozenset(
    ("geometry", "controller", "node", "visual_scene", "source", "vertices", "float_array", "material", "effect")
)

# Markup that may precede a DOCTYPE, which is searched before parsing, because the parser expands entities inside
# attribute values while it reads, whatever its settings for entities elsewhere.
_PROLOG = re.compile(rb"(?:\xef\xbb\xbf)?(?:\s+|<\?(?:[^?]|\?(?!>))*\?>|<!--(?:[^-]|-(?!->))*-->)*")

_DECLARED_ENCODING = re.compile(rb"(?:\xef\xbb\xbf)?\s*<\?xml[^>]*?\sencoding\s*=\s*[\"']([^\"'>]*)[\"']")
# The declaration of UTF-16 in a document.
_UTF16_DECLARED = re.compile(r"(\A\s*<\?xml[^>]*?)\sencoding\s*=\s*[\"']utf-?16(?:[lb]e)?[\"']", re.IGNORECASE)
# Encodings that can write `<!DOCTYPE` only in its ASCII bytes, so that searching for these suffices.
_ENCODINGS = re.compile(rb"(utf-?8|(us-)?ascii|(iso[-_]?8859|windows|cp)[-_]?\d+|latin-?1|gbk|gb2312|gb18030)", re.I)


class Document:
    """The elements of one COLLADA file.

    Attributes:
        notes: on content that Gazebo does not read, or that was left out; the keys are the sentences, in order.
    """

    def __init__(self, data: bytes) -> None:
        self.root = _parsed(data)
        self.notes: dict[str, None] = {}
        self._by_id: dict[tuple[str, str], Element] = {}
        self._arrays: dict[Element, Points] = {}
        for element in self.root.iter():
            name, identity = kind(element), element.get("id")
            if identity is not None and name in _REFERRED_TO:
                self._by_id.setdefault((name, identity.strip()), element)

    def find(self, name: str, reference: str, by: Element) -> Element:
        """The element of that kind that `reference` (`#id`) names; exporters repeat ids among kinds."""
        reference = reference.strip()
        if not reference.startswith("#"):
            raise wrong(by, f"refers to {reference[:80]!r} outside this file, which is not followed")
        element = self._by_id.get((name, reference[1:]))
        if element is None and "%" in reference:
            element = self._by_id.get((name, unquote(reference[1:])))
        if element is not None:
            return element
        raise wrong(by, f"refers to the {name} {reference[:80]!r}, which does not exist")

    def array(self, holder: Element) -> Points:
        """(n,) The numbers of a `<float_array>`, read once however many sources use it."""
        if holder not in self._arrays:
            values = numbers(holder)
            if whole(holder, "count", len(values)) != len(values):
                raise wrong(holder, f"has count={holder.get('count')!r}, but holds {len(values)} numbers")
            self._arrays[holder] = values
        return self._arrays[holder]


def kind(element: Element) -> str:
    """The element's name without its namespace, which differs between COLLADA 1.4 and 1.5."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def child(element: Element, name: str) -> Element | None:
    return next((each for each in element if kind(each) == name), None)


def wrong(element: Element, problem: str) -> MeshError:
    return MeshError(f"line {element.sourceline}: COLLADA <{kind(element)}> {problem}")


def numbers(element: Element) -> Points:
    try:
        return decimals((element.text or "").encode())
    except ValueError as error:
        raise wrong(element, f"needs decimal numbers, found {error}") from None


def indices(element: Element) -> Indices:
    try:
        return whole_numbers((element.text or "").encode())
    except ValueError as error:
        raise wrong(element, f"needs whole numbers, found {error}") from None


def whole(element: Element, attribute: str, default: int | None = None) -> int:
    """The non-negative integer in an attribute; required if there is no default."""
    text = element.get(attribute)
    if text is None and default is not None:
        return default
    try:
        value = int(integers([(text or "").strip().encode()])[0])
    except ValueError:
        value = -1
    if value < 0:
        raise wrong(element, f"needs a whole number {attribute}=, found {quoted((text or '').encode())}")
    return value


def _parsed(data: bytes) -> Element:
    data = _in_utf8(data)
    if (declared := _DECLARED_ENCODING.match(data)) and _ENCODINGS.fullmatch(declared.group(1)) is None:
        raise MeshError(f"its XML encoding {declared.group(1)[:40].decode('latin-1')!r} is not read; use UTF-8")
    prolog = _PROLOG.match(data)
    if prolog is not None and data[prolog.end() : prolog.end() + 9] == b"<!DOCTYPE":
        raise doctype_error("a COLLADA file")
    try:
        # White space before the declaration is no XML, but occurs.
        root = safe_xml(data.lstrip(), "a COLLADA file", huge_tree=True)
    except etree.XMLSyntaxError as error:
        raise MeshError(_malformation(error)) from None
    if kind(root) != "COLLADA":
        raise MeshError("the root element is not <COLLADA>")
    return root


def safe_xml(data: bytes, what: str, *, huge_tree: bool) -> Element:
    """The root element, without comments; no entity is resolved, and nothing else is opened.

    Raises:
        XMLSyntaxError: it is not well-formed.
    """
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        remove_comments=True,
        remove_pis=True,
        huge_tree=huge_tree,
    )
    root = etree.fromstring(data, parser)
    if root.getroottree().docinfo.internalDTD is not None:
        raise doctype_error(what)
    return root


def doctype_error(what: str) -> MeshError:
    return MeshError(f"{what} with a DOCTYPE is not read, since a DOCTYPE may define entities")


def _in_utf8(data: bytes) -> bytes:
    """The document in UTF-8 if its first bytes show UTF-16: a DOCTYPE is searched in ASCII bytes."""
    if data.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)) or b"\0\0" in data[:4]:
        raise MeshError("its XML encoding UTF-32 is not read; use UTF-8")
    for mark, start, encoding in (
        (codecs.BOM_UTF16_LE, b"<\0", "utf-16-le"),
        (codecs.BOM_UTF16_BE, b"\0<", "utf-16-be"),
    ):
        if data.startswith((mark, start)):
            try:
                text = data.removeprefix(mark).decode(encoding)
            except UnicodeDecodeError:
                raise MeshError("its text is not UTF-16, although its first bytes say so") from None
            return _UTF16_DECLARED.sub(r"\1", text, count=1).encode()
    if b"\0" in data[:4]:
        raise MeshError("its XML encoding UTF-16 or UTF-32 is not read; use UTF-8")
    return data


def _malformation(error: etree.XMLSyntaxError) -> str:
    """Where the XML is malformed, by libxml2's name for the mistake; its message would quote the file."""
    line, column = error.position
    last = error.error_log.last_error  # type: ignore[attr-defined]  # is not in the stubs
    name = last.type_name.partition("ERR_")[2].replace("_", " ").lower() if last is not None else ""
    return f"not well-formed XML at line {line}, column {column}" + (f": {name}" if name else "")
