"""The frames and joints of the models of a document, each made when it is first asked for, and once."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from sdfinertia.sdf.model import Model

if TYPE_CHECKING:
    from sdfinertia.description.protocols import HasResources
    from sdfinertia.sdf.joints import JointTable
    from sdfinertia.sdf.pose_graph import PoseGraph

# What reads frames, joints and includes is imported where it is asked for: most files need none of it.


class DocumentFrames:
    """The pose graphs and the joints of a document, by the models they are of."""

    def __init__(self) -> None:
        self._graphs: dict[int, PoseGraph] = {}
        self._joints: dict[int, JointTable] = {}

    def graph_of(self, model: Model, around: HasResources) -> PoseGraph:
        """The poses of the frames that can be named inside a model."""
        start = model.element.start
        if start not in self._graphs:
            from sdfinertia.sdf.frame_scope import FrameScope
            from sdfinertia.sdf.pose_graph import PoseGraph
            from sdfinertia.sdf.resources import load_include

            scope = FrameScope(model.root, model.element, model.name, partial(load_include, around.resources))
            self._graphs[start] = PoseGraph(scope)
        return self._graphs[start]

    def joints_of(self, model: Model, around: HasResources) -> JointTable:
        """The joints of a model by the links that they connect."""
        start = model.element.start
        if start not in self._joints:
            from sdfinertia.sdf.joints import JointTable

            self._joints[start] = JointTable(model, lambda: self.graph_of(model, around))
        return self._joints[start]
