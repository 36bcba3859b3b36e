"""Links, read when asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from sdfinertia.description.facts import (
    Comment,
    Defect,
    InertialPart,
    LinkKey,
    ParentJoint,
    SolidKind,
    WrittenInertia,
    WrittenTexts,
)
from sdfinertia.description.own_comment import filled_entries
from sdfinertia.description.parameters import InertiaParameters
from sdfinertia.errors import Location, SdfInertiaError
from sdfinertia.markup.document import Document, Element
from sdfinertia.markup.placed_link import PlacedLink
from sdfinertia.urdf import inertial as explicit
from sdfinertia.urdf.link_text import VersionedModel
from sdfinertia.urdf.origin import read_origin
from sdfinertia.urdf.requests import Request, asks, read_own_density, read_request
from sdfinertia.urdf.solid import Solid
from sdfinertia.urdf.values import XACRO_REMEDY, is_xacro

if TYPE_CHECKING:
    from sdfinertia.description.edits import Edit
    from sdfinertia.description.phrases import Phrases
    from sdfinertia.description.protocols import HasResources
    from sdfinertia.inertia.inertial_text import InertialText
    from sdfinertia.inertia.spatial_inertia import SpatialInertia
    from sdfinertia.urdf.joints import JointTable

_NO_PARAMETERS = InertiaParameters()


class Owner(VersionedModel, Protocol):
    """What a link asks of the robot that it is part of."""

    @property
    def joints(self) -> JointTable:
        """Its joints."""

    @property
    def repeated_link_names(self) -> frozenset[str]:
        """Names that more than one of its links bears."""

    @property
    def namesakes(self) -> Mapping[int, int]:
        """See `numbers_of_namesakes`, of its links."""


class Link(PlacedLink):
    """A link of a robot.

    Attributes:
        name: its name, trimmed.
        inertial: its first `<inertial>`.
        has_request: whether a comment in it asks for its inertia, well or badly.
    """

    __slots__ = ("_request", "_solids", "element", "has_request", "inertial", "model", "name")

    def __init__(self, robot: Owner, element: Element) -> None:
        self.model = robot
        self.element = element
        self.name = element.attribute("name") or ""
        self.inertial = element.child("inertial")
        self.has_request = robot.has_own_comments and asks(element)
        self._key: LinkKey | None = None
        self._request: Request | None = None
        self._solids: dict[str, list[Solid]] = {}

    @property
    def scoped_name(self) -> str:
        """`robot::link`."""
        return f"{self.model.name}::{self.name}"

    @property
    def namesakes(self) -> Mapping[int, int]:
        """Of its file; see `numbers_of_namesakes`."""
        return self.model.namesakes

    @property
    def phrases(self) -> Phrases:
        """How URDF says what remedies advise to write."""
        from sdfinertia.urdf.phrases import PHRASES

        return PHRASES

    def inertial_location(self, part: InertialPart | None = None) -> Location:
        """Where its `<inertial>`, or a part of it, begins; what is not there is where it would be."""
        element = self.inertial or self.element
        inner = None
        if part is not None and self.inertial is not None:
            inner = element.child("origin" if part is InertialPart.POSE else part.value)
        return (inner or element).location()

    @property
    def naming_defect(self) -> Defect | None:
        """It has no name, or another link has the same."""
        if not self.name:
            return Defect("the link has no name", "give it one")
        if is_xacro(self.name):
            return Defect(f"the name of <link> is unexpanded xacro: {self.name!r}", XACRO_REMEDY)
        if self.name not in self.model.repeated_link_names:
            return None
        return Defect(f"two links of robot {self.model.name!r} are named {self.name!r}", "give each its own name")

    @property
    def is_static(self) -> bool:
        """Whether it is the link `world`, or hangs on that by fixed joints only."""
        return self.name in self.model.joints.fixed_to_world

    # What is written ------------------------------------------------------------------------------------------------

    def asks_to_be_filled(self) -> bool:
        """Whether a comment in it asks for its inertia, and its block does not say that it was filled.

        Raises:
            ValueTextError: the comment is malformed.
        """
        if self.request() is None:
            return False
        return not any(filled_entries(comment.text) is not None for comment in self.inertial_comments())

    def request(self) -> Request | None:
        """What the comment in it asks for; None where there is none.

        Raises:
            ValueTextError: it is malformed.
        """
        if self._request is None and self.has_request:
            self._request = read_request(self.element)
        return self._request

    def written_inertia(self) -> WrittenInertia | None:
        """The explicit numbers; None where there is no `<inertial>`.

        Raises:
            ValueTextError: one of them is missing or malformed.
        """
        if self.inertial is None:
            return None
        return explicit.read_written_inertia(self.inertial, has_quaternions=self.model.has_quaternions)

    def written_texts(self) -> WrittenTexts | None:
        """The texts of the explicit numbers, or None where there is no `<inertial>`."""
        return explicit.read_written_texts(self.inertial) if self.inertial is not None else None

    def written_numbers(self) -> tuple[float, ...] | None:
        """The explicit numbers as `InertialText.numbers` orders them; None where they are not written as we do it."""
        if self.inertial is None:
            return None
        return explicit.written_numbers(self.inertial, has_quaternions=self.model.has_quaternions)

    def mass_text(self) -> str | None:
        """The text of its mass, or None where there is none."""
        return explicit.mass_text(self.inertial) if self.inertial is not None else None

    def given_mass(self) -> tuple[float, str] | None:
        """Its mass (kg), as number and as written; None where there is no `<mass>`.

        Raises:
            ValueTextError: it has no value, or one that is no number, or not above zero.
        """
        return explicit.read_given_mass(self.inertial) if self.inertial is not None else None

    def malformations(self) -> Iterator[Defect]:
        """What is missing, malformed or twice in its `<inertial>`, its collisions and its comments."""
        from sdfinertia.urdf.malformations import malformations

        return malformations(self)

    def unknown_elements(self) -> Iterator[Defect]:
        """The elements in it that are near misses of URDF's; other unknown ones are customary."""
        from sdfinertia.urdf.malformations import near_misses

        return near_misses(self)

    def unknown_moments(self) -> Iterator[Defect]:
        """The attributes of its `<inertia>` that are near misses of its entries."""
        from sdfinertia.urdf.malformations import unknown_moments

        return unknown_moments(self.inertial) if self.inertial is not None else iter(())

    def angles_above(self, limit: float) -> Iterator[tuple[float, Callable[[], Location]]]:
        """The origins of its inertial, collisions and visuals with an angle above a limit: that (rad), and where."""
        for owner in self.element.children:
            origin = owner.child("origin") if owner.name in ("inertial", "collision", "visual") else None
            try:
                pose = read_origin(origin, has_quaternions=self.model.has_quaternions)
            except SdfInertiaError:
                continue
            angle = max(map(abs, pose.numbers[3:])) if pose.form == "rpy" and pose.numbers else 0.0
            if origin is not None and angle > limit:
                yield angle, origin.location

    def given_densities(self) -> Iterator[tuple[float, Callable[[], Location]]]:
        """The densities that comments in its collisions say, where they can be read (kg/m³)."""
        for solid in self.element.children_named("collision"):
            try:
                density = read_own_density(solid) if self.model.has_own_comments else None
            except SdfInertiaError:
                continue
            if density is not None:
                yield density, solid.location

    # What it is computed from ---------------------------------------------------------------------------------------

    def solids(self, kind: SolidKind) -> list[Solid]:
        """Its collisions or visuals, in order; they may share a name or have none."""
        solids = self._solids.get(kind.element)
        if solids is None:
            elements = self.element.children_named(kind.element)
            solids = [Solid(self, element, number) for number, element in enumerate(elements, start=1)]
            self._solids[kind.element] = solids
        return solids

    def default_density(self) -> float | None:
        """The density that it asks for (kg/m³).

        Raises:
            ValueTextError: what asks for it is malformed.
        """
        request = self.request()
        return request.density if request is not None else None

    def default_parameters(self) -> InertiaParameters:
        """The parameters that it asks for.

        Raises:
            ValueTextError: what asks for them is malformed.
        """
        request = self.request()
        return request.parameters if request is not None else _NO_PARAMETERS

    # What is around it ----------------------------------------------------------------------------------------------

    def parent_joints(self, around: HasResources) -> Iterator[ParentJoint]:
        """The joints whose child it is."""
        return self.model.joints.parents_of(self)

    def needs_inertial(self, around: HasResources) -> bool:
        """Whether no fixed joint lumps it with a link that has an inertia; what is fixed to the world is static."""
        return not self.is_carried()

    def is_carried(self) -> bool:
        """Whether fixed joints lump it with a link that has an inertia: Gazebo and MuJoCo merge them."""
        return self.name in self.model.joints.carried

    def massless_joints(self) -> Iterator[Defect]:
        """The joints that move it, where neither it nor what is fixed to it has a mass."""
        return self.model.joints.massless(self)

    @property
    def without_inertial(self) -> str:
        """What simulators make of a link with collisions and no `<inertial>`, each tried; see the page of SDI104."""
        return (
            "Gazebo drops the link and all that hangs on it, Drake takes it for massless, MuJoCo for water, "
            "Bullet for 1 kg"
        )

    @property
    def without_tensor(self) -> str:
        """What readers make of an `<inertial>` without `<inertia>`; urdfdom, `parseInertial`."""
        return "urdfdom refuses the file, and others take zeros"

    def simulation_step(self, default: float) -> float | None:
        """None: URDF knows no simulation."""
        return None

    # How it is written anew -----------------------------------------------------------------------------------------

    def fill_edits(self, text: InertialText, comment: str | None, replaced: Comment | None, *, auto: str) -> list[Edit]:
        """The edits that write numbers into its `<inertial>`, or give it one; see `urdf.inertial_edit`.

        A request stays in the file, whatever `auto` says.
        """
        from sdfinertia.urdf.inertial_edit import block_texts, fill_edits, new_block_edit

        numbers = block_texts(text)
        if self.inertial is None:
            return [new_block_edit(self.element, numbers, comment)]
        old = replaced[:2] if replaced is not None else None
        has_quaternions = self.model.has_quaternions
        return fill_edits(self.element, self.inertial, numbers, comment, old, has_quaternions=has_quaternions)

    def reads_back(self, edits: Sequence[Edit], text: InertialText) -> bool:
        """Whether a reader finds these numbers once its `<inertial>` is edited: in the new bytes of the block."""
        from sdfinertia.description.edits import Edit, splice

        if self.inertial is None:
            block = b"".join(edit.replacement for edit in edits).strip()
        else:
            start, end = self.inertial.start, self.inertial.end
            moved = [Edit(edit.start - start, edit.stop - start, edit.replacement) for edit in edits]
            block = splice(self.element.document.data[start:end], moved)
        roots = Document(block, "the block that would be written").roots
        if len(roots) != 1 or (roots[0].start, roots[0].end) != (0, len(block)):
            return False
        found = explicit.written_numbers(roots[0], has_quaternions=self.model.has_quaternions)
        return found == text.numbers()

    def scalable_inertia(self) -> SpatialInertia:
        """The explicit inertia, where it may be written anew; see `urdf.scaling_edit`."""
        from sdfinertia.urdf.scaling_edit import scalable_inertia

        return scalable_inertia(self)

    def scale_edits(
        self, after: SpatialInertia, replaced: Comment | None, *, digits: int, is_body: bool = True
    ) -> list[Edit]:
        """The edits that write another inertia in the same axes; see `urdf.scaling_edit`."""
        from sdfinertia.urdf.scaling_edit import scale_edits

        return scale_edits(self, after, replaced, digits=digits, is_body=is_body)

    def repair_edits(
        self, text: InertialText, comment: str, replaced: Comment | None, *, keeps_pose: bool
    ) -> list[Edit]:
        """The edits that write repaired numbers; see `urdf.scaling_edit`.

        Raises:
            ValueTextError: the block turns its axes in two ways.
        """
        from sdfinertia.urdf.scaling_edit import repair_edits

        assert self.inertial is not None, "a block that is repaired is there"
        return repair_edits(self, self.inertial, text, comment, replaced, keeps_pose=keeps_pose)

    def nudge_edits(self) -> list[Edit]:
        """The edits that move the last digit of the moments; see `urdf.scaling_edit`."""
        from sdfinertia.urdf.scaling_edit import nudge_edits

        return nudge_edits(self)
