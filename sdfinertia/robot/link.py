"""The classes of models, links and solids that a format subclasses.

Whatever lies above, from the study of a link to the commands, knows descriptions by these and by `robot.Robot` alone,
and never asks which format it has. They read their text when asked; what their methods return are plain values.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from sdfinertia.markup.document import Edit, Element, splice
from sdfinertia.robot.values import POSE, Comment, LinkKey

if TYPE_CHECKING:
    from sdfinertia.errors import Location
    from sdfinertia.files.finder import Finder
    from sdfinertia.inertia.inertial_text import InertialText
    from sdfinertia.inertia.spatial_inertia import SpatialInertia
    from sdfinertia.robot.poses import Placement
    from sdfinertia.robot.values import (
        Colour,
        InertialPart,
        InertiaParameters,
        ParentJoint,
        Phrases,
        Problem,
        SolidKind,
        Texts,
        Written,
    )
    from sdfinertia.shapes.shape import Shape


class LinkContext(Protocol):
    """What lies around a document; where files are looked for is made when it is first asked for."""

    @property
    def resources(self) -> Finder:
        """Where the files that it names are looked for."""


class Solid:
    """A collision or a visual of a link."""

    __slots__ = ("_placement", "_shape", "element", "link", "name")

    link: Link

    def __init__(self, link: Link, element: Element, name: str) -> None:
        self.link = link
        self.element = element
        self.name = name
        # Each is read when it is first asked for, and once; what cannot be read says so each time.
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
        """Its shape (m).

        Raises:
            GeometryError: there are several, or there is none and the format needs one.
            ValueTextError: a dimension is missing or malformed.
        """
        if self._shape is None:
            self._shape = self._read_shape()
        return self._shape

    def placement(self, context: LinkContext) -> Placement:
        """The paths whose product is X_LG, the pose of its geometry in the link frame.

        Raises:
            FrameError: a frame on the way does not exist, or they form a cycle.
            ResourceError: a file that is included on the way cannot be found.
        """
        if self._placement is None:
            self._placement = self._read_placement(context)
        return self._placement

    @abstractmethod
    def _read_shape(self) -> Shape: ...

    @abstractmethod
    def _read_placement(self, context: LinkContext) -> Placement: ...

    @abstractmethod
    def own_density(self) -> float | None:
        """The density that it gives itself (kg/m³)."""

    @abstractmethod
    def parameters(self) -> InertiaParameters:
        """How it is to be computed: by its own parameters, else by its link's as a whole."""

    @abstractmethod
    def colour(self) -> Colour | None:
        """The colour it is drawn in; None where it says none, or says it in a way that is not read here."""

    @abstractmethod
    def dimension_location(self) -> Location:
        """Where the dimension of its shape is that no solid can have, or the solid where there is none such."""

    @abstractmethod
    def dimension_edits(self, dimensions: Sequence[float], *, digits: int) -> list[Edit]:
        """The edits that give its shape, a primitive, other dimensions (m); equal numbers keep their text."""


class Model:
    """The model that a link belongs to."""

    element: Element
    name: str
    scoped_name: str

    @property
    def key(self) -> Hashable:
        """What tells it from the other models of its document."""
        return self.element.start

    @property
    @abstractmethod
    def namesakes(self) -> Mapping[int, int]:
        """Of its document; see `numbers_of_namesakes`."""

    @abstractmethod
    def all_links(self) -> Sequence[Link]:
        """Its links and those of models nested in it, in the order of the file within each model."""

    def unresolved_frames(self, context: LinkContext) -> Iterator[Problem]:
        """Frames of this model that lead nowhere."""
        return iter(())

    @abstractmethod
    def unresolved_references(self, context: LinkContext) -> Iterator[Problem]:
        """Names in this model that name nothing there, or the element itself: ends of joints, and frames."""


