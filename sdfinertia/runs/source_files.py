"""The files of a run: those that paths name or hold, each once, with the options of its directory."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from glob import iglob
from typing import NamedTuple

from sdfinertia.documents import is_xacro
from sdfinertia.errors import ConfigurationError, ResourceError, SdfInertiaError, first_few, install_advice
from sdfinertia.files import head_of, read_regular_file, read_stream, require_inside
from sdfinertia.files.walk import is_excluded, trees_of, walk
from sdfinertia.markup import Document
from sdfinertia.options import Given, Options, merged_options
from sdfinertia.robot.names import (
    MJCF_PART,
    MJCF_ROOT,
    MJCF_SUFFIXES,
    SUFFIXES,
    URDF_SUFFIXES,
    XACRO_SUFFIX,
    is_document,
)
from sdfinertia.runs.configuration import configured_in, find_configuration

NO_MODEL = "no SDF, URDF or MJCF file in this directory"
STANDARD_STREAM = "-"
_STANDARD_INPUT = "<stdin>"
_WALKED = (*SUFFIXES, XACRO_SUFFIX, *MJCF_SUFFIXES)
_MODEL_CONFIG = "model.config"
_WILD = frozenset("*?[")
# Bytes in which the root of a file is searched: most XML files of a tree are manifests.
_HEAD = 1 << 16
Refuse = Callable[[SdfInertiaError], None]


class FileTask(NamedTuple):
    """A file, or standard input as `data`; `error` says why there is nothing to work on, `trees` where to write."""

    path: str
    options: Options
    exists: bool = False
    data: bytes | None = None
    error: SdfInertiaError | None = None
    trees: tuple[str, ...] = ()

    @property
    def source(self) -> str | bytes:
        return self.path if self.data is None else self.data


def file_task(path: str, options: Options, trees: tuple[str, ...] = ()) -> FileTask:
    return FileTask(path, options, os.path.lexists(path), trees=trees)


def standard_input(stdin_filename: str | None, options_for: Callable[[str], Options]) -> FileTask:
    name = stdin_filename or _STANDARD_INPUT
    if sys.stdin is None:
        raise ResourceError("standard input is closed", file=name)
    return FileTask(name, options_for(name), data=read_stream(sys.stdin.buffer, name))


def remedy_on(task: FileTask, problem: str, remedy: str) -> str:
    if task.path != _STANDARD_INPUT or "not found: " not in problem:
        return remedy
    place = "say where the file belongs with --stdin-filename"
    return f"{place}, or {remedy}" if remedy else place


def require_one_stream(paths: Sequence[str], stdin_filename: str | None) -> None:
    if STANDARD_STREAM in paths and len(paths) > 1:
        raise ConfigurationError("- (standard input) cannot be combined with other paths")
    if stdin_filename is not None and list(paths) != [STANDARD_STREAM]:
        raise ConfigurationError("--stdin-filename needs - as the only path")


class SourceFiles:
    """The files of a run, and why others were refused; configurations are read once."""

    def __init__(self, given: Given, merged: Callable[[Given, Given], Options] = merged_options) -> None:
        # The options given on the command line, and what they are without configuration.
        self.given, self.alone = given, merged(given, {})
        self.macros: list[str] = []
        self.trees: tuple[str, ...] = ()
        self.taken: set[str] = set()
        self.excluded_input = b""
        self.refused: list[SdfInertiaError] = []
        self._merged = merged
        self._named: set[str] = set()
        self._places: set[str] = set()
        self._configured_in = cache(lambda directory: configured_in(directory, self.alone.confine))
        self.options_in = cache(self._options_in)

    def _options_in(self, directory: str) -> Options:
        try:
            return self._merged(self.given, self._configured_in(directory))
        except ConfigurationError as error:
            raise error.within(file=self._configuration_of(directory)) from None

    def _configuration_of(self, directory: str) -> str | None:
        return find_configuration(os.path.abspath(directory), self.alone.confine)

    def options_for(self, path: str) -> Options:
        return self.options_in(os.path.dirname(path))

    def task_of(self, path: str, stdin_filename: str | None = None) -> FileTask:
        """A file as it is named, excluded or not, or standard input."""
        if path == STANDARD_STREAM:
            return standard_input(stdin_filename, self.options_for)
        task = FileTask(path, self.options_for(path))
        require_inside(path, task.options.confine)
        return task

    def is_named(self, task: FileTask) -> bool:
        return task.data is not None or task.path in self._named

    def confinement(self, near: str | None = None) -> str | None:
        return self.options_in(os.getcwd() if near is None else os.path.dirname(near)).confine

    def refuse(self, error: SdfInertiaError) -> None:
        self.refused.append(error.with_traceback(None))

    @contextmanager
    def refusing(self) -> Iterator[None]:
        try:
            yield
        except SdfInertiaError as error:
            self.refuse(error)

    def tasks(self, paths: Sequence[str], stdin_filename: str | None = None, *, shows: bool = False) -> list[FileTask]:
        """With `shows`, meshes too, and a file as often as it is named."""
        found: list[FileTask] = []
        if list(paths) == [STANDARD_STREAM]:
            with self.refusing():
                found.append(self.task_of(STANDARD_STREAM, stdin_filename))
            if found and is_excluded(found[0].path, found[0].options.exclude):
                self.excluded_input = found.pop().data or b""
            return found
        self.trees = trees_of(paths)
        files = self.files(paths, with_meshes=shows)
        found += (file_task(file, self.options_for(file)) for file in files) if shows else self.tasks_of(files)
        self._require_given_arguments(found)
        return found

    def tasks_of(self, files: Iterable[str]) -> Iterator[FileTask]:
        real: dict[str, str] = {}
        for path in files:
            directory, name = os.path.split(path)
            if directory not in real:
                real[directory] = os.path.realpath(directory)
            place = os.path.realpath(path) if os.path.islink(path) else os.path.join(real[directory], name)
            if place not in self._places:
                self._places.add(place)
                yield file_task(path, self.options_for(path), self.trees)

    def files(self, paths: Sequence[str], *, with_meshes: bool = False) -> Iterator[str]:
        for path in paths:
            with self.refusing():
                # Options of a file are those of its directory.
                confine = self.options_in(path).confine if os.path.isdir(path) else None
                files = source_files(path, self.refuse, confine, self.macros)
                is_named = files == [path]
                for file in files:
                    with self.refusing():
                        if self._is_taken(file, is_named, with_meshes):
                            yield file

    def only_file(self, path: str, why: str) -> str:
        files = list(self.files([path]))
        if len(files) > 1:
            some = first_few([os.path.normpath(file) for file in files])
            raise ConfigurationError(f"{path} holds {len(files)} files, and {why}", remedy=f"give one of {some}")
        if not files:
            # A refused path was reported.
            raise self.refused[0] if self.refused else ConfigurationError("is excluded", file=path)
        return files[0]

    def _is_taken(self, file: str, is_named: bool, with_meshes: bool) -> bool:
        options = self.options_for(file)
        if is_excluded(file, options.exclude):
            return False
        if options.confine is not None:
            require_inside(file, options.confine)
        self.taken.add(file)
        if is_named:
            self._named.add(file)
            _refuse_wrong_kind(file, with_meshes)
        return True

    def included(self, found: Iterable[str | SdfInertiaError]) -> Iterator[str]:
        """The files that a file includes, unless they are excluded, or could not be found."""
        for path in found:
            with self.refusing():
                if isinstance(path, SdfInertiaError):
                    raise path
                if not is_excluded(path, self.options_for(path).exclude):
                    yield path

    def _require_given_arguments(self, tasks: Sequence[FileTask]) -> None:
        """Refuses arguments of xacro that no file declares."""
        self._require_declared(self.alone.xacro_arg, tasks)
        shared: dict[tuple[str, ...], list[FileTask]] = {}
        for task in tasks:
            arguments = self._configured_in(os.path.dirname(task.path)).get("xacro_arg", ())
            own = tuple(each for each in arguments if " " not in each.partition(":=")[0])
            shared.setdefault(own, []).append(task)
        for own, some in shared.items():
            if own:
                self._require_declared(own, some, self._configuration_of(os.path.dirname(some[0].path)))

    def _require_declared(
        self, arguments: Sequence[str], tasks: Sequence[FileTask], given_in: str | None = None
    ) -> None:
        names = [name for each in arguments for name in each.partition(":=")[0].split()[-1:]]
        paths = [task.path for task in tasks if names and task.data is None and is_expanded(task.path)]
        if paths:
            from sdfinertia.documents.xacro import require_declared

            require_declared(names, [*paths, *self.macros], self.alone.confine, given_in)

    def notes_on_macros(self) -> Iterator[str]:
        if self.macros:
            from sdfinertia.xacro.expansion import has_xacro

            if not has_xacro():
                number = len(self.macros)
                were = "1 xacro file was" if number == 1 else f"{number:,} xacro files were"
                yield f"{were} skipped, for want of the package xacro: {install_advice('xacro')}"


def _refuse_wrong_kind(path: str, with_meshes: bool) -> None:
    if os.path.basename(path) == _MODEL_CONFIG:
        directory = os.path.dirname(path) or os.curdir
        raise ResourceError("refers to a model, and is not one", file=path, remedy=f"give its directory: {directory}")
    if path.lower().endswith(SUFFIXES) or with_meshes:
        return
    from sdfinertia.mesh.readers import EXTENSIONS

    if os.path.splitext(path)[1].lower() in EXTENSIONS and os.path.isfile(path):
        with suppress(OSError):
            if not is_document(head_of(path, _HEAD)):
                raise ResourceError("is a mesh, not SDF", file=path, remedy=f"try `sdfinertia mesh {path}`")


# The walk -------------------------------------------------------------------------------------------------------------


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
            name = entry.name.lower()
            if name.endswith(XACRO_SUFFIX):
                # Those of MoveIt's semantics make no links.
                xacro += [entry.path] if not name.endswith(".srdf.xacro") else []
            elif entry.name != newest and name.endswith(MJCF_SUFFIXES):
                xml.append(entry.path)
            elif (entry.name == newest or name.endswith(SUFFIXES)) and entry.name not in superseded:
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
        return is_xacro(path, read_regular_file(path))
    return False


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
    from sdfinertia.mjcf import included_by

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


def mesh_files(path: str, refuse: Refuse) -> list[str]:
    is_directory = os.path.isdir(path)
    # A missing file is reported where it is read.
    is_glob = not os.path.lexists(path) and not _WILD.isdisjoint(path)
    places = sorted(iglob(path, recursive=True)) if is_glob else [path]
    found = [mesh for place in places for mesh in _meshes_at(place, refuse)]
    if not places or (is_directory and not found):
        refuse(ResourceError("no mesh file in this directory" if is_directory else "no file matches", file=path))
    return found


def _meshes_at(path: str, refuse: Refuse) -> list[str]:
    if not os.path.isdir(path):
        return [path]
    from sdfinertia.mesh.readers import EXTENSIONS

    return [entry.path for folder in walk(path, refuse=refuse) for entry in folder.files(EXTENSIONS)]


def robot_files(paths: Sequence[str], refuse: Refuse) -> list[str]:
    """Of files that a hook names, the robots: no parts in MJCF, and no macros of xacro."""
    xacro = [path for path in paths if path.lower().endswith(XACRO_SUFFIX)]
    others = {*xacro} - {*_robots_among(xacro, refuse, None)}
    others.update(path for path in paths if path.lower().endswith(MJCF_SUFFIXES) and not is_mjcf(path))
    return [path for path in paths if path not in others]
