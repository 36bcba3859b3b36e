"""The bodies that a link's shapes may represent: solid, hull or shell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import nan
from typing import TYPE_CHECKING, Any, Literal

from sdfinertia.errors import SdfInertiaError
from sdfinertia.inertia.rigid_transform import RigidTransform
from sdfinertia.inertia.spatial_inertia import SpatialInertia
from sdfinertia.links.context import Context
from sdfinertia.links.meshes import mesh_source
from sdfinertia.mesh.treatment import MeshTreatment, Method
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.robot.poses import product
from sdfinertia.robot.values import COLLISION, VISUAL, SolidKind
from sdfinertia.shapes import MeshShape, NoVolume, Polyline, Primitive, assert_never

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from sdfinertia.mesh.treatment import MeshSolid
    from sdfinertia.robot.link import Link, Solid

    Points = npt.NDArray[np.float64]
    Faces = npt.NDArray[np.int64]

FillingName = Literal["solid", "hull", "shell"]
FILLINGS: tuple[FillingName, ...] = ("solid", "hull", "shell")

# A box has so many triangles; of a mesh that has no more, nobody knows whether it is the part or stands for it.
_BOX_FACES = 12
# Of the size of the surface: so thin that nothing of it counts.
_THIN = 1e-6


class ShapeBody(NamedTuple):
    """The body of a link's collisions or visuals, of even density.

    Attributes:
        inertia: at 1 kg, in the link frame.
        volume: m³; NaN for surfaces.
        is_exact_mesh: whether all of it are closed meshes of more faces than a box, in axes that readers agree on.
    """

    kind: SolidKind
    filling: FillingName
    inertia: SpatialInertia
    volume: float
    is_exact_mesh: bool
    faces: int


class _Part(NamedTuple):
    shape: Primitive | Polyline | MeshShape
    file: str
    X_LG: RigidTransform


def shape_bodies(link: Link, context: Context, fillings: Sequence[FillingName] = FILLINGS) -> Iterator[ShapeBody]:
    """The bodies of a link's collisions and of its visuals; those that cannot be computed are left out.

    Hulls and shells are made of meshes alone. An open mesh is filled by the divergence theorem, and is not exact.
    """
    for kind in (COLLISION, VISUAL):
        try:
            parts = _parts(link.solids(kind), context)
        except SdfInertiaError:
            continue
        are_meshes = all(isinstance(part.shape, MeshShape) for part in parts)
        for filling in fillings if parts else ():
            if filling != "solid" and not are_meshes:
                continue
            try:
                yield _body(kind, filling, parts, context)
            except SdfInertiaError:
                continue


def surface_points(link: Link, context: Context, kind: SolidKind) -> Points:
    """The corners of the surfaces, (n, 3) in the link frame, n ≥ 0."""
    return _surface(_parts(link.solids(kind), context), context)[0]


def _parts(solids: Sequence[Solid], context: Context) -> list[_Part]:
    parts: list[_Part] = []
    for solid in solids:
        shape = solid.shape()
        if not isinstance(shape, NoVolume):
            parts.append(_Part(shape, solid.file, product(solid.placement(context))))
    return parts


def _body(kind: SolidKind, filling: FillingName, parts: Sequence[_Part], context: Context) -> ShapeBody:
    if filling == "shell":
        return _shell(kind, parts, context)
    treatment = (
        MeshTreatment(Method.EXACT, Method.DIVERGENCE) if filling == "solid" else MeshTreatment(Method.CONVEX_HULL)
    )
    total: SpatialInertia | None = None
    faces, is_exact = 0, True
    for shape, file, X_LG in parts:
        match shape:
            case Primitive() | Polyline():
                inertia = shape.inertia(1.0)
                is_exact = False
            case MeshShape():
                path = context.resources.find(shape.uri, file)
                solid = context.meshes.solid(mesh_source(shape, path), treatment, shape.scale)
                inertia = solid.spatial_inertia(1.0)
                faces += solid.faces
                is_exact = (
                    is_exact
                    and solid.method is Method.EXACT
                    and solid.faces > _BOX_FACES
                    and _has_plain_axes(path, solid)
                )
            case _:
                assert_never(shape)
        placed = inertia.transformed(X_LG)
        total = total + placed if total is not None else placed
    assert total is not None, "there are parts"
    return ShapeBody(kind, filling, total.scaled_to_mass(1.0), total.mass, is_exact, faces)


def _has_plain_axes(path: str, solid: MeshSolid) -> bool:
    """Whether all simulators take a mesh's axes alike.

    Drake turns glTF, whose y axis points up, and Gazebo does not; readers of COLLADA differ in `<up_axis>`, which is
    noted where it is not z.
    """
    return not path.lower().endswith((".gltf", ".glb")) and not any("<up_axis>" in note for note in solid.notes)


def _shell(kind: SolidKind, parts: Sequence[_Part], context: Context) -> ShapeBody:
    # Loaded where a surface is weighed: it needs numpy.
    from sdfinertia.mesh.solid_moments import shell_moments

    vertices, faces = _surface(parts, context)
    size = float(abs(vertices - vertices.mean(axis=0)).max())
    inertia = shell_moments(vertices, faces, _THIN * size).spatial_inertia(1.0)
    return ShapeBody(kind, "shell", inertia.scaled_to_mass(1.0), nan, False, len(faces))


def _surface(parts: Sequence[_Part], context: Context) -> tuple[Points, Faces]:
    """The triangles of all parts, in the link frame."""
    import numpy as np

    points: list[Any] = [np.empty((0, 3))]
    faces: list[Any] = [np.empty((0, 3), np.int64)]
    count = 0
    for shape, file, X_LG in parts:
        match shape:
            case Primitive() | Polyline():
                own, own_faces = shape.surface()
            case MeshShape():
                path = context.resources.find(shape.uri, file)
                mesh = context.meshes.mesh(mesh_source(shape, path)).scaled(shape.scale)
                own, own_faces = mesh.vertices, mesh.faces
            case _:
                assert_never(shape)
        points.append(placed_points(np.asarray(own, np.float64), X_LG))
        faces.append(np.asarray(own_faces, np.int64) + count)
        count += len(own)
    return np.concatenate(points), np.concatenate(faces)


def placed_points(points: Points, X_LG: RigidTransform) -> Points:
    """Points (n, 3) in the frame G, in the frame L; without BLAS, whose sums differ between processors."""
    import numpy as np

    xx, xy, xz, yx, yy, yz, zx, zy, zz = X_LG.rotation
    columns = [
        points[:, 0] * row[0] + points[:, 1] * row[1] + points[:, 2] * row[2] + offset
        for row, offset in zip(((xx, xy, xz), (yx, yy, yz), (zx, zy, zz)), X_LG.translation, strict=True)
    ]
    return np.stack(columns, axis=1)
