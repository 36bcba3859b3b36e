"""What one collision adds to its link."""

from __future__ import annotations

from math import isfinite

from sdfinertia.errors import GeometryError, InertiaError, OpenMeshError, ThicknessError, shown_path
from sdfinertia.inertia.rigid_transform import IDENTITY_ROTATION, Rotation
from sdfinertia.inertia.spatial_inertia import InertiaTensor, SpatialInertia
from sdfinertia.links.context import Context
from sdfinertia.links.inputs import DensitySource, Part
from sdfinertia.links.meshes import mesh_bounds, mesh_source
from sdfinertia.mesh.treatment import MeshSource, MeshTreatment, Method
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.robot.poses import product
from sdfinertia.shapes import MeshShape, NoVolume, Polyline, Primitive, assert_never, largest_dimension


class Body(NamedTuple):
    """What one collision adds to its link.

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


def body_of(part: Part, context: Context) -> Body:
    match part.shape:
        case Primitive() | Polyline() as solid:
            body = _solid_body(part, solid)
        case MeshShape() as mesh:
            body = _mesh_body(part, mesh, context)
        case NoVolume() as nothing:
            raise GeometryError(str(nothing))
        case _ as never:
            assert_never(never)
    inertia = body.inertia
    if not (inertia.mass > 0.0 and isfinite(inertia.mass) and isfinite(inertia.I_BBcm_B.trace)):
        raise InertiaError(f"its size and density give a mass of {inertia.mass:g} kg, which overflows double precision")
    X_LC = product(part.placement)
    own = (inertia.I_BBcm_B, X_LC.rotation) if X_LC.rotation != IDENTITY_ROTATION else None
    return body._replace(inertia=inertia.transformed(X_LC), own=own)


# The shape of a collision as a solid of its density, in its own frame -------------------------------------------------


def _solid_body(part: Part, solid: Primitive | Polyline) -> Body:
    # First, since it refuses what is no solid and so has no size.
    inertia = solid.inertia(part.density)
    extent = largest_dimension(solid.extent)
    return Body(part.name, solid.name, Method.EXACT, inertia, part.density, part.density_source, extent)


def _mesh_body(part: Part, shape: MeshShape, context: Context) -> Body:
    source = mesh_source(shape, part.mesh_path)
    calculator = part.parameters.calculator
    if calculator is not None:
        return _calculated_body(part, shape, source, calculator, context)
    try:
        solid = context.meshes.solid(source, part.treatment, shape.scale)
    except OpenMeshError as error:
        if part.treatment.method is Method.EXACT and part.treatment.open_mesh is None:
            from sdfinertia.mesh.treatment import open_policies

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
    return Body(
        *(part.name, "mesh", solid.method, inertia, part.density, part.density_source),
        *(max(solid.extent), solid.faces, solid.uncertainty, solid.notes),
    )


def _calculated_body(part: Part, shape: MeshShape, source: MeshSource, name: str, context: Context) -> Body:
    # Loaded where a file names one.
    from sdfinertia.calculators import CalculatorMesh, calculated, find_calculator

    mesh = context.meshes.mesh(source)
    calculator = find_calculator(name, context.calculators)
    request = CalculatorMesh(mesh.vertices, mesh.faces, shape.uri, shape.scale)
    inertia = calculated(name, calculator, part.density, request, dict(part.parameters.others))
    notes: tuple[str, ...] = ()
    if not isinstance(inertia, SpatialInertia):
        from sdfinertia.mesh.solid_moments import solid_of

        solid = solid_of(inertia, Method.EXACT, MeshTreatment())
        inertia, notes = solid.spatial_inertia(part.density), solid.notes
    extent = max(mesh_bounds(shape, part.mesh_path, context.meshes).sizes)
    note = f"computed by the calculator {name!r}"
    return Body(
        *(part.name, "mesh", f"calculator:{name}", inertia, part.density, part.density_source),
        *(extent, len(mesh.faces), 0.0, (*mesh.notes, *notes, note)),
    )
