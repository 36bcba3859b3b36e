"""Baselines: what is known does not count, what is new does, and unrelated edits change neither."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]


OLD = """\
<sdf version="1.12">
  <model name="m">
    <link name="old">
      <inertial auto="true"/>
      <collision name="c"><density>100</density><geometry><box><size>1 2 3</size></box></geometry></collision>
    </link>
  </model>
</sdf>
"""
FAULT = """\
    <link name="new_fault">
      <inertial>
        <mass>-1</mass>
        <inertia><ixx>1</ixx><iyy>0.8</iyy><izz>0.5</izz></inertia>
      </inertial>
    </link>
"""


def with_fault(document: str, fault: str = FAULT) -> str:
    before, end, after = document.rpartition("</model>")
    assert end
    return before + "\n" + fault + end + after


def findings(command: Run, *arguments: str) -> list[tuple[str, str, str]]:
    """File, last part of the link's name, and code of each finding."""
    document = json.loads(command("check", "--format", "json", *arguments).output)
    return [
        (os.path.normpath(each["file"]), each["link"].rpartition("::")[2], each["code"])
        for each in document["findings"]
    ]


@pytest.fixture
def old(project: Path, command: Run) -> Path:
    """An old repository with a baseline in its root."""
    (project / "models").mkdir()
    path = project / "models" / "m.sdf"
    path.write_text(OLD)
    outcome = command("check", ".", "--write-baseline", "known.json")
    assert (outcome.status, outcome.output) == (0, b"")
    return path


# What is known --------------------------------------------------------------------------------------------------------


def test_known_findings_do_not_count(command, old: Path) -> None:
    outcome = command("check", ".", "--baseline", "known.json", "-v")
    assert (outcome.status, outcome.output) == (0, b"")
    assert re.search(r"\b1 in the baseline", outcome.messages)
    assert "gone" not in outcome.messages
    assert command("check", ".").status == 1


def test_a_new_fault_is_the_only_finding(command, old: Path) -> None:
    old.write_text(with_fault(OLD))
    assert findings(command, ".", "--baseline", "known.json") == [("models/m.sdf", "new_fault", "SDI101")]


@pytest.mark.parametrize(
    "edit",
    [
        pytest.param(lambda text: text.replace("<model", "\n\n<!-- a\nlong\ncomment -->\n<model"), id="lines above"),
        pytest.param(lambda text: text.replace("\n", "\r\n"), id="line endings"),
        pytest.param(lambda text: text.replace("  ", "\t"), id="indentation"),
        pytest.param(lambda text: text.replace("1 2 3", "1 2 4"), id="other numbers"),
        pytest.param(
            lambda text: text.replace('<link name="old">', '<link name="first"/><link name="old">'), id="link"
        ),
    ],
)
def test_unrelated_edits_keep_findings_known(command, old: Path, edit: Callable[[str], str]) -> None:
    old.write_bytes(edit(OLD).encode())
    assert findings(command, ".", "--baseline", "known.json") == []


@pytest.mark.parametrize(
    ("directory", "paths", "baseline"),
    [
        ("models", ["m.sdf"], "../known.json"),
        ("models", ["."], "../known.json"),
        ("models", [".."], "../known.json"),
        (".", ["models/../models/m.sdf"], "./known.json"),
        ("..", ["project"], "project/known.json"),
    ],
)
def test_the_working_directory_does_not_matter(command, old, monkeypatch, directory, paths, baseline):
    monkeypatch.chdir(old.parents[1] / directory)
    assert findings(command, *paths, "--baseline", baseline) == []


def test_a_renamed_file_or_link_is_new(command, old: Path) -> None:
    old.write_text(OLD.replace('"old"', '"renamed"'))
    assert findings(command, ".", "--baseline", "known.json") == [("models/m.sdf", "renamed", "SDI001")]
    old.write_text(OLD)
    old.rename(old.with_name("n.sdf"))
    assert findings(command, ".", "--baseline", "known.json") == [("models/n.sdf", "old", "SDI001")]


def test_an_unreadable_file_that_is_known_does_not_count(command, project: Path) -> None:
    (project / "a.sdf").write_text("<launch/>")
    assert command("check", ".", "--write-baseline", "known.json").status == 0
    assert command("check", ".", "--baseline", "known.json").status == 0
    (project / "b.sdf").write_text("<launch/>")
    assert command("check", ".", "--baseline", "known.json").status == 2


