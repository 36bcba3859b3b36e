"""Work on one file of a run: the task, the function that does it, and what became of it."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

from sdfinertia.errors import SdfInertiaError

if TYPE_CHECKING:
    from sdfinertia.options import Options

# The tree of a file takes some twenty times its bytes.
_COLLECT_AFTER = 16 << 20


class FileTask(NamedTuple):
    """A file to work on.

    Attributes:
        options: those in force for it.
        size: in bytes, as far as it is known; it only decides how the work is shared out.
    """

    path: str
    options: Options
    size: int = 0


class Outcome(NamedTuple):
    """What became of a task.

    Attributes:
        result: what the function returned, or the error that it raised.
        seconds: that it took.
    """

    task: FileTask
    result: Any
    seconds: float


# A function over files; where it is sent to other processes it equals its copies there.
Work = Callable[[FileTask], Any]


class Worker:
    """One thread's part in the work.

    Args:
        work: the function over files.
    """

    def __init__(self, work: Work) -> None:
        self.work = work
        self._bytes_read = 0

    def outcome_of(self, task: FileTask) -> Outcome:
        """The result for a task, or the error that input caused."""
        started = perf_counter()
        if self._bytes_read > _COLLECT_AFTER:
            # Trees of files done, which the collector, being off, does not find by itself; after the last file the
            # process ends sooner without.
            gc.collect()
            self._bytes_read = 0
        self._bytes_read += task.size
        try:
            result = self.work(task)
        except SdfInertiaError as error:
            # Its traceback would keep the tree of the file.
            result = error.with_traceback(None)
        return Outcome(task, result, perf_counter() - started)


def file_task(path: str, options: Options) -> FileTask:
    """The task of a file, with its size."""
    try:
        return FileTask(path, options, os.stat(path).st_size)
    except (OSError, ValueError):
        # Whoever reads the file says what is wrong with it.
        return FileTask(path, options)
