"""The findings of a page: cards, their filters and counts."""

from __future__ import annotations

import os
from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING

from sdfinertia.errors import counted, one_line
from sdfinertia.report.explanations import cause_words, likeliest, rule_address
from sdfinertia.report.findings import (
    card_order,
    effect_words,
    level_of,
    place_in_repository,
    what_to_do,
    what_words,
)
from sdfinertia.report.link_table import badge, html_text, name_text
from sdfinertia.rules.registry import RULE_OF_CODE, rank_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sdfinertia.documents.scene import Scene, SceneLink
    from sdfinertia.robot.link import LinkKey
    from sdfinertia.rules.rule import Finding

_LEVELS = ("error", "warning")


def findings_by_link(scenes: Sequence[Scene], findings: Sequence[Finding]) -> dict[int, list[Finding]]:
    """The findings of each link, the gravest first, by the number that it has through all scenes.

    A link that is included several times has them at each place.
    """
    by_link: dict[LinkKey, list[Finding]] = {}
    for finding in sorted(findings, key=_gravity):
        if finding.link:
            by_link.setdefault(_real(finding.key), []).append(finding)
    links = [link for scene in scenes for link in scene.links]
    found = ((index, by_link.get(_real(link.key))) for index, link in enumerate(links))
    return {index: each for index, each in found if each}


def _gravity(finding: Finding) -> int:
    return _LEVELS.index(level_of(finding.code))


def _real(key: LinkKey) -> LinkKey:
    return key._replace(file=os.path.realpath(key.file))


def counts(findings: Sequence[Finding]) -> str:
    number = Counter(level_of(finding.code) for finding in findings)
    found = [(level, number[level]) for level in _LEVELS if number[level]]
    return "".join(f'<span class="badge {level}">{counted(count, level)}</span>' for level, count in found)


def findings_list(
    findings: Sequence[Finding], by_link: dict[int, list[Finding]], links: Sequence[SceneLink] = ()
) -> Iterator[str]:
    """One card for each link, the worst first, below the filters; a card names the first place of its link."""
    first: dict[LinkKey, int] = {}
    for place in by_link:
        first.setdefault(_real(links[place].key), place)
    ordered = sorted(findings, key=lambda each: _real(each.key))
    cards = [sorted(card, key=_gravity) for _, card in groupby(ordered, key=lambda each: _real(each.key))]
    # Of a file as a whole, each finding is a card of its own.
    cards = [part for card in cards for part in ([card] if card[0].link else [[each] for each in card])]
    order = {id(finding): number for number, finding in enumerate(findings)}
    cards.sort(key=lambda card: (*card_order(card), order[id(card[0])]))
    yield '<section id="findings" aria-label="Findings"><h2>Findings</h2>'
    if len(cards) > 1:
        yield from _filters(findings)
    if not cards:
        yield "<p>No findings.</p>"
    yield "<ol>"
    for card in cards:
        yield from _card(card, first.get(_real(card[0].key)))
    yield "</ol></section>"


def _filters(findings: Sequence[Finding]) -> Iterator[str]:
    levels = Counter(level_of(finding.code) for finding in findings)
    codes = Counter(finding.code for finding in findings)
    kinds = [(level, f"{counted(levels[level], level)}") for level in _LEVELS if levels[level]]
    rules = [(code, f"{code} {RULE_OF_CODE[code].name} ({count:,})") for code, count in codes.most_common()]
    yield '<div class="filters">'
    for name, label, choices in (("level", "Severity", kinds), ("rule", "Rule", rules)):
        options = "".join(f'<option value="{html_text(value)}">{html_text(text)}</option>' for value, text in choices)
        yield f'<label title="Show only these findings">{label} <select id="filter-{name}">'
        yield f'<option value="">all</option>{options}</select></label>'
    yield "</div>"


def _card(card: Sequence[Finding], index: int | None) -> Iterator[str]:
    worst, level = card[0], level_of(card[0].code)
    about = f' data-about="{index}" tabindex="0"' if index is not None else ""
    codes = " ".join(dict.fromkeys(finding.code for finding in card))
    yield f'<li class="finding {level}"{about} data-codes="{html_text(codes)}">'
    yield f"<h3>{name_text(worst.link or worst.location.file)}</h3>"
    if words := effect_words(max(card, key=rank_of)):
        minor = ", minor" if all(finding.is_minor for finding in card) else ""
        yield f'<p class="effect"><small>{html_text(words)}{minor}</small></p>'
    # Advice is shown with its finding, or once for all.
    remedies = {each.advice: each for each in card}
    for finding in card:
        name, address = RULE_OF_CODE[finding.code].name, rule_address(finding.code)
        shown = html_text(name) if address is None else f'<a href="{html_text(address)}">{html_text(name)}</a>'
        what = html_text(what_words(finding))
        yield f'<p class="wrong">{badge(finding.code, name)} {what} <small>{shown}</small></p>'
        if len(remedies) > 1 and remedies[finding.advice] is finding:
            yield from _advice(finding)
    yield from _reason(card)
    if len(remedies) == 1:
        yield from _advice(card[0])
    yield f'<small class="place">{html_text(place_in_repository(worst.location))}</small></li>'


def _reason(card: Sequence[Finding]) -> Iterator[str]:
    why = next((finding.why for finding in card if finding.why is not None), None)
    if why is None:
        yield f'<p class="why"><b>Why it matters</b> {html_text(one_line(RULE_OF_CODE[card[0].code].why))}</p>'
        return
    best = likeliest(why)
    yield f'<p class="why"><b>{"Likely cause" if best else "Cause"}</b> {html_text(cause_words(why))}</p>'
    if best is not None and best.evidence:
        lines = "".join(f"<li>{html_text(one_line(each))}</li>" for each in best.evidence)
        yield f"<details><summary>Evidence</summary><ul>{lines}</ul></details>"


def _advice(finding: Finding) -> Iterator[str]:
    command, rest = what_to_do(finding)
    if command is not None and not command.file:
        rest = str(command)
    elif command is not None:
        button = '<button type="button" class="copy" aria-label="Copy the command">Copy</button>'
        yield f'<div class="command"><code>{html_text(one_line(str(command)))}</code>{button}</div>'
    if rest:
        yield f'<div class="remedy">{html_text(one_line(rest))}</div>'
