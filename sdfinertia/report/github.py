"""Findings as workflow commands of GitHub Actions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sdfinertia.errors import Location, counted, unicode_text
from sdfinertia.report.findings import (
    counting,
    folded,
    level_of,
    line_of,
    lines_of,
    minor_line,
    names_of,
    not_checked_line,
    path_in_repository,
    place_in_repository,
    printed,
)
from sdfinertia.rules.registry import rank_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sdfinertia.report import FindingsReport
    from sdfinertia.robot.link import LinkKey
    from sdfinertia.rules.rule import Finding

# As GitHub's own toolkit escapes them (actions/toolkit, packages/core/src/command.ts).
_IN_MESSAGE = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_PROPERTY = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})
# Per level and step; GitHub drops more.
_MAX_ANNOTATIONS = 10


def github_commands(report: FindingsReport) -> str:
    """One workflow command for each link, the worst first; those that GitHub would drop are lines of the log."""
    names = names_of(report.rules)
    failing = frozenset(rule.code for rule in report.rules if rule.fails_run)
    by_link: dict[LinkKey, list[Finding]] = {}
    once = folded(report.findings)
    for finding in counting(once):
        by_link.setdefault(finding.key, []).append(finding)
    links = [sorted(found, key=lambda finding: _gravity(finding, failing)) for found in by_link.values()]
    links.sort(key=lambda found: _gravity(found[0], failing))
    shown: dict[str, int] = {}
    commands, others = [], []
    for found in links:
        level = level_of(found[0].code)
        shown[level] = shown.get(level, 0) + 1
        if shown[level] <= _MAX_ANNOTATIONS:
            commands.append(_command(found, names))
        else:
            others.append(found)
    if others:
        limits = f"{_MAX_ANNOTATIONS} errors and {_MAX_ANNOTATIONS} warnings"
        left = f"{counted(len(others), 'more link')} with findings in the log: GitHub shows {limits} per step"
        commands.append(f"::notice title=sdfinertia::{left}\n")
    if minor := minor_line(once, lists_all=True):
        commands.append(f"::notice title=sdfinertia::{minor}\n")
    lines = [
        f"{unicode_text(place_in_repository(each.location))} {line_of(each)}\n" for found in others for each in found
    ]
    if line := not_checked_line(report.not_checked, report.checked, lists_all=True):
        level = "warning" if report.checked else "error"
        commands.insert(0, f"::{level} title=sdfinertia::{unicode_text(line).translate(_IN_MESSAGE)}\n")
    return "".join([*commands, *lines])


def _gravity(finding: Finding, failing: frozenset[str]) -> tuple[int, float]:
    level = 0 if finding.code in failing else 1 if level_of(finding.code) == "error" else 2
    return level, -rank_of(finding)


def _command(findings: Sequence[Finding], names: Mapping[str, str]) -> str:
    worst, *others = findings
    location = worst.location
    title = f"{worst.code} {names.get(worst.code, '')}".rstrip()
    title += f" and {len(others)} more" if others else ""
    lines = lines_of(worst)
    for each in others:
        what, *rest = lines_of(each)
        lines += [f"{each.code} {what}", *rest]
    return workflow_command(level_of(worst.code), location, title, "\n".join(lines))


def workflow_command(level: str, location: Location, title: str, message: str) -> str:
    """An annotation of a line: its lines may be several, each printable."""
    properties = {
        "file": path_in_repository(location.file),
        "line": str(location.line),
        "col": str(location.column),
        "title": title,
    }
    listed = ",".join(f"{key}={printed(value).translate(_IN_PROPERTY)}" for key, value in properties.items())
    return f"::{level} {listed}::{unicode_text(message).translate(_IN_MESSAGE)}\n"
