"""The command `check` as its users meet it: exit status, outputs, choice of rules and files, and `--fix`."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from sdfinertia.rules import RULES

if TYPE_CHECKING:
    from pathlib import Path

    from builders.commands import Run

FINDING = re.compile(r"(?P<file>.+):(?P<line>[0-9]+):(?P<column>[0-9]+) (?P<code>SDI[0-9]{3}) (?P<text>.+)")

COLLISION = """\
      <collision name="c">
        <density>1000</density>
        <geometry><box><size>1 2 3</size></box></geometry>
      </collision>
"""


def model(*links: str) -> str:
    return f'<?xml version="1.0"?>\n<sdf version="1.12">\n  <model name="m">\n{"".join(links)}  </model>\n</sdf>\n'


def link(inertial: str = "", name: str = "body", collision: str = COLLISION) -> str:
    return f'    <link name="{name}">\n{inertial}{collision}    </link>\n'


def shaped(shape: str) -> str:
    return COLLISION.replace("<box><size>1 2 3</size></box>", shape)


def explicit(mass: str, ixx: str, iyy: str, izz: str) -> str:
    return (
        f"      <inertial>\n        <mass>{mass}</mass>\n"
        f"        <inertia><ixx>{ixx}</ixx><iyy>{iyy}</iyy><izz>{izz}</izz></inertia>\n      </inertial>\n"
    )


AUTO = '      <inertial auto="true"/>\n'
RIGHT = explicit("6000", "6500", "5000", "2500")
# A 1 m x 1 m sheet of 1 kg, rounded to four digits: 0.0833 + 0.0833 < 0.1667.
PLATE = explicit("1", "0.0833333", "0.0833333", "0.1666667")
IMPOSSIBLE = explicit("6000", "10", "4", "2")
NEGATIVE = explicit("-1", "6500", "5000", "2500")

CLEAN = model(link(RIGHT))
UNFILLED = model(link(AUTO))
MISSING = model(link())
NOT_SDF = "<launch name='r'/>\n"


def filled(command: Run, path: Path, document: str) -> str:
    path.write_text(document)
    command("fill", path.name)
    return path.read_text()


def edited_link(command: Run, path: Path, old: str, new: str) -> str:
    """A link that was filled and then changed."""
    found = re.search(r"    <link.*</link>\n", filled(command, path, model(link(AUTO, "edited"))), re.DOTALL)
    return found[0].replace(old, new)


def codes(outcome: Any) -> list[str]:
    return [match["code"] for match in map(FINDING.fullmatch, outcome.output.decode().splitlines()) if match]


def codes_of_links(outcome: Any) -> set[tuple[str, str]]:
    """The last part of each link's name, and the code of a finding on it."""
    lines = outcome.output.decode().splitlines()
    found = [FINDING.fullmatch(line) for line in lines if not line.startswith("  ")]
    assert all(found)
    return {
        (named[1] if (named := re.match(r"\S*::(\S+)(?: and .*?)?: ", match["text"])) else "", match["code"])
        for match in found
        if match
    }


# Exit status ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("document", "status", "found"),
    [
        pytest.param(CLEAN, 0, [], id="clean"),
        pytest.param('<sdf version="1.12"/>', 0, [], id="no models"),
        pytest.param(UNFILLED, 1, ["SDI001"], id="unfilled"),
        pytest.param(MISSING, 1, ["SDI104"], id="missing"),
        pytest.param(model(link(NEGATIVE)), 1, ["SDI101"], id="impossible mass"),
        pytest.param(model(link(IMPOSSIBLE)), 1, ["SDI103"], id="impossible tensor"),
        pytest.param(model(link(PLATE, collision="")), 1, ["SDI107"], id="rounded plate"),
        pytest.param(NOT_SDF, 2, ["SDI900"], id="unreadable"),
        pytest.param("", 2, ["SDI900"], id="empty"),
    ],
)
def test_the_exit_status_tells_clean_from_findings_from_unjudged(command, project, document, status, found):
    (project / "m.sdf").write_text(document)
    outcome = command("check", "m.sdf")
    assert (outcome.status, codes(outcome)) == (status, found)


def test_an_unreadable_file_is_told_whatever_is_selected_and_keeps_no_other_from_being_mended(command, project):
    (project / "a.sdf").write_text(NOT_SDF)
    (project / "b.sdf").write_text(UNFILLED)
    for arguments in (("a.sdf", "--select", "SDI101"), ("--fix", ".")):
        outcome = command("check", *arguments)
        assert (outcome.status, codes(outcome)) == (2, ["SDI900"])
    assert "<mass>6000</mass>" in (project / "b.sdf").read_text()
    assert (project / "a.sdf").read_text() == NOT_SDF


