"""The files of paths on the command line: models, meshes, and the models that use meshes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from glob import iglob

from sdfinertia.documents.opened import needs_expansion
from sdfinertia.errors import ResourceError, SdfInertiaError
from sdfinertia.files.regular_file import head_of, read_regular_file, require_inside
from sdfinertia.files.walk import walk
from sdfinertia.markup.document import Document
from sdfinertia.mesh.readers.formats import EXTENSIONS
from sdfinertia.robot.names import (
    MJCF_PART,
    MJCF_ROOT,
    MJCF_SUFFIXES,
    SUFFIXES,
    URDF_SUFFIXES,
    XACRO_SUFFIX,
    is_document,
)

NO_MODEL = "no SDF, URDF or MJCF file in this directory"
_WALKED = (*SUFFIXES, XACRO_SUFFIX, *MJCF_SUFFIXES)
_MODEL_CONFIG = "model.config"
_WILD = frozenset("*?[")
Refuse = Callable[[SdfInertiaError], None]


def _raise(error: SdfInertiaError) -> None:
    raise error


def source_files(
    path: str, refuse: Refuse = _raise, confine: str | None = None, macros: list[str] | None = None
) -> list[str]:
    if not os.path.isdir(path):
        if not os.path.lexists(path):
            remedy = f"did you mean --xacro-arg {path}?" if ":=" in path else ""
            raise ResourceError("not found", file=path, remedy=remedy)
        return [path]
    require_inside(path, confine)
    macros = macros if macros is not None else []
    found = list(walked_files(path, refuse, confine, macros))
    if not found and not macros:
        raise ResourceError(NO_MODEL, file=path)
    return found


def walked_files(
    directory: str, refuse: Refuse, confine: str | None = None, macros: list[str] | None = None
) -> Iterator[str]:
    """SDF and URDF files, then MJCF models, then xacro that makes robots; other xacro goes to `macros`."""
    try:
        require_inside(directory, confine)
    except ResourceError as error:
        refuse(error)
        return
    xacro: list[str] = []
    xml: list[str] = []
    for folder in walk(directory, refuse=refuse):
        newest, superseded = None, frozenset[str]()
        if _MODEL_CONFIG in folder.names:
            newest, superseded = _named_by_model_config(folder.path, confine)
        for entry in folder.files((*_WALKED, newest.lower()) if newest else _WALKED):
            if entry.name.lower().endswith(XACRO_SUFFIX):
                # Those of MoveIt's semantics make no links.
                if not entry.name.lower().endswith(".srdf.xacro"):
                    xacro.append(entry.path)
                continue
            if entry.name != newest and entry.name.lower().endswith(MJCF_SUFFIXES):
                xml.append(entry.path)
                continue
            is_source = entry.name == newest or entry.name.lower().endswith(SUFFIXES)
            if is_source and entry.name not in superseded:
                yield entry.path
    if xml:
        yield from _models_among(xml, confine)
    if xacro:
        robots = _robots_among(xacro, refuse, confine)
        if macros is not None:
            macros += sorted({*xacro} - {*robots})
        yield from robots


def _robots_among(xacro: list[str], refuse: Refuse, confine: str | None) -> list[str]:
    from sdfinertia.xacro.expansion import has_xacro
    from sdfinertia.xacro.sources import robots_among

    return robots_among(xacro, refuse, confine) if has_xacro() else []


def is_expanded(path: str) -> bool:
    if path.lower().endswith(XACRO_SUFFIX):
        return True
    if not path.lower().endswith(URDF_SUFFIXES):
        return False
    with suppress(SdfInertiaError):
        return needs_expansion(path, read_regular_file(path))
    return False


# Bytes of a possible MJCF file in which its root is searched: most XML files of a tree are manifests.
_HEAD = 1 << 16


def is_mjcf(path: str, confine: str | None = None, *, part: bool = False) -> bool:
    """True for a root <mujoco>, or <mujocoinclude> for a part."""
    try:
        require_inside(path, confine)
        return is_document(head_of(path, _HEAD), MJCF_PART if part else MJCF_ROOT)
    except (OSError, SdfInertiaError):
        return False


def _models_among(paths: Sequence[str], confine: str | None) -> Iterator[str]:
    models = [path for path in paths if is_mjcf(path, confine)]
    if not models:
        return
    from sdfinertia.mjcf.robot import included_by

    parts = [path for path in paths if path not in models and is_mjcf(path, confine, part=True)]
    included = {place for path in (*models, *parts) for place in included_by(path, confine)}
    yield from (path for path in models if os.path.realpath(path) not in included)


def _named_by_model_config(directory: str, confine: str | None) -> tuple[str | None, frozenset[str]]:
    config = os.path.join(directory, _MODEL_CONFIG)
    if not os.path.isfile(config):
        return None, frozenset()
    from sdfinertia.sdf.root import model_file_of

    try:
        newest = os.path.relpath(model_file_of(directory, confine), directory)
        roots = Document(read_regular_file(config, confine=confine), config).roots
    except SdfInertiaError:
        return None, frozenset()
    return newest, frozenset(entry.text() for root in roots for entry in root.children_named("sdf")) - {newest}


def mesh_files(path: str, refuse: Refuse) -> Iterator[str]:
    if os.path.isdir(path):
        yield from _or_refused(_meshes_below(path, refuse), "no mesh file in this directory", path, refuse)
    elif os.path.lexists(path) or _WILD.isdisjoint(path):
        # A missing file is reported where it is read.
        yield path
    else:
        matches = iter(sorted(iglob(path, recursive=True)))
        for match in _or_refused(matches, "no file matches", path, refuse):
            if os.path.isdir(match):
                yield from _meshes_below(match, refuse)
            else:
                yield match


def _meshes_below(directory: str, refuse: Refuse) -> Iterator[str]:
    for folder in walk(directory, refuse=refuse):
        for entry in folder.files(EXTENSIONS):
            yield entry.path


def _or_refused(files: Iterator[str], problem: str, path: str, refuse: Refuse) -> Iterator[str]:
    first = next(files, None)
    if first is None:
        refuse(ResourceError(problem, file=path))
        return
    yield first
    yield from files


def robot_files(paths: Sequence[str], refuse: Refuse) -> list[str]:
    """Of files that a hook names, the robots: no parts in MJCF, and no macros of xacro."""
    xacro = [path for path in paths if path.lower().endswith(XACRO_SUFFIX)]
    others = {*xacro} - {*_robots_among(xacro, refuse, None)}
    others.update(path for path in paths if path.lower().endswith(MJCF_SUFFIXES) and not is_mjcf(path))
    return [path for path in paths if path not in others]
