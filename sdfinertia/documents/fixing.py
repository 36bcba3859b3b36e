"""The fixes of findings of `check`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sdfinertia.documents.filling import FillResult, fill_document
from sdfinertia.errors import WriteError
from sdfinertia.links.filling import failure
from sdfinertia.rules.registry import RULE_OF_CODE
from sdfinertia.rules.rule import Finding, Fixer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sdfinertia.documents.opened import OpenDocument
    from sdfinertia.links.filling import LinkResult
    from sdfinertia.markup.document import Edit
    from sdfinertia.robot.link import LinkKey


def fix_document(document: OpenDocument, findings: Sequence[Finding]) -> FillResult:
    """The document with rounding fixed and links filled, as findings ask."""
    links: dict[Fixer, set[LinkKey]] = {fixer: set() for fixer in Fixer}
    for finding in findings:
        # A finding without a link is about all of them.
        keys = [finding.key] if finding.link else [link.key for link in document.links()]
        links[RULE_OF_CODE[finding.code].fixer].update(keys)
    nudges: list[Edit] = []
    failed: list[LinkResult] = []
    if nudged := links[Fixer.NUDGE]:
        for link in document.links():
            if link.key in nudged:
                try:
                    document.require_writable(link)
                    nudges += link.nudge_edits()
                except WriteError as error:
                    failed.append(failure(link, error))
    options = replace(document.options, missing=False, refresh=True, keep_going=True)
    return fill_document(document, options, links[Fixer.FILL], nudges, failed)
