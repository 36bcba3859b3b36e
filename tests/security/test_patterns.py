"""Every regular expression of the package takes time in proportion to the text, however the text repeats."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
import time
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

import sdfinertia
from sdfinertia.markup import MARKUP

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.slow

METHODS = "match|fullmatch|search|sub|findall|finditer|split"
PUMPS = (*" aA0-.,\n<='\"{$`/", " a", "a ", "0 ", "a=")
TOKEN = re.compile(r"\\.|\[\^?\]?[^\]]*\]|\(\?[^:!=>)]*[:!=>)]|.", re.DOTALL)
# A linear match of the longest takes half a millisecond, a quadratic one a third of a second; the short ones
# come first, so that a match in exponential time is found before it lasts.
LENGTHS = (22, 400, 20_000)
SECONDS = 0.05


class Used(NamedTuple):
    """A pattern, and the method by which a module uses it."""

    module: str
    pattern: re.Pattern[Any]
    method: str


def all_used() -> Iterator[Used]:
    """The patterns that modules and their classes hold, and those that are given to functions of `re`."""
    for found in pkgutil.walk_packages(sdfinertia.__path__, "sdfinertia."):
        if found.name.endswith("__main__"):
            continue
        module = importlib.import_module(found.name)
        source = inspect.getsource(module)
        classes = [each for each in vars(module).values() if inspect.isclass(each) and each.__module__ == found.name]
        for space in (module, *classes):
            for name, value in vars(space).items():
                if isinstance(value, re.Pattern):
                    methods = set(re.findall(rf"\b{name}\.({METHODS})\(", source))
                    yield from (Used(found.name, value, method) for method in methods)
        for method, text in re.findall(rf"\bre\.({METHODS})\(\s*([rb]*(?:\"[^\"\n]*\"|'[^'\n]*')),", source):
            yield Used(found.name, re.compile(ast.literal_eval(text)), method)


def hostile_texts(pattern: str, length: int) -> Iterator[str]:
    """What leads, nearly, to each part of the pattern that may repeat, and then a text that repeats."""
    tokens, beginning, beginnings = TOKEN.findall(pattern), "", {"": None}
    for token, following in zip(tokens, [*tokens[1:], ""], strict=True):
        if following in ("*", "+", "{"):
            beginnings[beginning] = None
        if token[0] == "[":
            beginning += "a" if token[1] == "^" else {"\\d": "0", "\\w": "a", "\\s": " "}.get(token[1:3], token[1])
        elif token[0] == "\\":
            beginning += {"d": "0", "w": "a", "s": " ", "S": "a"}.get(token[1], "" if token[1].isalpha() else token[1])
        elif token[0] not in "(|)*+?^$" and following != "?":
            beginning += "a" if token == "." else token
    for beginning in beginnings:
        for pump in (*PUMPS, *filter(None, [beginning])):
            for end in ("", "\0"):
                yield beginning + pump * (length // len(pump)) + end


def seconds_of(used: Used, hostile: str) -> float:
    given = hostile.encode("latin-1", "replace") if isinstance(used.pattern.pattern, bytes) else hostile
    method = getattr(used.pattern, used.method)
    started = time.process_time()
    if used.method == "sub":
        method(given[:0], given)
    elif used.method == "finditer":
        for found in method(given):
            # Whoever iterates over markup stops at the first that is malformed.
            if used.pattern == MARKUP and found.lastindex is None:
                break
    else:
        method(given)
    return time.process_time() - started


def slow_text(used: Used) -> str | None:
    pattern = used.pattern.pattern
    text = pattern.decode("latin-1") if isinstance(pattern, bytes) else pattern
    for length in LENGTHS:
        for hostile in hostile_texts(text, length):
            # Several times, since something else may have been at work meanwhile.
            if all(seconds_of(used, hostile) > SECONDS for _ in range(5)):
                return f"{hostile[:60]!r}, {len(hostile)} characters"
    return None


def test_every_pattern_takes_time_in_proportion_to_the_text() -> None:
    used = set(all_used())
    assert len(used) > 50
    slow = {f"{each.module}: {each.pattern.pattern!r}.{each.method}": slow_text(each) for each in used}
    assert not {name: text for name, text in slow.items() if text}


@pytest.mark.parametrize(
    ("pattern", "method"),
    [
        (r"(a+)+b", "match"),
        (r"\$\{\s*(-?)\s*[a-z]+\}", "search"),
        (r"<n>\s*([^<\s][^<]*?)\s*</n>", "search"),
        (r"\s*solid", "search"),
        (r"\$[{(]\s*([^})]*?)\s*[})]", "sub"),
    ],
)
def test_a_pattern_that_goes_back_again_and_again_is_found(pattern: str, method: str) -> None:
    assert slow_text(Used("", re.compile(pattern), method))
