"""Writes inertials into xacro sources, where their numbers are literals, or properties used nowhere else."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Set

from sdfinertia.errors import Location, SdfInertiaError
from sdfinertia.inertia.inertial_text import InertialText
from sdfinertia.markup.document import Document, Edit, Element, splice
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.robot.comments import filled_entries, repaired_cause
from sdfinertia.robot.inertial import TENSOR_NAMES, NewInertial
from sdfinertia.robot.numbers import parse_numbers, shorten
from sdfinertia.urdf.edits import fill_edits
from sdfinertia.xacro.expansion import Expansion, Place
from sdfinertia.xacro.uses import names_in

# The edits by file.
Edits = Mapping[int, Sequence[Edit]]

_ATTRIBUTES = {"origin": ("xyz", "rpy"), "mass": ("value",), "inertia": TENSOR_NAMES}
_VALUES = tuple((child, name) for child, names in _ATTRIBUTES.items() for name in names)
# A property, or its negative.
_PROPERTY = re.compile(r"\$\{\s*(?:(-)\s*)?([A-Za-z_][A-Za-z0-9_]*)\s*\}")


class UnwritableError(Exception):
    """Why a block cannot be written."""


class Property(NamedTuple):
    """A property that is to be changed: where it is defined, and how often the block itself uses it."""

    name: str
    file: str
    location: Location
    uses: int


class Change(NamedTuple):
    """A link of the expanded document before and after; `place` is that of its inertial, or of the link without one."""

    link: Element
    after: Element
    place: Place

    @property
    def is_changed(self) -> bool:
        return _bytes(self.link) != _bytes(self.after)


def source_edits(
    expansion: Expansion, instances: Sequence[Change], require_unused: Callable[[Property], None]
) -> dict[int, list[Edit]]:
    """The edits that write one block of the source, by file.

    Args:
        instances: all links that it makes, those of other robots too; the first is one of this expansion.
        require_unused: refuses a property that is also used elsewhere.

    Raises:
        UnwritableError: it cannot be written.
    """
    first = instances[0]
    if first.link.document.roots[0].name != "robot":
        raise UnwritableError("xacro that makes SDF is not edited")
    _require_agreement(instances)
    kept = _kept(instances)
    source = _element(expansion, first.place)
    texts, comment = _texts(first.after), _own_comment(first.after.child("inertial"))
    if source.name == "link":
        if not source.children:
            raise UnwritableError("its link is empty")
        new = NewInertial(texts, _markup(comment), None)
        return {first.place.file: fill_edits(source, None, new, has_quaternions=False)}
    if source.name != "inertial":
        raise UnwritableError(f"it is written as <{source.name}>")
    if not _has_own_origin(expansion, first, source, kept):
        # It comes from elsewhere, and does not change.
        texts = texts._replace(pose="0 0 0 0 0 0")
    old = next((each for each in source.comments() if _is_own(each.text)), None)
    try:
        new = NewInertial(texts, _markup(comment), old)
        edits = fill_edits(source, source, new, has_quaternions=False)
    except SdfInertiaError as error:
        raise UnwritableError(error.problem) from None
    kept_spans = _spans_of(source, kept)
    edits = [edit for edit in edits if (edit.start, edit.stop) not in kept_spans]
    return _edits_by_file(expansion, source, first.place.file, edits, require_unused)


def _spans_of(source: Element, kept: set[tuple[str, str]]) -> set[tuple[int, int]]:
    """The spans of the values of attributes, by the names of their elements."""
    parts = ((source.child(name), attribute) for name, attribute in kept)
    spans = (part.attribute_span(attribute) for part, attribute in parts if part is not None)
    return {span[2:] for span in spans if span is not None}


def _edits_by_file(
    expansion: Expansion,
    source: Element,
    own_file: int,
    edits: Sequence[Edit],
    require_unused: Callable[[Property], None],
) -> dict[int, list[Edit]]:
    """The edits of a block by file; where a property gives the value, the property is edited."""
    found: dict[int, list[Edit]] = {own_file: []}
    for edit in edits:
        was = source.document.data[edit.start : edit.stop].decode("utf-8", "surrogateescape")
        if "$" not in was or was.startswith("<!--"):
            found[own_file].append(edit)
            continue
        file, own = _property_edit(expansion, source, was, edit.replacement.decode("ascii"), require_unused)
        if own not in found.setdefault(file, []):
            found[file].append(own)
    for file, each in found.items():
        if len({(edit.start, edit.stop) for edit in each}) < len(each):
            raise UnwritableError(f"a property in {expansion.name(file)} would need two values")
    return found


def _require_agreement(instances: Sequence[Change]) -> None:
    """Refuses a block that makes links which need different numbers."""
    first = instances[0]
    kept = _kept(instances)
    own = first.link.document.path
    for other in instances:
        name = _name(other.link) + (f" in {other.link.document.path}" if other.link.document.path != own else "")
        if not other.is_changed:
            raise UnwritableError(f"it also makes {name}, which does not change")
        if any(_value(first.after, *each) != _value(other.after, *each) for each in _VALUES if each not in kept):
            raise UnwritableError(f"it makes {_name(first.link)} and {name}, which need different numbers")
        if _own_comment(other.after.child("inertial")) != _own_comment(first.after.child("inertial")):
            raise UnwritableError(f"it makes {_name(first.link)} and {name}, which are filled from different geometry")


def edited_sources(expansion: Expansion, edits: Iterable[Edits]) -> dict[int, tuple[bytes, list[Edit]]]:
    """The edited sources and their edits, by file."""
    found: dict[int, list[Edit]] = {}
    for each in edits:
        for file, own in each.items():
            found.setdefault(file, []).extend(edit for edit in own if edit not in found.get(file, ()))
    return {file: (splice(expansion.source(file).data, own), own) for file, own in found.items()}


def is_same(document: Document, other: Document) -> bool:
    """Whether two documents are equal in elements, attributes, texts and comments; numbers are compared by value."""
    if len(document.roots) != len(other.roots):
        return False
    pending = list(zip(document.roots, other.roots, strict=True))
    while pending:
        one, two = pending.pop()
        if (
            one.name != two.name
            or len(one.children) != len(two.children)
            or set(one.attributes()) != set(two.attributes())
            or not all(_is_same_text(one.attribute(name), two.attribute(name)) for name in one.attributes())
            or not _is_same_text(one.text(), two.text())
            or [each.text for each in one.comments()] != [each.text for each in two.comments()]
        ):
            return False
        pending += zip(one.children, two.children, strict=True)
    return True


def block_line(link: Element) -> str:
    """The inertial of a link on one line."""
    inertial = link.child("inertial")
    return " ".join(_bytes(inertial).decode("utf-8", "replace").split()) if inertial is not None else ""


# Comparison -----------------------------------------------------------------------------------------------------------


def _bytes(element: Element) -> bytes:
    return element.document.data[element.start : element.end]


def _name(link: Element) -> str:
    return link.attribute("name") or "a link without a name"


def _is_same_text(one: str | None, two: str | None) -> bool:
    return one == two or (one is not None and two is not None and parse_numbers(one) == parse_numbers(two) is not None)


def _text(link: Element, name: str, attribute: str) -> str | None:
    """A value in the inertial of a link."""
    inertial = link.child("inertial")
    part = inertial.child(name) if inertial is not None else None
    return part.attribute(attribute) if part is not None else None


def _value(link: Element, name: str, attribute: str) -> tuple[float, ...] | None:
    return parse_numbers(_text(link, name, attribute) or "")


def _kept(instances: Sequence[Change]) -> set[tuple[str, str]]:
    """The values that no instance changes."""
    return {each for each in _VALUES if all(_keeps(instance, *each) for instance in instances)}


def _keeps(change: Change, name: str, attribute: str) -> bool:
    return _is_same_text(_text(change.link, name, attribute), _text(change.after, name, attribute))


def _is_own(comment: str) -> bool:
    """Whether it is a provenance or repair comment."""
    return filled_entries(comment) is not None or repaired_cause(comment) is not None


def _own_comment(inertial: Element | None) -> str | None:
    comments = inertial.comments() if inertial is not None else ()
    return next((text for _, _, text in comments if _is_own(text)), None)


def _markup(comment: str | None) -> str | None:
    return f"<!--{comment}-->" if comment is not None else None


def _texts(link: Element) -> InertialText:
    """The new texts of a link's inertial."""
    mass, moments = _text(link, "mass", "value"), [_text(link, "inertia", name) for name in TENSOR_NAMES]
    if mass is None or None in moments:
        raise UnwritableError("it would have no mass or no tensor")
    xyz, rpy = (_text(link, "origin", name) or "0 0 0" for name in _ATTRIBUTES["origin"])
    return InertialText(f"{xyz} {rpy}", mass, tuple(map(str, moments)))


