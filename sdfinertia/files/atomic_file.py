"""Atomic writing: after any failure, a file is wholly old or wholly new.

A file is replaced by another that is written beside it first. Between the last check of the old one and its replacement
lie some microseconds: writes of other processes in between are lost. POSIX offers nothing against that without locks.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from sdfinertia.errors import WriteError
from sdfinertia.files.regular_file import (
    Identity,
    OpenDirectory,
    identity_of,
    is_inside,
    is_regular,
    reason_of,
    write_whole,
)
from sdfinertia.files.temporary_file import TemporaryFile
from sdfinertia.named_tuple import NamedTuple

# Bytes of a file that are read to decide whether it may be replaced; no longer file is.
_LONGEST = 1 << 28
_PIECE = 1 << 20
# Attempts before a file whose rights or place keep changing is given up.

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

# Whether a file with this content, or none, is to be replaced; a WriteError if it must not be.
Judge = Callable[[bytes | None], bool]


class _Seen(NamedTuple):
    """The content of a file, and its state from before it was read, so that any later write shows."""

    content: bytes | None
    identity: Identity | None
    links: int


def replace_file(path: str, content: bytes, *, expected: bytes, confine: str | None = None) -> list[str]:
    """Replaces the content of a file, and returns notes; a symbolic link keeps pointing to the file.

    Args:
        expected: the content of the file when it was read.
        confine: a directory outside which no file is written.
    """

    def is_as_expected(found: bytes | None) -> bool:
        if found is None:
            raise WriteError("cannot be written: No such file or directory", file=path)
        if found == content:
            # Another run on the same tree was quicker.
            return False
        if found == expected:
            return True
        raise WriteError("changed on disk since it was read; not written", file=path, remedy="run again")

    with _reported(path):
        target = _resolved(path, confine)
        return _put(path, target, content, is_as_expected, limit=max(len(content), len(expected)) + 1)


def write_file(
    path: str, content: bytes, *, may_replace: Callable[[bytes], bool] | None = None, confine: str | None = None
) -> list[str]:
    """Writes a file atomically, and returns notes; open descriptors and devices are written as they are.

    Args:
        may_replace: whether existing content may be replaced; an empty file always may.
        confine: a directory outside which no file is written, except descriptors the caller opened.
    """
    with _reported(path):
        descriptor = descriptor_named(path)
        if descriptor is not None:
            _write(descriptor, content)
            return []
        target = _resolved(path, confine)
        if _is_device(target):
            _write_device(target, content)
            return []
        return _put(path, target, content, _judge_of(path, may_replace), limit=_LONGEST)


def refuse_unwritable(
    path: str, may_replace: Callable[[bytes], bool] | None = None, confine: str | None = None
) -> None:
    """Raises, before any work, the errors that `write_file` would raise after it, as far as possible."""
    with _reported(path):
        descriptor = descriptor_named(path)
        if descriptor is not None:
            os.fstat(descriptor)
            return
        target = _resolved(path, confine)
        if not _is_device(target) and os.path.exists(target):
            with OpenDirectory(os.path.dirname(target)) as directory:
                seen = _seen(directory, os.path.basename(target), _LONGEST if may_replace is not None else 0)
                _judge_of(path, may_replace)(seen.content)


def something_else(path: str) -> WriteError:
    return WriteError(
        "exists and is not an earlier output of sdfinertia; not overwritten",
        file=path,
        remedy="give another name, or remove the file first",
    )


def is_same_file(path: str, other: str) -> bool:
    try:
        return os.path.samefile(path, other)
    except (OSError, ValueError):
        return False


def descriptor_named(path: str) -> int | None:
    """The number of the descriptor that a name such as `/dev/fd/3` or `/dev/stdout` means, or None."""
    match = re.fullmatch(_NUMBERED, path)
    return int(match[1]) if match else _STANDARD.get(path)


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


def _judge_of(path: str, may_replace: Callable[[bytes], bool] | None) -> Judge:
    def judge(found: bytes | None) -> bool:
        if found and may_replace is not None and not may_replace(found):
            raise something_else(path)
        return True

    return judge


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


def _write_device(path: str, data: bytes) -> None:
    """Writes to a character device, such as a terminal or `/dev/null`."""
    flags = os.O_WRONLY | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
    try:
        if not stat.S_ISCHR(os.fstat(descriptor).st_mode):
            raise OSError(errno.ENODEV, os.strerror(errno.ENODEV))
        if hasattr(os, "set_blocking"):
            os.set_blocking(descriptor, True)
        _write(descriptor, data)
    finally:
        os.close(descriptor)


def _seen(directory: OpenDirectory, name: str, limit: int) -> _Seen:
    try:
        descriptor = directory.open(name)
    except FileNotFoundError:
        return _Seen(None, None, 0)
    try:
        state = os.fstat(descriptor)
        if not is_regular(state):
            raise WriteError("is not a regular file any more", file=name)
        pieces: list[bytes] = []
        while limit > 0 and (piece := os.read(descriptor, min(limit, _PIECE))):
            pieces.append(piece)
            limit -= len(piece)
    finally:
        os.close(descriptor)
    return _Seen(b"".join(pieces), identity_of(state), state.st_nlink)


def _put(path: str, target: str, content: bytes, judge: Judge, limit: int) -> list[str]:
    with OpenDirectory(os.path.dirname(target)) as directory:
        name = os.path.basename(target)
        seen = _seen(directory, name, limit)
        if not judge(seen.content):
            return []
        if seen.identity is not None and not directory.may_write(name):
            raise WriteError("is not writable", file=path)
        with TemporaryFile(directory) as new:
            _write(new.descriptor, content)
            notes = new.keep_attributes_of(name, path)
            os.fsync(new.descriptor)
            for _ in range(_MAX_ATTEMPTS):
                last = _seen(directory, name, limit)
                if not judge(last.content):
                    return []
                if last.identity != seen.identity:
                    # Its times or rights changed, or it was written again with the same content.
                    notes, seen = new.keep_attributes_of(name, path), last
                if identity_of(directory.state(name)) == last.identity:
                    new.replace(name)
                    if last.links > 1:
                        notes.append(f"{path}: was one of {last.links} hard links; it is a separate file now")
                    return notes
        raise WriteError("keeps changing on disk; not written", file=path, remedy="run again")
