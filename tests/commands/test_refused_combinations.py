"""Options that leave nothing to do, or would wait for ever, are refused before any work."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

BODY = (
    '<sdf version="1.12"><model name="m"><link name="l"><inertial><mass>1</mass><inertia><ixx>1</ixx><ixy>0</ixy>'
    "<ixz>0</ixz><iyy>1</iyy><iyz>0</iyz><izz>1</izz></inertia></inertial></link></model></sdf>\n"
)
TETRAHEDRON = "o t\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("check", "--select", "SDI1", "--ignore", "SDI1", "m.sdf"), "no rule is left to check"),
        (("check", "--ignore", "ALL", "m.sdf"), "no rule is left to check"),
        (("check", "--watch", "--diff", "m.sdf"), "--diff needs --fix or --unsafe-fixes"),
        (("check", "--watch", "--statistics", "--format", "json", "m.sdf"), "--statistics cannot be combined"),
        (("mesh", "t.obj", "--submesh", "x", "--list"), "'x'"),
        (("scale", "m.sdf", "--link", "m::l", "--size", "1e300"), "scale by a factor nearer to 1"),
    ],
)
def test_what_cannot_be_done_is_refused(
    command: Callable[..., Any], project: Path, arguments: tuple[str, ...], problem: str
) -> None:
    (project / "m.sdf").write_text(BODY)
    (project / "t.obj").write_text(TETRAHEDRON)
    outcome = command(*arguments)
    assert outcome.status == 2, outcome
    assert problem in outcome.messages
    assert "check --fix" not in outcome.messages


def test_a_rule_that_the_configuration_ignores_is_not_all_that_is_selected(
    command: Callable[..., Any], project: Path
) -> None:
    (project / "m.sdf").write_text(BODY)
    (project / "sdfinertia.toml").write_text('ignore = ["SDI105"]\n')
    outcome = command("check", "--select", "SDI105", "m.sdf")
    assert (outcome.status, "no rule is left to check" in outcome.messages) == (2, True)


@pytest.mark.parametrize("name", ["theta", "pi_o"])
def test_the_largest_densities_have_a_notation(command: Callable[..., Any], project: Path, name: str) -> None:
    (project / "t.obj").write_text(TETRAHEDRON)
    outcome = command("mesh", "t.obj", "--density", "1.797e308", "--as", name)
    assert (outcome.status, outcome.messages) == (0, "")
    assert b"inf" not in outcome.output
    assert b"nan" not in outcome.output


def test_the_names_of_a_submesh_are_its_own(command: Callable[..., Any], project: Path) -> None:
    (project / "t.obj").write_text(TETRAHEDRON)
    assert command("mesh", "t.obj", "--submesh", "t", "--list").output.decode() == "t.obj\n  t  4 faces\n"
