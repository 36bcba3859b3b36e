"""Lines of a file as GitHub's code scanning follows them."""

from __future__ import annotations

import re

# Characters in the hash of a line, its factor, and its modulus.
_LENGTH, _FACTOR, _WORD = 100, 37, 1 << 64
# Ends the characters of a file; zeros follow.
_END_OF_FILE = "\uffff"
_BEYOND_16_BITS = re.compile("[\U00010000-\U0010ffff]")


class LineHashes:
    """The fingerprints of lines by which GitHub's code scanning follows an alert while a file is edited.

    GitHub's upload action adds the same where a log lacks it (github/codeql-action, `src/fingerprints.ts`): a
    polynomial hash of the characters from the start of the line, without blanks. The content is taken as UTF-8 whatever
    it declares.
    """

    def __init__(self, content: bytes) -> None:
        text = content.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
        text = _BEYOND_16_BITS.sub(_halves, text.replace(" ", "").replace("\t", "")) + _END_OF_FILE
        # Lines with equal windows are numbered; hashes are computed on request.
        self._numbered: list[tuple[str, int]] = []
        met: dict[str, int] = {}
        start = 0
        while start < len(text):
            window = text[start : start + _LENGTH]
            met[window] = met.get(window, 0) + 1
            self._numbered.append((window, met[window]))
            start = text.find("\n", start) + 1 or len(text)

    def of_line(self, line: int) -> str | None:
        if not 1 <= line <= len(self._numbered):
            return None
        window, number = self._numbered[line - 1]
        value = 0
        for character in window.ljust(_LENGTH, "\0"):
            value = (value * _FACTOR + ord(character)) % _WORD
        return f"{value:x}:{number}"


def _halves(found: re.Match[str]) -> str:
    """A character beyond 16 bits as its two UTF-16 halves."""
    offset = ord(found[0]) - 0x10000
    return chr(0xD800 + (offset >> 10)) + chr(0xDC00 + (offset & 0x3FF))
