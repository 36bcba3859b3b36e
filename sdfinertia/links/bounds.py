"""The boxes round the collisions and visuals of a link, in its axes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sdfinertia.description.pose_path import product
from sdfinertia.links.meshes import mesh_bounds
from sdfinertia.links.surroundings import Surroundings
from sdfinertia.shapes.reach import Bounds, Reach, placed_bounds, reach_of, reach_of_box
from sdfinertia.shapes.shape import MeshShape, NoVolume, Polyline, Primitive, assert_never

if TYPE_CHECKING:
    from sdfinertia.description.facts import SolidKind
    from sdfinertia.description.protocols import LinkDescription


def boxes_of(link: LinkDescription, kind: SolidKind, surroundings: Surroundings) -> list[Bounds] | None:
    """The boxes, in link axes, round each shape of a link that has a size; None if one has no end (a plane).

    Args:
        kind: COLLISION or VISUAL: which solids count.

    Raises:
        SdfInertiaError: a shape, its mesh or its frame cannot be found or read.
    """
    boxes: list[Bounds] = []
    for solid in link.solids(kind):
        shape = solid.shape()
        if isinstance(shape, NoVolume):
            if shape.is_unbounded:
                return None
            continue
        X_LG = product(solid.placement(surroundings))
        boxes.append(placed_bounds(_reach(shape, solid.file, surroundings), X_LG))
    return boxes


def _reach(shape: Primitive | Polyline | MeshShape, containing_file: str, surroundings: Surroundings) -> Reach:
    """How far a shape goes in its own frame; a mesh as far as its box, which the store remembers."""
    match shape:
        case Primitive() | Polyline():
            return reach_of(shape)
        case MeshShape():
            path = surroundings.resources.find(shape.uri, containing_file)
            return reach_of_box(mesh_bounds(shape, path, surroundings.meshes))
        case _:
            assert_never(shape)
