"""A run that does nothing, or takes long, says what is the matter."""

from __future__ import annotations

import io
import sys
import time
from typing import TYPE_CHECKING

import pytest

from sdfinertia.report import terminal

if TYPE_CHECKING:
    from pathlib import Path

    from builders.commands import Run

BLOCK = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1.5"/></inertial>'
BOX = '<collision><geometry><box size="1 1 1"/></geometry></collision>'
SDF = '<sdf version="1.9"><model name="m"><link name="l">{}</link></model></sdf>'
SDF_BOX = '<collision name="c"><geometry><box><size>1 1 1</size></box></geometry></collision>'


def urdf(*links: str) -> str:
    named = "".join(f'<link name="l{number}">{inside}</link>' for number, inside in enumerate(links))
    return f'<robot name="r">{named}</robot>'


def test_fill_says_how_links_ask_and_what_else_fills_them(command: Run, project: Path) -> None:
    (project / "r.urdf").write_text(urdf(BLOCK + BOX, BOX, ""))
    outcome = command("fill", "r.urdf")
    assert outcome.status == 0
    line = outcome.messages.splitlines()[0]
    assert line.startswith("no link asks to be filled: write ")
    assert '<inertial auto="true"> (SDF)' in line
    assert "<!-- sdfinertia: auto --> (URDF)" in line
    assert "--missing fills 1 link without <inertial>" in line
    assert "--all computes 1 hand-written inertial again" in line


@pytest.mark.parametrize(("option", "inside"), [("--all", SDF_BOX), ("--missing", "")])
def test_fill_does_not_offer_what_was_given(command: Run, project: Path, option: str, inside: str) -> None:
    (project / "m.sdf").write_text(SDF.format(inside))
    messages = command("fill", option, "m.sdf").messages
    assert f"{option} fills" not in messages
    assert f"{option} computes" not in messages


def test_fill_has_nothing_to_add_where_links_were_filled(command: Run, project: Path) -> None:
    (project / "m.sdf").write_text(SDF.format('<inertial auto="true"/>' + SDF_BOX))
    assert command("fill", "m.sdf").status == 0
    outcome = command("fill", "m.sdf")
    assert "no link asks" not in outcome.messages
    assert "1 file left unchanged." in outcome.messages


def test_two_root_models_are_said(command: Run, project: Path) -> None:
    models = "".join(f'<model name="{name}"><link name="l"/></model>' for name in "ab")
    (project / "m.sdf").write_text(f'<sdf version="1.9">{models}</sdf>')
    outcome = command("check", "m.sdf")
    assert "m.sdf: note: has 2 root models; libsdformat reads the first alone, 'a'" in outcome.messages
    (project / "w.sdf").write_text(f'<sdf version="1.9"><world name="w">{models}</world></sdf>')
    assert "root models" not in command("check", "w.sdf").messages


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("quiet", "screen", "is_shown"),
    [(False, Terminal(), True), (True, Terminal(), False), (False, io.StringIO(), False)],
    ids=["watched", "quiet", "no terminal"],
)
def test_a_file_that_takes_long_shows_its_seconds_to_who_watches_and_leaves_no_trace(
    monkeypatch: pytest.MonkeyPatch, quiet: bool, screen: io.StringIO, is_shown: bool
) -> None:
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(terminal, "_SILENT_FOR", 0.0)
    with terminal.Progress(1, quiet=quiet, doing="checking", only="large.stl"):
        deadline = time.monotonic() + (60 if is_shown else 0.05)
        while not screen.getvalue() and time.monotonic() < deadline:
            time.sleep(0.01)
    assert screen.getvalue().startswith("\rchecking large.stl: 0 s ") == is_shown
    assert screen.getvalue().endswith("\r\x1b[K") == bool(screen.getvalue()) == is_shown
