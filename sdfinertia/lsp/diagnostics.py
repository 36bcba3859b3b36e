"""Findings as the diagnostics of an editor."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from lsprotocol.types import (
    CodeDescription,
    Diagnostic,
    DiagnosticRelatedInformation,
    DiagnosticSeverity,
    DiagnosticTag,
    Location,
    Position,
    Range,
)

from sdfinertia import errors
from sdfinertia.lsp.session import Version
from sdfinertia.markup.document import Element
from sdfinertia.report.findings import level_of, reason_sentence, rule_address, why_words
from sdfinertia.rules.accepted import SUPPRESSION
from sdfinertia.rules.facts import Unjudged
from sdfinertia.rules.rule import Finding

SOURCE = "sdfinertia"
_START = Range(Position(0, 0), Position(0, 0))
_SEVERITY = {"error": DiagnosticSeverity.Error, "warning": DiagnosticSeverity.Warning}


def diagnostics(version: Version) -> list[Diagnostic]:
    """What was found in a version, and why links could not be judged where that is no finding."""
    assert version.result is not None, "it was checked"
    places = _Places(version)
    return [
        *(_of_finding(finding, places) for finding in version.result.findings),
        *(_of_reason(reason, places) for reason in version.result.unjudged),
    ]


def of_error(error: errors.SdfInertiaError) -> Diagnostic:
    """Why nothing could be looked at: a mistake in the configuration, most often."""
    return Diagnostic(_START, errors.unicode_text(str(error)), severity=DiagnosticSeverity.Error, source=SOURCE)


def _of_finding(finding: Finding, places: _Places) -> Diagnostic:
    address = rule_address(finding.code)
    remedy = f"; {finding.remedy}" if finding.remedy else ""
    why = f"; why: {why_words(finding.why)}" if finding.why is not None else ""
    return Diagnostic(
        places.range(finding.location),
        errors.unicode_text(errors.one_line(f"{finding.message}{remedy}{why}")),
        severity=_SEVERITY[level_of(finding.code)],
        code=finding.code,
        code_description=CodeDescription(address) if address is not None else None,
        source=SOURCE,
        tags=[DiagnosticTag.Unnecessary] if finding.code == SUPPRESSION.code else None,
        related_information=places.elsewhere(finding.location),
    )


def _of_reason(reason: Unjudged, places: _Places) -> Diagnostic:
    return Diagnostic(
        places.range(reason.location),
        errors.unicode_text(reason_sentence(reason)),
        severity=DiagnosticSeverity.Information,
        source=SOURCE,
        related_information=places.elsewhere(reason.location),
    )


class _Places:
    """Where in a version findings stand: on the tags, or the comments, that begin there."""

    def __init__(self, version: Version) -> None:
        self._version = version
        self._tags = {element.start: element.inner_start for root in version.roots for element in _all_in(root)}

    def range(self, location: errors.Location) -> Range:
        if location.file != self._version.path:
            return _START
        text = self._version.text
        start = text.offset_at(location)
        stop = self._tags.get(start)
        if stop is None and text.data.startswith(b"<!--", start):
            stop = text.data.find(b"-->", start) + len("-->")
        return text.range(start, stop) if stop is not None and stop > start else text.line_range(start)

    def elsewhere(self, location: errors.Location) -> list[DiagnosticRelatedInformation] | None:
        """The place of what is found in another file."""
        if location.file == self._version.path:
            return None
        place = Position(max(location.line - 1, 0), max(location.column - 1, 0))
        uri = Path(os.path.abspath(location.file)).as_uri()
        return [DiagnosticRelatedInformation(Location(uri, Range(place, place)), "here")]


def _all_in(root: Element) -> Iterator[Element]:
    pending = [root]
    while pending:
        element = pending.pop()
        yield element
        pending += element.children
