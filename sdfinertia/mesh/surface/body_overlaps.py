"""How many bodies of a mesh overlap others, by samples of their surfaces."""

from __future__ import annotations

import numpy as np

from sdfinertia.errors import MeshError
from sdfinertia.inertia.polyhedron import bounding_box
from sdfinertia.mesh.kernel import Flags, Indices, Points
from sdfinertia.mesh.surface.separate_bodies import signed_volumes
from sdfinertia.mesh.surface.topology import diagonal
from sdfinertia.mesh.surface.winding import sample_points, windings

_SAMPLED_GROUPS = 4096  # of faces, eight points each: enough to meet overlaps of a per cent, few enough to be quick
_MANY = 128  # bodies from which on each group has two points: there are groups enough
_ROUND = 256  # groups in the first batch
_NO_VOLUME = 1e-12  # part of area times size: the overlaps of a body as thin weigh nothing
# Pairs of a point and a body round it that are tested: half a second. Where n bodies nest in one another there are
# n for each point, and n² in all.
_MAX_MET = 1 << 17


def overlapping_bodies(
    vertices: Points, faces: Indices, body: Indices, bodies: int
) -> tuple[int | None, tuple[str, ...]]:
    """`(count, notes)`: how many bodies have a point of their surface in others; None if it cannot be found.

    Points lie on groups of faces: the first group of each body, then the second of each, until enough bodies were met.
    """
    if bodies < 2:
        return 0, ()
    low, high = bounding_box(vertices)
    scaled = (vertices - (low / 2 + high / 2)) / diagonal(low, high)
    volume, area = signed_volumes(scaled, faces, body, int(body.max()) + 1)
    samples, owner = _samples_of_groups(scaled, faces, body, volume > _NO_VOLUME * area)
    each = samples.shape[1]
    inside = np.zeros(len(samples) * each, np.int64)
    met = done = 0
    size = _ROUND
    try:
        while done < len(samples) and met < _MAX_MET:
            some = slice(done, done + size)
            for point, around, winding, unsure in windings(scaled, faces, body, samples[some].reshape(-1, 3), each):
                # A sum over the other bodies: in the hollow of one there is no matter.
                other = around != owner[some][point // each]
                total = np.where(unsure, -len(volume), winding)
                np.add.at(inside, done * each + point[other], total[other])
                met += len(point)
            done = min(done + size, len(samples))
            # Each round goes through all faces, so there are few of them; none should meet more than is left to meet.
            size = min(2 * size, max(_ROUND, (_MAX_MET - met) * done // max(met, 1)))
    except MeshError as error:
        return None, (f"overlaps were not looked for: {error.problem}",)
    count = len(np.unique(owner[(inside.reshape(-1, each) > 0).any(axis=1)]))
    missing = len(np.unique(owner)) - len(np.unique(owner[:done]))
    if missing:
        return count, (f"overlaps were not looked for on {missing:,} nested bodies",)
    return count, ()


def _samples_of_groups(vertices: Points, faces: Indices, body: Indices, matter: Flags) -> tuple[Points, Indices]:
    """`(points, owner)`: points on each group of faces of bodies of matter, (g, 8 or 2, 3), and its body, (g,)."""
    # Runs of neighbouring faces of one body: large bodies are sampled in more places.
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
