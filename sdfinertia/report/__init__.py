"""Reports, and the table of their formats: a new one is a function in a module of its own, and one line here."""

from __future__ import annotations

from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, NamedTuple

from sdfinertia.errors import ConfigurationError, SdfInertiaError, unicode_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sdfinertia.comparing.comparison import Comparison
    from sdfinertia.documents.checking import NotChecked
    from sdfinertia.documents.filling import FillResult
    from sdfinertia.documents.scene import Scene
    from sdfinertia.links.study import Unjudged
    from sdfinertia.rules.rule import Finding, Rule

# Fields of `ReportFormat`.
Content = Literal["findings", "results", "repairs", "page", "comparison"]


class FindingsReport(NamedTuple):
    """Findings; `links` has the labels of the links in each file, for formats that list them all."""

    findings: Sequence[Finding]
    rules: Sequence[Rule] = ()
    checked: Sequence[str] = ()
    scenes: Sequence[Scene] = ()
    lists_all: bool = False
    unjudged: Sequence[Unjudged] = ()
    links: Mapping[str, Sequence[str]] = MappingProxyType({})
    not_checked: Sequence[NotChecked] = ()
    notes: Sequence[tuple[str, str]] = ()


class ResultsReport(NamedTuple):
    """Filled or repaired files; `find_scenes` is called by formats that draw."""

    results: Sequence[FillResult]
    refused: Sequence[SdfInertiaError]
    find_scenes: Callable[[], Sequence[Scene]]
    verb: str = "fill"


class ReportFormat(NamedTuple):
    """A format, and the function `module.function` that makes it from each content; "" where it cannot."""

    name: str
    suffix: str = ""
    is_printed: bool = False
    lists_links: bool = False
    findings: str = ""
    results: str = ""
    repairs: str = ""
    page: str = ""
    comparison: str = ""

    @property
    def shows_models(self) -> bool:
        return bool(self.page)

    def render(
        self, report: FindingsReport | ResultsReport | Sequence[Comparison] | Sequence[Scene], content: Content
    ) -> str:
        module, _, function = getattr(self, content).rpartition(".")
        if not module:
            raise ConfigurationError(f"the format {self.name} cannot carry {content}")
        text: str = getattr(import_module(f"sdfinertia.report.{module}"), function)(report)
        # Every writer can encode it.
        return unicode_text(text)


FORMATS = (
    ReportFormat("text", is_printed=True, findings="findings.findings_text", comparison="results.comparison_text"),
    ReportFormat(
        "markdown",
        ".md",
        findings="markdown.findings_markdown",
        results="markdown.results_markdown",
        repairs="markdown.results_markdown",
        comparison="markdown.comparison_markdown",
    ),
    ReportFormat(
        "json",
        ".json",
        is_printed=True,
        findings="json_records.findings_json",
        results="json_records.results_json",
        repairs="json_records.repairs_json",
        comparison="json_records.comparison_json",
    ),
    ReportFormat("github", is_printed=True, findings="services.github_commands"),
    ReportFormat("sarif", ".sarif", is_printed=True, findings="sarif.sarif_log"),
    ReportFormat("junit", ".xml", is_printed=True, lists_links=True, findings="services.junit_report"),
    ReportFormat(
        "html",
        ".html",
        findings="html_report.findings_page",
        results="html_report.results_page",
        repairs="html_report.results_page",
        page="html_report.scenes_page",
    ),
)


def format_named(name: str) -> ReportFormat:
    for form in FORMATS:
        if form.name == name:
            return form
    raise ConfigurationError(
        f"no report format is called {name!r}", remedy=f"use {_listed([form.name for form in FORMATS])}"
    )


def format_of_report(path: str, content: Content) -> ReportFormat:
    """The format of the suffix of a report; refuses one that cannot carry the content."""
    able = {form.suffix: form for form in FORMATS if form.suffix and getattr(form, content)}
    for suffix, form in able.items():
        if path.lower().endswith(suffix):
            return form
    raise ConfigurationError(f"the format of the report {path!r} is not known", remedy=f"name it {_listed(list(able))}")


def _listed(words: Sequence[str]) -> str:
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))
