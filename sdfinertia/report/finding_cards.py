"""The findings of a page: cards, their filters and counts."""

from __future__ import annotations

import os
from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING

from sdfinertia.documents.scene import (
    PROPOSED,
    Scene,
    SceneLink,
    visible_differences,
)
from sdfinertia.errors import counted, one_line
from sdfinertia.inertia.spatial_inertia import InertiaTensor
from sdfinertia.report.explanations import cause_words, likeliest, rule_address
from sdfinertia.report.findings import (
    card_order,
    effect_words,
    level_of,
    place_in_repository,
    what_to_do,
    what_words,
)
from sdfinertia.report.link_table import (
    badge,
    differing_parts,
    html_text,
    name_text,
    short,
)
from sdfinertia.report.quantities import INERTIA, LENGTH, MASS, UNITS
from sdfinertia.rules.registry import RULE_OF_CODE, rank_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sdfinertia.robot.link import LinkKey
    from sdfinertia.rules.rule import Finding, Why

_LEVELS = ("error", "warning")

# The numbers of an inertia, with their units.
_NUMBERS = {
    "mass": UNITS[MASS],
    **dict.fromkeys("xyz", UNITS[LENGTH]),
    **dict.fromkeys(InertiaTensor._fields, UNITS[INERTIA]),
}


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
    """The key of a link, independent of the path to its file."""
    return key._replace(file=os.path.realpath(key.file))


def counts(findings: Sequence[Finding]) -> str:
    """The counts by level, for the head of the page."""
    number = Counter(level_of(finding.code) for finding in findings)
    found = [(level, number[level]) for level in _LEVELS if number[level]]
    return "".join(f'<span class="badge {level}">{counted(count, level)}</span>' for level, count in found)


def findings_list(
    findings: Sequence[Finding], by_link: dict[int, list[Finding]], links: Sequence[SceneLink] = ()
) -> Iterator[str]:
    """One card for each link, the worst first, below the filters.

    Args:
        links: all that the page shows; a card names the first place of its link.
    """
    first: dict[LinkKey, int] = {}
    for place in by_link:
        first.setdefault(_real(links[place].key), place)
    ordered = sorted(findings, key=lambda each: _real(each.key))
    cards = [list(card) for _, card in groupby(ordered, key=lambda each: _real(each.key))]
    # Of a file as a whole, each finding is a card of its own.
    cards = [part for card in cards for part in ([card] if card[0].link else [[each] for each in card])]
    for card in cards:
        card.sort(key=_gravity)
    order = {id(finding): number for number, finding in enumerate(findings)}
    cards.sort(key=lambda card: (*card_order(card), order[id(card[0])]))
    yield '<section id="findings" aria-label="Findings"><h2>Findings</h2>'
    if len(cards) > 1:
        yield from _filters(findings)
    if not cards:
        yield "<p>No findings.</p>"
    yield "<ol>"
    for card in cards:
        index = first.get(_real(card[0].key))
        yield from _card(card, index, links[index] if index is not None else None)
    yield "</ol></section>"


def _filters(findings: Sequence[Finding]) -> Iterator[str]:
    """The filters of the cards: a level, and a rule."""
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


def _card(card: Sequence[Finding], index: int | None, link: SceneLink | None) -> Iterator[str]:
    worst, level = card[0], level_of(card[0].code)
    about = f' data-about="{index}" tabindex="0"' if index is not None else ""
    codes = " ".join(dict.fromkeys(finding.code for finding in card))
    yield f'<li class="finding {level}"{about} data-codes="{html_text(codes)}">'
    yield f"<h3>{name_text(worst.link or worst.location.file)}</h3>"
    if words := effect_words(max(card, key=rank_of)):
        is_minor = all(finding.is_minor for finding in card)
        yield f'<p class="effect"><small>{html_text(words)}{", minor" if is_minor else ""}</small></p>'
    # Advice is shown with its finding, or once for all.
    remedies = {each.advice: each for each in card}
    for finding in card:
        name = _name(finding.code)
        yield f'<p class="wrong">{badge(finding.code, RULE_OF_CODE[finding.code].name)} '
        yield f"{html_text(what_words(finding))} <small>{name}</small></p>"
        if len(remedies) > 1 and remedies[finding.advice] is finding:
            yield from _advice(finding)
    yield from _reason(card)
    yield from _numbers(link)
    if len(remedies) == 1:
        yield from _advice(card[0])
    yield f'<small class="place">{html_text(place_in_repository(worst.location))}</small></li>'


def _reason(card: Sequence[Finding]) -> Iterator[str]:
    """Why: the cause of the numbers where one was searched for and found, else why the rule exists."""
    why: Why | None = next((finding.why for finding in card if finding.why is not None), None)
    if why is None:
        reason = RULE_OF_CODE[card[0].code].why
        yield f'<p class="why"><b>Why it matters</b> {html_text(one_line(reason))}</p>'
        return
    best = likeliest(why)
    if best is None:
        yield f'<p class="why"><b>Cause</b> {html_text(cause_words(why))}</p>'
        return
    sentence, cause = html_text(one_line(best.sentence)), html_text(f"{best.cause} ({best.sureness})")
    yield f'<p class="why"><b>Likely cause</b> {sentence} <small>{cause}</small></p>'
    if best.evidence:
        lines = "".join(f"<li>{html_text(one_line(each))}</li>" for each in best.evidence)
        yield f"<details><summary>Evidence</summary><ul>{lines}</ul></details>"


def _numbers(link: SceneLink | None) -> Iterator[str]:
    """The written beside the proposed numbers, or the computed ones: those that differ."""
    if link is None or link.written is None:
        return
    proposals = [(label, inertia) for label, inertia in link.besides if label == PROPOSED]
    label, proposal = proposals[0] if proposals else ("computed", link.computed)
    if proposal is None or not visible_differences(link.written, proposal):
        return
    cells = ""
    before, after = ((each.mass, *each.p_BoBcm_B, *each.I_BBcm_B) for each in (link.written, proposal))
    differs = [part for parts in differing_parts(link.written, proposal) for part in parts]
    for (name, its_unit), a, b, is_told in zip(_NUMBERS.items(), before, after, differs, strict=True):
        if is_told:
            cells += f'<tr><th scope="row">{name}</th><td>{short(a)}</td><td>{short(b)}</td><td>{its_unit}</td></tr>'
    head = f'<th></th><th scope="col">written</th><th scope="col">{label}</th><th></th>'
    yield f'<table class="small"><thead><tr>{head}</tr></thead><tbody>{cells}</tbody></table>'


def _advice(finding: Finding) -> Iterator[str]:
    """The advice: a command on a file, which can be copied, and words beyond it."""
    command, rest = what_to_do(finding)
    if command is not None and not command.file:
        rest = str(command)
    elif command is not None:
        button = '<button type="button" class="copy" aria-label="Copy the command">Copy</button>'
        yield f'<div class="command"><code>{html_text(one_line(str(command)))}</code>{button}</div>'
    if rest:
        yield f'<div class="remedy">{html_text(one_line(rest))}</div>'


def _name(code: str) -> str:
    """The name of the rule, which leads to its page if that is published."""
    address, name = rule_address(code), html_text(RULE_OF_CODE[code].name)
    return name if address is None else f'<a href="{html_text(address)}">{name}</a>'
