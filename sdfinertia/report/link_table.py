"""The table of links of a page, with x, y and z as columns, and the details of each link."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from itertools import count

from sdfinertia.documents.link_results import LinkResult
from sdfinertia.documents.scene import DrawnLink, Scene, differ_visibly, is_visible
from sdfinertia.errors import counted, one_line, unicode_text, visible
from sdfinertia.inertia import SpatialInertia
from sdfinertia.links.inputs import Status
from sdfinertia.report.findings import card_order, level_of, percent
from sdfinertia.report.quantities import (
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
from sdfinertia.rules.rule import Finding

_NONE = '<span class="none">–</span>'
# Digits of the table; tooltips have all digits.
_SHOWN_DIGITS = 4
# Titles of quantities, where they differ from the names.
_TITLES = {
    "centre of mass": "centre of mass x y z",
    # Other programs sort the axes otherwise.
    "principal moments": "principal moments, by axis, nearest x, y, z",
    "volume": "volume of the shapes",
    "density": "density of that volume",
}


def html_text(text: str) -> str:
    return escape(visible(unicode_text(text))).replace("\n", "&#10;")


def unit(dimension: str) -> str:
    return f'<span class="unit" data-d="{dimension}">{UNITS[dimension]}</span>'


def quantity(value: float, dimension: str) -> str:
    """A number, as the page changes it; in two parts, for the decimal points of a column to be below each other."""
    text = f"{value:.{_SHOWN_DIGITS}g}" if value else "0"
    whole = re.split("[.e]", text)[0]
    parts = f"<i>{whole}</i><i>{text[len(whole) :]}</i>"
    return f'<span class="q" data-d="{dimension}" data-v="{value!r}">{parts}</span>'


def name_text(name: str) -> str:
    """A name that is broken between its words, if it must be."""
    return re.sub(r"(::|_+|/+)", r"\1<wbr>", html_text(name))


def badge(code: str, title: str) -> str:
    return f'<span class="badge {level_of(code)}" title="{html_text(title)}">{html_text(code)}</span>'


def _badges(findings: Sequence[Finding]) -> str:
    codes = {finding.code: f"{RULE_OF_CODE[finding.code].name}: {one_line(finding.message)}" for finding in findings}
    return f'<span class="badges">{"".join(map(badge, codes, codes.values()))}</span>' if codes else ""


# The columns of numbers, whose head is in `main.html`: how many of which quantity.
_COLUMNS: Mapping[str, tuple[int, Callable[[SpatialInertia], Quantity]]] = {
    "mass": (1, mass_of),
    "centre": (3, centre_of),
    "moments": (3, principal_moments_of),
    "box": (3, box_of),
}
# With name, kinds of numbers, and share.
_WIDTH = 13


def link_table(scenes: Sequence[Scene]) -> Iterator[str]:
    """The body of the table; links are numbered through all scenes, and those without findings can be folded away."""
    number = count()
    for place, scene in enumerate(scenes):
        rows = [
            (link, link_row(next(number), link, share)) for link, share in zip(scene.links, scene.shares(), strict=True)
        ]
        found = sorted((each for each in rows if each[0].findings), key=lambda each: card_order(each[0].findings))
        rest = [row for link, row in rows if not link.findings]
        yield f'<tbody data-scene="{place}">'
        if len(scenes) > 1:
            heading = f"{html_text(scene.model)} <small>{html_text(scene.file)}</small>"
            yield f'<tr class="model"><th colspan="{_WIDTH}" scope="rowgroup">{heading}</th></tr>'
        yield from (row for _, row in found)
        if found and rest:
            button = f'<button type="button" aria-expanded="true">{counted(len(rest), "link")} without findings'
            yield f'<tr class="fold"><th colspan="{_WIDTH}">{button}</button></th></tr>'
        kind = '<tr class="link rest' if found else '<tr class="link'
        yield from (row.replace('<tr class="link', kind, 1) for row in rest)
        yield "</tbody>"


def link_row(index: int, link: DrawnLink, share: float | None) -> str:
    outer, _, own = link.name.rpartition("::")
    scope = f"<small>{name_text(outer)}::<wbr></small>" if outer else ""
    word = link.result.status.word
    is_plain = link.result.status in (Status.WRITTEN, Status.CLEAN)
    status = "" if is_plain else f'<span class="status {word.replace(" ", "-")}">{word}</span>'
    name = f'<div><i class="swatch"></i>{scope}<span class="own">{name_text(own)}</span></div>'
    shown: Sequence[tuple[str, SpatialInertia | None]] = _shown(link.result, with_inferred=True) or [("", None)]
    cells = [f'<th scope="row">{name}{_badges(link.findings)}{status}</th>']
    cells.append(f"<td>{''.join(f'<div>{word}</div>' for word, _ in shown)}</td>")
    is_compared = link.result.before is not None and link.result.inertia is not None
    for kind, (number, quantity_of) in _COLUMNS.items():
        quantities = [quantity_of(inertia) if inertia is not None else None for _, inertia in shown]
        # The box follows from the others.
        before = quantities[0] if is_compared and kind != "box" else None
        for k in range(number):
            lines = [_line(each, k, before) for each in quantities]
            cells.append(f'<td class="number {kind}">{"".join(lines)}</td>')
    cells.append(f'<td class="share number">{_NONE if share is None else html_text(percent(share))}</td>')
    attributes = f'data-link="{index}" data-name="{html_text(link.name)}"'
    level = f" {link.level}" if link.level else ""
    return f'<tr class="link{level}" tabindex="-1" aria-selected="false" {attributes}>{"".join(cells)}</tr>'


def _shown(link: LinkResult, *, with_inferred: bool = False) -> list[tuple[str, SpatialInertia]]:
    """The inertias of a link, by what they are: the written, the inferred where there is none, and the computed one."""
    inferred = link.simulated if with_inferred and link.before is None else None
    if inferred is not None and link.inertia is not None and not differ_visibly(inferred, link.inertia):
        inferred = None
    written = "before" if link.status is Status.FILLED else "written"
    shown = ((written, link.before), ("inferred", inferred), ("computed", link.inertia))
    return [(word, inertia) for word, inertia in shown if inertia is not None]


def _line(shown: Quantity | None, k: int, before: Quantity | None) -> str:
    """A number of a quantity; marked where it differs visibly from that before."""
    if shown is None:
        return f"<div>{_NONE}</div>"
    if shown.values is None:
        return '<div class="impossible" title="impossible">✕</div>'
    mark = ""
    if before is not None and before.values is not None and before is not shown:
        scale = shown.scale or max(map(abs, shown.values))
        mark = ' class="differs"' if is_visible(shown.values[k] - before.values[k], scale) else ""
    return f"<div{mark}>{quantity(shown.clean[k], shown.dimension)}</div>"


_COPIES = "".join(
    f'<button type="button" data-copy="{form}" title="Copy the inertia as {form.upper()}">Copy {form.upper()}</button>'
    for form in ("sdf", "urdf", "mjcf")
)


def link_detail(index: int, link: DrawnLink) -> str:
    result = link.result
    shown = _shown(result)
    parts = [f"<h3>{name_text(link.name)}</h3>"]
    if shown:
        words = "".join(f'<th scope="col">{word}</th>' for word, _ in shown)
        rows = zip(*(quantities_of(inertia, result.volume) for _, inertia in shown), strict=True)
        parts += [
            f'<table class="numbers"><thead><tr><th></th>{words}<th></th></tr></thead>',
            f'<tbody>{"".join(map(_quantity_row, rows))}</tbody></table><p class="copies">{_COPIES}</p>',
        ]
    else:
        parts.append("<p>No inertia.</p>")
    for title, lines in (
        ("Computed from", [*described_parts(result.collisions, result.inertia)]),
        ("Notes", result.notes),
    ):
        if lines:
            parts.append(f"<h4>{title}</h4><ul>{''.join(f'<li>{html_text(line)}</li>' for line in lines)}</ul>")
    if result.file:
        parts.append(f'<p class="place">{html_text(f"{result.file}:{result.line}")}</p>')
    return f'<div class="detail" data-detail="{index}" hidden>{"".join(parts)}</div>'


def _quantity_row(row: Sequence[Quantity]) -> str:
    name, dimension = row[0].name, row[0].dimension
    if name == "ellipsoid, radii":
        return ""
    cells = "".join(f'<td class="number">{_cell(each)}</td>' for each in row)
    return f'<tr><th scope="row">{_TITLES.get(name, name)}</th>{cells}<td>{unit(dimension)}</td></tr>'


def _cell(each: Quantity) -> str:
    if each.values is None:
        return '<span class="impossible">impossible</span>'
    if len(each.values) == 1:
        return quantity(*each.values, each.dimension)
    return "".join(f"<div>{quantity(value, each.dimension)}</div>" for value in each.clean)
