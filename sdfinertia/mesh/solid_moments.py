"""From triangles to the moments of the solid they represent, by the requested method; moments of open surfaces."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from sdfinertia.errors import MeshError, OpenMeshError, ThicknessError
from sdfinertia.inertia.polyhedron import corner_products, moments, pairwise_sum, pairwise_sums
from sdfinertia.inertia.rigid_transform import Vector3
from sdfinertia.inertia.volume_moments import SecondMoments, VolumeMoments
from sdfinertia.mesh.boolean_union import bodies_united
from sdfinertia.mesh.boundary_loops import BoundaryLoops, LoopShapes, boundary_loops, loop_shapes, with_caps
from sdfinertia.mesh.closed_solid import ClosedSolid, bounded_by, closed_solid
from sdfinertia.mesh.convex_hulls import convex_hull, decomposed
from sdfinertia.mesh.kernel import Flags, Indices, Points, cross, distinct_rows, lengths, normals, surface_area
from sdfinertia.mesh.method import CLOSE_IT, MeshSolid, MeshTreatment, Method, Overlaps
from sdfinertia.mesh.repair import NEAR, repaired_surface
from sdfinertia.mesh.topology import RepairedSurface, edges_of, noted
from sdfinertia.mesh.triangle_mesh import TriangleMesh
from sdfinertia.mesh.voxel import voxel_moments
from sdfinertia.mesh.windings import sampled_windings

# Relative tolerance of the checks of a result.
_ROUNDING = 1e-9


def solid_of(mesh: TriangleMesh, method: Method, treatment: MeshTreatment) -> MeshSolid:
    """The solid that a mesh represents by a method: the treatment's own, or its policy for an open mesh."""
    with np.errstate(all="ignore"):  # an overflow shows in the result
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
        if method not in (Method.EXACT, Method.FILL_HOLES, Method.LEGACY, Method.SURFACE):
            thickness = treatment.thickness if method is Method.SHELL else None
            _require_inside_hull(result, mesh, thickness)
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
    surface = repaired_surface(mesh.vertices, mesh.faces) if surface is None else surface
    if len(surface.open_edges):
        # Kept: a refused solid is mostly measured in another way next.
        mesh.handed_on["surface"] = surface
    return surface


def _hull(mesh: TriangleMesh) -> tuple[Points, Indices]:
    """The hull, cached: results of other methods are checked against it."""
    if "hull" not in mesh.handed_on:
        mesh.handed_on["hull"] = convex_hull(mesh.used_vertices())
    found: tuple[Points, Indices] = mesh.handed_on["hull"]
    return found


def _exact_surface(mesh: TriangleMesh, treatment: MeshTreatment) -> _Surface:
    solid = bounded_by(_repaired(mesh))
    if treatment.overlaps is not Overlaps.UNION or solid.bodies < 2:
        return solid.vertices, solid.faces, solid.notes

    return *bodies_united(solid), (*solid.notes, f"what its {solid.bodies} bodies share is counted once")


def _hull_surface(mesh: TriangleMesh, treatment: MeshTreatment) -> _Surface:
    return *_hull(mesh), ("the convex hull is used for the mesh",)


def _filled_surface(mesh: TriangleMesh, treatment: MeshTreatment) -> _Surface:
    surface = filled(_repaired(mesh))
    solid = closed_solid(surface.vertices, surface.faces)
    return solid.vertices, solid.faces, (*surface.notes, *solid.notes)


_SURFACES: Mapping[str, Callable[[TriangleMesh, MeshTreatment], _Surface]] = {
    Method.EXACT: _exact_surface,
    Method.CONVEX_HULL: _hull_surface,
    Method.FILL_HOLES: _filled_surface,
}


def _convex_decomposition(mesh: TriangleMesh, treatment: MeshTreatment) -> _Measure:
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

    surface = _closed_if_possible(mesh)
    solid = voxel_moments(surface.vertices, surface.faces, treatment.voxel_size)
    note = (
        f"voxels of {solid.voxel_size:.3g} m are used for the mesh, mass uncertain by about {100 * solid.error:.2g} %"
    )
    return solid.moments, solid.error, (*surface.notes, note)


