"""The cache between runs: one SQLite file in the user's cache directory, or in a given one.

It counts only if it and its directory belong to this user or root, nobody else may write to them, and neither is a
symbolic link. An entry repeats the digest of its key and its content. Whatever fails, the run goes on without.
"""

from __future__ import annotations

import errno
import json
import os
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any, TypeVar

from sdfinertia.errors import ConfigurationError
from sdfinertia.files.regular_file import OpenDirectory, can_be_of_others, is_inside, is_regular, reason_of
from sdfinertia.lazy import cached_property

if TYPE_CHECKING:
    from sqlite3 import Connection

_T = TypeVar("_T")

NAME = "sdfinertia.sqlite"
# Version of the tables below; files of later versions are left alone, those of earlier ones begin again.
_FORMAT = 1
_TABLES = f"""
DROP TABLE IF EXISTS entries;
CREATE TABLE entries (key BLOB PRIMARY KEY, day INTEGER NOT NULL, digest BLOB NOT NULL, content BLOB NOT NULL);
PRAGMA user_version = {_FORMAT};
"""
# Room for results of some 100,000 files with their inputs; SQLite itself enforces it.
_MAX_BYTES = 256 << 20
_MAX_CONTENT = 16 << 20
_PAGE = 4096
# How long another process may take to write (s).
_PATIENCE = 5.0
_DAY = 86_400
_DIGEST_BYTES = 16
# The mark by which programs that make backups pass a directory over (https://bford.info/cachedir/).
_TAG = b"Signature: 8a477f597d28d172789f06886806bc55\n# Kept by sdfinertia from one run to the next; may be deleted.\n"


class CacheFile:
    """Values of JSON by keys of 32 bytes.

    Attributes:
        problem: why some of it is not used, or "".
    """

    def __init__(self, directory: str | None = None) -> None:
        self._given = directory
        self._connection: Connection | None = None
        self._is_given_up = self._is_missing = False
        self._takes_more = True
        self.problem = ""

    @cached_property
    def directory(self) -> str:
        return os.path.realpath(self._given or default_directory())

    @cached_property
    def path(self) -> str:
        return os.path.join(self.directory, NAME)

    def get(self, key: bytes) -> Any:
        """The value of a key; None where there is none, or it is damaged."""
        found = self._of(partial(_read, key), make=False)
        if found is None:
            return None
        repeated, content, day = found
        if not isinstance(content, bytes) or repeated != _digest(key, content):
            return None
        if isinstance(day, int) and day < _today() and self._takes_more:
            self._of(partial(_renew, key), make=False)
        try:
            return json.loads(content)
        except (ValueError, RecursionError):
            return None

    def put(self, items: Iterable[tuple[bytes, Any]]) -> None:
        """Keeps values, all at once; those that are too long are left out."""
        rows = []
        encoded = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode
        for key, value in items:
            content = encoded(value).encode("ascii")
            if len(content) <= _MAX_CONTENT:
                rows.append((key, _today(), _digest(key, content), content))
        if rows and self._takes_more:
            self._of(partial(_write, rows), make=True)

    def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def __del__(self) -> None:
        # Python 3.13 warns of connections that were not closed. At exit the names of this module may be gone.
        connection = getattr(self, "_connection", None)
        if connection is not None:
            connection.close()

    # The connection ---------------------------------------------------------------------------------------------------

    def _of(self, operation: Callable[[Connection], _T], *, make: bool) -> _T | None:
        """The result of an operation on the open file; None where there is no file, or SQLite or the system refuses
        it.
        """
        if self._is_given_up or (self._is_missing and not make):
            return None
        try:
            import sqlite3
        except ImportError:
            # Python can be built without it.
            self._is_given_up = True
            return None
        try:
            if self._connection is None:
                self._connection = self._opened(make=make)
                self._is_missing = self._connection is None
            return operation(self._connection) if self._connection is not None else None
        except OSError as error:
            self._give_up(error)
        except sqlite3.Error as error:
            self._refused(error)
        return None

    def _opened(self, *, make: bool) -> Connection | None:
        import sqlite3

        try:
            with OpenDirectory(self.directory, make=make) as directory:
                _require_ours(directory.state(os.curdir), directory.path)
                if make:
                    with suppress(FileExistsError), open(directory.create("CACHEDIR.TAG"), "wb") as tag:
                        tag.write(_TAG)
                    with suppress(FileExistsError):
                        os.close(directory.create(NAME))
                if directory.state(NAME) is None:
                    return None
                self._require_our_files(directory)
        except FileNotFoundError:
            return None
        # Threads of a process share it, one call after the other.
        connection = sqlite3.connect(self.path, timeout=_PATIENCE, isolation_level=None, check_same_thread=False)
        self._connection = connection
        # A power failure may damage it; then it begins again.
        for pragma in ("synchronous = OFF", "journal_mode = DELETE", "trusted_schema = OFF", "cell_size_check = ON"):
            connection.execute(f"PRAGMA {pragma}").fetchall()
        connection.execute(f"PRAGMA max_page_count = {_MAX_BYTES // _PAGE}").fetchall()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version > _FORMAT:
            self._close_for_good(f"{self.path} was made by a later version, and is not used")
            return None
        if version < _FORMAT:
            if not make:
                self.close()
                return None
            connection.execute("BEGIN IMMEDIATE")
            if connection.execute("PRAGMA user_version").fetchone() != (_FORMAT,):
                for statement in _TABLES.strip().splitlines():
                    connection.execute(statement)
            connection.execute("COMMIT")
        return connection

    def _require_our_files(self, directory: OpenDirectory) -> None:
        for name in (NAME, f"{NAME}-journal", f"{NAME}-wal", f"{NAME}-shm"):
            state = directory.state(name)
            if state is not None:
                _require_ours(state, os.path.join(directory.path, name))
                if not is_regular(state):
                    raise PermissionError(errno.EPERM, os.strerror(errno.EPERM), self.path)

    def _give_up(self, error: OSError) -> None:
        of_others = isinstance(error, (PermissionError, NotADirectoryError)) or error.errno == errno.ELOOP
        self._close_for_good(
            f"the cache {self.directory} is not fully used, because others may have written to it: "
            f"{error.filename} must be yours, writable by you alone (chmod go-w), and not a symbolic link; or give "
            "another --cache, or --no-cache"
            if of_others
            else f"the cache {self.directory} is not used: {reason_of(error)}"
        )

    def _close_for_good(self, problem: str) -> None:
        self._is_given_up = True
        self.problem = problem
        with suppress(Exception):
            self.close()

    def _refused(self, error: Exception) -> None:
        """Stops using the file, or writing to it, after an error of SQLite."""
        import sqlite3

        if isinstance(error, sqlite3.OperationalError) and "no such" not in str(error):
            # Another process writes, or the disk is full: another attempt would end no better.
            self._takes_more = False
            if "locked" not in str(error):
                self.problem = self.problem or f"the cache {self.path} takes no more: {error}"
            return
        self._close_for_good(f"the cache {self.path} was damaged, and is emptied")
        self._empty()

    def _empty(self) -> None:
        """Empties the file in its place: under another file of its name the journals of two processes would mix."""
        with suppress(OSError), OpenDirectory(self.directory) as directory:
            with suppress(FileNotFoundError):
                directory.remove(f"{NAME}-journal")
            state = directory.state(NAME)
            if state is not None and is_regular(state) and not can_be_of_others(state):
                os.truncate(self.path, 0)


