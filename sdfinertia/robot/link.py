"""Models, links and solids, which each format subclasses; their text is read lazily."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

from sdfinertia.errors import Location, SdfInertiaError, ValueTextError
from sdfinertia.inertia.rigid_transform import IDENTITY, RigidTransform, Vector3, rotate
from sdfinertia.inertia.spatial_inertia import InertiaTensor, SpatialInertia
from sdfinertia.markup.document import Comment, Document, Edit, Element, splice
from sdfinertia.robot.inertial import POSE, TENSOR_NAMES, InertialPart, InertiaParameters, NewInertial, Texts, Written
from sdfinertia.robot.numbers import parse_numbers
from sdfinertia.robot.poses import Placement, Pose
from sdfinertia.robot.problems import Phrases, Problem

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sdfinertia.files.finder import Finder
    from sdfinertia.inertia.inertial_text import InertialText
    from sdfinertia.mesh.store import MeshStore
    from sdfinertia.shapes import Shape


class LinkKey(NamedTuple):
    """The identity of a link in any version of its file; two worlds may each have one of its scoped name."""

    file: str
    name: str
    # Among the links of that name in the file, from 1.
    number: int = 1

    @property
    def label(self) -> str:
        return self.name if self.number == 1 else self.numbered

    @property
    def numbered(self) -> str:
        return f"{self.name}#{self.number}"


def numbers_of_namesakes(links: Iterable[tuple[str, int]]) -> dict[int, int]:
    """The number of each link among those of its scoped name, from 1, by its start; unique names are left out."""
    links = list(links)
    if len(dict(links)) == len(links):
        return {}
    starts: dict[str, list[int]] = {}
    for name, start in links:
        starts.setdefault(name, []).append(start)
    return {start: number for each in starts.values() if len(each) > 1 for number, start in enumerate(each, start=1)}


class SolidKind(Enum):
    COLLISION = "collision"
    VISUAL = "visual"

    def __init__(self, element: str) -> None:
        # The name of their elements; a plain attribute: it is read many times a link, and `value` is a call.
        self.element = element


COLLISION, VISUAL = SolidKind.COLLISION, SolidKind.VISUAL


# Red, green, blue and opacity, each from 0 to 1.
Colour = tuple[float, float, float, float]


def colour_of(text: str) -> Colour | None:
    numbers = parse_numbers(text)
    if numbers is None or len(numbers) != 4 or not all(0.0 <= value <= 1.0 for value in numbers):
        return None
    red, green, blue, opacity = numbers
    return red, green, blue, opacity


T = TypeVar("T", bound=Hashable)


class ParentJoint(NamedTuple):
    """Its parent's mass counts if it is above zero (kg).

    Attributes:
        parent: where the element of the parent begins in the document.
    """

    name: str
    parent_mass: float | None
    is_fixed: bool = False
    parent: int = -1


class Weighing(NamedTuple):
    """How a solid counts in the inertia that is computed for its link; None for what it does not give.

    Attributes:
        parameters: its own, or else its link's.
        density: in kg/m³.
        mass: in kg; its density counts for nothing then.
    """

    parameters: InertiaParameters
    density: float | None = None
    mass: float | None = None


class LinkContext(Protocol):
    @property
    def resources(self) -> Finder: ...

    @property
    def meshes(self) -> MeshStore: ...


class Solid:
    """A collision or visual of a link."""

    __slots__ = ("_placement", "_shape", "element", "link", "name")

    link: Link

    def __init__(self, link: Link, element: Element, name: str) -> None:
        self.link = link
        self.element = element
        self.name = name
        # Read lazily and cached; errors are not cached.
        self._shape: Shape | None = None
        self._placement: Placement | None = None

    @property
    def file(self) -> str:
        return self.element.document.path

    @property
    def phrases(self) -> Phrases:
        return self.link.phrases

    def location(self) -> Location:
        return self.element.location()

    def shape(self) -> Shape:
        """The shape (m)."""
        if self._shape is None:
            self._shape = self._read_shape()
        return self._shape

    def placement(self, context: LinkContext) -> Placement:
        """The paths whose product is X_LG, the pose of its geometry in the link frame."""
        if self._placement is None:
            self._placement = self._read_placement(context)
        return self._placement

    @abstractmethod
    def _read_shape(self) -> Shape: ...

    @abstractmethod
    def _read_placement(self, context: LinkContext) -> Placement: ...

    @abstractmethod
    def weighing(self) -> Weighing:
        """How it counts in a computed inertia."""

    @property
    def is_visual(self) -> bool:
        """Whether it has no contacts, although it may have mass."""
        return False

    @property
    def compiled_method(self) -> str | None:
        """The method by which a simulator computes its mesh where it infers an inertia; None for exact."""
        return None

    def mesh_path(self, uri: str, context: LinkContext) -> str:
        """The path of the file of its mesh."""
        return context.resources.find(uri, self.file)

    @abstractmethod
    def colour(self) -> Colour | None:
        """None where there is none, or it is not given as a plain colour."""

    @abstractmethod
    def dimension_location(self) -> Location:
        """Where its first impossible dimension is, or the solid itself."""

    @abstractmethod
    def dimension_edits(self, dimensions: Sequence[float], *, digits: int) -> list[Edit]:
        """Gives a primitive other dimensions (m); equal numbers keep their text."""


class Model:
    """A model of links.

    Attributes:
        LINK: its class of links.
    """

    LINK: type[Link]
    element: Element
    name: str
    scoped_name: str

    @property
    def key(self) -> Hashable:
        return self.element.start

    @property
    def total_mass(self) -> float | None:
        """To which simulators scale all its links together (kg)."""
        return None

    @property
    @abstractmethod
    def namesakes(self) -> Mapping[int, int]: ...

    def nested(self) -> Iterable[Model]:
        return ()

    def links(self) -> list[Link]:
        """Without those of nested models."""
        return [self.LINK(self, child) for child in self.element.children if child.name == "link"]

    def all_links(self) -> list[Link]:
        """In the order of the file within each model."""
        return self._all_links

    @cached_property
    def _all_links(self) -> list[Link]:
        if "model" not in self.element.child_names():
            return self.links()
        return [link for model in walked([self], lambda model: model.nested()) for link in model.links()]

    @cached_property
    def repeated_link_names(self) -> frozenset[str]:
        names = [child.attribute("name") or "" for child in self.element.children if child.name == "link"]
        if len(set(names)) == len(names):
            return frozenset()
        return frozenset(name for name, count in Counter(names).items() if count > 1)

    def repeated_links(self) -> Iterator[Problem]:
        """The names that several of its links have."""
        for name in sorted(self.repeated_link_names - {""}):
            links = [each for each in self.links() if each.name == name]
            problem = (
                f"{len(links)} links of {self.element.name} {self.name!r} are named {name!r}; parsers refuse the file"
            )
            yield Problem(problem, "give each its own name", links[1].location())

    def unresolved_frames(self, context: LinkContext) -> Iterator[Problem]:
        return iter(())

    @abstractmethod
    def unresolved_references(self, context: LinkContext) -> Iterator[Problem]: ...


class Link:
    """A link: its inertia as described, and edits that rewrite it.

    Attributes:
        POSE_ELEMENT: the name of the element that places an inertial.
        children: the elements in it, by name, in order.
        has_request: whether it has a request for its inertia that stays in the file once it is filled.
    """

    __slots__ = ("_poses", "_record", "children", "element", "inertial", "model", "name")

    has_request: bool

    POSE_ELEMENT: str
    phrases: Phrases
    model: Model

    def __init__(self, model: Model, element: Element, name: str | None = None) -> None:
        self.model = model
        self.element = element
        self.name = name if name is not None else element.attribute("name") or ""
        children = self.children = dict[str, list[Element]]()
        for child in element.children:
            if child.name in children:
                children[child.name].append(child)
            else:
                children[child.name] = [child]
        inertials = children.get("inertial")
        self.inertial = inertials[0] if inertials is not None else None
        # Those read so far, by the start of the elements that they place.
        self._poses: dict[int, Pose] = {}
        # The other values read so far, by name: each is read once, when it is first needed. Errors are not kept.
        self._record: dict[str, Any] = {}

    @property
    def scoped_name(self) -> str:
        return f"{self.model.scoped_name}::{self.name}"

    @property
    def place(self) -> Hashable:
        """Unique among all links in this process, those of included files too."""
        return id(self.element.document), self.element.start

    @property
    def key(self) -> LinkKey:
        if "key" not in self._record:
            self._record["key"] = LinkKey(self.file, self.scoped_name, self.number)
        key: LinkKey = self._record["key"]
        return key

    @property
    def number(self) -> int:
        """Among the links of its scoped name in the file, from 1."""
        return self.model.namesakes.get(self.element.start, 1)

    @property
    def label(self) -> str:
        """That of its key."""
        return self.key.label if self.model.namesakes else self.scoped_name

    @property
    def own_name(self) -> str:
        """The name by which `--link` selects it alone."""
        return self.key.numbered if self.element.start in self.model.namesakes else self.scoped_name

    @property
    def file(self) -> str:
        return self.element.document.path

    @property
    def line(self) -> int:
        """Cheaper than the whole location."""
        return self.element.line

    def location(self) -> Location:
        return self.element.location()

    def inertial_location(self, part: InertialPart | None = None) -> Location:
        if part is None:
            return (self.inertial or self.element).location()
        return self._place_in_inertial(self.POSE_ELEMENT if part is POSE else part.value)

    def _place_in_inertial(self, name: str) -> Location:
        """The place of an element in the inertial, or else that of the inertial or the link."""
        return (self.in_inertial(name) or self.inertial or self.element).location()

    @property
    def has_inertial(self) -> bool:
        return self.inertial is not None

    @property
    def has_tensor(self) -> bool:
        return self.in_inertial("inertia") is not None

    def comments(self) -> list[Comment]:
        """Those directly in the link and in its inertial."""
        return [*self.element.comments(), *self.inertial_comments()]

    def inertial_comments(self) -> list[Comment]:
        if "comments" not in self._record:
            self._record["comments"] = self.inertial.comments() if self.inertial is not None else []
        comments: list[Comment] = self._record["comments"]
        return comments

    def location_of(self, comment: Comment) -> Location:
        return self.element.document.location(comment.start)

    def has_solids(self, kind: SolidKind) -> bool:
        return kind.element in self.children

    def solids(self, kind: SolidKind) -> Sequence[Solid]:
        """In order."""
        solids: Sequence[Solid] | None = self._record.get(kind.element)
        if solids is None:
            solids = self._record[kind.element] = self._read_solids(kind)
        return solids

    @abstractmethod
    def _read_solids(self, kind: SolidKind) -> Sequence[Solid]: ...

    @property
    @abstractmethod
    def naming_problem(self) -> Problem | None:
        """Why its name does not identify it."""

    def require_own_name(self) -> None:
        """Refuses a link whose name does not identify it."""
        problem = self.naming_problem
        if problem is not None:
            raise ValueTextError(problem.message, remedy=problem.remedy)

    @property
    @abstractmethod
    def is_static(self) -> bool:
        """Whether it never moves."""

    @property
    def is_inferred(self) -> bool:
        """Whether simulators compute its inertia from its solids."""
        return False

    @property
    def refused_up_to(self) -> float:
        """The mass (kg) and moment (kg·m²) up to which simulators refuse to move it; 0.0 where they refuse none."""
        return 0.0

    @property
    def is_alone_inferred(self) -> bool:
        """Whether it is inferred, and nearly all others have an inertial."""
        return False

    @property
    def adjusted_by(self) -> str:
        """The settings by which simulators may change the written inertial; "" where there are none."""
        return ""

    def compiled(self, inertia: SpatialInertia) -> SpatialInertia:
        """The inertia in simulators for a written or inferred one, by the settings of the file."""
        return inertia

    # Its inertial ---------------------------------------------------------------------------------------------------

    @abstractmethod
    def asks_to_be_filled(self) -> bool: ...

    @abstractmethod
    def read_pose(self, element: Element | None) -> Pose:
        """A pose in this format and version; the identity where there is none."""

    def pose_in(self, owner: Element) -> Pose:
        """The pose of an element, cached."""
        if owner.start not in self._poses:
            self._poses[owner.start] = self._read_pose_in(owner)
        return self._poses[owner.start]

    def _read_pose_in(self, owner: Element) -> Pose:
        numbers = self.written_numbers() if owner is self.inertial else None
        if numbers is not None:
            return Pose(numbers[:6])
        return self.read_pose(owner.child(self.POSE_ELEMENT))

    @abstractmethod
    def number_text(self, name: str) -> str | None:
        """The text of the mass, or of an entry of the tensor by name; None where it is absent."""

    @abstractmethod
    def read_number(self, name: str) -> float:
        """The mass, or an entry of the tensor by name; the default, or an error, where it is absent."""

    @abstractmethod
    def _pose_texts(self, pose: Element | None) -> tuple[Sequence[str], Sequence[str]]:
        """The numbers of a position, and of roll, pitch and yaw; "" for each where they are not written so."""

    @abstractmethod
    def _numbers_in(self, inertial: Element) -> tuple[float, ...] | None:
        """In the order of `InertialText.numbers`; None where they are not written as we write them."""

    def numbers_of(self, text: InertialText) -> tuple[float, ...]:
        """The value of `written_numbers` once a text is written."""
        return text.numbers()

    def in_inertial(self, name: str) -> Element | None:
        return self.inertial.child(name) if self.inertial is not None else None

    def written_numbers(self) -> tuple[float, ...] | None:
        """In the order of `InertialText.numbers`; None where they are not written as we write them."""
        if "numbers" not in self._record:
            self._record["numbers"] = self._numbers_in(self.inertial) if self.inertial is not None else None
        numbers: tuple[float, ...] | None = self._record["numbers"]
        return numbers

    def require_numbers(self) -> None:
        """Refuses a block with malformed numbers."""
        if self.inertial is not None and self.written_numbers() is None:
            self._read_block(self.inertial)

    def _read_block(self, inertial: Element) -> tuple[Pose, float, Sequence[float]]:
        """Pose, mass (kg), and the entries of the tensor in the order of `TENSOR_NAMES` (kg·m²)."""
        numbers = self.written_numbers()
        if numbers is not None:
            return Pose(numbers[:6]), numbers[6], numbers[7:]
        pose = self.pose_in(inertial)
        mass, *entries = map(self.read_number, ("mass", *TENSOR_NAMES))
        return pose, mass, entries

    def written_inertia(self) -> Written | None:
        if self.inertial is None:
            return None

        pose, mass, (ixx, ixy, ixz, iyy, iyz, izz) = self._read_block(self.inertial)
        tensor = InertiaTensor(ixx, iyy, izz, ixy, ixz, iyz)
        X_LC = pose.transform()
        return Written(SpatialInertia(mass, (0.0, 0.0, 0.0), tensor).transformed(X_LC), tensor, X_LC.rotation)

    def written_texts(self) -> Texts | None:
        if self.inertial is None:
            return None
        mass, *entries = (self.number_text(name) or "" for name in ("mass", *TENSOR_NAMES))
        (x, y, z), (roll, pitch, yaw) = self._pose_texts(self.inertial.child(self.POSE_ELEMENT))
        return Texts(mass, (x, y, z), (roll, pitch, yaw), tuple(entries))

    def mass_text(self) -> str | None:
        return self.number_text("mass")

    def given_mass(self) -> tuple[float, str] | None:
        """The mass that an author gave: kg, and its text."""
        element = self.in_inertial("mass")
        if element is None:
            return None
        mass, text = self.read_number("mass"), self.number_text("mass") or ""
        if mass <= 0.0:
            raise ValueTextError(
                f"{self.phrases.mass} is {text}, but a mass must be above zero",
                location=element.location(),
                remedy=self.phrases.mass_remedy,
            )
        return mass, text

    @abstractmethod
    def default_density(self) -> float | None:
        """Of collisions that give none (kg/m³)."""

    @abstractmethod
    def default_parameters(self) -> InertiaParameters:
        """Of collisions that give none."""

    @abstractmethod
    def malformations(self) -> Iterator[Problem]: ...

    @abstractmethod
    def unknown_elements(self) -> Iterator[Problem]: ...

    @abstractmethod
    def unknown_moments(self) -> Iterator[Problem]: ...

    @abstractmethod
    def _placed(self) -> Iterable[Element]:
        """The elements that may hold a pose."""

    def angles_above(self, limit: float) -> list[tuple[float, Callable[[], Location]]]:
        """Angles written in radians above a limit (rad), and functions that find their places."""
        found: list[tuple[float, Callable[[], Location]]] = []
        for owner in self._placed():
            try:
                pose = self.pose_in(owner)
            except SdfInertiaError:
                continue
            angles = pose.numbers[3:]
            if angles and (max(angles) > limit or min(angles) < -limit) and pose.form == "rpy":
                element = owner.child(self.POSE_ELEMENT) or owner
                found.append((max(map(abs, angles)), element.location))
        return found

    @abstractmethod
    def densities_below(self, limit: float) -> list[tuple[float, Callable[[], Location]]]:
        """Given densities above zero and below a limit (kg/m³), and functions that find their places."""

    # Its surroundings -----------------------------------------------------------------------------------------------

    @abstractmethod
    def parent_joints(self, context: LinkContext) -> Iterable[ParentJoint]:
        """The joints whose child it is, without those with an unknown end."""

    def needs_inertial(self, context: LinkContext) -> bool:
        """Whether simulators move it as a rigid body; see also `is_static`."""
        return True

    @abstractmethod
    def group(self, context: LinkContext) -> Group:
        """The links that fixed joints make one body with it, in its own frame; it comes first."""

    def is_lumped_with_mass(self) -> bool:
        """Whether simulators merge it into a group that has a mass; without an inertial it then adds nothing."""
        return False

    def is_lumped(self) -> bool:
        """Whether simulators merge it into a link with an inertia of its own; it may then lack mass or tensor."""
        return False

    def mass_of_others_merged(self) -> float:
        """The mass of the links that fixed joints merge with it (kg), which may have its own mass too."""
        return 0.0

    def massless_joints(self) -> Iterator[Problem]:
        """The joints that move it although neither it nor the links fixed to it have a mass."""
        return iter(())

    def simulation_step(self, default: float) -> float | None:
        """The step of its world (s), else the default; None where the format has no worlds."""
        return None

    # How it is written anew -----------------------------------------------------------------------------------------

    def fill_edits(self, text: InertialText, comment: str | None, replaced: Comment | None) -> list[Edit]:
        """Writes numbers into it.

        Args:
            comment: the provenance comment, or None for none.
            replaced: the comment whose place it takes.
        """
        return self.inertial_edits(NewInertial(text, comment, replaced))

    @abstractmethod
    def inertial_edits(self, new: NewInertial) -> list[Edit]: ...

    def reads_back(self, edits: Sequence[Edit], text: InertialText) -> bool:
        """Whether a reader finds these numbers once the edits of `fill_edits` are made.

        Only the block is parsed again: if its new bytes are one element, the rest of the file reads as before.
        """
        if self.inertial is None:
            block = b"".join([edit.replacement for edit in edits]).strip()
        else:
            block = splice(self.element.document.data, edits, self.inertial.start, self.inertial.end)
        roots = Document(block, "the block that would be written").roots
        if [(root.name, root.start, root.end) for root in roots] != [("inertial", 0, len(block))]:
            return False
        return self._numbers_in(roots[0]) == self.numbers_of(text)

    @abstractmethod
    def mass_edits(self, text: str) -> list[Edit]:
        """Gives a link with auto inertia a mass; its request stays."""

    @abstractmethod
    def require_explicit(self, inertial: Element) -> None:
        """Raises an error where its inertia is to be computed, or lacks numbers."""

    def repair_edits(
        self, text: InertialText, comment: str, replaced: Comment | None, *, keeps_pose: bool
    ) -> list[Edit]:
        """Writes repaired numbers in the author's places and axes; `keeps_pose` leaves centre and axes."""
        return self.inertial_edits(NewInertial(text, comment, replaced, keeps_pose=keeps_pose, keeps_axes=keeps_pose))

    @abstractmethod
    def tensor_edits(self, tensor: Element, texts: Mapping[str, str]) -> list[Edit]: ...


