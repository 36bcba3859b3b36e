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
    assert "fixed 2 findings" not in shown.messages
    assert "3 findings in 2 files" in shown.messages
    command("check", "--fix", "a.sdf", "b.sdf")
    # The lines that the diff takes away and adds are those that differ.
    for path in (project / "a.sdf", project / "b.sdf"):
        old, new = before[path][0].decode().splitlines(), path.read_text().splitlines()
        diff = shown.output.decode().split(f"+++ {path.name}\n")[1].split("\n--- ")[0].splitlines()
        assert [line[1:] for line in diff if line[0] == "-" and line[:3] != "---"] == [x for x in old if x not in new]
        added = [line[1:] for line in diff if line[0] == "+" and line[:3] != "+++"]
        assert added == [line for line in new if line not in old] != []


# Findings that are alike ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("count", "more"), [(1, ""), (4, " and 3 more links"), (40, " and 39 more links")])
def test_findings_that_are_alike_are_one(command: Run, project: Path, count: int, more: str) -> None:
    (project / "m.sdf").write_text(wrong(count))
    told = command("check", "--no-why", "m.sdf")
    assert told.output.decode().splitlines() == [
        f"m.sdf:2:41 SDI103 m::l0{more}: physically impossible: moments 1 + 1 < 9 kg·m²",
        "  fix: take its tensor from CAD",
    ]
    assert "1 finding in 1 file" in told.messages
    assert command("check", "-v", "m.sdf").output.count(b"m.sdf:") == count
    assert len(json.loads(command("check", "--format", "json", "m.sdf").output)["findings"]) == count
    (run,) = json.loads(command("check", "--format", "sarif", "m.sdf").output)["runs"]
    assert len(run["results"]) == count
