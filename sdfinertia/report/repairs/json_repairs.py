"""What `repair` found and did as one JSON document: that of `fill`, with findings and causes beside each link."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from sdfinertia.documents.repairing import Repair, RepairResult
from sdfinertia.report.contents import ResultsReport
from sdfinertia.report.findings.causes import why_json
from sdfinertia.report.findings.wording import json_text
from sdfinertia.report.results.json_report import json_report


def render(report: ResultsReport) -> str:
    """The document."""
    document = json.loads(json_report(report.results, report.refused))
    for file, result in zip(document["files"], report.results, strict=True):
        repairs: Iterator[Repair] = iter(result.repairs if isinstance(result, RepairResult) else ())
        for link, repair in zip(file["links"], repairs, strict=True):
            link |= _repair_json(repair)
    return json_text(document)


def _repair_json(repair: Repair) -> dict[str, Any]:
    return {
        "repaired": repair.cause or None,
        "findings": [{"code": finding.code, "message": finding.message} for finding in repair.findings],
        "why": why_json(repair.why) if repair.why is not None else None,
    }
