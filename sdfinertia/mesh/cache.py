"""What was computed of meshes, kept on disk from one run to the next, by the content of their files.

An entry is a file whose name is a digest of all that shapes its numbers: the bytes of the mesh and of the files that it
keeps its content in, the part of it that counts, the treatment, and the program. It is written under another name and
renamed, so that any number of processes may share a directory, and what cannot be read or written is computed.

What is read is data of unknown origin. An entry counts only if it is a file of this user, or root, that nobody else may
write to, holds the digest that was asked for, and numbers that a body can have; else it is as if there were none.
"""

from __future__ import annotations

import json
import math
import os
import re
import stat
import time
from collections.abc import Mapping
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeGuard

from sdfinertia.errors import ConfigurationError
from sdfinertia.files.confinement import is_inside
from sdfinertia.files.leftovers import remove_leftovers, temporary_names
from sdfinertia.files.regular_file import reason_of
from sdfinertia.inertia.spatial_inertia import VolumeMoments
from sdfinertia.mesh.mesh_solid import MeshSolid, record_of, refusal_of
from sdfinertia.mesh.program import libraries_for, program_digest
from sdfinertia.mesh.treatment import Method
from sdfinertia.named_tuple import NamedTuple

if TYPE_CHECKING:
    from sdfinertia.errors import MeshError
    from sdfinertia.mesh.treatment import MeshTreatment

_Factors = tuple[float, float, float]
_Bounds = tuple[_Factors, _Factors]

_FORMAT = 1
_ROOM = f"masses-{_FORMAT}"
# Entries of a directory; there are 256, by the first two digits of the key, so some 100,000 in all and, in the blocks
# of most file systems, 400 MB.
_MOST_ENTRIES = 400
# How often a process counts them, in entries that it adds.
_COUNTS_EVERY = 16
_MOST_BYTES = 1 << 16
_MOST_NOTES, _MOST_CHARACTERS = 100, 2000
_MOST_FACES = 1 << 40
# An entry that is used is as good as new; that is noted once a day (s).
_DAY = 86_400.0
_METHODS = frozenset(method.value for method in Method)
_NAME = re.compile(r"[0-9a-f]{62}")
# The mark by which programs that make backups pass a directory over (https://bford.info/cachedir/).
_TAG = b"Signature: 8a477f597d28d172789f06886806bc55\n# Masses of meshes, kept by sdfinertia; may be deleted.\n"


class MeshContent(NamedTuple):
    """What is taken of the content of a mesh file.

    Attributes:
        digest: of its bytes, and of those of the files that it keeps its content in.
        companions: how many those are.
        suffix: by which it is read.
        submesh, center: the part that counts; see `MeshSource`.
    """

    digest: str
    companions: int
    suffix: str
    submesh: str | None
    center: bool


