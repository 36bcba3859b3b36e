"""A Dask cluster that works on the files of a run, over a shared file system.

Anyone who can reach a scheduler can run programs on its workers, so a cluster is as safe as its network. Nothing here
runs without `--cluster`.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from socket import gethostname
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from sdfinertia.errors import ClusterError, WorkerError, install_advice
from sdfinertia.mesh.method import program_digest
from sdfinertia.runs.outcomes import Jobs, death_of_worker, worker_for
from sdfinertia.runs.work import FileTask, Outcome

if TYPE_CHECKING:
    from distributed import Client

    from sdfinertia.runs.work import Work


# How long a scheduler may take to answer, and the first worker to come (s).
_ANSWERS_WITHIN, _COMES_WITHIN = 10.0, 30.0
# Factor on these for answers that Dask awaits without a deadline.
_PATIENCE = 1.5

_T = TypeVar("_T")


class Program(NamedTuple):
    """The version of the program: equal ones give equal bytes."""

    package: str
    python: str

    def __str__(self) -> str:
        return f"sdfinertia {self.package} on Python {self.python}"


def this_program() -> Program:
    return Program(program_digest(), f"{sys.version_info.major}.{sys.version_info.minor}")


@contextmanager
def cluster_jobs(address: str) -> Iterator[Jobs]:
    client = _connected(address)
    executor = _ClusterExecutor(client, address)
    try:
        number = _answered(address, _COMES_WITHIN, lambda: _number_of_workers(client, address))
        found = _answered(address, _ANSWERS_WITHIN, lambda: client.run(this_program, on_error="return"))
        _require_same_program(found)
        yield Jobs(number, lambda _: nullcontext(executor), are_given=True)
    finally:
        # A lost connection leaves nothing to cancel.
        for end in (executor.cancel, client.close):
            with suppress(Exception):
                _answered(address, _ANSWERS_WITHIN, end)


def _answered(address: str, seconds: float, ask: Callable[[], _T]) -> _T:
    """The answer of the cluster, awaited in another thread, since Dask waits for some without end."""
    answer: Future[_T] = Future()

    def wait() -> None:
        try:
            answer.set_result(ask())
        except Exception as error:
            answer.set_exception(error)

    waiting = threading.Thread(target=wait, daemon=True)
    waiting.start()
    # Dask's own deadline, where it has one, ends first: its errors have the reason.
    waiting.join(_PATIENCE * seconds)
    if not answer.done():
        raise ClusterError(
            f"the cluster at {address} does not answer within {_PATIENCE * seconds:g} s",
            remedy="check that its scheduler and its workers run, or leave out --cluster",
        )
    return answer.result()


def _connected(address: str) -> Client:
    try:
        from distributed import Client
    except ImportError:
        raise ClusterError(
            "--cluster needs the libraries dask and distributed",
            remedy=install_advice("cluster"),
        ) from None
    # Errors are reported in our own words.
    for name in ("distributed", *logging.root.manager.loggerDict):
        if name.startswith("distributed"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        return _answered(
            address,
            _ANSWERS_WITHIN,
            lambda: Client(address, timeout=_ANSWERS_WITHIN, set_as_default=False, name="sdfinertia"),
        )
    except ClusterError:
        raise
    except Exception as error:
        # Each protocol fails in its own way where it, or a library for it, is missing.
        reason = str(error).partition("\n")[0] or type(error).__name__
        raise ClusterError(
            f"the cluster at {address} does not answer: {reason}",
            remedy="give the address of its scheduler, such as tcp://host:8786",
        ) from None


def _number_of_workers(client: Client, address: str) -> int:
    with suppress(TimeoutError):
        client.wait_for_workers(1, timeout=_COMES_WITHIN)
    number: int = sum(client.nthreads().values())
    if not number:
        raise ClusterError(f"the cluster at {address} has no workers", remedy="start some with `dask worker`")
    return number


def _require_same_program(found: dict[str, Program | Exception]) -> None:
    mine = this_program()
    others = {worker: program for worker, program in sorted(found.items()) if program != mine}
    if others:
        worker, program = next(iter(others.items()))
        runs = f"runs {program}" if isinstance(program, Program) else "has no sdfinertia of this version installed"
        more = f"; so do {len(others) - 1} other workers" if len(others) > 1 else ""
        raise _other_program(worker, runs, mine, more)


def _other_program(worker: str, runs: str, mine: Program, more: str = "") -> ClusterError:
    return ClusterError(
        f"this run needs {mine}, but worker {worker} {runs}{more}",
        remedy="install the same version everywhere",
    )


# Here -----------------------------------------------------------------------------------------------------------------


class _Done(NamedTuple):
    outcomes: list[tuple[Outcome, tuple[str, ...]]]
    place: str


class _ClusterExecutor(Executor):
    """Sends work to a cluster; Dask repeats the work of a lost worker."""

    def __init__(self, client: Client, address: str) -> None:
        self._client = client
        self._address = address
        self._under_way: set[Any] = set()

    def submit(self, function: Any, /, *arguments: Any, **named: Any) -> Future[Any]:
        work, tasks = arguments
        return _Answer(partial(self._answered, self._sent(work, tasks), work, tasks))

    def _sent(self, work: Work[object], tasks: list[FileTask]) -> Any:
        sent = self._client.submit(done_on_worker, this_program(), os.getcwd(), work, tasks, pure=False)
        self._under_way.add(sent)
        return sent

    def cancel(self) -> None:
        self._client.cancel(list(self._under_way), force=True)

    def _answered(self, sent: Any, work: Work[object], tasks: list[FileTask]) -> list[Outcome]:
        from distributed import KilledWorker

        try:
            try:
                done: _Done = sent.result()
            except KilledWorker:
                if len(tasks) > 1:
                    raise
                # All work of a worker that died is suspect: it is done alone, after all else.
                self._under_way.discard(sent)
                for other in self._under_way:
                    with suppress(Exception):
                        other.exception()
                sent = self._sent(work, tasks)
                done = sent.result()
        except KilledWorker:
            if len(tasks) > 1:
                raise
            return [Outcome(tasks[0], death_of_worker(tasks[0]), 0.0)]
        except Exception:
            if self._client.status not in ("running", "newly-created"):
                raise ClusterError(
                    f"the connection to the cluster at {self._address} is lost; each file is either unchanged or done",
                    remedy="run again; files that are done are skipped",
                ) from None
            raise
        finally:
            self._under_way.discard(sent)
        return [_as_seen_here(outcome, missed, done.place) for outcome, missed in done.outcomes]


class _Answer(Future[Any]):
    def __init__(self, ask: Callable[[], list[Outcome]]) -> None:
        super().__init__()
        self._ask = ask

    def result(self, timeout: float | None = None) -> Any:
        return self._ask()


def _as_seen_here(outcome: Outcome, missed: tuple[str, ...], place: str) -> Outcome:
    """The outcome, or an error where the worker missed a file that exists here: its file system is another."""
    unseen = next((path for path in missed if os.path.exists(path)), None)
    if unseen is None:
        return outcome
    error = WorkerError(
        f"worker {place} does not see {unseen}, which exists here",
        file=outcome.task.path,
        remedy="mount the same file system at the same path on all machines",
    )
    return outcome._replace(result=error)


# There ----------------------------------------------------------------------------------------------------------------


def done_on_worker(program: Program, directory: str, work: Work[object], tasks: list[FileTask]) -> _Done:
    place = _place()
    mine = this_program()
    if mine != program:
        # One that came after the run began.
        raise _other_program(place, f"runs {mine}", program)
    try:
        with _DIRECTORY.entered(directory):
            worker = worker_for(work)
            return _Done([_with_missed(worker.work, worker.outcome_of(task)) for task in tasks], place)
    except OSError:
        problem = "the working directory does not exist on the worker"
        blind = (Outcome(task, WorkerError(problem, file=task.path), 0.0) for task in tasks)
        return _Done([(outcome, (directory,)) for outcome in blind], place)


def _with_missed(work: Work[object], outcome: Outcome) -> tuple[Outcome, tuple[str, ...]]:
    context = getattr(work, "context", None)
    missed = list(context.take_missed()) if context is not None else []
    path = outcome.task.path
    if not os.path.lexists(path):
        missed.append(path)
    return outcome, tuple(missed)


def _place() -> str:

    from distributed import get_worker

    address: str = get_worker().address
    return f"{address} on {gethostname()}"


class _Directory:
    """The current directory of a process, which its threads share: only those that agree on it run together."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._inside = 0
        self._before = ""

    @contextmanager
    def entered(self, directory: str) -> Iterator[None]:
        with self._changed:
            self._changed.wait_for(lambda: not self._inside or os.getcwd() == directory)
            if not self._inside:
                self._before = os.getcwd()
                os.chdir(directory)
            self._inside += 1
        try:
            yield
        finally:
            with self._changed:
                self._inside -= 1
                if not self._inside:
                    os.chdir(self._before)
                self._changed.notify_all()


# One per process.
_DIRECTORY = _Directory()
