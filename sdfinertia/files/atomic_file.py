"""Atomic writing: whatever fails, a file is wholly old or wholly new.

A file is replaced by another that is written beside it first. Between the last look at the old one and its replacement
lie some microseconds: what another process writes then is lost. POSIX offers nothing against that without locks.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import struct
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import BinaryIO

from sdfinertia.errors import WriteError
from sdfinertia.files.open_directory import (
    Identity,
    OpenDirectory,
    TemporaryFile,
    identity_of,
    is_regular,
    remove_leftovers,
)
from sdfinertia.files.regular_file import is_inside, reason_of, write_whole
from sdfinertia.named_tuple import NamedTuple

# Bytes of a file that are read to decide whether it may be replaced; no longer file is.
_LONGEST = 1 << 28
_PIECE = 1 << 20
# A file that changes its rights or its place as often as that, between one look and the next, is not left alone.
_MAX_LOOKS = 10
_KINDS = (
    (stat.S_ISDIR, "is a directory"),
    (stat.S_ISFIFO, "is a pipe"),
    (stat.S_ISSOCK, "is a socket"),
    (stat.S_ISBLK, "is a disk"),
)
# Names under which the system gives a process what its caller has opened for it.
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
        expected: what the file held when it was read.
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
    """Refuses before any work what `write_file` would refuse after it, as far as possible."""
    with _reported(path):
        descriptor = descriptor_named(path)
        if descriptor is not None:
            os.fstat(descriptor)
            return
        target = _resolved(path, confine)
        if not _is_device(target) and os.path.exists(target):
            with OpenDirectory(os.path.dirname(target)) as directory:
                seen = _look(directory, os.path.basename(target), _LONGEST if may_replace is not None else 0)
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


class GrowingFile(NamedTuple):
    """A stream to a new file; `put_in_place` replaces the old one by it, and returns notes."""

    stream: BinaryIO
    put_in_place: Callable[[], list[str]]


@contextmanager
def growing_file(path: str) -> Iterator[GrowingFile]:
    """A file that replaces another once it is complete."""
    refuse_unwritable(path)
    with ExitStack() as stack:
        with _reported(path):
            folder, name = os.path.split(os.path.realpath(path))
            directory = stack.enter_context(OpenDirectory(folder))
            before = identity_of(directory.state(name))
            remove_leftovers(folder)
            new = stack.enter_context(TemporaryFile(directory))

        def put_in_place() -> list[str]:
            with _reported(path):
                new.stream.flush()
                notes = _keep(path, directory, name, new)
                os.fsync(new.stream.fileno())
                if identity_of(directory.state(name)) != before:
                    raise WriteError("changed on disk since it was read; not written", remedy="run again")
                new.replace(name)
            return notes

        yield GrowingFile(new.stream, put_in_place)


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


def _look(directory: OpenDirectory, name: str, limit: int) -> _Seen:
    try:
        descriptor = directory.open(name)
    except FileNotFoundError:
        return _Seen(None, None, 0)
    with open(descriptor, "rb", buffering=0) as file:
        state = os.fstat(descriptor)
        if not is_regular(state):
            raise WriteError("is not a regular file any more", file=name)
        pieces: list[bytes] = []
        while limit > 0 and (piece := file.read(min(limit, _PIECE))):
            pieces.append(piece)
            limit -= len(piece)
    return _Seen(b"".join(pieces), identity_of(state), state.st_nlink)


def _put(path: str, target: str, content: bytes, judge: Judge, limit: int) -> list[str]:
    with OpenDirectory(os.path.dirname(target)) as directory:
        name = os.path.basename(target)
        seen = _look(directory, name, limit)
        if not judge(seen.content):
            return []
        if seen.identity is not None and not directory.may_write(name):
            raise WriteError("is not writable", file=path)
        with TemporaryFile(directory) as new:
            _write(new.stream.fileno(), content)
            notes = _keep(path, directory, name, new)
            os.fsync(new.stream.fileno())
            for _ in range(_MAX_LOOKS):
                last = _look(directory, name, limit)
                if not judge(last.content):
                    return []
                if last.identity != seen.identity:
                    # It was touched, given other rights, or written again with the same content.
                    notes, seen = _keep(path, directory, name, new), last
                if identity_of(directory.state(name)) == last.identity:
                    new.replace(name)
                    if last.links > 1:
                        notes.append(f"{path}: was one of {last.links} hard links; it is a separate file now")
                    return notes
        raise WriteError("keeps changing on disk; not written", file=path, remedy="run again")


# Attributes -----------------------------------------------------------------------------------------------------------

_ACL = "system.posix_acl_access"
# As Linux keeps an access control list (linux/posix_acl_xattr.h): its version, then tag, rights and id of each entry.
_ACL_HEAD, _ACL_ENTRY, _ACL_VERSION = "<I", "<HHI", 2
_GROUP, _MASK, _OTHERS = 0x04, 0x10, 0x20


def _keep(path: str, directory: OpenDirectory, name: str, new: TemporaryFile) -> list[str]:
    """Gives a new file the attributes of the one it replaces."""
    try:
        old = directory.open(name)
    except FileNotFoundError:
        _set_mode_of_new_file(new.stream.fileno())
        return []
    try:
        return _keep_attributes(old, new.stream.fileno(), path)
    finally:
        os.close(old)


def _set_mode_of_new_file(new: int) -> None:
    # The only way to learn the mask is to set it.
    mask = os.umask(0o077)
    os.umask(mask)
    if hasattr(os, "fchmod"):
        os.fchmod(new, 0o666 & ~mask)


def _keep_attributes(old: int, new: int, path: str) -> list[str]:
    """Gives an open file the attributes of another, never widening access; returns notes on what was lost.

    It uses descriptors, so that names cannot be redirected meanwhile. If the group is lost, it and others may do
    what both could before.
    """
    state = os.fstat(old)
    mode = stat.S_IMODE(state.st_mode)
    attributes, unread = _extended_attributes(old)
    acl = attributes.pop(_ACL, None)
    uid, gid = _keep_owner(state, new)
    if uid != state.st_uid:
        # A program of the old owner's must not become one of the new one's.
        mode &= ~stat.S_ISUID
    if gid != state.st_gid:
        mode &= ~stat.S_ISGID
        both = (mode >> 3) & mode & 0o7
        mode = (mode & ~0o77) | both << 3 | both
        acl = _narrowed(acl) if acl is not None else None
    lost = [*unread, *_keep_extended_attributes(attributes, new)]
    _set_mode(new, mode, acl, path)
    changed = [name for name, is_lost in (("owner", uid != state.st_uid), ("group", gid != state.st_gid)) if is_lost]
    return [
        *([f"{path}: its {' and '.join(changed)} could not be kept"] if changed else []),
        *([f"{path}: its extended attributes {', '.join(lost)} could not be kept"] if lost else []),
    ]


def _keep_owner(state: os.stat_result, new: int) -> tuple[int, int]:
    """The owner and group of a new file, which are those of the old one where that is permitted."""
    if not hasattr(os, "fchown"):
        return state.st_uid, state.st_gid
    created = os.fstat(new)
    if (created.st_uid, created.st_gid) != (state.st_uid, state.st_gid):
        # File systems without owners answer with all kinds of errors.
        for uid in (state.st_uid, -1):
            try:
                os.fchown(new, uid, state.st_gid)
                break
            except OSError:
                continue
        created = os.fstat(new)
    return created.st_uid, created.st_gid


def _set_mode(new: int, mode: int, acl: bytes | None, path: str) -> None:
    if acl is None and _ACL in _names(new):
        # What the directory's default list gives to others is not what the old file gave.
        os.removexattr(new, _ACL)
    if hasattr(os, "fchmod"):
        os.fchmod(new, mode)
    if acl is not None:
        try:
            os.setxattr(new, _ACL, acl)
        except OSError as error:
            raise WriteError(f"its access control list cannot be kept: {reason_of(error)}", file=path) from None


def _names(descriptor: int) -> list[str]:
    if not hasattr(os, "listxattr"):
        return []
    try:
        return os.listxattr(descriptor)
    except OSError:
        return []


def _extended_attributes(descriptor: int) -> tuple[dict[str, bytes], list[str]]:
    found: dict[str, bytes] = {}
    unread: list[str] = []
    for name in _names(descriptor):
        try:
            found[name] = os.getxattr(descriptor, name)
        except OSError:
            unread.append(name)
    return found, unread


def _keep_extended_attributes(attributes: dict[str, bytes], new: int) -> list[str]:
    there, _ = _extended_attributes(new) if attributes else ({}, [])
    lost: list[str] = []
    for name, value in attributes.items():
        # A label that the system gives by itself, as SELinux does, often must not be set.
        if there.get(name) == value:
            continue
        try:
            os.setxattr(new, name, value)
        except OSError:
            lost.append(name)
    return lost


def _narrowed(acl: bytes) -> bytes:
    """An access control list for another group: it and others may do what both could before."""
    (version,) = struct.unpack_from(_ACL_HEAD, acl)
    if version != _ACL_VERSION:
        raise WriteError(f"its access control list is of version {version}, and cannot be kept")
    head = struct.calcsize(_ACL_HEAD)
    entries = list(struct.iter_unpack(_ACL_ENTRY, acl[head:]))
    both = 0o7
    for tag, rights, _ in entries:
        if tag in (_GROUP, _MASK, _OTHERS):
            both &= rights
    return acl[:head] + b"".join(
        struct.pack(_ACL_ENTRY, tag, both if tag in (_GROUP, _OTHERS) else rights, owner)
        for tag, rights, owner in entries
    )
