from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import sdfinertia
from sdfinertia.errors import Location
from sdfinertia.report import FindingsReport, sarif
from sdfinertia.report.sarif import artifact_uri, findings_sarif
from sdfinertia.rules import RULES
from sdfinertia.rules.rule import Finding, Rule

SCHEMA = json.loads((Path(__file__).parents[1] / "schemas" / "sarif-schema-2.1.0.json").read_text(encoding="utf-8"))
# RFC 3986: what a relative reference without a query may consist of, and a file URI.
URI_REFERENCE = re.compile(r"(file://)?(?:[A-Za-z0-9._~!$&'()*+;=@/-]|%[0-9A-F]{2})+")


def valid_run(text: str) -> dict[str, Any]:
    log = json.loads(text.encode("utf-8"))
    jsonschema.Draft4Validator(SCHEMA).validate(log)
    assert log["$schema"] == SCHEMA["id"]
    (run,) = log["runs"]
    assert isinstance(run, dict)
    for result in run["results"]:
        if "ruleIndex" in result:
            assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
    return run


def result_of(finding: Finding) -> dict[str, Any]:
    (result,) = valid_run(findings_sarif(FindingsReport([finding], [finding.location.file])))["results"]
    assert isinstance(result, dict)
    return result


def test_a_finding_is_a_result_with_rule_place_and_link(findings, checked):
    results = valid_run(findings_sarif(FindingsReport(findings, checked)))["results"]
    assert [result["ruleId"] for result in results] == ["SDI101", "SDI302", "SDI900"]
    assert [result["level"] for result in results] == ["error", "warning", "error"]
    fingerprint = results[0].pop("partialFingerprints")
    assert list(fingerprint) == ["sdfinertiaFinding/v1"]
    assert results[0] == {
        "ruleId": "SDI101",
        "ruleIndex": [rule.code for rule in RULES].index("SDI101"),
        "level": "error",
        "message": {"text": "link 'arm::hand': mass is -1 kg; give the mass in kg"},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": "arm/model.sdf"},
                    "region": {"startLine": 12, "startColumn": 7},
                },
                "logicalLocations": [{"name": "hand", "fullyQualifiedName": "arm::hand", "kind": "element"}],
            }
        ],
        "rank": 100.0,
        "properties": {
            "text": {"what": "mass is -1 kg", "why": "", "fix": "give the mass in kg"},
            "fix": "none",
        },
    }
    assert "logicalLocations" not in results[2]["locations"][0]


def test_the_rules_carry_their_documentation(rules: list[Rule], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sarif, "RULES", rules)
    driver = valid_run(findings_sarif(FindingsReport([])))["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("sdfinertia", sdfinertia.__version__)
    assert driver["rules"][0] == {
        "id": "SDI101",
        "name": "MassNotPositive",
        "shortDescription": {"text": "The mass is zero, negative or not a number."},
        "fullDescription": {"text": "The mass is zero, negative or not a number. No body has such a mass."},
        "help": {
            "text": (
                "SDI101 mass-not-positive\n\n"
                "What it finds: The mass is zero, negative or not a number.\n\n"
                "Why it matters: No body has such a mass.\n\n"
                "Example:\n<inertial>\n  <mass>-1</mass>\n</inertial>\n\n"
                "What to do: Give the mass in kg."
            ),
            "markdown": (
                "# SDI101 mass-not-positive\n\n"
                "The mass is zero, negative or not a number.\n\n"
                "## Why it matters\n\nNo body has such a mass.\n\n"
                "## Example\n\n```xml\n<inertial>\n  <mass>-1</mass>\n</inertial>\n```\n\n"
                "## What to do\n\nGive the mass in kg."
            ),
        },
        "defaultConfiguration": {"level": "error", "enabled": True},
        "properties": {"tags": ["physics"], "precision": "very-high", "fix": "none"},
    }
    assert [rule["properties"]["precision"] for rule in driver["rules"]] == ["very-high", "medium", "very-high"]
    assert driver["rules"][1]["defaultConfiguration"] == {"level": "warning", "enabled": False}
    assert "````xml" in driver["rules"][1]["help"]["markdown"]


def test_every_file_checked_is_one_artifact_and_a_run_without_findings_is_valid(findings):
    run = valid_run(findings_sarif(FindingsReport(findings, ["a.sdf", "./b c.sdf", "a.sdf"])))
    assert [artifact["location"]["uri"] for artifact in run["artifacts"]] == ["a.sdf", "b%20c.sdf"]
    assert valid_run(findings_sarif(FindingsReport([], [])))["results"] == []


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("arm/model.sdf", "arm/model.sdf"),
        ("./arm/../leg/model.sdf", "leg/model.sdf"),
        ("../other/a.sdf", "../other/a.sdf"),
        ("my model.sdf", "my%20model.sdf"),
        ("a:b.sdf", "a%3Ab.sdf"),
        ("50%#?.sdf", "50%25%23%3F.sdf"),
        ("é.sdf", "%C3%A9.sdf"),
        ("\udcff.sdf", "%FF.sdf"),
        ("a\nb.sdf", "a%0Ab.sdf"),
        ("/abs/my model.sdf", "file:///abs/my%20model.sdf"),
    ],
)
def test_paths_become_uris(path: str, uri: str) -> None:
    assert artifact_uri(path) == uri
    assert URI_REFERENCE.fullmatch(uri)


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("plain", "plain"),
        ("${density} is no number", "${{density}} is no number"),
        ("[a](b)", "[a\\](b)"),
        ("axis [1 0 0]", "axis [1 0 0]"),
        ("a\nb\x1b", "a; b\\x1b"),
        ("byte \udcff", "byte \ufffd"),
    ],
)
def test_messages_hold_no_placeholders_or_links(message: str, text: str) -> None:
    assert result_of(Finding("SDI101", message, Location("a.sdf", 1, 1)))["message"]["text"] == text


