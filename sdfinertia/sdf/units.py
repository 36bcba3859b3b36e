"""The angles and densities that are written in a link, with their places, for those who doubt their units."""

from __future__ import annotations

from collections.abc import Iterator

from sdfinertia.description.facts import COLLISION
from sdfinertia.errors import Location, SdfInertiaError
from sdfinertia.markup.document import Element
from sdfinertia.sdf.inertial import read_density
from sdfinertia.sdf.model import Link
from sdfinertia.sdf.values import read_pose


def written_angles(link: Link) -> Iterator[tuple[float, Location]]:
    """The largest angle of each pose in radians (rad), and where: of the link, its inertial and its collisions."""
    for owner in (link.element, *_bodies(link)):
        element = owner.child("pose")
        try:
            pose = read_pose(element)
        except SdfInertiaError:
            continue
        if element is not None and pose.form == "rpy" and pose.numbers:
            yield max(map(abs, pose.numbers[3:])), element.location()


def given_densities(link: Link) -> Iterator[tuple[float, Location]]:
    """The densities (kg/m³) of the link's inertial and its collisions, and where; blank ones are not given."""
    for owner in _bodies(link):
        element = owner.child("density")
        try:
            density = read_density(element) if element is not None and element.text() else None
        except SdfInertiaError:
            continue
        if element is not None and density is not None:
            yield density, element.location()


def _bodies(link: Link) -> Iterator[Element]:
    if link.inertial is not None:
        yield link.inertial
    yield from link.element.children_named(COLLISION.value)
