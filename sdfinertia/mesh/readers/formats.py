"""Mesh files by their extension, and the checks that hold for every format.

Nothing here imports numpy before a mesh is read, because a digest of mesh files must not cost that import.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from sdfinertia.errors import MeshError
from sdfinertia.files.regular_file import read_regular_file
from sdfinertia.mesh.readers.git_lfs import refuse_git_lfs_pointer

if TYPE_CHECKING:
    from sdfinertia.mesh.triangle_mesh import TriangleMesh

EXTENSIONS = (".stl", ".obj", ".dae", ".gltf", ".glb", ".ply", ".off")


def read_mesh(path: str, data: bytes | bytearray | memoryview | None = None) -> TriangleMesh:
    """The triangles of a mesh file, all of whose used coordinates are finite.

    Args:
        path: of the file; its extension, in any letter case, decides on the format, and buffers of a glTF are found
            relative to its directory.
        data: the file's bytes, if they have been read already.

    Raises:
        MeshError: a format that is not read, a Git LFS pointer, a damaged file, or one without triangles.
        ResourceError: the file cannot be read.
    """
    extension = _extension(path)
    content = read_regular_file(path) if data is None else bytes(data)
    refuse_git_lfs_pointer(content)
    if not content:
        raise MeshError("the mesh file is empty")
    mesh = _read(extension, content, path)
    _check(mesh)
    return mesh


def companion_files(path: str, data: bytes) -> list[str]:
    """Paths of the files beside a mesh file that its content lies in too; only glTF has such files.

    Args:
        path: of the mesh file.
        data: its bytes.

    Raises:
        MeshError: a glTF is damaged, or names a file outside its directory.
    """
    if os.path.splitext(path)[1].lower() not in (".gltf", ".glb"):
        return []
    # Imported for glTF only: it brings json, base64 and urllib.
    from sdfinertia.mesh.readers import gltf_buffers

    refuse_git_lfs_pointer(data)
    return gltf_buffers.companion_files(path, data)


def _extension(path: str) -> str:
    extension = os.path.splitext(path)[1].lower()
    if extension not in EXTENSIONS:
        listed = ", ".join(EXTENSIONS)
        raise MeshError(f"mesh format {extension!r} is not read", remedy=f"convert the mesh to one of {listed}")
    return extension


def _read(extension: str, data: bytes, path: str) -> TriangleMesh:
    # Each reader is imported where it is needed: COLLADA alone brings lxml.
    if extension == ".stl":
        from sdfinertia.mesh.readers.stl import read_stl

        return read_stl(data)
    if extension == ".obj":
        from sdfinertia.mesh.readers.obj import read_obj

        return read_obj(data)
    if extension == ".dae":
        from sdfinertia.mesh.readers.collada import read_collada

        return read_collada(data)
    if extension == ".ply":
        from sdfinertia.mesh.readers.ply import read_ply

        return read_ply(data)
    if extension == ".off":
        from sdfinertia.mesh.readers.off import read_off

        return read_off(data)
    from sdfinertia.mesh.readers.gltf import read_gltf

    return read_gltf(data, path)


def _check(mesh: TriangleMesh) -> None:
    import numpy as np

    if not len(mesh.faces):
        raise MeshError("the mesh file holds no triangles")
    least, most = int(mesh.faces.min()), int(mesh.faces.max())
    if least < 0 or most >= len(mesh.vertices):
        wrong = least if least < 0 else most
        raise MeshError(f"a face refers to vertex {wrong}, but there are {len(mesh.vertices)} (counted from 0)")
    are_finite = np.isfinite(mesh.vertices)
    if not are_finite.all():
        finite = np.logical_and.reduce(are_finite, axis=1)
        used = np.unique(mesh.faces)
        bad = used[~finite[used]]
        if len(bad):
            raise MeshError(
                f"vertex {bad[0]} has a coordinate that is not finite, as have {len(bad) - 1} others (counted from 0)"
            )
