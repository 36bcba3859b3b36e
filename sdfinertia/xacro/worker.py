"""The process that expands a xacro file: it reads a request as JSON and writes the URDF and the place of each element.

xacro's own functions do the work. Those that read files, evaluate text or remove comments are replaced; others are
wrapped to record which element is processed. Places are user data of the nodes, which xacro copies with them.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, redirect_stdout
from types import SimpleNamespace
from typing import Any
from xml.dom import Node, UserDataHandler
from xml.dom.expatbuilder import ExpatBuilderNS
from xml.parsers.expat import ExpatError

from sdfinertia.errors import SdfInertiaError
from sdfinertia.files import read_regular_file
from sdfinertia.xacro.sandbox import (
    REFUSED_FUNCTIONS,
    Guard,
    Quotes,
    RefusedError,
    chain,
    evaluate_arithmetic,
    lacks_something,
    limit_resources,
    problem_and_remedy,
)
from sdfinertia.xacro.substitutions import Substitutions, parse_macro_arg, values_of

# The largest robot seen has a hundredth of these.
_MAX_BYTES = 64 << 20
_MAX_ELEMENTS = 500_000
_MAX_CALLS = 20_000
_MAX_LINKS = 5_000
# A macro call takes some ten frames. Python's own limit of 1,000 is that of xacro.
_DEEPEST = 6_000
_MAX_WARNINGS = 5
# Functions of xacro that are called, and those that attributes of `_Expansion` with the same names replace.
_CALLED = (
    *("safe_eval", "load_yaml", "init_stacks", "process_doc"),
    *("_global_symbols", "ConstructUnits", "YamlListWrapper"),
)
_REPLACED = (
    *("parse", "eval_extension", "warning", "abs_filename_spec", "remove_previous_comments", "parse_macro_arg"),
    *("eval_all", "eval_text", "handle_macro_call", "process_include", "check_attrs"),
)
# The user data of a node: its file, its byte, and the macro call or include that it comes through.
PLACE = "place"
# As in `robot.names`, which would take time to load: comments that begin with it are for us.
OWN_MARK = "sdfinertia:"


class _Copied(UserDataHandler):
    def handle(self, operation: int, key: str, data: object, source: Any, copy: Any) -> None:
        if operation == self.NODE_CLONED:
            copy.setUserData(key, data, self)


COPIED = _Copied()


class _Builder(ExpatBuilderNS):
    """Parses a file; each node gets its offset in the file."""

    def __init__(self, file: int) -> None:
        super().__init__()
        self._file = file

    def _mark(self, node: Any) -> None:
        node.setUserData(PLACE, (self._file, self.getParser().CurrentByteIndex, 0), COPIED)

    def start_element_handler(self, name: str, attributes: Any) -> None:
        super().start_element_handler(name, attributes)
        self._mark(self.curNode)

    def comment_handler(self, data: str) -> None:
        super().comment_handler(data)
        if OWN_MARK in data:
            self._mark(self.curNode.childNodes[-1])

    def start_doctype_decl_handler(self, *_: object) -> None:
        raise RefusedError("DOCTYPE declarations are not allowed in xacro", "remove it; entities are never expanded")


# Of elements and attributes, as computed ones could be anything.
_NAME = re.compile(r"[^\W\d][\w.:-]*")
# Characters that XML 1.0 cannot contain, halves of surrogate pairs among them.
_NO_TEXT = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class _Writer:
    """Writes each element on its own line, so that the line identifies its place."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        # Line, file, byte, call.
        self.places: list[tuple[int, int, int, int]] = []
        self._line = 1

    def _put(self, text: str) -> None:
        self.pieces.append(text)
        self._line += text.count("\n")

    def write(self, node: Any, indent: str = "") -> None:
        kind = node.nodeType
        if kind == Node.TEXT_NODE and not node.data.strip():
            # As xacro does.
            return
        place = node.getUserData(PLACE)
        if place is not None:
            self.places.append((self._line, *place))
        if kind == Node.ELEMENT_NODE:
            self._write_element(node, indent)
        elif kind == Node.COMMENT_NODE:
            if "--" in node.data or node.data.endswith("-"):
                raise RefusedError("a comment holds --, which XML forbids")
            self._put(f"{indent}<!--{node.data}-->\n")
        elif kind == Node.CDATA_SECTION_NODE:
            self._put(f"<![CDATA[{node.data}]]>\n")
        elif kind == Node.PROCESSING_INSTRUCTION_NODE:
            self._put(f"{indent}<?{node.target} {node.data}?>\n")
        else:
            self._put(f"{indent}{node.data.translate(_ESCAPES)}\n")

    def _write_element(self, node: Any, indent: str) -> None:
        if not all(map(_NAME.fullmatch, (node.tagName, *node.attributes.keys()))):
            raise RefusedError("a computed name is not one of an element or attribute")
        attributes = "".join(f' {name}="{value.translate(_ESCAPES)}"' for name, value in node.attributes.items())
        self._put(f"{indent}<{node.tagName}{attributes}")
        children = node.childNodes
        if not children:
            self._put("/>\n")
        elif all(child.nodeType == Node.TEXT_NODE for child in children):
            self._put(f">{''.join(child.data.translate(_ESCAPES) for child in children)}</{node.tagName}>\n")
        else:
            self._put(">\n")
            for child in children:
                self.write(child, indent + "  ")
            self._put(f"{indent}</{node.tagName}>\n")


