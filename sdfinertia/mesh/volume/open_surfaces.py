"""Open surfaces: the divergence integral from the mesh's origin, holes closed by caps, and shells."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from sdfinertia.errors import MeshError, OpenMeshError
from sdfinertia.inertia.polyhedron import corner_products, moments, pairwise_sum, pairwise_sums
from sdfinertia.inertia.rigid_transform import Vector3
from sdfinertia.inertia.volume_moments import SecondMoments, VolumeMoments
from sdfinertia.mesh.kernel import Flags, Indices, Points, cross, distinct_rows, lengths, surface_area
from sdfinertia.mesh.surface.boundary_loops import BoundaryLoops, LoopShapes, boundary_loops, loop_shapes, with_caps
from sdfinertia.mesh.surface.closed_solid import closed_solid
from sdfinertia.mesh.surface.surface_repair import NEAR
from sdfinertia.mesh.surface.topology import RepairedSurface, edges_of, noted

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


# Of a loop's radius, how far its vertices may lie from their plane: files round millimetres to a few digits. What a
# flat cap then misses is below a thousandth of the loop's area times its radius.
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
        raise OpenMeshError(problem, one_sided=True)
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
        notes = noted(surface.notes, int(planar.sum()), "planar hole[s] [was|were] closed by [a cap|caps]")
        if small.any():
            bulge = pairwise_sum((shapes.area * shapes.radius)[small])
            # Bodies that are not yet outward would cancel each other in the sum.
            solid = closed_solid(vertices, faces)
            unknown = 100 * bulge / moments(solid.vertices, solid.faces).volume
            so = f"so the mass is uncertain by up to {unknown:.2g} %"
            notes = noted(notes, int(small.sum()), f"small hole[s] [was|were] closed by [a cap|caps], {so}")
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
    return OpenMeshError(f"{count:,} {what} neither planar nor small, about {places}{more}: {edges:,} edges stay open")


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
