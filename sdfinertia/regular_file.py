"""Reading whole files: regular ones only, since a pipe may never end and a device need not."""

from __future__ import annotations

import os
import stat

from sdfinertia.errors import ResourceError


def read_regular_file(path: str) -> bytes:
    """The content of a file.

    Raises:
        ResourceError: it cannot be read, or is a directory, a pipe or a device.
    """
    try:
        # Opening a pipe waits for its other end, so it is looked at first.
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise ResourceError("is no regular file", file=path)
        with open(path, "rb") as file:
            return file.read()
    except (OSError, ValueError, MemoryError) as error:
        raise ResourceError(f"cannot be read: {reason_of(error)}", file=path) from None


def reason_of(error: Exception) -> str:
    """Why the operating system refused, in its own words."""
    return getattr(error, "strerror", None) or str(error) or "there is not enough memory"
