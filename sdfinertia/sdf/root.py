"""The `<sdf>` of a document and the models that it includes.

Only children where SDFormat has them count, not those in `<plugin>` or `<state>`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from sdfinertia.errors import FrameError, Location, ResourceError, SdfInertiaError, TextError, UnexpandedError, shorten
from sdfinertia.files import is_inside, read_regular_file
from sdfinertia.markup import Document, Element, grouped, walked
from sdfinertia.robot import attempt, given, known
from sdfinertia.robot.names import XACRO_MARKS, XACRO_SUFFIX, xacro_element
from sdfinertia.robot.problems import Problem
from sdfinertia.sdf.values import read_flag, read_number

if TYPE_CHECKING:
    from sdfinertia.files.finder import Finder

# The frame of a model, inside it.
MODEL_FRAME = "__model__"
# The name of the world in joints and poses.
WORLD = "world"
_HOLDING_INCLUDES = ("model", "world", "include")
NEWEST_VERSION = (1, 12)
OLDEST_VERSION = (1, 2)
# SDFormat 1.7 renamed the attribute of a pose that names its frame.
_RELATIVE_TO_SINCE = (1, 7)

_T = TypeVar("_T")


class SdfRoot:
    def __init__(self, document: Document) -> None:
        self.document = document
        root = next((root for root in document.roots if root.name == "sdf"), None)
        if root is None:
            problem = "there is no <sdf> root element"
            if not document.data.strip():
                problem = f"the file is empty: {problem}"
            is_urdf = any(each.name == "robot" for each in document.roots)
            remedy = "fill it by itself, as URDF; it is included once `gz sdf -p` converts it" if is_urdf else ""
            raise TextError(problem, location=document.location(0), remedy=remedy)
        self.element = root
        self.notes: list[str] = []
        self.version = self._read_version()
        models = [child for child in root.children if child.name == "model"]
        if len(models) > 1:
            first = shorten(models[0].attribute("name") or "")
            self.notes.append(f"has {len(models)} root models; libsdformat reads the first alone, {first!r}")
        # Of `<pose>`, which names the frame that it is given in.
        self.frame_attribute = "relative_to" if self.version >= _RELATIVE_TO_SINCE else "frame"
        # The root models and the numbers of namesakes, which `Model` finds.
        self.models_by_start: dict[int, Any] = {}
        self.namesakes: Mapping[int, int] | None = None

    def _read_version(self) -> tuple[int, int]:
        text, newest = self.element.attribute("version") or "", "1.12"
        if not text:
            self.notes.append(f"<sdf> has no version; read as {newest}")
            return NEWEST_VERSION
        match = re.fullmatch(r"([0-9]{1,7})\.([0-9]{1,7})", text)
        if match is None:
            raise self.element.error(f"{shorten(text)!r} is not an SDFormat version", f"use {newest}")
        version = int(match[1]), int(match[2])
        if version < OLDEST_VERSION:
            problem = f"SDFormat {text} is older than 1.2 and not supported"
            raise self.element.error(problem, "convert it with `gz sdf -p`", kind=TextError)
        if version > NEWEST_VERSION:
            self.notes.append(f"SDFormat {text} is newer than {newest}; read as {newest}")
            return NEWEST_VERSION
        return version

    def model_elements(self) -> list[Element]:
        found: list[Element] = []
        for child in self.element.children:
            if child.name == "model":
                found.append(child)
            elif child.name == "world":
                found += child.children_named("model")
        return found

    def include_elements(self) -> Iterator[Element]:
        if self.document.data.find(b"include") < 0:
            return iter(())
        inside = walked([self.element], lambda each: [c for c in each.children if c.name in _HOLDING_INCLUDES])
        return (each for each in inside if each.name == "include")

    @cached_property
    def problems_of_names(self) -> dict[int, Problem]:
        """The problems of models that share a name, by where each starts; parsers refuse such files."""
        found: dict[int, Problem] = {}
        data = self.document.data
        # A model begins with the word, and may end with it.
        if data.count(b"model") - data.count(b"</model") < 2:
            return found
        for scope in walked([self.element], lambda each: [c for c in each.children if c.name in ("model", "world")]):
            title = "the file" if scope is self.element else f"{scope.name} {scope.attribute('name') or ''!r}"
            named = grouped((child.attribute("name") or "", child) for child in scope.children_named("model"))
            for name, models in named.items():
                if len(models) > 1:
                    message = f"{len(models)} models of {title} are named {name!r}"
                    problem = Problem(message, "give each its own name", models[1].location())
                    found.update((model.start, problem) for model in models)
        return found

    def step_at(self, link: Element) -> float | None:
        """The `max_step_size` (s) of a link's world; None where it gives none that is valid."""
        for world in self.element.children_named("world"):
            if world.start < link.start < world.end:
                profiles = world.children_named("physics")
                defaults = [each for each in profiles if attempt(read_flag, each, "default") is True]
                sizes = [each.child("max_step_size") for each in (*defaults, *profiles)]
                step = known(attempt(read_number, sizes[0])) if sizes and sizes[0] is not None else None
                return step if step is not None and step > 0.0 else None
        return None


# Included models ------------------------------------------------------------------------------------------------------


