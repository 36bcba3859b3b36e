"""The body of one collision, as a part of its link."""

from __future__ import annotations

from math import inf, isfinite
from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.calculators import CalculatorMesh, calculated, find_calculator
from sdfinertia.errors import GeometryError, InertiaError, OpenMeshError, ThicknessError, shown_path
from sdfinertia.inertia.rigid_transform import IDENTITY_ROTATION, Rotation
from sdfinertia.inertia.spatial_inertia import InertiaTensor, SpatialInertia
from sdfinertia.mesh.method import MeshSource, Method, open_policies
from sdfinertia.robot.poses import product
from sdfinertia.shapes import MeshShape, NoVolume, Polyline, Primitive, largest_dimension

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from sdfinertia.links.context import Context
    from sdfinertia.links.inputs import DensitySource, Part

    Points = npt.NDArray[np.float64]


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
    found = calculated(name, calculator, part.density, request, dict(part.parameters.others))
    inertia, notes = (
        (found, ()) if isinstance(found, SpatialInertia) else (found.spatial_inertia(part.density), found.notes)
    )
    extent = max(shape.bounds(part.mesh_path, context.meshes).sizes)
    note = f"computed by the calculator {name!r}"
    return _Integrated(f"calculator:{name}", inertia, extent, len(mesh.faces), 0.0, (*mesh.notes, *notes, note))
