"""The findings of a page: counts in its head, badges in the rows of links, and a list that picks what each is about."""

from __future__ import annotations

import os
import shlex
from collections import Counter
from collections.abc import Iterator, Sequence

from sdfinertia.documents.scene import Scene
from sdfinertia.errors import one_line
from sdfinertia.report.findings import level_of, rule_address
from sdfinertia.report.wording import html_text, place_in_repository
from sdfinertia.robot.values import LinkKey
from sdfinertia.rules.registry import RULE_OF_CODE
from sdfinertia.rules.rule import Finding

_LEVELS = ("error", "warning")


def findings_by_link(scenes: Sequence[Scene], findings: Sequence[Finding]) -> dict[int, list[Finding]]:
    """The findings of each link, the gravest first, by the number that it has through all scenes.

    A link that is included several times has them at each place.
    """
    by_link: dict[LinkKey, list[Finding]] = {}
    for finding in sorted(findings, key=lambda finding: _LEVELS.index(level_of(finding.code))):
        if finding.link:
            by_link.setdefault(_real(finding.key), []).append(finding)
    links = [link for scene in scenes for link in scene.links]
    found = ((index, by_link.get(_real(link.key))) for index, link in enumerate(links))
    return {index: each for index, each in found if each}


def _real(key: LinkKey) -> LinkKey:
    """The key by which a link is known whatever the path to its file."""
    return key._replace(file=os.path.realpath(key.file))


def badge(finding: Finding) -> str:
    """The code of a finding, which tells more when it is pointed at."""
    name = html_text(RULE_OF_CODE[finding.code].name)
    return f'<b class="badge {level_of(finding.code)}" title="{name}">{html_text(finding.code)}</b>'


def badges(findings: Sequence[Finding]) -> str:
    """The codes of findings, for the row of their link."""
    codes = {finding.code: finding for finding in findings}
    if not codes:
        return ""
    spans = (
        f'<span class="badge {level_of(code)}" title="{html_text(told)}">{html_text(code)}</span>'
        for code, each in codes.items()
        for told in [f"{RULE_OF_CODE[code].name}: {one_line(each.message)}"]
    )
    return f'<span class="badges">{"".join(spans)}</span>'


def counts(findings: Sequence[Finding]) -> str:
    """The counts by level, for the head of the page."""
    number = Counter(level_of(finding.code) for finding in findings)
    found = [(level, number[level]) for level in _LEVELS if number[level]]
    spans = (f'<span class="badge {level}">{count} {level}{"s" if count != 1 else ""}</span>' for level, count in found)
    return "".join(spans)


def findings_list(findings: Sequence[Finding], by_link: dict[int, list[Finding]]) -> Iterator[str]:
    """The list; each finding names the first place of its link."""
    first: dict[int, int] = {}
    for index, found in by_link.items():
        for finding in found:
            first.setdefault(id(finding), index)
    yield '<section id="findings" aria-label="Findings"><h2>Findings</h2><ol>'
    for finding in findings:
        about = f' data-about="{first[id(finding)]}" tabindex="0"' if id(finding) in first else ""
        yield f'<li class="finding {level_of(finding.code)}"{about}>'
        yield f"{badge(finding)} "
        link = f"<b>{html_text(finding.link)}</b> " if finding.link else ""
        yield f"{link}{html_text(one_line(finding.message))}"
        command, remedy = _command_in(finding)
        if command:
            button = '<button type="button" class="copy">Copy</button>'
            yield f'<div class="command"><code>{html_text(one_line(command))}</code>{button}</div>'
        if remedy:
            yield f'<div class="remedy">{html_text(one_line(remedy))}</div>'
        place = html_text(place_in_repository(finding.location))
        yield f'<small class="place">{place} · {_name(finding.code)}</small></li>'
    yield "</ol></section>"


def _command_in(finding: Finding) -> tuple[str, str]:
    """The command that a remedy begins with, "" where it is none, and what is said beyond it.

    A command about a link ends with its file; what is said of it comes behind.
    """
    if not finding.remedy.startswith("sdfinertia "):
        return "", finding.remedy
    before, path, after = finding.remedy.partition(f" {shlex.quote(finding.location.file)}")
    return before + path, after.strip()


def _name(code: str) -> str:
    """The name of the rule, which leads to its page if that is published."""
    address, name = rule_address(code), html_text(RULE_OF_CODE[code].name)
    return name if address is None else f'<a href="{html_text(address)}">{name}</a>'