class IncludedModel(NamedTuple):
    root: SdfRoot
    element: Element
    path: str
    name: str
    is_merged: bool


# Files that include each other many times could make more models than fit in memory.
MAX_INCLUDES = 1000
# Elements of these models, however often each file is included: some four seconds.
_MAX_ELEMENTS = 500_000


class Includes:
    """All that one model includes, directly or not."""

    def __init__(self, load: Callable[[Element], IncludedModel]) -> None:
        self._load = load
        self._opened = self._elements = 0

    def open(self, include: Element, including: tuple[str, ...]) -> IncludedModel:
        """The model that an element includes, below files of some paths."""
        self._opened += 1
        if self._opened > MAX_INCLUDES:
            problem = f"more than {MAX_INCLUDES:,} models are included in one, this one among them"
            advice = "look whether included files take each other several times over, or put their links in one file"
            raise include.error(problem, advice, ResourceError)
        included = self._load(include)
        if included.path in including:
            raise include.error("the included files include each other", kind=FrameError)
        self._elements += len(included.element.children)
        if self._elements > _MAX_ELEMENTS:
            problem = f"the included models have more than {_MAX_ELEMENTS:,} links, joints and frames"
            raise include.error(problem, "include large models less often", ResourceError)
        return included


def load_include(finder: Finder, include: Element) -> IncludedModel:
    uri = include.child_text("uri")
    if not uri:
        raise include.error("an <include> has no <uri>", kind=ResourceError)
    root = _at(include, attempt(lambda: open_root(finder, find_model(finder, uri, include.document.path))))
    model = root.element.child("model")
    if model is None:
        raise include.error(f"the included {root.document.path} holds no model", kind=ResourceError)
    name = include.child_text("name") or model.attribute("name") or ""
    return IncludedModel(root, model, os.path.realpath(root.document.path), name, is_merged(include))


def included_file(finder: Finder, include: Element) -> str | None:
    uri = include.child_text("uri")
    if not uri or uri.startswith(("http://", "https://")):
        return None
    path = _at(include, attempt(find_model, finder, uri, include.document.path))
    return None if is_inside(path, finder.fuel_cache()) else path


def _at(include: Element, found: _T | SdfInertiaError) -> _T:
    if isinstance(found, ResourceError):
        raise found.within(location=include.location())
    return given(found)


def find_model(finder: Finder, uri: str, containing_file: str) -> str:
    return finder.find(uri, containing_file, lambda directory: model_file_of(directory, finder.confinement))


def open_root(finder: Finder, path: str) -> SdfRoot:
    return finder.once(path, lambda path: SdfRoot(Document(read_regular_file(path, confine=finder.confinement), path)))


def model_file_of(directory: str, confine: str | None = None) -> str:
    config = os.path.join(directory, "model.config")
    _require_inside(config, confine, Location(config, 1, 1))
    if not os.path.isfile(config):
        raise ResourceError("the directory has no model.config", file=directory)
    document = attempt(lambda: Document(read_regular_file(config, confine=confine), config))
    if isinstance(document, TextError):
        raise ResourceError(document.problem, location=document.location)
    document = given(document)
    entries = [entry for root in document.roots for entry in root.children_named("sdf") if entry.text()]
    best = max((entry for entry in entries if _version_of(entry) <= NEWEST_VERSION), key=_version_of, default=None)
    if best is None:
        raise ResourceError("names no SDF file of a supported version", location=Location(config, 1, 1))
    path = os.path.join(directory, best.text())
    _require_inside(path, confine, Location(config, 1, 1))
    if not os.path.isfile(path):
        raise ResourceError(f"names {best.text()!r}, which does not exist", location=Location(config, 1, 1))
    return path


def _version_of(entry: Element) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"[0-9]{1,9}", entry.attribute("version") or "")))


def _require_inside(path: str, confine: str | None, location: Location) -> None:
    if confine is not None and not is_inside(path, confine):
        raise ResourceError(f"{path} is outside {confine}, and not opened", location=location)


def is_merged(include: Element) -> bool:
    return read_flag(include, "merge")


# Elements that may hold "${" for their programs, or for the simulator.
_FOR_OTHERS = frozenset(("plugin", "gazebo", "uri", "sensor", "material", "gui", "script", "actor"))


def refuse_template(document: Document) -> None:
    """Refuses SDF with elements of xacro, or with `${` or `$(` in a value; a declared `xmlns:xacro` is none."""
    if document.path.lower().endswith(XACRO_SUFFIX) or not any(mark in document.data for mark in XACRO_MARKS):
        return
    what, element = "", xacro_element(document)
    if element is None:
        roots = [root for root in document.roots if root.name == "sdf"]
        inside = walked(roots, lambda each: [child for child in each.children if child.name not in _FOR_OTHERS])
        texts = ((each, (*each.attributes.values(), "" if each.children else each.text())) for each in inside)
        values = (
            (f"{shorten(value)!r} in ", each)
            for each, those in texts
            for value in those
            if "${" in value or "$(" in value
        )
        what, element = next(values, ("", None))
    if element is not None:
        raise element.error(
            f"is a xacro template, not SDF: {what}<{shorten(element.name)}>",
            "rename it to .sdf.xacro, or --exclude it",
            kind=UnexpandedError,
        )
