"""The reader of models, links and solids of SDF; frames resolve when they are needed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import chain
from typing import Any, NamedTuple

from sdfinertia import robot as base
from sdfinertia.errors import FrameError, InertiaError, SdfInertiaError, ValueTextError, shorten
from sdfinertia.inertia.rigid_transform import RigidTransform, Vector3, rotate, transpose
from sdfinertia.markup import Element, grouped, neighbours, walked
from sdfinertia.robot import COLLISION, VISUAL, Inertial, Link, LinkContext, ParentJoint, Solid, attempt, given, known
from sdfinertia.robot.names import numbers_of_namesakes
from sdfinertia.robot.numbers import unit_vector
from sdfinertia.robot.poses import NOT_MOVED, Placement, PosePath, PoseStep
from sdfinertia.robot.problems import Problem
from sdfinertia.sdf import edits, values
from sdfinertia.sdf.frames import Frames
from sdfinertia.sdf.root import MODEL_FRAME, WORLD, SdfRoot, load_include
from sdfinertia.sdf.values import read_pose

# SDFormat 1.7 introduced `expressed_in`; before, an element put an axis into the model's frame.
_EXPRESSED_IN_SINCE = (1, 7)
_TURNING = ("revolute", "continuous", "gearbox", "screw")


def model_of(root: SdfRoot, element: Element) -> Model:
    if element.start not in root.models_by_start:
        root.models_by_start[element.start] = Model(root, element, None)
    found: Model = root.models_by_start[element.start]
    return found


class Model(base.Model):
    """A `<model>`; names of worlds are no part of scoped names."""

    format = edits

    def __init__(self, root: SdfRoot, element: Element, parent: Model | None) -> None:
        self.root = root
        self.element = element
        self.parent = parent
        self.name = element.attribute("name") or ""
        self.scoped_name = f"{parent.scoped_name}::{self.name}" if parent else self.name
        self._frames: Frames | None = None
        self._joints: Mapping[Element | None, Sequence[Joint]] | None = None
        self._welded: frozenset[Element | None] | None = None
        self._groups: Mapping[Element | None, base.Group] | None = None

    @property
    def namesakes(self) -> Mapping[int, int]:
        if self.root.namesakes is None:
            models = (model_of(self.root, each) for each in self.root.model_elements())
            links = [(link.scoped_name, link.element.start) for model in models for link in model.all_links()]
            self.root.namesakes = numbers_of_namesakes(links)
        return self.root.namesakes

    def outwards(self) -> Iterator[Model]:
        model: Model | None = self
        while model is not None:
            yield model
            model = model.parent

    @cached_property
    def nested(self) -> list[Model]:
        return [Model(self.root, child, self) for child in self.element.children_named("model")]

    @cached_property
    def _links(self) -> list[Link]:
        links = [self._link(child) for child in self.element.children if child.name == "link"]
        names = [link.name for link in links]
        counts = Counter(names) if len({*names}) < len(names) else {}
        # A model around it may share its name with a sibling.
        repeated = self.root.problems_of_names
        starts = (model.element.start for model in self.outwards()) if repeated else ()
        of_models = next((repeated[start] for start in starts if start in repeated), None)
        for link in links:
            link.naming, link.static = of_models, self._static
            if counts and counts[link.name] > 1:
                problem = f"two links of model {self.name!r} are named {link.name!r}"
                link.naming = Problem(problem, "give each its own name")
        return links

    def all_links(self) -> Sequence[Link]:
        return self._all_links

    @cached_property
    def _all_links(self) -> list[Link]:
        models = walked([self], lambda model: model.nested) if self.nested else [self]
        return [link for model in models for link in model._links]

    def _link(self, element: Element) -> Link:
        link, block = Link(self, element, element.attribute("name") or ""), element.child("inertial")
        if block is not None:
            link.inertial, link.request = self.read_inertial(block), values.read_request(block)
        link.collisions = values.read_solids(link, COLLISION, self.root.frame_attribute)
        link.visuals = values.read_solids(link, VISUAL, self.root.frame_attribute)
        return link

    def read_inertial(self, element: Element) -> Inertial:
        return values.read_inertial(element, self.root.frame_attribute)

    def require_explicit(self, link: Link) -> None:
        if link.asks_to_be_filled():
            raise InertiaError("its inertial is computed automatically", remedy="run `sdfinertia fill` first")
        inertial = link.inertial
        if inertial is None or inertial.mass_element is None or inertial.tensor_element is None:
            raise InertiaError("its <inertial> has no explicit <mass> and <inertia> to scale", remedy="give it both")
        absent = [f"<{name}>" for name in ("ixx", "iyy", "izz") if inertial.tensor_element.child(name) is None]
        if absent:
            raise InertiaError(f"its <inertia> has no {', '.join(absent)}", remedy="give it all three moments")
        if read_pose(inertial.pose_element, self.root.frame_attribute).relative_to:
            problem = "the <pose> of <inertial> is relative to a frame, which SDFormat does not allow there"
            raise ValueTextError(problem)

    @cached_property
    def _static(self) -> bool | SdfInertiaError:
        said = filter(None, (model.element.child("static") for model in self.outwards()))
        return next((found for each in said if (found := attempt(values.read_flag, each)) is not False), False)

    def frames(self, context: LinkContext) -> Frames:
        if self._frames is None:
            load = partial(load_include, context.resources)
            self._frames = Frames(self.element, self.root.frame_attribute, load)
        return self._frames

    def pose_in_root(self, context: LinkContext, frame: str) -> RigidTransform | SdfInertiaError:
        """X_RF, of one of its frames in the root model."""
        *_, root = self.outwards()
        scope = self.scoped_name[len(root.scoped_name) :].removeprefix("::")
        return root.frames(context).pose_of(f"{scope}::{frame}" if scope else frame)

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

    def joints_by_child(self, context: LinkContext) -> Mapping[Element | None, Sequence[Joint]]:
        if self._joints is None:
            found = (_joint(each, self.frames(context)) for each in self.element.children_named("joint"))
            self._joints = grouped((joint.child, joint) for joint in found)
        return self._joints

    def joints(self, context: LinkContext) -> Iterator[Joint]:
        return chain.from_iterable(self.joints_by_child(context).values())

    def parent_joints(self, link: Link, context: LinkContext) -> Iterator[ParentJoint]:
        for model in self.outwards():
            for element, parent, *_ in model.joints_by_child(context).get(link.element, ()):
                if parent is not None:
                    is_fixed = element.attribute("type") == "fixed"
                    yield ParentJoint(element.attribute("name") or "", _mass_of(parent), is_fixed, parent.start)

    def needs_inertial(self, link: Link, context: LinkContext) -> bool:
        """Whether it is neither welded to the world nor deformable (Drake)."""
        if self._welded is None:
            world: list[Element | None] = [None]
            joints = (joint for model in self.outwards() for joint in model.joints(context))
            self._welded = frozenset(walked(world, _beside(joints)))
        owners = (link.element, *link.element.children_named("collision"))
        is_deformable = any(each.child("drake:deformable_properties") is not None for each in owners)
        return not is_deformable and link.element not in self._welded

    def group(self, link: Link, context: LinkContext) -> base.Group:
        *_, root = self.outwards()
        if root._groups is None:
            root._groups = _groups(root, context)
        return root._groups.get(link.element, base.alone(link))

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


# Joints ---------------------------------------------------------------------------------------------------------------


class Joint(NamedTuple):
    """A joint with the links that are its ends; None for the world and for all but links."""

    element: Element
    parent: Element | None
    child: Element | None
    welds: bool  # whether it fixes two links to each other, or one to the world


def _joint(element: Element, frames: Frames) -> Joint:
    names = element.child_text("parent"), element.child_text("child")
    parent, child = map(frames.link_of, names)
    are_known = all(link is not None or name == WORLD for link, name in zip((parent, child), names, strict=True))
    return Joint(element, parent, child, are_known and element.attribute("type") == "fixed")


def _mass_of(link: Element) -> float | None:
    inertial = link.child("inertial")
    mass = inertial.child("mass") if inertial is not None else None
    value = known(attempt(values.read_number, mass)) if mass is not None else None
    return value if value is not None and value > 0.0 else None


def _beside(joints: Iterable[Joint]) -> Callable[[Element | None], Sequence[Element | None]]:
    return neighbours((joint.parent, joint.child) for joint in joints if joint.welds)


def _groups(root: Model, context: LinkContext) -> dict[Element | None, base.Group]:
    """The links of a root model that fixed joints make one body; those of included files are in no group."""
    links: dict[Element | None, Link] = {link.element: link for link in root.all_links()}
    models = walked([root], lambda model: model.nested)
    joints = [(model, joint) for model in models for joint in model.joints(context)]
    above = grouped((joint.child, (model, joint)) for model, joint in joints)
    beside = _beside(joint for _, joint in joints if links.keys() >= {joint.parent, joint.child})
    groups: dict[Element | None, base.Group] = {}
    for start, link in links.items():
        if start not in groups:
            inside = [links[each] for each in walked([start], beside)]
            group = known(attempt(_group, inside, above, context)) or base.alone(link)
            groups.update((member.link.element, group) for member in group.members)
    return groups


def _group(
    links: list[Link], above: Mapping[Element | None, list[tuple[Model, Joint]]], context: LinkContext
) -> base.Group:
    def pose_of(link: Link) -> RigidTransform:
        model: Any = link.model
        X_RL: RigidTransform = given(model.pose_in_root(context, link.name))
        return X_RL

    X_GM = pose_of(links[0]).inverse()
    members = tuple(base.Member(link, X_GM @ pose_of(link)) for link in links)
    inside = {link.element for link in links}
    for link in links:
        for model, (element, parent, *_) in above.get(link.element, ()):
            if parent in inside or element.attribute("type") not in _TURNING:
                continue
            name = element.attribute("name") or ""
            X_MJ = given(model.pose_in_root(context, name))
            direction = axis_of(element, model.root, X_MJ, partial(model.pose_in_root, context))
            if direction is not None:
                axis = base.Axis(name, X_MJ.translation, rotate(X_MJ.rotation, direction))
                return base.Group(members, axis.transformed(X_GM))
    return base.Group(members)


def axis_of(
    joint: Element, root: SdfRoot, X_RJ: RigidTransform, pose_of: Callable[[str], RigidTransform | SdfInertiaError]
) -> Vector3 | None:
    """In the axes of the joint; `pose_of` takes the names that its model has for frames."""
    axis = joint.child("axis")
    if axis is None or joint.attribute("type") in ("fixed", "ball"):
        return None
    xyz = axis.child("xyz")
    unit = unit_vector(axis.child_text("xyz") or "0 0 1")
    if root.version >= _EXPRESSED_IN_SINCE:
        frame = (xyz.attribute("expressed_in") or "") if xyz is not None else ""
    else:
        is_of_model = known(attempt(values.read_flag, axis.child("use_parent_model_frame")))
        if is_of_model is None:
            return None
        frame = MODEL_FRAME if is_of_model else ""
    if unit is None or not frame:
        return unit
    pose = known(pose_of(frame))
    return rotate(transpose(X_RJ.rotation), rotate(pose.rotation, unit)) if pose is not None else None
