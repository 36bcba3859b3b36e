"""The documents of an editor: each version is opened once and checked link by link; meshes stay for the next version.

All of it runs in one thread.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from glob import escape

from lsprotocol.types import PositionEncodingKind

from sdfinertia.commands.check import CheckRun
from sdfinertia.documents.checking import CheckResult, check_document, check_steps, unreadable
from sdfinertia.documents.explaining import Explainer
from sdfinertia.documents.opened import FORMATS, OpenDocument, expanded_document, open_document
from sdfinertia.errors import ConfigurationError, Location, SdfInertiaError, TextError
from sdfinertia.files.former_outputs import MJCF_ROOT, is_document
from sdfinertia.files.regular_file import require_inside
from sdfinertia.files.walk import is_excluded
from sdfinertia.lazy import cached_property
from sdfinertia.links.context import Context, SharedContext
from sdfinertia.links.unjudged import Unjudged
from sdfinertia.lsp.text import EditorText
from sdfinertia.markup.document import Document, Element
from sdfinertia.options import GivenOptions, Options
from sdfinertia.robot.link import Link
from sdfinertia.robot.suffixes import MJCF_SUFFIXES, SUFFIXES, XACRO_SUFFIX
from sdfinertia.rules.baseline import Baseline
from sdfinertia.rules.rule import ABOUT_NUMBERS, Finding
from sdfinertia.runs.work import Check, FileTask
from sdfinertia.xacro.macros import is_xacro

_SUFFIXES = (*SUFFIXES, XACRO_SUFFIX)


class Version:
    """One version of a document; `result` is that of `check`, once `steps` are done; `number` is the editor's."""

    def __init__(
        self,
        source: str,
        path: str,
        options: Options,
        shared: SharedContext,
        units: PositionEncodingKind | str = PositionEncodingKind.Utf16,
        baseline: Baseline | None = None,
        number: int = 0,
        options_for: Callable[[str], Options] | None = None,
    ) -> None:
        # Options of other files.

        self._options_for = options_for or (lambda _: options)
        self.source, self.path, self.shared, self.number = source, path, shared, number
        self.options = options
        self.result: CheckResult | None = None
        self._units, self._baseline = units, baseline

    @cached_property
    def text(self) -> EditorText:
        return EditorText(self.source, self._units)

    @property
    def context(self) -> Context:
        return self.shared.of(self.options)

    @cached_property
    def document(self) -> OpenDocument:
        return self.opened(self.options)

    def opened(self, options: Options) -> OpenDocument:
        """The text as a command with some options opens it."""
        if self.is_xacro:
            # Links of xacro are not in the text.
            raise TextError("links of xacro are known once it is expanded", file=self.path)
        known = self.__dict__.get("document")
        if known is not None:
            return OpenDocument(known.robot, options, self.context)
        return open_document(self.text.data, options, self.context, filename=self.path)

    @cached_property
    def roots(self) -> Sequence[Element]:
        """The root elements, also of templates; none if the text cannot be parsed."""
        try:
            return self.document.robot.document.roots
        except SdfInertiaError:
            try:
                return Document(self.text.data, self.path).roots
            except SdfInertiaError:
                return ()

    @cached_property
    def is_xacro(self) -> bool:
        try:
            return is_xacro(self.path, self.text.data)
        except SdfInertiaError:
            # It is not well-formed, which the reader reports.
            return False

    @property
    def is_robot(self) -> bool:
        """Whether its name or its root element is that of a robot description: editors open any XML."""
        if self.path.lower().endswith(_SUFFIXES) or any(root.name in FORMATS for root in self.roots):
            return True
        # A model of MuJoCo is not well-formed while it is typed.
        return self.path.lower().endswith(MJCF_SUFFIXES) and is_document(self.text.data, MJCF_ROOT)

    def steps(self) -> Generator[None, None, None]:
        """Checks it link by link.

        Raises:
            SdfInertiaError: the configuration is wrong.
        """
        if is_excluded(self.path, self.options.exclude) or not self.is_robot:
            result = CheckResult(self.path, ())
        else:
            try:
                document = self.document
            except ConfigurationError:
                raise
            except SdfInertiaError:
                # Unreadable files, and xacro, which is expanded.
                task = FileTask(self.path, self.options, len(self.text.data), data=self.text.data)
                result = Check(self.shared)(task).result
                if result.passed_over and self.is_xacro:
                    result = yield from self._through_robots(result)
            else:
                result = yield from check_steps(document)
        kept = tuple(each for each in result.findings if self._baseline is None or not self._baseline.hides(each))
        self.result = result._replace(findings=kept)

    def _through_robots(self, result: CheckResult) -> Generator[None, None, CheckResult]:
        """The findings in a file of macros, robot by robot."""
        # Loaded where there is one.
        from sdfinertia.documents.xacro import merged
        from sdfinertia.documents.xacro_robots import robots_using

        found, unjudged = list[tuple[str, Sequence[Finding]]](), dict[Unjudged, None]()
        for robot in robots_using(self.path, self.options):
            yield
            of_robot = self._result_of(robot)
            here_too = [each._replace(location=here) for each in of_robot.findings if (here := self._here(each))]
            found.append((robot, here_too))
            unjudged.update(
                (each._replace(location=here), None) for each in of_robot.unjudged if (here := self._here(each))
            )
        return result._replace(findings=tuple(merged(found)), unjudged=tuple(unjudged))

    def _result_of(self, robot: str) -> CheckResult:
        """The result of a robot that includes this text."""
        options = self._options_for(robot)
        overlay = dict.fromkeys((os.path.abspath(self.path), os.path.realpath(self.path)), self.text.data)
        try:
            document = expanded_document(robot, None, options, self.shared.of(options), overlay=overlay)
        except SdfInertiaError as error:
            return unreadable(robot, error, options)
        return check_document(document)

    def _here(self, found: Finding | Unjudged) -> Location | None:
        """The place in this text, or None if it is in another file."""
        is_here = os.path.realpath(found.location.file) == os.path.realpath(self.path)
        return found.location._replace(file=self.path) if is_here else None

    # Links ----------------------------------------------------------------------------------------------------------

    def links(self) -> Iterator[Link]:
        """Its links; none if it cannot be read."""
        try:
            document = self.document
            # Those of included files are not in this text.
            yield from (link for link in document.links() if link.file == document.robot.path)
        except SdfInertiaError:
            return

    def link_at(self, offset: int) -> Link | None:
        return next((link for link in self.links() if link.element.start <= offset < link.element.end), None)

    def link_labelled(self, label: str) -> Link | None:
        return next(iter(self.document.links_by_label.get(label, ())), None)

    def findings_of(self, link: Link) -> list[Finding]:
        """The findings in a link, also before all links are checked."""
        result = self.result or check_document(self.opened(narrowed(self.options, link)))
        return [each for each in result.findings if each.key == link.key]

    def explained(self, link: Link) -> list[Finding]:
        """The findings in a link, with their causes."""
        findings = self.findings_of(link)
        codes = ABOUT_NUMBERS & {finding.code for finding in findings if finding.why is None}
        whys = self.explainer.whys(link, codes) if codes else {}
        return [each._replace(why=whys.get(each.code, each.why)) for each in findings]

    @cached_property
    def explainer(self) -> Explainer:
        return Explainer(self.document)


