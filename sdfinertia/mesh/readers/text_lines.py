"""The lines of a text file as a table: where each begins and how many words it has."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

_BOM = b"\xef\xbb\xbf"


def unmarked(data: bytes) -> bytes:
    """The bytes of a text file without the byte order mark that some editors put before it."""
    return data.removeprefix(_BOM)


@dataclass(frozen=True, eq=False)
class TextLines:
    """Lines of text, found in a few passes over all bytes; a loop over lines takes ten times as long.

    Words are what stands between spaces and control characters. That is what `bytes.split` says too unless there are
    control characters other than white space, which no reader of numbers takes.

    Args:
        data: the text, in which every line ends with LF.
        starts: (n,) where each line begins.
        words: (n,) how many words each line has.
    """

    data: bytes
    starts: npt.NDArray[np.int64]
    words: npt.NDArray[np.int64]

    def first_characters(self, place: int = 0) -> npt.NDArray[np.uint8]:
        """(n,) The character at some place of each line; where the line is shorter, LF or what follows it."""
        characters = np.frombuffer(self.data, dtype=np.uint8)
        return characters[np.minimum(self.starts + place, len(characters) - 1)]

    def line(self, number: int) -> bytes:
        """The line of that number, counted from 0, without its end."""
        return self.data[int(self.starts[number]) : self._stop(number) - 1]

    def text(self, chosen: npt.NDArray[np.bool_]) -> bytes:
        """The text of chosen lines (n,), one after the other."""
        edges = np.flatnonzero(np.diff(chosen, prepend=False, append=False))
        firsts, lasts = edges[0::2].tolist(), (edges[1::2] - 1).tolist()
        runs = [(int(self.starts[first]), self._stop(last)) for first, last in zip(firsts, lasts, strict=True)]
        return b"".join([self.data[start:stop] for start, stop in runs])

    def _stop(self, number: int) -> int:
        return int(self.starts[number + 1]) if number + 1 < len(self.starts) else len(self.data)


def text_lines(data: bytes) -> TextLines:
    """The lines of a text; like `bytes.splitlines`, CR, LF, and both together end a line."""
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if data and not data.endswith(b"\n"):
        data += b"\n"
    if not data:
        return TextLines(data, np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64))
    characters = np.frombuffer(data, dtype=np.uint8)
    starts = np.concatenate(([0], np.flatnonzero(characters == ord("\n"))[:-1] + 1))
    begins_word = characters > ord(" ")
    begins_word[1:] &= characters[:-1] <= ord(" ")
    return TextLines(data, starts, np.add.reduceat(begins_word, starts, dtype=np.int64))
