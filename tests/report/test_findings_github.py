from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from sdfinertia.errors import Location
from sdfinertia.report import FindingsReport
from sdfinertia.report.services import findings_github
from sdfinertia.rules.rule import Finding

if TYPE_CHECKING:
    from pathlib import Path


def test_a_link_is_a_command_with_its_level_and_place_and_the_worst_comes_first(findings):
    assert findings_github(FindingsReport(findings, ())) == (
        "::error file=broken.sdf,line=3,col=1,title=SDI900 unreadable-file::"
        "line 3 ends inside of a tag%0Afix: mend the XML\n"
        "::error file=arm/model.sdf,line=12,col=7,title=SDI101 mass-not-positive::"
        "arm::hand: mass is -1 kg%0Afix: give the mass in kg\n"
        "::warning file=arm/model.sdf,line=40,col=5,title=SDI302 mass-ratio-across-joint::"
        "arm::base: 400 kg hang on 1 kg\n"
    )
    assert findings_github(FindingsReport([], ())) == ""


def test_the_findings_of_a_link_are_one_command() -> None:
    found = [
        Finding("SDI302", "hangs", Location("a.sdf", 2, 1), "m::l"),
        Finding("SDI101", "is light", Location("a.sdf", 3, 5), "m::l", "weigh it"),
        Finding("SDI101", "is light", Location("a.sdf", 9, 5), "m::l", number=2),
    ]
    assert findings_github(FindingsReport(found)) == (
        "::error file=a.sdf,line=3,col=5,title=SDI101 mass-not-positive and 1 more::"
        "m::l: is light%0Afix: weigh it%0ASDI302 m::l: hangs\n"
        "::error file=a.sdf,line=9,col=5,title=SDI101 mass-not-positive::m::l: is light\n"
    )


def test_what_github_would_drop_is_counted_and_stays_in_the_log() -> None:
    found = [
        Finding(code, "is wrong", Location("a.sdf", line, 1), f"m::l{line}")
        for line, code in enumerate(["SDI302"] * 11 + ["SDI101"] * 13, start=1)
    ]
    lines = findings_github(FindingsReport(found)).splitlines()
    assert [line[:9] for line in lines[:20]] == ["::error f"] * 10 + ["::warning"] * 10
    assert lines[20].startswith("::notice title=sdfinertia::4 more links with findings in the log")
    assert lines[21:] == [
        "a.sdf:22:1 SDI101 m::l22: is wrong",
        "a.sdf:23:1 SDI101 m::l23: is wrong",
        "a.sdf:24:1 SDI101 m::l24: is wrong",
        "a.sdf:11:1 SDI302 m::l11: is wrong",
    ]


def test_paths_are_those_in_the_repository(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    file = tmp_path / "models" / "a.sdf"
    file.parent.mkdir()
    file.touch()
    finding = Finding("SDI101", "m", Location(str(file), 1, 2), "m::l", f"sdfinertia fill {file}")
    (line,) = findings_github(FindingsReport([finding])).splitlines()
    assert line == (
        "::error file=models/a.sdf,line=1,col=2,title=SDI101 mass-not-positive::"
        "m::l: m%0Afix: sdfinertia fill models/a.sdf"
    )


@pytest.mark.parametrize(
    ("file", "escaped"),
    [
        ("a:b.sdf", "a%3Ab.sdf"),
        ("a,b.sdf", "a%2Cb.sdf"),
        ("100%.sdf", "100%25.sdf"),
        ("a%2Cb.sdf", "a%252Cb.sdf"),
        ("a\nb.sdf", "a\\nb.sdf"),
        ("a\rb.sdf", "a\\rb.sdf"),
        ("./a.sdf", "a.sdf"),
        ("a\udcffb.sdf", "a\ufffdb.sdf"),
        ("été.sdf", "été.sdf"),
    ],
)
def test_properties_are_escaped(file: str, escaped: str) -> None:
    command = findings_github(FindingsReport([Finding("SDI101", "m", Location(file, 1, 2))], ()))
    assert command == f"::error file={escaped},line=1,col=2,title=SDI101 mass-not-positive::m\n"


@pytest.mark.parametrize(
    ("message", "escaped"),
    [
        ("50 % more", "50 %25 more"),
        ("a::b, c: d", "a::b, c: d"),
        ("%0A", "%250A"),
        ("a\nb", "a; b"),
        ("a\r\n::error::b", "a; ::error::b"),
        ("byte \udcff", "byte \ufffd"),
    ],
)
def test_messages_are_escaped(message: str, escaped: str) -> None:
    command = findings_github(FindingsReport([Finding("SDI301", message, Location("a.sdf", 1, 2))], ()))
    assert command == f"::warning file=a.sdf,line=1,col=2,title=SDI301 spin-instability::{escaped}\n"


def test_no_text_can_start_a_command_of_its_own(hostile: list[Finding]) -> None:
    text = findings_github(FindingsReport(hostile, ()))
    text.encode("utf-8")
    lines = text.splitlines()
    assert len(lines) == len({finding.key for finding in hostile})
    for line in lines:
        assert re.match(r"::(error|warning) file=[^,:]*,line=\d+,col=\d+,title=[^,:]*::", line)
    many = [finding._replace(number=number) for finding in hostile for number in range(20)]
    for line in findings_github(FindingsReport(many, ())).splitlines():
        assert re.match(r"::(error|warning|notice) |(?!\s*::)(?!.*##\[)", line)
