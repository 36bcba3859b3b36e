"""One function over many files, in one process or several, with its results in the order of the files.

Nothing here prints: the caller prints results one after the other, so that output does not depend on the number of
processes.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING

from sdfinertia.errors import ClusterError, WorkerError
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.runs.work import FileTask, Outcome, Worker, failure_of

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

    from sdfinertia.runs.work import Work

# What a file takes by itself and for each of its bytes, as measured where its links are primitives (s). Its meshes
# cannot be told from its size, so what a run took so far is looked at too.
_SECONDS_PER_FILE, _SECONDS_PER_BYTE = 0.6e-3, 0.25e-6
_MEASURED_FROM = 0.25
# To start processes and have them load what they need takes some 0.2 s.
_WORTH_PROCESSES = 1.0
# Tasks are sent several at once, because sending takes as long as a small file; fewer near the end, so that no process
# waits long for another.
_CHUNK_FILES, _CHUNK_BYTES, _CHUNKS_EACH = 16, 1 << 20, 4
# How much may be on its way before the first of it is taken: the order of files is kept, so a slow one holds up others.
_WINDOW_CHUNKS_EACH, _WINDOW_BYTES = 4, 64 << 20


def _processes(number: int) -> AbstractContextManager[Executor]:
    # Loaded where there are to be some.
    from sdfinertia.runs.worker_processes import worker_processes

    return worker_processes(number)


# Starts so many workers; any class of `concurrent.futures` that runs what it is given will do.
StartWorkers = Callable[[int], AbstractContextManager["Executor"]]


class Jobs(NamedTuple):
    """The workers of a run: None for one per core where that pays, 1 for this process; `are_given` workers always do
    the work.
    """

    number: int | None = None
    start: StartWorkers = _processes
    are_given: bool = False


ONE_JOB = Jobs(1)


class _Queue:
    """The tasks at hand, and behind them those made when they are needed."""

    def __init__(self, pending: deque[FileTask], more: Iterable[FileTask]) -> None:
        self._pending = pending
        self._more = iter(more)

    def at_hand(self, number: int) -> deque[FileTask]:
        while len(self._pending) < number:
            task = next(self._more, None)
            if task is None:
                break
            self._pending.append(task)
        return self._pending


def outcomes_in_order(
    work: Work[object], pending: deque[FileTask], jobs: Jobs, more: Iterable[FileTask] = ()
) -> Generator[Outcome, None, None]:
    """The outcome of each task, in order.

    Args:
        pending: taken from the left; more may be appended between two outcomes.
        more: tasks after those, made as they are needed.
    """
    worker = Worker(work)
    queue = _Queue(pending, more)
    spent, done = 0.0, 0
    while queue.at_hand(jobs.number or _CHUNK_FILES * _CHUNKS_EACH):
        number = jobs.number or _number_worth_it(pending, spent, done)
        if not jobs.are_given:
            number = min(len(pending), number)
        if number > 1 or jobs.are_given:
            yield from _by_workers(work, queue, number, jobs.start)
            continue
        outcome = worker.outcome_of(pending.popleft())
        spent, done = spent + outcome.seconds, done + 1
        yield outcome


def available_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _number_worth_it(pending: deque[FileTask], spent: float, done: int) -> int:
    """The number of processes for what is left, by sizes and by the time that finished tasks took."""
    if done and spent < _MEASURED_FROM:
        return 1
    expected = spent / done * len(pending) if done else 0.0
    if not done:
        expected = _SECONDS_PER_FILE * len(pending) + _SECONDS_PER_BYTE * _size_of(pending)
    return available_cores() if expected > _WORTH_PROCESSES else 1


def _by_workers(work: Work[object], queue: _Queue, number: int, start: StartWorkers) -> Iterator[Outcome]:
    """The outcomes of all tasks; those lost with a dead worker are repeated."""
    while queue.at_hand(1):
        lost = yield from _until_one_dies(work, queue, number, start)
        if lost:
            yield from _one_at_a_time(work, lost, start)


def _until_one_dies(
    work: Work[object], queue: _Queue, number: int, start: StartWorkers
) -> Generator[Outcome, None, list[FileTask]]:
    """Works until nothing is pending or a worker dies; returns the lost tasks, in order."""
    from concurrent.futures import BrokenExecutor

    from sdfinertia.runs.worker_processes import outcomes_of

    under_way: deque[tuple[list[FileTask], Future[list[Outcome]]]] = deque()
    size = 0
    with _cancelled_at_end(under_way), start(number) as executor:
        while (pending := queue.at_hand(1)) or under_way:
            while queue.at_hand(_CHUNK_FILES * _CHUNKS_EACH * number) and _has_room(len(under_way), size, number):
                chunk = _next_chunk(pending, number)
                try:
                    under_way.append((chunk, executor.submit(outcomes_of, work, chunk)))
                except BrokenExecutor:
                    pending.extendleft(reversed(chunk))
                    break
                size += _size_of(chunk)
            if not under_way:
                # It broke before it had anything to do: the first task goes with it, or there would be no end.
                return [pending.popleft()]
            chunk, future = under_way.popleft()
            try:
                outcomes = future.result()
            except BrokenExecutor:
                return [*chunk, *(task for other, _ in under_way for task in other)]
            except ClusterError:
                raise
            except Exception as error:
                # What is sent there or back cannot be: of several tasks, that is found by sending each alone.
                if len(chunk) > 1:
                    try:
                        alone = [([task], executor.submit(outcomes_of, work, [task])) for task in chunk]
                    except BrokenExecutor:
                        return [*chunk, *(task for other, _ in under_way for task in other)]
                    under_way.extendleft(reversed(alone))
                    continue
                outcomes = [Outcome(chunk[0], failure_of(chunk[0], error), 0.0)]
            size -= _size_of(chunk)
            yield from outcomes
    return []


@contextmanager
def _cancelled_at_end(under_way: Iterable[tuple[list[FileTask], Future[list[Outcome]]]]) -> Iterator[None]:
    """Cancels what was not begun: an executor that was given lives on.

    Processes are stopped before that: before Python 3.12 an executor without processes fails loudly on cancelled work.
    """
    try:
        yield
    finally:
        for _, future in under_way:
            future.cancel()


def _one_at_a_time(work: Work[object], tasks: Iterable[FileTask], start: StartWorkers) -> Iterator[Outcome]:
    """The outcomes of tasks one of which kills its worker: an error of that task alone."""
    from concurrent.futures import BrokenExecutor

    from sdfinertia.runs.worker_processes import outcomes_of

    left = deque(tasks)
    while left:
        with start(1) as executor:
            while left:
                task = left.popleft()
                try:
                    [outcome] = executor.submit(outcomes_of, work, [task]).result()
                except BrokenExecutor:
                    yield Outcome(task, death_of_worker(task), 0.0)
                    break
                except Exception as error:
                    outcome = Outcome(task, failure_of(task, error), 0.0)
                yield outcome


def death_of_worker(task: FileTask) -> WorkerError:
    return WorkerError(
        "its worker process died; the file is unchanged",
        file=task.path,
        remedy="if memory ran out, add some, or run with --jobs 1",
    )


def _has_room(chunks: int, size: int, workers: int) -> bool:
    return chunks < workers or (chunks < _WINDOW_CHUNKS_EACH * workers and size < _WINDOW_BYTES)


def _next_chunk(pending: deque[FileTask], workers: int) -> list[FileTask]:
    """The next tasks: neighbours mostly lie in one directory and share meshes."""
    limit = min(_CHUNK_FILES, len(pending) // (_CHUNKS_EACH * workers))
    chunk = [pending.popleft()]
    while pending and len(chunk) < limit and _size_of(chunk) + pending[0].size <= _CHUNK_BYTES:
        chunk.append(pending.popleft())
    return chunk


def _size_of(tasks: Iterable[FileTask]) -> int:
    return sum(task.size for task in tasks)
