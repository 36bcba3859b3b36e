"""Malformed `<inertial>`s, which MuJoCo refuses, and near misses of the names of MJCF's elements."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from sdfinertia.mjcf.values import read_mass, read_tensor
from sdfinertia.robot.malformations import asks_well, misspelt_attributes, misspelt_elements, unreadable_values
from sdfinertia.robot.problems import Problem
from sdfinertia.urdf.requests import AskingLink, read_request, stray_comments

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from sdfinertia.markup.document import Element
    from sdfinertia.robot.link import Link

_IN_BODY = ("inertial", "geom", "body", "joint", "freejoint", "site", "camera", "light", "frame", "replicate", "attach")
_NEAR = 0.8
_PLACING = ("pos", "quat", "axisangle", "xyaxes", "zaxis", "euler")
_OF_INERTIAL = ("mass", "diaginertia", "fullinertia", *_PLACING)
# The XML reference of MuJoCo 4.0, `body/geom`.
_OF_GEOM = (
    *("name", "class", "type", "contype", "conaffinity", "condim", "group", "priority", "size", "material", "rgba"),
    *("friction", "mass", "density", "shellinertia", "solmix", "solref", "solimp", "margin", "gap", "surfacevel"),
    *("fromto", *_PLACING, "hfield", "mesh", "fitscale", "fluidshape", "fluidcoef", "user"),
)


def malformations(link: AskingLink, children: Sequence[Element]) -> Iterator[Problem]:
    inertials = [child for child in children if child.name == "inertial"]
    if len(inertials) > 1:
        problem = f"{len(inertials)} <inertial> elements, which MuJoCo refuses: the first counts"
        yield Problem(problem, "keep one", inertials[1].location())
    yield from stray_comments(link)
    readings: list[Callable[[], object]] = [partial(read_request, link)]
    if link.inertial is not None and not asks_well(link):
        readings += (partial(link.read_pose, link.inertial), partial(read_mass, link.inertial))
        readings += (partial(read_tensor, link.inertial),) if link.has_tensor else ()
    yield from unreadable_values(readings, "write what MJCF has there")


def near_misses(link: Link, geoms: Iterable[Element]) -> Iterator[Problem]:
    """Elements and attributes whose names are near misses; MuJoCo refuses a file with any unknown one."""
    yield from misspelt_elements(link.element, _IN_BODY, _NEAR, "MJCF")
    if link.inertial is not None:
        yield from misspelt_attributes(link.inertial, _OF_INERTIAL, _NEAR, "MJCF")
    for geom in geoms:
        yield from misspelt_attributes(geom, _OF_GEOM, _NEAR, "MJCF")
