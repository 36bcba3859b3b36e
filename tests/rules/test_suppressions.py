from __future__ import annotations

import pytest
from builders.documents import SOUND, one_link
from builders.findings import findings

from sdfinertia.rules.accepted import read_suppression


@pytest.mark.parametrize(
    ("comment", "words"),
    [
        (" sdfinertia: ignore SDI301 ", ("SDI301",)),
        ("sdfinertia: ignore SDI301,SDI302", ("SDI301", "SDI302")),
        ("\n sdfinertia:\tignore\n stale-block ,\n SDI301\n", ("stale-block", "SDI301")),
        ("sdfinertia: ignore SDI301 SDI301", ("SDI301",)),
        ("sdfinertia: ignore SDI301 because SDI302 is\nanother matter", ("SDI301",)),
        ("sdfinertia: ignore SDI301, because", ("SDI301",)),
        ("sdfinertia: ignore SDI301 becauseof", ("SDI301", "becauseof")),
        ("sdfinertia: ignore because of the test", ()),
        ("sdfinertia: ignore", ()),
        ("sdfinertia: ignore , ", ()),
        ("sdfinertia: ignored SDI301", None),
        ("sdfinertia: ignoreSDI301", None),
        ("sdfinertia: inputs=abc", None),
        ("sdfinertia ignore SDI301", None),
        ("do not sdfinertia: ignore SDI301", None),
        ("", None),
    ],
)
def test_a_comment_is_read_as_the_words_that_it_suppresses(comment: str, words: tuple[str, ...] | None) -> None:
    assert read_suppression(comment) == words


def test_a_long_comment_is_read_in_linear_time() -> None:
    assert read_suppression("sdfinertia: ignore " + " , " * 100_000 + "SDI301" + " " * 100_000) == ("SDI301",)
    assert read_suppression("sdfinertia: ignore SDI301" + " becaus" * 50_000) is not None


@pytest.mark.parametrize(
    ("words", "message", "remedy"),
    [
        ("", "suppresses nothing: it names no rule", "name the rule that is meant, or remove the comment"),
        ("SDI101", "suppresses SDI101", "remove the comment"),
        (
            "SDI999",
            "suppresses 'SDI999', and no rule has that name",
            "`sdfinertia rules` lists them, and a reason begins",
        ),
    ],
)
def test_an_idle_suppression_is_told_where_it_stands_with_what_to_do(words: str, message: str, remedy: str) -> None:
    [found] = findings(one_link(f"\n<!-- sdfinertia: ignore {words} -->", SOUND))
    assert (found.code, found.location.line, found.location.column) == ("SDI801", 2, 1)
    assert found.message.startswith(message)
    assert found.remedy.startswith(remedy)