# Paths ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("again", ["m.sdf", "./m.sdf", ".", "sub/../m.sdf"])
def test_a_file_named_in_two_ways_is_checked_once(command: Run, project: Path, again: str) -> None:
    (project / "m.sdf").write_text(UNFILLED)
    (project / "sub").mkdir()
    outcome = command("check", "m.sdf", again)
    assert codes(outcome) == ["SDI001"]
    assert "1 file checked" in outcome.messages


# Standard output and standard error -----------------------------------------------------------------------------------


def test_standard_output_holds_findings_and_standard_error_the_summary(command: Run, project: Path) -> None:
    (project / "a.sdf").write_text(model(link(RIGHT, "good"), link(NEGATIVE, "bad")))
    (project / "b.sdf").write_text(CLEAN)
    (project / "c.sdf").write_text(UNFILLED)
    outcome = command("check", "a.sdf", "b.sdf", "c.sdf")
    lines = (line for line in outcome.output.decode().splitlines() if not line.startswith("  "))
    first, second = map(FINDING.fullmatch, lines)
    assert None not in (first, second)
    assert (first["file"], first["code"], second["file"], second["code"]) == ("a.sdf", "SDI101", "c.sdf", "SDI001")
    line = (project / "a.sdf").read_text().splitlines()[int(first["line"]) - 1]
    assert line[int(first["column"]) - 1 :].startswith("<mass>")
    assert "m::bad" in first["text"]
    assert "2 findings in 2 files (3 files checked)" in outcome.messages
    assert ": 1 fixed by `sdfinertia fill`, 1 needs you" in outcome.messages


def test_quiet_leaves_findings_alone_on_the_terminal(command: Run, project: Path) -> None:
    (project / "a.sdf").write_text(UNFILLED)
    outcome = command("check", "-q", "a.sdf")
    assert (outcome.status, codes(outcome), outcome.messages) == (1, ["SDI001"], "")
    refused = command("check", "-q", "gone.sdf")
    assert (refused.status, refused.output) == (2, b"")
    assert refused.messages.startswith("gone.sdf: ")


def test_the_summary_counts_what_was_suppressed_and_what_files_are_missing_for(command: Run, project: Path) -> None:
    suppressed = IMPOSSIBLE.replace("<mass>", "<!-- sdfinertia: ignore SDI103 because of a test --><mass>")
    gone = shaped("<mesh><uri>gone.stl</uri></mesh>")
    (project / "m.sdf").write_text(model(link(suppressed, "a"), link(RIGHT, "b", gone)))
    outcome = command("check", "m.sdf")
    assert (outcome.status, outcome.output) == (0, b"")
    assert re.search(r"\b1 suppressed", outcome.messages)
    assert re.search(r"\b1 link not checked\b", outcome.messages)
    (project / "m.sdf").write_text(model(link(NEGATIVE)))
    outcome = command("check", "m.sdf", "--select", "ALL")
    assert "SDI101" in codes(outcome)
    assert "not checked" not in outcome.messages


# Formats and reports --------------------------------------------------------------------------------------------------

HOSTILE = "b&amp;&lt;%0A::error::,\"'µ".replace('"', "&quot;")
# The suffix of the report that holds what a format prints.
FORMATS = {"json": ".json", "sarif": ".sarif", "junit": ".xml", "text": ".md", "github": ".html"}


@pytest.mark.parametrize(("format_name", "suffix"), FORMATS.items())
def test_a_format_is_printed_and_a_report_written_by_its_suffix(command, project, format_name, suffix):
    (project / "a.sdf").write_text(model(link(AUTO, HOSTILE), link(NEGATIVE, "n")))
    (project / "b.sdf").write_text(NOT_SDF)
    (project / "c d.sdf").write_text(MISSING)
    (project / "e.sdf").write_text(CLEAN)
    found = ["SDI001", "SDI101", "SDI104", "SDI900"]
    report = ("--report", f"report{suffix}", "--report", "other.JSON")
    outcome = command("check", ".", "--format", format_name, *report)
    assert outcome.status == 2
    texts = [outcome.output.decode(), (project / f"report{suffix}").read_text(encoding="utf-8")]
    if format_name in ("json", "sarif", "junit"):
        assert texts[0] == texts[1]
    if suffix == ".html":
        assert len(re.findall(r'data-name="([^"]+)"', texts[1])) == 4
    assert [sorted(set(re.findall("SDI(?:001|101|104|900)", text))) for text in texts] == [found, found]
    other = json.loads((project / "other.JSON").read_text(encoding="utf-8"))
    assert sorted(each["code"] for each in other["findings"]) == found


# Which rules ----------------------------------------------------------------------------------------------------------

