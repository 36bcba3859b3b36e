"""Frames as nodes of one tree, and the paths between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from sdfinertia.errors import SdfInertiaError, printable
from sdfinertia.robot.numbers import shorten
from sdfinertia.robot.poses import Placement, Pose, PosePath, PoseStep
from sdfinertia.sdf.frames.frame_scope import Frame

# Poses are shared by paths in parts of so many: few enough to multiply again, many enough not to be kept one by one.
_PART = 16
# Characters of a chain of frames in a message.
_LONGEST_CHAIN = 300
_NOWHERE = PoseStep(Pose())


class FrameNode:
    """A frame in the tree.

    Attributes:
        frame: None for the outermost model.
        is_placed: whether, as a model, it hangs on what its placement frame is relative to.
        depth: number of frames above; negative where unknown.
    """

    __slots__ = ("above", "depth", "fault", "frame", "is_placed", "is_read", "model", "name", "step", "stop")

    def __init__(self, model: FrameNode | None, name: str, frame: Frame | None) -> None:
        self.model = model
        self.name = name
        self.frame = frame
        self.is_read = self.is_placed = False
        self.above = self
        self.step = _NOWHERE
        self.depth = -1
        self.stop: FrameNode | None = None
        self.fault: SdfInertiaError | None = None

    @property
    def is_model(self) -> bool:
        return self.frame is None or self.frame.nested is not None

    def full_name(self) -> str:
        """In the outermost model, such as `gripper::finger`."""
        names = [self.name]
        model = self.model
        while model is not None and model.model is not None:
            names.append(model.name)
            model = model.model
        return "::".join(reversed(names))


def way_up(start: FrameNode, stop: FrameNode | None = None) -> Iterator[FrameNode]:
    """The frames from one up to before another, or once round a cycle."""
    node = start
    while True:
        yield node
        node = node.above
        if node is (stop or start):
            return


def chain_of_names(nodes: Iterable[FrameNode], closing: FrameNode | None = None) -> str:
    text = ""
    for node in nodes if closing is None else chain(nodes, (closing,)):
        text += f"{' -> ' if text else ''}{node.full_name()}"
        if len(text) > _LONGEST_CHAIN:
            break
    return printable(shorten(text, _LONGEST_CHAIN))


class FramePaths:
    """The paths between the frames of a tree."""

    def __init__(self, root: FrameNode) -> None:
        self._paths: dict[tuple[FrameNode, FrameNode], PosePath] = {}
        self._parts_up: dict[FrameNode, list[tuple[FrameNode, PosePath]]] = {}
        self._meetings = _Meetings(root)

    def between(self, start: FrameNode, end: FrameNode) -> Placement:
        """The paths whose product is X_SE, the pose of one frame in another; both depths are known."""
        if self._meetings.start is not start:
            self._meetings = _Meetings(start)
        top = self._meetings.with_(end)
        up = (self._path_up(start, top),) if start is not top else ()
        down = (self.down(top, end),) if end is not top else ()
        return (*up, *down)

    def _path_up(self, start: FrameNode, top: FrameNode) -> PosePath:
        path = self._paths.get((start, top))
        if path is None:
            parts = self._parts_up.setdefault(start, [])
            whole, rest = divmod(start.depth - top.depth, _PART)
            while len(parts) < whole:
                node, before = parts[-1] if parts else (start, None)
                steps, node = _steps_up(node, _PART)
                parts.append((node, PosePath((step.inverse() for step in steps), before)))
            node, before = parts[whole - 1] if whole else (start, None)
            steps, _ = _steps_up(node, rest)
            path = before if before is not None and not rest else PosePath((step.inverse() for step in steps), before)
            self._paths[start, top] = path
        return path

    def down(self, top: FrameNode, end: FrameNode) -> PosePath:
        parts: list[tuple[FrameNode, list[PoseStep]]] = []
        node = end
        while node is not top and (top, node) not in self._paths:
            # Parts are counted from the top, so that all paths down from there share them.
            steps, above = _steps_up(node, (node.depth - top.depth) % _PART or _PART)
            parts.append((node, steps[::-1]))
            node = above
        path = self._paths.get((top, node))
        for node, steps in reversed(parts):
            path = self._paths[top, node] = PosePath(steps, path)
        return path if path is not None else PosePath(())


class _Meetings:
    """Where ways up from one frame and from others meet; no way is walked twice."""

    def __init__(self, start: FrameNode) -> None:
        self.start = start
        self._highest = start
        self._known = {start: start}

    def with_(self, other: FrameNode) -> FrameNode:
        """The lowest frame above both."""
        way: list[FrameNode] = []
        node = other
        while node not in self._known:
            if self._highest.depth >= node.depth:
                self._highest = self._highest.above
                self._known[self._highest] = self._highest
            else:
                way.append(node)
                node = node.above
        top = self._known[node]
        self._known.update(dict.fromkeys(way, top))
        return top


def _steps_up(node: FrameNode, count: int) -> tuple[list[PoseStep], FrameNode]:
    """The poses of `count` frames from a node upwards, and the frame above them."""
    steps = []
    for _ in range(count):
        steps.append(node.step)
        node = node.above
    return steps, node
