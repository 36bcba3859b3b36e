"""Temporary files written beside the files they replace: names, leftovers of dead processes, and attributes."""

from __future__ import annotations

import contextlib
import os
import re
import stat
from collections.abc import Iterator
from itertools import count

from sdfinertia.errors import WriteError
from sdfinertia.files.open_directory import OpenDirectory
from sdfinertia.files.regular_file import is_inside, reason_of
from sdfinertia.named_tuple import NamedTuple

_PREFIX = ".sdfinertia-"
_TEMPORARY = re.escape(_PREFIX) + r"(?P<host>.+)-(?P<process>[0-9]+)-[0-9]+\.tmp"


def temporary_names() -> Iterator[str]:
    """Names with host and process, so that leftovers of dead processes are recognised."""
    return (f"{_PREFIX}{_host()}-{os.getpid()}-{number}.tmp" for number in count())


def created_temporary(directory: OpenDirectory) -> tuple[int, str]:
    names = temporary_names()
    while True:
        name = next(names)
        with contextlib.suppress(FileExistsError):
            return directory.create(name), name


class Leftovers:
    """The temporary files of dead processes in the directories that a run writes to; each is searched once."""

    def __init__(self) -> None:
        self._cleaned: set[str] = set()
        self._cleaned_beside: set[tuple[str, str | None]] = set()

    def remove_beside(self, path: str, confine: str | None) -> None:
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


_ACL = "system.posix_acl_access"
# As Linux keeps an access control list (linux/posix_acl_xattr.h): its version, then tag, rights and id of each entry.
_ACL_VERSION = 2
_HEAD, _ENTRY = 4, 8
_GROUP, _MASK, _OTHERS = 0x04, 0x10, 0x20


class _Kept(NamedTuple):
    owner: bool
    group: bool


def keep_attributes(old: int, new: int, path: str) -> list[str]:
    """Gives an open file the attributes of the one it replaces, never widening access; returns notes on what was lost.

    It uses descriptors, so that names cannot be redirected meanwhile. If the group is lost, it and others may do
    what both could before.
    """
    state = os.fstat(old)
    mode = stat.S_IMODE(state.st_mode)
    attributes, unread = _extended_attributes(old)
    acl = attributes.pop(_ACL, None)
    kept = _keep_owner(state, new)
    if not kept.owner:
        # A program of the old owner's must not become one of the new one's.
        mode &= ~stat.S_ISUID
    if not kept.group:
        mode &= ~stat.S_ISGID
        both = (mode >> 3) & mode & 0o7
        mode = (mode & ~0o77) | both << 3 | both
        acl = _narrowed(acl) if acl is not None else None
    lost = [*unread, *_keep_extended_attributes(attributes, new)]
    _set_mode(new, mode, acl, path)
    return [
        *([f"{path}: its {_named(kept)} could not be kept"] if not all(kept) else []),
        *([f"{path}: its extended attributes {', '.join(lost)} could not be kept"] if lost else []),
    ]


def set_mode_of_new_file(new: int) -> None:
    # The only way to learn the mask is to set it.
    mask = os.umask(0o077)
    os.umask(mask)
    if hasattr(os, "fchmod"):
        os.fchmod(new, 0o666 & ~mask)


def _keep_owner(state: os.stat_result, new: int) -> _Kept:
    if not hasattr(os, "fchown"):
        return _Kept(True, True)
    created = os.fstat(new)
    if (created.st_uid, created.st_gid) != (state.st_uid, state.st_gid):
        # File systems without owners answer with all kinds of errors.
        for uid, gid in ((state.st_uid, state.st_gid), (-1, state.st_gid)):
            try:
                os.fchown(new, uid, gid)
                break
            except OSError:
                continue
        created = os.fstat(new)
    return _Kept(created.st_uid == state.st_uid, created.st_gid == state.st_gid)


def _named(kept: _Kept) -> str:
    if kept.owner:
        return "group"
    return "owner" if kept.group else "owner and group"


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
    version = int.from_bytes(acl[:_HEAD], "little")
    if version != _ACL_VERSION:
        raise WriteError(f"its access control list is of version {version}, and cannot be kept")
    entries = [acl[at : at + _ENTRY] for at in range(_HEAD, len(acl), _ENTRY)]
    both = 0o7
    for entry in entries:
        if _tag(entry) in (_GROUP, _MASK, _OTHERS):
            both &= int.from_bytes(entry[2:4], "little")
    narrowed = both.to_bytes(2, "little")
    return acl[:_HEAD] + b"".join(
        entry[:2] + narrowed + entry[4:] if _tag(entry) in (_GROUP, _OTHERS) else entry for entry in entries
    )


def _tag(entry: bytes) -> int:
    return int.from_bytes(entry[:2], "little")
