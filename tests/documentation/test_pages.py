"""What the documentation shows happens: every command of its pages is run, every example of a rule is one."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import pytest

import sdfinertia
from sdfinertia.rules.registry import RULES

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
EXAMPLES = DOCS / "examples" / "rules"
_CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_EXIT = re.compile(r"\[exit (\d)\]")
# Rules whose evidence comes from a library of the extra `robust`.
_NEEDS = {"SDI403": "manifold3d"}


class Step(NamedTuple):
    """A command of a page, and what the page says that it prints."""

    command: str
    expected: str
    status: int | None


def steps(text: str) -> Iterator[Step]:
    """The commands of a page, in order."""
    for block in _CONSOLE.findall(text):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, expected = part.partition("\n")
            status = _EXIT.search(expected)
            yield Step(command, _EXIT.sub("", expected).strip("\n"), int(status[1]) if status else None)


def pattern_of(expected: str) -> re.Pattern[str]:
    """What is expected, as a pattern: `...` stands for anything, a line of its own for any lines."""
    lines = [r"(?:[^\n]*\n)*?" if line == "..." else _line_pattern(line) for line in expected.splitlines()]
    return re.compile("".join(lines))


def _line_pattern(line: str) -> str:
    return "[^\n]*".join(re.escape(part) for part in line.split("...")) + "\n"


PAGES = [path for path in sorted(DOCS.rglob("*.md")) if _CONSOLE.search(path.read_text(encoding="utf-8"))]


@pytest.mark.skipif(sys.platform == "win32", reason="the commands of the pages are those of a POSIX shell")
@pytest.mark.parametrize("page", PAGES, ids=[path.relative_to(DOCS).as_posix() for path in PAGES])
def test_the_commands_of_a_page_print_what_it_says(page: Path, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "fixtures", tmp_path / "fixtures")
    shutil.copytree(DOCS / "examples" / "mistakes", tmp_path / "mistakes")
    programs = tmp_path / ".bin"
    programs.mkdir()
    command = programs / "sdfinertia"
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m sdfinertia "$@"\n')
    command.chmod(0o755)
    environment = os.environ | {"PATH": f"{programs}:/usr/bin:/bin", "PYTHONPATH": str(ROOT), "NO_COLOR": "1"}
    for step in steps(page.read_text(encoding="utf-8")):
        done = subprocess.run(
            ["/bin/sh", "-c", step.command],
            cwd=tmp_path,
            env=environment,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        assert pattern_of(step.expected).fullmatch(done.stdout), f"$ {step.command}\n{done.stdout}"
        if step.status is not None:
            assert done.returncode == step.status, step.command


def test_the_pages_hold_commands() -> None:
    assert {"index.md", "tutorial.md"} <= {path.name for path in PAGES}


def codes_in(example: Path) -> set[str]:
    return {finding.code for finding in sdfinertia.check(example, sdfinertia.Options(select=("ALL",)))}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_a_rule_finds_its_wrong_example_and_not_its_right_one(rule) -> None:
    needed = _NEEDS.get(rule.code)
    if needed is not None and find_spec(needed) is None:
        pytest.skip(f"{needed} is not installed")
    folder = EXAMPLES / rule.code
    assert rule.code in codes_in(folder / "wrong.sdf")
    assert rule.code not in codes_in(folder / "right.sdf")


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_nothing_is_found_in_the_right_example_by_default(rule) -> None:
    assert sdfinertia.check(EXAMPLES / rule.code / "right.sdf") == []


def test_every_example_is_that_of_a_rule() -> None:
    assert {folder.name for folder in EXAMPLES.iterdir()} == {rule.code for rule in RULES}


@pytest.mark.parametrize(
    ("expected", "said", "fits"),
    [
        ("a\n...\nd", "a\nb\nc\nd\n", True),
        ("a\n...", "a\n", True),
        ("open 4, ...", "open 4, here\n", True),
        ("a", "a\nb\n", False),
        ("", "a\n", False),
    ],
)
def test_an_ellipsis_stands_for_what_a_page_leaves_out(expected: str, said: str, fits: bool) -> None:
    assert bool(pattern_of(expected).fullmatch(said)) is fits
