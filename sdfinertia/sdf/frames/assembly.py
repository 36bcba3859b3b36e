"""The links of a model together with those of the models it includes, by the names they have in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sdfinertia.description.protocols import LostAssembly
from sdfinertia.errors import ResourceError, SdfInertiaError
from sdfinertia.files.finder import Finder
from sdfinertia.markup.document import Element
from sdfinertia.sdf.frames.frame_scope import IncludeBudget, LoadInclude, is_merged, name_of_include
from sdfinertia.sdf.frames.resources import load_include
from sdfinertia.sdf.model import Link, Model, SdfRoot


def assembled_models(root: SdfRoot, finder: Finder) -> Iterator[Model | LostAssembly]:
    """The root models of a document, and the models that its worlds include.

    What a world includes is there once however often it is included; what cannot be opened is told in its
    place.
    """
    yield from root.models()
    seen: set[str] = set()
    for world in root.element.children_named("world"):
        for include in world.children_named("include"):
            try:
                included = load_include(finder, include)
            except SdfInertiaError as error:
                yield LostAssembly(_name_of(include), error)
                continue
            if included.path not in seen:
                seen.add(included.path)
                yield Model(included.root, included.element, None)


def _name_of(include: Element) -> str:
    name = include.child("name") or include.child("uri")
    return name.text() if name is not None else ""


class AssembledLink(NamedTuple):
    """A link, and the name by which the outermost model knows its frame, such as `gripper::finger`."""

    link: Link
    frame: str


def assembled_links(
    outermost: Model, load_include: LoadInclude, failed: list[SdfInertiaError]
) -> Iterator[AssembledLink]:
    """The links of a model: its own, those of models nested in it, and those of the models that any of them includes.

    Args:
        load_include: opens what an `<include>` names.
        failed: is told of the includes that cannot be opened, whose links are missing.
    """
    budget = IncludeBudget()
    pending: list[tuple[Model, str, tuple[str, ...]]] = [(outermost, "", ())]
    # Not by recursion: models may be nested as deep as elements.
    while pending:
        model, prefix, including = pending.pop()
        yield from (AssembledLink(link, f"{prefix}{link.name}") for link in model.links())
        inner = [(nested, f"{prefix}{nested.name}::", including) for nested in model.models()]
        for include in model.element.children_named("include"):
            try:
                budget.take(include)
                included = load_include(include)
                if included.path in including:
                    raise ResourceError("the included files include each other", location=include.location())
            except SdfInertiaError as error:
                failed.append(error)
                continue
            name = prefix if is_merged(include) else f"{prefix}{name_of_include(include, included)}::"
            inner.append((Model(included.root, included.element, None), name, (*including, included.path)))
        pending += reversed(inner)
