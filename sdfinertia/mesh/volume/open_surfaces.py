"""The divergence integral of an open surface from the mesh's origin, and how wrong it may be."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from sdfinertia.errors import MeshError
from sdfinertia.inertia.polyhedron import corner_products, moments, pairwise_sum, pairwise_sums
from sdfinertia.inertia.rigid_transform import Vector3
from sdfinertia.inertia.volume_moments import SecondMoments, VolumeMoments
from sdfinertia.mesh.kernel import Flags, Indices, Points, cross, distinct_rows, lengths, surface_area
from sdfinertia.mesh.mesh_solid import OpenSurfaceError
from sdfinertia.mesh.surface.boundary_loops import BoundaryLoops, LoopShapes, boundary_loops, loop_shapes, with_caps
from sdfinertia.mesh.surface.closed_solid import closed_solid
from sdfinertia.mesh.surface.surface_repair import NEAR
from sdfinertia.mesh.surface.topology import RepairedSurface, edges_of, noted

_ORIGIN: Vector3 = (0.0, 0.0, 0.0)


def divergence_moments(
    vertices: Points, faces: Indices, loops: BoundaryLoops | None = None
) -> tuple[VolumeMoments, float]:
    """`(moments, uncertainty)` of the signed tetrahedra between the faces and the origin of the mesh.

    Of a surface that is not closed this is the solid that it makes together with cones from its boundary to the
    origin. It does not depend on how the mesh is turned, but on where its origin lies. The volume is not positive
    where more faces look at the origin than away from it; then nothing is known of the mass.

    The uncertainty is that of the mass, as a part of it: the volume that caps on all boundary loops would add, each
    the cone to the loop's centroid, and for what may bulge beyond a cap its area times the loop's radius. It is
    infinite where the volume is not positive, and tells nothing of pieces that are inside out.

    Args:
        vertices: (n, 3) from the origin of the mesh (m).
        faces: (m, 3), no vertex twice in one face, wound consistently.
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


# Of a loop's radius, how far its vertices may lie from their plane: files round millimetres to a few digits. What a
# flat cap then misses is below a thousandth of the loop's area times its radius.
_PLANAR = 1e-3
# Of the surface's area, that of the cap on a small hole. A dome of 2 % of a sphere's area bulges by 0.12 % of its
# volume beyond a flat cap, and a corner of 2 % of a cube's area by 0.4 %.
_SMALL = 0.02
_POSITIONS_TOLD = 3


def filled(surface: RepairedSurface) -> RepairedSurface:
    """The surface closed by caps on its holes; the same surface if it has none.

    A hole is closed if the loop of edges round it is planar, within a thousandth of its radius, whatever its size; or
    if its cap, the cone to the loop's centroid, has at most 2 % of the surface's area. On planar holes the cap is
    exact; of the small ones it is noted how much volume may bulge beyond their caps: area times radius of each.
    """
    if not len(surface.open_edges):
        return surface
    if surface.one_sided:
        raise _refusal(surface, "the mesh has only one side, like a Möbius strip, so lids would enclose nothing", 0)
    with np.errstate(all="ignore"):
        loops = boundary_loops(surface.edges)
        shapes = loop_shapes(surface.vertices, loops)
        # Float32 coordinates of a plane lie that far from it.
        planar = shapes.height <= np.maximum(_PLANAR * shapes.radius, NEAR * _size(surface.vertices))
        small = ~planar & (shapes.area <= _SMALL * surface_area(surface.vertices, surface.faces))
        remaining = ~(planar | small)
        if remaining.any():
            raise _remaining_error(surface, loops, shapes, remaining)
        vertices, faces = with_caps(surface.vertices, surface.faces, loops, shapes.centre)
        notes = noted(
            surface.notes, int(planar.sum()), "planar hole was closed by a lid", "planar holes were closed by lids"
        )
        if small.any():
            bulge = pairwise_sum((shapes.area * shapes.radius)[small])
            # Bodies that are not yet outward would cancel each other in the sum.
            solid = closed_solid(vertices, faces)
            unknown = 100 * bulge / moments(solid.vertices, solid.faces).volume
            so = f"so the mass is uncertain by up to {unknown:.2g} %"
            notes = noted(
                notes,
                int(small.sum()),
                f"small hole was closed by a lid, {so}",
                f"small holes were closed by lids, {so}",
            )
    return replace(surface, vertices=vertices, faces=faces, edges=edges_of(faces), notes=notes)


def _size(vertices: Points) -> float:
    return float((vertices.max(axis=0) - vertices.min(axis=0)).max())


def _remaining_error(
    surface: RepairedSurface, loops: BoundaryLoops, shapes: LoopShapes, remaining: Flags
) -> OpenSurfaceError:
    """The error that names the largest of the holes that cannot be closed."""
    count, edges = int(remaining.sum()), int(loops.sizes[remaining].sum())
    largest = np.flatnonzero(remaining)
    largest = largest[np.argsort(-shapes.area[largest], kind="stable")[:_POSITIONS_TOLD]]
    places = ", ".join(
        "({:.6g}, {:.6g}, {:.6g}) of radius {:.3g}".format(*(shapes.centre[hole] + 0.0).tolist(), shapes.radius[hole])
        for hole in largest
    )
    more = ", ..." if count > len(largest) else ""
    what = "hole is" if count == 1 else "holes are"
    return _refusal(
        surface,
        f"{count:,} {what} neither planar nor small, about {places}{more}: {edges:,} edges stay open",
        edges,
    )


def _refusal(surface: RepairedSurface, problem: str, open_edges: int) -> OpenSurfaceError:
    return OpenSurfaceError(problem, open_edges or len(surface.open_edges), surface.edges.count, surface.one_sided)


_ENTRIES = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))


def shell_moments(vertices: Points, faces: Indices, thickness: float) -> VolumeMoments:
    """The volume, centroid and second moments of a wall that reaches half its thickness to either side of the faces.

    Each face stands for the right prism over it: with area A, unit normal n and S the integral of r rᵀ over the face,
    the volume is t A and the second moments are t S + t³/12 A n nᵀ. So a flat plate is exact; on a curved wall the
    prisms overlap inside as much as they gape outside, to the order (t/r)². Faces on the same three vertices, however
    wound, are one wall. Windings, holes and crossings of walls make no difference.

    Formula: ∫ r rᵀ dA = A/12 (a aᵀ + b bᵀ + c cᵀ + s sᵀ), with s = a + b + c, for a triangle with the corners a, b, c
    (the products of its barycentric coordinates integrate to A/12, the squares to A/6).

    Args:
        vertices: (n, 3) positions (m), no two equal.
        faces: (m, 3), in any winding.
        thickness: of the wall (m).
    """
    if not (math.isfinite(thickness) and thickness > 0.0):
        raise MeshError(f"the thickness of a shell is {thickness:g} m, not a positive number")
    with np.errstate(all="ignore"):
        corners = np.ascontiguousarray(vertices[_each_once(faces)].transpose(1, 2, 0))  # corner, axis, face
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
            raise MeshError(f"the faces have an area of {total:g} m²: no shell stands on them")
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


def _each_once(faces: Indices) -> Indices:
    """The faces (m, 3) without those on three vertices that a face before them has, whichever way round."""
    first, _ = distinct_rows(np.sort(np.asarray(faces, dtype=np.int64), axis=1).view(np.uint64))
    return faces[first]
