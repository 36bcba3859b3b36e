"""How numbers, entries and lists are said in the sentences of explanations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sdfinertia.causes.case import EntryTexts, GeometryBody
from sdfinertia.causes.clues import ENTRIES, FILE_ORDER, Clues
from sdfinertia.causes.components import Array


def said(value: float) -> str:
    return f"{value + 0.0:.4g}"


def said_all(values: Iterable[float]) -> str:
    return " ".join(said(float(value)) for value in values)


def row(six: Array) -> str:
    """Six numbers in the order of a file: ixx ixy ixz iyy iyz izz."""
    return said_all(six[k] for k in FILE_ORDER)


def as_written(clues: Clues, entry: int) -> str:
    return clues.texts[entry] or said(float(clues.six[entry]))


def listed(words: Iterable[str]) -> str:
    *rest, last = list(words)
    return f"{', '.join(rest)} and {last}" if rest else last


def entries(indices: Iterable[int]) -> str:
    chosen = set(indices)
    return listed(ENTRIES[k] for k in FILE_ORDER if k in chosen)


def geometry_name(body: GeometryBody) -> str:
    """What a body of the geometry is called: the collision mesh as a hull."""
    what = f"{body.source.value} mesh" if body.is_exact_mesh or body.faces else f"{body.source.value} geometry"
    return f"the {what}" if body.filling.value == "solid" else f"the {what} as a {body.filling.value}"


def exchanged_texts(clues: Clues, origins: Sequence[int], negated: Sequence[bool] | None = None) -> EntryTexts:
    """The texts at other entries, and with other signs."""
    return EntryTexts(
        *(
            "" if origin < 0 else with_sign(clues.texts[origin], turned=negated is not None and negated[k])
            for k, origin in enumerate(origins)
        )
    )


def with_sign(text: str, *, turned: bool) -> str:
    """The text of a number, with the other sign where it turns; a zero has none."""
    if not turned or not text or not text.strip("+-0.eE"):
        return text
    return text[1:] if text[0] == "-" else f"-{text.lstrip('+')}"
