"""Whether the observations of an earlier run still hold."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from sdfinertia.files.observations import observed, stamp_now

if TYPE_CHECKING:
    from sdfinertia.files.observations import Fact, Stamp


class Present:
    """The present state of paths, cached."""

    def __init__(self) -> None:
        self._stamps: dict[str, Stamp] = {}
        self._found: dict[tuple[str, str], tuple[str, Stamp]] = {}

    def still(self, fact: Fact) -> Fact | None:
        """The fact, with its present stamp, if it still holds; a KeyError for a kind that there is none of."""
        kind, path, value, stamp = fact
        if stamp and stamp == self._stamp(path):
            return fact
        key = kind, path
        if key not in self._found:
            self._found[key] = observed(kind, path)
        found, now = self._found[key]
        if found != value:
            return None
        return fact if now == stamp else (kind, path, value, now)

    def _stamp(self, path: str) -> Stamp:
        if path not in self._stamps:
            self._stamps[path] = ""
            with suppress(OSError, ValueError):
                self._stamps[path] = stamp_now(os.stat(path))
        return self._stamps[path]
