"""Outcomes come in the order of the tasks, whoever works on them; and no more is under way than can be taken soon."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import pytest

import sdfinertia.runs.outcomes
import sdfinertia.runs.work
from sdfinertia.errors import MeshError, WorkerError
from sdfinertia.options import Options
from sdfinertia.runs.outcomes import ONE_JOB, Jobs, outcomes_in_order
from sdfinertia.runs.work import FileTask, file_task


@pytest.fixture(autouse=True)
def collections(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The generations that the garbage collector is to look through; it does not, for that takes long in tests."""
    rounds: list[int] = []
    monkeypatch.setattr(sdfinertia.runs.work.gc, "collect", lambda generation=2: rounds.append(generation))
    return rounds


def tasks(number: int, size: int = 0) -> deque[FileTask]:
    return deque(FileTask(f"{index}", Options(), size) for index in range(number))


def name_after_a_while(task: FileTask) -> str:
    """Tasks later in order are done sooner."""
    time.sleep(0.02 / (1 + int(task.path)))
    return task.path


@pytest.mark.parametrize("jobs", [ONE_JOB, Jobs(2, ThreadPoolExecutor), Jobs(7, ThreadPoolExecutor), Jobs(None)])
@pytest.mark.parametrize("number", [0, 1, 2, 50])
def test_outcomes_come_in_the_order_of_the_tasks(jobs: Jobs, number: int) -> None:
    outcomes = list(outcomes_in_order(name_after_a_while, tasks(number), jobs))
    assert [outcome.result for outcome in outcomes] == [str(index) for index in range(number)]
    assert all(outcome.seconds > 0 for outcome in outcomes)


@pytest.mark.parametrize("jobs", [ONE_JOB, Jobs(3, ThreadPoolExecutor)])
def test_tasks_may_be_added_between_two_outcomes(jobs: Jobs) -> None:
    pending = tasks(2)
    seen = []
    for outcome in outcomes_in_order(name_after_a_while, pending, jobs):
        seen.append(outcome.result)
        if int(outcome.result) < 20:
            pending.append(FileTask(str(int(outcome.result) + 10), Options()))
    assert seen == ["0", "1", "10", "11", "20", "21"]


@pytest.mark.parametrize("jobs", [ONE_JOB, Jobs(2, ThreadPoolExecutor)])
def test_an_error_of_the_input_and_a_want_of_memory_are_outcomes_and_stop_nothing(jobs: Jobs) -> None:
    def refuse_two(task: FileTask) -> str:
        if task.path == "1":
            raise MemoryError
        if task.path == "3":
            raise MeshError("is damaged", file=task.path)
        return task.path

    results = [outcome.result for outcome in outcomes_in_order(refuse_two, tasks(6), jobs)]
    short = "1: not enough memory; the file is unchanged"
    assert [str(result) for result in results] == ["0", short, "2", "3: is damaged", "4", "5"]
    assert isinstance(results[3], MeshError)


class LazyExecutor(Executor):
    """Works only when a result is asked for, and keeps the highest number that was waiting."""

    def __init__(self, number: int) -> None:
        self.waiting = 0
        LazyExecutor.most_tasks = LazyExecutor.most_chunks = 0
        self.tasks_waiting = 0

    most_tasks = 0
    most_chunks = 0

    def submit(self, function: Any, /, *arguments: Any, **keywords: Any) -> Future[Any]:
        executor, chunk = self, arguments[1]

        class Later(Future[Any]):
            def result(self, timeout: float | None = None) -> Any:
                executor.waiting -= 1
                executor.tasks_waiting -= len(chunk)
                return function(*arguments, **keywords)

        self.waiting += 1
        self.tasks_waiting += len(chunk)
        LazyExecutor.most_chunks = max(self.waiting, LazyExecutor.most_chunks)
        LazyExecutor.most_tasks = max(self.tasks_waiting, LazyExecutor.most_tasks)
        return Later()


@pytest.mark.parametrize(
    ("number", "size", "most_chunks", "most_tasks"),
    [(1000, 0, 8, 8 * 16), (100, 300_000, 8, 8 * 3), (12, 50 << 20, 2, 2), (5, 0, 5, 5)],
    ids=["small files", "files of middling size", "large files", "few files"],
)
def test_what_is_under_way_is_bounded(number: int, size: int, most_chunks: int, most_tasks: int) -> None:
    outcomes = outcomes_in_order(lambda task: task.path, tasks(number, size), Jobs(2, LazyExecutor))
    assert [outcome.result for outcome in outcomes] == [str(index) for index in range(number)]
    assert 0 < LazyExecutor.most_chunks <= most_chunks
    assert LazyExecutor.most_tasks <= most_tasks


class NoExecutor(LazyExecutor):
    def __init__(self, number: int) -> None:
        raise AssertionError("no worker is worth its start here")


