"""A report as one page of HTML that needs nothing else: a view of the models in three dimensions, and the numbers.

The page carries three.js whole, so that it opens from any disk without a network; its policy lets it load nothing.
"""

from __future__ import annotations

import base64
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from enum import Enum
from hashlib import sha256
from html import escape
from importlib.resources import files
from itertools import groupby
from string import Template

import sdfinertia
from sdfinertia.documents.scene import (
    OF_GEOMETRY,
    PROPOSED,
    Scene,
    SceneLink,
    missing_words,
    total_of,
    visible_differences,
)
from sdfinertia.errors import counted, noted, one_line
from sdfinertia.inertia.spatial_inertia import InertiaTensor, SpatialInertia
from sdfinertia.report.causes import likeliest, why_words
from sdfinertia.report.findings import (
    card_order,
    closing_lines,
    count_line,
    counting,
    effect_words,
    folded,
    level_of,
    minor_line,
    not_checked_line,
    reason_lines,
    what_to_do,
)
from sdfinertia.report.formats import FindingsReport, ResultsReport
from sdfinertia.report.link_table import (
    badge,
    differing_parts,
    html_text,
    link_details,
    link_table,
    name_text,
    quantity,
    short,
    unit,
)
from sdfinertia.report.quantities import INERTIA, LENGTH, MASS, UNITS
from sdfinertia.report.repository import path_in_repository, place_in_repository
from sdfinertia.report.results import result_diff
from sdfinertia.report.rules import rule_address
from sdfinertia.report.scene_data import data_blocks
from sdfinertia.robot.keys import LinkKey
from sdfinertia.rules.registry import RULE_OF_CODE, rank_of
from sdfinertia.rules.rule import Finding, Why

_LIBRARIES = ("three.core.min.js", "three.module.min.js", "OrbitControls.js")
_HANDLES = "TransformControls.js"
# One script, in parts of one subject each, put together in this order.
_SCRIPTS = ("units.js", "surfaces.js", "solids.js", "drawing.js", "view.js", "tree.js", "table.js", "report.js")

_LEVELS = ("error", "warning")
# The numbers of an inertia, with their units.
_NUMBERS = {
    "mass": UNITS[MASS],
    **dict.fromkeys("xyz", UNITS[LENGTH]),
    **dict.fromkeys(InertiaTensor._fields, UNITS[INERTIA]),
}
_DIFF_PANE = '<section class="below" id="diff" tabindex="-1"><h2></h2><pre id="diff-lines"></pre></section>'
_EDITOR = '<section id="editor" aria-label="Numbers of the picked link"></section>\n'


class Live(Enum):
    """What a page is that a server answers; the values are the names of its scripts."""

    # It shows what is on disk, as it changes.
    WATCHED = "watching.js"
    # It changes the document.
    EDITED = "editing.js"


def findings_page(report: FindingsReport) -> str:
    """What `check` found, beside the models that it was found in."""
    findings, scenes = report.findings, report.scenes
    if any(finding.why is not None for finding in findings):
        scenes = _with_proposals(scenes, findings)
    unjudged = (*closing_lines(report.unjudged, names_first=False), *reason_lines(report.unjudged))
    line = not_checked_line(report.not_checked, report.checked, lists_all=True)
    of_files = (f"{path_in_repository(file)}: {noted(note)}" for file, note in report.notes)
    once = folded(findings)
    minor = filter(None, [minor_line(once, tells_each=True)])
    notes = (*([line] if line else []), count_line(counting(once), report.checked), *minor, *unjudged, *of_files)
    return html_report("Findings", _worst_first(scenes, findings), findings=findings, notes=notes)


def _worst_first(scenes: Sequence[Scene], findings: Sequence[Finding] = ()) -> list[Scene]:
    """The scenes, those with what matters most first and those without links last."""
    by_key: dict[LinkKey, float] = {}
    for finding in findings:
        if finding.link:
            by_key[finding.key] = max(rank_of(finding), by_key.get(finding.key, 0.0))

    def worst(scene: Scene) -> float:
        return max((by_key.get(link.key, 0.0) for link in scene.links), default=0.0)

    return sorted(scenes, key=lambda scene: (not scene.links, -worst(scene)))


def _with_proposals(scenes: Sequence[Scene], findings: Sequence[Finding]) -> list[Scene]:
    """The scenes, each link that is explained with what is proposed and what its geometry gives drawn beside it."""
    besides: dict[LinkKey, tuple[tuple[str, SpatialInertia], ...]] = {}
    for finding in findings:
        if (why := finding.why) is not None:
            best = likeliest(why)
            drawn = [(PROPOSED, best.proposal.inertia)] if best is not None and best.proposal is not None else []
            drawn += [(OF_GEOMETRY, why.computed)] if why.computed is not None else []
            besides[finding.key] = tuple(drawn)
    return [
        replace(scene, links=tuple(replace(link, besides=besides.get(link.key, ())) for link in scene.links))
        for scene in scenes
    ]


