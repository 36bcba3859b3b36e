"""XML as text: a light tree of elements with exact byte spans, and edits that splice bytes.

The parser accepts what tinyxml2, libsdformat's parser, accepts, and a little more. Every token has an exact span, so a
file of any encoding that contains ASCII can be edited without touching another byte.
"""

from __future__ import annotations

import codecs
import re
from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from operator import itemgetter
from sys import intern
from typing import NamedTuple, TypeVar

from sdfinertia.errors import Location, SdfInertiaError, TextError, ValueTextError

Node = TypeVar("Node", bound=Hashable)
T = TypeVar("T")
E = TypeVar("E", bound=SdfInertiaError)
# libsdformat's parser stops at 500; beyond 1,000 levels a file is an attack, not a model.
MAXIMUM_DEPTH = 1000
# The tree of so many takes some two gigabytes; the largest world seen has a hundredth of it.
MAXIMUM_TAGS = 10_000_000

# Of SDF, of the `model.config` beside it, and of URDF.
_OWN_ROOTS = ("sdf", "model", "robot", "mujoco", "mujocoinclude")

_NO_ATTRIBUTES: Mapping[str, str] = {}


# Text -----------------------------------------------------------------------------------------------------------------

# ASCII white space, as C's isspace has it in its default locale.
_SPACE = rb"[ \t\r\n\v\f]"
_NAME = rb"[A-Za-z_:\x80-\xff][A-Za-z0-9_:.\-\x80-\xff]*"
_QUOTED = rb"(?:\"[^\"]*\"|'[^']*')"

# One alternative for each kind of markup. Any other "<" falls through to the empty last alternative, so that no "<" is
# skipped. No part can match the same bytes in two ways: a failed match costs linear time.
#
# Groups: 1 name, 2 attributes (kind OPEN), 3 the closing tag of an element that holds nothing but text (kind LEAF),
# 4 "/" of an empty element; 5 name (kind CLOSE); 6 a comment, CDATA section or processing instruction.
MARKUP = re.compile(
    rb"<(?:%(s)s*(%(name)s)(%(s)s+(?:%(name)s%(s)s*=%(s)s*%(quoted)s%(s)s*)*|)(?:>(?:[^<]*(</\1>)|)|(/)>)"
    rb"|%(s)s*/(%(name)s)%(s)s*>"
    rb"|(!--.*?-->|!\[CDATA\[.*?\]\]>|\?.*?\?>)"
    rb"|)" % {b"s": _SPACE, b"name": _NAME, b"quoted": _QUOTED},
    re.DOTALL,
)
# `lastindex` of a match of MARKUP; None where it is malformed.
_OPEN, _LEAF, _EMPTY, _CLOSE = 2, 3, 4, 5

# Groups: 1 name, 2 or 3, by its quote, the raw value. The character before a name cannot be a part of it, so that each
# name is scanned once.
ATTRIBUTE = re.compile(
    rb"(?<![A-Za-z0-9_:.\-\x80-\xff])(%(name)s)%(s)s*=%(s)s*(?:\"([^\"]*)\"|'([^']*)')" % {b"s": _SPACE, b"name": _NAME}
)
_DECLARATION = rb"<\?xml%(s)s[^<>]*?encoding%(s)s*=%(s)s*[\"']([^\"']*)[\"']" % {b"s": _SPACE}
_REFERENCE = r"&(?:#([0-9]{1,7})|#x([0-9A-Fa-f]{1,6})|(lt|gt|amp|quot|apos));"
_ENTITIES = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'"}

# Codecs, by Python's names, in which the bytes of ASCII always mean ASCII, or at least "<", ">" and quotes do.
_ASCII_SUPERSETS = r"iso8859-[0-9]+|cp125[0-9]|koi8-[rtu]|gb2312|gbk|gb18030|big5|shift_jis|euc_jp|euc_kr"

BLANK = " \t\r\n\v\f"


