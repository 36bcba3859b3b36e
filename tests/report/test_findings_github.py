from __future__ import annotations

import re

import pytest

from sdfinertia.errors import Location
from sdfinertia.report.formats import FindingsReport
from sdfinertia.report.services import github_commands
from sdfinertia.rules.rule import Finding, Rule


def test_a_finding_is_a_command_with_its_level_and_place(findings: list[Finding], rules: list[Rule]) -> None:
    assert github_commands(FindingsReport(findings, rules, ())) == (
        "::error file=arm/model.sdf,line=12,col=7,title=SDI101 mass-not-positive::"
        "link 'arm::hand': mass is -1 kg; give the mass in kg\n"
        "::warning file=arm/model.sdf,line=40,col=5,title=SDI302 mass-ratio-across-joint::"
        "link 'arm::base': 400 kg hang on 1 kg\n"
        "::error file=broken.sdf,line=3,col=1,title=SDI900 unreadable-file::"
        "line 3 ends inside of a tag; mend the XML\n"
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
    command = github_commands(FindingsReport([Finding("SDI101", "m", Location(file, 1, 2))], [], ()))
    assert command == f"::error file={escaped},line=1,col=2,title=SDI101::m\n"


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
    command = github_commands(FindingsReport([Finding("SDI301", message, Location("a.sdf", 1, 2))], [], ()))
    assert command == f"::warning file=a.sdf,line=1,col=2,title=SDI301::{escaped}\n"


def test_no_text_can_start_a_command_of_its_own(hostile: list[Finding], rules: list[Rule]) -> None:
    text = github_commands(FindingsReport(hostile, rules, ()))
    text.encode("utf-8")
    lines = text.splitlines()
    assert len(lines) == len(hostile)
    for line in lines:
        assert re.match(r"::(error|warning) file=[^,:]*,line=\d+,col=\d+,title=[^,:]*::", line)


def test_no_finding_is_no_command(rules: list[Rule]) -> None:
    assert github_commands(FindingsReport([], rules, ())) == ""
