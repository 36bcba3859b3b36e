"""What a description may ask of the way an inertia is computed."""

from __future__ import annotations

from sdfinertia.named_tuple import NamedTuple

# SDFormat's default density, that of water (kg/m³); a blank <density/> counts as having it given.
DEFAULT_DENSITY = 1000.0


class InertiaParameters(NamedTuple):
    """What the parameters ask for; None where they do not say.

    Attributes:
        method: one of METHODS.
        open_mesh: one of OPEN_MESH_POLICIES.
        overlaps: one of OVERLAPS.
        voxel_size, thickness: in m.
        calculator: name of a registered calculator.
        others: children that are not known here, by local name; they are a calculator's.
        notes: what is to be said of them.
    """

    method: str | None = None
    open_mesh: str | None = None
    overlaps: str | None = None
    voxel_size: float | None = None
    thickness: float | None = None
    calculator: str | None = None
    others: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
