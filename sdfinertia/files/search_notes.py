"""Notes on files that a search found in another place than the uri names."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from sdfinertia.errors import WARNING_MARK, printable, shown_path
from sdfinertia.files.packages import divided_uri
from sdfinertia.files.walk import repository_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def elsewhere_notes(file: str, taken: Iterable[tuple[str, str, bool]]) -> tuple[str, ...]:
    """Notes on files (the path named, the one read, and whether that is likely meant), once a pair of directories."""
    moved: dict[tuple[str, str], list[tuple[str, str, bool]]] = {}
    for each in taken:
        named, path, _ = each
        moved.setdefault(_without_common_end(named, path), []).append(each)
    notes = []
    for alike in moved.values():
        named, path, _ = alike[0]
        more = f", and {len(alike) - 1} more from there" if len(alike) > 1 else ""
        mark = "" if all(is_near for *_, is_near in alike) else WARNING_MARK
        notes.append(printable(f"{mark}{shown_path(path, file)} is read, not {shown_path(named, file)}{more}"))
    return tuple(notes)


def _without_common_end(named: str, path: str) -> tuple[str, str]:
    """Two paths without the last names that are the same in both."""
    while os.path.basename(named) == os.path.basename(path) and named != path:
        named, path = os.path.dirname(named), os.path.dirname(path)
    return named, path


def index_notes(file: str, found: Mapping[str, str]) -> tuple[str, ...]:
    """How simulators find the files, by uri, that only a search of the repository found for the one at a path."""
    repository = repository_of(os.path.dirname(file))
    folders: dict[str, None] = {}
    by_name: list[str] = []
    others: dict[str, str] = {}
    for uri, path in found.items():
        name, _, inside = divided_uri(uri)[1].lstrip("/").partition("/")
        model = path[: len(path) - len(os.path.normpath(inside)) - 1] if inside else path
        if os.path.basename(model) == name:
            folders[os.path.dirname(model)] = None
            by_name.append(uri)
        else:
            others[name] = model
    notes = []
    if folders:
        entries = os.pathsep.join(os.path.relpath(folder, repository or os.sep) for folder in folders)
        what = f"{by_name[0]} and {len(by_name) - 1} more are" if len(by_name) > 1 else f"{by_name[0]} is"
        notes.append(
            f"{what} found by searching the repository; a simulator needs GZ_SIM_RESOURCE_PATH={entries} "
            "(relative to the root of the repository)"
        )
    for name, model in others.items():
        where = os.path.relpath(model, repository) if repository is not None else model
        notes.append(
            f"'{name}' is {where}, by its model.config or package.xml; simulators need a directory of that name"
        )
    return tuple(printable(note) for note in notes)
