"""The pose graph of a model: the poses on the way from one frame to another.

Frames are the nodes of a tree. Each hangs on the frame that its pose is given relative to, up to the model frame
`__model__`, the root. A nested model hangs on the frame that places it not by its own frame but by its
`placement_frame`; the frames on the way from there to its own are turned round, to hang the other way. The way between
two frames leaves out what both share, and is kept as the poses that were written, so that what a result depends on can
be told before any trigonometry.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from copy import copy
from itertools import chain

from sdfinertia.errors import FrameError, SdfInertiaError, printable
from sdfinertia.sdf.document import Element
from sdfinertia.sdf.frame_scope import MODEL_FRAME, Frame, FrameScope
from sdfinertia.sdf.pose_path import Placement, PosePath, PoseStep
from sdfinertia.sdf.values import Pose, read_pose, shorten

# Poses are shared by paths in parts of so many: few enough to multiply again, many enough not to be kept one by one.
_PART = 16
# Characters of a chain of frames in a message.
_LONGEST_CHAIN = 300
_NOWHERE = PoseStep(Pose())


class _Node:
    """A frame in the tree.

    Attributes:
        model: the node of the model that it is named in; None for the outermost model.
        name: its name there.
        frame: what it was declared as; None for the outermost model.
        is_read, is_placed: whether its pose was read; whether, as a model, it hangs where its placement frame says.
        above, step: what it hangs on, and its pose there; itself where that is not known.
        depth: how many frames are above it; negative where that is not known.
        stop, fault: where its way up ends too early, and why: None for a cycle.
    """

    __slots__ = ("above", "depth", "fault", "frame", "is_placed", "is_read", "model", "name", "step", "stop")

    def __init__(self, model: _Node | None, name: str, frame: Frame | None) -> None:
        self.model = model
        self.name = name
        self.frame = frame
        self.is_read = self.is_placed = False
        self.above = self
        self.step = _NOWHERE
        self.depth = -1
        self.stop: _Node | None = None
        self.fault: SdfInertiaError | None = None

    @property
    def is_model(self) -> bool:
        """Whether it has frames of its own."""
        return self.frame is None or self.frame.nested is not None

    def full_name(self) -> str:
        """Its name in the outermost model, such as `gripper::finger`."""
        names = [self.name]
        model = self.model
        while model is not None and model.model is not None:
            names.append(model.name)
            model = model.model
        return "::".join(reversed(names))


class PoseGraph:
    """The poses of the frames that can be named inside a model, each read once."""

    def __init__(self, scope: FrameScope) -> None:
        self._scope = scope
        self._root = _Node(None, MODEL_FRAME, None)
        self._root.depth = 0
        self._root.is_placed = True
        self._scopes = {self._root: scope}
        self._nodes: dict[tuple[_Node, str], _Node] = {}
        self._paths: dict[tuple[_Node, _Node], PosePath] = {}
        self._parts_up: dict[_Node, list[tuple[_Node, PosePath]]] = {}
        self._meetings = _Meetings(self._root)
        self._links: dict[_Node, Element | None] = {}

    def placement(self, link: str, frame: str) -> Placement:
        """The paths whose product is X_LF, the pose of a frame in the frame of a link of this model.

        Raises:
            FrameError: a frame on the way does not exist, or they stand in a cycle.
            ResourceError: a file that is included on the way cannot be found.
        """
        start, end = self._rooted(link), self._rooted(frame)
        if self._meetings.start is not start:
            self._meetings = _Meetings(start)
        top = self._meetings.with_(end)
        up = (self._path_up(start, top),) if start is not top else ()
        down = (self._path_down(top, end),) if end is not top else ()
        return (*up, *down)

    def path_to(self, frame: str) -> PosePath:
        """The path whose product is X_MF, the pose of a frame in the model frame.

        Raises:
            FrameError, ResourceError: as for `placement`.
        """
        return self._path_down(self._root, self._rooted(frame))

    def require(self, frame: str) -> None:
        """Refuses a frame that leads nowhere.

        Raises:
            FrameError, ResourceError: as for `placement`.
        """
        self._rooted(frame)

    def link_of(self, name: str) -> Element | None:
        """The `<link>` that a name stands for, by way of the frames and joints that are attached to it; else None."""
        way: dict[_Node, None] = {}
        found: Element | None = None
        try:
            node = self._node(self._root, name)
            while node not in way and node not in self._links and node.frame is not None:
                way[node] = None
                frame = node.frame
                if frame.element.name == "link":
                    found = frame.element
                    break
                if frame.element.name not in ("frame", "joint") or not frame.default or node.model is None:
                    break
                node = self._node(node.model, frame.default)
            found = self._links.get(node, found)
        except SdfInertiaError:
            pass
        self._links.update(dict.fromkeys(way, found))
        return found

    # Names ------------------------------------------------------------------------------------------------------------

    def _node(self, model: _Node, name: str) -> _Node:
        """The node of a name in a model.

        Raises:
            SdfInertiaError: it does not exist.
        """
        key = model, name
        node = self._nodes.get(key)
        if node is None:
            node = self._nodes[key] = self._found(model, name)
        return node

    def _found(self, model: _Node, name: str) -> _Node:
        while True:
            scope = self._scopes[model]
            # SDFormat up to 1.7 flattened nested models into names such as a::b and a::__model__, so the whole name
            # goes first.
            if name == MODEL_FRAME:
                return model
            head, colons, rest = name.partition("::")
            if not colons or scope.declares(name):
                return self._declared(model, name)
            frame = scope.frame(head)
            # What was opened to find the head may have brought the whole name.
            if scope.declares(name):
                return self._declared(model, name)
            if frame is None or frame.nested is None or not rest:
                raise scope.unknown(name)
            model, name = self._declared(model, head), rest

    def _declared(self, model: _Node, name: str) -> _Node:
        """The node of a name that leads into no other scope."""
        key = model, name
        node = self._nodes.get(key)
        if node is None:
            scope = self._scopes[model]
            frame = scope.frame(name)
            if frame is None:
                raise scope.unknown(name)
            node = self._nodes[key] = _Node(model, name, frame)
            if frame.nested is not None:
                self._scopes[node] = frame.nested
        return node

    # The tree ---------------------------------------------------------------------------------------------------------

    def _rooted(self, name: str) -> _Node:
        """The node of a name, whose way up is known to end at the root."""
        start = self._node(self._root, name)
        way: dict[_Node, None] = {}
        node = start
        stop, fault = None, None
        while node.depth < 0 and stop is None:
            if node in way:
                # A cycle is told from where it is entered.
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

    def _fault_of(self, start: _Node) -> SdfInertiaError:
        """What is wrong on the way up from a frame, worded for that frame."""
        stop = start.stop
        assert stop is not None, "the way up from the frame is known to be wrong"
        if start.fault is None:
            loop = _chain(_way_up(stop), closing=stop)
            return FrameError(f"frames of model {self._scope.name!r} stand in a cycle: {loop}")
        # A copy: whoever catches an error adds to it, and the next frame raises it again.
        error = copy(start.fault)
        if stop is not start and isinstance(error, FrameError):
            error.problem += f" (needed by {_chain(_way_up(start, stop))})"
        return error

    def _hung(self, node: _Node) -> _Node:
        """What a node hangs on."""
        if not node.is_read:
            self._read(node)
        return node.above

    def _read(self, node: _Node) -> None:
        """Reads the pose of a frame, and what it is relative to."""
        frame, model = node.frame, node.model
        assert frame is not None, "the outermost model has no pose in itself"
        assert model is not None, "a frame is declared in a model"
        if frame.lacks_pose:
            raise FrameError("an <include> with <placement_frame> needs a <pose>", location=frame.element.location())
        pose = read_pose(frame.pose_element, frame.root.frame_attribute)
        above = pose.relative_to or frame.default
        if above == MODEL_FRAME:
            above = frame.model_frame
        if not above:
            raise FrameError("a joint without <child> has no frame", location=frame.element.location())
        try:
            node.above = self._node(model, above)
        except SdfInertiaError as error:
            node.above = _Node(model, above, None)
            node.above.stop, node.above.fault = node.above, error
        node.step = PoseStep(pose)
        node.is_read = True

    def _place_models_of(self, node: _Node) -> None:
        """Places the models that a frame is in, so that the way up from it is known."""
        unplaced = []
        model: _Node | None = node if node.is_model else node.model
        while model is not None and not model.is_placed:
            unplaced.append(model)
            model = model.model
        # Not by recursion: models may be nested as deep as elements, and each placed by a frame of the innermost.
        pending = [self._placing(model) for model in reversed(unplaced)]
        while pending:
            inner = next(pending[-1], None)
            if inner is None:
                pending.pop()
            else:
                pending.append(self._placing(inner))

    def _placing(self, model: _Node) -> Generator[_Node, None, None]:
        """Hangs a nested model by its placement frame; yields the models inside it that must be placed before."""
        frame = model.frame
        if model.is_placed or frame is None:
            return
        if not model.is_read:
            self._read(model)
        if frame.placement_frame:
            node = self._node(model, frame.placement_frame)
            way: dict[_Node, None] = {}
            while node is not model:
                if node in way:
                    loop = _chain(_way_up(node), closing=node)
                    raise FrameError(f"frames of model {self._scope.name!r} stand in a cycle: {loop}")
                if node.fault is not None:
                    raise copy(node.fault)
                way[node] = None
                inner = node if node.is_model else node.model
                while inner is not None and inner is not model:
                    if not inner.is_placed:
                        yield inner
                    inner = inner.model
                node = self._hung(node)
            # X_RM = X_RP X_MP⁻¹: the pose is that of the placement frame P, and the model frame M hangs below it.
            above, step = model.above, model.step
            for node in (*way, model):
                turned = node.step.inverse()
                node.above, node.step = above, step
                above, step = node, turned
        model.is_placed = True

    # Paths ------------------------------------------------------------------------------------------------------------

    def _path_up(self, start: _Node, top: _Node) -> PosePath:
        """The path from a frame to one above it."""
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

    def _path_down(self, top: _Node, end: _Node) -> PosePath:
        """The path from a frame to one below it."""
        parts: list[tuple[_Node, list[PoseStep]]] = []
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
    """Where the ways up from one frame and from others meet; what was walked once is not walked again."""

    def __init__(self, start: _Node) -> None:
        self.start = start
        self._highest = start
        self._known = {start: start}

    def with_(self, other: _Node) -> _Node:
        """The lowest frame that is on the ways up from both."""
        way: list[_Node] = []
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


def _steps_up(node: _Node, count: int) -> tuple[list[PoseStep], _Node]:
    """The poses of a frame and those above it, so many in all, and the frame above the last."""
    steps = []
    for _ in range(count):
        steps.append(node.step)
        node = node.above
    return steps, node


def _way_up(start: _Node, stop: _Node | None = None) -> Iterator[_Node]:
    """The frames from one up to before another, or round a cycle once."""
    node = start
    while True:
        yield node
        node = node.above
        if node is (stop or start):
            return


def _chain(nodes: Iterable[_Node], closing: _Node | None = None) -> str:
    """The names of frames with arrows between them, as much as goes into a message."""
    text = ""
    for node in nodes if closing is None else chain(nodes, (closing,)):
        text += f"{' -> ' if text else ''}{node.full_name()}"
        if len(text) > _LONGEST_CHAIN:
            break
    return printable(shorten(text, _LONGEST_CHAIN))
