"""Numbers of a page, each marked with its dimension, so that the page can show them in other units."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from sdfinertia.errors import unicode_text
from sdfinertia.report.findings.wording import visible

# Digits of the table; the whole numbers are in the titles of its cells.
_SHOWN_DIGITS = 4
# Dimensions, with the units that the page opens with. The script knows the others.
MASS, LENGTH, INERTIA, DENSITY, VOLUME, ANGLE = "mass", "length", "inertia", "density", "volume", "angle"
_UNITS = {MASS: "kg", LENGTH: "m", INERTIA: "kg·m²", DENSITY: "kg/m³", VOLUME: "m³", ANGLE: "°"}


def text_of(text: str) -> str:
    """A text as HTML can carry it, on one line of its source."""
    return escape(visible(unicode_text(text))).replace("\n", "&#10;")


def short(value: float) -> str:
    """A number with few digits."""
    return f"{value:.{_SHOWN_DIGITS}g}" if value else "0"


def unit(dimension: str) -> str:
    """The unit of a dimension, as the page changes it."""
    return f'<span class="unit" data-d="{dimension}">{_UNITS[dimension]}</span>'


def quantity(value: float, dimension: str) -> str:
    """A number, as the page changes it."""
    return f'<span class="q" data-d="{dimension}" data-v="{value!r}">{short(value)}</span>'


def triple(values: Sequence[float], dimension: str, kind: str, scale: float = 0.0) -> str:
    """Three numbers below each other; what is rounding beside the scale is shown as zero.

    Args:
        kind: "xyz" or "axes", by which they are marked.
        scale: of the numbers, where that is not the largest of them.
    """
    noise = 1e-12 * max(scale if scale > 0.0 else 0.0, *(abs(value) for value in values))
    shown = [value if not abs(value) <= noise else 0.0 for value in values]
    title = " ".join(repr(value) for value in values)
    lines = "".join(f"<div>{quantity(value, dimension)}</div>" for value in shown)
    return f'<div class="{kind}" title="{title}">{lines}</div>'
