"""Writing files so that at any moment, whatever fails, each is wholly old or wholly new."""

from __future__ import annotations

import contextlib
import itertools
import os
import re
import stat
from collections.abc import Callable, Iterator

from sdfinertia.errors import WriteError
from sdfinertia.files.regular_file import reason_of

_PREFIX = ".sdfinertia-"
_TEMPORARY = re.escape(_PREFIX) + r"(?P<host>.+)-(?P<process>[0-9]+)-[0-9]+\.tmp"


def replace_file(path: str, content: bytes, *, expected: bytes) -> list[str]:
    """Puts new content in the place of a file's; a symbolic link keeps pointing to the file.

    Args:
        expected: what the file held when it was read.

    Returns:
        What is worth a note: that a hard link was broken, or the owner could not be kept.

    Raises:
        WriteError: the file changed since it was read, or cannot be written; it is then as it was.
    """
    target = os.path.realpath(path)
    with _reported(path):
        state = _state_if_old(path, content, expected)
        if state is None:
            return []
        if not os.access(target, os.W_OK):
            raise WriteError("is not writable", file=path)

        def is_still_old() -> bool:
            return _identity(os.stat(target)) == _identity(state) or _state_if_old(path, content, expected) is not None

        notes = _write_beside(target, content, state, is_still_old)
    if state.st_nlink > 1:
        notes.append(f"{path}: was one of {state.st_nlink} hard links, and is a file of its own now")
    return notes


def write_file(path: str, content: bytes) -> None:
    """Writes a file that may or may not exist, atomically.

    Raises:
        WriteError: it cannot be written.
    """
    target = os.path.realpath(path)
    with _reported(path):
        try:
            state = os.stat(target)
        except FileNotFoundError:
            state = None
        if os.path.abspath(path).startswith(("/dev/", "/proc/")) or (state and not stat.S_ISREG(state.st_mode)):
            # A device, a pipe, or a file that a shell has opened is written to, and never replaced.
            with open(path, "ab", buffering=0) as file:
                file.write(content)
            return
        _write_beside(target, content, state)


def _state_if_old(path: str, content: bytes, expected: bytes) -> os.stat_result | None:
    """The state of a file that holds what is expected; None if it holds the new content already.

    Raises:
        WriteError: it holds anything else.
    """
    with open(path, "rb") as file:
        found, state = file.read(), os.fstat(file.fileno())
    if found == expected:
        return state
    if found == content:
        # Another run on the same tree was quicker.
        return None
    raise WriteError("changed on disk since it was read, and is left alone", file=path, remedy="run again")


def _identity(state: os.stat_result) -> tuple[int, ...]:
    """What differs once a file was written to, or another put in its place."""
    return state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns


def _write_beside(
    target: str, content: bytes, state: os.stat_result | None, is_still_old: Callable[[], bool] = lambda: True
) -> list[str]:
    """Writes a temporary file in the target's directory and renames it over the target.

    Args:
        state: of the file whose place it takes, if there is one.
        is_still_old: whether that file is still to be replaced, asked last, since writing to a disk takes its time.
    """
    descriptor, temporary = _open_temporary(os.path.dirname(target))
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            notes = _set_owner_and_mode(temporary, target, state)
            file.flush()
            os.fsync(file.fileno())
        if is_still_old():
            os.replace(temporary, target)
        else:
            os.unlink(temporary)
            notes = []
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
    return notes


def _open_temporary(directory: str) -> tuple[int, str]:
    """A new file whose name tells host and process, so that the leftovers of a dead process can be told."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    for number in itertools.count():
        path = os.path.join(directory, f"{_PREFIX}{_host()}-{os.getpid()}-{number}.tmp")
        try:
            return os.open(path, flags, 0o600), path
        except FileExistsError:
            continue
    raise AssertionError("unreachable")


def _set_owner_and_mode(temporary: str, target: str, state: os.stat_result | None) -> list[str]:
    """Gives a file owner and mode of the one whose place it takes, or those of any new file."""
    notes: list[str] = []
    if state is None:
        # The only way to learn the mask is to set it.
        mask = os.umask(0o077)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)
        return notes
    created = os.stat(temporary)
    if hasattr(os, "chown") and (created.st_uid, created.st_gid) != (state.st_uid, state.st_gid):
        try:
            os.chown(temporary, state.st_uid, state.st_gid)
        except OSError:
            # File systems without owners answer with all kinds of errors.
            notes.append(f"{target}: its owner could not be kept")
    os.chmod(temporary, stat.S_IMODE(state.st_mode))
    return notes


def remove_leftovers(directory: str) -> None:
    """Removes temporary files that dead processes of this host left in a directory."""
    try:
        names = [entry.name for entry in os.scandir(directory) if entry.name.startswith(_PREFIX)]
    except OSError:
        return
    for name in names:
        match = re.fullmatch(_TEMPORARY, name)
        if match is None or match["host"] != _host():
            continue
        if not _is_alive(int(match["process"])):
            with contextlib.suppress(OSError):
                os.unlink(os.path.join(directory, name))


def _host() -> str:
    if hasattr(os, "uname"):
        return os.uname().nodename
    import platform

    return platform.node()


def _is_alive(process: int) -> bool:
    if os.name != "posix":
        return True
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True


@contextlib.contextmanager
def _reported(path: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise WriteError(f"cannot be written: {reason_of(error)}", file=path) from None
