"""The formats of reports: what each can carry, and what makes it. A new format is a function and one line here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from sdfinertia.errors import ConfigurationError, unicode_text
from sdfinertia.named_tuple import NamedTuple

if TYPE_CHECKING:
    from sdfinertia.documents.filling import FillResult
    from sdfinertia.documents.scene import Scene
    from sdfinertia.errors import SdfInertiaError
    from sdfinertia.rules.facts import Unjudged
    from sdfinertia.rules.rule import Finding, Rule

# What a report can be about: findings of `check` (a `FindingsReport`), results of `fill` or of `repair` (a
# `ResultsReport`), or what `show` shows (scenes). The words are fields of `ReportFormat`.
Content = Literal["findings", "results", "repairs", "page"]


class FindingsReport(NamedTuple):
    """What a report of findings is made from.

    Attributes:
        findings: in the order in which they are listed.
        rules: all there are, whether they were on or not.
        checked: every file that was looked at.
        scenes: the models in them, if the format draws them.
        content_of: the bytes of a file that was looked at, or None where there are none to be had any more.
        tells_each: whether findings that are alike are told one by one where people read them.
        unjudged: why rules could not judge some links, where that is no finding.
        links: the labels of the links in each file that was looked at, for formats that list them all.
    """

    findings: Sequence[Finding]
    rules: Sequence[Rule] = ()
    checked: Sequence[str] = ()
    scenes: Sequence[Scene] = ()
    content_of: Callable[[str], bytes | None] = lambda _: None
    tells_each: bool = False
    unjudged: Sequence[Unjudged] = ()
    links: Mapping[str, Sequence[str]] = MappingProxyType({})


class ResultsReport(NamedTuple):
    """What a report of filled or repaired files is made from.

    Attributes:
        refused: files and links that were not filled.
        find_scenes: finds the models in them; called by formats that draw them.
    """

    results: Sequence[FillResult]
    refused: Sequence[SdfInertiaError]
    find_scenes: Callable[[], Sequence[Scene]]


class ReportFormat(NamedTuple):
    """A format.

    Attributes:
        name: as `check --format` knows it.
        suffix: of files in it; "" for what is only printed.
        is_printed: whether `check --format` offers it.
        lists_links: whether a report of findings lists every link that was looked at.
        findings, results, repairs, page: the module in this room, and its function, that makes it from a
            `FindingsReport`, from a `ResultsReport` of `fill` or of `repair`, from scenes; "" where
            it cannot carry that.
    """

    name: str
    suffix: str = ""
    is_printed: bool = False
    lists_links: bool = False
    findings: str = ""
    results: str = ""
    repairs: str = ""
    page: str = ""

    @property
    def shows_models(self) -> bool:
        """Whether it draws the models."""
        return bool(self.page)

    def render(self, report: FindingsReport | ResultsReport | Sequence[Scene], content: Content) -> str:
        """The report in this format; the module that makes it is loaded here, when it is needed.

        Args:
            report: what it is made from, as `content` has it.

        Raises:
            ConfigurationError: the format cannot carry this.
        """
        module, _, function = getattr(self, content).rpartition(".")
        if not module:
            raise ConfigurationError(f"the format {self.name} cannot carry {content}")
        text: str = getattr(import_module(f"sdfinertia.report.{module}"), function)(report)
        # Whoever writes it, in whatever way, can encode it.
        return unicode_text(text)


FORMATS = (
    ReportFormat("text", is_printed=True, findings="findings.findings_text"),
    ReportFormat(
        "markdown",
        ".md",
        findings="markdown.findings_markdown",
        results="markdown.results_markdown",
        repairs="markdown.repairs_markdown",
    ),
    ReportFormat(
        "json",
        ".json",
        is_printed=True,
        findings="records.findings_json",
        results="records.results_json",
        repairs="records.repairs_json",
    ),
    ReportFormat("github", is_printed=True, findings="services.github_commands"),
    ReportFormat("sarif", ".sarif", is_printed=True, findings="services.sarif_log"),
    ReportFormat("junit", ".xml", is_printed=True, lists_links=True, findings="services.junit_report"),
    ReportFormat(
        "html",
        ".html",
        findings="pages.html_report.findings_page",
        results="pages.html_report.results_page",
        repairs="pages.html_report.results_page",
        page="pages.html_report.scenes_page",
    ),
)


def printed_formats() -> tuple[str, ...]:
    """The names of the formats that `check --format` offers."""
    return tuple(form.name for form in FORMATS if form.is_printed)


def format_named(name: str) -> ReportFormat:
    """The format of a name.

    Raises:
        ConfigurationError: there is none.
    """
    for form in FORMATS:
        if form.name == name:
            return form
    raise ConfigurationError(f"there is no format {name!r}", remedy=f"name {_listed([form.name for form in FORMATS])}")


def format_of_report(path: str, content: Content) -> ReportFormat:
    """The format that the name of a report asks for.

    Raises:
        ConfigurationError: it asks for none that can carry this; the remedy lists those that can.
    """
    able = {form.suffix: form for form in FORMATS if form.suffix and getattr(form, content)}
    for suffix, form in able.items():
        if path.lower().endswith(suffix):
            return form
    raise ConfigurationError(f"the format of the report {path!r} is not known", remedy=f"name it {_listed(list(able))}")


def _listed(words: Sequence[str]) -> str:
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))
