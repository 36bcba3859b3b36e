"""The common part of robot formats: robots, models, links, solids, their values and edits.

Here: robots as records: models, links and solids that the reader of a format fills in one reading of their elements.

What cannot be read is there as the error that says why; `given` raises it where the value is needed.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import InitVar, dataclass, field
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

from sdfinertia.errors import InertiaError, Location, ResourceError, SdfInertiaError, ValueTextError
from sdfinertia.inertia import InertiaTensor, SpatialInertia
from sdfinertia.inertia.inertial_text import InertialText
from sdfinertia.inertia.rigid_transform import IDENTITY, RigidTransform, Vector3, rotate
from sdfinertia.markup import Comment, Document, Edit, Element, grouped, splice
from sdfinertia.robot.inertial import (
    MASS,
    NO_PARAMETERS,
    POSE,
    TENSOR,
    InertialPart,
    InertiaParameters,
    NewInertial,
    Texts,
    Written,
    scaled_texts,
)
from sdfinertia.robot.numbers import parse_numbers
from sdfinertia.robot.poses import Placement, Pose, PosePath, PoseStep
from sdfinertia.robot.problems import SHAPING, Phrases, Problem

if TYPE_CHECKING:
    from sdfinertia.files.finder import Finder
    from sdfinertia.mesh.store import MeshStore
    from sdfinertia.shapes import Shape

T = TypeVar("T")


def given(value: T | SdfInertiaError) -> T:
    if isinstance(value, SdfInertiaError):
        raise value.copied()
    return value


def known(value: T | SdfInertiaError) -> T | None:
    return None if isinstance(value, SdfInertiaError) else value


def attempt(read: Callable[..., T], *arguments: Any) -> T | SdfInertiaError:
    try:
        return read(*arguments)
    except SdfInertiaError as error:
        # Both would keep the frames of the reader.
        error.__context__ = None
        return error.with_traceback(None)


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


class SolidKind(Enum):
    """The values are the names of elements."""

    COLLISION = "collision"
    VISUAL = "visual"


COLLISION, VISUAL = SolidKind.COLLISION, SolidKind.VISUAL


# Red, green, blue and opacity, each from 0 to 1.
Colour = tuple[float, float, float, float]


def colour_of(text: str, counts: tuple[int, ...] = (4,)) -> Colour | None:
    numbers = parse_numbers(text)
    if numbers is None or len(numbers) not in counts or not all(0.0 <= value <= 1.0 for value in numbers):
        return None
    red, green, blue, *opacity = numbers
    return red, green, blue, opacity[0] if opacity else 1.0


class ParentJoint(NamedTuple):
    """Its parent's mass counts if it is above zero (kg)."""

    name: str
    parent_mass: float | None
    is_fixed: bool = False
    parent: int = -1  # where the element of the parent begins in the document


class Axis(NamedTuple):
    joint: str  # its name
    point: Vector3  # on the axis (m)
    direction: Vector3  # unit vector

    def transformed(self, X_AG: RigidTransform) -> Axis:
        return Axis(self.joint, X_AG.apply(self.point), rotate(X_AG.rotation, self.direction))


class Lump(NamedTuple):
    """What simulators merge into one body with a link, itself included."""

    mass_of_others: float = 0.0  # kg
    has_mass: bool = False  # or is to be given one; a link without an inertial then adds nothing
    has_body: bool = False  # mass and moments, of one link; others may then lack them


class LinkContext(Protocol):
    @property
    def resources(self) -> Finder: ...

    @property
    def meshes(self) -> MeshStore: ...


