"""The rows of the page of causes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

_PAGE = Path(__file__).parents[2] / "docs" / "reference" / "causes.md"


class Row(NamedTuple):
    """What the page says of a mistake."""

    cause: str
    what: str
    undo: str
    case: str

    @property
    def place(self) -> tuple[str, str, str, str] | None:
        """Repository, commit, file and link of a public case; directories between are for the reader."""
        match = re.search(r"\(`([\w./-]+)@([0-9a-f]{8})` (.+)\)$", self.case)
        if match is None:
            return None
        *_, file, link = match[3].split()
        return match[1], match[2], file, link


def rows() -> list[Row]:
    """All of them, in the order of the page."""
    lines = _PAGE.read_text(encoding="utf-8").splitlines()
    cells = [re.split(r" (?<!\\)\| ", line.strip("| ")) for line in lines if line.startswith("| ")]
    return [Row(*row) for row in cells[1:]]
