"""A report as one page of HTML that needs nothing else: a view of the models in three dimensions, and the numbers.

The page carries three.js whole, so that it opens from any disk without a network; its policy lets it load nothing.
"""

from __future__ import annotations

import base64
from dataclasses import replace
from enum import Enum
from hashlib import sha256
from html import escape
from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING, NamedTuple

import sdfinertia
from sdfinertia.documents.scene import OF_GEOMETRY, PROPOSED, Scene, missing_words, total_of
from sdfinertia.errors import counted, noted
from sdfinertia.report.explanations import likeliest
from sdfinertia.report.finding_cards import counts, findings_by_link, findings_list
from sdfinertia.report.findings import (
    closing_lines,
    count_line,
    folded,
    level_of,
    minor_line,
    not_checked_line,
    path_in_repository,
    reason_lines,
)
from sdfinertia.report.link_table import html_text, link_details, link_table, quantity, unit
from sdfinertia.report.quantities import MASS
from sdfinertia.report.results import result_diff
from sdfinertia.report.scene_data import data_blocks
from sdfinertia.rules.registry import rank_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sdfinertia.inertia.spatial_inertia import SpatialInertia
    from sdfinertia.report import FindingsReport, ResultsReport
    from sdfinertia.robot.link import LinkKey
    from sdfinertia.rules.rule import Finding

_LIBRARIES = ("three.core.min.js", "three.module.min.js", "OrbitControls.js")
_HANDLES = "TransformControls.js"
# One script, in parts of one subject each, put together in this order.
_SCRIPTS = ("units.js", "surfaces.js", "solids.js", "drawing.js", "view.js", "tree.js", "table.js", "report.js")


class Live(Enum):
    """The kind of a page that a server answers; the values are the names of its scripts."""

    # It shows the file on disk, as it changes.
    WATCHED = "watching.js"
    # It changes the document.
    EDITED = "editing.js"


class Served(NamedTuple):
    """A page that a server answers, with the version of its content; `is_checked` once all findings are known."""

    live: Live
    version: int = 0
    is_checked: bool = True


def findings_page(report: FindingsReport) -> str:
    findings = report.findings
    line = not_checked_line(report.not_checked, report.checked, lists_all=True)
    notes = (
        *([line] if line else []),
        count_line(findings, report.checked),
        *filter(None, [minor_line(folded(findings), lists_all=True)]),
        *closing_lines(report.unjudged, names_first=False),
        *reason_lines(report.unjudged),
        *(f"{path_in_repository(file)}: {noted(note)}" for file, note in report.notes),
    )
    scenes = _worst_first(_with_proposals(report.scenes, findings), findings)
    return html_report("Findings", scenes, findings=findings, notes=notes)


def _worst_first(scenes: Sequence[Scene], findings: Sequence[Finding] = ()) -> list[Scene]:
    by_key: dict[LinkKey, float] = {}
    for finding in findings:
        if finding.link:
            by_key[finding.key] = max(rank_of(finding), by_key.get(finding.key, 0.0))

    def worst(scene: Scene) -> float:
        return max((by_key.get(link.key, 0.0) for link in scene.links), default=0.0)

    return sorted(scenes, key=lambda scene: (not scene.links, -worst(scene)))


def _with_proposals(scenes: Sequence[Scene], findings: Sequence[Finding]) -> Sequence[Scene]:
    besides: dict[LinkKey, tuple[tuple[str, SpatialInertia], ...]] = {}
    for finding in findings:
        if (why := finding.why) is not None:
            best = likeliest(why)
            drawn = [(PROPOSED, best.proposal.inertia)] if best is not None and best.proposal is not None else []
            drawn += [(OF_GEOMETRY, why.computed)] if why.computed is not None else []
            besides[finding.key] = tuple(drawn)
    if not besides:
        return scenes
    return [
        replace(scene, links=tuple(replace(link, besides=besides.get(link.key, ())) for link in scene.links))
        for scene in scenes
    ]


def results_page(report: ResultsReport) -> str:
    notes = [f"{path_in_repository(result.path)}: {note}" for result in report.results for note in result.notes]
    diffs = (result_diff(result, path_in_repository) for result in report.results if result.changed or result.others)
    notes += (str(error) for error in report.refused)
    return html_report("Inertials", report.find_scenes(), notes=notes, diff=b"".join(diffs))


def scenes_page(scenes: Sequence[Scene]) -> str:
    return html_report("Mass properties", _worst_first(scenes))


