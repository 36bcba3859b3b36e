"""The table of links of a page, with x, y and z as columns, and the details of each link."""

from __future__ import annotations

import math
import re
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.documents.scene import DrawnLink, Scene, is_visible, visible_differences
from sdfinertia.errors import counted, one_line, unicode_text, visible
from sdfinertia.links.inputs import Status
from sdfinertia.report.findings import card_order, level_of, percent
from sdfinertia.report.quantities import (
    INERTIA,
    LENGTH,
    MASS,
    UNITS,
    Quantity,
    box_of,
    centre_of,
    mass_of,
    principal_moments_of,
    quantities_of,
)
from sdfinertia.report.results import described_parts
from sdfinertia.rules import RULE_OF_CODE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from sdfinertia.inertia.spatial_inertia import SpatialInertia
    from sdfinertia.links.filling import LinkResult
    from sdfinertia.rules.rule import Finding

_NONE = '<span class="none">–</span>'
# In the header, because other programs sort the axes otherwise.
_ORDER = "by axis, nearest x, y, z"
# Digits of the table; tooltips have all digits.
_SHOWN_DIGITS = 4
# Beside the scale of its kind, a number this small is rounding.
_NOISE = 1e-12
# Titles of quantities, where they differ from the names.
_TITLES = {
    "centre of mass": "centre of mass x y z",
    "principal moments": f"principal moments, {_ORDER}",
    "volume": "volume of the shapes",
    "density": "density of that volume",
}


def html_text(text: str) -> str:
    return escape(visible(unicode_text(text))).replace("\n", "&#10;")


def short(value: float) -> str:
    return f"{value:.{_SHOWN_DIGITS}g}" if value else "0"


def unit(dimension: str) -> str:
    return f'<span class="unit" data-d="{dimension}">{UNITS[dimension]}</span>'


def quantity(value: float, dimension: str) -> str:
    """A number, as the page changes it; in two parts, for the decimal points of a column to be below each other."""
    whole, rest = re.fullmatch(r"([^.e]*)(.*)", short(value)).groups()  # type: ignore[union-attr]
    return f'<span class="q" data-d="{dimension}" data-v="{value!r}"><i>{whole}</i><i>{rest}</i></span>'


def name_text(name: str) -> str:
    """A name that is broken between its words, if it must be."""
    return re.sub(r"(::|_+|/+)", r"\1<wbr>", html_text(name))


def _clean(values: Sequence[float], scale: float = 0.0) -> list[float]:
    noise = _NOISE * max(scale if scale > 0.0 else 0.0, *(abs(value) for value in values))
    return [value if not abs(value) <= noise else 0.0 for value in values]


def triple(values: Sequence[float], dimension: str, scale: float = 0.0) -> str:
    """Three numbers below each other; rounding noise is shown as zero."""
    return "".join(f"<div>{quantity(value, dimension)}</div>" for value in _clean(values, scale))


def badges(findings: Sequence[Finding]) -> str:
    codes = {finding.code: finding for finding in findings}
    if not codes:
        return ""
    spans = (badge(code, f"{RULE_OF_CODE[code].name}: {one_line(each.message)}") for code, each in codes.items())
    return f'<span class="badges">{"".join(spans)}</span>'


def badge(code: str, title: str) -> str:
    return f'<span class="badge {level_of(code)}" title="{html_text(title)}">{html_text(code)}</span>'


def link_parts(index: int, link: DrawnLink, findings: Sequence[Finding], share: float | None) -> tuple[str, str]:
    return _row(index, link, findings, share), _detail(index, link)


def mass_shares(scenes: Sequence[Scene]) -> list[float | None]:
    """The share of each link in the mass of its model, by its number; None where it has no mass."""
    shares: list[float | None] = []
    for scene in scenes:
        results = [link.result for link in scene.links]
        known = ((each.simulated, each.before, each.inertia) for each in results)
        bodies = [next((body for body in each if body is not None), None) for each in known]
        masses = [body.mass if body is not None and 0.0 < body.mass < math.inf else 0.0 for body in bodies]
        models = [link.name.partition("::")[0] for link in scene.links]
        totals: dict[str, float] = {}
        for model, mass in zip(models, masses, strict=True):
            totals[model] = totals.get(model, 0.0) + mass
        shares += [mass / totals[model] if mass else None for model, mass in zip(models, masses, strict=True)]
    return shares