_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\r": "&#13;"})


class _Expansion:
    def __init__(self, xacro: Any, request: dict[str, Any]) -> None:
        self.xacro = xacro
        self._own = SimpleNamespace(**{name: getattr(xacro, name) for name in _REPLACED})
        self._request = request
        self.quotes = Quotes()
        self.guard = Guard(request["confine"], self.quotes.quoted)
        self.files: dict[str, int] = {}
        self.contents = self.quotes.contents
        self._substitutions = Substitutions(xacro, request, self.guard, self.quotes)
        self.eval_extension = self._substitutions.value_of
        self.parse_macro_arg = parse_macro_arg
        # Of each call: the call around it, the macro ("" for an include), and its place.
        self.calls: list[tuple[int, str, int, int]] = [(0, "", 0, 0)]
        self.call = 0
        self.current: tuple[int, int, int] | None = None
        self.elements = self.links = 0
        self.warnings: list[str] = []
        # The files of values that it read, by path.
        self.values: dict[str, str] = {}

    def install(self) -> None:
        xacro = self.xacro
        for name in _REPLACED:
            setattr(xacro, name, getattr(self, name))
        symbols = xacro._global_symbols
        for table in (symbols, symbols.get("xacro", {})):
            if "load_yaml" in table:
                dict.__setitem__(table, "load_yaml", self._load_yaml)
        dict.__setitem__(symbols.get("xacro", {}), "arg", self._substitutions.argument)
        if not self._request["trusts"]:
            xacro.safe_eval = evaluate_arithmetic
            for table in (symbols, symbols.get("python", {})):
                for name in REFUSED_FUNCTIONS:
                    dict.pop(table, name, None)

    def parse(self, _: object, filename: str) -> Any:
        path = os.path.abspath(filename)
        if path not in self.files:
            if path not in self._request["overlay"] and not os.path.lexists(path):
                # The error that xacro expects of optional includes.
                self.xacro.filestack.pop()
                raise self.xacro.XacroException(f"file not found: {path}", exc=FileNotFoundError())
            self.contents.append(self._data(path).decode("latin-1"))
            self.files[path] = len(self.files)
        number = self.files[path]
        try:
            return _Builder(number).parseString(self.contents[number].encode("latin-1"))
        except ExpatError as error:
            before = self.contents[number].split("\n")[: error.lineno - 1]
            self.current = (number, sum(len(line) + 1 for line in before) + error.offset, self.call)
            raise RefusedError(
                f"not well-formed XML: {str(error).partition(':')[0]}",
                "close every tag, and declare xmlns:xacro and other prefixes in the root element",
            ) from None

    def _data(self, path: str) -> bytes:
        overlay: dict[str, str] = self._request["overlay"]
        if path in overlay:
            return overlay[path].encode("latin-1")
        with self.guard.ours():
            return read_regular_file(path, _MAX_BYTES, confine=self._request["confine"])

    def warning(self, *words: object, **_: object) -> None:
        text = self.quotes.without_values(" ".join(map(str, words)))
        if text not in self.warnings and len(self.warnings) < _MAX_WARNINGS:
            self.warnings.append(text)

    def abs_filename_spec(self, name: str) -> str:
        path = name.removeprefix("file://")
        if name.startswith("package://"):
            package, _, inside = name.removeprefix("package://").partition("/")
            path = os.path.join(self._substitutions.package(package), inside)
        path = str(self._own.abs_filename_spec(path))
        self.guard.require_permitted(re.split(r"[*?[]", path)[0])
        if self._request["confine"] is not None and re.search(r"[*?[]", os.path.dirname(path)):
            problem = f"{self.quotes.quoted(name)} has a wildcard for directories, which --confine forbids"
            raise RefusedError(problem, "name the directory")
        return path

    def _load_yaml(self, name: str) -> object:
        xacro = self.xacro
        path = self.abs_filename_spec(str(name))
        shown = path if self.quotes.may_quote(str(name)) else "a file of values"
        units = {unit.value.tag: unit.value.conversion_constant for unit in xacro.ConstructUnits}
        self.quotes.has_values = True
        with self.guard.ours():
            try:
                data = self._data(path)
            except SdfInertiaError as error:
                raise RefusedError(f"{shown} {error.problem}", error.remedy) from None
            self.values[path] = data.decode("utf-8", "replace")
            found = values_of(data, shown, units, lambda text: xacro.safe_eval(text, xacro._global_symbols))
        return xacro.YamlListWrapper.wrap(found)

    def remove_previous_comments(self, node: Any) -> None:
        """Keeps our own comments."""
        previous = node.previousSibling
        while previous is not None and previous.nodeType != Node.ELEMENT_NODE:
            if previous.nodeType == Node.COMMENT_NODE and OWN_MARK in previous.data:
                return
            previous = previous.previousSibling
        self._own.remove_previous_comments(node)

    def eval_text(self, text: str, symbols: Any) -> object:
        value: object = self._own.eval_text(text, symbols)
        if isinstance(value, str) and (found := _NO_TEXT.search(value)) is not None:
            raise RefusedError(f"a text has the character U+{ord(found[0]):04X}, which XML cannot hold")
        return value

    def _notice(self, node: Any) -> None:
        place = node.getUserData(PLACE)
        if place is not None:
            self.current = (*place[:2], self.call)

    def eval_all(self, node: Any, macros: Any, symbols: Any) -> None:
        self.elements += 1
        if self.elements > _MAX_ELEMENTS:
            raise RefusedError(f"it expands to more than {_MAX_ELEMENTS:,} elements")
        before = self.current
        self._notice(node)
        self.links += node.tagName == "link"
        if self.links > _MAX_LINKS:
            raise RefusedError(f"it makes more than {_MAX_LINKS:,} links")
        # The element and its comments come from this call.
        for each in (node, *(child for child in node.childNodes if child.nodeType == Node.COMMENT_NODE)):
            place = each.getUserData(PLACE)
            if place is not None and place[2] != self.call:
                each.setUserData(PLACE, (*place[:2], self.call), COPIED)
        self._own.eval_all(node, macros, symbols)
        self.current = before

    def handle_macro_call(self, node: Any, macros: Any, symbols: Any) -> bool:
        # `xacro:call` calls this again with the macro.
        is_call = node.tagName.startswith("xacro:") and node.tagName != "xacro:call"
        with self._call(node, node.tagName[6:]) if is_call else nullcontext():
            done: bool = self._own.handle_macro_call(node, macros, symbols)
        return done

    def process_include(self, node: Any, *others: Any) -> None:
        with self._call(node, ""):
            self._own.process_include(node, *others)

    @contextmanager
    def _call(self, node: Any, name: str) -> Iterator[None]:
        self._notice(node)
        place = node.getUserData(PLACE) or (0, 0, 0)
        if len(self.calls) > _MAX_CALLS:
            raise RefusedError(f"it makes more than {_MAX_CALLS:,} macro calls")
        self.calls.append((self.call, name, *place[:2]))
        before, self.call = self.call, len(self.calls) - 1
        yield
        # Not after an error, which belongs to this call.
        self.call = before

    def check_attrs(self, node: Any, *others: Any) -> Any:
        self._notice(node)
        return self._own.check_attrs(node, *others)

    def expanded(self) -> dict[str, Any]:
        self.xacro.init_stacks(self._request["path"])
        document = self.parse(None, self._request["path"])
        self._call_macros(document)
        self.guard.install()
        self.xacro.process_doc(document, mappings=self._request["arguments"], verbosity=0)
        writer = _Writer()
        writer.write(document.documentElement)
        return {
            **self.known(),
            "text": "".join(writer.pieces),
            "places": writer.places,
            "warnings": self.warnings,
            "values": self.values,
        }

    def _call_macros(self, document: Any) -> None:
        root, names = document.documentElement, self._request["macros"]
        if names and not root.getAttribute("name"):
            root.setAttribute("name", os.path.basename(self._request["path"]).partition(".")[0])
        for macro in list(root.childNodes) if names else ():
            if macro.nodeType == Node.ELEMENT_NODE and macro.tagName == "xacro:macro":
                name = macro.getAttribute("name").removeprefix("xacro:")
                if name in names:
                    call = document.createElement(f"xacro:{name}")
                    call.setUserData(PLACE, macro.getUserData(PLACE), COPIED)
                    root.appendChild(call)

    def known(self) -> dict[str, Any]:
        return {"files": list(self.files), "contents": self.contents, "calls": self.calls}


def _answer(request: dict[str, Any]) -> dict[str, Any]:
    try:
        import xacro
    except ImportError:
        xacro = None  # type: ignore[assignment]
    # A directory of that name in the search path, or a version before 2.0.8 (ROS 1: 1.14.16), lacks some.
    if not all(hasattr(xacro, name) for name in (*_CALLED, *_REPLACED)):
        problem = "the package xacro is not installed, or is too old"
        return {"error": (problem, "", None, False), "lacks": "xacro"}
    expansion = _Expansion(xacro, request)
    expansion.install()
    try:
        return expansion.expanded()
    except Exception as error:
        errors = chain(error)
        problem, remedy = problem_and_remedy(errors, expansion.quotes, expansion.xacro.XacroException)
        return {**expansion.known(), "error": (problem, remedy, expansion.current, lacks_something(errors))}


def main() -> None:
    request = json.load(sys.stdin)
    limit_resources(request["seconds"])
    sys.setrecursionlimit(_DEEPEST)
    with redirect_stdout(sys.stderr):
        answer = _answer(request)
    # In one piece, which is several times as fast as `json.dump`.
    sys.stdout.write(json.dumps(answer))
