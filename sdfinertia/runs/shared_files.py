"""The documents of a run that share files, and what they would give the blocks in them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from sdfinertia.documents.shared_blocks import Claim, Disputes, disputes
from sdfinertia.errors import Location, SdfInertiaError
from sdfinertia.files.regular_file import read_regular_file
from sdfinertia.markup.document import Document
from sdfinertia.mjcf.includes import INCLUDE, with_included
from sdfinertia.robot.marks import MJCF_SUFFIXES
from sdfinertia.runs.source_files import is_expanded
from sdfinertia.runs.work import FileTask

if TYPE_CHECKING:
    from sdfinertia.xacro.expansion import RobotOfRun

Claims = Callable[[FileTask], "tuple[RobotOfRun | None, Iterable[tuple[Location, Claim]]]"]


def sharing(tasks: Sequence[FileTask]) -> list[FileTask]:
    """The robots of xacro, which may share files by any argument, and the MJCF documents that do."""
    robots: list[FileTask] = []
    files: list[tuple[FileTask, set[str]]] = []
    for task in tasks:
        if task.error is None and task.data is None:
            if task.path.lower().endswith(MJCF_SUFFIXES):
                files.append((task, _files_of(task)))
            elif is_expanded(task.path):
                robots.append(task)
    uses = Counter(path for _, each in files for path in each)
    shared = [task for task, each in files if any(uses[path] > 1 for path in each)]
    return [*shared, *(robots if len(robots) > 1 else ())]


def _files_of(task: FileTask) -> set[str]:
    """The MJCF files of a document, itself among them."""
    path, confine = task.path, task.options.confine
    with suppress(SdfInertiaError):
        data = read_regular_file(path, confine=confine)
        if f"<{INCLUDE}".encode() in data:
            return {os.path.realpath(each) for each in (path, *with_included(Document(data, path), confine).files)}
    return {os.path.realpath(path)}


def shared_among(tasks: Iterable[FileTask], claims: Claims) -> tuple[Disputes, tuple[RobotOfRun, ...]]:
    """The blocks that documents would give different numbers, and the robots of xacro; without what cannot be read."""
    found: list[tuple[Location, Claim]] = []
    robots: list[RobotOfRun] = []
    for task in tasks:
        with suppress(SdfInertiaError):
            robot, claimed = claims(task)
            found += claimed
            robots += [robot] if robot is not None else []
    return disputes(found), tuple(robots)
