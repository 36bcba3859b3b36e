"""The angles and densities that are written in a link, with their places, for those who doubt their units."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sdfinertia.description.facts import COLLISION
from sdfinertia.description.numbers import parse_numbers
from sdfinertia.errors import Location, SdfInertiaError
from sdfinertia.markup.document import Element
from sdfinertia.sdf.model import Link
from sdfinertia.sdf.values import read_pose


def written_angles(link: Link) -> Iterator[tuple[float, Callable[[], Location]]]:
    """The largest angle of each pose in radians (rad), and where: of the link, its inertial and its collisions."""
    for owner in (link.element, *_bodies(link)):
        element = owner.child("pose")
        if element is None:
            continue
        try:
            pose = read_pose(element)
        except SdfInertiaError:
            continue
        if pose.form == "rpy" and pose.numbers:
            yield max(map(abs, pose.numbers[3:])), element.location


def given_densities(link: Link) -> Iterator[tuple[float, Callable[[], Location]]]:
    """The densities (kg/m³) of the link's inertial and its collisions, and where; blank ones are not given."""
    for owner in _bodies(link):
        element = owner.child("density")
        numbers = parse_numbers(element.text()) if element is not None else None
        if element is not None and numbers is not None and len(numbers) == 1 and numbers[0] >= 0.0:
            yield numbers[0], element.location


def _bodies(link: Link) -> Iterator[Element]:
    if link.inertial is not None:
        yield link.inertial
    yield from link.element.children_named(COLLISION.value)
