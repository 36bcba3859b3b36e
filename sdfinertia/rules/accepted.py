"""Findings that do not count: known ones in a baseline, and suppressed ones; SDI801 judges comments that suppress.

<!-- sdfinertia: ignore SDI301, stale-block because of the test bench -->
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import takewhile
from typing import Any, NamedTuple

from sdfinertia.errors import ConfigurationError, Location
from sdfinertia.files import is_inside, read_regular_file
from sdfinertia.options import instead_of
from sdfinertia.robot import LinkKey
from sdfinertia.robot.problems import Problem
from sdfinertia.rules.rule import Finding, declared

_FORMAT = 1
# Some 500,000 findings.
_MAX_BYTES = 1 << 26


class Entry(NamedTuple):
    """A known finding, independent of line numbers.

    Attributes:
        path: relative to the baseline's directory, with forward slashes.
        number: of the link among those of that name; absent in the file where it is 1.
    """

    path: str
    link: str
    code: str
    number: int = 1

    @property
    def key(self) -> LinkKey:
        return LinkKey(self.path, self.link, self.number)


class Baseline:
    """Known findings, and which of them were found again; paths outside `confine` are not checked."""

    def __init__(self, path: str, entries: Iterable[Entry] = (), confine: str | None = None) -> None:
        self._confine = confine
        self._directory = os.path.dirname(os.path.abspath(path))
        self._entries = frozenset(entries)
        self._met: set[Entry] = set()

    def hides(self, finding: Finding) -> bool:
        entries = self.entries_of(finding)
        self._met |= self._entries.intersection(entries)
        return self._entries.issuperset(entries)

    def stale_entries(self, is_looked_for: Callable[[Entry], bool]) -> list[Entry]:
        return sorted(
            entry
            for entry in self._entries - self._met
            if is_looked_for(entry) or self._is_gone(os.path.join(self._directory, entry.path))
        )

    def _is_gone(self, path: str) -> bool:
        return (self._confine is None or is_inside(path, self._confine)) and not os.path.lexists(path)

    def entries_of(self, finding: Finding) -> list[Entry]:
        path = self.path_of(finding.location.file)
        return [Entry(path, finding.link, code, finding.number) for code in finding.codes]

    def path_of(self, file: str) -> str:
        return os.path.relpath(os.path.abspath(file), self._directory).replace(os.sep, "/")


def read_baseline(path: str, confine: str | None = None) -> Baseline:
    remedy = "write it again with --write-baseline"
    content = read_regular_file(path, _MAX_BYTES, remedy, confine=confine)
    try:
        document: Any = json.loads(content)
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict) or "format" not in document:
        raise ConfigurationError("is not a baseline", file=path, remedy=remedy)
    if type(document["format"]) is not int or document["format"] != _FORMAT:
        raise ConfigurationError(f"is not a baseline of format {_FORMAT}", file=path, remedy=remedy)
    items = document.get("findings")
    if not isinstance(items, list) or not all(map(_is_entry, items)):
        raise ConfigurationError("is a damaged baseline", file=path, remedy=remedy)
    entries = (Entry(item["path"], item["link"], item["code"], item.get("number", 1)) for item in items)
    return Baseline(path, entries, confine)


def _is_entry(item: Any) -> bool:
    is_numbered = isinstance(item, dict) and type(item.get("number", 1)) is int
    return is_numbered and all(isinstance(item.get(name), str) for name in ("path", "link", "code"))


def baseline_text(path: str, findings: Iterable[Finding]) -> str:
    baseline = Baseline(path)
    entries = sorted({entry for finding in findings for entry in baseline.entries_of(finding)})
    # Unique names without a number, as in earlier versions.
    items = [
        {name: value for name, value in entry._asdict().items() if (name, value) != ("number", 1)} for entry in entries
    ]
    return json.dumps({"format": _FORMAT, "findings": items}, indent=1, ensure_ascii=True) + "\n"


# Comments that suppress ---------------------------------------------------------------------------------------------

# Splitting takes time in proportion to the comment, however long and odd; one expression for the whole would not.
_BEGINNING = re.compile(r"\s*sdfinertia:\s*ignore(?!\S)")
_BETWEEN = re.compile(r"[\s,]+")
_REASON = "because"
_UNKNOWN_REMEDY = "`sdfinertia rules` lists them, and a reason begins with the word because"

SUPPRESSION = declared(
    "SDI801",
    "unused-suppression",
    what="A suppression names an unknown rule, or suppresses nothing.",
    why="Readers believe that a finding is known and accepted, and a later one would go unnoticed.",
    example="<!-- sdfinertia: ignore SDI103 --> in a link with a valid tensor",
    fix="Remove the code from the comment, or correct it.",
)


class Suppression(NamedTuple):
    words: tuple[str, ...]
    location: Location


def read_suppression(comment: str) -> tuple[str, ...] | None:
    """The words that a comment suppresses, each once; None if it suppresses nothing."""
    beginning = _BEGINNING.match(comment) if "sdfinertia:" in comment else None
    if beginning is None:
        return None
    words = (word for word in _BETWEEN.split(comment[beginning.end() :]) if word)
    return tuple(dict.fromkeys(takewhile(_REASON.__ne__, words)))


def suppressed_codes(suppressions: Iterable[Suppression], code_of: Callable[[str], str | None]) -> frozenset[str]:
    codes = (code_of(word) for suppression in suppressions for word in suppression.words)
    return frozenset(code for code in codes if code is not None)


def idle_suppressions(
    suppressions: Sequence[Suppression], code_of: Callable[[str], str | None], is_idle: Callable[[str], bool]
) -> Iterator[Problem]:
    for words, location in suppressions:
        if not words:
            remedy = "name the rule that is meant, or remove the comment"
            yield Problem("suppresses nothing: it names no rule", remedy, location)
        for word in words:
            code = code_of(word)
            if code is None:
                remedy = instead_of(word) or _UNKNOWN_REMEDY
                yield Problem(f"suppresses {word!r}, and no rule has that name", remedy, location)
            elif is_idle(code):
                yield Problem(f"suppresses {word}, which finds nothing here", "remove the comment", location)
