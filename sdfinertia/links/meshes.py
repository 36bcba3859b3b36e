"""The meshes of a link: their files, sizes and diagnoses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sdfinertia.errors import SdfInertiaError
from sdfinertia.links.context import Context
from sdfinertia.mesh.treatment import MeshSource
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.robot.link import Link
from sdfinertia.robot.poses import product
from sdfinertia.robot.values import COLLISION, SolidKind
from sdfinertia.shapes import Bounds, MeshShape, NoVolume, Primitive, extent_of_box, placed_bounds

if TYPE_CHECKING:
    from sdfinertia.mesh.diagnosis import MeshDiagnosis
    from sdfinertia.mesh.store import MeshStore


def mesh_source(shape: MeshShape, path: str) -> MeshSource:
    return MeshSource(path, shape.submesh, shape.center)


def mesh_bounds(shape: MeshShape, path: str, meshes: MeshStore) -> Bounds:
    """The box round a scaled mesh, in its own frame."""
    lower, upper = meshes.bounds(mesh_source(shape, path))
    return Bounds(lower, upper).scaled(shape.scale)


class SolidBoxes(NamedTuple):
    """In the axes of the link.

    Attributes:
        boxes: None if a shape is unbounded.
        errors: of shapes that have no box.
    """

    boxes: list[Bounds] | None
    errors: list[SdfInertiaError]


def boxes_of(link: Link, kind: SolidKind, context: Context) -> SolidBoxes:
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
            X_LG = product(solid.placement(context))
            if isinstance(shape, MeshShape):
                path = context.resources.find(shape.uri, solid.file)
                extent = extent_of_box(mesh_bounds(shape, path, context.meshes))
                boxes.append(placed_bounds(extent, X_LG))
            else:
                boxes.append(placed_bounds(shape.extent, X_LG))
                # Any numbers have an extent; this refuses those that no solid has.
                shape.inertia(1.0)
        except SdfInertiaError as error:
            # Loaded where something is wrong.
            from sdfinertia.links.inputs import fault_location

            errors.append(error.within(location=fault_location(error, solid), collision=solid.name))
    return SolidBoxes(boxes, errors)


def diagnosed(link: Link, context: Context) -> Iterator[tuple[str, MeshDiagnosis | SdfInertiaError]]:
    for collision in link.solids(COLLISION):
        try:
            shape = collision.shape()
            if isinstance(shape, MeshShape):
                # Loaded with the first mesh, since it needs numpy.
                from sdfinertia.mesh.diagnosis import diagnose

                source = mesh_source(shape, context.resources.find(shape.uri, collision.file))
                key = source, shape.scale
                if key not in context.diagnoses:
                    context.diagnoses[key] = diagnose(context.meshes.mesh(source).scaled(shape.scale))
                yield collision.name, context.diagnoses[key]
        except SdfInertiaError as error:
            yield collision.name, error.within(location=collision.location(), collision=collision.name)
