"""Where bodies and joints are in the world, and which bodies are fixed to each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.errors import SdfInertiaError
from sdfinertia.inertia.rigid_transform import IDENTITY, RigidTransform, Vector3
from sdfinertia.mjcf.values import ZERO, read_pose
from sdfinertia.robot.groups import Axis, Group, Member
from sdfinertia.robot.numbers import parse_numbers, unit_vector
from sdfinertia.robot.robot import PlacedJoint, PlacedLink

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sdfinertia.mjcf.bodies import Body, Held
    from sdfinertia.mjcf.compiler import Compiler, Defaults
    from sdfinertia.robot.link import Link

_KINDS = {"hinge": "revolute", "slide": "prismatic", "ball": "ball", "free": "floating"}


class _Motion(NamedTuple):
    """The motion of a joint; a point on its axis and the axis are None where they are malformed, or there is no
    axis.
    """

    kind: str
    point: Vector3 | None
    axis: Vector3 | None


class Placing:
    """The bodies of a model in its world, by the start of their elements.

    Args:
        links: of the bodies that are read.
    """

    def __init__(
        self, bodies: Sequence[Body], links: Mapping[int, Link], compiler: Compiler, defaults: Defaults
    ) -> None:
        self._bodies, self._links, self._compiler, self._defaults = bodies, links, compiler, defaults
        self._poses: dict[int, RigidTransform | SdfInertiaError] = {}
        for body in bodies:
            outer = self._poses[body.parent.element.start] if body.parent is not None else IDENTITY
            try:
                pose = outer if isinstance(outer, SdfInertiaError) else outer @ self._own_pose(body)
            except SdfInertiaError as error:
                pose = error
            self._poses[body.element.start] = pose

    def _own_pose(self, body: Body) -> RigidTransform:
        """The pose of a body in its parent."""
        pose = read_pose(body.element.attributes(), body.element, self._compiler).transform()
        return body.frame.path(self._compiler).transform @ pose if body.frame is not None else pose

    def links(self) -> Iterator[PlacedLink]:
        return (PlacedLink(link, link.scoped_name, True, self._poses[start]) for start, link in self._links.items())

    def joints(self, model: str) -> Iterator[PlacedJoint]:
        for body in self._bodies:
            pose = self._poses[body.element.start]
            for joint in body.joints:
                kind, point, axis = self._motion(joint)
                name = f"{model}::{joint.element.attribute('name') or f'{body.name} {joint.element.name}'}"
                known = None
                if isinstance(pose, RigidTransform) and point is not None:
                    known = pose @ RigidTransform(translation=point)
                parent = body.parent.name if body.parent is not None else "world"
                yield PlacedJoint(name, kind, parent, body.name, known, axis)

    def _motion(self, joint: Held) -> _Motion:
        if joint.element.name != "joint":
            return _Motion("floating", ZERO, None)
        given = self._defaults.attributes(joint.element, joint.of_class)
        kind = _KINDS.get(given.get("type", "hinge"), "revolute")
        at = parse_numbers(given.get("pos", "0 0 0"))
        point = (at[0], at[1], at[2]) if at is not None and len(at) == 3 else None
        axis = unit_vector(given.get("axis", "0 0 1")) if kind in ("revolute", "prismatic") else None
        return _Motion(kind, point, axis)

    def groups(self) -> Iterator[Group]:
        """The bodies that no joint moves in their parent go with it; the first gives the frame."""
        members: dict[Body, list[Member]] = {}
        places: dict[int, tuple[Body, RigidTransform]] = {}
        for body in self._bodies:
            start = body.element.start
            first, pose = body, IDENTITY
            if not body.joints and body.parent is not None:
                first, outer = places[body.parent.element.start]
                pose = outer @ self._own_pose(body)
            places[start] = first, pose
            if start in self._links:
                members.setdefault(first, []).append(Member(self._links[start], pose))
        for first, found in members.items():
            yield Group(tuple(found), self._turning(first))

    def _turning(self, body: Body) -> Axis | None:
        """The axis of the one hinge of a body."""
        if len(body.joints) != 1:
            return None
        kind, point, axis = self._motion(body.joints[0])
        if kind != "revolute" or point is None or axis is None:
            return None
        return Axis(body.joints[0].element.attribute("name") or "joint", point, axis)
