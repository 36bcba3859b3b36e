"""The meshes of what is shown: each has a name by which a page asks for it, and is made ready when it does."""

from __future__ import annotations

import os
from hashlib import sha256
from typing import TYPE_CHECKING

from sdfinertia.documents.mesh_drawing import MESH_LIMIT, ScaledMesh, limit_of_each, triangles_of
from sdfinertia.errors import ConfigurationError, MeshError
from sdfinertia.report.pages.scene_data import is_drawable, surface_bytes

if TYPE_CHECKING:
    from sdfinertia.links.surroundings import Surroundings


class SentMeshes:
    """Meshes by names that are digests of all that their triangles depend on, so that what was sent stays true."""

    def __init__(self) -> None:
        self._meshes: dict[str, ScaledMesh] = {}
        self._sent: dict[str, bytes] = {}

    def forget(self) -> None:
        """Begins anew, with what was sent at hand."""
        self._meshes = {}

    def forget_others(self) -> None:
        """Lets go of what was sent and is shown no more."""
        self._sent = {name: content for name, content in self._sent.items() if name in self._meshes}

    def add(self, mesh: ScaledMesh, around: Surroundings) -> str:
        """The name by which a page asks for a mesh.

        Raises:
            ResourceError: its file cannot be read.
            MeshError: what it says of the files beside it is damaged.
        """
        path = mesh.source.path
        what = (around.meshes.digest(path), os.path.splitext(path)[1].lower(), *mesh.source[1:], mesh.scale)
        name = sha256(repr(what).encode()).hexdigest()
        self._meshes[name] = mesh
        return name

    @property
    def bytes_of_files(self) -> int:
        """How long their files are together."""
        return sum(map(_size_of, {mesh.source.path for mesh in self._meshes.values()}))

    def content(self, name: str, around: Surroundings) -> bytes:
        """The triangles of a mesh, as many as a page draws; see `surface_bytes`.

        Args:
            name: as the page was given it; it is looked up, and no path.

        Raises:
            ConfigurationError: there is none of that name.
            SdfInertiaError: it cannot be read or drawn.
        """
        mesh = self._meshes.get(name)
        if mesh is None:
            raise ConfigurationError("there is no such mesh")
        if name not in self._sent:
            triangles = triangles_of(mesh, around, limit_of_each([MESH_LIMIT] * len(self._meshes)))
            around.forget_contents()
            if not is_drawable(triangles):
                raise MeshError("its triangles are too large, or without extent", file=mesh.source.path)
            self._sent[name] = surface_bytes(triangles)
        return self._sent[name]


def _size_of(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return 0
