"""Pages of exact lines, by name, in a file that is written anew where a change is meant: SDFINERTIA_WRITE_PAGES=1."""

from __future__ import annotations

import os
import re
from math import isclose
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

_NUMBER = re.compile(r"-?\d+\.?\d*(?:e[-+]\d+)?")


def read_pages(path: Path, names: Iterable[str], lines_of: Callable[[str], Iterable[str]]) -> dict[str, list[str]]:
    if os.environ.get("SDFINERTIA_WRITE_PAGES"):
        text = "".join(f"{line}\n" for name in names for line in (f"## {name}", *lines_of(name)))
        path.write_text(text, encoding="utf-8")
    _, *parts = re.split(r"^## ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {part.partition("\n")[0]: part.splitlines()[1:] for part in parts}


def compare(lines: Sequence[str], expected: Sequence[str]) -> None:
    """Words have to be the same, and numbers to five digits."""
    for line, right in zip(lines, expected, strict=False):
        assert _NUMBER.sub("0", line) == _NUMBER.sub("0", right)
        pairs = zip(_NUMBER.findall(line), _NUMBER.findall(right), strict=True)
        assert [(a, b) for a, b in pairs if not isclose(float(a), float(b), rel_tol=1e-5, abs_tol=1e-9)] == [], right
    assert len(lines) == len(expected)
