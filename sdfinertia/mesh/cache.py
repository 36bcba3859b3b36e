"""What is known of meshes, kept from one run to the next in one SQLite file: functions of bytes and treatment alone."""

from __future__ import annotations

import json
import os
import sqlite3
import stat
import sys
from contextlib import closing, suppress
from functools import cached_property
from hashlib import sha256
from typing import Any

from sdfinertia.errors import MeshError, OpenMeshError, ThicknessError
from sdfinertia.files import reason_of
from sdfinertia.inertia.solids import VolumeMoments
from sdfinertia.mesh import Factors, MeshSource, Method, program_digest, versions_of
from sdfinertia.mesh.facts import MeshDiagnosis, MeshSolid
from sdfinertia.mesh.readers import libraries_reading, suffix_of

NAME = "meshes.sqlite"
_VERSION = 2
_MAX_BYTES = 256 << 20
# How long another process may take to write (s).
_PATIENCE = 5.0
_KINDS: dict[str, type[MeshError]] = {kind.__name__: kind for kind in (MeshError, OpenMeshError, ThicknessError)}

Box = tuple[Factors, Factors]
Known = MeshSolid | MeshError | MeshDiagnosis | Box


class MeshCache:
    """Records of meshes; `problem` says why it is not used, or is ""."""

    def __init__(self, directory: str | None = None) -> None:
        self._path = os.path.join(os.path.realpath(directory or default_directory()), NAME)
        self._is_ready = False
        self.problem = ""

    @cached_property
    def _versions(self) -> tuple[str, str]:
        return program_digest(), versions_of(["numpy"])

    def _key(self, mesh: MeshSource) -> bytes:
        return sha256(repr((mesh, self._versions, libraries_reading(suffix_of(mesh.path)))).encode()).digest()

    def record(self, source: MeshSource) -> dict[str, Any]:
        """The facts of a mesh, whose path is its digest with the suffix of its file."""
        mesh = self._key(source)
        found: dict[str, Known] = {}
        # Of a file that lost power while it was written, not all need be noticed by SQLite.
        for fact, digest, value in self._executed("SELECT fact, digest, value FROM facts WHERE mesh = ?", mesh):
            with suppress(AttributeError, KeyError, TypeError, ValueError):
                if digest == _digest(mesh, fact, value):
                    found[fact] = _decoded(json.loads(value))
        return found

    def add(self, source: MeshSource, fact: str, known: Known) -> None:
        if isinstance(known, MeshError) and type(known).__name__ not in _KINDS:
            return
        mesh, text = self._key(source), json.dumps(_encoded(known))
        self._executed("INSERT OR REPLACE INTO facts VALUES (?, ?, ?, ?)", mesh, fact, _digest(mesh, fact, text), text)

    def _executed(self, statement: str, *values: object) -> list[Any]:
        if self.problem:
            return []
        try:
            if not self._is_ready:
                _require_ours(self._path)
            # No process inherits a connection, and no thread shares one.
            with closing(sqlite3.connect(self._path, timeout=_PATIENCE)) as connection, connection:
                connection.execute("PRAGMA synchronous = OFF")
                if not self._is_ready:
                    _require_tables(connection, self._path)
                    self._is_ready = True
                return connection.execute(statement, values).fetchall()
        except (OSError, sqlite3.Error) as error:
            self.problem = f"the cache {self._path} is not used: {reason_of(error)}"
            return []


def _require_ours(path: str) -> None:
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
        connection.execute("DROP TABLE IF EXISTS facts")
        connection.execute(
            "CREATE TABLE facts (mesh BLOB, fact TEXT, digest BLOB, value TEXT, PRIMARY KEY (mesh, fact))"
        )
        connection.execute(f"PRAGMA user_version = {_VERSION}")


def default_directory() -> str:
    if sys.platform == "win32":
        below = os.environ.get("LOCALAPPDATA") or os.path.expanduser(r"~\AppData\Local")
        return os.path.join(below, "sdfinertia", "Cache")
    below = "~/Library/Caches" if sys.platform == "darwin" else os.environ.get("XDG_CACHE_HOME", "").strip()
    return os.path.join(os.path.expanduser(below or "~/.cache"), "sdfinertia")


def _digest(mesh: bytes, fact: str, text: str) -> bytes:
    return sha256(mesh + fact.encode() + text.encode()).digest()


def _encoded(known: Known) -> Any:
    if isinstance(known, MeshSolid):
        moments = known.moments
        return {**known._asdict(), "moments": (moments.volume, moments.centroid, moments.second)}
    if isinstance(known, MeshDiagnosis):
        return {"diagnosis": known._asdict()}
    if isinstance(known, MeshError):
        more = {"one_sided": known.one_sided} if isinstance(known, OpenMeshError) else {}
        return {"kind": type(known).__name__, "problem": known.problem, "remedy": known.remedy, **more}
    return known


def _decoded(found: Any) -> Known:
    if isinstance(found, list):
        lower, upper = _tuples(found)
        return lower, upper
    if "kind" in found:
        return _KINDS[found.pop("kind")](found.pop("problem"), **found)
    if "diagnosis" in found:
        return MeshDiagnosis(**{key: _tuples(value) for key, value in found["diagnosis"].items()})
    found = {key: _tuples(value) for key, value in found.items()}
    return MeshSolid(VolumeMoments(*found.pop("moments")), Method(found.pop("method")), **found)


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
