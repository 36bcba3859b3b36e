"""The reader of models, links and solids of SDF; frames resolve when they are needed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, partial

from sdfinertia import robot as base
from sdfinertia.errors import FrameError, InertiaError, SdfInertiaError, ValueTextError, shorten
from sdfinertia.markup import Element, walked
from sdfinertia.robot import COLLISION, VISUAL, Inertial, Link, LinkContext, ParentJoint, Request, Solid, attempt, given
from sdfinertia.robot.inertial import NO_PARAMETERS
from sdfinertia.robot.names import numbers_of_namesakes
from sdfinertia.robot.poses import NOT_MOVED, Placement, Pose, PosePath, PoseStep
from sdfinertia.robot.problems import Problem
from sdfinertia.sdf import edits, values
from sdfinertia.sdf.frames import Frames
from sdfinertia.sdf.joints import GroupTable, JointTable, welded_to_world
from sdfinertia.sdf.root import MODEL_FRAME, WORLD, SdfRoot, load_include
from sdfinertia.sdf.values import read_pose
from sdfinertia.shapes import Primitive


def model_of(root: SdfRoot, element: Element, parent: Model | None = None) -> Model:
    return root.once(element, Model, lambda: Model(root, element, parent))


class Model(base.Model):
    """A `<model>`; names of worlds are no part of scoped names."""

    format = edits

    def __init__(self, root: SdfRoot, element: Element, parent: Model | None) -> None:
        self.root = root
        self.element = element
        self.parent = parent
        self.name = element.attribute("name") or ""
        self.scoped_name = f"{parent.scoped_name}::{self.name}" if parent else self.name

    @property
    def namesakes(self) -> Mapping[int, int]:
        def found() -> dict[int, int]:
            models = [model_of(self.root, each) for each in self.root.model_elements()]
            links = [(link.scoped_name, link.element.start) for model in models for link in model.all_links()]
            return numbers_of_namesakes(links)

        return self.root.once(self.root.element, dict, found)

    def outwards(self) -> Iterator[Model]:
        model: Model | None = self
        while model is not None:
            yield model
            model = model.parent

    def nested(self) -> list[Model]:
        return [model_of(self.root, child, self) for child in self.element.children if child.name == "model"]

    @cached_property
    def _links(self) -> list[Link]:
        links = [_link(self, child) for child in self.element.children if child.name == "link"]
        counts = Counter(link.name for link in links)
        # A model around it may share its name with a sibling.
        repeated = self.root.problems_of_names
        starts = (model.element.start for model in self.outwards()) if repeated else ()
        of_models = next((repeated[start] for start in starts if start in repeated), None)
        for link in links:
            link.naming, link.static = of_models, self._static
            if counts[link.name] > 1:
                problem = f"two links of model {self.name!r} are named {link.name!r}"
                link.naming = Problem(problem, "give each its own name")
        return links

    def all_links(self) -> Sequence[Link]:
        return self._all_links

    @cached_property
    def _all_links(self) -> list[Link]:
        if "model" not in self.element.child_names():
            return self._links
        return [link for model in walked([self], Model.nested) for link in model.links()]

    def read_inertial(self, element: Element) -> Inertial:
        pose, mass, tensor = element.child("pose"), element.child("mass"), element.child("inertia")
        entries, text = values.entries_of(tensor), mass.text() if mass is not None else None
        placing, weight = attempt(self.read_pose, pose), attempt(values.read_mass, mass, text)
        moments = attempt(values.read_tensor, entries)
        is_plain = placing != Pose() and values.is_plain(pose, mass, entries)
        return Inertial(element, placing, weight, moments, text, pose, mass, tensor, element.comments, is_plain)

    def require_explicit(self, link: Link) -> None:
        if link.asks_to_be_filled():
            raise InertiaError("its inertial is computed automatically", remedy="run `sdfinertia fill` first")
        inertial = link.inertial
        if inertial is None or inertial.mass_element is None or inertial.tensor_element is None:
            raise InertiaError("its <inertial> has no explicit <mass> and <inertia> to scale", remedy="give it both")
        absent = [f"<{name}>" for name in ("ixx", "iyy", "izz") if inertial.tensor_element.child(name) is None]
        if absent:
            raise InertiaError(f"its <inertia> has no {', '.join(absent)}", remedy="give it all three moments")
        if self.read_pose(inertial.pose_element).relative_to:
            problem = "the <pose> of <inertial> is relative to a frame, which SDFormat does not allow there"
            raise ValueTextError(problem)

    def read_pose(self, element: Element | None) -> Pose:
        return read_pose(element, self.root.frame_attribute)

    @cached_property
    def _static(self) -> bool | SdfInertiaError:
        for model in self.outwards():
            found = attempt(values.read_flag, model.element.child("static"))
            if found is not False:
                return found
        return False

    def frames(self, context: LinkContext) -> Frames:
        def made() -> Frames:
            return Frames(self.element, self.root.frame_attribute, partial(load_include, context.resources))

        return self.root.once(self.element, Frames, made)

    def placement(self, solid: Solid, context: LinkContext) -> Placement:
        pose, link = given(solid.own_pose), solid.link
        if not pose.numbers and not pose.relative_to and pose.form == "rpy":
            return NOT_MOVED
        own = PosePath((PoseStep(pose),))
        if not pose.relative_to or pose.relative_to == link.name:
            return (own,)
        found = self.frames(context).placement(link.name, pose.relative_to)
        if isinstance(found, SdfInertiaError):
            raise found.within(location=(solid.element.child("pose") or solid.element).location())
        return (*found, own)

    def joints(self, context: LinkContext) -> JointTable:
        return self.root.once(self.element, JointTable, lambda: JointTable(self.element, partial(self.frames, context)))

    def parent_joints(self, link: Link, context: LinkContext) -> Iterator[ParentJoint]:
        """Joints of the models around its own included."""
        for model in self.outwards():
            yield from model.joints(context).of_child(link.element)

    def needs_inertial(self, link: Link, context: LinkContext) -> bool:
        """Whether it is neither welded to the world nor deformable (Drake)."""

        def welded() -> frozenset[int | None]:
            return welded_to_world(model.joints(context) for model in self.outwards())

        owners = (link.element, *link.element.children_named("collision"))
        is_deformable = any(each.child("drake:deformable_properties") is not None for each in owners)
        return not is_deformable and id(link.element) not in self.root.once(self.element, frozenset, welded)

    def group(self, link: Link, context: LinkContext) -> base.Group:
        *_, root = self.outwards()
        return self.root.once(root.element, GroupTable, lambda: GroupTable(root, context)).of(link)

    def simulation_step(self, link: Link, default: float) -> float | None:
        return self.root.step_at(link.element) or default

    def unresolved_frames(self, context: LinkContext) -> Iterator[Problem]:
        """The `<frame>` elements that lead nowhere; an included file that is missing is not one of the reasons."""
        frames = [frame for frame in self.element.children_named("frame") if frame.attribute("name")]
        for frame in frames:
            names = filter(None, (frame.attribute("name"), frame.attribute("attached_to")))
            found = map(self.frames(context).rooted, names)
            error = next((each for each in found if isinstance(each, SdfInertiaError)), None)
            if isinstance(error, FrameError | ValueTextError):
                problem = f"frame {frame.attribute('name')!r} cannot be resolved: {error.problem}"
                yield Problem(problem, error.remedy, frame.location())

    def unresolved_references(self, context: LinkContext) -> Iterator[Problem]:
        """Ends of joints and frames of poses that the model does not have; missing included files are no reason."""
        for name, user, element in self._references():
            own = user.attribute("name") if user.name != "include" else user.child_text("name")
            what, role = f"{user.name} {shorten(own or '')!r}", self.root.frame_attribute
            is_end = element.name in ("parent", "child")
            if name == own and not is_end:
                message = f"the pose of {what} is relative to itself"
                yield Problem(message, f"take {role} out", element.location())
            elif name == own and any(link.name == name for link in self.links()):
                message = f"joint and link are both named {shorten(name)!r}"
                yield Problem(message, "rename the joint", element.location())
            elif name == own:
                message = f"{what} names itself as its <{element.name}>"
                yield Problem(message, "name a link or a frame", element.location())
            elif isinstance(missing := self.frames(context).find(name), FrameError):
                role = f"<{element.name}>" if is_end else role
                yield Problem(f"{role} of {what} does not exist: {missing.problem}", missing.remedy, element.location())

    def _references(self) -> Iterator[tuple[str, Element, Element]]:
        for user in self.element.children:
            for end in ("parent", "child") if user.name == "joint" else ():
                element = user.child(end)
                name = element.text() if element is not None else ""
                if element is not None and name and name not in (WORLD, MODEL_FRAME):
                    yield name, user, element
            # `unresolved_frames` reports frames.
            pose = user.child("pose") if user.name in ("link", "joint", "model", "include") else None
            frame = pose.attribute(self.root.frame_attribute) if pose is not None else None
            if pose is not None and frame and frame != MODEL_FRAME:
                yield frame, user, pose


# The reader of a link -------------------------------------------------------------------------------------------------


def _link(model: Model, element: Element) -> Link:
    link = Link(model, element, element.attribute("name") or "")
    block = element.child("inertial")
    if block is not None:
        link.inertial, link.request = model.read_inertial(block), _request(block)
    link.collisions, link.visuals = _solids(model, link, COLLISION), _solids(model, link, VISUAL)
    return link


def _request(block: Element) -> Request:
    density, parameters = block.child("density"), block.child("auto_inertia_params")
    if not block.attributes and density is None and parameters is None:
        return Request()
    return Request(
        attempt(_asks, block),
        # Filling removes `auto`, or sets it to false.
        stays=False,
        density=attempt(values.read_density, density) if density is not None else None,
        parameters=attempt(values.read_parameters, parameters) if parameters is not None else NO_PARAMETERS,
    )


def _asks(block: Element) -> bool:
    if block.attribute("auto") is not None:
        return values.read_flag(block, "auto")
    for name in block.attributes:
        if name.lower() == "auto":
            problem = f"<inertial> has the attribute {name}, which no simulator reads: the case of letters counts"
            raise block.error(problem, "write auto")
    return False


def _solids(model: Model, link: Link, kind: base.SolidKind) -> base.Solids:
    solids = [_solid(model, link, element) for element in link.element.children_named(kind.value)]
    seen: set[str] = set()
    for solid in solids:
        if solid.name in seen:
            problem = f"two {kind.value}s are named {shorten(solid.name)!r}"
            return solid.element.error(problem, "give each its own name")
        seen.add(solid.name)
    return solids


def _solid(model: Model, link: Link, element: Element) -> Solid:
    shape = attempt(values.read_shape, element)
    is_sound = isinstance(shape, Primitive) and min(shape.dimensions) > 0.0
    parameters, density = element.child("auto_inertia_params"), element.child("density")
    return Solid(
        link,
        element,
        element.attribute("name") or "",
        shape,
        attempt(model.read_pose, element.child("pose")),
        attempt(values.read_parameters, parameters) if parameters is not None else link.request.parameters,
        attempt(values.read_density, density) if density is not None else None,
        colour=values.read_colour(element),
        size=values.wrong_dimension(element) if not is_sound else None,
    )
