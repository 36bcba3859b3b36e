"""Any number of jobs gives the same bytes, and a run with several of them ends as cleanly as one with one."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest
from builders.library import BOX, RUNS, contents, ended, lay_out, lay_out_anew, without_times
from builders.processes import is_alive

from sdfinertia.commands.fill import FillRequest, run_fill
from sdfinertia.errors import WriteError
from sdfinertia.files import atomic_file
from sdfinertia.runs import Jobs, executors

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from builders.commands import Run

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="processes are looked at as POSIX has them")


@pytest.mark.slow
@pytest.mark.parametrize("arguments", RUNS, ids=" ".join)
def test_every_option_gives_the_same_bytes_with_any_number_of_jobs(command, project, arguments):
    several = ended(project, *arguments, "--jobs", "3")
    lay_out_anew(project)
    alone = command(*arguments, "--jobs", "1", stdin=BOX.encode())
    messages = without_times(alone.messages)
    assert several == (alone.status, alone.output.decode(), messages, contents(project))


def test_processes_are_started_anew_while_another_thread_may_hold_a_lock(command: Run, project: Path) -> None:
    lay_out(project)
    done = threading.Event()
    thread = threading.Thread(target=done.wait)
    thread.start()
    try:
        assert executors._start_method() == "spawn"
        outcome = command("fill", "boxes", "--jobs", "2")
    finally:
        done.set()
        thread.join()
    assert outcome.status == 0, outcome.messages
    assert all(b"<mass>6000</mass>" in path.read_bytes() for path in (project / "boxes").iterdir())


# Ends -----------------------------------------------------------------------------------------------------------------

forked = pytest.mark.skipif(
    sys.platform != "linux", reason="the processes of a run get what was changed in it by forking"
)


def started(project: Path, changed_fill: str, *arguments: str) -> subprocess.Popen[str]:
    """A run whose `fill`, and that of its processes, is another function: `changed(real, path)`."""
    program = textwrap.dedent(changed_fill) + textwrap.dedent(f"""
        import os, signal, sys, time
        from sdfinertia import runs as outcomes
        from sdfinertia.runs import checking
        def changing(real):
            return lambda path, *given, **named: changed(lambda: real(path, *given, **named), path)
        outcomes.open_document = checking.open_document = changing(outcomes.open_document)
        from sdfinertia.cli import main
        main({list(arguments)!r})
    """)
    return subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=project,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


SLOW = """
    def changed(real, path):
        with open(f"started-{os.getpid()}", "a"):
            pass
        time.sleep(0.3)
        return real()
"""


def workers_of(project: Path, run: subprocess.Popen[str], number: int) -> list[int]:
    """The processes that work for a run, once there are so many."""
    deadline = time.monotonic() + 60
    found: list[int] = []
    while len(found) < number:
        assert time.monotonic() < deadline, "the processes did not start"
        assert run.poll() is None, run.communicate()
        found = [int(path.name.removeprefix("started-")) for path in project.glob("started-*")]
        time.sleep(0.02)
    assert run.pid not in found
    return found


def assert_they_end(processes: list[int]) -> None:
    deadline = time.monotonic() + 60
    while any(map(is_alive, processes)):
        assert time.monotonic() < deadline, "a process outlives its run"
        time.sleep(0.02)


@pytest.fixture
def boxes(project: Path) -> Iterator[Path]:
    for number in range(40):
        (project / f"m{number:02}.sdf").write_text(BOX.replace("NAME", f"m{number}").replace("EXTRA", ""))
    yield project
    assert not list(project.rglob(".sdfinertia-*"))
    for path in project.glob("m*.sdf"):
        assert path.read_text().endswith("</sdf>\n")


@pytest.mark.slow
@forked
@pytest.mark.parametrize("command_name", ["fill", "check"])
@pytest.mark.parametrize("reaches_all", [True, False], ids=["terminal", "parent only"])
def test_ctrl_c_ends_every_process_and_is_told_in_one_line(boxes: Path, command_name: str, reaches_all: bool) -> None:
    run = started(boxes, SLOW, command_name, ".", "--jobs", "3", "-q")
    workers = workers_of(boxes, run, 3)
    os.killpg(run.pid, signal.SIGINT) if reaches_all else run.send_signal(signal.SIGINT)
    output, messages = run.communicate(timeout=120)
    assert run.returncode == 130, messages
    assert messages.startswith("interrupted")
    assert messages.count("\n") == 1, messages
    assert output == ""
    assert_they_end(workers)


DEADLY = """
    def changed(real, path):
        if path.endswith(("m07.sdf", "m08.sdf", "m31.sdf")):
            os.kill(os.getpid(), signal.SIGKILL)
        return real()
"""


@pytest.mark.slow
@forked
@pytest.mark.parametrize("jobs", ["2", "4"])
def test_a_process_that_dies_is_one_error_for_the_file_it_died_of(boxes: Path, jobs: str) -> None:
    run = started(boxes, DEADLY, "fill", ".", "--jobs", jobs)
    _, messages = run.communicate(timeout=120)
    assert run.returncode == 2, messages
    died = re.findall(r"(?m)^\S*(m\d\d\.sdf): its worker process died", messages)
    assert died == ["m07.sdf", "m08.sdf", "m31.sdf"]
    assert "Traceback" not in messages
    assert "37 links filled in 37 files, 3 files refused" in messages
    assert sorted(path.name for path in boxes.glob("*.sdf") if "<mass>" not in path.read_text()) == died
    headings = re.findall(r"(?m)^\./(m\d\d)\.sdf$", messages)
    assert headings == sorted(headings)


def test_workers_that_are_given_write_files_themselves_and_tell_what_came_of_it(project, capsys, monkeypatch):
    """As those of a cluster, so that what is written need not travel."""
    for name in ("linked", "refused", "plain"):
        (project / f"{name}.sdf").write_text(BOX.replace("NAME", name).replace("EXTRA", ""))
    os.link(project / "linked.sdf", project / "other")
    real = atomic_file.replace_file

    def replaced(path: str, *given: Any, **named: Any) -> list[str]:
        if path.endswith("refused.sdf"):
            raise WriteError("cannot be written: No space left on device", file=path)
        return real(path, *given, **named)

    monkeypatch.setattr("sdfinertia.documents.filling.replace_file", replaced)
    with ThreadPoolExecutor(2) as executor:
        assert run_fill(["."], {}, FillRequest(), Jobs(2, executor)) == 2
    messages = capsys.readouterr().err
    assert "./linked.sdf: was one of 2 hard links; it is a separate file now" in messages
    assert "./refused.sdf: cannot be written: No space left on device" in messages
    filled = {path.stem for path in project.glob("*.sdf") if "<mass>6000</mass>" in path.read_text()}
    assert filled == {"linked", "plain"}
