"""A number as files take it."""

from __future__ import annotations


def format_number(value: float, digits: int) -> str:
    """The number rounded to so many significant digits, in its shortest decimal form."""
    if value == 0.0:
        return "0"
    text = "%.*g" % (digits, value)  # noqa: UP031  # as an f-string it takes more than twice as long
    if "e" not in text:
        return text
    mantissa, _, power = text.partition("e")
    return f"{mantissa}e{int(power)}"
