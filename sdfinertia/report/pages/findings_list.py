"""The findings of a page: counts in its head, badges in the rows of links, and a list that picks what each is about."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence

from sdfinertia.documents.scene import Scene
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.report.findings.addresses import rule_address
from sdfinertia.report.pages.quantities import text_of
from sdfinertia.robot.values import LinkKey

_LEVELS = ("error", "warning")


class PageFinding(NamedTuple):
    """A finding as a page tells it.

    Attributes:
        level: "error" or "warning".
        name: of the rule.
        place: file, line and column.
        file, link: where the link stands, and its scoped name; "" where it is about the file.
        remedy: what to do, or what is to be said of the command.
        command: that mends it, or "".
        more: further sentences on it.
        number: of its link among those of that name in the file, from 1.
    """

    level: str
    code: str
    name: str
    place: str
    file: str
    link: str
    message: str
    remedy: str = ""
    command: str = ""
    more: tuple[str, ...] = ()
    number: int = 1

    @property
    def key(self) -> LinkKey:
        """What its link is known by."""
        return LinkKey(self.file, self.link, self.number)


def findings_by_link(scenes: Sequence[Scene], findings: Sequence[PageFinding]) -> dict[int, list[PageFinding]]:
    """The findings of each link, the gravest first, by the number that it has through all scenes.

    A link that is included several times has them at each place.
    """
    by_link: dict[LinkKey, list[PageFinding]] = {}
    for finding in sorted(findings, key=lambda finding: _LEVELS.index(finding.level)):
        if finding.link:
            by_link.setdefault(_real(finding.key), []).append(finding)
    links = [link for scene in scenes for link in scene.links]
    found = ((index, by_link.get(_real(link.key))) for index, link in enumerate(links))
    return {index: each for index, each in found if each}


def _real(key: LinkKey) -> LinkKey:
    """The key by which a link is known whatever the path to its file."""
    return key._replace(file=os.path.realpath(key.file))


def badges(findings: Sequence[PageFinding]) -> str:
    """The codes of findings, for the row of their link."""
    codes = {finding.code: finding for finding in findings}
    if not codes:
        return ""
    spans = (
        f'<span class="badge {each.level}" title="{text_of(f"{each.name}: {each.message}")}">{text_of(code)}</span>'
        for code, each in codes.items()
    )
    return f'<span class="badges">{"".join(spans)}</span>'


def counts(findings: Sequence[PageFinding]) -> str:
    """The counts by level, for the head of the page."""
    number = Counter(finding.level for finding in findings)
    found = [(level, number[level]) for level in _LEVELS if number[level]]
    spans = (f'<span class="badge {level}">{count} {level}{"s" if count != 1 else ""}</span>' for level, count in found)
    return "".join(spans)


def findings_list(findings: Sequence[PageFinding], by_link: dict[int, list[PageFinding]]) -> Iterator[str]:
    """The list; each finding names the first place of its link."""
    first: dict[int, int] = {}
    for index, found in by_link.items():
        for finding in found:
            first.setdefault(id(finding), index)
    yield '<section id="findings" aria-label="Findings"><h2>Findings</h2><ol>'
    for finding in findings:
        about = f' data-about="{first[id(finding)]}" tabindex="0"' if id(finding) in first else ""
        yield f'<li class="finding {finding.level}"{about}>'
        yield f'<b class="badge {finding.level}" title="{text_of(finding.name)}">{text_of(finding.code)}</b> '
        link = f"<b>{text_of(finding.link)}</b> " if finding.link else ""
        yield f"{link}{text_of(finding.message)}"
        yield from (f'<div class="more">{text_of(line)}</div>' for line in finding.more)
        if finding.command:
            button = '<button type="button" class="copy">Copy</button>'
            yield f'<div class="command"><code>{text_of(finding.command)}</code>{button}</div>'
        if finding.remedy:
            yield f'<div class="remedy">{text_of(finding.remedy)}</div>'
        yield f'<small class="place">{text_of(finding.place)} · {_name(finding)}</small></li>'
    yield "</ol></section>"


def _name(finding: PageFinding) -> str:
    """The name of the rule, which leads to its page if that is published."""
    address = rule_address(finding.code)
    name = text_of(finding.name)
    return name if address is None else f'<a href="{text_of(address)}">{name}</a>'
