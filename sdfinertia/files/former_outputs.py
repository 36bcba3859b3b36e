"""Whether an existing file is an earlier output, and may be replaced."""

from __future__ import annotations

import os
import re
from typing import Any

_BEFORE_THE_ROOT = ((b"<?", b"?>"), (b"<!--", b"-->"))
_ROOT = rb"<(?:sdf|robot)(?=[\s/>])"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
# Bytes that may precede the root of a document.
_HEAD = 1 << 20


MJCF_ROOT = rb"<mujoco(?=[\s/>])"
MJCF_PART = rb"<mujocoinclude(?=[\s/>])"


def is_document(head: bytes, root: bytes = _ROOT) -> bool:
    """Whether the first element of a file is the root of SDF or URDF, or one that matches a pattern."""
    head = head[:_HEAD]
    # In UTF-16 every other byte of the names is zero.
    head = head.replace(b"\0", b"").removeprefix(_BYTE_ORDER_MARK).lstrip(b"\xff\xfe")
    at = 0
    while True:
        while head[at : at + 1].isspace():
            at += 1
        closing = next((closing for opening, closing in _BEFORE_THE_ROOT if head.startswith(opening, at)), None)
        if closing is None:
            return re.compile(root).match(head, at) is not None
        end = head.find(closing, at)
        if end < 0:
            return False
        at = end + len(closing)


def is_report(path: str, content: bytes) -> bool:
    """Whether all of a file is an earlier report in the format of its name."""
    match os.path.splitext(path)[1].lower():
        case ".md":
            return re.match(_MARKDOWN, content) is not None
        case ".json":
            return _is_json_report(json_object(content))
        case ".sarif":
            return _is_sarif_log(json_object(content))
        case ".xml":
            return _is_junit_report(content)
        case ".html":
            return re.match(_PAGE, content) is not None and content.find(b"</html>") == len(content) - len(b"</html>\n")
        case _:
            return False


def json_object(content: bytes) -> dict[str, Any]:
    # Loaded only for reports.
    import json

    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        return {}
    return document if isinstance(document, dict) else {}


# Lines of each kind that a report has. Names start none of them.
_LINES_OF_TABLES = rb"### sdfinertia (?:fill|check|compare): [^\n]*\n(?:(?:\||\* )[^\n]*\n|\n)*"
_LINES_OF_REPAIR = (
    rb"<!-- sdfinertia repair -->\n# [^\n]*\n(?:\n|(?:\||\* |## `|Less likely: "
    rb"|\*\*(?:Cause|Proposed|Likely, and not in the patch|Nothing is proposed)\*\*: )[^\n]*\n"
    rb"|## Patch\n\n`git apply` takes it\.\n\n(?P<fence>`{3,})diff\n(?:[-+ @\\][^\n]*\n)*(?P=fence)\n)*"
)
_MARKDOWN = rb"(?:" + _LINES_OF_TABLES + rb"|" + _LINES_OF_REPAIR + rb")\Z"
_PAGE = (
    rb'<!DOCTYPE html>\n<html lang="en">\n<head>\n(?:<meta [^\n]*\n)*'
    rb'<meta name="generator" content="sdfinertia [^\n]*\n'
)
_SUITES = (
    rb'<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites name="sdfinertia check"[^<>]*>\s*'
    rb'<testsuite name="sdfinertia check"[^<>]*>'
)
_CASE, _OUR_CASE = b"<testcase ", b'<testcase classname="sdfinertia.check'
# The placeholder that ament's `run_test.py` writes before a test runs.
_MISSING_RESULT = (
    rb'<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuite name="[^"<>]*" tests="1"[^<>]*>\n'
    rb'  <testcase classname="[^"<>]*" name="[^"<>]*\.missing_result"[^<>]*>\n'
    rb' *<(?:error|failure) message="The test did not generate a result file\."/>\n  </testcase>\n</testsuite>\n\Z'
)
_FINDINGS = {"format", "tool", "checked", "counts", "findings"}
# With those of earlier formats.
_KEYS = (
    *(_FINDINGS, {*_FINDINGS, "unjudged"}, {*_FINDINGS, "not_judged"}, {*_FINDINGS, "not_judged", "notes"}),
    {*_FINDINGS, "not_judged", "notes", "not_checked"},
    {"format", "tool", "files", "refused"},
    {"format", "tool", "files", "counts", "links", "totals", "notes"},
    {"format", "tool", "comparisons"},
)


def _is_json_report(document: dict[str, Any]) -> bool:
    return document.keys() in _KEYS and str(document["tool"]).startswith("sdfinertia ")


def _is_sarif_log(log: dict[str, Any]) -> bool:
    """Whether every driver is this program, without extensions, which are other tools."""
    runs = log.get("runs")
    tools = [run.get("tool") if isinstance(run, dict) else None for run in runs] if isinstance(runs, list) else []
    drivers = [tool.get("driver") if isinstance(tool, dict) and tool.keys() == {"driver"} else None for tool in tools]
    return bool(drivers) and all(isinstance(driver, dict) and driver.get("name") == "sdfinertia" for driver in drivers)


def _is_junit_report(content: bytes) -> bool:
    if re.match(_MISSING_RESULT, content) is not None:
        return True
    return (
        re.match(_SUITES, content) is not None
        and content.count(b"<testsuite ") == 1
        and content.count(_CASE) == content.count(_OUR_CASE)
        and content.find(b"</testsuites>") == len(content) - len(b"</testsuites>\n")
    )
