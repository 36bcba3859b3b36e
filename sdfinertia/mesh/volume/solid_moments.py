"""From triangles to the moments of the solid they represent, by the method asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from sdfinertia.errors import MeshError, ThicknessError
from sdfinertia.inertia.polyhedron import moments
from sdfinertia.inertia.volume_moments import VolumeMoments
from sdfinertia.mesh.kernel import Indices, Points, lengths, normals
from sdfinertia.mesh.surface.closed_solid import ClosedSolid, bounded_by, closed_solid
from sdfinertia.mesh.surface.overlaps import sampled_windings
from sdfinertia.mesh.surface.surface_repair import repaired_surface
from sdfinertia.mesh.surface.topology import RepairedSurface
from sdfinertia.mesh.treatment import MeshSolid, MeshTreatment, Method, Overlaps
from sdfinertia.mesh.triangle_mesh import TriangleMesh
from sdfinertia.mesh.volume.convex_hulls import convex_hull

# Room for rounding in the judgements of a result, relative to what it is compared with.
_ROUNDING = 1e-9


def solid_of(mesh: TriangleMesh, method: Method, treatment: MeshTreatment) -> MeshSolid:
    """The solid that a mesh represents by a method: the treatment's own, or its policy for an open mesh."""
    with np.errstate(all="ignore"):  # what overflows is found in the result
        if method in _SURFACES:
            vertices, faces, notes = closed_surface(mesh, method, treatment)
            result, uncertainty = moments(vertices, faces), 0.0
            windings = sampled_windings(vertices, faces) if method is not Method.CONVEX_HULL else None
            if windings is not None:
                windings.require_positive()
                if treatment.overlaps is Overlaps.UNION:
                    windings.require_single()
                notes = (*notes, *windings.notes)
        else:
            result, uncertainty, notes = _MEASURES[method](mesh, treatment)
        lower, upper = mesh.bounds
        _require_sane(result, lower, upper)
        if method not in (Method.EXACT, Method.FILL_HOLES):
            thickness = treatment.thickness if method is Method.SHELL else None
            _require_inside_hull(result, mesh.used_vertices(), thickness)
    x, y, z = (upper - lower).tolist()
    uncertainty += mesh.uncertainty
    return MeshSolid(result, method, (x, y, z), len(mesh.faces), uncertainty, (*mesh.notes, *notes))


_Measure = tuple[VolumeMoments, float, tuple[str, ...]]
_Surface = tuple[Points, Indices, tuple[str, ...]]


def closed_surface(mesh: TriangleMesh, method: str, treatment: MeshTreatment) -> _Surface:
    """The closed surface that a method integrates, and notes."""
    if method not in _SURFACES:
        raise MeshError(f"the method {method} gives no surface")
    return _SURFACES[method](mesh, treatment)


def _repaired(mesh: TriangleMesh) -> RepairedSurface:
    surface: RepairedSurface | None = mesh.handed_on.pop("surface", None)
    return repaired_surface(mesh.vertices, mesh.faces) if surface is None else surface


def _exact_surface(mesh: TriangleMesh, treatment: MeshTreatment) -> _Surface:
    solid = bounded_by(_repaired(mesh))
    if treatment.overlaps is not Overlaps.UNION or solid.bodies < 2:
        return solid.vertices, solid.faces, solid.notes
    from sdfinertia.mesh.volume.boolean_union import bodies_united

    return *bodies_united(solid), (*solid.notes, f"what its {solid.bodies} bodies share is counted once")


def _hull_surface(mesh: TriangleMesh, treatment: MeshTreatment) -> _Surface:
    return *convex_hull(mesh.used_vertices()), ("the convex hull is used for the mesh",)


def _filled_surface(mesh: TriangleMesh, treatment: MeshTreatment) -> _Surface:
    from sdfinertia.mesh.volume.open_surfaces import filled

    surface = filled(_repaired(mesh))
    solid = closed_solid(surface.vertices, surface.faces)
    return solid.vertices, solid.faces, (*surface.notes, *solid.notes)


_SURFACES: Mapping[str, Callable[[TriangleMesh, MeshTreatment], _Surface]] = {
    Method.EXACT: _exact_surface,
    Method.CONVEX_HULL: _hull_surface,
    Method.FILL_HOLES: _filled_surface,
}


