"""What every report shares: counts, numbers, and text and JSON that any format can carry."""

from __future__ import annotations

import json
import os
import re
from html import escape
from math import isfinite
from typing import Any

from sdfinertia.errors import Location, printable, unicode_text

# Invisible characters that separate lines or direct text, and the middle of what starts a command in a log.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|(?<=#)#(?=\\[)"
)
# Beside a number this much larger, a small one is rounding.
_NOISE = 1e-12


def counted(number: int, noun: str, plural: str = "") -> str:
    """The number with its noun, in the plural where it is due."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def number(value: float) -> str:
    """A number as reports show it."""
    return f"{value:.6g}" if value else "0"


def numbers(values: tuple[float, ...]) -> str:
    """Numbers side by side; what is rounding beside the largest is shown as zero."""
    noise = _NOISE * max(abs(value) for value in values)
    return " ".join(number(value if abs(value) > noise else 0.0) for value in values)


def ended(text: str) -> str:
    """The sentence with a full stop, if it has no end of its own."""
    text = text.strip()
    return text if text.endswith((".", "!", "?")) else f"{text}."


def repository_path(file: str) -> str:
    """The path with slashes and without detours, as services compare it with the paths in a repository."""
    return os.path.normpath(file).replace(os.sep, "/")


def path_in_repository(file: str) -> str:
    """The path relative to the root of the repository that a file is in, as services compare it with those there.

    Without a repository, or a file, it is as it is named.
    """
    root = _repository_of(os.path.dirname(os.path.abspath(file))) if os.path.lexists(file) else None
    return repository_path(os.path.relpath(os.path.abspath(file), root) if root is not None else file)


def place_in_repository(location: Location) -> str:
    return f"{printable(path_in_repository(location.file))}:{location.line}:{location.column}"


def words_in_repository(text: str, file: str) -> str:
    """The text with a file as it is named in its repository, where the text has its absolute path."""
    return text.replace(file, path_in_repository(file)) if os.path.isabs(file) else text


def _repository_of(directory: str) -> str | None:
    """The nearest directory at or above one that holds a `.git`: a directory, or a file in further work trees."""
    if os.path.lexists(os.path.join(directory, ".git")):
        return directory
    parent = os.path.dirname(directory)
    return _repository_of(parent) if parent != directory else None


def visible(text: str) -> str:
    """The text with escapes for what separates its lines or directs it unseen, and for commands to a log."""
    return _UNSEEN.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def html_text(text: str) -> str:
    """The text as HTML can carry it, on one line of its source."""
    return escape(visible(unicode_text(text))).replace("\n", "&#10;")


def json_text(document: Any) -> str:
    """A document as JSON on lines of its own; see `json_of`."""
    return json_of(document, indent=2) + "\n"


def json_of(value: Any, *, indent: int | None = None, separators: tuple[str, str] | None = None) -> str:
    """A value as JSON, whatever its strings and numbers are.

    Nothing in it can start a line, change the direction of text, or be a command in a log; bytes that are no text are
    replaced. A number that is not finite is null, as JSON has none and null is what is not known elsewhere.
    """
    text = json.dumps(carried(value), ensure_ascii=False, allow_nan=False, indent=indent, separators=separators)
    # Outside strings JSON has none of what is replaced or escaped, and within them an escape means the same.
    return visible(text)


def carried(value: Any) -> Any:
    """A value as JSON can carry it: text that is Unicode, and null for what no float holds."""
    match value:
        case str():
            return unicode_text(value)
        case float():
            return value if isfinite(value) else None
        case dict():
            return {unicode_text(key): carried(each) for key, each in value.items()}
        case list() | tuple():
            return [carried(each) for each in value]
    return value
