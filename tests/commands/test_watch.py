"""`check --watch`: checks again when a file changes that the findings rest on."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from builders.commands import Run

FIXTURES = Path(__file__).parents[2] / "fixtures"
WAITING = "waiting for changes; Ctrl-C to stop.\n"
# What a busy machine may take (s).
PATIENCE = 60.0
RIGHT = """\
<sdf version="1.9"><model name="m"><link name="l"><inertial><mass>2</mass><inertia><ixx>0.1</ixx><ixy>0</ixy>
<ixz>0</ixz><iyy>0.1</iyy><iyz>0</iyz><izz>0.1</izz></inertia></inertial></link></model></sdf>
"""
WRONG = RIGHT.replace("<mass>2<", "<mass>-2<")


class Watched:
    """A run of the command that goes on."""

    def __init__(self, directory: Path, *arguments: str) -> None:
        self._out, self._err = directory / "out.log", directory / "err.log"
        with self._out.open("wb") as out, self._err.open("wb") as err:
            words = [sys.executable, "-m", "sdfinertia", "check", "--watch", *arguments]
            self.process = subprocess.Popen(words, cwd=directory, stdout=out, stderr=err)
        self._told, self._read = 0, 0

    def round(self) -> str:
        """What the next round printed."""
        self._told += 1
        until = time.monotonic() + PATIENCE
        while self.rounds < self._told:
            assert time.monotonic() < until, self._err.read_text()
            time.sleep(0.02)
        text = self._out.read_text()
        found, self._read = text[self._read :], len(text)
        return found

    @property
    def rounds(self) -> int:
        return self._err.read_text().count(WAITING)


@pytest.fixture
def watch(project: Path) -> Iterator[Callable[..., Watched]]:
    pytest.importorskip("watchfiles", reason="watchfiles is not installed")
    made: list[Watched] = []

    def started(*arguments: str) -> Watched:
        made.append(Watched(project, *arguments))
        return made[-1]

    yield started
    for each in made:
        each.process.kill()
        each.process.wait()


def test_a_file_that_changes_is_checked_again(watch: Run, project: Path) -> None:
    model = project / "m.sdf"
    model.write_text(RIGHT)
    run = watch("m.sdf")
    assert run.round() == ""
    model.write_text(WRONG)
    assert "m.sdf:1:" in run.round()
    run.process.send_signal(signal.SIGINT)
    assert run.process.wait(PATIENCE) == 0


def test_meshes_new_files_and_the_configuration_count_and_others_do_not(watch: Run, project: Path) -> None:
    shutil.copytree(FIXTURES / "rover", project / "models" / "rover")
    run = watch("models")
    assert "SDI001" in run.round()
    (project / "models" / "notes.txt").write_text("nothing")
    os.utime(project / "models" / "rover" / "meshes" / "wheel.obj")
    run.round()
    (project / "models" / "new").mkdir()
    (project / "models" / "new" / "m.sdf").write_text(WRONG)
    assert "SDI101" in run.round()
    (project / "models" / "sdfinertia.toml").write_text('ignore = ["SDI001"]\n')
    found = run.round()
    assert "SDI101" in found
    assert "SDI001" not in found
    assert run.rounds == 4


def test_a_mistake_in_the_configuration_does_not_end_it(watch: Run, project: Path) -> None:
    (project / "models").mkdir()
    (project / "models" / "m.sdf").write_text(WRONG)
    configuration = project / "models" / "sdfinertia.toml"
    configuration.write_text("nonsense\n")
    run = watch("models")
    assert run.round() == ""
    configuration.write_text("")
    assert "SDI101" in run.round()


def test_what_cannot_be_watched_is_said(command: Run, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    watchfiles = pytest.importorskip("watchfiles", reason="watchfiles is not installed")

    def watch(*_: object, **__: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(watchfiles, "watch", watch)
    outcome = command("check", "--watch", ".")
    assert outcome.status == 2
    assert "changes cannot be watched: no space left on device" in outcome.messages
