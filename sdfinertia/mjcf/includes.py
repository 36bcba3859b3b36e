"""The files that an MJCF model includes."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from sdfinertia.errors import ResourceError, SdfInertiaError, TextError, shown_path
from sdfinertia.files.regular_file import is_inside, read_regular_file
from sdfinertia.markup.document import Document, Element, JoinedDocument, elements_named

if TYPE_CHECKING:
    from collections.abc import Iterator

INCLUDE = "include"
# The largest models of public collections include a dozen.
_MAX_FILES, _MAX_BYTES = 256, 1 << 28


def with_included(main: Document, confine: str | None) -> Document:
    """The document with the files that it includes; itself where it includes none.

    Raises:
        SdfInertiaError: a file is missing, unreadable, outside `confine`, or included twice.
    """
    if f"<{INCLUDE}".encode() not in main.data:
        return main
    documents, places = [main], {os.path.realpath(main.path)}
    targets: list[list[int]] = []
    size = 0
    for document in documents:
        targets.append([])
        for element in elements_named(INCLUDE, document):
            path = _found(element, document, main, confine)
            place = os.path.realpath(path)
            if place in places:
                raise TextError(
                    f"{shown_path(path, main.path)} is included twice, which MuJoCo refuses",
                    location=element.location(),
                    remedy="include it once",
                )
            included = _read(path, element, main, confine)
            size += len(included.data)
            if len(documents) == _MAX_FILES or size > _MAX_BYTES:
                problem = f"more than {_MAX_FILES} files, or {_MAX_BYTES >> 20} MB, are included"
                raise TextError(problem, location=element.location())
            targets[-1].append(len(documents))
            places.add(place)
            documents.append(included)
    return JoinedDocument(documents, INCLUDE, targets) if len(documents) > 1 else main


_INCLUDE = rb"<include\s[^<>]*?\bfile\s*=\s*(?:\"([^\"<]*)\"|'([^'<]*)')"


def included_by(path: str, confine: str | None) -> Iterator[str]:
    """The real paths of the files that a file may include, by its text alone; none if it cannot be read."""
    try:
        data = read_regular_file(path, _MAX_BYTES, confine=confine)
    except SdfInertiaError:
        return
    for match in re.finditer(_INCLUDE, data):
        name = (match[1] or match[2] or b"").decode("utf-8", "surrogateescape")
        yield os.path.realpath(os.path.join(os.path.dirname(path), name))


def _found(include: Element, document: Document, main: Document, confine: str | None) -> str:
    """The path of an included file: beside the main file, else beside the one that includes it."""
    name = include.attribute("file")
    if not name:
        raise TextError("<include> names no file", location=include.location(), remedy='write file="..."')
    paths = [os.path.join(os.path.dirname(each.path), name) for each in (main, document)]
    if os.pardir in name or os.curdir in name:
        start = os.path.join(os.curdir, "") if main.path.startswith(os.path.join(os.curdir, "")) else ""
        paths = [start + os.path.normpath(path) for path in paths]
    if confine is None:
        return next(filter(os.path.isfile, paths), paths[0])
    # A file must not find out whether another outside exists.
    inside = [path for path in paths if is_inside(path, confine)]
    if not inside:
        raise ResourceError(f"{name!r} is outside {confine}, and not opened", location=include.location())
    return next(filter(os.path.isfile, inside), inside[0])


def _read(path: str, include: Element, main: Document, confine: str | None) -> Document:
    try:
        included = Document(read_regular_file(path, _MAX_BYTES, confine=confine), path)
    except TextError:
        raise
    except SdfInertiaError as error:
        problem = f"the included {shown_path(path, main.path)} {error.problem}"
        raise ResourceError(problem, uri=include.attribute("file") or "", location=include.location()) from None
    if len(included.roots) != 1:
        raise TextError("an included file has one root element", location=included.location(0))
    if included.encoding != main.encoding:
        problem = f"it is {included.encoding}, and the file that includes it {main.encoding}"
        raise TextError(problem, location=included.location(0), remedy="write both in UTF-8")
    return included