def _shell(mesh: TriangleMesh, treatment: MeshTreatment) -> _Measure:
    if treatment.thickness is None:
        raise ThicknessError(
            "a shell needs a thickness", remedy="give <sdfinertia:thickness> in <auto_inertia_params>, or --thickness"
        )
    surface = _repaired(mesh)
    result = shell_moments(surface.vertices, surface.faces, treatment.thickness)
    return result, 0.0, (*surface.notes, f"the mesh is taken for a wall {treatment.thickness:g} m thick")


def _divergence(mesh: TriangleMesh, treatment: MeshTreatment) -> _Measure:
    surface = _repaired(mesh)
    result, uncertainty = divergence_moments(surface.vertices, surface.faces)
    note = f"the open surface is integrated from its origin, mass uncertain by {100 * uncertainty:.2g} %"
    return result, uncertainty, (*surface.notes, note)


def _legacy(mesh: TriangleMesh, treatment: MeshTreatment) -> _Measure:
    return legacy_moments(mesh.vertices, mesh.faces), 0.0, ("the volume is overcounted, as MuJoCo's legacy inertia is",)


def _surface(mesh: TriangleMesh, treatment: MeshTreatment) -> _Measure:
    return surface_moments(mesh.vertices, mesh.faces), 0.0, ("the faces have the mass, as in MuJoCo's shell inertia",)


_MEASURES = {
    Method.LEGACY: _legacy,
    Method.SURFACE: _surface,
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


def _require_inside_hull(result: VolumeMoments, mesh: TriangleMesh, thickness: float | None) -> None:
    try:
        vertices, faces = _hull(mesh)
    except MeshError:
        # A flat mesh has no hull; only the shell method takes it.
        return
    normal = normals(vertices, faces)
    doubled = lengths(normal)
    heights = ((np.array(result.centroid) - vertices[faces[:, 0]]) * normal).sum(axis=1) / np.maximum(doubled, 1e-300)
    lower, upper = mesh.bounds
    size = float(np.linalg.norm(upper - lower))
    if heights.max() > size * _ROUNDING + (thickness or 0.0) / 2:
        raise MeshError("the approximation has its centre of mass outside the convex hull of the mesh")
    allowed = moments(vertices, faces).volume + (thickness or 0.0) / 2 * float(doubled.sum()) / 2
    # Cells of voxels at the surface reach out of it; on the whole they cancel, to a per cent.
    if result.volume > allowed * 1.01:
        raise MeshError(
            f"the approximation has a volume of {result.volume:g} m³, more than the {allowed:g} m³ of the convex hull"
        )


# Open surfaces --------------------------------------------------------------------------------------------------------


_ORIGIN: Vector3 = (0.0, 0.0, 0.0)


def divergence_moments(
    vertices: Points, faces: Indices, loops: BoundaryLoops | None = None
) -> tuple[VolumeMoments, float]:
    """`(moments, uncertainty)` of the signed tetrahedra between the faces and the origin of the mesh.

    An open surface counts with cones from its boundary to the origin. The uncertainty is relative to the mass: the
    volume that caps on all boundary loops would add, and for what may bulge beyond a cap its area times the loop's
    radius. It is infinite where the volume is not positive, and knows nothing of pieces that are inside out.
    """
    result = moments(vertices, faces, _ORIGIN)
    with np.errstate(all="ignore"):
        if loops is None:
            loops = boundary_loops(edges_of(faces))
        if not loops.count:
            return result, 0.0
        shapes = loop_shapes(vertices, loops)
        capped, closed = with_caps(vertices, faces, loops, shapes.centre)
        caps = moments(capped, closed[len(faces) :], _ORIGIN).volume
        # Beyond the flat cap where a sphere's dome is missing, with h its height in radii of the loop, lie h(3 + h²)/6
        # of this: two thirds for half a sphere. Of random solids without up to a tenth of their faces none needs more
        # than 0.4.
        bulge = pairwise_sum(shapes.area * shapes.radius)
        error = abs(caps) + bulge
        known = result.volume > 0.0 and math.isfinite(error)
        return result, error / result.volume if known else math.inf


# Part of a loop's radius by which its vertices may lie off their plane: files round millimetres to a few digits. The
# volume beyond a flat cap is then below a thousandth of the loop's area times its radius.
_PLANAR = 1e-3
# Of the surface's area, that of the cap on a small hole. A dome of 2 % of a sphere's area bulges by 0.12 % of its
# volume beyond a flat cap, and a corner of 2 % of a cube's area by 0.4 %.
_SMALL = 0.02
_HOLES_SHOWN = 3


def filled(surface: RepairedSurface) -> RepairedSurface:
    """The surface closed by caps on its holes.

    A hole is closed if its loop is planar within a thousandth of its radius, or its cap has at most 2 % of the
    surface's area; for these the note says how much volume may bulge beyond their caps: area times radius of each.
    """
    if not len(surface.open_edges):
        return surface
    if surface.one_sided:
        problem = "the mesh has only one side, like a Möbius strip, so caps would enclose nothing"
        raise OpenMeshError(problem, remedy=CLOSE_IT, one_sided=True)
    with np.errstate(all="ignore"):
        loops = boundary_loops(surface.edges)
        shapes = loop_shapes(surface.vertices, loops)
        # Float32 coordinates of a plane lie that far from it.
        planar = shapes.height <= np.maximum(
            _PLANAR * shapes.radius, NEAR * float(np.ptp(surface.vertices, axis=0).max())
        )
        small = ~planar & (shapes.area <= _SMALL * surface_area(surface.vertices, surface.faces))
        remaining = ~(planar | small)
        if remaining.any():
            raise _remaining_error(loops, shapes, remaining)
        vertices, faces = with_caps(surface.vertices, surface.faces, loops, shapes.centre)
        notes = noted(surface.notes, int(planar.sum()), "planar hole[s] closed by [a cap|caps]")
        if small.any():
            bulge = pairwise_sum((shapes.area * shapes.radius)[small])
            # Bodies that are not yet outward would cancel each other in the sum.
            solid = closed_solid(vertices, faces)
            unknown = 100 * bulge / moments(solid.vertices, solid.faces).volume
            so = f"so the mass is uncertain by up to {unknown:.2g} %"
            notes = noted(notes, int(small.sum()), f"small hole[s] closed by [a cap|caps], {so}")
    return replace(surface, vertices=vertices, faces=faces, edges=edges_of(faces), notes=notes)


def _remaining_error(loops: BoundaryLoops, shapes: LoopShapes, remaining: Flags) -> OpenMeshError:
    """The error that names the largest of the holes that cannot be closed."""
    count, edges = int(remaining.sum()), int(loops.sizes[remaining].sum())
    largest = np.flatnonzero(remaining)
    largest = largest[np.argsort(-shapes.area[largest], kind="stable")[:_HOLES_SHOWN]]
    places = ", ".join(
        "({:.6g}, {:.6g}, {:.6g}) of radius {:.3g}".format(*(shapes.centre[hole] + 0.0).tolist(), shapes.radius[hole])
        for hole in largest
    )
    more = ", ..." if count > len(largest) else ""
    what = "hole is" if count == 1 else "holes are"
    problem = f"{count:,} {what} neither planar nor small, about {places}{more}: {edges:,} edges stay open"
    return OpenMeshError(problem, remedy=CLOSE_IT)


_ENTRIES = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))


