from __future__ import annotations

from typing import Any

import pytest

from sdfinertia.cli import CHECK_FORMATS, COMPARISON_FORMATS
from sdfinertia.errors import ConfigurationError, Location
from sdfinertia.report import (
    FORMATS,
    Content,
    FindingsReport,
    ReportFormat,
    ResultsReport,
    format_named,
    format_of_report,
)
from sdfinertia.rules.rule import Finding

CARRIED = [(form, content) for form in FORMATS for content in form.contents]
EMPTY: dict[Content, Any] = {
    "findings": FindingsReport([], ["a.sdf"]),
    "results": ResultsReport([], [], list),
    "page": [],
    "comparison": [],
}


@pytest.mark.parametrize(("form", "content"), CARRIED, ids=lambda value: getattr(value, "name", value))
def test_every_format_makes_what_it_says_it_carries(form: ReportFormat, content: Content) -> None:
    assert isinstance(form.render(EMPTY[content], content), str)


def test_a_report_can_be_encoded_whatever_its_names_are() -> None:
    (text,) = (form for form in FORMATS if form.name == "text")
    finding = Finding("SDI101", "of a name that is no text: \udcff", Location("m\udcff.sdf", 1, 1))
    assert text.render(FindingsReport([finding]), "findings").encode("utf-8")


def test_the_formats_that_are_printed_are_those_promised() -> None:
    assert all("findings" in format_named(name).contents for name in CHECK_FORMATS)
    assert all("comparison" in format_named(name).contents for name in COMPARISON_FORMATS)


@pytest.mark.parametrize(
    ("content", "known"),
    [
        ("findings", ".md, .json, .sarif, .xml or .html"),
        ("results", ".md, .json or .html"),
        ("page", ".html"),
        ("comparison", ".md or .json"),
    ],
)
@pytest.mark.parametrize("path", ["report", "report.pdf", "report.txt", "html"])
def test_an_unknown_suffix_is_refused_with_those_that_the_command_can_write(path, content, known):
    with pytest.raises(ConfigurationError) as caught:
        format_of_report(path, content)
    assert str(caught.value) == f"the format of the report {path!r} is not known; name it {known}"


def test_what_a_format_cannot_carry_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="sarif"):
        format_of_report("a.sarif", "results")
    with pytest.raises(ConfigurationError, match="sarif cannot carry results"):
        format_named("sarif").render(EMPTY["results"], "results")
    with pytest.raises(ConfigurationError, match="no report format is called 'yaml'"):
        format_named("yaml")


def test_the_formats_of_findings_tell_them(findings: list[Finding], checked: list[str]) -> None:
    report = FindingsReport(findings, checked)
    for form in FORMATS:
        assert "SDI302" in form.render(report, "findings")
