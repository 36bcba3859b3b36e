"""One call over many files: their results in the order of the input, whatever computes them."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from sdfinertia.documents.checking import CheckResult, check_document, unreadable
from sdfinertia.documents.filling import FillResult, fill_document, written_back
from sdfinertia.documents.opened import open_document
from sdfinertia.errors import ConfigurationError, ResourceError, SdfInertiaError
from sdfinertia.files.open_directory import Leftovers
from sdfinertia.files.regular_file import reason_of, require_inside
from sdfinertia.files.walk import is_excluded
from sdfinertia.links.surroundings import SharedSurroundings
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.options import Options
from sdfinertia.rules.registry import chosen_rules
from sdfinertia.runs.outcomes import ONE_JOB, Jobs, available_cores, outcomes_in_order
from sdfinertia.runs.source_files import walked_files
from sdfinertia.runs.work import FileTask, Outcome, Work, file_task

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from sdfinertia.calculators import Calculator
    from sdfinertia.rules.rule import Finding

_T = TypeVar("_T")
_Path = str | os.PathLike[str]

# Who writes the files that are filled: the process that asks for the results, as it takes them, or those that compute.
Writer = Literal["caller", "worker"]


@dataclass(frozen=True)
class FileResult(Generic[_T]):
    """What became of one of many files.

    Attributes:
        path: as it was given, or found below a directory that was.
        result: None where there is none, because of the error.
        error: why the file was not worked on to the end, or not written. What is wrong with single links of a file
            that was, is in its result.
        notes: what is worth saying of its writing, such as that a hard link was broken.
        seconds: that it took.
    """

    path: str
    result: _T | None
    error: SdfInertiaError | None = None
    notes: tuple[str, ...] = ()
    seconds: float = 0.0


def fill_many(
    paths: Iterable[_Path],
    options: Options = Options(),
    *,
    executor: Executor | None = None,
    calculators: Mapping[str, Calculator] | None = None,
    write: Writer | None = "caller",
    workers: int | None = None,
) -> Iterator[FileResult[FillResult]]:
    """Fills many files, and gives what became of each, in the order of the input.

    No file stops another: one that cannot be read, or written, one whose worker dies, and one that the program fails
    on, has an error in its result. Paths are taken from their iterator as workers need them, and results are computed
    only so far ahead of those taken that memory does not grow with the number of files.

    Args:
        paths: SDF and URDF files, and directories, which stand for the models below them.
        options: of all files; configuration files are for the command line.
        executor: what computes the files: any of `concurrent.futures`, or None for this thread alone. If its processes
            die, others are started in their place.
        calculators: functions that compute meshes, by the names that files call them. An executor of processes must be
            able to pickle them.
        write: who writes each file that changed and failed in no link, atomically: this process, when its result is
            taken, the worker that computed it, so that the caller need not wait for disks, or None: nobody.
        workers: how many the executor has, which decides on how much is computed ahead; by default as many as it tells,
            as those of the standard library do, or else the cores of this machine.

    Raises:
        ConfigurationError: `write` is none of these.
    """
    if write not in ("caller", "worker", None):
        raise ConfigurationError(f"write must be 'caller', 'worker' or None, not {write!r}")
    filling = _Filling(SharedSurroundings(calculators), writes=write == "worker")
    leftovers = Leftovers()

    def concluded(outcome: Outcome) -> FileResult[FillResult]:
        path, seconds = outcome.task.path, outcome.seconds
        if isinstance(outcome.result, SdfInertiaError):
            return FileResult(path, None, outcome.result, seconds=seconds)
        filled: _Filled = outcome.result
        if write == "caller":
            filled = _written(filled.result, options, leftovers)
        return FileResult(path, filled.result, filled.error, filled.notes, seconds)

    return map(concluded, _outcomes(filling, paths, options, executor, workers))


def check_many(
    paths: Iterable[_Path],
    options: Options = Options(),
    *,
    executor: Executor | None = None,
    calculators: Mapping[str, Calculator] | None = None,
    workers: int | None = None,
) -> Iterator[FileResult[tuple[Finding, ...]]]:
    """Checks many files, and gives the findings of each, in the order of the input; see `fill_many`.

    A file that cannot be read has that for its finding (SDI900), as in `check`.

    Raises:
        ConfigurationError: a rule that is selected or ignored does not exist.
    """
    chosen_rules(options.select, options.ignore)
    checking = _Checking(SharedSurroundings(calculators))

    def concluded(outcome: Outcome) -> FileResult[tuple[Finding, ...]]:
        path, seconds = outcome.task.path, outcome.seconds
        if isinstance(outcome.result, SdfInertiaError):
            return FileResult(path, None, outcome.result, seconds=seconds)
        checked: CheckResult = outcome.result
        return FileResult(path, checked.findings, seconds=seconds)

    return map(concluded, _outcomes(checking, paths, options, executor, workers))


# Work -----------------------------------------------------------------------------------------------------------------


class _Filled(NamedTuple):
    """A file that was filled, and what came of writing it."""

    result: FillResult
    notes: tuple[str, ...] = ()
    error: SdfInertiaError | None = None


@dataclass(frozen=True)
class _Filling:
    """Fills files.

    Attributes:
        writes: whether it writes them too.
    """

    surroundings: SharedSurroundings
    writes: bool
    leftovers: Leftovers = field(default_factory=Leftovers)

    def __call__(self, task: FileTask) -> _Filled:
        _require_file(task.path, task.options)
        document = open_document(task.path, task.options, self.surroundings.of(task.options))
        result = fill_document(document, task.options)
        return _written(result, task.options, self.leftovers) if self.writes else _Filled(result)


@dataclass(frozen=True)
class _Checking:
    """Checks files."""

    surroundings: SharedSurroundings

    def __call__(self, task: FileTask) -> CheckResult:
        _require_file(task.path, task.options)
        try:
            document = open_document(task.path, task.options, self.surroundings.of(task.options))
        except SdfInertiaError as error:
            return unreadable(task.path, error, task.options)
        return check_document(document)


def _written(result: FillResult, options: Options, leftovers: Leftovers) -> _Filled:
    """A result with its file written, if there is anything to write."""
    written = written_back(result, options.confine, leftovers)
    return _Filled(result, error=written) if isinstance(written, SdfInertiaError) else _Filled(result, written)


def _require_file(path: str, options: Options) -> None:
    """Refuses a file outside the confinement, and a directory, which is a task only where it stands for no file.

    Raises:
        ResourceError: it is one of these.
    """
    require_inside(path, options.confine)
    if os.path.isdir(path):
        try:
            os.scandir(path).close()
        except OSError as error:
            raise ResourceError(f"cannot be read: {reason_of(error)}", file=path) from None
        raise ResourceError("there is no SDF or URDF file in this directory", file=path)


# Running --------------------------------------------------------------------------------------------------------------


def _outcomes(
    work: Work, paths: Iterable[_Path], options: Options, executor: Executor | None, workers: int | None
) -> Iterator[Outcome]:
    jobs = ONE_JOB
    if executor is not None:
        number = workers or getattr(executor, "_max_workers", None) or available_cores()
        jobs = Jobs(number, _Given(executor), are_given=True)
    with closing(outcomes_in_order(work, deque(), jobs, _tasks(paths, options))) as outcomes:
        yield from outcomes


class _Given:
    """An executor that is there already, and once it is broken, processes of our own."""

    def __init__(self, executor: Executor) -> None:
        self._executor: Executor | None = executor

    def __call__(self, number: int) -> AbstractContextManager[Any]:
        # It is asked for anew only where the last one broke.
        executor, self._executor = self._executor, None
        if executor is not None:
            return nullcontext(executor)
        from sdfinertia.runs.worker_processes import worker_processes

        return worker_processes(number)


def _tasks(paths: Iterable[_Path], options: Options) -> Iterator[FileTask]:
    """The work on files and on those below directories, without those excluded.

    What stands for no file is a task too, so that its error comes in its place.
    """
    for given in paths:
        path = os.fspath(given)
        if not os.path.isdir(path):
            if not is_excluded(path, options.exclude):
                yield file_task(path, options)
            continue
        refused: list[SdfInertiaError] = []
        is_empty = True
        for file in walked_files(path, refused.append, options.confine):
            is_empty = False
            if not is_excluded(file, options.exclude):
                yield file_task(file, options)
        if is_empty and not refused:
            yield FileTask(path, options)
        for error in refused:
            yield FileTask(error.file or path, options)
