"""The meshes of a run: each file is read once, however many collisions use it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sdfinertia.errors import MeshError
from sdfinertia.regular_file import read_regular_file

if TYPE_CHECKING:
    from sdfinertia.mesh.solid_moments import MeshSolid
    from sdfinertia.mesh.triangle_mesh import TriangleMesh


class MeshStore:
    """Contents and solids of mesh files, by path."""

    def __init__(self) -> None:
        self._digests: dict[str, str] = {}
        self._solids: dict[tuple[str, str | None, bool, str], MeshSolid] = {}
        self._contents: dict[str, bytes] = {}
        self._meshes: dict[str, TriangleMesh] = {}

    def digest(self, path: str) -> str:
        """A digest of the content of a mesh file, and of the files it keeps its content in.

        Raises:
            ResourceError: it, or one of them, cannot be read.
            MeshError: what it says of the others is damaged.
        """
        if path not in self._digests:
            from hashlib import sha256

            from sdfinertia.mesh.formats import companion_files

            content = self._content(path)
            total = sha256(content)
            try:
                companions = companion_files(path, content)
            except MeshError as error:
                raise error.within(file=path) from None
            for companion in companions:
                total.update(sha256(read_regular_file(companion)).digest())
            self._digests[path] = total.hexdigest()
        return self._digests[path]

    def solid(self, path: str, submesh: str | None, center: bool, method: str) -> MeshSolid:
        """The solid in a mesh file.

        Args:
            submesh: name of the part that counts, or None for all of it.
            center: whether that part's bounding box is centred on the origin.
            method: "exact" or "convex_hull".

        Raises:
            MeshError: the file is damaged or bounds no solid.
        """
        key = (path, submesh, center, method)
        if key not in self._solids:
            # Loaded with the first mesh: these need numpy, which a file of primitives never pays for.
            from sdfinertia.mesh.formats import read_mesh
            from sdfinertia.mesh.solid_moments import solid_of

            try:
                if path not in self._meshes:
                    self._meshes[path] = read_mesh(path, self._content(path))
                mesh = self._meshes[path]
                if submesh is not None:
                    mesh = mesh.submesh(submesh)
                if center:
                    mesh = mesh.centered()
                self._solids[key] = solid_of(mesh, method)
            except MeshError as error:
                raise error.within(file=path) from None
        return self._solids[key]

    def forget_contents(self) -> None:
        """Lets go of the bytes and triangles read, and keeps digests and solids."""
        self._contents.clear()
        self._meshes.clear()

    def _content(self, path: str) -> bytes:
        if path not in self._contents:
            self._contents[path] = read_regular_file(path)
        return self._contents[path]
