"""One module for each mesh format: bytes to triangles.

Here: mesh files by their extension, and the checks that hold for every format; without numpy until a mesh is read.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from sdfinertia.errors import MeshError, ResourceError
from sdfinertia.mesh import versions_of

if TYPE_CHECKING:
    from sdfinertia.mesh.kernel import Indices
    from sdfinertia.mesh.triangle_mesh import TriangleMesh

# Gives the bytes of a file beside a mesh file, named by its path from there with `/`; raises a ResourceError.
BufferOpener = Callable[[str], bytes]


class MeshFormat(NamedTuple):
    """A format of mesh files; functions take its bytes, are named as `module.function`, and loaded when needed."""

    suffix: str
    reader: str  # takes a `BufferOpener` too where there are external buffers
    is_read_by_gazebo: bool
    external_buffers: str | None = None  # gives their paths, with `/`, without numpy
    libraries: tuple[str, ...] = ()  # distributions that read it, whose versions shape the numbers


# Another format is a module beside this one, and its line here.
FORMATS = {
    each.suffix: each
    for each in (
        MeshFormat(".stl", "stl.read_stl", is_read_by_gazebo=True),
        MeshFormat(".obj", "obj.read_obj", is_read_by_gazebo=True),
        MeshFormat(".dae", "collada.read_collada", is_read_by_gazebo=True),
        MeshFormat(".gltf", "gltf.read_gltf", is_read_by_gazebo=True, external_buffers="gltf.buffer_files"),
        MeshFormat(".glb", "gltf.read_gltf", is_read_by_gazebo=True, external_buffers="gltf.buffer_files"),
        MeshFormat(".ply", "of_trimesh.read_ply", is_read_by_gazebo=False, libraries=("trimesh",)),
        MeshFormat(".step", "step.read_step", is_read_by_gazebo=False, libraries=("cascadio",)),
        MeshFormat(".stp", "step.read_step", is_read_by_gazebo=False, libraries=("cascadio",)),
    )
}
EXTENSIONS = tuple(FORMATS)

NO_TRIANGLES = "the mesh file holds no triangles"


def read_mesh(path: str, data: bytes | bytearray | memoryview, open_buffer: BufferOpener | None = None) -> TriangleMesh:
    """The triangles of a mesh file, with finite coordinates, or its vertices if it has no triangles."""
    known = FORMATS.get(suffix_of(path))
    if known is None:
        listed = ", ".join(EXTENSIONS)
        raise MeshError(f"mesh format {suffix_of(path)!r} is not read", remedy=f"convert the mesh to one of {listed}")
    content = bytes(data)
    refuse_git_lfs_pointer(content)
    start = content[:64].lstrip().lower()
    for mark, what, remedy in _NO_MESHES:
        if start.startswith(mark):
            raise MeshError(f"holds {what}, not a mesh", remedy=remedy)
    if not content:
        raise MeshError("the mesh file is empty")
    opener = (open_buffer or _open_none,) if known.external_buffers else ()
    mesh: TriangleMesh = loaded(known.reader)(content, *opener)
    require_sound(mesh)
    if known.is_read_by_gazebo:
        return mesh
    return replace(mesh, notes=(f"{known.suffix[1:].upper()} is read, which Gazebo does not read", *mesh.notes))


def buffer_files(path: str, data: bytes) -> list[str]:
    known = FORMATS.get(suffix_of(path))
    if known is None or known.external_buffers is None or not data:
        return []
    refuse_git_lfs_pointer(data)
    files: list[str] = loaded(known.external_buffers)(data)
    return files


def libraries_reading(suffix: str) -> str:
    known = FORMATS.get(suffix)
    return versions_of(known.libraries) if known is not None else ""


def loaded(name: str) -> Callable[..., Any]:
    module, _, function = name.partition(".")
    found: Callable[..., Any] = getattr(import_module(f"sdfinertia.mesh.readers.{module}"), function)
    return found


def _open_none(name: str) -> bytes:
    raise ResourceError("is not opened: only the mesh file itself is")


def suffix_of(path: str) -> str:
    return os.path.splitext(path)[1].lower()


def require_sound(mesh: TriangleMesh) -> None:
    import numpy as np

    if not len(mesh.faces) and not len(mesh.vertices):
        raise MeshError(NO_TRIANGLES)
    require_known(mesh.faces, len(mesh.vertices))
    if not np.isfinite(mesh.vertices).all():
        used = np.unique(mesh.faces) if len(mesh.faces) else np.arange(len(mesh.vertices))
        bad = used[~np.isfinite(mesh.vertices[used]).all(axis=1)]
        if len(bad):
            others = f"as have {len(bad) - 1} others (counted from 0)"
            raise MeshError(f"vertex {bad[0]} has a coordinate that is not finite, {others}")


def require_known(faces: Indices, count: int) -> None:
    if len(faces) and ((least := int(faces.min())) < 0 or int(faces.max()) >= count):
        wrong = least if least < 0 else int(faces.max())
        raise MeshError(f"a face refers to vertex {wrong}, but there are {count} (counted from 0)")


# Contents of failed downloads in place of a mesh, by their first bytes in small letters.
_NO_MESHES = (
    (b"<!doctype html", "a web page (HTML)", "download the file itself, not the page that shows it"),
    (b"<html", "a web page (HTML)", "download the file itself, not the page that shows it"),
    (b"pk\x03\x04", "a ZIP archive", "unpack it"),
)

# First line of every pointer file (Git LFS specification, "The Pointer").
_POINTER_START = b"version https://git-lfs.github.com/spec/"


def refuse_git_lfs_pointer(data: bytes) -> None:
    if data.startswith(_POINTER_START):
        raise MeshError(
            "holds a Git LFS pointer, not a mesh",
            remedy="fetch the file with Git LFS (`git lfs pull`), or set `lfs: true` in the checkout of the workflow",
        )
