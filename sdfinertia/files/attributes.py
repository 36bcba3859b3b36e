"""What a file has besides its content: owner, group, mode, access control list, extended attributes."""

from __future__ import annotations

import os
import stat
import struct

from sdfinertia.errors import WriteError
from sdfinertia.files.regular_file import reason_of
from sdfinertia.named_tuple import NamedTuple

_ACL = "system.posix_acl_access"
# As Linux keeps an access control list (linux/posix_acl_xattr.h): its version, then tag, rights and id of each entry.
_ACL_VERSION = 2
_HEAD, _ENTRY = struct.Struct("<I"), struct.Struct("<HHI")
_GROUP, _MASK, _OTHERS = 0x04, 0x10, 0x20


class _Kept(NamedTuple):
    owner: bool
    group: bool


def keep_attributes(old: int, new: int, path: str) -> list[str]:
    """Gives an open file what the one has whose place it takes; none of what anybody may do with it is widened.

    All goes by descriptors, so that no name can be made to lead to another file meanwhile. Where Python cannot read
    access control lists and extended attributes (macOS, Windows), those of the new file are the directory's.

    Args:
        old, new: descriptors.
        path: for the notes.

    Returns:
        What could not be kept, as notes. Where that is the group, it and all others may do what both might before.

    Raises:
        WriteError: there is an access control list, and it cannot be kept.
        OSError: the mode cannot be set.
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
    """Gives an open file the mode of any new file."""
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
    """The names of a file's extended attributes; none where there is no such thing."""
    if not hasattr(os, "listxattr"):
        return []
    try:
        return os.listxattr(descriptor)
    except OSError:
        return []


def _extended_attributes(descriptor: int) -> tuple[dict[str, bytes], list[str]]:
    """The extended attributes of a file by name, and the names of those that cannot be read."""
    found: dict[str, bytes] = {}
    unread: list[str] = []
    for name in _names(descriptor):
        try:
            found[name] = os.getxattr(descriptor, name)
        except OSError:
            unread.append(name)
    return found, unread


def _keep_extended_attributes(attributes: dict[str, bytes], new: int) -> list[str]:
    """Sets extended attributes, and returns the names of those that cannot be."""
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
    """The list of a file that has come to another group: it and others may do what both might before.

    Raises:
        WriteError: it is of a version that is not known.
    """
    (version,) = _HEAD.unpack_from(acl)
    if version != _ACL_VERSION:
        raise WriteError(f"its access control list is of version {version}, and cannot be kept")
    entries = list(_ENTRY.iter_unpack(acl[_HEAD.size :]))
    both = 0o7
    for tag, rights, _ in entries:
        if tag in (_GROUP, _MASK, _OTHERS):
            both &= rights
    narrowed = [(tag, both if tag in (_GROUP, _OTHERS) else rights, who) for tag, rights, who in entries]
    return _HEAD.pack(version) + b"".join(_ENTRY.pack(*entry) for entry in narrowed)
