"""The SDF files that mesh files, or parts of them, stand for: those whose links take a mesh from there."""

from __future__ import annotations

import os
from collections.abc import Iterator, Set
from contextlib import suppress
from typing import TYPE_CHECKING

from sdfinertia.documents.opened import OpenDocument, open_document
from sdfinertia.errors import SdfInertiaError
from sdfinertia.files.regular_file import read_regular_file
from sdfinertia.robot.values import COLLISION, VISUAL
from sdfinertia.shapes.shape import MeshShape

if TYPE_CHECKING:
    from sdfinertia.links.surroundings import Surroundings
    from sdfinertia.options import Options


def uses_one_of(files: Set[str], path: str, options: Options, surroundings: Surroundings) -> bool:
    """Whether a link of an SDF file takes a mesh from one of some files.

    What cannot be read or found uses nothing: whoever fills or checks the file says so.

    Args:
        files: their paths, with symbolic links followed.
        path: of the SDF file.
    """
    try:
        data = read_regular_file(path, confine=options.confine)
        # Most files of a tree need not be parsed.
        if b"mesh" not in data:
            return False
        document = open_document(data, options, surroundings, filename=path)
        return any(not files.isdisjoint(_files_of(mesh, options)) for mesh in _meshes(document, surroundings))
    except SdfInertiaError:
        return False


def _meshes(document: OpenDocument, surroundings: Surroundings) -> Iterator[str]:
    """The paths of the meshes of all links, those that are seen only too: an option lets them count."""
    for link in document.links():
        for kind in (COLLISION, VISUAL):
            with suppress(SdfInertiaError):
                for solid in link.solids(kind):
                    with suppress(SdfInertiaError):
                        shape = solid.shape()
                        if isinstance(shape, MeshShape):
                            yield surroundings.resources.find(shape.uri, solid.file)


def _files_of(mesh: str, options: Options) -> Iterator[str]:
    """The file of a mesh, and those that it keeps its content in."""
    # Loaded with the first mesh.
    from sdfinertia.mesh.readers.formats import companion_files

    yield os.path.realpath(mesh)
    with suppress(SdfInertiaError):
        if mesh.lower().endswith((".gltf", ".glb")):
            data = read_regular_file(mesh, options.max_mesh_bytes, confine=options.confine)
            for name in companion_files(mesh, data):
                yield os.path.realpath(os.path.join(os.path.dirname(mesh), *name.split("/")))
