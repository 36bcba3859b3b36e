"""Models, links and solids of SDF; readers of shapes and frames, and edits, are loaded when needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING

from sdfinertia.errors import Location, SdfInertiaError, ValueTextError
from sdfinertia.markup.document import Edit, Element
from sdfinertia.robot import link as base
from sdfinertia.robot.link import repeated_names
from sdfinertia.robot.numbers import parse_numbers, renewed, shorten
from sdfinertia.robot.poses import Placement, Pose, PosePath, PoseStep
from sdfinertia.robot.values import (
    NO_PARAMETERS,
    Comment,
    InertiaParameters,
    ParentJoint,
    Phrases,
    Problem,
    SolidKind,
    Texts,
    Written,
)
from sdfinertia.sdf import malformations
from sdfinertia.sdf.root import SdfRoot
from sdfinertia.sdf.values import (
    read_boolean,
    read_density,
    read_given_mass,
    read_pose,
    read_texts,
    read_written,
    written_numbers,
    written_of,
)

if TYPE_CHECKING:
    from sdfinertia.inertia.inertial_text import InertialText
    from sdfinertia.robot.link import LinkContext
    from sdfinertia.robot.values import Colour
    from sdfinertia.sdf.frames.joints import JointTable
    from sdfinertia.sdf.frames.pose_graph import PoseGraph
    from sdfinertia.shapes import Shape

PHRASES = Phrases(
    density="a <density> to the collision or the link",
    no_request="set auto to false",
    inertial_pose="pose",
    scale="<scale>{0} {0} {0}</scale>",
    parameter="<sdfinertia:{0}>",
    parameter_value="<sdfinertia:{0}> {1}",
    thickness="<sdfinertia:thickness> in <auto_inertia_params>",
    without_inertial="simulators assume 1 kg and a unit tensor",
    without_tensor="simulators assume a unit tensor",
)
# Of all solids that give no pose.
_NOT_MOVED = (PosePath((PoseStep(Pose()),)),)


class Model(base.Model):
    """A `<model>`; names of worlds are no part of scoped names."""

    def __init__(self, root: SdfRoot, element: Element, parent: Model | None) -> None:
        self.root = root
        self.element = element
        self.parent = parent
        self.name = element.attribute("name") or ""
        self.scoped_name = f"{parent.scoped_name}::{self.name}" if parent else self.name
        self._links: list[Link] | None = None

    @property
    def namesakes(self) -> dict[int, int]:
        return self.root.namesakes

    @cached_property
    def is_static(self) -> bool:
        model: Model | None = self
        while model is not None:
            static = model.element.child("static")
            if static is not None and read_boolean(static.text(), "<static>", static, default=False):
                return True
            model = model.parent
        return False

    def models(self) -> Iterator[Model]:
        return (Model(self.root, child, self) for child in self.element.children if child.name == "model")

    def links(self) -> list[Link]:
        """Without those of nested models."""
        return [Link(self, child) for child in self.element.children if child.name == "link"]

    def all_links(self) -> list[Link]:
        if self._links is None:
            self._links = []
            # Not by recursion: models may be nested as deep as elements.
            pending = [self]
            while pending:
                model = pending.pop()
                self._links += model.links()
                pending += reversed(list(model.models()))
        return self._links

    @cached_property
    def repeated_link_names(self) -> frozenset[str]:
        return repeated_names([child.attribute("name") or "" for child in self.element.children_named("link")])

    @property
    def naming_problem(self) -> Problem | None:
        """That it, or a model around it, shares its name with a sibling."""
        repeated = self.root.repeated_models
        model: Model | None = self if repeated else None
        while model is not None and model.element.start not in repeated:
            model = model.parent
        return repeated[model.element.start] if model is not None else None

    def graph(self, context: LinkContext) -> PoseGraph:
        from sdfinertia.sdf.frames.frame_scope import FrameScope
        from sdfinertia.sdf.frames.includes import load_include
        from sdfinertia.sdf.frames.pose_graph import PoseGraph

        def made() -> PoseGraph:
            load = partial(load_include, context.resources)
            return PoseGraph(FrameScope(self.element, self.root.frame_attribute, load))

        return self.root.once(self.element, PoseGraph, made)

    def joints(self, context: LinkContext) -> JointTable:
        from sdfinertia.sdf.frames.joints import JointTable

        return self.root.once(self.element, JointTable, lambda: JointTable(self.element, partial(self.graph, context)))

    def unresolved_frames(self, context: LinkContext) -> Iterator[Problem]:
        from sdfinertia.sdf.frames.joints import unresolved_frames

        return unresolved_frames(self.element, partial(self.graph, context))

    def unresolved_references(self, context: LinkContext) -> Iterator[Problem]:
        from sdfinertia.sdf.frames.joints import unresolved_references

        return unresolved_references(self.element, self.root.frame_attribute, partial(self.graph, context))


class Link(base.Link):
    __slots__ = ("_numbers",)

    POSE_ELEMENT = "pose"
    phrases = PHRASES
    # `auto` is taken away, or set to false, once it is filled.
    has_request = False
    model: Model

    def __init__(self, model: Model, element: Element) -> None:
        super().__init__(model, element)
        # Of its block, read when they are first asked for; () until then.
        self._numbers: tuple[float, ...] | None = ()

    @property
    def naming_problem(self) -> Problem | None:
        if self.name not in self.model.repeated_link_names:
            return self.model.naming_problem
        return Problem(f"two links of model {self.model.name!r} are named {self.name!r}", "give each its own name")

    @property
    def is_static(self) -> bool:
        return self.model.is_static

    # What is written ------------------------------------------------------------------------------------------------

    def asks_to_be_filled(self) -> bool:
        inertial = self.inertial
        if inertial is None or not inertial.raw_attributes:
            return False
        text = inertial.attribute("auto")
        if text is not None:
            return read_boolean(text, "the attribute auto of <inertial>", inertial, default=False)
        for name in inertial.attributes():
            if name.lower() == "auto":
                raise ValueTextError(
                    f"<inertial> has the attribute {name}, which no simulator reads: the case of letters counts",
                    location=inertial.location(),
                    remedy="write auto",
                )
        return False

    def written_inertia(self) -> Written | None:
        if self.inertial is None:
            return None
        numbers = self.written_numbers()
        return written_of(numbers) if numbers is not None else read_written(self.inertial)

    def written_texts(self) -> Texts | None:
        return read_texts(self.inertial) if self.inertial is not None else None

    def written_numbers(self) -> tuple[float, ...] | None:
        if self._numbers == ():
            self._numbers = written_numbers(self.inertial) if self.inertial is not None else None
        return self._numbers

    def mass_text(self) -> str | None:
        mass = self._in_inertial("mass")
        return mass.text() if mass is not None else None

    def given_mass(self) -> tuple[float, str] | None:
        return read_given_mass(self._in_inertial("mass"))

    def default_density(self) -> float | None:
        return read_density(self._in_inertial("density"))

    def default_parameters(self) -> InertiaParameters:
        return _parameters(self._in_inertial("auto_inertia_params"))

    def _in_inertial(self, name: str) -> Element | None:
        return self.inertial.child(name) if self.inertial is not None else None

    def malformations(self) -> Iterator[Problem]:
        return malformations.malformations(self)

    def unknown_elements(self) -> Iterator[Problem]:
        return malformations.unknown_elements(self.element, self.model.root.version[1])

    def unknown_moments(self) -> Iterator[Problem]:
        return malformations.unknown_moments(self.inertial) if self.inertial is not None else iter(())

    def angles_above(self, limit: float) -> Iterator[tuple[float, Callable[[], Location]]]:
        for owner in (self.element, *self._weighed()):
            element = owner.child("pose")
            if element is None or not _may_turn_further(element, limit):
                continue
            try:
                pose = read_pose(element)
            except SdfInertiaError:
                continue
            angle = max(map(abs, pose.numbers[3:])) if pose.form == "rpy" and pose.numbers else 0.0
            if angle > limit:
                yield angle, element.location

    def given_densities(self) -> Iterator[tuple[float, Callable[[], Location]]]:
        for owner in self._weighed():
            element = owner.child("density")
            numbers = parse_numbers(element.text()) if element is not None else None
            if element is not None and numbers is not None and len(numbers) == 1 and numbers[0] >= 0.0:
                yield numbers[0], element.location

    def _weighed(self) -> Iterator[Element]:
        """The elements that may give a density."""
        if self.inertial is not None:
            yield self.inertial
        yield from self.element.children_named("collision")

    def _read_solids(self, kind: SolidKind) -> list[Solid]:
        solids = [
            Solid(self, child, child.attribute("name") or "") for child in self.element.children_named(kind.element)
        ]
        seen: set[str] = set()
        for solid in solids if len(solids) > 1 else ():
            if solid.name in seen:
                raise ValueTextError(
                    f"two {kind.element}s are named {shorten(solid.name)!r}",
                    location=solid.location(),
                    remedy="give each its own name",
                )
            seen.add(solid.name)
        return solids

    # What is around it ----------------------------------------------------------------------------------------------

    def parent_joints(self, context: LinkContext) -> Iterator[ParentJoint]:
        """Joints of the models around its own included."""
        model: Model | None = self.model
        while model is not None:
            yield from model.joints(context).of_child(self.element)
            model = model.parent

    def needs_inertial(self, context: LinkContext) -> bool:
        """Whether it is neither welded to the world nor deformable (Drake)."""
        owners = (self.element, *self.element.children_named("collision"))
        if any(owner.child("drake:deformable_properties") is not None for owner in owners):
            return False
        from sdfinertia.sdf.frames.joints import is_welded_to_world

        tables: list[JointTable] = []
        model: Model | None = self.model
        while model is not None:
            tables.append(model.joints(context))
            model = model.parent
        return not is_welded_to_world(self.element, tables)

    def simulation_step(self, default: float) -> float | None:
        return self.model.root.step_at(self.element) or default

    # How it is written anew -----------------------------------------------------------------------------------------

    def fill_edits(self, text: InertialText, comment: str | None, replaced: Comment | None, *, auto: str) -> list[Edit]:
        from sdfinertia.sdf.edits import fill_edits, new_block_edit

        if self.inertial is None:
            return [new_block_edit(self.element, text, comment, auto=auto)]
        return fill_edits(self.inertial, text, comment, replaced, auto=auto)

    def _holds(self, block: bytes, text: InertialText) -> bool:
        from sdfinertia.sdf.edits import holds

        return holds(block, text)

    def _require_scalable(self) -> None:
        from sdfinertia.sdf.edits import require_scalable

        require_scalable(self.inertial, self.model.root.frame_attribute, is_auto=self.asks_to_be_filled())

    def _block_edits(
        self, text: InertialText, comment: str | None, replaced: Comment | None, *, keeps_pose: bool, keeps_axes: bool
    ) -> list[Edit]:
        from sdfinertia.sdf.edits import fill_edits, without_pose

        assert self.inertial is not None, "a block that is changed is there"
        edits = fill_edits(self.inertial, text, comment, replaced, auto="remove")
        return without_pose(edits, self.inertial) if keeps_pose else edits

    def _tensor_edits(self, texts: Mapping[str, str]) -> list[Edit]:
        from sdfinertia.sdf.edits import text_edits

        tensor = self._in_inertial("inertia")
        entries = [(tensor.child(name), text) for name, text in texts.items()] if tensor is not None else []
        return [edit for entry, text in entries if entry is not None for edit in text_edits(entry, text)]


def _may_turn_further(pose: Element, limit: float) -> bool:
    """Python's laxer reading of numbers rules out most poses without a full reading."""
    try:
        return max(map(abs, map(float, pose.text().split()[3:])), default=0.0) > limit
    except ValueError:
        return False


