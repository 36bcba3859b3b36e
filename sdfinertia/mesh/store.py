"""The meshes of a run: each file is read once, however many collisions use it."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any, TypeVar

from sdfinertia.errors import MeshError, OpenMeshError, ResourceError
from sdfinertia.files import MAXIMUM_BYTES, is_inside, read_regular_file, refuse_longer
from sdfinertia.mesh import (
    COMMUTE_WITH_SCALE,
    NO_SCALE,
    Factors,
    MeshSource,
    MeshTreatment,
    Method,
    libraries_for,
)
from sdfinertia.mesh.facts import MeshDiagnosis, MeshSolid
from sdfinertia.mesh.readers import NO_TRIANGLES, buffer_files, libraries_reading, read_mesh, suffix_of

if TYPE_CHECKING:
    from sdfinertia.mesh.cache import MeshCache
    from sdfinertia.mesh.pipeline import Pipeline
    from sdfinertia.mesh.triangle_mesh import TriangleMesh

_MAX_KEPT = 1 << 26  # bytes of triangles from one link to the next: of some 1.8 million faces in all
_MAX_REMEMBERED = 10_000  # files whose digests and solids are held in memory: some 2 kB each
_REMEDY = "simplify the mesh, or split it"
_F = TypeVar("_F")


class MeshStore:
    """Contents, triangles and records of mesh files, read from nowhere but `confine` and kept in the cache."""

    def __init__(self, confine: str | None = None, cache: MeshCache | None = None) -> None:
        self._confine, self._cache = confine, cache
        self._external_buffers: dict[str, list[str]] = {}
        self._digests: dict[str, str] = {}
        # What is known of each mesh, by the names of the facts.
        self._records: dict[MeshSource, dict[str, Any]] = {}
        self._solids: dict[tuple[MeshSource, MeshTreatment, Factors], MeshSolid | MeshError] = {}
        self._pipelines: dict[tuple[MeshSource, Factors], Pipeline] = {}
        self._contents: dict[str, bytes] = {}
        self._meshes: dict[str, TriangleMesh] = {}
        self._bytes_of_meshes = 0
        self._held: dict[str, bytes] = {}
        self._in_memory: dict[str, TriangleMesh] = {}

    def hold(self, path: str, content: bytes) -> None:
        self._held[path] = content

    def hold_mesh(self, path: str, mesh: TriangleMesh) -> None:
        """Takes triangles in memory for those of a file of that name; they are not cached on disk."""
        self._in_memory[path] = mesh

    def is_in_memory(self, path: str) -> bool:
        return path in self._in_memory

    def cache_notes(self) -> tuple[str, ...]:
        return (self._cache.problem,) if self._cache is not None and self._cache.problem else ()

    def files_read(self) -> set[str]:
        return set(self._external_buffers).union(*self._external_buffers.values())

    def digest(self, path: str) -> str:
        """A digest of the content of a mesh file and its external buffers."""
        if path not in self._digests:
            # Comments in users' files contain it.
            total = sha256(self._content(path))
            for buffer in self._external_buffers[path]:
                total.update(sha256(self._bytes(buffer)).digest())
            self._digests[path] = total.hexdigest()
        return self._digests[path]

    def mesh(self, source: MeshSource) -> TriangleMesh:
        mesh = self.points(source)
        if not len(mesh.faces):
            raise MeshError(NO_TRIANGLES, file=source.path)
        return mesh

    def points(self, source: MeshSource) -> TriangleMesh:
        """As `mesh`, or a mesh without triangles where the file holds vertices alone."""
        try:
            return self._points(source)
        except MeshError as error:
            raise error.within(file=source.path) from None

    def _points(self, source: MeshSource) -> TriangleMesh:
        path, submesh, center = source
        mesh = self._in_memory.get(path) or self._meshes.get(path) or self._read(path)
        mesh = mesh if submesh is None else mesh.submesh(submesh)
        return mesh.centered() if center else mesh

    def _read(self, path: str) -> TriangleMesh:
        mesh = self._meshes[path] = read_mesh(path, self._content(path), partial(self._beside, path))
        self._bytes_of_meshes += mesh.nbytes
        if path in self._digests:
            # No longer needed, and they may be hundreds of megabytes.
            for read in (path, *self._external_buffers[path]):
                self._contents.pop(read, None)
        return mesh

    def bounds(self, source: MeshSource) -> tuple[Factors, Factors]:
        def computed() -> tuple[Factors, Factors]:
            (a, b, c), (d, e, f) = (corner.tolist() for corner in self.points(source).bounds)
            return (a, b, c), (d, e, f)

        return self._fact(source, "bounds", computed)

    def solid(self, source: MeshSource, treatment: MeshTreatment, scale: Factors = NO_SCALE) -> MeshSolid:
        """The solid that a mesh represents, scaled; an OpenMeshError if it is open without a policy for that."""
        if (source, treatment, scale) not in self._solids:
            for method in treatment.methods:
                found = self._solid_by(treatment.by(method), source, scale)
                if not isinstance(found, OpenMeshError):
                    break
            self._solids[source, treatment, scale] = found
        found = self._solids[source, treatment, scale]
        if isinstance(found, MeshError):
            raise found.within(file=source.path)
        return found

    def _solid_by(self, treatment: MeshTreatment, source: MeshSource, scale: Factors) -> MeshSolid | MeshError:
        commutes = treatment.method in COMMUTE_WITH_SCALE
        own_scale = NO_SCALE if commutes else scale
        libraries = libraries_for(treatment)
        # A library that does not load today may load tomorrow, in the same version.
        keeps_errors = not libraries and not libraries_reading(suffix_of(source.path))
        name = repr((treatment, own_scale, libraries))
        found = self._fact(
            source, name, lambda: self._computed(source, treatment, own_scale), keeps_errors=keeps_errors
        )
        return found.scaled(scale) if commutes and not isinstance(found, MeshError) else found

    def _computed(self, source: MeshSource, treatment: MeshTreatment, scale: Factors) -> MeshSolid | MeshError:
        try:
            pipeline = self._pipeline(source, scale)
            if not len(pipeline.mesh.faces) and treatment.method is not Method.CONVEX_HULL:
                raise MeshError(NO_TRIANGLES)
            solid = pipeline.by(treatment.method, treatment)
        except MeshError as error:
            # Its traceback would keep the triangles.
            return error.with_traceback(None)
        # While the triangles are in memory: the two are mostly needed together.
        self.bounds(source)
        return solid

    def diagnosis(self, source: MeshSource, scale: Factors, *, takes_points: bool = False) -> MeshDiagnosis:
        """Of a file that holds points alone, that of their hull if it takes them."""

        def computed() -> MeshDiagnosis:
            from sdfinertia.mesh.diagnosis import diagnose

            if takes_points:
                self.points(source)
            else:
                self.mesh(source)
            return diagnose(self._pipeline(source, scale))

        return self._fact(source, f"diagnosis {scale} {takes_points}", computed)

    def _pipeline(self, source: MeshSource, scale: Factors) -> Pipeline:
        from sdfinertia.mesh.pipeline import Pipeline

        if (source, scale) not in self._pipelines:
            self._pipelines[source, scale] = Pipeline(self._points(source).scaled(scale))
        return self._pipelines[source, scale]

    def _fact(self, source: MeshSource, name: str, compute: Callable[[], _F], *, keeps_errors: bool = True) -> _F:
        """One fact of the record of a mesh: from this run, or the cache, else computed and kept."""
        cache, mesh = None, source
        if source.path not in self._in_memory:
            cache, mesh = self._cache, self._by_content(source)
        if mesh not in self._records:
            self._records[mesh] = cache.record(mesh) if cache is not None else {}
        record = self._records[mesh]
        if name not in record:
            record[name] = compute()
            if cache is not None and (keeps_errors or not isinstance(record[name], MeshError)):
                cache.add(mesh, name, record[name])
        found: _F = record[name]
        return found

    def forget_contents(self) -> None:
        """Releases the bytes read, and triangles beyond 64 MB; links often take a submesh each of one file."""
        self._contents.clear()
        self._pipelines.clear()
        if len(self._digests) > _MAX_REMEMBERED:
            self._digests.clear()
            self._external_buffers.clear()
            self._records.clear()
            self._solids.clear()
        while self._bytes_of_meshes > _MAX_KEPT:
            self._bytes_of_meshes -= self._meshes.pop(next(iter(self._meshes))).nbytes

    def _by_content(self, source: MeshSource) -> MeshSource:
        """Named by its digest, not its path: robots of one repository often have copies of one mesh."""
        digest, buffers = self.digest(source.path), len(self._external_buffers[source.path])
        return source._replace(path=f"{digest}-{buffers}{suffix_of(source.path)}")

    def _content(self, path: str) -> bytes:
        content = self._bytes(path)
        if path not in self._external_buffers:
            # Before any of it is read: a reader of meshes knows nothing of limits and confinement.
            self._external_buffers[path] = self._permitted_buffers(path, content)
        return content

    def _bytes(self, path: str) -> bytes:
        if path in self._held:
            refuse_longer(path, len(self._held[path]), MAXIMUM_BYTES, _REMEDY)
            return self._held[path]
        if path not in self._contents:
            self._contents[path] = read_regular_file(path, MAXIMUM_BYTES, _REMEDY, confine=self._confine)
        return self._contents[path]

    def _permitted_buffers(self, path: str, content: bytes) -> list[str]:
        try:
            external_buffers = [_beside(path, name) for name in buffer_files(path, content)]
        except MeshError as error:
            raise error.within(file=path) from None
        for buffer in external_buffers:
            if self._confine is not None and not is_inside(buffer, self._confine):
                raise ResourceError(f"its buffer {buffer} is outside {self._confine}, and not opened", file=path)
            if not os.path.isfile(buffer):
                raise ResourceError(f"buffer not found: {buffer}", uri=buffer, file=path)
            refuse_longer(buffer, os.path.getsize(buffer), MAXIMUM_BYTES, _REMEDY)
        return external_buffers

    def _beside(self, path: str, name: str) -> bytes:
        buffer = _beside(path, name)
        # A forbidden file was refused with the mesh file; a reader cannot request others.
        if buffer not in self._external_buffers[path]:
            raise ResourceError(f"is not one of its buffers: {buffer!r}", file=path)
        return self._bytes(buffer)


def _beside(path: str, name: str) -> str:
    return os.path.join(os.path.dirname(path), *name.split("/"))
