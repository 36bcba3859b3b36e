"""The findings in a text as diagnostics."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from sdfinertia.errors import Location, SdfInertiaError, one_line, unicode_text
from sdfinertia.files.walk import repository_of
from sdfinertia.report.findings import level_of, parts_of, reason_sentence, what_to_do
from sdfinertia.rules.accepted import SUPPRESSION
from sdfinertia.rules.rule import Finding

if TYPE_CHECKING:
    from sdfinertia.documents.checking import CheckResult
    from sdfinertia.lsp.open_text import OpenText

SOURCE = "sdfinertia"
_START = types.Range(types.Position(0, 0), types.Position(0, 0))
_SEVERITIES = {"error": types.DiagnosticSeverity.Error, "warning": types.DiagnosticSeverity.Warning}
# A comment or a tag, or else the rest of a line.
_MARKUP = re.compile(rb"<!--.*?-->|<(?:[^<>\"']|\"[^\"]*\"|'[^']*')*>|[^\r\n]*", re.DOTALL)


def diagnostics_of(text: OpenText) -> list[types.Diagnostic]:
    result = text.check()
    return [
        *(_diagnostic(text, result, each.location, _message(each), each) for each in result.findings),
        *(_diagnostic(text, result, each.location, reason_sentence(each)) for each in result.unjudged),
    ]


def diagnostic_of_error(error: SdfInertiaError) -> types.Diagnostic:
    return types.Diagnostic(_START, unicode_text(str(error)), severity=types.DiagnosticSeverity.Error, source=SOURCE)


def _message(finding: Finding) -> str:
    what, why, _ = parts_of(finding)
    _, advice = what_to_do(finding)
    lines = (what, why and f"why: {why}", advice and f"fix: {one_line(advice)}")
    return "\n".join(filter(None, lines))


def _diagnostic(
    text: OpenText, result: CheckResult, location: Location, message: str, finding: Finding | None = None
) -> types.Diagnostic:
    code = finding.code if finding is not None else None
    here = location if location.file == text.path else dict(result.calls).get(location)
    related = None
    if here is not location:
        there = types.Position(max(location.line - 1, 0), max(location.column - 1, 0))
        uri = Path(os.path.abspath(location.file)).as_uri()
        related = [types.DiagnosticRelatedInformation(types.Location(uri, types.Range(there, there)), "here")]
    directory = os.path.dirname(os.path.abspath(text.path))
    message = message.replace(os.path.join(repository_of(directory) or directory, ""), "")
    return types.Diagnostic(
        _range_at(text, here) if here is not None else _START,
        unicode_text(message),
        severity=_SEVERITIES[level_of(code)] if code is not None else types.DiagnosticSeverity.Information,
        code=code,
        source=SOURCE,
        tags=[types.DiagnosticTag.Unnecessary] if code == SUPPRESSION.code else None,
        related_information=related,
        data=parts_of(finding)._asdict() if finding is not None else None,
    )


def _range_at(text: OpenText, location: Location) -> types.Range:
    start = text.text.offset_at(location)
    markup = _MARKUP.match(text.text.data, start)
    return text.text.range(start, markup.end() if markup is not None else start)
