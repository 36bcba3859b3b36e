"""Malformed elements of a link in SDFormat, and names in a model that lead nowhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sdfinertia.errors import FrameError, ValueTextError
from sdfinertia.robot.inertial import MASS, POSE, TENSOR, TENSOR_NAMES
from sdfinertia.robot.link import attempt
from sdfinertia.robot.malformations import (
    given_twice,
    misspelt_elements,
    searched_elements,
    several_inertials,
    similar_name,
    unreadable,
)
from sdfinertia.robot.numbers import is_word, shorten
from sdfinertia.robot.problems import Phrases, Problem
from sdfinertia.sdf.root import MODEL_FRAME, WORLD
from sdfinertia.sdf.values import read_number
from sdfinertia.shapes import PRIMITIVES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sdfinertia.markup.document import Element
    from sdfinertia.robot.link import Inertial, Link
    from sdfinertia.sdf.pose_graph import PoseGraph

_INERTIAL_CHILDREN = ("pose", "mass", "inertia", "density", "auto_inertia_params", "fluid_added_mass", "frame")
_COLLISION_CHILDREN = ("pose", "geometry", "density", "auto_inertia_params")


PHRASES = Phrases(
    density="a <density> to the collision or the link",
    no_request="set auto to false",
    inertial_pose="pose",
    scale="<scale>{0} {0} {0}</scale>",
    parameter="<sdfinertia:{0}>",
    parameter_value="<sdfinertia:{0}> {1}",
    thickness="<sdfinertia:thickness> in <auto_inertia_params>",
    without_inertial="simulators assume 1 kg and a unit tensor",
    without_tensor="simulators assume a unit tensor",
    mass="<mass>",
)


def malformations(link: Link) -> Iterator[Problem]:
    for collision in link.element.children_named("collision"):
        name = collision.attribute("name") or ""
        for second in given_twice(collision, _COLLISION_CHILDREN):
            problem = f"collision {name!r} gives <{second.name}> twice: the first counts"
            yield Problem(problem, "keep one", second.location())
    if link.inertial is None:
        return
    yield from several_inertials(link)
    yield from _structure(link, link.inertial)
    yield from unreadable(_values(link, link.inertial), "write what SDFormat has there")


def _values(link: Link, inertial: Inertial) -> Iterator[object]:
    yield link.request.asks
    if link.request.asks is True:
        return
    yield link.request.density
    if inertial.numbers is not None:
        return
    yield inertial.pose
    mass, tensor = inertial.places.get(MASS), inertial.places.get(TENSOR)
    entries = map(tensor.child, TENSOR_NAMES) if tensor is not None else ()
    # A mass that is no finite number is SDI101's.
    if mass is not None and not is_word(mass.text()):
        yield attempt(read_number, mass)
    yield from (attempt(read_number, entry) for entry in entries if entry is not None)


def _structure(link: Link, inertial: Inertial) -> Iterator[Problem]:
    tensor, pose = inertial.places.get(TENSOR), inertial.places.get(POSE)
    yield from unknown_moments(link)
    for parent, known in ((inertial.element, _INERTIAL_CHILDREN), (tensor, TENSOR_NAMES)):
        for second in given_twice(parent, known) if parent is not None else ():
            yield Problem(f"<{second.name}> twice: the first counts", "keep one", second.location())
    if pose is not None and pose.attribute("relative_to"):
        problem = "relative_to on the pose of its <inertial>, which is always in the link's frame"
        yield Problem(problem, "remove it", pose.location())


# Elements by version --------------------------------------------------------------------------------------------------

_OLDEST, _NEWEST = 2, 12
_ALWAYS = (_OLDEST, _NEWEST)

# The children of each element with the first and the last minor version of SDFormat 1.x that has them, from the
# descriptions of the format, 1.2 to 1.12 (https://github.com/gazebosim/sdformat/tree/main/sdf).
_KNOWN: dict[str, dict[str, tuple[int, int]]] = {
    "link": {
        **dict.fromkeys(("pose", "inertial", "collision", "visual", "sensor", "projector"), _ALWAYS),
        **dict.fromkeys(("gravity", "kinematic", "self_collide", "velocity_decay"), _ALWAYS),
        **dict.fromkeys(("must_be_base_link", "audio_sink", "audio_source"), (4, _NEWEST)),
        "battery": (5, _NEWEST),
        "frame": (5, 6),
        **dict.fromkeys(("enable_wind", "light", "particle_emitter"), (6, _NEWEST)),
    },
    "inertial": {
        **dict.fromkeys(("pose", "mass", "inertia"), _ALWAYS),
        "frame": (5, 6),
        "fluid_added_mass": (10, _NEWEST),
        **dict.fromkeys(("density", "auto_inertia_params"), (11, _NEWEST)),
    },
    "collision": {
        **dict.fromkeys(("pose", "geometry", "surface", "max_contacts", "laser_retro"), _ALWAYS),
        "frame": (5, 6),
        **dict.fromkeys(("density", "auto_inertia_params"), (11, _NEWEST)),
    },
    "geometry": {
        **dict.fromkeys(("box", "sphere", "cylinder", "mesh", "plane", "heightmap", "image"), _ALWAYS),
        "empty": (3, _NEWEST),
        "polyline": (5, _NEWEST),
        **dict.fromkeys(("capsule", "ellipsoid"), (8, _NEWEST)),
        "cone": (11, _NEWEST),
    },
}
# The children of shapes that shape the numbers.
_IN_SHAPES: dict[str, tuple[str, ...]] = {
    **{name: tuple(child for child, _ in kind.dimensions) for name, kind in PRIMITIVES.items()},
    "polyline": ("point", "height"),
    "mesh": ("uri", "scale", "submesh", "convex_decomposition"),
}
# Of a misspelling; `difflib` gives 0.75 for maas and mass, 0.62 for contact and collision.
_NEAR = 0.7
# Elements for other programs, allowed anywhere.
_FOR_OTHERS = ("plugin", "gazebo")


def unknown_elements(link: Link) -> Iterator[Problem]:
    model: Any = link.model
    minor = model.root.version[1]
    for parent in searched_elements(link.element):
        known = _KNOWN[parent.name]
        for child in parent.children:
            first, last = known.get(child.name, (1, 0))
            if not (first <= minor <= last or ":" in child.name or child.name in _FOR_OTHERS):
                yield _unknown(parent, child, minor)
        for shape in parent.children if parent.name == "geometry" else ():
            yield from misspelt_elements(shape, _IN_SHAPES.get(shape.name, ()), _NEAR, "SDFormat")


def _unknown(parent: Element, child: Element, minor: int) -> Problem:
    where = f"<{shorten(child.name)}> in <{parent.name}>"
    versions = _KNOWN[parent.name].get(child.name)
    if versions is None:
        meant = similar_name(child.name, _KNOWN[parent.name], _NEAR)
        remedy = (
            f"did you mean <{meant}>?" if meant else f"remove it, or give it a namespace, e.g. <myapp:{child.name}>"
        )
        return Problem(f"SDFormat has no {where}", remedy, child.location(), meant=meant)
    first, last = versions
    if minor < first:
        return Problem(
            f"SDFormat 1.{minor} has no {where}: it came with 1.{first}",
            f"give <sdf> the version 1.{first} or a later one",
            child.location(),
        )
    return Problem(f"SDFormat 1.{minor} has no {where}: 1.{last} was the last", "remove it", child.location())


def unknown_moments(link: Link) -> Iterator[Problem]:
    tensor = link.inertial.places.get(TENSOR) if link.inertial is not None else None
    for child in tensor.children if tensor is not None else ():
        if child.name not in TENSOR_NAMES and ":" not in child.name:
            problem = f"unknown <{shorten(child.name)}> in its <inertia>"
            meant = similar_name(child.name, TENSOR_NAMES)
            yield Problem(problem, f"did you mean <{meant}>?" if meant else "remove it", child.location())


# Names that lead nowhere ----------------------------------------------------------------------------------------------

# The elements of a model whose poses may be relative to a frame of it; `unresolved_frames` reports frames.
_PLACED = ("link", "joint", "model", "include")


def unresolved_frames(model: Element, graph: Callable[[], PoseGraph]) -> Iterator[Problem]:
    """The `<frame>` elements that lead nowhere; an included file that is missing is not one of the reasons."""
    frames = [frame for frame in model.children_named("frame") if frame.attribute("name")]
    for frame in frames:
        names = filter(None, (frame.attribute("name"), frame.attribute("attached_to")))
        error = next((each for name in names if (each := attempt(_required, graph, name)) is not None), None)
        if isinstance(error, FrameError | ValueTextError):
            problem = f"frame {frame.attribute('name')!r} cannot be resolved: {error.problem}"
            yield Problem(problem, error.remedy, frame.location())


def _required(graph: Callable[[], PoseGraph], name: str) -> None:
    graph().require(name)


def unresolved_references(model: Element, frame_attribute: str, graph: Callable[[], PoseGraph]) -> Iterator[Problem]:
    """Ends of joints and frames of poses that the model does not have; missing included files are no reason."""
    for name, user, element in _references(model, frame_attribute):
        own = user.attribute("name") if user.name != "include" else user.child_text("name")
        what = f"{user.name} {shorten(own or '')!r}"
        is_end = element.name in ("parent", "child")
        if name == own:
            if not is_end:
                message = f"the pose of {what} is relative to itself"
                yield Problem(message, f"take {frame_attribute} out", element.location())
            else:
                yield _names_itself(model, what, name, element)
            continue
        missing = _missing(graph(), name)
        if missing is not None:
            role = f"<{element.name}>" if is_end else frame_attribute
            yield Problem(f"{role} of {what} does not exist: {missing.problem}", missing.remedy, element.location())


def _names_itself(model: Element, what: str, name: str, element: Element) -> Problem:
    if any(link.attribute("name") == name for link in model.children_named("link")):
        return Problem(f"joint and link are both named {shorten(name)!r}", "rename the joint", element.location())
    return Problem(f"{what} names itself as its <{element.name}>", "name a link or a frame", element.location())


def _references(model: Element, frame_attribute: str) -> Iterator[tuple[str, Element, Element]]:
    for user in model.children:
        if user.name == "joint":
            for end in ("parent", "child"):
                element = user.child(end)
                name = element.text() if element is not None else ""
                if element is not None and name and name not in (WORLD, MODEL_FRAME):
                    yield name, user, element
        pose = user.child("pose") if user.name in _PLACED else None
        frame = pose.attribute(frame_attribute) if pose is not None and pose.raw_attributes else None
        if pose is not None and frame and frame != MODEL_FRAME:
            yield frame, user, pose


def _missing(graph: PoseGraph, name: str) -> FrameError | None:
    error = attempt(graph.require_name, name)
    return error if isinstance(error, FrameError) else None
