"""A frame as a node of the pose graph of a model, and chains of them as messages tell them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from sdfinertia.description.numbers import shorten
from sdfinertia.description.pose_path import Pose, PoseStep
from sdfinertia.errors import SdfInertiaError, printable
from sdfinertia.sdf.frames.frame_scope import Frame

# Characters of a chain of frames in a message.
_LONGEST_CHAIN = 300
_NOWHERE = PoseStep(Pose())


class FrameNode:
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


def way_up(start: FrameNode, stop: FrameNode | None = None) -> Iterator[FrameNode]:
    """The frames from one up to before another, or round a cycle once."""
    node = start
    while True:
        yield node
        node = node.above
        if node is (stop or start):
            return


def chain_of_names(nodes: Iterable[FrameNode], closing: FrameNode | None = None) -> str:
    """The names of frames with arrows between them, as much as goes into a message."""
    text = ""
    for node in nodes if closing is None else chain(nodes, (closing,)):
        text += f"{' -> ' if text else ''}{node.full_name()}"
        if len(text) > _LONGEST_CHAIN:
            break
    return printable(shorten(text, _LONGEST_CHAIN))
