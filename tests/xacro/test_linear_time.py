"""The walk of xacro files and the splitting of their texts take time in proportion to the bytes."""

import time
from collections.abc import Callable
from contextlib import suppress

import pytest

from sdfinertia.xacro.includes import included_names, tags
from sdfinertia.xacro.texts import UnclosedError, parse_macro_arg, pieces

KINDS = {
    "roots that do not end": "<robot ",
    "roots before one end": "<robot x",
    "comments": "<!---->",
    "comments that do not end": "<!--",
    "includes that do not end": "<xacro:include ",
    "includes with half a name": '<xacro:include filename="',
    "includes with blanks": "<xacro:include filename" + " " * 50,
    "includes in comments": "<!--<xacro:include filename='a'/>-->",
    "expressions": "${a}",
    "expressions that do not end": "${",
    "substitutions that do not end": "$(",
    "dollars": "$",
    "dollars and letters": "$a",
    "quotes": "a:='",
    "texts": "a",
}


def walked(text: str) -> None:
    data = text.encode()
    list(tags(data, b"robot"))
    list(included_names(data))


def split(text: str) -> None:
    with suppress(UnclosedError):
        list(pieces(text))


def parsed(text: str) -> None:
    parse_macro_arg(f"a:={text}'")


@pytest.mark.parametrize("work", [walked, split, parsed])
@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS.keys())
def test_twice_the_input_takes_twice_the_time(kind: str, work: Callable[[str], None]) -> None:
    def seconds(size: int) -> float:
        text = kind * (size // len(kind)) + ">"
        started = time.process_time()
        work(text)
        return time.process_time() - started

    # Four times as long; in quadratic time sixteen. What takes no time at all need not be compared.
    if seconds(400_000) > 0.018:
        short, long = (min(seconds(size) for _ in range(3)) for size in (100_000, 400_000))
        assert long < 9.0 * max(short, 2e-3)
