"""Files that Git LFS has not fetched: their place holds a short text that points to them."""

from __future__ import annotations

from sdfinertia.errors import MeshError

# First line of every pointer file (Git LFS specification, "The Pointer").
_POINTER_START = b"version https://git-lfs.github.com/spec/"


def refuse_git_lfs_pointer(data: bytes) -> None:
    """Nothing, or a MeshError if `data` is the pointer and not the file.

    Args:
        data: the file's bytes.

    Raises:
        MeshError: `data` begins as a Git LFS pointer.
    """
    if data.startswith(_POINTER_START):
        raise MeshError(
            "holds a Git LFS pointer, not a mesh",
            remedy="fetch the file with `git lfs pull`, or set `lfs: true` in the checkout step of the workflow",
        )
