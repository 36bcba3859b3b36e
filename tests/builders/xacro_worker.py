"""The process that expands xacro, forked from one that has loaded what it needs: few tests mind how it starts."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_PROGRAM = """
import io, json, os, sys
import xacro, yaml
from sdfinertia.files import finder
from sdfinertia.xacro import worker
while header := sys.stdin.buffer.readline():
    directory, environment, size = json.loads(header)
    request = sys.stdin.buffer.read(size).decode()
    reading, writing = os.pipe()
    if not (child := os.fork()):
        status = 1
        try:
            os.chdir(directory)
            os.environ.clear()
            os.environ.update(environment)
            sys.stdin, sys.stdout = io.StringIO(request), open(writing, "w")
            worker.main()
            sys.stdout.close()
            status = 0
        finally:
            os._exit(status)
    os.close(writing)
    with open(reading, "rb") as pipe:
        answer = pipe.read()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    sys.stdout.buffer.write(json.dumps([status, len(answer)]).encode() + b"\\n" + answer)
    sys.stdout.buffer.flush()
"""


class XacroWorkers:
    """Stands for `sdfinertia.files.child_process.child_process` in `sdfinertia.xacro.expansion`."""

    def __init__(self) -> None:
        # Of each process: those that share the work of a run have their own.
        self._processes: dict[int, subprocess.Popen[bytes]] = {}
        self._environment: dict[str, str] = {}
        self.returncode = 0

    @contextmanager
    def child_process(
        self, program: str, arguments: Sequence[str], *, flags: Sequence[str], environment: Mapping[str, str]
    ) -> Iterator[XacroWorkers]:
        assert "sdfinertia.xacro.worker" in program
        self._environment = dict(environment)
        yield self

    def communicate(self, request: bytes, timeout: float) -> tuple[bytes, None]:
        if os.getpid() not in self._processes:
            self._processes[os.getpid()] = subprocess.Popen(
                [sys.executable, "-X", "utf8", "-c", _PROGRAM],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                # Coverage adds frames of its own, which would count as nested calls.
                env={**{k: v for k, v in os.environ.items() if not k.startswith("COVERAGE_")}, "PYTHONHASHSEED": "0"},
            )
        process = self._processes[os.getpid()]
        sink, source = process.stdin, process.stdout
        assert sink is not None
        assert source is not None
        sink.write(json.dumps([os.getcwd(), self._environment, len(request)]).encode() + b"\n" + request)
        sink.flush()
        self.returncode, size = json.loads(source.readline())
        return source.read(size), None

    def close(self) -> None:
        for process in self._processes.values():
            process.communicate()


class WorkerHere:
    """The same in this process without its limits, where coverage sees it: a limited process writes nothing down."""

    returncode = 0

    @contextmanager
    def child_process(self, *_: object, **__: object) -> Iterator[WorkerHere]:
        yield self

    def communicate(self, request: bytes, timeout: float) -> tuple[bytes, None]:
        from sdfinertia.xacro import worker

        answer = io.StringIO()
        with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
            # Python 3.10 warns of an enumeration of xacro's; the worker's own process shows no warnings.
            warnings.simplefilter("ignore")
            import xacro as known

            # It changes the module, and gets one of its own.
            patch.setitem(sys.modules, "xacro", known)
            del sys.modules["xacro"]
            patch.setattr(sys, "stdin", io.StringIO(request.decode()))
            patch.setattr(sys, "stdout", answer)
            patch.setattr(sys, "setrecursionlimit", lambda _: None)
            patch.setattr(worker, "limit_resources", lambda _: None)
            patch.setattr(worker.Guard, "install", lambda _: None)
            worker.main()
        return answer.getvalue().encode(), None
