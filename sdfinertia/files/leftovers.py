"""Names of temporary files, and what dead processes left of them."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from itertools import count

from sdfinertia.files.confinement import is_inside
from sdfinertia.files.open_directory import OpenDirectory

_PREFIX = ".sdfinertia-"
_TEMPORARY = re.escape(_PREFIX) + r"(?P<host>.+)-(?P<process>[0-9]+)-[0-9]+\.tmp"


def temporary_names() -> Iterator[str]:
    """Names that tell host and process, so that the leftovers of a dead process can be told; without end."""
    return (f"{_PREFIX}{_host()}-{os.getpid()}-{number}.tmp" for number in count())


def created_temporary(directory: OpenDirectory) -> tuple[int, str]:
    """The descriptor and the name of a new file that nobody else may read.

    Raises:
        OSError: there can be none.
    """
    names = temporary_names()
    while True:
        name = next(names)
        with contextlib.suppress(FileExistsError):
            return directory.create(name), name


class Leftovers:
    """What dead processes left in the directories that a run writes to; each is looked through once."""

    def __init__(self) -> None:
        self._cleaned: set[str] = set()
        self._cleaned_beside: set[tuple[str, str | None]] = set()

    def remove_beside(self, path: str, confine: str | None) -> None:
        """Removes what lies in the directory of a file, unless that is outside the confinement."""
        # The files of a directory, but for links that lead elsewhere, are spared the way along all its parents.
        if not os.path.islink(path):
            beside = (os.path.dirname(path), confine)
            if beside in self._cleaned_beside:
                return
            self._cleaned_beside.add(beside)
        directory = os.path.dirname(os.path.realpath(path))
        if directory not in self._cleaned and (confine is None or is_inside(directory, confine)):
            self._cleaned.add(directory)
            remove_leftovers(directory)

    def __eq__(self, other: object) -> bool:
        # Work that is sent to other processes equals its copies there, whatever each has looked through.
        return isinstance(other, Leftovers)

    __hash__ = None  # type: ignore[assignment]


def remove_leftovers(directory: str) -> None:
    """Removes temporary files that dead processes of this host left in a directory, given by its real path."""
    with contextlib.suppress(OSError), OpenDirectory(directory) as opened:
        for name in opened.names():
            match = re.fullmatch(_TEMPORARY, name) if name.startswith(_PREFIX) else None
            if match is None or match["host"] != _host():
                continue
            if not _is_alive(int(match["process"])):
                with contextlib.suppress(OSError):
                    opened.remove(name)


def _host() -> str:
    if hasattr(os, "uname"):
        return os.uname().nodename
    import platform

    return platform.node()


def _is_alive(process: int) -> bool:
    if os.name != "posix":
        return True
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True
