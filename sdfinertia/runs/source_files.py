"""The SDF and URDF files that paths on the command line stand for."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

from sdfinertia.errors import ResourceError, SdfInertiaError
from sdfinertia.files.confinement import require_inside
from sdfinertia.files.ignored import (
    PASSED_OVER,
    Ignored,
    ignore_rules_above,
    ignore_rules_in,
    is_excluded,
    is_ignored,
)
from sdfinertia.files.regular_file import reason_of
from sdfinertia.robot.values import SUFFIXES

__all__ = ["is_excluded", "source_files", "walked_files"]


def _raise(error: SdfInertiaError) -> None:
    raise error


def source_files(
    path: str, refuse: Callable[[SdfInertiaError], None] = _raise, confine: str | None = None
) -> list[str]:
    """The SDF and URDF files that a path stands for: itself, or all below a directory, in the order of their names.

    Args:
        refuse: is told of directories that cannot be read; by default they are an error.
        confine: a directory outside which nothing is opened or listed.

    Raises:
        ResourceError: the path does not exist, or is a directory without any.
    """
    if not os.path.isdir(path):
        if not os.path.lexists(path):
            raise ResourceError("there is no such file or directory", file=path)
        return [path]
    require_inside(path, confine)
    found = list(walked_files(path, refuse, confine))
    if not found:
        raise ResourceError("there is no SDF or URDF file in this directory", file=path)
    return found


def walked_files(
    directory: str, refuse: Callable[[SdfInertiaError], None], confine: str | None = None
) -> Iterator[str]:
    """The SDF and URDF files below a directory, in the order of their names; they are looked for as they are taken.

    Args:
        refuse: is told of directories that cannot be read, or lie outside the confinement.
        confine: a directory outside which nothing is opened or listed.
    """
    try:
        require_inside(directory, confine)
    except ResourceError as error:
        refuse(error)
        return
    yield from _walk(directory, ignore_rules_above(directory), refuse, confine)


def _walk(
    directory: str, rules: Ignored, refuse: Callable[[SdfInertiaError], None], confine: str | None
) -> Iterator[str]:
    rules = [*rules, *ignore_rules_in(directory)]
    try:
        entries = sorted(os.scandir(directory), key=lambda entry: entry.name)
    except OSError as error:
        refuse(ResourceError(f"cannot be read: {reason_of(error)}", file=directory))
        return
    entries = [entry for entry in entries if not entry.name.startswith(".") and not is_ignored(entry, rules)]
    newest, superseded = _named_by_model_config(directory, confine)
    for entry in entries:
        is_source = entry.name == newest or (entry.name.lower().endswith(SUFFIXES) and entry.name not in superseded)
        if is_source and _is_file(entry):
            yield entry.path
    for entry in entries:
        if entry.is_dir(follow_symlinks=False) and entry.name not in PASSED_OVER:
            yield from _walk(entry.path, rules, refuse, confine)


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:
        # A symbolic link that leads to itself.
        return False


def _named_by_model_config(directory: str, confine: str | None) -> tuple[str | None, set[str]]:
    """The file that a directory's `model.config` names, and those it names for older versions."""
    config = os.path.join(directory, "model.config")
    if not os.path.isfile(config):
        return None, set()
    # Loaded where there is a model.config.
    from sdfinertia.files.regular_file import read_regular_file
    from sdfinertia.markup.document import Document
    from sdfinertia.sdf.frames.includes import model_file_of

    try:
        newest = os.path.relpath(model_file_of(directory, confine), directory)
        roots = Document(read_regular_file(config, confine=confine), config).roots
    except SdfInertiaError:
        return None, set()
    return newest, {entry.text() for root in roots for entry in root.children_named("sdf")} - {newest}
