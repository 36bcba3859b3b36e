"""The lines of a text file as a table: where each begins and how many words it has."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

_BOM = b"\xef\xbb\xbf"
_INDENTATION = re.compile(rb"^[ \t\v\f]+", re.MULTILINE)


def unmarked(data: bytes) -> bytes:
    """The bytes of a text file without the byte order mark that some editors put before it."""
    return data.removeprefix(_BOM)


def is_space(characters: npt.NDArray[np.uint8]) -> npt.NDArray[np.bool_]:
    """Which of some characters are white space as `bytes.split` has it: the space, and those from 9 to 13."""
    spaces: npt.NDArray[np.bool_] = characters == ord(" ")
    spaces |= characters - np.uint8(9) < 5  # what is less than 9 wraps round
    return spaces


@dataclass(frozen=True, slots=True, eq=False)
class TextLines:
    """Lines of text, found in a few passes over all bytes; a loop over lines takes ten times as long.

    Args:
        data: the text without indentation, in which every line ends with LF.
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

    def chosen(self, which: npt.NDArray[np.bool_]) -> TextLines:
        """The lines that are chosen, (n,), alone."""
        edges = np.flatnonzero(np.diff(which, prepend=False, append=False))
        firsts, lasts = edges[0::2].tolist(), (edges[1::2] - 1).tolist()
        runs = [(int(self.starts[first]), self._stop(last)) for first, last in zip(firsts, lasts, strict=True)]
        sizes = np.diff(self.starts, append=len(self.data))[which]
        return TextLines(
            b"".join([self.data[start:stop] for start, stop in runs]), np.cumsum(sizes) - sizes, self.words[which]
        )

    def chosen_words(self, places: npt.NDArray[np.int64]) -> bytes:
        """The words of those numbers, counted through all lines from 0, with spaces between them."""
        return b" ".join(map(self.data.split().__getitem__, places.tolist()))

    def first_words(self) -> npt.NDArray[np.int64]:
        """(n,) The number of each line's first word, counted through all lines from 0."""
        return np.asarray(np.cumsum(self.words) - self.words, dtype=np.int64)

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
    space = is_space(characters)
    begins_word = ~space
    begins_word[1:] &= space[:-1]
    words = np.add.reduceat(begins_word, starts, dtype=np.int64)
    if (space[starts] & (words > 0)).any():
        return text_lines(_INDENTATION.sub(b"", data))
    return TextLines(data, starts, words)
