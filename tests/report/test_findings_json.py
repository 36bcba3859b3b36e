from __future__ import annotations

import json
from typing import TYPE_CHECKING

import sdfinertia
from sdfinertia.report import FindingsReport
from sdfinertia.report.json_records import FORMAT_VERSION, findings_json

if TYPE_CHECKING:
    from sdfinertia.rules.rule import Finding


def test_the_document_has_every_fact_also_of_a_run_without_findings(findings, checked):
    document = json.loads(findings_json(FindingsReport(findings, checked)))
    assert document["findings"].pop(0) == {
        "code": "SDI101",
        "name": "mass-not-positive",
        "level": "error",
        "file": "arm/model.sdf",
        "line": 12,
        "column": 7,
        "link": "arm::hand",
        "message": "mass is -1 kg",
        "remedy": "give the mass in kg",
        "text": {"what": "mass is -1 kg", "why": "", "fix": "give the mass in kg"},
        "fix": "none",
        "rank": 100.0,
        "effect": None,
        "minor": False,
        "also": [],
        "also_in": [],
    }
    assert [finding["code"] for finding in document.pop("findings")] == ["SDI302", "SDI900"]
    assert document == {
        "format": FORMAT_VERSION,
        "tool": f"sdfinertia {sdfinertia.__version__}",
        "checked": checked,
        "counts": {"findings": 3, "errors": 2, "warnings": 1, "minor": 0},
        "not_judged": [],
        "notes": [],
        "not_checked": [],
    }
    document = json.loads(findings_json(FindingsReport([], ["a.sdf"])))
    assert document["findings"] == []
    assert document["counts"] == {"findings": 0, "errors": 0, "warnings": 0, "minor": 0}


def test_any_text_survives(hostile: list[Finding]) -> None:
    text = findings_json(FindingsReport(hostile[1:], [hostile[0].location.file]))
    document = json.loads(text.encode("utf-8"))
    assert "\x1b[31m" in document["checked"][0]
    assert document["findings"][0]["remedy"] == "sdfinertia fill 'a|b``c'"
    assert document["findings"][1]["name"] == "inertia-beyond-shape"
