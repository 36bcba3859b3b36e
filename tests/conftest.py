"""What tests share: a project directory of their own, two ways to run the command in it, and a browser."""

import gc
import io
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from builders.browser import SharedBrowser, started
from builders.xacro_worker import XacroWorkers
from hypothesis import HealthCheck, settings

# The same examples in each run, or many, drawn anew. None is given a time: other work on the machine is no fault of the
# code.
_SETTINGS: dict[str, Any] = {"deadline": None, "database": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("common", max_examples=20, derandomize=True, **_SETTINGS)
settings.register_profile("thorough", max_examples=500, print_blob=True, **_SETTINGS)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "common"))

SEARCH_VARIABLES = (
    *("SDF_PATH", "GZ_SIM_RESOURCE_PATH", "IGN_GAZEBO_RESOURCE_PATH", "GAZEBO_MODEL_PATH", "GZ_FUEL_CACHE_PATH"),
    *("ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH"),
)

# One for each worker of a run of tests: a library that takes all cores for small matrices waits for them to be free.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# Commands run as in a user's shell: unbuffered output fails elsewhere than at exit, and modules are compiled once, not
# in each of some hundred processes. What is compiled of the tests is kept too.
os.environ.pop("PYTHONUNBUFFERED", None)
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False


def pytest_collection_finish() -> None:
    """Takes what stands when the tests are found from what the garbage collector looks through in each of them."""
    gc.collect()
    gc.freeze()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Says in one line what was not there, in place of a line for each test that wanted it."""
    counts = Counter(_missing(report.longrepr[2]) for report in terminalreporter.getreports("skipped"))
    if counts:
        terminalreporter.line("not here: " + "; ".join(f"{what} ({count})" for what, count in counts.most_common()))


def _missing(reason: str) -> str:
    reason = reason.removeprefix("Skipped: ").replace(f"{Path.cwd()}/", "").partition(": ")[0].partition("; ")[0]
    return re.sub(r"^there (is|are) no |^could not import | (is|are)( not|n't) (installed|on PATH).*|['`]", "", reason)


class Outcome(NamedTuple):
    """What a run of the command gave; `output` as bytes, since it may be a document."""

    status: int
    output: bytes
    messages: str


def _outcome(status: int, output: bytes, messages: str) -> Outcome:
    # Whatever a file holds, a mistake of the program is no answer to it.
    assert "the program failed on it" not in messages
    return Outcome(status, output, messages)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty repository that is the current directory, with nothing to find outside it."""
    directory = tmp_path / "project"
    (directory / ".git").mkdir(parents=True)
    for variable in SEARCH_VARIABLES:
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    for variable in ("XDG_CACHE_HOME", "SDFINERTIA_CACHE_DIR"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.chdir(directory)
    return directory


@pytest.fixture
def command(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> Callable[..., Outcome]:
    """Runs `sdfinertia` in this process, in the project."""
    from sdfinertia.cli import main

    def run(*arguments: str | os.PathLike[str], stdin: bytes = b"") -> Outcome:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
        capsysbinary.readouterr()
        with pytest.raises(SystemExit) as stopped:
            main([os.fspath(argument) for argument in arguments], prog_name="sdfinertia")
        captured = capsysbinary.readouterr()
        status = stopped.value.code
        assert isinstance(status, int), "the exit status is a number"
        return _outcome(status, captured.out, captured.err.decode())

    return run


@pytest.fixture
def process(project: Path) -> Callable[..., Outcome]:
    """Runs `python -m sdfinertia` in a process of its own, in the project."""

    def run(*arguments: str | bytes | os.PathLike[str], stdin: bytes = b"", **environment: str) -> Outcome:
        done = subprocess.run(
            [sys.executable, "-m", "sdfinertia", *arguments],
            input=stdin,
            capture_output=True,
            cwd=project,
            env={**os.environ, **environment},
            timeout=120,
        )
        return _outcome(done.returncode, done.stdout, done.stderr.decode("utf-8", "replace"))

    return run


@pytest.fixture(scope="session")
def shared_browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SharedBrowser]:
    shared = SharedBrowser(lambda: started(tmp_path_factory.mktemp("profile")))
    yield shared
    shared.end()


@pytest.fixture
def browser(shared_browser: SharedBrowser) -> Iterator[Any]:
    """A browser with an empty page; all tests of this process use it one after the other."""
    yield from shared_browser.for_a_test()


@pytest.fixture
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Variables of the environment in which the command `sdfinertia` is that of this checkout."""
    programs = tmp_path_factory.mktemp("programs")
    command = programs / "sdfinertia"
    command.write_text(f'#!/bin/sh\nPYTHONPATH={Path(__file__).parents[1]} exec {sys.executable} -m sdfinertia "$@"\n')
    command.chmod(0o755)
    return {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}


@pytest.fixture(scope="session")
def xacro_workers() -> Iterator[XacroWorkers]:
    workers = XacroWorkers()
    yield workers
    workers.close()


@pytest.fixture
def quick_xacro(xacro_workers: XacroWorkers, monkeypatch: pytest.MonkeyPatch) -> None:
    """Expands xacro in forks of a process that has loaded it; tests/security holds the process that others start."""
    if hasattr(os, "fork"):
        monkeypatch.setattr("sdfinertia.xacro.expansion.child_process", xacro_workers.child_process)
