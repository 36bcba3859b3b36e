"""Temporary files written beside the files they replace: their attributes, and the leftovers of dead processes."""

from __future__ import annotations

import contextlib
import os
import re
import stat
from collections.abc import Iterator
from itertools import count
from types import TracebackType

from sdfinertia.errors import WriteError
from sdfinertia.files.regular_file import OpenDirectory, is_inside, reason_of

_PREFIX = ".sdfinertia-"
_TEMPORARY = re.escape(_PREFIX) + r"(?P<host>.+)-(?P<process>[0-9]+)-[0-9]+\.tmp"


class TemporaryFile:
    """A new file in a directory, removed at the end unless it took the place of another."""

    def __init__(self, directory: OpenDirectory) -> None:
        self._directory = directory
        self._is_in_place = False
        for self._name in temporary_names():
            with contextlib.suppress(FileExistsError):
                self.descriptor = directory.create(self._name)
                break

    def keep_attributes_of(self, name: str, path: str) -> list[str]:
        """Gives it the attributes of the file that it is to replace; returns notes, which call that file `path`."""
        try:
            old = self._directory.open(name)
        except FileNotFoundError:
            _set_mode_of_new_file(self.descriptor)
            return []
        try:
            return _keep_attributes(old, self.descriptor, path)
        finally:
            os.close(old)

    def replace(self, name: str) -> None:
        # Before the renaming, for Windows.
        self._close()
        self._directory.replace(self._name, name)
        # From now on the temporary name may be that of another thread.
        self._is_in_place = True

    def _close(self) -> None:
        descriptor, self.descriptor = self.descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)

    def __enter__(self) -> TemporaryFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with contextlib.suppress(OSError):
            self._close()
        if not self._is_in_place:
            with contextlib.suppress(OSError):
                self._directory.remove(self._name)


def temporary_names() -> Iterator[str]:
    """Names with host and process, so that leftovers of dead processes are recognised."""
    return (f"{_PREFIX}{_host()}-{os.getpid()}-{number}.tmp" for number in count())


class Leftovers:
    """The temporary files of dead processes in the directories that a run writes to; each is searched once."""

    def __init__(self) -> None:
        self._searched: set[tuple[str, str | None]] = set()

    def remove_beside(self, path: str, confine: str | None) -> None:
        # Resolving each path would take longer; only a link can lead to another directory.
        directory = os.path.dirname(os.path.realpath(path) if os.path.islink(path) else path)
        if (directory, confine) in self._searched:
            return
        self._searched.add((directory, confine))
        directory = os.path.realpath(directory)
        if confine is None or is_inside(directory, confine):
            remove_leftovers(directory)

    def __eq__(self, other: object) -> bool:
        # Work sent to other processes equals its copies there, though each has scanned other directories.
        return isinstance(other, Leftovers)

    __hash__ = None  # type: ignore[assignment]


def remove_leftovers(directory: str) -> None:
    with contextlib.suppress(OSError), OpenDirectory(directory) as opened:
        for name in opened.names():
            match = re.fullmatch(_TEMPORARY, name) if name.startswith(_PREFIX) else None
            if match is not None and match["host"] == _host() and not _is_alive(int(match["process"])):
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
        pass
    return True


# Attributes -----------------------------------------------------------------------------------------------------------

_ACL = "system.posix_acl_access"
# As Linux keeps an access control list (linux/posix_acl_xattr.h): its version, then entries, each with its tag, rights
# and id in 2, 2 and 4 bytes, the least first; their sizes.
_ACL_HEAD, _ACL_ENTRY, _ACL_VERSION = 4, 8, 2
_GROUP, _MASK, _OTHERS = 0x04, 0x10, 0x20


def _set_mode_of_new_file(new: int) -> None:
    # The only way to learn the mask is to set it.
    mask = os.umask(0o077)
    os.umask(mask)
    if hasattr(os, "fchmod"):
        os.fchmod(new, 0o666 & ~mask)


def _keep_attributes(old: int, new: int, path: str) -> list[str]:
    """Gives an open file the attributes of another, never widening access; returns notes on lost ones.

    It uses descriptors, so that names cannot be redirected meanwhile. If the group is lost, it and others get
    the rights that both had before.
    """
    state = os.fstat(old)
    mode = stat.S_IMODE(state.st_mode)
    attributes, unread = _extended_attributes(old)
    acl = attributes.pop(_ACL, None)
    uid, gid = _keep_owner(state, new)
    if uid != state.st_uid:
        # Drop setuid when the owner changes.
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
        # The directory's default access list may give others more than the old file did.
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
        # Labels that the system sets itself, as SELinux does, often cannot be set.
        if there.get(name) == value:
            continue
        try:
            os.setxattr(new, name, value)
        except OSError:
            lost.append(name)
    return lost


def _narrowed(acl: bytes) -> bytes:
    """An access control list for another group: it and others get the rights that both had before."""
    version = int.from_bytes(acl[:_ACL_HEAD], "little")
    if version != _ACL_VERSION:
        raise WriteError(f"its access control list is of version {version}, and cannot be kept")
    entries = [acl[start : start + _ACL_ENTRY] for start in range(_ACL_HEAD, len(acl), _ACL_ENTRY)]
    both = 0o7
    for entry in entries:
        if entry[0] in (_GROUP, _MASK, _OTHERS):
            both &= entry[2]
    narrowed = (
        entry[:2] + bytes([both, 0]) + entry[4:] if entry[0] in (_GROUP, _OTHERS) else entry for entry in entries
    )
    return acl[:_ACL_HEAD] + b"".join(narrowed)