SEVERAL = model(link(AUTO, "auto"), link(NEGATIVE, "negative"), link("", "missing"), link(IMPOSSIBLE, "impossible"))


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        ((), ["SDI001", "SDI103", "SDI104", "SDI101"]),
        (("--select", "SDI101"), ["SDI101"]),
        (("--select", "SDI101", "--select", "SDI001"), ["SDI001", "SDI101"]),
        (("--select", "SDI101,SDI001"), ["SDI001", "SDI101"]),
        (("--ignore", "SDI1"), ["SDI001"]),
        (("--select", "SDI1", "--ignore", "SDI104"), ["SDI103", "SDI101"]),
        (("--link", "*::missing", "--link", "*::negative"), ["SDI104", "SDI101"]),
    ],
)
def test_rules_and_links_are_chosen_on_the_command_line(command, project, arguments, found):
    (project / "m.sdf").write_text(SEVERAL)
    outcome = command("check", "m.sdf", *arguments)
    assert (outcome.status, codes(outcome)) == (1, found)


# Fixing --------------------------------------------------------------------------------------------------------------


def test_a_second_fix_does_not_touch_the_file(command: Run, project: Path) -> None:
    path = project / "m.sdf"
    path.write_text(model(link(AUTO, "auto"), link(PLATE, "plate", ""), link(NEGATIVE, "left")))
    command("check", "--fix", "m.sdf")
    before, content = path.stat(), path.read_bytes()
    outcome = command("check", "--fix", "m.sdf")
    after = path.stat()
    assert (outcome.status, codes(outcome)) == (1, ["SDI101"])
    assert path.read_bytes() == content
    assert (before.st_mtime_ns, before.st_ino) == (after.st_mtime_ns, after.st_ino)


def test_what_cannot_be_mended_is_left_and_told(command: Run, project: Path) -> None:
    edited = edited_link(command, project / "m.sdf", "<ixx>6500<", "<ixx>6501<")
    (project / "m.sdf").write_text(model(link(AUTO, "auto"), link(NEGATIVE, "negative"), edited))
    outcome = command("check", "--fix", "m.sdf")
    assert outcome.status == 1
    assert codes_of_links(outcome) == {("negative", "SDI101"), ("edited", "SDI003")}
    content = (project / "m.sdf").read_text()
    assert NEGATIVE in content
    assert edited in content


@pytest.mark.parametrize(
    ("arguments", "left"),
    [
        (("--select", "SDI001"), {("plate", "SDI107")}),
        (("--link", "pl*"), {("auto", "SDI001")}),
    ],
)
def test_only_what_is_chosen_is_mended(command, project, arguments, left):
    (project / "m.sdf").write_text(model(link(AUTO, "auto"), link(PLATE, "plate", "")))
    outcome = command("check", "--fix", "m.sdf", *arguments)
    assert (outcome.status, outcome.output) == (0, b"")
    assert codes_of_links(command("check", "m.sdf")) == left


def test_the_summary_says_what_fixes_how_many(command: Run, project: Path) -> None:
    (project / "my model.sdf").write_text(SEVERAL)
    (counts,) = command("check", "my model.sdf").messages.splitlines()
    assert counts == (
        "4 findings in 1 file (1 file checked): 1 fixed by `sdfinertia fill`, 1 by `sdfinertia fill --all`, "
        "1 by `sdfinertia fill --missing`, 1 needs you"
    )
    assert codes(command("check", "--fix", "my model.sdf")) == ["SDI103", "SDI104", "SDI101"]
    command("fill", "--missing", "my model.sdf")
    assert codes(command("check", "my model.sdf")) == ["SDI103", "SDI101"]


# Rules ----------------------------------------------------------------------------------------------------------------


def test_the_rules_are_listed(command: Run) -> None:
    outcome = command("rules")
    lines = outcome.output.decode().splitlines()
    assert outcome.status == 0
    assert [line.split()[0] for line in lines] == [rule.code for rule in RULES]
    assert all(rule.name in line for rule, line in zip(RULES, lines, strict=True))


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_a_rule_is_explained(command: Run, rule: Any) -> None:
    outcome = command("rules", rule.code)
    text = outcome.output.decode()
    assert command("rules", rule.name).output == outcome.output
    assert outcome.status == 0
    assert all(part in text for part in (rule.code, rule.name, rule.what, rule.why, rule.example, rule.fix))
    assert all((rule.what, rule.why, rule.example, rule.fix))
    assert ("--select" in text.splitlines()[0]) is not rule.is_default


def test_a_world_whose_includes_are_all_missing_says_so_last(command: Run, project: Path) -> None:
    includes = "".join(f"<include><uri>https://fuel.gazebosim.org/1.0/a/models/{k}</uri></include>" for k in range(3))
    (project / "w.sdf").write_text(f"<sdf version='1.9'><world name='w'>{includes}</world></sdf>")
    assert command("check", "w.sdf").messages.splitlines()[-1] == "nothing checked: 3 includes are not in the cache"
