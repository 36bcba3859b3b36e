from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from lxml import etree

from sdfinertia import rules
from sdfinertia.errors import ConfigurationError, Location
from sdfinertia.report.explanations import explanation
from sdfinertia.rules import RULES, chosen_rules, code_of, codes_for, rank_of
from sdfinertia.rules.rule import Effect, Finding, Fixer, Level, Rule

if TYPE_CHECKING:
    from collections.abc import Sequence

# Code and whether it is on when nothing is selected: what users' configurations are written against.
OFF = ("SDI201", "SDI301", "SDI302", "SDI403")
PROMISED = {
    f"SDI{code:03}": f"SDI{code:03}" not in OFF
    for code in (1, 2, 3, *range(101, 110), *range(201, 212), 301, 302, *range(401, 406), 801, 900, 901, 902)
}


def codes(select: Sequence[str] = (), ignore: Sequence[str] = ()) -> list[str]:
    return [rule.code for rule in chosen_rules(select, ignore)]


def test_the_rules_and_their_defaults_are_those_promised() -> None:
    assert {rule.code: rule.is_default for rule in RULES} == PROMISED
    assert [rule.code for rule in RULES] == sorted(PROMISED)


def test_each_rule_is_documented_and_has_a_name_of_its_own() -> None:
    assert len({word for rule in RULES for word in (rule.name, rule.code)}) == 2 * len(RULES)
    for rule in RULES:
        assert rule.name == rule.name.lower().replace(" ", "-")
        for text in (rule.what, rule.why, rule.fix):
            assert text.endswith(".")
        assert rule.example


LEVELS = {code: Level.ERROR if code[3] in "019" else Level.WARNING for code in PROMISED}
LEVELS |= dict.fromkeys(("SDI401", "SDI402"), Level.ERROR) | {"SDI902": Level.WARNING}


def test_what_is_provably_wrong_is_an_error_and_a_judgement_a_warning() -> None:
    assert {rule.code: rule.level for rule in RULES} == LEVELS


TOPICS = {"0": "provenance", "1": "physics", "2": "plausibility", "3": "simulation", "4": "mesh", "8": "suppression"}
OTHER_TOPICS = {"SDI108": "reading", "SDI109": "reading", "SDI211": "simulation"}


def test_the_topic_of_a_rule_is_that_of_its_code_unless_it_has_its_own() -> None:
    assert {rule.code: rule.topics for rule in RULES} == {
        code: (OTHER_TOPICS.get(code, TOPICS.get(code[3], "reading")),) for code in PROMISED
    }


@pytest.mark.parametrize(
    ("code", "effect", "rank"),
    [
        ("SDI101", None, 100.0),
        ("SDI204", None, 0.0),
        ("SDI204", Effect(0.25, 0.04), 10.0),
        ("SDI101", Effect(0.25, 0.04), 10.0),
        ("SDI101", Effect(0.25, None), 50.0),
        ("SDI204", Effect(0.25, None), 0.0),
        # Without a mass of the robot the share is taken as half a per cent.
        ("SDI204", Effect(None, 0.5), 5.0),
    ],
)
def test_a_finding_matters_as_its_share_of_the_mass_and_the_change(code, effect, rank) -> None:
    assert rank_of(Finding(code, "", Location("m.sdf", 1, 1), effect=effect)) == pytest.approx(rank)


def test_what_fill_or_a_nudge_mends_is_mended_safely_unless_a_mass_is_made_up() -> None:
    assert {rule.code: (rule.fixer, rule.fixer.fix) for rule in RULES if rule.fixer is not Fixer.NONE} == {
        "SDI001": (Fixer.FILL, "safe"),
        "SDI002": (Fixer.FILL, "safe"),
        "SDI107": (Fixer.NUDGE, "safe"),
    }


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("SDI001", "Fix: `check --fix` fills the link"),
        ("SDI104", "Fix: `check` leaves them to people"),
        ("SDI101", "Fix: `check` leaves them to people"),
    ],
)
def test_the_text_of_a_rule_says_what_fixes_it(code: str, words: str) -> None:
    assert words in explanation(code).splitlines()


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_every_field_of_a_rule_is_filled_and_of_its_kind(rule: Rule) -> None:
    assert re.fullmatch("SDI[0-9]{3}", rule.code)
    assert rule.topics
    assert all(re.fullmatch("[a-z]+", tag) for tag in rule.topics)
    assert (rule.find is None) == (rule.code in ("SDI109", "SDI801", "SDI900"))


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_an_example_is_text_that_may_stand_in_a_file(rule: Rule) -> None:
    etree.fromstring(f"<link>{rule.example}</link>")


