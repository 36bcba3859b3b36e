"""Records which files a piece of work read, searched and listed, so that a later run can check whether any changed.

All reads of the file system that shape a result go through this module (`tests/files/test_observations.py`). A cached
value is kept with its record, which each user of the value includes in its own.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar, Token
from functools import cache
from typing import Any, BinaryIO, Generic, TypeVar

_T = TypeVar("_T")

# Changes of a file within so many seconds of another may leave the same times (FAT keeps two seconds).
_SETTLED = 2.0
_CHUNK = 1 << 20

# Size, inode, device and times of a file or directory, as text; "" where they prove nothing.
Stamp = str
# An observation of a path, as plain texts, since a run makes many: a key of `_OBSERVERS` (with a number of bytes, for a
# file read in part), the path, the value found, and the stamp by which it is known to hold without reading.
Fact = tuple[str, str, str, Stamp]


class Record:
    """The facts that a piece of work depends on, with those of the records that it includes.

    Attributes:
        is_complete: False where the work read something that no fact records, or something that changed meanwhile.
    """

    __slots__ = ("facts", "is_complete", "parts")

    def __init__(self) -> None:
        self.facts: dict[tuple[str, str], Fact] = {}
        self.parts: dict[Record, None] = {}
        self.is_complete = True

    def add(self, kind: str, path: str, value: str, stamp: Stamp = "") -> None:
        if self.facts.setdefault((kind, path), (kind, path, value, stamp))[2] != value:
            self.is_complete = False

    def sha256_of(self, path: str, data: bytes) -> bytes:
        """The SHA-256 of a file's content; of long content it was computed when the reading was recorded."""
        fact = self.facts.get(("bytes", path)) if self.is_complete and len(data) >= _LONG else None
        if fact is not None:
            return bytes.fromhex(fact[2])
        from hashlib import sha256

        return sha256(data).digest()

    def closure(self) -> Iterable[Record]:
        """The record and all that it includes, at any depth, each once."""
        if not self.parts:
            return (self,)
        found, pending = {self: None}, [self]
        while pending:
            new = [part for part in pending.pop().parts if part not in found]
            found.update(dict.fromkeys(new))
            pending += new
        return found


_RECORD: ContextVar[Record | None] = ContextVar("record", default=None)


class recorded:  # noqa: N801
    """Records all observations made meanwhile, also for a record around it."""

    __slots__ = ("_record", "_token")
    _token: Token[Record | None]

    def __init__(self, record: Record | None = None) -> None:
        self._record = record if record is not None else Record()

    def __enter__(self) -> Record:
        above = _RECORD.get()
        if above is not None:
            above.parts[self._record] = None
        self._token = _RECORD.set(self._record)
        return self._record

    def __exit__(self, *_: object) -> None:
        _RECORD.reset(self._token)


_NOTHING = nullcontext()


def on_behalf_of(record: Record) -> AbstractContextManager[object]:
    """Adds to the record of a cached value; the record is incomplete if no recording is on."""
    if _RECORD.get() is not None:
        return recorded(record)
    record.is_complete = False
    return _NOTHING


def include(record: Record | None) -> None:
    """Takes over the record of a cached value; None if none was kept."""
    above = _RECORD.get()
    if above is not None:
        if record is None:
            above.is_complete = False
        elif record is not above:
            above.parts[record] = None


def note_unrecorded() -> None:
    """Notes that the work depends on something that no fact records: its result is not cached."""
    above = _RECORD.get()
    if above is not None:
        above.is_complete = False


@contextmanager
def unrecorded_on_error() -> Iterator[None]:
    """Marks the record as incomplete after an error, which need not repeat itself."""
    try:
        yield
    except BaseException:
        note_unrecorded()
        raise


def facts_of(record: Record) -> list[Fact] | None:
    """All facts of a record, for another process; None where it is not complete."""
    records = list(record.closure())
    if not all(each.is_complete for each in records):
        return None
    return [fact for each in records for fact in each.facts.values()]


def include_facts(facts: list[list[Any]] | None) -> None:
    """Takes over the facts of another process, as read from JSON."""
    above = _RECORD.get()
    if above is None:
        return
    if facts is None:
        above.is_complete = False
    for fact in facts or ():
        above.add(*fact)


class Kept(Generic[_T]):
    """The cached results of a function, each with its observations, which each caller then records too."""

    def __init__(self, function: Callable[..., _T]) -> None:
        self._function = function
        self._found: dict[tuple[Any, ...], tuple[_T, Record | None]] = {}

    def __call__(self, *arguments: Any) -> _T:
        if arguments not in self._found:
            if _RECORD.get() is None:
                self._found[arguments] = self._function(*arguments), None
            else:
                with recorded() as record:
                    found = self._function(*arguments)
                self._found[arguments] = found, record
        found, kept = self._found[arguments]
        include(kept)
        return found


