"""The mesh files that paths on the command line stand for."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

from sdfinertia.errors import ResourceError, SdfInertiaError
from sdfinertia.files.ignored import PASSED_OVER, Ignored, ignore_rules_above, ignore_rules_in, is_ignored
from sdfinertia.files.regular_file import reason_of
from sdfinertia.mesh.readers.formats import EXTENSIONS

_WILD = frozenset("*?[")


def mesh_files(path: str, refuse: Callable[[SdfInertiaError], None]) -> Iterator[str]:
    """The mesh files that a path stands for: itself, all below a directory, or all that a glob matches, by name.

    What is there by its own name is no glob. A walk passes over what that for models passes over.

    Args:
        refuse: is told of directories that cannot be read or hold no mesh, and of globs that nothing matches.
    """
    if os.path.isdir(path):
        yield from _or_refused(_walk(path, ignore_rules_above(path), refuse), path, refuse)
    elif os.path.lexists(path) or _WILD.isdisjoint(path):
        # That a file is not there is told where it is read.
        yield path
    else:
        # Loaded where there is one.
        from glob import iglob

        found = iter(sorted(iglob(path, recursive=True)))
        first = next(found, None)
        if first is None:
            refuse(ResourceError("nothing matches", file=path))
            return
        for match in (first, *found):
            if os.path.isdir(match):
                yield from _walk(match, ignore_rules_above(match), refuse)
            else:
                yield match


def _or_refused(files: Iterator[str], directory: str, refuse: Callable[[SdfInertiaError], None]) -> Iterator[str]:
    first = next(files, None)
    if first is None:
        refuse(ResourceError("there is no mesh file in this directory", file=directory))
        return
    yield first
    yield from files


def _walk(directory: str, rules: Ignored, refuse: Callable[[SdfInertiaError], None]) -> Iterator[str]:
    rules = [*rules, *ignore_rules_in(directory)]
    try:
        entries = sorted(os.scandir(directory), key=lambda entry: entry.name)
    except OSError as error:
        refuse(ResourceError(f"cannot be read: {reason_of(error)}", file=directory))
        return
    entries = [entry for entry in entries if not entry.name.startswith(".") and not is_ignored(entry, rules)]
    for entry in entries:
        if entry.name.lower().endswith(EXTENSIONS) and _is_file(entry):
            yield entry.path
    for entry in entries:
        if entry.is_dir(follow_symlinks=False) and entry.name not in PASSED_OVER:
            yield from _walk(entry.path, rules, refuse)


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:
        # A symbolic link that leads to itself.
        return False
