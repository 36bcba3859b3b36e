"""Work on one file of a run: the task, the functions that do it (fill, repair, check), and the outcome."""

from __future__ import annotations

import os
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

from sdfinertia.documents.checking import CheckResult, check_document, unreadable
from sdfinertia.documents.filling import FillResult, fill_document, written_back
from sdfinertia.documents.opened import OpenDocument, open_document
from sdfinertia.documents.repairing import By, repair_document
from sdfinertia.documents.shared_blocks import Claim, Disputes, claims_of
from sdfinertia.documents.xacro import macros_document
from sdfinertia.errors import Location, SdfInertiaError, WorkerError
from sdfinertia.xacro.expansion import RobotOfRun

if TYPE_CHECKING:
    from collections import Counter

    from sdfinertia.files.temporary_file import Leftovers
    from sdfinertia.links.context import SharedContext
    from sdfinertia.options import Options

_T_co = TypeVar("_T_co", covariant=True)
_PACKAGE = os.path.join(os.path.dirname(os.path.dirname(__file__)), "")


class FileTask(NamedTuple):
    """A file to work on.

    Attributes:
        size: in bytes, or 0.
        data: the content of standard input; None for a file.
        error: why there is nothing to work on.
        variant: the name of the variant that gives the arguments of xacro.
        trees: where the run may write; by default in the tree of the file.
    """

    path: str
    options: Options
    size: int = 0
    data: bytes | None = None
    error: SdfInertiaError | None = None
    variant: str = ""
    trees: tuple[str, ...] = ()

    @property
    def source(self) -> str | bytes:
        return self.path if self.data is None else self.data


class Work(Protocol[_T_co]):
    def __call__(self, task: FileTask, /) -> _T_co: ...


class Outcome(NamedTuple):
    task: FileTask
    result: Any
    seconds: float


def outcome_of(work: Work[object], task: FileTask) -> Outcome:
    started = perf_counter()
    try:
        if task.error is not None:
            raise task.error
        result = work(task)
    except SdfInertiaError as error:
        # Its traceback would keep the tree of the file.
        result = error.with_traceback(None)
    except Exception as error:
        result = failure_of(task, error)
    return Outcome(task, result, perf_counter() - started)


def failure_of(task: FileTask, error: Exception) -> WorkerError:
    """An error of one file, caused by the program or the system.

    The text of the exception is left out: it may quote a confidential file.
    """
    if isinstance(error, MemoryError):
        return WorkerError("not enough memory; the file is unchanged", file=task.path)
    return WorkerError(
        f"internal error: {type(error).__name__}{_place_of(error)}; the file is unchanged",
        file=task.path,
        remedy="please report it",
    )


def _place_of(error: Exception) -> str:
    """The last place in this package that an exception passed, else the first of all."""
    trace, found = error.__traceback__, ""
    while trace is not None:
        code = trace.tb_frame.f_code
        if code.co_filename.startswith(_PACKAGE) or not found:
            found = f" in {os.path.basename(code.co_filename)}:{trace.tb_lineno}"
        trace = trace.tb_next
    return found


def file_task(path: str, options: Options) -> FileTask:
    try:
        return FileTask(path, options, os.stat(path).st_size)
    except (OSError, ValueError):
        # The reader of the file reports its errors.
        return FileTask(path, options)


# Works ----------------------------------------------------------------------------------------------------------------

# They equal their copies in other processes, so that these keep their caches. Each loads its modules when it is called:
# that takes 7 to 30 ms, and no run needs all.


class FilledFile(NamedTuple):
    """A filled file; `document` is None from other processes, `written` has notes on the writing, or why it failed.

    Then the parts of its report: errors, counts, a diff, and lines.
    """

    result: FillResult
    included: tuple[str | SdfInertiaError, ...] = ()
    document: OpenDocument | None = None
    written: tuple[str, ...] | SdfInertiaError | None = None
    errors: tuple[SdfInertiaError, ...] = ()
    counts: Counter[str] | None = None
    diff: bytes = b""
    lines: tuple[str, ...] = ()


class Fill(NamedTuple):
    """Fills or repairs one file, and writes it where it is given the `leftovers` of earlier runs to remove.

    Attributes:
        robots: those of the run that xacro makes.
        disputed: the blocks that documents of the run would give different numbers.
    """

    context: SharedContext
    by: By | None = None
    leftovers: Leftovers | None = None
    robots: tuple[RobotOfRun, ...] = ()
    disputed: Disputes | None = None

    def __call__(self, task: FileTask) -> FilledFile:

        options = task.options
        document = self._opened(task)
        document.disputed = self.disputed.get(task.path, {}) if self.disputed is not None else {}
        document.robots_of_run = self.robots
        result = self._changed(document, options)
        included = document.robot.included_files(document.context) if options.recursive else ()
        filled = FilledFile(result, tuple(included), document)
        if self.leftovers is None or task.data is not None:
            return filled
        return filled._replace(written=written_back(result, options.confine, self.leftovers))

    def claims(self, task: FileTask) -> tuple[RobotOfRun | None, list[tuple[Location, Claim]]]:
        """The robot, if xacro makes it, and what it would write into each block, whatever others need."""
        document = self._opened(task)
        expansion, document.expansion = document.expansion, None
        result = self._changed(document, replace(task.options, keep_going=True))
        document.expansion = expansion
        robot = RobotOfRun(task.path, task.options, frozenset(expansion.real_paths)) if expansion is not None else None
        return robot, list(claims_of(document, result.links))

    def _opened(self, task: FileTask) -> OpenDocument:

        document = open_document(task.source, task.options, self.context.of(task.options), filename=task.path)
        document.trees = task.trees
        return document

    def _changed(self, document: OpenDocument, options: Options) -> FillResult:
        if self.by is None:
            return fill_document(document, options)

        return repair_document(document, options, self.by)


class CheckedFile(NamedTuple):
    result: CheckResult
    document: OpenDocument | None = None


class Check(NamedTuple):
    """Checks one file."""

    context: SharedContext
    keeps: bool = False
    lists_links: bool = False

    def __call__(self, task: FileTask) -> CheckedFile:

        options, context = task.options, self.context.of(task.options)
        try:
            document = open_document(task.source, options, context, filename=task.path)
        except SdfInertiaError as error:
            return CheckedFile(unreadable(task.path, error, options))
        result = check_document(document, lists_links=self.lists_links)
        return CheckedFile(result, document if self.keeps else None)


class CheckMacros(NamedTuple):
    """Checks the links of a file's macros with their defaults; none where a default is missing."""

    context: SharedContext

    def __call__(self, task: FileTask) -> CheckedFile:

        try:
            document = macros_document(task.path, task.options, self.context.of(task.options))
        except SdfInertiaError:
            document = None
        if document is None or document.emptiness:
            return CheckedFile(CheckResult(task.path, (), passed_over="macros only"))
        result = check_document(document)
        # Problems between links may come from the defaults.
        return CheckedFile(result._replace(findings=tuple(each for each in result.findings if each.link)))