class _Columns(NamedTuple):
    kind: str
    title: str
    dimension: str
    words: tuple[str, ...]
    quantity: Callable[[SpatialInertia], Quantity]

    def numbers(self, inertia: SpatialInertia) -> Sequence[float] | None:
        shown = self.quantity(inertia)
        return _clean(shown.values, shown.scale) if shown.values is not None else None


_COLUMNS = (
    _Columns("mass", "Mass", MASS, ("",), mass_of),
    _Columns("centre", "Centre of mass", LENGTH, ("x", "y", "z"), centre_of),
    _Columns("moments", "Principal moments", INERTIA, ("1", "2", "3"), principal_moments_of),
    _Columns("box", "Equivalent box", LENGTH, ("1", "2", "3"), box_of),
)
_NOTES = ("", "in the link frame", _ORDER, _ORDER)
_WIDTH = 3 + sum(len(columns.words) for columns in _COLUMNS)


def link_table(scenes: Sequence[Scene], findings_of: Mapping[int, Sequence[Finding]]) -> Iterator[str]:
    """The table; links are numbered through all scenes, and those without findings can be folded away."""
    yield '<table id="links"><caption>Numbers of the links</caption>'
    yield from _head()
    shares = mass_shares(scenes)
    first = 0
    for place, scene in enumerate(scenes):
        places = range(first, first + len(scene.links))
        first += len(scene.links)
        found = sorted(
            (index for index in places if index in findings_of),
            key=lambda index: card_order(findings_of[index]),
        )
        rest = [index for index in places if index not in findings_of]
        linked = zip(places, scene.links, strict=True)
        rows = {index: _row(index, link, findings_of.get(index, ()), shares[index]) for index, link in linked}
        yield f'<tbody data-scene="{place}">'
        if len(scenes) > 1:
            heading = f"{html_text(scene.model)} <small>{html_text(scene.file)}</small>"
            yield f'<tr class="model"><th colspan="{_WIDTH}" scope="rowgroup">{heading}</th></tr>'
        yield from (rows[index] for index in found)
        if found and rest:
            button = f'<button type="button" aria-expanded="true">{counted(len(rest), "link")} without findings'
            yield f'<tr class="fold"><th colspan="{_WIDTH}">{button}</button></th></tr>'
        kind = '<tr class="link rest' if found else '<tr class="link'
        yield from (rows[index].replace('<tr class="link', kind, 1) for index in rest)
        yield "</tbody>"
    yield "</table>"


def link_details(scenes: Sequence[Scene]) -> Iterator[str]:
    links = [link for scene in scenes for link in scene.links]
    yield from (_detail(index, link) for index, link in enumerate(links))


def _head() -> Iterator[str]:
    groups = "".join(
        f'<th scope="colgroup" class="{each.kind}" colspan="{len(each.words)}" title="{note}">{each.title} '
        f"<small>{unit(each.dimension)}</small></th>"
        for each, note in zip(_COLUMNS, _NOTES, strict=True)
    )
    words = [(each, word) for each in _COLUMNS for word in each.words]
    # Principal axes have the colours in which they are drawn.
    cells = "".join(
        f'<th scope="col" class="{each.kind} axis-{word}" aria-label="{each.title} {word}">{word}</th>'
        for each, word in words
    )
    share = '<th scope="col" rowspan="2" title="share of the mass of its model">Share %</th>'
    yield (
        f'<thead><tr><th scope="col" rowspan="2">Link</th><th rowspan="2"></th>{groups}{share}</tr>'
        f"<tr>{cells}</tr></thead>"
    )


def _row(index: int, link: DrawnLink, findings: Sequence[Finding], share: float | None) -> str:
    outer, _, own = link.name.rpartition("::")
    scope = f"<small>{name_text(outer)}::<wbr></small>" if outer else ""
    result = link.result
    is_plain = result.status in (Status.WRITTEN, Status.CLEAN)
    status = "" if is_plain else f'<span class="status {_word(result.status)}">{result.status.word}</span>'
    name = f'<div><i class="swatch"></i>{scope}<span class="own">{name_text(own)}</span></div>'
    shown = [(_written_word(result), result.before), ("inferred", _inferred(result)), ("computed", result.inertia)]
    shown = [(word, inertia) for word, inertia in shown if inertia is not None] or [("", None)]
    differs = _row_differences(result)
    cells = [f'<th scope="row">{name}{badges(findings)}{status}</th>']
    cells.append(f"<td>{''.join(f'<div>{word}</div>' for word, _ in shown)}</td>")
    for place, columns in enumerate(_COLUMNS):
        numbers = [columns.numbers(inertia) if inertia is not None else () for _, inertia in shown]
        for k in range(len(columns.words)):
            lines = (
                _line(values[k] if values else values, columns.dimension, differs=line == 1 and differs[place][k])
                for line, values in enumerate(numbers)
            )
            cells.append(f'<td class="number {columns.kind}">{"".join(lines)}</td>')
    cells.append(f'<td class="share number">{_NONE if share is None else html_text(percent(share))}</td>')
    attributes = f'data-link="{index}" data-name="{html_text(link.name)}"'
    level = f" {level_of(findings[0].code)}" if findings else ""
    return f'<tr class="link{level}" tabindex="-1" aria-selected="false" {attributes}>{"".join(cells)}</tr>'


