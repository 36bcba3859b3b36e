"""Numbers in texts: strict, where other readers take a prefix or fall back on a default."""

from __future__ import annotations

import math
import re
from functools import cache

_NUMBER = r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
# A pattern that many runs never need: it is compiled when first used.
_NUMBERS = rf"(?:{_NUMBER}(?:[ \t\r\n\v\f]+|$))*"

_NOT_FINITE = ("nan", "inf", "infinity")


@cache
def _numbers_pattern() -> re.Pattern[str]:
    return re.compile(_NUMBERS)


def parse_numbers(text: str) -> tuple[float, ...] | None:
    """The decimal numbers of a text separated by ASCII white space, or None if anything else is in it."""
    if _numbers_pattern().fullmatch(text) is None:
        return None
    numbers = tuple(map(float, text.split()))
    return numbers if all(map(math.isfinite, numbers)) else None


def format_number(value: float, digits: int) -> str:
    """The number rounded to so many significant digits, in its shortest decimal form."""
    if value == 0.0:
        return "0"
    text = "%.*g" % (digits, value)  # noqa: UP031  # as an f-string it takes more than twice as long
    if "e" not in text:
        return text
    mantissa, _, power = text.partition("e")
    return f"{mantissa}e{int(power)}"


def half_unit(value: float, digits: int) -> float:
    """Half a unit of the last of so many significant digits of a number: what rounding to them may move it by."""
    return 0.5 * 10.0 ** (math.floor(math.log10(abs(value))) - digits + 1) if value else 0.0


def shorten(text: str, length: int = 40) -> str:
    """The text, cut for a message; what its encoding did not know is shown as such."""
    text = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return text if len(text) <= length else text[: length - 3] + "..."


def is_word(text: str) -> bool:
    """Whether a text is a number in words, none that is finite."""
    return text.lower().lstrip("+-") in _NOT_FINITE
