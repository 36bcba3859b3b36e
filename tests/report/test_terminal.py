"""What a person sees on a terminal: colour and progress, there only, and not where it is not wanted."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from sdfinertia.report.text import wrapped

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs pseudo-terminals as Linux has them")

BOX = "<collision name='c'><geometry><box><size>1 2 3</size></box></geometry></collision>"
FILLABLE = f"<sdf version='1.12'><model name='m'><link name='l'><inertial auto='true'/>{BOX}</link></model></sdf>"
REFUSED = "<sdf version='1.12'><model name='m'><link name='l'><inertial auto='true'/></link></model></sdf>"

Seen = Callable[..., str]


@pytest.fixture
def seen(project: Path) -> Seen:
    """Runs the command with standard error on a terminal, and gives what is seen there."""

    def run(*arguments: str, **environment: str) -> str:
        theirs, ours = os.openpty()
        plain = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM", "COLUMNS")}
        with subprocess.Popen(
            [sys.executable, "-m", "sdfinertia", *arguments],
            stderr=ours,
            stdout=subprocess.DEVNULL,
            env={**plain, "TERM": "xterm-256color", **environment},
        ):
            os.close(ours)
            text = b""
            try:
                while piece := os.read(theirs, 1 << 16):
                    text += piece
            except OSError:
                pass  # So Linux says that the other end is closed.
        os.close(theirs)
        return text.decode()

    return run


@pytest.mark.parametrize("environment", [{}, {"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_the_report_and_errors_have_colour_unless_it_is_not_wanted(seen, project, environment):
    (project / "good.sdf").write_text(FILLABLE)
    (project / "bad.sdf").write_text(REFUSED)
    lines = seen("fill", "good.sdf", "bad.sdf", **environment).splitlines()
    coloured = [line for line in lines if "\x1b[" in line]
    for name in ("good.sdf", "bad.sdf"):
        assert any(name in line for line in coloured) == (environment == {})
    assert any("6000 kg" in line and line not in coloured for line in lines)
    assert not (coloured and environment)


def test_lines_are_wrapped_to_a_terminal_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    line = f"m.sdf:1:1 SDI103 m::l: {'word ' * 12}/a/long/path\n"
    monkeypatch.setenv("COLUMNS", "50")
    assert wrapped(line) == line
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    lines = wrapped(line).splitlines()
    assert len(lines) > 1
    assert all(len(each) <= 50 for each in lines)
    assert all(each.startswith(" " * 6) for each in lines[1:])
    assert " ".join(" ".join(lines).split()) == line.strip()
