"""One function over many files, in one process or several, with its results in the order of the files.

Nothing here prints: the caller prints results one after the other, so that output does not depend on the number of
processes.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager
from copy import deepcopy
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.errors import ClusterError, ConfigurationError, WorkerError
from sdfinertia.runs.work import FileTask, Outcome, Worker, failure_of

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

    from sdfinertia.runs.work import Work

    _Chunk = tuple[list[FileTask], Future[list[Outcome]]]

# Time for a file by itself and for each of its bytes, measured where links are primitives (s). Meshes do not show in
# its size, so the time of the run so far counts too.
_SECONDS_PER_FILE, _SECONDS_PER_BYTE = 0.6e-3, 0.25e-6
_MEASURED_FROM = 0.25
# To start processes and have them load what they need takes some 0.2 s.
_WORTH_PROCESSES = 1.0
# Tasks are sent several at once, because sending takes as long as a small file; fewer near the end, so that no process
# waits long for another.
_CHUNK_FILES, _CHUNK_BYTES, _CHUNKS_EACH = 16, 1 << 20, 4
# How much may be under way before the first result is taken: files keep their order, so a slow one holds up others.
_WINDOW_CHUNKS_EACH, _WINDOW_BYTES = 4, 64 << 20
# How many tasks are to be known for each worker, so that they are shared out evenly.
_AHEAD_EACH = _CHUNK_FILES * _CHUNKS_EACH
# How long an ended thread may still be listed (s).
_ENDING_TAKES = 0.1
# The most processes that Windows can wait for at once.
_MAX_ON_WINDOWS = 61

# Starts as many workers; any class of `concurrent.futures` will do.
StartWorkers = Callable[[int], AbstractContextManager["Executor"]]


class Jobs(NamedTuple):
    """The workers of a run: None for one per core where that pays, 1 for this process; `are_given` workers always do
    the work. They are processes where `start` is None.
    """

    number: int | None = None
    start: StartWorkers | None = None
    are_given: bool = False


ONE_JOB = Jobs(1)


def outcomes_in_order(
    work: Work[object], pending: deque[FileTask], jobs: Jobs, more: Iterable[FileTask] = ()
) -> Generator[Outcome, None, None]:
    """The outcome of each task, in order.

    Args:
        pending: taken from the left; more may be appended between two outcomes.
        more: tasks after those, made as they are needed.
    """
    worker = Worker(work)
    more = iter(more)
    spent, done = 0.0, 0
    while _at_hand(jobs.number or _AHEAD_EACH, pending, more):
        number = jobs.number or _number_worth_it(pending, spent, done)
        if not jobs.are_given:
            number = min(len(pending), number)
        if number > 1 or jobs.are_given:
            yield from _by_workers(work, pending, more, number, jobs.start or worker_processes)
            continue
        outcome = worker.outcome_of(pending.popleft())
        spent, done = spent + outcome.seconds, done + 1
        yield outcome


def _at_hand(number: int, pending: deque[FileTask], more: Iterator[FileTask]) -> int:
    """The number of pending tasks, filled up to a number from those that are made when needed."""
    pending.extend(islice(more, max(0, number - len(pending))))
    return len(pending)


def available_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _number_worth_it(pending: deque[FileTask], spent: float, done: int) -> int:
    """The number of processes for the remaining tasks, by sizes and by the time that finished tasks took."""
    if done and spent < _MEASURED_FROM:
        return 1
    expected = spent / done * len(pending) if done else takes_seconds(pending)
    return available_cores() if expected > _WORTH_PROCESSES else 1


def takes_seconds(tasks: Collection[FileTask]) -> float:
    """The time of tasks by the size of their files, meshes apart."""
    return _SECONDS_PER_FILE * len(tasks) + _SECONDS_PER_BYTE * _size_of(tasks)


def _by_workers(
    work: Work[object], pending: deque[FileTask], more: Iterator[FileTask], number: int, start: StartWorkers
) -> Iterator[Outcome]:
    """The outcomes of all tasks. Those lost with a dead worker are repeated alone, to see which of them kills it."""
    while _at_hand(1, pending, more):
        lost = yield from _until_one_dies(work, pending, more, number, start)
        while lost:
            for task in (yield from _until_one_dies(work, lost, iter(()), 1, start, alone=True)):
                yield Outcome(task, death_of_worker(task), 0.0)


def _until_one_dies(
    work: Work[object],
    pending: deque[FileTask],
    more: Iterator[FileTask],
    number: int,
    start: StartWorkers,
    *,
    alone: bool = False,
) -> Generator[Outcome, None, deque[FileTask]]:
    """Works until nothing is pending or a worker dies; returns the lost tasks, in order."""
    chunks: deque[_Chunk] = deque()
    with ExitStack() as stack:
        # An executor that was given lives on. Processes are stopped before that: before Python 3.12 an executor without
        # processes fails loudly on cancelled work.
        stack.callback(_cancel, chunks)
        under_way = _UnderWay(work, stack.enter_context(start(number)), number, alone, chunks)
        while _at_hand(1, pending, more) or chunks:
            under_way.send(pending, more)
            if not chunks:
                # It broke without any task: the first one counts as lost, or there would be no end.
                return deque([pending.popleft()])
            try:
                outcomes = under_way.next_outcomes()
            except BrokenExecutor:
                return deque(task for chunk, _ in chunks for task in chunk)
            yield from outcomes
    return deque()


class _UnderWay:
    """The chunks that an executor has, in order, up to a size that keeps all workers busy."""

    def __init__(
        self, work: Work[object], executor: Executor, workers: int, alone: bool, chunks: deque[_Chunk]
    ) -> None:
        self._work = work
        self._executor = executor
        self._workers = workers
        self._alone = alone
        self._chunks = chunks
        self._bytes = 0

    def send(self, pending: deque[FileTask], more: Iterator[FileTask]) -> None:
        """Hands over tasks until there is no room, or the executor is broken."""
        while self._has_room and _at_hand(_AHEAD_EACH * self._workers, pending, more):
            chunk = _next_chunk(pending, self._workers, self._alone)
            try:
                self._chunks.append((chunk, self._submitted(chunk)))
            except BrokenExecutor:
                pending.extendleft(reversed(chunk))
                break
            except RuntimeError as error:
                # It was shut down, or is one of another library.
                raise ConfigurationError(f"the executor takes no work: {error}") from None
            self._bytes += _size_of(chunk)

    def next_outcomes(self) -> list[Outcome]:
        """The outcomes of the first chunk; none where its tasks are sent again, each alone.

        Raises:
            BrokenExecutor: a worker died; the chunk is still the first.
        """
        chunk, future = self._chunks[0]
        again: list[_Chunk] = []
        outcomes: list[Outcome] = []
        try:
            outcomes = future.result()
        except (BrokenExecutor, ClusterError):
            raise
        except Exception as error:
            # A task or result cannot be pickled: of several tasks, sending each alone shows which.
            if len(chunk) > 1:
                again = [([task], self._submitted([task])) for task in chunk]
            else:
                outcomes = [Outcome(chunk[0], failure_of(chunk[0], error), 0.0)]
        self._chunks.popleft()
        self._chunks.extendleft(reversed(again))
        if not again:
            self._bytes -= _size_of(chunk)
        return outcomes

    def _submitted(self, chunk: list[FileTask]) -> Future[list[Outcome]]:
        return self._executor.submit(outcomes_of, self._work, chunk)

    @property
    def _has_room(self) -> bool:
        chunks, workers = len(self._chunks), self._workers
        if self._alone or chunks < workers:
            return chunks < workers
        return chunks < _WINDOW_CHUNKS_EACH * workers and self._bytes < _WINDOW_BYTES


def _cancel(chunks: Iterable[_Chunk]) -> None:
    for _, future in chunks:
        future.cancel()


def death_of_worker(task: FileTask) -> WorkerError:
    return WorkerError(
        "its worker process died; the file is unchanged",
        file=task.path,
        remedy="if memory ran out, add some, or run with --jobs 1",
    )


def _next_chunk(pending: deque[FileTask], workers: int, alone: bool) -> list[FileTask]:
    """The next tasks: neighbours mostly lie in one directory and share meshes."""
    limit = 1 if alone else min(_CHUNK_FILES, len(pending) // (_CHUNKS_EACH * workers))
    chunk = [pending.popleft()]
    while pending and len(chunk) < limit and _size_of(chunk) + pending[0].size <= _CHUNK_BYTES:
        chunk.append(pending.popleft())
    return chunk


def _size_of(tasks: Iterable[FileTask]) -> int:
    return sum(task.size for task in tasks)


# Workers --------------------------------------------------------------------------------------------------------------


class _Memory(threading.local):
    """The state of a worker between calls: configurations, models and meshes."""

    worker: Worker | None = None


# The only state that outlives a call: executors hand nothing but tasks to their workers.
_MEMORY = _Memory()


def outcomes_of(work: Work[object], tasks: Sequence[FileTask]) -> list[Outcome]:
    worker = worker_for(work)
    return [worker.outcome_of(task) for task in tasks]


def worker_for(work: Work[object]) -> Worker:
    kept = _MEMORY.worker.work if _MEMORY.worker is not None else None
    # Works are tuples, and those of two kinds may hold the same.
    if _MEMORY.worker is None or type(kept) is not type(work) or kept != work:
        # Threads of one process get the same object, and its state is for one thread alone.
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
    """The way to start processes: forking is fastest, and safe only where no other thread may hold a lock."""
    # Before 3.10.5 an executor forked anew when it had a thread of its own already.
    if sys.platform == "linux" and sys.version_info >= (3, 10, 5) and _is_alone():
        return "fork"
    return "spawn"


def _is_alone() -> bool:
    if threading.active_count() > 1:
        return False
    patience = time.monotonic() + _ENDING_TAKES
    while len(os.listdir("/proc/self/task")) > 1:
        # A joined thread, as those of an earlier executor, is listed for a moment longer.
        if time.monotonic() > patience:
            return False
        time.sleep(0.001)
    return True


def _begin(collects_garbage: bool) -> None:

    # Ctrl-C reaches every process of a terminal; the parent decides what happens to the work.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if not collects_garbage:
        gc.disable()
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Ends with the parent process, which may be killed without a message."""
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
