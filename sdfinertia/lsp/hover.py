"""What is shown for the place under the cursor: a link, a collision or a mesh in numbers, and what is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from lsprotocol.types import Hover, MarkupContent, MarkupKind

from sdfinertia.commands.mesh import mesh_facts
from sdfinertia.documents.showing import ShownBody, shown_bodies
from sdfinertia.errors import SdfInertiaError, unicode_text
from sdfinertia.inertia.spatial_inertia import SpatialInertia
from sdfinertia.lsp.outline import NamedFile, named_file_at
from sdfinertia.lsp.session import Version
from sdfinertia.markup.document import Element
from sdfinertia.mesh.treatment import NO_SCALE
from sdfinertia.report.bodies import body_notes, mesh_lines
from sdfinertia.report.findings import why_words
from sdfinertia.report.markdown import code_span, plain
from sdfinertia.report.records import equivalents_of
from sdfinertia.report.wording import number, numbers
from sdfinertia.robot.link import Link
from sdfinertia.robot.numbers import parse_numbers
from sdfinertia.robot.values import COLLISION, DEFAULT_DENSITY
from sdfinertia.runs.mesh_rows import MeshWeighing


def hover(version: Version, offset: int) -> Hover | None:
    named = named_file_at(version, offset)
    if named is not None and named.is_mesh:
        return _hover(version, _mesh(version, named), named.start, named.stop)
    link = version.link_at(offset)
    if link is None:
        return None
    part = next((child for child in link.element.children if child.start <= offset < child.end), link.element)
    if part.name == "collision":
        return _hover(version, _collision(version, link, part), part.start, part.inner_start)
    if part.name == "inertial" or offset < link.element.inner_start:
        return _hover(version, _link(version, link), part.start, part.inner_start)
    return None


def _hover(version: Version, lines: Iterator[str], start: int, stop: int) -> Hover:
    value = unicode_text("\n".join(lines))
    return Hover(MarkupContent(MarkupKind.Markdown, value), version.text.range(start, stop))


def _bodies(version: Version, link: Link) -> list[ShownBody]:
    """The link and its collisions, as `show --computed` shows them."""
    document = version.opened(replace(version.options, all=True))
    return shown_bodies(document.study(link), with_computed=True)


def _link(version: Version, link: Link) -> Iterator[str]:
    body = _bodies(version, link)[0]
    yield from _table(body)
    for note in body_notes(body):
        yield from ("", plain(note))
    findings = version.explained(link)
    for finding in findings:
        yield from ("", f"**{finding.code}** {plain(finding.message)}")
    for why in dict.fromkeys(why_words(finding.why) for finding in findings if finding.why is not None):
        yield from ("", f"Why: {plain(why)}")


def _collision(version: Version, link: Link, element: Element) -> Iterator[str]:
    solids = link.solids(COLLISION)
    place = next((place for place, solid in enumerate(solids) if solid.element is element), None)
    own, *parts = _bodies(version, link)
    # Parts without mass are left out, and names may repeat.
    name = f"{link.scoped_name} / {solids[place].name}" if place is not None else ""
    of_name = [part for part in parts if part.name == name]
    if len(of_name) == 1:
        yield from _table(of_name[0])
    elif len(parts) == len(solids) and place is not None:
        yield from _table(parts[place])
    else:
        yield plain(own.problem or "has no mass, and does not count in the inertia of its link")


def _table(body: ShownBody) -> Iterator[str]:
    """Written and computed quantities in columns, aligned for editors that show Markdown as text."""
    columns = [(body.origin, _quantities(body.inertia, body.volume))]
    if body.origin == "written":
        columns.append(("computed", _quantities(body.computed, body.volume)))
    columns = [(title, values) for title, values in columns if values]
    yield f"**{plain(body.name)}**"
    if not columns:
        return
    rows = [["", *(title for title, _ in columns)]]
    rows += [[label, *(values.get(label, "") for _, values in columns)] for label in columns[0][1]]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    rows.insert(1, ["-" * max(width, 3) for width in widths])
    yield ""
    for row in rows:
        yield "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"


def _quantities(inertia: SpatialInertia | None, volume: float | None) -> dict[str, str]:
    if inertia is None:
        return {}
    found = {"mass": f"{number(inertia.mass)} kg"}
    if volume:
        found["density"] = f"{number(inertia.mass / volume)} kg/m³"
    found["centre"] = f"{numbers(inertia.p_BoBcm_B)} m"
    found["principal moments"] = f"{numbers(inertia.principal().moments)} kg·m²"
    solids = equivalents_of(inertia)
    if solids is not None:
        found["equivalent box"] = f"{numbers(solids.box)} m"
    return found


def _mesh(version: Version, named: NamedFile) -> Iterator[str]:
    """What `mesh` prints of the file, with the scale and the submesh beside its uri."""
    context, options = version.context, version.options
    factors = parse_numbers(named.owner.child_text("scale") or named.owner.attribute("scale") or "")
    x, y, z = factors if factors is not None and len(factors) == 3 else NO_SCALE
    submesh = named.owner.child("submesh")
    name = submesh.child_text("name") if submesh is not None else ""
    density = DEFAULT_DENSITY if options.density is None else options.density
    weighing = MeshWeighing(density, options.mesh_treatment(), options, (x, y, z), name or None)
    try:
        title, *lines = mesh_lines(mesh_facts(context.meshes, named.path(version), weighing))
    except SdfInertiaError as error:
        yield plain(error.problem)
    else:
        yield from (code_span(title), "", "```text", *(line.strip() for line in lines), "```")
    finally:
        context.forget_contents()
