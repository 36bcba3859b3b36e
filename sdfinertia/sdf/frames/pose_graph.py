"""The pose graph of a model: the poses on the way from one frame to another.

Frames are nodes of one tree. Each hangs on the frame that its pose is relative to, up to `__model__`. A nested model
hangs by its `placement_frame`: the frames from there to its own are turned round. A way between two frames leaves out
what both share, and keeps the poses as written, so that a digest needs no trigonometry.
"""

from __future__ import annotations

from collections.abc import Generator

from sdfinertia.errors import FrameError, SdfInertiaError
from sdfinertia.markup.document import Element
from sdfinertia.robot.poses import Placement, PosePath, PoseStep
from sdfinertia.sdf.frames.frame_paths import FrameNode, FramePaths, chain_of_names, way_up
from sdfinertia.sdf.frames.frame_scope import FrameScope
from sdfinertia.sdf.root import MODEL_FRAME
from sdfinertia.sdf.values import read_pose


class PoseGraph:
    """The poses of the frames that can be named inside a model or a world, each read once.

    Args:
        other_name: a second name of the outermost frame, as a world has.
    """

    def __init__(self, scope: FrameScope, other_name: str = MODEL_FRAME) -> None:
        self._scope = scope
        self._other_name = other_name
        self._root = FrameNode(None, MODEL_FRAME, None)
        self._root.depth = 0
        self._root.is_placed = True
        self._scopes = {self._root: scope}
        self._nodes: dict[tuple[FrameNode, str], FrameNode] = {}
        self._paths = FramePaths(self._root)
        self._misplaced: dict[FrameNode, SdfInertiaError] = {}
        self._links: dict[FrameNode, Element | None] = {}

    def placement(self, link: str, frame: str) -> Placement:
        """The paths whose product is X_LF, the pose of a frame in the frame of a link of this model."""
        return self._paths.between(self._rooted(link), self._rooted(frame))

    def path_to(self, frame: str) -> PosePath:
        """The path whose product is X_MF, in the model frame."""
        return self._paths.down(self._root, self._rooted(frame))

    def require(self, frame: str) -> None:
        """Raises for a frame that leads nowhere."""
        self._rooted(frame)

    def require_name(self, name: str) -> None:
        """Raises for an unknown name."""
        self._node(self._root, name)

    def link_of(self, name: str) -> Element | None:
        """Through attached frames and joints; None where it means no link."""
        way: dict[FrameNode, None] = {}
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

    def _node(self, model: FrameNode, name: str) -> FrameNode:
        key = model, name
        node = self._nodes.get(key)
        if node is None:
            node = self._nodes[key] = self._found(model, name)
        return node

    def _found(self, model: FrameNode, name: str) -> FrameNode:
        while True:
            scope = self._scopes[model]
            # SDFormat up to 1.7 flattened nested models into names such as a::b and a::__model__, so the whole name
            # goes first.
            if name == MODEL_FRAME or (name == self._other_name and model is self._root):
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

    def _declared(self, model: FrameNode, name: str) -> FrameNode:
        key = model, name
        node = self._nodes.get(key)
        if node is None:
            scope = self._scopes[model]
            frame = scope.frame(name)
            if frame is None:
                raise scope.unknown(name)
            node = self._nodes[key] = FrameNode(model, name, frame)
            if frame.nested is not None:
                self._scopes[node] = frame.nested
        return node

    # The tree ---------------------------------------------------------------------------------------------------------

    def _rooted(self, name: str) -> FrameNode:
        """The node of a name, once its way up is known to end at the root."""
        start = self._node(self._root, name)
        way: dict[FrameNode, None] = {}
        node = start
        stop, fault = None, None
        while node.depth < 0 and stop is None:
            if node in way:
                # A cycle is reported from where it is entered.
                for stop in way_up(node):
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

    def _fault_of(self, start: FrameNode) -> SdfInertiaError:
        stop = start.stop
        assert stop is not None, "the way up from the frame is known to be wrong"
        if start.fault is None:
            loop = chain_of_names(way_up(stop), closing=stop)
            return FrameError(f"frames of model {self._scope.name!r} form a cycle: {loop}")
        # A copy: whoever catches an error adds to it, and the next frame raises it again.
        error = start.fault.copied()
        if stop is not start and isinstance(error, FrameError):
            error.problem += f" (needed by {chain_of_names(way_up(start, stop))})"
        return error

    def _hung(self, node: FrameNode) -> FrameNode:
        """The frame above."""
        if not node.is_read:
            self._read(node)
        return node.above

    def _read(self, node: FrameNode) -> None:
        frame, model = node.frame, node.model
        assert frame is not None, "the outermost model has no pose in itself"
        assert model is not None, "a frame is declared in a model"
        if frame.lacks_pose:
            raise FrameError("an <include> with <placement_frame> needs a <pose>", location=frame.element.location())
        pose = read_pose(frame.pose_element, frame.frame_attribute)
        above = pose.relative_to or frame.default
        if above == MODEL_FRAME:
            above = frame.model_frame
        if not above:
            raise FrameError("a joint without <child> has no frame", location=frame.element.location())
        try:
            node.above = self._node(model, above)
        except SdfInertiaError as error:
            node.above = FrameNode(model, above, None)
            node.above.stop, node.above.fault = node.above, error
        node.step = PoseStep(pose)
        node.is_read = True

    def _place_models_of(self, node: FrameNode) -> None:
        """Places the models around a frame, so that its way up is known."""
        unplaced: FrameNode | None = node if node.is_model else node.model
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

    def _placing(self, model: FrameNode) -> Generator[FrameNode, None, None]:
        """Hangs a nested model by its placement frame; yields inner models that must be placed first."""
        frame = model.frame
        if model in self._misplaced:
            raise self._misplaced[model]
        if model.is_placed or frame is None:
            return
        if not model.is_read:
            self._read(model)
        if frame.placement_frame:
            node = self._node(model, frame.placement_frame)
            way: dict[FrameNode, None] = {}
            while node is not model:
                if node in way:
                    loop = chain_of_names(way_up(node), closing=node)
                    raise FrameError(f"frames of model {self._scope.name!r} form a cycle: {loop}")
                if node.fault is not None:
                    raise node.fault.copied()
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