def _inferred(link: LinkResult) -> SpatialInertia | None:
    if link.before is not None or link.simulated is None:
        return None
    is_same = link.inertia is not None and not visible_differences(link.simulated, link.inertia)
    return None if is_same else link.simulated


def _row_differences(link: LinkResult) -> list[list[bool]]:
    """Of each column, which of its numbers a computed inertia changes visibly; the box follows from others."""
    old, new = link.before, link.inertia
    differs = [[False] * len(columns.words) for columns in _COLUMNS]
    if old is None or new is None:
        return differs
    scales = (new.mass, new.gyradius, max(map(abs, new.principal().moments)))
    for place, scale in enumerate(scales):
        was, now = (_COLUMNS[place].quantity(inertia).values or () for inertia in (old, new))
        differs[place] = [is_visible(after - before, scale) for before, after in zip(was, now, strict=True)]
    return differs


def _line(value: float | Sequence[float] | None, dimension: str, *, differs: bool) -> str:
    if isinstance(value, float):
        mark = ' class="differs"' if differs else ""
        return f"<div{mark}>{quantity(value, dimension)}</div>"
    return f"<div>{_NONE}</div>" if value is not None else '<div class="impossible" title="impossible">✕</div>'


def _written_word(link: LinkResult) -> str:
    return "before" if link.status is Status.FILLED else "written"


def _word(status: Status) -> str:
    return html_text(status.word.replace(" ", "-"))


# The details of a link ------------------------------------------------------------------------------------------------


def _detail(index: int, link: DrawnLink) -> str:
    result = link.result
    shown = [(_written_word(result), result.before), ("computed", result.inertia)]
    known = [(word, inertia) for word, inertia in shown if inertia is not None]
    rows = list(_quantity_rows([inertia for _, inertia in known], result.volume))
    parts = [f"<h3>{name_text(link.name)}</h3>"]
    if rows:
        words = "".join(f'<th scope="col">{word}</th>' for word, _ in known)
        head = f"<tr><th></th>{words}<th></th></tr>"
        parts.append(f'<table class="numbers"><thead>{head}</thead><tbody>{"".join(rows)}</tbody></table>')
    else:
        parts.append("<p>No inertia.</p>")
    if rows:
        copies = "".join(
            f'<button type="button" data-copy="{form}" title="Copy the inertia as {label}">Copy {label}</button>'
            for form, label in (("sdf", "SDF"), ("urdf", "URDF"), ("mjcf", "MJCF"))
        )
        parts.append(f'<p class="copies">{copies}</p>')
    lists = (
        ("Computed from", [html_text(part) for part in described_parts(result.collisions, result.inertia)]),
        ("Notes", [html_text(note) for note in result.notes]),
    )
    for title, lines in lists:
        if lines:
            parts.append(f"<h4>{title}</h4><ul>{''.join(f'<li>{line}</li>' for line in lines)}</ul>")
    if result.file:
        parts.append(f'<p class="place">{html_text(f"{result.file}:{result.line}")}</p>')
    return f'<div class="detail" data-detail="{index}" hidden>{"".join(parts)}</div>'


def _quantity_rows(inertias: Sequence[SpatialInertia], volume: float | None) -> Iterator[str]:
    for row in zip(*(quantities_of(inertia, volume) for inertia in inertias), strict=True):
        name, dimension = row[0].name, row[0].dimension
        if name != "ellipsoid, radii":
            cells = "".join(f'<td class="number">{_quantity_cell(each)}</td>' for each in row)
            yield f'<tr><th scope="row">{_TITLES.get(name, name)}</th>{cells}<td>{unit(dimension)}</td></tr>'


def _quantity_cell(each: Quantity) -> str:
    if each.values is None:
        return '<span class="impossible">impossible</span>'
    if len(each.values) == 1:
        return quantity(*each.values, each.dimension)
    return triple(each.values, each.dimension, each.scale)
