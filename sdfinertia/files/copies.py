"""Whether two files, or two directories, are copies of each other."""

from __future__ import annotations

import filecmp
import os

# A directory with more files is not taken for a copy of another.
_MAX_COMPARED = 1000


def is_copy(path: str, other: str) -> bool:
    files, other_files = _files_at(path), _files_at(other)
    if files is None or files != other_files:
        return False
    try:
        return all(filecmp.cmp(path + file, other + file, shallow=False) for file in files)
    except OSError:
        return False


def _files_at(path: str) -> list[str] | None:
    """The relative paths of the files at or below a path; None for more than are compared."""
    if os.path.isfile(path):
        return [""]
    files: list[str] = []
    for directory, folders, names in os.walk(path):
        folders.sort()
        files += (os.path.join(directory, name)[len(path) :] for name in sorted(names))
        if len(files) > _MAX_COMPARED:
            return None
    return files