def html_report(
    title: str,
    scenes: Sequence[Scene],
    *,
    findings: Sequence[Finding] | None = None,
    notes: Sequence[str] = (),
    diff: bytes = b"",
    served: Served | None = None,
    level: str = "",
) -> str:
    """The page; the same arguments give the same text.

    Args:
        findings: of a check; None without one.
        notes: beyond those of the links.
        diff: unified diff of the file before and after.
        served: where a server answers it; None for a page that stands alone.
        level: of links without findings: "error" and "warning" show their axes and boxes at first.
    """
    live = served.live if served is not None else None
    style, script = _style_and_script(live)
    has_links = any(scene.links or scene.missing for scene in scenes)
    missing = f'<span class="badge error">{words}</span>' if (words := missing_words(scenes)) else ""
    summary = f'<p class="sum" id="summary">{summary_of(scenes)}</p>'
    return _filled(
        "page.html",
        policy=escape(page_policy(live)),
        version=escape(sdfinertia.__version__),
        title=html_text(title),
        style=style,
        header=f'<span id="counts">{counts(findings or ())}</span>{missing}{summary}{_toolbar(served)}',
        body=_lines(_sections(scenes, findings, notes, diff, live, level, has_links=has_links)),
        script=f'<script type="module">{script}</script>' if has_links else "",
    )


def _sections(
    scenes: Sequence[Scene],
    findings: Sequence[Finding] | None,
    notes: Sequence[str],
    diff: bytes,
    live: Live | None,
    level: str,
    *,
    has_links: bool,
) -> Iterator[str]:
    by_link = findings_by_link(scenes, findings or ())
    is_edited = live is Live.EDITED
    if has_links:
        # One line of the page.
        keys = _page_file("keys.html") + (_page_file("editing_keys.html") if is_edited else "")
        links = [link for scene in scenes for link in scene.links]
        yield _filled(
            "main.html",
            scenes=_scene_choice(scenes),
            keys=keys.replace("\n", ""),
            editor=_page_file("editor.html") if is_edited else "",
            details=_lines(link_details(scenes)),
            findings=_lines(findings_list(findings, by_link, links)) if findings is not None else "",
            table=_lines(link_table(scenes, by_link)),
        ).removesuffix("\n")
    elif findings:
        yield from findings_list(findings, {})
    yield from _notes(scenes, notes)
    lines = diff_lines(diff)
    if is_edited:
        yield _page_file("diff.html").removesuffix("\n")
    elif lines:
        yield f'<section class="below" id="diff"><h2>Diff</h2>\n<pre>{chr(10).join(lines)}</pre></section>'
    if has_links:
        libraries = (*_LIBRARIES, _HANDLES) if is_edited else _LIBRARIES
        yield from data_blocks(scenes, lambda k: level_of(by_link[k][0].code) if k in by_link else level, libraries)


def _filled(template: str, **parts: str) -> str:
    return Template(_page_file(template)).substitute(parts)


def _page_file(name: str) -> str:
    return files("sdfinertia.report").joinpath("page", name).read_text("utf-8")


def _lines(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def page_policy(live: Live | None) -> str:
    """The content security policy of a page: its own script and style, and nothing else; requests to its own server."""
    style, script = _style_and_script(live)
    return (
        f"default-src 'none'; script-src {_digest(script)} blob:; style-src {_digest(style)}; "
        "img-src data:; base-uri 'none'; form-action 'none'" + ("; connect-src 'self'" if live else "")
    )


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(sha256(text.encode('utf-8')).digest()).decode('ascii')}'"


def _style_and_script(live: Live | None) -> tuple[str, str]:
    scripts = (*_SCRIPTS, *(["live.js", live.value] if live else []))
    return _page_file("report.css"), "".join(map(_page_file, scripts))


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
    buttons = _page_file("buttons.html" if served.live is Live.EDITED else "close_button.html").replace("\n", "")
    checked = " data-checked" if served.is_checked else ""
    head = f'<span id="toolbar" data-version="{served.version}"{checked}>{buttons}</span>'
    return f'{head}<p id="told" role="status" aria-live="polite"></p>'


def _scene_choice(scenes: Sequence[Scene]) -> str:
    if len(scenes) <= 1:
        return ""
    named = ((index, "world " if scene.is_world else "", scene.model) for index, scene in enumerate(scenes))
    options = "\n".join(f'<option value="{index}">{kind}{html_text(model)}</option>' for index, kind, model in named)
    return (
        '<label title="The world or model that is drawn">Scene <select id="scene">\n'
        + options
        + "\n</select></label>\n"
    )


def _notes(scenes: Sequence[Scene], notes: Sequence[str]) -> Iterator[str]:
    named = [(scene.model, note) for scene in scenes for note in scene.notes]
    named += [(link.name, note) for scene in scenes for link in scene.links for note in link.notes]
    if notes or named:
        yield '<section class="below" id="notes"><h2>Notes</h2><ul>'
        yield from (f"<li>{html_text(note)}</li>" for note in notes)
        yield from (f"<li><b>{html_text(name)}</b> {html_text(note)}</li>" for name, note in named)
        yield "</ul></section>"


def diff_lines(diff: bytes) -> list[str]:
    kinds = {"+": "added", "-": "removed", "@": "place"}
    lines = []
    # Not splitlines, which also splits at characters that diffs keep inside lines.
    for line in diff.decode("utf-8", "replace").removesuffix("\n").split("\n") if diff else ():
        kind = kinds.get(line[:1], "")
        lines.append(f'<span class="{kind}">{html_text(line)}</span>' if kind else html_text(line))
    return lines
