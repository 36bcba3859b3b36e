"""A Dask cluster on this machine: a scheduler and workers, each a process that its own command starts."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

_PATIENCE = 90.0  # seconds
_DASK = shutil.which("dask", path=os.path.dirname(sys.executable)) or shutil.which("dask")


class LocalCluster:
    """A scheduler and workers of one thread each, which run a text first, until it is closed."""

    def __init__(self, directory: Path, workers: int, preload: str = "", *options: str) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self._directory, self._processes = directory, list[subprocess.Popen[bytes]]()
        file = directory / "scheduler.json"
        file.unlink(missing_ok=True)
        self._start("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file))
        self.address = self._address_in(file)
        (directory / "preload.py").write_text(preload)
        more = (*(options or ("--no-nanny",)), "--local-directory", str(directory), "--preload", "preload.py")
        for _ in range(workers):
            self._start("worker", self.address, "--nthreads", "1", *more)
        if workers:
            from distributed import Client

            with Client(self.address, set_as_default=False) as client:
                client.wait_for_workers(workers, timeout=_PATIENCE)

    @staticmethod
    def missing() -> str | None:
        """The reason why there can be none, or None."""
        if find_spec("distributed") is None:
            return "distributed is not installed"
        return None if _DASK is not None else "there is no command dask"

    def kill(self, number: int) -> None:
        """Kills a worker, by its number from 1."""
        self._processes[number].kill()
        self._processes[number].wait()

    def close(self) -> None:
        """Ends all as their users end them, so that what measures coverage in them writes it down."""
        for process in reversed(self._processes):
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(60.0)
        self.lose()

    def lose(self) -> None:
        """Kills all at once."""
        for process in reversed(self._processes):
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def _start(self, *arguments: str) -> None:
        paths = [str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
        command = [str(_DASK), *arguments, "--no-dashboard"]
        with open(self._directory / "log", "ab") as log:
            self._processes.append(
                subprocess.Popen(
                    command, stdout=log, stderr=log, cwd=self._directory, env=environment, start_new_session=True
                )
            )

    def _address_in(self, file: Path) -> str:
        """The address that the scheduler writes; its file is there before."""
        deadline = time.monotonic() + _PATIENCE
        while True:
            with suppress(FileNotFoundError, ValueError):
                return str(json.loads(file.read_text())["address"])
            if time.monotonic() > deadline:
                self.lose()
                raise TimeoutError("the scheduler did not start")
            time.sleep(0.05)
