"""The pose graph of a model: the poses on the way from one frame to another.

A frame's pose is given relative to another frame; following these from two frames up to the model frame `__model__`
and leaving out what both share gives the way between them. It is kept as the poses that were written, so that what a
result depends on can be told before any trigonometry.
"""

from __future__ import annotations

from typing import NamedTuple

from sdfinertia.description.numbers import shorten
from sdfinertia.description.pose_path import Placement, PosePath, PoseStep
from sdfinertia.errors import FrameError
from sdfinertia.sdf.frame_scope import MODEL_FRAME, Frame, FrameScope
from sdfinertia.sdf.values import read_pose


class _Edge(NamedTuple):
    """The pose of a frame in the frame above, and the name of that."""

    steps: tuple[PoseStep, ...]
    above: str


class PoseGraph:
    """The poses of the frames that can be named inside a model, each read once."""

    def __init__(self, scope: FrameScope) -> None:
        self._scope = scope
        self._edges: dict[str, _Edge] = {}
        self._ways: dict[str, tuple[str, ...]] = {}
        self._paths: dict[tuple[str, ...], PosePath] = {}

    def placement(self, link: str, frame: str) -> Placement:
        """The paths whose product is X_LF, the pose of a frame in the frame of a link of this model.

        Raises:
            FrameError: a frame on the way does not exist, or they stand in a cycle.
            ResourceError: a file that is included on the way cannot be found.
        """
        try:
            to_link, to_frame = self._way(link), self._way(frame)
            shared = 0
            while shared < min(len(to_link), len(to_frame)) and to_link[shared] == to_frame[shared]:
                shared += 1
            up, down = to_link[shared:], to_frame[shared:]
            return (*((self._path(up).inverse(),) if up else ()), *((self._path(down),) if down else ()))
        except RecursionError:
            raise FrameError("models with a placement_frame are nested too deep") from None

    def path_to(self, frame: str) -> PosePath:
        """The path whose product is X_MF, the pose of a frame in the model frame.

        Raises:
            FrameError, ResourceError: as for `placement`.
        """
        return self._path(self._way(frame))

    def _way(self, name: str) -> tuple[str, ...]:
        """The names of the frames from below the model frame down to a frame."""
        if name not in self._ways:
            upward: dict[str, None] = {}
            above = self._canonical(name)
            while above != MODEL_FRAME:
                if above in upward:
                    names = list(upward)
                    loop = " -> ".join([*names[names.index(above) :], above])
                    raise FrameError(f"frames of model {self._scope.name!r} stand in a cycle: {shorten(loop, 300)}")
                try:
                    edge = self._edge(above)
                except FrameError as error:
                    if upward:
                        error.problem += f" (needed by {shorten(' -> '.join(upward), 300)})"
                    raise
                upward[above] = None
                above = edge.above
            self._ways[name] = tuple(reversed(upward))
        return self._ways[name]

    def _path(self, names: tuple[str, ...]) -> PosePath:
        """The poses from the frame above the first of some frames, each above the next, down to the last."""
        if names not in self._paths:
            self._paths[names] = PosePath(step for name in names for step in self._edge(name).steps)
        return self._paths[names]

    def _edge(self, name: str) -> _Edge:
        if name not in self._edges:
            scope, local, prefix = self._scope.locate(name)
            steps, above = _pose_of(scope.frame(local))
            self._edges[name] = _Edge(steps, self._canonical(prefix + above))
        return self._edges[name]

    def _canonical(self, name: str) -> str:
        """The one name of a frame that has several: a nested model's own frame is known by the model's name."""
        while name.endswith(f"::{MODEL_FRAME}"):
            name = name.removesuffix(f"::{MODEL_FRAME}")
        return name


def _pose_of(frame: Frame) -> tuple[tuple[PoseStep, ...], str]:
    """The pose of a frame in the frame above, and the name of that in the frame's own scope."""
    if frame.lacks_pose:
        raise FrameError("an <include> with <placement_frame> needs a <pose>", location=frame.element.location())
    pose = read_pose(frame.pose_element, frame.root.frame_attribute)
    above = pose.relative_to or frame.default
    if above == MODEL_FRAME:
        above = frame.model_frame
    if not above:
        raise FrameError("a joint without <child> has no frame", location=frame.element.location())
    steps: tuple[PoseStep, ...] = (PoseStep(pose),)
    if frame.placement_frame and frame.nested is not None:
        # X_RM = X_RP X_MP⁻¹: the pose is that of a frame P inside the model M.
        steps += PoseGraph(frame.nested).path_to(frame.placement_frame).inverse().steps
    return steps, above
