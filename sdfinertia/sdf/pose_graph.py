"""The pose graph of a model: the poses on the way from one frame to another, and the links that joints connect.

Frames are nodes of one tree. Each hangs on the frame that its pose is relative to, up to `__model__`. A nested model
hangs by its `placement_frame`: the frames from there to its own are turned round. A way between two frames leaves out
their common part, and keeps the poses as written, so that a digest needs no trigonometry.
"""

from __future__ import annotations

from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from sdfinertia.errors import FrameError, SdfInertiaError, printable
from sdfinertia.robot.link import ParentJoint, walked
from sdfinertia.robot.numbers import shorten
from sdfinertia.robot.poses import (
    MAX_POSES_IN_TEXT,
    Placement,
    PosePath,
    PoseStep,
    ReversePath,
    chained_digest,
)
from sdfinertia.sdf.frames import Frame, FrameScope, LoadInclude
from sdfinertia.sdf.root import MODEL_FRAME, WORLD
from sdfinertia.sdf.values import read_number, read_pose

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator

    from sdfinertia.markup.document import Element

# Poses in a part that paths share: few enough to multiply again, many enough to save memory.
_PART = 16
# Paths kept at a time, of some 1 kB: ways down from many frames share nothing.
_MAX_PATHS = 1 << 16
# Characters of a chain of frames in a message.
_LONGEST_CHAIN = 300