@dataclass(slots=True, eq=False, repr=False)
class Solid:
    """A collision, visual or geom."""

    link: Link
    element: Element
    name: str
    own_shape: Shape | SdfInertiaError
    own_pose: Pose | SdfInertiaError  # as written
    parameters: InertiaParameters | SdfInertiaError  # its own, or else its link's
    density: float | SdfInertiaError | None  # its own (kg/m³)
    mass: float | SdfInertiaError | None = None  # its own (kg); its density counts for nothing then
    placed: Placement | SdfInertiaError | None = None  # whose product is X_LG; None where the model finds it
    colour: Colour | None = None  # None where there is none, or it is not given as a plain colour
    size: Element | None = None  # the first impossible dimension
    is_visual: bool = False  # whether it has no contacts, although it may have mass
    compiled_method: str | None = None  # of a mesh where a simulator infers an inertia; None for exact
    named_in: str = ""  # the file that names its mesh, where that is another
    content: Callable[[], bytes] | None = None  # makes the mesh, where the file itself holds it
    attributes: Mapping[str, str] | None = None  # with those of its class

    def location(self) -> Location:
        return self.element.location()

    def shape(self) -> Shape:
        if isinstance(self.own_shape, SdfInertiaError):
            raise self.own_shape.copied()
        return self.own_shape

    def placement(self, context: LinkContext) -> Placement:
        """The paths whose product is X_LG, the pose of its geometry in the link frame."""
        if self.placed is None:
            self.placed = self.link.model.placement(self, context)
        return given(self.placed)

    def mesh_path(self, uri: str, context: LinkContext) -> str:
        if self.content is not None:
            path = f"{self.link.file}#{uri}"
            context.meshes.hold(path, self.content())
            return path
        found = attempt(context.resources.find, uri, self.link.file)
        if isinstance(found, ResourceError) and self.named_in not in ("", self.link.file):
            found = attempt(context.resources.find, uri, self.named_in)
        return given(found)


@dataclass(slots=True, eq=False, repr=False)
class Inertial:
    """An `<inertial>`, with the defaults of its format for what is absent."""

    element: Element
    pose: Pose | SdfInertiaError
    mass: float | SdfInertiaError
    tensor: Sequence[float] | SdfInertiaError  # in the order of `TENSOR_NAMES` (kg·m²)
    mass_text: str | None
    pose_element: Element | None
    mass_element: Element | None
    tensor_element: Element | None
    comments: Sequence[Comment]
    is_plain: InitVar[bool] = True  # whether every reader takes the same numbers from it
    # In the order of `InertialText.numbers`; None where they are not written as we write them.
    numbers: tuple[float, ...] | None = field(default=None, init=False)

    def __post_init__(self, is_plain: bool) -> None:
        values = self.values if is_plain else None
        placing = values[0].as_we_write() if values is not None else None
        if values is not None and placing is not None:
            self.numbers = (*placing, values[1], *values[2])

    @property
    def values(self) -> tuple[Pose, float, Sequence[float]] | None:
        """Pose, mass and tensor; None where one cannot be read."""
        pose, mass, tensor = self.pose, self.mass, self.tensor
        if isinstance(pose, Pose) and isinstance(mass, float) and not isinstance(tensor, SdfInertiaError):
            return pose, mass, tensor
        return None


class Request(NamedTuple):
    asks: bool | SdfInertiaError = False  # whether the link is to be filled
    stays: bool = False  # whether the request stays in the file once it is
    density: float | SdfInertiaError | None = None  # of collisions that give none (kg/m³)
    parameters: InertiaParameters | SdfInertiaError = NO_PARAMETERS  # of the same


NO_REQUEST = Request()
Solids = Sequence[Solid] | SdfInertiaError


