"""A directory held open, so that names in it cannot be redirected by another process, and temporary files in it."""

from __future__ import annotations

import contextlib
import os
import re
import stat
from collections.abc import Iterator
from itertools import count
from types import TracebackType

from sdfinertia.files.regular_file import is_inside

# Where the system cannot open files relative to a directory (Windows), or not without reading it (macOS), names are
# joined to the directory's path, and the directory is opened by its path.
_RELATIVE = {os.open, os.stat, os.unlink, os.rename, os.mkdir} <= os.supports_dir_fd and hasattr(os, "O_DIRECTORY")
_STEP = getattr(os, "O_PATH", 0)
# A link put in the place of a file is not followed, and a pipe put there is not waited for.
_READ = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


# Changes whenever a file is written, replaced or given other permissions. Size and modification time can be set back
# (`touch -r`); the time of the last change of state cannot. On Windows that is the time of creation, always the same.
Identity = tuple[int, int, int, int, int]


def identity_of(state: os.stat_result | None) -> Identity | None:
    if state is None:
        return None
    return state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns, state.st_ctime_ns


class OpenDirectory:
    """A directory by its real path, no part of which is a symbolic link.

    Each part is opened in the one before without following links, so that what was resolved is what is opened.
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
        if self._descriptor is None:
            return os.listdir(self.path)
        # What was opened to step through it cannot be listed.
        readable = os.open(os.curdir, os.O_RDONLY | os.O_DIRECTORY, dir_fd=self._descriptor)
        try:
            return os.listdir(readable)
        finally:
            os.close(readable)

    def create(self, name: str) -> int:
        return os.open(self._place(name), _CREATE, 0o600, dir_fd=self._descriptor)

    def open(self, name: str) -> int:
        return os.open(self._place(name), _READ, dir_fd=self._descriptor)

    def state(self, name: str) -> os.stat_result | None:
        try:
            return os.stat(self._place(name), dir_fd=self._descriptor, follow_symlinks=False)
        except FileNotFoundError:
            return None

    def may_write(self, name: str) -> bool:
        return os.access(self._place(name), os.W_OK, dir_fd=self._descriptor)

    def replace(self, source: str, target: str) -> None:
        os.replace(self._place(source), self._place(target), src_dir_fd=self._descriptor, dst_dir_fd=self._descriptor)

    def remove(self, name: str) -> None:
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


# Temporary files ------------------------------------------------------------------------------------------------------

_PREFIX = ".sdfinertia-"
_TEMPORARY = re.escape(_PREFIX) + r"(?P<host>.+)-(?P<process>[0-9]+)-[0-9]+\.tmp"


class TemporaryFile:
    """A new file in a directory, removed at the end unless it took the place of another."""

    def __init__(self, directory: OpenDirectory) -> None:
        self._directory = directory
        self._is_in_place = False
        for self._name in temporary_names():
            with contextlib.suppress(FileExistsError):
                self.stream = os.fdopen(directory.create(self._name), "wb")
                break

    def replace(self, name: str) -> None:
        # Before the renaming, for Windows.
        self.stream.close()
        self._directory.replace(self._name, name)
        # From now on the temporary name may be that of another thread.
        self._is_in_place = True

    def __enter__(self) -> TemporaryFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with contextlib.suppress(OSError):
            self.stream.close()
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
        # To resolve each path would take longer; only one that is a link itself can lead to another directory.
        directory = os.path.dirname(os.path.realpath(path) if os.path.islink(path) else path)
        if (directory, confine) in self._searched:
            return
        self._searched.add((directory, confine))
        directory = os.path.realpath(directory)
        if confine is None or is_inside(directory, confine):
            remove_leftovers(directory)

    def __eq__(self, other: object) -> bool:
        # Work that is sent to other processes equals its copies there, whatever each has looked through.
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


def can_be_of_others(state: os.stat_result) -> bool:
    """Whether anyone beside this user and root may have written a file or directory."""
    # Windows has neither owners nor modes of this kind.
    return os.name == "posix" and (state.st_uid not in (os.geteuid(), 0) or bool(state.st_mode & 0o022))


def is_regular(state: os.stat_result) -> bool:
    return stat.S_ISREG(state.st_mode)
