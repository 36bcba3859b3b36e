"""Other possible uses of a macro, a file or a property in a repository, with any arguments, by the text of its files.

The text is read without conditions: each branch could be taken. An expansion then says which uses were taken.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase

from sdfinertia.errors import SdfInertiaError
from sdfinertia.files.regular_file import read_regular_file
from sdfinertia.files.walk import walk
from sdfinertia.lazy import cached_property
from sdfinertia.markup.document import Document, Element
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.robot.suffixes import URDF_SUFFIXES, XACRO_SUFFIX
from sdfinertia.xacro.expansion import MAX_BYTES, Expansion, pattern_of, robots_among
from sdfinertia.xacro.macros import arguments_in

# Suffixes of files that may be included, beside the files that an expansion read.
_SUFFIXES = (".xacro", ".urdf", ".xml", ".gazebo", ".trans", ".inc")
_OWN = frozenset(
    f"xacro:{name}"
    for name in ("property", "macro", "arg", "if", "unless", "include", "insert_block", "element", "attribute", "call")
)
_CONDITIONS = ("xacro:if", "xacro:unless")
# Expressions and substitutions, which end with the text where they are not closed, so that no end is sought twice.
_EXPRESSION = re.compile(r"\$\{([^}]*)(?:\}|\Z)|\$\(([^)]*)(?:\)|\Z)")
_QUOTED = re.compile(r"'[^']*(?:'|\Z)|\"[^\"]*(?:\"|\Z)")
_NAME = re.compile(r"[^\W\d]\w*")
_COMMENT = re.compile(rb"(?s)<!--.*?(?:-->|\Z)")
_EVALUATED = b"xacro:eval-comments"

# Holders of text: ("macro", name), ("file", path), or the inserting of blocks.
Context = tuple[str, str]
_BLOCKS: Context = ("block", "")


class _Use(NamedTuple):
    """A macro call, an include or an inserted block.

    Attributes:
        target: the name of the macro or the pattern of the include; "" for any macro.
        context: the macro or file around it.
        is_conditional: it stands in a branch, or in a property, which is inserted elsewhere.
    """

    kind: str
    target: str
    file: str
    offset: int
    line: int
    context: Context
    is_conditional: bool

    def __str__(self) -> str:
        return f"{os.path.basename(self.file)}:{self.line}"


class _Text:
    """A file: its uses of others, the names in its expressions, and its properties."""

    def __init__(self, path: str, data: bytes) -> None:
        self.path = path
        self._data = data
        self.document = Document(data, path)
        self.uses: list[_Use] = []
        self.properties: list[tuple[str, Element]] = []
        self.declared: set[str] = set()
        self.macros: list[str] = []
        # Why not all names are known.
        self.hidden = ""
        pending: list[tuple[Element, Context, bool]] = [(root, ("file", path), False) for root in self.document.roots]
        while pending:
            element, context, is_conditional = pending.pop()
            self._add(element, context, is_conditional)
            if element.name == "xacro:macro":
                context, is_conditional = ("macro", element.attribute("name") or ""), False
            elif element.name in _CONDITIONS or element.name == "xacro:property":
                is_conditional = True
            pending += ((child, context, is_conditional) for child in element.children)

    def _add(self, element: Element, context: Context, is_conditional: bool) -> None:
        name = element.name
        if not name.startswith("xacro:"):
            return
        kind, target = "macro", name[6:].rpartition(".")[2]
        if name == "xacro:macro":
            self.macros.append((element.attribute("name") or "").removeprefix("xacro:"))
        if name == "xacro:arg":
            self.declared.add(element.attribute("name") or "")
        if name == "xacro:property":
            defined = element.attribute("name") or ""
            self.properties.append((defined, element))
            if "$" in defined:
                self.hidden = f"the name of a property is computed ({element.location()})"
        if name == "xacro:include":
            kind, target = "file", element.attribute("filename") or ""
            if "ns" in element.attributes():
                self.hidden = f"an include has a namespace ({element.location()})"
        elif name == "xacro:insert_block":
            kind, target = _BLOCKS
        elif name == "xacro:call":
            target = element.attribute("macro") or ""
        elif name == "xacro:element":
            target = element.attribute("xacro:name") or ""
            if "$" not in target and not target.startswith("xacro:"):
                return
            target = target.removeprefix("xacro:")
        elif name in _OWN:
            return
        if kind == "macro" and "$" in target:
            target = ""
        use = _Use(kind, target, self.path, element.start, element.line, context, is_conditional)
        self.uses.append(use)

    def contexts_at(self, offset: int) -> list[Context]:
        """The macro or file around an element; that of inserted blocks too where it is in a call or a property."""
        context: Context = ("file", self.path)
        is_given = False
        elements: Sequence[Element] = self.document.roots
        while (element := next((each for each in elements if each.start <= offset < each.end), None)) is not None:
            if element.name == "xacro:macro":
                context, is_given = ("macro", element.attribute("name") or ""), False
            elif element.name == "xacro:property" or (element.name.startswith("xacro:") and element.name not in _OWN):
                is_given = True
            elements = element.children
        return [context, _BLOCKS] if is_given else [context]

    @cached_property
    def names(self) -> Counter[str]:
        """How often expressions and parameters of macros name anything, in one pass."""
        data = self._data if _EVALUATED in self._data else _COMMENT.sub(b"", self._data)
        found = names_in(data)
        pending = list(self.document.roots)
        while pending:
            element = pending.pop()
            if element.name == "xacro:macro":
                found.update(_NAME.findall(element.attribute("params") or ""))
            pending += element.children
        return found

    @cached_property
    def arguments(self) -> set[str]:
        """The arguments that it declares or uses."""
        return self.declared | arguments_in(self._data)

    @cached_property
    def is_composed(self) -> bool:
        """Whether an expression is put together from others, so that it could name anything."""
        return any(
            "$" in _QUOTED.sub("", inside or "") for inside, _ in _EXPRESSION.findall(self._data.decode("latin-1"))
        )


def unknown_names(text: _Text) -> str | None:
    """Why expressions of a file could name anything."""
    if text.hidden or text.is_composed:
        return text.hidden or f"an expression in {os.path.basename(text.path)} is put together from others"
    return None


def names_in(data: bytes) -> Counter[str]:
    """How often expressions name anything."""
    found = Counter[str]()
    for match in _EXPRESSION.finditer(data.decode("utf-8", "surrogateescape")):
        found.update(_NAME.findall(match[1] or match[2] or ""))
    return found


class Texts:
    """The files of a directory that xacro may read, and the files that each could include; read lazily."""

    def __init__(self, directory: str, known: Mapping[str, bytes], confine: str | None) -> None:
        self._known = dict(known)
        self._confine = confine
        self._texts: dict[str, _Text | None] = {}
        self._targets: dict[tuple[str, str], list[str]] = {}
        found = {os.path.realpath(entry.path) for folder in walk(directory) for entry in folder.files(_SUFFIXES)}
        self._paths = sorted(found | self._known.keys())

    @cached_property
    def robots(self) -> list[str]:
        """The files that make robots."""
        xacro = [each for each in self._paths if each.endswith(XACRO_SUFFIX) and not each.endswith(".srdf.xacro")]
        xacro += (each for each in self._paths if each.endswith(URDF_SUFFIXES) and self._includes(each))
        # One that cannot be read makes none.
        return robots_among(xacro, lambda _: None, self._confine)

    def _includes(self, path: str) -> bool:
        try:
            return b"<xacro:include" in read_regular_file(path, MAX_BYTES, confine=self._confine)
        except SdfInertiaError:
            return False

    def of(self, path: str) -> _Text | None:
        """None: it cannot be read."""
        if path not in self._texts:
            try:
                data = self._known.get(path)
                if data is None:
                    data = read_regular_file(path, MAX_BYTES, confine=self._confine)
                self._texts[path] = _Text(path, data)
            except SdfInertiaError:
                self._texts[path] = None
        return self._texts[path]

    def named_by(self, use: _Use) -> list[str]:
        """The files that an include could mean."""
        key = (use.target, os.path.dirname(use.file))
        if key not in self._targets:
            self._targets[key] = self._matching(*key)
        return self._targets[key]

    def _matching(self, name: str, directory: str) -> list[str]:
        pattern = pattern_of(name, directory)
        if pattern == name or not any(sign in pattern for sign in "*?["):
            place = os.path.realpath(os.path.join(directory, name))
            return [place] if place in self._known or os.path.isfile(place) else []
        return [path for path in self._paths if fnmatchcase(path, pattern)]


class Reach:
    """All that the text of one robot could use.

    Attributes:
        files: that it could include.
        unknown: an include that could mean a file elsewhere, or "".
    """

    def __init__(self, robot: str, texts: Texts) -> None:
        self.robot = robot
        self.files: dict[str, _Text] = {}
        self.unknown = ""
        self.uses: list[_Use] = []
        waiting: dict[Context, list[_Use]] = {}
        reached: set[Context] = set()
        pending: list[Context] = [("file", robot)]
        is_any = False
        while pending:
            context = pending.pop()
            if context in reached:
                continue
            reached.add(context)
            if context[0] == "file":
                text = texts.of(context[1])
                if text is None:
                    self.unknown = self.unknown or f"{os.path.basename(context[1])} cannot be read"
                    continue
                self.files[context[1]] = text
                for use in text.uses:
                    waiting.setdefault(use.context, []).append(use)
                    if use.context in reached and use.context != context:
                        pending += self._next(use, texts)
                if is_any:
                    pending += [use.context for use in text.uses]
            for use in waiting.get(context, ()):
                pending += self._next(use, texts)
                if use.kind == "macro" and not use.target and not is_any:
                    is_any = True
                    pending += list(waiting)

    def _next(self, use: _Use, texts: Texts) -> list[Context]:
        """Notes a use that can be reached, and returns the contexts that it leads to."""
        self.uses.append(use)
        if use.kind != "file":
            return [("macro", use.target)] if use.target else []
        found = texts.named_by(use)
        if not found and not self.unknown:
            self.unknown = f"the include at {use} could mean any file"
        return [("file", path) for path in found]

    def could_use(self, context: Context, texts: Texts) -> Iterator[_Use]:
        for use in self.uses:
            if use.kind != context[0]:
                continue
            if use.kind == "file":
                if context[1] in texts.named_by(use):
                    yield use
            elif use.target in ("", context[1]):
                yield use


class Taken:
    """The uses that expansions took, and how often, by real path and offset."""

    def __init__(self, expansions: Iterable[Expansion]) -> None:
        self._uses = Counter[tuple[str, int, str]]()
        self._instances = Counter[Context]()
        for expansion in expansions:
            for kind, target, path, offset in expansion.uses():
                self._uses[path, offset, target if kind == "file" else ""] += 1
                self._instances[kind, target] += 1
            self._instances["file", os.path.realpath(expansion.files[0])] += 1

    def refusal(self, reaches: Sequence[Reach], context: Context, texts: Texts) -> str:
        """Why some argument could make another use of a context than those taken; "" if none could."""
        pending, done = [context], set[Context]()
        while pending:
            context = pending.pop()
            if context in done:
                continue
            done.add(context)
            texts_of = {path: text for reach in reaches for path, text in reach.files.items()}.values()
            if context[0] == "macro" and sum(text.macros.count(context[1]) for text in texts_of) > 1:
                return f"macro {context[1]!r} is defined several times"
            for use in dict.fromkeys(use for reach in reaches for use in reach.could_use(context, texts)):
                what = f"{context[0]} {os.path.basename(context[1])!r}" if context[1] else "block"
                if use.kind == "macro" and not use.target:
                    return f"a computed call could use it ({use})"
                times = self._uses[use.file, use.offset, context[1] if use.kind == "file" else ""]
                if not times or (use.is_conditional and times != self._instances[use.context]):
                    return f"with other arguments {use} could use its {what}"
                pending.append(use.context)
        return ""
