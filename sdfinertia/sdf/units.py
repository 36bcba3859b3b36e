"""The angles and densities that are written in a link, with their places, for those who doubt their units."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sdfinertia.description.facts import COLLISION
from sdfinertia.description.numbers import parse_number
from sdfinertia.errors import Location, SdfInertiaError
from sdfinertia.markup.document import Element
from sdfinertia.sdf.model import Link
from sdfinertia.sdf.values import read_pose


def angles_above(link: Link, limit: float) -> Iterator[tuple[float, Callable[[], Location]]]:
    """The poses in radians of the link, its inertial and its collisions with an angle above a limit: that, and where.

    Args:
        limit: (rad).
    """
    for owner in (link.element, *_bodies(link)):
        element = owner.child("pose")
        if element is None or not _may_turn_further(element, limit):
            continue
        try:
            pose = read_pose(element)
        except SdfInertiaError:
            continue
        angle = max(map(abs, pose.numbers[3:])) if pose.form == "rpy" and pose.numbers else 0.0
        if angle > limit:
            yield angle, element.location


def _may_turn_further(pose: Element, limit: float) -> bool:
    """Whether a pose has to be read to know; Python's own reading of numbers is laxer, and says no of most of them."""
    try:
        return max(map(abs, map(float, pose.text().split()[3:])), default=0.0) > limit
    except ValueError:
        return False


def given_densities(link: Link) -> Iterator[tuple[float, Callable[[], Location]]]:
    """The densities (kg/m³) of the link's inertial and its collisions, and where; blank ones are not given."""
    for owner in _bodies(link):
        element = owner.child("density")
        density = parse_number(element.text()) if element is not None else None
        if element is not None and density is not None and density >= 0.0:
            yield density, element.location


def _bodies(link: Link) -> Iterator[Element]:
    if link.inertial is not None:
        yield link.inertial
    yield from link.element.children_named(COLLISION.element)
