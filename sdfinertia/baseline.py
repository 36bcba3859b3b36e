"""Baselines: findings of an old repository that are known, so that only new ones count."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from typing import NamedTuple

from sdfinertia.errors import ConfigurationError
from sdfinertia.regular_file import read_regular_file
from sdfinertia.rules.rule import Finding

_FORMAT = 1


class Entry(NamedTuple):
    """A known finding, by what stays the same when unrelated lines change.

    Attributes:
        path: relative to the baseline's directory, with forward slashes.
        link: scoped name.
    """

    path: str
    link: str
    code: str


class Baseline:
    """Known findings, and which of them were met again.

    Args:
        path: of the baseline file; paths in it are relative to its directory.
        entries: what it holds.
    """

    def __init__(self, path: str, entries: Iterable[Entry] = ()) -> None:
        self._directory = os.path.dirname(os.path.abspath(path))
        self._entries = frozenset(entries)
        self._met: set[Entry] = set()

    def hides(self, finding: Finding) -> bool:
        """Whether a finding is known."""
        entry = self.entry_of(finding)
        if entry not in self._entries:
            return False
        self._met.add(entry)
        return True

    def stale_entries(self) -> list[Entry]:
        """Known findings that were not met again."""
        return sorted(self._entries - self._met)

    def entry_of(self, finding: Finding) -> Entry:
        """What a finding is known by."""
        path = os.path.relpath(os.path.abspath(finding.location.file), self._directory)
        return Entry(path.replace(os.sep, "/"), finding.link, finding.code)


def read_baseline(path: str) -> Baseline:
    """The baseline in a file.

    Raises:
        ResourceError: it cannot be read.
        ConfigurationError: it is no baseline.
    """
    content = read_regular_file(path)
    try:
        document = json.loads(content)
        entries = [Entry(str(item["path"]), str(item["link"]), str(item["code"])) for item in document["findings"]]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise ConfigurationError("is no baseline", file=path, remedy="write it anew with --write-baseline") from None
    return Baseline(path, entries)


def baseline_text(path: str, findings: Iterable[Finding]) -> str:
    """The content of a baseline file that knows the findings; the same findings give the same text."""
    baseline = Baseline(path)
    entries = sorted({baseline.entry_of(finding) for finding in findings})
    items = [entry._asdict() for entry in entries]
    return json.dumps({"format": _FORMAT, "findings": items}, indent=1, ensure_ascii=True) + "\n"
