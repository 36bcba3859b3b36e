"""Temporary files written beside the files they replace, and the leftovers of dead processes."""

from __future__ import annotations

import contextlib
import os
import platform
import re
from itertools import count

from sdfinertia.files.regular_file import is_inside

_PREFIX = ".sdfinertia-"
_TEMPORARY = re.escape(_PREFIX) + r"(?P<host>.+)-(?P<process>[0-9]+)-[0-9]+\.tmp"
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


def create_temporary(directory: str, mode: int) -> tuple[int, str]:
    """The descriptor and the path of a new file, whose name has the host and the process."""
    for number in count():
        path = os.path.join(directory, f"{_PREFIX}{platform.node()}-{os.getpid()}-{number}.tmp")
        with contextlib.suppress(FileExistsError):
            return os.open(path, _CREATE, mode), path
    raise AssertionError


class Leftovers:
    """The temporary files of dead processes in the directories that a run writes to; each is searched once."""

    def __init__(self) -> None:
        self._searched: set[tuple[str, str | None]] = set()

    def remove_beside(self, path: str, confine: str | None) -> None:
        directory = os.path.dirname(os.path.realpath(path))
        if (directory, confine) not in self._searched:
            self._searched.add((directory, confine))
            if confine is None or is_inside(directory, confine):
                remove_leftovers(directory)

    def __eq__(self, other: object) -> bool:
        # Work sent to other processes equals its copies there, though each has scanned other directories.
        return isinstance(other, Leftovers)

    __hash__ = None  # type: ignore[assignment]


def remove_leftovers(directory: str) -> None:
    with contextlib.suppress(OSError):
        for name in os.listdir(directory):
            match = re.fullmatch(_TEMPORARY, name) if name.startswith(_PREFIX) else None
            if match is not None and match["host"] == platform.node() and not _is_alive(int(match["process"])):
                with contextlib.suppress(OSError):
                    os.unlink(os.path.join(directory, name))


def _is_alive(process: int) -> bool:
    if os.name != "posix":
        return True
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        pass
    return True
