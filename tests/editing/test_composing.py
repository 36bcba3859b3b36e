"""Rounds of edits as one, and edits of one version of a text as edits of another."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdfinertia.editing.edit_algebra import carried_over, composed
from sdfinertia.markup.document import Edit, splice

TEXT = b"abcdefghijklmnopqrstuvwxyz"


@st.composite
def edits(draw: st.DrawFn, length: int) -> list[Edit]:
    places = sorted(draw(st.lists(st.integers(0, length), max_size=6)))
    spans = zip(places[::2], places[1::2], strict=False)
    return [Edit(start, stop, draw(st.binary(max_size=4))) for start, stop in spans]


@given(st.data())
def test_edits_of_both_rounds_do_what_one_after_the_other_does(data: st.DataObject) -> None:
    first = data.draw(edits(len(TEXT)))
    middle = splice(TEXT, first)
    second = data.draw(edits(len(middle)))
    both = composed(TEXT, first, second)
    assert splice(TEXT, both) == splice(middle, second)
    assert all(TEXT[start:stop] != new for start, stop, new in both)


def test_an_edit_is_as_small_as_its_change_and_what_is_changed_back_is_none() -> None:
    assert composed(TEXT, [Edit(3, 5, b"XYZ")], [Edit(3, 6, b"de")]) == ()
    assert composed(TEXT, [], [Edit(3, 8, b"deXgh")]) == (Edit(5, 6, b"X"),)


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        (b"one\ntwo\nthree\n", b"one\nTWO\nthree\n"),
        (b"zero\none\ntwo\nthree\n", b"zero\none\nTWO\nthree\n"),
        (b"one\ntwo\n3\n", b"one\nTWO\n3\n"),
        (b"one\n2\nthree\n", None),
        (b"", None),
    ],
)
def test_edits_are_carried_over_where_their_lines_are_the_same(other: bytes, expected: bytes | None) -> None:
    carried = carried_over(b"one\ntwo\nthree\n", other, [Edit(4, 7, b"TWO")])
    assert (splice(other, carried) if carried is not None else None) == expected
