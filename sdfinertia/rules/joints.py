"""The links that joints connect, and frames that lead nowhere: what is asked of names in a model."""

from __future__ import annotations

from collections.abc import Iterator

from sdfinertia.errors import FrameError, SdfInertiaError, ValueTextError
from sdfinertia.links.surroundings import Surroundings
from sdfinertia.sdf.document import Element
from sdfinertia.sdf.model import Link, Model


class JointTable:
    """The joints of the models of a document, by the links that they connect; each model is read once.

    Args:
        surroundings: where included files are found.
    """

    def __init__(self, surroundings: Surroundings) -> None:
        self._surroundings = surroundings
        self._by_model: dict[int, dict[int, list[tuple[Element, Element]]]] = {}

    def of_child(self, link: Link) -> Iterator[tuple[Element, Element]]:
        """The joints whose child a link is, each with the `<link>` that is its parent.

        Those of the models around its own are among them. Where an end is not found, a joint is left out.
        """
        model: Model | None = link.model
        while model is not None:
            start = model.element.start
            if start not in self._by_model:
                self._by_model[start] = self._read(model)
            yield from self._by_model[start].get(id(link.element), ())
            model = model.parent

    def _read(self, model: Model) -> dict[int, list[tuple[Element, Element]]]:
        """Joint and parent of each joint of a model, by the identity of its child."""
        found: dict[int, list[tuple[Element, Element]]] = {}
        joints = model.element.children_named("joint")
        if not joints:
            return found
        graph = self._surroundings.pose_graph_of(model)
        for joint in joints:
            child, parent = graph.link_of(_text(joint, "child")), graph.link_of(_text(joint, "parent"))
            if child is not None and parent is not None:
                found.setdefault(id(child), []).append((joint, parent))
        return found


def lost_frames(model: Model, surroundings: Surroundings) -> Iterator[tuple[Element, SdfInertiaError]]:
    """The `<frame>` elements of a model that lead nowhere, and why.

    What an included file would tell is left out where that is not found: it matters only to links that need it.
    """
    frames = [frame for frame in model.element.children_named("frame") if frame.attribute("name")]
    for frame in frames:
        graph = surroundings.pose_graph_of(model)
        try:
            for name in (frame.attribute("name"), frame.attribute("attached_to")):
                if name:
                    graph.require(name)
        except (FrameError, ValueTextError) as error:
            yield frame, error
        except SdfInertiaError:
            continue


def _text(element: Element, name: str) -> str:
    child = element.child(name)
    return child.text() if child is not None else ""
