"""The documents of an editor: each version opened once, checked link by link, with all around it kept for the next.

Everything here is done by one thread. Of files on disk it is looked at whether they are as they were read.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from glob import escape

from lsprotocol.types import PositionEncodingKind

from sdfinertia.commands.check import CheckRun
from sdfinertia.documents.checking import CheckResult, check_steps
from sdfinertia.documents.explaining import Explainer
from sdfinertia.documents.opened import FORMATS, OpenDocument, open_document
from sdfinertia.errors import ConfigurationError, SdfInertiaError
from sdfinertia.files.regular_file import require_inside
from sdfinertia.files.walk import is_excluded
from sdfinertia.links.context import Context, SharedContext
from sdfinertia.lsp.text import EditorText
from sdfinertia.markup.document import Document, Element
from sdfinertia.options import GivenOptions, Options
from sdfinertia.robot.link import Link
from sdfinertia.robot.values import SUFFIXES
from sdfinertia.rules.accepted import Baseline, read_baseline
from sdfinertia.rules.rule import ABOUT_NUMBERS, Finding
from sdfinertia.runs.checking import Check
from sdfinertia.runs.work import FileTask

_SUFFIXES = (*SUFFIXES, ".xacro")


class Version:
    """One version of a document.

    Args:
        path: the file, which may be another on disk, or not be there.
        baseline: known findings, which are not reported.

    Attributes:
        source: the text.
        shared: what lies around it.
        result: what `check` comes to, once `steps` are done.
    """

    def __init__(
        self,
        text: str,
        path: str,
        options: Options,
        shared: SharedContext,
        units: PositionEncodingKind | str = PositionEncodingKind.Utf16,
        baseline: Baseline | None = None,
    ) -> None:
        self.path = path
        self.options = replace(options, why=True) if path.lower().endswith(".xacro") else options
        self.result: CheckResult | None = None
        self.source, self.shared = text, shared
        self._units, self._baseline = units, baseline

    @cached_property
    def text(self) -> EditorText:
        return EditorText(self.source, self._units)

    @property
    def context(self) -> Context:
        return self.shared.of(self.options)

    @cached_property
    def document(self) -> OpenDocument:
        """The text, opened.

        Raises:
            SdfInertiaError: it cannot be read as a robot description.
        """
        return self.opened(self.options)

    def opened(self, options: Options) -> OpenDocument:
        """The text, opened as a command with some options does."""
        known = self.__dict__.get("document")
        if known is not None:
            return OpenDocument(known.robot, options, self.context)
        return open_document(self.text.data, options, self.context, filename=self.path)

    @cached_property
    def roots(self) -> Sequence[Element]:
        """The root elements, of templates too; none where the text cannot be parsed."""
        try:
            return self.document.robot.document.roots
        except SdfInertiaError:
            try:
                return Document(self.text.data, self.path).roots
            except SdfInertiaError:
                return ()

    @property
    def is_robot(self) -> bool:
        """Whether it is named as a robot description, or is one: editors tell of any XML."""
        return self.path.lower().endswith(_SUFFIXES) or any(root.name in FORMATS for root in self.roots)

    def steps(self) -> Generator[None, None, None]:
        """Checks it link by link, as `check` does a file.

        Raises:
            SdfInertiaError: the configuration is wrong, or does not allow to look at it.
        """
        require_inside(self.path, self.options.confine)
        if is_excluded(self.path, self.options.exclude) or not self.is_robot:
            result = CheckResult(self.path, ())
        else:
            try:
                document = self.document
            except ConfigurationError:
                raise
            except SdfInertiaError:
                # What cannot be read, and templates.
                task = FileTask(self.path, self.options, len(self.text.data), data=self.text.data)
                result = Check(self.shared)(task).result
            else:
                result = yield from check_steps(document)
        kept = tuple(each for each in result.findings if self._baseline is None or not self._baseline.hides(each))
        self.result = result._replace(findings=kept)

    # Links ----------------------------------------------------------------------------------------------------------

    def links(self) -> Iterator[Link]:
        """Its links; none where it cannot be read."""
        try:
            yield from self.document.links()
        except SdfInertiaError:
            return

    def link_at(self, offset: int) -> Link | None:
        """The link whose element a byte is in."""
        return next((link for link in self.links() if link.element.start <= offset < link.element.end), None)

    def link_labelled(self, label: str) -> Link | None:
        return next(iter(self.document.links_by_label.get(label, ())), None)

    def findings_of(self, link: Link) -> list[Finding]:
        """What `check` finds in a link, whether the others were looked at or not."""
        if self.result is None:
            steps = check_steps(self.opened(narrowed(self.options, link)))
            while True:
                try:
                    next(steps)
                except StopIteration as done:
                    findings = done.value.findings
                    break
        else:
            findings = self.result.findings
        return [each for each in findings if each.key == link.key]

    def explained(self, link: Link) -> list[Finding]:
        """The same, with what explains them."""
        findings = self.findings_of(link)
        codes = ABOUT_NUMBERS & {finding.code for finding in findings if finding.why is None}
        whys = self.explainer.whys(link, codes) if codes else {}
        return [each._replace(why=whys.get(each.code, each.why)) for each in findings]

    @cached_property
    def explainer(self) -> Explainer:
        return Explainer(self.document)


def narrowed(options: Options, link: Link) -> Options:
    """The options of a command that is told to look at one link."""
    return replace(options, link=(escape(link.own_name),))


class Surroundings:
    """What lies around the documents: configuration, included models, and meshes, read anew when they change on disk.

    Args:
        given: the options of the command line.
        baseline: a file of known findings, or None.
    """

    def __init__(self, given: GivenOptions, baseline: str | None = None) -> None:
        self._given = given
        self._baseline = read_baseline(baseline, given.options.confine) if baseline is not None else None
        self._shared = SharedContext(keeps=True)
        self._seen: dict[str, tuple[int, int] | None] = {}

    def version(self, text: str, path: str, units: PositionEncodingKind | str) -> Version:
        """A version of a document among the files as they are now.

        Raises:
            SdfInertiaError: its configuration is wrong.
        """
        if any(_state_of(file) != state for file, state in self._seen.items()):
            self.forget()
        # Each finds its configuration anew: that costs less than a millisecond.
        options = CheckRun(self._given).options_for(path)
        return Version(text, path, options, self._shared, units, self._baseline)

    def is_current(self, version: Version, text: str) -> bool:
        """Whether a version has this text, and nothing around it was forgotten since."""
        return version.source is text and version.shared is self._shared

    def forget(self) -> None:
        """Reads everything anew."""
        self._shared = SharedContext(keeps=True)
        self._seen = {}

    def remember(self) -> None:
        """Takes the files read so far for those whose change matters; what was not found is looked for each time."""
        for file in self._shared.files_read() - self._seen.keys():
            self._seen[file] = _state_of(file)


def _state_of(file: str) -> tuple[int, int] | None:
    try:
        found = os.stat(file)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
