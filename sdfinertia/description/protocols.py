"""The seam between formats and the study of links: what a robot description must tell, and how numbers go back into it.

A format (SDF, and others beside it) implements these protocols over its own text. Whatever stands above, from the study
of a link to the commands, knows descriptions by them alone and never asks which format it has before it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import TYPE_CHECKING, Protocol

from sdfinertia.errors import SdfInertiaError
from sdfinertia.inertia.rigid_transform import IDENTITY, RigidTransform
from sdfinertia.named_tuple import NamedTuple

if TYPE_CHECKING:
    from sdfinertia.description.edits import Edit
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
    from sdfinertia.description.parameters import InertiaParameters
    from sdfinertia.description.phrases import Phrases
    from sdfinertia.description.pose_path import Placement
    from sdfinertia.errors import Location
    from sdfinertia.files.finder import Finder
    from sdfinertia.inertia.inertial_text import InertialText
    from sdfinertia.inertia.rigid_transform import Vector3
    from sdfinertia.inertia.spatial_inertia import SpatialInertia
    from sdfinertia.shapes.shape import Shape


# Red, green, blue and opacity, each from 0 to 1.
Colour = tuple[float, float, float, float]


class HasResources(Protocol):
    """What lies around a document; where files are looked for is made when it is first asked for."""

    @property
    def resources(self) -> Finder:
        """Where the files that it names are looked for."""


class SolidDescription(Protocol):
    """A collision or a visual of a link."""

    @property
    def name(self) -> str:
        """Its name, trimmed."""

    @property
    def file(self) -> str:
        """The file it stands in, from which its uris resolve."""

    @property
    def phrases(self) -> Phrases:
        """How its format says what remedies advise to write."""

    def location(self) -> Location:
        """Where it stands."""

    def dimension_location(self) -> Location:
        """Where the dimension of its shape stands that no solid can have, or the solid where there is none such."""

    def own_density(self) -> float | None:
        """The density that it gives itself (kg/m³).

        Raises:
            ValueTextError: it is no finite number, or negative.
        """

    def parameters(self) -> InertiaParameters:
        """How it is to be computed: by its own parameters, else by its link's as a whole.

        Raises:
            ValueTextError: a parameter has a value that it cannot have.
        """

    def shape(self) -> Shape:
        """Its shape.

        Raises:
            GeometryError: there are several.
            ValueTextError: a dimension is missing or malformed.
        """

    def dimension_edits(self, dimensions: Sequence[float], *, digits: int) -> list[Edit]:
        """The edits that give its shape, a primitive, other dimensions; numbers that stay the same keep their text.

        Args:
            dimensions: as many as its shape has, in the same order (m).
            digits: significant digits written.
        """

    def colour(self) -> Colour | None:
        """The colour it is drawn in; None where it says none, or says it in a way that is not read here."""

    def placement(self, around: HasResources) -> Placement:
        """The paths whose product is X_LG, the pose of its geometry in the link frame.

        Raises:
            FrameError: a frame on the way does not exist, or they stand in a cycle.
            ResourceError: a file that is included on the way cannot be found.
        """


class ModelDescription(Protocol):
    """The model that a link belongs to."""

    @property
    def name(self) -> str:
        """Its name, trimmed."""

    @property
    def key(self) -> Hashable:
        """What tells it from the other models of its document."""

    def all_links(self) -> Sequence[LinkDescription]:
        """Its links and those of models nested in it, in the order of the file within each model."""

    def lost_frames(self, around: HasResources) -> Iterator[Defect]:
        """Frames of this model that lead nowhere."""

    def lost_references(self, around: HasResources) -> Iterator[Defect]:
        """Names in this model that stand for nothing there, or for the element itself: ends of joints, and frames."""


class LinkDescription(Protocol):
    """A link: what is said of its inertia, and how that is written anew."""

    @property
    def place(self) -> Hashable:
        """What tells it from all other links in this process, those of included documents among them."""

    @property
    def key(self) -> LinkKey:
        """What it is known by, here and in other versions of its file."""

    @property
    def own_name(self) -> str:
        """The name by which --link takes it alone: with its number where other links have its scoped name."""

    @property
    def name(self) -> str:
        """Its name, trimmed."""

    @property
    def scoped_name(self) -> str:
        """`model::nested::link`."""

    @property
    def model(self) -> ModelDescription:
        """The model it belongs to."""

    @property
    def file(self) -> str:
        """The file it stands in."""

    @property
    def phrases(self) -> Phrases:
        """How its format says what remedies advise to write."""

    @property
    def line(self) -> int:
        """The line it begins at; cheaper than the whole location."""

    def location(self) -> Location:
        """Where it begins."""

    def inertial_location(self, part: InertialPart | None = None) -> Location:
        """Where its inertial begins, or the link itself where there is none.

        Args:
            part: for its place in the inertial, if it has it.
        """

    @property
    def naming_defect(self) -> Defect | None:
        """Why its name does not tell it from the other links of its model, if that is so."""

    @property
    def is_static(self) -> bool:
        """Whether it never moves, so that nothing needs its inertia.

        Raises:
            ValueTextError: what says so is malformed.
        """

    # What is written ------------------------------------------------------------------------------------------------

    @property
    def has_inertial(self) -> bool:
        """Whether it has an inertial, filled or not."""

    @property
    def has_tensor(self) -> bool:
        """Whether a tensor is written in it."""

    @property
    def has_request(self) -> bool:
        """Whether it asks for its inertia by what stays in the file once it is filled."""

    def asks_to_be_filled(self) -> bool:
        """Whether it says that its inertia is to be computed, and that was not done.

        Raises:
            ValueTextError: what says so is no boolean.
        """

    def comments(self) -> Iterator[Comment]:
        """The comments directly in the link and in its inertial."""

    def inertial_comments(self) -> Iterator[Comment]:
        """The comments directly in its inertial."""

    def location_of(self, comment: Comment) -> Location:
        """Where one of its comments stands."""

    def written_inertia(self) -> WrittenInertia | None:
        """The explicit numbers, or None where there is no inertial.

        Raises:
            ValueTextError: one of them is malformed.
        """

    def written_texts(self) -> WrittenTexts | None:
        """The texts of the explicit numbers, or None where there is no inertial.

        Raises:
            ValueTextError: what says how the rotation is written is malformed.
        """

    def written_numbers(self) -> tuple[float, ...] | None:
        """The explicit numbers as `InertialText.numbers` orders them; None where they are not written as we do it."""

    def mass_text(self) -> str | None:
        """The text of the mass, or None where there is none."""

    def given_mass(self) -> tuple[float, str] | None:
        """The mass that an author gave (kg), as number and as written; None where there is none.

        Raises:
            ValueTextError: it is empty, no number, or not above zero.
        """

    def malformations(self) -> Iterator[Defect]:
        """What is written in its inertial, or in its collisions, that the format does not have there."""

    def unknown_elements(self) -> Iterator[Defect]:
        """The elements in it, its inertial, its collisions and its geometries that the format does not have there."""

    def unknown_moments(self) -> Iterator[Defect]:
        """What stands among the entries of its tensor and is none."""

    def angles_above(self, limit: float) -> Iterator[tuple[float, Callable[[], Location]]]:
        """The angles above a limit that are written in radians in it (rad), and what finds the place of each."""

    def given_densities(self) -> Iterator[tuple[float, Callable[[], Location]]]:
        """The densities that can be read in it (kg/m³), and what finds their places."""

    # What it is computed from ---------------------------------------------------------------------------------------

    def has_solids(self, kind: SolidKind) -> bool:
        """Whether it has a solid of a kind."""

    def solids(self, kind: SolidKind) -> Sequence[SolidDescription]:
        """Its solids of a kind, in order.

        Raises:
            ValueTextError: two of them bear the same name.
        """

    def default_density(self) -> float | None:
        """The density of collisions that give none of their own (kg/m³).

        Raises:
            ValueTextError: it is no finite number, or negative.
        """

    def default_parameters(self) -> InertiaParameters:
        """How collisions are to be computed that do not say so themselves.

        Raises:
            ValueTextError: a parameter has a value that it cannot have.
        """

    # What is around it ----------------------------------------------------------------------------------------------

    def parent_joints(self, around: HasResources) -> Iterator[ParentJoint]:
        """The joints whose child it is; where an end is not found, a joint is left out."""

    def needs_inertial(self, around: HasResources) -> bool:
        """Whether simulators move it as a rigid body, as far as it does not itself say; see also `is_static`."""

    def is_carried(self) -> bool:
        """Whether simulators take it for a part of a link that has an inertia of its own.

        It may then be a frame, with neither mass nor tensor, or a mass point, and nothing divides by that.
        """

    def massless_joints(self) -> Iterator[Defect]:
        """The joints that move it, where that needs a mass, and neither it nor what is fixed to it has one."""

    @property
    def without_inertial(self) -> str:
        """What simulators make of a link of this format that has collisions and no inertial."""

    @property
    def without_tensor(self) -> str:
        """What they make of an inertial in which no tensor is written."""

    def simulation_step(self, default: float) -> float | None:
        """The step at which it is simulated (s).

        Args:
            default: the step, where the format has a place for it and nothing is said there.

        Returns:
            None where the format has no place for it.
        """

    # How it is written anew -----------------------------------------------------------------------------------------

    def fill_edits(self, text: InertialText, comment: str | None, replaced: Comment | None, *, auto: str) -> list[Edit]:
        """The edits that write numbers into it, or give it an inertial with them.

        Args:
            text: what to write.
            comment: the provenance comment, or None for a block without one.
            replaced: the comment whose place it takes.
            auto: "remove" takes away what asks for the inertia to be computed, "false" says that it is not.
        """

    def reads_back(self, edits: Sequence[Edit], text: InertialText) -> bool:
        """Whether a reader of the format finds these numbers in it once the edits of `fill_edits` are made."""

    def scalable_inertia(self) -> SpatialInertia:
        """The explicit inertia, where it is complete enough to be written anew in its own axes.

        Raises:
            InertiaError: there is none, it asks to be computed, or it lacks the mass or a moment.
            ValueTextError: a number is malformed.
        """

    def scale_edits(
        self, after: SpatialInertia, replaced: Comment | None, *, digits: int, is_body: bool = True
    ) -> list[Edit]:
        """The edits that write another inertia in the same axes; numbers that stay the same keep their text.

        Args:
            is_body: whether it is to be one that a body can have.

        Raises:
            InertiaError: rounded to so many digits, it is no body's.
        """

    def repair_edits(
        self, text: InertialText, comment: str, replaced: Comment | None, *, keeps_pose: bool
    ) -> list[Edit]:
        """The edits that write repaired numbers in the places and axes that an author chose.

        Args:
            text: what to write; what stands there already keeps its bytes.
            comment: that says what was repaired.
            replaced: the comment whose place it takes.
            keeps_pose: whether centre and axes stay as they are written, in whatever way that is.

        Raises:
            ValueTextError: an element where a number belongs holds other elements, or the axes are turned in two ways.
        """

    def nudge_edits(self) -> list[Edit]:
        """The edits that move the last digit of the moments so that libsdformat takes the tensor; none if none do."""


class PlacedLink(NamedTuple):
    """A link as a root model, or a world, has it.

    Attributes:
        name: by which it is known there: the root model's own name first, but not the world's.
        is_own: whether it stands in the root's own file.
        pose: X_RL, of its frame in that of the root; or why it is not known.
        model_pose: X_RM, of the outermost model that it is part of in the root: the identity where that is the root.
    """

    link: LinkDescription
    name: str
    is_own: bool
    pose: RigidTransform | SdfInertiaError
    model_pose: RigidTransform = IDENTITY

    @property
    def pose_in_model(self) -> RigidTransform | SdfInertiaError:
        """X_ML, of its frame in that of the outermost model; or why it is not known."""
        if isinstance(self.pose, SdfInertiaError):
            return self.pose
        return self.model_pose.inverse() @ self.pose


class PlacedJoint(NamedTuple):
    """A joint as a root model, or a world, has it; what cannot be placed is not drawn, and other reports tell why.

    Attributes:
        name: as that of a link.
        kind: its type, such as "revolute".
        parent, child: the names that it gives for its ends.
        pose: X_RJ, of its frame in that of the root; None where it is not known.
        axis: a direction of unit length in the axes of the joint; None where it has none.
    """

    name: str
    kind: str
    parent: str
    child: str
    pose: RigidTransform | None
    axis: Vector3 | None


class BrokenInclude(NamedTuple):
    """A model that is missing, because what is included cannot be opened; named as a link of it would begin."""

    name: str
    error: SdfInertiaError


class LumpedPart(NamedTuple):
    """A link that simulators take for a part of another one, and its pose in that."""

    link: LinkDescription
    pose: RigidTransform


class Assembly(NamedTuple):
    """A root model, or a world, with all that it includes, each link and joint at its place.

    Attributes:
        file: that it stands in.
        is_world: whether it is a world, whose models are the first parts of the names.
        joints: are known once the links are.
        broken: the includes that cannot be opened; complete once the links are known.
    """

    name: str
    file: str
    is_world: bool
    links: Iterator[PlacedLink]
    joints: Iterator[PlacedJoint]
    broken: list[BrokenInclude]


class RobotDescription(Protocol):
    """A document that describes robots."""

    @property
    def path(self) -> str:
        """Its name in messages; uris resolve from there."""

    @property
    def data(self) -> bytes:
        """The whole file."""

    @property
    def notes(self) -> list[str]:
        """What is to be said of the file as a whole; who opens it may add to it."""

    @property
    def has_includes(self) -> bool:
        """Whether it includes other files."""

    def models(self) -> Sequence[ModelDescription]:
        """The root models: a total mass is shared out within each."""

    def repeated_models(self) -> Iterator[Defect]:
        """What is wrong with models of one name side by side, once a name."""

    def included_files(self, around: HasResources) -> Iterator[str | SdfInertiaError]:
        """The local files that it includes, or why one cannot be told."""

    def lumps(self) -> Iterator[Sequence[LumpedPart]]:
        """The links that Gazebo makes one of where fixed joints connect them, first the one whose frame they get.

        Raises:
            ValueTextError: the pose of a joint is malformed.
        """

    def assemblies(self, around: HasResources) -> Iterator[Assembly]:
        """Its worlds, each as one with every model in it, and the root models that are in none, for a look."""
