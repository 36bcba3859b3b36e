"""A Dask cluster on this machine: a scheduler and workers, each a process that its own command starts."""

import json
import os
import subprocess
import sysconfig
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks import peers

_PATIENCE = 60.0  # seconds


class LocalCluster:
    """A scheduler with so many workers of one thread each, until it is closed."""

    def __init__(self, directory: Path, workers: int) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        file = directory / "scheduler.json"
        file.unlink(missing_ok=True)
        self._directory = directory
        self._processes: list[subprocess.Popen[bytes]] = []
        self._start("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file))
        deadline = time.monotonic() + _PATIENCE
        while (address := _address_in(file)) is None:
            if time.monotonic() > deadline:
                self.close()
                raise TimeoutError("the scheduler did not start")
            time.sleep(0.05)
        self.address: str = address
        for _ in range(workers):
            self._start("worker", self.address, "--nthreads", "1", "--no-nanny", "--local-directory", str(directory))
        try:
            self._wait_for(workers)
        except BaseException:
            self.close()
            raise

    @staticmethod
    def missing() -> str | None:
        """The reason why there can be none, or None."""
        return peers.absent("distributed") or (None if _dask().exists() else "there is no command dask")

    def close(self) -> None:
        """Ends its processes."""
        for process in reversed(self._processes):
            process.kill()
            process.wait()
        self._processes.clear()

    def _start(self, *arguments: str) -> None:
        with open(self._directory / "log", "ab") as log:
            command: Sequence[str] = (str(_dask()), *arguments, "--no-dashboard")
            process = subprocess.Popen(command, stdout=log, stderr=log, cwd=self._directory, env=dict(os.environ))
        self._processes.append(process)

    def _wait_for(self, workers: int) -> None:
        from distributed import Client

        with Client(self.address, set_as_default=False) as client:
            client.wait_for_workers(workers, timeout=_PATIENCE)


def _address_in(file: Path) -> str | None:
    """The address that a scheduler wrote; None while it is missing or incomplete."""
    try:
        return str(json.loads(file.read_text(encoding="utf-8"))["address"])
    except (FileNotFoundError, ValueError):
        return None


def _dask() -> Path:
    return Path(sysconfig.get_path("scripts")) / "dask"
