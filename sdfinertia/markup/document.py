"""A light tree over XML text: elements with exact byte spans, and edits that splice bytes; several files as one."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from sys import intern
from typing import NamedTuple, TypeVar

from sdfinertia.errors import Location, SdfInertiaError, TextError, ValueTextError
from sdfinertia.markup import text
from sdfinertia.markup.text import CLOSE, LEAF, OPAQUE, OPEN

Node = TypeVar("Node", bound=Hashable)
E = TypeVar("E", bound=SdfInertiaError)
# libsdformat's parser stops at 500; beyond 1,000 levels a file is an attack, not a model.
MAXIMUM_DEPTH = 1000
# The tree of so many takes some two gigabytes; the largest world seen has a hundredth of it.
MAXIMUM_TAGS = 10_000_000

# Of SDF, of the `model.config` beside it, and of URDF.
_OWN_ROOTS = ("sdf", "model", "robot", "mujoco", "mujocoinclude")

_COMMENT = re.compile(rb"<!--(.*?)(?:-->|\Z)|<!\[CDATA\[.*?(?:\]\]>|\Z)|<\?.*?(?:\?>|\Z)", re.DOTALL)
_NO_ATTRIBUTES: Mapping[str, str] = {}


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
    raw_attributes: bytes  # the opening tag behind the name, without its end
    attributes: Mapping[str, str]
    start: int
    inner_start: int
    inner_end: int
    end: int
    holds_markup: bool
    children: Sequence[Element] = ()

    def child(self, name: str) -> Element | None:
        """The first child of that name, which is the one that libsdformat reads."""
        for child in self.children:
            if child.name == name:
                return child
        return None

    def child_text(self, name: str) -> str:
        child = self.child(name)
        return child.text() if child is not None else ""

    def children_named(self, name: str) -> list[Element]:
        return [child for child in self.children if child.name == name]

    def child_names(self) -> tuple[str, ...]:
        return tuple([child.name for child in self.children])

    def attribute(self, name: str) -> str | None:
        return self.attributes.get(name)

    def attribute_span(self, name: str) -> tuple[int, int, int, int] | None:
        """Span of ` name="value"` with the white space before it, then of the value."""
        matches = text.ATTRIBUTE.finditer(self.raw_attributes)
        match = next((each for each in matches if each[1] == name.encode()), None)
        if match is None:
            return None
        offset, _ = self.attributes_span()
        value = match.span(2) if match[2] is not None else match.span(3)
        before = len(self.raw_attributes[: match.start()].rstrip())
        return offset + before, offset + match.end(), offset + value[0], offset + value[1]

    def attributes_span(self) -> tuple[int, int]:
        offset = self.document.data.find(self.raw_attributes, self.start, self.inner_start)
        return offset, offset + len(self.raw_attributes)

    def text(self) -> str:
        data, encoding = self.document.data, self.document.encoding
        if not self.holds_markup:
            return text.trimmed(data[self.inner_start : self.inner_end], encoding)
        return "".join(text.plain_text(data, a, b, encoding) for a, b in self.gaps()).strip(text.BLANK)

    def gaps(self) -> Iterator[tuple[int, int]]:
        position = self.inner_start
        for child in self.children:
            yield position, child.start
            position = child.end
        yield position, self.inner_end

    def comments(self) -> list[Comment]:
        if not self.holds_markup:
            return []
        data, encoding = self.document.data, self.document.encoding
        gaps = [(start, stop) for start, stop in self.gaps() if data.find(b"<!--", start, stop) >= 0]
        matches = [match for start, stop in gaps for match in _COMMENT.finditer(data, start, stop)]
        return [Comment(*match.span(), text.decode(match[1], encoding)) for match in matches if match[1] is not None]

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
            self.encoding = text.encoding_of(data)
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
        encoding = self.encoding
        names: dict[bytes, str] = {}
        # The open elements, and the lists that elements are added to: the roots, and the children of each of these.
        open_elements, lists = list[Element](), [self.roots]
        for match in text.MARKUP.finditer(self.data):
            kind = match.lastindex
            start, stop = match.span()
            if kind is None:
                raise text.malformed(self.data, start).within(location=self.location(start))
            if kind == CLOSE:
                raw_name = match[CLOSE]
                name = names.get(raw_name) or text.decode(raw_name, encoding)
                if not open_elements or name != open_elements[-1].name:
                    raise self._stray_closing_tag(start, name, open_elements[-1] if open_elements else None)
                element = open_elements.pop()
                element.inner_end, element.end = start, stop
                lists.pop()
            elif kind != OPAQUE:
                raw_name, raw_attributes = match.group(1, 2)
                if raw_name not in names:
                    names[raw_name] = intern(text.decode(raw_name, encoding))
                name = names[raw_name]
                inner_start, inner_end = stop, stop
                if kind == LEAF:
                    inner_start, inner_end = match.end(2) + 1, match.start(LEAF)
                attributes = _NO_ATTRIBUTES
                if raw_attributes:
                    pairs = text.attribute_values(raw_attributes, encoding)
                    attributes = dict(pairs)
                    if len(attributes) < len(pairs):
                        raise TextError(f"{self._shown(name)} gives an attribute twice", location=self.location(start))
                element = Element(
                    self, name, raw_attributes, attributes, start, inner_start, inner_end, stop, kind == OPEN
                )
                if len(open_elements) == MAXIMUM_DEPTH:
                    raise TextError(f"elements are nested deeper than {MAXIMUM_DEPTH}", location=self.location(start))
                lists[-1].append(element)
                if kind == OPEN:
                    open_elements.append(element)
                    children: list[Element] = []
                    element.children = children
                    lists.append(children)
        if open_elements:
            problem = f"the file ends before {self._shown(open_elements[-1].name)} is closed, which opens here"
            raise TextError(problem, location=open_elements[-1].location())

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

    # A document may be made of several files; see `markup.joined_document`.

    @property
    def files(self) -> tuple[str, ...]:
        return ()

    def path_at(self, offset: int) -> str:
        return self.path

    def divided(self, edits: Sequence[Edit]) -> Iterator[tuple[Document, Sequence[Edit]]]:
        """Its files, its own first, each with the edits in it."""
        yield self, edits

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
        count += len(text.decode(self.data[start:offset], self.encoding).lstrip("\ufeff"))
        self._counted = offset, count
        return Location(self.path, line, count + 1)

    def line(self, offset: int) -> int:
        return bisect_right(self._line_starts, offset)

    def line_start(self, offset: int) -> int:
        return self._line_starts[self.line(offset) - 1]

    @cached_property
    def _line_starts(self) -> list[int]:
        return text.line_starts(self.data)


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


class JoinedDocument(Document):
    """The bytes of several files one after the other, the main file first.

    `name` is that of the elements that include a file, `targets` for each file the numbers of those that it includes;
    `included` has the root that an element includes, by the start of that element.
    """

    def __init__(self, documents: Sequence[Document], name: str, targets: Sequence[Sequence[int]]) -> None:
        self._documents, self._name, self._targets = documents, name, targets
        self._starts = [0]
        for document in documents[:-1]:
            self._starts.append(self._starts[-1] + len(document.data) + 1)
        super().__init__(b"\n".join(document.data for document in documents), documents[0].path)
        roots = {root.start: root for root in self.roots}
        self.included = {
            self._starts[file] + element.start: roots[self._starts[target] + documents[target].roots[0].start]
            for file, (document, own) in enumerate(zip(documents, targets, strict=True))
            for element, target in zip(elements_named(name, document), own, strict=True)
        }

    def _part(self, offset: int) -> tuple[Document, int]:
        number = bisect_right(self._starts, offset) - 1
        return self._documents[number], self._starts[number]

    @property
    def files(self) -> tuple[str, ...]:
        return tuple(document.path for document in self._documents)

    def path_at(self, offset: int) -> str:
        return self._part(offset)[0].path

    def location(self, offset: int) -> Location:
        document, start = self._part(offset)
        return document.location(offset - start)

    def line(self, offset: int) -> int:
        document, start = self._part(offset)
        return document.line(offset - start)

    def line_start(self, offset: int) -> int:
        document, start = self._part(offset)
        return start + document.line_start(offset - start)

    def divided(self, edits: Sequence[Edit]) -> Iterator[tuple[Document, Sequence[Edit]]]:
        for document, start in zip(self._documents, self._starts, strict=True):
            own = [edit for edit in edits if start <= edit.start <= start + len(document.data)]
            yield document, [Edit(begin - start, end - start, new) for begin, end, new in own]

    def gathered(self, parts: Sequence[Sequence[Edit]]) -> list[Edit]:
        return [
            Edit(begin + start, end + start, new)
            for start, own in zip(self._starts, parts, strict=True)
            for begin, end, new in own
        ]

    def edited(self, edits: Sequence[Edit]) -> JoinedDocument:
        return JoinedDocument(
            [document.edited(own) for document, own in self.divided(edits)], self._name, self._targets
        )


def elements_named(name: str, document: Document) -> Iterator[Element]:
    elements = walked(document.roots[:1], lambda element: element.children)
    return (element for element in elements if element.name == name)


def walked(starts: Iterable[Node], inner: Callable[[Node], Iterable[Node]]) -> Iterator[Node]:
    """All items that can be reached, each once, and before its contents; not by recursion: elements may nest deeply."""
    pending, seen = list(starts)[::-1], set[Node]()
    while pending:
        each = pending.pop()
        if each not in seen:
            seen.add(each)
            yield each
            pending += list(inner(each))[::-1]
