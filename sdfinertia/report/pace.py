"""How fast a run went over its files, and which of them took longest."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from time import perf_counter

_SLOWEST = 3


class Pace:
    """The time from its making on, and that of the slowest of any number of files."""

    def __init__(self) -> None:
        self._started = perf_counter()
        self._files = 0
        self._slowest: list[tuple[float, str]] = []

    def add(self, path: str, seconds: float) -> None:
        """Takes note of what a file took."""
        self._files += 1
        if len(self._slowest) < _SLOWEST:
            heapq.heappush(self._slowest, (seconds, path))
        else:
            heapq.heappushpop(self._slowest, (seconds, path))

    def lines(self) -> Iterator[str]:
        """Files per second, and the slowest of several files; nothing where there was none."""
        files = self._files
        if not files:
            return
        elapsed = perf_counter() - self._started
        yield f"{files:,} {'file' if files == 1 else 'files'} in {elapsed:.2f} s ({files / elapsed:.3g} files/s)"
        if files > 1:
            slowest = sorted(self._slowest, reverse=True)
            yield "slowest: " + ", ".join(f"{path} {seconds:.2f} s" for seconds, path in slowest)
