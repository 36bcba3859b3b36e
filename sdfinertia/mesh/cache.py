"""Masses of meshes kept on disk between runs, by the content of their files.

An entry counts only if it and its directories belong to this user or root, nobody else may write to them, no symbolic
link leads there, and its numbers are physically valid.
"""

from __future__ import annotations

import errno
import json
import math
import os
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeGuard

from sdfinertia import __version__
from sdfinertia.errors import ConfigurationError, MeshError, OpenMeshError, ThicknessError
from sdfinertia.files.regular_file import OpenDirectory, can_be_of_others, is_inside, is_regular, reason_of
from sdfinertia.files.temporary_file import TemporaryFile, remove_leftovers
from sdfinertia.inertia.volume_moments import VolumeMoments
from sdfinertia.mesh.readers.formats import libraries_reading
from sdfinertia.mesh.treatment import Factors, MeshSolid, Method, libraries_for

if TYPE_CHECKING:
    from sdfinertia.inertia.spatial_inertia import SpatialInertia
    from sdfinertia.mesh.treatment import MeshTreatment

_Bounds = tuple[Factors, Factors]

_FORMAT = 1
_DIRECTORY = f"masses-{_FORMAT}"
# Entries of a directory; there are 256, by the first two digits of the key, so some 100,000 in all and, in the blocks
# of most file systems, 400 MB.
_MAX_ENTRIES = 400
# How often a process counts them, in entries that it adds.
_COUNTS_EVERY = 16
_MAX_BYTES = 1 << 16
_MAX_NOTES, _MAX_CHARACTERS = 100, 4000
# An entry that is used is as good as new; that is noted once a day (s).
_DAY = 86_400.0
_NAME = re.compile(r"[0-9a-f]{62}")
# The mark by which programs that make backups pass a directory over (https://bford.info/cachedir/).
_TAG = b"Signature: 8a477f597d28d172789f06886806bc55\n# Masses of meshes, kept by sdfinertia; may be deleted.\n"


class MeshContent(NamedTuple):
    """What is taken of the content of a mesh file.

    Attributes:
        digest: of its bytes and its external buffers.
        external_buffers: how many there are.
        suffix: by which it is read.
    """

    digest: str
    external_buffers: int
    suffix: str
    submesh: str | None
    center: bool


