"""The meshes of a run: each file is read once, however many collisions use it."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from sdfinertia.errors import MeshError, OpenMeshError, ResourceError
from sdfinertia.files.confinement import is_inside
from sdfinertia.files.regular_file import MAXIMUM_BYTES, read_regular_file, refuse_longer
from sdfinertia.mesh.treatment import COMMUTE_WITH_SCALE, MeshTreatment, Method
from sdfinertia.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Hashable

    from sdfinertia.mesh.cache import MassCache, MeshContent
    from sdfinertia.mesh.mesh_solid import MeshSolid
    from sdfinertia.mesh.triangle_mesh import TriangleMesh

Factors = tuple[float, float, float]
NO_SCALE: Factors = (1.0, 1.0, 1.0)

_MOST_KEPT = 1 << 26  # bytes of triangles from one link to the next: of some 1.8 million faces in all
_MOST_REMEMBERED = 10_000  # files whose digests and solids are held in memory: some 2 kB each
_REMEDY = "raise it with --max-mesh-bytes"


class MeshSource(NamedTuple):
    """What is taken of a mesh file.

    Attributes:
        submesh: name of the part that counts, or None for all of it.
        center: whether that part's bounding box is centred on the origin.
    """

    path: str
    submesh: str | None = None
    center: bool = False


class MeshStore:
    """Contents, triangles and solids of mesh files.

    Args:
        max_bytes: no file of more bytes is read.
        confine: a directory; the files that a mesh file keeps its content in are not read outside it.
        cache: what remembers solids from one run to the next, by the content of files.
    """

    def __init__(
        self, max_bytes: int = MAXIMUM_BYTES, confine: str | None = None, cache: MassCache | None = None
    ) -> None:
        self._max_bytes = max_bytes
        self._confine = confine
        self._companions: dict[str, list[str]] = {}
        self._digests: dict[str, str] = {}
        self._solids: dict[Hashable, MeshSolid | MeshError] = {}
        self._bounds: dict[MeshSource, tuple[Factors, Factors]] = {}
        self._contents: dict[str, bytes] = {}
        self._meshes: dict[str, TriangleMesh] = {}
        self._held: dict[str, bytes] = {}
        self._cache = cache
        self._kept: dict[Hashable, MeshSolid | MeshError] = {}

    def hold(self, path: str, content: bytes) -> None:
        """Takes bytes that came another way, as from standard input, for the content of a file of that name."""
        self._held[path] = content

    def files_read(self) -> set[str]:
        """The mesh files that were read, and those that they keep their content in."""
        return {*self._companions, *(path for companions in self._companions.values() for path in companions)}

    def digest(self, path: str) -> str:
        """A digest of the content of a mesh file, and of the files it keeps its content in.

        Raises:
            ResourceError: it, or one of them, cannot be read.
            MeshError: what it says of the others is damaged.
        """
        if path not in self._digests:
            from hashlib import sha256

            total = sha256(self._content(path))
            for companion in self._companions[path]:
                total.update(sha256(self._companion(companion)).digest())
            self._digests[path] = total.hexdigest()
        return self._digests[path]

    def mesh(self, source: MeshSource) -> TriangleMesh:
        """The triangles of a mesh file, or of the part of it that counts, before scale.

        Raises:
            MeshError: the file is damaged, holds no triangles, or has no such part.
        """
        from sdfinertia.mesh.readers.formats import NO_TRIANGLES

        mesh = self.points(source)
        if not len(mesh.faces):
            raise MeshError(NO_TRIANGLES, file=source.path)
        return mesh

    def points(self, source: MeshSource) -> TriangleMesh:
        """What `mesh` gives, or a mesh without triangles where the file holds vertices alone.

        Raises:
            MeshError: the file is damaged, or has no such part.
        """
        # Loaded with the first mesh: it needs numpy, which a file of primitives never pays for.
        from sdfinertia.mesh.readers.formats import read_mesh

        path, submesh, center = source
        try:
            if path not in self._meshes:
                self._meshes[path] = read_mesh(path, self._content(path), partial(self._beside, path))
                if path in self._digests:
                    # Nothing asks for them any more, and they may be hundreds of megabytes.
                    for read in (path, *self._companions[path]):
                        self._contents.pop(read, None)
            mesh = self._meshes[path] if submesh is None else self._meshes[path].submesh(submesh)
            return mesh.centered() if center else mesh
        except MeshError as error:
            raise error.within(file=path) from None

    def bounds(self, source: MeshSource) -> tuple[Factors, Factors]:
        """The lower and the upper corner of the box round the triangles, before scale.

        Raises:
            MeshError: the file is damaged, or has no such part.
        """
        if source not in self._bounds and self._cache is not None:
            found = self._cache.bounds(self._content_key(source))
            if found is not None:
                self._bounds[source] = found
        if source not in self._bounds:
            bounds = self._bounds_read(source)
            if self._cache is not None:
                self._cache.keep_bounds(self._content_key(source), bounds)
        return self._bounds[source]

    def _bounds_read(self, source: MeshSource) -> tuple[Factors, Factors]:
        if source not in self._bounds:
            from sdfinertia.inertia.bounding_box import bounding_box

            (a, b, c), (d, e, f) = (corner.tolist() for corner in bounding_box(self.points(source).used_vertices()))
            self._bounds[source] = (a, b, c), (d, e, f)
        return self._bounds[source]

    def solid(self, source: MeshSource, treatment: MeshTreatment, scale: Factors = NO_SCALE) -> MeshSolid:
        """The solid that a mesh stands for, stretched by a scale.

        Raises:
            OpenMeshError: the mesh is not closed, and its treatment does not say what then.
            MeshError: the file is damaged or stands for no solid.
        """
        if self._cache is None:
            computed = self._computed(source, treatment, scale)
            # While the triangles are there: whoever needs the one most often needs the other.
            self._bounds_read(source)
            return computed
        commutes = treatment.commutes_with_scale
        own_scale = NO_SCALE if commutes else scale
        key = (source, treatment, own_scale)
        if key not in self._kept:
            self._kept[key] = self._found(self._cache, source, treatment, own_scale)
        solid = self._kept[key]
        if isinstance(solid, MeshError):
            raise solid.within(file=source.path)
        return solid.scaled(scale) if commutes else solid

    def _found(
        self, cache: MassCache, source: MeshSource, treatment: MeshTreatment, scale: Factors
    ) -> MeshSolid | MeshError:
        """What the cache has of a mesh, or what is computed of it and kept there."""
        content = self._content_key(source)
        found = cache.solid(content, treatment, scale)
        if isinstance(found, MeshError):
            return found
        if found is not None:
            solid, self._bounds[source] = found
            return solid
        try:
            solid = self._computed(source, treatment, scale)
        except MeshError as error:
            cache.keep_refusal(content, treatment, scale, error)
            return error.with_traceback(None)
        # In one entry, for whoever needs the one most often needs the other.
        cache.keep_solid(content, treatment, scale, solid, self._bounds_read(source))
        return solid

    def _computed(self, source: MeshSource, treatment: MeshTreatment, scale: Factors) -> MeshSolid:
        try:
            return self._solid(source, treatment.method, treatment, scale)
        except OpenMeshError:
            if treatment.method is not Method.EXACT or treatment.open_mesh is None:
                raise
        return self._solid(source, treatment.open_mesh, treatment, scale)

    def _solid(self, source: MeshSource, method: Method, treatment: MeshTreatment, scale: Factors) -> MeshSolid:
        from sdfinertia.mesh.volume.solid_moments import solid_of

        commutes = method in COMMUTE_WITH_SCALE
        # What the method does not look at makes no other solid.
        key = (source, method, treatment.overlaps) if commutes else (source, method, treatment, scale)
        if key not in self._solids:
            mesh = self.points(source) if method is Method.CONVEX_HULL else self.mesh(source)
            try:
                self._solids[key] = solid_of(mesh if commutes else mesh.scaled(scale), method, treatment)
            except MeshError as error:
                self._solids[key] = error
        solid = self._solids[key]
        if isinstance(solid, MeshError):
            raise solid.within(file=source.path)
        return solid.scaled(scale) if commutes else solid

    def forget_contents(self) -> None:
        """Lets go of the bytes read, and of triangles beyond 64 MB, and keeps digests and solids.

        Triangles are kept because links often take a submesh each of one file.
        """
        self._contents.clear()
        if len(self._digests) > _MOST_REMEMBERED:
            for memory in (self._digests, self._companions, self._solids, self._kept, self._bounds):
                memory.clear()
        sizes = {path: mesh.vertices.nbytes + mesh.faces.nbytes for path, mesh in self._meshes.items()}
        total = sum(sizes.values())
        for path, size in sizes.items():  # from the one that was read first
            if total <= _MOST_KEPT:
                break
            del self._meshes[path]
            total -= size

    def _content_key(self, source: MeshSource) -> MeshContent:
        from sdfinertia.mesh.cache import MeshContent

        path, submesh, center = source
        digest = self.digest(path)
        suffix = os.path.splitext(path)[1].lower()
        return MeshContent(digest, len(self._companions[path]), suffix, submesh, center)

    def _content(self, path: str) -> bytes:
        if path not in self._contents:
            content = self._read(path)
            # Before any of it is read: a reader of meshes knows nothing of limits and confinement.
            self._companions[path] = self._permitted_companions(path, content)
            self._contents[path] = content
        return self._contents[path]

    def _permitted_companions(self, path: str, content: bytes) -> list[str]:
        from sdfinertia.mesh.readers.formats import companion_files

        try:
            companions = [_beside(path, name) for name in companion_files(path, content)]
        except MeshError as error:
            raise error.within(file=path) from None
        for companion in companions:
            if self._confine is not None and not is_inside(companion, self._confine):
                raise ResourceError(f"its buffer {companion} is outside {self._confine}, and not opened", file=path)
            if os.path.isfile(companion):
                refuse_longer(companion, os.path.getsize(companion), self._max_bytes, _REMEDY)
        return companions

    def _beside(self, path: str, name: str) -> bytes:
        """The bytes of a file that a mesh file keeps its content in: the one place where such files are opened."""
        companion = _beside(path, name)
        # What may not be opened was refused with the mesh file; a reader cannot ask for others.
        if companion not in self._companions[path] or not os.path.isfile(companion):
            raise ResourceError(f"is not found at {companion!r}", file=path)
        return self._companion(companion)

    def _companion(self, path: str) -> bytes:
        if path not in self._contents:
            self._contents[path] = self._read(path)
        return self._contents[path]

    def _read(self, path: str) -> bytes:
        if path in self._held:
            refuse_longer(path, len(self._held[path]), self._max_bytes, _REMEDY)
            return self._held[path]
        return read_regular_file(path, self._max_bytes, _REMEDY)


def _beside(path: str, name: str) -> str:
    """Where a file is that a mesh file names by its path from there, with `/`."""
    return os.path.join(os.path.dirname(path), *name.split("/"))
