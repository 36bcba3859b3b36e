"""Edits of inertials in xacro sources where their numbers are literals, and what may differ once they are made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.errors import SdfInertiaError
from sdfinertia.inertia.inertial_text import InertialText
from sdfinertia.markup.document import Document, Edit, Element, splice
from sdfinertia.robot.inertial import TENSOR_NAMES, NewInertial
from sdfinertia.robot.marks import filled_entries, repaired_cause
from sdfinertia.robot.numbers import parse_numbers, shorten
from sdfinertia.urdf.edits import fill_edits

if TYPE_CHECKING:
    from sdfinertia.xacro.expansion import Expansion, Place

_ATTRIBUTES = {"origin": ("xyz", "rpy"), "mass": ("value",), "inertia": TENSOR_NAMES}
# The attributes in an inertial, by the element and the attribute.
Values = Mapping[tuple[str, str], str]


class UnwritableError(Exception):
    """Why a block cannot be written."""


class Change(NamedTuple):
    """A link before and after; `place` is its inertial's, or its own without one."""

    link: Element
    after: Element
    place: Place

    @property
    def is_changed(self) -> bool:
        return _bytes(self.link) != _bytes(self.after)


class NewBlock(NamedTuple):
    """The edits of a block in its source, the values that change, and its comment."""

    edits: Sequence[Edit]
    values: Values
    comment: str | None

    def is_in(self, before: Element, after: Element) -> bool:
        return _is_same({**_values(before), **self.values}, _values(after)) and _own_comment(after) == self.comment


def new_block(expansion: Expansion, changes: Sequence[Change]) -> NewBlock:
    """The new block for all links that it makes, or UnwritableError."""
    first = changes[0]
    if first.link.document.roots[0].name != "robot":
        raise UnwritableError("xacro that makes SDF is not edited")
    values, comment = _agreed(changes), _own_comment(first.after)
    try:
        source = expansion.element(first.place)
    except KeyError:
        raise UnwritableError("its element was not found in the source") from None
    if source.name == "link":
        if not source.children:
            raise UnwritableError("its link is empty")
        new = NewInertial(_texts(first.after), _markup(comment), None)
        return NewBlock(fill_edits(source, None, new, has_quaternions=False), values, comment)
    if source.name != "inertial":
        raise UnwritableError(f"it is written as <{source.name}>")
    texts = _texts(first.after)
    if not _has_own_origin(first, source, values):
        texts = texts._replace(pose="0 0 0 0 0 0")
    old = next((each for each in source.comments() if _is_own(each.text)), None)
    try:
        edits = fill_edits(source, source, NewInertial(texts, _markup(comment), old), has_quaternions=False)
    except SdfInertiaError as error:
        raise UnwritableError(error.problem) from None
    return NewBlock(_literal(edits, source, values), values, comment)


def _agreed(changes: Sequence[Change]) -> Values:
    first = changes[0]
    new = _values(first.after)
    changed = {
        key
        for each in changes
        for key in {**_values(each.link), **_values(each.after)}
        if not _is_same_text(_values(each.link).get(key), _values(each.after).get(key))
    }
    for other in changes:
        if not other.is_changed:
            raise UnwritableError(f"it also makes {_name(other.link)}, which does not change")
        its = _values(other.after)
        both = f"it makes {_name(first.link)} and {_name(other.link)}, which"
        if not all(_is_same_text(new.get(key), its.get(key)) for key in changed):
            raise UnwritableError(f"{both} need different numbers")
        if _own_comment(other.after) != _own_comment(first.after):
            raise UnwritableError(f"{both} are filled from different geometry")
    return {key: new[key] for key in changed if key in new}


def _has_own_origin(change: Change, source: Element, values: Values) -> bool:
    """True if the block holds its origin, or has none; refuses parts from elsewhere that change."""
    made = change.link.child("inertial")
    assert made is not None, "its place is that of an inertial"
    foreign = [name for name in _ATTRIBUTES if _names(made.child(name)) != _names(source.child(name))]
    for name in foreign:
        if any(part == name for part, _ in values):
            raise UnwritableError(f"its <{name}> comes from elsewhere")
    return "origin" not in foreign


def _names(part: Element | None) -> set[str] | None:
    return set(part.attributes()) if part is not None else None


def _literal(edits: Iterable[Edit], source: Element, values: Values) -> list[Edit]:
    """Drops edits of expressions whose values stay, and refuses those of others."""
    kept = {
        span[2:]
        for part in source.children
        for name in part.attributes()
        if (part.name, name) not in values and (span := part.attribute_span(name)) is not None
    }
    found = [edit for edit in edits if (edit.start, edit.stop) not in kept]
    for edit in found:
        was = source.document.data[edit.start : edit.stop].decode("utf-8", "surrogateescape")
        if "$" in was and not was.startswith("<!--"):
            raise UnwritableError(f"{shorten(was)} is not a literal number")
    return found


def without_inertials(document: Document, links: Iterable[Element]) -> bytes:
    """An expanded document without the lines of the inertials of some links."""
    data = document.data
    inertials = filter(None, (link.child("inertial") for link in links))
    return splice(
        data,
        [Edit(data.rfind(b"\n", 0, each.start) + 1, data.find(b"\n", each.end) + 1, b"") for each in inertials],
    )


def block_line(link: Element) -> str:
    inertial = link.child("inertial")
    return " ".join(_bytes(inertial).decode("utf-8", "replace").split()) if inertial is not None else ""


# Links ----------------------------------------------------------------------------------------------------------------


def _bytes(element: Element) -> bytes:
    return element.document.data[element.start : element.end]


def _name(link: Element) -> str:
    return link.attribute("name") or "a link without a name"


def _values(link: Element) -> dict[tuple[str, str], str]:
    inertial = link.child("inertial")
    parts = inertial.children if inertial is not None else ()
    return {(part.name, name): value for part in parts for name, value in part.attributes().items()}


def _is_same(one: Values, other: Values) -> bool:
    return one.keys() == other.keys() and all(_is_same_text(value, other[key]) for key, value in one.items())


def _is_same_text(one: str | None, other: str | None) -> bool:
    if one is None or other is None:
        return one is other
    return one == other or parse_numbers(one) == parse_numbers(other) is not None


def _is_own(comment: str) -> bool:
    return filled_entries(comment) is not None or repaired_cause(comment) is not None


def _own_comment(link: Element) -> str | None:
    inertial = link.child("inertial")
    comments = inertial.comments() if inertial is not None else ()
    return next((each.text for each in comments if _is_own(each.text)), None)


def _markup(comment: str | None) -> str | None:
    return f"<!--{comment}-->" if comment is not None else None


def _texts(link: Element) -> InertialText:
    values = _values(link)
    try:
        mass, *tensor = values["mass", "value"], *(values["inertia", name] for name in TENSOR_NAMES)
    except KeyError:
        raise UnwritableError("it would have no mass or no tensor") from None
    xyz, rpy = (values.get(("origin", name), "0 0 0") for name in _ATTRIBUTES["origin"])
    return InertialText(f"{xyz} {rpy}", mass, tuple(tensor))
