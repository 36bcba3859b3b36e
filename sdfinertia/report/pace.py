"""How fast a run went over its files, and which of them took longest."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from time import perf_counter

_SLOWEST = 3


class Pace:
    """The time from its making on, and that of each file."""

    def __init__(self) -> None:
        self._started = perf_counter()
        self._seconds: list[tuple[float, str]] = []

    def add(self, path: str, seconds: float) -> None:
        """Takes note of what a file took."""
        self._seconds.append((seconds, path))

    def lines(self) -> Iterator[str]:
        """Files per second, and the slowest of several files; nothing where there was none."""
        if not self._seconds:
            return
        elapsed = perf_counter() - self._started
        files = len(self._seconds)
        yield f"{files:,} {'file' if files == 1 else 'files'} in {elapsed:.2f} s ({files / elapsed:.3g} files/s)"
        if files > 1:
            slowest = heapq.nlargest(_SLOWEST, self._seconds)
            yield "slowest: " + ", ".join(f"{path} {seconds:.2f} s" for seconds, path in slowest)
