"""Atomic writing: after any failure, a file is wholly old or wholly new.

A file is replaced by another that is written beside it first. Between the last look at the old one and its replacement
lie some microseconds: writes of other processes in between are lost. POSIX offers nothing against that without locks.
"""

from __future__ import annotations

import os
import platform
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache, partial
from typing import NamedTuple

from sdfinertia.errors import WriteError
from sdfinertia.files import NO_FOLLOWING, is_inside, reason_of, write_whole

# Attempts before a file whose rights or times keep changing is given up.
_MAX_ATTEMPTS = 10
_KINDS = (
    (stat.S_ISDIR, "is a directory"),
    (stat.S_ISFIFO, "is a pipe"),
    (stat.S_ISSOCK, "is a socket"),
    (stat.S_ISBLK, "is a disk"),
)
# Names of the streams that a process inherits.
_STANDARD = {"/dev/stdin": 0, "/dev/stdout": 1, "/dev/stderr": 2}
_NUMBERED = r"/(?:dev/fd|proc/self/fd)/([0-9]{1,9})"


class _OnDisk(NamedTuple):
    """The state is from before the content was read, so that any later write shows."""

    content: bytes
    state: os.stat_result


def replace_file(path: str, content: bytes, *, expected: bytes, confine: str | None = None) -> list[str]:
    """Replaces a file that still has the content expected, and returns notes; a symbolic link stays one."""
    limit = max(len(content), len(expected)) + 1
    with _reported(path):
        target = _resolved(path, confine)
        seen = _read_from_disk(target, limit)
        if not _is_due(seen, content, expected):
            return []
        with _written_beside(target, content) as new:
            for _ in range(_MAX_ATTEMPTS):
                notes, before = _take_attributes(new, target, path), seen
                seen = _read_from_disk(target, limit)
                if not _is_due(seen, content, expected):
                    return []
                # Else its times or rights changed, or it was written again with the same content.
                if _identity(os.lstat(target)) == _identity(before.state):
                    os.replace(new, target)
                    return notes
    raise WriteError("keeps changing on disk; not written", file=path, remedy="run again")


def _is_due(seen: _OnDisk, content: bytes, expected: bytes) -> bool:
    """False if another run on the same tree was quicker."""
    if seen.content not in (content, expected):
        raise WriteError("changed on disk since it was read; not written", remedy="run again")
    return seen.content != content


def write_file(path: str, content: bytes, *, confine: str | None = None) -> list[str]:
    """Writes a file atomically, and returns notes; open descriptors and devices are written as they are."""
    with _reported(path):
        descriptor = descriptor_named(path)
        if descriptor is not None:
            _write(descriptor, content)
            return []
        target = _resolved(path, confine)
        if _is_device(target):
            # A terminal, or /dev/null.
            with open(target, "wb", buffering=0) as device:
                write_whole(device.write, content)
            return []
        with _written_beside(target, content) as new:
            notes = _take_attributes(new, target, path)
            os.replace(new, target)
            return notes


def refuse_unwritable(path: str, confine: str | None = None) -> None:
    """Raises beforehand what `write_file` would, as far as possible."""
    with _reported(path):
        descriptor = descriptor_named(path)
        if descriptor is not None:
            os.fstat(descriptor)
        else:
            _is_device(_resolved(path, confine))


def is_same_file(path: str, other: str) -> bool:
    try:
        return os.path.samefile(path, other)
    except (OSError, ValueError):
        return False


def descriptor_named(path: str) -> int | None:
    """Of names such as `/dev/fd/3` and `/dev/stdout`."""
    match = re.fullmatch(_NUMBERED, path)
    return int(match[1]) if match else _STANDARD.get(path)


