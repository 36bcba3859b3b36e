"""Problems of a file in words, and the commands that fix them."""

from __future__ import annotations

import shlex
from typing import NamedTuple

from sdfinertia.errors import Location, printable

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
    """A problem, in one sentence without a full stop.

    Attributes:
        is_fixable, is_minor: as those of a `Finding`.
    """

    message: str
    advice: str | Command = ""  # the command that fixes it, or else what to do
    location: Location | None = None  # of the element that is wrong; None for the whole link, or its inertial
    is_fixable: bool = True
    is_minor: bool = False
    meant: str = ""  # the name of the element or attribute that is misspelt

    @property
    def remedy(self) -> str:
        return str(self.advice)

    def __str__(self) -> str:
        return printable(f"{self.message}; {self.remedy}" if self.remedy else self.message)


class Phrases(NamedTuple):
    """The words of a format in messages; `{0}` and `{1}` take a name and a value."""

    density: str
    no_request: str
    inertial_pose: str
    scale: str
    parameter: str
    parameter_value: str
    thickness: str
    without_inertial: str  # the behaviour of simulators for a link that has collisions and no inertial
    without_tensor: str  # their behaviour for an inertial without a tensor
    mass: str  # the place of the mass
    mass_remedy: str = ""  # for a mass that is not above zero
