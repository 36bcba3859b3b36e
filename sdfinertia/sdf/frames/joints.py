"""The links that joints connect, and names in a model that lead nowhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from sdfinertia.errors import FrameError, SdfInertiaError, ValueTextError
from sdfinertia.markup.document import Element
from sdfinertia.robot.numbers import shorten
from sdfinertia.robot.values import ParentJoint, Problem
from sdfinertia.sdf.root import MODEL_FRAME
from sdfinertia.sdf.values import read_number

if TYPE_CHECKING:
    from sdfinertia.sdf.frames.pose_graph import PoseGraph

_WORLD = "world"
# The elements of a model whose poses may be relative to a frame of it; `unresolved_frames` reports frames.
_PLACED = ("link", "joint", "model", "include")


class JointTable:
    def __init__(self, model: Element, graph: Callable[[], PoseGraph]) -> None:
        self._by_child: dict[int, list[ParentJoint]] = {}
        # The two ends of each fixed joint, as identities of links; None is the world.
        self.welds: list[tuple[int | None, int | None]] = []
        joints = model.children_named("joint")
        if not joints:
            return
        frames = graph()
        for joint in joints:
            names = joint.child_text("child"), joint.child_text("parent")
            child, parent = frames.link_of(names[0]), frames.link_of(names[1])
            is_fixed = joint.attribute("type") == "fixed"
            if child is not None and parent is not None:
                found = ParentJoint(joint.attribute("name") or "", _mass_of(parent), is_fixed)
                self._by_child.setdefault(id(child), []).append(found)
            if is_fixed and all(
                link is not None or name == _WORLD for link, name in zip((child, parent), names, strict=True)
            ):
                self.welds.append(
                    (id(child) if child is not None else None, id(parent) if parent is not None else None)
                )

    def of_child(self, link: Element) -> Sequence[ParentJoint]:
        """The joints whose child a link is, without those with an unknown end."""
        return self._by_child.get(id(link), ())


def is_welded_to_world(link: Element, tables: Iterable[JointTable]) -> bool:
    welds = [weld for table in tables for weld in table.welds]
    neighbours: dict[int | None, list[int | None]] = {}
    for one, other in welds:
        neighbours.setdefault(one, []).append(other)
        neighbours.setdefault(other, []).append(one)
    pending: list[int | None] = [id(link)]
    seen = set(pending)
    while pending:
        for end in neighbours.get(pending.pop(), ()):
            if end is None:
                return True
            if end not in seen:
                seen.add(end)
                pending.append(end)
    return False


def unresolved_frames(model: Element, graph: Callable[[], PoseGraph]) -> Iterator[Problem]:
    """The `<frame>` elements that lead nowhere; an included file that is missing is not one of the reasons."""
    frames = [frame for frame in model.children_named("frame") if frame.attribute("name")]
    for frame in frames:
        try:
            for name in (frame.attribute("name"), frame.attribute("attached_to")):
                if name:
                    graph().require(name)
        except (FrameError, ValueTextError) as error:
            problem = f"frame {frame.attribute('name')!r} cannot be resolved: {error.problem}"
            yield Problem(problem, error.remedy, frame.location())
        except SdfInertiaError:
            continue


def _mass_of(link: Element) -> float | None:
    inertial = link.child("inertial")
    mass = inertial.child("mass") if inertial is not None else None
    try:
        value = read_number(mass) if mass is not None else None
    except SdfInertiaError:
        return None
    return value if value is not None and value > 0.0 else None


def unresolved_references(model: Element, frame_attribute: str, graph: Callable[[], PoseGraph]) -> Iterator[Problem]:
    """Ends of joints and frames of poses that the model does not have; missing included files are no reason."""
    for name, user, element in _references(model, frame_attribute):
        own = user.attribute("name") if user.name != "include" else user.child_text("name")
        what = f"{user.name} {shorten(own or '')!r}"
        is_end = element.name in ("parent", "child")
        if name == own:
            if not is_end:
                message = f"the pose of {what} is relative to itself"
                yield Problem(message, f"take {frame_attribute} out", element.location())
            else:
                problem = f"{what} names itself as its <{element.name}>"
                yield Problem(problem, "name a link or a frame", element.location())
            continue
        missing = _missing(graph(), name)
        if missing is not None:
            role = f"<{element.name}>" if is_end else frame_attribute
            yield Problem(f"{role} of {what} does not exist: {missing.problem}", missing.remedy, element.location())


def _references(model: Element, frame_attribute: str) -> Iterator[tuple[str, Element, Element]]:
    """Each name that is used in a model, the element that uses it, and the child element that holds it."""
    for user in model.children:
        if user.name == "joint":
            for end in ("parent", "child"):
                element = user.child(end)
                name = element.text() if element is not None else ""
                if element is not None and name and name not in (_WORLD, MODEL_FRAME):
                    yield name, user, element
        pose = user.child("pose") if user.name in _PLACED else None
        frame = pose.attribute(frame_attribute) if pose is not None and pose.raw_attributes else None
        if pose is not None and frame and frame != MODEL_FRAME:
            yield frame, user, pose


def _missing(graph: PoseGraph, name: str) -> FrameError | None:
    """Why a name means nothing; None where it does, or nobody can tell."""
    try:
        graph.require_name(name)
    except FrameError as error:
        return error
    except SdfInertiaError:
        return None
    return None