def shell_moments(vertices: Points, faces: Indices, thickness: float) -> VolumeMoments:
    """The moments of a wall that extends half its thickness (m) to either side of the faces.

    Each face counts as the right prism over it: with area A, unit normal n and S = ∫ r rᵀ dA, the volume is t A and the
    second moments are t S + t³/12 A n nᵀ. So a flat plate is exact; on a curved wall overlaps and gaps cancel to the
    order (t/r)². Faces on the same three vertices are one wall.

    Formula: S = A/12 (a aᵀ + b bᵀ + c cᵀ + s sᵀ), with s = a + b + c, for a triangle with the corners a, b, c.
    """
    if not (math.isfinite(thickness) and thickness > 0.0):
        raise MeshError(f"the thickness of a shell is {thickness:g} m, not a positive number")
    with np.errstate(all="ignore"):
        once, _ = distinct_rows(np.sort(np.asarray(faces, dtype=np.int64), axis=1).view(np.uint64))
        corners = np.ascontiguousarray(vertices[faces[once]].transpose(1, 2, 0))  # corner, axis, face
        if corners.size == 0:
            raise MeshError("the mesh has no faces")
        low, high = corners.min(axis=(0, 2)), corners.max(axis=(0, 2))
        centre = low / 2 + high / 2
        corners -= centre[:, None]
        a, b, c = corners
        normal = 0.5 * cross((b - a).T, (c - a).T)
        area = lengths(normal)
        total = pairwise_sum(area)
        if not (math.isfinite(total) and total > 0.0):
            raise MeshError(f"the faces have an area of {total:g} m², so there is no shell")
        middle = pairwise_sums(area * (a + b + c)) / (3.0 * total)
        # From the centroid, so that nothing of a wall far from its origin cancels.
        corners -= middle[:, None]
        unit = normal.T / np.where(area > 0, area, 1.0)
        wall = thickness * thickness * thickness / 12.0
        flat = thickness / 12.0 * pairwise_sums(area * corner_products(corners))
        across = [pairwise_sum(area * unit[i] * unit[j]) for i, j in _ENTRIES]
        second = [within + wall * beyond for within, beyond in zip(flat.tolist(), across, strict=True)]
        x, y, z = (centre + middle).tolist()
    xx, yy, zz, xy, xz, yz = second
    entries: SecondMoments = (xx, yy, zz, xy, xz, yz)
    return VolumeMoments(thickness * total, (x, y, z), entries)


