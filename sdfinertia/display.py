"""Results as one screen of text, where Python shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from sdfinertia.errors import printable

if TYPE_CHECKING:
    from collections.abc import Iterable

_MAX_LINES = 20
_LONGEST_LINE = 160
_T = TypeVar("_T")


class ResultList(list[_T]):
    """A list of results that fits a screen where it is shown."""

    def __repr__(self) -> str:
        return screen("1 result" if len(self) == 1 else f"{len(self):,} results", map(str, self))


def number(value: float) -> str:
    return f"{value:.6g}"


def screen(head: str, lines: Iterable[str]) -> str:
    """A heading, and below it as many lines as fit a screen."""
    shown = [f"  {printable(line)}" for line in lines]
    shown = [line if len(line) <= _LONGEST_LINE else f"{line[: _LONGEST_LINE - 3]}..." for line in shown]
    if len(shown) > _MAX_LINES:
        shown = [*shown[: _MAX_LINES - 1], f"  ... and {len(shown) - _MAX_LINES + 1:,} more"]
    return "\n".join([printable(head), *shown])
