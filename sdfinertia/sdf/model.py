"""Models and links of an SDF document, and the frames in them: what it holds, and by what names.

Only what SDFormat itself gives a place is taken: a model is a child of `<sdf>`, `<world>` or `<model>`, a link a child
of a model, an inertial or a collision a child of a link. Look-alikes inside `<plugin>`, `<state>` and the like are not
ours.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, partial
from typing import TYPE_CHECKING

from sdfinertia.description.facts import Defect
from sdfinertia.description.numbers import shorten
from sdfinertia.errors import TextError, ValueTextError
from sdfinertia.markup.document import Document, Element, Placed
from sdfinertia.markup.placed_link import numbers_of_namesakes
from sdfinertia.sdf.values import read_boolean

if TYPE_CHECKING:
    from sdfinertia.description.protocols import HasResources
    from sdfinertia.sdf.frames.joints import JointTable
    from sdfinertia.sdf.frames.pose_graph import PoseGraph

NEWEST_VERSION = (1, 12)
OLDEST_VERSION = (1, 2)
# SDFormat 1.7 renamed the attribute of a pose that names its frame.
_RELATIVE_TO_SINCE = (1, 7)


class SdfRoot:
    """The `<sdf>` element of a document, its version, and the models under it.

    Raises:
        TextError: there is no `<sdf>` root, or its version is older than SDFormat 1.2.
    """

    def __init__(self, document: Document) -> None:
        self.document = document
        root = next((root for root in document.roots if root.name == "sdf"), None)
        if root is None:
            problem = "there is no <sdf> root element"
            if not document.data.strip():
                problem = f"the file is empty: {problem}"
            raise TextError(problem, location=document.location(0), remedy=_foreign(document))
        self.element = root
        self.notes: list[str] = []
        self.version = self._read_version()
        # The attribute of `<pose>` that names the frame it is given in.
        self.frame_attribute = "relative_to" if self.version >= _RELATIVE_TO_SINCE else "frame"

    def _read_version(self) -> tuple[int, int]:
        text = self.element.attribute("version") or ""
        major, _, minor = text.partition(".")
        newest = f"{NEWEST_VERSION[0]}.{NEWEST_VERSION[1]}"
        if not text:
            self.notes.append(f"<sdf> has no version; read as {newest}")
            return NEWEST_VERSION
        if not (major.isascii() and major.isdigit() and minor.isascii() and minor.isdigit()) or len(text) > 9:
            raise ValueTextError(
                f"{shorten(text)!r} is no SDFormat version", location=self.element.location(), remedy=f"use {newest}"
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

    def models(self) -> Iterator[Model]:
        """The root models: children of `<sdf>` and of its worlds."""
        for child in self.element.children:
            if child.name == "model":
                yield Model(self, child, None)
            elif child.name == "world":
                for grandchild in child.children:
                    if grandchild.name == "model":
                        yield Model(self, grandchild, None)

    @cached_property
    def namesakes(self) -> dict[int, int]:
        """See `numbers_of_namesakes`, of its links."""
        links = (link for model in self.models() for link in model.all_links())
        return numbers_of_namesakes((link.scoped_name, link.element.start) for link in links)

    @cached_property
    def repeated_models(self) -> dict[int, Defect]:
        """What is wrong with models of one name side by side, which readers refuse, by where each of them starts."""
        found: dict[int, Defect] = {}
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
                    problem = f"{len(models)} models of {title} are named {name!r}"
                    defect = Defect(problem, "give each its own name", models[1].location())
                    found.update((model.start, defect) for model in models)
        return found

    def include_elements(self) -> Iterator[Element]:
        """Every `<include>` that stands where SDFormat allows one."""
        pending = [self.element]
        while pending:
            for child in pending.pop().children:
                if child.name == "include":
                    yield child
                elif child.name in ("model", "world"):
                    pending.append(child)


def _foreign(document: Document) -> str:
    names = {root.name for root in document.roots}
    if "robot" in names:
        return "this looks like URDF; convert it with `gz sdf -p`"
    return ""


class Model:
    """A model, with its place in the scope of names.

    Attributes:
        parent: the model it is nested in, or None for a root model.
        scoped_name: `outer::inner`; the world's name is no part of it.
    """

    def __init__(self, root: SdfRoot, element: Element, parent: Model | None) -> None:
        self.root = root
        self.element = element
        self.parent = parent
        self.name = element.attribute("name") or ""
        self.scoped_name: str = f"{parent.scoped_name}::{self.name}" if parent else self.name

    @cached_property
    def is_static(self) -> bool:
        """Whether it, or a model it is nested in, is static."""
        model: Model | None = self
        while model is not None:
            static = model.element.child("static")
            if static is not None and read_boolean(static.text(), "<static>", static, default=False):
                return True
            model = model.parent
        return False

    def models(self) -> Iterator[Model]:
        """The models nested directly in this one."""
        for child in self.element.children:
            if child.name == "model":
                yield Model(self.root, child, self)

    def links(self) -> Iterator[Link]:
        """The links of this model, nested models left out."""
        for child in self.element.children:
            if child.name == "link":
                yield Link(self, child)

    def all_links(self) -> Iterator[Link]:
        """The links of this model and of all nested ones, in the order of the file within each model."""
        # Not by recursion: models may be nested as deep as elements.
        pending = [self]
        while pending:
            model = pending.pop()
            yield from model.links()
            pending += reversed(list(model.models()))

    @cached_property
    def repeated_link_names(self) -> frozenset[str]:
        """Names that more than one link of this model bears."""
        names = [child.attribute("name") or "" for child in self.element.children if child.name == "link"]
        if len(set(names)) == len(names):
            return frozenset()
        return frozenset(name for name in names if names.count(name) > 1)

    @property
    def naming_defect(self) -> Defect | None:
        """That it, or a model it is nested in, shares its name with another beside it."""
        repeated = self.root.repeated_models
        model: Model | None = self if repeated else None
        while model is not None and model.element.start not in repeated:
            model = model.parent
        return repeated[model.element.start] if model is not None else None


class Link(Placed):
    """A link of a model.

    Attributes:
        name: its name, trimmed.
        inertial: its first `<inertial>`.
    """

    __slots__ = ("element", "inertial", "model", "name")

    def __init__(self, model: Model, element: Element) -> None:
        self.model = model
        self.element = element
        self.name = element.attribute("name") or ""
        self.inertial = element.child("inertial")

    @property
    def scoped_name(self) -> str:
        """`model::nested::link`."""
        return f"{self.model.scoped_name}::{self.name}"

    @property
    def has_repeated_name(self) -> bool:
        """Whether another link of its model bears the same name."""
        return self.name in self.model.repeated_link_names

    def asks_to_be_filled(self) -> bool:
        """Whether its `<inertial>` has `auto` true.

        Raises:
            ValueTextError: the attribute `auto` is no boolean, or is written in another case.
        """
        inertial = self.inertial
        if inertial is None or not inertial.raw_attributes:
            return False
        text = inertial.attribute("auto")
        if text is None:
            _refuse_other_case(inertial)
            return False
        return read_boolean(text, "the attribute auto of <inertial>", inertial, default=False)


def _refuse_other_case(inertial: Element) -> None:
    """Refuses `Auto`, which no reader of SDFormat takes for `auto`.

    Raises:
        ValueTextError: it is there.
    """
    for name in inertial.attributes():
        if name.lower() == "auto":
            raise ValueTextError(
                f"<inertial> has the attribute {name}, which no simulator reads: the case of letters counts",
                location=inertial.location(),
                remedy="write auto",
            )


class DocumentFrames:
    """The pose graphs and the joints of a document, by the models they are of, each made when it is first asked for.

    What reads frames, joints and includes is imported where it is asked for: most files need none of it.
    """

    def __init__(self) -> None:
        self._graphs: dict[int, PoseGraph] = {}
        self._joints: dict[int, JointTable] = {}

    def graph_of(self, model: Model, around: HasResources) -> PoseGraph:
        """The poses of the frames that can be named inside a model."""
        start = model.element.start
        if start not in self._graphs:
            from sdfinertia.sdf.frames.frame_scope import FrameScope
            from sdfinertia.sdf.frames.pose_graph import PoseGraph
            from sdfinertia.sdf.frames.resources import load_include

            scope = FrameScope(model.root, model.element, model.name, partial(load_include, around.resources))
            self._graphs[start] = PoseGraph(scope)
        return self._graphs[start]

    def joints_of(self, model: Model, around: HasResources) -> JointTable:
        """The joints of a model by the links that they connect."""
        start = model.element.start
        if start not in self._joints:
            from sdfinertia.sdf.frames.joints import JointTable

            self._joints[start] = JointTable(model, lambda: self.graph_of(model, around))
        return self._joints[start]
