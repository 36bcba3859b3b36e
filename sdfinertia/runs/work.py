"""Work on one file of a run: the task, the function that does it, and the outcome."""

from __future__ import annotations

import gc
import os
from time import perf_counter
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from sdfinertia.errors import SdfInertiaError, WorkerError
from sdfinertia.named_tuple import NamedTuple

if TYPE_CHECKING:
    from sdfinertia.options import Options

    _T_co = TypeVar("_T_co", covariant=True)

    class Work(Protocol[_T_co]):
        def __call__(self, task: FileTask, /) -> _T_co: ...


# The tree of a file takes some twenty times its bytes.
_COLLECT_AFTER = 16 << 20
_PACKAGE = os.path.join(os.path.dirname(os.path.dirname(__file__)), "")


class FileTask(NamedTuple):
    """A file to work on.

    Attributes:
        size: in bytes, or 0; decides only how work is shared out.
        known: digests of contents that need no work.
        data: the content of standard input; None for a file.
        error: why there is nothing to work on.
    """

    path: str
    options: Options
    size: int = 0
    known: tuple[str, ...] = ()
    data: bytes | None = None
    error: SdfInertiaError | None = None

    @property
    def source(self) -> str | bytes:
        return self.path if self.data is None else self.data


class Outcome(NamedTuple):
    task: FileTask
    result: Any
    seconds: float


class Worker:
    def __init__(self, work: Work[object]) -> None:
        self.work = work
        self._bytes_read = 0

    def outcome_of(self, task: FileTask) -> Outcome:
        started = perf_counter()
        if self._bytes_read > _COLLECT_AFTER:
            # Trees of files done, which the collector, being off, does not find by itself; after the last file the
            # process ends sooner without.
            gc.collect()
            self._bytes_read = 0
        self._bytes_read += task.size
        try:
            if task.error is not None:
                raise task.error
            result = self.work(task)
        except SdfInertiaError as error:
            # Its traceback would keep the tree of the file.
            result = error.with_traceback(None)
        except Exception as error:
            result = failure_of(task, error)
        return Outcome(task, result, perf_counter() - started)


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


def file_task(path: str, options: Options) -> FileTask:
    try:
        return FileTask(path, options, os.stat(path).st_size)
    except (OSError, ValueError):
        # Whoever reads the file says what is wrong with it.
        return FileTask(path, options)
