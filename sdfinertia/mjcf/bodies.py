"""The tree of bodies, read in one pass, and their places in the world."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sdfinertia.markup import Element, walked
from sdfinertia.mjcf.values import MAIN, Children, Compiler, read_pose
from sdfinertia.robot.poses import PoseStep

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
        if name == "body" and body is not None:
            moves = any(child.name in ("joint", "freejoint") for child in own)
            body.is_static = body.is_static and not moves and given.get("mocap") != "true"
        pending += [(child, body, of_class, frame) for child in reversed(own)]
    return bodies, unread


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
