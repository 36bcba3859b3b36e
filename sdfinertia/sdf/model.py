"""Models, links and solids of SDF; frames are read when needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from sdfinertia.errors import InertiaError, Location, SdfInertiaError, ValueTextError
from sdfinertia.lazy import cached_property
from sdfinertia.markup.document import Block, Edit, Element, PlainSolid
from sdfinertia.robot import link as base
from sdfinertia.robot.inertial import NO_PARAMETERS, InertiaParameters, NewInertial
from sdfinertia.robot.link import ParentJoint
from sdfinertia.robot.numbers import parse_numbers, renewed, shorten
from sdfinertia.robot.poses import Placement, Pose, PosePath, PoseStep
from sdfinertia.robot.problems import Phrases, Problem
from sdfinertia.robot.solid_kinds import SolidKind
from sdfinertia.sdf import values
from sdfinertia.sdf.root import SdfRoot, load_include
from sdfinertia.sdf.values import (
    numbers_in,
    plain_pose,
    read_boolean,
    read_density,
    read_number,
    read_pose,
)

if TYPE_CHECKING:
    from sdfinertia.inertia.inertial_text import InertialText
    from sdfinertia.robot.groups import Group
    from sdfinertia.robot.link import LinkContext
    from sdfinertia.robot.solid_kinds import Colour
    from sdfinertia.sdf.pose_graph import JointTable, PoseGraph
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
    mass="<mass>",
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

    @property
    def namesakes(self) -> dict[int, int]:
        return self.root.namesakes

    @cached_property
    def is_static(self) -> bool:
        for model in self.outwards():
            static = model.element.child("static")
            if static is not None and read_boolean(static.text(), "<static>", static, default=False):
                return True
        return False

    def outwards(self) -> Iterator[Model]:
        """Itself and the models around it, from the innermost."""
        model: Model | None = self
        while model is not None:
            yield model
            model = model.parent

    def nested(self) -> Iterator[Model]:
        return (Model(self.root, child, self) for child in self.element.children if child.name == "model")

    @cached_property
    def naming_problem(self) -> Problem | None:
        """The problem that it, or a model around it, shares its name with a sibling."""
        repeated = self.root.problems_of_names
        starts = (model.element.start for model in self.outwards()) if repeated else ()
        return next((repeated[start] for start in starts if start in repeated), None)

    def graph(self, context: LinkContext) -> PoseGraph:
        from sdfinertia.sdf.pose_graph import PoseGraph

        def made() -> PoseGraph:
            return PoseGraph(self.element, self.root.frame_attribute, partial(load_include, context.resources))

        return self.root.once(self.element, PoseGraph, made)

    def joints(self, context: LinkContext) -> JointTable:
        from sdfinertia.sdf.pose_graph import JointTable

        return self.root.once(self.element, JointTable, lambda: JointTable(self.element, partial(self.graph, context)))

    def unresolved_frames(self, context: LinkContext) -> Iterator[Problem]:
        from sdfinertia.sdf.malformations import unresolved_frames

        return unresolved_frames(self.element, partial(self.graph, context))

    def unresolved_references(self, context: LinkContext) -> Iterator[Problem]:
        from sdfinertia.sdf.malformations import unresolved_references

        graph = partial(self.graph, context)
        return unresolved_references(self.element, self.root.frame_attribute, graph)


class Link(base.Link):
    __slots__ = ("_density",)

    POSE_ELEMENT = "pose"
    phrases = PHRASES
    # Filling removes `auto`, or sets it to false.
    has_request = False
    model: Model

    @property
    def naming_problem(self) -> Problem | None:
        if self.name not in self.model.repeated_link_names:
            return self.model.naming_problem
        return Problem(f"two links of model {self.model.name!r} are named {self.name!r}", "give each its own name")

    @property
    def is_static(self) -> bool:
        return self.model.is_static

    @property
    def may_have_meshes(self) -> bool:
        # The names of elements are written out.
        return self.element.document.mentions(b"mesh")

    # Its inertial ---------------------------------------------------------------------------------------------------

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

    def read_pose(self, element: Element | None) -> Pose:
        return read_pose(element, self.model.root.frame_attribute)

    def _read_pose_in(self, owner: Element) -> Pose:
        if isinstance(owner, Block):
            numbers = self.written_numbers() if owner is self.inertial else None
            if numbers is not None:
                return Pose(numbers[:6])
        elif isinstance(owner, PlainSolid):
            pose = plain_pose(owner.pose)
            if pose is not None:
                return pose
        return super()._read_pose_in(owner)

    def _number_element(self, name: str) -> Element | None:
        if name == "mass":
            return self.in_inertial(name)
        tensor = self.in_inertial("inertia")
        return tensor.child(name) if tensor is not None else None

    def number_text(self, name: str) -> str | None:
        element = self._number_element(name)
        return element.text() if element is not None else None

    def read_number(self, name: str) -> float:
        element = self._number_element(name)
        if element is not None:
            return read_number(element)
        # SDFormat takes one for an absent mass and absent moments, zero for absent products.
        return 1.0 if name in ("mass", "ixx", "iyy", "izz") else 0.0

    def _pose_texts(self, pose: Element | None) -> tuple[Sequence[str], Sequence[str]]:
        numbers = pose.text().split() if pose is not None else []
        is_plain = pose is not None and read_pose(pose).form == "rpy" and len(numbers) == 6
        return numbers[:3] if len(numbers) >= 3 else [""] * 3, numbers[3:] if is_plain else [""] * 3

    def _numbers_in(self, inertial: Element) -> tuple[float, ...] | None:
        return numbers_in(inertial)

    def default_density(self) -> float | None:
        # Read lazily and cached; errors are not cached.
        try:
            return self._density
        except AttributeError:
            self._density: float | None = read_density(self.in_inertial("density"))
            return self._density

    def default_parameters(self) -> InertiaParameters:
        return _parameters(self.in_inertial("auto_inertia_params"))

    def malformations(self) -> Iterator[Problem]:
        from sdfinertia.sdf.malformations import malformations

        return malformations(self)

    def unknown_elements(self) -> Iterator[Problem]:
        from sdfinertia.sdf.malformations import unknown_elements

        return unknown_elements(self.element, self.model.root.version[1])

    def unknown_moments(self) -> Iterator[Problem]:
        from sdfinertia.sdf.malformations import unknown_moments

        return unknown_moments(self.inertial) if self.inertial is not None else iter(())

    def _placed(self) -> list[Element]:
        return [self.element, *self._weighed()]

    def given_densities(self) -> Iterator[tuple[float, Callable[[], Location]]]:
        for owner in self._weighed() if self.element.document.mentions(b"density") else ():
            element = owner.child("density") if not isinstance(owner, PlainSolid) else None
            numbers = parse_numbers(element.text()) if element is not None else None
            if element is not None and numbers is not None and len(numbers) == 1 and numbers[0] >= 0.0:
                yield numbers[0], element.location

    def _weighed(self) -> list[Element]:
        """The elements that may give a density."""
        collisions = self.children.get("collision", [])
        return [self.inertial, *collisions] if self.inertial is not None else collisions

    def _read_solids(self, kind: SolidKind) -> list[Solid]:
        solids = [Solid(self, child, child.attribute("name") or "") for child in self.children.get(kind.element, ())]
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

    # Its surroundings -----------------------------------------------------------------------------------------------

    def parent_joints(self, context: LinkContext) -> Iterator[ParentJoint]:
        """Joints of the models around its own included."""
        for model in self.model.outwards():
            yield from model.joints(context).of_child(self.element)

    def needs_inertial(self, context: LinkContext) -> bool:
        """Whether it is neither welded to the world nor deformable (Drake)."""
        owners = (self.element, *self.children.get("collision", ()))
        if any(owner.child("drake:deformable_properties") is not None for owner in owners):
            return False
        from sdfinertia.sdf.pose_graph import is_welded_to_world

        return not is_welded_to_world(self.element, [model.joints(context) for model in self.model.outwards()])

    def group(self, context: LinkContext) -> Group:
        # Loaded where a link is judged with the links that are fixed to it.
        from sdfinertia.sdf.groups import GroupTable

        *_, root = self.model.outwards()
        return self.model.root.once(root.element, GroupTable, lambda: GroupTable(root, context)).of(self)

    def simulation_step(self, default: float) -> float | None:
        return self.model.root.step_at(self.element) or default

    # How it is written anew -----------------------------------------------------------------------------------------

    def inertial_edits(self, new: NewInertial) -> list[Edit]:
        from sdfinertia.sdf.edits import fill_edits

        return fill_edits(self.element, self.inertial, new)

    def _holds(self, block: bytes, text: InertialText) -> bool:
        from sdfinertia.sdf.edits import holds_plainly

        return holds_plainly(block, text) or super()._holds(block, text)

    def mass_edits(self, text: str) -> list[Edit]:
        from sdfinertia.sdf.edits import mass_edits

        assert self.inertial is not None, "its attribute asks"
        return mass_edits(self.inertial, text)

    def require_explicit(self, inertial: Element) -> None:
        if self.asks_to_be_filled():
            raise InertiaError("its inertial is computed automatically", remedy="run `sdfinertia fill` first")
        tensor = inertial.child("inertia")
        if inertial.child("mass") is None or tensor is None:
            raise InertiaError("its <inertial> has no explicit <mass> and <inertia> to scale", remedy="give it both")
        absent = [f"<{name}>" for name in ("ixx", "iyy", "izz") if tensor.child(name) is None]
        if absent:
            raise InertiaError(f"its <inertia> has no {', '.join(absent)}", remedy="give it all three moments")
        if self.read_pose(inertial.child("pose")).relative_to:
            problem = "the <pose> of <inertial> is relative to a frame, which SDFormat does not allow there"
            raise ValueTextError(problem)

    def tensor_edits(self, tensor: Element, texts: Mapping[str, str]) -> list[Edit]:
        from sdfinertia.sdf.edits import text_edits

        entries = [(tensor.child(name), text) for name, text in texts.items()]
        return [edit for entry, text in entries if entry is not None for edit in text_edits(entry, text)]


class Solid(base.Solid):
    __slots__ = ()

    link: Link

    def own_density(self) -> float | None:
        return read_density(self.element.child("density"))

    def parameters(self) -> InertiaParameters:
        own = self.element.child("auto_inertia_params")
        return _parameters(own) if own is not None else self.link.default_parameters()

    def _read_shape(self) -> Shape:
        return values.read_shape(self.element)

    def _read_placement(self, context: LinkContext) -> Placement:
        link = self.link
        pose = link.pose_in(self.element)
        if not pose.numbers and not pose.relative_to and pose.form == "rpy":
            return _NOT_MOVED
        own = PosePath((PoseStep(pose),))
        if not pose.relative_to or pose.relative_to == link.name:
            return (own,)
        graph = link.model.graph(context)
        try:
            return (*graph.placement(link.name, pose.relative_to), own)
        except SdfInertiaError as error:
            element = self.element.child("pose")
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
        return (values.wrong_dimension(self.element) or self.element).location()

    def dimension_edits(self, dimensions: Sequence[float], *, digits: int) -> list[Edit]:
        from sdfinertia.sdf.edits import text_edits

        found: list[Edit] = []
        place = 0
        for element, count in values.dimension_elements(self.element):
            found += text_edits(element, renewed(element.text(), dimensions[place : place + count], digits))
            place += count
        return found


def _parameters(element: Element | None) -> InertiaParameters:
    if element is None:
        return NO_PARAMETERS
    return values.read_parameters(element)


Model.LINK = Link
