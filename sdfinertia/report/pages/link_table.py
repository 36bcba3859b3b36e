"""The table of links of a page: what is written beside what is computed, and below each link all there is to say."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence

from sdfinertia.documents.scene import LinkStatus, Scene, SceneLink, visible_differences
from sdfinertia.errors import one_line
from sdfinertia.inertia.rigid_transform import rpy_from_rotation
from sdfinertia.inertia.spatial_inertia import SpatialInertia
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.report.findings import level_of
from sdfinertia.report.pages.findings_list import badges
from sdfinertia.report.records import equivalents_of
from sdfinertia.report.results import SAME, described_parts, tensor_change
from sdfinertia.report.wording import html_text, number
from sdfinertia.robot import values as facts
from sdfinertia.rules.rule import Finding

_COLUMNS_OF_TWO = 7
_NONE = '<span class="none">–</span>'
# Said in the head, because other programs sort them.
_ORDER = "by axis, nearest x, y, z"
# Digits of the table; the whole numbers are in the titles of its cells.
_SHOWN_DIGITS = 4
# Dimensions, with the units that the page opens with. The script knows the others.
MASS, LENGTH, INERTIA, DENSITY, VOLUME, ANGLE = "mass", "length", "inertia", "density", "volume", "angle"
_UNITS = {MASS: "kg", LENGTH: "m", INERTIA: "kg·m²", DENSITY: "kg/m³", VOLUME: "m³", ANGLE: "°"}


def short(value: float) -> str:
    """A number with few digits."""
    return f"{value:.{_SHOWN_DIGITS}g}" if value else "0"


def unit(dimension: str) -> str:
    """The unit of a dimension, as the page changes it."""
    return f'<span class="unit" data-d="{dimension}">{_UNITS[dimension]}</span>'


def quantity(value: float, dimension: str) -> str:
    """A number, as the page changes it."""
    return f'<span class="q" data-d="{dimension}" data-v="{value!r}">{short(value)}</span>'


def triple(values: Sequence[float], dimension: str, kind: str, scale: float = 0.0) -> str:
    """Three numbers below each other; what is rounding beside the scale is shown as zero.

    Args:
        kind: "xyz" or "axes", by which they are marked.
        scale: of the numbers, where that is not the largest of them.
    """
    noise = 1e-12 * max(scale if scale > 0.0 else 0.0, *(abs(value) for value in values))
    shown = [value if not abs(value) <= noise else 0.0 for value in values]
    title = " ".join(repr(value) for value in values)
    lines = "".join(f"<div>{quantity(value, dimension)}</div>" for value in shown)
    return f'<div class="{kind}" title="{title}">{lines}</div>'


class _Quantity(NamedTuple):
    """A row of the report on a link: its name, dimension, and a cell for an inertia."""

    label: str
    dimension: str
    cells: tuple[str, str]


def link_rows(index: int, link: SceneLink, findings: Sequence[Finding]) -> tuple[str, str]:
    """The two rows of a link in a table of two columns: its numbers, and all there is to say of it."""
    return _row(index, link, findings, has_both=True), _detail(index, link, findings, _COLUMNS_OF_TWO)


def link_table(
    scenes: Sequence[Scene], findings_of: Mapping[int, Sequence[Finding]], *, has_two: bool = False
) -> Iterator[str]:
    """The table; links are numbered through all scenes.

    Args:
        findings_of: what was found, by the number of the link.
        has_two: whether there are two columns even where nothing is computed.
    """
    has_both = has_two or any(link.computed is not None for scene in scenes for link in scene.links)
    yield f'<table id="links" class="{"both" if has_both else "one"}">'
    yield from _head(has_both, _written_word([link for scene in scenes for link in scene.links]))
    columns = _COLUMNS_OF_TWO if has_both else 5
    index = 0
    for place, scene in enumerate(scenes):
        yield f'<tbody data-scene="{place}">'
        if len(scenes) > 1:
            heading = f"{html_text(scene.model)} <small>{html_text(scene.file)}</small>"
            yield f'<tr class="model"><th colspan="{columns}" scope="rowgroup">{heading}</th></tr>'
        for link in scene.links:
            findings = findings_of.get(index, ())
            yield _row(index, link, findings, has_both)
            yield _detail(index, link, findings, columns)
            index += 1
        yield "</tbody>"
    yield "</table>"


def _written_word(links: Sequence[SceneLink]) -> str:
    """What the column of the written numbers is called: once a run has written, they are those of before."""
    return "before" if any(link.status is LinkStatus.FILLED_NOW for link in links) else "written"


def _head(has_both: bool, written: str) -> Iterator[str]:
    quantities = (
        f"Mass <small>{unit(MASS)}</small>",
        f"Centre of mass <small>{unit(LENGTH)}, link frame</small>",
        f"Principal moments <small>{unit(INERTIA)}, {_ORDER}</small>",
    )
    if not has_both:
        box = f"Equivalent box <small>{unit(LENGTH)}, {_ORDER}</small>"
        cells = "".join(f'<th scope="col">{cell}</th>' for cell in ("Link", *quantities, box))
        yield f"<thead><tr>{cells}</tr></thead>"
        return
    two = "".join(f'<th scope="colgroup" colspan="2">{cell}</th>' for cell in quantities)
    yield f'<thead><tr><th scope="col" rowspan="2">Link</th>{two}</tr>'
    yield "<tr>" + 3 * f'<th scope="col">{written}</th><th scope="col">computed</th>' + "</tr></thead>"


def _row(index: int, link: SceneLink, findings: Sequence[Finding], has_both: bool) -> str:
    outer, _, own = link.name.rpartition("::")
    scope = f"<small>{html_text(outer)}::</small>" if outer else ""
    # Names are long, and best broken between their words.
    name = f'{scope}<span class="own">{html_text(own).replace("_", "_<wbr>")}</span>'
    status = f'<span class="status {_word(link.status)}">{link.status}</span>'
    changes = "".join(f"<div>{html_text(change)}</div>" for change in _changes(link))
    about = f'{badges(findings)}{status}<div class="changes">{changes}</div>'
    cells = [f'<th scope="row"><i class="swatch"></i>{name}{about}</th>']
    if has_both:
        differing = visible_differences(link.written, link.computed) if link.written and link.computed else ()
        for part, cell in ((facts.MASS, _mass), (facts.POSE, _centre), (facts.TENSOR, _moments)):
            differs = " differs" if part in differing else ""
            cells.append(f'<td class="number">{cell(link.written)}</td>')
            cells.append(f'<td class="number{differs}">{cell(link.computed)}</td>')
    else:
        cells += [f'<td class="number">{cell(link.written)}</td>' for cell in (_mass, _centre, _moments, _box)]
    attributes = f'data-link="{index}" data-name="{html_text(link.name)}"'
    level = f" {level_of(findings[0].code)}" if findings else ""
    return f'<tr class="link{level}" tabindex="0" aria-selected="false" {attributes}>{"".join(cells)}</tr>'


def _word(status: LinkStatus) -> str:
    """A status as the name of a class."""
    return html_text(str(status).replace(" ", "-"))


def _mass(inertia: SpatialInertia | None) -> str:
    if inertia is None:
        return _NONE
    return f'<div title="{inertia.mass!r} kg">{quantity(inertia.mass, MASS)}</div>'


def _centre(inertia: SpatialInertia | None) -> str:
    return triple(inertia.p_BoBcm_B, LENGTH, "xyz", inertia.gyradius) if inertia is not None else _NONE


def _moments(inertia: SpatialInertia | None) -> str:
    return triple(inertia.principal().moments, INERTIA, "axes") if inertia is not None else _NONE


def _box(inertia: SpatialInertia | None) -> str:
    if inertia is None:
        return _NONE
    drawn = equivalents_of(inertia)
    return triple(drawn.box, LENGTH, "axes") if drawn is not None else '<span class="impossible">impossible</span>'


# All there is to say of a link ----------------------------------------------------------------------------------------


def _detail(index: int, link: SceneLink, findings: Sequence[Finding], columns: int) -> str:
    inertias = (link.written, link.computed)
    rows = [_detail_row(each) for each in _quantities(inertias, link.volume)]
    has_two = all(inertia is not None for inertia in inertias)
    word = _written_word([link])
    parts = [f"<h3>{f'Numbers, {word} and computed' if has_two else 'Numbers'}</h3>"]
    if rows:
        head = f'<tr><th></th><th scope="col">{word}</th><th scope="col">computed</th><th></th></tr>'
        parts.append(f'<table class="numbers"><thead>{head}</thead><tbody>{"".join(rows)}</tbody></table>')
    else:
        parts.append("<p>No inertia is known.</p>")
    if link.written is not None or link.computed is not None:
        copies = "".join(
            f'<button type="button" data-copy="{form}">Copy {label}</button>'
            for form, label in (("sdf", "SDF"), ("urdf", "URDF"), ("mjcf", "MJCF"))
        )
        parts.append(f'<p class="copies">{copies}</p>')
    lists = (
        ("Findings", [_finding_line(finding) for finding in findings]),
        ("What was summed", [html_text(part) for part in described_parts(link.parts, link.computed)]),
        ("Notes", [html_text(note) for note in link.notes]),
    )
    for title, lines in lists:
        if lines:
            parts.append(f"<h3>{title}</h3><ul>{''.join(f'<li>{line}</li>' for line in lines)}</ul>")
    if link.file:
        parts.append(f'<p class="place">{html_text(f"{link.file}:{link.line}")}</p>')
    return f'<tr class="detail" data-detail="{index}" hidden><td colspan="{columns}">{"".join(parts)}</td></tr>'


def _finding_line(finding: Finding) -> str:
    head = f'<b class="badge {level_of(finding.code)}">{html_text(finding.code)}</b>'
    return f"{head} {html_text(one_line(finding.message))}"


def _detail_row(row: _Quantity) -> str:
    written, computed = row.cells
    return (
        f'<tr><th scope="row">{row.label}</th><td class="number">{written}</td><td class="number">{computed}</td>'
        f"<td>{unit(row.dimension)}</td></tr>"
    )


def _quantities(inertias: tuple[SpatialInertia | None, SpatialInertia | None], volume: float | None) -> list[_Quantity]:
    """The report on a link, with the written inertia first."""
    if inertias == (None, None):
        return []
    rows: list[tuple[str, str, Callable[[SpatialInertia], str]]] = [
        ("mass", MASS, _mass),
        ("centre of mass", LENGTH, _centre),
        ("moments xx yy zz", INERTIA, lambda body: triple(body.I_BBcm_B[:3], INERTIA, "plain")),
        ("products xy xz yz", INERTIA, lambda body: triple(body.I_BBcm_B[3:], INERTIA, "plain", max(body.I_BBcm_B))),
        (f"principal moments, {_ORDER}", INERTIA, _moments),
        ("principal axes, rpy", ANGLE, _axes),
        ("equivalent box", LENGTH, _box),
        ("gyradius", LENGTH, lambda body: quantity(body.gyradius, LENGTH)),
    ]
    found = [
        _Quantity(label, dimension, (_cell(cell, inertias[0]), _cell(cell, inertias[1])))
        for label, dimension, cell in rows
    ]
    if volume:
        found.append(_Quantity("volume of the shapes", VOLUME, (_NONE, quantity(volume, VOLUME))))
        densities = [quantity(body.mass / volume, DENSITY) if body is not None else _NONE for body in inertias]
        found.append(_Quantity("density, of that volume", DENSITY, (densities[0], densities[1])))
    return found


def _cell(cell: Callable[[SpatialInertia], str], inertia: SpatialInertia | None) -> str:
    return cell(inertia) if inertia is not None else _NONE


def _axes(inertia: SpatialInertia) -> str:
    angles = [round(math.degrees(angle), 6) for angle in rpy_from_rotation(inertia.principal().rotation)]
    return triple(angles, ANGLE, "plain")


def _changes(link: SceneLink) -> Iterator[str]:
    """How what is computed differs from what is written: to the last digit where a run is about that, else if seen."""
    new, old = link.computed, link.written
    if new is None:
        return
    is_done = link.status == LinkStatus.FILLED_NOW
    if old is None:
        if is_done:
            yield "was not filled"
        return
    differing = visible_differences(old, new)
    is_of_a_run = link.status in (
        LinkStatus.FILLED_NOW,
        LinkStatus.WOULD_BE_FILLED,
        LinkStatus.WITHHELD,
        LinkStatus.STALE,
    )
    if facts.MASS in differing or (is_of_a_run and abs(new.mass - old.mass) > SAME * abs(new.mass)):
        relative = f"{100.0 * (new.mass - old.mass) / old.mass:+.3g} %" if old.mass else ""
        was = f"mass was {number(old.mass)} kg" + (f" ({relative})" if relative else "")
        yield was if is_done else f"computed mass {relative or number(new.mass)}"
    moved = math.dist(new.p_BoBcm_B, old.p_BoBcm_B)
    # A gyradius that is no number makes every move one to be told.
    if facts.POSE in differing or (is_of_a_run and moved > 0.0 and not moved <= SAME * new.gyradius):
        yield f"centre moved by {short(moved)} m" if is_done else f"computed centre {short(moved)} m away"
    change = tensor_change(new, old)
    if facts.TENSOR in differing or (is_of_a_run and change > 100.0 * SAME):
        if math.isinf(change):
            yield "tensor was zero" if is_done else "the tensor that is written is zero"
            return
        how = "tensor changed" if is_done else "computed tensor differs"
        yield f"{how} by {change:.3g} % of the largest entry"