@pytest.mark.parametrize("path", sorted(Path(rules.__file__).parent.glob("*.py")), ids=lambda path: path.stem)
def test_every_module_that_declares_rules_is_collected(path: Path) -> None:
    declared = getattr(importlib.import_module(f"sdfinertia.rules.{path.stem}"), "RULES", ())
    assert {rule.code for rule in declared} <= {rule.code for rule in RULES}


@pytest.mark.parametrize(
    ("word", "code"), [("SDI002", "SDI002"), ("stale-block", "SDI002"), ("SDI0", None), ("ALL", None), ("x", None)]
)
def test_a_code_and_a_name_stand_for_one_rule(word: str, code: str | None) -> None:
    assert code_of(word) == code


def test_names_become_codes_and_all_else_stays() -> None:
    assert codes_for(("stale-block", "SDI1", "ALL", "x")) == ("SDI002", "SDI1", "ALL", "x")


def test_only_what_cannot_be_judged_fails_a_run() -> None:
    assert [rule.code for rule in RULES if rule.fails_run] == ["SDI900", "SDI901"]


@pytest.mark.parametrize(("select", "ignore"), [(("SDI2",), ("SDI2",)), ((), ("ALL",))])
def test_a_choice_that_leaves_no_rule_is_refused(select: Sequence[str], ignore: Sequence[str]) -> None:
    with pytest.raises(ConfigurationError, match="no rule is left to check"):
        chosen_rules(select, ignore)


DEFAULTS = [code for code, is_default in PROMISED.items() if is_default]


@pytest.mark.parametrize(
    ("select", "ignore", "expected"),
    [
        ((), (), DEFAULTS),
        (("SDI001",), (), ["SDI001"]),
        (("SDI0",), (), ["SDI001", "SDI002", "SDI003"]),
        (("SDI00", "SDI204"), (), ["SDI001", "SDI002", "SDI003", "SDI204"]),
        (("SDI2",), (), [code for code in PROMISED if code[3] == "2"]),
        (("SDI2",), ("SDI203",), [code for code in PROMISED if code[3] == "2" and code != "SDI203"]),
        (("SDI001", "SDI001"), (), ["SDI001"]),
        (("SDI",), (), list(PROMISED)),
        (("ALL",), (), list(PROMISED)),
        ((), ("SDI1", "SDI9"), [code for code in DEFAULTS if code[3] not in "19"]),
        ((), ("SDI201",), DEFAULTS),
        (("stale-block",), (), ["SDI002"]),
        (("triangle-inequality", "SDI00"), ("edited-block",), ["SDI001", "SDI002", "SDI103"]),
    ],
)
def test_rules_are_chosen_by_the_beginning_of_their_codes(select, ignore, expected):
    assert codes(select, ignore) == expected


@pytest.mark.parametrize(
    "code", ["SDI999", "SDI0010", "SDI5", "sdi001", "", "S", "SD", "E501", "SDI001 ", "*", "stale", "Stale-Block"]
)
def test_a_code_that_no_rule_has_is_an_error_that_names_it(code: str) -> None:
    for select, ignore in (((code,), ()), ((), (code,)), (("SDI001", code), ())):
        with pytest.raises(ConfigurationError, match="no rule") as caught:
            chosen_rules(select, ignore)
        assert repr(code) in str(caught.value)


def test_a_former_name_is_an_error_that_says_the_new_one() -> None:
    with pytest.raises(ConfigurationError, match="write inertia-beyond-shape"):
        chosen_rules(("gyradius-beyond-shape",), ())
