"""A run that does nothing, or takes long, says what is the matter."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from builders.commands import Run

BLOCK = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1.5"/></inertial>'
BOX = '<collision><geometry><box size="1 1 1"/></geometry></collision>'
SDF = '<sdf version="1.9"><model name="m"><link name="l">{}</link></model></sdf>'


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
    assert "<!-- sdfinertia: auto --> (URDF, MJCF)" in line
    assert "--missing fills 1 link without <inertial>" in line
    assert "--all computes 1 hand-written inertial again" in line


def test_two_root_models_are_said(command: Run, project: Path) -> None:
    models = "".join(f'<model name="{name}"><link name="l"/></model>' for name in "ab")
    (project / "m.sdf").write_text(f'<sdf version="1.9">{models}</sdf>')
    outcome = command("check", "m.sdf")
    assert "m.sdf: note: has 2 root models; libsdformat reads the first alone, 'a'" in outcome.messages
    (project / "w.sdf").write_text(f'<sdf version="1.9"><world name="w">{models}</world></sdf>')
    assert "root models" not in command("check", "w.sdf").messages