def results_page(report: ResultsReport) -> str:
    """What a run of `fill` or `repair` did: the models, what is to be said of them, and the difference."""
    notes = [f"{path_in_repository(result.path)}: {note}" for result in report.results for note in result.notes]
    diffs = (result_diff(result, path_in_repository) for result in report.results if result.changed or result.others)
    return html_report(
        "Inertials",
        report.find_scenes(),
        notes=[*notes, *(str(error) for error in report.refused)],
        diff=b"".join(diffs),
    )


def scenes_page(scenes: Sequence[Scene]) -> str:
    """What `show` shows."""
    return html_report("Mass properties", _worst_first(scenes))


def html_report(
    title: str,
    scenes: Sequence[Scene],
    *,
    findings: Sequence[Finding] | None = None,
    notes: Sequence[str] = (),
    diff: str | bytes = "",
    live: Live | None = None,
    version: int = 0,
    is_checked: bool = True,
    level: str = "",
) -> str:
    """The page; the same arguments give the same text.

    Args:
        findings: what was found; None where nothing was looked for.
        notes: what is to be said beyond the notes of the links.
        diff: unified diff of what was, or would be, written.
        live: what the page is, where a server answers it; None for one that stands alone.
        version: of what it shows, by which such a page knows whether it is behind.
        is_checked: whether the findings are all there are.
        level: of links without findings: "error" and "warning" show their axes and boxes at first.
    """
    style, script = _style_and_script(live)
    has_links = any(scene.links or scene.missing for scene in scenes)
    by_link = findings_by_link(scenes, findings or ())
    libraries = (*_LIBRARIES, _HANDLES) if live is Live.EDITED else _LIBRARIES

    def worst_level(index: int) -> str:
        return level_of(by_link[index][0].code) if index in by_link else level

    header = (
        f'<span id="counts">{counts(findings or ())}</span>{_missing(scenes)}'
        f'<p class="sum" id="summary">{summary_of(scenes)}</p>{_toolbar(live, version, is_checked=is_checked)}'
    )
    body = [
        *(_main(scenes, findings, by_link, live) if has_links else ()),
        *(findings_list(findings, {}) if findings and not has_links else ()),
        *_notes(scenes, notes),
        *(_diff(diff) if live is not Live.EDITED else (_DIFF_PANE,)),
        *(data_blocks(scenes, worst_level, libraries) if has_links else ()),
    ]
    return _filled(
        "page.html",
        policy=escape(page_policy(live)),
        version=escape(sdfinertia.__version__),
        title=html_text(title),
        style=style,
        header=header,
        body=_lines(body),
        script=f'<script type="module">{script}</script>' if has_links else "",
    )


def _filled(template: str, **parts: str) -> str:
    return Template(_page_file(template)).substitute(parts)


def _page_file(name: str) -> str:
    return files("sdfinertia.report").joinpath("page", name).read_text("utf-8")


