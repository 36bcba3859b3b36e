"""What the documentation shows happens: every command of its pages is run, every example of a rule is one."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

import sdfinertia
from sdfinertia.cli import main
from sdfinertia.rules import RULES

if TYPE_CHECKING:
    from collections.abc import Iterator

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


PAGES = [
    path
    for path in (ROOT / "README.md", *sorted(DOCS.rglob("*.md")))
    if _CONSOLE.search(path.read_text(encoding="utf-8"))
]


def words_of(command: str) -> list[str] | None:
    """The arguments of a command that is ours and asks nothing of the shell."""
    if re.search(r"[|<>;&$*`\n]", command) or not command.startswith("sdfinertia "):
        return None
    return shlex.split(command)[1:]


def run_here(words: list[str], output: Path) -> tuple[str, int]:
    """What the command prints into one pipe, in the order of that, and its status, without a process of its own."""
    with (
        output.open("w+", encoding="utf-8") as out,
        open(os.dup(out.fileno()), "w", buffering=1, encoding="utf-8") as err,
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        pytest.raises(SystemExit) as ended,
    ):
        main(words, prog_name="sdfinertia")
    assert isinstance(ended.value.code, int)
    return output.read_text(encoding="utf-8"), ended.value.code


@pytest.mark.skipif(sys.platform == "win32", reason="the commands of the pages are those of a POSIX shell")
@pytest.mark.parametrize("page", PAGES, ids=[path.relative_to(ROOT).as_posix() for path in PAGES])
def test_the_commands_of_a_page_print_what_it_says(page, tmp_path, tmp_path_factory, monkeypatch):
    shutil.copytree(ROOT / "fixtures", tmp_path / "fixtures")
    shutil.copytree(DOCS / "examples" / "mistakes", tmp_path / "docs" / "examples" / "mistakes")
    programs = tmp_path / ".bin"
    programs.mkdir()
    command = programs / "sdfinertia"
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m sdfinertia "$@"\n')
    command.chmod(0o755)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.chdir(tmp_path)
    output = tmp_path_factory.mktemp("printed") / "output"
    environment = os.environ | {"PATH": f"{programs}:/usr/bin:/bin", "PYTHONPATH": str(ROOT)}
    for step in steps(page.read_text(encoding="utf-8")):
        words = words_of(step.command)
        if words is not None:
            printed, status = run_here(words, output)
        else:
            done = subprocess.run(
                ["/bin/sh", "-c", step.command],
                env=environment,
                text=True,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                check=False,
            )
            printed, status = done.stdout, done.returncode
        assert pattern_of(step.expected).fullmatch(printed), f"$ {step.command}\n{printed}"
        if step.status is not None:
            assert status == step.status, step.command


def example_of(rule, word: str) -> Path:
    """Of a rule about MuJoCo in MJCF."""
    (path,) = (EXAMPLES / rule.code).glob(f"{word}.*")
    return path


def codes_in(example: Path) -> set[str]:
    return {finding.code for finding in sdfinertia.check(example, sdfinertia.Options(select=("ALL",)))}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_a_rule_finds_its_wrong_example_and_not_its_right_one_in_which_nothing_is_found_by_default(rule) -> None:
    assert sdfinertia.check(example_of(rule, "right")) == []
    needed = _NEEDS.get(rule.code)
    if needed is not None and find_spec(needed) is None:
        pytest.skip(f"{needed} is not installed")
    assert rule.code in codes_in(example_of(rule, "wrong"))
    assert rule.code not in codes_in(example_of(rule, "right"))


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
