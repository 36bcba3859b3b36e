"""What names and marks tell: comments of ours, suffixes and roots of robot descriptions, and xacro."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sdfinertia.markup import Document, Element, grouped, walked

OWN_MARK = "sdfinertia:"
_FILLED = re.compile(r"\s*sdfinertia:((?:\s+[a-z][a-z-]*=[^\s=]+)+)\s*")
_REPAIRED = r"\s*sdfinertia:\s+repaired=([a-z][a-z0-9-]*)\s*"


def own_words(comment: str) -> list[str] | None:
    before, mark, words = comment.partition(OWN_MARK)
    return words.split() if mark and not before.strip() else None


def filled_entries(comment: str) -> dict[str, str] | None:
    match = _FILLED.fullmatch(comment) if OWN_MARK in comment else None
    if match is None:
        return None
    entries = dict(entry.split("=") for entry in match[1].split())
    return entries if entries.get("inputs") and entries.get("values") else None


def repair_comment(cause: str) -> str:
    return f"<!-- sdfinertia: repaired={cause} -->"


def repaired_cause(comment: str) -> str | None:
    match = re.fullmatch(_REPAIRED, comment) if OWN_MARK in comment else None
    return match[1] if match is not None else None


def numbers_of_namesakes(links: Sequence[tuple[str, int]]) -> dict[int, int]:
    """The number of each link among those of its scoped name, from 1, by its start; unique names are left out."""
    if len(dict(links)) == len(links):
        return {}
    starts = grouped(links).values()
    return {start: number for each in starts if len(each) > 1 for number, start in enumerate(each, start=1)}


SDF_SUFFIXES = (".sdf", ".world")
URDF_SUFFIXES = (".urdf",)
# Many other files have this suffix: only those whose root element is <mujoco> count.
MJCF_SUFFIXES = (".xml",)
# Suffixes of the files that a walk finds.
SUFFIXES = (*SDF_SUFFIXES, *URDF_SUFFIXES)
# A program that the package xacro runs.
XACRO_SUFFIX = ".xacro"
# A URDF file with xacro in it has at least one of these.
XACRO_MARKS = (b"<xacro:", b"${", b"$(")
# Templates are programs that print SDF or URDF; they are neither.
TEMPLATE_SUFFIXES = (".erb", ".jinja", ".jinja2", ".em")

MJCF_ROOT = rb"<mujoco(?=[\s/>])"
MJCF_PART = rb"<mujocoinclude(?=[\s/>])"
_SDF_OR_URDF = rb"<(?:sdf|robot)(?=[\s/>])"
_BEFORE_THE_ROOT = ((b"<?", b"?>"), (b"<!--", b"-->"))
# Bytes that may precede the root of a document.
_HEAD = 1 << 20


def is_document(head: bytes, root: bytes = _SDF_OR_URDF) -> bool:
    """Whether the first element of a file is the root of SDF or URDF, or one that matches a pattern."""
    head = head[:_HEAD]
    # In UTF-16 every other byte of the names is zero.
    head = head.replace(b"\0", b"").removeprefix(b"\xef\xbb\xbf").lstrip(b"\xff\xfe")
    at = 0
    while True:
        while head[at : at + 1].isspace():
            at += 1
        closing = next((closing for opening, closing in _BEFORE_THE_ROOT if head.startswith(opening, at)), None)
        if closing is None:
            return re.compile(root).match(head, at) is not None
        end = head.find(closing, at)
        if end < 0:
            return False
        at = end + len(closing)


_PREFIX = "xacro:"


def xacro_element(document: Document) -> Element | None:
    if _PREFIX.encode() not in document.data:
        return None
    elements = walked(document.roots, lambda element: element.children)
    return next((element for element in elements if element.name.startswith(_PREFIX)), None)


# The content of other elements is for other programs.
_READ_OF_URDF = ("robot", "link", "joint", "material")


def xacro_in_urdf(document: Document) -> Element | None:
    """The first element that is xacro, or has it in a value."""
    read = [each for root in document.roots for each in root.children if each.name in _READ_OF_URDF]
    elements = (*document.roots, *walked(read, lambda element: element.children))
    holding = (each for each in elements if any("${" in text or "$(" in text for text in each.attributes.values()))
    return xacro_element(document) or next(holding, None)
