"""The meshes of a run: each file is read once, however many collisions use it."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from sdfinertia.errors import MeshError, OpenMeshError, ResourceError
from sdfinertia.files.regular_file import MAXIMUM_BYTES, is_inside, read_regular_file, refuse_longer
from sdfinertia.mesh.treatment import COMMUTE_WITH_SCALE, MeshTreatment, Method
from sdfinertia.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Hashable

    from sdfinertia.mesh.cache import MassCache, MeshContent
    from sdfinertia.mesh.mesh_solid import MeshSolid
    from sdfinertia.mesh.readers.formats import Corner
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
        confine: a directory outside which no mesh file, or file that it keeps its content in, is read.
        cache: what remembers solids from one run to the next, by the content of files.
    """

    def __init__(
        self, max_bytes: int = MAXIMUM_BYTES, confine: str | None = None, cache: MassCache | None = None
    ) -> None:
        self._max_bytes = max_bytes
        self._confine = confine
        self._companions: dict[str, list[str]] = {}
        self._digests: dict[str, str] = {}
        self._content_keys: dict[MeshSource, MeshContent] = {}
        # By what is asked for, and by method: treatments share what does not depend on all that they say.
        self._solids: dict[Hashable, MeshSolid | MeshError] = {}
        self._solids_by_method: dict[Hashable, MeshSolid | MeshError] = {}
        self._bounds: dict[MeshSource | MeshContent, tuple[Factors, Factors]] = {}
        self._contents: dict[str, bytes] = {}
        self._meshes: dict[str, TriangleMesh] = {}
        self._held_by_meshes = 0  # bytes
        self._held: dict[str, bytes] = {}
        self._cache = cache

    def hold(self, path: str, content: bytes) -> None:
        """Takes bytes that came another way, as from standard input, for the content of a file of that name."""
        self._held[path] = content

    def cache_notes(self) -> tuple[str, ...]:
        """Why masses that are kept on disk are not used."""
        return (self._cache.problem,) if self._cache is not None and self._cache.problem else ()

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
        try:
            return self._points(source)
        except MeshError as error:
            raise error.within(file=source.path) from None

    def _points(self, source: MeshSource) -> TriangleMesh:
        # Loaded with the first mesh: it needs numpy, which a file of primitives never pays for.
        from sdfinertia.mesh.readers.formats import read_mesh

        path, submesh, center = source
        if path not in self._meshes:
            self._meshes[path] = read_mesh(path, self._content(path), partial(self._beside, path))
            self._held_by_meshes += self._meshes[path].nbytes
            if path in self._digests:
                # Nothing asks for them any more, and they may be hundreds of megabytes.
                for read in (path, *self._companions[path]):
                    self._contents.pop(read, None)
        mesh = self._meshes[path] if submesh is None else self._meshes[path].submesh(submesh)
        return mesh.centered() if center else mesh

    def bounds(self, source: MeshSource) -> tuple[Factors, Factors]:
        """The lower and the upper corner of the box round the triangles, before scale.

        Raises:
            MeshError: the file is damaged, or has no such part.
        """
        what = self._identity(source)
        if what not in self._bounds:
            found = self._cache.bounds(self._content_key(source)) if self._cache is not None else None
            if found is not None:
                self._bounds[what] = found
                return found
            self._bounds_read(source)
            if self._cache is not None:
                self._cache.keep_bounds(self._content_key(source), self._bounds[what])
        return self._bounds[what]

    def _bounds_read(self, source: MeshSource) -> tuple[Factors, Factors]:
        what = self._identity(source)
        if what not in self._bounds:
            (a, b, c), (d, e, f) = (corner.tolist() for corner in self._box_alone(source) or self.points(source).bounds)
            self._bounds[what] = (a, b, c), (d, e, f)
        return self._bounds[what]

    def _box_alone(self, source: MeshSource) -> tuple[Corner, Corner] | None:
        """The box round triangles that nobody has asked for, where it can be had without them."""
        from sdfinertia.mesh.readers.formats import box_alone

        path, submesh, center = source
        if path in self._meshes or submesh is not None or center:
            return None
        return box_alone(path, self._content(path))

    def solid(self, source: MeshSource, treatment: MeshTreatment, scale: Factors = NO_SCALE) -> MeshSolid:
        """The solid that a mesh stands for, stretched by a scale.

        Raises:
            OpenMeshError: the mesh is not closed, and its treatment does not say what then.
            MeshError: the file is damaged or stands for no solid.
        """
        commutes = treatment.commutes_with_scale
        own_scale = NO_SCALE if commutes else scale
        key = (self._identity(source), treatment, own_scale)
        if key not in self._solids:
            self._solids[key] = self._found(source, treatment, own_scale)
        solid = self._solids[key]
        if isinstance(solid, MeshError):
            raise solid.within(file=source.path)
        return solid.scaled(scale) if commutes else solid

    def _found(self, source: MeshSource, treatment: MeshTreatment, scale: Factors) -> MeshSolid | MeshError:
        """What the cache has of a mesh, or what is computed of it and kept there; an error names no file."""
        if self._cache is None:
            return self._computed(source, treatment, scale)
        content = self._content_key(source)
        found = self._cache.solid(content, treatment, scale)
        if isinstance(found, MeshError):
            return found
        if found is not None:
            solid, self._bounds[content] = found
            return solid
        computed = self._computed(source, treatment, scale)
        if isinstance(computed, MeshError):
            self._cache.keep_refusal(content, treatment, scale, computed)
        else:
            # In one entry, for whoever needs the one most often needs the other.
            self._cache.keep_solid(content, treatment, scale, computed, self._bounds[content])
        return computed

    def _computed(self, source: MeshSource, treatment: MeshTreatment, scale: Factors) -> MeshSolid | MeshError:
        solid = self._computed_by(treatment.method, source, treatment, scale)
        if isinstance(solid, OpenMeshError) and treatment.method is Method.EXACT and treatment.open_mesh is not None:
            solid = self._computed_by(treatment.open_mesh, source, treatment, scale)
        if not isinstance(solid, MeshError):
            # While the triangles are there: whoever needs the one most often needs the other.
            self._bounds_read(source)
        return solid

    def _computed_by(
        self, method: Method, source: MeshSource, treatment: MeshTreatment, scale: Factors
    ) -> MeshSolid | MeshError:
        from sdfinertia.mesh.readers.formats import NO_TRIANGLES
        from sdfinertia.mesh.volume.solid_moments import solid_of

        commutes = method in COMMUTE_WITH_SCALE
        what = self._identity(source)
        # What the method does not look at makes no other solid.
        key = (what, method, treatment.overlaps) if commutes else (what, method, treatment, scale)
        if key not in self._solids_by_method:
            try:
                mesh = self._points(source)
                if not len(mesh.faces) and method is not Method.CONVEX_HULL:
                    raise MeshError(NO_TRIANGLES)
                self._solids_by_method[key] = solid_of(mesh if commutes else mesh.scaled(scale), method, treatment)
            except MeshError as error:
                # Its traceback would keep the triangles.
                self._solids_by_method[key] = error.with_traceback(None)
        solid = self._solids_by_method[key]
        return solid.scaled(scale) if commutes and not isinstance(solid, MeshError) else solid

    def forget_contents(self) -> None:
        """Lets go of the bytes read, and of triangles beyond 64 MB, and keeps digests and solids.

        Triangles are kept because links often take a submesh each of one file.
        """
        self._contents.clear()
        if len(self._digests) > _MOST_REMEMBERED:
            for memory in (self._digests, self._companions, self._content_keys, self._bounds):
                memory.clear()
            self._solids.clear()
            self._solids_by_method.clear()
        while self._held_by_meshes > _MOST_KEPT:
            first = next(iter(self._meshes))
            self._held_by_meshes -= self._meshes.pop(first).nbytes

    def _identity(self, source: MeshSource) -> MeshSource | MeshContent:
        """What tells one mesh from another: its content where there is a digest of it, whatever its name."""
        return source if self._cache is None else self._content_key(source)

    def _content_key(self, source: MeshSource) -> MeshContent:
        if source not in self._content_keys:
            from sdfinertia.mesh.cache import MeshContent

            path, submesh, center = source
            digest = self.digest(path)
            suffix = os.path.splitext(path)[1].lower()
            self._content_keys[source] = MeshContent(digest, len(self._companions[path]), suffix, submesh, center)
        return self._content_keys[source]

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
            if not os.path.isfile(companion):
                raise ResourceError(f"its buffer is not found at {companion!r}", uri=companion, file=path)
            refuse_longer(companion, os.path.getsize(companion), self._max_bytes, _REMEDY)
        return companions

    def _beside(self, path: str, name: str) -> bytes:
        """The bytes of a file that a mesh file keeps its content in: the one place where such files are opened."""
        companion = _beside(path, name)
        # What may not be opened was refused with the mesh file; a reader cannot ask for others.
        if companion not in self._companions[path]:
            raise ResourceError(f"is none of its buffers: {companion!r}", file=path)
        return self._companion(companion)

    def _companion(self, path: str) -> bytes:
        if path not in self._contents:
            self._contents[path] = self._read(path)
        return self._contents[path]

    def _read(self, path: str) -> bytes:
        if path in self._held:
            refuse_longer(path, len(self._held[path]), self._max_bytes, _REMEDY)
            return self._held[path]
        return read_regular_file(path, self._max_bytes, _REMEDY, confine=self._confine)


def _beside(path: str, name: str) -> str:
    """Where a file is that a mesh file names by its path from there, with `/`."""
    return os.path.join(os.path.dirname(path), *name.split("/"))
