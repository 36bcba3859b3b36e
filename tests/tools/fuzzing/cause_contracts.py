"""Contracts of `check --why` and `repair` for any bytes."""

from math import isfinite
from typing import Any

from fuzzing.document_contracts import OPTIONS, PLACE, edits_are_of_blocks, outside_of_blocks
from fuzzing.messages import require_message
from sdfinertia.documents.checking import CheckResult, check_document
from sdfinertia.documents.opened import open_document
from sdfinertia.documents.repairing import BY, repair
from sdfinertia.errors import SdfInertiaError
from sdfinertia.report.causes import why_words
from sdfinertia.report.json_records import why_record

_ASKED = OPTIONS[0].replaced({"select": ("SDI",), "why": True})
_REPAIRED = OPTIONS[0].replaced({"keep_going": True})


def explaining_holds(data: bytes) -> None:
    """Each finding in numbers has causes, or one sentence that says why it has none; certain proposals are valid."""
    try:
        document = open_document(data, _ASKED, filename=PLACE)
    except SdfInertiaError as error:
        require_message(error, with_place=True)
        return
    _are_told(check_document(document))


def repairing_holds(data: bytes) -> None:
    """A document is repaired and nothing else in it touched, or refused; a second repair changes nothing."""
    by, document = BY[data[0] % len(BY) if data else 0], data[1:]
    try:
        result = repair(document, _REPAIRED, by=by, filename=PLACE)
    except SdfInertiaError as error:
        require_message(error, with_place=True)
        return
    for link in result.links:
        assert link.line > 0
        if link.error is not None:
            require_message(link.error, with_place=True)
    assert outside_of_blocks(result.content) == outside_of_blocks(document), "bytes outside of blocks changed"
    edits_are_of_blocks(result)
    if result.changed:
        again = repair(result.content, _REPAIRED, by=by, filename=PLACE)
        assert again.content == result.content, "the second run changes the file"


def xacro_holds(data: bytes) -> None:
    """A xacro file is judged at lines that it has, or refused."""
    place = f"{PLACE}.xacro"
    try:
        document = open_document(data, _ASKED, filename=place)
    except SdfInertiaError as error:
        require_message(error, with_place=True)
        return
    result = check_document(document)
    lines = len(data.splitlines()) + 1
    assert all(finding.location.line <= lines for finding in result.findings if finding.location.file == place)
    _are_told(result)


def _are_told(result: CheckResult) -> None:
    for finding in result.findings:
        assert finding.message
        assert finding.location.line > 0
        if finding.why is None:
            continue
        words = why_words(finding.why)
        assert words
        assert "\n" not in words
        _require_finite(why_record(finding.why))
        for each in finding.why.explanations:
            assert 0.0 <= each.share <= 1.0
            if each.is_certain and each.proposal is not None:
                assert each.proposal.inertia.is_physically_valid(rtol=1e-3), "what is certain is no body"


def _require_finite(value: Any) -> None:
    """Whether JSON can carry all of a value."""
    if isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            _require_finite(each)
    elif isinstance(value, float):
        assert isfinite(value)
    elif isinstance(value, str):
        value.encode()