@pytest.fixture
def cores(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    LazyExecutor.most_chunks = 0
    return lambda number: monkeypatch.setattr(sdfinertia.runs.outcomes, "available_cores", lambda: number)


@pytest.mark.parametrize(("number", "size", "has"), [(1, 1 << 30, 8), (2, 1000, 8), (500, 2000, 8), (9000, 10_000, 1)])
def test_little_work_or_one_core_takes_one_process(cores, number, size, has):
    cores(has)
    assert len(list(outcomes_in_order(str, tasks(number, size), Jobs(None, NoExecutor)))) == number


@pytest.mark.parametrize(("number", "size"), [(2, 20 << 20), (5000, 1000)])
def test_much_to_read_is_shared_out_at_once(cores: Callable[[int], None], number: int, size: int) -> None:
    cores(8)
    assert len(list(outcomes_in_order(str, tasks(number, size), Jobs(None, LazyExecutor)))) == number
    assert LazyExecutor.most_chunks > 0


def test_files_that_turn_out_slow_are_shared_out(cores: Callable[[int], None]) -> None:
    cores(8)
    slow = iter([0.3])

    def first_is_slow(task: FileTask) -> str:
        time.sleep(next(slow, 0.0))
        return task.path

    assert len(list(outcomes_in_order(first_is_slow, tasks(20), Jobs(None, LazyExecutor)))) == 20
    assert LazyExecutor.most_chunks > 0


def test_cores_are_all_counted_where_it_is_not_told_which_may_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    assert sdfinertia.runs.outcomes.available_cores() == os.cpu_count()


class Unfinished(Executor):
    """Finishes what it is given first, and nothing after that."""

    def __init__(self) -> None:
        self.given: list[Future[Any]] = []

    def submit(self, function: Any, /, *arguments: Any, **keywords: Any) -> Future[Any]:
        future: Future[Any] = Future()
        if not self.given:
            future.set_result(function(*arguments, **keywords))
        self.given.append(future)
        return future


def test_what_is_not_wanted_any_more_is_cancelled_once_its_workers_are_stopped_and_not_before() -> None:
    """An executor of processes fails on what was cancelled if it finds them gone, before Python 3.12."""
    executor, stopped_with = Unfinished(), []

    @contextmanager
    def start(number: int) -> Iterator[Executor]:
        try:
            yield executor
        finally:
            stopped_with.extend(future.cancelled() for future in executor.given)

    outcomes = outcomes_in_order(str, tasks(200), Jobs(2, start))
    next(outcomes)
    outcomes.close()
    assert stopped_with == [False] * len(executor.given)
    assert [future.cancelled() for future in executor.given] == [False] + [True] * (len(executor.given) - 1)
    assert len(executor.given) > 2


class Failing(Executor):
    """Has calls fail, or what they answer, as two functions of their tasks tell."""

    def __init__(self, of_call: Fault, of_answer: Fault) -> None:
        self.of_call, self.of_answer = of_call, of_answer

    def submit(self, function: Any, /, *arguments: Any, **keywords: Any) -> Future[Any]:
        paths = [task.path for task in arguments[1]]
        if (error := self.of_call(paths)) is not None:
            raise error
        future: Future[Any] = Future()
        if (error := self.of_answer(paths)) is not None:
            future.set_exception(error)
        else:
            future.set_result(function(*arguments, **keywords))
        return future


Fault = Callable[[list[str]], "Exception | None"]


def never(paths: list[str]) -> None:
    return None


def once(path: str, error: Exception) -> Fault:
    """Fails when a task comes alone for the first time."""
    errors = [error]
    return lambda paths: errors.pop() if errors and paths == [path] else None


def of_several(error: Exception) -> Fault:
    return lambda paths: error if len(paths) > 1 else None


def either(one: Fault, other: Fault) -> Fault:
    return lambda paths: one(paths) or other(paths)


@pytest.mark.parametrize(
    ("of_call", "of_answer", "failed"),
    [
        (once("3", BrokenExecutor()), of_several(ValueError()), []),
        (never, either(of_several(BrokenExecutor()), once("3", ValueError())), ["3"]),
        (never, either(of_several(BrokenExecutor()), once("3", BrokenExecutor())), ["3"]),
        (never, either(of_several(ValueError()), once("3", ValueError())), ["3"]),
    ],
    ids=["dies when each is sent alone", "dies, and one cannot be sent", "dies of one", "one cannot be sent"],
)
def test_whatever_fails_between_here_and_the_workers_costs_no_other_task(of_call, of_answer, failed):
    jobs = Jobs(2, lambda _: nullcontext(Failing(of_call, of_answer)), are_given=True)
    outcomes = list(outcomes_in_order(lambda task: task.path, tasks(60), jobs))
    assert [outcome.task.path for outcome in outcomes] == [str(number) for number in range(60)]
    assert [outcome.task.path for outcome in outcomes if isinstance(outcome.result, WorkerError)] == failed
    assert all(outcome.result == outcome.task.path for outcome in outcomes if outcome.task.path not in failed)


def test_a_file_that_is_not_there_is_a_task_all_the_same(tmp_path: Path) -> None:
    assert file_task(str(tmp_path / "none.sdf"), Options()).size == 0
    (tmp_path / "m.sdf").write_text("12345")
    assert file_task(str(tmp_path / "m.sdf"), Options()).size == 5


@pytest.mark.parametrize(("number", "size", "young", "all_of_them"), [(100, 1 << 20, 94, 5), (100, 2000, 33, 0)])
def test_the_trees_of_files_done_are_let_go(
    collections: list[int], number: int, size: int, young: int, all_of_them: int
) -> None:
    list(outcomes_in_order(str, tasks(number, size), ONE_JOB))
    assert (collections.count(0), collections.count(2)) == (young, all_of_them)
