"""A calculator that takes a mesh for a share of its bounding box."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sdfinertia import SpatialInertia, box

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sdfinertia.calculators import CalculatorMesh


def bounding_box(density: float, mesh: CalculatorMesh, parameters: Mapping[str, str]) -> SpatialInertia | None:
    """The inertia of the mesh's bounding box, filled to the share that `<fill>` says (1 by default)."""
    used = mesh.vertices[np.unique(mesh.faces)] * np.array(mesh.scale)
    low, high = used.min(axis=0), used.max(axis=0)
    if not (high > low).all():
        return None
    x, y, z = (high - low).tolist()
    centre = ((low + high) / 2).tolist()
    return box((x, y, z), density * float(parameters.get("fill", "1"))).shifted((centre[0], centre[1], centre[2]))
