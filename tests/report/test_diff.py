from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdfinertia.markup.document import Edit, splice
from sdfinertia.report.results import line_edits, unified_diff

TEXT = b"one\ntwo\nthree\nfour\nfive\n"
HEAD = b"--- a.sdf\n+++ a.sdf\n"


@pytest.mark.parametrize(
    ("edit", "hunks"),
    [
        pytest.param(
            Edit(0, 18, b"one\nTWO\nthree\nfour"),
            b"@@ -1,5 +1,5 @@\n one\n-two\n+TWO\n three\n four\n five\n",
            id="lines that stay at both ends of an edit",
        ),
        pytest.param(
            Edit(4, 7, b"two\nand a half"),
            b"@@ -1,5 +1,6 @@\n one\n two\n+and a half\n three\n four\n five\n",
            id="a line more",
        ),
        pytest.param(Edit(4, 14, b"two\n"), b"@@ -1,5 +1,4 @@\n one\n two\n-three\n four\n five\n", id="a line less"),
    ],
)
def test_only_lines_that_differ_are_marked(edit: Edit, hunks: bytes) -> None:
    assert unified_diff("a.sdf", TEXT, [edit]) == HEAD + hunks


def test_no_edits_make_no_diff() -> None:
    assert unified_diff("a.sdf", TEXT, []) == b""


@given(*2 * [st.lists(st.sampled_from([b"a\n", b"b\n", b"c\r\n", b"d"]), max_size=200)])
def test_the_edits_of_lines_turn_one_text_into_the_other(old: list[bytes], new: list[bytes]) -> None:
    before, after = b"".join(old), b"".join(new)
    edits = line_edits(before, after)
    assert splice(before, edits) == after
    assert all(before[start:stop] != text for start, stop, text in edits)
