"""A xacro file expanded in its own process: the URDF, and the source of each line."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from importlib.util import find_spec
from typing import Any, NamedTuple

from sdfinertia.errors import (
    ConfigurationError,
    IncompleteError,
    Location,
    SdfInertiaError,
    TextError,
    install_advice,
    shown_path,
)
from sdfinertia.files.child_process import child_process
from sdfinertia.files.walk import is_excluded
from sdfinertia.markup import Document, Element, walked
from sdfinertia.options import Options

# Limits of processor time and of wall-clock time; the largest robot seen takes 2 s.
_SECONDS, _CLOCK = 30, 120
# Set by pre-commit and by the action, which check untrusted repositories: xacro may then read the working directory
# only.
_HELD = ("PRE_COMMIT", "SDFINERTIA_ACTION")
# Longer files are not read: nobody writes them by hand.
MAX_BYTES = 16 << 20
# Modules come from the search path of this process, never from the working directory, and are not compiled to disk.
_START = "import sys; sys.path[:] = sys.argv[1:]; from sdfinertia.xacro.worker import main; main()"
_PACKAGES = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# A block of a source: its real path and byte offset.
Block = tuple[str, int]
_NUMBER = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?")


class Place(NamedTuple):
    """An element of a source: file number, byte offset, innermost call."""

    file: int
    offset: int
    call: int


class Call(NamedTuple):
    """A macro call; an include where `macro` is ""."""

    macro: str
    location: Location


class Expansion:
    """An expanded document and its sources, the robot's own first; `by_default` if macros were called by defaults."""

    def __init__(self, path: str, answer: Mapping[str, Any], *, by_default: bool = False) -> None:
        self.path = path
        self.by_default = by_default
        self.data = str(answer.get("text", "")).encode("utf-8", "surrogateescape")
        self.files: tuple[str, ...] = tuple(answer["files"])
        self.warnings: tuple[str, ...] = tuple(answer.get("warnings", ()))
        self._values: Mapping[str, str] = answer.get("values", {})
        self._contents: list[str] = answer["contents"]
        self._calls: list[list[Any]] = answer["calls"]
        self._places = {line: Place(*rest) for line, *rest in answer.get("places", ())}
        self._lines = list(self._places)
        self._documents: dict[int, Document] = {}
        self._elements: dict[int, dict[int, Element]] = {}

    @cached_property
    def real_paths(self) -> tuple[str, ...]:
        return tuple(map(os.path.realpath, self.files))

    def block(self, place: Place) -> Block:
        return self.real_paths[place.file], place.offset

    @cached_property
    def copies(self) -> Mapping[Block, int]:
        return Counter(map(self.block, self._places.values()))

    def place(self, line: int) -> Place:
        at = bisect_right(self._lines, line)
        return self._places[self._lines[max(0, at - 1)]]

    def name(self, file: int) -> str:
        return self.path if file == 0 else shown_path(self.files[file], self.path)

    def values_with(self, numbers: Iterable[str]) -> list[str]:
        """The files of values (YAML) that it read and that hold one of some numbers, but for 0 and 1."""
        wanted = {float(each) for each in numbers if _NUMBER.fullmatch(each.strip())} - {0.0, 1.0}
        texts = {path: text for path, text in self._values.items() if wanted & {*map(float, _NUMBER.findall(text))}}
        return [shown_path(path, self.path) for path in texts]

    def source(self, file: int) -> Document:
        if file not in self._documents:
            self._documents[file] = Document(self._contents[file].encode("latin-1"), self.name(file))
        return self._documents[file]

    def element(self, place: Place) -> Element | None:
        if place.file not in self._elements:
            elements = walked(self.source(place.file).roots, lambda element: element.children)
            self._elements[place.file] = {element.start: element for element in elements}
        return self._elements[place.file].get(place.offset)

    def location(self, place: Place) -> Location:
        return self.source(place.file).location(place.offset)

    def in_source(self, location: Location) -> Location:
        if location.file != self.path or not self._lines:
            return location
        return self.location(self.place(location.line))

    def moved(self, error: SdfInertiaError) -> SdfInertiaError:
        if error.location is None:
            return error.within(file=self.path)
        found = error.copied()
        found.location = self.in_source(error.location)
        return found

    def calls(self, place: Place) -> Iterator[Call]:
        """Macro calls and includes, innermost first."""
        number = place.call
        while number:
            number, macro, file, offset = self._calls[number]
            yield Call(macro, self.source(file).location(offset))