class MassCache:
    """A directory of solids, and of why meshes are none.

    Args:
        directory: where they are kept, made when there is something to keep; None for the user's own, as the platform
            has it.
    """

    def __init__(self, directory: str | None = None) -> None:
        self._given = directory
        self._added: dict[str, int] = {}
        self._takes_more = True
        self._is_tagged = False

    @cached_property
    def directory(self) -> str:
        """Where entries are."""
        return os.path.join(self._given or default_directory(), _ROOM)

    def solid(
        self, content: MeshContent, treatment: MeshTreatment, scale: _Factors
    ) -> tuple[MeshSolid, _Bounds] | MeshError | None:
        """A solid that was kept, with the box round the triangles before scale, or why there is none.

        None where neither was kept.
        """
        values = self._read(self._solid_key(content, treatment, scale))
        if values is None:
            return None
        if "refusal" in values:
            return refusal_of(values["refusal"])
        solid, bounds = _solid_of(values), _bounds_of(values)
        return (
            (solid, bounds) if solid is not None and bounds is not None and solid.method in treatment.methods else None
        )

    def keep_solid(
        self, content: MeshContent, treatment: MeshTreatment, scale: _Factors, solid: MeshSolid, bounds: _Bounds
    ) -> None:
        """Keeps a solid, if that can be done."""
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
                "greatest_winding": None if solid.greatest_winding is None else int(solid.greatest_winding),
                "lower": bounds[0],
                "upper": bounds[1],
            },
        )

    def keep_refusal(self, content: MeshContent, treatment: MeshTreatment, scale: _Factors, refusal: MeshError) -> None:
        """Keeps why a mesh stands for no solid, if that can be done and is true of the mesh alone."""
        record = record_of(refusal)
        # A library that does not load today may load tomorrow, in the same version.
        if record is not None and not libraries_for(treatment):
            self._write(self._solid_key(content, treatment, scale), {"refusal": record})

    def bounds(self, content: MeshContent) -> _Bounds | None:
        """The box round triangles that was kept; None where there is none."""
        values = self._read(self._key("bounds", content))
        return _bounds_of(values) if values is not None else None

    def keep_bounds(self, content: MeshContent, bounds: _Bounds) -> None:
        """Keeps a box, if that can be done."""
        self._write(self._key("bounds", content), {"lower": bounds[0], "upper": bounds[1]})

    def _solid_key(self, content: MeshContent, treatment: MeshTreatment, scale: _Factors) -> str:
        entries = [f"{name}={value!r}" for name, value in sorted(treatment._asdict().items())]
        return self._key("solid", content, *entries, f"scale={scale!r}", f"libraries={libraries_for(treatment)}")

    def _key(self, kind: str, content: MeshContent, *more: str) -> str:
        from hashlib import sha256

        parts = [kind, program_digest(), *(f"{name}={value!r}" for name, value in content._asdict().items()), *more]
        return sha256("\x1f".join(parts).encode("utf-8", "surrogateescape")).hexdigest()

    # Files ------------------------------------------------------------------------------------------------------------

    def _place(self, key: str) -> str:
        return os.path.join(self.directory, key[:2], key[2:])

    def _read(self, key: str) -> Mapping[str, Any] | None:
        path = self._place(key)
        try:
            text = _own_text(path)
            values = json.loads(text) if text is not None else None
        except (OSError, ValueError, RecursionError):
            return None
        return values if isinstance(values, dict) and values.get("key") == key else None

    def _write(self, key: str, values: Mapping[str, Any]) -> None:
        if not self._takes_more:
            return
        path = self._place(key)
        shard = os.path.dirname(path)
        data = json.dumps({"key": key, **values}).encode("ascii")
        if len(data) > _MOST_BYTES:
            return
        try:
            self._make(shard)
            temporary = _created(shard, data)
            try:
                os.replace(temporary, path)
            except OSError:
                os.unlink(temporary)
                raise
        except OSError:
            # A full disk, a directory that is not ours: another attempt would end no better.
            self._takes_more = False

    def _make(self, shard: str) -> None:
        """Makes the directory of some entries, or room in it."""
        added = self._added.get(shard, 0)
        self._added[shard] = added + 1
        if added % _COUNTS_EVERY:
            return
        if not self._is_new(shard):
            remove_leftovers(shard)
            _thin_out(shard)

    def _is_new(self, shard: str) -> bool:
        """Whether the directory was made just now, so that nothing of others is in it."""
        try:
            try:
                os.mkdir(shard, 0o700)
            except FileNotFoundError:
                os.makedirs(shard, 0o700)
        except FileExistsError:
            return False
        if not self._is_tagged:
            self._is_tagged = True
            with suppress(FileExistsError), open(os.path.join(self.directory, "CACHEDIR.TAG"), "xb") as tag:
                tag.write(_TAG)
        return True


def default_directory() -> str:
    """The directory in which the platform has this user's programs keep what they can compute again."""
    # Loaded where there is a mesh to be integrated.
    from platformdirs import user_cache_dir

    return user_cache_dir("sdfinertia", appauthor=False)


def cache_in(directory: str, confine: str | None) -> MassCache:
    """The cache in a directory that was asked for.

    Raises:
        ConfigurationError: it is no directory that can be written to, or lies outside the confinement.
    """
    if confine is not None and not is_inside(directory, confine):
        raise ConfigurationError(f"the cache is outside {os.path.abspath(confine)}, and not opened", file=directory)
    try:
        os.makedirs(directory, 0o700, exist_ok=True)
    except OSError as error:
        raise ConfigurationError(f"the cache cannot be made: {reason_of(error)}", file=directory) from None
    if not os.access(directory, os.W_OK | os.X_OK):
        raise ConfigurationError("the cache cannot be written to", file=directory)
    return MassCache(directory)


