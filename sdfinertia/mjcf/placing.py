"""Where bodies and joints are in the world, and which bodies are fixed to each other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from sdfinertia.errors import SdfInertiaError
from sdfinertia.inertia.rigid_transform import IDENTITY, RigidTransform, Vector3
from sdfinertia.mjcf.bodies import Body, Held
from sdfinertia.mjcf.compiler import Compiler, Defaults
from sdfinertia.mjcf.values import ZERO, read_pose
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.robot.groups import Axis, Group, Member
from sdfinertia.robot.link import Link
from sdfinertia.robot.numbers import parse_numbers, unit_vector
from sdfinertia.robot.robot import Assembly, PlacedJoint, PlacedLink


class Robot(Protocol):
    """The bodies and joints of a robot."""

    name: str
    bodies: list[Body]
    compiler: Compiler
    defaults: Defaults

    @property
    def path(self) -> str: ...

    @property
    def links_by_start(self) -> dict[int, Link]: ...


_Poses = dict[int, RigidTransform | SdfInertiaError]

_KINDS = {"hinge": "revolute", "slide": "prismatic", "ball": "ball", "free": "floating"}


def assembly(robot: Robot) -> Assembly:
    poses: _Poses = {}
    links = robot.links_by_start
    for body in robot.bodies:
        poses[body.element.start] = _pose_in(robot, body, poses)
    placed = (PlacedLink(link, link.scoped_name, True, poses[start]) for start, link in links.items())
    joints = (_joint(robot, body, joint, poses[body.element.start]) for body in robot.bodies for joint in body.joints)
    return Assembly(robot.name, robot.path, False, placed, joints, [])


def _pose_in(robot: Robot, body: Body, poses: _Poses) -> RigidTransform | SdfInertiaError:
    outer = poses[body.parent.element.start] if body.parent is not None else IDENTITY
    if isinstance(outer, SdfInertiaError):
        return outer
    try:
        own = own_pose(robot, body)
    except SdfInertiaError as error:
        return error
    return outer @ own


def own_pose(robot: Robot, body: Body) -> RigidTransform:
    """In its parent."""
    pose = read_pose(body.element.attributes(), body.element, robot.compiler).transform()
    return body.frame.path(robot.compiler).transform @ pose if body.frame is not None else pose


class _Motion(NamedTuple):
    """The motion of a joint; a point on its axis and the axis are None where they are malformed, or there is no
    axis.
    """

    kind: str
    point: Vector3 | None
    axis: Vector3 | None


def _motion(robot: Robot, joint: Held) -> _Motion:
    if joint.element.name != "joint":
        return _Motion("floating", ZERO, None)
    given = robot.defaults.attributes(joint.element, joint.of_class)
    kind = _KINDS.get(given.get("type", "hinge"), "revolute")
    at = parse_numbers(given.get("pos", "0 0 0"))
    point = (at[0], at[1], at[2]) if at is not None and len(at) == 3 else None
    axis = unit_vector(given.get("axis", "0 0 1")) if kind in ("revolute", "prismatic") else None
    return _Motion(kind, point, axis)


def _joint(robot: Robot, body: Body, joint: Held, pose: RigidTransform | SdfInertiaError) -> PlacedJoint:
    kind, point, axis = _motion(robot, joint)
    name = f"{robot.name}::{joint.element.attribute('name') or f'{body.name} {joint.element.name}'}"
    parent = body.parent.name if body.parent is not None else "world"
    known = None
    if isinstance(pose, RigidTransform) and point is not None:
        known = pose @ RigidTransform(translation=point)
    return PlacedJoint(name, kind, parent, body.name, known, axis)


def groups(robot: Robot) -> Iterator[Group]:
    """The bodies that no joint moves in their parent go with it; the first gives the frame."""
    links = robot.links_by_start
    members: dict[Body, list[Member]] = {}
    places: dict[int, tuple[Body, RigidTransform]] = {}
    for body in robot.bodies:
        start = body.element.start
        first, pose = body, IDENTITY
        if not body.joints and body.parent is not None:
            first, outer = places[body.parent.element.start]
            pose = outer @ own_pose(robot, body)
        places[start] = first, pose
        if start in links:
            members.setdefault(first, []).append(Member(links[start], pose))
    for first, found in members.items():
        yield Group(tuple(found), _turning(robot, first))


def _turning(robot: Robot, body: Body) -> Axis | None:
    """The axis of the one hinge of a body."""
    if len(body.joints) != 1:
        return None
    kind, point, axis = _motion(robot, body.joints[0])
    if kind != "revolute" or point is None or axis is None:
        return None
    return Axis(body.joints[0].element.attribute("name") or "joint", point, axis)
