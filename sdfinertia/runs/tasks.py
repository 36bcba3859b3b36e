"""The files of a run, and the outcome of the work on one."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

from sdfinertia.errors import SdfInertiaError, WorkerError

if TYPE_CHECKING:
    from sdfinertia.options import Options

_PACKAGE = os.path.join(os.path.dirname(os.path.dirname(__file__)), "")


class FileTask(NamedTuple):
    """A file to work on.

    Attributes:
        size: in bytes, or 0.
        data: the content of standard input; None for a file.
        error: why there is nothing to work on.
        variant: the name of the variant that gives the arguments of xacro.
        trees: where the run may write; by default in the tree of the file.
    """

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


_T_co = TypeVar("_T_co", covariant=True)


class Work(Protocol[_T_co]):
    """The function of a run on each file; processes keep their caches for equal ones."""

    def __call__(self, task: FileTask, /) -> _T_co: ...


class Outcome(NamedTuple):
    task: FileTask
    result: Any
    seconds: float


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
    """An error of one file, caused by the program or the system.

    The text of the exception is left out: it may quote a confidential file.
    """
    if isinstance(error, MemoryError):
        return WorkerError("not enough memory; the file is unchanged", file=task.path)
    return WorkerError(
        f"internal error: {type(error).__name__}{_place_of(error)}; the file is unchanged",
        file=task.path,
        remedy="please report it",
    )


def _place_of(error: Exception) -> str:
    """The last place in this package that an exception passed, else the first of all."""
    trace, found = error.__traceback__, ""
    while trace is not None:
        code = trace.tb_frame.f_code
        if code.co_filename.startswith(_PACKAGE) or not found:
            found = f" in {os.path.basename(code.co_filename)}:{trace.tb_lineno}"
        trace = trace.tb_next
    return found
