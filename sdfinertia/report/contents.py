"""What reports are made from, the same for every format."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from sdfinertia.named_tuple import NamedTuple

if TYPE_CHECKING:
    from sdfinertia.documents.filling import FillResult
    from sdfinertia.documents.scene import Scene
    from sdfinertia.errors import SdfInertiaError
    from sdfinertia.rules.facts import Unjudged
    from sdfinertia.rules.rule import Finding, Rule


class FindingsReport(NamedTuple):
    """What a report of findings is made from.

    Attributes:
        findings: in the order in which they are listed.
        rules: all there are, whether they were on or not.
        checked: every file that was looked at.
        scenes: the models in them, if the format draws them.
        content_of: the bytes of a file that was looked at, or None where there are none to be had any more.
        tells_each: whether findings that are alike are told one by one where people read them.
        unjudged: why rules could not judge some links, where that is no finding.
    """

    findings: Sequence[Finding]
    rules: Sequence[Rule]
    checked: Sequence[str]
    scenes: Sequence[Scene] = ()
    content_of: Callable[[str], bytes | None] = lambda _: None
    tells_each: bool = False
    unjudged: Sequence[Unjudged] = ()


class ResultsReport(NamedTuple):
    """What a report of filled files is made from.

    Attributes:
        refused: files and links that were not filled.
        find_scenes: finds the models in them; called by formats that draw them.
    """

    results: Sequence[FillResult]
    refused: Sequence[SdfInertiaError]
    find_scenes: Callable[[], Sequence[Scene]]
