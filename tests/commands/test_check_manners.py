"""What `check` prints when less, more, or something else is wanted than each finding."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from builders.commands import Run

BOX = '<collision name="c"><geometry><box><size>1 2 3</size></box></geometry></collision>'
AUTO = '<link name="{}"><inertial auto="true"/>' + BOX + "</link>\n"
# No body has it; nothing mends it.
WRONG = (
    '<link name="{0}"><inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>{1}</izz></inertia></inertial>'
    "</link>\n"
)


def model(*links: str) -> str:
    return '<sdf version="1.11"><model name="m">\n' + "".join(links) + "</model></sdf>\n"


def wrong(count: int) -> str:
    return model(*(WRONG.format(f"l{k}", 9 + k) for k in range(count)))


# The exit status ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "status"), [(("m.sdf",), 0), (("no.sdf",), 2), (("bad.sdf",), 2), (("m.sdf", "--link", "nothing"), 2)]
)
def test_findings_fail_no_run_where_that_is_asked_for_and_what_could_not_be_judged_does(
    command: Run, project: Path, arguments: tuple[str, ...], status: int
) -> None:
    (project / "m.sdf").write_text(wrong(1))
    (project / "bad.sdf").write_text("<sdf")
    outcome = command("check", "--exit-zero", *arguments)
    assert outcome.status == status
    assert (b"SDI103" in outcome.output) == (status == 0)


# The diff -------------------------------------------------------------------------------------------------------------


def test_the_diff_of_fix_is_what_fix_writes_and_nothing_is_written(command: Run, project: Path) -> None:
    for name in ("a.sdf", "b.sdf"):
        (project / name).write_text(model(AUTO.format("x"), WRONG.format("y", 9)))
    (project / "left.sdf").write_text(wrong(1))
    before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in project.glob("*.sdf")}
    assert command("check", "--fix", "--diff", "left.sdf")[:2] == (1, b"")
    shown = command("check", "--fix", "--diff", "a.sdf", "b.sdf")
    assert shown.status == 1
    assert {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in project.glob("*.sdf")} == before
    assert "mended" not in shown.messages
    assert "4 findings in 2 files" in shown.messages
    command("check", "--fix", "a.sdf", "b.sdf")
    # The lines that the diff takes away and adds are those that differ.
    for path in (project / "a.sdf", project / "b.sdf"):
        old, new = before[path][0].decode().splitlines(), path.read_text().splitlines()
        diff = shown.output.decode().split(f"+++ {path.name}\n")[1].split("\n--- ")[0].splitlines()
        assert [line[1:] for line in diff if line[0] == "-" and line[:3] != "---"] == [x for x in old if x not in new]
        added = [line[1:] for line in diff if line[0] == "+" and line[:3] != "+++"]
        assert added == [line for line in new if line not in old] != []


# Findings that are alike ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("count", "lines"), [(6, 6), (7, 1), (40, 1)])
def test_seven_findings_that_are_alike_are_one_line(command: Run, project: Path, count: int, lines: int) -> None:
    (project / "m.sdf").write_text(wrong(count))
    told = command("check", "--no-why", "m.sdf")
    printed = told.output.decode().splitlines()
    assert len(printed) == lines
    told_once = f"({count} findings like this, to line {count + 1}; -v lists each) " if lines == 1 else ""
    assert printed[0].startswith(f"m.sdf:2:41: SDI103 {told_once}link 'm::l0': ")
    assert f"{count} findings in 1 file" in told.messages
    assert command("check", "-v", "m.sdf").output.count(b"SDI103") == count
    assert len(json.loads(command("check", "--format", "json", "m.sdf").output)["findings"]) == count
    (run,) = json.loads(command("check", "--format", "sarif", "m.sdf").output)["runs"]
    assert len(run["results"]) == count


def test_findings_that_are_alike_fold_where_their_cause_is_the_same(command: Run, project: Path) -> None:
    block = "<inertial><mass>1</mass><inertia><ixx>0</ixx><iyy>0</iyy><izz>0</izz></inertia></inertial>"
    links = "".join(f"<link name='l{k}'>{block}</link>\n" for k in range(8))
    (project / "m.sdf").write_text(f"<sdf version='1.11'><model name='m'>{links}</model></sdf>")
    told = command("check", "m.sdf").output.decode()
    assert told.count("(8 findings like this") == told.count("why: zeros") == 1
