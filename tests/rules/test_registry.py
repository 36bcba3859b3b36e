from __future__ import annotations

from collections.abc import Sequence

import pytest

from sdfinertia.errors import ConfigurationError
from sdfinertia.rules.registry import RULES, chosen_rules

# Code and whether it is on when nothing is selected: what users' configurations are written against.
PROMISED = {
    **dict.fromkeys(("SDI001", "SDI002", "SDI003"), True),
    **dict.fromkeys(("SDI101", "SDI102", "SDI103", "SDI104", "SDI105", "SDI106", "SDI107"), True),
    "SDI201": False,
    "SDI202": True,
    "SDI203": False,
    "SDI204": False,
    "SDI301": False,
    "SDI302": False,
    "SDI401": True,
    "SDI402": True,
    "SDI403": False,
    "SDI900": True,
    "SDI901": True,
}


def codes(select: Sequence[str] = (), ignore: Sequence[str] = ()) -> list[str]:
    return [rule.code for rule in chosen_rules(select, ignore)]


def test_the_rules_and_their_defaults_are_those_promised() -> None:
    assert {rule.code: rule.is_default for rule in RULES} == PROMISED
    assert [rule.code for rule in RULES] == sorted(PROMISED)


def test_each_rule_is_documented_and_has_a_name_of_its_own() -> None:
    assert len({rule.name for rule in RULES}) == len(RULES)
    for rule in RULES:
        assert rule.name == rule.name.lower().replace(" ", "-")
        for text in (rule.what, rule.why, rule.fix):
            assert text.endswith(".")
        assert rule.example


def test_only_what_cannot_be_judged_fails_a_run() -> None:
    assert [rule.code for rule in RULES if rule.fails_run] == ["SDI900", "SDI901"]


DEFAULTS = [code for code, is_default in PROMISED.items() if is_default]


@pytest.mark.parametrize(
    ("select", "ignore", "expected"),
    [
        ((), (), DEFAULTS),
        (("SDI001",), (), ["SDI001"]),
        (("SDI0",), (), ["SDI001", "SDI002", "SDI003"]),
        (("SDI00", "SDI204"), (), ["SDI001", "SDI002", "SDI003", "SDI204"]),
        (("SDI2",), (), ["SDI201", "SDI202", "SDI203", "SDI204"]),
        (("SDI2",), ("SDI203",), ["SDI201", "SDI202", "SDI204"]),
        (("SDI2",), ("SDI2",), []),
        (("SDI001", "SDI001"), (), ["SDI001"]),
        (("SDI",), (), list(PROMISED)),
        (("ALL",), (), list(PROMISED)),
        ((), ("SDI1", "SDI9"), [code for code in DEFAULTS if code[3] not in "19"]),
        ((), ("SDI204",), DEFAULTS),
        ((), ("ALL",), []),
    ],
)
def test_rules_are_chosen_by_the_beginning_of_their_codes(
    select: tuple[str, ...], ignore: tuple[str, ...], expected: list[str]
) -> None:
    assert codes(select, ignore) == expected


@pytest.mark.parametrize("code", ["SDI999", "SDI0010", "SDI5", "sdi001", "", "S", "SD", "E501", "SDI001 ", "*"])
def test_a_code_that_no_rule_has_is_an_error_that_names_it(code: str) -> None:
    for select, ignore in (((code,), ()), ((), (code,)), (("SDI001", code), ())):
        with pytest.raises(ConfigurationError, match="no rule") as caught:
            chosen_rules(select, ignore)
        assert repr(code) in str(caught.value)
