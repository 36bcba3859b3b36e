"""Whether what an earlier run looked at is still there as it was."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from sdfinertia.files.observations import look

if TYPE_CHECKING:
    from sdfinertia.files.observations import Fact, Stamp


class Present:
    """What is there now; each path is looked at once."""

    def __init__(self) -> None:
        self._stamps: dict[str, Stamp | None] = {}
        self._found: dict[tuple[str, str], tuple[str, Stamp | None]] = {}

    def still(self, fact: Fact) -> Fact | None:
        """The fact, with its present stamp, if it still holds; a KeyError for a kind that there is none of."""
        if fact.stamp is not None and fact.stamp == self._stamp(fact.path):
            return fact
        key = fact.kind, fact.path
        if key not in self._found:
            self._found[key] = look(*key)
        value, stamp = self._found[key]
        if value != fact.value:
            return None
        return fact if stamp == fact.stamp else fact._replace(stamp=stamp)

    def _stamp(self, path: str) -> Stamp | None:
        if path not in self._stamps:
            stamp = None
            with suppress(OSError, ValueError):
                state = os.stat(path)
                stamp = state.st_size, state.st_ino, state.st_dev, state.st_mtime_ns, state.st_ctime_ns
            self._stamps[path] = stamp
        return self._stamps[path]
