"""The directory that a run may keep to: what lies outside is not opened, whatever a file says."""

from __future__ import annotations

import os

from sdfinertia.errors import ResourceError


def is_inside(path: str, directory: str) -> bool:
    """Whether a path lies in a directory or is it, once the symbolic links in both are followed."""
    real, directory = os.path.realpath(path), os.path.realpath(directory)
    try:
        return os.path.commonpath([real, directory]) == directory
    except ValueError:
        # On different drives.
        return False


def require_inside(path: str, confine: str | None) -> str:
    """The real path, which is not outside the confinement: a link of a tree could have any file read and rewritten.

    Raises:
        ResourceError: it lies outside.
    """
    place = os.path.realpath(path)
    if confine is not None and not is_inside(place, confine):
        raise ResourceError(f"is outside {os.path.abspath(confine)}, and not opened", file=path)
    return place
