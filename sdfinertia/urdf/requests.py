"""Requests in comments, of formats that have no elements for them: links that ask to be filled, and densities.

<!-- sdfinertia: auto density=2700 method=convex_hull -->     a child of the link, which stays once it is filled
<!-- sdfinertia: density=1200 -->                             a child of the collision
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.errors import InertiaError, Location, ValueTextError
from sdfinertia.options import PARAMETERS
from sdfinertia.robot import link as base
from sdfinertia.robot.inertial import NO_PARAMETERS, InertiaParameters
from sdfinertia.robot.marks import OWN_MARK, filled_entries, is_xacro, own_words
from sdfinertia.robot.numbers import parse_number, shorten
from sdfinertia.robot.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sdfinertia.markup.document import Comment, Element

XACRO_REMEDY = "rename it to .urdf.xacro, or --exclude it"

_REQUEST, _DENSITY, _SUPPRESSION = "auto", "density", "ignore"
_NAMES = (_DENSITY, *PARAMETERS)
_MARK = OWN_MARK.encode()


def refuse_xacro(text: str, what: str, location: Location | None = None) -> None:
    if is_xacro(text):
        raise ValueTextError(f"{what} holds xacro: {shorten(text)!r}", location=location, remedy=XACRO_REMEDY)


class Request(NamedTuple):
    """The request of a link.

    Attributes:
        density: of collisions without their own (kg/m³).
    """

    density: float | None
    parameters: InertiaParameters


class AskingLink(base.Link):
    """A link that requests computation by a comment, which stays once it is filled."""

    __slots__ = ("_request", "has_request", "own_comments")

    def __init__(self, model: base.Model, element: Element, name: str | None = None) -> None:
        super().__init__(model, element, name)
        # With their words.
        self.own_comments = own_comments(element)
        self.has_request = any(words[:1] == [_REQUEST] for _, words in self.own_comments)
        self._request: Request | None = None

    def request(self) -> Request | None:
        if self._request is None and self.has_request:
            self._request = read_request(self)
        return self._request

    def asks_to_be_filled(self) -> bool:
        """Whether a comment requests its inertia, and its block was not filled."""
        if self.request() is None:
            return False
        return not any(filled_entries(comment.text) is not None for comment in self.inertial_comments())

    def default_density(self) -> float | None:
        request = self.request()
        return request.density if request is not None else None

    def default_parameters(self) -> InertiaParameters:
        request = self.request()
        return request.parameters if request is not None else NO_PARAMETERS

    def require_explicit(self, inertial: Element) -> None:
        if self.has_request:
            raise InertiaError(
                "a comment asks for its inertial to be computed, which would undo the scaling",
                remedy="change or take out the comment",
            )


def read_request(link: AskingLink) -> Request | None:
    request: Request | None = None
    for comment, words in link.own_comments:
        if words[:1] != [_REQUEST]:
            continue
        try:
            if request is not None:
                raise ValueTextError("the link asks twice to be filled", remedy="keep one comment")
            entries = _entries(words[1:], _NAMES, comment)
            density = _density(entries.pop(_DENSITY)) if _DENSITY in entries else None
            values = {name: _value(name, text) for name, text in entries.items()}
        except ValueTextError as error:
            raise error.within(location=link.location_of(comment)) from None
        request = Request(density, InertiaParameters(**values))  # type: ignore[arg-type]
    return request


def request_location(link: AskingLink) -> Location:
    """The place of the requesting comment."""
    comments = (comment for comment, words in link.own_comments if words[:1] == [_REQUEST])
    return link.location_of(next(comments))


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


def stray_comments(link: AskingLink) -> Iterator[Problem]:
    """Comments that begin like requests, and request nothing."""
    for comment, words in link.own_comments:
        if words[:1] not in ([_REQUEST], [_SUPPRESSION]):
            problem = f"a comment asks for nothing: {shorten(comment.text.strip())!r}"
            yield Problem(problem, "write `sdfinertia: auto`, or remove it", link.location_of(comment))


def own_comments(element: Element) -> Sequence[tuple[Comment, list[str]]]:
    """The comments directly in an element that are for this tool, with their words."""
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
