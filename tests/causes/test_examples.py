"""Each hypothesis has a case with numbers, and says where it is public, or that it is invented."""

from __future__ import annotations

import re

import pytest

from sdfinertia.causes.hypothesis import Hypothesis
from sdfinertia.causes.registry import HYPOTHESES

each = pytest.mark.parametrize("hypothesis", HYPOTHESES, ids=[one.name for one in HYPOTHESES])


@each
def test_a_case_has_numbers(hypothesis: Hypothesis) -> None:
    assert len(re.findall(r"\d+(?:\.\d+)?", hypothesis.example)) >= 2


@each
def test_a_public_case_says_where_it_is(hypothesis: Hypothesis) -> None:
    # owner/repository@commit, directories if a file's name says little, file, link
    assert re.fullmatch(r"|[\w.-]+/[\w.-]+@[0-9a-f]{8}( [\w.-]+)+ \w+", hypothesis.source), hypothesis.source


def test_each_has_a_name_of_its_own() -> None:
    assert len({one.name for one in HYPOTHESES}) == len(HYPOTHESES)


def test_most_cases_are_public() -> None:
    assert sum(bool(one.source) for one in HYPOTHESES) >= 27
