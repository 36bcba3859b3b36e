"""Reads and writes documents whose nodes, and copies of nodes, know their place in the source."""

from __future__ import annotations

import re
from typing import Any
from xml.dom import Node, UserDataHandler
from xml.dom.expatbuilder import ExpatBuilderNS

from sdfinertia.xacro.sandbox import RefusedError

# The user data of a node: its file, its byte, and the macro call or include that it comes through.
PLACE = "place"
# As in `robot.comments`, which would take time to load: comments that begin with it are for us.
OWN_MARK = "sdfinertia:"


class _Copied(UserDataHandler):
    def handle(self, operation: int, key: str, data: object, source: Any, copy: Any) -> None:
        if operation == self.NODE_CLONED:
            copy.setUserData(key, data, self)


COPIED = _Copied()


class Builder(ExpatBuilderNS):
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


class Writer:
    """Writes each element on its own line, so that the line identifies its place."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        # Line, file, byte, call.
        self.places: list[tuple[int, int, int, int]] = []
        self._line = 1
        self._names: set[str] = set()

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
            self._put(f"{indent}{_escaped(node.data)}\n")

    def _write_element(self, node: Any, indent: str) -> None:
        for each in (node.tagName, *node.attributes.keys()):
            if each not in self._names and _NAME.fullmatch(each) is None:
                raise RefusedError("a computed name is not one of an element or attribute")
            self._names.add(each)
        attributes = "".join(f' {name}="{_escaped(value)}"' for name, value in node.attributes.items())
        self._put(f"{indent}<{node.tagName}{attributes}")
        children = node.childNodes
        if not children:
            self._put("/>\n")
        elif all(child.nodeType == Node.TEXT_NODE for child in children):
            self._put(f">{''.join(_escaped(child.data) for child in children)}</{node.tagName}>\n")
        else:
            self._put(">\n")
            for child in children:
                self.write(child, indent + "  ")
            self._put(f"{indent}</{node.tagName}>\n")


_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\r": "&#13;"})


def _escaped(text: str) -> str:
    return text.translate(_ESCAPES)
