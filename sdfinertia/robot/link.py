"""Models, links and solids, which each format subclasses; their text is read when asked for."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from sdfinertia.errors import ValueTextError
from sdfinertia.markup.document import Edit, Element, splice
from sdfinertia.robot.values import POSE, TENSOR_NAMES, Comment, LinkKey

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
    from sdfinertia.shapes import Shape


class LinkContext(Protocol):
    @property
    def resources(self) -> Finder: ...


class Solid:
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
    def own_density(self) -> float | None:
        """kg/m³."""

    @abstractmethod
    def parameters(self) -> InertiaParameters:
        """Its own, or else its link's."""

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
    element: Element
    name: str
    scoped_name: str

    @property
    def key(self) -> Hashable:
        return self.element.start

    @property
    @abstractmethod
    def namesakes(self) -> Mapping[int, int]:
        """See `numbers_of_namesakes`."""

    @abstractmethod
    def all_links(self) -> Sequence[Link]:
        """In the order of the file within each model."""

    def unresolved_frames(self, context: LinkContext) -> Iterator[Problem]:
        return iter(())

    @abstractmethod
    def unresolved_references(self, context: LinkContext) -> Iterator[Problem]: ...


class Link:
    """A link: what is said of its inertia, and how that is rewritten.

    Attributes:
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
        """Unique among all links in this process, those of included files too."""
        return id(self.element.document), self.element.start

    @property
    def key(self) -> LinkKey:
        if self._key is None:
            self._key = LinkKey(self.file, self.scoped_name, self.model.namesakes.get(self.element.start, 1))
        return self._key

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
        """Those directly in the link and in its inertial."""
        yield from map(Comment._make, self.element.comments())
        yield from self.inertial_comments()

    def inertial_comments(self) -> Iterator[Comment]:
        return map(Comment._make, self.inertial.comments()) if self.inertial is not None else iter(())

    def location_of(self, comment: Comment) -> Location:
        return self.element.document.location(comment.start)

    def has_solids(self, kind: SolidKind) -> bool:
        return self.element.child(kind.element) is not None

    def solids(self, kind: SolidKind) -> Sequence[Solid]:
        """In order."""
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

    # What is written ------------------------------------------------------------------------------------------------

    @abstractmethod
    def asks_to_be_filled(self) -> bool: ...

    @abstractmethod
    def written_inertia(self) -> Written | None: ...

    @abstractmethod
    def written_texts(self) -> Texts | None: ...

    @abstractmethod
    def written_numbers(self) -> tuple[float, ...] | None:
        """In the order of `InertialText.numbers`; None where they are not written as we write them."""

    @abstractmethod
    def mass_text(self) -> str | None: ...

    @abstractmethod
    def given_mass(self) -> tuple[float, str] | None:
        """The mass that an author gave: kg, and its text."""

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
    def angles_above(self, limit: float) -> Iterator[tuple[float, Callable[[], Location]]]:
        """Angles written in radians above a limit (rad), and functions that find their places."""

    @abstractmethod
    def given_densities(self) -> Iterator[tuple[float, Callable[[], Location]]]:
        """kg/m³, and functions that find their places."""

    # What is around it ----------------------------------------------------------------------------------------------

    @abstractmethod
    def parent_joints(self, context: LinkContext) -> Iterator[ParentJoint]:
        """The joints whose child it is, without those with an unknown end."""

    def needs_inertial(self, context: LinkContext) -> bool:
        """Whether simulators move it as a rigid body; see also `is_static`."""
        return not self.is_lumped()

    def is_lumped(self) -> bool:
        """Whether simulators merge it into a link with an inertia of its own; it may then lack mass or tensor."""
        return False

    def massless_joints(self) -> Iterator[Problem]:
        """The joints that move it although neither it nor what is fixed to it has a mass."""
        return iter(())

    def simulation_step(self, default: float) -> float | None:
        """The step of its world (s), else the default; None where the format has no worlds."""
        return None

    # How it is written anew -----------------------------------------------------------------------------------------

    @abstractmethod
    def fill_edits(self, text: InertialText, comment: str | None, replaced: Comment | None, *, auto: str) -> list[Edit]:
        """Writes numbers into it.

        Args:
            comment: the provenance comment, or None for none.
            replaced: the comment whose place it takes.
            auto: "remove" removes the request to be computed, "false" sets it to false.
        """

    def reads_back(self, edits: Sequence[Edit], text: InertialText) -> bool:
        """Whether a reader finds these numbers once the edits of `fill_edits` are made.

        Only the block is parsed again: if its new bytes are one element, the rest of the file reads as before.
        """
        if self.inertial is None:
            block = b"".join([edit.replacement for edit in edits]).strip()
        else:
            block = splice(self.element.document.data, edits, self.inertial.start, self.inertial.end)
        return self._holds(block, text)

    @abstractmethod
    def _holds(self, block: bytes, text: InertialText) -> bool: ...

    def scalable_inertia(self) -> SpatialInertia:
        """The explicit inertia; raises where it is incomplete, or is to be computed."""
        self._require_scalable()
        written = self.written_inertia()
        assert written is not None, "what is scalable is there"
        return written.inertia

    @abstractmethod
    def _require_scalable(self) -> None: ...

    def scale_edits(
        self, after: SpatialInertia, replaced: Comment | None, *, digits: int, is_body: bool = True
    ) -> list[Edit]:
        """Writes another inertia (link frame) in the same axes; equal numbers keep their text."""
        # Loaded where something is scaled.
        from sdfinertia.robot.edits import scaled_texts

        before = self.scalable_inertia()
        old, written = self.written_texts(), self.written_inertia()
        assert old is not None, "what is scalable is there"
        assert written is not None, "what is scalable is there"
        text, keeps_axes = scaled_texts(old, written, after, digits=digits, is_body=is_body)
        keeps_pose = keeps_axes and after.p_BoBcm_B == before.p_BoBcm_B
        return self._block_edits(text, None, replaced, keeps_pose=keeps_pose, keeps_axes=keeps_axes)

    def repair_edits(
        self, text: InertialText, comment: str, replaced: Comment | None, *, keeps_pose: bool
    ) -> list[Edit]:
        """Writes repaired numbers in the author's places and axes; `keeps_pose` leaves centre and axes."""
        return self._block_edits(text, comment, replaced, keeps_pose=keeps_pose, keeps_axes=keeps_pose)

    @abstractmethod
    def _block_edits(
        self, text: InertialText, comment: str | None, replaced: Comment | None, *, keeps_pose: bool, keeps_axes: bool
    ) -> list[Edit]: ...

    def nudge_edits(self) -> list[Edit]:
        """Moves the last digit of the moments so that libsdformat takes the tensor; [] if that is not possible."""
        from sdfinertia.robot.edits import nudged_moments

        old, written = self.written_texts(), self.written_inertia()
        if old is None or written is None:
            return []
        texts = {name: text for name, text in zip(TENSOR_NAMES, old.tensor, strict=True) if text}
        return self._tensor_edits(nudged_moments(written.inertia.mass, texts))

    @abstractmethod
    def _tensor_edits(self, texts: Mapping[str, str]) -> list[Edit]: ...


def numbers_of_namesakes(links: Iterable[tuple[str, int]]) -> dict[int, int]:
    """The number of each link among those of its scoped name, from 1, by its start; unique names are left out."""
    starts: dict[str, list[int]] = {}
    for name, start in links:
        starts.setdefault(name, []).append(start)
    return {start: number for each in starts.values() if len(each) > 1 for number, start in enumerate(each, start=1)}


def repeated_names(names: Sequence[str]) -> frozenset[str]:
    if len(set(names)) == len(names):
        return frozenset()
    seen: set[str] = set()
    return frozenset(name for name in names if name in seen or seen.add(name))  # type: ignore[func-returns-value]
