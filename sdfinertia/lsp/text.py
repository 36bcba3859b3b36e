"""The text of an editor as the bytes that it would save, and positions in it as the editor counts them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING

from lsprotocol.types import Position, Range, TextEdit

from sdfinertia.errors import Location, TextError
from sdfinertia.markup import Edit, encoding_of, line_starts

if TYPE_CHECKING:
    from pygls.workspace import PositionCodec

_BOM = "\ufeff"


class EditorText:
    """A text; `data` are the bytes that it would save, in the declared encoding, or UTF-8 where that cannot hold it."""

    def __init__(self, text: str, codec: PositionCodec) -> None:
        self._codec = codec
        self.data = text.encode("utf-8", "replace")
        # The encodings of `data`, and of the columns in reports.
        self._encoding = self._declared = "utf-8"
        # The parser reports an unknown encoding.
        with suppress(TextError, UnicodeError):
            self._declared = encoding_of(self.data)
            data = text.encode(self._declared)
            if data.decode(self._declared) == text:
                self.data, self._encoding = data, self._declared
        self._line_starts = line_starts(self.data)

    def position(self, offset: int) -> Position:
        line = bisect_right(self._line_starts, offset) - 1
        before = self.data[self._line_starts[line] : offset].decode(self._encoding, "replace")
        return Position(line, self._codec.client_num_units(before))

    def range(self, start: int, stop: int) -> Range:
        return Range(self.position(start), self.position(stop))

    def offset(self, position: Position) -> int:
        """The byte at a position; for one beyond its line or the text, one at the end of that."""
        if position.line >= len(self._line_starts):
            return len(self.data)
        start, end = self._line(position.line)
        line = self.data[start:end].decode(self._encoding, "replace")
        found = self._codec.position_from_client_units([line], Position(0, position.character))
        return start + len(line[: found.character].encode(self._encoding, "replace"))

    def offset_at(self, location: Location) -> int:
        """The byte at a location in this file."""
        line = min(max(location.line, 1), len(self._line_starts)) - 1
        start, end = self._line(line)
        text = self.data[start:end].decode(self._declared, "surrogateescape")
        characters = location.column - 1 + (line == 0 and text.startswith(_BOM))
        return start + len(text[:characters].encode(self._declared, "surrogateescape"))

    def text_edits(self, edits: Iterable[Edit]) -> list[TextEdit]:
        """The edits for an editor; adjacent ones are joined, since not all editors keep the order of insertions."""
        joined: list[Edit] = []
        for edit in sorted(edits, key=lambda edit: edit.start):
            if joined and joined[-1].stop == edit.start:
                start, _, new = joined.pop()
                edit = Edit(start, edit.stop, new + edit.replacement)
            joined.append(edit)
        return [TextEdit(self.range(start, stop), new.decode(self._encoding, "replace")) for start, stop, new in joined]

    def _line(self, line: int) -> tuple[int, int]:
        start = self._line_starts[line]
        stop = self._line_starts[line + 1] if line + 1 < len(self._line_starts) else len(self.data)
        return start, start + len(self.data[start:stop].rstrip(b"\r\n"))
