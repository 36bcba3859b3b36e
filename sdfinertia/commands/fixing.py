"""What `check --fix` and `--unsafe-fixes` write, or show with `--diff`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from sdfinertia.commands.file_run import FileRun
from sdfinertia.documents.filling import FillResult, fill_document
from sdfinertia.documents.opened import OpenDocument, open_document
from sdfinertia.markup.document import Edit, splice
from sdfinertia.report.findings import fix_of
from sdfinertia.report.tally import Tally
from sdfinertia.report.terminal import ERROR, print_bytes, say
from sdfinertia.report.wording import counted
from sdfinertia.robot.values import LinkKey
from sdfinertia.rules.registry import RULE_OF_CODE
from sdfinertia.rules.rule import Finding, Fixer
from sdfinertia.runs.work import CheckedFile, FileTask

Checked = Mapping[FileTask, CheckedFile]


class Fixing:
    def __init__(
        self,
        run: FileRun,
        fresh: Callable[[Sequence[Finding]], list[Finding]],
        verbosity: int,
        *,
        unsafe_fixes: bool,
    ) -> None:
        self._run = run
        self._fresh = fresh
        self._verbosity = verbosity
        self._applied = ("safe", "unsafe") if unsafe_fixes else ("safe",)
        self._fills = Tally()
        self._fixed: list[Finding] = []

    def print_diffs(self, checked: Checked) -> None:
        from sdfinertia.report.results import unified_diff

        for task, findings in self._fixable(checked).items():
            with self._run.refusing():
                document, edits = self._edits(task, findings, checked[task].document, writes=False)
                print_bytes(unified_diff(task.path, document.robot.data, edits))

    def fix(self, checked: Checked) -> dict[FileTask, list[Finding]]:
        for task in checked:
            self._run.outputs.remove_leftovers_beside(task.path, task.options.confine)
        fixable = self._fixable(checked)
        for task, findings in fixable.items():
            with self._run.refusing():
                document, edits = self._edits(task, findings, checked[task].document, writes=True)
                data = document.robot.data
                self._run.outputs.put_document(task, data, splice(data, edits), None, task.options.confine)
        return fixable

    def count(self, fixable: Mapping[FileTask, Sequence[Finding]], checked: Checked) -> None:
        for task, findings in fixable.items():
            left = {(finding.key, finding.code) for finding in checked[task].result.findings}
            self._fixed += (finding for finding in findings if (finding.key, finding.code) not in left)

    @property
    def has_fixed(self) -> bool:
        return bool(self._fixed)

    def lines(self) -> Iterator[str]:
        if self._fixed:
            files = {finding.location.file for finding in self._fixed}
            yield f"fixed {counted(len(self._fixed), 'finding')} in {counted(len(files), 'file')}."
        if self._fills.default_densities:
            links = counted(self._fills.default_densities, "link")
            yield f"{links} filled at the default density, 1000 kg/m³; give <density> where that is wrong."

    def _fixable(self, checked: Checked) -> dict[FileTask, list[Finding]]:
        fixable = {
            task: [finding for finding in self._fresh(file.result.findings) if fix_of(finding) in self._applied]
            for task, file in checked.items()
        }
        return {task: findings for task, findings in fixable.items() if findings}

    def _edits(
        self, task: FileTask, findings: Sequence[Finding], document: OpenDocument | None, *, writes: bool
    ) -> tuple[OpenDocument, list[Edit]]:
        document = document or open_document(task.path, task.options, self._run.context.of(task.options))
        edits, filled = fixing_edits(document, findings)
        if filled is not None:
            self._say_filled(filled, writes=writes)
        return document, edits

    def _say_filled(self, result: FillResult, *, writes: bool) -> None:
        for error in result.errors:
            say(str(error), style=ERROR)
        self._fills.add(result)
        if self._verbosity > 0 and writes:
            from sdfinertia.report.results import report_lines

            for line in report_lines(result, verbose=True):
                say(line)


def fixing_edits(document: OpenDocument, findings: Sequence[Finding]) -> tuple[list[Edit], FillResult | None]:
    """The edits that fix findings, and the result of filling links, if any is filled."""
    links: dict[Fixer, set[LinkKey]] = {fixer: set() for fixer in Fixer}
    for finding in findings:
        links[RULE_OF_CODE[finding.code].fixer].add(finding.key)
    edits = [edit for link in document.links() if link.key in links[Fixer.NUDGE] for edit in link.nudge_edits()]
    fillable = links[Fixer.FILL] | links[Fixer.FILL_MISSING]
    if not fillable:
        return edits, None
    chosen = replace(document.options, missing=bool(links[Fixer.FILL_MISSING]), refresh=True, keep_going=True)
    result = fill_document(document, chosen, fillable)
    return [*edits, *result.edits], result
