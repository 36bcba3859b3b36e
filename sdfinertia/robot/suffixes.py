"""The suffixes and the root elements of robot descriptions."""

from __future__ import annotations

import re

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