class PoseGraph:
    """The poses of the frames that can be named inside a model or a world, each read once.

    Args:
        other_name: a second name of the outermost frame, as a world has.
    """

    def __init__(
        self, model: Element, frame_attribute: str, load_include: LoadInclude, other_name: str = MODEL_FRAME
    ) -> None:
        self._scope = FrameScope(model, frame_attribute, load_include)
        self._other_name = other_name
        self._root = self._scope.own
        self._root.depth = 0
        self._root.is_placed = True
        self._nodes: dict[tuple[Frame, str], Frame] = {}
        self._paths: dict[tuple[Frame, Frame], PosePath] = {}
        # Parts of the way up from the last start; by frame the known meeting with that way; and its highest frame.
        self._parts_up: list[tuple[Frame, str]] = []
        self._met: dict[Frame, Frame] = {self._root: self._root}
        self._last_start = self._highest = self._root
        self._misplaced: dict[Frame, SdfInertiaError] = {}
        self._links: dict[Frame, Element | None] = {}

    def placement(self, link: str, frame: str) -> Placement:
        """The paths whose product is X_LF, the pose of a frame in the frame of a link of this model."""
        start, end = self._rooted(link), self._rooted(frame)
        top = self._meeting(start, end)
        up = (self._path_up(start, top),) if start is not top else ()
        down = (self._path_down(top, end),) if end is not top else ()
        return (*up, *down)

    def path_to(self, frame: str) -> PosePath:
        """The path whose product is X_MF, in the model frame."""
        return self._path_down(self._root, self._rooted(frame))

    def require(self, frame: str) -> None:
        self._rooted(frame)

    def require_name(self, name: str) -> None:
        self._node(self._root, name)

    def link_of(self, name: str) -> Element | None:
        """The link of a name, through attached frames and joints; None where there is none."""
        way: dict[Frame, None] = {}
        found: Element | None = None
        try:
            node = self._node(self._root, name)
            while node not in way and node not in self._links and node.model is not None:
                way[node] = None
                if node.element.name == "link":
                    found = node.element
                    break
                if node.element.name not in ("frame", "joint") or not node.default:
                    break
                node = self._node(node.model, node.default)
            found = self._links.get(node, found)
        except SdfInertiaError:
            pass
        self._links.update(dict.fromkeys(way, found))
        return found

    # Names ------------------------------------------------------------------------------------------------------------

    def _node(self, model: Frame, name: str) -> Frame:
        key = model, name
        node = self._nodes.get(key)
        if node is None:
            node = self._nodes[key] = self._found(model, name)
        return node

    def _found(self, model: Frame, name: str) -> Frame:
        while name != MODEL_FRAME and not (name == self._other_name and model is self._root):
            scope = model.scope
            assert scope is not None, "names are looked up in models"
            # SDFormat up to 1.7 flattened nested models into names such as a::b and a::__model__, so the whole name
            # goes first, and again after the includes that the search of the head opened.
            head, colons, rest = name.partition("::")
            inner = scope.frame(head) if colons and not scope.declares(name) else None
            if not colons or scope.declares(name):
                found = scope.frame(name)
                if found is None:
                    raise scope.unknown(name)
                return found
            if inner is None or inner.scope is None or not rest:
                raise scope.unknown(name)
            model, name = inner, rest
        return model

    # The tree ---------------------------------------------------------------------------------------------------------

    def _rooted(self, name: str) -> Frame:
        """The frame of a name, once its way up is known to end at the root."""
        start = self._node(self._root, name)
        way: dict[Frame, None] = {}
        node = start
        stop, fault = None, None
        while node.depth < 0 and stop is None:
            if node in way:
                # A cycle is reported from where it is entered.
                for stop in _way_up(node):
                    stop.stop = stop
                stop = node
            elif node.stop is not None:
                stop, fault = node.stop, node.fault
            else:
                way[node] = None
                try:
                    self._place_models_of(node)
                    node = self._hung(node)
                except SdfInertiaError as error:
                    stop, fault = node, error
        if stop is None:
            for depth, each in enumerate(reversed(way), node.depth + 1):
                each.depth = depth
            return start
        for each in way:
            each.stop, each.fault = each.stop or stop, fault
        raise self._fault_of(start)

    def _fault_of(self, start: Frame) -> SdfInertiaError:
        stop = start.stop
        assert stop is not None, "the way up from the frame is known to be wrong"
        if start.fault is None:
            return self._cycle(stop)
        # A copy: handlers add to an error, and the next frame raises it again.
        error = start.fault.copied()
        if stop is not start and isinstance(error, FrameError):
            error.problem += f" (needed by {_chain_of_names(_way_up(start, stop))})"
        return error

    def _cycle(self, node: Frame) -> FrameError:
        loop = _chain_of_names(chain(_way_up(node), (node,)))
        return FrameError(f"frames of model {self._scope.name!r} form a cycle: {loop}")

    def _hung(self, node: Frame) -> Frame:
        if node.is_read:
            return node.above
        assert node.model is not None, "the outermost model has no pose in itself"
        is_include = node.element.name == "include"
        if is_include and node.element.child_text("placement_frame") and node.element.child("pose") is None:
            raise FrameError("an <include> with <placement_frame> needs a <pose>", location=node.element.location())
        pose = read_pose(node.pose_element, node.frame_attribute)
        above = pose.relative_to or node.default
        if above == MODEL_FRAME:
            above = node.model_frame
        if not above:
            raise FrameError("a joint without <child> has no frame", location=node.element.location())
        try:
            node.above = self._node(node.model, above)
        except SdfInertiaError as error:
            node.above = Frame(node.model, above, node.element)
            node.above.stop, node.above.fault = node.above, error
        node.step = PoseStep(pose)
        return node.above

    def _place_models_of(self, node: Frame) -> None:
        unplaced = node if node.scope is not None else node.model
        # Not by recursion: models may be nested as deep as elements, and each placed by a frame of the innermost.
        while unplaced is not None and not unplaced.is_placed:
            pending = [(unplaced, self._placing(unplaced))]
            while pending:
                try:
                    inner = next(pending[-1][1], None)
                except SdfInertiaError as error:
                    # Each of them needs the next.
                    self._misplaced.update((model, error) for model, _ in pending)
                    raise error.copied() from None
                if inner is None:
                    pending.pop()
                else:
                    pending.append((inner, self._placing(inner)))
            unplaced = unplaced.model

    def _placing(self, model: Frame) -> Generator[Frame, None, None]:
        """Hangs a nested model by its placement frame; yields inner models that must be placed first."""
        if model in self._misplaced:
            raise self._misplaced[model]
        if model.is_placed:
            return
        self._hung(model)
        if model.placement_frame:
            node = self._node(model, model.placement_frame)
            way: dict[Frame, None] = {}
            while node is not model:
                if node in way:
                    raise self._cycle(node)
                if node.fault is not None:
                    raise node.fault.copied()
                way[node] = None
                inner = node if node.scope is not None else node.model
                while inner is not None and inner is not model:
                    if not inner.is_placed:
                        yield inner
                    inner = inner.model
                node = self._hung(node)
            # X_RM = X_RP X_MP⁻¹: the pose is that of the placement frame P, and the model frame M hangs below it.
            above, step = model.above, model.step
            for node in (*way, model):
                turned = node.step.inverse
                node.above, node.step = above, step
                above, step = node, turned
        model.is_placed = True

    # Paths ------------------------------------------------------------------------------------------------------------

    def _meeting(self, start: Frame, other: Frame) -> Frame:
        """The lowest frame above both; no way up from others to those above one start is walked twice."""
        if self._last_start is not start:
            self._last_start = self._highest = start
            self._met = {start: start}
            self._parts_up = []
        way: list[Frame] = []
        node = other
        while node not in self._met:
            if self._highest.depth >= node.depth:
                self._highest = self._highest.above
                self._met[self._highest] = self._highest
            else:
                way.append(node)
                node = node.above
        top = self._met[node]
        self._met.update(dict.fromkeys(way, top))
        return top

    def _path_up(self, start: Frame, top: Frame) -> PosePath | ReversePath:
        count = start.depth - top.depth
        if count <= MAX_POSES_IN_TEXT:
            return PosePath([step.inverse for step in _steps_up(start, count)[0]])
        # The last part is at most as long as the others.
        before = (count - 1) // _PART
        parts = self._parts_up
        while len(parts) < before:
            node, digest = parts[-1] if parts else (start, "")
            steps, node = _steps_up(node, _PART)
            parts.append((node, chained_digest(digest, [step.inverse for step in steps])))
        node, digest = parts[before - 1]
        own = ";".join([step.inverse.text for step in _steps_up(node, node.depth - top.depth)[0]])
        return ReversePath(f"{digest};{own}", partial(self._path_down, top, start))

    def _path_down(self, top: Frame, end: Frame) -> PosePath:
        parts: list[tuple[Frame, list[PoseStep]]] = []
        node = end
        if len(self._paths) > _MAX_PATHS:
            self._paths.clear()
        while node is not top and (top, node) not in self._paths:
            # Parts are counted from the top, so that all paths down from there share them.
            steps, above = _steps_up(node, (node.depth - top.depth) % _PART or _PART)
            parts.append((node, steps[::-1]))
            node = above
        path = self._paths.get((top, node))
        for node, steps in reversed(parts):
            path = self._paths[top, node] = PosePath(steps, path)
        return path if path is not None else PosePath(())


