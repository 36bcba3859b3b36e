"""The executors of a run: processes of our own, what is given, or a Dask cluster over a shared file system.

Anyone who can reach a scheduler can run programs on its workers. Nothing is sent there without `--cluster`.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, InvalidStateError, ProcessPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING, Any, TypeVar

from sdfinertia.errors import ClusterError, ConfigurationError, install_advice
from sdfinertia.mesh import program_digest, versions_of

if TYPE_CHECKING:
    from distributed import Client

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
    sent: deque[tuple[_T, Future[_R]]] = deque()

    def received() -> _R:
        item, future = sent.popleft()
        try:
            return future.result()
        except CancelledError:
            raise lost() from None
        except ClusterError:
            raise
        except Exception as error:
            if isinstance(error, BrokenExecutor):
                # Its threads end, beside which no process could be forked.
                running.shutdown()
        # It was lost with its worker, or could not be sent, and has a process of its own.
        try:
            with worker_processes(1) as own:
                return own.submit(function, item).result()
        except Exception as error:
            return failed(item, None if isinstance(error, BrokenExecutor) else error)

    with ExitStack() as stack:
        # Processes are stopped before that: until Python 3.12 an executor without processes fails on cancelled work.
        stack.callback(lambda: [future.cancel() for _, future in sent])
        running = executor or stack.enter_context(worker_processes(workers))
        for item in items:
            try:
                future = running.submit(function, item)
            except BrokenExecutor:
                running.shutdown()
                while sent:
                    yield received()
                running = stack.enter_context(worker_processes(workers))
                future = running.submit(function, item)
            except Exception as error:
                # It was shut down, or is one of another library.
                raise ConfigurationError(f"the executor takes no work: {error}") from None
            sent.append((item, future))
            if len(sent) >= _AHEAD_EACH * workers:
                yield received()
        while sent:
            yield received()


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


# A cluster ------------------------------------------------------------------------------------------------------------

# How long a scheduler may take to answer, and the first worker to come, and how often the scheduler is polled (s).
_ANSWERS_WITHIN, _COMES_WITHIN, _LOOK_EVERY = 10.0, 30.0, 0.5
# Results depend on these, on Python and on this package.
_LIBRARIES = ("numpy", "scipy", "lxml", "trimesh", "libigl", "vhacdx", "manifold3d", "cascadio", "xacro")
# The threads of a worker share its directory.
_LOCK = threading.Lock()


@contextmanager
def cluster_of(address: str) -> Iterator[tuple[int, Executor]]:
    """The number of its workers, and what runs work on them in this directory."""
    try:
        from distributed import Client
    except ImportError:
        problem = "--cluster needs the libraries dask and distributed"
        raise ClusterError(problem, remedy=install_advice("cluster")) from None
    # Errors are reported in our own words.
    logging.disable()
    with _answered(address, lambda: Client(address, timeout=_ANSWERS_WITHIN, set_as_default=False)) as client:
        with suppress(TimeoutError):
            client.wait_for_workers(1, timeout=_COMES_WITHIN)
        workers = sum(client.nthreads().values())
        if not workers:
            raise ClusterError(f"the cluster at {address} has no workers", remedy="start some with `dask worker`")
        found, mine = _answered(address, lambda: client.run(versions, on_error="return")), versions()
        for worker, theirs in sorted(found.items()):
            for name, version in mine.items():
                has = theirs.get(name, "none") if isinstance(theirs, dict) else "none"
                if has != version:
                    problem = f"{name} is {has} on worker {worker}, and {version} here"
                    raise ClusterError(problem, remedy="install the same versions everywhere")
        with _ClusterExecutor(client, os.getcwd()) as executor:
            yield workers, executor


def _answered(address: str, ask: Callable[[], Any]) -> Any:
    """The answer of the cluster, awaited in another thread: Dask waits for some without end."""
    answer: Future[Any] = Future()

    def wait() -> None:
        try:
            answer.set_result(ask())
        except Exception as error:
            answer.set_exception(error)

    threading.Thread(target=wait, daemon=True).start()
    try:
        # Dask's own deadline, where it has one, ends first: its errors have the reason.
        return answer.result(1.5 * _ANSWERS_WITHIN)
    except Exception as error:
        reason = str(error).partition("\n")[0] or type(error).__name__
        remedy = "give the address of its scheduler, such as tcp://host:8786"
        raise ClusterError(f"the cluster at {address} does not answer: {reason}", remedy=remedy) from None


def versions() -> dict[str, str]:
    libraries = {name: versions_of([name]).removeprefix(f"{name}-") for name in _LIBRARIES}
    return {"sdfinertia": program_digest(), "Python": "{}.{}".format(*sys.version_info), **libraries}


class _ClusterExecutor(Executor):
    """Works in a directory; what is not done fails once the scheduler is lost, for which Dask would wait for ever."""

    def __init__(self, client: Client, directory: str) -> None:
        self._client, self._directory = client, directory
        self._executor = client.get_executor(pure=False)
        self._sent: set[Future[Any]] = set()
        self._is_closed = threading.Event()
        threading.Thread(target=self._watch, daemon=True).start()

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        future: Future[Any] = self._executor.submit(in_directory, self._directory, function, *arguments)
        self._sent.add(future)
        future.add_done_callback(self._sent.discard)
        return future

    def _watch(self) -> None:
        while not self._is_closed.wait(_LOOK_EVERY):
            for future in list(self._sent) if self._client.status != "running" else ():
                with suppress(InvalidStateError):
                    future.set_exception(lost())

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._is_closed.set()


def in_directory(directory: str, function: Callable[..., _R], *arguments: Any) -> _R:
    with _LOCK:
        before = os.getcwd()
        try:
            with suppress(OSError):
                os.chdir(directory)
            return function(*arguments)
        finally:
            os.chdir(before)
