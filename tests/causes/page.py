"""The sections of the page of causes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from sdfinertia.causes.registry import HYPOTHESES

_OF_DIGITS = {
    "axes": ("quaternion-order", "rotation-inverted", "rotation-missing", "rotation-surplus"),
    "digits": ("formula-slip", "one-entry-wrong"),
    "formula": ("diameter-for-radius",),
    "reference point": ("parallel-axis-wrong-way",),
    "scale": ("mass-left-out", "solid-steel"),
    "signs": ("centre-sign", "tensor-not-mirrored"),
}
GROUP_OF_CAUSE = {one.name: one.group for one in HYPOTHESES} | {
    name: group for group, names in _OF_DIGITS.items() for name in names
}
_PAGE = Path(__file__).parents[2] / "docs" / "reference" / "causes.md"


class Section(NamedTuple):
    """What the page says of a mistake; `foot` has the labels and the place of a public case."""

    cause: str
    what: str
    wrong: str
    right: str
    foot: str

    @property
    def place(self) -> tuple[str, str, str, str] | None:
        """Repository, commit, file and link of a public case; directories between are for the reader."""
        match = re.search(r"`([\w./-]+)@([0-9a-f]{8})` (.+)\.$", self.foot)
        if match is None:
            return None
        *_, file, link = match[3].split()
        return match[1], match[2], file, link


def sections() -> list[Section]:
    """All of them, in the order of the page."""
    _, *parts = re.split(r"^### ", _PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    found = []
    for part in parts:
        cause, what, numbers, *foot = part.partition("\n## ")[0].strip().split("\n\n")
        wrong, right = re.fullmatch(r"\* Wrong: (.+)\n\* Right: (.+)", numbers).groups()  # type: ignore[union-attr]
        found.append(Section(cause, what, wrong, right, " ".join(foot)))
    return found


def groups() -> dict[str, list[str]]:
    """The causes below each heading of the page, in its order."""
    _, *parts = re.split(r"^## ", _PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {part.partition("\n")[0]: re.findall(r"^### (.+)$", part, re.MULTILINE) for part in parts}
