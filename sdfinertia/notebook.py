"""The display of results: one screen of text in a terminal, and a table of HTML in a notebook."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import islice
from typing import Protocol, TypeVar

from sdfinertia.errors import printable

_MAX_LINES = 20
_MAX_ROWS = 200
_LONGEST_LINE = 160


class Listed(Protocol):
    """An entry of a list, on a line or in a row of a table."""

    def _row(self) -> Mapping[str, object]:
        """Its cells by the headings of their columns."""


_T = TypeVar("_T", bound=Listed)


class ResultList(list[_T]):
    """A list of results that fits a screen where it is shown, and is a table in a notebook."""

    def __repr__(self) -> str:
        return screen("1 result" if len(self) == 1 else f"{len(self):,} results", map(line_of, self))

    def _repr_html_(self) -> str:
        return table_of(self)


def number(value: float) -> str:
    """A number as people read it."""
    return f"{value:.6g}"


def line_of(entry: Listed) -> str:
    """A result on a line."""
    return "  ".join(filter(None, map(_text, entry._row().values())))


def screen(head: str, lines: Iterable[str]) -> str:
    """A heading, and below it as many lines as fit a screen."""
    shown = [f"  {printable(line)}" for line in lines]
    shown = [line if len(line) <= _LONGEST_LINE else f"{line[: _LONGEST_LINE - 3]}..." for line in shown]
    if len(shown) > _MAX_LINES:
        shown = [*shown[: _MAX_LINES - 1], f"  ... and {len(shown) - _MAX_LINES + 1:,} more"]
    return "\n".join([printable(head), *shown])


def table_of(results: Sequence[Listed], caption: str = "") -> str:
    """A table of HTML with a row for each result."""
    header = tuple(results[0]._row()) if results else ()
    more = len(results) - _MAX_ROWS
    shown = table(header, (tuple(result._row().values()) for result in islice(results, _MAX_ROWS)), caption)
    return f"{shown}<p>and {more:,} more</p>" if more > 0 else shown


def table(header: Sequence[str], rows: Iterable[Sequence[object]], caption: str = "") -> str:
    """A table of HTML; texts of files are escaped."""
    return "".join(_pieces(header, rows, caption))


def _pieces(header: Sequence[str], rows: Iterable[Sequence[object]], caption: str) -> Iterator[str]:
    yield "<table>"
    if caption:
        yield f"<caption>{escape(printable(caption))}</caption>"
    yield f"<thead><tr>{''.join(f'<th>{escape(name)}</th>' for name in header)}</tr></thead><tbody>"
    for row in rows:
        yield f"<tr>{''.join(f'<td>{escape(printable(_text(cell)))}</td>' for cell in row)}</tr>"
    yield "</tbody></table>"


def _text(cell: object) -> str:
    if cell is None:
        return ""
    return number(cell) if isinstance(cell, float) else str(cell)