def default_directory() -> str:
    """Where the platform keeps caches."""
    if sys.platform == "win32":
        below = os.environ.get("LOCALAPPDATA") or os.path.expanduser(r"~\AppData\Local")
        return os.path.join(below, "sdfinertia", "Cache")
    if sys.platform == "darwin":
        return os.path.expanduser("~/Library/Caches/sdfinertia")
    below = os.environ.get("XDG_CACHE_HOME", "")
    return os.path.join(below if below.strip() else os.path.expanduser("~/.cache"), "sdfinertia")


def require_cache(directory: str, confine: str | None) -> str:
    """The real path of a given cache; a ConfigurationError if it cannot be written or is outside `confine`."""
    place = os.path.realpath(directory)
    if confine is not None and not is_inside(place, confine):
        raise ConfigurationError(f"the cache is outside {os.path.abspath(confine)}, and not opened", file=directory)
    try:
        with OpenDirectory(place, make=True) as opened:
            may_write = opened.may_write(os.curdir)
    except OSError as error:
        raise ConfigurationError(f"the cache cannot be made: {reason_of(error)}", file=directory) from None
    if not may_write:
        raise ConfigurationError("the cache cannot be written to", file=directory)
    return place


def _read(key: bytes, connection: Connection) -> Any:
    return connection.execute("SELECT digest, content, day FROM entries WHERE key = ?", (key,)).fetchone()


def _renew(key: bytes, connection: Connection) -> None:
    """Using an entry renews it; its timestamp is updated at most once a day."""
    connection.execute("UPDATE entries SET day = ? WHERE key = ?", (_today(), key))


def _write(rows: list[tuple[bytes, int, bytes, bytes]], connection: Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        _thin_out(connection)
        connection.executemany("INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?)", rows)
        connection.execute("COMMIT")
    except BaseException:
        # SQLite has rolled back by itself where there was no room.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _thin_out(connection: Connection) -> None:
    """Removes the least recently used quarter, where the file is nearly full."""
    (pages,), (free,) = (connection.execute(f"PRAGMA {what}").fetchone() for what in ("page_count", "freelist_count"))
    if (pages - free) * _PAGE > _MAX_BYTES * 3 // 4:
        connection.execute(
            "DELETE FROM entries WHERE rowid IN "
            "(SELECT rowid FROM entries ORDER BY day, rowid LIMIT (SELECT count(*) / 4 + 1 FROM entries))"
        )


def _today() -> int:
    return int(time.time() // _DAY)


def _digest(key: bytes, content: bytes) -> bytes:
    return sha256(key + content).digest()[:_DIGEST_BYTES]


def _require_ours(state: os.stat_result | None, path: str) -> None:
    if state is None or can_be_of_others(state):
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM), path)
