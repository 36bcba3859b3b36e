"""Names from files start no line, turn no text round, and are no commands to a service, wherever they are shown."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import sdfinertia
from sdfinertia.errors import ConfigurationError, Location, one_line
from sdfinertia.robot.problems import Command, Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from builders.commands import Run

DIRECTING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c"
BREAKS = "\n\r\u2028\u2029\x85\x0b\x0c"
NAMES = {
    "command on a line of its own": "x\n::stop-commands::t",
    "command": "::stop-commands::t",
    "old command": "x##[stop-commands]t",
    "faked line": "x  filled\n  other::link",
    "turned round": "\u202eelif_live\u2066",
    "all that breaks": f"a{BREAKS}b",
    "all that directs": f"a{DIRECTING}b",
    "escape sequence": "a\x1b[31mb",
}
every_name = pytest.mark.parametrize("name", NAMES.values(), ids=NAMES.keys())


def references(name: str) -> str:
    return "".join(f"&#{ord(c)};" if c.isascii() is False or ord(c) >= 0x20 or c in "\t\n\r" else "" for c in name)


def document(name: str, inertial: str) -> str:
    name = references(name)
    return (
        f'<sdf version="1.12"><model name="{name}"><link name="{name}">{inertial}'
        f'<collision name="{name}"><geometry><box><size>1 2 3</size></box></geometry></collision>'
        "</link></model></sdf>\n"
    )


def assert_harmless(text: str, lines: int | None = None) -> None:
    for line in text.split("\n"):
        assert not line.lstrip().startswith("::"), line
        assert "##[" not in line
        assert not any(c in line for c in DIRECTING + BREAKS + "\x1b"), line
        assert "other::link" not in line[:16]
    assert lines is None or text.count("\n") == lines


AUTO, NEGATIVE = '<inertial auto="true"/>', "<inertial><mass>-1</mass></inertial>"
RUNS = {
    "fill": ("fill", "-v"),
    "fill --check": ("fill", "--check", "--density", "7"),
    "check": ("check", "-v"),
    "check json": ("check", "--format", "json"),
    "check sarif": ("check", "--format", "sarif"),
    "check junit": ("check", "--format", "junit"),
    "check --fix": ("check", "--fix", "-v"),
    "show": ("show",),
    "show --as": ("show", "--as", "urdf"),
    "show --json": ("show", "--format", "json"),
    "scale": ("scale", "--link", "*", "--mass", "2"),
}


def assert_says_harmlessly(outcome: Any, what: str = "") -> None:
    assert what in outcome.output.decode() + outcome.messages, "nothing was said that could do harm"
    assert_harmless(outcome.output.decode())
    assert_harmless(outcome.messages)


@pytest.mark.parametrize("arguments", RUNS.values(), ids=RUNS.keys())
@pytest.mark.parametrize("inertial", [AUTO, NEGATIVE], ids=["auto", "negative"])
def test_names_in_documents_are_harmless(command, project, arguments, inertial):
    takes_one = arguments[0] == "scale"
    files = [f"m{number}.sdf" for number in range(len(NAMES))]
    for file, name in zip(files, NAMES.values(), strict=True):
        (project / file).write_text(document(name, inertial))
    for group in [[file] for file in files] if takes_one else [files]:
        assert_says_harmlessly(command(*arguments, *group))


@pytest.mark.parametrize("arguments", [*RUNS.values(), ("mesh",)], ids=[*RUNS, "mesh"])
def test_names_of_files_are_harmless(command: Run, project: Path, arguments: tuple[str, ...]) -> None:
    for name in NAMES.values():
        (project / f"{name}.sdf").write_text(document("m", AUTO))
    takes_one = arguments[0] == "scale"
    for ending in ("sdf", "missing"):
        files = [f"{name}.{ending}" for name in NAMES.values()]
        for group in [[file] for file in files] if takes_one else [files]:
            assert_says_harmlessly(command(*arguments, *group), "" if ending == "sdf" else ".missing")


REPORTS = {"fill": (".md", ".json", ".html"), "check": (".md", ".json", ".html", ".sarif", ".xml"), "show": (".html",)}


@pytest.mark.parametrize(
    ("command_name", "suffix"), [(name, suffix) for name, suffixes in REPORTS.items() for suffix in suffixes]
)
def test_names_in_reports_are_harmless(command: Run, project: Path, suffix: str, command_name: str) -> None:
    files = [name.replace("/", "") + ".sdf" for name in NAMES.values()]
    for file, name in zip(files, NAMES.values(), strict=True):
        (project / file).write_text(document(name, AUTO))
    command(command_name, *files, "--report", f"r{suffix}")
    text = (project / f"r{suffix}").read_text(encoding="utf-8")
    assert "stop-commands" in text
    assert not any(c in text for c in DIRECTING + BREAKS.replace("\n", "") + "\x1b")
    assert "\n::stop" not in text
    if suffix == ".json" and command_name == "check":
        links = {finding["link"] for finding in json.loads(text)["findings"]}
        # XML carries no such characters, not even as references.
        meant = [name.translate(dict.fromkeys(map(ord, "\x1b\x0b\x0c"))) for name in NAMES.values()]
        assert links == {f"{name}::{name}" for name in meant}, "what the text means stays"


@every_name
def test_annotations_are_one_line_and_one_command_each(command: Run, project: Path, name: str) -> None:
    (project / f"{name}.sdf").write_text(document(name, NEGATIVE))
    outcome = command("check", "--format", "github", f"{name}.sdf")
    lines = outcome.output.decode().split("\n")
    assert lines.pop() == ""
    assert all(line.startswith(("::error file=", "::warning file=")) for line in lines)
    assert not any(c in line for line in lines for c in DIRECTING + BREAKS)


@pytest.mark.parametrize("name", ["a\nb.sdf", 'a"b.sdf', "a\\b.sdf", "a\u202eb.sdf", "a b\tc.sdf"])
def test_a_diff_of_any_name_has_its_lines_and_applies(command: Run, project: Path, name: str) -> None:
    (project / name).write_text(document("m", AUTO))
    outcome = command("fill", "-q", "--diff", name)
    head = outcome.output.split(b"\n@@")[0]
    assert len(head.split(b"\n")) == 2
    assert not any(c in head.decode() for c in DIRECTING)
    done = subprocess.run(["git", "apply", "-p0", "--unsafe-paths"], input=outcome.output, capture_output=True)
    assert done.returncode == 0, done.stderr
    assert "<mass>" in (project / name).read_text()


# The functions --------------------------------------------------------------------------------------------------------


def test_a_message_is_one_line_without_escapes_of_its_own() -> None:
    assert one_line("'a' is not found, tried:\n    /x\n    /y") == "'a' is not found, tried: /x; /y"
    assert str(ConfigurationError("tried:\n  a\n  b", remedy="do c", file="f\ng")) == "f\\ng: tried: a; b; do c"


def values_of(value: Any, depth: int = 4) -> Iterator[Any]:
    """A public value and those that it holds."""
    if isinstance(value, (tuple, list)) and depth:
        for each in value:
            yield from values_of(each, depth - 1)
    if type(value).__module__.startswith("sdfinertia"):
        yield value
        names = [*getattr(value, "_fields", ()), *getattr(value, "__dataclass_fields__", ()), "advice", "why"]
        for name in names if depth else ():
            yield from values_of(getattr(value, name, None), depth - 1)


@every_name
def test_a_value_of_the_api_shows_itself_harmlessly(project: Path, name: str) -> None:
    path = str(project / f"{name}.sdf")
    for inertial in (AUTO, NEGATIVE, "<inertial><mass>1</mass></inertial>"):
        Path(path).write_text(document(name, inertial))
        results = [
            sdfinertia.fill(path, sdfinertia.Options(all=True)),
            sdfinertia.check(path, why=True),
            sdfinertia.show(path, computed=True),
            sdfinertia.repair(path, by="geometry"),
            sdfinertia.scale(path, sdfinertia.Options(link=("*",)), mass=2.0),
            list(sdfinertia.check_many([path])),
            Problem("x", Command(("sdfinertia", "fill"), (name,), path)),
            Problem(name, name, Location(path, 1, 1)),
            ConfigurationError(name, remedy=name, file=path),
        ]
        for value in values_of(results):
            for shown in (str(value), repr(value)):
                assert not any(c in shown for c in DIRECTING + BREAKS.replace("\n", "") + "\x1b"), type(value)
                assert not any(line.startswith(("  other::link", "::")) for line in shown.split("\n")), type(value)
