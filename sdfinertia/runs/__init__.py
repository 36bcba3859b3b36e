"""Runs over many files: which files, with which configuration, in what order, by which processes.

Here: the outcomes of a run over files, in the order of the files, by this process or by others.

Nothing here prints: the caller prints outcomes one after the other, so that output does not depend on the number of
processes. Blocks that several documents share by including one file are refused where the documents need different
numbers.
"""

from __future__ import annotations

import os
import platform
import threading
import time
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from copy import deepcopy
from dataclasses import replace
from functools import partial
from inspect import getinnerframes
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

from sdfinertia.documents import OpenDocument, RobotOfRun, open_document
from sdfinertia.documents.filling import FillResult, fill_document, idle_links, write_back
from sdfinertia.documents.link_results import LinkResult
from sdfinertia.errors import Location, SdfInertiaError, WorkerError, printable
from sdfinertia.files import read_regular_file
from sdfinertia.inertia import SpatialInertia
from sdfinertia.links.context import SharedContext
from sdfinertia.links.inputs import Status
from sdfinertia.markup import Document
from sdfinertia.options import Options
from sdfinertia.robot import Link, attempt, given
from sdfinertia.robot.names import MJCF_SUFFIXES
from sdfinertia.runs.source_files import FileTask, is_expanded

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from sdfinertia.documents.checking import CheckResult
    from sdfinertia.documents.scene import Scene

_T_co = TypeVar("_T_co", covariant=True)
_PACKAGE = os.path.join(os.path.dirname(os.path.dirname(__file__)), "")


class Work(Protocol[_T_co]):
    """The function of a run on each file; processes keep their caches for equal ones."""

    def __call__(self, task: FileTask, /) -> _T_co: ...


class Change(Protocol):
    def __call__(self, document: OpenDocument, options: Options, /) -> FillResult: ...


class Outcome(NamedTuple):
    task: FileTask
    result: Any
    seconds: float


class Jobs(NamedTuple):
    """So many processes, or an executor that has so many; None for one per core where it pays."""

    number: int | None = None
    executor: Executor | None = None


ONE_JOB = Jobs(1)


def available_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


# The work of each thread of a worker, which keeps meshes and models between calls.
_KEPT = threading.local()


def outcome_there(work: Work[object], task: FileTask) -> Outcome:
    """The outcome in another process, which may be of another machine."""
    if task.exists and not os.path.lexists(task.path):
        problem, remedy = "does not see it", "mount the same file system at the same path on all machines"
        unseen = WorkerError(f"worker {platform.node()} {problem}", file=task.path, remedy=remedy)
        return Outcome(task, unseen, 0.0)
    kept = getattr(_KEPT, "work", None)
    # Works are tuples, and those of two kinds may hold the same.
    if type(kept) is not type(work) or kept != work:
        # Threads of one process get the same object, and its state is for one thread alone.
        kept = _KEPT.work = deepcopy(work)
    return outcome_of(kept, task)


def outcome_of(work: Work[object], task: FileTask) -> Outcome:
    started = time.perf_counter()
    try:
        if task.error is not None:
            raise task.error
        result = work(task)
    except SdfInertiaError as error:
        # Its traceback would keep the tree of the file.
        result = error.with_traceback(None)
    except Exception as error:
        result = failure_of(task, error)
    return Outcome(task, result, time.perf_counter() - started)


def failure_of(task: FileTask, error: Exception) -> WorkerError:
    """An error of the program or system, without its text, which may quote a confidential file."""
    if isinstance(error, MemoryError):
        return WorkerError("not enough memory; the file is unchanged", file=task.path)
    return WorkerError(
        f"internal error: {type(error).__name__}{_place_of(error)}; the file is unchanged",
        file=task.path,
        remedy="please report it",
    )


def _failed(task: FileTask, error: Exception | None) -> Outcome:
    remedy = "if memory ran out, add some, or run with --jobs 1"
    died = WorkerError("its worker process died; the file is unchanged", file=task.path, remedy=remedy)
    return Outcome(task, died if error is None else failure_of(task, error), 0.0)


def _place_of(error: Exception) -> str:
    steps = getinnerframes(error.__traceback__, context=0) if error.__traceback__ is not None else []
    frames = [(step.filename, step.lineno) for step in steps]
    own = [(path, line) for path, line in frames if path.startswith(_PACKAGE)] or frames[:1]
    return "".join(f" in {os.path.basename(path)}:{line}" for path, line in own[-1:])


# Many tasks ----------------------------------------------------------------------------------------------------------

# A run is shared out if it takes longer (s): starting processes takes some 0.2 s.
_WORTH_PROCESSES = 1.0


def outcomes_in_order(work: Work[object], tasks: Iterable[FileTask], jobs: Jobs) -> Generator[Outcome, None, None]:
    tasks = iter(tasks)
    number = jobs.number or available_cores()
    if jobs.number is None and jobs.executor is None:
        ends = time.monotonic() + _WORTH_PROCESSES
        for task in tasks:
            yield outcome_of(work, task)
            if time.monotonic() > ends:
                break
    first = list(islice(tasks, 2)) if number > 1 else []
    tasks = chain(first, tasks)
    if jobs.executor is not None or len(first) > 1:
        from sdfinertia.runs.executors import results

        yield from results(tasks, partial(outcome_there, work), _failed, jobs.executor, number)
        return
    for task in tasks:
        yield outcome_of(work, task)


# Filling --------------------------------------------------------------------------------------------------------------


