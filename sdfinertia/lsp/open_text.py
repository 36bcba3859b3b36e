"""A text that is open in an editor: its document, links and findings, by the configuration of its file."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from glob import escape
from typing import TYPE_CHECKING, TypeVar

from sdfinertia.commands import FileRun
from sdfinertia.commands.check import judging
from sdfinertia.documents import FORMATS, OpenDocument, expanded_document, is_xacro, open_document
from sdfinertia.documents.checking import CheckResult, check_document, unreadable
from sdfinertia.documents.corrections import Explainer, explainer_of
from sdfinertia.documents.xacro import robots_using
from sdfinertia.errors import SdfInertiaError, TemplateError, TextError
from sdfinertia.files import require_inside
from sdfinertia.files.walk import is_excluded
from sdfinertia.links import Unjudged
from sdfinertia.links.context import SharedContext
from sdfinertia.options import Given, Options
from sdfinertia.robot import Link
from sdfinertia.robot.names import SUFFIXES, XACRO_SUFFIX
from sdfinertia.rules.accepted import Baseline
from sdfinertia.rules.rule import ABOUT_NUMBERS, Finding
from sdfinertia.runs.checking import merged

if TYPE_CHECKING:
    from sdfinertia.lsp.text import EditorText

# What may stand before the first element, and the first element of a robot description.
_PROLOG = re.compile(rb"\s+|\xef\xbb\xbf|<\?.*?(?:\?>|\Z)|<!--.*?(?:-->|\Z)", re.DOTALL)
_ROOT = re.compile(rb"<(?:%s)(?=[\s/>])" % "|".join(FORMATS).encode())

_Found = TypeVar("_Found", Finding, Unjudged)


class OpenText:
    """A text and the options of its file, both as they are now; xacro is read only if `expands`.

    Raises:
        SdfInertiaError: the configuration is wrong, or the file outside its confinement.
    """

    def __init__(self, path: str, text: EditorText, given: Given, baseline: Baseline | None, *, expands: bool) -> None:
        run = FileRun(given, merged=judging)
        require_inside(path, run.alone.confine)
        self._options_for = run.options_for
        self.options = self._options_for(path)
        require_inside(path, self.options.confine)
        self.path, self.text = path, text
        self._baseline = baseline
        self._shared = SharedContext(keeps=True)
        self.context = self._shared.of(self.options)
        self._opened: OpenDocument | SdfInertiaError | None = None
        # The robots that use a file of macros.
        self._robots: list[tuple[str, OpenDocument | SdfInertiaError]] = []
        try:
            self._is_xacro = is_xacro(path, text.data)
        except SdfInertiaError:
            # It is not well-formed, which the reader reports.
            self._is_xacro = False
        if self._is_robot() and not is_excluded(path, self.options.exclude) and (expands or not self._is_xacro):
            self._open()

    def _open(self) -> None:
        try:
            self._opened = open_document(self.text.data, self.options, self.context, filename=self.path)
        except SdfInertiaError as error:
            self._opened = error
        opened = self._opened
        makes_nothing = opened.emptiness if isinstance(opened, OpenDocument) else isinstance(opened, TemplateError)
        if self._is_xacro and makes_nothing:
            overlay = dict.fromkeys((os.path.abspath(self.path), os.path.realpath(self.path)), self.text.data)
            for robot in robots_using(self.path, self.options):
                options = self._options_for(robot)
                context = self._shared.of(options)
                try:
                    self._robots.append((robot, expanded_document(robot, None, options, context, overlay=overlay)))
                except SdfInertiaError as error:
                    self._robots.append((robot, error))

    @property
    def document(self) -> OpenDocument:
        if not isinstance(self._opened, OpenDocument):
            raise self._opened or TextError("has no links that an editor can change", file=self.path)
        return self._opened

    def document_with(self, options: Options) -> OpenDocument:
        return OpenDocument(self.document.robot, options, self.context)

    def check(self) -> CheckResult:
        if self._opened is None:
            return CheckResult(self.path, ())
        result = self._checked(self.path, self._opened)
        if self._robots:
            found, unjudged = list[CheckResult](), dict[Unjudged, None]()
            for robot, opened in self._robots:
                of_robot = self._checked(robot, opened)
                found.append(of_robot._replace(path=robot, findings=tuple(self._here(of_robot.findings))))
                unjudged.update(dict.fromkeys(self._here(of_robot.unjudged)))
            result = result._replace(findings=tuple(merged(found)), unjudged=tuple(unjudged))
        return result._replace(findings=tuple(self._fresh(result.findings)))

    def _checked(self, path: str, opened: OpenDocument | SdfInertiaError) -> CheckResult:
        if isinstance(opened, SdfInertiaError):
            return unreadable(path, opened, self._options_for(path))
        return check_document(opened)

    def _here(self, found: Sequence[_Found]) -> Iterator[_Found]:
        for each in found:
            if os.path.realpath(each.location.file) == os.path.realpath(self.path):
                yield each._replace(location=each.location._replace(file=self.path))

    def _is_robot(self) -> bool:
        at = 0
        while prolog := _PROLOG.match(self.text.data, at):
            at = prolog.end()
        return self.path.lower().endswith((*SUFFIXES, XACRO_SUFFIX)) or _ROOT.match(self.text.data, at) is not None

    def findings_of(self, link: Link) -> list[Finding]:
        result = check_document(self.document_with(narrowed(self.options, link)))
        findings = [each for each in self._fresh(result.findings) if each.key == link.key]
        codes = ABOUT_NUMBERS & {finding.code for finding in findings if finding.why is None}
        whys = self.explainer.whys(link, codes) if codes else {}
        return [each._replace(why=whys.get(each.code, each.why)) for each in findings]

    @property
    def explainer(self) -> Explainer:
        return explainer_of(self.document)

    def _fresh(self, findings: Sequence[Finding]) -> list[Finding]:
        return [each for each in findings if self._baseline is None or not self._baseline.hides(each)]

    def links(self) -> Iterator[Link]:
        """The links in the text: not those of included files, nor those that xacro makes."""
        if self._opened is not None and not self._is_xacro:
            yield from (link for link in self.document.links() if link.file == self.document.robot.path)

    def link_at(self, offset: int) -> Link | None:
        return next((link for link in self.links() if link.element.start <= offset < link.element.end), None)

    def link_labelled(self, label: str) -> Link | None:
        return next((link for link in self.links() if link.key.label == label), None)


def narrowed(options: Options, link: Link) -> Options:
    return replace(options, link=(escape(link.own_name),))
