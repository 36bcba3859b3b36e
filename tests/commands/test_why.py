"""What explains a finding, in every output that has a place for it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
from builders.robots import POINT, SOUND, Written, sdf, urdf

if TYPE_CHECKING:
    from builders.commands import Run

SCHEMA = Path(__file__).parents[1] / "schemas" / "sarif-schema-2.1.0.json"

ALL = pytest.mark.parametrize(("written_as", "name"), [(urdf, "r.urdf"), (sdf, "r.sdf")], ids=["URDF", "SDF"])


@ALL
def test_below_each_finding_stands_what_explains_it(command: Run, project: Path, written_as: Any, name: str) -> None:
    (project / name).write_bytes(written_as(POINT, SOUND))
    plain = command("check", "--no-why", name).output.decode().splitlines()
    lines = command("check", name).output.decode().splitlines()
    assert command("check", "--why", name).output.decode().splitlines() == lines
    # What repair undoes is not advised to be computed from the geometry.
    assert lines[1:] == [
        "  why: the decimal point of izz 1676359E-6 is 3 places too far right: 1676.359E-6 [decimal-point (certain)]",
        f"  fix: sdfinertia repair {name}",
    ]
    assert "izz 1676359E-6 → 1676.359E-6 kg·m²" in command("check", "-v", name).output.decode()
    assert plain == [line for line in plain if "why: " not in line]


def test_a_cause_that_is_less_likely_than_not_is_named_with_v_alone(command: Run, project: Path) -> None:
    # A hundred times what the geometry gives, and nothing in the digits.
    far = Written("arm", "2", ("2.6123", "0", "0", "3.6456", "0", "5.0789"), (0.02, 0.0, 0.0, 0.03, 0.0, 0.04))
    (project / "r.urdf").write_bytes(urdf(far))
    assert b"why: " not in command("check", "r.urdf").output
    assert b"  why: unknown; at best: " in command("check", "-v", "r.urdf").output
    command("check", "-q", "--report", "r.html", "r.urdf")
    assert "<b>Cause</b> unknown; at best: " in (project / "r.html").read_text()


def test_the_command_that_undoes_what_is_certain_is_told(command: Run, project: Path) -> None:
    (project / "r.urdf").write_bytes(urdf(POINT, SOUND))
    assert ": 1 fixed by `sdfinertia repair`" in command("check", "r.urdf").messages
    for key, is_told in (("true", True), ("false", False)):
        (project / "sdfinertia.toml").write_text(f"why = {key}\n")
        assert (b"[decimal-point (certain)]" in command("check", "r.urdf").output) == is_told


def test_sarif_json_and_pull_requests_have_the_cause(command: Run, project: Path) -> None:
    (project / "r.urdf").write_bytes(urdf(POINT))
    findings = json.loads(command("check", "--format", "json", "r.urdf").output)["findings"]
    assert findings
    for finding in findings:
        best = finding["why"]["explanations"][0]
        assert (best["cause"], best["group"], best["certain"], best["source"]) == (
            "decimal-point",
            "digits",
            True,
            "digits",
        )
        assert best["evidence"]
        assert best["proposal"]["izz"] == pytest.approx(1676.359e-6)
        assert best["proposal"]["texts"]["izz"] == "1676.359E-6"
        assert finding["why"]["written"]["texts"]["izz"] == "1676359E-6"
        assert finding["why"]["computed"]["izz"] == pytest.approx(0.00171269)
    findings = json.loads(command("check", "--no-why", "--format", "json", "r.urdf").output)["findings"]
    assert all("why" not in finding for finding in findings)
    log = json.loads(command("check", "--format", "sarif", "r.urdf").output)
    jsonschema.validate(log, json.loads(SCHEMA.read_text()))
    for result in log["runs"][0]["results"]:
        assert "[decimal-point (certain)]" in result["message"]["text"]
        assert result["properties"]["why"]["explanations"][0]["cause"] == "decimal-point"
    command("check", "-q", "--report", "r.md", "r.urdf")
    assert "<br>Why: the decimal point of izz" in (project / "r.md").read_text()


UNJUDGED = "these numbers are too large or too small for a cause to be judged in double precision"
STRANGE = POINT._replace(tensor=6 * ["1e308"]), POINT._replace(mass="1e-320"), POINT._replace(mass="1e200")


@pytest.mark.parametrize("link", STRANGE, ids=["the largest numbers", "hardly a mass", "a mass beyond squares"])
@ALL
def test_what_double_precision_cannot_judge_is_said_and_left(command, project, written_as, name, link):
    (project / name).write_bytes(written_as(link))
    lines = command("check", "-v", name).output.decode().splitlines()
    assert {line for line in lines if "why: " in line} == {f"  why: {UNJUDGED}"}
    for by in ("cause", "twin", "nearest"):
        outcome = command("repair", "--by", by, name)
        assert UNJUDGED in outcome.output.decode() + outcome.messages
    assert (project / name).read_bytes() == written_as(link)
