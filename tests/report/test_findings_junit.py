from __future__ import annotations

from pathlib import Path

import pytest
from lxml import etree

from sdfinertia.report.formats import FindingsReport
from sdfinertia.report.services import junit_report
from sdfinertia.rules.rule import Finding, Rule

SCHEMA = etree.XMLSchema(etree.parse(str(Path(__file__).parents[1] / "schemas" / "junit-10.xsd")))


def parsed(text: str) -> etree._Element:
    document = etree.fromstring(text.encode("utf-8"))
    SCHEMA.assertValid(document)
    return document


def test_every_file_is_a_test_case(findings: list[Finding], rules: list[Rule], checked: list[str]) -> None:
    report = parsed(junit_report(FindingsReport(findings, rules, checked)))
    assert [case.get("name") for case in report.iter("testcase")] == checked
    assert [[child.tag for child in case] for case in report.iter("testcase")] == [["failure"], ["error"], []]
    for counts in (report, report[0]):
        assert (counts.get("tests"), counts.get("failures"), counts.get("errors")) == ("3", "1", "1")


def test_a_failure_holds_all_findings_of_its_file(
    findings: list[Finding], rules: list[Rule], checked: list[str]
) -> None:
    failure = parsed(junit_report(FindingsReport(findings, rules, checked))).find(".//failure")
    assert failure is not None
    assert failure.get("type") == "SDI101 SDI302"
    assert failure.get("message") == (
        "SDI101 link 'arm::hand': mass is -1 kg; give the mass in kg (and 1 more finding)"
    )
    assert failure.text == (
        "arm/model.sdf:12:7: SDI101 link 'arm::hand': mass is -1 kg; give the mass in kg\n"
        "arm/model.sdf:40:5: SDI302 link 'arm::base': 400 kg hang on 1 kg"
    )


@pytest.mark.parametrize(("checked", "tests"), [([], 0), (["a.sdf"], 1), (["a.sdf", "a.sdf"], 1)])
def test_a_run_without_findings_passes(rules: list[Rule], checked: list[str], tests: int) -> None:
    report = parsed(junit_report(FindingsReport([], rules, checked)))
    assert report.get("tests") == str(tests)
    assert report.get("failures") == report.get("errors") == "0"
    assert len(list(report.iter("testcase"))) == tests


def test_a_file_that_is_not_listed_as_checked_is_a_case_too(findings: list[Finding], rules: list[Rule]) -> None:
    report = parsed(junit_report(FindingsReport(findings, rules, [])))
    assert [case.get("name") for case in report.iter("testcase")] == ["arm/model.sdf", "broken.sdf"]


def test_any_text_survives(hostile: list[Finding], rules: list[Rule]) -> None:
    report = parsed(junit_report(FindingsReport(hostile, rules, ["good.sdf"])))
    texts = [failure.text or "" for failure in report.iter("failure")]
    assert len(texts[0].splitlines()) == 2
    assert "\\x1b[31m\\x00" in texts[0]
    assert "<b> & \" '" in texts[0]
    assert "]]>" in texts[0]
    assert "\ufffd" in texts[0]
