"""Outcomes come in the order of the tasks, whoever works on them; and no more is under way than can be taken soon."""

from __future__ import annotations

import itertools
import time
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

from sdfinertia.errors import ClusterError, MeshError
from sdfinertia.options import Options
from sdfinertia.runs import ONE_JOB, Jobs, executors, outcomes_in_order
from sdfinertia.runs.source_files import FileTask

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def tasks(number: int) -> list[FileTask]:
    return [FileTask(f"{index}", Options()) for index in range(number)]


def name_of(task: FileTask) -> str:
    return task.path


def name_after_a_while(task: FileTask) -> str:
    """Tasks later in order are done sooner."""
    time.sleep(0.02 / (1 + int(task.path)))
    return task.path


@pytest.fixture(
    params=[ONE_JOB, Jobs(None), Jobs(2), 2, 7], ids=["one", "auto", "processes", "threads", "more threads"]
)
def jobs(request: pytest.FixtureRequest) -> Iterator[Jobs]:
    if isinstance(request.param, Jobs):
        yield request.param
    else:
        with ThreadPoolExecutor(request.param) as executor:
            yield Jobs(request.param, executor)


@pytest.mark.parametrize("number", [0, 20])
def test_outcomes_come_in_the_order_of_the_tasks(jobs: Jobs, number: int) -> None:
    found = list(outcomes_in_order(name_after_a_while, tasks(number), jobs))
    assert [outcome.result for outcome in found] == [str(index) for index in range(number)]
    assert all(outcome.seconds > 0 for outcome in found)


def refuse_two(task: FileTask) -> str:
    if task.path == "1":
        raise MemoryError
    if task.path == "3":
        raise MeshError("is damaged", file=task.path)
    return task.path


def test_an_error_of_the_input_and_a_want_of_memory_are_outcomes_and_stop_nothing(jobs: Jobs) -> None:
    results = [outcome.result for outcome in outcomes_in_order(refuse_two, tasks(6), jobs)]
    short = "1: not enough memory; the file is unchanged"
    assert [str(result) for result in results] == ["0", short, "2", "3: is damaged", "4", "5"]
    assert isinstance(results[3], MeshError)


class Inline(Executor):
    """Does what it is given at once; a call or an answer fails as a function of the path tells."""

    def __init__(
        self, of_answer: Callable[[str], Exception | None] = lambda _: None, of_call: Exception | None = None
    ) -> None:
        self.of_answer, self.of_call = of_answer, of_call
        self.given: list[Future[Any]] = []

    def submit(self, function: Any, /, *arguments: Any, **named: Any) -> Future[Any]:
        if self.of_call is not None:
            raise self.of_call
        future: Future[Any] = Future()
        if (error := self.of_answer(arguments[-1].path)) is not None:
            future.set_exception(error)
        else:
            future.set_result(function(*arguments, **named))
        self.given.append(future)
        return future


def test_tasks_are_taken_only_as_far_ahead_as_workers_need_them() -> None:
    taken = itertools.count()
    endless = (FileTask(f"{index}", Options()) for index in taken)
    found = outcomes_in_order(name_of, endless, Jobs(2, Inline()))
    for _ in range(400):
        next(found)
    assert next(taken) <= 400 + 2 * executors._AHEAD_EACH


@pytest.mark.parametrize("error", [BrokenExecutor(), ValueError()])
def test_a_task_that_is_lost_on_its_way_is_done_again_by_itself(error: Exception) -> None:
    executor = Inline(lambda path: error if path == "3" else None)
    found = list(outcomes_in_order(name_of, tasks(20), Jobs(2, executor)))
    assert [outcome.result for outcome in found] == [str(number) for number in range(20)]


def test_processes_of_our_own_take_over_from_an_executor_that_is_broken() -> None:
    found = list(outcomes_in_order(name_of, tasks(20), Jobs(2, Inline(of_call=BrokenExecutor()))))
    assert [outcome.result for outcome in found] == [str(number) for number in range(20)]


def test_workers_that_cannot_be_reached_end_the_run() -> None:
    class Silent(Inline):
        def submit(self, function: Any, /, *arguments: Any, **named: Any) -> Future[Any]:
            future: Future[Any] = Future()
            future.cancel()
            return future

    with pytest.raises(ClusterError, match="the connection to the workers is lost"):
        list(outcomes_in_order(name_of, tasks(3), Jobs(2, Silent())))


def test_what_is_under_way_when_nothing_more_is_wanted_is_cancelled() -> None:
    class Unfinished(Inline):
        def submit(self, function: Any, /, *arguments: Any, **named: Any) -> Future[Any]:
            if not self.given:
                return super().submit(function, *arguments, **named)
            self.given.append(Future())
            return self.given[-1]

    executor = Unfinished()
    found = outcomes_in_order(name_of, tasks(200), Jobs(2, executor))
    next(found)
    found.close()
    assert [future.cancelled() for future in executor.given] == [False] + [True] * (len(executor.given) - 1)
    assert len(executor.given) > 2


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of processes that were started."""
    numbers: list[int] = []
    real = executors.worker_processes
    monkeypatch.setattr(executors, "worker_processes", lambda number: numbers.append(number) or real(number))
    monkeypatch.setattr("sdfinertia.runs.available_cores", lambda: 3)
    return numbers


@pytest.mark.parametrize(
    ("number", "count", "seconds", "expected"),
    [
        (None, 20, 60.0, []),
        (None, 20, 0.0, [3]),
        (None, 2, 0.0, []),
        (2, 1, 0.0, []),
        (2, 2, 60.0, [2]),
        (1, 20, 0.0, []),
    ],
)
def test_a_run_that_takes_long_is_shared_out(monkeypatch, started, number, count, seconds, expected):
    monkeypatch.setattr("sdfinertia.runs._WORTH_PROCESSES", seconds)
    assert len(list(outcomes_in_order(name_of, tasks(count), Jobs(number)))) == count
    assert started == expected
