"""Which files a robot description may read, by the names in its text and in the files that it reads."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from posixpath import basename, dirname, join
from urllib.parse import unquote_to_bytes

from sdfinertia.errors import ResourceError
from sdfinertia.files.packages import MODEL_CONFIG, PACKAGE_XML

# xacro itself ends at some 90 levels; MJCF includes 256 MB at most.
_MAX_DEPTH, _MAX_BYTES = 100, 1 << 28
# The group before a name tells that an attribute or element begins with it. Else it may be the end of a computed one.
_NAME = re.compile(rb"(=\s*[\"']|>\s*)?([^=\"'<>{}()$*?\[\]\s,]+)")
_TITLE = re.compile(rb"<name>([^<]*)<")
_SEARCHES = (b"://", b"$(find", b"<uri")

# Contents of some paths; lenient, of those that can be had.
Read = Callable[[Iterable[str], bool], dict[str, bytes]]


def reached(start: str, paths: Collection[str], read: Read) -> dict[str, bytes]:
    """The contents of the files, of some paths, that a description may read; rather too many than too few.

    Raises:
        ResourceError: they are too many, or cannot be read.
    """
    titled = [path for path in paths if basename(path) in (MODEL_CONFIG, PACKAGE_XML)]
    rest = set(paths).difference(titled)
    found: dict[str, bytes] = {}
    titles: dict[str, bytes] = {}
    wanted = {start}
    for _ in range(_MAX_DEPTH):
        found |= read(sorted(wanted), False)
        if sum(map(len, found.values())) > _MAX_BYTES:
            break
        texts = [unquote_to_bytes(found[path]) for path in sorted(wanted)]
        rest -= wanted
        if not titles and any(mark in text for text in texts for mark in _SEARCHES):
            titles = read(titled, True)
        wanted = _named(texts, rest)
        for path, title in titles.items():
            if basename(path) == MODEL_CONFIG and _is_meant(path, title, texts):
                wanted |= {join(dirname(path), name) for name in _names([title])[0]} & rest
        if not wanted:
            return titles | found
    raise ResourceError(f"it includes more than {_MAX_BYTES >> 20} MB, or nests more than {_MAX_DEPTH} levels deep")


def _names(texts: Iterable[bytes]) -> tuple[set[str], set[str]]:
    """The names of files, and what may be the ends of some."""
    whole, ends = set[str](), set[str]()
    for text in texts:
        for start, name in _NAME.findall(text):
            if b"." in name:
                _, slash, last = name.replace(b"\\", b"/").rpartition(b"/")
                (whole if start or slash else ends).add(last.decode("utf-8", "surrogateescape"))
    return whole, ends


def _named(texts: Iterable[bytes], paths: Iterable[str]) -> set[str]:
    whole, ends = _names(texts)
    return {
        path for path in paths if (name := basename(path)) in whole or any(name[k:] in ends for k in range(len(name)))
    }


def _is_meant(path: str, title: bytes, texts: Iterable[bytes]) -> bool:
    """Whether a text has the name of a model, or of its directory."""
    match = _TITLE.search(title)
    title = match[1].strip() if match is not None else b""
    names = (basename(dirname(path)).encode("utf-8", "surrogateescape"), title)
    return any(name and name in text for name in names for text in texts)
