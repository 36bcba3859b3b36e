"""Processes that work on files for a run, which end with it however it ends."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from copy import deepcopy
from typing import TYPE_CHECKING

from sdfinertia.runs.work import FileTask, Outcome, Worker

if TYPE_CHECKING:
    from sdfinertia.runs.work import Work

# How long a thread that has ended may still be there (s).
_ENDING_TAKES = 0.1
# What Windows can wait for at once.
_MAX_ON_WINDOWS = 61


class _Memory(threading.local):
    """What a worker keeps between calls: configurations, models and meshes."""

    worker: Worker | None = None


# The one thing that outlives a call: an executor hands tasks to its workers, and nothing else.
_MEMORY = _Memory()


def outcomes_of(work: Work[object], tasks: Sequence[FileTask]) -> list[Outcome]:
    worker = worker_for(work)
    return [worker.outcome_of(task) for task in tasks]


def worker_for(work: Work[object]) -> Worker:
    kept = _MEMORY.worker.work if _MEMORY.worker is not None else None
    # Works are tuples, and those of two kinds may hold the same.
    if _MEMORY.worker is None or type(kept) is not type(work) or kept != work:
        # Threads of one process are given one and the same object, and what it keeps is for one of them alone.
        _MEMORY.worker = Worker(deepcopy(work))
    return _MEMORY.worker


@contextmanager
def worker_processes(number: int) -> Iterator[Executor]:
    """Processes that are killed if the run fails or is interrupted."""
    number = min(number, _MAX_ON_WINDOWS) if sys.platform == "win32" else number
    others = set(multiprocessing.active_children())
    executor = ProcessPoolExecutor(
        number, multiprocessing.get_context(_start_method()), initializer=_begin, initargs=(gc.isenabled(),)
    )
    try:
        with _interrupts_held_back():
            # Processes are started by the first task; those that are forked, all of them.
            executor.submit(os.getpid)
        yield executor
    except BaseException:
        for process in set(multiprocessing.active_children()) - others:
            process.kill()
        raise
    finally:
        executor.shutdown(cancel_futures=True)


def _start_method() -> str:
    """Forking is fastest, and safe only where no other thread may hold a lock."""
    # Before 3.10.5 an executor forked anew when it had a thread of its own already.
    if sys.platform == "linux" and sys.version_info >= (3, 10, 5) and _is_alone():
        return "fork"
    return "spawn"


def _is_alone() -> bool:
    if threading.active_count() > 1:
        return False
    patience = time.monotonic() + _ENDING_TAKES
    while len(os.listdir("/proc/self/task")) > 1:
        # A thread that was joined, as those of an earlier executor, is there for a moment longer.
        if time.monotonic() > patience:
            return False
        time.sleep(0.001)
    return True


def _begin(collects_garbage: bool) -> None:
    # Ctrl-C reaches every process of a terminal; what becomes of the work is decided by the one that gave it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if not collects_garbage:
        gc.disable()
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Ends with the parent process, which may be killed before it can say so."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Blocks Ctrl-C while processes start: each would answer with a traceback."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
