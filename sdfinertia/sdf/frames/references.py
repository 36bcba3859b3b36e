"""Names in a model that stand for nothing there, or for the very element that gives them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sdfinertia.description.facts import Defect
from sdfinertia.description.numbers import shorten
from sdfinertia.errors import FrameError, SdfInertiaError
from sdfinertia.markup.document import Element
from sdfinertia.sdf.frames.frame_scope import MODEL_FRAME
from sdfinertia.sdf.frames.pose_graph import PoseGraph
from sdfinertia.sdf.model import Model

_WORLD = "world"
# The elements of a model whose poses may be relative to a frame of it; of frames `lost_frames` tells.
_PLACED = ("link", "joint", "model", "include")


def lost_references(model: Model, graph: Callable[[], PoseGraph]) -> Iterator[Defect]:
    """The ends of joints, and the frames of poses, that a model does not have, and poses relative to themselves.

    What an included file would tell is left out where that is not found.
    """
    for name, user, element in _references(model):
        own = user.attribute("name") if user.name != "include" else _text(user.child("name"))
        what = f"{user.name} {shorten(own or '')!r}"
        is_end = element.name in ("parent", "child")
        if name == own:
            if not is_end:
                attribute = model.root.frame_attribute
                yield Defect(f"the pose of {what} is relative to itself", f"take {attribute} out", element.location())
            else:
                problem = f"{what} names itself as its <{element.name}>"
                yield Defect(problem, "name a link or a frame", element.location())
            continue
        missing = _missing(graph(), name)
        if missing is not None:
            role = f"<{element.name}>" if is_end else model.root.frame_attribute
            yield Defect(f"{role} of {what} names nothing: {missing.problem}", missing.remedy, element.location())


def _references(model: Model) -> Iterator[tuple[str, Element, Element]]:
    """The names that are used in a model, with the element that uses each, and the one in it that holds it."""
    for user in model.element.children:
        if user.name == "joint":
            for end in ("parent", "child"):
                element = user.child(end)
                name = _text(element)
                if element is not None and name and name not in (_WORLD, MODEL_FRAME):
                    yield name, user, element
        pose = user.child("pose") if user.name in _PLACED else None
        frame = pose.attribute(model.root.frame_attribute) if pose is not None and pose.raw_attributes else None
        if pose is not None and frame and frame != MODEL_FRAME:
            yield frame, user, pose


def _missing(graph: PoseGraph, name: str) -> FrameError | None:
    """Why a name stands for nothing; None where it stands for something, or nobody can tell."""
    try:
        graph.require_name(name)
    except FrameError as error:
        return error
    except SdfInertiaError:
        return None
    return None


def _text(element: Element | None) -> str:
    return element.text() if element is not None else ""
