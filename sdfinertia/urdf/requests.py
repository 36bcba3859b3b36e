"""Requests in comments, of formats that have no elements for them: links that ask to be filled, and densities.

<!-- sdfinertia: auto density=2700 method=convex_hull -->     a child of the link, which stays once it is filled
<!-- sdfinertia: density=1200 -->                             a child of the collision
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sdfinertia.errors import Location, SdfInertiaError, ValueTextError
from sdfinertia.options import PARAMETERS
from sdfinertia.robot.inertial import InertiaParameters
from sdfinertia.robot.link import NO_REQUEST, Request, attempt
from sdfinertia.robot.marks import filled_entries, is_xacro, own_words
from sdfinertia.robot.numbers import parse_number, shorten
from sdfinertia.robot.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sdfinertia.markup.document import Comment, Element
    from sdfinertia.robot.link import Link

XACRO_REMEDY = "rename it to .urdf.xacro, or --exclude it"

_REQUEST, _DENSITY, _SUPPRESSION = "auto", "density", "ignore"
_NAMES = (_DENSITY, *PARAMETERS)


def refuse_xacro(text: str, what: str, location: Location | None = None) -> None:
    if is_xacro(text):
        raise ValueTextError(f"{what} holds xacro: {shorten(text)!r}", location=location, remedy=XACRO_REMEDY)


def read_request(link: Link) -> Request:
    asking = [(comment, words[1:]) for comment, words in own_comments(link.element) if words[:1] == [_REQUEST]]
    if not asking:
        return NO_REQUEST
    found = attempt(_asked, link, asking)
    if isinstance(found, SdfInertiaError):
        return Request(found, True, found, found)
    is_filled = any(filled_entries(comment.text) is not None for comment in link.inertial_comments())
    return Request(not is_filled, True, *found)


def _asked(link: Link, asking: Sequence[tuple[Comment, list[str]]]) -> tuple[float | None, InertiaParameters]:
    for place, (comment, words) in enumerate(asking):
        try:
            if place:
                raise ValueTextError("the link asks twice to be filled", remedy="keep one comment")
            entries = _entries(words, _NAMES, comment)
            density = _density(entries.pop(_DENSITY)) if _DENSITY in entries else None
            values = {name: _value(name, text) for name, text in entries.items()}
        except ValueTextError as error:
            raise error.within(location=link.location_of(comment)) from None
    return density, InertiaParameters(**values)  # type: ignore[arg-type]


def request_location(link: Link) -> Location:
    return link.location_of(next(comment for comment, words in own_comments(link.element) if words[:1] == [_REQUEST]))


def read_own_density(solid: Element) -> float | None:
    """kg/m³."""
    density: float | None = None
    for comment, words in own_comments(solid):
        try:
            entries = _entries(words, (_DENSITY,), comment)
            if density is not None:
                raise ValueTextError("the density is given twice", remedy="keep one comment")
            density = _density(entries[_DENSITY]) if entries else None
        except ValueTextError as error:
            raise error.within(location=solid.document.location(comment.start)) from None
    return density


def stray_comments(link: Link) -> Iterator[Problem]:
    for comment, words in own_comments(link.element):
        if words[:1] not in ([_REQUEST], [_SUPPRESSION]):
            problem = f"a comment asks for nothing: {shorten(comment.text.strip())!r}"
            yield Problem(problem, "write `sdfinertia: auto`, or remove it", link.location_of(comment))


def own_comments(element: Element) -> Sequence[tuple[Comment, list[str]]]:
    found = [(comment, own_words(comment.text)) for comment in element.comments()]
    return [(comment, words) for comment, words in found if words is not None]


def _entries(words: Iterable[str], names: Iterable[str], comment: Comment) -> dict[str, str]:
    refuse_xacro(comment.text, "the comment")
    entries: dict[str, str] = {}
    for word in words:
        name, is_entry, text = word.partition("=")
        if name not in names:
            raise ValueTextError(f"the comment asks for {shorten(name)!r}, which is not known", remedy=_known(names))
        if not is_entry or not text:
            raise ValueTextError(f"{name} has no value in the comment", remedy=f"write {name}=VALUE")
        if name in entries:
            raise ValueTextError(f"the comment gives {name} twice", remedy="keep one")
        entries[name] = text
    return entries


def _known(names: Iterable[str]) -> str:
    return f"write {', '.join(f'{name}=VALUE' for name in names)}"


def _density(text: str) -> float:
    density = parse_number(text)
    if density is None or density < 0.0:
        raise ValueTextError(f"density must be a number (kg/m³), zero or above, not {shorten(text)!r}")
    return density


def _value(name: str, text: str) -> str | float:
    option = PARAMETERS[name]
    if option.type is float:
        number = parse_number(text)
        if number is None or number <= 0.0:
            raise ValueTextError(f"{name} must be a number above zero, not {shorten(text)!r}")
        return number
    if option.choices and text not in option.choices:
        raise ValueTextError(f"{name} must be one of {', '.join(option.choices)}, not {shorten(text)!r}")
    return text
