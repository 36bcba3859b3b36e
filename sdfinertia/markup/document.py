"""A light tree over XML text: elements with exact byte spans, and edits that splice bytes."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from operator import itemgetter
from typing import NamedTuple

from sdfinertia.errors import Location, TextError
from sdfinertia.markup import text

# libsdformat's parser stops at 500; beyond 1,000 levels a file is an attack, not a model.
MAXIMUM_DEPTH = 1000
# The tree of so many takes some two gigabytes; the largest world seen has a hundredth of it.
MAXIMUM_TAGS = 10_000_000

# Of SDF, of the `model.config` beside it, and of URDF.
_OWN_ROOTS = ("sdf", "model", "robot", "mujoco", "mujocoinclude")

# A pattern that many runs never need: it is compiled when first used.
_COMMENT = rb"(?s)<!--(.*?)(?:-->|\Z)|<!\[CDATA\[.*?(?:\]\]>|\Z)|<\?.*?(?:\?>|\Z)"


@cache
def _comment() -> re.Pattern[bytes]:
    return re.compile(_COMMENT)


class Comment(NamedTuple):
    """The span includes the brackets, the text does not."""

    start: int
    stop: int
    text: str


class Element:
    __slots__ = ("children", "document", "end", "inner_end", "inner_start", "name", "raw_attributes", "start")

    def __init__(
        self,
        document: Document,
        name: str,
        start: int,
        inner_start: int,
        raw_attributes: bytes,
        inner_end: int,
        end: int,
    ) -> None:
        self.document = document
        self.name = name
        self.start = start
        self.inner_start = inner_start
        self.inner_end = inner_end
        self.end = end
        self.raw_attributes = raw_attributes
        self.children: Sequence[Element] = ()

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
        """Trimmed."""
        raw = self.raw_attributes
        return text.attribute_values(raw, self.document.encoding).get(name) if raw else None

    def attributes(self) -> Mapping[str, str]:
        """Trimmed, by name."""
        raw = self.raw_attributes
        return text.attribute_values(raw, self.document.encoding) if raw else {}

    def attribute_span(self, name: str) -> tuple[int, int, int, int] | None:
        """Span of ` name="value"` with the white space before it, then of the value."""
        match = text.find_attribute(self.raw_attributes, name)
        if match is None:
            return None
        offset = self.document.data.find(self.raw_attributes, self.start, self.inner_start)
        value = match.span(2) if match[2] is not None else match.span(3)
        before = len(self.raw_attributes[: match.start()].rstrip())
        return offset + before, offset + match.end(), offset + value[0], offset + value[1]

    def attributes_span(self) -> tuple[int, int]:
        """From the name to the end of the opening tag."""
        offset = self.document.data.find(self.raw_attributes, self.start, self.inner_start)
        return offset, offset + len(self.raw_attributes)

    def text(self) -> str:
        """The trimmed text directly in it, without comments."""
        data, encoding = self.document.data, self.document.encoding
        if not self.children:
            raw = data[self.inner_start : self.inner_end]
            if text.LESS_THAN in raw or text.AMPERSAND in raw:
                return text.plain_text(data, self.inner_start, self.inner_end, encoding)
            # Nearly every text is plain: read in one step, since most of a file is read here.
            return raw.decode(encoding, "surrogateescape").strip(text.BLANK)
        return "".join(text.plain_text(data, a, b, encoding) for a, b in self.gaps()).strip(text.BLANK)

    def gaps(self) -> Iterator[tuple[int, int]]:
        """The spans between children."""
        position = self.inner_start
        for child in self.children:
            yield position, child.start
            position = child.end
        yield position, self.inner_end

    def comments(self) -> list[Comment]:
        """Those directly in it."""
        data = self.document.data
        found: list[Comment] = []
        first = data.find(b"<!--", self.inner_start, self.inner_end)
        for start, stop in self.gaps() if first >= 0 else ():
            if stop <= first:
                continue
            first = data.find(b"<!--", start, self.inner_end)
            if first < 0:
                break
            if first < stop:
                found += self._comments_in(start, stop)
        return found

    def _comments_in(self, start: int, stop: int) -> list[Comment]:
        encoding = self.document.encoding
        return [
            Comment(*match.span(), match[1].decode(encoding, "surrogateescape"))
            for match in _comment().finditer(self.document.data, start, stop)
            if match[1] is not None
        ]

    @property
    def is_self_closing(self) -> bool:
        return self.inner_end == self.end

    def location(self) -> Location:
        return self.document.location(self.start)

    @property
    def line(self) -> int:
        """Cheaper than the whole location."""
        return self.document.line(self.start)


class Whole(Element):
    """An element in the commonest form, matched whole: its children are made lazily."""

    __slots__ = ("_children", "_match")

    def __init__(self, document: Document, match: re.Match[bytes], name: str, raw_attributes: bytes) -> None:
        # Without `Element.__init__`, for speed: most of a file may be these.
        self.document = document
        self.name = name
        self.raw_attributes = raw_attributes
        self.start, self.end = match.span()
        self._match = match
        self._children: Sequence[Element] | None = None

    @property
    def inner_start(self) -> int:  # type: ignore[override]  # never set
        return self.start + len(self.name) + len(self.raw_attributes) + 2

    @property
    def inner_end(self) -> int:  # type: ignore[override]  # never set
        return self.end - len(self.name) - 3

    @property
    def children(self) -> Sequence[Element]:
        if self._children is None:
            self._children = self.document.parsed(self.inner_start, self.inner_end)
        return self._children

    @children.setter
    def children(self, found: Sequence[Element]) -> None:
        self._children = found

    def _leaf(self, name: str, group: int) -> Element | None:
        """The element that holds the text of a group, and has no attributes."""
        start, stop = self._match.span(group)
        if start < 0:
            return None
        return Element(self.document, name, start - len(name) - 2, start, b"", stop, stop + len(name) + 3)

    def _tag(self, name: str, group: int) -> Element | None:
        """The element without content whose attributes are a group."""
        start, stop = self._match.span(group)
        if start < 0:
            return None
        return Element(self.document, name, start - len(name) - 1, stop + 2, self._match[group], stop + 2, stop + 2)


class Block(Whole):
    """An `<inertial>` of SDF as `fill` writes it."""

    __slots__ = ()

    def __init__(self, document: Document, match: re.Match[bytes]) -> None:
        super().__init__(document, match, "inertial", match[text.BLOCK_ATTRIBUTES])

    @property
    def texts(self) -> Sequence[bytes]:
        """Of pose, mass, and the six entries of the tensor."""
        return self._match.group(*text.BLOCK_TEXTS)

    @property
    def density(self) -> bytes | None:
        return self._match[text.BLOCK_PARTS["density"]]

    @property
    def provenance(self) -> Sequence[bytes] | None:
        """The entries of the first comment but for its two digests, and these; None for the comments of others."""
        found = self._match.group(*text.BLOCK_PROVENANCE)
        return found if found[0] is not None else None

    def child(self, name: str) -> Element | None:
        group = text.BLOCK_PARTS.get(name)
        if group is None:
            return super().child(name) if name == "inertia" else None
        return self._leaf(name, group)

    def child_names(self) -> tuple[str, ...]:
        names = ("pose", "mass", "inertia")
        return names if self.density is None else (*names, "density")

    def comments(self) -> list[Comment]:
        # All are directly in it.
        return self._comments_in(self.inner_start, self.inner_end)


class PlainSolid(Whole):
    """A collision or visual of a primitive, with or without a pose, and nothing else."""

    __slots__ = ()

    def __init__(self, document: Document, match: re.Match[bytes]) -> None:
        name, raw_attributes = match.group(_NAME, _NAME + 1)
        super().__init__(document, match, "collision" if name == b"collision" else "visual", raw_attributes)

    @property
    def parts(self) -> Sequence[bytes | None]:
        """The text of its pose, the attributes of its origin, the name of the shape, and where its dimensions are
        elements the name of the first, its text, and that of length.
        """
        return self._match.group(_POSE, _ORIGIN, _SHAPE, _SHAPE + 2, _SHAPE + 3, _SHAPE + 4)

    @property
    def tags(self) -> Sequence[bytes | None]:
        """The text of its pose, the name of the shape, and the attributes of its origin and its shape."""
        return self._match.group(_POSE, _SHAPE, _ORIGIN, _SHAPE + 1)

    def child(self, name: str) -> Element | None:
        if name == "pose":
            return self._leaf(name, _POSE)
        if name == "origin":
            return self._tag(name, _ORIGIN)
        return super().child(name) if name == "geometry" else None

    def child_names(self) -> tuple[str, ...]:
        if self._match[_POSE] is not None:
            return "pose", "geometry"
        return ("origin", "geometry") if self._match[_ORIGIN] is not None else ("geometry",)

    @property
    def has_origin(self) -> bool:
        return self._match.start(_ORIGIN) >= 0

    def shape_tag(self) -> Element | None:
        """The primitive, where its dimensions are attributes."""
        return self._tag(self._match[_SHAPE].decode(), _SHAPE + 1)

    def comments(self) -> list[Comment]:
        return []


_NAME, _POSE, _ORIGIN, _SHAPE = (text.BLOCK_GROUPS + place for place in (2, 4, 5, 6))


class _Names(dict[bytes, str]):
    """The names of elements by their bytes, each decoded once."""

    def __init__(self, encoding: str) -> None:
        self._encoding = encoding

    def __missing__(self, raw: bytes) -> str:
        name = self[raw] = raw.decode(self._encoding, "surrogateescape")
        return name


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
        # Comparing lengths first spares files of usual size the counting.
        if len(data) > MAXIMUM_TAGS and data.count(b"<") > MAXIMUM_TAGS:
            raise TextError(f"the file has more than {MAXIMUM_TAGS:,} tags", location=Location(path, 1, 1))
        self._mentioned: dict[bytes, bool] = {}
        self.roots: list[Element] = []
        self._parse(0, len(data), self.roots)

    def parsed(self, start: int, stop: int) -> list[Element]:
        """The elements between two places."""
        found: list[Element] = []
        self._parse(start, stop, found)
        return found

    def _parse(self, start: int, stop: int, roots: list[Element]) -> None:
        open_elements: list[Element] = []
        is_deep = False
        # Where the next element goes, and where those after the open ones go.
        siblings, outer = roots, list[list[Element]]()
        names = _Names(self.encoding)
        open_kind, empty_kind, leaf_kind = text.OPEN, text.EMPTY, text.LEAF
        matches, before = text.tokens(self.data, start, stop)
        name_group, attributes_group, leaf_group = before + 1, before + 2, before + text.LEAF
        for match in matches:
            kind = match.lastindex
            start, stop = match.span()
            if kind is None:
                self._refuse_markup(start)
            elif kind < before:
                siblings.append(Block(self, match) if kind == 1 else self._plain_solid(match))
                if len(open_elements) >= MAXIMUM_DEPTH - 3:
                    raise self._too_deep(start)
            elif (kind := kind - before) <= leaf_kind:
                raw_name, attributes = match.group(name_group, attributes_group)
                inner, inner_end = stop, stop
                if kind == leaf_kind:
                    inner, inner_end = match.end(attributes_group) + 1, match.start(leaf_group)
                element = Element(self, names[raw_name], start, inner, attributes, inner_end, stop)
                if attributes and attributes.count(b"=") > 1 and text.has_repeated_attribute(attributes):
                    raise self._repeated(element.name, start)
                siblings.append(element)
                if is_deep and kind != empty_kind:
                    raise self._too_deep(start)
                if kind == open_kind:
                    open_elements.append(element)
                    outer.append(siblings)
                    element.children = siblings = []
                    is_deep = len(open_elements) >= MAXIMUM_DEPTH
            elif kind == text.CLOSE:
                raw_name = match[before + text.CLOSE]
                if not open_elements or names.get(raw_name) != open_elements[-1].name:
                    raise self._stray_closing_tag(start, raw_name, open_elements[-1] if open_elements else None)
                element = open_elements.pop()
                element.inner_end, element.end = start, stop
                siblings = outer.pop()
                is_deep = False
        if open_elements:
            raise self._unclosed(open_elements[-1])

    def _refuse_markup(self, offset: int) -> None:
        try:
            text.refuse_markup(self.data, offset)
        except TextError as error:
            raise error.within(location=self.location(offset)) from None

    def _too_deep(self, offset: int) -> TextError:
        return TextError(f"elements are nested deeper than {MAXIMUM_DEPTH}", location=self.location(offset))

    def _unclosed(self, element: Element) -> TextError:
        problem = f"the file ends before {self._shown(element.name)} is closed, which opens here"
        return TextError(problem, location=element.location())

    def _plain_solid(self, match: re.Match[bytes]) -> PlainSolid:
        solid = PlainSolid(self, match)
        own = solid.raw_attributes
        if own.count(b"=") > 1 and text.has_repeated_attribute(own):
            raise self._repeated(solid.name, solid.start)
        for raw in solid.tags[2:]:
            if raw and raw.count(b"=") > 1 and text.has_repeated_attribute(raw):
                _ = solid.children  # says which
        return solid

    def _repeated(self, name: str, start: int) -> TextError:
        return TextError(f"{self._shown(name)} gives an attribute twice", location=self.location(start))

    def _stray_closing_tag(self, offset: int, raw_name: bytes, parent: Element | None) -> TextError:
        name = text.decode(raw_name, self.encoding)
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

    # A document may be made of several files; see `markup.book`.

    @property
    def files(self) -> tuple[str, ...]:
        """Their paths, its own first; none where it is one file."""
        return ()

    def path_at(self, offset: int) -> str:
        return self.path

    def mentions(self, word: bytes) -> bool:
        """Whether its bytes hold a word; cached."""
        if word not in self._mentioned:
            self._mentioned[word] = word in self.data
        return self._mentioned[word]

    def divided(self, edits: Sequence[Edit]) -> Iterator[tuple[Document, Sequence[Edit]]]:
        """Its files, its own first, each with the edits in it."""
        yield self, edits

    def gathered(self, parts: Sequence[Sequence[Edit]]) -> list[Edit]:
        """The inverse of `divided`."""
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
        """From 1."""
        return bisect_right(self._line_starts, offset)

    def line_start(self, offset: int) -> int:
        return self._line_starts[self.line(offset) - 1]

    @cached_property
    def _line_starts(self) -> list[int]:
        return text.line_starts(self.data)


class Edit(NamedTuple):
    """Bytes to replace a span of the file with."""

    start: int
    stop: int
    replacement: bytes


def splice(data: bytes, edits: Sequence[Edit], start: int = 0, stop: int | None = None) -> bytes:
    """The data from start to stop with all edits made; insertions at one place keep their order."""
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
