"""A Dask cluster that works on the files of a run, over a shared file system.

Anyone who can reach a scheduler can run programs on its workers. Nothing here runs without `--cluster`.
"""

from __future__ import annotations

import logging
import os
import socket
import sys
import threading
from concurrent.futures import Executor, Future, InvalidStateError
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from sdfinertia.errors import ClusterError, WorkerError, install_advice
from sdfinertia.mesh.method import program_digest, versions_of
from sdfinertia.runs.executors import lost
from sdfinertia.runs.tasks import FileTask, Jobs, Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from distributed import Client

# How long a scheduler may take to answer, and the first worker to come (s).
_ANSWERS_WITHIN, _COMES_WITHIN = 10.0, 30.0
# How often the scheduler is polled (s).
_LOOK_EVERY = 0.5
# Results depend on these, on Python and on this package.
_LIBRARIES = ("numpy", "scipy", "lxml", "trimesh", "libigl", "vhacdx", "manifold3d", "cascadio", "xacro")
# The threads of a worker share its directory.
_LOCK = threading.Lock()


@contextmanager
def cluster_jobs(address: str) -> Iterator[Jobs]:
    try:
        from distributed import Client
    except ImportError:
        problem = "--cluster needs the libraries dask and distributed"
        raise ClusterError(problem, remedy=install_advice("cluster")) from None
    # Errors are reported in our own words.
    logging.disable()
    client = _answered(
        address, lambda: Client(address, timeout=_ANSWERS_WITHIN, set_as_default=False, name="sdfinertia")
    )
    with client:
        with suppress(TimeoutError):
            client.wait_for_workers(1, timeout=_COMES_WITHIN)
        workers = sum(client.nthreads().values())
        if not workers:
            raise ClusterError(f"the cluster at {address} has no workers", remedy="start some with `dask worker`")
        _require_same_versions(_answered(address, lambda: client.run(versions, on_error="return")))
        with _InDirectory(client, os.getcwd()) as executor:
            yield Jobs(workers, executor)


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


def _require_same_versions(found: dict[str, dict[str, str] | Exception]) -> None:
    for worker, theirs in sorted(found.items()):
        has = theirs if isinstance(theirs, dict) else {}
        for name, mine in versions().items():
            if has.get(name) != mine:
                problem = f"{name} is {has.get(name, 'none')} on worker {worker}, and {mine} here"
                raise ClusterError(problem, remedy="install the same versions everywhere")


class _InDirectory(Executor):
    """The executor of a cluster, working in a directory; what it has not done fails once the scheduler is lost.

    Dask gives up what was sent before it sees the loss, and waits for ever for what is sent after.
    """

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


def in_directory(directory: str, function: Callable[[FileTask], Outcome], task: FileTask) -> Outcome:
    with _LOCK:
        before = os.getcwd()
        try:
            os.chdir(directory)
            # The caller saw a file that has a size.
            if not task.size or os.path.lexists(task.path):
                return function(task)
        except OSError:
            pass
        finally:
            os.chdir(before)
    remedy = "mount the same file system at the same path on all machines"
    unseen = WorkerError(f"worker {socket.gethostname()} does not see it", file=task.path, remedy=remedy)
    return Outcome(task, unseen, 0.0)
