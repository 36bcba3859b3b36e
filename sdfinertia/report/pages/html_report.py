"""A report as one page of HTML that needs nothing else: a view of the models in three dimensions, and the numbers.

The page carries three.js whole, so that it opens from any disk without a network; its policy lets it load nothing.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Sequence
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import NamedTuple

import sdfinertia
from sdfinertia.documents.scene import Scene, SceneLink
from sdfinertia.links.result import FILLED, REFILLED, STALE, WITHHELD
from sdfinertia.report.findings.wording import unicode_text, visible
from sdfinertia.report.pages.scene_data import equivalents, scene_data
from sdfinertia.report.results.text_report import describe_part, number, tensor_change

# Digits of the table; the whole numbers are in the titles of its cells.
_SHOWN_DIGITS = 4
# What is written has twelve digits; a change below this is none.
_SAME = 1e-9
_LIBRARIES = ("three.core.min.js", "three.module.min.js", "OrbitControls.js")

_TOGGLES = (
    ("collisions", "Collisions"),
    ("com", "Centre of mass"),
    ("axes", "Principal axes"),
    ("box", "Equivalent solid"),
)
_BESIDES = ("besides", "Proposed (green), of the geometry (orange)")
_COLUMNS = (
    ("Link", ""),
    ("Mass", "kg"),
    ("Centre of mass", "m, link frame"),
    ("Principal moments", "kg·m²"),
    ("Equivalent box", "m"),
    ("Status", ""),
    ("Changes", ""),
)


class ReportTable(NamedTuple):
    """A further table of a report, as of the findings of `check`: its caption, the names of its columns, its rows."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def html_report(
    title: str,
    scenes: Sequence[Scene],
    *,
    tables: Sequence[ReportTable] = (),
    notes: Sequence[str] = (),
    diff: str | bytes = "",
) -> str:
    """The page; the same arguments give the same text.

    Args:
        title: heading of the page.
        scenes: models to be shown; their links are the rows of the first table.
        tables: further tables, shown below it.
        notes: what is to be said beyond the notes of the links.
        diff: unified diff of what was, or would be, written.
    """
    page = files("sdfinertia.report").joinpath("page")
    style = page.joinpath("report.css").read_text("utf-8")
    script = page.joinpath("report.js").read_text("utf-8")
    policy = (
        f"default-src 'none'; script-src {_digest(script)} blob:; style-src {_digest(style)}; "
        "base-uri 'none'; form-action 'none'"
    )
    has_links = any(scene.links for scene in scenes)
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        f'<meta name="generator" content="sdfinertia {escape(sdfinertia.__version__)}">',
        f"<title>{_text(title)}</title>",
        f"<style>{style}</style>",
        "</head>",
        "<body>",
        f'<header><h1>{_text(title)}</h1><p class="sum">{_text(_summary(scenes))}</p></header>',
        *(_main(scenes) if has_links else ()),
        *(line for table in (*tables, *_parts(scenes)) for line in _further_table(table)),
        *_notes(scenes, notes),
        *_diff(diff),
        *(_data_blocks(scenes) if has_links else ()),
        f'<script type="module">{script}</script>' if has_links else "",
        "</body>",
        "</html>",
    ]
    return "\n".join(parts) + "\n"


def _summary(scenes: Sequence[Scene]) -> str:
    links = [link for scene in scenes for link in scene.links]
    masses = [link.inertia.mass for link in links if link.inertia is not None]
    models = "1 model" if len(scenes) == 1 else f"{len(scenes)} models"
    bodies = "1 link" if len(links) == 1 else f"{len(links)} links"
    return f"{models}, {bodies}, {_short(sum(masses))} kg"


def _main(scenes: Sequence[Scene]) -> Iterator[str]:
    yield "<main>"
    yield from _view(scenes)
    yield from _link_table(scenes)
    yield "</main>"


def _view(scenes: Sequence[Scene]) -> Iterator[str]:
    yield '<section id="view" aria-label="Three-dimensional view">'
    yield '<div class="bar">'
    if len(scenes) > 1:
        yield '<label class="choice">Model <select id="scene">'
        for index, scene in enumerate(scenes):
            yield f'<option value="{index}">{_text(scene.model)}</option>'
        yield "</select></label>"
    has_more = any(link.besides for scene in scenes for link in scene.links)
    for kind, label in (*_TOGGLES, *((_BESIDES,) if has_more else ())):
        yield f'<label><input type="checkbox" id="toggle-{kind}" checked> {label}</label>'
    yield '<label class="choice"><select id="solid" aria-label="Shape of the equivalent solid">'
    yield '<option value="box">box</option><option value="ellipsoid">ellipsoid</option></select></label>'
    yield '<button type="button" id="fit">Fit</button>'
    yield "</div>"
    yield '<div id="stage"><canvas id="canvas" tabindex="0" aria-label="The model; drag to turn it"></canvas>'
    yield '<p id="hint"></p><p id="picked-name" aria-live="polite"></p>'
    yield '<p id="trouble" hidden></p></div>'
    yield "</section>"


def _link_table(scenes: Sequence[Scene]) -> Iterator[str]:
    yield '<section id="numbers" aria-label="Links">'
    yield '<table id="links"><thead><tr>'
    for name, unit in _COLUMNS:
        yield f'<th scope="col">{name}{f" <small>{unit}</small>" if unit else ""}</th>'
    yield "</tr></thead>"
    index = 0
    for place, scene in enumerate(scenes):
        yield f'<tbody data-scene="{place}">'
        if len(scenes) > 1:
            heading = f"{_text(scene.model)} <small>{_text(scene.file)}</small>"
            yield f'<tr class="model"><th colspan="{len(_COLUMNS)}" scope="rowgroup">{heading}</th></tr>'
        for link in scene.links:
            yield _row(index, link)
            index += 1
        yield "</tbody>"
    yield "</table></section>"


