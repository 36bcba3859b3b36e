"""Closes the planar and the small holes of a surface."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from sdfinertia.inertia.polyhedron import moments, pairwise_sum
from sdfinertia.mesh.refusals import OpenSurfaceError
from sdfinertia.mesh.surface.boundary_loops import BoundaryLoops, LoopShapes, boundary_loops, loop_shapes, with_lids
from sdfinertia.mesh.surface.closed_solid import closed_solid
from sdfinertia.mesh.surface.repaired_surface import RepairedSurface, noted
from sdfinertia.mesh.surface.surface_area import surface_area
from sdfinertia.mesh.surface.surface_repair import NEAR
from sdfinertia.mesh.surface.topology import Flags, edges_of

Points = npt.NDArray[np.float64]

# Of a loop's radius, how far its vertices may lie from their plane: files round millimetres to a few digits. What a
# flat lid then misses is below a thousandth of the loop's area times its radius.
_PLANAR = 1e-3
# Of the surface's area, that of the lid on a small hole. A cap of 2 % of a sphere's area bulges by 0.12 % of its
# volume beyond a flat lid, and a corner of 2 % of a cube's area by 0.4 %.
_SMALL = 0.02
_POSITIONS_TOLD = 3


def filled(surface: RepairedSurface) -> RepairedSurface:
    """The surface closed by lids on its holes; the same surface if it has none.

    A hole is closed if the loop of edges round it is planar, within a thousandth of its radius, whatever its size; or
    if its lid, the cone to the loop's centroid, has at most 2 % of the surface's area. On planar holes the lid is
    exact; of the small ones it is noted how much volume may bulge beyond their lids: area times radius of each.

    Raises:
        OpenSurfaceError: a hole is neither planar nor small, or the surface has only one side.
        MeshError: closed by lids the surface encloses no volume.
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
        vertices, faces = with_lids(surface.vertices, surface.faces, loops, shapes.centre)
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
