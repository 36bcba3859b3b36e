"""Models, links and collisions of an SDF document, read when asked for.

Only what SDFormat itself gives a place is taken: a model is a child of `<sdf>`, `<world>` or `<model>`, a link a child
of a model, an inertial or a collision a child of a link. Look-alikes inside `<plugin>`, `<state>` and the like are not
ours.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from sdfinertia.errors import TextError, ValueTextError
from sdfinertia.sdf.document import Document, Element
from sdfinertia.sdf.values import Pose, read_boolean, read_number, read_pose, shorten

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

    @property
    def frame_attribute(self) -> str:
        """The attribute of `<pose>` that names the frame it is given in."""
        return "relative_to" if self.version >= _RELATIVE_TO_SINCE else "frame"

    def models(self) -> Iterator[Model]:
        """The root models: children of `<sdf>` and of its worlds."""
        for child in self.element.children:
            if child.name == "model":
                yield Model(self, child, None)
            elif child.name == "world":
                for grandchild in child.children:
                    if grandchild.name == "model":
                        yield Model(self, grandchild, None)

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


class Link:
    """A link of a model.

    Attributes:
        name: its name, trimmed.
    """

    def __init__(self, model: Model, element: Element) -> None:
        self.model = model
        self.element = element
        self.name = element.attribute("name") or ""

    @property
    def scoped_name(self) -> str:
        """`model::nested::link`."""
        return f"{self.model.scoped_name}::{self.name}"

    @property
    def inertial(self) -> Element | None:
        """Its first `<inertial>`."""
        return self.element.child("inertial")

    @property
    def has_collisions(self) -> bool:
        """Whether it has at least one collision."""
        return self.element.child("collision") is not None

    def collisions(self) -> list[Collision]:
        """Its collisions, in order.

        Raises:
            ValueTextError: two collisions bear the same name.
        """
        return self._bodies("collision")

    def visuals(self) -> list[Collision]:
        """Its visuals, as if they were collisions, in order.

        Raises:
            ValueTextError: two visuals bear the same name.
        """
        return self._bodies("visual")

    def _bodies(self, kind: str) -> list[Collision]:
        bodies = [Collision(self, element) for element in self.element.children_named(kind)]
        seen: set[str] = set()
        for body in bodies:
            if body.name in seen:
                raise ValueTextError(
                    f"two {kind}s are named {shorten(body.name)!r}",
                    location=body.element.location(),
                    remedy="give each its own name",
                )
            seen.add(body.name)
        return bodies


class Collision:
    """A collision of a link.

    Attributes:
        name: its name, trimmed.
    """

    def __init__(self, link: Link, element: Element) -> None:
        self.link = link
        self.element = element
        self.name = element.attribute("name") or ""

    def pose(self) -> Pose:
        """Its pose; without `relative_to` it is in the link's frame."""
        return read_pose(self.element.child("pose"), self.link.model.root.frame_attribute)

    def density(self) -> float | None:
        """Its own density (kg/m³), or None where it has no `<density>`."""
        return read_density(self.element.child("density"))

    @property
    def parameters(self) -> Element | None:
        """Its own `<auto_inertia_params>`."""
        return self.element.child("auto_inertia_params")


# SDFormat's default density, that of water; a blank <density/> counts as having it given.
DEFAULT_DENSITY = 1000.0


def read_density(element: Element | None) -> float | None:
    """The density (kg/m³) in a `<density>` element; blank counts as the default given; None where there is none.

    Raises:
        ValueTextError: it is no finite number, or negative.
    """
    if element is None:
        return None
    if not element.children and not element.text():
        return DEFAULT_DENSITY
    density = read_number(element)
    if density < 0:
        raise ValueTextError(f"<density> is {density:g}, which is negative", location=element.location())
    return density
