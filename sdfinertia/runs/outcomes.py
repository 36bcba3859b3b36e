"""The outcomes of a run over files, in the order of the files, by this process or by others.

Nothing here prints: the caller prints outcomes one after the other, so that output does not depend on the number of
processes.
"""

from __future__ import annotations

import os
import time
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.runs.tasks import FileTask, Outcome, Work, outcome_of

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable
    from concurrent.futures import Executor

# A run is shared out if it takes longer (s): starting processes takes some 0.2 s.
_WORTH_PROCESSES = 1.0


class Jobs(NamedTuple):
    """The workers of a run: so many processes, or an executor that has so many; None for one per core where it pays."""

    number: int | None = None
    executor: Executor | None = None


ONE_JOB = Jobs(1)


def outcomes_in_order(work: Work[object], tasks: Iterable[FileTask], jobs: Jobs) -> Generator[Outcome, None, None]:
    """The outcome of each task, in order; tasks are taken as they are needed."""
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

        yield from results(tasks, work, jobs.executor, number)
        return
    for task in tasks:
        yield outcome_of(work, task)


def available_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
