"""The mass properties of the link or collision under the cursor, as `show --computed` prints them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from lsprotocol import types

from sdfinertia.documents.showing import ShownBody, shown_bodies
from sdfinertia.errors import unicode_text
from sdfinertia.markup import Element
from sdfinertia.report.explanations import cause_words
from sdfinertia.report.markdown import plain
from sdfinertia.report.quantities import body_lines, body_notes
from sdfinertia.robot import COLLISION, Link, known

if TYPE_CHECKING:
    from sdfinertia.lsp.open_text import OpenText


def hover_at(text: OpenText, position: types.Position) -> types.Hover | None:
    offset = text.text.offset(position)
    link = text.link_at(offset)
    if link is None:
        return None
    solids = [solid.element for solid in known(link.collisions) or ()]
    blocks = [link.inertial.element] if link.inertial is not None else []
    part = next((each for each in (*solids, *blocks) if each.start <= offset < each.end), link.element)
    if part in solids:
        lines = _collision_lines(text, link, part)
    elif part in blocks or offset < link.element.inner_start:
        lines = _link_lines(text, link)
    else:
        return None
    content = types.MarkupContent(types.MarkupKind.Markdown, unicode_text("\n".join(lines)))
    return types.Hover(content, text.text.range(part.start, part.inner_start))


def _link_lines(text: OpenText, link: Link) -> Iterator[str]:
    body = _bodies(text, link)[0]
    yield from _table(body)
    yield from (f"\n{plain(note)}" for note in body_notes(body))
    findings = text.findings_of(link)
    yield from (f"\n**{finding.code}** {plain(finding.message)}" for finding in findings)
    whys = dict.fromkeys(cause_words(finding.why) for finding in findings if finding.why is not None)
    yield from (f"\nWhy: {plain(why)}" for why in whys)


def _collision_lines(text: OpenText, link: Link, element: Element) -> Iterator[str]:
    solids = link.solids(COLLISION)
    own, *parts = _bodies(text, link)
    # Those without mass are left out, and names may repeat.
    names = {f"{link.scoped_name} / {solid.name}" for solid in solids if solid.element is element}
    named = [part for part in parts if part.name in names]
    if len(named) > 1 and len(parts) == len(solids):
        named = [part for part, solid in zip(parts, solids, strict=True) if solid.element is element]
    if len(named) == 1:
        yield from _table(named[0])
    else:
        yield plain(own.problem or "has no mass, and does not count in the inertia of its link")


def _bodies(text: OpenText, link: Link) -> list[ShownBody]:
    document = text.document_with(replace(text.options, all=True))
    return shown_bodies(document.study(link), with_computed=True)


def _table(body: ShownBody) -> Iterator[str]:
    yield from ("```text", *(line for line, _ in body_lines(body)), "```")
