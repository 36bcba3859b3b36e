"""Texts of xacro split into expressions and parameters, in time that grows with their length."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

# As the lexer of xacro: escaped, expression, substitution, text.
_PIECE = re.compile(r"(\$\$+[{(])|\$\{([^}]*)\}|\$\(([^)]*)\)|([^$]+|\$[^{($]+|\$\Z)")
_PARAMETER = re.compile(r"\s*([^\s:=]+)\s*:?=\s*(\^\|?)?")
# A default: one of these alone, else the text up to a blank.
_WHOLE_DEFAULT = re.compile(r"(?:\$\{[^}]*\}|\$\([^)]*\))(?=\s|\Z)")
_PART_OF_DEFAULT = re.compile(r"'[^']*'|\"[^\"]*\"|[^\s'\"]+")
# Characters that XML 1.0 cannot contain, halves of surrogate pairs among them.
_NO_TEXT = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class UnclosedError(Exception):
    """An expression without end."""


def pieces(text: str) -> Iterator[tuple[str, str]]:
    """The parts of a text, each with its kind: "text", "expression" or "substitution".

    Raises:
        UnclosedError: there is no such part; its argument is the rest.
    """
    at = 0
    while at < len(text):
        match = _PIECE.match(text, at)
        if match is None:
            raise UnclosedError(text[at:])
        escaped, expression, substitution, plain = match.groups()
        at = match.end()
        if expression is not None:
            yield "expression", expression
        elif substitution is not None:
            yield "substitution", substitution
        else:
            yield "text", plain if plain is not None else escaped[1:]


def parse_macro_arg(text: str) -> tuple[str, tuple[str | None, str | None] | None, str]:
    """As that of xacro: a parameter, the property that it forwards and its default, and the rest of the text."""
    match = _PARAMETER.match(text)
    if match is not None:
        name, forward = match.groups()
        end = _end_of_default(text, match.end())
        if not text[end : end + 1].strip():
            return name, (name if forward else None, text[match.end() : end] or None), text[end:].lstrip()
    first, _, rest = text.strip().partition(" ")
    return first, None, rest


def _end_of_default(text: str, at: int) -> int:
    whole = _WHOLE_DEFAULT.match(text, at)
    if whole is not None:
        return whole.end()
    while (part := _PART_OF_DEFAULT.match(text, at)) is not None:
        at = part.end()
    return at


def unwritable_character(text: str) -> str | None:
    if text.isascii() and text.isprintable():
        return None
    match = _NO_TEXT.search(text)
    return f"U+{ord(match[0]):04X}" if match is not None else None
