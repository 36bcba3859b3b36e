"""What is known of meshes, kept from one run to the next in one SQLite file: functions of bytes and treatment alone."""

from __future__ import annotations

import json
import os
import stat
import sys
from contextlib import closing
from hashlib import sha256
from typing import Any

from sdfinertia.errors import MeshError, OpenMeshError, ThicknessError
from sdfinertia.files.regular_file import reason_of
from sdfinertia.inertia.volume_moments import VolumeMoments
from sdfinertia.mesh.method import (
    NO_SCALE,
    Factors,
    MeshContent,
    MeshSolid,
    MeshTreatment,
    Method,
    libraries_for,
    program_digest,
    versions_of,
)
from sdfinertia.mesh.readers.formats import libraries_reading

try:
    import sqlite3
except ImportError:  # Python can be built without it.
    sqlite3 = None  # type: ignore[assignment]


NAME = "meshes.sqlite"
_VERSION = 1
_MAX_BYTES = 256 << 20
# How long another process may take to write (s).
_PATIENCE = 5.0
_KINDS: dict[str, type[MeshError]] = {kind.__name__: kind for kind in (MeshError, OpenMeshError, ThicknessError)}

# Of a mesh and its treatment the solid, or why it is none, and the bounds before scale; of a mesh alone the bounds.
Known = tuple[MeshSolid | MeshError | None, tuple[Factors, Factors] | None]


class MeshCache:
    """What is known of meshes; `problem` says why it is not used, or is ""."""

    def __init__(self, directory: str | None = None) -> None:
        self._path = os.path.join(os.path.realpath(directory or default_directory()), NAME)
        self._is_ready = False
        self.problem = ""

    def get(self, content: MeshContent, treatment: MeshTreatment | None = None, scale: Factors = NO_SCALE) -> Known:
        record = self._read(_key(content, treatment, scale))
        try:
            return _known(record) if record is not None else (None, None)
        except (AttributeError, KeyError, TypeError, ValueError):
            return None, None

    def put(self, content: MeshContent, treatment: MeshTreatment | None, scale: Factors, known: Known) -> None:
        record = _record(known)
        # A library that does not load today may load tomorrow, in the same version.
        is_certain = treatment is None or not (libraries_for(treatment) or libraries_reading(content.suffix))
        if record is not None and (is_certain or not isinstance(known[0], MeshError)):
            key, text = _key(content, treatment, scale), json.dumps(record)
            self._executed("INSERT OR REPLACE INTO meshes VALUES (?, ?, ?)", key, _digest(key, text), text)

    def _read(self, key: bytes) -> dict[str, Any] | None:
        rows = self._executed("SELECT digest, value FROM meshes WHERE key = ?", key)
        # Of a file that lost power while it was written, not all need be noticed by SQLite.
        if not rows or not isinstance(rows[0][1], str) or rows[0][0] != _digest(key, rows[0][1]):
            return None
        found: dict[str, Any] = json.loads(rows[0][1])
        return found

    def _executed(self, statement: str, *values: object) -> list[Any]:
        """The rows of a statement; none after any failure, which becomes the problem."""
        if self.problem or sqlite3 is None:
            return []
        try:
            if not self._is_ready:
                _require_ours(self._path)
            # No process inherits a connection, and no thread shares one.
            with closing(sqlite3.connect(self._path, _PATIENCE)) as connection, connection:
                connection.execute("PRAGMA synchronous = OFF")
                if not self._is_ready:
                    _require_tables(connection, self._path)
                    self._is_ready = True
                return connection.execute(statement, values).fetchall()
        except (OSError, sqlite3.Error) as error:
            self.problem = f"the cache {self._path} is not used: {reason_of(error)}"
            return []


def _require_ours(path: str) -> None:
    """Refuses a file that anyone else could have written to; makes its directory."""
    os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
    for place, is_kind in ((os.path.dirname(path), stat.S_ISDIR), (path, stat.S_ISREG)):
        if os.path.lexists(place):
            state = os.lstat(place)
            is_ours = os.name != "posix" or (state.st_uid == os.geteuid() and not state.st_mode & 0o022)
            if not (is_ours and is_kind(state.st_mode)):
                raise PermissionError(0, f"{place} must be yours, and writable by you alone (chmod go-w)")


def _require_tables(connection: sqlite3.Connection, path: str) -> None:
    version = connection.execute("PRAGMA user_version").fetchone()
    if version == (_VERSION,) and os.path.getsize(path) <= _MAX_BYTES:
        return
    connection.execute("BEGIN IMMEDIATE")
    # Another process may have made them meanwhile.
    if connection.execute("PRAGMA user_version").fetchone() == version:
        connection.execute("DROP TABLE IF EXISTS meshes")
        connection.execute("CREATE TABLE meshes (key BLOB PRIMARY KEY, digest BLOB, value TEXT)")
        connection.execute(f"PRAGMA user_version = {_VERSION}")


def default_directory() -> str:
    if sys.platform == "win32":
        below = os.environ.get("LOCALAPPDATA") or os.path.expanduser(r"~\AppData\Local")
        return os.path.join(below, "sdfinertia", "Cache")
    below = "~/Library/Caches" if sys.platform == "darwin" else os.environ.get("XDG_CACHE_HOME", "").strip()
    return os.path.join(os.path.expanduser(below or "~/.cache"), "sdfinertia")


def _key(content: MeshContent, treatment: MeshTreatment | None, scale: Factors) -> bytes:
    libraries = libraries_for(treatment) if treatment is not None else ""
    versions = (program_digest(), versions_of(["numpy"]), libraries_reading(content.suffix), libraries)
    return sha256(repr((content, treatment, scale, versions)).encode()).digest()


def _digest(key: bytes, text: str) -> bytes:
    return sha256(key + text.encode()).digest()


def _record(known: Known) -> dict[str, Any] | None:
    found, bounds = known
    if isinstance(found, MeshSolid):
        moments = (found.moments.volume, found.moments.centroid, found.moments.second)
        return {**found._asdict(), "moments": moments, "bounds": bounds}
    if found is None:
        return {"bounds": bounds}
    kind, more = type(found).__name__, {"one_sided": found.one_sided} if isinstance(found, OpenMeshError) else {}
    return {"kind": kind, "problem": found.problem, "remedy": found.remedy, **more} if kind in _KINDS else None


def _known(record: dict[str, Any]) -> Known:
    if "kind" in record:
        return _KINDS[record.pop("kind")](record.pop("problem"), **record), None
    lower, upper = map(tuple, record.pop("bounds"))
    if not record:
        return None, (lower, upper)
    volume, centroid, second = record.pop("moments")
    moments = VolumeMoments(volume, tuple(centroid), tuple(second))
    method, extent, notes = Method(record.pop("method")), tuple(record.pop("extent")), tuple(record.pop("notes"))
    return MeshSolid(moments, method, extent, notes=notes, **record), (lower, upper)
