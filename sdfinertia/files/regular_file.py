"""Reading and writing whole files and streams, and the directory that confines a run.

Only regular files of limited size are read: opening a pipe may never end.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from typing import BinaryIO

from sdfinertia.errors import ResourceError

# What is read takes up to some twenty times its bytes in memory; models and their meshes are a thousandth of this.
MAXIMUM_BYTES = 1 << 30


def read_regular_file(path: str, limit: int = MAXIMUM_BYTES, remedy: str = "", *, confine: str | None = None) -> bytes:
    try:
        # Opening a pipe waits for its other end, so it is looked at first.
        if confine is None and not stat.S_ISREG(os.stat(path).st_mode):
            raise ResourceError("is not a regular file", file=path)
        with open(path, "rb") if confine is None else _opened_inside(path, confine) as file:
            refuse_longer(path, os.fstat(file.fileno()).st_size, limit, remedy)
            return file.read()
    except (OSError, ValueError, MemoryError) as error:
        raise ResourceError(f"cannot be read: {reason_of(error)}", file=path) from None


def _opened_inside(path: str, confine: str) -> BinaryIO:
    # Loaded where a run is confined.
    from sdfinertia.files.open_directory import OpenDirectory, is_regular

    place = require_inside(path, confine)
    with OpenDirectory(os.path.dirname(place)) as directory:
        file = os.fdopen(directory.open(os.path.basename(place)), "rb")
    if not is_regular(os.fstat(file.fileno())):
        file.close()
        raise ResourceError("is not a regular file", file=path)
    return file


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
            # So does a stream that does not wait say that its other end is slow.
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
