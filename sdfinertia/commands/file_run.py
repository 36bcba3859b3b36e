"""One run over files: which files, with which options, the work on each in order, and each error once."""

from __future__ import annotations

import os
import sys
from contextlib import closing, contextmanager, suppress
from typing import TYPE_CHECKING, TypeVar

from sdfinertia.documents.filling import ChangedFile, FillResult, write_each
from sdfinertia.errors import ConfigurationError, ResourceError, SdfInertiaError, TemplateError, WriteError, first_few
from sdfinertia.files.atomic_file import Leftovers, is_same_file, refuse_unwritable, replace_file, write_file
from sdfinertia.files.regular_file import head_of, read_stream, require_inside
from sdfinertia.files.walk import is_excluded, trees_of
from sdfinertia.links.context import SharedContext
from sdfinertia.mesh.readers.formats import EXTENSIONS
from sdfinertia.options import Given, Options, merged_options
from sdfinertia.report.terminal import ERROR, ExitStatus, Progress, print_bytes, say
from sdfinertia.robot.names import SUFFIXES, is_document
from sdfinertia.runs.configuration import configured_in, find_configuration
from sdfinertia.runs.outcomes import ONE_JOB, FileTask, Jobs, file_task, outcomes_of
from sdfinertia.runs.source_files import is_expanded, source_files

if TYPE_CHECKING:
    from collections import deque
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from sdfinertia.runs.outcomes import Work

_T = TypeVar("_T")
STANDARD_STREAM = "-"
# Paths by which the system names standard output.
_STANDARD_OUTPUT = (STANDARD_STREAM, "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1")
_STANDARD_INPUT = "<stdin>"
# Bytes of a file that are read to identify it.
_HEAD = 1 << 16


def ended(run: Callable[[], int], interrupted: str = "interrupted") -> int:
    try:
        return run()
    except SdfInertiaError as error:
        say(str(error), style=ERROR)
        return ExitStatus.REFUSED
    except KeyboardInterrupt:
        say(interrupted)
        return ExitStatus.INTERRUPTED


def require_one_stream(paths: Sequence[str], stdin_filename: str | None) -> None:
    if STANDARD_STREAM in paths and len(paths) > 1:
        raise ConfigurationError("- (standard input) cannot be combined with other paths")
    if stdin_filename is not None and list(paths) != [STANDARD_STREAM]:
        raise ConfigurationError("--stdin-filename needs - as the only path")


def standard_input(stdin_filename: str | None, options: Callable[[str], Options]) -> FileTask:
    name = stdin_filename or _STANDARD_INPUT
    if sys.stdin is None:
        raise ResourceError("standard input is closed", file=name)
    data = read_stream(sys.stdin.buffer, name)
    return FileTask(name, options(name), len(data), data=data)


def remedy_on(task: FileTask, problem: str, remedy: str) -> str:
    if task.path != _STANDARD_INPUT or "not found: " not in problem:
        return remedy
    place = "say where the file belongs with --stdin-filename"
    return f"{place}, or {remedy}" if remedy else place


def _refuse_wrong_kind(path: str, with_meshes: bool) -> None:
    if os.path.basename(path) == "model.config":
        directory = os.path.dirname(path) or os.curdir
        raise ResourceError("refers to a model, and is not one", file=path, remedy=f"give its directory: {directory}")
    if path.lower().endswith(SUFFIXES) or with_meshes:
        return

    if os.path.splitext(path)[1].lower() in EXTENSIONS and os.path.isfile(path):
        with suppress(OSError):
            if not is_document(head_of(path, _HEAD)):
                raise ResourceError("is a mesh, not SDF", file=path, remedy=f"try `sdfinertia mesh {path}`")


