"""Problems of a file in words, the commands that fix them, and the malformations that any format may have."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from typing import NamedTuple

from sdfinertia.errors import Location, SdfInertiaError, printable, shorten
from sdfinertia.markup import Element

# Remedy for physically impossible inertias.
CHECK_TELLS_WHY = "`sdfinertia check` says why, and `check --fix` fixes what only rounding broke"


class Command(NamedTuple):
    """A command line that fixes something."""

    words: tuple[str, ...]  # the program and its arguments, but for those below
    links: tuple[str, ...] = ()  # patterns of links, each for `--link`
    file: str = ""  # the last argument
    does: str = ""  # its effect, in words behind it
    also: tuple[str, ...] = ()  # other files that it fixes in the same way

    def __str__(self) -> str:
        words = [*self.words]
        for link in self.links:
            words += ("--link", link)
        files = [file for file in (self.file, *self.also) if file]
        if any(file.startswith("-") and file != "-" for file in files):
            # Else it would be taken for an option.
            words.append("--")
        line = shlex.join([*words, *files])
        return printable(f"{line} {self.does}" if self.does else line)


class Problem(NamedTuple):
    """A problem, in one sentence without a full stop."""

    message: str
    advice: str | Command = ""  # the command that fixes it, or else what to do
    location: Location | None = None  # of the element that is wrong; None for the whole link, or its inertial
    is_fixable: bool = True  # as that of a `Finding`, and so the next
    is_minor: bool = False
    meant: str = ""  # the name of the element or attribute that is misspelt

    @property
    def remedy(self) -> str:
        return str(self.advice)

    def __str__(self) -> str:
        return printable(f"{self.message}; {self.remedy}" if self.remedy else self.message)


class Phrases(NamedTuple):
    """The words of a format in messages; `{0}` takes a name or a value."""

    density: str
    no_request: str
    inertial_pose: str
    scale: str
    parameter: str
    without_inertial: str  # the behaviour of simulators for a link that has collisions and no inertial
    without_tensor: str  # their behaviour for an inertial without a tensor
    mass: str  # the place of the mass
    mass_remedy: str = ""  # for a mass that is not above zero


# Malformed elements --------------------------------------------------------------------------------------------------

# The elements and attributes, of any format, that shape the numbers of a link that is computed.
_PLACES = ("pose", "origin", "xyz", "rpy", "quat_xyzw", "pos", "quat", "axisangle", "xyaxes", "zaxis", "euler")
_SIZES = ("type", "size", "radius", "radii", "length", "height", "point", "fromto", "mesh", "submesh", "scale")
SHAPING = frozenset(("inertial", "collision", "geom", "mass", "density", "auto_inertia_params", *_PLACES, *_SIZES))
# Where inertias are written by mistake; `unknown_elements` of SDFormat finds those in its links and collisions.
_WALKED = ("sdf", "world", "model", "include", "robot", "link", "joint", "visual")
_OF_INERTIALS = dict.fromkeys(set(_WALKED) - {"sdf", "link"}, ("mass", "inertia", "inertial"))
# Longer names are no slips of a hand, and comparing takes time that grows with their length.
_LONGEST_COMPARED = 40


def given_twice(parent: Element, names: Iterable[str]) -> Sequence[Element]:
    written = [child.name for child in parent.children]
    if len({*written}) == len(written):
        return ()
    return [parent.children_named(name)[1] for name in names if written.count(name) > 1]


def several_inertials(inertials: Sequence[Element], refused: str = "") -> Iterator[Problem]:
    if len(inertials) > 1:
        problem = f"{len(inertials)} <inertial> elements{refused}: the first counts"
        yield Problem(problem, "keep one", inertials[1].location())


def unreadable(values: Iterable[object], remedy: str) -> Iterator[Problem]:
    for error in values:
        if isinstance(error, SdfInertiaError):
            yield Problem(error.problem, error.remedy or remedy, error.location)


def searched_elements(link: Element) -> list[Element]:
    """The elements whose children are searched for unknown ones."""
    found = [link]
    for child in link.children:
        if child.name in ("inertial", "collision"):
            found.append(child)
        if child.name in ("collision", "visual"):
            found += child.children_named("geometry")
    return found


def misspelt_elements(parent: Element, known: Sequence[str], cutoff: float, title: str) -> Iterator[Problem]:
    """Children whose names are near misses of those that a format has there; prefixed ones are others'."""
    for child in parent.children:
        if child.name not in known and ":" not in child.name and (meant := similar_name(child.name, known, cutoff)):
            problem = f"{title} has no <{shorten(child.name)}> in <{parent.name}>"
            yield Problem(problem, f"did you mean <{meant}>?", child.location(), meant=meant)


def misspelt_attributes(element: Element, known: Sequence[str], cutoff: float, title: str) -> Iterator[Problem]:
    """Attributes whose names are near misses of those that a format has there; prefixed ones are others'."""
    given = element.attributes
    for name in given:
        if name not in known and ":" not in name and (meant := similar_name(name, known, cutoff)):
            if given.get(meant) == given[name]:
                continue  # izx beside the same ixz
            problem = f"{title} has no {shorten(name)} in <{element.name}>"
            yield Problem(problem, f"did you mean {meant}?", element.location(), meant=meant)


def misplaced_elements(roots: Iterable[Element]) -> Iterator[Problem]:
    """Elements of inertials where no reader looks for them."""
    pending = list(roots)
    while pending:
        parent = pending.pop()
        for child in parent.children:
            if child.name in _WALKED:
                pending.append(child)
            elif child.name in _OF_INERTIALS.get(parent.name, ()):
                problem = f"<{child.name}> in <{parent.name}>, where no reader looks for it"
                yield Problem(problem, "write it in the <inertial> of a link", child.location())


def similar_name(name: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """The known name that is meant; "" where none is similar."""
    if len(name) > _LONGEST_COMPARED:
        return ""
    # Letters in another order before letters that differ: <iyx> is <ixy>.
    reordered = next((other for other in known if sorted(other) == sorted(name.lower())), "")
    if reordered:
        return reordered

    return next(iter(get_close_matches(name.lower(), list(known), 1, cutoff)), "")