def _row(index: int, link: SceneLink) -> str:
    inertia, drawn = link.inertia, equivalents(link.inertia)
    outer, _, own = link.name.rpartition("::")
    name = f'<small>{_text(outer)}::</small><span class="own">{_text(own)}</span>' if outer else _text(own)
    cells = [f'<th scope="row"><i class="swatch"></i>{name}</th>']
    if inertia is None:
        cells += ['<td class="none">–</td>'] * 4
    else:
        size = inertia.gyradius
        moments = drawn.axes.moments if drawn else inertia.principal_moments()
        cells += [
            f'<td class="number" title="{inertia.mass!r} kg">{_short(inertia.mass)}</td>',
            _triple(inertia.p_BoBcm_B, "xyz", size),
            _triple(moments, "axes", 0.0),
            _triple(drawn.box, "axes", 0.0) if drawn else '<td class="none">impossible</td>',
        ]
    cells.append(f'<td><span class="status {_text(link.status)}">{_text(link.status)}</span></td>')
    changes = "".join(f"<div>{_text(change)}</div>" for change in _changes(link))
    cells.append(f'<td class="changes">{changes}</td>')
    attributes = f'data-link="{index}" data-name="{_text(link.name)}"'
    return f'<tr class="link" tabindex="0" aria-selected="false" {attributes}>{"".join(cells)}</tr>'


def _triple(values: Sequence[float], kind: str, scale: float) -> str:
    """Three numbers below each other, marked by axis; what is rounding beside the scale is shown as zero."""
    noise = 1e-12 * max(scale if scale > 0.0 else 0.0, *(abs(value) for value in values))
    shown = [value if abs(value) > noise else 0.0 for value in values]
    lines = "".join(f"<div>{_short(value)}</div>" for value in shown)
    return f'<td class="number {kind}" title="{" ".join(repr(value) for value in values)}">{lines}</td>'


def _changes(link: SceneLink) -> Iterator[str]:
    """What a run made another than it was before."""
    new, old = link.inertia, link.before
    if new is None:
        return
    if old is None:
        if link.status in (FILLED, REFILLED, WITHHELD, STALE):
            yield "was not filled"
        return
    if abs(new.mass - old.mass) > _SAME * abs(new.mass):
        relative = f" ({100.0 * (new.mass - old.mass) / old.mass:+.3g} %)" if old.mass else ""
        yield f"mass was {number(old.mass)} kg{relative}"
    moved = sum((a - b) ** 2 for a, b in zip(new.p_BoBcm_B, old.p_BoBcm_B, strict=True)) ** 0.5
    # A gyradius that is no number makes every move one to be told.
    if moved > 0.0 and not moved <= _SAME * new.gyradius:
        yield f"centre moved by {_short(moved)} m"
    change = tensor_change(new, old)
    if change > 100.0 * _SAME:
        yield f"tensor changed by {change:.3g} % of the largest entry"


def _parts(scenes: Sequence[Scene]) -> Iterator[ReportTable]:
    """What the computed inertias are sums of: shape, method, density and volume of each collision."""
    links = [link for scene in scenes for link in scene.links if link.parts]
    rows = tuple((link.name, describe_part(part)) for link in links for part in link.parts)
    if rows:
        yield ReportTable("What was summed", ("Link", "Collision"), rows)


def _further_table(table: ReportTable) -> Iterator[str]:
    yield f'<section class="below"><h2>{_text(table.caption)}</h2><div class="scroll"><table><thead><tr>'
    yield "".join(f'<th scope="col">{_text(column)}</th>' for column in table.columns)
    yield "</tr></thead><tbody>"
    for row in table.rows:
        yield f"<tr>{''.join(f'<td>{_text(cell)}</td>' for cell in row)}</tr>"
    yield "</tbody></table></div></section>"


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
    text = diff.decode("utf-8", "replace") if isinstance(diff, bytes) else diff
    if not text:
        return
    yield '<section class="below" id="diff"><h2>Diff</h2>'
    lines = []
    # Not splitlines: it also parts lines at characters that diffs leave inside of them.
    for line in text.removesuffix("\n").split("\n"):
        kind = {"+": "added", "-": "removed", "@": "place"}.get(line[:1], "")
        lines.append(f'<span class="{kind}">{_text(line)}</span>' if kind else _text(line))
    yield f"<pre>{chr(10).join(lines)}</pre></section>"


def _data_blocks(scenes: Sequence[Scene]) -> Iterator[str]:
    vendor = files("sdfinertia.report").joinpath("vendor")
    licence = vendor.joinpath("LICENSE").read_text("utf-8")
    yield f'<script type="application/json" id="data">{_json(scene_data(scenes))}</script>'
    yield f'<script type="application/json" id="licence-of-three">{_json(licence)}</script>'
    for name in _LIBRARIES:
        text = vendor.joinpath(name).read_text("utf-8")
        yield f'<script type="application/json" id="{name}">{_json(text)}</script>'


def _json(value: object) -> str:
    """JSON that can stand in a script element: no `<` in it can end the element or begin a comment."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return visible(text).replace("<", "\\u003c")


def _digest(text: str) -> str:
    """The source expression by which a content security policy allows an inline text and no other."""
    return f"'sha256-{base64.b64encode(sha256(text.encode('utf-8')).digest()).decode('ascii')}'"


def _short(value: float) -> str:
    return f"{value:.{_SHOWN_DIGITS}g}" if value else "0"


def _text(text: str) -> str:
    return escape(visible(unicode_text(text)))
