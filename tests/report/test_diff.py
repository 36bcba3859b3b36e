from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdfinertia.documents.diffs import unified_diff
from sdfinertia.markup import Edit, splice

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
    assert unified_diff("a.sdf", TEXT, splice(TEXT, [edit])) == HEAD + hunks


def test_no_edits_make_no_diff() -> None:
    assert unified_diff("a.sdf", TEXT, TEXT) == b""


@given(*2 * [st.lists(st.sampled_from([b"a\n", b"b\n", b"c\r\n", b"d"]), max_size=200)])
def test_a_diff_turns_one_text_into_the_other(old: list[bytes], new: list[bytes]) -> None:
    before, after = b"".join(old), b"".join(new)
    body = unified_diff("a", before, after).replace(b"\n\\ No newline at end of file", b"").split(b"\n")
    marked = [line for line in body if line[:1] in (b"+", b"-") and line[:3] not in (b"+++", b"---")]
    assert bool(marked) == (before != after)
    lines, kept = before.split(b"\n"), after.split(b"\n")
    removed, added = ([line[1:] for line in marked if line[:1] == sign] for sign in (b"-", b"+"))
    assert Counter(filter(None, lines)) - Counter(removed) == Counter(filter(None, kept)) - Counter(added)