@contextmanager
def _written_beside(target: str, content: bytes) -> Iterator[str]:
    """The path of a new file, which is renamed in the block, or else removed."""
    # A private file is never open to others.
    mode = 0o600 if os.path.lexists(target) else 0o666
    descriptor, path = _create_temporary(os.path.dirname(target), mode)
    try:
        try:
            _write(descriptor, content)
            os.fsync(descriptor)
        finally:
            # Before the renaming, for Windows.
            os.close(descriptor)
        yield path
    finally:
        with suppress(OSError):
            os.unlink(path)


def _take_attributes(new: str, target: str, path: str) -> list[str]:
    """Takes those of the file to be replaced; returns notes, which call that `path`."""
    from shutil import copystat

    with suppress(FileNotFoundError):
        old = os.lstat(target)
        if not os.access(target, os.W_OK):
            raise WriteError("is not writable")
        # As root, in a container too, a file stays its owner's.
        with suppress(OSError, AttributeError):
            os.chown(new, old.st_uid, old.st_gid)
        copystat(target, new)
        # Programs that build, such as make, look at the time.
        os.utime(new)
        if old.st_nlink > 1:
            return [f"{path}: was one of {old.st_nlink} hard links; it is a separate file now"]
    return []


@contextmanager
def _reported(path: str) -> Iterator[None]:
    try:
        yield
    except WriteError as error:
        # It may name the file by its real path, or by none.
        raise WriteError(error.problem, remedy=error.remedy, file=path) from None
    except (OSError, ValueError) as error:
        # The latter for a name that holds a NUL.
        raise WriteError(f"cannot be written: {reason_of(error)}", file=path) from None


def _resolved(path: str, confine: str | None) -> str:
    target = os.path.realpath(path)
    if confine is not None and path != os.devnull and not is_inside(target, confine):
        raise WriteError(f"is outside {os.path.abspath(confine)}, and not written", file=path)
    return target


def _is_device(target: str) -> bool:
    try:
        mode = os.stat(target).st_mode
    except FileNotFoundError:
        return False
    for is_kind, what in _KINDS:
        if is_kind(mode):
            raise WriteError(what, file=target, remedy="name a file, or - for standard output")
    return stat.S_ISCHR(mode)


def _write(descriptor: int, data: bytes) -> None:
    write_whole(partial(os.write, descriptor), data)


def _read_from_disk(target: str, limit: int) -> _OnDisk:
    with open(os.open(target, NO_FOLLOWING), "rb", buffering=0) as file:
        state = os.fstat(file.fileno())
        if not stat.S_ISREG(state.st_mode):
            raise WriteError("is not a regular file any more")
        pieces: list[bytes] = []
        while limit > 0 and (piece := file.read(limit)):
            pieces.append(piece)
            limit -= len(piece)
    return _OnDisk(b"".join(pieces), state)


def _identity(state: os.stat_result) -> tuple[int, ...]:
    # Size and modification time can be set back (`touch -r`); the time of the last change of state cannot. On Windows
    # that is the time of creation, always the same.
    return state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns, state.st_ctime_ns


# Temporary files beside those they replace, and the leftovers of dead processes ---------------------------------------

_PREFIX = ".sdfinertia-"
_TEMPORARY = re.escape(_PREFIX) + r"(?P<host>.+)-(?P<process>[0-9]+)-[0-9]+\.tmp"
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


def _create_temporary(directory: str, mode: int) -> tuple[int, str]:
    _remove_leftovers_once(directory)
    # Not a name that another thread may have by now.
    number = int.from_bytes(os.urandom(8), "big")
    path = os.path.join(directory, f"{_PREFIX}{platform.node()}-{os.getpid()}-{number}.tmp")
    return os.open(path, _CREATE, mode), path


@cache
def _remove_leftovers_once(directory: str) -> None:
    """Of the files of one directory a run may write thousands."""
    remove_leftovers(directory)


def remove_leftovers(directory: str) -> None:
    with suppress(OSError):
        for name in os.listdir(directory):
            match = re.fullmatch(_TEMPORARY, name) if name.startswith(_PREFIX) else None
            if match is not None and match["host"] == platform.node() and not _is_alive(int(match["process"])):
                with suppress(OSError):
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
