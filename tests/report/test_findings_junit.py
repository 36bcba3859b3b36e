from __future__ import annotations

from pathlib import Path

import pytest
from lxml import etree

from sdfinertia.errors import Location
from sdfinertia.links import Unjudged
from sdfinertia.report import FindingsReport
from sdfinertia.report.services import findings_junit
from sdfinertia.rules.rule import Finding

SCHEMA = etree.XMLSchema(etree.parse(str(Path(__file__).parents[1] / "schemas" / "junit-10.xsd")))


def parsed(text: str) -> etree._Element:
    document = etree.fromstring(text.encode("utf-8"))
    SCHEMA.assertValid(document)
    return document


def cases(report: etree._Element) -> list[tuple[str | None, str | None, list[str]]]:
    return [
        (case.get("classname"), case.get("name"), [child.tag for child in case]) for case in report.iter("testcase")
    ]


LINKS = {
    "arm/model.sdf": ("arm::base", "arm::hand", "arm::arm"),
    "broken.sdf": (),
    "good.sdf": ("good::l", "good::l#2"),
}


def test_every_link_is_a_test_case(findings: list[Finding], checked: list[str]) -> None:
    report = parsed(findings_junit(FindingsReport(findings, checked, links=LINKS)))
    assert cases(report) == [
        ("sdfinertia.check arm/model.sdf", "arm::base", ["failure"]),
        ("sdfinertia.check arm/model.sdf", "arm::hand", ["failure"]),
        ("sdfinertia.check arm/model.sdf", "arm::arm", []),
        ("sdfinertia.check broken.sdf", "(file)", ["error"]),
        ("sdfinertia.check good.sdf", "good::l", []),
        ("sdfinertia.check good.sdf", "good::l#2", []),
    ]
    for counts in (report, report[0]):
        assert (counts.get("tests"), counts.get("failures"), counts.get("errors")) == ("6", "2", "1")


def test_a_failure_holds_all_findings_of_its_link() -> None:
    found = [
        Finding("SDI101", "mass is -1 kg", Location("a.sdf", 12, 7), "arm::hand", "give the mass in kg"),
        Finding("SDI302", "400 kg hang on 1 kg", Location("a.sdf", 40, 5), "arm::hand"),
    ]
    failure = parsed(findings_junit(FindingsReport(found, ["a.sdf"]))).find(".//failure")
    assert failure.get("type") == "SDI101 SDI302"
    assert failure.get("message") == ("SDI101 arm::hand: mass is -1 kg; fix: give the mass in kg (and 1 more finding)")
    assert failure.text == (
        "a.sdf:12:7 SDI101 arm::hand: mass is -1 kg; fix: give the mass in kg\n"
        "a.sdf:40:5 SDI302 arm::hand: 400 kg hang on 1 kg"
    )


def test_what_is_found_in_a_file_beside_its_links_is_a_case_of_its_own() -> None:
    found = [Finding("SDI101", "two models", Location("a.sdf", 1, 1))]
    report = parsed(findings_junit(FindingsReport(found, ["a.sdf"], links={"a.sdf": ["m::l"]})))
    assert cases(report) == [("sdfinertia.check a.sdf", "m::l", []), ("sdfinertia.check a.sdf", "(file)", ["failure"])]


def test_a_link_that_could_not_be_judged_is_skipped() -> None:
    reason = Unjudged("m::k", "x.stl is not found", Location("a.sdf", 3, 1), "", "x.stl", False)
    links = {"a.sdf": ["m::l", "m::k"]}
    report = parsed(findings_junit(FindingsReport([], ["a.sdf"], unjudged=[reason], links=links)))
    assert cases(report) == [("sdfinertia.check a.sdf", "m::l", []), ("sdfinertia.check a.sdf", "m::k", ["skipped"])]
    assert report[0].get("skipped") == "1"


def test_paths_are_those_in_the_repository(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    file = tmp_path / "a.sdf"
    file.touch()
    finding = Finding("SDI101", "m", Location(str(file), 1, 2), "m::l", f"sdfinertia fill {file}")
    text = findings_junit(FindingsReport([finding], [str(file)]))
    assert cases(parsed(text)) == [("sdfinertia.check a.sdf", "m::l", ["failure"])]
    assert str(tmp_path) not in text


@pytest.mark.parametrize(("checked", "tests"), [([], 0), (["a.sdf"], 1), (["a.sdf", "a.sdf"], 1)])
def test_a_run_without_findings_passes(checked: list[str], tests: int) -> None:
    report = parsed(findings_junit(FindingsReport([], checked)))
    assert report.get("tests") == str(tests)
    assert report.get("failures") == report.get("errors") == "0"
    assert len(list(report.iter("testcase"))) == tests


def test_any_text_survives(hostile: list[Finding]) -> None:
    report = parsed(findings_junit(FindingsReport(hostile, ["good.sdf"])))
    texts = [failure.text or "" for failure in report.iter("failure")]
    assert len(texts[0].splitlines()) == 2
    assert "\\x1b[31m\\x00" in texts[0]
    assert "<b> & \" '" in texts[0]
    assert "]]>" in texts[0]
    assert "\ufffd" in texts[0]
