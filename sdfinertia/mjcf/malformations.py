"""What MuJoCo refuses in an `<inertial>`, and names of elements that are near misses of MJCF's."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from sdfinertia.markup.document import Element
from sdfinertia.mjcf.values import Inertial
from sdfinertia.robot.link import Link
from sdfinertia.robot.malformations import asks_well, similar_name, unreadable_values
from sdfinertia.robot.numbers import shorten
from sdfinertia.robot.values import Problem
from sdfinertia.urdf.values import read_request, stray_comments

_IN_BODY = ("inertial", "geom", "body", "joint", "freejoint", "site", "camera", "light", "frame", "replicate", "attach")
_NEAR = 0.8
_ATTRIBUTES = ("pos", "mass", "diaginertia", "fullinertia", "quat", "axisangle", "xyaxes", "zaxis", "euler")


def malformations(link: Link, inertials: Sequence[Element], record: Inertial | None) -> Iterator[Problem]:
    if len(inertials) > 1:
        problem = f"{len(inertials)} <inertial> elements, which MuJoCo refuses: the first counts"
        yield Problem(problem, "keep one", inertials[1].location())
    for comment in stray_comments(link.element):
        problem = f"a comment asks for nothing: {shorten(comment.text.strip())!r}"
        yield Problem(problem, "write `sdfinertia: auto`, or remove it", link.location_of(comment))
    yield from unreadable_values(_readings(link), "write what MJCF has there")
    if record is not None and not asks_well(link):
        for error in record.errors:
            yield Problem(error.problem, error.remedy or "write what MJCF has there", error.location)


def _readings(link: Link) -> Iterator[Callable[[], object]]:
    yield partial(read_request, link.element)


def near_misses(link: Link) -> Iterator[Problem]:
    """Elements and attributes whose names are near misses; MuJoCo refuses a file with any unknown one."""
    for child in link.element.children:
        if child.name not in _IN_BODY and (meant := similar_name(child.name, _IN_BODY, _NEAR)):
            problem = f"MJCF has no <{shorten(child.name)}> in <body>"
            yield Problem(problem, f"did you mean <{meant}>?", child.location())
    if link.inertial is not None:
        yield from _attributes(link.inertial)


def _attributes(inertial: Element) -> Iterator[Problem]:
    for name in inertial.attributes():
        if name not in _ATTRIBUTES and (meant := similar_name(name, _ATTRIBUTES, _NEAR)):
            yield Problem(f"MJCF has no {shorten(name)} in <inertial>", f"did you mean {meant}?", inertial.location())
