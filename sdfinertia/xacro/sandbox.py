"""Limits of the process that runs xacro, which evaluates Python.

An audit hook, which cannot be removed, refuses everything but reading regular files.
"""

from __future__ import annotations

import os
import resource
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sdfinertia.files.regular_file import is_inside

if TYPE_CHECKING:
    from collections.abc import Iterator

_BYTES = 2 << 30

TRUST = "give --trust-xacro if you trust the file"
# Audit events of expanding a document; all others are refused.
_HARMLESS = frozenset(
    {
        *("compile", "exec", "code.__new__", "marshal.loads", "object.__getattr__", "sys._getframe", "builtins.id"),
        *("cpython.run_command", "gc.collect", "sys._current_frames"),
    }
)
_LISTS = frozenset({"os.listdir", "os.scandir", "os.walk", "os.fwalk", "glob.glob", "glob.glob/2"})
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


class RefusedError(Exception):
    """An operation that xacro may not do."""

    def __init__(self, problem: str, remedy: str = "") -> None:
        super().__init__(problem)
        self.problem = problem
        self.remedy = remedy


class MissingError(RefusedError):
    """An argument or value is missing, which another file, or the command line, may give."""


def limit_resources(seconds: int, size: int = _BYTES) -> None:
    """Limits time and memory of this process, and forbids it to write files; does nothing on Windows."""
    if sys.platform == "win32":
        return

    for kind, most in ((resource.RLIMIT_CPU, seconds), (resource.RLIMIT_AS, size), (resource.RLIMIT_FSIZE, 0)):
        hard = resource.getrlimit(kind)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (most, most))


class Guard:
    """The audit hook of the process; with `confine` nothing is read or listed outside that directory."""

    def __init__(self, confine: str | None) -> None:
        self._confine = confine
        self._is_ours = False

    def install(self) -> None:
        sys.addaudithook(self._audit)

    @contextmanager
    def ours(self) -> Iterator[None]:
        """Allows our own code to read, which respects --confine by itself."""
        before, self._is_ours = self._is_ours, True
        try:
            yield
        finally:
            self._is_ours = before

    def require_permitted(self, path: str) -> None:
        if self._confine is not None and not is_inside(path, self._confine):
            raise RefusedError(f"{path!r} is outside {self._confine}", "give --confine a wider directory")

    def _audit(self, event: str, arguments: tuple[object, ...]) -> None:
        if self._is_ours or event in _HARMLESS:
            return
        if event == "open":
            path, mode, flags = arguments
            is_writing = (isinstance(mode, str) and not set("wax+").isdisjoint(mode)) or (
                isinstance(flags, int) and flags & _WRITES != 0
            )
            if is_writing:
                raise RefusedError(f"xacro tried to write {path!r}")
            if isinstance(path, (str, bytes)):
                name = os.fsdecode(path)
                self.require_permitted(name)
                if os.path.exists(name) and not os.path.isfile(name):
                    raise RefusedError(f"{name!r} is not a regular file")
        elif event in _LISTS:
            if isinstance(arguments[0], (str, bytes)):
                self.require_permitted(os.fsdecode(arguments[0]).partition("*")[0] or os.curdir)
        elif event == "import":
            raise RefusedError(f"xacro tried to import {arguments[0]!r}")
        else:
            raise RefusedError(f"xacro tried a forbidden operation ({event})")