def _way_up(start: Frame, stop: Frame | None = None) -> Iterator[Frame]:
    node = start
    while True:
        yield node
        node = node.above
        if node is (stop or start):
            return


def _chain_of_names(nodes: Iterable[Frame]) -> str:
    text = ""
    for node in nodes:
        text += f"{' -> ' if text else ''}{node.full_name()}"
        if len(text) > _LONGEST_CHAIN:
            break
    return printable(shorten(text, _LONGEST_CHAIN))


def _steps_up(node: Frame, count: int) -> tuple[list[PoseStep], Frame]:
    steps = []
    for _ in range(count):
        steps.append(node.step)
        node = node.above
    return steps, node


# Joints ---------------------------------------------------------------------------------------------------------------


class JointTable:
    """The joints of a model, by the link that is their child, and the links that fixed ones weld."""

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
            child, parent = map(frames.link_of, names)
            is_fixed = joint.attribute("type") == "fixed"
            if child is not None and parent is not None:
                found = ParentJoint(joint.attribute("name") or "", _mass_of(parent), is_fixed, parent.start)
                self._by_child.setdefault(id(child), []).append(found)
            ends = zip((child, parent), names, strict=True)
            if is_fixed and all(link is not None or name == WORLD for link, name in ends):
                self.welds.append(
                    (id(child) if child is not None else None, id(parent) if parent is not None else None)
                )

    def of_child(self, link: Element) -> list[ParentJoint]:
        return self._by_child.get(id(link), [])


def welded_to_world(tables: Iterable[JointTable]) -> frozenset[int | None]:
    """The identities of the links that fixed joints weld to the world, and None for the world."""
    neighbours: dict[int | None, list[int | None]] = {}
    for table in tables:
        for one, other in table.welds:
            neighbours.setdefault(one, []).append(other)
            neighbours.setdefault(other, []).append(one)
    world: list[int | None] = [None]
    return frozenset(walked(world, lambda end: neighbours.get(end, [])))


def _mass_of(link: Element) -> float | None:
    inertial = link.child("inertial")
    mass = inertial.child("mass") if inertial is not None else None
    try:
        value = read_number(mass) if mass is not None else None
    except SdfInertiaError:
        return None
    return value if value is not None and value > 0.0 else None
