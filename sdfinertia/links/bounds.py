"""The bounding box of a link: of its collisions, its visuals, or both together, in link axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sdfinertia.description.facts import COLLISION, VISUAL, SolidKind
from sdfinertia.description.pose_path import product
from sdfinertia.links.surroundings import Surroundings
from sdfinertia.shapes.mesh import mesh_bounds
from sdfinertia.shapes.reach import Bounds, Reach, bounds_round, placed_bounds, reach_of, reach_of_box
from sdfinertia.shapes.shape import MeshShape, NoVolume, Polyline, Primitive, assert_never

if TYPE_CHECKING:
    from sdfinertia.description.protocols import LinkDescription, SolidDescription


def link_bounds(
    link: LinkDescription, surroundings: Surroundings, kinds: Sequence[SolidKind] = (COLLISION, VISUAL)
) -> Bounds | None:
    """The box round all shapes of a link that have a size; None if there is none, or one has no end (a plane).

    Args:
        kinds: which solids count.

    Raises:
        SdfInertiaError: a shape, its mesh or its frame cannot be found or read.
    """
    return bounds_of([solid for kind in kinds for solid in link.solids(kind)], surroundings)


def bounds_of(solids: Sequence[SolidDescription], surroundings: Surroundings) -> Bounds | None:
    """The box, in link axes, round solids of a link; see `link_bounds`."""
    boxes: list[Bounds] = []
    for solid in solids:
        shape = solid.shape()
        if isinstance(shape, NoVolume) and shape.is_endless:
            return None
        if isinstance(shape, NoVolume):
            continue
        X_LG = product(solid.placement(surroundings))
        boxes.append(placed_bounds(_reach(shape, solid.file, surroundings), X_LG))
    return bounds_round(boxes) if boxes else None


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
