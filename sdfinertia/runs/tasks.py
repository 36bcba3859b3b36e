"""The outcomes of a run over files, in the order of the files, by this process or by others.

Nothing here prints: the caller prints outcomes one after the other, so that output does not depend on the number of
processes.
"""

from __future__ import annotations

import os
import threading
import time
from copy import deepcopy
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

from sdfinertia.errors import SdfInertiaError, WorkerError

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable
    from concurrent.futures import Executor

    from sdfinertia.options import Options

    _T_co = TypeVar("_T_co", covariant=True)

    class Work(Protocol[_T_co]):
        """The function of a run on each file; processes keep their caches for equal ones."""

        def __call__(self, task: FileTask, /) -> _T_co: ...


# A run is shared out if it takes longer (s): starting processes takes some 0.2 s.
_WORTH_PROCESSES = 1.0
_PACKAGE = os.path.join(os.path.dirname(os.path.dirname(__file__)), "")


class FileTask(NamedTuple):
    """A file, or standard input as `data`; `error` says why there is nothing to work on, `trees` where to write."""

    path: str
    options: Options
    size: int = 0
    data: bytes | None = None
    error: SdfInertiaError | None = None
    variant: str = ""
    trees: tuple[str, ...] = ()

    @property
    def source(self) -> str | bytes:
        return self.path if self.data is None else self.data


def file_task(path: str, options: Options) -> FileTask:
    try:
        return FileTask(path, options, os.stat(path).st_size)
    except (OSError, ValueError):
        # The reader of the file reports its errors.
        return FileTask(path, options)


class Outcome(NamedTuple):
    task: FileTask
    result: Any
    seconds: float


class Jobs(NamedTuple):
    """So many processes, or an executor that has so many; None for one per core where it pays."""

    number: int | None = None
    executor: Executor | None = None


ONE_JOB = Jobs(1)


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


def available_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


# The work of each thread of a worker, which keeps meshes and models between calls.
_KEPT = threading.local()


def outcome_there(work: Work[object], task: FileTask) -> Outcome:
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


def _place_of(error: Exception) -> str:
    trace, found = error.__traceback__, ""
    while trace is not None:
        code = trace.tb_frame.f_code
        if code.co_filename.startswith(_PACKAGE) or not found:
            found = f" in {os.path.basename(code.co_filename)}:{trace.tb_lineno}"
        trace = trace.tb_next
    return found


def _failed(task: FileTask, error: Exception | None) -> Outcome:
    if error is not None:
        return Outcome(task, failure_of(task, error), 0.0)
    remedy = "if memory ran out, add some, or run with --jobs 1"
    return Outcome(
        task, WorkerError("its worker process died; the file is unchanged", file=task.path, remedy=remedy), 0.0
    )
