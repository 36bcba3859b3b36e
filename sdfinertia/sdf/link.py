"""Links of SDF and their models, as the study of links asks for them: over the text of a document."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

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
from sdfinertia.description.numbers import shorten
from sdfinertia.description.parameters import InertiaParameters
from sdfinertia.errors import Location, ValueTextError
from sdfinertia.markup.placed_link import PlacedLink
from sdfinertia.sdf.inertial import (
    read_density,
    read_given_mass,
    read_written_inertia,
    read_written_texts,
    written_inertia_of,
    written_numbers,
)
from sdfinertia.sdf.known_elements import unknown_elements, unknown_moments
from sdfinertia.sdf.model import DocumentFrames, Link, Model
from sdfinertia.sdf.units import angles_above, given_densities

if TYPE_CHECKING:
    from sdfinertia.description.edits import Edit
    from sdfinertia.description.phrases import Phrases
    from sdfinertia.description.protocols import HasResources
    from sdfinertia.inertia.inertial_text import InertialText
    from sdfinertia.inertia.spatial_inertia import SpatialInertia
    from sdfinertia.sdf.solid import SdfSolid

# What reads joints, includes and shapes, and what makes edits, is imported by the methods that need it: most files need
# little of it, and a run with nothing to do none.


class SdfModel:
    """A model, as its links know it."""

    __slots__ = ("_frames", "_model")

    def __init__(self, model: Model, frames: DocumentFrames) -> None:
        self._model = model
        self._frames = frames

    @property
    def name(self) -> str:
        """Its name, trimmed."""
        return self._model.name

    @property
    def key(self) -> Hashable:
        """What tells it from the other models of its document."""
        return self._model.element.start

    def all_links(self) -> list[SdfLink]:
        """Its links and those of models nested in it, in the order of the file within each model."""
        return [SdfLink(link, self._frames) for link in self._model.all_links()]

    def lost_frames(self, around: HasResources) -> Iterator[Defect]:
        """The `<frame>` elements that lead nowhere, and why."""
        from sdfinertia.sdf.frames.joints import lost_frames

        return lost_frames(self._model, lambda: self._frames.graph_of(self._model, around))

    def lost_references(self, around: HasResources) -> Iterator[Defect]:
        """Ends of joints and frames of poses that stand for nothing in this model, or for the element itself."""
        from sdfinertia.sdf.frames.references import lost_references

        return lost_references(self._model, lambda: self._frames.graph_of(self._model, around))


class SdfLink(PlacedLink):
    """A link: what is said of its inertia, and how that is written anew.

    Attributes:
        name: its name, trimmed.
        element, inertial: the `<link>`, and its first `<inertial>`.
    """

    __slots__ = ("_frames", "_link", "_numbers", "_solids", "element", "inertial", "name")

    def __init__(self, link: Link, frames: DocumentFrames) -> None:
        self._link = link
        self._frames = frames
        self._key: LinkKey | None = None
        self._solids: dict[str, list[SdfSolid]] = {}
        # Of its block, read when they are first asked for; () until then.
        self._numbers: tuple[float, ...] | None = ()
        self.name = link.name
        self.element = link.element
        self.inertial = link.inertial

    @property
    def model(self) -> SdfModel:
        """The model it belongs to."""
        return SdfModel(self._link.model, self._frames)

    @property
    def scoped_name(self) -> str:
        """`model::nested::link`."""
        return self._link.scoped_name

    @property
    def namesakes(self) -> Mapping[int, int]:
        """Of its file; see `numbers_of_namesakes`."""
        return self._link.model.root.namesakes

    @property
    def phrases(self) -> Phrases:
        """How SDFormat says what remedies advise to write."""
        from sdfinertia.sdf.phrases import PHRASES

        return PHRASES

    def inertial_location(self, part: InertialPart | None = None) -> Location:
        """Where its `<inertial>`, or a part of it, begins; what is not there is where it would be."""
        element = self.inertial or self.element
        inner = element.child(part.value) if part is not None and self.inertial is not None else None
        return (inner or element).location()

    @property
    def naming_defect(self) -> Defect | None:
        """Two links of its model bear its name, or two models that of its model."""
        model = self._link.model
        if not self._link.has_repeated_name:
            return model.naming_defect
        return Defect(f"two links of model {model.name!r} are named {self.name!r}", "give each its own name")

    @property
    def is_static(self) -> bool:
        """Whether its model, or a model that this is nested in, is static.

        Raises:
            ValueTextError: a `<static>` is no boolean.
        """
        return self._link.model.is_static

    # What is written ------------------------------------------------------------------------------------------------

    @property
    def has_request(self) -> bool:
        """No: `auto` is taken away, or set to false, once it is filled."""
        return False

    def asks_to_be_filled(self) -> bool:
        """Whether its `<inertial>` has `auto` true.

        Raises:
            ValueTextError: the attribute `auto` is no boolean.
        """
        return self._link.asks_to_be_filled()

    def written_inertia(self) -> WrittenInertia | None:
        """The explicit numbers, with SDFormat's defaults for what is absent; None where there is no `<inertial>`.

        Raises:
            ValueTextError: one of them is malformed.
        """
        if self.inertial is None:
            return None
        numbers = self.written_numbers()
        return written_inertia_of(numbers) if numbers is not None else read_written_inertia(self.inertial)

    def written_texts(self) -> WrittenTexts | None:
        """The texts of the explicit numbers, or None where there is no `<inertial>`.

        Raises:
            ValueTextError: an attribute of its `<pose>` is malformed.
        """
        return read_written_texts(self.inertial) if self.inertial is not None else None

    def written_numbers(self) -> tuple[float, ...] | None:
        """The explicit numbers as `InertialText.numbers` orders them; None where they are not written as we do it."""
        if self._numbers == ():
            self._numbers = written_numbers(self.inertial) if self.inertial is not None else None
        return self._numbers

    def mass_text(self) -> str | None:
        """The text of its `<mass>`, or None where there is none."""
        mass = self.inertial.child("mass") if self.inertial is not None else None
        return mass.text() if mass is not None else None

    def given_mass(self) -> tuple[float, str] | None:
        """The `<mass>` (kg), as number and as written; None where there is none.

        Raises:
            ValueTextError: it is empty, no number, or not above zero.
        """
        return read_given_mass(self.inertial.child("mass")) if self.inertial is not None else None

    def malformations(self) -> Iterator[Defect]:
        """What is written in its `<inertial>`, or in its collisions, that SDFormat does not have there."""
        from sdfinertia.sdf.malformations import malformations

        return malformations(self._link, are_numbers_plain=self.written_numbers() is not None)

    def unknown_elements(self) -> Iterator[Defect]:
        """The elements in it, its inertial, its collisions and its geometries that SDFormat of its version lacks."""
        return unknown_elements(self._link)

    def unknown_moments(self) -> Iterator[Defect]:
        """The children of its `<inertia>` that are no entries of a tensor."""
        return unknown_moments(self.inertial) if self.inertial is not None else iter(())

    def angles_above(self, limit: float) -> Iterator[tuple[float, Callable[[], Location]]]:
        """Its own pose and those of its inertial and collisions, with an angle above a limit: that (rad), and where."""
        return angles_above(self._link, limit)

    def given_densities(self) -> Iterator[tuple[float, Callable[[], Location]]]:
        """The `<density>` of its `<inertial>` and of its collisions, where they can be read (kg/m³)."""
        return given_densities(self._link)

    # What it is computed from ---------------------------------------------------------------------------------------

    def solids(self, kind: SolidKind) -> list[SdfSolid]:
        """Its collisions or visuals, in order.

        Raises:
            ValueTextError: two of them bear the same name.
        """
        solids = self._solids.get(kind.element)
        if solids is None:
            solid = _solid_class()
            solids = [solid(self._link, element, self._frames) for element in self.element.children_named(kind.element)]
            if len(solids) > 1:
                _require_different_names(solids, kind)
            self._solids[kind.element] = solids
        return solids

    def default_density(self) -> float | None:
        """The `<density>` of its `<inertial>` (kg/m³).

        Raises:
            ValueTextError: it is no finite number, or negative.
        """
        return read_density(self.inertial.child("density")) if self.inertial is not None else None

    def default_parameters(self) -> InertiaParameters:
        """The `<auto_inertia_params>` of its `<inertial>`.

        Raises:
            ValueTextError: a parameter has a value that it cannot have.
        """
        from sdfinertia.sdf.solid import default_parameters

        return default_parameters(self._link)

    # What is around it ----------------------------------------------------------------------------------------------

    def parent_joints(self, around: HasResources) -> Iterator[ParentJoint]:
        """The joints whose child it is, those of the models around its own among them."""
        model: Model | None = self._link.model
        while model is not None:
            yield from self._frames.joints_of(model, around).of_child(self._link)
            model = model.parent

    def needs_inertial(self, around: HasResources) -> bool:
        """Whether simulators move it as a rigid body: it is neither welded to the world nor deformable (Drake's)."""
        owners = (self.element, *self.element.children_named("collision"))
        if any(owner.child("drake:deformable_properties") is not None for owner in owners):
            return False
        from sdfinertia.sdf.frames.joints import is_welded_to_world

        return not is_welded_to_world(self._link, lambda model: self._frames.joints_of(model, around))

    def is_carried(self) -> bool:
        """No: libsdformat refuses a mass of zero wherever it stands."""
        return False

    def massless_joints(self) -> Iterator[Defect]:
        """None: without an `<inertial>` a link has SDFormat's default mass."""
        return iter(())

    @property
    def without_inertial(self) -> str:
        """What simulators make of a link without `<inertial>`: SDFormat's defaults."""
        return "simulators assume 1 kg and a unit tensor"

    @property
    def without_tensor(self) -> str:
        """What simulators make of an `<inertial>` without `<inertia>`: SDFormat's default."""
        return "simulators assume a unit tensor"

    def simulation_step(self, default: float) -> float | None:
        """The `max_step_size` of its world (s), else the default."""
        from sdfinertia.sdf.world_step import step_of_world

        return step_of_world(self._link) or default

    # How it is written anew -----------------------------------------------------------------------------------------

    def fill_edits(self, text: InertialText, comment: str | None, replaced: Comment | None, *, auto: str) -> list[Edit]:
        """The edits that write numbers into its `<inertial>`, or give it one; see `sdf.inertial_edit`."""
        from sdfinertia.sdf.edits.inertial_edit import fill_edits, new_block_edit

        if self.inertial is None:
            return [new_block_edit(self.element, text, comment, auto=auto)]
        return fill_edits(self.inertial, text, comment, replaced[:2] if replaced is not None else None, auto=auto)

    def reads_back(self, edits: Sequence[Edit], text: InertialText) -> bool:
        """Whether a reader finds these numbers once its `<inertial>` is edited; see `sdf.read_back`."""
        from sdfinertia.sdf.edits.read_back import reads_back

        return reads_back(self.inertial, edits, text)

    def scalable_inertia(self) -> SpatialInertia:
        """The explicit inertia, where it is complete enough to be written anew; see `sdf.scaling_edit`."""
        from sdfinertia.sdf.edits.scaling_edit import scalable_inertia

        return scalable_inertia(self._link)

    def scale_edits(
        self, after: SpatialInertia, replaced: Comment | None, *, digits: int, is_body: bool = True
    ) -> list[Edit]:
        """The edits that write another inertia in the same axes; see `sdf.scaling_edit`."""
        from sdfinertia.sdf.edits.scaling_edit import scale_edits

        return scale_edits(self._link, after, replaced, digits=digits, is_body=is_body)

    def repair_edits(
        self, text: InertialText, comment: str, replaced: Comment | None, *, keeps_pose: bool
    ) -> list[Edit]:
        """The edits that write repaired numbers; see `sdf.edits.scaling_edit`.

        Raises:
            ValueTextError: an element where a number belongs holds other elements.
        """
        from sdfinertia.sdf.edits.scaling_edit import repair_edits

        assert self.inertial is not None, "a block that is repaired is there"
        return repair_edits(self.inertial, text, comment, replaced, keeps_pose=keeps_pose)

    def nudge_edits(self) -> list[Edit]:
        """The edits that move the last digit of the moments; see `sdf.nudging`."""
        from sdfinertia.sdf.edits.nudging import nudge_edits

        return nudge_edits(self.inertial) if self.inertial is not None else []


@cache
def _solid_class() -> type[SdfSolid]:
    """The class of collisions and visuals, loaded with what reads shapes where a link has some."""
    from sdfinertia.sdf.solid import SdfSolid

    return SdfSolid


def _require_different_names(solids: Sequence[SdfSolid], kind: SolidKind) -> None:
    seen: set[str] = set()
    for solid in solids:
        if solid.name in seen:
            raise ValueTextError(
                f"two {kind.element}s are named {shorten(solid.name)!r}",
                location=solid.location(),
                remedy="give each its own name",
            )
        seen.add(solid.name)
