"""Advice on missing files, and notes on files that a search found in another place than the uri names."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress

from sdfinertia.errors import WARNING_MARK, printable, shown_path
from sdfinertia.files.packages import FUEL_SCHEMES, divided_uri, fuel_address
from sdfinertia.files.walk import repository_of


def remedy_for(uri: str, containing_file: str, tried: Sequence[str], is_permitted: Callable[[str], bool]) -> str:
    near = next(filter(None, (_near_match(path, is_permitted) for path in tried)), None)
    scheme, rest = divided_uri(uri)
    if scheme in FUEL_SCHEMES:
        address = fuel_address(uri)
        if not address.is_of_model:
            return "nothing is downloaded from the web: save the file locally, and write its path"
        return f"nothing is downloaded, only the local Fuel cache is searched: run `{address.command}`"
    if not tried:
        return "move it inside, or give a wider directory with --confine"
    if near is not None and near in tried and not os.path.isdir(near):
        return f"{shown_path(near, containing_file)} is a pipe or a device, not a file"
    if near is not None:
        return f"did you mean {shown_path(near, containing_file)}? Case counts"
    if "\\" in uri:
        return "write the path with forward slashes, and relative to the file"
    if scheme == "file":
        return "correct the path, or give the directory that it starts from with --resource-path"
    name = rest.lstrip("/").partition("/")[0]
    variable = "ROS_PACKAGE_PATH" if scheme == "package" else "GZ_SIM_RESOURCE_PATH"
    return f"give the directory that holds '{name}' with --resource-path or in {variable}"


def _near_match(path: str, may_list: Callable[[str], bool], steps: int = 8) -> str | None:
    """Differing in letter case only, in so many of its last names at most."""
    if os.path.exists(path):
        return path
    folder, name = os.path.split(path)
    above = _near_match(folder, may_list, steps - 1) if steps else None
    if above is None or not may_list(above):
        return None
    with suppress(OSError):
        names = sorted(os.listdir(above))
        return next((os.path.join(above, each) for each in names if each.casefold() == name.casefold()), None)
    return None


def elsewhere_notes(file: str, taken: Iterable[tuple[str, str, bool]]) -> tuple[str, ...]:
    """One a pair of directories, on files named, read instead, and whether that is likely meant."""
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
    while os.path.basename(named) == os.path.basename(path) and named != path:
        named, path = os.path.dirname(named), os.path.dirname(path)
    return named, path


def index_notes(file: str, found: Mapping[str, str]) -> tuple[str, ...]:
    """How simulators find the files that only a search of the repository found."""
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
