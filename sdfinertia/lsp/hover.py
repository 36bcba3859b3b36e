"""What is told of the place pointed at: the numbers of a link, a collision or a mesh, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from lsprotocol.types import Hover, MarkupContent, MarkupKind

from sdfinertia.commands.mesh import MeshRequest, mesh_facts
from sdfinertia.documents.showing import ShownBody, shown_bodies
from sdfinertia.errors import SdfInertiaError, unicode_text
from sdfinertia.inertia.spatial_inertia import SpatialInertia
from sdfinertia.lsp.outline import NamedFile, named_file_at, path_through
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


def hover(version: Version, offset: int) -> Hover | None:
    """What is told of a place; None where there is nothing to tell."""
    named = named_file_at(version, offset)
    if named is not None and named.is_mesh:
        return _hover(version, _mesh(version, named), named.start, named.stop)
    path = path_through(version.roots, offset)
    names = [element.name for element in path]
    link = version.link_at(offset) if "link" in names else None
    if link is None:
        return None
    for name, told in (("collision", _collision), ("inertial", _link)):
        if name in names:
            element = path[names.index(name)]
            return _hover(version, told(version, link, element), element.start, element.inner_start)
    if offset < link.element.inner_start:
        return _hover(version, _link(version, link, link.element), link.element.start, link.element.inner_start)
    return None


def _hover(version: Version, lines: Iterator[str], start: int, stop: int) -> Hover:
    value = unicode_text("\n".join(lines))
    return Hover(MarkupContent(MarkupKind.Markdown, value), version.text.range(start, stop))


def _bodies(version: Version, link: Link) -> list[ShownBody]:
    """The link as `show --computed` tells of it, then its collisions."""
    document = version.opened(replace(version.options, all=True))
    return shown_bodies(document.study(link), with_computed=True)


def _link(version: Version, link: Link, _: Element) -> Iterator[str]:
    body, *_others = _bodies(version, link)
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
    # Those that weigh nothing are left out, and names may repeat.
    name = f"{link.scoped_name} / {solids[place].name}" if place is not None else ""
    of_name = [part for part in parts if part.name == name]
    if len(of_name) == 1:
        yield from _table(of_name[0])
    elif len(parts) == len(solids) and place is not None:
        yield from _table(parts[place])
    else:
        yield plain(own.problem or "it counts for nothing in the mass of its link")


def _table(body: ShownBody) -> Iterator[str]:
    """What is written beside what is computed, in columns that read well where Markdown is not drawn."""
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
    """What `mesh` tells of the file, in the scale that stands beside its uri."""
    context, options = version.context, version.options
    scale = named.owner.child_text("scale") or named.owner.attribute("scale") or ""
    factors = parse_numbers(scale)
    x, y, z = factors if factors is not None and len(factors) == 3 else NO_SCALE
    submesh = named.owner.child("submesh")
    name = submesh.child_text("name") if submesh is not None else ""
    density = DEFAULT_DENSITY if options.density is None else options.density
    request = MeshRequest(density, (x, y, z), name or None, options.mesh_treatment(), options, False, False)
    try:
        lines = list(mesh_lines(mesh_facts(context.meshes, named.path(context), request)))
    except SdfInertiaError as error:
        yield plain(error.problem)
        return
    finally:
        context.forget_contents()
    yield from (code_span(lines[0]), "", "```text", *(line.strip() for line in lines[1:]), "```")
