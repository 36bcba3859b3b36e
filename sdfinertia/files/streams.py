"""Writing to what is open already or has no end: standard output, descriptors by name, devices."""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Callable
from functools import partial

# Names under which the system gives a process what its caller has opened for it.
_STANDARD = {"/dev/stdin": 0, "/dev/stdout": 1, "/dev/stderr": 2}
_NUMBERED = r"/(?:dev/fd|proc/self/fd)/([0-9]{1,9})"


def descriptor_named(path: str) -> int | None:
    """The number of the descriptor that a name such as `/dev/fd/3` or `/dev/stdout` stands for, or None."""
    match = re.fullmatch(_NUMBERED, path)
    return int(match[1]) if match else _STANDARD.get(path)


def write_whole(write: Callable[[memoryview], int | None], data: bytes) -> None:
    """Writes all of the data, however few bytes each call takes.

    Args:
        write: takes some bytes and says how many, as `os.write` and streams without a buffer do.

    Raises:
        OSError: it fails, or takes no more; part of the data may be written by then.
    """
    left = memoryview(data)
    while left:
        written = write(left)
        if not written:
            # So does a stream that does not wait say that its other end is slow.
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        left = left[written:]


def write_descriptor(descriptor: int, data: bytes) -> None:
    """Writes to a descriptor that is open, where it stands.

    Raises:
        OSError: it is not open for writing, or does not take all of the data.
    """
    write_whole(partial(os.write, descriptor), data)


def write_device(path: str, data: bytes) -> None:
    """Writes to a device that takes characters one after another, such as a terminal or `/dev/null`.

    Raises:
        OSError: it cannot be opened, is something else by now, or does not take all of the data.
    """
    flags = os.O_WRONLY | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
    try:
        if not stat.S_ISCHR(os.fstat(descriptor).st_mode):
            raise OSError(errno.ENODEV, os.strerror(errno.ENODEV))
        if hasattr(os, "set_blocking"):
            os.set_blocking(descriptor, True)
        write_descriptor(descriptor, data)
    finally:
        os.close(descriptor)
