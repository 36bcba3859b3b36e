"""Reports, and the table of their formats: a new one is a function in a module of its own, and one line here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from sdfinertia.errors import ConfigurationError, SdfInertiaError, unicode_text

if TYPE_CHECKING:
    from sdfinertia.comparing.comparison import Comparison
    from sdfinertia.documents.checking import NotChecked
    from sdfinertia.documents.filling import FillResult
    from sdfinertia.documents.scene import Scene
    from sdfinertia.links import Unjudged
    from sdfinertia.rules.rule import Finding

Content = Literal["findings", "results", "page", "comparison"]


class FindingsReport(NamedTuple):
    """Findings; `links` has the labels of the links in each file, for formats that list them all."""

    findings: Sequence[Finding]
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


Report: TypeAlias = "FindingsReport | ResultsReport | Sequence[Comparison] | Sequence[Scene]"


class ReportFormat(NamedTuple):
    """A format, and the module that makes it from each content, by functions such as `findings_json`."""

    name: str
    suffix: str
    module: str
    contents: tuple[Content, ...]
    lists_links: bool = False

    @property
    def shows_models(self) -> bool:
        return "page" in self.contents

    def render(self, report: Report, content: Content) -> str:
        if content not in self.contents:
            raise ConfigurationError(f"the format {self.name} cannot carry {content}")
        made = getattr(import_module(f"sdfinertia.report.{self.module}"), f"{content}_{self.name}")
        # Every writer can encode it.
        return unicode_text(made(report))


FORMATS = (
    ReportFormat("text", "", "text", ("findings", "comparison")),
    ReportFormat("markdown", ".md", "markdown", ("findings", "results", "comparison")),
    ReportFormat("json", ".json", "json_records", ("findings", "results", "comparison")),
    ReportFormat("github", "", "services", ("findings",)),
    ReportFormat("sarif", ".sarif", "sarif", ("findings",)),
    ReportFormat("junit", ".xml", "services", ("findings",), lists_links=True),
    ReportFormat("html", ".html", "html_report", ("findings", "results", "page")),
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
    able = {form.suffix: form for form in FORMATS if form.suffix and content in form.contents}
    for suffix, form in able.items():
        if path.lower().endswith(suffix):
            return form
    raise ConfigurationError(f"the format of the report {path!r} is not known", remedy=f"name it {_listed(list(able))}")


def _listed(words: Sequence[str]) -> str:
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))
