"""Filling or repairing the files of a run.

Blocks that several documents share by including one file are refused where the documents need different numbers.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, Protocol

from sdfinertia.documents.filling import FillResult, fill_document, written_back
from sdfinertia.documents.opened import OpenDocument, RobotOfRun, open_document
from sdfinertia.errors import Location, SdfInertiaError, printable
from sdfinertia.files.regular_file import read_regular_file
from sdfinertia.links.provenance import Status
from sdfinertia.markup.document import Document
from sdfinertia.robot.marks import MJCF_SUFFIXES
from sdfinertia.runs.source_files import is_expanded
from sdfinertia.runs.tasks import FileTask

if TYPE_CHECKING:
    from sdfinertia.files.atomic_file import Leftovers
    from sdfinertia.inertia.spatial_inertia import SpatialInertia
    from sdfinertia.links.context import SharedContext
    from sdfinertia.links.filling import LinkResult
    from sdfinertia.options import Options
    from sdfinertia.robot.link import Link

    class Change(Protocol):
        def __call__(self, document: OpenDocument, options: Options, /) -> FillResult: ...


class FilledFile(NamedTuple):
    """A filled file; `document` is None from other processes, `written` has notes on the writing, or why it failed."""

    result: FillResult
    included: tuple[str | SdfInertiaError, ...] = ()
    document: OpenDocument | None = None
    written: tuple[str, ...] | SdfInertiaError | None = None


class Fill(NamedTuple):
    """Fills or repairs one file; writes it where there are `leftovers` of earlier runs to remove."""

    context: SharedContext
    change: Change = fill_document
    leftovers: Leftovers | None = None
    robots: tuple[RobotOfRun, ...] = ()
    disputed: Disputes | None = None

    def __call__(self, task: FileTask) -> FilledFile:
        options = task.options
        document = self._opened(task)
        document.disputed = self.disputed.get(task.path, {}) if self.disputed is not None else {}
        document.robots_of_run = self.robots
        result = self.change(document, options)
        included = document.robot.included_files(document.context) if options.recursive else ()
        filled = FilledFile(result, tuple(included), document)
        if self.leftovers is None or task.data is not None:
            return filled
        return filled._replace(written=written_back(result, options.confine, self.leftovers))

    def claims(self, task: FileTask) -> tuple[RobotOfRun | None, list[tuple[Location, Claim]]]:
        """The robot of xacro, and what would be written into each block."""
        document = self._opened(task)
        expansion, document.expansion = document.expansion, None
        result = self.change(document, replace(task.options, keep_going=True))
        document.expansion = expansion
        robot = RobotOfRun(task.path, task.options, frozenset(expansion.real_paths)) if expansion is not None else None
        return robot, list(claims_of(document, result.links))

    def _opened(self, task: FileTask) -> OpenDocument:
        document = open_document(task.source, task.options, self.context.of(task.options), filename=task.path)
        document.trees = task.trees
        return document


# Blocks that documents share ------------------------------------------------------------------------------------------

# The scoped name of a link, and its number among those of that name.
LinkId = tuple[str, int]
# By path of the document and link: why its block is not written.
Disputes = Mapping[str, Mapping[LinkId, str]]


class Claim(NamedTuple):
    """The numbers that a document gives a block; `is_new` if it would write them. None: it leaves it without."""

    path: str
    link: LinkId
    inertia: SpatialInertia | None
    digits: int
    is_new: bool

    def agrees_with(self, other: Claim) -> bool:
        if self.inertia is None or other.inertia is None:
            return self.inertia is other.inertia
        return self.inertia.is_close(other.inertia, max(1e-9, 10.0 ** (1 - min(self.digits, other.digits))))


def claims_of(document: OpenDocument, results: Sequence[LinkResult]) -> Iterator[tuple[Location, Claim]]:
    """By place in the source, of blocks that are or would be filled; of xacro all."""
    by_link = {(each.name, each.number): each for each in results}
    for link in document.links():
        key = link.scoped_name, link.number
        result = by_link.get(key)
        is_new = result is not None and result.text is not None
        inertia = result.inertia if result is not None and is_new else None
        if result is None or result.status is Status.STALE:
            with suppress(SdfInertiaError):
                inertia = _filled(document, link)
        if inertia is None and document.expansion is not None:
            with suppress(SdfInertiaError):
                inertia = document.study(link).explicit
        if inertia is not None or document.expansion is not None:
            yield _place(document, link), Claim(document.robot.path, key, inertia, document.options.digits, is_new)


def _filled(document: OpenDocument, link: Link) -> SpatialInertia | None:
    study = document.study(link)
    match study.status:
        case Status.CLEAN:
            return study.explicit
        case Status.STALE:
            return study.computed.inertia
        case _:
            return None


def _place(document: OpenDocument, link: Link) -> Location:
    place = link.inertial_location()
    place = document.expansion.in_source(place) if document.expansion is not None else place
    return place._replace(file=os.path.realpath(place.file))


def disputes(claims: Iterable[tuple[Location, Claim]]) -> Disputes:
    blocks: dict[Location, list[Claim]] = {}
    for place, claim in claims:
        blocks.setdefault(place, []).append(claim)
    found: dict[str, dict[LinkId, str]] = {}
    for first, *others in blocks.values():
        odd = next((each for each in others if each.path != first.path and not each.agrees_with(first)), None)
        for claim in (first, *others) if odd is not None else ():
            other = odd if odd is not None and claim.agrees_with(first) else first
            if claim.is_new and other.path != claim.path:
                found.setdefault(claim.path, {})[claim.link] = _difference(claim, other)
    return found


def _difference(claim: Claim, other: Claim) -> str:
    own, its = _differing(claim.inertia, other.inertia)
    path, other_path = printable(claim.path), printable(other.path)
    return f"{path} gives this block {own}, and {other_path} {its}: one block cannot hold both"


def _differing(own: SpatialInertia | None, other: SpatialInertia | None) -> tuple[str, str]:
    if own is None or other is None:
        return (
            "no numbers" if own is None else f"{own.mass:.6g} kg",
            "none" if other is None else f"{other.mass:.6g} kg",
        )
    bodies = (own, other)
    texts = [
        [f"{body.mass:.6g} kg" for body in bodies],
        ["a centre at " + " ".join(f"{each:.6g}" for each in body.p_BoBcm_B) + " m" for body in bodies],
        ["ixx ... iyz of " + " ".join(f"{each:.12g}" for each in body.I_BBcm_B) + " kg·m²" for body in bodies],
    ]
    first, second = next((each for each in texts if each[0] != each[1]), texts[-1])
    return first, second


Claims = Callable[[FileTask], "tuple[RobotOfRun | None, Iterable[tuple[Location, Claim]]]"]


def sharing(tasks: Sequence[FileTask]) -> list[FileTask]:
    """Robots of xacro, which may share files by any argument, and MJCF documents that do."""
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
    path, confine = task.path, task.options.confine
    with suppress(SdfInertiaError):
        data = read_regular_file(path, confine=confine)
        if b"<include" in data:
            from sdfinertia.mjcf.includes import with_included

            return {os.path.realpath(each) for each in (path, *with_included(Document(data, path), confine).files)}
    return {os.path.realpath(path)}


def shared_among(tasks: Iterable[FileTask], claims: Claims) -> tuple[Disputes, tuple[RobotOfRun, ...]]:
    """Disputed blocks and the robots of xacro; without what cannot be read."""
    found: list[tuple[Location, Claim]] = []
    robots: list[RobotOfRun] = []
    for task in tasks:
        with suppress(SdfInertiaError):
            robot, claimed = claims(task)
            found += claimed
            robots += [robot] if robot is not None else []
    return disputes(found), tuple(robots)
