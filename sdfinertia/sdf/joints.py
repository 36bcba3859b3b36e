"""The links that joints connect, and frames that lead nowhere: what is asked of names in a model."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from sdfinertia.description.facts import Defect, ParentJoint
from sdfinertia.errors import FrameError, SdfInertiaError, ValueTextError
from sdfinertia.sdf.document import Element
from sdfinertia.sdf.model import Link, Model
from sdfinertia.sdf.pose_graph import PoseGraph
from sdfinertia.sdf.values import read_number


class JointTable:
    """The joints of a model by the links that they connect.

    Args:
        model: the model, whose joints may reach into models nested in it or included.
        graph: of its frames; asked for only if there is a joint.
    """

    def __init__(self, model: Model, graph: Callable[[], PoseGraph]) -> None:
        self._by_child: dict[int, list[ParentJoint]] = {}
        joints = model.element.children_named("joint")
        if not joints:
            return
        frames = graph()
        for joint in joints:
            child, parent = frames.link_of(_text(joint, "child")), frames.link_of(_text(joint, "parent"))
            if child is not None and parent is not None:
                found = ParentJoint(joint.attribute("name") or "", _mass_of(parent))
                self._by_child.setdefault(id(child), []).append(found)

    def of_child(self, link: Link) -> Sequence[ParentJoint]:
        """The joints whose child a link is. Where an end is not found, a joint is left out."""
        return self._by_child.get(id(link.element), ())


def lost_frames(model: Model, graph: Callable[[], PoseGraph]) -> Iterator[Defect]:
    """The `<frame>` elements of a model that lead nowhere, and why.

    What an included file would tell is left out where that is not found: it matters only to links that need it.
    """
    frames = [frame for frame in model.element.children_named("frame") if frame.attribute("name")]
    for frame in frames:
        try:
            for name in (frame.attribute("name"), frame.attribute("attached_to")):
                if name:
                    graph().require(name)
        except (FrameError, ValueTextError) as error:
            problem = f"frame {frame.attribute('name')!r} leads nowhere: {error.problem}"
            yield Defect(problem, error.remedy, frame.location())
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


def _text(element: Element, name: str) -> str:
    child = element.child(name)
    return child.text() if child is not None else ""
