"""The directory that a run may keep to: what lies outside is not opened, whatever a file says."""

from __future__ import annotations

import os


def is_inside(path: str, directory: str) -> bool:
    """Whether a path lies in a directory or is it, once the symbolic links in both are followed."""
    real, directory = os.path.realpath(path), os.path.realpath(directory)
    try:
        return os.path.commonpath([real, directory]) == directory
    except ValueError:
        # On different drives.
        return False