def walked(starts: Iterable[T], inner: Callable[[T], Iterable[T]]) -> Iterator[T]:
    """All items that can be reached, each once, and before its contents; not by recursion: models may nest deeply."""
    pending, seen = list(starts)[::-1], set[T]()
    while pending:
        each = pending.pop()
        if each not in seen:
            seen.add(each)
            yield each
            pending += list(inner(each))[::-1]


# Groups ---------------------------------------------------------------------------------------------------------------


class Member(NamedTuple):
    """A link of a group, and its pose X_GL in the frame of the group."""

    link: Link
    pose: RigidTransform


class Axis(NamedTuple):
    """The axis of a joint, in the frame of a group.

    Attributes:
        joint: its name.
        point: on the axis (m).
        direction: unit vector.
    """

    joint: str
    point: Vector3
    direction: Vector3

    def transformed(self, X_AG: RigidTransform) -> Axis:
        return Axis(self.joint, X_AG.apply(self.point), rotate(X_AG.rotation, self.direction))


class Group:
    """Links that fixed joints make one body.

    Args:
        members: the frame of the first is that of the group; listed lazily.
        axis: about which a joint turns the group; None where none does, or it has no one axis.
        whole: the same group in the frame in which it was found, and the pose of that frame in this one.

    Attributes:
        sums: sums over the group in its frame, by the options that they were computed with.
    """

    def __init__(
        self, members: Iterable[Member], axis: Axis | None = None, whole: tuple[Group, RigidTransform] | None = None
    ) -> None:
        self._listed = members
        self.axis = axis
        self._whole = whole
        self.sums: dict[Hashable, Any] = {}

    @cached_property
    def members(self) -> tuple[Member, ...]:
        return tuple(self._listed)

    @property
    def whole(self) -> tuple[Group, RigidTransform]:
        return self._whole or (self, IDENTITY)

    @property
    def is_alone(self) -> bool:
        return len(self.whole[0].members) == 1

    @cached_property
    def _poses(self) -> Mapping[Hashable, RigidTransform]:
        return {each.link.place: each.pose for each in self.members}

    def of(self, link: Link) -> Group:
        """The group in the frame of one of its links, which comes first."""
        X_LG = self._poses[link.place].inverse()
        axis = self.axis.transformed(X_LG) if self.axis is not None else None
        return Group(self._seen_from(link, X_LG), axis, (self, X_LG))

    def _seen_from(self, link: Link, X_LG: RigidTransform) -> Iterator[Member]:
        yield Member(link, IDENTITY)
        for each in self.members:
            if each.link.place != link.place:
                yield Member(each.link, X_LG @ each.pose)

    def with_members(self, members: Iterable[Member]) -> Group:
        return Group(members, self.axis)


def alone(link: Link, axis: Axis | None = None) -> Group:
    return Group((Member(link, IDENTITY),), axis)
