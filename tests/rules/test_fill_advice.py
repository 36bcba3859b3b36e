"""Findings advise `fill` only where it would succeed, and say what is in its way where it would not."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import pytest
from builders.documents import AUTO, collision, inertial, one_link

from sdfinertia.documents.checking import check
from sdfinertia.documents.filling import fill
from sdfinertia.options import Options

if TYPE_CHECKING:
    from pathlib import Path

    from sdfinertia.rules.rule import Finding

POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"
OPEN = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n"
BOX = "<box><size>1 1 1</size></box>"


def block(mass: float, *moments: float) -> str:
    return inertial(mass, moments)


def sdf(inertial: str, geometry: str) -> bytes:
    return one_link(inertial, collision(f"<geometry>{geometry}</geometry>"))


@pytest.fixture
def folder(project: Path) -> Path:
    (project / "pointer.stl").write_bytes(POINTER)
    (project / "open.obj").write_text(OPEN)
    return project


def found(code: str, content: bytes, folder: Path) -> Finding:
    (folder / "m.sdf").write_bytes(content)
    [finding] = check(content, Options(select=(code,)), filename="m.sdf")
    return finding


WRONG = {
    "SDI001": AUTO,
    "SDI102": block(100, 1000, 100, -100),
    "SDI103": block(100, 100, 100, 900),
    "SDI104": "",
    "SDI105": "<inertial><mass>200</mass></inertial>",
    "SDI202": block(100, 4000, 4000, 4010),
    "SDI205": block(100, 300, 300, 110),
    "SDI207": block(100, 1e-3, 1e-3, 1.1e-3),
    "SDI209": block(100, 1000, 1000, 1000),
}
NEEDS_NO_BOX = ("SDI001", "SDI102", "SDI103", "SDI104", "SDI105")
OBSTACLES = {
    "open": ("<mesh><uri>open.obj</uri></mesh>", "open.obj has 3 open edges"),
    "pointer": ("<mesh><uri>pointer.stl</uri></mesh>", "collision 'c': pointer.stl: holds a Git LFS pointer"),
    "gone": ("<mesh><uri>gone.stl</uri></mesh>", "collision 'c': not found: gone.stl"),
    "word": ("<sphere><radius>abc</radius></sphere>", "collision 'c': <radius> is 'abc': write a number"),
    "negative": ("<box><size>1 -2 3</size></box>", "collision 'c': box size y must be positive"),
}


@pytest.mark.parametrize(
    ("code", "inertial"), [*WRONG.items(), ("SDI105", "<inertial/>"), ("SDI204", block(700, 100, 100, 100))]
)
def test_where_fill_succeeds_the_advice_is_its_command_and_that_mends(code, inertial, folder, command):
    words = shlex.split(found(code, sdf(inertial, BOX), folder).remedy)
    assert words[:2] == ["sdfinertia", "fill"]
    assert command(*words[1:]).status == 0
    assert check("m.sdf") == check("m.sdf", Options(select=(code,))) == []


@pytest.mark.parametrize(
    ("code", "obstacle"),
    [(code, name) for code in WRONG for name in (OBSTACLES if code in NEEDS_NO_BOX else ("open",))],
)
def test_where_fill_would_fail_the_advice_is_what_is_in_its_way(code: str, obstacle: str, folder: Path) -> None:
    geometry, reason = OBSTACLES[obstacle]
    finding = found(code, sdf(WRONG[code], geometry), folder)
    assert "sdfinertia fill" not in finding.remedy
    assert finding.remedy.startswith(f"cannot be computed: {reason}")
    assert (", or --open-mesh convex_hull" in finding.remedy) is (obstacle == "open")
    options = Options(all=True, missing=True, keep_going=True)
    assert fill(folder / "m.sdf", options).errors