def encoding_of(data: bytes) -> str:
    if data.startswith(codecs.BOM_UTF8):
        return "utf-8"
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or data[:2] in (b"<\0", b"\0<"):
        raise TextError("the file is encoded in UTF-16", remedy="save it as UTF-8")
    start = data[:4096]
    declared = re.search(_DECLARATION, start) if b"encoding" in start else None
    if declared is None:
        return "utf-8"
    name = declared[1].decode("latin-1").strip()
    try:
        codec = codecs.lookup(name).name
    except (LookupError, ValueError):
        codec = ""
    if codec in ("ascii", "utf-8"):
        # ASCII is a part of UTF-8, and libsdformat ignores declarations: bytes beyond ASCII then still read.
        return "utf-8"
    if re.fullmatch(_ASCII_SUPERSETS, codec) is None:
        raise TextError(f"the declared encoding {name!r} is not supported", remedy="save the file as UTF-8")
    return codec


_DECLARED = "remove it; entities are never expanded"
# The problem and remedy of markup that begins so.
_REFUSED = (
    (b"<!--", "a comment is not closed", ""),
    (b"<![CDATA[", "a CDATA section is not closed", ""),
    (b"<?", "a processing instruction is not closed", ""),
    (b"<!DOCTYPE", "DOCTYPE declarations are not allowed in SDF", _DECLARED),
    (b"<!", "markup declarations are not allowed in SDF", _DECLARED),
)


def malformed(data: bytes, start: int) -> TextError:
    for beginning, problem, remedy in _REFUSED:
        if data.startswith(beginning, start):
            return TextError(problem, remedy=remedy)
    if data.find(b">", start) < 0:
        return TextError("the file ends inside a tag")
    return TextError(
        "not well-formed XML: this is not a tag, comment or CDATA section",
        remedy="close the tag, put attribute values in quotes, and write a literal '<' as &lt;",
    )


def decode(raw: bytes, encoding: str) -> str:
    """The text of bytes; undecodable bytes become surrogates."""
    return raw.decode(encoding, "surrogateescape")


def unescape(text: str) -> str:
    return re.sub(_REFERENCE, _character, text)


def _character(match: re.Match[str]) -> str:
    if match[3]:
        return _ENTITIES[match[3]]
    code = int(match[1]) if match[1] else int(match[2], 16)
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else match[0]


def trimmed(raw: bytes, encoding: str) -> str:
    text = raw.decode(encoding, "surrogateescape")
    return (unescape(text) if "&" in text else text).strip(BLANK)


def text_pieces(data: bytes, start: int, stop: int) -> Iterator[tuple[int, int, bool]]:
    """Spans of the text between `start` and `stop`, and whether each is a whole CDATA section.

    Comments and processing instructions are left out.
    """
    position = start
    for match in MARKUP.finditer(data, start, stop):
        if match.start() > position:
            yield position, match.start(), False
        if data.startswith(b"<![CDATA[", match.start()):
            yield match.start(), match.end(), True
        position = match.end()
    if position < stop:
        yield position, stop, False


def plain_text(data: bytes, start: int, stop: int, encoding: str) -> str:
    """The text without comments, references resolved, trimmed."""
    raw = data[start:stop]
    if b"<" not in raw:
        return trimmed(raw, encoding)
    pieces = [
        decode(data[a + 9 : b - 3], encoding) if cdata else unescape(decode(data[a:b], encoding))
        for a, b, cdata in text_pieces(data, start, stop)
    ]
    return "".join(pieces).strip(BLANK)


def line_starts(data: bytes) -> list[int]:
    lines = data.splitlines(keepends=True)
    starts = [0, *accumulate(map(len, lines))]
    if lines and not lines[-1].endswith((b"\n", b"\r")):
        starts.pop()
    return starts


# The tree -------------------------------------------------------------------------------------------------------------


class Comment(NamedTuple):
    """The span includes the brackets, the text does not."""

    start: int
    stop: int
    text: str