def expand(
    path: str,
    options: Options,
    data: bytes | None = None,
    overlay: Mapping[str, bytes] | None = None,
    *,
    macros: Sequence[str] = (),
    seconds: int = _SECONDS,
) -> Expansion:
    """Expands a xacro file.

    Args:
        data: content instead of the file's.
        overlay: content instead of other files', by absolute path.
        macros: macros of the file to call with their defaults.
        seconds: limit of processor time.

    Raises:
        IncompleteError: an argument, property or macro is missing.
        TextError: it cannot be expanded.
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
        "environment": dict(os.environ),
        "overlay": {name: content.decode("latin-1") for name, content in given.items()},
        "macros": list(macros),
        "seconds": seconds,
    }
    answer = _answer(path, request, seconds)
    if answer.get("error") is not None:
        raise _failure(path, answer)
    return Expansion(path, answer, by_default=bool(macros))


def _failure(path: str, answer: dict[str, Any]) -> TextError:
    problem, remedy, at, is_incomplete = answer["error"]
    kind = IncompleteError if is_incomplete else TextError
    if at is None:
        if "lacks" in answer:
            remedy = install_advice(answer["lacks"])
        return kind(problem, file=path, remedy=remedy)
    failed = Expansion(path, answer)
    calls = (f", macro {each.macro!r} called at {each.location}" for each in failed.calls(Place(*at)) if each.macro)
    return kind("".join([problem, *calls]), location=failed.location(Place(*at)), remedy=remedy)


def _answer(path: str, request: Mapping[str, Any], seconds: int) -> dict[str, Any]:
    modules = [entry for entry in sys.path if entry and os.path.isabs(entry)]
    # Not isolated (-I), which would ignore PYTHONHASHSEED; instead it gets no other variable for Python.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment["PYTHONHASHSEED"] = "0"
    flags = ("-s", "-S", "-B", "-X", "utf8")
    try:
        with child_process(_START, [*modules, _PACKAGES], flags=flags, environment=environment) as process:
            output, _ = process.communicate(json.dumps(request).encode(), timeout=_CLOCK)
    except subprocess.TimeoutExpired:
        raise TextError(f"xacro takes longer than {_CLOCK} s", file=path) from None
    except OSError as error:
        raise TextError(f"the process that expands it cannot be started: {error.strerror}", file=path) from None
    try:
        answer: dict[str, Any] = json.loads(output)
    except ValueError:
        is_stopped = process.returncode < 0
        problem = f"xacro takes more than {seconds} s of processor time" if is_stopped else "xacro fails on it"
        raise TextError(problem, file=path, remedy=f"`xacro {path}` tells more") from None
    return answer


def arguments_for(path: str, options: Options) -> dict[str, str]:
    """The arguments for a file; the last of a name counts."""
    found: dict[str, str] = {}
    for entry in options.xacro_arg:
        head, separator, value = entry.partition(":=")
        glob, _, name = head.strip().rpartition(" ")
        if not separator or not name:
            raise ConfigurationError(f"--xacro-arg takes NAME:=VALUE, not {entry!r}")
        if not glob or is_excluded(path, (glob.strip(),)):
            found[name] = value
    return found


def has_xacro() -> bool:
    found = find_spec("xacro")
    return found is not None and found.origin is not None
