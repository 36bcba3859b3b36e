"""How results show themselves where they are typed: one screen of text, and a table of HTML in a notebook."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import islice
from typing import Protocol, TypeVar

_MOST_LINES = 20
_MOST_ROWS = 200
_LONGEST_LINE = 160


class Listed(Protocol):
    """What stands on a line of a list, and in a row of a table."""

    def _line(self) -> str: ...

    def _cells(self) -> Sequence[object]: ...

    @classmethod
    def _header(cls) -> Sequence[str]: ...


_T = TypeVar("_T", bound=Listed)


class ResultList(list[_T]):
    """A list of results that fits a screen where it is shown, and is a table in a notebook."""

    def __repr__(self) -> str:
        return screen(f"{len(self)} results" if len(self) != 1 else "1 result", (entry._line() for entry in self))

    def _repr_html_(self) -> str:
        return table(self[0]._header() if self else (), (entry._cells() for entry in self), len(self))


def number(value: float) -> str:
    """A number as people read it."""
    return f"{value:.6g}"


def screen(head: str, lines: Iterable[str]) -> str:
    """A heading, and below it as many lines as fit a screen."""
    found = list(lines)
    shown = [f"  {line}" if len(line) <= _LONGEST_LINE else f"  {line[: _LONGEST_LINE - 3]}..." for line in found]
    if len(shown) > _MOST_LINES:
        shown = [*shown[: _MOST_LINES - 1], f"  ... and {len(shown) - _MOST_LINES + 1:,} more"]
    return "\n".join([head, *shown])


def table(header: Sequence[str], rows: Iterable[Sequence[object]], count: int | None = None, caption: str = "") -> str:
    """A table of HTML, in which nothing of what files say is markup.

    Args:
        count: of the rows, where they may be more than are shown.
    """
    return "".join(_pieces(header, rows, count, caption))


def _pieces(header: Sequence[str], rows: Iterable[Sequence[object]], count: int | None, caption: str) -> Iterator[str]:
    yield "<table>"
    if caption:
        yield f"<caption>{escape(caption)}</caption>"
    if header:
        yield f"<thead><tr>{''.join(f'<th>{escape(name)}</th>' for name in header)}</tr></thead>"
    yield "<tbody>"
    for row in islice(rows, _MOST_ROWS):
        yield f"<tr>{''.join(f'<td>{escape(_text(cell))}</td>' for cell in row)}</tr>"
    yield "</tbody></table>"
    if count is not None and count > _MOST_ROWS:
        yield f"<p>and {count - _MOST_ROWS:,} more</p>"


def _text(cell: object) -> str:
    if cell is None:
        return ""
    return number(cell) if isinstance(cell, float) else str(cell)