@dataclass(slots=True, eq=False, repr=False)
class Link:
    """A link as its file describes it."""

    model: Model
    element: Element
    name: str
    inertial: Inertial | None = None
    request: Request = NO_REQUEST
    collisions: Solids = ()
    visuals: Solids = ()
    naming: Problem | None = None  # why its name does not identify it
    static: bool | SdfInertiaError = False  # whether it never moves
    refused_up_to: float = 0.0  # mass (kg) and moment (kg·m²) up to which simulators refuse to move it
    is_inferred: bool = False  # whether simulators compute its inertia
    is_alone_inferred: bool = False  # and nearly all others have one
    adjusted_by: str = ""  # the settings by which simulators may change the written inertial

    @property
    def scoped_name(self) -> str:
        return f"{self.model.scoped_name}::{self.name}"

    @property
    def phrases(self) -> Phrases:
        return self.model.format.PHRASES

    @property
    def place(self) -> Hashable:
        """Unique among all links in this process, those of included files too."""
        return id(self.element.document), self.element.start

    @property
    def key(self) -> LinkKey:
        return LinkKey(self.file, self.scoped_name, self.number)

    @property
    def number(self) -> int:
        return self.model.namesakes.get(self.element.start, 1)

    @property
    def label(self) -> str:
        return self.key.label

    @property
    def own_name(self) -> str:
        """The name by which `--link` selects it alone."""
        return self.key.numbered if self.element.start in self.model.namesakes else self.scoped_name

    @property
    def file(self) -> str:
        return self.element.document.path_at(self.element.start)

    @property
    def line(self) -> int:
        return self.element.line

    def location(self) -> Location:
        return self.element.location()

    def inertial_location(self, part: InertialPart | None = None) -> Location:
        """That of the whole block where it has no such part."""
        block = self.inertial
        if block is None:
            return self.location()
        parts = {POSE: block.pose_element, MASS: block.mass_element, TENSOR: block.tensor_element, None: None}
        return (parts[part] or block.element).location()

    @property
    def has_inertial(self) -> bool:
        return self.inertial is not None

    @property
    def has_tensor(self) -> bool:
        return self.inertial is not None and self.inertial.tensor_element is not None

    def comments(self) -> list[Comment]:
        return [*self.element.comments, *self.inertial_comments()]

    def inertial_comments(self) -> Sequence[Comment]:
        return self.inertial.comments if self.inertial is not None else ()

    def location_of(self, comment: Comment) -> Location:
        return self.element.document.location(comment.start)

    def has_solids(self, kind: SolidKind) -> bool:
        return bool(self.collisions if kind is COLLISION else self.visuals)

    def solids(self, kind: SolidKind) -> Sequence[Solid]:
        return given(self.collisions if kind is COLLISION else self.visuals)

    def require_own_name(self) -> None:
        if self.naming is not None:
            raise ValueTextError(self.naming.message, remedy=self.naming.remedy)

    def require_spelling(self) -> None:
        """Refuses a link that is to be computed where a misspelt name would shape its numbers."""
        for problem in self.model.format.unknown_elements(self):
            if problem.meant in SHAPING:
                raise ValueTextError(problem.message, location=problem.location, remedy=problem.remedy)

    @property
    def is_static(self) -> bool:
        return given(self.static)

    def asks_to_be_filled(self) -> bool:
        return given(self.request.asks)

    def written_numbers(self) -> tuple[float, ...] | None:
        return self.inertial.numbers if self.inertial is not None else None

    def block_numbers(self) -> tuple[float, ...] | None:
        """Mass, tensor and pose as the file gives them; None where one cannot be read."""
        values = self.inertial.values if self.inertial is not None else None
        return (values[1], *values[2], *values[0].numbers) if values is not None else None

    @property
    def mass(self) -> float | None:
        return known(self.inertial.mass) if self.inertial is not None else None

    @property
    def positive_mass(self) -> float | None:
        return self.mass if self.mass is not None and self.mass > 0.0 else None

    def require_numbers(self) -> None:
        if self.inertial is not None:
            for part in (self.inertial.pose, self.inertial.mass, self.inertial.tensor):
                given(part)

    def written_tensor(self) -> InertiaTensor | None:
        """In its own axes; None where a number of the inertial cannot be read."""
        values = self.inertial.values if self.inertial is not None else None
        if values is None:
            return None
        ixx, ixy, ixz, iyy, iyz, izz = values[2]
        return InertiaTensor(ixx, iyy, izz, ixy, ixz, iyz)

    def written_inertia(self) -> Written | None:
        if self.inertial is None:
            return None
        pose, mass = given(self.inertial.pose), given(self.inertial.mass)
        ixx, ixy, ixz, iyy, iyz, izz = given(self.inertial.tensor)
        tensor, X_LC = InertiaTensor(ixx, iyy, izz, ixy, ixz, iyz), pose.transform()
        inertia = SpatialInertia(mass, X_LC.apply((0.0, 0.0, 0.0)), tensor.rotated(X_LC.rotation))
        return Written(inertia, tensor, X_LC.rotation)

    def written_texts(self) -> Texts | None:
        return self.model.format.texts(self.inertial.element) if self.inertial is not None else None

    def mass_text(self) -> str | None:
        return self.inertial.mass_text if self.inertial is not None else None

    def given_mass(self) -> tuple[float, str] | None:
        """The mass that an author gave: kg, and its text."""
        if self.inertial is None or self.inertial.mass_element is None:
            return None
        mass, text = given(self.inertial.mass), self.inertial.mass_text or ""
        if mass <= 0.0:
            problem = f"{self.phrases.mass} is {text}, but a mass must be above zero"
            raise self.inertial.mass_element.error(problem, self.phrases.mass_remedy)
        return mass, text

    def edits(self, new: NewInertial) -> list[Edit]:
        return self.model.format.edits(self, new)

    def scalable_inertia(self) -> SpatialInertia:
        """The explicit inertia; raises an error where it is incomplete, or is to be computed."""
        if self.inertial is None:
            raise InertiaError("it has no <inertial> to scale", remedy="`sdfinertia fill --missing` gives it one")
        self.model.require_explicit(self)
        written = self.written_inertia()
        assert written is not None, "what is scalable is there"
        return written.inertia

    def scale_edits(
        self, after: SpatialInertia, replaced: Comment | None, *, digits: int, is_body: bool = True
    ) -> list[Edit]:
        """Writes another inertia (link frame) in the same axes; equal numbers keep their text."""
        before, old, written = self.scalable_inertia(), self.written_texts(), self.written_inertia()
        assert old is not None, "what is scalable is there"
        assert written is not None, "what is scalable is there"
        text, keeps_axes = scaled_texts(old, written, after, digits=digits, is_body=is_body)
        keeps_pose = keeps_axes and after.p_BoBcm_B == before.p_BoBcm_B
        return self.edits(NewInertial(text, None, replaced, keeps_pose=keeps_pose, keeps_axes=keeps_axes))

    def reads_back(self, edits: Sequence[Edit], text: InertialText) -> bool:
        """Whether a reader finds these numbers once the edits are made."""
        block = self.new_block(edits)
        return block is not None and self.model.read_inertial(block).numbers == self.model.numbers_of(text)

    def new_block(self, edits: Sequence[Edit]) -> Element | None:
        """The block that edits write, as a parser reads it; None where its bytes are no single element.

        Only the block is parsed again: if its new bytes are one element, the rest of the file reads as before.
        """
        if self.inertial is None:
            block = b"".join([edit.replacement for edit in edits]).strip()
        else:
            old = self.inertial.element
            block = splice(old.document.data, edits, old.start, old.end)
        roots = Document(block, "the block that would be written").roots
        if [(root.name, root.start, root.end) for root in roots] != [("inertial", 0, len(block))]:
            return None
        return roots[0]


