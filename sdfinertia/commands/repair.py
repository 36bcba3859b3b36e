"""The command `repair`: `fill`, by the causes of wrong numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.commands.fill import FillRequest, run_fill
from sdfinertia.documents.repairing import By, RepairResult, repair_document

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sdfinertia.documents.opened import OpenDocument
    from sdfinertia.options import Given, Options
    from sdfinertia.runs.outcomes import Jobs


class Repair(NamedTuple):
    by: By

    def __call__(self, document: OpenDocument, options: Options) -> RepairResult:
        return repair_document(document, options, self.by)


def run_repair(paths: Sequence[str], given: Given, request: FillRequest, jobs: Jobs, by: By) -> int:
    return run_fill(paths, given, request._replace(repairs=True), jobs, Repair(by))
