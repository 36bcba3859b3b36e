"""The errors of sdfinertia: one small tree, each saying where, what is wrong, and what to do.

An error is raised where the fact is known, and never changed: callers that know more raise a copy made by
`SdfInertiaError.within` or `with_remedy`. Only the command line handles errors for good.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, TypeVar

_T = TypeVar("_T")

# Commands in logs of continuous integration: for GitHub's runner at the start of a line, for its predecessor anywhere
# in it (actions/runner, ActionCommand.cs).
_COMMAND_AT_START = r"\A\s*:(?=:)"
_COMMAND_ANYWHERE = "##["
# Patterns here are texts, which `re` compiles when they are first used: few runs need them.
# Halves of characters beyond 16 bits; those from U+DC80 to U+DCFF stand for bytes that are no text instead.
_HALVES = "[\ud800-\udc7f\udd00-\udfff]"
# Invisible characters that separate lines or direct text, and the middle of `##[`, which starts a command in a log.
_UNSEEN = (
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|(?<=#)#(?=\\[)"
)


def printable(text: str) -> str:
    """One line, without characters that direct terminals or text, nor commands to services that read logs."""
    if text.isprintable() and text.lstrip()[:1] != ":" and _COMMAND_ANYWHERE not in text:
        return text
    text = "".join(c if c.isprintable() or "\udc80" <= c <= "\udcff" else ascii(c)[1:-1] for c in text)
    text = re.sub(_COMMAND_AT_START, lambda match: match[0][:-1] + "\\x3a", text)
    return text.replace(_COMMAND_ANYWHERE, "#\\x23[")


def unicode_text(text: str) -> str:
    if text.isascii():
        return text
    return re.sub(_HALVES, "\ufffd", text).encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def shorten(text: str, length: int = 40) -> str:
    text = unicode_text(text)
    return text if len(text) <= length else text[: length - 3] + "..."


def visible(text: str) -> str:
    """The text with escapes for invisible characters and for commands to a log."""
    return re.sub(_UNSEEN, lambda match: f"\\u{ord(match[0]):04x}", text)


def one_line(message: str) -> str:
    if "\n" in message:
        lines = [" ".join(line.split()) for line in message.splitlines()]
        message = "; ".join(line for line in lines if line).replace(":; ", ": ")
    return printable(message)


def counted(number: int, noun: str, plural: str = "") -> str:
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


# In front of a note on a likely mistake.
WARNING_MARK = "warning: "


def noted(note: str) -> str:
    return note if note.startswith(WARNING_MARK) else f"note: {note}"


def first_few(items: Sequence[str], maximum: int = 3) -> str:
    more = f" and {len(items) - maximum:,} more" if len(items) > maximum else ""
    return ", ".join(items[:maximum]) + more


def shown_path(path: str, beside: str) -> str:
    """A path as messages show it: relative where `beside`, the file that led to it, was named so by the user."""
    if os.path.isabs(beside) or not os.path.isabs(path):
        return path
    here = os.getcwd()
    return path[len(here) + 1 :] if path.startswith(os.path.join(here, "")) else path


class Location(NamedTuple):
    """A place in a text file; `line` and `column` count from 1, columns in characters."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{printable(self.file)}:{self.line}:{self.column}"


