"""Files of the operating system: read whole, replaced whole, and kept within a directory.

Here: reading whole files and streams, and the directory that confines a run.

Only regular files of limited size are read: opening a pipe may never end.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from typing import BinaryIO

from sdfinertia.errors import ConfigurationError, ResourceError

# A file takes up to some twenty times its size in memory once read; models and their meshes are a thousandth of this.
MAXIMUM_BYTES = 1 << 30


def read_regular_file(path: str, limit: int = MAXIMUM_BYTES, remedy: str = "", *, confine: str | None = None) -> bytes:
    try:
        # A link put in its place meanwhile is not followed.
        place, flags = (path, _NO_BLOCKING) if confine is None else (require_inside(path, confine), NO_FOLLOWING)
        with open_regular(place, flags) as file:
            refuse_longer(path, os.fstat(file.fileno()).st_size, limit, remedy)
            return file.read()
    except (OSError, ValueError, MemoryError) as error:
        cannot = "" if isinstance(error, IrregularError) else "cannot be read: "
        raise ResourceError(cannot + reason_of(error), file=path) from None


class IrregularError(OSError):
    pass


_NO_BLOCKING = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
NO_FOLLOWING = _NO_BLOCKING | getattr(os, "O_NOFOLLOW", 0)


def open_regular(path: str, flags: int = _NO_BLOCKING) -> BinaryIO:
    """Raises an OSError for all but regular files, and never blocks, even if a pipe is put there."""
    # To open a device may do something.
    _require_regular(os.stat(path), path)
    file = os.fdopen(os.open(path, flags), "rb")
    try:
        _require_regular(os.fstat(file.fileno()), path)
    except IrregularError:
        file.close()
        raise
    return file


def _require_regular(state: os.stat_result, path: str) -> None:
    if not stat.S_ISREG(state.st_mode):
        raise IrregularError(errno.EINVAL, "is not a regular file", path)


def head_of(path: str, length: int) -> bytes:
    with open_regular(path) as file:
        return file.read(length)


def path_text(path: object) -> str:
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
    """The real path; refuses one outside the confinement."""
    place = os.path.realpath(path)
    if confine is not None and not is_inside(place, confine):
        raise ResourceError(f"is outside {os.path.abspath(confine)}, and not opened", file=path)
    return place
