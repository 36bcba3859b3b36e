"""Comments by which a link asks to be filled, or a collision gives its density; URDF has no elements for either.

<!-- sdfinertia: auto density=2700 method=convex_hull -->     a child of the link, which stays once it is filled
<!-- sdfinertia: density=1200 -->                             a child of the collision
"""

from __future__ import annotations

from collections.abc import Iterable

from sdfinertia.declaration import Kind
from sdfinertia.errors import Location, ValueTextError
from sdfinertia.markup.document import Element
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.options import PARAMETERS
from sdfinertia.robot.numbers import parse_number, shorten
from sdfinertia.robot.values import OWN_MARK, Comment, InertiaParameters, own_words
from sdfinertia.urdf.values import refuse_xacro

_REQUEST, _DENSITY, _SUPPRESSION = "auto", "density", "ignore"
_NAMES = (_DENSITY, *PARAMETERS)
_MARK = OWN_MARK.encode()


class Request(NamedTuple):
    """What a link asks for.

    Attributes:
        density: of collisions without their own (kg/m³).
    """

    density: float | None
    parameters: InertiaParameters


def asks(link: Element) -> bool:
    """Whether a comment asks for its inertia, well or badly."""
    return any(words[:1] == [_REQUEST] for _, words in own_comments(link))


def read_request(link: Element) -> Request | None:
    request: Request | None = None
    for comment, words in own_comments(link):
        if words[:1] != [_REQUEST]:
            continue
        location = link.document.location(comment.start)
        if request is not None:
            raise ValueTextError("the link asks twice to be filled", location=location, remedy="keep one comment")
        entries = _entries(words[1:], _NAMES, comment, location)
        density = _density(entries.pop(_DENSITY), location) if _DENSITY in entries else None
        values = {name: _value(name, text, location) for name, text in entries.items()}
        request = Request(density, InertiaParameters(**values))  # type: ignore[arg-type]
    return request


def read_own_density(solid: Element) -> float | None:
    """kg/m³."""
    density: float | None = None
    for comment, words in own_comments(solid):
        location = solid.document.location(comment.start)
        entries = _entries(words, (_DENSITY,), comment, location)
        if density is not None:
            raise ValueTextError("the density is given twice", location=location, remedy="keep one comment")
        density = _density(entries[_DENSITY], location) if entries else None
    return density


def stray_comments(link: Element) -> Iterable[Comment]:
    """Comments that begin as requests do, and ask for nothing."""
    for comment, words in own_comments(link):
        if words[:1] not in ([_REQUEST], [_SUPPRESSION]):
            yield comment


def own_comments(element: Element) -> Iterable[tuple[Comment, list[str]]]:
    """The comments directly in an element that are for this tool, with their words."""
    # Most elements hold none, and need not be taken apart to see it.
    if element.document.data.find(_MARK, element.start, element.end) < 0:
        return
    for found in element.comments():
        words = own_words(found[2])
        if words is not None:
            yield Comment._make(found), words


def _entries(words: Iterable[str], names: Iterable[str], comment: Comment, location: Location) -> dict[str, str]:
    refuse_xacro(comment.text, "the comment", location)
    entries: dict[str, str] = {}
    for word in words:
        name, is_entry, text = word.partition("=")
        if name not in names:
            raise ValueTextError(
                f"the comment asks for {shorten(name)!r}, which is not known", location=location, remedy=_known(names)
            )
        if not is_entry or not text:
            raise ValueTextError(f"{name} has no value in the comment", location=location, remedy=f"write {name}=VALUE")
        if name in entries:
            raise ValueTextError(f"the comment gives {name} twice", location=location, remedy="keep one")
        entries[name] = text
    return entries


def _known(names: Iterable[str]) -> str:
    return f"write {', '.join(f'{name}=VALUE' for name in names)}"


def _density(text: str, location: Location) -> float:
    density = parse_number(text)
    if density is None or density < 0.0:
        raise ValueTextError(
            f"density must be a number (kg/m³), zero or above, not {shorten(text)!r}", location=location
        )
    return density


def _value(name: str, text: str, location: Location) -> str | float:
    declaration = PARAMETERS[name]
    if declaration.kind is Kind.NUMBER:
        number = parse_number(text)
        if number is None or number <= 0.0:
            raise ValueTextError(f"{name} must be a number above zero, not {shorten(text)!r}", location=location)
        return number
    if declaration.kind is Kind.CHOICE and text not in declaration.choices:
        raise ValueTextError(
            f"{name} must be one of {', '.join(declaration.choices)}, not {shorten(text)!r}", location=location
        )
    return text