# Questions ------------------------------------------------------------------------------------------------------------


def _noted(kind: str, path: str) -> str:
    value, stamp = observed(kind, path)
    record = _RECORD.get()
    if record is not None:
        record.add(kind, path, value, stamp)
    return value


def is_file(path: str) -> bool:
    return os.path.isfile(path) if _RECORD.get() is None else _noted("is", path) == "file"


def is_directory(path: str) -> bool:
    return os.path.isdir(path) if _RECORD.get() is None else _noted("is", path) == "directory"


def exists(path: str) -> bool:
    return os.path.exists(path) if _RECORD.get() is None else _noted("is", path) != ""


def is_link(path: str) -> bool:
    return os.path.islink(path) if _RECORD.get() is None else _noted("link", path) != ""


def size_of(path: str) -> int:
    """The bytes of a file; none where there is no file."""
    return int(_noted("size", path) or 0)


def real_path(path: str) -> str:
    return os.path.realpath(path) if _RECORD.get() is None else _noted("real", path)


def sorted_names(directory: str) -> list[str]:
    """The names in a directory; an OSError where it cannot be listed."""
    return _listed("names", directory, lambda: sorted(os.listdir(directory)), _digest_of_names)


# Only names of these files decide where a walk, or a search for packages, goes.
MARKERS = frozenset(
    (
        *("package.xml", "model.config", "manifest.xml", ".gitignore"),
        *("rospack_nosubdirs", "CATKIN_IGNORE", "AMENT_IGNORE", "COLCON_IGNORE"),
    )
)


def sorted_entries(directory: str) -> list[os.DirEntry[str]]:
    """The entries of a directory; of its files only those of `MARKERS` may shape a cached result."""
    found = _listed("folders", directory, lambda: _entries(directory), _digest_of_folders)
    if _RECORD.get() is not None:
        for entry in found:
            # The target of a link changes without its directory.
            if entry.is_symlink():
                _noted("is", entry.path)
    return found


def _listed(kind: str, directory: str, entries: Callable[[], list[_T]], summary: Callable[[list[_T]], str]) -> list[_T]:
    record = _RECORD.get()
    if record is None:
        return entries()
    try:
        stamp = stamp_of(os.stat(directory))
        found = entries()
    except OSError:
        record.add(kind, directory, "")
        raise
    record.add(kind, directory, summary(found), stamp)
    return found


class IrregularError(OSError):
    """The file to read is a pipe, a device or a directory."""


_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def open_regular(path: str) -> BinaryIO:
    """As `descriptor_of`, for what reads piece by piece."""
    return os.fdopen(descriptor_of(path)[0], "rb")


def descriptor_of(path: str) -> tuple[int, os.stat_result]:
    """Opens a file to read it: the only place that does. It never blocks, even if a pipe is put there meanwhile.

    Returns its state too.

    Raises:
        OSError: it cannot be opened, or is not a regular file (`IrregularError`).
    """
    # To open a device may do something.
    require_regular(os.stat(path), path)
    descriptor = os.open(path, _READ)
    state = os.fstat(descriptor)
    try:
        require_regular(state, path)
    except IrregularError:
        os.close(descriptor)
        raise
    return descriptor, state


def require_regular(state: os.stat_result, path: str) -> None:
    if not stat.S_ISREG(state.st_mode):
        raise IrregularError(errno.EINVAL, "is not a regular file", path)


def rest_of(descriptor: int, expected: int) -> bytes:
    """The rest of a file, which may have become longer or shorter than expected (bytes)."""
    pieces = [os.read(descriptor, expected + 1)]
    if len(pieces[0]) == expected:
        return pieces[0]
    while piece := os.read(descriptor, _CHUNK):
        pieces.append(piece)
    return b"".join(pieces)


def head_of(path: str, length: int) -> bytes:
    """The first bytes of a file; an OSError where it cannot be opened."""
    try:
        with open_regular(path) as file:
            stamp = stamp_of(os.fstat(file.fileno())) if _RECORD.get() is not None else ""
            data = file.read(length)
    except OSError:
        note_unrecorded()
        raise
    note_content(path, data, stamp, length)
    return data


def note_content(path: str, data: bytes, stamp: Stamp, length: int | None = None) -> None:
    """Records the content of a file, whole or up to a length, with the stamp from before it was read."""
    record = _RECORD.get()
    if record is not None:
        kind = "bytes" if length is None else f"bytes {length}"
        record.add(kind, path, digest(data).hex(), stamp)


