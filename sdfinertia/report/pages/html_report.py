"""A report as one page of HTML that needs nothing else: a view of the models in three dimensions, and the numbers.

The page carries three.js whole, so that it opens from any disk without a network; its policy lets it load nothing.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import Enum
from hashlib import sha256
from html import escape
from importlib.resources import files

import sdfinertia
from sdfinertia.documents.scene import OF_GEOMETRY, PROPOSED, Scene, total_of
from sdfinertia.inertia.spatial_inertia import SpatialInertia
from sdfinertia.report.escaping import html_text as _text
from sdfinertia.report.escaping import json_of
from sdfinertia.report.findings import (
    closing_lines,
    count_line,
    level_of,
    likeliest,
    reason_lines,
)
from sdfinertia.report.formats import FindingsReport, ResultsReport
from sdfinertia.report.pages.findings_list import (
    counts,
    findings_by_link,
    findings_list,
)
from sdfinertia.report.pages.link_table import MASS, link_details, link_table, quantity, unit
from sdfinertia.report.pages.scene_data import scene_data
from sdfinertia.report.results import result_diff
from sdfinertia.report.wording import counted, path_in_repository
from sdfinertia.robot.values import LinkKey
from sdfinertia.rules.rule import Finding

_LIBRARIES = ("three.core.min.js", "three.module.min.js", "OrbitControls.js")
_HANDLES = "TransformControls.js"
# One script, in parts of one subject each, put together in this order.
_SCRIPTS = ("units.js", "surfaces.js", "solids.js", "drawing.js", "view.js", "tree.js", "table.js", "report.js")

# What can be hidden: its kind, what the page calls it, the key for it, and whether it is seen at first.
TOGGLES = (
    ("bodies", "Visuals, or else collisions", "v", True),
    ("collisions", "Collisions", "c", False),
    ("com", "Centres of mass", "m", True),
    ("axes", "Principal axes", "x", True),
    ("box", "Equivalent solids", "b", True),
    ("every", "Axes and solids of every link", "y", False),
    ("ghost", "Written, where computed differs", "g", True),
    ("besides", "Proposed and computed", "w", True),
    ("joints", "Frames and joints", "j", False),
    ("totals", "Centres of models", "t", False),
)
_PRESETS = (("corner", "0"), ("+x", "1"), ("−x", "2"), ("+y", "3"), ("−y", "4"), ("top, +z", "5"), ("−z", "6"))
_KEYS = (
    ("0 to 6", "views: from a corner, along an axis"),
    ("+ −", "nearer, farther"),
    ("← → ↑ ↓", "turn; in the tree: fold, unfold, next; in the table: next"),
    ("f", "fit all, or what is picked"),
    ("Esc", "pick nothing, go back to the view before"),
    ("n N", "next finding, the one before"),
    ("h", "hide what is picked"),
    ("i", "show it alone"),
    ("a", "show all"),
    *((key, f"{label[0].lower()}{label[1:]}, on and off") for _, label, key, _ in TOGGLES),
    ("e", "box or ellipsoid"),
    ("k", "kg or g"),
    ("l", "m or mm"),
    ("/", "search"),
    ("p", "save a picture (PNG)"),
    ("?", "this list"),
)
_EDIT_KEYS = (
    ("Ctrl Z", "undo, across Save too"),
    ("Ctrl Shift Z", "redo; Ctrl Y too"),
    ("Ctrl S", "save"),
)


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
    return html_report(
        "Findings",
        scenes,
        findings=findings,
        notes=(count_line(findings, report.checked), *unjudged),
    )


def _with_proposals(scenes: Sequence[Scene], findings: Sequence[Finding]) -> list[Scene]:
    """The scenes, each link that is explained with what is proposed and what its geometry gives drawn beside it."""
    besides: dict[LinkKey, tuple[tuple[str, SpatialInertia], ...]] = {}
    for finding in findings:
        if (why := finding.why) is not None:
            best = likeliest(why)
            proposal = best.proposal if best is not None else None
            drawn = [(PROPOSED, proposal.inertia)] if proposal is not None else []
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
    return html_report("Mass properties", scenes)


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
) -> str:
    """The page; the same arguments give the same text.

    Args:
        findings: what was found; None where nothing was looked for.
        notes: what is to be said beyond the notes of the links.
        diff: unified diff of what was, or would be, written.
        live: what the page is, where a server answers it; None for one that stands alone.
        version: of what it shows, by which such a page knows whether it is behind.
        is_checked: whether the findings are all there are.
    """
    style, script = _style_and_script(live)
    has_links = any(scene.links or scene.missing for scene in scenes)
    by_link = findings_by_link(scenes, findings or ())
    counted_levels = f'<span id="counts">{counts(findings or ())}</span>'
    summary = f'<p class="sum" id="summary">{summary_of(scenes)}</p>'
    toolbar = _toolbar(live, version, is_checked=is_checked)
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{escape(page_policy(live))}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        f'<meta name="generator" content="sdfinertia {escape(sdfinertia.__version__)}">',
        f"<title>{_text(title)}</title>",
        f"<style>{style}</style>",
        "</head>",
        "<body>",
        f"<header><h1>{_text(title)}</h1>{counted_levels}{_missing(scenes)}{summary}{toolbar}</header>",
        *(_main(scenes, findings, by_link, live) if has_links else ()),
        *(findings_list(findings, {}) if findings and not has_links else ()),
        *_notes(scenes, notes),
        *(_diff(diff) if live is not Live.EDITED else _diff_pane()),
        *(_data_blocks(scenes, by_link, live) if has_links else ()),
        f'<script type="module">{script}</script>' if has_links else "",
        "</body>",
        "</html>",
    ]
    return "\n".join(parts) + "\n"


def page_policy(live: Live | None) -> str:
    """The content security policy of a page: its own script and style, and nothing else; asks to its own server."""
    style, script = _style_and_script(live)
    return (
        f"default-src 'none'; script-src {_digest(script)} blob:; style-src {_digest(style)}; "
        "img-src data:; base-uri 'none'; form-action 'none'" + ("; connect-src 'self'" if live else "")
    )


def _style_and_script(live: Live | None) -> tuple[str, str]:
    page = files("sdfinertia.report").joinpath("page")
    scripts = (*_SCRIPTS, *(["live.js", live.value] if live else []))
    script = "".join(page.joinpath(name).read_text("utf-8") for name in scripts)
    return page.joinpath("report.css").read_text("utf-8"), script


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
    return f"{_text(', '.join(parts))}{weight}"


def _missing(scenes: Sequence[Scene]) -> str:
    """How many models are missing, which the tree tells one by one."""
    number = sum(len(scene.missing) for scene in scenes)
    return f'<span class="badge error">{counted(number, "model")} missing</span>' if number else ""


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


def _diff_pane() -> Iterator[str]:
    yield '<section class="below" id="diff" tabindex="-1"><h2></h2><pre id="diff-lines"></pre></section>'


def _main(
    scenes: Sequence[Scene],
    findings: Sequence[Finding] | None,
    by_link: dict[int, list[Finding]],
    live: Live | None,
) -> Iterator[str]:
    yield "<main>"
    yield from _tree()
    yield from _view(scenes, live)
    yield '<section id="panel" aria-label="Findings, and what is picked">'
    if live is Live.EDITED:
        yield '<section id="editor" aria-label="Numbers of the picked link"></section>'
    yield '<section id="details" aria-label="The picked link">'
    yield "<p>Pick a link, in the view, the tree or the table, for all its numbers.</p>"
    yield from link_details(scenes)
    yield "</section>"
    if findings is not None:
        yield from findings_list(findings, by_link, [link for scene in scenes for link in scene.links])
    yield '</section><section id="numbers" aria-label="Links">'
    yield from link_table(scenes, {index: tuple(each) for index, each in by_link.items()})
    yield "</section></main>"


def _tree() -> Iterator[str]:
    """The place of the tree, which the script makes: it is for picking, hiding and showing alone what is drawn."""
    yield '<nav id="tree" aria-label="Models, links and joints">'
    yield '<input id="search" type="search" placeholder="Search ( / )" aria-label="Search">'
    yield '<div id="nodes" role="tree" aria-label="Models, links and joints"></div></nav>'


def _view(scenes: Sequence[Scene], live: Live | None) -> Iterator[str]:
    yield '<section id="view" aria-label="Three-dimensional view">'
    yield '<div class="bar">'
    if len(scenes) > 1:
        yield '<label title="The world or model that is drawn">Scene <select id="scene">'
        for index, scene in enumerate(scenes):
            kind = "world " if scene.is_world else ""
            yield f'<option value="{index}">{kind}{_text(scene.model)}</option>'
        yield "</select></label>"
    yield '<details class="choices" id="shown"><summary title="What is drawn">Show</summary><div>'
    for kind, label, key, is_shown in TOGGLES:
        checked = " checked" if is_shown else ""
        yield f'<label><input type="checkbox" id="toggle-{kind}"{checked}> {label} <kbd>{key}</kbd></label>'
    yield "</div></details>"
    yield _select("preset", "View", "Where it is seen from (keys 0 to 6)", tuple(name for name, _ in _PRESETS))
    yield _select("solid", "Solid", "The solid of even density with the same inertia (e)", ("box", "ellipsoid"))
    yield _select("unit-mass", "Mass", "Unit of masses (k)", ("kg", "g"))
    yield _select("unit-length", "Length", "Unit of lengths (l)", ("m", "mm"))
    yield '<span class="buttons">'
    buttons = (
        ("all", "Show all", "Show what is hidden, and fit all (a)"),
        ("fit", "Fit", "Fit what is picked, or all (f)"),
        ("picture", "Picture", "Save the view as PNG (p)"),
        ("help", "Keys", "All keys (?)"),
    )
    for name, label, title in buttons:
        yield f'<button type="button" id="{name}" title="{title}">{label}</button>'
    yield "</span></div>"
    yield '<p id="help-line"><span>Drag to turn, scroll to zoom, right-drag to move. Click a part to zoom to it, '
    yield 'Esc to go back; ? for all keys.</span> <button type="button" id="help-done">Got it</button></p>'
    yield '<div id="stage"><canvas id="canvas" tabindex="0" role="img" aria-label="The model in three dimensions; '
    yield 'arrow keys turn it, plus and minus zoom"></canvas><div id="picked-name" role="status"></div>'
    yield '<div id="legend"></div><p id="hint"></p><p id="empty" hidden></p>'
    keys = (*_KEYS, *(_EDIT_KEYS if live is Live.EDITED else ()))
    listed = "".join(f"<div><kbd>{_text(key)}</kbd><span>{_text(what)}</span></div>" for key, what in keys)
    yield f'<div id="keys" role="dialog" aria-label="Keys" tabindex="-1" hidden>{listed}</div>'
    yield '<p id="trouble" hidden></p></div>'
    yield "</section>"


def _select(name: str, label: str, title: str, choices: Sequence[str]) -> str:
    options = "".join(f"<option>{_text(choice)}</option>" for choice in choices)
    return f'<label title="{title}">{label} <select id="{name}">{options}</select></label>'


def _notes(scenes: Sequence[Scene], notes: Sequence[str]) -> Iterator[str]:
    named = [(scene.model, note) for scene in scenes for note in scene.notes]
    named += [(link.name, note) for scene in scenes for link in scene.links for note in link.notes]
    if not notes and not named:
        return
    yield '<section class="below" id="notes"><h2>Notes</h2><ul>'
    yield from (f"<li>{_text(note)}</li>" for note in notes)
    yield from (f"<li><b>{_text(name)}</b> {_text(note)}</li>" for name, note in named)
    yield "</ul></section>"


def _diff(diff: str | bytes) -> Iterator[str]:
    lines = diff_lines(diff)
    if lines:
        yield '<section class="below" id="diff"><h2>Diff</h2>'
        yield f"<pre>{chr(10).join(lines)}</pre></section>"


def diff_lines(diff: str | bytes) -> list[str]:
    """The lines of a diff, each marked as added, removed or context."""
    text = diff.decode("utf-8", "replace") if isinstance(diff, bytes) else diff
    if not text:
        return []
    lines = []
    # Not splitlines: it also parts lines at characters that diffs leave inside of them.
    for line in text.removesuffix("\n").split("\n"):
        kind = {"+": "added", "-": "removed", "@": "place"}.get(line[:1], "")
        lines.append(f'<span class="{kind}">{_text(line)}</span>' if kind else _text(line))
    return lines


def _data_blocks(scenes: Sequence[Scene], by_link: dict[int, list[Finding]], live: Live | None) -> Iterator[str]:
    vendor = files("sdfinertia.report").joinpath("vendor")
    data = scene_data(scenes, lambda index: level_of(by_link[index][0].code) if index in by_link else "")
    licence = vendor.joinpath("LICENSE").read_text("utf-8")
    yield f'<script type="application/json" id="data">{_json(data)}</script>'
    yield f'<script type="application/json" id="licence-of-three">{_json(licence)}</script>'
    for name in (*_LIBRARIES, *([_HANDLES] if live is Live.EDITED else [])):
        text = vendor.joinpath(name).read_text("utf-8")
        yield f'<script type="application/json" id="{name}">{_json(text)}</script>'


def _json(value: object) -> str:
    """JSON that can stand in a script element: no `<` in it can end the element or begin a comment."""
    return json_of(value, separators=(",", ":")).replace("<", "\\u003c")


def _digest(text: str) -> str:
    """The source expression by which a content security policy allows an inline text and no other."""
    return f"'sha256-{base64.b64encode(sha256(text.encode('utf-8')).digest()).decode('ascii')}'"