class Link:
    """A link: what is said of its inertia, and how that is written anew.

    Attributes:
        inertial: its first inertial.
        POSE_ELEMENT: the name of the element that places an inertial.
        has_request: whether it asks for its inertia by what stays in the file once it is filled.
    """

    __slots__ = ("_key", "_solids", "element", "inertial", "model", "name")

    has_request: bool

    POSE_ELEMENT: str
    phrases: Phrases
    model: Model

    def __init__(self, model: Model, element: Element) -> None:
        self.model = model
        self.element = element
        self.name = element.attribute("name") or ""
        self.inertial = element.child("inertial")
        self._key: LinkKey | None = None
        self._solids: dict[str, Sequence[Solid]] | None = None

    @property
    def scoped_name(self) -> str:
        return f"{self.model.scoped_name}::{self.name}"

    @property
    def place(self) -> Hashable:
        """What tells it from all other links in this process, those of included documents among them."""
        return id(self.element.document), self.element.start

    @property
    def key(self) -> LinkKey:
        """What it is known by, here and in other versions of its file."""
        if self._key is None:
            self._key = LinkKey(self.file, self.scoped_name, self.model.namesakes.get(self.element.start, 1))
        return self._key

    @property
    def own_name(self) -> str:
        """The name by which --link takes it alone: with its number where other links have its scoped name."""
        return self.key.numbered if self.element.start in self.model.namesakes else self.scoped_name

    @property
    def file(self) -> str:
        return self.element.document.path

    @property
    def line(self) -> int:
        """The line it begins at; cheaper than the whole location."""
        return self.element.line

    def location(self) -> Location:
        return self.element.location()

    def inertial_location(self, part: InertialPart | None = None) -> Location:
        """Where its inertial, or a part of it, begins; what is not there is where it would be."""
        element = self.inertial or self.element
        inner = None
        if part is not None and self.inertial is not None:
            inner = element.child(self.POSE_ELEMENT if part is POSE else part.value)
        return (inner or element).location()

    @property
    def has_inertial(self) -> bool:
        return self.inertial is not None

    @property
    def has_tensor(self) -> bool:
        return self.inertial is not None and self.inertial.child("inertia") is not None

    def comments(self) -> Iterator[Comment]:
        """The comments directly in the link and in its inertial."""
        yield from map(Comment._make, self.element.comments())
        yield from self.inertial_comments()

    def inertial_comments(self) -> Iterator[Comment]:
        return map(Comment._make, self.inertial.comments()) if self.inertial is not None else iter(())

    def location_of(self, comment: Comment) -> Location:
        return self.element.document.location(comment.start)

    def has_solids(self, kind: SolidKind) -> bool:
        return self.element.child(kind.element) is not None

    def solids(self, kind: SolidKind) -> Sequence[Solid]:
        """Its solids of a kind, in order.

        Raises:
            ValueTextError: two of them have the same name, where the format refuses that.
        """
        if self._solids is None:
            self._solids = {}
        solids = self._solids.get(kind.element)
        if solids is None:
            solids = self._solids[kind.element] = self._read_solids(kind)
        return solids

    @abstractmethod
    def _read_solids(self, kind: SolidKind) -> Sequence[Solid]: ...

    @property
    @abstractmethod
    def naming_defect(self) -> Problem | None:
        """Why its name does not tell it from the other links of its model, if that is so."""

    @property
    @abstractmethod
    def is_static(self) -> bool:
        """Whether it never moves, so that nothing needs its inertia.

        Raises:
            ValueTextError: what says so is malformed.
        """

    # What is written ------------------------------------------------------------------------------------------------

    @abstractmethod
    def asks_to_be_filled(self) -> bool:
        """Whether it says that its inertia is to be computed, and that was not done.

        Raises:
            ValueTextError: what says so is malformed.
        """

    @abstractmethod
    def written_inertia(self) -> Written | None:
        """The explicit numbers, or None where there is no inertial.

        Raises:
            ValueTextError: one of them is malformed.
        """

    @abstractmethod
    def written_texts(self) -> Texts | None:
        """The texts of the explicit numbers, or None where there is no inertial."""

    @abstractmethod
    def written_numbers(self) -> tuple[float, ...] | None:
        """The explicit numbers as `InertialText.numbers` orders them; None where they are not written as we do it."""

    @abstractmethod
    def mass_text(self) -> str | None: ...

    @abstractmethod
    def given_mass(self) -> tuple[float, str] | None:
        """The mass that an author gave (kg), as number and as written; None where there is none.

        Raises:
            ValueTextError: it is empty, no number, or not above zero.
        """

    @abstractmethod
    def default_density(self) -> float | None:
        """The density of collisions that give none of their own (kg/m³)."""

    @abstractmethod
    def default_parameters(self) -> InertiaParameters:
        """How collisions are to be computed that do not say so themselves."""

    @abstractmethod
    def malformations(self) -> Iterator[Problem]:
        """What is written in its inertial, or in its collisions, that the format does not have there."""

    @abstractmethod
    def unknown_elements(self) -> Iterator[Problem]:
        """The elements in it, its inertial, its collisions and its geometries that the format does not have there."""

    @abstractmethod
    def unknown_moments(self) -> Iterator[Problem]:
        """What is among the entries of its tensor and is none."""

    @abstractmethod
    def angles_above(self, limit: float) -> Iterator[tuple[float, Callable[[], Location]]]:
        """The angles above a limit that are written in radians in it (rad), and what finds the place of each."""

    @abstractmethod
    def given_densities(self) -> Iterator[tuple[float, Callable[[], Location]]]:
        """The densities that can be read in it (kg/m³), and what finds their places."""

    # What is around it ----------------------------------------------------------------------------------------------

    @abstractmethod
    def parent_joints(self, context: LinkContext) -> Iterator[ParentJoint]:
        """The joints whose child it is; where an end is not found, a joint is left out."""

    def needs_inertial(self, context: LinkContext) -> bool:
        """Whether simulators move it as a rigid body, as far as it does not itself say; see also `is_static`."""
        return not self.is_lumped()

    def is_lumped(self) -> bool:
        """Whether simulators take it for a part of a link that has an inertia of its own.

        It may then be a frame, with neither mass nor tensor, or a mass point, and nothing divides by that.
        """
        return False

    def massless_joints(self) -> Iterator[Problem]:
        """The joints that move it, where that needs a mass, and neither it nor what is fixed to it has one."""
        return iter(())

    @property
    @abstractmethod
    def without_inertial(self) -> str:
        """What simulators make of a link of this format that has collisions and no inertial."""

    @property
    @abstractmethod
    def without_tensor(self) -> str:
        """What they make of an inertial in which no tensor is written."""

    def simulation_step(self, default: float) -> float | None:
        """The step at which it is simulated (s), else the default; None where the format has no place for it."""
        return None

    # How it is written anew -----------------------------------------------------------------------------------------

    @abstractmethod
    def fill_edits(self, text: InertialText, comment: str | None, replaced: Comment | None, *, auto: str) -> list[Edit]:
        """The edits that write numbers into it, or give it an inertial with them.

        Args:
            comment: the provenance comment, or None for a block without one.
            replaced: the comment whose place it takes.
            auto: "remove" takes away what asks for the inertia to be computed, "false" says that it is not.
        """

    def reads_back(self, edits: Sequence[Edit], text: InertialText) -> bool:
        """Whether a reader of the format finds these numbers in it once the edits of `fill_edits` are made.

        Only the block is read again: where its new bytes are one element from the first to the last, the rest of the
        file, which was parsed, reads as before.
        """
        if self.inertial is None:
            block = b"".join([edit.replacement for edit in edits]).strip()
        else:
            block = splice(self.element.document.data, edits, self.inertial.start, self.inertial.end)
        return self._holds(block, text)

    @abstractmethod
    def _holds(self, block: bytes, text: InertialText) -> bool: ...

    @abstractmethod
    def scalable_inertia(self) -> SpatialInertia:
        """The explicit inertia, where it is complete enough to be written anew in its own axes.

        Raises:
            InertiaError: there is none, it asks to be computed, or it lacks the mass or a moment.
            ValueTextError: a number is malformed.
        """

    @abstractmethod
    def scale_edits(
        self, after: SpatialInertia, replaced: Comment | None, *, digits: int, is_body: bool = True
    ) -> list[Edit]:
        """The edits that write another inertia in the same axes; numbers that stay the same keep their text.

        Args:
            after: in the link frame.
            replaced: the provenance comment that is taken out.
            is_body: whether it is to be one that a body can have.

        Raises:
            InertiaError: rounded to so many digits, it is physically invalid.
        """

    @abstractmethod
    def repair_edits(
        self, text: InertialText, comment: str, replaced: Comment | None, *, keeps_pose: bool
    ) -> list[Edit]:
        """The edits that write repaired numbers in the places and axes that an author chose.

        Args:
            text: what to write; what is there already keeps its bytes.
            comment: that says what was repaired.
            keeps_pose: whether centre and axes stay as they are written, in whatever way that is.

        Raises:
            ValueTextError: an element where a number belongs holds other elements, or the axes are turned in two ways.
        """

    @abstractmethod
    def nudge_edits(self) -> list[Edit]:
        """The edits that move the last digit of the moments so that libsdformat takes the tensor; none if none do."""


def numbers_of_namesakes(links: Iterable[tuple[str, int]]) -> dict[int, int]:
    """The number of each link among those of its scoped name, from 1, by its start; without links of unique names.

    Args:
        links: of a file, each with its scoped name and its start, in the order of the file.
    """
    starts: dict[str, list[int]] = {}
    for name, start in links:
        starts.setdefault(name, []).append(start)
    return {start: number for each in starts.values() if len(each) > 1 for number, start in enumerate(each, start=1)}


def repeated_names(names: Sequence[str]) -> frozenset[str]:
    """Names that more than one link of a model has."""
    if len(set(names)) == len(names):
        return frozenset()
    seen: set[str] = set()
    return frozenset(name for name in names if name in seen or seen.add(name))  # type: ignore[func-returns-value]
