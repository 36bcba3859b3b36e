"""Findings as the diagnostics of an editor."""

from __future__ import annotations

import os
from pathlib import Path

from lsprotocol import types as lsp

from sdfinertia import errors
from sdfinertia.lsp.session import Version
from sdfinertia.report.findings import level_of, reason_sentence, rule_address, why_words
from sdfinertia.rules.accepted import SUPPRESSION
from sdfinertia.rules.rule import Finding

SOURCE = "sdfinertia"
_START = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))
_SEVERITIES = {"error": lsp.DiagnosticSeverity.Error, "warning": lsp.DiagnosticSeverity.Warning}


def diagnostics(version: Version) -> list[lsp.Diagnostic]:
    """The findings in a version that was checked, and why links could not be checked fully."""
    assert version.result is not None, "it was checked"
    tags: dict[int, int] = {}
    pending = list(version.roots)
    while pending:
        element = pending.pop()
        tags[element.start] = element.inner_start
        pending += element.children
    found = [_diagnostic(version, tags, each.location, _message(each), each.code) for each in version.result.findings]
    for reason in version.result.unjudged:
        found.append(_diagnostic(version, tags, reason.location, reason_sentence(reason)))
    return found


def of_error(error: errors.SdfInertiaError) -> lsp.Diagnostic:
    """Why nothing could be checked: an error in the configuration, most often."""
    message = errors.unicode_text(str(error))
    return lsp.Diagnostic(_START, message, severity=lsp.DiagnosticSeverity.Error, source=SOURCE)


def _message(finding: Finding) -> str:
    remedy = f"; {finding.remedy}" if finding.remedy else ""
    why = f"; why: {why_words(finding.why)}" if finding.why is not None else ""
    return errors.one_line(f"{finding.message}{remedy}{why}")


def _diagnostic(
    version: Version, tags: dict[int, int], location: errors.Location, message: str, code: str | None = None
) -> lsp.Diagnostic:
    """A diagnostic on the tag or comment at a location; one in another file is at the top, with a link to its place."""
    address = rule_address(code) if code is not None else None
    place, related = _START, None
    if location.file == version.path:
        start = version.text.offset_at(location)
        stop = tags.get(start, 0)
        if version.text.data.startswith(b"<!--", start):
            stop = version.text.data.find(b"-->", start) + len(b"-->")
        place = version.text.range(start, stop) if stop > start else version.text.line_range(start)
    else:
        there = lsp.Position(max(location.line - 1, 0), max(location.column - 1, 0))
        uri = Path(os.path.abspath(location.file)).as_uri()
        related = [lsp.DiagnosticRelatedInformation(lsp.Location(uri, lsp.Range(there, there)), "here")]
    return lsp.Diagnostic(
        place,
        errors.unicode_text(message),
        severity=_SEVERITIES[level_of(code)] if code is not None else lsp.DiagnosticSeverity.Information,
        code=code,
        code_description=lsp.CodeDescription(address) if address is not None else None,
        source=SOURCE,
        tags=[lsp.DiagnosticTag.Unnecessary] if code == SUPPRESSION.code else None,
        related_information=related,
    )
