"""Many files: their results in the order of the input, for any executor."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Literal, TypeVar

from sdfinertia.documents import no_link_matches, require_options
from sdfinertia.documents.filling import FillResult, write_back
from sdfinertia.errors import ConfigurationError, ResourceError, SdfInertiaError, screen
from sdfinertia.files import path_text, require_inside
from sdfinertia.files.walk import is_excluded, tree_of
from sdfinertia.inertia.rigid_transform import quoted
from sdfinertia.links.context import SharedContext, require_calculators
from sdfinertia.options import Options
from sdfinertia.robot import attempt
from sdfinertia.rules import chosen_rules
from sdfinertia.rules.rule import Finding
from sdfinertia.runs import ONE_JOB, Fill, Jobs, Outcome, Work, available_cores, outcomes_of
from sdfinertia.runs.checking import Check
from sdfinertia.runs.source_files import NO_MODEL, FileTask, file_task, walked_files

if TYPE_CHECKING:
    from sdfinertia.calculators import Calculator, MeshInMemory

_T = TypeVar("_T")
_Path = str | os.PathLike[str]

# Where filled files are written: in the calling process, as it takes results, or in the workers.
Writer = Literal["caller", "worker"]


@dataclass(frozen=True, repr=False)
class FileResult(Generic[_T]):
    """The result of one of many files.

    Attributes:
        path: as it was given, or found below a directory that was.
        result: None where there is none, because of the error.
        error: why the file was not finished, or not written. Errors of single links are in the result.
        notes: on its writing, such as that a hard link was broken.
        seconds: of work.
    """

    path: str
    result: _T | None
    error: SdfInertiaError | None = None
    notes: tuple[str, ...] = ()
    seconds: float = 0.0

    def __repr__(self) -> str:
        told = self.result if isinstance(self.result, tuple) else (self.result,) if self.result is not None else ()
        lines = [line for each in told for line in repr(each).splitlines()]
        failed = (str(self.error),) if self.error is not None else ()
        return screen(f"FileResult of {self.path}, {self.seconds:.3g} s", (*failed, *self.notes, *lines))


def fill_many(
    paths: Iterable[_Path],
    options: Options = Options(),
    *,
    executor: Executor | None = None,
    calculators: Mapping[str, Calculator | MeshInMemory] | None = None,
    write: Writer | None = "caller",
    workers: int | None = None,
) -> Iterator[FileResult[FillResult]]:
    """Fills many files, and gives the result of each, in the order of the input.

    No file stops another: one that cannot be read, or written, one whose worker dies, and one that the program fails
    on, has an error in its result. Paths are taken from their iterator as workers need them, and results are computed
    only so far ahead of those taken that memory does not grow with the number of files.

    Args:
        paths: SDF and URDF files, and directories with models.
        options: of all files; configuration files are for the command line.
        executor: of `concurrent.futures`, which computes the files; None for this thread alone. If its processes
            die, others are started in their place. Robots of xacro, and MJCF documents that share files, are filled by
            this thread, one after the other; from the first of them on, all paths are taken from their iterator.
        calculators: functions that compute meshes, by the names that files call them. An executor of processes must be
            able to pickle them.
        write: who writes each file that changed and failed in no link, atomically: this process, when its result is
            taken, the worker that computed it, so that the caller need not wait for disks, or None: nobody.
        workers: how many the executor has, which decides how much is computed ahead; by default its own number, as
            those of the standard library have, or else the cores of this machine.

    Raises:
        ConfigurationError: an argument is wrong; or, once all files are done, `options.link` matched no link in any.
    """
    _require_arguments(paths, options, calculators, executor, workers)
    if write not in ("caller", "worker", None):
        raise ConfigurationError(f"write must be 'caller', 'worker' or None, not {write!r}")
    work = Fill(SharedContext(calculators), writes=write == "worker")

    outcomes = _outcomes(work, paths, options, executor, workers)
    return (_filled_file(outcome, options, write) for outcome in outcomes)


def _filled_file(outcome: Outcome, options: Options, write: Writer | None) -> FileResult[FillResult]:
    task, filled, seconds = outcome
    if isinstance(filled, SdfInertiaError):
        return FileResult(task.path, None, filled, seconds=seconds)
    written = filled.written
    if write == "caller":
        written = attempt(write_back, filled.result.files, options.confine)
    error, notes = (written, ()) if isinstance(written, SdfInertiaError) else (None, tuple(written or ()))
    return FileResult(task.path, filled.result, error, notes, seconds)


def check_many(
    paths: Iterable[_Path],
    options: Options = Options(),
    *,
    executor: Executor | None = None,
    calculators: Mapping[str, Calculator | MeshInMemory] | None = None,
    workers: int | None = None,
) -> Iterator[FileResult[tuple[Finding, ...]]]:
    """Checks many files, and gives the findings of each, in the order of the input; see `fill_many`.

    A file that cannot be read has that for its finding (SDI900), as in `check`.

    Raises:
        ConfigurationError: a rule that is selected or ignored does not exist.
    """
    _require_arguments(paths, options, calculators, executor, workers)
    chosen_rules(options.select, options.ignore)

    def concluded(outcome: Outcome) -> FileResult[tuple[Finding, ...]]:
        task, checked, seconds = outcome
        if isinstance(checked, SdfInertiaError):
            return FileResult(task.path, None, checked, seconds=seconds)
        return FileResult(task.path, checked.findings, seconds=seconds)

    return map(concluded, _outcomes(Check(SharedContext(calculators)), paths, options, executor, workers))


def _require_arguments(paths: object, options: object, calculators: object, executor: object, workers: object) -> None:
    require_options(options)
    require_calculators(calculators)
    if isinstance(paths, (str, bytes, os.PathLike)) or not isinstance(paths, Iterable):
        raise ConfigurationError(f"paths must be several paths, not {paths!r}"[:200], remedy="put it in a list")
    if executor is not None and not isinstance(executor, Executor):
        raise ConfigurationError(f"executor must be one of concurrent.futures, not {quoted(executor)}")
    if workers is not None and (isinstance(workers, bool) or not isinstance(workers, int) or workers < 1):
        raise ConfigurationError(f"workers must be a whole number from 1, not {quoted(workers)}")


# Running --------------------------------------------------------------------------------------------------------------


def _outcomes(
    work: Work[object],
    paths: Iterable[_Path],
    options: Options,
    executor: Executor | None,
    workers: int | None,
) -> Iterator[Outcome]:
    jobs = ONE_JOB
    if executor is not None:
        jobs = Jobs(workers or getattr(executor, "_max_workers", None) or available_cores(), executor)
    # Whether any pattern is left to match, and the links of files where none matched.
    matches, names = not options.link, list[str]()
    tasks = _tasks(paths, options)
    with closing(outcomes_of(work, tasks, jobs)) as outcomes:
        for outcome in outcomes:
            yield outcome
            missed = () if isinstance(outcome.result, SdfInertiaError) else outcome.result.unmatched
            matches = matches or not missed
            names += missed
    # As on the command line: no output must mean no findings.
    if names and not matches:
        raise no_link_matches(options.link, names, option="the pattern")


def _tasks(paths: Iterable[_Path], options: Options) -> Iterator[FileTask]:
    for given in paths:
        path = attempt(path_text, given)
        if isinstance(path, SdfInertiaError):
            yield FileTask(path.file or "", options, error=path)
            continue
        refused: list[SdfInertiaError] = []
        is_empty, trees = os.path.isdir(path), (tree_of(path),)
        for file in walked_files(path, refused.append, options.confine) if is_empty else [path]:
            is_empty = False
            if not is_excluded(file, options.exclude):
                place = attempt(require_inside, file, options.confine)
                outside = place if isinstance(place, SdfInertiaError) else None
                yield file_task(file, options, trees)._replace(error=outside)
        if is_empty and not refused:
            refused.append(ResourceError(NO_MODEL, file=path))
        for error in refused:
            yield FileTask(error.file or path, options, error=error)