class MassCache:
    """A directory of solids, and of the reasons why meshes are none; by default the user's own.

    Attributes:
        problem: why some of it is not used, or "".
    """

    def __init__(self, directory: str | None = None) -> None:
        self._given = directory
        self._added: dict[str, int] = {}
        self._takes_more = True
        self.problem = ""

    @cached_property
    def directory(self) -> str:
        return os.path.realpath(self._given or default_directory())

    def solid(
        self, content: MeshContent, treatment: MeshTreatment, scale: Factors
    ) -> tuple[MeshSolid, _Bounds] | MeshError | None:
        """The solid with its bounds before scale, or why there is none; None where neither is cached."""
        values = self._read(self._solid_key(content, treatment, scale))
        if values is None:
            return None
        if "refusal" in values:
            return refusal_of(values["refusal"])
        try:
            return _solid_of(values, treatment), _bounds_of(values)
        except ValueError:
            return None

    def keep_solid(
        self, content: MeshContent, treatment: MeshTreatment, scale: Factors, solid: MeshSolid, bounds: _Bounds
    ) -> None:
        moments = solid.moments
        self._write(
            self._solid_key(content, treatment, scale),
            {
                "volume": moments.volume,
                "centroid": moments.centroid,
                "second": moments.second,
                "method": solid.method,
                "extent": solid.extent,
                "faces": solid.faces,
                "uncertainty": solid.uncertainty,
                "notes": solid.notes,
                "lower": bounds[0],
                "upper": bounds[1],
            },
        )

    def keep_refusal(self, content: MeshContent, treatment: MeshTreatment, scale: Factors, refusal: MeshError) -> None:
        record = record_of(refusal)
        # A library that does not load today may load tomorrow, in the same version.
        if record is not None and not libraries_for(treatment) and not libraries_reading(content.suffix):
            self._write(self._solid_key(content, treatment, scale), {"refusal": record})

    def bounds(self, content: MeshContent) -> _Bounds | None:
        values = self._read(self._key("bounds", content))
        try:
            return _bounds_of(values) if values is not None else None
        except ValueError:
            return None

    def keep_bounds(self, content: MeshContent, bounds: _Bounds) -> None:
        self._write(self._key("bounds", content), {"lower": bounds[0], "upper": bounds[1]})

    def _solid_key(self, content: MeshContent, treatment: MeshTreatment, scale: Factors) -> str:
        entries = [f"{name}={value!r}" for name, value in sorted(treatment._asdict().items())]
        return self._key("solid", content, *entries, f"scale={scale!r}", f"libraries={libraries_for(treatment)}")

    def _key(self, kind: str, content: MeshContent, *more: str) -> str:
        from hashlib import sha256

        reader = libraries_reading(content.suffix)
        program = (program_digest(), reader) if reader else (program_digest(),)
        parts = [kind, *program, *(f"{name}={value!r}" for name, value in content._asdict().items()), *more]
        return sha256("\x1f".join(parts).encode("utf-8", "surrogateescape")).hexdigest()

    # Files ------------------------------------------------------------------------------------------------------------

    @contextmanager
    def _shard(self, key: str, *, make: bool = False) -> Iterator[OpenDirectory]:
        """The directory of an entry; an OSError if it is missing or not only ours."""
        with ExitStack() as stack:
            directories: list[OpenDirectory] = []
            for name in (self.directory, _DIRECTORY, key[:2]):
                above = directories[-1] if directories else None
                directories.append(stack.enter_context(OpenDirectory(name, above, make=make)))
                _require_ours(directories[-1].state(os.curdir), directories[-1].path)
            _, room, shard = directories
            if make and key[:2] not in self._added:
                with suppress(FileExistsError), open(room.create("CACHEDIR.TAG"), "wb") as tag:
                    tag.write(_TAG)
            yield shard

    def _note(self, error: OSError) -> None:
        if isinstance(error, (PermissionError, NotADirectoryError)) or error.errno == errno.ELOOP:
            self.problem = (
                f"the mesh cache {self.directory} is not fully used, because others may have written to it: "
                f"{error.filename} must belong to this user, be writable by nobody else (chmod go-w), and not be a "
                "symbolic link; name another directory with --cache, or use --no-cache"
            )

    def _read(self, key: str) -> Mapping[str, Any] | None:
        try:
            with self._shard(key) as shard:
                text = _text(shard, key[2:])
            values = json.loads(text) if text is not None else None
        except OSError as error:
            self._note(error)
            return None
        except (ValueError, RecursionError):
            return None
        return values if isinstance(values, dict) and values.get("key") == key else None

    def _write(self, key: str, values: Mapping[str, Any]) -> None:
        if not self._takes_more:
            return
        data = json.dumps({"key": key, **values}).encode("ascii")
        if len(data) > _MAX_BYTES:
            return
        try:
            with self._shard(key, make=True) as shard:
                added = self._added.get(key[:2], 0)
                self._added[key[:2]] = added + 1
                if added % _COUNTS_EVERY == 0:
                    remove_leftovers(shard.path)
                    _thin_out(shard)
                _put(shard, key[2:], data)
        except OSError as error:
            self._note(error)
            # A full disk, a directory that is not ours: another attempt would end no better.
            self._takes_more = False


def default_directory() -> str:
    # Loaded where there is a mesh to be integrated.
    from platformdirs import user_cache_dir

    return user_cache_dir("sdfinertia", appauthor=False)


def cache_in(directory: str, confine: str | None) -> MassCache:
    """The cache in a directory that was asked for; a ConfigurationError if it cannot be written or is outside
    `confine`.
    """
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
    return MassCache(place)


def _require_ours(state: os.stat_result | None, path: str) -> None:
    if state is None or can_be_of_others(state):
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM), path)


def _text(shard: OpenDirectory, name: str) -> bytes | None:
    descriptor = shard.open(name)
    try:
        state = os.fstat(descriptor)
        if not is_regular(state) or state.st_size > _MAX_BYTES:
            return None
        _require_ours(state, os.path.join(shard.path, name))
        data = os.read(descriptor, _MAX_BYTES)
        if time.time() - state.st_mtime > _DAY:
            with suppress(OSError):
                os.utime(descriptor if os.utime in os.supports_fd else os.path.join(shard.path, name))
    finally:
        os.close(descriptor)
    return data


def _put(shard: OpenDirectory, name: str, data: bytes) -> None:
    with TemporaryFile(shard) as new:
        new.stream.write(data)
        new.replace(name)


