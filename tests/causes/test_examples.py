"""The page of causes: each mistake has a row with a case, which says where it is public, or that it is invented."""

from __future__ import annotations

import re

from causes.page import Row, rows

from sdfinertia.causes.registry import HYPOTHESES


def test_every_mistake_has_a_row_and_no_other_has() -> None:
    assert [row.cause for row in rows()] == [one.name for one in HYPOTHESES]


def test_a_case_has_numbers() -> None:
    assert [row.cause for row in rows() if len(re.findall(r"\d+(?:\.\d+)?", row.case)) < 2] == []


def test_a_case_says_where_it_is_public_or_that_it_is_invented() -> None:
    # owner/repository@commit, directories if a file's name says little, file, link
    place = re.compile(r"\(`[\w.-]+/[\w.-]+@[0-9a-f]{8}`( [\w.-]+)+ [\w.]+\)$")
    assert [row.cause for row in rows() if not row.case.startswith("invented: ") and not place.search(row.case)] == []


def test_each_has_a_name_of_its_own() -> None:
    assert len({one.name for one in HYPOTHESES}) == len(HYPOTHESES)


def test_most_cases_are_public() -> None:
    assert sum(not row.case.startswith("invented: ") for row in rows()) >= 30


def test_what_undoes_it_is_said() -> None:
    assert [row.cause for row in rows() if not row.what or not row.undo] == []
    assert Row("a", "b", "c", "d").place is None
