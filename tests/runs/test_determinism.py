"""The same inputs give the same bytes: in any order, in any place, on any Python."""

from __future__ import annotations

import itertools
import math
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import sdfinertia

if TYPE_CHECKING:
    from builders.commands import Run

pytestmark = pytest.mark.slow


SOURCES = Path(sdfinertia.__file__).parent.parent

SHAPES = (
    "<box><size>0.1 0.23 0.37</size></box>",
    "<sphere><radius>0.317</radius></sphere>",
    "<cylinder><radius>0.05</radius><length>0.7</length></cylinder>",
    "<capsule><radius>0.05</radius><length>0.7</length></capsule>",
    "<ellipsoid><radii>0.1 0.2 0.33</radii></ellipsoid>",
    "<cone><radius>0.11</radius><length>0.42</length></cone>",
    "<polyline><point>0 0</point><point>0.31 0.07</point><point>0.2 0.29</point><height>0.13</height></polyline>",
)


def model(name: str, turn: float) -> str:
    """A model whose numbers need every digit, with frames, given masses and all shapes in closed form."""
    links = []
    for index, shape in enumerate(SHAPES):
        angles = " ".join(f"{math.fmod(turn * (index + factor), 6.0):.6f}" for factor in (1, 2, 3))
        mass = f"<mass>{0.1 * (index + 1):.1f}</mass>" if index % 2 else ""
        links.append(
            f'    <link name="l{index}">\n      <inertial auto="true">{mass}</inertial>\n'
            + "".join(
                f'      <collision name="c{n}"><pose{frame}>{0.1 * n} 0.2 -0.3 {angles}</pose>'
                f"<density>{997.3 + n}</density><geometry>{part}</geometry></collision>\n"
                for n, (part, frame) in enumerate([(shape, ""), (SHAPES[0], ' relative_to="f"'), (shape, "")])
            )
            + "    </link>\n"
        )
    frame = f'    <frame name="f"><pose relative_to="l0">1 2 3 {turn} 0.2 0.1</pose></frame>\n'
    return f'<sdf version="1.12">\n  <model name="{name}">\n{frame}{"".join(links)}  </model>\n</sdf>\n'


NAMES = ["a.sdf", "b.sdf", "sub/c.world"]


def lay_out(directory: Path) -> None:
    for number, name in enumerate(NAMES):
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        (directory / name).write_text(model(f"m{number}", 0.37 + number))


def contents(directory: Path) -> list[bytes]:
    return [(directory / name).read_bytes() for name in NAMES]


@pytest.fixture
def expected(project: Path, command: Run) -> list[bytes]:
    """What filling each file by itself, in this interpreter, gives."""
    lay_out(project)
    for name in NAMES:
        assert command("fill", "-q", name).status == 0
    filled = contents(project)
    assert all(content.count(b"<mass>") == len(SHAPES) for content in filled)
    lay_out(project)
    return filled


@pytest.mark.parametrize("paths", [*itertools.permutations(NAMES), ["."], ["../project"], ["{project}"]], ids=" ".join)
def test_the_order_of_files_and_how_they_are_named_does_not_matter(command, project, expected, paths):
    assert command("fill", "-q", *(path.format(project=project) for path in paths)).status == 0
    assert contents(project) == expected


REPORTS = tuple(part for name in ("md", "json", "sarif", "html", "xml") for part in ("--report", f"r.{name}"))
HASHED = (
    ("check", "--select", "ALL", "--why", "-v", *REPORTS),
    ("check", "--format", "json"),
    ("check", "--format", "github"),
    ("check", "--fix", "--diff"),
    ("fill", "--all", "--diff", "-v", "--keep-going", "--report", "r.json", "--report", "r.html"),
    ("repair", "--diff", "--report", "r.md"),
    ("repair", "--by", "twin", "--diff"),
    ("show", "--format", "json", "--computed", "--report", "r.html"),
    ("mesh", "--format", "json"),
    ("mesh", "--report", "r.jsonl"),
)


@pytest.mark.parametrize("arguments", HASHED, ids=lambda arguments: " ".join(arguments[:3]))
def test_no_order_of_hashes_reaches_an_output(project: Path, arguments: tuple[str, ...]) -> None:
    shutil.copytree(SOURCES / "fixtures", project / "fixtures")
    found = set()
    for seed in ("0", "1", "77"):
        done = subprocess.run(
            [sys.executable, "-m", "sdfinertia", *arguments, "fixtures"],
            capture_output=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
            timeout=120,
        )
        # How long a run took is in its messages.
        messages = [
            line for line in done.stderr.splitlines() if not line.startswith(b"slowest: ") and b" files/s" not in line
        ]
        reports = sorted(project.glob("r.*"))
        found.add((done.returncode, done.stdout, *messages, *(report.read_bytes() for report in reports)))
        for report in reports:
            report.unlink()
    assert len(found) == 1