# The source -----------------------------------------------------------------------------------------------------------


def _element(expansion: Expansion, place: Place) -> Element:
    try:
        return expansion.element(place)
    except KeyError:
        raise UnwritableError("its element was not found in the source") from None


def _has_own_origin(expansion: Expansion, change: Change, source: Element, kept: Set[tuple[str, str]]) -> bool:
    """Whether the block itself holds its origin; a part that comes from elsewhere, and changes, is refused."""
    inertial = change.link.child("inertial")
    assert inertial is not None, "its place is that of an inertial"
    for name, attributes in _ATTRIBUTES.items():
        made, own = inertial.child(name), source.child(name)
        if made is None and own is None:
            continue
        if made is None or own is None or expansion.place(made.line).block != (change.place.file, own.start):
            if name == "origin" and all((name, attribute) in kept for attribute in attributes):
                return False
            raise UnwritableError(f"its <{name}> comes from elsewhere")
        for attribute in attributes:
            if (made.attribute(attribute) is None) != (own.attribute(attribute) is None):
                raise UnwritableError(f"{attribute} of its <{name}> comes from elsewhere")
    return True


def _property_edit(
    expansion: Expansion, source: Element, was: str, value: str, require_unused: Callable[[Property], None]
) -> tuple[int, Edit]:
    """The edit of the property that a value refers to, with its file."""
    match = _PROPERTY.fullmatch(was.strip())
    if match is None:
        raise UnwritableError(f"{shorten(was)} computes a number")
    sign, name = match.groups()
    definitions = expansion.properties.get(name, ())
    if len(definitions) != 1:
        raise UnwritableError(f"{name!r} is {'defined several times' if definitions else 'not a property'}")
    ((file, element),) = definitions
    span, old = element.attribute_span("value"), element.attribute("value")
    if span is None or parse_numbers(old or "") is None:
        raise UnwritableError(f"the property {name!r} is not a literal number ({element.location()})")
    require_unused(Property(name, expansion.files[file], element.location(), names_in(_bytes(source))[name]))
    if sign:
        value = value[1:] if value.startswith("-") else f"-{value}"
    return file, Edit(span[2], span[3], value.encode())
