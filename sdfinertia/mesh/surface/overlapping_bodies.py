"""Which bodies of a closed solid reach into the matter of others."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sdfinertia.errors import MeshError
from sdfinertia.inertia.polyhedron import bounding_box
from sdfinertia.mesh.surface.bodies import signed_volumes
from sdfinertia.mesh.surface.closed_solid import ClosedSolid
from sdfinertia.mesh.surface.nesting import sample_points
from sdfinertia.mesh.surface.repaired_surface import diagonal
from sdfinertia.mesh.surface.topology import Indices
from sdfinertia.mesh.surface.winding import windings

Points = npt.NDArray[np.float64]

_SAMPLED_GROUPS = 4096  # of faces, eight points each: enough to meet overlaps of a per cent, few enough to be quick
_MANY = 128  # bodies from which on each group has two points: there are groups enough
_ROUND = 256  # groups that are looked at together at first
_NO_VOLUME = 1e-12  # of area times size: a body as thin overlaps with nothing that could be weighed
# Pairs of a point and a body round it that are looked at: half a second. Where n bodies nest in one another there are
# n for each point, and n² in all.
_MOST_PAIRS = 1 << 17


def overlapping_bodies(solid: ClosedSolid) -> tuple[int | None, tuple[str, ...]]:
    """`(count, notes)`: how many bodies have a point of their surface in the matter of others.

    Points lie on groups of faces. The first group of each body is looked at first, then the second of each, until some
    hundred thousand bodies were met; a note says how many were looked at if not all were. None if it cannot be told.
    """
    if solid.bodies < 2:
        return 0, ()
    faces, body = solid.faces, solid.body_of_face
    low, high = bounding_box(solid.vertices)
    scaled = (solid.vertices - (low / 2 + high / 2)) / diagonal(low, high)
    volume, area = signed_volumes(scaled, faces, body, int(body.max()) + 1)
    samples, owner = _samples(scaled, faces, body, volume > _NO_VOLUME * area)
    each = samples.shape[1]
    inside = np.zeros(len(samples) * each, np.int64)
    met = looked_at = 0
    size = _ROUND
    try:
        while looked_at < len(samples) and met < _MOST_PAIRS:
            some = slice(looked_at, looked_at + size)
            for point, around, winding, unsure in windings(scaled, faces, body, samples[some].reshape(-1, 3), each):
                # A sum over the other bodies: in the hollow of one there is no matter.
                other = around != owner[some][point // each]
                total = np.where(unsure, -len(volume), winding)
                np.add.at(inside, looked_at * each + point[other], total[other])
                met += len(point)
            looked_at = min(looked_at + size, len(samples))
            # Each round goes through all faces, so there are few of them; none should meet more than is left to meet.
            size = min(2 * size, max(_ROUND, (_MOST_PAIRS - met) * looked_at // max(met, 1)))
    except MeshError as error:
        return None, (f"overlaps were not looked for: {error.problem}",)
    count = len(np.unique(owner[(inside.reshape(-1, each) > 0).any(axis=1)]))
    missing = len(np.unique(owner)) - len(np.unique(owner[:looked_at]))
    if missing:
        return count, (f"overlaps were not looked for on {missing:,} of the bodies, which lie in one another",)
    return count, ()


def _samples(vertices: Points, faces: Indices, body: Indices, matter: npt.NDArray[np.bool_]) -> tuple[Points, Indices]:
    """`(points, owner)`: points on each group of faces of bodies of matter, (g, 8 or 2, 3), and its body, (g,)."""
    # Runs of neighbouring faces of one body, so that large bodies are looked at in more places.
    by_body = np.argsort(body, kind="stable")
    run = np.arange(len(faces)) // -(-len(faces) // _SAMPLED_GROUPS)
    first = np.diff(body[by_body], prepend=-1) != 0
    new = first | (np.diff(run, prepend=-1) != 0)
    group = np.empty(len(faces), np.int64)
    group[by_body] = np.cumsum(new) - 1
    owner = body[by_body[new]]
    points = sample_points(vertices, faces, group, len(owner)).reshape(len(owner), -1, 3)
    at = np.arange(len(owner))
    turn = at - np.maximum.accumulate(np.where(first[new], at, 0))
    order = np.argsort(turn, kind="stable")
    order = order[matter[owner[order]]]
    return points[order, : 2 if matter.sum() > _MANY else None], owner[order]
