"""A text that is open in an editor: its document, links and findings, by the configuration of its file."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from glob import escape

from pygls.workspace import PositionCodec

from sdfinertia.commands.check import CheckRun
from sdfinertia.documents.checking import CheckResult, check_document, unreadable
from sdfinertia.documents.explaining import Explainer
from sdfinertia.documents.opened import FORMATS, OpenDocument, expanded_document, open_document
from sdfinertia.documents.xacro import merged
from sdfinertia.documents.xacro_robots import robots_using
from sdfinertia.errors import Location, SdfInertiaError
from sdfinertia.files.regular_file import require_inside
from sdfinertia.files.walk import is_excluded
from sdfinertia.links.context import Context, SharedContext
from sdfinertia.links.unjudged import Unjudged
from sdfinertia.lsp.text import EditorText
from sdfinertia.options import GivenOptions, Options
from sdfinertia.robot.link import Link
from sdfinertia.robot.suffixes import SUFFIXES, XACRO_SUFFIX
from sdfinertia.rules.baseline import Baseline
from sdfinertia.rules.rule import ABOUT_NUMBERS, Finding
from sdfinertia.xacro.macros import is_xacro

# What may stand before the first element, and the first element of a robot description.
_PROLOG = re.compile(rb"\s+|\xef\xbb\xbf|<\?.*?(?:\?>|\Z)|<!--.*?(?:-->|\Z)", re.DOTALL)
_ROOT = re.compile(rb"<(?:%s)(?=[\s/>])" % "|".join(FORMATS).encode())


class OpenText:
    """A text and the options of its file, both as they are now.

    Raises:
        SdfInertiaError: the configuration is wrong, or the file outside its confinement.
    """

    def __init__(
        self, source: str, path: str, codec: PositionCodec, given: GivenOptions, baseline: Baseline | None = None
    ) -> None:
        require_inside(path, given.options.confine)
        self._options_for = CheckRun(given).options_for
        self.options = self._options_for(path)
        require_inside(path, self.options.confine)
        self.path, self.text = path, EditorText(source, codec)
        self._baseline = baseline
        self._shared = SharedContext(keeps=True)

    @property
    def context(self) -> Context:
        return self._shared.of(self.options)

    @cached_property
    def document(self) -> OpenDocument:
        return open_document(self.text.data, self.options, self.context, filename=self.path)

    def document_with(self, options: Options) -> OpenDocument:
        return OpenDocument(self.document.robot, options, self.context)

    # Findings -------------------------------------------------------------------------------------------------------

    def check(self) -> CheckResult:
        if is_excluded(self.path, self.options.exclude) or not self._is_robot():
            return CheckResult(self.path, ())
        try:
            result = check_document(self.document)
        except SdfInertiaError as error:
            result = unreadable(self.path, error, self.options)
        if result.passed_over and self._is_xacro:
            result = self._through_robots(result)
        return result._replace(findings=tuple(self._fresh(result.findings)))

    def _is_robot(self) -> bool:
        """Whether its name or its root element is that of a robot description: editors open any XML."""
        at = 0
        while prolog := _PROLOG.match(self.text.data, at):
            at = prolog.end()
        return self.path.lower().endswith((*SUFFIXES, XACRO_SUFFIX)) or _ROOT.match(self.text.data, at) is not None

    def findings_of(self, link: Link) -> list[Finding]:
        """The findings in a link, with their causes."""
        result = check_document(self.document_with(narrowed(self.options, link)))
        findings = [each for each in self._fresh(result.findings) if each.key == link.key]
        codes = ABOUT_NUMBERS & {finding.code for finding in findings if finding.why is None}
        whys = self.explainer.whys(link, codes) if codes else {}
        return [each._replace(why=whys.get(each.code, each.why)) for each in findings]

    @cached_property
    def explainer(self) -> Explainer:
        return Explainer(self.document)

    def _fresh(self, findings: Sequence[Finding]) -> list[Finding]:
        return [each for each in findings if self._baseline is None or not self._baseline.hides(each)]

    def _through_robots(self, result: CheckResult) -> CheckResult:
        """The findings in a file of macros, by the robots that use it."""
        overlay = dict.fromkeys((os.path.abspath(self.path), os.path.realpath(self.path)), self.text.data)
        found, unjudged = list[tuple[str, Sequence[Finding]]](), dict[Unjudged, None]()
        for robot in robots_using(self.path, self.options):
            of_robot = self._result_of_robot(robot, overlay)
            findings = (each._replace(location=self._named(each.location)) for each in of_robot.findings)
            found.append((robot, [each for each in findings if each.location.file == self.path]))
            reasons = (each._replace(location=self._named(each.location)) for each in of_robot.unjudged)
            unjudged.update((each, None) for each in reasons if each.location.file == self.path)
        return result._replace(findings=tuple(merged(found)), unjudged=tuple(unjudged))

    def _result_of_robot(self, robot: str, overlay: Mapping[str, bytes]) -> CheckResult:
        options = self._options_for(robot)
        try:
            return check_document(expanded_document(robot, None, options, self._shared.of(options), overlay=overlay))
        except SdfInertiaError as error:
            return unreadable(robot, error, options)

    def _named(self, location: Location) -> Location:
        """A location, in this file by the path of the text."""
        is_here = os.path.realpath(location.file) == os.path.realpath(self.path)
        return location._replace(file=self.path) if is_here else location

    # Links ----------------------------------------------------------------------------------------------------------

    def links(self) -> Iterator[Link]:
        """The links in the text: not those of included files, nor those that xacro makes.

        Raises:
            SdfInertiaError: it cannot be read.
        """
        if not self._is_xacro:
            yield from (link for link in self.document.links() if link.file == self.document.robot.path)

    def link_at(self, offset: int) -> Link | None:
        return next((link for link in self.links() if link.element.start <= offset < link.element.end), None)

    def link_labelled(self, label: str) -> Link | None:
        return next((link for link in self.links() if link.key.label == label), None)

    @cached_property
    def _is_xacro(self) -> bool:
        try:
            return is_xacro(self.path, self.text.data)
        except SdfInertiaError:
            # It is not well-formed, which the reader reports.
            return False


def narrowed(options: Options, link: Link) -> Options:
    """The options of a command with `--link` for one link."""
    return replace(options, link=(escape(link.own_name),))
