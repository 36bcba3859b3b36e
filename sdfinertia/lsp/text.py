"""The text of an editor as the bytes that it would save, and places in it as the editor counts them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from lsprotocol.types import Position, PositionEncodingKind, Range, TextEdit

from sdfinertia.errors import Location, TextError
from sdfinertia.lazy import cached_property
from sdfinertia.markup.document import Edit
from sdfinertia.markup.text import encoding_of, line_starts

_BOM = "\ufeff"


class EditorText:
    """A text; `data` are the bytes that it would save, in the declared encoding, or UTF-8 where that cannot hold it.

    Places are counted in the text, so that they are right whatever bytes it is saved as.
    """

    def __init__(self, text: str, units: PositionEncodingKind | str = PositionEncodingKind.Utf16) -> None:
        self._units = units
        self.data = text.encode("utf-8", "replace")
        # The encodings of `data`, the declared one, and the one in which reports count columns.
        self._encoding = self._declared = "utf-8"
        try:
            self._declared = encoding_of(self.data)
        except TextError:
            # The parser reports it.
            return
        if self._declared != "utf-8":
            try:
                data = text.encode(self._declared)
                is_held = data.decode(self._declared) == text
            except UnicodeError:
                is_held = False
            if is_held:
                self.data, self._encoding = data, self._declared

    def position(self, offset: int) -> Position:
        line = bisect_right(self._line_starts, offset) - 1
        return Position(line, self._length(self._decoded(self._line_starts[line], offset)))

    def range(self, start: int, stop: int) -> Range:
        return Range(self.position(start), self.position(stop))

    def offset(self, position: Position) -> int:
        """The byte at a place; for one beyond its line or the text, the end of that."""
        if position.line >= len(self._line_starts):
            return len(self.data)
        start, end = self._line(position.line)
        text = self._decoded(start, end)
        if text.isascii():
            return start + min(position.character, len(text))
        units = taken = 0
        for character in text:
            units += self._length(character)
            if units > position.character:
                break
            taken += 1
        return start + len(text[:taken].encode(self._encoding, "surrogateescape"))

    def offset_at(self, location: Location) -> int:
        """The byte at a location in this file."""
        line = min(max(location.line, 1), len(self._line_starts)) - 1
        start, end = self._line(line)
        text = self.data[start:end].decode(self._declared, "surrogateescape")
        characters = location.column - 1 + (line == 0 and text.startswith(_BOM))
        return start + len(text[:characters].encode(self._declared, "surrogateescape"))

    def line_range(self, offset: int) -> Range:
        """From a byte to the end of its line."""
        _, end = self._line(bisect_right(self._line_starts, offset) - 1)
        return self.range(offset, max(offset, end))

    def text_edits(self, edits: Iterable[Edit]) -> list[TextEdit]:
        """The edits for an editor; adjacent ones are joined, since not all editors keep the order of insertions."""
        joined: list[Edit] = []
        for edit in sorted(edits, key=lambda edit: edit.start):
            if joined and joined[-1].stop == edit.start:
                start, _, new = joined.pop()
                edit = Edit(start, edit.stop, new + edit.replacement)
            joined.append(edit)
        return [TextEdit(self.range(start, stop), new.decode(self._encoding, "replace")) for start, stop, new in joined]

    @cached_property
    def _line_starts(self) -> list[int]:
        return line_starts(self.data)

    def _line(self, line: int) -> tuple[int, int]:
        """The span of a line without its end of line."""
        start = self._line_starts[line]
        stop = self._line_starts[line + 1] if line + 1 < len(self._line_starts) else len(self.data)
        return start, start + len(self.data[start:stop].rstrip(b"\r\n"))

    def _decoded(self, start: int, stop: int) -> str:
        return self.data[start:stop].decode(self._encoding, "surrogateescape")

    def _length(self, text: str) -> int:
        if text.isascii() or self._units == PositionEncodingKind.Utf32:
            return len(text)
        if self._units == PositionEncodingKind.Utf8:
            return len(text.encode("utf-8", "surrogateescape"))
        return len(text) + sum(character > "\uffff" for character in text)