class SdfInertiaError(Exception):
    """The base of every error that input can cause.

    Args:
        problem: one sentence without a full stop, with the expected and the found value.
        remedy: one sentence on what to do, or nothing where that is plain.
        location: where in a text file the problem is.
        file: the file, where no place inside it can be named.
        link: scoped name of the link being worked on (`model::nested::link`).
        collision: name of its collision.
    """

    def __init__(
        self,
        problem: str,
        *,
        remedy: str = "",
        location: Location | None = None,
        file: str | None = None,
        link: str | None = None,
        collision: str | None = None,
    ) -> None:
        super().__init__(problem)
        self.problem = problem
        self.remedy = remedy
        self.location = location
        self.file = file
        self.link = link
        self.collision = collision

    def copied(self) -> SdfInertiaError:
        """Not `copy.copy`, which pickles: with tblib, which Dask brings, a copy shares its attributes."""
        error = type(self).__new__(type(self), *self.args)
        vars(error).update(vars(self))
        return error

    def within(
        self,
        *,
        location: Location | None = None,
        file: str | None = None,
        link: str | None = None,
        collision: str | None = None,
    ) -> SdfInertiaError:
        """A copy with the place, where this has none: it may be cached, and raised again."""
        error = self.copied()
        error.location = self.location or location
        error.file = self.file or file
        error.link = self.link or link
        error.collision = self.collision or collision
        return error

    def with_remedy(self, remedy: str) -> SdfInertiaError:
        """A copy with another remedy."""
        error = self.copied()
        error.remedy = remedy
        return error

    @property
    def other_file(self) -> str:
        """The file that the problem lies in, where its location is in another."""
        if not self.file or (self.location and self.file == self.location.file):
            return ""
        return printable(shown_path(self.file, self.location.file) if self.location else self.file)

    def __str__(self) -> str:
        file = printable(self.file) if self.file else None
        where = str(self.location) if self.location else file
        other_file = self.other_file if self.location else ""
        what = (self.link and f"link {self.link!r}", self.collision and f"collision {self.collision!r}")
        head = filter(None, (where, ", ".join(filter(None, what)), other_file))
        return one_line(": ".join([*head, self.problem]) + (f"; {self.remedy}" if self.remedy else ""))


class TextError(SdfInertiaError):
    """A file cannot be read as SDF."""


class TemplateError(TextError):
    """A file is a template, from which a program makes SDF or URDF."""


class IncompleteError(TextError):
    """A xacro file lacks an argument, property or macro, which another file or the command line may give."""


class FragmentError(TemplateError):
    """A file is part of a robot: others include it, or give its arguments."""


class UnexpandedError(TemplateError):
    """A file is SDF with xacro in it."""


class ValueTextError(SdfInertiaError):
    """An element or attribute holds a value that SDFormat does not allow there."""


class FrameError(SdfInertiaError):
    """A frame does not exist, stands in a cycle, or cannot be resolved."""


class GeometryError(SdfInertiaError):
    """A geometry has no volume, or dimensions no solid can have."""


class ResourceError(SdfInertiaError):
    """A file that an SDF names cannot be found or may not be read.

    Args:
        uri: that was not found; "" where the file exists and something else is wrong with it.
    """

    def __init__(self, problem: str, *, uri: str = "", remedy: str = "", **place: Any) -> None:
        super().__init__(problem, remedy=remedy, **place)
        self.uri = uri


class MeshError(SdfInertiaError):
    """A mesh file is damaged, of an unknown format, or holds no solid."""


class OpenMeshError(MeshError):
    """A mesh is not closed, so its volume is not defined.

    Args:
        one_sided: whether a part of its surface has only one side, like a Möbius strip.
    """

    def __init__(self, problem: str, *, remedy: str = "", one_sided: bool = False) -> None:
        super().__init__(problem, remedy=remedy)
        self.one_sided = one_sided


class ThicknessError(MeshError):
    """A mesh is to be a shell, and its thickness is not given."""


class InertiaError(SdfInertiaError):
    """Densities, masses or the computed inertia are not physical."""


class ConfigurationError(SdfInertiaError):
    """An option or a configuration file is wrong."""


class WriteError(SdfInertiaError):
    """A file could not be written; the old one is whole."""


class WorkerError(SdfInertiaError):
    """Work on a file failed without a known fault of the file: its process died, or the program has a mistake."""


class ClusterError(SdfInertiaError):
    """The cluster of a run cannot work, or was lost."""


def install_advice(extra: str) -> str:
    return f"install it with `pip install 'sdfinertia[{extra}]'`"


# Results where Python shows them -------------------------------------------------------------------------------------

_MAX_LINES, _LONGEST_LINE = 20, 160


class ResultList(list[_T]):
    """A list of results that fits a screen where it is shown."""

    def __repr__(self) -> str:
        return screen(counted(len(self), "result"), map(str, self))


def screen(head: str, lines: Iterable[str]) -> str:
    """A heading, and below it as many lines as fit a screen."""
    shown = [f"  {printable(line)}" for line in lines]
    shown = [line if len(line) <= _LONGEST_LINE else f"{line[: _LONGEST_LINE - 3]}..." for line in shown]
    if len(shown) > _MAX_LINES:
        shown = [*shown[: _MAX_LINES - 1], f"  ... and {len(shown) - _MAX_LINES + 1:,} more"]
    return "\n".join([printable(head), *shown])
