"""What the commands over many files share: which files, with which options and surroundings, and errors said once."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence

from sdfinertia.errors import ResourceError, SdfInertiaError
from sdfinertia.files.confinement import is_inside
from sdfinertia.links.surroundings import SharedSurroundings
from sdfinertia.options import GivenOptions, Options
from sdfinertia.report.terminal import ERROR, say
from sdfinertia.runs.configuration import Configurations
from sdfinertia.runs.source_files import is_excluded, source_files
from sdfinertia.runs.work import FileTask, file_task


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
        self._configurations = Configurations()
        self._options: dict[str, Options] = {}
        self._said: set[str] = set()
        self._places: set[str] = set()
        self.surroundings = SharedSurroundings()

    def files(self, paths: Sequence[str]) -> Iterator[str]:
        """The files that paths stand for, without those excluded; what cannot be found is refused."""
        for path in paths:
            try:
                # What holds for a file in a directory holds for the directory.
                confine = self.options_for(os.path.join(path, "")).confine
                files = source_files(path, self.refuse, confine)
            except SdfInertiaError as error:
                self.refuse(error)
                continue
            for file in files:
                try:
                    options = self.options_for(file)
                    if is_excluded(file, options.exclude):
                        continue
                    if options.confine is not None and not is_inside(file, options.confine):
                        # A symbolic link in a tree that is not trusted could have any file rewritten.
                        raise ResourceError(f"is outside {os.path.abspath(options.confine)}, and not opened", file=file)
                    yield file
                except SdfInertiaError as error:
                    self.refuse(error)

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
