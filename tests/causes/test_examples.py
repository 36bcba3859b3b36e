"""The page of causes: each mistake has a section with wrong and right numbers, below the heading of its group."""

from __future__ import annotations

import re
from pathlib import Path

from causes.page import GROUP_OF_CAUSE, groups, sections

from sdfinertia.causes import bits, drawn


def test_every_mistake_has_a_section_and_no_other_has() -> None:
    assert sorted(section.cause for section in sections()) == sorted(GROUP_OF_CAUSE)


def test_what_digits_show_is_known_here() -> None:
    source = "".join(Path(module.__file__ or "").read_text(encoding="utf-8") for module in (bits, drawn))
    assert set(re.findall(r'"([a-z]+-[a-z-]+)"', source)) <= GROUP_OF_CAUSE.keys()


def test_mistakes_stand_together_as_in_the_code() -> None:
    found = [{GROUP_OF_CAUSE[name] for name in names} for names in groups().values()]
    assert [len(each) for each in found] == [1] * len(set(GROUP_OF_CAUSE.values()))


def test_wrong_numbers_stand_above_right_ones() -> None:
    number = re.compile(r"\d+(?:\.\d+)?")
    assert [each.cause for each in sections() if not number.search(each.wrong) or not each.right] == []


def test_a_public_case_says_where_it_is_and_other_numbers_that_they_are_constructed() -> None:
    # owner/repository@commit, directories if a file's name says little, file, link
    place = r"`[\w.-]+/[\w.-]+@[0-9a-f]{8}`( [\w.-]+)+ [\w.]+"
    foot = re.compile(rf"(\d+ of 209 labels · )?({place}|constructed)\.", re.IGNORECASE)
    assert [each.cause for each in sections() if not foot.fullmatch(each.foot)] == []
    assert sum(each.place is not None for each in sections()) >= 25


def test_what_undoes_it_is_said() -> None:
    assert [each.cause for each in sections() if ". Undone by: " not in each.what] == []
