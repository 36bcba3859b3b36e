"""Masses of meshes kept on disk between runs, by the content of their files; only physically valid ones count."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, TypeGuard

from sdfinertia import __version__
from sdfinertia.errors import MeshError, OpenMeshError, ThicknessError
from sdfinertia.files.cache_file import CacheFile, require_cache
from sdfinertia.inertia.volume_moments import VolumeMoments
from sdfinertia.mesh.method import Factors, MeshSolid, Method, libraries_for
from sdfinertia.mesh.readers.formats import libraries_reading

if TYPE_CHECKING:
    from sdfinertia.inertia.spatial_inertia import SpatialInertia
    from sdfinertia.mesh.method import MeshContent, MeshTreatment

_Bounds = tuple[Factors, Factors]

_MAX_NOTES, _MAX_CHARACTERS = 100, 4000


class MassCache:
    """Solids, and the reasons why meshes are none."""

    def __init__(self, directory: str | None = None) -> None:
        self._file = CacheFile(directory)

    @property
    def problem(self) -> str:
        """The reason why some of it is not used, or ""."""
        return self._file.problem

    def solid(
        self, content: MeshContent, treatment: MeshTreatment, scale: Factors
    ) -> tuple[MeshSolid, _Bounds] | MeshError | None:
        """The solid with its bounds before scale, or the error of a mesh without one; None where neither is cached."""
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

    def _solid_key(self, content: MeshContent, treatment: MeshTreatment, scale: Factors) -> bytes:
        entries = [f"{name}={value!r}" for name, value in sorted(treatment._asdict().items())]
        return self._key("solid", content, *entries, f"scale={scale!r}", f"libraries={libraries_for(treatment)}")

    def _key(self, kind: str, content: MeshContent, *more: str) -> bytes:
        from hashlib import sha256

        reader = libraries_reading(content.suffix)
        program = (program_digest(), reader) if reader else (program_digest(),)
        parts = [kind, *program, *(f"{name}={value!r}" for name, value in content._asdict().items()), *more]
        return sha256("\x1f".join(parts).encode("utf-8", "surrogateescape")).digest()

    def _read(self, key: bytes) -> Mapping[str, Any] | None:
        values = self._file.get(key)
        return values if isinstance(values, dict) else None

    def _write(self, key: bytes, values: Mapping[str, Any]) -> None:
        self._file.put([(key, values)])


def cache_in(directory: str, confine: str | None) -> MassCache:
    """The cache in a given directory; raises the ConfigurationError of `require_cache`."""
    return MassCache(require_cache(directory, confine))


# Entries: a ValueError for impossible ones ----------------------------------------------------------------------------

_MAX_COUNTED = 1 << 40
_KINDS: dict[str, type[MeshError]] = {kind.__name__: kind for kind in (MeshError, OpenMeshError, ThicknessError)}


def is_count(value: object) -> TypeGuard[int]:
    return type(value) is int and 0 <= value < _MAX_COUNTED


def can_be_of_solid(inertia: SpatialInertia, volume: float, method: object, treatment: MeshTreatment) -> bool:
    return volume > 0.0 and method in treatment.methods and inertia.is_physically_valid()


def record_of(refusal: MeshError) -> dict[str, Any] | None:
    """The cached form of a refusal; None where it names a file or is too long."""
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
