"""What `check --fix` and `--unsafe-fixes` do to files with findings that can be mended, or show with `--diff`."""

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
from sdfinertia.runs.checking import CheckedFile
from sdfinertia.runs.work import FileTask

Checked = Mapping[FileTask, CheckedFile]


class Mending:
    """The mending of the files of one run.

    Args:
        run: how files are written, and who is told of what is refused.
        fresh: the findings among some that no baseline knows.
        verbosity: of the run.
        unsafe_fixes: whether fixes are applied that are not safe.
    """

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
        self._mended: list[Finding] = []

    def print_diffs(self, checked: Checked) -> None:
        """Prints what mending would change, and leaves all as it is."""
        from sdfinertia.report.results import unified_diff

        for task, findings in self._mendable(checked).items():
            with self._run.refusing():
                document, edits = self._mending(task, findings, checked[task].document, writes=False)
                print_bytes(unified_diff(task.path, document.robot.data, edits))

    def mend(self, checked: Checked) -> dict[FileTask, list[Finding]]:
        """Mends what can be mended: each file at once, and none while others are still looked at.

        Returns:
            The findings that were worked on, by file.
        """
        for task in checked:
            self._run.outputs.remove_leftovers_beside(task.path, task.options.confine)
        mendable = self._mendable(checked)
        for task, findings in mendable.items():
            with self._run.refusing():
                document, edits = self._mending(task, findings, checked[task].document, writes=True)
                data = document.robot.data
                self._run.outputs.put_document(task, data, splice(data, edits), None, task.options.confine)
        return mendable

    def count(self, mendable: Mapping[FileTask, Sequence[Finding]], checked: Checked) -> None:
        """Counts what was worked on and is not found any more.

        Args:
            checked: the same files, looked at anew.
        """
        for task, findings in mendable.items():
            left = {(finding.key, finding.code) for finding in checked[task].result.findings}
            self._mended += (finding for finding in findings if (finding.key, finding.code) not in left)

    @property
    def has_mended(self) -> bool:
        """Whether any finding is gone."""
        return bool(self._mended)

    def lines(self) -> Iterator[str]:
        """What was done, and by which densities nobody gave."""
        if self._mended:
            files = {finding.location.file for finding in self._mended}
            yield f"mended {counted(len(self._mended), 'finding')} in {counted(len(files), 'file')}."
        if self._fills.default_densities:
            links = counted(self._fills.default_densities, "link")
            yield f"{links} took the default density of 1000 kg/m³; give theirs where that is wrong."

    def _mendable(self, checked: Checked) -> dict[FileTask, list[Finding]]:
        """The findings in each file whose fixes are applied, and that no baseline knows."""
        mendable = {
            task: [finding for finding in self._fresh(file.result.findings) if fix_of(finding) in self._applied]
            for task, file in checked.items()
        }
        return {task: findings for task, findings in mendable.items() if findings}

    def _mending(
        self, task: FileTask, findings: Sequence[Finding], document: OpenDocument | None, *, writes: bool
    ) -> tuple[OpenDocument, list[Edit]]:
        """The document, and the edits that mend it: links are filled, and others nudged."""
        document = document or open_document(task.path, task.options, self._run.context.of(task.options))
        edits, filled = mending(document, findings)
        if filled is not None:
            self._say_filled(filled, writes=writes)
        return document, edits

    def _say_filled(self, result: FillResult, *, writes: bool) -> None:
        """Counts what is filled, and says why the rest is not."""
        for error in result.errors:
            say(str(error), style=ERROR)
        self._fills.add(result)
        if self._verbosity > 0 and writes:
            from sdfinertia.report.results import report_lines

            for line in report_lines(result, verbose=True):
                say(line)


def mending(document: OpenDocument, findings: Sequence[Finding]) -> tuple[list[Edit], FillResult | None]:
    """The edits that mend findings, and what came of filling links, if that is among them."""
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
