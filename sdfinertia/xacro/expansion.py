"""A xacro file expanded by a process of its own: the URDF that it makes, and where each of its lines comes from."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sdfinertia.errors import ConfigurationError, Location, SdfInertiaError, TextError, shown_path
from sdfinertia.markup.document import Document, Element
from sdfinertia.named_tuple import NamedTuple

if TYPE_CHECKING:
    from sdfinertia.options import Options

# Of processor time, and by the clock; the largest robot that was seen takes 2 s.
_SECONDS, _CLOCK = 30, 120
# Set where a tree that may be anybody's is looked at, by pre-commit and by the action: xacro is then held to the
# directory that the run is in.
_HELD = ("PRE_COMMIT", "SDFINERTIA_ACTION")
# Modules come from where this process has them, never from the working directory; nothing is written beside them.
_START = "import sys; sys.path[:] = sys.argv[1:]; from sdfinertia.xacro.worker import main; main()"
_PACKAGES = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Place(NamedTuple):
    """An element of a source: its file, by number, and its byte; the call is the innermost that it comes through."""

    file: int
    offset: int
    call: int

    @property
    def block(self) -> tuple[int, int]:
        """What the places of all copies of an element have in common."""
        return self.file, self.offset


class Call(NamedTuple):
    """A macro call, or an include where the macro is ""; and where it is."""

    macro: str
    location: Location

    def __str__(self) -> str:
        return f"{f'macro {self.macro!r} called' if self.macro else 'included'} at {self.location}"


class Expansion:
    """What a xacro file expands to.

    Args:
        path: the file, as named.
        answer: of the process that expanded it.

    Attributes:
        data: the document that it makes.
        files: the absolute paths of all files that it is made of, the file itself first.
        warnings: of xacro.
    """

    def __init__(self, path: str, answer: Mapping[str, Any]) -> None:
        self.path = path
        self.data = str(answer.get("text", "")).encode("utf-8", "surrogateescape")
        self.files: tuple[str, ...] = tuple(answer["files"])
        self.warnings: tuple[str, ...] = tuple(answer.get("warnings", ()))
        self._contents: list[str] = answer["contents"]
        self._calls: list[list[Any]] = answer["calls"]
        self._places = {line: Place(*rest) for line, *rest in answer.get("places", ())}
        self._lines = list(self._places)
        self._documents: dict[int, Document] = {}
        self._elements: dict[int, dict[int, Element]] = {}

    @cached_property
    def copies(self) -> Mapping[tuple[int, int], int]:
        """How often each element of the sources is in the document, by its block."""
        found: dict[tuple[int, int], int] = {}
        for place in self._places.values():
            found[place.block] = found.get(place.block, 0) + 1
        return found

    def place(self, line: int) -> Place:
        """Where a line of the document comes from; what has no place of its own has that of what is before it."""
        at = bisect_right(self._lines, line)
        return self._places[self._lines[max(0, at - 1)]]

    def name(self, file: int) -> str:
        """The path of a source as it is told: relative where the file was named so."""
        return self.path if file == 0 else shown_path(self.files[file], self.path)

    def source(self, file: int) -> Document:
        """The tree of a source."""
        if file not in self._documents:
            self._documents[file] = Document(self._contents[file].encode("latin-1"), self.name(file))
        return self._documents[file]

    def element(self, place: Place) -> Element:
        """The element of the source at a place."""
        return self._elements_of(place.file)[place.offset]

    def _elements_of(self, file: int) -> dict[int, Element]:
        if file not in self._elements:
            pending = list(self.source(file).roots)
            found: dict[int, Element] = {}
            while pending:
                element = pending.pop()
                found[element.start] = element
                pending += element.children
            self._elements[file] = found
        return self._elements[file]

    @cached_property
    def properties(self) -> Mapping[str, list[tuple[int, Element]]]:
        """The elements that give properties, each with its file, by name."""
        found: dict[str, list[tuple[int, Element]]] = {}
        for file in range(len(self.files)):
            for element in self._elements_of(file).values():
                if element.name == "xacro:property":
                    found.setdefault(element.attribute("name") or "", []).append((file, element))
        return found

    def location(self, place: Place) -> Location:
        return self.source(place.file).location(place.offset)

    def in_source(self, location: Location) -> Location:
        """A place in the document as the place in its source; a place in another file stays."""
        if location.file != self.path or not self._lines:
            return location
        return self.location(self.place(location.line))

    def moved(self, error: SdfInertiaError) -> SdfInertiaError:
        """An error of the document as one of its source."""
        if error.location is None:
            return error
        found = error.copied()
        found.location = self.in_source(error.location)
        return found

    def calls(self, place: Place) -> Iterator[Call]:
        """The macro calls and includes that an element comes through, the innermost first."""
        number = place.call
        while number:
            number, macro, file, offset = self._calls[number]
            yield Call(macro, self.source(file).location(offset))


def expand(
    path: str,
    options: Options,
    data: bytes | None = None,
    overlay: Mapping[str, bytes] | None = None,
    environment: Mapping[str, str] | None = None,
    *,
    seconds: int = _SECONDS,
) -> Expansion:
    """What a xacro file expands to.

    Args:
        data: its content, where that is not in its file.
        overlay: contents of files, by absolute path, that take the place of what is in them.
        environment: the variables that list directories of packages; None for those of this process.
        seconds: of processor time that it may take.

    Raises:
        TextError: it cannot be expanded.
        ConfigurationError: an argument is not written NAME:=VALUE.
    """
    place = os.path.abspath(path)
    given = {**(overlay or {}), **({place: data} if data is not None else {})}
    confine = options.confine
    if confine is None and any(os.environ.get(name) == "1" for name in _HELD):
        confine = os.curdir
    request = {
        "path": place,
        "arguments": arguments_for(path, options),
        "confine": os.path.abspath(confine) if confine is not None else None,
        "trusts": options.trust_xacro,
        "resource_path": options.resource_path,
        "exclude": options.exclude,
        "environment": dict(environment) if environment is not None else None,
        "overlay": {name: content.decode("latin-1") for name, content in given.items()},
        "seconds": seconds,
    }
    answer = _answer(path, request, seconds)
    error = answer.get("error")
    if error is None:
        return Expansion(path, answer)
    problem, remedy, at = error
    if at is None:
        raise TextError(problem, file=path, remedy=remedy)
    failed = Expansion(path, answer)
    calls = "".join(f", {call}" for call in failed.calls(Place(*at)) if call.macro)
    raise TextError(f"{problem}{calls}", location=failed.location(Place(*at)), remedy=remedy)


def _answer(path: str, request: Mapping[str, Any], seconds: int) -> dict[str, Any]:
    """What the process says."""
    modules = [entry for entry in sys.path if entry and os.path.isabs(entry)]
    command = [sys.executable, "-I", "-S", "-B", "-X", "utf8", "-c", _START, _PACKAGES, *modules]
    try:
        done = subprocess.run(
            command,
            check=False,
            input=json.dumps(request).encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=_CLOCK,
        )
    except subprocess.TimeoutExpired:
        raise TextError(f"xacro takes longer than {_CLOCK} s", file=path) from None
    except OSError as error:
        raise TextError(f"the process that expands it cannot be started: {error.strerror}", file=path) from None
    try:
        answer: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        problem = f"xacro takes more than {seconds} s of processor time" if done.returncode < 0 else "xacro fails on it"
        raise TextError(problem, file=path, remedy=f"`xacro {path}` tells more") from None
    return answer


def arguments_for(path: str, options: Options) -> dict[str, str]:
    """The arguments of a file: those for all, and those for paths that match; of two of a name the last counts.

    Raises:
        ConfigurationError: one is not written NAME:=VALUE.
    """
    found: dict[str, str] = {}
    for entry in options.xacro_arg:
        head, separator, value = entry.partition(":=")
        glob, _, name = head.strip().rpartition(" ")
        if not separator or not name:
            raise ConfigurationError(f"--xacro-arg takes NAME:=VALUE, not {entry!r}")
        if not glob or _matches(path, glob.strip()):
            found[name] = value
    return found


def _matches(path: str, glob: str) -> bool:
    # Loaded where arguments are for some files alone.
    from sdfinertia.files.walk import is_excluded

    return is_excluded(path, (glob,))
