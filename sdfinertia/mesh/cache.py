"""What was computed of meshes, kept on disk from one run to the next, by the content of their files.

An entry is a file whose name is a digest of all that shapes its numbers: the bytes of the mesh and of the files that it
keeps its content in, the part of it that counts, the treatment, and the program. It is written under another name and
renamed, so that any number of processes may share a directory, and what cannot be read or written is computed.

What is read is data of unknown origin. An entry counts only if it and the directories down to it are this user's, or
root's, nobody else may write to them, and no symbolic link leads there; if it holds the digest that was asked for, and
numbers that a body can have; else it is as if there were none. Nothing is written or removed elsewhere.
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
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sdfinertia.errors import ConfigurationError
from sdfinertia.files.open_directory import OpenDirectory, can_be_of_others, is_regular
from sdfinertia.files.regular_file import is_inside, reason_of
from sdfinertia.files.temporary_file import created_temporary, remove_leftovers
from sdfinertia.inertia.volume_moments import VolumeMoments
from sdfinertia.mesh.mesh_solid import MeshSolid, can_be_of_solid, is_count, record_of, refusal_of
from sdfinertia.mesh.program import libraries_for, program_digest
from sdfinertia.mesh.readers.formats import libraries_reading
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
# An entry that is used is as good as new; that is noted once a day (s).
_DAY = 86_400.0
_NAME = re.compile(r"[0-9a-f]{62}")
# The mark by which programs that make backups pass a directory over (https://bford.info/cachedir/).
_TAG = b"Signature: 8a477f597d28d172789f06886806bc55\n# Masses of meshes, kept by sdfinertia; may be deleted.\n"


class MeshContent(NamedTuple):
    """What is taken of the content of a mesh file.

    Attributes:
        digest: of its bytes, and of those of the files that it keeps its content in.
        external_buffers: how many those are.
        suffix: by which it is read.
        submesh, center: the part that counts; see `MeshSource`.
    """

    digest: str
    external_buffers: int
    suffix: str
    submesh: str | None
    center: bool


class MassCache:
    """A directory of solids, and of why meshes are none.

    Args:
        directory: where they are kept, made when there is something to keep; None for the user's own, as the platform
            has it.

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
        """The directory, by its real path."""
        return os.path.realpath(self._given or default_directory())

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
        solid, bounds = _solid_of(values, treatment), _bounds_of(values)
        return (solid, bounds) if solid is not None and bounds is not None else None

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
        if record is not None and not libraries_for(treatment) and not libraries_reading(content.suffix):
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

        reader = libraries_reading(content.suffix)
        program = (program_digest(), reader) if reader else (program_digest(),)
        parts = [kind, *program, *(f"{name}={value!r}" for name, value in content._asdict().items()), *more]
        return sha256("\x1f".join(parts).encode("utf-8", "surrogateescape")).hexdigest()

    # Files ------------------------------------------------------------------------------------------------------------

    @contextmanager
    def _shard(self, key: str, *, make: bool = False) -> Iterator[OpenDirectory]:
        """The directory of an entry.

        Raises:
            OSError: it is not there, or not only ours.
        """
        with ExitStack() as stack:
            directories: list[OpenDirectory] = []
            for name in (self.directory, _ROOM, key[:2]):
                above = directories[-1] if directories else None
                directories.append(stack.enter_context(OpenDirectory(name, above, make=make)))
                _require_ours(directories[-1].state(os.curdir), directories[-1].path)
            _, room, shard = directories
            if make and key[:2] not in self._added:
                with suppress(FileExistsError), open(room.create("CACHEDIR.TAG"), "wb") as tag:
                    tag.write(_TAG)
            yield shard

    def _note(self, error: OSError) -> None:
        """Notes what a look at files found, unless it is only that there is nothing yet, or no space."""
        if isinstance(error, (PermissionError, NotADirectoryError)) or error.errno == errno.ELOOP:
            self.problem = (
                f"the mesh cache {self.directory} is not used in full, for others may have written to it: "
                f"{error.filename} must be no symbolic link, belong to this user, and be writable by nobody else "
                "(chmod go-w); name another directory with --cache, or use --no-cache"
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
        if len(data) > _MOST_BYTES:
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
    """The directory in which the platform has this user's programs keep what they can compute again."""
    # Loaded where there is a mesh to be integrated.
    from platformdirs import user_cache_dir

    return user_cache_dir("sdfinertia", appauthor=False)


def cache_in(directory: str, confine: str | None) -> MassCache:
    """The cache in a directory that was asked for.

    Raises:
        ConfigurationError: it is no directory that can be written to, or lies outside the confinement.
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
    """The bytes of an entry."""
    descriptor = shard.open(name)
    try:
        state = os.fstat(descriptor)
        if not is_regular(state) or state.st_size > _MOST_BYTES:
            return None
        _require_ours(state, os.path.join(shard.path, name))
        data = os.read(descriptor, _MOST_BYTES)
        if time.time() - state.st_mtime > _DAY:
            with suppress(OSError):
                os.utime(descriptor if os.utime in os.supports_fd else os.path.join(shard.path, name))
    finally:
        os.close(descriptor)
    return data


def _put(shard: OpenDirectory, name: str, data: bytes) -> None:
    """Puts an entry in its place, whole."""
    descriptor, temporary = created_temporary(shard)
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
        shard.replace(temporary, name)
    except OSError:
        with suppress(OSError):
            shard.remove(temporary)
        raise


def _thin_out(shard: OpenDirectory) -> None:
    """Removes the quarter of the entries that was not used for longest, where there are too many."""
    states = ((shard.state(name), name) for name in shard.names() if _NAME.fullmatch(name))
    found = sorted((state.st_mtime, name) for state, name in states if state is not None)
    if len(found) > _MOST_ENTRIES:
        for _, name in found[: len(found) - _MOST_ENTRIES * 3 // 4]:
            with suppress(OSError):
                shard.remove(name)


# Entries --------------------------------------------------------------------------------------------------------------


def _solid_of(values: Mapping[str, Any], treatment: MeshTreatment) -> MeshSolid | None:
    """The solid that an entry tells of; None where no body can be like that."""
    volume, uncertainty = _numbers(values.get("volume"), None), _numbers(values.get("uncertainty"), None)
    centroid, second = _numbers(values.get("centroid"), 3), _numbers(values.get("second"), 6)
    extent, method, faces = _numbers(values.get("extent"), 3), values.get("method"), values.get("faces")
    winding, notes = values.get("greatest_winding"), values.get("notes")
    if volume is None or uncertainty is None or centroid is None or second is None or extent is None:
        return None
    if not (uncertainty[0] >= 0.0 and min(extent) >= 0.0):
        return None
    if not (is_count(faces) and (winding is None or is_count(winding))):
        return None
    if (
        not isinstance(notes, list)
        or len(notes) > _MOST_NOTES
        or not all(isinstance(note, str) and len(note) < _MOST_CHARACTERS for note in notes)
    ):
        return None
    a, b, c, d, e, f = second
    moments = VolumeMoments(volume[0], _three(centroid), (a, b, c, d, e, f))
    if not can_be_of_solid(moments.spatial_inertia(1.0), volume[0], method, treatment):
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


def _three(values: list[float]) -> _Factors:
    x, y, z = values
    return x, y, z
