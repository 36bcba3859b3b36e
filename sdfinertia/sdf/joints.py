"""The joints of models: the links that are their ends, those that fixed ones make one body, and axes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, NamedTuple

from sdfinertia.errors import SdfInertiaError
from sdfinertia.inertia.rigid_transform import RigidTransform, Vector3, rotate, transpose
from sdfinertia.markup import Element, grouped, neighbours, walked
from sdfinertia.robot import Axis, Group, Link, LinkContext, Member, ParentJoint, alone, attempt, given, known
from sdfinertia.robot.numbers import unit_vector
from sdfinertia.sdf.frames import Frames
from sdfinertia.sdf.root import MODEL_FRAME, WORLD, SdfRoot
from sdfinertia.sdf.values import read_flag, read_number

# SDFormat 1.7 introduced `expressed_in`; before, an element put an axis into the model's frame.
_EXPRESSED_IN_SINCE = (1, 7)
_TURNING = ("revolute", "continuous", "gearbox", "screw")

# A model of SDF, whose module loads this one.
_Model = Any
# A link by its identity, or the world.
_End = int | None


class Joint(NamedTuple):
    element: Element
    parent: Element | None
    child: Element | None

    @property
    def is_fixed(self) -> bool:
        return self.element.attribute("type") == "fixed"

    @property
    def ends(self) -> tuple[_End, _End]:
        return tuple(id(end) if end is not None else None for end in (self.child, self.parent))  # type: ignore[return-value]


class JointTable:
    """The joints of a model, by the link that is their child, and the links that fixed ones weld."""

    def __init__(self, model: Element, frames: Callable[[], Frames]) -> None:
        self._by_child: dict[_End, list[ParentJoint]] = {}
        self.joints: list[Joint] = []
        # The two ends of each fixed joint.
        self.welds: list[tuple[_End, _End]] = []
        for element in model.children_named("joint"):
            names = element.child_text("parent"), element.child_text("child")
            joint = Joint(element, *map(frames().link_of, names))
            self.joints.append(joint)
            if joint.child is not None and joint.parent is not None:
                name, mass = element.attribute("name") or "", _mass_of(joint.parent)
                found = ParentJoint(name, mass, joint.is_fixed, joint.parent.start)
                self._by_child.setdefault(id(joint.child), []).append(found)
            ends = zip((joint.parent, joint.child), names, strict=True)
            if joint.is_fixed and all(link is not None or name == WORLD for link, name in ends):
                self.welds.append(joint.ends)

    def of_child(self, link: Element) -> list[ParentJoint]:
        return self._by_child.get(id(link), [])


def welded_to_world(tables: Iterable[JointTable]) -> frozenset[_End]:
    """The links that fixed joints weld to the world, and the world."""
    world: list[_End] = [None]
    return frozenset(walked(world, neighbours(weld for table in tables for weld in table.welds)))


def _mass_of(link: Element) -> float | None:
    inertial = link.child("inertial")
    mass = inertial.child("mass") if inertial is not None else None
    value = known(attempt(read_number, mass)) if mass is not None else None
    return value if value is not None and value > 0.0 else None


class GroupTable:
    """The links of a root model that fixed joints make one body; those of included files are in no group."""

    def __init__(self, root: _Model, context: LinkContext) -> None:
        self._root, self._context = root, context
        self._groups: dict[_End, Group] = {}
        by_element: dict[_End, Link] = {id(link.element): link for link in root.all_links()}
        models: Iterable[_Model] = walked([root], lambda model: model.nested())
        all_joints = [(model, joint) for model in models for joint in model.joints(context).joints]
        above = grouped((joint.ends[0], (model, joint)) for model, joint in all_joints)
        fixed = (joint.ends for _, joint in all_joints if joint.is_fixed)
        beside = neighbours(ends for ends in fixed if by_element.keys() >= {*ends})
        for start, link in by_element.items():
            if start not in self._groups:
                links = [by_element[each] for each in walked([start], beside)]
                joints = [each for link in links for each in above.get(id(link.element), ())]
                group = known(attempt(self._group, links, joints)) or alone(link)
                self._groups.update((id(member.link.element), group) for member in group.members)

    def of(self, link: Link) -> Group:
        return self._groups.get(id(link.element), alone(link))

    def _group(self, links: list[Link], joints: list[tuple[_Model, Joint]]) -> Group:
        inside = {id(link.element) for link in links}
        X_GM = self._pose(links[0].model, links[0].name).inverse()
        members = [Member(link, X_GM @ self._pose(link.model, link.name)) for link in links]
        turning = (
            (model, joint.element)
            for model, joint in joints
            if id(joint.parent) not in inside and joint.element.attribute("type") in _TURNING
        )
        axes = (self._axis(*each) for each in turning)
        axis = next((axis.transformed(X_GM) for axis in axes if axis is not None), None)
        return Group(tuple(members), axis)

    def _axis(self, model: _Model, joint: Element) -> Axis | None:
        name = joint.attribute("name") or ""
        X_MJ = self._pose(model, name)
        direction = axis_of(joint, model.root, X_MJ, partial(attempt, self._pose, model))
        return Axis(name, X_MJ.translation, rotate(X_MJ.rotation, direction)) if direction is not None else None

    def _pose(self, model: _Model, frame: str) -> RigidTransform:
        """X_MF, of a frame of a nested model in the root model."""
        scope = model.scoped_name[len(self._root.scoped_name) :].removeprefix("::")
        X_MF: RigidTransform = given(self._root.frames(self._context).pose_of(f"{scope}::{frame}" if scope else frame))
        return X_MF


def axis_of(
    joint: Element, root: SdfRoot, X_RJ: RigidTransform, pose_of: Callable[[str], RigidTransform | SdfInertiaError]
) -> Vector3 | None:
    """The axis of a joint, in the joint's axes; None where it has none, or it is malformed.

    Args:
        pose_of: of frames by the names that the joint's model has for them.
    """
    axis = joint.child("axis")
    if axis is None or joint.attribute("type") in ("fixed", "ball"):
        return None
    xyz = axis.child("xyz")
    unit = unit_vector((xyz.text() if xyz is not None else "") or "0 0 1")
    frame = known(attempt(_frame_of_axis, root, axis, xyz))
    if unit is None or frame is None or not frame:
        return unit if frame is not None else None
    pose = pose_of(frame)
    if isinstance(pose, SdfInertiaError):
        return None
    return rotate(transpose(X_RJ.rotation), rotate(pose.rotation, unit))


def _frame_of_axis(root: SdfRoot, axis: Element, xyz: Element | None) -> str:
    if root.version >= _EXPRESSED_IN_SINCE:
        return (xyz.attribute("expressed_in") or "") if xyz is not None else ""
    return MODEL_FRAME if read_flag(axis.child("use_parent_model_frame")) else ""