Values = npt.NDArray[np.float64]

_LEAST = 1e-15  # mjMINVAL (m² or m³)


def legacy_moments(vertices: Points, faces: Indices) -> VolumeMoments:
    """Tetrahedra from the centroid of the faces, all counted as positive, which overcounts non-convex meshes.

    Args:
        vertices: (#V, 3) (m).
        faces: (#F, 3).
    """
    corners = _corners(vertices, faces)
    area, centre = _areas(corners)
    middle = _centroid(area, centre)
    volume = _volumes(corners, middle)
    total = pairwise_sum(volume)
    if not total >= _LEAST:
        raise MeshError(f"the mesh encloses a volume of {total:g} m³")
    centroid = pairwise_sums(volume * (0.75 * centre.T + 0.25 * middle[:, None])) / total
    # About its centre of mass the tetrahedra, and so their sum, differ.
    return _moments(corners, centroid, _volumes(corners, centroid), 20.0)


def exact_volume(vertices: Points, faces: Indices) -> float:
    """The volume by "exact": tetrahedra with signs; NaN where MuJoCo refuses faces that disagree or point inward."""
    corners = _corners(vertices, faces)
    area, centre = _areas(corners)
    edges = np.concatenate([faces[area > 0.0][:, [k, (k + 1) % 3]] for k in range(3)]).astype(np.int64)
    if len(np.unique(edges @ np.array([len(vertices), 1]))) < len(edges):
        return np.nan
    a, b, c = corners - _centroid(area, centre)
    volume = pairwise_sum((a * cross(b, c)).sum(axis=1)) / 6.0
    return volume if volume >= _LEAST else np.nan


def surface_moments(vertices: Points, faces: Indices) -> VolumeMoments:
    """The faces without thickness: its volume is the area (m²), so that densities are in kg/m²."""
    corners = _corners(vertices, faces)
    area, centre = _areas(corners)
    return _moments(corners, _centroid(area, centre), area, 12.0)


def _corners(vertices: Points, faces: Indices) -> Values:
    """(3, #F, 3): corner, face, axis."""
    return np.ascontiguousarray(np.asarray(vertices, np.float64)[faces].transpose(1, 0, 2))


def _areas(corners: Values) -> tuple[Values, Values]:
    """The area of each face (#F), and its centre (#F, 3)."""
    a, b, c = corners
    return 0.5 * lengths(cross(b - a, c - a)), (a + b + c) / 3.0


def _centroid(area: Values, centre: Values) -> Values:
    total = pairwise_sum(area)
    if not total >= _LEAST:
        raise MeshError(f"the faces have an area of {total:g} m²")
    middle: Values = pairwise_sums(area * np.ascontiguousarray(centre.T)) / total
    return middle


def _volumes(corners: Values, apex: Values) -> Values:
    a, b, c = corners - apex
    volumes: Values = np.abs((a * cross(b, c)).sum(axis=1)) / 6.0
    return volumes


def _moments(corners: Values, centroid: Values, weight: Values, divisor: float) -> VolumeMoments:
    """Of simplices with the centroid as one corner, or of triangles, by their weights."""
    products = corner_products(np.ascontiguousarray((corners - centroid).transpose(0, 2, 1)))
    xx, yy, zz, xy, xz, yz = (pairwise_sums(weight * products) / divisor).tolist()
    second: SecondMoments = (xx, yy, zz, xy, xz, yz)
    x, y, z = centroid.tolist()
    return VolumeMoments(pairwise_sum(weight), (x, y, z), second)