@dataclass(slots=True, eq=False, repr=False)
class Element:
    """An element, with the spans of its tags and of what is between them."""

    document: Document
    name: str
    attributes: Mapping[str, str]
    start: int
    inner_start: int
    inner_end: int
    end: int
    holds_markup: bool
    children: Sequence[Element] = ()
    comments: Sequence[Comment] = ()

    def child(self, name: str) -> Element | None:
        """The first child of that name, which is the one that libsdformat reads."""
        for child in self.children:
            if child.name == name:
                return child
        return None

    def first_children(self) -> dict[str, Element]:
        """The first child of each name, by name."""
        return {child.name: child for child in reversed(self.children)}

    def child_text(self, name: str) -> str:
        child = self.child(name)
        return child.text() if child is not None else ""

    def children_named(self, name: str) -> list[Element]:
        return [child for child in self.children if child.name == name]

    def attribute(self, name: str) -> str | None:
        return self.attributes.get(name)

    def attribute_span(self, name: str) -> tuple[int, int, int, int] | None:
        """Span of ` name="value"` with the white space before it, then of the value."""
        matches = ATTRIBUTE.finditer(self.raw_attributes)
        match = next((each for each in matches if each[1] == name.encode()), None)
        if match is None:
            return None
        offset, _ = self.attributes_span()
        value = match.span(2) if match[2] is not None else match.span(3)
        before = len(self.raw_attributes[: match.start()].rstrip())
        return offset + before, offset + match.end(), offset + value[0], offset + value[1]

    def attributes_span(self) -> tuple[int, int]:
        """Of the opening tag behind the name, without its end."""
        match = MARKUP.match(self.document.data, self.start)
        assert match is not None
        return match.span(2)

    @property
    def raw_attributes(self) -> bytes:
        start, stop = self.attributes_span()
        return self.document.data[start:stop]

    def text(self) -> str:
        data, encoding = self.document.data, self.document.encoding
        if not self.holds_markup:
            return trimmed(data[self.inner_start : self.inner_end], encoding)
        return "".join(plain_text(data, a, b, encoding) for a, b in self.gaps()).strip(BLANK)

    def gaps(self) -> Iterator[tuple[int, int]]:
        position = self.inner_start
        for child in self.children:
            yield position, child.start
            position = child.end
        yield position, self.inner_end

    @property
    def is_self_closing(self) -> bool:
        return self.inner_end == self.end

    def location(self) -> Location:
        return self.document.location(self.start)

    def error(self, problem: str, remedy: str = "", kind: type[E] = ValueTextError) -> E:  # type: ignore[assignment]
        return kind(problem, location=self.location(), remedy=remedy)

    @property
    def line(self) -> int:
        return self.document.line(self.start)


