"""Baselines: findings of an old repository that are known, so that only new ones count."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from typing import Any

from sdfinertia.errors import ConfigurationError
from sdfinertia.files.former_outputs import json_object
from sdfinertia.files.regular_file import read_regular_file
from sdfinertia.named_tuple import NamedTuple
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

    def stale_entries(self, is_looked_for: Callable[[Entry], bool]) -> list[Entry]:
        """Known findings that were not met again, although they were looked for or their file is no more.

        Args:
            is_looked_for: whether the run would have met a finding, had it still been there.
        """
        return sorted(
            entry
            for entry in self._entries - self._met
            if is_looked_for(entry) or not os.path.lexists(os.path.join(self._directory, entry.path))
        )

    def entry_of(self, finding: Finding) -> Entry:
        """What a finding is known by."""
        return Entry(self.path_of(finding.location.file), finding.link, finding.code)

    def path_of(self, file: str) -> str:
        """How entries name a file."""
        return os.path.relpath(os.path.abspath(file), self._directory).replace(os.sep, "/")


def read_baseline(path: str) -> Baseline:
    """The baseline in a file.

    Raises:
        ResourceError: it cannot be read.
        ConfigurationError: it is no baseline.
    """
    content = read_regular_file(path)
    remedy = "write it anew with --write-baseline"
    document = json_object(content)
    if "format" not in document:
        raise ConfigurationError("is no baseline", file=path, remedy=remedy)
    if type(document["format"]) is not int or document["format"] != _FORMAT:
        raise ConfigurationError(f"is no baseline of format {_FORMAT}", file=path, remedy=remedy)
    items = document.get("findings")
    if not isinstance(items, list) or not all(map(_is_entry, items)):
        raise ConfigurationError("is a damaged baseline", file=path, remedy=remedy)
    return Baseline(path, (Entry(**{name: item[name] for name in Entry._fields}) for item in items))


def is_baseline(content: bytes) -> bool:
    """Whether a file is a baseline of whatever format, all of it."""
    document = json_object(content)
    items = document.get("findings")
    return (
        document.keys() == {"format", "findings"}
        and type(document["format"]) is int
        and isinstance(items, list)
        and all(_is_entry(item) and len(item) == len(Entry._fields) for item in items)
    )


def _is_entry(item: Any) -> bool:
    return isinstance(item, dict) and all(isinstance(item.get(name), str) for name in Entry._fields)


def baseline_text(path: str, findings: Iterable[Finding]) -> str:
    """The content of a baseline file that knows the findings; the same findings give the same text."""
    baseline = Baseline(path)
    entries = sorted({baseline.entry_of(finding) for finding in findings})
    items = [entry._asdict() for entry in entries]
    return json.dumps({"format": _FORMAT, "findings": items}, indent=1, ensure_ascii=True) + "\n"