def _lines(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def page_policy(live: Live | None) -> str:
    """The content security policy of a page: its own script and style, and nothing else; asks to its own server."""
    style, script = _style_and_script(live)
    return (
        f"default-src 'none'; script-src {_digest(script)} blob:; style-src {_digest(style)}; "
        "img-src data:; base-uri 'none'; form-action 'none'" + ("; connect-src 'self'" if live else "")
    )


def _style_and_script(live: Live | None) -> tuple[str, str]:
    scripts = (*_SCRIPTS, *(["live.js", live.value] if live else []))
    return _page_file("report.css"), "".join(map(_page_file, scripts))


def summary_of(scenes: Sequence[Scene]) -> str:
    """How much is there; what several files include is one link of its own file."""
    own = {link.key for scene in scenes for link in scene.links}
    worlds = sum(scene.is_world for scene in scenes)
    models = len({link.name.split("::")[0] for scene in scenes if scene.is_world for link in scene.links})
    models += len(scenes) - worlds
    parts = [*([counted(worlds, "world")] if worlds else []), counted(models, "model"), counted(len(own), "link")]
    drawn = sum(len(scene.links) for scene in scenes)
    if drawn > len(own):
        parts.append(f"drawn {counted(drawn, 'time')}")
    total = total_of(list(scenes[0].links)) if len(scenes) == 1 else None
    weight = f", {quantity(total.mass, MASS)} {unit(MASS)}" if total is not None else ""
    return f"{html_text(', '.join(parts))}{weight}"


def _missing(scenes: Sequence[Scene]) -> str:
    """How many models are missing; the tree lists them."""
    words = missing_words(scenes)
    return f'<span class="badge error">{words}</span>' if words else ""


def _toolbar(live: Live | None, version: int, *, is_checked: bool) -> str:
    """What a page that is served has in its head: what can be done with the document, and its state."""
    if live is None:
        return ""
    buttons = (
        ("undo", "Undo", "Take the last change back (Ctrl Z)"),
        ("redo", "Redo", "Make it again (Ctrl Shift Z)"),
        ("compute-all", "Compute all", "Compute every link from its shapes"),
        ("save", "Save", "Write the changes to the file (Ctrl S)"),
        ("close", "Close", "End the server"),
    )
    shown = "".join(
        f'<button type="button" id="{name}" title="{title}">{label}</button>'
        for name, label, title in (buttons if live is Live.EDITED else buttons[-1:])
    )
    return (
        f'<span id="toolbar" data-version="{version}"{" data-checked" if is_checked else ""}>{shown}</span>'
        '<p id="told" role="status" aria-live="polite"></p>'
    )


def _main(
    scenes: Sequence[Scene],
    findings: Sequence[Finding] | None,
    by_link: dict[int, list[Finding]],
    live: Live | None,
) -> Iterator[str]:
    is_edited = live is Live.EDITED
    # One line of the page.
    keys = _page_file("keys.html") + (_page_file("editing_keys.html") if is_edited else "")
    links = [link for scene in scenes for link in scene.links]
    yield _filled(
        "main.html",
        scenes=_lines(_scene_choice(scenes)),
        keys=keys.replace("\n", ""),
        editor=_EDITOR if is_edited else "",
        details=_lines(link_details(scenes)),
        findings=_lines(findings_list(findings, by_link, links)) if findings is not None else "",
        table=_lines(link_table(scenes, by_link)),
    ).removesuffix("\n")


def _scene_choice(scenes: Sequence[Scene]) -> Iterator[str]:
    if len(scenes) > 1:
        yield '<label title="The world or model that is drawn">Scene <select id="scene">'
        for index, scene in enumerate(scenes):
            kind = "world " if scene.is_world else ""
            yield f'<option value="{index}">{kind}{html_text(scene.model)}</option>'
        yield "</select></label>"


def _notes(scenes: Sequence[Scene], notes: Sequence[str]) -> Iterator[str]:
    named = [(scene.model, note) for scene in scenes for note in scene.notes]
    named += [(link.name, note) for scene in scenes for link in scene.links for note in link.notes]
    if not notes and not named:
        return
    yield '<section class="below" id="notes"><h2>Notes</h2><ul>'
    yield from (f"<li>{html_text(note)}</li>" for note in notes)
    yield from (f"<li><b>{html_text(name)}</b> {html_text(note)}</li>" for name, note in named)
    yield "</ul></section>"


def _diff(diff: str | bytes) -> Iterator[str]:
    lines = diff_lines(diff)
    if lines:
        yield f'<section class="below" id="diff"><h2>Diff</h2>\n<pre>{chr(10).join(lines)}</pre></section>'


def diff_lines(diff: str | bytes) -> list[str]:
    """The lines of a diff, each marked as added, removed or context."""
    text = diff.decode("utf-8", "replace") if isinstance(diff, bytes) else diff
    if not text:
        return []
    lines = []
    # Not splitlines: it also parts lines at characters that diffs leave inside of them.
    for line in text.removesuffix("\n").split("\n"):
        kind = {"+": "added", "-": "removed", "@": "place"}.get(line[:1], "")
        lines.append(f'<span class="{kind}">{html_text(line)}</span>' if kind else html_text(line))
    return lines


def _digest(text: str) -> str:
    """The source expression by which a content security policy allows an inline text and no other."""
    return f"'sha256-{base64.b64encode(sha256(text.encode('utf-8')).digest()).decode('ascii')}'"


# Findings -------------------------------------------------------------------------------------------------------------


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
    """One card for each link, the worst first, below what chooses among them.

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
    """What chooses among the cards: a level, and a rule."""
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
    # What to do is said beside what it is about, or once for all.
    advices = {each.advice: each for each in card}
    for finding in card:
        name = _name(finding.code)
        yield f'<p class="wrong">{badge(finding.code, RULE_OF_CODE[finding.code].name)} '
        yield f"{html_text(one_line(finding.message))} <small>{name}</small></p>"
        if len(advices) > 1 and advices[finding.advice] is finding:
            yield from _advice(finding)
    yield from _reason(card)
    yield from _numbers(link)
    if len(advices) == 1:
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
        yield f'<p class="why"><b>Likely cause</b> {html_text(why_words(why))}</p>'
        return
    sentence, cause = html_text(one_line(best.sentence)), html_text(f"{best.cause} ({best.sureness})")
    yield f'<p class="why"><b>Likely cause</b> {sentence} <small>{cause}</small></p>'
    if best.evidence:
        lines = "".join(f"<li>{html_text(one_line(each))}</li>" for each in best.evidence)
        yield f"<details><summary>Evidence</summary><ul>{lines}</ul></details>"


def _numbers(link: SceneLink | None) -> Iterator[str]:
    """What is written beside what is proposed, or else computed: the numbers that differ."""
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
    """What to do: a command on a file, which can be copied, and what is said beyond it."""
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
