"""Rules and findings as the outputs get them, ordinary and hostile."""

from __future__ import annotations

from typing import Any

import pytest

from sdfinertia.errors import Location
from sdfinertia.robot.problems import Command
from sdfinertia.rules.rule import Finding, Fixer, Level, Rule


def rule(code: str, name: str, what: str, why: str, example: str, fix: str, **others: Any) -> Rule:
    given = {"level": Level.ERROR, "fixer": Fixer.NONE, "is_default": True, "fails_run": False, "find": None, **others}
    return Rule(code=code, name=name, topics=("physics",), what=what, why=why, example=example, fix=fix, **given)


@pytest.fixture
def rules() -> list[Rule]:
    return [
        rule(
            "SDI101",
            "mass-not-positive",
            "The mass is zero, negative or not a number.",
            "No body has such a mass.",
            "<inertial>\n  <mass>-1</mass>\n</inertial>",
            "Give the mass in kg.",
        ),
        rule(
            "SDI302",
            "mass-ratio-across-joint",
            "The bodies of a joint differ in mass by more than a factor of 100.",
            "Iterative solvers converge slowly there.",
            "<joint name='{j}'><!-- ```[1](2) --></joint>",
            "Join them by a fixed joint.",
            level=Level.WARNING,
            is_default=False,
        ),
        rule(
            "SDI900",
            "unreadable-file",
            "The file cannot be read as SDF.",
            "Nothing in it is checked.",
            "<sdf version='1.9'><model>",
            "Mend the XML.",
            fails_run=True,
        ),
    ]


@pytest.fixture
def findings() -> list[Finding]:
    return [
        Finding("SDI101", "mass is -1 kg", Location("arm/model.sdf", 12, 7), "arm::hand", "give the mass in kg"),
        Finding("SDI302", "400 kg hang on 1 kg", Location("arm/model.sdf", 40, 5), "arm::base"),
        Finding("SDI900", "line 3 ends inside of a tag", Location("broken.sdf", 3, 1), "", "mend the XML"),
    ]


@pytest.fixture
def checked() -> list[str]:
    return ["arm/model.sdf", "broken.sdf", "good.sdf"]


@pytest.fixture
def hostile() -> list[Finding]:
    """Findings whose every text holds what some format gives a meaning to, or cannot carry."""
    awkward = "a\nb\r\x1b[31m\x00\x85\u2028\ud800\udcff\ufffe % :,;:: | ` <b> & \" ' ]]> {0} [x](y) @someone \\ é €"
    # A system gives names as bytes, so the parts of them that are no text come as lone low surrogates only.
    file = f"dir with blank/{awkward}.sdf".replace("\x00", "").replace("\ud800", "")
    return [
        Finding("SDI101", awkward, Location(file, 1, 1), awkward, awkward),
        Finding("SDI101", awkward, Location(file, 2, 1), awkward, Command(("sdfinertia", "fill"), file="a|b``c")),
        Finding("SDI202", "a code that is not among the rules given", Location("-", 0, 0)),
    ]