class Solid(base.Solid):
    __slots__ = ()

    link: Link

    def own_density(self) -> float | None:
        return read_density(self.element.child("density"))

    def parameters(self) -> InertiaParameters:
        own = self.element.child("auto_inertia_params")
        return _parameters(own) if own is not None else self.link.default_parameters()

    def _read_shape(self) -> Shape:
        from sdfinertia.sdf.geometry import read_shape

        return read_shape(self.element)

    def _read_placement(self, context: LinkContext) -> Placement:
        element, link = self.element.child("pose"), self.link
        pose = read_pose(element, link.model.root.frame_attribute)
        if not pose.numbers and not pose.relative_to and pose.form == "rpy":
            return _NOT_MOVED
        own = PosePath((PoseStep(pose),))
        if not pose.relative_to or pose.relative_to == link.name:
            return (own,)
        graph = link.model.graph(context)
        try:
            return (*graph.placement(link.name, pose.relative_to), own)
        except SdfInertiaError as error:
            raise error.within(location=element.location() if element is not None else None) from None

    def colour(self) -> Colour | None:
        """The `<diffuse>` of its `<material>`."""
        material = self.element.child("material")
        diffuse = material.child("diffuse") if material is not None else None
        numbers = parse_numbers(diffuse.text()) if diffuse is not None else None
        if numbers is None or len(numbers) not in (3, 4) or not all(0.0 <= value <= 1.0 for value in numbers):
            return None
        red, green, blue, *opacity = numbers
        return red, green, blue, opacity[0] if opacity else 1.0

    def dimension_location(self) -> Location:
        from sdfinertia.sdf.geometry import wrong_dimension

        return (wrong_dimension(self.element) or self.element).location()

    def dimension_edits(self, dimensions: Sequence[float], *, digits: int) -> list[Edit]:
        from sdfinertia.sdf.edits import text_edits
        from sdfinertia.sdf.geometry import dimension_elements

        edits: list[Edit] = []
        place = 0
        for element, count in dimension_elements(self.element):
            edits += text_edits(element, renewed(element.text(), dimensions[place : place + count], digits))
            place += count
        return edits


def _parameters(element: Element | None) -> InertiaParameters:
    if element is None:
        return NO_PARAMETERS
    from sdfinertia.sdf.geometry import read_parameters

    return read_parameters(element)