def _thin_out(shard: OpenDirectory) -> None:
    """Removes the least recently used quarter, where there are too many."""
    states = ((shard.state(name), name) for name in shard.names() if _NAME.fullmatch(name))
    found = sorted((state.st_mtime, name) for state, name in states if state is not None)
    if len(found) > _MAX_ENTRIES:
        for _, name in found[: len(found) - _MAX_ENTRIES * 3 // 4]:
            with suppress(OSError):
                shard.remove(name)


# Entries: a ValueError for what cannot be -----------------------------------------------------------------------------

_MAX_COUNTED = 1 << 40
_KINDS: dict[str, type[MeshError]] = {kind.__name__: kind for kind in (MeshError, OpenMeshError, ThicknessError)}


def is_count(value: object) -> TypeGuard[int]:
    return type(value) is int and 0 <= value < _MAX_COUNTED


def can_be_of_solid(inertia: SpatialInertia, volume: float, method: object, treatment: MeshTreatment) -> bool:
    return volume > 0.0 and method in treatment.methods and inertia.is_physically_valid()


def record_of(refusal: MeshError) -> dict[str, Any] | None:
    """What is cached of a refusal; None where it names a file or is too long."""
    kind, problem, remedy = type(refusal).__name__, refusal.problem, refusal.remedy
    places = (refusal.location, refusal.link, refusal.collision)
    if (
        any(place is not None for place in places)
        or kind not in _KINDS
        or max(len(problem), len(remedy)) > _MAX_CHARACTERS
    ):
        return None
    one_sided = isinstance(refusal, OpenMeshError) and refusal.one_sided
    return {"kind": kind, "problem": problem, "remedy": remedy, "one_sided": one_sided}


def refusal_of(record: object) -> MeshError | None:
    if not isinstance(record, Mapping):
        return None
    kind, problem, remedy, one_sided = (record.get(name) for name in ("kind", "problem", "remedy", "one_sided"))
    if not (isinstance(kind, str) and isinstance(problem, str) and isinstance(remedy, str)):
        return None
    if not isinstance(one_sided, bool):
        return None
    if kind not in _KINDS or not problem or max(len(problem), len(remedy)) > _MAX_CHARACTERS:
        return None
    if kind == OpenMeshError.__name__:
        return OpenMeshError(problem, remedy=remedy, one_sided=one_sided)
    return _KINDS[kind](problem, remedy=remedy)


def _solid_of(values: Mapping[str, Any], treatment: MeshTreatment) -> MeshSolid:
    volume, uncertainty = _number(values.get("volume")), _number(values.get("uncertainty"))
    x, y, z = _numbers(values.get("centroid"), 3)
    a, b, c, d, e, f = _numbers(values.get("second"), 6)
    length, width, height = _numbers(values.get("extent"), 3)
    method, faces, notes = values.get("method"), values.get("faces"), values.get("notes")
    moments = VolumeMoments(volume, (x, y, z), (a, b, c, d, e, f))
    if min(uncertainty, length, width, height) < 0.0 or not (is_count(faces) and _are_notes(notes)):
        raise ValueError
    if not can_be_of_solid(moments.spatial_inertia(1.0), volume, method, treatment):
        raise ValueError
    return MeshSolid(moments, Method(method), (length, width, height), faces, uncertainty, tuple(notes))


def _are_notes(value: object) -> TypeGuard[list[str]]:
    if not isinstance(value, list) or len(value) > _MAX_NOTES:
        return False
    return all(isinstance(note, str) and len(note) < _MAX_CHARACTERS for note in value)


def _bounds_of(values: Mapping[str, Any]) -> _Bounds:
    a, b, c = _numbers(values.get("lower"), 3)
    d, e, f = _numbers(values.get("upper"), 3)
    if a > d or b > e or c > f:
        raise ValueError
    return (a, b, c), (d, e, f)


def _numbers(value: Any, count: int) -> list[float]:
    if not isinstance(value, list) or len(value) != count:
        raise ValueError
    return [_number(each) for each in value]


def _number(value: Any) -> float:
    if type(value) is not float or not math.isfinite(value):
        raise ValueError
    return value


# Programs -------------------------------------------------------------------------------------------------------------

# The rooms whose modules affect the numbers.
_ROOMS = ("mesh", "inertia")
_DIGITS = 16


@cache
def program_digest() -> str:
    """The version of this package, with a digest of the modules that read and integrate meshes."""
    from hashlib import sha256

    total = sha256()
    for path in _modules():
        with open(path, "rb") as file:
            total.update(sha256(file.read()).digest())
    return f"{__version__}-{total.hexdigest()[:_DIGITS]}"


def _modules() -> Iterator[str]:
    package = os.path.dirname(os.path.dirname(__file__))
    for room in _ROOMS:
        for directory, folders, names in os.walk(os.path.join(package, room)):
            folders.sort()
            yield from (os.path.join(directory, name) for name in sorted(names) if name.endswith(".py"))
