"""A report as one page of HTML that needs nothing else: a view of the models in three dimensions, and the numbers.

The page carries three.js whole, so that it opens from any disk without a network; its policy lets it load nothing.
"""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from html import escape
from importlib.resources import files
from itertools import count
from string import Template
from typing import Literal, NamedTuple

import sdfinertia
from sdfinertia.documents.diffs import result_diff
from sdfinertia.documents.scene import DrawnLink, Scene, is_warning, real_key, total_of, with_findings
from sdfinertia.errors import counted, noted, one_line
from sdfinertia.report import FindingsReport, ResultsReport, missing_words
from sdfinertia.report.explanations import cause_words
from sdfinertia.report.findings import (
    card_order,
    closing_lines,
    count_line,
    effect_words,
    folded,
    level_of,
    minor_line,
    not_checked_line,
    path_in_repository,
    place_in_repository,
    reason_lines,
    what_to_do,
    what_words,
)
from sdfinertia.report.link_table import badge, html_text, link_detail, link_table, name_text, quantity, unit
from sdfinertia.report.quantities import MASS
from sdfinertia.report.scene_data import data_blocks
from sdfinertia.robot import LinkKey
from sdfinertia.rules import RULE_OF_CODE, rank_of
from sdfinertia.rules.rule import Finding

_LIBRARIES = ("three.core.min.js", "three.module.min.js", "OrbitControls.js")
# One script, in parts of one subject each, put together in this order.
_SCRIPTS = ("units.js", "surfaces.js", "solids.js", "drawing.js", "view.js", "tree.js", "table.js", "report.js")


# The kind of a page that a server answers, by the names of its scripts: it changes the document, or only shows the file
# on disk, as it changes.
Live = Literal["editing", "watching"]


class Served(NamedTuple):
    """A page that a server answers, with the version of its content; `is_checked` once all findings are known."""

    live: Live
    version: int = 0
    is_checked: bool = True


def findings_html(report: FindingsReport) -> str:
    findings = report.findings
    notes = (
        not_checked_line(report),
        count_line(report),
        minor_line(folded(findings), lists_all=True),
        *closing_lines(report.unjudged, names_first=False),
        *reason_lines(report.unjudged),
        *(f"{path_in_repository(file)}: {noted(note)}" for file, note in report.notes),
    )
    scenes = _worst_first(with_findings(report.scenes, findings))
    return html_report("Findings", scenes, findings=findings, notes=[note for note in notes if note])


def _worst_first(scenes: Sequence[Scene]) -> list[Scene]:
    def worst(scene: Scene) -> float:
        return max((rank_of(finding) for link in scene.links for finding in link.findings), default=0.0)

    return sorted(scenes, key=lambda scene: (not scene.links, -worst(scene)))


def results_html(report: ResultsReport) -> str:
    notes = [f"{path_in_repository(result.path)}: {note}" for result in report.results for note in result.notes]
    diffs = (result_diff(result, path_in_repository) for result in report.results if result.changed or result.others)
    notes += (str(error) for error in report.refused)
    return html_report("Inertials", report.find_scenes(), notes=notes, diff=b"".join(diffs))


def page_html(scenes: Sequence[Scene]) -> str:
    return html_report("Mass properties", _worst_first(scenes))


def html_report(
    title: str,
    scenes: Sequence[Scene],
    *,
    findings: Sequence[Finding] | None = None,
    notes: Sequence[str] = (),
    diff: bytes = b"",
    served: Served | None = None,
) -> str:
    """The page; the same arguments give the same text.

    Args:
        findings: of a check; None without one.
        notes: beyond those of the links.
        diff: unified diff of the file before and after.
        served: where a server answers it; None for a page that stands alone.
    """
    live = served.live if served is not None else None
    scenes = with_findings(scenes, findings or ())
    has_links = any(scene.links or scene.missing for scene in scenes)
    missing = f'<span class="badge error">{words}</span>' if (words := missing_words(scenes)) else ""
    summary = f'<p class="sum" id="summary">{summary_of(scenes)}</p>'
    below = [*_notes(scenes, notes), *_diff(diff, live)]
    if has_links:
        below += data_blocks(scenes, (*_LIBRARIES, "TransformControls.js") if live == "editing" else _LIBRARIES)
    return _filled(
        "page.html",
        policy=escape(page_policy(live)),
        version=escape(sdfinertia.__version__),
        title=html_text(title),
        style=_page_file("report.css"),
        header=f'<span id="counts">{counts(findings or ())}</span>{missing}{summary}{_toolbar(served)}',
        body=(_main(scenes, findings, live) if has_links else _lines(findings_list(findings, [])) if findings else "")
        + _lines(below),
        script=f'<script type="module">{_script(live)}</script>' if has_links else "",
    )


def _main(scenes: Sequence[Scene], findings: Sequence[Finding] | None, live: Live | None) -> str:
    links = [link for scene in scenes for link in scene.links]
    # One line of the page.
    keys = _page_file("keys.html") + (_page_file("editing_keys.html") if live == "editing" else "")
    return _filled(
        "main.html",
        scenes=_scene_choice(scenes),
        keys=keys.replace("\n", ""),
        editor=_page_file("editor.html") if live == "editing" else "",
        details=_lines(map(link_detail, count(), links)),
        findings=_lines(findings_list(findings, links)) if findings is not None else "",
        table=_lines(link_table(scenes)),
    )


def _filled(template: str, **parts: str) -> str:
    return Template(_page_file(template)).substitute(parts)


def _page_file(name: str) -> str:
    return files("sdfinertia.report").joinpath("page", name).read_text("utf-8")


