"""Files as they are at another revision of their git repository, read by the program `git` alone, without a network."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from tempfile import TemporaryDirectory

from sdfinertia.errors import ResourceError
from sdfinertia.files.child_process import finished

# Time limit of one call of git (s).
_LONGEST = 60.0
# Variables that git sets in hooks, for the directory in which it starts them.
_OF_HOOKS = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX")


def _git(directory: str, *words: str, given: bytes = b"") -> bytes:
    environment = {name: value for name, value in os.environ.items() if name not in _OF_HOOKS}
    # A partial clone would fetch missing objects.
    environment |= {"GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "LC_ALL": "C"}
    command = ["git", "--no-pager", "-C", directory, *words]
    try:
        done = finished(command, given=given, environment=environment, limit=_LONGEST)
    except FileNotFoundError:
        raise ResourceError("git is not installed, or not on PATH", remedy="install it") from None
    except OSError as error:
        raise ResourceError(f"git cannot be run: {error}") from None
    if done.returncode:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise ResourceError(f"git says: {lines[-1] if lines else f'exit status {done.returncode}'}")
    return done.stdout


def commit_of(file: str, revision: str) -> str:
    """The full name of the commit that a revision of the repository of a file is.

    Raises:
        ResourceError: there is no repository, or no such revision.
    """
    words = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    directory = os.path.dirname(os.path.abspath(file))
    _git(directory, "rev-parse", "--git-dir")
    try:
        return _git(directory, *words).decode("ascii", "replace").strip()
    except ResourceError:
        remedy = "name a commit, a branch or a tag"
        raise ResourceError(f"there is no revision {revision!r}", file=file, remedy=remedy) from None


def bytes_at(file: str, commit: str) -> bytes:
    """The content of a file at a commit.

    Raises:
        ResourceError: it was not there.
    """
    directory, name = os.path.split(os.path.abspath(file))
    try:
        return _git(directory, "show", f"{commit}:./{name}")
    except ResourceError as error:
        raise ResourceError(f"is not in the revision {commit[:12]}: {error.problem}", file=file) from None


@contextmanager
def tree_at(file: str, commit: str, endings: Sequence[str]) -> Iterator[tuple[str, str]]:
    """A temporary copy of the repository of a file at a commit, and the file's path in it.

    It has plain files with some endings alone.
    """
    directory, name = os.path.split(os.path.abspath(file))
    inside = os.fsdecode(_git(directory, "rev-parse", "--show-prefix")).rstrip("\n")
    chosen = [(blob, path) for blob, path in _blobs_at(directory, commit) if path.lower().endswith(tuple(endings))]
    contents = _git(directory, "cat-file", "--batch", given=b"".join(blob + b"\n" for blob, _ in chosen))
    with TemporaryDirectory(prefix="sdfinertia-") as place:
        start = 0
        for _, path in chosen:
            end = contents.index(b"\n", start)
            size = int(contents[start:end].split()[-1])
            target = os.path.join(place, *path.split("/"))
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "wb") as written:
                written.write(contents[end + 1 : end + 1 + size])
            start = end + size + 2
        root = os.path.realpath(place)
        yield root, os.path.join(root, inside, name)


def _blobs_at(directory: str, commit: str) -> Iterator[tuple[bytes, str]]:
    """The names of contents, and paths, of all plain files; links of the repository may lead anywhere."""
    for entry in _git(directory, "ls-tree", "-r", "-z", "--full-tree", commit).split(b"\0"):
        head, _, path = entry.partition(b"\t")
        parts = path.split(b"/")
        if head[:3] == b"100" and b".." not in parts and b"" not in parts:
            yield head.split()[2], os.fsdecode(path)
