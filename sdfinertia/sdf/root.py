"""The `<sdf>` of a document; only children where SDFormat has them count, not those in `<plugin>` or `<state>`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, TypeVar

from sdfinertia.errors import SdfInertiaError, TextError, ValueTextError
from sdfinertia.markup.document import Document, Element
from sdfinertia.robot.link import numbers_of_namesakes
from sdfinertia.robot.numbers import shorten
from sdfinertia.robot.values import Problem
from sdfinertia.sdf.values import read_boolean, read_number

# The frame of a model, inside it.
MODEL_FRAME = "__model__"
NEWEST_VERSION = (1, 12)
OLDEST_VERSION = (1, 2)
# SDFormat 1.7 renamed the attribute of a pose that names its frame.
_RELATIVE_TO_SINCE = (1, 7)

_T = TypeVar("_T")


class SdfRoot:
    """The `<sdf>` element.

    Attributes:
        frame_attribute: of `<pose>`, which names the frame that it is given in.
    """

    def __init__(self, document: Document) -> None:
        self.document = document
        root = next((root for root in document.roots if root.name == "sdf"), None)
        if root is None:
            problem = "there is no <sdf> root element"
            if not document.data.strip():
                problem = f"the file is empty: {problem}"
            raise TextError(problem, location=document.location(0), remedy=_advice(document))
        self.element = root
        self.notes: list[str] = []
        self.version = self._read_version()
        self.frame_attribute = "relative_to" if self.version >= _RELATIVE_TO_SINCE else "frame"
        self._made: dict[tuple[type, int], Any] = {}

    def _read_version(self) -> tuple[int, int]:
        text = self.element.attribute("version") or ""
        major, _, minor = text.partition(".")
        newest = f"{NEWEST_VERSION[0]}.{NEWEST_VERSION[1]}"
        if not text:
            self.notes.append(f"<sdf> has no version; read as {newest}")
            return NEWEST_VERSION
        if not (major.isascii() and major.isdigit() and minor.isascii() and minor.isdigit()) or len(text) > 9:
            raise ValueTextError(
                f"{shorten(text)!r} is not an SDFormat version",
                location=self.element.location(),
                remedy=f"use {newest}",
            )
        version = (int(major), int(minor))
        if version < OLDEST_VERSION:
            raise TextError(
                f"SDFormat {text} is older than 1.2 and not supported",
                location=self.element.location(),
                remedy="convert it with `gz sdf -p`",
            )
        if version > NEWEST_VERSION:
            self.notes.append(f"SDFormat {text} is newer than {newest}; read as {newest}")
            return NEWEST_VERSION
        return version

    def once(self, model: Element, kind: type[_T], make: Callable[[], _T]) -> _T:
        key = kind, model.start
        if key not in self._made:
            self._made[key] = make()
        found: _T = self._made[key]
        return found

    def model_elements(self) -> Iterator[Element]:
        """Children of `<sdf>` and of its worlds."""
        for child in self.element.children:
            if child.name == "model":
                yield child
            elif child.name == "world":
                yield from child.children_named("model")

    def include_elements(self) -> Iterator[Element]:
        pending = [self.element]
        while pending:
            for child in pending.pop().children:
                if child.name == "include":
                    yield child
                elif child.name in ("model", "world"):
                    pending.append(child)

    @cached_property
    def namesakes(self) -> dict[int, int]:
        return numbers_of_namesakes(self._link_names())

    def _link_names(self) -> Iterator[tuple[str, int]]:
        # In the order of `Model.all_links`, and not by recursion either.
        for root in self.model_elements():
            pending = [(root, root.attribute("name") or "")]
            while pending:
                model, scope = pending.pop()
                inner: list[tuple[Element, str]] = []
                for child in model.children:
                    if child.name == "link":
                        yield f"{scope}::{child.attribute('name') or ''}", child.start
                    elif child.name == "model":
                        inner.append((child, f"{scope}::{child.attribute('name') or ''}"))
                pending += reversed(inner)

    @cached_property
    def repeated_models(self) -> dict[int, Problem]:
        """By their starts; readers refuse them."""
        found: dict[int, Problem] = {}
        pending = [(self.element, "the file")]
        while pending:
            scope, title = pending.pop()
            named: dict[str, list[Element]] = {}
            for child in scope.children:
                name = child.attribute("name") or ""
                if child.name == "model":
                    named.setdefault(name, []).append(child)
                if child.name == "model" or (child.name == "world" and scope is self.element):
                    pending.append((child, f"{child.name} {name!r}"))
            for name, models in named.items():
                if len(models) > 1:
                    message = f"{len(models)} models of {title} are named {name!r}"
                    problem = Problem(message, "give each its own name", models[1].location())
                    found.update((model.start, problem) for model in models)
        return found

    def step_at(self, link: Element) -> float | None:
        """The `max_step_size` (s) of a link's world; None where it gives none that is valid."""
        for world in self.element.children_named("world"):
            if not world.start < link.start < world.end:
                continue
            profiles = world.children_named("physics")
            physics = next(filter(_is_default, profiles), profiles[0] if profiles else None)
            size = physics.child("max_step_size") if physics is not None else None
            if size is not None:
                try:
                    step = read_number(size)
                except SdfInertiaError:
                    continue
                if step > 0.0:
                    return step
        return None


def _is_default(physics: Element) -> bool:
    try:
        return read_boolean(
            physics.attribute("default") or "", "the attribute default of <physics>", physics, default=False
        )
    except SdfInertiaError:
        return False


def _advice(document: Document) -> str:
    is_urdf = any(root.name == "robot" for root in document.roots)
    return "it is URDF, which can be filled by itself, and included once `gz sdf -p` converts it" if is_urdf else ""
