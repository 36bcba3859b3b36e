"""The tree of bodies, read in one pass, and their places in the world."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from sdfinertia.errors import SdfInertiaError
from sdfinertia.inertia.rigid_transform import IDENTITY, RigidTransform, Vector3
from sdfinertia.markup import Element, walked
from sdfinertia.mjcf.values import MAIN, ZERO, Children, Compiler, Defaults, read_pose
from sdfinertia.robot import Group, Link, Member, attempt, given
from sdfinertia.robot.joints import Axis
from sdfinertia.robot.numbers import parse_numbers, unit_vector
from sdfinertia.robot.poses import PosePath, PoseStep
from sdfinertia.robot.robot import PlacedJoint, PlacedLink

# Elements from which MuJoCo makes bodies; they are not read.
_MADE = ("replicate", "attach", "composite", "flexcomp")
_HELD = ("geom", "joint", "freejoint", "inertial")


class Frame(NamedTuple):
    """A `<frame>`, and the one around it."""

    element: Element
    outer: Frame | None

    def steps(self, compiler: Compiler) -> list[PoseStep]:
        frames = [self]
        while (outer := frames[-1].outer) is not None:
            frames.append(outer)
        return [PoseStep(read_pose(each.element.attributes, each.element, compiler)) for each in reversed(frames)]


class Held(NamedTuple):
    element: Element
    of_class: str
    frame: Frame | None


class Body:
    """A body, and its direct content.

    Attributes:
        frame: in which it lies in its parent.
        is_static: whether no joint moves it.
        is_unread: whether it has geoms that are not read.
    """

    __slots__ = ("element", "frame", "geoms", "inertial", "is_static", "is_unread", "joints", "name", "parent")

    def __init__(self, element: Element, name: str, parent: Body | None, frame: Frame | None) -> None:
        self.element = element
        self.name = name
        self.parent = parent
        self.frame = frame
        self.geoms: list[Held] = []
        self.joints: list[Held] = []
        self.inertial: Element | None = None
        self.is_static: bool = parent is None or parent.is_static
        self.is_unread = False


def bodies_in(worlds: Iterable[Element], children: Children) -> tuple[list[Body], int]:
    """The bodies in the order of the file, and the number of those that are not read."""
    bodies: list[Body] = []
    unread = 0
    pending: list[tuple[Element, Body | None, str, Frame | None]] = []
    for world in reversed(list(worlds)):
        pending += [(child, None, MAIN, None) for child in children(world)][::-1]
    while pending:
        element, body, of_class, frame = pending.pop()
        name, given = element.name, element.attributes if element.name in ("body", "frame") else {}
        if name == "body":
            body = Body(element, given.get("name") or f"body#{len(bodies) + 1}", body, frame)
            bodies.append(body)
            frame = None
        elif name == "frame":
            frame = Frame(element, frame)
        else:
            if name in _MADE:
                below, repeats = _bodies_below(element), name == "replicate" and _has_geoms(element)
                unread += below or (0 if repeats and body is not None else 1)
                if body is not None and repeats:
                    body.is_unread = body.inertial is None
            elif body is not None and name in _HELD:
                _hold(body, Held(element, of_class, frame))
            continue
        of_class = given.get("childclass") or of_class
        own = list(children(element))
        # A joint behind a body inside moves that body too.
        if name == "body" and body is not None and (given.get("mocap") == "true" or _is_moved(own)):
            body.is_static = False
        pending += [(child, body, of_class, frame) for child in reversed(own)]
    return bodies, unread


def _is_moved(children: Iterable[Element]) -> bool:
    return any(child.name in ("joint", "freejoint") for child in children)


def _hold(body: Body, held: Held) -> None:
    if held.element.name == "geom":
        body.geoms.append(held)
    elif held.element.name == "inertial":
        body.inertial = body.inertial or held.element
        body.is_unread = False
    else:
        body.joints.append(held)
        body.is_static = False


def _bodies_below(element: Element) -> int:
    return sum(each.name == "body" for each in walked(element.children, lambda each: each.children))


def _has_geoms(element: Element) -> bool:
    inside = walked(element.children, lambda each: each.children if each.name in ("frame", "replicate") else ())
    return any(each.name == "geom" for each in inside)


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
            self._poses[body.element.start] = attempt(self._placed, body, outer)

    def _placed(self, body: Body, outer: RigidTransform | SdfInertiaError) -> RigidTransform:
        return given(outer) @ self._own_pose(body)

    def _own_pose(self, body: Body) -> RigidTransform:
        own = PoseStep(read_pose(body.element.attributes, body.element, self._compiler))
        return PosePath([*(body.frame.steps(self._compiler) if body.frame is not None else ()), own]).transform

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
        if len(body.joints) != 1:
            return None
        kind, point, axis = self._motion(body.joints[0])
        if kind != "revolute" or point is None or axis is None:
            return None
        return Axis(body.joints[0].element.attribute("name") or "joint", point, axis)
