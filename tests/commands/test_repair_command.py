from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING, Any

import pytest
from builders.robots import MOTOR, POINT, SOUND, Written, sdf, urdf

if TYPE_CHECKING:
    from pathlib import Path

    from builders.commands import Run

FILES = pytest.mark.parametrize(("written_as", "name"), [(urdf, "r.urdf"), (sdf, "r.sdf")], ids=["URDF", "SDF"])


@FILES
def test_a_file_is_repaired_in_place_and_once(command: Run, project: Path, written_as: Any, name: str) -> None:
    file = project / name
    file.write_bytes(written_as(POINT, SOUND))
    outcome = command("repair", name)
    assert outcome.status == 0
    assert b"1676.359E-6" in file.read_bytes()
    assert "1 link repaired in 1 file." in outcome.messages
    assert "the decimal point of izz 1676359E-6" in outcome.messages
    after = file.read_bytes()
    again = command("repair", name)
    assert (again.status, file.read_bytes()) == (0, after)
    assert "1 file unchanged." in again.messages


@FILES
def test_a_diff_is_printed_that_git_takes(command: Run, project: Path, written_as: Any, name: str) -> None:
    file = project / name
    file.write_bytes(written_as(POINT))
    outcome = command("repair", "-q", "--diff", name)
    assert outcome.status == 0
    assert file.read_bytes() == written_as(POINT)
    (project / "p.diff").write_bytes(outcome.output)
    subprocess.run(["git", "apply", "-p0", "p.diff"], check=True, cwd=project)
    assert command("repair", "-q", "--check", name).status == 0
    assert b"1676.359E-6" in file.read_bytes()


@FILES
def test_check_writes_nothing_and_standard_input_goes_to_standard_output(command, project, written_as, name):
    (project / name).write_bytes(written_as(POINT))
    outcome = command("repair", "--check", name)
    assert outcome.status == 1
    assert "would be repaired" in outcome.messages
    assert (project / name).read_bytes() == written_as(POINT)
    expected = command("repair", "-q", "-o", "-", name).output
    assert b"repaired=decimal-point" in expected
    outcome = command("repair", "-q", "-", "--stdin-filename", name, stdin=written_as(POINT))
    assert (outcome.status, outcome.output) == (0, expected)


@pytest.mark.parametrize(
    ("by", "wrong", "number"),
    [("twin", POINT, "1676359E-6"), ("geometry", POINT, "1676359E-6"), ("nearest", MOTOR, '".00019"')],
)
def test_another_way_is_taken_for_the_links_that_are_named(command, project, by, wrong, number):
    twin = Written("l_arm", "1.559", ("2661.9E-6", "0", "0", "2302.5E-6", "0", "1676E-6"), None, "0 0.01 0")
    file = project / "r.urdf"
    file.write_bytes(urdf(wrong._replace(name="r_arm"), wrong._replace(name="other"), twin))
    assert command("repair", "--by", by, "--link", "r::r_arm", "r.urdf").status == 0
    text = file.read_text()
    assert text.count(number) == 1
    assert text.count("<!-- sdfinertia:") == 1


# Reports --------------------------------------------------------------------------------------------------------------


def test_the_report_in_markdown_has_a_row_for_each_link(command: Run, project: Path) -> None:
    (project / "r.urdf").write_bytes(urdf(POINT))
    assert command("repair", "-q", "--diff", "--report", "issue.md", "r.urdf").status == 0
    heading, *_, row, _, note = (project / "issue.md").read_text().splitlines()
    assert heading == "### sdfinertia repair: 1 link in 1 file"
    assert row.startswith("| `r.urdf:2` | `r::Link1` | repaired |")
    assert "the decimal point of izz 1676359E-6" in note


def test_a_tree_is_a_line_a_file_and_guesses_are_for_details(command: Run, project: Path) -> None:
    (project / "tree").mkdir()
    (project / "tree/r.urdf").write_bytes(urdf(POINT, SOUND))
    (project / "tree/unsure.urdf").write_bytes(urdf(MOTOR._replace(shape=None)))
    lines = command("repair", "--diff", "tree").messages.splitlines()
    assert lines[:2] == ["tree/r.urdf: 1 link repaired", "tree/unsure.urdf: 1 link left"]
    assert len(lines) == 3
    details = command("repair", "--diff", "-v", "tree").messages
    assert "not repaired: no likely cause" in details
    assert "best guess: " in details
    plain = command("repair", "--diff", "tree/unsure.urdf").messages
    assert "not repaired: no likely cause" in plain
    assert "best guess" not in plain
