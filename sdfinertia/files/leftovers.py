"""Names of temporary files, and what dead processes left of them."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from itertools import count

_PREFIX = ".sdfinertia-"
_TEMPORARY = re.escape(_PREFIX) + r"(?P<host>.+)-(?P<process>[0-9]+)-[0-9]+\.tmp"


def temporary_names() -> Iterator[str]:
    """Names that tell host and process, so that the leftovers of a dead process can be told; without end."""
    return (f"{_PREFIX}{_host()}-{os.getpid()}-{number}.tmp" for number in count())


def remove_leftovers(directory: str) -> None:
    """Removes temporary files that dead processes of this host left in a directory."""
    try:
        with os.scandir(directory) as entries:
            names = [entry.name for entry in entries if entry.name.startswith(_PREFIX)]
    except OSError:
        return
    for name in names:
        match = re.fullmatch(_TEMPORARY, name)
        if match is None or match["host"] != _host():
            continue
        if not _is_alive(int(match["process"])):
            with contextlib.suppress(OSError):
                os.unlink(os.path.join(directory, name))


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