def narrowed(options: Options, link: Link) -> Options:
    """The options of a command with `--link` for one link."""
    return replace(options, link=(escape(link.own_name),))


class SharedState:
    """The configuration, included models and meshes around the documents, read again when they change on disk."""

    def __init__(self, given: GivenOptions, baseline: Baseline | None = None) -> None:
        self._given = given
        self._baseline = baseline
        self._shared = SharedContext(keeps=True)
        self._states: dict[str, tuple[int, int] | None] = {}

    def version(self, source: str, path: str, units: PositionEncodingKind | str, number: int = 0) -> Version:
        """A version of a document, among the files as they are now.

        Raises:
            SdfInertiaError: the configuration is wrong, or the file outside its confinement.
        """
        if any(_state_of(file) != state for file, state in self._states.items()):
            self.forget()
        require_inside(path, self._given.options.confine)
        # The configuration is read for each version: it takes less than a millisecond.
        options_for = CheckRun(self._given).options_for
        options = options_for(path)
        require_inside(path, options.confine)
        return Version(source, path, options, self._shared, units, self._baseline, number, options_for)

    def is_current(self, version: Version) -> bool:
        return version.shared is self._shared

    def forget(self) -> None:
        self._shared = SharedContext(keeps=True)
        self._states = {}

    def remember(self) -> None:
        """Notes the state of the files read so far; files that were not found are searched for each time."""
        for file in self._shared.files_read() - self._states.keys():
            self._states[file] = _state_of(file)


def _state_of(file: str) -> tuple[int, int] | None:
    try:
        found = os.stat(file)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
