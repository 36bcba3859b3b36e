"""The part of one collision in its link: its body, its surface, and the volume that it shares with others."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, isfinite
from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.calculators import CalculatorMesh, calculated, find_calculator
from sdfinertia.errors import GeometryError, InertiaError, OpenMeshError, SdfInertiaError, ThicknessError, shown_path
from sdfinertia.inertia.rigid_transform import IDENTITY_ROTATION, RigidTransform, Rotation
from sdfinertia.inertia.spatial_inertia import InertiaTensor, SpatialInertia, less
from sdfinertia.inertia.volume_moments import VolumeMoments
from sdfinertia.links.context import Context
from sdfinertia.links.inputs import DensitySource, Part
from sdfinertia.mesh.method import MeshSource, MeshTreatment, Method, Overlaps
from sdfinertia.robot.poses import product
from sdfinertia.shapes import MeshShape, NoVolume, Polyline, Primitive, largest_dimension

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from sdfinertia.mesh.kernel import Surface

    Points = npt.NDArray[np.float64]

# Shared volume below this part of a solid's volume is rounding.
_NOTHING = 1e-12


class Body(NamedTuple):
    """The part of one collision in its link.

    Attributes:
        method: how its volume was found; `calculator:NAME` where a calculator did.
        inertia: in the link frame.
        extent: largest dimension, in its own frame (m).
        faces: triangles of a mesh, or 0.
        uncertainty: relative error of its mass.
        own: its tensor in its own axes, and their rotation R_LC, where that is more precise than the link's axes.
    """

    name: str
    shape: str
    method: Method | str
    inertia: SpatialInertia
    density: float
    density_source: DensitySource
    extent: float
    faces: int = 0
    uncertainty: float = 0.0
    notes: tuple[str, ...] = ()
    own: tuple[InertiaTensor, Rotation] | None = None

    @property
    def volume(self) -> float:
        """m³."""
        return self.inertia.mass / self.density


class _Integrated(NamedTuple):
    """The geometry of a part as a body of its density, in its own frame; the other values as those of a `Body`."""

    method: Method | str
    inertia: SpatialInertia
    extent: float
    faces: int = 0
    uncertainty: float = 0.0
    notes: tuple[str, ...] = ()


def body_of(part: Part, context: Context) -> Body:
    shape, density = part.shape, part.density
    if isinstance(shape, NoVolume):
        raise GeometryError(str(shape))
    integrated = _mesh(part, shape, context) if isinstance(shape, MeshShape) else _solid(part, shape)
    method, inertia, extent, faces, uncertainty, notes = integrated
    if part.mass is not None and inertia.mass > 0.0:
        density = density * part.mass / inertia.mass
        inertia = inertia.scaled_to_mass(part.mass)
    if not (0.0 < inertia.mass < inf and isfinite(inertia.I_BBcm_B.trace)):
        raise InertiaError(f"its size and density give a mass of {inertia.mass:g} kg, which overflows double precision")
    X_LC = product(part.placement)
    own = (inertia.I_BBcm_B, X_LC.rotation) if X_LC.rotation != IDENTITY_ROTATION else None
    return Body(
        *(part.name, shape.name, method, inertia.transformed(X_LC), density, part.density_source),
        *(extent, faces, uncertainty, notes, own),
    )


# The shape of a collision as a solid of its density, in its own frame -------------------------------------------------


def _solid(part: Part, solid: Primitive | Polyline) -> _Integrated:
    # First, since it refuses shapes that are no solids and so have no size.
    inertia = solid.inertia(part.density)
    return _Integrated(Method.EXACT, inertia, largest_dimension(solid))


def _mesh(part: Part, shape: MeshShape, context: Context) -> _Integrated:
    source = shape.source(part.mesh_path)
    calculator = part.parameters.calculator
    if calculator is not None:
        return _calculated(part, shape, source, calculator, context)
    try:
        solid = context.meshes.solid(source, part.treatment, shape.scale)
    except OpenMeshError as error:
        if part.treatment.method is Method.EXACT and part.treatment.open_mesh is None:
            from sdfinertia.mesh.method import open_policies

            remedy = open_policies(
                part.treatment,
                shown_path(part.mesh_path, part.solid.file),
                one_sided=error.one_sided,
                choices=f"--open-mesh or {part.solid.phrases.parameter.format('open_mesh')}",
            )
            raise error.with_remedy(remedy) from None
        raise
    except ThicknessError as error:
        raise error.with_remedy(f"give {part.solid.phrases.thickness}, or --thickness") from None
    inertia = solid.spatial_inertia(part.density)
    return _Integrated(solid.method, inertia, max(solid.extent), solid.faces, solid.uncertainty, solid.notes)


def _calculated(part: Part, shape: MeshShape, source: MeshSource, name: str, context: Context) -> _Integrated:

    mesh = context.meshes.mesh(source)
    calculator = find_calculator(name, context.calculators)
    request = CalculatorMesh(mesh.vertices, mesh.faces, shape.uri, shape.scale)
    inertia = calculated(name, calculator, part.density, request, dict(part.parameters.others))
    notes: tuple[str, ...] = ()
    if not isinstance(inertia, SpatialInertia):
        from sdfinertia.mesh.pipeline import Pipeline

        solid = Pipeline(inertia).by(Method.EXACT, MeshTreatment())
        inertia, notes = solid.spatial_inertia(part.density), solid.notes
    extent = max(shape.bounds(part.mesh_path, context.meshes).sizes)
    note = f"computed by the calculator {name!r}"
    return _Integrated(f"calculator:{name}", inertia, extent, len(mesh.faces), 0.0, (*mesh.notes, *notes, note))


# Its surface, in the link frame --------------------------------------------------------------------------------------


def surface_of(part: Part, method: str | None, context: Context) -> Surface:
    """The triangles of a part; those of a mesh as they are, or closed by a method."""
    import numpy as np

    shape = part.shape
    assert not isinstance(shape, NoVolume), "a part of a body has volume"
    if not isinstance(shape, MeshShape):
        points, faces = shape.surface()
    elif method is None:
        mesh = context.meshes.mesh(shape.source(part.mesh_path)).scaled(shape.scale)
        points, faces = np.asarray(mesh.vertices, np.float64), mesh.faces
    else:
        from sdfinertia.mesh.pipeline import Pipeline

        mesh = context.meshes.points(shape.source(part.mesh_path)).scaled(shape.scale)
        (points, faces), _ = Pipeline(mesh).closed(method, part.treatment)
    return _placed_points(points, product(part.placement)), faces


def _placed_points(points: Points, X_LG: RigidTransform) -> Points:
    """Points (n, 3) in the frame G, in the frame L; without BLAS, whose sums differ between processors."""
    import numpy as np

    xx, xy, xz, yx, yy, yz, zx, zy, zz = X_LG.rotation
    columns = [
        points[:, 0] * row[0] + points[:, 1] * row[1] + points[:, 2] * row[2] + offset
        for row, offset in zip(((xx, xy, xz), (yx, yy, yz), (zx, zy, zz)), X_LG.translation, strict=True)
    ]
    return np.stack(columns, axis=1)


# Volume that solids share, counted once: for the first in the file ----------------------------------------------------


def without_shared_volume(bodies: Sequence[Body], parts: Sequence[Part], context: Context) -> list[Body]:
    """The bodies of a link, each without the volume shared with those before it.

    Shared volume is measured on tessellated surfaces and subtracted from the closed form: solids that share
    nothing, and flat ones, stay exact.
    """
    # Loaded where volume is shared: it needs numpy and a library for boolean operations.
    from sdfinertia.mesh.boolean_union import without_those_before

    surfaces = [surface_of(part, body.method, context) for part, body in zip(parts, bodies, strict=True)]
    result: list[Body] = []
    rests = without_those_before(surfaces)
    for body, part, surface in zip(bodies, parts, surfaces, strict=True):
        try:
            rest = next(rests)
            result.append(body if rest is None else _reduced(body, surface, rest))
        except SdfInertiaError as error:
            raise error.within(location=part.solid.location(), collision=body.name) from None
    return [body for body in result if body.inertia.mass > 0.0]


def shared_share(bodies: Sequence[Body], parts: Sequence[Part], context: Context) -> float:
    """The part of the solids' volume that counts more than once; within meshes too."""
    total = once = 0.0
    for body in bodies:
        total += body.volume
    for body in without_shared_volume(bodies, parts, context):
        once += body.volume
    for part, body in zip(parts, bodies, strict=True):
        if isinstance(part.shape, MeshShape) and body.method is Method.EXACT:
            treatment = part.treatment._replace(overlaps=Overlaps.UNION)
            united = context.meshes.solid(part.shape.source(part.mesh_path), treatment, part.shape.scale)
            once -= body.volume - united.moments.volume
    return (total - once) / total


def _reduced(body: Body, surface: Surface, remaining: Surface) -> Body:
    from sdfinertia.inertia.polyhedron import moments

    whole = moments(*surface)
    rest = moments(*remaining) if len(remaining[1]) else VolumeMoments(0.0, whole.centroid, (0.0,) * 6)
    shared = whole.volume - rest.volume
    if shared <= _NOTHING * whole.volume:
        return body
    note = f"{shared:.4g} m³ that it shares with solids before it count for those"
    inertia = body.inertia
    if rest.volume <= _NOTHING * whole.volume:
        return body._replace(inertia=SpatialInertia(0.0, inertia.p_BoBcm_B, InertiaTensor(0.0, 0.0, 0.0)))
    xx, yy, zz, xy, xz, yz = rest.second
    negative = VolumeMoments(-rest.volume, rest.centroid, (-xx, -yy, -zz, -xy, -xz, -yz))
    removed = (whole + negative).spatial_inertia(body.density)
    # A tessellated ball is smaller than the ball, and so is any share of it, in about the same proportion.
    removed = removed.scaled_to_mass(removed.mass * inertia.mass / (whole.volume * body.density))
    return body._replace(inertia=inertia + less(removed), notes=(*body.notes, note))
