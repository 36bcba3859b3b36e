"""The edits that fix findings of `check`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.documents.filling import FillResult, fill_document
from sdfinertia.errors import SdfInertiaError, WriteError
from sdfinertia.robot.edits import nudge_edits
from sdfinertia.rules.registry import RULE_OF_CODE
from sdfinertia.rules.rule import Finding, Fixer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sdfinertia.documents.opened import OpenDocument
    from sdfinertia.markup.document import Edit
    from sdfinertia.robot.link import LinkKey


class Fixes(NamedTuple):
    """The edits that fix findings, why some are not fixed, and the result of filling links, if any is filled."""

    edits: list[Edit]
    errors: tuple[SdfInertiaError, ...] = ()
    filled: FillResult | None = None


def fixes_of(document: OpenDocument, findings: Sequence[Finding]) -> Fixes:
    links: dict[Fixer, set[LinkKey]] = {fixer: set() for fixer in Fixer}
    for finding in findings:
        # A finding without a link is about all of them.
        keys = [finding.key] if finding.link else [link.key for link in document.links()]
        links[RULE_OF_CODE[finding.code].fixer].update(keys)
    edits: list[Edit] = []
    errors: list[SdfInertiaError] = []
    if nudged := links[Fixer.NUDGE]:
        for link in document.links():
            if link.key in nudged:
                try:
                    document.require_writable(link)
                    edits += nudge_edits(link)
                except WriteError as error:
                    errors.append(error)
    if not links[Fixer.FILL]:
        return Fixes(edits, tuple(errors))
    chosen = replace(document.options, missing=False, refresh=True, keep_going=True)
    result = fill_document(document, chosen, links[Fixer.FILL])
    filled = document.robot.document.gathered([result.edits, *(other.edits for other in result.others)])
    return Fixes([*edits, *filled], (*errors, *result.errors), result)