def test_of_links_of_one_name_each_is_known_by_its_number(command, project: Path) -> None:
    fine, bad = (f'<link name="l">{FAULT.split(chr(10), 1)[1].rsplit("</link>", 1)[0]}</link>' for _ in range(2))
    fine = fine.replace("-1", "1")
    text = '<sdf version="1.12"><model name="m">{}{}</model></sdf>'
    (project / "m.sdf").write_text(text.format(fine, bad))
    select = ("--select", "SDI101")
    assert command("check", ".", *select, "--write-baseline", "known.json").status == 0
    [known] = json.loads((project / "known.json").read_text())["findings"]
    assert known == {"path": "m.sdf", "link": "m::l", "code": "SDI101", "number": 2}
    assert findings(command, ".", *select, "--baseline", "known.json") == []
    (project / "m.sdf").write_text(text.format(bad, fine))
    assert findings(command, ".", *select, "--baseline", "known.json") == [("m.sdf", "l", "SDI101")]


# The file -------------------------------------------------------------------------------------------------------------


def test_a_baseline_names_path_link_and_code_and_no_line(command, old: Path) -> None:
    text = (old.parents[1] / "known.json").read_text()
    assert json.loads(text)["findings"] == [{"path": "models/m.sdf", "link": "m::old", "code": "SDI001"}]
    assert text.endswith("\n")
    assert str(old.parents[1]) not in text


def test_a_baseline_that_cannot_be_written_is_one_error(command, old: Path) -> None:
    outcome = command("check", "-q", ".", "--write-baseline", "gone/known.json")
    assert outcome.status == 2
    assert outcome.messages.startswith("gone/known.json: ")
    assert len(outcome.messages.splitlines()) == 1


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe\x00",
        b"[]",
        b"null",
        b'{"format": 1}',
        b'{"format": 1, "findings": {}}',
        b'{"format": 1, "findings": "none"}',
        b'{"format": 1, "findings": [{"path": "m.sdf"}]}',
        b'{"format": 1, "findings": [{"path": "m.sdf", "link": null, "code": 7}]}',
        b'{"format": 1, "findings": [{"path": "m.sdf", "link": "m::l", "code": "SDI101", "number": "2"}]}',
        b'{"format": 1, "findings": ["SDI101"]}',
        b'{"format": 2, "findings": []}',
        b'{"format": 1, "findings": [',
        b"[" * 100_000,
        b"<<<<<<< HEAD\n",
    ],
)
def test_a_damaged_baseline_is_one_error_and_hides_nothing_silently(command, old: Path, content: bytes) -> None:
    (old.parents[1] / "known.json").write_bytes(content)
    outcome = command("check", ".", "--baseline", "known.json")
    assert outcome.status == 2
    assert outcome.messages.startswith("known.json: ")
    assert outcome.messages.endswith("; write it again with --write-baseline\n")
    assert len(outcome.messages.splitlines()) == 1


# What is gone ---------------------------------------------------------------------------------------------------------


def test_known_findings_that_are_gone_are_told_with_v(command, old: Path) -> None:
    old.write_text(OLD.replace('<inertial auto="true"/>', FAULT.split("\n", 1)[1].split("    </link>", maxsplit=1)[0]))
    old.write_text(old.read_text().replace("-1", "1"))
    outcome = command("check", ".", "--baseline", "known.json", "-v")
    assert outcome.status == 0
    (line,) = [line for line in outcome.messages.splitlines() if "SDI001" in line]
    assert "models/m.sdf" in line
    assert "m::old" in line
    assert "SDI001" not in command("check", ".", "--baseline", "known.json").messages


@pytest.mark.parametrize(
    "arguments", [("clean.sdf",), (".", "--select", "SDI101"), (".", "--link", "*::fine"), (".", "--exclude", "models")]
)
def test_what_was_not_looked_at_is_not_told_as_gone(command, old: Path, arguments: tuple[str, ...]) -> None:
    (old.parents[1] / "clean.sdf").write_text(
        '<sdf version="1.12"><model name="c"><static>true</static><link name="fine"/></model></sdf>'
    )
    outcome = command("check", *arguments, "--baseline", "known.json", "-v")
    assert outcome.status == 0
    assert "gone" not in outcome.messages
