"""Reading whole files and streams, the directory that confines a run, and directories held open.

Only regular files of limited size are read: opening a pipe may never end.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Callable
from types import TracebackType
from typing import BinaryIO

from sdfinertia.errors import ConfigurationError, ResourceError

# A file takes up to some twenty times its size in memory once read; models and their meshes are a thousandth of this.
MAXIMUM_BYTES = 1 << 30


def read_regular_file(path: str, limit: int = MAXIMUM_BYTES, remedy: str = "", *, confine: str | None = None) -> bytes:
    try:
        descriptor, state = descriptor_of(path) if confine is None else _descriptor_inside(path, confine)
        try:
            if state.st_size > limit:
                refuse_longer(path, state.st_size, limit, remedy)
            return _rest_of(descriptor, state.st_size)
        finally:
            os.close(descriptor)
    except (OSError, ValueError, MemoryError) as error:
        cannot = "" if isinstance(error, IrregularError) else "cannot be read: "
        raise ResourceError(cannot + reason_of(error), file=path) from None


class IrregularError(OSError):
    """The file to read is a pipe, a device or a directory."""


_NO_BLOCKING = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def open_regular(path: str) -> BinaryIO:
    """A file to be read piece by piece; an OSError where it is not a regular file."""
    return os.fdopen(descriptor_of(path)[0], "rb")


def head_of(path: str, length: int) -> bytes:
    """The first bytes of a file; an OSError where it cannot be opened."""
    with open_regular(path) as file:
        return file.read(length)


def descriptor_of(path: str) -> tuple[int, os.stat_result]:
    """Opens a regular file and returns its state too; never blocks, even if a pipe is put there meanwhile."""
    # To open a device may do something.
    require_regular(os.stat(path), path)
    descriptor = os.open(path, _NO_BLOCKING)
    state = os.fstat(descriptor)
    try:
        require_regular(state, path)
    except IrregularError:
        os.close(descriptor)
        raise
    return descriptor, state


def require_regular(state: os.stat_result, path: str) -> None:
    if not stat.S_ISREG(state.st_mode):
        raise IrregularError(errno.EINVAL, "is not a regular file", path)


def _rest_of(descriptor: int, expected: int) -> bytes:
    """The rest of a file, which may have become longer or shorter than expected (bytes)."""
    pieces = [os.read(descriptor, expected + 1)]
    if len(pieces[0]) == expected:
        return pieces[0]
    while piece := os.read(descriptor, 1 << 20):
        pieces.append(piece)
    return b"".join(pieces)


def _descriptor_inside(path: str, confine: str) -> tuple[int, os.stat_result]:
    place = require_inside(path, confine)
    with OpenDirectory(os.path.dirname(place)) as directory:
        descriptor = directory.open(os.path.basename(place))
    state = os.fstat(descriptor)
    try:
        require_regular(state, path)
    except IrregularError:
        os.close(descriptor)
        raise
    return descriptor, state


def path_text(path: object) -> str:
    """The text of a path that the system can take."""
    text = path if type(path) is str else os.fspath(path) if isinstance(path, (str, os.PathLike)) else None
    if not isinstance(text, str):
        raise ConfigurationError(f"a path must be text, not {type(path).__name__}")
    if ("\0" in text or not text.isascii()) and not is_path(text):
        raise ResourceError("is not a path: it holds a NUL, or half of a character", file=text)
    return text


def is_path(text: str) -> bool:
    try:
        return b"\0" not in os.fsencode(text)
    except UnicodeEncodeError:
        return False


def read_stream(stream: BinaryIO, name: str) -> bytes:
    """All of a stream, which may be endless."""
    pieces: list[bytes] = []
    size = 0
    while True:
        try:
            piece = stream.read(1 << 20)
        except OSError as error:
            raise ResourceError(f"cannot be read: {reason_of(error)}", file=name) from None
        if not piece:
            break
        pieces.append(piece)
        size += len(piece)
        if size > MAXIMUM_BYTES:
            raise ResourceError(f"is longer than the limit of {MAXIMUM_BYTES:,} bytes", file=name)
    return b"".join(pieces)


def write_whole(write: Callable[[memoryview], int | None], data: bytes) -> None:
    """Writes all data, however few bytes each call of `write` takes."""
    left = memoryview(data)
    while left:
        written = write(left)
        if not written:
            # As a non-blocking stream reports a slow reader.
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        left = left[written:]


def refuse_longer(path: str, size: int, limit: int, remedy: str = "") -> None:
    if size > limit:
        raise ResourceError(f"is {size:,} bytes long, and the limit is {limit:,}", file=path, remedy=remedy)


def reason_of(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error) or "there is not enough memory"


def is_inside(path: str, directory: str) -> bool:
    real, directory = os.path.realpath(path), os.path.realpath(directory)
    try:
        return os.path.commonpath([real, directory]) == directory
    except ValueError:
        # On different drives.
        return False


def require_inside(path: str, confine: str | None) -> str:
    """The real path; refuses one outside the confinement, where a link could lead."""
    place = os.path.realpath(path)
    if confine is not None and not is_inside(place, confine):
        raise ResourceError(f"is outside {os.path.abspath(confine)}, and not opened", file=path)
    return place


# Directories held open ------------------------------------------------------------------------------------------------

# Where the system cannot open files relative to a directory (Windows), or not without reading it (macOS), names are
# joined to the directory's path, and the directory is opened by its path.
_RELATIVE = {os.open, os.stat, os.unlink, os.rename, os.mkdir} <= os.supports_dir_fd and hasattr(os, "O_DIRECTORY")
_STEP = getattr(os, "O_PATH", 0)
# A link put in the place of a file is not followed, and a pipe put there does not block.
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

    Each part is opened in the one before without following links, so that the resolved directory is the opened one.
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
        # A directory opened only to step through it cannot be listed.
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


def can_be_of_others(state: os.stat_result) -> bool:
    """Whether anyone beside this user and root may have written a file or directory."""
    # Windows has neither owners nor modes of this kind.
    return os.name == "posix" and (state.st_uid not in (os.geteuid(), 0) or bool(state.st_mode & 0o022))


def is_regular(state: os.stat_result) -> bool:
    return stat.S_ISREG(state.st_mode)
