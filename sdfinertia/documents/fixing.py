"""The edits that fix findings of `check`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sdfinertia.documents.filling import FillResult, fill_document
from sdfinertia.documents.opened import OpenDocument
from sdfinertia.markup.document import Edit
from sdfinertia.robot.keys import LinkKey
from sdfinertia.rules.registry import RULE_OF_CODE
from sdfinertia.rules.rule import Finding, Fixer


def fixing_edits(document: OpenDocument, findings: Sequence[Finding]) -> tuple[list[Edit], FillResult | None]:
    """The edits that fix findings, and the result of filling links, if any is filled."""
    links: dict[Fixer, set[LinkKey]] = {fixer: set() for fixer in Fixer}
    for finding in findings:
        # A finding without a link is about all of them.
        keys = [finding.key] if finding.link else [link.key for link in document.links()]
        links[RULE_OF_CODE[finding.code].fixer].update(keys)
    edits: list[Edit] = []
    if nudged := links[Fixer.NUDGE]:
        # Loaded where a tensor is rejected: it brings decimal arithmetic.
        from sdfinertia.robot.edits import nudge_edits

        edits = [edit for link in document.links() if link.key in nudged for edit in nudge_edits(link)]
    if not links[Fixer.FILL]:
        return edits, None
    chosen = replace(document.options, missing=False, refresh=True, keep_going=True)
    result = fill_document(document, chosen, links[Fixer.FILL])
    return [
        *edits,
        *document.robot.document.gathered([result.edits, *(other.edits for other in result.others)]),
    ], result
