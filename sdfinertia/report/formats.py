"""The formats of reports: what each can carry, and where it is made. A new format is a module and one line here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from sdfinertia.errors import ConfigurationError, unicode_text
from sdfinertia.named_tuple import NamedTuple

if TYPE_CHECKING:
    from sdfinertia.documents.scene import Scene
    from sdfinertia.report.contents import FindingsReport, ResultsReport

# What a report can be about: findings of `check` (a `FindingsReport`), results of `fill` or of `repair` (a
# `ResultsReport`), or what `show` shows (scenes). The words are fields of `ReportFormat`.
Content = Literal["findings", "results", "repairs", "page"]


class ReportFormat(NamedTuple):
    """A format; nothing has a default, so that a line that leaves something out does not load.

    Attributes:
        name: as `check --format` knows it.
        suffix: of files in it; None for what is only printed.
        is_printed: whether `check --format` offers it.
        findings, results, repairs, page: the module below this room whose `render` makes it from a `FindingsReport`,
            from a `ResultsReport` of `fill` or of `repair`, from scenes; None where the format cannot carry that.
    """

    name: str
    suffix: str | None
    is_printed: bool
    findings: str | None
    results: str | None
    repairs: str | None
    page: str | None

    @property
    def shows_models(self) -> bool:
        """Whether it draws the models."""
        return self.page is not None

    def render(self, report: FindingsReport | ResultsReport | Sequence[Scene], content: Content) -> str:
        """The report in this format; the module that makes it is loaded here, when it is needed.

        Args:
            report: what it is made from, as `content` has it.

        Raises:
            ConfigurationError: the format cannot carry this.
        """
        module: str | None = getattr(self, content)
        if module is None:
            raise ConfigurationError(f"the format {self.name} cannot carry {content}")
        from importlib import import_module

        text: str = import_module(f"sdfinertia.report.{module}").render(report)
        # Whoever writes it, in whatever way, can encode it.
        return unicode_text(text)


FORMATS = (
    ReportFormat("text", None, True, findings="findings.text_findings", results=None, repairs=None, page=None),
    ReportFormat(
        "markdown",
        ".md",
        False,
        findings="findings.markdown_findings",
        results="results.markdown_report",
        repairs="repairs.bug_report",
        page=None,
    ),
    ReportFormat(
        "json",
        ".json",
        True,
        findings="findings.json_findings",
        results="results.json_report",
        repairs="repairs.json_repairs",
        page=None,
    ),
    ReportFormat("github", None, True, findings="findings.github_findings", results=None, repairs=None, page=None),
    ReportFormat("sarif", ".sarif", True, findings="findings.sarif_findings", results=None, repairs=None, page=None),
    ReportFormat("junit", ".xml", True, findings="findings.junit_findings", results=None, repairs=None, page=None),
    ReportFormat(
        "html",
        ".html",
        False,
        findings="findings.html_findings",
        results="pages.results_html",
        repairs="pages.results_html",
        page="pages.scenes_html",
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
    able = {form.suffix: form for form in FORMATS if form.suffix is not None and getattr(form, content)}
    for suffix, form in able.items():
        if path.lower().endswith(suffix):
            return form
    raise ConfigurationError(f"the format of the report {path!r} is not known", remedy=f"name it {_listed(list(able))}")


def _listed(words: Sequence[str]) -> str:
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))