def _lines(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _script(live: Live | None) -> str:
    return "".join(map(_page_file, (*_SCRIPTS, *(["live.js", f"{live}.js"] if live else []))))


def page_policy(live: Live | None) -> str:
    """The content security policy of a page: its own script and style, and nothing else; requests to its own server."""
    script, style = (
        f"'sha256-{base64.b64encode(sha256(text.encode('utf-8')).digest()).decode('ascii')}'"
        for text in (_script(live), _page_file("report.css"))
    )
    return (
        f"default-src 'none'; script-src {script} blob:; style-src {style}; "
        "img-src data:; base-uri 'none'; form-action 'none'" + ("; connect-src 'self'" if live else "")
    )


def summary_of(scenes: Sequence[Scene]) -> str:
    """The counts of worlds, models and links; a link that several files include counts once."""
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


def _toolbar(served: Served | None) -> str:
    if served is None:
        return ""
    buttons = _page_file("buttons.html" if served.live == "editing" else "close_button.html").replace("\n", "")
    checked = " data-checked" if served.is_checked else ""
    head = f'<span id="toolbar" data-version="{served.version}"{checked}>{buttons}</span>'
    return f'{head}<p id="told" role="status" aria-live="polite"></p>'


def _scene_choice(scenes: Sequence[Scene]) -> str:
    if len(scenes) <= 1:
        return ""
    names = (f"{'world ' if scene.is_world else ''}{html_text(scene.model)}" for scene in scenes)
    options = _lines(f'<option value="{index}">{name}</option>' for index, name in enumerate(names))
    head = '<label title="The world or model that is drawn">Scene <select id="scene">'
    return f"{head}\n{options}</select></label>\n"


def _notes(scenes: Sequence[Scene], notes: Sequence[str]) -> Iterator[str]:
    named = [(scene.model, note) for scene in scenes for note in scene.notes]
    named += [(link.name, note) for scene in scenes for link in scene.links for note in link.result.notes]
    if notes or named:
        yield '<section class="below" id="notes"><h2>Notes</h2><ul>'
        yield from (f"<li>{html_text(note)}</li>" for note in notes)
        yield from (f"<li><b>{html_text(name)}</b> {html_text(note)}</li>" for name, note in named)
        yield "</ul></section>"


def _diff(diff: bytes, live: Live | None) -> Iterator[str]:
    if live == "editing":
        yield _page_file("diff.html").removesuffix("\n")
    elif diff:
        lines = "\n".join(diff_lines(diff))
        yield f'<section class="below" id="diff"><h2>Diff</h2>\n<pre>{lines}</pre></section>'


def diff_lines(diff: bytes) -> Iterator[str]:
    kinds = {"+": "added", "-": "removed", "@": "place"}
    # Not splitlines, which also splits at characters that diffs keep inside lines.
    for line in diff.decode("utf-8", "replace").removesuffix("\n").split("\n") if diff else ():
        kind = kinds.get(line[:1], "")
        yield f'<span class="{kind}">{html_text(line)}</span>' if kind else html_text(line)


# Findings -------------------------------------------------------------------------------------------------------------


def counts(findings: Sequence[Finding]) -> str:
    return "".join(f'<span class="badge {level}">{words}</span>' for level, words in _levels(findings))


def _levels(findings: Sequence[Finding]) -> Iterator[tuple[str, str]]:
    number = Counter(level_of(finding.code) for finding in findings)
    yield from ((level, counted(number[level], level)) for level in ("error", "warning") if number[level])


def findings_list(findings: Sequence[Finding], links: Sequence[DrawnLink]) -> Iterator[str]:
    """One card for each link, the worst first, below the filters; a card names the first place of its link."""
    first: dict[LinkKey, int] = {}
    for place, link in enumerate(links):
        first.setdefault(real_key(link.key), place)
    cards: dict[object, list[Finding]] = {}
    for finding in sorted(findings, key=is_warning):
        # Of a file as a whole, each finding is a card of its own.
        cards.setdefault(real_key(finding.key) if finding.link else id(finding), []).append(finding)
    yield '<section id="findings" aria-label="Findings"><h2>Findings</h2>'
    if len(cards) > 1:
        yield from _filters(findings)
    if not cards:
        yield "<p>No findings.</p>"
    yield "<ol>"
    for card in sorted(cards.values(), key=card_order):
        yield from _card(card, first.get(real_key(card[0].key)))
    yield "</ol></section>"


def _filters(findings: Sequence[Finding]) -> Iterator[str]:
    codes = Counter(finding.code for finding in findings)
    rules = [(code, f"{code} {RULE_OF_CODE[code].name} ({count:,})") for code, count in codes.most_common()]
    yield '<div class="filters">'
    for name, label, choices in (("level", "Severity", [*_levels(findings)]), ("rule", "Rule", rules)):
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
        name, what = RULE_OF_CODE[finding.code].name, html_text(what_words(finding))
        yield f'<p class="wrong">{badge(finding.code, name)} {what} <small>{html_text(name)}</small></p>'
        if len(remedies) > 1 and remedies[finding.advice] is finding:
            yield from _advice(finding)
    yield from _reason(card)
    if len(remedies) == 1:
        yield from _advice(worst)
    yield f'<small class="place">{html_text(place_in_repository(worst.location))}</small></li>'


def _reason(card: Sequence[Finding]) -> Iterator[str]:
    why = next((finding.why for finding in card if finding.why is not None), None)
    best = why.likeliest if why is not None else None
    title = "Why it matters" if why is None else "Likely cause" if best is not None else "Cause"
    words = cause_words(why) if why is not None else one_line(RULE_OF_CODE[card[0].code].why)
    yield f'<p class="why"><b>{title}</b> {html_text(words)}</p>'
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
