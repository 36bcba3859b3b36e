"""The groups of links that fixed joints make one body in a root model and the models nested in it."""

from __future__ import annotations

from math import hypot
from typing import TYPE_CHECKING, Any, NamedTuple

from sdfinertia.errors import SdfInertiaError
from sdfinertia.inertia.rigid_transform import RigidTransform, Vector3, rotate, transpose
from sdfinertia.robot.link import Axis, Group, Link, LinkContext, Member, alone, walked
from sdfinertia.sdf.root import MODEL_FRAME, SdfRoot
from sdfinertia.sdf.values import read_boolean, read_vector

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator

    from sdfinertia.markup.document import Element


# SDFormat 1.7 introduced `expressed_in`; before, an element put an axis into the model's frame.
_EXPRESSED_IN_SINCE = (1, 7)

# A model of SDF, whose module loads this one.
_Model = Any


class _Joint(NamedTuple):
    model: _Model
    element: Element
    parent: int | None
    child: int

    @property
    def is_fixed(self) -> bool:
        return self.element.attribute("type") == "fixed"

    @property
    def turns(self) -> bool:
        return self.element.attribute("type") in ("revolute", "continuous", "gearbox", "screw")


class GroupTable:
    """The groups of a root model; links of included files, and joints of worlds, are in no group."""

    def __init__(self, root: _Model, context: LinkContext) -> None:
        self._root = root
        self._context = context
        self._groups: dict[Hashable, Group] = {}
        links = root.all_links()
        by_element = {id(link.element): link for link in links}
        joints = list(self._joints(by_element))
        neighbours: dict[int, list[int]] = {}
        moving: dict[int, list[_Joint]] = {}
        for joint in joints:
            moving.setdefault(joint.child, []).append(joint)
            if joint.is_fixed and joint.parent in by_element:
                neighbours.setdefault(joint.child, []).append(joint.parent)
                neighbours.setdefault(joint.parent, []).append(joint.child)
        for link in links:
            if link.place not in self._groups:
                elements = list(walked([id(link.element)], lambda each: neighbours.get(each, ())))
                group = self._group([by_element[each] for each in elements], moving)
                self._groups.update((member.link.place, group) for member in group.members)

    def of(self, link: Link) -> Group:
        return self._groups.get(link.place, alone(link)).of(link)

    def _joints(self, by_element: dict[int, Link]) -> Iterator[_Joint]:
        for model in walked([self._root], lambda model: model.nested()):
            graph = model.graph(self._context)
            for element in model.element.children_named("joint"):
                parent, child = (graph.link_of(element.child_text(name)) for name in ("parent", "child"))
                if child is not None and id(child) in by_element:
                    yield _Joint(model, element, id(parent) if parent is not None else None, id(child))

    def _group(self, links: list[Link], moving: dict[int, list[_Joint]]) -> Group:
        inside = {id(link.element) for link in links}
        joints = [joint for link in links for joint in moving.get(id(link.element), ())]
        turning = [each for each in joints if each.parent not in inside and each.turns]
        try:
            X_GM = self._pose(links[0].model, links[0].name).inverse()
            members = [Member(link, X_GM @ self._pose(link.model, link.name)) for link in links]
            axes = (self._axis(joint) for joint in turning)
            axis = next((axis.transformed(X_GM) for axis in axes if axis is not None), None)
        except SdfInertiaError:
            return alone(links[0])
        return Group(tuple(members), axis)

    def _axis(self, joint: _Joint) -> Axis | None:
        name = joint.element.attribute("name") or ""
        X_MJ = self._pose(joint.model, name)
        direction = axis_of(joint.element, joint.model.root, X_MJ, lambda frame: self._pose(joint.model, frame))
        return Axis(name, X_MJ.translation, rotate(X_MJ.rotation, direction)) if direction is not None else None

    def _pose(self, model: _Model, frame: str) -> RigidTransform:
        """X_MF, of a frame of a nested model in the root model."""
        scope = model.scoped_name[len(self._root.scoped_name) :].removeprefix("::")
        transform: RigidTransform = (
            self._root.graph(self._context).path_to(f"{scope}::{frame}" if scope else frame).transform
        )
        return transform


def axis_of(
    joint: Element, root: SdfRoot, X_RJ: RigidTransform, pose_of: Callable[[str], RigidTransform | SdfInertiaError]
) -> Vector3 | None:
    """The axis of a joint, in the joint's axes; None where it has none, or it is malformed.

    Args:
        pose_of: of frames by the names that the joint's model has for them.
    """
    axis = joint.child("axis")
    xyz = axis.child("xyz") if axis is not None else None
    if axis is None or joint.attribute("type") in ("fixed", "ball"):
        return None
    try:
        x, y, z = read_vector(xyz, 3) if xyz is not None and xyz.text() else (0.0, 0.0, 1.0)
        length = hypot(x, y, z)
        if not length > 0.0:
            return None
        unit = (x / length, y / length, z / length)
        frame = _frame_of_axis(root, axis, xyz)
        if not frame:
            return unit
        pose = pose_of(frame)
        if isinstance(pose, SdfInertiaError):
            return None
        return rotate(transpose(X_RJ.rotation), rotate(pose.rotation, unit))
    except SdfInertiaError:
        return None


def _frame_of_axis(root: SdfRoot, axis: Element, xyz: Element | None) -> str:
    if root.version >= _EXPRESSED_IN_SINCE:
        return (xyz.attribute("expressed_in") or "") if xyz is not None else ""
    said = axis.child("use_parent_model_frame")
    is_of_model = said is not None and read_boolean(said.text(), said.name, said, default=False)
    return MODEL_FRAME if is_of_model else ""
