"""Causes on a page: a table of them, and what is proposed drawn beside what is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sdfinertia.documents.scene import OF_GEOMETRY, PROPOSED, Scene
from sdfinertia.inertia.spatial_inertia import SpatialInertia
from sdfinertia.report.findings.causes import likeliest, proposal_words, sureness
from sdfinertia.report.pages.html_report import ReportTable
from sdfinertia.robot.values import LinkKey
from sdfinertia.rules.rule import Finding


def cause_table(findings: Sequence[Finding]) -> ReportTable:
    """A row for each link whose numbers were looked into: what explains them, what shows it, and what would undo it."""
    rows: dict[LinkKey, tuple[str, ...]] = {}
    for finding in findings:
        why, best = finding.why, likeliest(finding)
        if why is not None and best is None:
            rows.setdefault(finding.key, (finding.link, why.unexplained, "", ""))
        elif why is not None and best is not None:
            cause = f"{best.cause} ({sureness(best)})"
            shown = ". ".join((best.sentence, *best.evidence))
            cells = (finding.link, cause, shown, proposal_words(why.written, best))
            rows.setdefault(finding.key, cells)
    return ReportTable("Causes", ("Link", "Cause", "Evidence", "Proposal"), tuple(rows.values()))


def with_proposals(scenes: Sequence[Scene], findings: Sequence[Finding]) -> list[Scene]:
    """The scenes, each link that is explained with what is proposed and what its geometry gives drawn beside it."""
    besides: dict[LinkKey, tuple[tuple[str, SpatialInertia], ...]] = {}
    for finding in findings:
        if finding.why is not None:
            best = likeliest(finding)
            drawn = [(PROPOSED, best.proposal.inertia)] if best is not None and best.proposal is not None else []
            drawn += [(OF_GEOMETRY, finding.why.computed)] if finding.why.computed is not None else []
            besides[finding.key] = tuple(drawn)
    return [
        replace(
            scene,
            links=tuple(replace(link, besides=besides.get(link.key, ())) for link in scene.links),
        )
        for scene in scenes
    ]
