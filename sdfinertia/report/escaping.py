"""Text and values as HTML and JSON carry them; loaded for reports, since runs without one need to start at once."""

from __future__ import annotations

import json
from html import escape
from math import isfinite
from typing import Any

from sdfinertia.errors import unicode_text
from sdfinertia.report.wording import visible


def html_text(text: str) -> str:
    return escape(visible(unicode_text(text))).replace("\n", "&#10;")


def json_text(document: Any) -> str:
    return json_of(document, indent=2) + "\n"


def json_of(value: Any, *, indent: int | None = None, separators: tuple[str, str] | None = None) -> str:
    """A value as JSON.

    Nothing in it can start a line, change the direction of text, or be a command in a log; bytes that are not text are
    replaced, and numbers that are not finite are null.
    """
    text = json.dumps(_finite(value), ensure_ascii=False, allow_nan=False, indent=indent, separators=separators)
    # Outside strings JSON has none of what is replaced or escaped, and within them an escape means the same.
    return visible(unicode_text(text))


def _finite(value: Any) -> Any:
    match value:
        case float():
            return value if isfinite(value) else None
        case dict():
            return {key: _finite(each) for key, each in value.items()}
        case list() | tuple():
            return [_finite(each) for each in value]
    return value