class FilledFile(NamedTuple):
    """A filled file.

    Attributes:
        written: notes on the writing, or why it failed; None where it was not to be written.
        idle: what would fill its links, where none asks to be filled.
    """

    result: FillResult
    included: tuple[str | SdfInertiaError, ...] = ()
    written: Sequence[str] | SdfInertiaError | None = None
    idle: tuple[str, ...] = ()

    @property
    def unmatched(self) -> Sequence[str]:
        return self.result.unmatched


class Fill(NamedTuple):
    """Fills or repairs one file, and may write it."""

    context: SharedContext
    change: Change = fill_document
    writes: bool = False
    robots: tuple[RobotOfRun, ...] = ()
    disputed: Disputes | None = None
    tells_idle: bool = False

    def __call__(self, task: FileTask) -> FilledFile:
        options = task.options
        document = self._opened(task)
        document.disputed = self.disputed.get(task.path, {}) if self.disputed is not None else {}
        document.robots_of_run = self.robots
        result = self.change(document, options)
        included = document.robot.included_files(document.context) if options.recursive else ()
        written = None
        if self.writes and task.data is None:
            written = attempt(write_back, result.files, options.confine)
        idle = tuple(idle_links(document)) if self.tells_idle and not result.links else ()
        return FilledFile(result, tuple(included), written, idle)

    def for_shared(self, tasks: Iterable[FileTask]) -> Fill:
        """The work with the robots of xacro among tasks that share files, and the disputed blocks."""
        claims: list[tuple[Location, Claim]] = []
        robots: list[RobotOfRun] = []
        for task in tasks:
            with suppress(SdfInertiaError):
                document = self._opened(task)
                # What would be written into each block, wherever that is.
                expansion, document.expansion = document.expansion, None
                result = self.change(document, replace(task.options, keep_going=True))
                document.expansion = expansion
                claims += list(claims_of(document, result.links))
                if expansion is not None:
                    robots.append(RobotOfRun(task.path, task.options, frozenset(expansion.real_paths)))
        return self._replace(disputed=disputes(claims), robots=tuple(robots))

    def _opened(self, task: FileTask) -> OpenDocument:
        document = open_document(task.source, task.options, self.context.of(task.options), filename=task.path)
        document.trees = task.trees
        return document


def scenes_of_run(
    shared: SharedContext, files: Iterable[tuple[FileTask, CheckResult | FillResult]], *, is_written: bool = False
) -> list[Scene]:
    from sdfinertia.documents.scene import scenes_of

    scenes: list[Scene] = []
    for task, result in files:
        context = shared.of(task.options)
        source, links = (result.original, result.links) if isinstance(result, FillResult) else (task.source, ())
        with suppress(SdfInertiaError):
            document = open_document(source, task.options, context, filename=task.path)
            scenes += scenes_of(document, links, context, with_computed=True, is_written=is_written)
    return scenes


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
    match given(study.status):
        case Status.CLEAN:
            return study.explicit
        case Status.STALE:
            return given(study.computed).inertia
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
    own, its = (f"{each.inertia.mass:.6g} kg" if each.inertia is not None else "no numbers" for each in (claim, other))
    its += " with another centre or tensor" if own == its else ""
    path, other_path = printable(claim.path), printable(other.path)
    return f"{path} gives this block {own}, and {other_path} {its}: one block cannot hold both"


def sharing(tasks: Sequence[FileTask]) -> list[FileTask]:
    """Robots of xacro, which may share files by any argument, and MJCF documents that do."""
    on_disk = [task for task in tasks if task.error is None and task.data is None]
    robots = [task for task in on_disk if is_expanded(task.path)]
    files = [(task, _files_of(task)) for task in on_disk if task.path.lower().endswith(MJCF_SUFFIXES)]
    uses = Counter(path for _, each in files for path in each)
    shared = [task for task, each in files if any(uses[path] > 1 for path in each)]
    return [*shared, *(robots if len(robots) > 1 else ())]


def _files_of(task: FileTask) -> set[str]:
    path, confine = task.path, task.options.confine
    with suppress(SdfInertiaError):
        data = read_regular_file(path, confine=confine)
        if b"<include" in data:
            from sdfinertia.mjcf import with_included

            return {os.path.realpath(each) for each in (path, *with_included(Document(data, path), confine).files)}
    return {os.path.realpath(path)}


def outcomes_of(work: Work[object], tasks: Iterable[FileTask], jobs: Jobs) -> Generator[Outcome, None, None]:
    return _filled_in_order(work, tasks, jobs) if isinstance(work, Fill) else outcomes_in_order(work, tasks, jobs)


def _filled_in_order(work: Fill, tasks: Iterable[FileTask], jobs: Jobs) -> Generator[Outcome, None, None]:
    """Documents that share files are filled by this thread, each read once those before it are written."""
    tasks, rest = iter(tasks), list[FileTask]()

    def before_sharing() -> Iterator[FileTask]:
        for task in tasks:
            if task.error is None and may_share(task):
                rest.extend([task, *tasks])
                return
            yield task

    yield from outcomes_in_order(work, before_sharing(), jobs)
    found = sharing(rest)
    here, shared = work.for_shared(found), {task.path for task in found}
    with closing(outcomes_in_order(work, (task for task in rest if task.path not in shared), jobs)) as others:
        for task in rest:
            yield outcome_of(here, task) if task.path in shared else next(others)


def may_share(task: FileTask) -> bool:
    return task.path.lower().endswith(MJCF_SUFFIXES) or is_expanded(task.path)
