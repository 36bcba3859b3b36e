"""The walk of xacro files and the splitting of their texts take time in proportion to the bytes."""

import time
from collections.abc import Callable
from contextlib import suppress

import pytest

from sdfinertia.xacro.sources import included_names, tags
from sdfinertia.xacro.substitutions import UnclosedError, pieces

pytestmark = pytest.mark.timing

TEXTS = ("<robot ", "<!--", "<xacro:include ", '<xacro:include filename="', "<!--<xacro:include filename='a'/>-->")
VALUES = ("${a}", "${", "$(", "$", "$a", "a:='", "a")


def walked(text: str) -> None:
    list(tags(text.encode(), b"robot"))
    list(included_names(text.encode()))


def split(text: str) -> None:
    with suppress(UnclosedError):
        list(pieces(text))


@pytest.mark.parametrize(("work", "kind"), [*((walked, kind) for kind in TEXTS), *((split, kind) for kind in VALUES)])
def test_four_times_the_input_takes_four_times_the_time(work: Callable[[str], None], kind: str) -> None:
    def seconds(size: int) -> float:
        text = kind * (size // len(kind)) + ">"
        started = time.process_time()
        work(text)
        return time.process_time() - started

    # In quadratic time sixteen times as long.
    short, long = (min(seconds(size) for _ in range(3)) for size in (100_000, 400_000))
    assert long < 9.0 * max(short, 2e-3)
