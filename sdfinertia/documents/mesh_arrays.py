"""Closed surfaces as arrays of vertices and faces, which need no repair."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sdfinertia.inertia.polyhedron import moments_if_solid
from sdfinertia.mesh.kernel import is_closed
from sdfinertia.mesh.readers.in_memory import mesh_in_memory, sound_arrays

if TYPE_CHECKING:
    from sdfinertia.inertia.volume_moments import VolumeMoments

__all__ = ["is_closed", "is_closed_array", "mesh_in_memory", "moments_of_closed"]


def moments_of_closed(source: object) -> VolumeMoments | None:
    """The moments of arrays that are a closed surface; None for other sources, and arrays to repair or refuse."""
    arrays = sound_arrays(source)
    return moments_if_solid(*arrays) if arrays is not None and is_closed(*arrays) else None


def is_closed_array(source: object) -> bool | None:
    """Whether arrays are a closed surface; None for other sources, and arrays to refuse."""
    arrays = sound_arrays(source)
    return is_closed(*arrays) if arrays is not None and np.isfinite(arrays[0]).all() else None
