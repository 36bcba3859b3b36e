"""Whether a block that was filled before still is what its file says."""

from __future__ import annotations

import math
from typing import NamedTuple

from sdfinertia.inertia.spatial_inertia import SpatialInertia
from sdfinertia.links.computation import Computation

CLEAN, STALE, EDITED = "clean", "stale", "edited"

# Differences below this part of the body's scale are no finding: a mesh exported again moves its last bits.
_RELATIVE_SLACK = 1e-9


class Verification(NamedTuple):
    """What came of verifying a block.

    Attributes:
        status: CLEAN, STALE (a number that is written differs from what the file gives) or EDITED (by hand).
        computation: of the link, where finding out took computing it.
    """

    status: str
    computation: Computation | None = None


def differs_from(computed: SpatialInertia, written: SpatialInertia, digits: int, mass_given: bool) -> bool:
    """Whether a number differs by more than half a unit of its last written digit and a sliver of the scale.

    Args:
        computed, written: inertias in the link frame.
        digits: significant digits that were written.
        mass_given: the mass is its author's, and not compared.
    """
    x, y, z = computed.p_BoBcm_B
    size = max(math.sqrt(x * x + y * y + z * z), computed.gyradius)
    largest = max(abs(value) for value in computed.I_BBcm_B)
    pairs = [(a, b, size) for a, b in zip(computed.p_BoBcm_B, written.p_BoBcm_B, strict=True)]
    pairs += ((a, b, largest) for a, b in zip(computed.I_BBcm_B, written.I_BBcm_B, strict=True))
    if not mass_given:
        pairs.append((computed.mass, written.mass, computed.mass))
    # `not ... <=` so that a NaN differs.
    return any(not abs(a - b) <= _half_unit(b, digits) + _RELATIVE_SLACK * scale for a, b, scale in pairs)


def _half_unit(written: float, digits: int) -> float:
    return 0.5 * 10.0 ** (math.floor(math.log10(abs(written))) - digits + 1) if written else 0.0