class Document:
    def __init__(self, data: bytes, path: str) -> None:
        self.data = data
        self.path = path
        self.encoding = "utf-8"
        # The place that was located last, and the characters before it in its line.
        self._counted = -1, 0
        try:
            self.encoding = encoding_of(data)
        except TextError as error:
            raise error.within(location=Location(path, 1, 1)) from None
        nul = data.find(b"\0")
        if nul >= 0:
            raise TextError("the file contains NUL bytes: it is not text", location=self.location(nul))
        if data.count(b"<") > MAXIMUM_TAGS:
            raise TextError(f"the file has more than {MAXIMUM_TAGS:,} tags", location=Location(path, 1, 1))
        self.roots: list[Element] = []
        self._parse()

    def _parse(self) -> None:
        data, encoding = self.data, self.encoding
        names: dict[bytes, str] = {}
        # The open elements, each with the elements and comments around it.
        open_elements: list[Element] = []
        around: list[tuple[list[Element], list[Comment]]] = []
        siblings: list[Element] = self.roots
        comments: list[Comment] = []
        for match in MARKUP.finditer(data):
            kind = match.lastindex
            start, stop = match.span()
            if kind is None:
                raise malformed(data, start).within(location=self.location(start))
            if kind <= _EMPTY:
                raw_name, raw_attributes = match.group(1, 2)
                name = names.get(raw_name) or names.setdefault(raw_name, intern(decode(raw_name, encoding)))
                attributes = self._attributes(raw_attributes, name, start) if raw_attributes else _NO_ATTRIBUTES
                if kind == _LEAF:
                    element = Element(self, name, attributes, start, match.end(2) + 1, match.start(_LEAF), stop, False)
                else:
                    element = Element(self, name, attributes, start, stop, stop, stop, kind == _OPEN)
                if len(open_elements) == MAXIMUM_DEPTH:
                    raise element.error(f"elements are nested deeper than {MAXIMUM_DEPTH}", kind=TextError)
                siblings.append(element)
                if kind == _OPEN:
                    open_elements.append(element)
                    around.append((siblings, comments))
                    siblings = element.children = []
                    comments = element.comments = []
            elif kind == _CLOSE:
                if not open_elements or names.get(match[_CLOSE]) != open_elements[-1].name:
                    name = decode(match[_CLOSE], encoding)
                    raise self._stray_closing_tag(start, name, open_elements[-1] if open_elements else None)
                element = open_elements.pop()
                element.inner_end, element.end = start, stop
                siblings, comments = around.pop()
            elif data.startswith(b"<!--", start):
                comments.append(Comment(start, stop, decode(data[start + 4 : stop - 3], encoding)))
        if open_elements:
            problem = f"the file ends before {self._shown(open_elements[-1].name)} is closed, which opens here"
            raise TextError(problem, location=open_elements[-1].location())

    def _attributes(self, raw: bytes, name: str, start: int) -> dict[str, str]:
        found = ATTRIBUTE.findall(raw)
        attributes = {
            intern(decode(name, self.encoding)): trimmed(in_double_quotes or in_single_quotes, self.encoding)
            for name, in_double_quotes, in_single_quotes in found
        }
        if len(attributes) < len(found):
            raise TextError(f"{self._shown(name)} gives an attribute twice", location=self.location(start))
        return attributes

    def _stray_closing_tag(self, offset: int, name: str, parent: Element | None) -> TextError:
        closing = self._shown(name, slash="/")
        if parent is None:
            problem = f"{closing} closes nothing"
        else:
            problem = f"{closing} closes {self._shown(parent.name)}, opened at line {parent.line}"
        return TextError(problem, location=self.location(offset))

    def _shown(self, name: str, slash: str = "") -> str:
        """A tag by its name only in robot files, since any file can be passed by mistake."""
        is_sdf = bool(self.roots) and self.roots[0].name in _OWN_ROOTS
        return f"<{slash}{name}>" if is_sdf else f"a {'closing ' if slash else ''}tag"

    # A document may be made of several files: see `joined_document`.

    @property
    def files(self) -> tuple[str, ...]:
        return ()

    def path_at(self, offset: int) -> str:
        return self.path

    def divided(self, edits: Sequence[Edit]) -> list[tuple[Document, Sequence[Edit]]]:
        """Its files, its own first, each with the edits in it."""
        return [(self, edits)]

    def gathered(self, parts: Sequence[Sequence[Edit]]) -> list[Edit]:
        return [*parts[0]]

    def edited(self, edits: Sequence[Edit]) -> Document:
        return Document(splice(self.data, edits), self.path)

    def location(self, offset: int) -> Location:
        line = self.line(offset)
        start, count = self._line_starts[line - 1], 0
        # A file may be one line: places are requested in its order, so only the bytes between two of them are decoded.
        if start <= self._counted[0] <= offset:
            start, count = self._counted
        count += len(decode(self.data[start:offset], self.encoding).lstrip("\ufeff"))
        self._counted = offset, count
        return Location(self.path, line, count + 1)

    def line(self, offset: int) -> int:
        return bisect_right(self._line_starts, offset)

    def line_start(self, offset: int) -> int:
        return self._line_starts[self.line(offset) - 1]

    @cached_property
    def _line_starts(self) -> list[int]:
        return line_starts(self.data)


class Edit(NamedTuple):
    start: int
    stop: int
    replacement: bytes


def splice(data: bytes, edits: Sequence[Edit], start: int = 0, stop: int | None = None) -> bytes:
    if not edits:
        return data[start:stop]
    pieces: list[bytes] = []
    position = start
    for begin, end, replacement in sorted(edits, key=itemgetter(0)):
        if begin < position:
            raise ValueError(f"edits overlap at byte {begin}")
        pieces += (data[position:begin], replacement)
        position = end
    pieces.append(data[position:stop])
    return b"".join(pieces)


def elements_named(name: str, document: Document) -> Iterator[Element]:
    elements = walked(document.roots[:1], lambda element: element.children)
    return (element for element in elements if element.name == name)


def walked(starts: Iterable[Node], inner: Callable[[Node], Iterable[Node]]) -> Iterator[Node]:
    """All items that can be reached, each once, and before its contents; not by recursion: elements may nest deeply."""
    pending = list(starts)[::-1]
    seen: set[Node] = set()
    while pending:
        each = pending.pop()
        if each not in seen:
            seen.add(each)
            yield each
            pending += list(inner(each))[::-1]


def grouped(pairs: Iterable[tuple[Node, T]]) -> dict[Node, list[T]]:
    found: dict[Node, list[T]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


def neighbours(pairs: Iterable[tuple[Node, Node]]) -> Callable[[Node], Sequence[Node]]:
    found = grouped(each for one, other in pairs for each in ((one, other), (other, one)))
    return lambda end: found.get(end, ())
