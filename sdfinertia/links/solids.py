"""The solids of a link: their boxes, their meshes, the bodies that they may represent, and how MuJoCo weighs them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import nan, prod
from typing import TYPE_CHECKING, Literal, NamedTuple

from sdfinertia.errors import SdfInertiaError
from sdfinertia.inertia import SpatialInertia, welded
from sdfinertia.links.body import body_of
from sdfinertia.links.inputs import DensitySource, Part, fault_location
from sdfinertia.mesh import MeshTreatment, Method
from sdfinertia.robot import COLLISION, VISUAL, Link, Solid, SolidKind, attempt, given, known
from sdfinertia.robot.poses import product
from sdfinertia.shapes import (
    Bounds,
    MeshShape,
    NoVolume,
    Polyline,
    Primitive,
    bounds_around,
    extent_of_box,
    placed_bounds,
)

if TYPE_CHECKING:
    from sdfinertia.links.context import Context
    from sdfinertia.mesh.facts import MeshDiagnosis

FillingName = Literal["solid", "hull", "shell"]
FILLINGS: tuple[FillingName, ...] = ("solid", "hull", "shell")
# Solids for which no open mesh is filled, whose sanity takes the hull.
CLOSED: Literal["closed"] = "closed"
_TREATMENTS: dict[str, MeshTreatment] = {
    "solid": MeshTreatment(Method.EXACT, Method.DIVERGENCE),
    CLOSED: MeshTreatment(Method.EXACT),
    "hull": MeshTreatment(Method.CONVEX_HULL),
}

# A box has so many triangles; a mesh with no more may be the part or a stand-in.
_BOX_FACES = 12


class SolidBoxes(NamedTuple):
    boxes: list[Bounds] | None  # None if a shape is unbounded
    errors: list[SdfInertiaError]  # of shapes that have no box


def boxes_of(link: Link, kind: SolidKind, context: Context) -> SolidBoxes:
    solids = attempt(link.solids, kind)
    if isinstance(solids, SdfInertiaError):
        return SolidBoxes([], [solids])
    boxes: list[Bounds] = []
    errors: list[SdfInertiaError] = []
    for solid in solids:
        try:
            shape = solid.shape()
            if isinstance(shape, NoVolume):
                if shape.is_unbounded:
                    return SolidBoxes(None, [])
                continue
            # A sphere or box of size zero marks a place, such as a contact point.
            if not (isinstance(shape, Primitive) and not any(shape.dimensions)):
                boxes.append(box_of(solid, shape, context))
                if not isinstance(shape, MeshShape):
                    # Any numbers have an extent; the inertia refuses impossible ones.
                    shape.inertia(1.0)
        except SdfInertiaError as error:
            errors.append(error.within(location=fault_location(error, solid), collision=solid.name))
    return SolidBoxes(boxes, errors)


def box_of(solid: Solid, shape: Primitive | Polyline | MeshShape, context: Context) -> Bounds:
    X_LG = product(solid.placement(context))
    if not isinstance(shape, MeshShape):
        return placed_bounds(shape.extent, X_LG)
    box = shape.bounds(solid.mesh_path(shape.uri, context), context.meshes)
    return placed_bounds(extent_of_box(box), X_LG)


def diagnosed(link: Link, context: Context) -> Iterator[tuple[str, MeshDiagnosis | SdfInertiaError]]:
    for collision in link.solids(COLLISION):
        try:
            shape = collision.shape()
            if isinstance(shape, MeshShape):
                source = shape.source(collision.mesh_path(shape.uri, context))
                yield collision.name, context.meshes.diagnosis(source, shape.scale)
        except SdfInertiaError as error:
            yield collision.name, error.within(location=collision.location(), collision=collision.name)


def has_mesh(link: Link) -> bool:
    solids = (known(each) or () for each in (link.collisions, link.visuals))
    return any(isinstance(solid.own_shape, MeshShape) for each in solids for solid in each)


# The bodies that a link's shapes may represent ------------------------------------------------------------------------


class ShapeBody(NamedTuple):
    """The body of a link's collisions or visuals, of even density.

    Attributes:
        is_exact_mesh: whether all of it are closed meshes of more faces than a box, in axes that readers agree on.
    """

    kind: SolidKind
    filling: FillingName
    inertia: SpatialInertia  # at 1 kg, in the link frame
    volume: float = nan  # m³; NaN for surfaces
    is_exact_mesh: bool = False
    faces: int = 0
    is_closed: bool = False  # whether all of it are shapes and closed meshes


def shape_bodies(
    link: Link,
    context: Context,
    fillings: Sequence[FillingName | Literal["closed"]] = FILLINGS,
    kinds: Sequence[SolidKind] = (COLLISION, VISUAL),
) -> Iterator[ShapeBody]:
    """The bodies of a link's collisions and of its visuals; those that cannot be computed or judged are left out.

    Hulls and shells are made of meshes alone. An open mesh is filled by the divergence theorem, and is not exact; it
    makes no closed solid.
    """
    for kind in kinds:
        parts = known(attempt(parts_of_unit_density, link, kind, context)) or []
        are_meshes = all(isinstance(part.shape, MeshShape) for part in parts)
        for filling in fillings if parts else ():
            if are_meshes or filling not in ("hull", "shell"):
                body = known(attempt(_shell if filling == "shell" else _filled, kind, filling, parts, context))
                yield from (body,) if body is not None and body.inertia.can_be_judged else ()


def parts_of_unit_density(link: Link, kind: SolidKind, context: Context) -> list[Part]:
    parts: list[Part] = []
    for solid in link.solids(kind):
        shape = solid.shape()
        if not isinstance(shape, NoVolume):
            path = solid.mesh_path(shape.uri, context) if isinstance(shape, MeshShape) else ""
            placed = solid.placement(context)
            parts.append(Part(solid.name, solid, shape, 1.0, DensitySource.DEFAULT, placed, mesh_path=path))
    return parts


def _filled(
    kind: SolidKind, filling: Literal["solid", "closed", "hull"], parts: Sequence[Part], context: Context
) -> ShapeBody:
    bodies = [body_of(part._replace(treatment=_TREATMENTS[filling]), context) for part in parts]
    pairs = list(zip(parts, bodies, strict=True))
    total = welded(body.inertia for body in bodies)
    is_closed = all(not isinstance(part.shape, MeshShape) or body.method is Method.EXACT for part, body in pairs)
    are_plain = (body.faces > _BOX_FACES and _has_plain_axes(part.mesh_path, body.notes) for part, body in pairs)
    faces = sum(body.faces for body in bodies)
    made: FillingName = "hull" if filling == "hull" else "solid"
    is_exact = is_closed and all(are_plain)
    return ShapeBody(kind, made, total.scaled_to_mass(1.0), total.mass, is_exact, faces, is_closed)


def _has_plain_axes(path: str, notes: Sequence[str]) -> bool:
    # Drake turns glTF, whose y axis points up, and Gazebo does not; readers of COLLADA differ in `<up_axis>`, which is
    # noted where it is not z.
    return not path.lower().endswith((".gltf", ".glb")) and not any("<up_axis>" in note for note in notes)


def _shell(kind: SolidKind, _: Literal["shell"], parts: Sequence[Part], context: Context) -> ShapeBody:
    meshes = [(part, part.shape) for part in parts if isinstance(part.shape, MeshShape)]
    faces = MeshTreatment(Method.SURFACE)
    shells = [context.meshes.solid(shape.source(part.mesh_path), faces, shape.scale) for part, shape in meshes]
    placed = (
        shell.spatial_inertia(1.0).transformed(product(part.placement))
        for shell, part in zip(shells, parts, strict=True)
    )
    return ShapeBody(kind, "shell", welded(placed).scaled_to_mass(1.0), faces=sum(shell.faces for shell in shells))


# In MuJoCo ------------------------------------------------------------------------------------------------------------


class Overcount(NamedTuple):
    solid: Solid
    share: float  # by how much of the volume; an open mesh has none but that of its hull, which is at least as large
    inertia: str  # the word of `<mesh inertia>` that comes nearest to it
    is_sound: bool  # whether MuJoCo takes the faces for that as they are


def overcounted(solids: Iterable[Solid], context: Context, least: float) -> Iterator[Overcount]:
    for solid in solids:
        found = known(attempt(_overcount, solid, context, least)) if solid.compiled_method == Method.LEGACY else None
        context.forget_contents()
        if found is not None and found.share > least:
            yield found


def _overcount(solid: Solid, context: Context, least: float) -> Overcount | None:
    from sdfinertia.links.surfaces import volume_in_mujoco

    shape = solid.own_shape
    if not isinstance(shape, MeshShape):
        return None
    scale, source = shape.scale, shape.source(solid.mesh_path(shape.uri, context))

    def volume(method: Method) -> float:
        return context.meshes.solid(source, MeshTreatment(method), scale).moments.volume

    legacy, exact = volume(Method.LEGACY), known(attempt(volume, Method.EXACT))
    hull = volume(Method.CONVEX_HULL) if exact is None else exact
    share = legacy / hull - 1.0
    closed = exact if exact is not None or share <= least else known(attempt(volume, Method.FILL_HOLES))
    if share <= least or closed is None:
        return Overcount(solid, share, "exact" if exact is not None else "convex", True)
    error = abs(volume_in_mujoco(source, context.meshes) * abs(prod(scale)) - closed)
    if exact is not None:
        return Overcount(solid, share, "exact", error <= least * exact)
    return Overcount(solid, share, "exact" if error < hull - closed else "convex", True)


def weighs_by_default(link: Link) -> bool:
    """Whether no solid has a mass or density of its own: where an author gives one, both are meant."""
    return all(given(solid.density) is None and given(solid.mass) is None for solid in link.solids(COLLISION))


def visual_weighed_twice(link: Link, context: Context, share: float = 0.0) -> Solid | None:
    """The first visual geom with mass, where these fill the place of those with contacts."""
    seen = [solid for solid in link.solids(COLLISION) if solid.is_visual]
    touched = [solid for solid in link.solids(COLLISION) if not solid.is_visual]
    if not (seen and touched):
        return None
    boxes = [_box_around(each, context) for each in (seen, touched)]
    return seen[0] if _shared(*boxes) > share else None


def _box_around(solids: Iterable[Solid], context: Context) -> Bounds:
    shapes = ((solid, solid.shape()) for solid in solids)
    return bounds_around([box_of(solid, shape, context) for solid, shape in shapes if not isinstance(shape, NoVolume)])


def _shared(first: Bounds, second: Bounds) -> float:
    edges = zip(first.lower, first.upper, second.lower, second.upper, strict=True)
    both = prod([max(0.0, min(b, d) - max(a, c)) for a, b, c, d in edges])
    together = prod(first.sizes) + prod(second.sizes) - both
    return both / together if together > 0.0 else 0.0
