"""The harness itself, on the fixtures: it injects what it says, and rules find it."""

import re

from causes.links import CENTRE, SIX, block, printed

from recall.__main__ import main
from recall.cases import FIXTURES, models
from recall.rules import is_told

RIGHT = block(printed(SIX), "1.25", CENTRE)


def test_a_tenth_of_the_mass_the_size_or_the_largest_moment_is_a_mistake() -> None:
    almost = [SIX[0], SIX[1], 1.09 * SIX[2], *SIX[3:]]
    assert not is_told(RIGHT, block(printed(almost), "1.36", CENTRE), 0.3)
    for wrong in (
        block(printed([SIX[0], SIX[1], 1.11 * SIX[2], *SIX[3:]]), "1.25", CENTRE),
        block(printed(SIX), "1.38", CENTRE),
        block(printed(SIX), "1.25", (CENTRE[0] + 0.031, *CENTRE[1:])),
    ):
        assert is_told(RIGHT, wrong, 0.3)


def test_it_tells_what_is_found_and_the_same_every_time(monkeypatch, capsys):
    monkeypatch.delenv("SDFINERTIA_REAL", raising=False)
    texts = []
    for _ in range(2):
        assert main(["--links", "2", "--list"]) == 0
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1]
    assert re.search(r"^g and mm +2 +100% +100%  .*SDI202 2", texts[0], re.MULTILINE)
    assert "default: on 0 links; none" in texts[0]
    assert "mean recall over" in texts[0]


def test_the_fixtures_stand_in_and_a_directory_without_links_that_are_right_is_told(monkeypatch, capsys, tmp_path):
    monkeypatch.setenv("SDFINERTIA_REAL", str(tmp_path / "gone"))
    assert models() == FIXTURES
    monkeypatch.setenv("SDFINERTIA_REAL", str(tmp_path))
    assert main([]) == 2
    assert "that are right" in capsys.readouterr().err
