"""A function on many items by executors: processes of our own, or whatever is given."""

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
from typing import TYPE_CHECKING, TypeVar

from sdfinertia.errors import ClusterError, ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator

_T = TypeVar("_T")
_R = TypeVar("_R")

# Items under way for each worker: results come in order, so a slow one holds up those behind it.
_AHEAD_EACH = 4
# The most processes that Windows can wait for at once.
_MAX_ON_WINDOWS = 61


def results(
    items: Iterable[_T],
    function: Callable[[_T], _R],
    failed: Callable[[_T, Exception | None], _R],
    executor: Executor | None,
    workers: int,
) -> Generator[_R, None, None]:
    """`failed` gives the result of an item after an error, or (None) when a process of its own died."""

    def received(executor: Executor, item: _T, future: Future[_R]) -> _R:
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
            return alone(item)

    def alone(item: _T) -> _R:
        """The result of an item that was lost with its worker, or could not be sent, in a process of its own."""
        try:
            with worker_processes(1) as own:
                return own.submit(function, item).result()
        except Exception as error:
            return failed(item, None if isinstance(error, BrokenExecutor) else error)

    sent: deque[tuple[_T, Future[_R]]] = deque()
    with ExitStack() as stack:
        # Processes are stopped before that: until Python 3.12 an executor without processes fails on cancelled work.
        stack.callback(lambda: [future.cancel() for _, future in sent])
        executor = executor or stack.enter_context(worker_processes(workers))
        for item in items:
            try:
                sent.append((item, executor.submit(function, item)))
            except BrokenExecutor:
                executor.shutdown()
                while sent:
                    yield received(executor, *sent.popleft())
                yield alone(item)
                executor = stack.enter_context(worker_processes(workers))
            except Exception as error:
                # It was shut down, or is one of another library.
                raise ConfigurationError(f"the executor takes no work: {error}") from None
            if len(sent) >= _AHEAD_EACH * workers:
                yield received(executor, *sent.popleft())
        while sent:
            yield received(executor, *sent.popleft())


def lost() -> ClusterError:
    problem = "the connection to the workers is lost; each file is either unchanged or done"
    return ClusterError(problem, remedy="run again; files that are done are skipped")


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
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
