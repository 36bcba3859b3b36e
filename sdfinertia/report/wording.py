"""What every report shares: counts, numbers, places and visible text."""

from __future__ import annotations

import os
import re

from sdfinertia.errors import Location, printable
from sdfinertia.files.walk import repository_of

# Invisible characters that separate lines or direct text, and the middle of what starts a command in a log.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|(?<=#)#(?=\\[)"
)
# Beside a number, and beside the size of a body, what is smaller by this factor is rounding.
_NOISE, _NEGLIGIBLE = 1e-12, 1e-9


def counted(number: int, noun: str, plural: str = "") -> str:
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def number(value: float) -> str:
    return f"{value:.6g}" if value else "0"


def numbers(values: tuple[float, ...], *, size: float = 0.0) -> str:
    """Numbers side by side; what is rounding beside the largest, or beside `size`, is shown as zero."""
    noise = max(_NOISE * max(abs(value) for value in values), _NEGLIGIBLE * size)
    return " ".join(number(value if abs(value) > noise else 0.0) for value in values)


def per_cent(value: float) -> str:
    """A percentage with two digits, never with an exponent."""
    return f"{value:.0f} %" if value >= 10.0 else f"{value:.2g} %"


def ended(text: str) -> str:
    text = text.strip()
    return text if text.endswith((".", "!", "?")) else f"{text}."


def repository_path(file: str) -> str:
    """The path with slashes, as services compare it with the paths of a repository."""
    return os.path.normpath(file).replace(os.sep, "/")


def path_in_repository(file: str) -> str:
    """The path relative to the root of the repository that a file is in, as services compare it with those there.

    Without a repository, or a file, it is as it is named.
    """
    root = repository_of(os.path.dirname(os.path.abspath(file))) if os.path.lexists(file) else None
    return repository_path(os.path.relpath(os.path.abspath(file), root) if root is not None else file)


def place_in_repository(location: Location) -> str:
    return f"{printable(path_in_repository(location.file))}:{location.line}:{location.column}"


def words_in_repository(text: str, file: str) -> str:
    """The text with a file as it is named in its repository, where the text has its absolute path."""
    return text.replace(file, path_in_repository(file)) if os.path.isabs(file) else text


def visible(text: str) -> str:
    """The text with escapes for invisible characters and for commands to a log."""
    return _UNSEEN.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