class FileRun:
    """The files of one run, the work on them, and the errors; configurations, models and meshes are read once."""

    def __init__(self, given: Given, *, quiet: bool = True, jobs: Jobs = ONE_JOB) -> None:
        # The options given on the command line, and what they are without configuration.
        self.given, self.alone = given, merged_options(given, {})
        self._quiet = quiet
        self._jobs = jobs
        self._configured: dict[str, Given] = {}
        self._options: dict[str, Options] = {}
        self._said: set[str] = set()
        self._places: set[tuple[str, str]] = set()
        self._directories: dict[str, str] = {}
        self._named: set[str] = set()
        self._taken: set[str] = set()
        self.context = SharedContext(keeps=True)
        self.macros: list[str] = []
        self.trees: tuple[str, ...] = ()
        self.refused: list[SdfInertiaError] = []
        self.leftovers = Leftovers()

    def over(
        self,
        work: Work[_T],
        pending: deque[FileTask],
        *,
        doing: str = "filling",
        has_bar: bool = True,
    ) -> Iterator[tuple[FileTask, _T]]:
        """Results in order, with errors reported; more tasks may be appended to `pending` meanwhile."""
        # Standard input does not travel.
        jobs = ONE_JOB if any(task.data is not None for task in pending) else self._jobs
        progress = Progress(len(pending) if has_bar else 0, quiet=self._quiet, doing=doing)
        while pending:
            tasks = list(pending)
            pending.clear()
            with closing(outcomes_of(work, tasks, jobs)) as outcomes:
                for done, (task, result, _) in enumerate(outcomes, start=1):
                    progress.clear()
                    if isinstance(result, TemplateError) and not self.is_named(task):
                        say(f"{task.path}: note: {result.problem}; {result.remedy}")
                    elif isinstance(result, SdfInertiaError):
                        self.refuse(result.within(file=task.path))
                    else:
                        yield task, result
                    progress.advance(remaining=len(tasks) - done + len(pending))
        progress.clear()

    def files(self, paths: Sequence[str], *, with_meshes: bool = False) -> Iterator[str]:
        for path in paths:
            with self.refusing():
                # Options of a file are those of its directory.
                confine = self._options_in(path).confine if os.path.isdir(path) else None
                files = source_files(path, self.refuse, confine, self.macros)
                is_named = files == [path]
                for file in files:
                    try:
                        if self._is_taken(file, is_named, with_meshes):
                            yield file
                    except SdfInertiaError as error:
                        self.refuse(error)

    def _is_taken(self, file: str, is_named: bool, with_meshes: bool) -> bool:
        options = self.options_for(file)
        if is_excluded(file, options.exclude):
            return False
        if options.confine is not None:
            require_inside(file, options.confine)
        self._taken.add(file)
        if is_named:
            self._named.add(file)
            _refuse_wrong_kind(file, with_meshes)
        return True

    def only_file(self, path: str, why: str) -> str:
        files = list(self.files([path]))
        if len(files) == 1:
            return files[0]
        if files:
            some = first_few([os.path.normpath(file) for file in files])
            raise ConfigurationError(f"{path} holds {len(files)} files, and {why}", remedy=f"give one of {some}")
        # A refused path was reported.
        raise self.refused[0] if self.refused else ConfigurationError("is excluded", file=path)

    def tasks(
        self, paths: Sequence[str], stdin_filename: str | None = None, *, once: bool = True, with_meshes: bool = False
    ) -> Iterator[FileTask]:
        if list(paths) == [STANDARD_STREAM]:
            with self.refusing():
                task = standard_input(stdin_filename, self.options_for)
                if not is_excluded(task.path, task.options.exclude):
                    yield task
            return
        self.trees = trees_of(paths)
        files = self.files(paths, with_meshes=with_meshes)
        yield from self.tasks_of(files) if once else (file_task(file, self.options_for(file)) for file in files)

    def tasks_of(self, files: Iterable[str]) -> Iterator[FileTask]:
        for path in files:
            place = self._place_of(path)
            if place not in self._places:
                self._places.add(place)
                yield file_task(path, self.options_for(path))._replace(trees=self.trees)

    def _place_of(self, path: str) -> tuple[str, str]:
        if os.path.islink(path):
            path = os.path.realpath(path)
        directory, name = os.path.split(path)
        if directory not in self._directories:
            self._directories[directory] = os.path.realpath(directory)
        return self._directories[directory], name

    def require_given_arguments(self, tasks: Sequence[FileTask]) -> None:
        """Refuses arguments of xacro that no file declares."""
        self._require_declared(self.alone.xacro_arg, tasks)
        shared: dict[tuple[str, ...], list[FileTask]] = {}
        for task in tasks:
            arguments = self._configured_for(task.path).get("xacro_arg", ())
            own = tuple(each for each in arguments if " " not in each.partition(":=")[0])
            shared.setdefault(own, []).append(task)
        for own, some in shared.items():
            if own:
                given_in = find_configuration(os.path.dirname(os.path.abspath(some[0].path)), self.alone.confine)
                self._require_declared(own, some, given_in)

    def _require_declared(
        self, arguments: Sequence[str], tasks: Sequence[FileTask], given_in: str | None = None
    ) -> None:
        names = [name for each in arguments for name in each.partition(":=")[0].split()[-1:]]
        paths = [task.path for task in tasks if names and task.data is None and is_expanded(task.path)]
        if paths:
            from sdfinertia.documents.xacro import require_declared

            everything = [*paths, *self.macros]
            require_declared(names, everything, self.alone.confine, given_in)

    @contextmanager
    def refusing(self) -> Iterator[None]:
        try:
            yield
        except SdfInertiaError as error:
            self.refuse(error)

    def is_named(self, task: FileTask) -> bool:
        return task.data is not None or task.path in self._named

    def _configured_for(self, path: str) -> Given:
        directory = os.path.dirname(path)
        if directory not in self._configured:
            self._configured[directory] = configured_in(directory, self.alone.confine)
        return self._configured[directory]

    def options_for(self, path: str) -> Options:
        directory = os.path.dirname(path)
        options = self._options.get(directory)
        if options is None:
            options = self._options[directory] = self._options_near(path)
        return options

    def _options_in(self, directory: str) -> Options:
        return self.options_for(os.path.join(directory, "any.sdf"))

    def _options_near(self, path: str) -> Options:
        return merged_options(self.given, self._configured_for(path))

    def refuse(self, error: SdfInertiaError) -> None:
        """Reports an error once, however many files it concerns."""
        if str(error) not in self._said:
            self._said.add(str(error))
            say(str(error), style=ERROR)
        self.refused.append(error.with_traceback(None))

    # Output -----------------------------------------------------------------------------------------------------------

    def confinement(self, near: str | None = None) -> str | None:
        return self.options_for(near).confine if near is not None else self._options_in(os.getcwd()).confine

    def require_writable(self, destinations: Sequence[str], near: str | None = None) -> None:
        places: set[str] = set()
        for path in destinations:
            if path in _STANDARD_OUTPUT:
                continue

            place = os.path.realpath(path)
            if place in places:
                raise ConfigurationError("is given for two outputs", file=path)
            places.add(place)
            refuse_unwritable(path, self.confinement(near))

    def put(self, path: str, content: bytes, near: str | None = None) -> None:
        if path in _STANDARD_OUTPUT:
            print_bytes(content)
            return

        if any(is_same_file(path, file) for file in self._taken):
            raise WriteError("is an input, and not overwritten", file=path, remedy="give another name")
        confine = self.confinement(near)
        self.leftovers.remove_beside(path, confine)
        for note in write_file(path, content, confine=confine):
            say(note)

    def put_all(self, source: FileTask, result: FillResult, output: str | None = None) -> None:
        others = [file for file in result.others if file.changed]
        if others and (output is not None or source.data is not None):
            problem = f"{len(others) + 1} files would change, and one is written"
            raise ConfigurationError(problem, file=source.path, remedy="omit -o")

        def put(file: ChangedFile) -> None:
            if file is result:
                self._put_document(source, file, output)
            else:
                self._put_document(source._replace(path=file.path), file, None)

        write_each([result, *result.others], put)

    def _put_document(self, source: FileTask, file: ChangedFile, output: str | None) -> None:
        if output is None and source.data is not None:
            output = STANDARD_STREAM
        if output is not None and (output in _STANDARD_OUTPUT or not is_same_file(output, source.path)):
            self.put(output, file.content, source.path)
            return
        path, confine = output or source.path, source.options.confine
        self.leftovers.remove_beside(path, confine)
        if file.changed:
            for note in replace_file(path, file.content, expected=file.original, confine=confine):
                say(note)