def note_variable(name: str, value: str | None) -> None:
    """Records a variable of the environment."""
    record = _RECORD.get()
    if record is not None:
        record.add("variable", name, _digest_of_variable(value))


def is_recording() -> bool:
    return _RECORD.get() is not None


def stamp_of(state: os.stat_result, now: float | None = None) -> Stamp:
    """The stamp of a file or directory; "" where it may change again with the same times."""
    newest = max(state.st_mtime, state.st_ctime)
    return "" if newest > (time.time() if now is None else now) - _SETTLED else stamp_now(state)


def stamp_now(state: os.stat_result) -> Stamp:
    return f"{state.st_size} {state.st_ino} {state.st_dev} {state.st_mtime_ns} {state.st_ctime_ns}"


# The value of a path, by kind -----------------------------------------------------------------------------------------


def observed(kind: str, path: str) -> tuple[str, Stamp]:
    """The present state of a path; a KeyError for an unknown kind."""
    name, _, length = kind.partition(" ")
    return _OBSERVERS[name](path) if not length else _content(path, int(length))


def _is(path: str) -> tuple[str, Stamp]:
    try:
        return _kind_of(os.stat(path).st_mode), ""
    except (OSError, ValueError):
        return "", ""


def _size(path: str) -> tuple[str, Stamp]:
    try:
        return str(os.stat(path).st_size), ""
    except (OSError, ValueError):
        return "", ""


def _kind_of(mode: int) -> str:
    return "file" if stat.S_ISREG(mode) else "directory" if stat.S_ISDIR(mode) else "other"


def _link(path: str) -> tuple[str, Stamp]:
    return "link" if os.path.islink(path) else "", ""


def _real(path: str) -> tuple[str, Stamp]:
    return os.path.realpath(path), ""


def _names(path: str) -> tuple[str, Stamp]:
    try:
        stamp = stamp_of(os.stat(path))
        return _digest_of_names(sorted(os.listdir(path))), stamp
    except OSError:
        return "", ""


def _digest_of_names(names: list[str]) -> str:
    return digest("\0".join(names).encode("utf-8", "surrogateescape")).hex()


def _folders(path: str) -> tuple[str, Stamp]:
    try:
        stamp = stamp_of(os.stat(path))
        return _digest_of_folders(_entries(path)), stamp
    except OSError:
        return "", ""


def _entries(directory: str) -> list[os.DirEntry[str]]:
    with os.scandir(directory) as entries:
        return sorted(entries, key=lambda entry: entry.name)


def _digest_of_folders(entries: list[os.DirEntry[str]]) -> str:
    """Of the directories, links and markers."""
    found: list[str] = []
    for entry in entries:
        if entry.is_symlink():
            found.append(f"{entry.name}\0@")
        elif entry.is_dir(follow_symlinks=False):
            found.append(f"{entry.name}\0/")
        elif entry.name in MARKERS:
            found.append(entry.name)
    return digest("\1".join(found).encode("utf-8", "surrogateescape")).hex()


def _content(path: str, length: int | None = None) -> tuple[str, Stamp]:
    try:
        with open_regular(path) as file:
            stamp = stamp_of(os.fstat(file.fileno()))
            data = file.read(_LONG if length is None else length)
            if length is not None or len(data) < _LONG:
                return digest(data).hex(), stamp
            from hashlib import sha256

            total = sha256(data)
            while data := file.read(_CHUNK):
                total.update(data)
            return total.hexdigest(), stamp
    except OSError:
        return "", ""


# `hashlib` loads OpenSSL, which takes longer than checking many a file, but is faster on long content.
_LONG = 1 << 16


def digest(data: bytes) -> bytes:
    """A digest of 32 bytes."""
    if len(data) < _LONG:
        short: bytes = _blake2b()(data, digest_size=32).digest()
        return short
    from hashlib import sha256

    return sha256(data).digest()


@cache
def _blake2b() -> Any:
    try:
        from _blake2 import blake2b
    except ImportError:
        # Python can be built without it.
        from hashlib import blake2b
    return blake2b


def _variable(name: str) -> tuple[str, Stamp]:
    return _digest_of_variable(os.environ.get(name)), ""


def _digest_of_variable(value: str | None) -> str:
    # A variable may hold a secret.
    return digest(value.encode("utf-8", "surrogateescape")).hex() if value is not None else ""


_OBSERVERS: dict[str, Callable[[str], tuple[str, Stamp]]] = {
    "is": _is,
    "size": _size,
    "link": _link,
    "real": _real,
    "names": _names,
    "folders": _folders,
    "bytes": _content,
    "variable": _variable,
}
