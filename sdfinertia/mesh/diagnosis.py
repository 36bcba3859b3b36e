"""The diagnosis of a mesh: its structure, its faults, and their effect on the mass."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import numpy as np

from sdfinertia.errors import MeshError
from sdfinertia.mesh.boundary_loops import boundary_loops
from sdfinertia.mesh.facts import MeshDiagnosis
from sdfinertia.mesh.kernel import Indices, are_flat, distinct_triangles, earlier_equals, on_used_rows, surface_area
from sdfinertia.mesh.pipeline import Pipeline
from sdfinertia.mesh.repair import NEAR
from sdfinertia.mesh.topology import (
    RepairedSurface,
    components,
    disagreeing_faces,
    edges_of,
    without_repeated_vertex,
)
from sdfinertia.mesh.windings import sampled_windings

_METRES = 10.0  # a link is seldom larger; 1 cm in millimetres read as metres is


def diagnose(pipeline: Pipeline) -> MeshDiagnosis:
    """Of points alone, that of their hull."""
    if not len(pipeline.mesh.faces):
        hull = pipeline.hull
        pipeline = Pipeline(replace(pipeline.mesh, vertices=hull.vertices, faces=hull.faces, is_welded=False))
    with np.errstate(all="ignore"):
        try:
            surface = pipeline.surface
        except MeshError as error:
            diagnosis = _as_listed(pipeline, None)
            return diagnosis._replace(notes=(*diagnosis.notes, error.problem))
        diagnosis = _as_listed(pipeline, surface)
        diagnosis = diagnosis._replace(
            one_sided=surface.one_sided,
            non_manifold_edges=int((surface.edges.sizes > 2).sum()),
            surface_area=surface_area(surface.vertices, surface.faces),
        )
        with suppress(MeshError):
            diagnosis = diagnosis._replace(hull_volume=pipeline.hull.moments.volume)
        return _open(diagnosis, surface) if len(surface.open_edges) else _closed(diagnosis, pipeline)


def _as_listed(pipeline: Pipeline, surface: RepairedSurface | None) -> MeshDiagnosis:
    mesh, (positions, welded) = pipeline.mesh, pipeline.welded
    lower, upper = mesh.bounds
    sound = without_repeated_vertex(welded)
    width, depth, height = (upper - lower).tolist()
    tolerance = NEAR * float(np.hypot(np.hypot(width, depth), height))
    flat = are_flat(positions, sound, tolerance)
    repeated, double, inconsistent = _faults(sound, len(positions), surface)
    x, y, z = lower.tolist()
    far_x, far_y, far_z = upper.tolist()
    return MeshDiagnosis(
        faces=len(mesh.faces),
        vertices=len(positions),
        degenerate_faces=len(welded) - len(sound) + int(flat.sum()),
        duplicate_faces=repeated,
        double_sided_share=double,
        inconsistent_faces=inconsistent,
        lower=(x, y, z),
        upper=(far_x, far_y, far_z),
        may_be_millimetres=bool((upper - lower).max() > _METRES),
        notes=mesh.notes,
    )


def _faults(sound: Indices, count: int, surface: RepairedSurface | None) -> tuple[int, float, int]:
    """Faces listed again, the share of the others whose reverse is there too, and faces to be flipped."""
    if not len(sound):
        return 0, 0.0, 0
    is_plain = surface is not None and surface.edges.is_manifold and not surface.has_coincident_faces
    if surface is not None and is_plain and np.array_equal(surface.faces, on_used_rows(sound, count)[1]):
        return 0, 0.0, 0
    _, number, ascending = distinct_triangles(sound)
    once = sound[earlier_equals(2 * number + ascending) == 0]
    unwound, pair, _ = distinct_triangles(once)
    # A face and its reverse need not agree with their neighbours: one of them does.
    double = (np.bincount(pair) == 2)[pair]
    single = double[unwound]
    flipped, _ = disagreeing_faces(len(unwound), edges_of(once[unwound]), np.where(single, 0, 1))
    return len(sound) - len(once), float(double.mean()), int((flipped & ~single).sum())


def _open(diagnosis: MeshDiagnosis, surface: RepairedSurface) -> MeshDiagnosis:
    u, v, _ = surface.edges.pairs()
    return diagnosis._replace(
        bodies=int(components(len(surface.faces), u, v).max()) + 1,
        open_edges=len(surface.open_edges),
        open_positions=tuple((x, y, z) for x, y, z in surface.open_positions()),
        boundary_loops=boundary_loops(surface.edges).count,
        notes=diagnosis.notes + surface.notes,
    )


def _closed(diagnosis: MeshDiagnosis, pipeline: Pipeline) -> MeshDiagnosis:
    try:
        solid = pipeline.solid
    except MeshError as error:
        return diagnosis._replace(notes=(*diagnosis.notes, *pipeline.surface.notes, error.problem))
    why: tuple[str, ...] = ()
    windings = solid.windings or sampled_windings(solid.vertices, solid.faces, thorough=True)
    volume: float | None = solid.moments.volume
    if windings is not None:
        diagnosis = diagnosis._replace(min_winding=windings.least, max_winding=windings.greatest)
        why = windings.notes
        try:
            windings.require_positive()
        except MeshError as error:
            volume, why = None, (*why, error.problem)
    return diagnosis._replace(
        bodies=solid.bodies,
        cavities=solid.cavities,
        inside_out_bodies=solid.flipped,
        volume=volume,
        notes=(*diagnosis.notes, *solid.notes, *why),
    )
