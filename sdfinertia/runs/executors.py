"""Work on files by executors: processes of our own, or whatever is given."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections import deque
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from copy import deepcopy
from typing import TYPE_CHECKING

from sdfinertia.errors import ClusterError, ConfigurationError, WorkerError
from sdfinertia.runs.tasks import FileTask, Outcome, Work, failure_of, outcome_of

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

# Files under way for each worker: results come in order, so a slow file holds up those behind it.
_AHEAD_EACH = 4
# The most processes that Windows can wait for at once.
_MAX_ON_WINDOWS = 61


def results(
    tasks: Iterable[FileTask], work: Work[object], executor: Executor | None, workers: int
) -> Generator[Outcome, None, None]:
    """The outcomes by an executor, or by processes of our own where there is none or it breaks."""
    sent: deque[tuple[FileTask, Future[Outcome]]] = deque()
    with ExitStack() as stack:
        # Processes are stopped before that: until Python 3.12 an executor without processes fails on cancelled work.
        stack.callback(lambda: [future.cancel() for _, future in sent])
        executor = executor or stack.enter_context(worker_processes(workers))
        for task in tasks:
            try:
                sent.append((task, executor.submit(outcome_there, work, task)))
            except BrokenExecutor:
                # Its threads end, beside which no process could be forked.
                executor.shutdown()
                while sent:
                    yield _received(executor, work, *sent.popleft())
                yield _alone(work, task)
                executor = stack.enter_context(worker_processes(workers))
            except Exception as error:
                # It was shut down, or is one of another library.
                raise ConfigurationError(f"the executor takes no work: {error}") from None
            if len(sent) >= _AHEAD_EACH * workers:
                yield _received(executor, work, *sent.popleft())
        while sent:
            yield _received(executor, work, *sent.popleft())


def lost() -> ClusterError:
    problem = "the connection to the workers is lost; each file is either unchanged or done"
    return ClusterError(problem, remedy="run again; files that are done are skipped")


def _received(executor: Executor, work: Work[object], task: FileTask, future: Future[Outcome]) -> Outcome:
    try:
        return future.result()
    except CancelledError:
        raise lost() from None
    except ClusterError:
        raise
    except Exception as error:
        if isinstance(error, BrokenExecutor):
            # Its threads end, beside which no process could be forked.
            executor.shutdown()
        return _alone(work, task)


def _alone(work: Work[object], task: FileTask) -> Outcome:
    """The outcome of a task that was lost with its worker, or could not be sent, in a process of its own."""
    try:
        with worker_processes(1) as executor:
            return executor.submit(outcome_there, work, task).result()
    except BrokenExecutor:
        remedy = "if memory ran out, add some, or run with --jobs 1"
        died = WorkerError("its worker process died; the file is unchanged", file=task.path, remedy=remedy)
        return Outcome(task, died, 0.0)
    except Exception as error:
        return Outcome(task, failure_of(task, error), 0.0)


# Workers --------------------------------------------------------------------------------------------------------------

# The work of each thread, which keeps meshes and models between calls.
_KEPT = threading.local()


def outcome_there(work: Work[object], task: FileTask) -> Outcome:
    kept = getattr(_KEPT, "work", None)
    # Works are tuples, and those of two kinds may hold the same.
    if type(kept) is not type(work) or kept != work:
        # Threads of one process get the same object, and its state is for one thread alone.
        kept = _KEPT.work = deepcopy(work)
    return outcome_of(kept, task)


@contextmanager
def worker_processes(number: int) -> Iterator[Executor]:
    """Processes that are killed if the run fails or is interrupted."""
    number = min(number, _MAX_ON_WINDOWS) if sys.platform == "win32" else number
    others = set(multiprocessing.active_children())
    executor = ProcessPoolExecutor(number, multiprocessing.get_context(_start_method()), initializer=_begin)
    try:
        _start(executor)
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
    can_fork = sys.platform == "linux" and sys.version_info >= (3, 10, 5)
    # A thread that has ended is listed for a moment longer.
    for _ in range(20 if can_fork else 0):
        if len(os.listdir("/proc/self/task")) == 1:
            return "fork"
        time.sleep(0.002)
    return "spawn"


def _start(executor: Executor) -> None:
    """Starts processes with Ctrl-C held back: until they ignore it, each would answer with a traceback."""
    if not hasattr(signal, "pthread_sigmask"):
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        executor.submit(os.getpid)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin() -> None:
    # Ctrl-C reaches every process of a terminal; the parent decides what happens to the work.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Ends with the parent process, which may be killed without a message."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
