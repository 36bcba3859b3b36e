"""What the commands read: which files, or standard input, with which options and surroundings; errors are said once."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress

from sdfinertia.errors import ConfigurationError, ResourceError, SdfInertiaError
from sdfinertia.files.confinement import require_inside
from sdfinertia.files.regular_file import read_stream
from sdfinertia.files.repository import repository_of
from sdfinertia.links.surroundings import SharedSurroundings
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.options import GivenOptions, Options
from sdfinertia.report.terminal import ERROR, say
from sdfinertia.robot.values import SUFFIXES
from sdfinertia.runs.configuration import Configurations
from sdfinertia.runs.source_files import is_excluded, source_files
from sdfinertia.runs.work import FileTask, file_task

STANDARD_STREAM = "-"
_STANDARD_INPUT = "<stdin>"
# As much of a file as is looked at to tell what it is.
_HEAD = 1 << 16


class Source(NamedTuple):
    """What a command reads: a file, or standard input.

    Attributes:
        path: as messages name it; relative uris resolve from its place.
        data: what standard input gave; None for a file.
    """

    path: str
    data: bytes | None = None

    @property
    def is_stream(self) -> bool:
        """Whether it is standard input."""
        return self.data is not None

    @property
    def content(self) -> str | bytes:
        """The bytes of standard input, or the path of a file: what those who read documents take."""
        return self.path if self.data is None else self.data


def require_one_stream(paths: Sequence[str], stdin_filename: str | None) -> None:
    """Refuses standard input beside other paths, and a place for it where it is not read.

    Raises:
        ConfigurationError: that is so.
    """
    if STANDARD_STREAM in paths and len(paths) > 1:
        raise ConfigurationError("- stands for standard input and goes with no other path")
    if stdin_filename is not None and list(paths) != [STANDARD_STREAM]:
        raise ConfigurationError("--stdin-filename goes with - alone")


def read_standard_input(stdin_filename: str | None) -> Source:
    """All of standard input, with the place that it is given.

    Raises:
        ResourceError: it is closed, cannot be read, or has no end.
    """
    name = stdin_filename or _STANDARD_INPUT
    if sys.stdin is None:
        raise ResourceError("standard input is closed", file=name)
    return Source(name, read_stream(sys.stdin.buffer, name))


def remedy_on(source: Source, problem: str, remedy: str) -> str:
    """What to do about a problem in a source, where more is known of it: standard input may lack a place."""
    if source.path != _STANDARD_INPUT or "is not found" not in problem:
        return remedy
    place = "say where the document belongs with --stdin-filename"
    return f"{place}, or {remedy}" if remedy else place


def _refuse_wrong_kind(path: str, with_meshes: bool) -> None:
    """Refuses a file that is named and is of a kind that another command, or another name, is for.

    Raises:
        ResourceError: it is.
    """
    if os.path.basename(path) == "model.config":
        directory = os.path.dirname(path) or os.curdir
        raise ResourceError("is no model, but names one", file=path, remedy=f"give its directory: {directory}")
    if path.lower().endswith(SUFFIXES) or with_meshes:
        return
    # Loaded for names that are not those of models.
    from sdfinertia.files.former_outputs import is_document
    from sdfinertia.mesh.readers.formats import EXTENSIONS

    if os.path.splitext(path)[1].lower() in EXTENSIONS and os.path.isfile(path):
        with suppress(OSError), open(path, "rb") as file:
            if not is_document(file.read(_HEAD)):
                raise ResourceError("is a mesh and no SDF", file=path, remedy=f"`sdfinertia mesh {path}` tells of it")


class CommandInputs:
    """The files of one run, their options and surroundings; configurations, models and meshes are read once.

    Args:
        given: the options of the command line; they win over the configuration.
        count_refused: is told of every error, those that were said before among them.

    Attributes:
        surroundings: of the files.
    """

    def __init__(self, given: GivenOptions, count_refused: Callable[[SdfInertiaError], None]) -> None:
        self._given = given
        self._count_refused = count_refused
        self._configurations = Configurations(given.options.confine)
        self._options: dict[str, Options] = {}
        self._said: set[str] = set()
        self._places: set[str] = set()
        self.surroundings = SharedSurroundings(keeps=True)

    def files(self, paths: Sequence[str], *, with_meshes: bool = False) -> Iterator[str]:
        """The files that paths stand for, without those excluded; what cannot be found is refused.

        Args:
            with_meshes: mesh files that are named are taken too.
        """
        for path in paths:
            try:
                # What holds for a file in a directory holds for the directory.
                confine = self._options_in(path).confine if os.path.isdir(path) else None
                files = source_files(path, self.refuse, confine)
            except SdfInertiaError as error:
                self.refuse(error)
                continue
            for file in files:
                try:
                    options = self.options_for(file)
                    if is_excluded(file, options.exclude):
                        continue
                    require_inside(file, options.confine)
                    if files == [path]:
                        _refuse_wrong_kind(path, with_meshes)
                    yield file
                except SdfInertiaError as error:
                    self.refuse(error)

    def users_of(self, meshes: Sequence[str]) -> Iterator[str]:
        """The SDF files of this repository, here and below, whose links take a mesh from one of some files."""
        files = frozenset(map(os.path.realpath, meshes))
        if not files:
            return
        repository = repository_of(os.path.realpath(os.curdir))
        # Loaded where meshes stand for the models that use them.
        from sdfinertia.runs.mesh_users import uses_one_of

        try:
            found = source_files(os.curdir, self.refuse, self._options_in(os.curdir).confine)
        except ResourceError:
            # There is no SDF file, so none uses them.
            return
        for path in map(os.path.normpath, found):
            try:
                options = self.options_for(path)
                if is_excluded(path, options.exclude):
                    continue
                place = require_inside(path, options.confine)
                # Links lead out of the repository, and others are nested in it: their hooks fill those.
                if repository_of(os.path.dirname(place)) != repository:
                    continue
                if uses_one_of(files, path, options, self.surroundings.of(options)):
                    yield path
            except SdfInertiaError as error:
                self.refuse(error)

    def sources(
        self, paths: Sequence[str], stdin_filename: str | None = None, *, with_meshes: bool = False
    ) -> Iterator[Source]:
        """What paths stand for, be it standard input, without what is excluded; what cannot be found is refused."""
        if list(paths) != [STANDARD_STREAM]:
            yield from map(Source, self.files(paths, with_meshes=with_meshes))
            return
        try:
            source = read_standard_input(stdin_filename)
            if not self.is_excluded(source):
                yield source
        except SdfInertiaError as error:
            self.refuse(error)

    def is_excluded(self, source: Source) -> bool:
        """Whether the options that are in force for a source pass over it."""
        return is_excluded(source.path, self.options_for(source.path).exclude)

    def configured_for(self, path: str) -> GivenOptions:
        """What the configuration nearest to a file says.

        Raises:
            ConfigurationError: it cannot be read, or has an unknown key or a value of a wrong kind.
        """
        return self._configurations.values_for(path)

    def options_for(self, path: str) -> Options:
        """The options that are in force for a file: the same for all files of a directory.

        Raises:
            ConfigurationError: they are wrong, or contradict each other.
        """
        directory = os.path.dirname(os.path.abspath(path))
        if directory not in self._options:
            self._options[directory] = self._options_near(path)
        return self._options[directory]

    def confinement_of_outputs(self) -> str | None:
        """The directory outside which reports and baselines are not written, if there is one.

        They belong to no input, so it is the one in force where the command runs.
        """
        return self._options_in(os.getcwd()).confine

    def _options_in(self, directory: str) -> Options:
        return self.options_for(os.path.join(directory, "any.sdf"))

    def _options_near(self, path: str) -> Options:
        return self._given.over(self.configured_for(path))

    def tasks(self, paths: Iterable[str]) -> Iterator[FileTask]:
        """The work on files, each once: one that is named in several ways goes by the first."""
        for path in paths:
            place = os.path.realpath(path)
            if place not in self._places:
                self._places.add(place)
                yield file_task(path, self.options_for(path))

    def refuse(self, error: SdfInertiaError) -> None:
        """Says an error, unless it was said: a mistake in a configuration file concerns many files."""
        if str(error) not in self._said:
            self._said.add(str(error))
            say(str(error), style=ERROR)
        self._count_refused(error)