def _own_text(path: str) -> bytes | None:
    """The bytes of an entry, if nobody but this user, or root, can have written them."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
    descriptor = os.open(path, flags)
    try:
        state = os.fstat(descriptor)
        if not stat.S_ISREG(state.st_mode) or state.st_size > _MOST_BYTES:
            return None
        if os.name == "posix" and (state.st_uid not in (os.geteuid(), 0) or state.st_mode & 0o022):
            return None
        data = os.read(descriptor, _MOST_BYTES)
    finally:
        os.close(descriptor)
    if time.time() - state.st_mtime > _DAY:
        with suppress(OSError):
            os.utime(path)
    return data


def _created(shard: str, data: bytes) -> str:
    """A new file with some content, under a name that no entry has."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0)
    names = temporary_names()
    while True:
        path = os.path.join(shard, next(names))
        try:
            descriptor = os.open(path, flags, 0o600)
        except FileExistsError:
            continue
        try:
            with open(descriptor, "wb") as file:
                file.write(data)
        except OSError:
            os.unlink(path)
            raise
        return path


def _thin_out(shard: str) -> None:
    """Removes the quarter of the entries that was not used for longest, where there are too many."""
    found: list[tuple[float, str]] = []
    with os.scandir(shard) as entries:
        for entry in entries:
            if _NAME.fullmatch(entry.name):
                with suppress(OSError):
                    found.append((entry.stat(follow_symlinks=False).st_mtime, entry.path))
    if len(found) > _MOST_ENTRIES:
        for _, path in sorted(found)[: len(found) - _MOST_ENTRIES * 3 // 4]:
            with suppress(OSError):
                os.unlink(path)


# Entries --------------------------------------------------------------------------------------------------------------


def _solid_of(values: Mapping[str, Any]) -> MeshSolid | None:
    """The solid that an entry tells of; None where no body can be like that."""
    volume, uncertainty = _numbers(values.get("volume"), None), _numbers(values.get("uncertainty"), None)
    centroid, second = _numbers(values.get("centroid"), 3), _numbers(values.get("second"), 6)
    extent, method, faces = _numbers(values.get("extent"), 3), values.get("method"), values.get("faces")
    winding, notes = values.get("greatest_winding"), values.get("notes")
    if volume is None or uncertainty is None or centroid is None or second is None or extent is None:
        return None
    if not (
        volume[0] > 0.0
        and uncertainty[0] >= 0.0
        and min(extent) >= 0.0
        and isinstance(method, str)
        and method in _METHODS
    ):
        return None
    if not (_is_count(faces) and (winding is None or _is_count(winding)) and isinstance(notes, list)):
        return None
    if len(notes) > _MOST_NOTES or not all(isinstance(note, str) and len(note) < _MOST_CHARACTERS for note in notes):
        return None
    a, b, c, d, e, f = second
    moments = VolumeMoments(volume[0], _three(centroid), (a, b, c, d, e, f))
    if not moments.spatial_inertia(1.0).is_physically_valid():
        return None
    return MeshSolid(moments, Method(method), _three(extent), faces, uncertainty[0], tuple(notes), winding)


def _bounds_of(values: Mapping[str, Any]) -> _Bounds | None:
    lower, upper = _numbers(values.get("lower"), 3), _numbers(values.get("upper"), 3)
    if lower is None or upper is None or any(low > high for low, high in zip(lower, upper, strict=True)):
        return None
    return _three(lower), _three(upper)


def _numbers(value: Any, count: int | None) -> list[float] | None:
    """So many finite numbers, or one where no list is meant; None where it is something else."""
    values = [value] if count is None else value
    if not isinstance(values, list) or (count is not None and len(values) != count):
        return None
    return values if all(type(each) is float and math.isfinite(each) for each in values) else None


def _is_count(value: Any) -> TypeGuard[int]:
    return type(value) is int and 0 <= value < _MOST_FACES


def _three(values: list[float]) -> _Factors:
    x, y, z = values
    return x, y, z
