"""Results as text for people and programs.

Here: the table of formats (a new one is a function in a module of its own, and one line here), and what a run prints.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import IntEnum
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, NamedTuple, TextIO, TypeAlias

from sdfinertia.errors import ConfigurationError, SdfInertiaError, WriteError, counted, printable, unicode_text
from sdfinertia.files import write_whole

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


def missing_words(scenes: Sequence[Scene]) -> str:
    reasons = [reason for scene in scenes for _, reason in scene.missing]
    number = len(set(reasons))
    often = f", {len(reasons):,} times" if len(reasons) > number else ""
    return f"{counted(number, 'model')} missing{often}" if number else ""


def _listed(words: Sequence[str]) -> str:
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))


# Standard output and standard error -----------------------------------------------------------------------------------

# Styles of lines, as terminals know them.
BOLD, DIM, ERROR = "1", "2", "31"
# From this many files on, a terminal shows how many are done, this often (s).
_PROGRESS_FROM, _REFRESH_EVERY = 4, 0.1


class ExitStatus(IntEnum):
    DONE = 0
    # There are findings, or changes to be made.
    FINDINGS = 1
    # Something was refused, or could not be judged.
    REFUSED = 2
    # The status that shells give a process stopped by Ctrl-C.
    INTERRUPTED = 130


def say(text: str, *, style: str = "") -> None:
    say_lines([text], heading_style=style)


def say_lines(lines: Iterable[str], *, heading_style: str = "") -> None:
    """Writes lines to standard error at once; those that are not indented have a style."""
    if sys.stderr is None:
        return
    encoding = sys.stderr.encoding or "utf-8"
    printed = (unicode_text(printable(line)) for line in lines)
    text = _styled(((line, heading_style if line[:1] != " " else "") for line in printed), sys.stderr)
    sys.stderr.write(text.encode(encoding, "replace").decode(encoding))


def _styled(lines: Iterable[tuple[str, str]], stream: TextIO | None) -> str:
    is_plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" or not is_terminal(stream)
    return "".join(f"\x1b[{style}m{line}\x1b[0m\n" if style and not is_plain else f"{line}\n" for line, style in lines)


def is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty()


def print_text(text: str) -> None:
    """Writes several lines to standard output; their names are printable already."""
    text = unicode_text(text)
    print_bytes((text if text.endswith("\n") else text + "\n").encode(_encoding(), "replace"))


def _encoding() -> str:
    return getattr(sys.stdout, "encoding", None) or "utf-8"


def print_line(text: str) -> None:
    print_text(printable(text))


def print_styled(lines: Iterable[tuple[str, str]]) -> None:
    text = _styled(lines, sys.stdout)
    print_text(text if _encoding().lower().startswith("utf") else text.replace("─", "-"))


def print_bytes(data: bytes) -> None:
    if sys.stdout is None:
        raise WriteError("is closed", file="standard output")
    sys.stdout.flush()
    # Without a buffer (PYTHONUNBUFFERED) a call may take only a part.
    write_whole(sys.stdout.buffer.write, data)
    sys.stdout.buffer.flush()


class Progress:
    """A line on a terminal that counts the files of a run, until it is cleared."""

    def __init__(self, total: int, *, quiet: bool, doing: str) -> None:
        is_dumb = os.environ.get("TERM") == "dumb"
        self._is_shown = total >= _PROGRESS_FROM and not quiet and is_terminal(sys.stderr) and not is_dumb
        self._doing, self._done, self._next_look = doing, 0, 0.0

    def advance(self, *, remaining: int) -> None:
        self._done += 1
        if self._is_shown and time.monotonic() >= self._next_look:
            self._next_look = time.monotonic() + _REFRESH_EVERY
            sys.stderr.write(f"\r{self._doing}: {self._done:,} of {self._done + remaining:,} files ")
            sys.stderr.flush()

    def clear(self) -> None:
        if self._is_shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