BASE = Finding("SDI101", "mass is -1 kg", Location("arm/model.sdf", 12, 7), "arm::hand", "mend it")


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (BASE._replace(location=Location("arm/model.sdf", 99, 1)), True),
        (BASE._replace(location=Location("./arm/model.sdf", 12, 7)), True),
        (BASE._replace(message="mass is -2 kg", advice=""), True),
        (BASE._replace(location=Location("leg/model.sdf", 12, 7)), False),
        (BASE._replace(link="arm::arm"), False),
        (BASE._replace(code="SDI102"), False),
    ],
    ids=["another line", "another name of the path", "another message", "another path", "another link", "another code"],
)
def test_fingerprints_depend_on_path_link_and_code_alone(other: Finding, same: bool) -> None:
    assert (result_of(other)["partialFingerprints"] == result_of(BASE)["partialFingerprints"]) is same


def test_findings_that_are_alike_have_fingerprints_of_their_own() -> None:
    run = valid_run(findings_sarif(FindingsReport([BASE, BASE._replace(message="given twice")], [])))
    prints = [result["partialFingerprints"]["sdfinertiaFinding/v1"] for result in run["results"]]
    assert prints[0] != prints[1]
    assert prints[0].endswith(":1")
    assert prints[1] == prints[0][:-1] + "2"


def test_any_text_survives(hostile: list[Finding]) -> None:
    run = valid_run(findings_sarif(FindingsReport(hostile, [finding.location.file for finding in hostile])))
    uris = [result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in run["results"]]
    assert all(URI_REFERENCE.fullmatch(uri) for uri in uris)
    assert run["results"][2]["locations"][0]["physicalLocation"]["region"] == {"startLine": 1, "startColumn": 1}


@pytest.mark.parametrize("is_work_tree", [False, True])
def test_uris_are_relative_to_the_repository_a_file_is_in(is_work_tree, tmp_path, monkeypatch):
    repository = tmp_path / "repository"
    (repository / "models" / "arm").mkdir(parents=True)
    if is_work_tree:
        (repository / ".git").write_text("gitdir: elsewhere")
    else:
        (repository / ".git").mkdir()
    file = repository / "models" / "arm" / "a b.sdf"
    file.write_text("<sdf/>")
    monkeypatch.chdir(file.parent)
    for path in ("a b.sdf", "../arm/a b.sdf", str(file)):
        assert artifact_uri(path) == "models/arm/a%20b.sdf"
    assert artifact_uri("<stdin>") == "%3Cstdin%3E"
    monkeypatch.chdir(tmp_path)
    assert artifact_uri("repository/models/arm/a b.sdf") == "models/arm/a%20b.sdf"
    (tmp_path / "other.sdf").write_text("<sdf/>")
    assert artifact_uri("other.sdf") == "other.sdf"


def test_fingerprints_do_not_depend_on_where_in_the_repository_the_run_is(tmp_path, monkeypatch):
    (tmp_path / ".git").mkdir()
    (tmp_path / "arm").mkdir()
    (tmp_path / "arm" / "model.sdf").write_text("<sdf/>")
    prints = []
    for directory, file in ((tmp_path, "arm/model.sdf"), (tmp_path / "arm", "model.sdf")):
        monkeypatch.chdir(directory)
        prints.append(result_of(BASE._replace(location=Location(file, 12, 7)))["partialFingerprints"])
    assert prints[0] == prints[1]
