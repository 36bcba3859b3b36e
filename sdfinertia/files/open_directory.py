"""A directory held open, so that the names in it lead nowhere else though another process moves things about.

Temporary files in it, and what a file has besides its content: owner, group, mode, access control list, attributes.
"""

from __future__ import annotations

import contextlib
import os
import re
import stat
from collections.abc import Iterator
from itertools import count
from types import TracebackType

from sdfinertia.errors import WriteError
from sdfinertia.files.regular_file import is_inside, reason_of
from sdfinertia.named_tuple import NamedTuple

# Where the system cannot open files relative to a directory (Windows), or not without reading it (macOS), names are
# joined to the directory's path, and the directory is opened by its path.
_RELATIVE = {os.open, os.stat, os.unlink, os.rename, os.mkdir} <= os.supports_dir_fd and hasattr(os, "O_DIRECTORY")
_STEP = getattr(os, "O_PATH", 0)
# A link put in the place of a file is not followed, and a pipe put there is not waited for.
_READ = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


class Identity(NamedTuple):
    """What differs once a file was written to, was given other rights, or another was put in its place.

    Size and time of change alone can be set back (`touch -r`), the time of the last change of its state cannot.
    """

    device: int
    number: int
    size: int
    modified: int
    changed: int


def identity_of(state: os.stat_result) -> Identity:
    """What tells a state of a file from any other."""
    # On Windows the field is the time of creation, and the same throughout.
    return Identity(state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns, state.st_ctime_ns)


class OpenDirectory:
    """A directory by its real path, in which no name on the way is a symbolic link.

    Args:
        path: as `os.path.realpath` gives it. Each of its parts is opened in the one before without following links, so
            that what was resolved, and held to lie inside a confinement, is what is opened.
        above: the directory that `path` is a name in, if that is open.
        make: whether what is missing of it is made, for this user alone.

    Raises:
        OSError: it is not there, is no directory, or a part of it has become a link.
    """

    def __init__(self, path: str, above: OpenDirectory | None = None, *, make: bool = False) -> None:
        self.path: str = path if above is None else os.path.join(above.path, path)
        self._descriptor: int | None = None
        if _RELATIVE:
            try:
                self._descriptor = _opened(path, above._descriptor if above is not None else None, make)
            except OSError as error:
                raise OSError(error.errno, error.strerror, self.path) from None
        elif make:
            os.makedirs(self.path, 0o700, exist_ok=True)

    def __enter__(self) -> OpenDirectory:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)

    def names(self) -> list[str]:
        """The names in it."""
        if self._descriptor is None:
            return os.listdir(self.path)
        # What was opened to step through it cannot be listed.
        readable = os.open(os.curdir, os.O_RDONLY | os.O_DIRECTORY, dir_fd=self._descriptor)
        try:
            return os.listdir(readable)
        finally:
            os.close(readable)

    def create(self, name: str) -> int:
        """The descriptor of a new file that nobody else may read.

        Raises:
            FileExistsError: there is one.
        """
        return os.open(self._place(name), _CREATE, 0o600, dir_fd=self._descriptor)

    def open(self, name: str) -> int:
        """The descriptor of a file to be read; a link is not followed."""
        return os.open(self._place(name), _READ, dir_fd=self._descriptor)

    def state(self, name: str) -> os.stat_result | None:
        """The state of what bears a name, be it a link; None if nothing does."""
        try:
            return os.stat(self._place(name), dir_fd=self._descriptor, follow_symlinks=False)
        except FileNotFoundError:
            return None

    def may_write(self, name: str) -> bool:
        """Whether the rights of a file let this process write to it."""
        return os.access(self._place(name), os.W_OK, dir_fd=self._descriptor)

    def replace(self, source: str, target: str) -> None:
        """Gives a file the name of another, in its place."""
        os.replace(self._place(source), self._place(target), src_dir_fd=self._descriptor, dst_dir_fd=self._descriptor)

    def remove(self, name: str) -> None:
        """Removes a file."""
        os.unlink(self._place(name), dir_fd=self._descriptor)

    def _place(self, name: str) -> str:
        return name if self._descriptor is not None else os.path.join(self.path, name)


def _opened(path: str, above: int | None, make: bool) -> int:
    flags = os.O_DIRECTORY | os.O_NOFOLLOW
    if above is not None:
        return _step(path, above, flags | _STEP, make)
    if not _STEP:
        if make:
            os.makedirs(path, 0o700, exist_ok=True)
        return os.open(path, os.O_RDONLY | flags)
    root, *parts = [part for part in ("/", *path.split("/")) if part]
    descriptor = os.open(root, _STEP | flags)
    for part in parts:
        try:
            below = _step(part, descriptor, _STEP | flags, make)
        finally:
            os.close(descriptor)
        descriptor = below
    return descriptor


def _step(name: str, above: int, flags: int, make: bool) -> int:
    try:
        return os.open(name, flags, dir_fd=above)
    except FileNotFoundError:
        if not make:
            raise
    with contextlib.suppress(FileExistsError):
        os.mkdir(name, 0o700, dir_fd=above)
    return os.open(name, flags, dir_fd=above)


def can_be_of_others(state: os.stat_result) -> bool:
    """Whether somebody beside this user and root may have written a file, or put names into a directory."""
    # Windows has neither owners nor modes of this kind.
    return os.name == "posix" and (state.st_uid not in (os.geteuid(), 0) or bool(state.st_mode & 0o022))


def is_regular(state: os.stat_result) -> bool:
    """Whether it is the state of a file, and not of a directory, a link, a pipe or a device."""
    return stat.S_ISREG(state.st_mode)


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


_ACL = "system.posix_acl_access"
# As Linux keeps an access control list (linux/posix_acl_xattr.h): its version, then tag, rights and id of each entry.
_ACL_VERSION = 2
_HEAD, _ENTRY = 4, 8
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
