"""Models, links and solids of SDF; frames are read when needed."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING

from sdfinertia.errors import InertiaError, Location, SdfInertiaError, ValueTextError
from sdfinertia.robot import link as base
from sdfinertia.robot.inertial import NO_PARAMETERS, InertiaParameters, NewInertial
from sdfinertia.robot.link import LinkContext, ParentJoint, Weighing
from sdfinertia.robot.numbers import parse_numbers, renewed, shorten
from sdfinertia.robot.poses import NOT_MOVED, Placement, Pose, PosePath, PoseStep
from sdfinertia.robot.problems import Phrases, Problem
from sdfinertia.sdf import values
from sdfinertia.sdf.edits import fill_edits, mass_edits, text_edits
from sdfinertia.sdf.groups import GroupTable
from sdfinertia.sdf.malformations import (
    malformations,
    unknown_elements,
    unknown_moments,
    unresolved_frames,
    unresolved_references,
)
from sdfinertia.sdf.pose_graph import JointTable, PoseGraph, welded_to_world
from sdfinertia.sdf.root import SdfRoot, load_include
from sdfinertia.sdf.values import (
    numbers_in,
    read_boolean,
    read_density,
    read_number,
    read_pose,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from sdfinertia.markup.document import Edit, Element
    from sdfinertia.robot.link import Colour, Group, SolidKind
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

        def made() -> PoseGraph:
            return PoseGraph(self.element, self.root.frame_attribute, partial(load_include, context.resources))

        return self.root.once(self.element, PoseGraph, made)

    def joints(self, context: LinkContext) -> JointTable:

        return self.root.once(self.element, JointTable, lambda: JointTable(self.element, partial(self.graph, context)))

    def welded_to_world(self, context: LinkContext) -> frozenset[int | None]:
        """The identities of the links that joints of it, or of a model around it, weld to the world."""

        def found() -> frozenset[int | None]:
            return welded_to_world(model.joints(context) for model in self.outwards())

        return self.root.once(self.element, frozenset, found)

    def unresolved_frames(self, context: LinkContext) -> Iterator[Problem]:

        return unresolved_frames(self.element, partial(self.graph, context))

    def unresolved_references(self, context: LinkContext) -> Iterator[Problem]:

        return unresolved_references(self.element, self.root.frame_attribute, partial(self.graph, context))


class Link(base.Link):
    __slots__ = ()

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
        if "density" not in self._record:
            self._record["density"] = read_density(self.in_inertial("density"))
        density: float | None = self._record["density"]
        return density

    def default_parameters(self) -> InertiaParameters:
        if "parameters" not in self._record:
            element = self.in_inertial("auto_inertia_params")
            self._record["parameters"] = values.read_parameters(element) if element is not None else NO_PARAMETERS
        parameters: InertiaParameters = self._record["parameters"]
        return parameters

    def malformations(self) -> Iterator[Problem]:

        return malformations(self)

    def unknown_elements(self) -> Iterator[Problem]:

        return unknown_elements(self.element, self.model.root.version[1])

    def unknown_moments(self) -> Iterator[Problem]:
        if self.inertial is None or self.in_inertial("inertia") is None:
            return iter(())

        return unknown_moments(self.inertial)

    def _placed(self) -> list[Element]:
        owners = [self.element] if "pose" in self.children else []
        if self.inertial is not None and self.inertial.child("pose") is not None:
            owners.append(self.inertial)
        return [*owners, *self.children.get("collision", ())]

    def densities_below(self, limit: float) -> list[tuple[float, Callable[[], Location]]]:
        found: list[tuple[float, Callable[[], Location]]] = []
        try:
            own = self.default_density()
            if own is not None and 0.0 < own < limit:
                found.append((own, lambda: self._place_in_inertial("density")))
        except SdfInertiaError:
            pass
        for collision in self.children.get("collision", ()):
            element = collision.child("density")
            try:
                density = read_density(element) if element is not None else None
            except SdfInertiaError:
                continue
            if element is not None and density is not None and 0.0 < density < limit:
                found.append((density, element.location))
        return found

    def _read_solids(self, kind: SolidKind) -> list[Solid]:
        solids = [Solid(self, child, child.attribute("name") or "") for child in self.children.get(kind.element, ())]
        if len(solids) < 2:
            return solids
        seen: set[str] = set()
        for solid in solids:
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
        return id(self.element) not in self.model.welded_to_world(context)

    def group(self, context: LinkContext) -> Group:

        *_, root = self.model.outwards()
        return self.model.root.once(root.element, GroupTable, lambda: GroupTable(root, context)).of(self)

    def simulation_step(self, default: float) -> float | None:
        return self.model.root.step_at(self.element) or default

    # How it is written anew -----------------------------------------------------------------------------------------

    def inertial_edits(self, new: NewInertial) -> list[Edit]:

        return fill_edits(self.element, self.inertial, new)

    def mass_edits(self, text: str) -> list[Edit]:

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

        entries = [(tensor.child(name), text) for name, text in texts.items()]
        return [edit for entry, text in entries if entry is not None for edit in text_edits(entry, text)]


class Solid(base.Solid):
    __slots__ = ()

    link: Link

    def weighing(self) -> Weighing:
        own = self.element.child("auto_inertia_params")
        parameters = values.read_parameters(own) if own is not None else self.link.default_parameters()
        return Weighing(parameters, read_density(self.element.child("density")))

    def _read_shape(self) -> Shape:
        return values.read_shape(self.element)

    def _read_placement(self, context: LinkContext) -> Placement:
        link = self.link
        pose = link.pose_in(self.element)
        if not pose.numbers and not pose.relative_to and pose.form == "rpy":
            return NOT_MOVED
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

        found: list[Edit] = []
        place = 0
        for element, count in values.dimension_elements(self.element):
            found += text_edits(element, renewed(element.text(), dimensions[place : place + count], digits))
            place += count
        return found


Model.LINK = Link