def _convex_decomposition(mesh: TriangleMesh, treatment: MeshTreatment) -> _Measure:
    from sdfinertia.mesh.volume.convex_hulls import decomposed

    surface = _closed_if_possible(mesh)
    result = decomposed(surface.vertices, surface.faces, treatment.max_convex_hulls, treatment.voxel_resolution)
    what = "convex hull is used" if result.hulls == 1 else "convex hulls of a decomposition are used"
    note = f"{result.hulls} {what} for the mesh"
    if result.uncertainty > _ROUNDING:
        note += f", volume {100 * result.uncertainty:.2g} % off"
    return result.moments, result.uncertainty, (*surface.notes, note)


def _closed_if_possible(mesh: TriangleMesh) -> ClosedSolid | RepairedSurface:
    surface = _repaired(mesh)
    return surface if len(surface.open_edges) else bounded_by(surface)


def _voxel(mesh: TriangleMesh, treatment: MeshTreatment) -> _Measure:
    from sdfinertia.mesh.volume.voxel import voxel_moments

    surface = _closed_if_possible(mesh)
    solid = voxel_moments(surface.vertices, surface.faces, treatment.voxel_size)
    note = (
        f"voxels of {solid.voxel_size:.3g} m are used for the mesh, mass uncertain by about {100 * solid.error:.2g} %"
    )
    return solid.moments, solid.error, (*surface.notes, note)


def _shell(mesh: TriangleMesh, treatment: MeshTreatment) -> _Measure:
    from sdfinertia.mesh.volume.open_surfaces import shell_moments

    if treatment.thickness is None:
        raise ThicknessError(
            "a shell needs a thickness", remedy="give <sdfinertia:thickness> in <auto_inertia_params>, or --thickness"
        )
    surface = _repaired(mesh)
    result = shell_moments(surface.vertices, surface.faces, treatment.thickness)
    return result, 0.0, (*surface.notes, f"the mesh is taken for a wall {treatment.thickness:g} m thick")


def _divergence(mesh: TriangleMesh, treatment: MeshTreatment) -> _Measure:
    from sdfinertia.mesh.volume.open_surfaces import divergence_moments

    surface = _repaired(mesh)
    result, uncertainty = divergence_moments(surface.vertices, surface.faces)
    note = f"the open surface is integrated from its origin, mass uncertain by {100 * uncertainty:.2g} %"
    return result, uncertainty, (*surface.notes, note)


_MEASURES = {
    Method.CONVEX_DECOMPOSITION: _convex_decomposition,
    Method.VOXEL: _voxel,
    Method.SHELL: _shell,
    Method.DIVERGENCE: _divergence,
}


def _require_sane(result: VolumeMoments, lower: Points, upper: Points) -> None:
    finite = np.isfinite([result.volume, *result.centroid, *result.second]).all()
    if not finite or result.volume <= 0.0:
        raise MeshError(f"the mesh encloses a volume of {result.volume:g} m³")
    corner = np.maximum(np.abs(lower - result.centroid), np.abs(upper - result.centroid))
    xx, yy, zz = result.second[:3]
    # The mean square distance from the centroid is at most that of the farthest corner.
    if (xx + yy + zz) / result.volume > float(corner @ corner) * (1 + _ROUNDING):
        raise MeshError("the mesh gives a radius of gyration above its bounding radius: its surface crosses itself")


def _require_inside_hull(result: VolumeMoments, used: Points, thickness: float | None) -> None:
    try:
        vertices, faces = convex_hull(used)
    except MeshError:
        # What is flat has no hull; only a wall can stand for it.
        return
    normal = normals(vertices, faces)
    doubled = lengths(normal)
    heights = ((np.array(result.centroid) - vertices[faces[:, 0]]) * normal).sum(axis=1) / np.maximum(doubled, 1e-300)
    size = float(np.linalg.norm(used.max(axis=0) - used.min(axis=0)))
    if heights.max() > size * _ROUNDING + (thickness or 0.0) / 2:
        raise MeshError("the approximation has its centre of mass outside the convex hull of the mesh")
    allowed = moments(vertices, faces).volume + (thickness or 0.0) / 2 * float(doubled.sum()) / 2
    # Cells of voxels at the surface reach out of it; on the whole they cancel, to a per cent.
    if result.volume > allowed * 1.01:
        raise MeshError(
            f"the approximation has a volume of {result.volume:g} m³, more than the {allowed:g} m³ of the convex hull"
        )
