"""The boxes round the collisions and visuals of a link, in its axes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sdfinertia.errors import SdfInertiaError
from sdfinertia.links.meshes import mesh_bounds
from sdfinertia.links.surroundings import Surroundings
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.robot.poses import product
from sdfinertia.shapes.reach import Bounds, Reach, placed_bounds, reach_of, reach_of_box
from sdfinertia.shapes.shape import MeshShape, NoVolume, Polyline, Primitive, assert_never
from sdfinertia.shapes.solid import solid_inertia

if TYPE_CHECKING:
    from sdfinertia.robot.robot import Link
    from sdfinertia.robot.values import SolidKind


class SolidBoxes(NamedTuple):
    """The boxes round the collisions or the visuals of a link, in its axes.

    Attributes:
        boxes: of each shape that has a size; None if one has no end (a plane), whatever the others are.
        errors: why others have none, each with the place and the name of its solid.
    """

    boxes: list[Bounds] | None
    errors: list[SdfInertiaError]


def boxes_of(link: Link, kind: SolidKind, surroundings: Surroundings) -> SolidBoxes:
    """The boxes round the collisions or the visuals of a link; one that cannot be read does not hide the others.

    Raises:
        ValueTextError: two of them bear the same name.
    """
    boxes: list[Bounds] = []
    errors: list[SdfInertiaError] = []
    for solid in link.solids(kind):
        try:
            shape = solid.shape()
            if isinstance(shape, NoVolume):
                if shape.is_unbounded:
                    return SolidBoxes(None, [])
                continue
            # A sphere or box of size zero marks a place, such as a contact point.
            if isinstance(shape, Primitive) and not any(shape.dimensions):
                continue
            X_LG = product(solid.placement(surroundings))
            boxes.append(placed_bounds(_reach(shape, solid.file, surroundings), X_LG))
        except SdfInertiaError as error:
            # Loaded where something is wrong.
            from sdfinertia.links.inputs import fault_location

            errors.append(error.within(location=fault_location(error, solid), collision=solid.name))
    return SolidBoxes(boxes, errors)


def _reach(shape: Primitive | Polyline | MeshShape, containing_file: str, surroundings: Surroundings) -> Reach:
    """How far a shape goes in its own frame; a mesh as far as its box, which the store remembers."""
    match shape:
        case Primitive() | Polyline():
            reach = reach_of(shape)
            # Any numbers have a reach; this refuses those that no solid has.
            solid_inertia(shape, 1.0)
            return reach
        case MeshShape():
            path = surroundings.resources.find(shape.uri, containing_file)
            return reach_of_box(mesh_bounds(shape, path, surroundings.meshes))
        case _:
            assert_never(shape)