class Format(Protocol):
    """The module that writes links of a format, and finds what is malformed in them."""

    PHRASES: Phrases

    def edits(self, link: Link, new: NewInertial, /) -> list[Edit]: ...

    def dimension_edits(self, solid: Solid, dimensions: Sequence[float], digits: int, /) -> list[Edit]: ...

    def texts(self, inertial: Element, /) -> Texts: ...

    def poses(self, link: Link, /) -> Iterable[tuple[Pose | SdfInertiaError, Element]]:
        """Those that rotations in degrees may be in, with their elements."""

    def densities(self, link: Link, /) -> Iterable[tuple[float | SdfInertiaError | None, int]]:
        """Those that a link gives itself, and where in its document."""

    def malformations(self, link: Link, /) -> Iterator[Problem]: ...

    def unknown_elements(self, link: Link, /) -> Iterator[Problem]: ...

    def unknown_moments(self, link: Link, /) -> Iterator[Problem]: ...


class Model:
    """A model of links, and what is known of them together: found when needed, since joints may lie in includes."""

    format: Format
    element: Element
    name: str
    scoped_name: str
    total_mass: float | None = None  # to which simulators scale all its links together (kg)

    @property
    def key(self) -> Hashable:
        return self.element.start

    @property
    @abstractmethod
    def namesakes(self) -> Mapping[int, int]: ...

    @property
    @abstractmethod
    def _links(self) -> Sequence[Link]: ...

    def links(self) -> Sequence[Link]:
        """Without those of nested models."""
        return self._links

    def all_links(self) -> Sequence[Link]:
        """In the order of the file within each model."""
        return self.links()

    @cached_property
    def tensor_counts(self) -> Counter[Sequence[str]]:
        texts = (link.written_texts() for link in self.all_links())
        return Counter(tuple(each.tensor) for each in texts if each is not None)

    def repeated_links(self) -> Iterator[Problem]:
        all_links = self.links()
        if len({link.name for link in all_links}) == len(all_links):
            return
        for name, links in sorted(grouped((link.name, link) for link in all_links).items()):
            if name and len(links) > 1:
                of, why = f"{len(links)} links of {self.element.name} {self.name!r}", "parsers refuse the file"
                problem = f"{of} are named {name!r}; {why}"
                yield Problem(problem, "give each its own name", links[1].location())

    def unresolved_frames(self, context: LinkContext) -> Iterator[Problem]:
        return iter(())

    @abstractmethod
    def unresolved_references(self, context: LinkContext) -> Iterator[Problem]: ...

    @abstractmethod
    def read_inertial(self, element: Element) -> Inertial: ...

    def numbers_of(self, text: InertialText) -> tuple[float, ...]:
        return text.numbers()

    def require_explicit(self, link: Link) -> None:
        if link.request.stays:
            problem = "a comment asks for its inertial to be computed, which would undo the scaling"
            raise InertiaError(problem, remedy="change or take out the comment")

    def compiled(self, inertia: SpatialInertia) -> SpatialInertia:
        """The inertia in simulators for a written or inferred one, by the settings of the file."""
        return inertia

    def placement(self, solid: Solid, context: LinkContext) -> Placement:
        return (PosePath((PoseStep(given(solid.own_pose)),)),)

    @abstractmethod
    def parent_joints(self, link: Link, context: LinkContext) -> Iterable[ParentJoint]:
        """The joints whose child a link is, without those with an unknown end."""

    @abstractmethod
    def group(self, link: Link, context: LinkContext) -> Group: ...

    def needs_inertial(self, link: Link, context: LinkContext) -> bool:
        """Whether simulators move it as a rigid body; see also `is_static`."""
        return True

    def lump(self, link: Link) -> Lump:
        return Lump()

    def massless_joints(self, link: Link) -> Iterator[Problem]:
        """The joints that move it although neither it nor the links fixed to it have a mass."""
        return iter(())

    def simulation_step(self, link: Link, default: float) -> float | None:
        """The step of its world (s), else the default; None where the format has no worlds."""
        return None


# Groups ---------------------------------------------------------------------------------------------------------------


class Member(NamedTuple):
    """A link of a group, and its pose X_GL in the frame of the group."""

    link: Link
    pose: RigidTransform


class Group(NamedTuple):
    """Links that fixed joints make one body; the frame of the first is that of the group."""

    members: tuple[Member, ...]
    axis: Axis | None = None  # about which a joint turns it; None where none does, or it has no one axis


def alone(link: Link) -> Group:
    return Group((Member(link, IDENTITY),))
