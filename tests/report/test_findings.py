from __future__ import annotations

import subprocess
import sys

import pytest

from sdfinertia.errors import Location, counted, unicode_text
from sdfinertia.report.findings import count_line, findings_text, fix_of, sentence, summary_lines
from sdfinertia.report.formats import FindingsReport
from sdfinertia.report.repository import repository_path
from sdfinertia.rules.rule import Finding


@pytest.mark.parametrize(
    ("number", "text"), [(0, "0 findings"), (1, "1 finding"), (2, "2 findings"), (12345, "12,345 findings")]
)
def test_nouns_agree_with_their_numbers(number: int, text: str) -> None:
    assert counted(number, "finding") == text


@pytest.mark.parametrize(
    ("finding", "text"),
    [
        (Finding("SDI101", "bad", Location("a", 1, 1)), "bad"),
        (Finding("SDI101", "bad", Location("a", 1, 1), "m::l"), "link 'm::l': bad"),
        (Finding("SDI101", "bad", Location("a", 1, 1), "", "mend it"), "bad; mend it"),
        (Finding("SDI101", "bad\nworse", Location("a", 1, 1), "m\n", "x\x1b"), "link 'm\\n': bad; worse; x\\x1b"),
        (Finding("SDI101", "byte \udcff", Location("a", 1, 1)), "byte \udcff"),
    ],
)
def test_a_finding_is_one_line(finding: Finding, text: str) -> None:
    assert sentence(finding) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [("plain é €", "plain é €"), ("a\udcffb", "a\ufffdb"), ("\udcc3\udca9", "é"), ("\ud800x", "\ufffdx")],
)
def test_bytes_that_are_no_text_are_replaced(text: str, shown: str) -> None:
    assert unicode_text(text) == shown


@pytest.mark.parametrize(
    ("file", "path"),
    [
        ("./a.sdf", "a.sdf"),
        ("a//b/../c.sdf", "a/c.sdf"),
        ("../x.sdf", "../x.sdf"),
        ("/abs/./a.sdf", "/abs/a.sdf"),
        ("-", "-"),
    ],
)
def test_paths_lose_their_detours(file: str, path: str) -> None:
    assert repository_path(file) == path


def test_a_finding_is_a_line_with_its_place_first(findings: list[Finding]) -> None:
    assert findings_text(FindingsReport(findings)) == (
        "arm/model.sdf:12:7: SDI101 link 'arm::hand': mass is -1 kg; give the mass in kg\n"
        "arm/model.sdf:40:5: SDI302 link 'arm::base': 400 kg hang on 1 kg\n"
        "broken.sdf:3:1: SDI900 line 3 ends inside of a tag; mend the XML\n"
    )
    assert findings_text(FindingsReport([])) == ""


def test_hostile_text_cannot_add_lines_or_escape_sequences(hostile: list[Finding]) -> None:
    text = findings_text(FindingsReport(hostile))
    assert len(text.splitlines()) == len(text.split("\n")) - 1 == len(hostile)
    assert "\x1b" not in text
    assert "\udcff" in text


@pytest.mark.parametrize(
    ("codes", "checked", "line"),
    [
        ([], [], "nothing checked"),
        ([], ["a.sdf"], "no findings (1 file checked)"),
        (["SDI101"], ["a.sdf", "b.sdf"], "1 finding in 1 file (2 files checked)"),
        (["SDI101", "SDI103"], ["a.sdf", "a.sdf"], "2 findings in 1 file (1 file checked)"),
    ],
)
def test_the_counts_are_told(codes: list[str], checked: list[str], line: str) -> None:
    found = [Finding(code, "", Location("a.sdf", 1, 1)) for code in codes]
    assert count_line(found, checked) == line
    assert summary_lines(found, checked, ["a.sdf"]) == f"{line}\n"


LEFT = "finding not fixed by --fix: run sdfinertia fill --missing"


@pytest.mark.parametrize(
    ("codes", "paths", "commands"),
    [
        (["SDI001"], ["models"], ["1 safe fix: run sdfinertia check --fix models"]),
        (["SDI001", "SDI107"], ["a.sdf", "b.sdf"], ["2 safe fixes: run sdfinertia check --fix a.sdf b.sdf"]),
        (["SDI001", "SDI101"], ["my models"], ["1 safe fix: run sdfinertia check --fix 'my models'"]),
        (["SDI002"], ["-x.sdf"], ["1 safe fix: run sdfinertia check --fix -- -x.sdf"]),
        (["SDI104"], ["a;rm -r b"], [f"1 {LEFT} 'a;rm -r b'"]),
        (["SDI104"], ["a\nb"], [f"1 {LEFT} 'a\\nb'"]),
        (["SDI001", "SDI104"], ["m"], ["1 safe fix: run sdfinertia check --fix m", f"1 {LEFT} m"]),
    ],
)
def test_how_many_fixes_are_safe_and_what_applies_them_is_told(codes, paths, commands):
    found = [Finding(code, "", Location("a.sdf", 1, 1)) for code in codes]
    assert summary_lines(found, ["a.sdf"], paths).splitlines()[1:] == commands


def test_a_safe_fix_that_is_in_doubt_or_would_fail_is_none() -> None:
    sure = Finding("SDI001", "", Location("a.sdf", 1, 1))
    assert [fix_of(each) for each in (sure, sure._replace(is_safe=False), sure._replace(is_fixable=False))] == [
        "safe",
        "none",
        "none",
    ]
    assert fix_of(sure._replace(code="SDI101")) == "none"
    assert fix_of(sure._replace(code="SDI104")) == "none"


def test_no_output_loads_anything_heavy() -> None:
    program = (
        "import sys\n"
        "from sdfinertia.report import findings, github, json_records, junit, markdown, sarif\n"
        "heavy = {'numpy', 'scipy', 'lxml', 'trimesh', 'rich', 'click', 'xml.sax', 'urllib.request'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"
