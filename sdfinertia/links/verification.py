"""Whether a block that was filled before still is what its file says."""

from __future__ import annotations

import math
from collections.abc import Iterator
from enum import Enum, auto
from typing import TYPE_CHECKING

from sdfinertia.named_tuple import NamedTuple
from sdfinertia.robot.numbers import half_unit

if TYPE_CHECKING:
    from sdfinertia.inertia.spatial_inertia import InertiaTensor
    from sdfinertia.links.computation import Computation
    from sdfinertia.links.inertia import LinkInertia
    from sdfinertia.robot.values import Written


class BlockState(Enum):
    """What a block that was filled is now."""

    CLEAN = auto()
    # A number that is written differs from what the file gives.
    STALE = auto()
    # By hand.
    EDITED = auto()


# Differences below this part of a number's scale are no finding: a mesh exported again moves its last bits.
_RELATIVE_SLACK = 1e-9

# What rounding may move a number of a turned tensor by, as a part of its trace.
_TURNING = 1e-13


class Verification(NamedTuple):
    """What came of verifying a block.

    Attributes:
        state: of the block.
        computation: of the link, where finding out took computing it.
    """

    state: BlockState
    computation: Computation | None = None

    @property
    def is_stale(self) -> bool:
        """Whether the block is stale."""
        return self.state is BlockState.STALE

    @property
    def is_edited(self) -> bool:
        """Whether its numbers were edited by hand."""
        return self.state is BlockState.EDITED


def differs_from(computed: LinkInertia, written: Written, digits: int, mass_given: bool) -> bool:
    """Whether a number differs by more than half a unit of its last written digit and a sliver of its scale.

    The scale of the centre is the size of the body; of a moment, the moment itself, so that the small one of a rod
    counts as the others do; of a product, the geometric mean of its two moments, which bounds it.

    Args:
        computed, written: inertias in the link frame.
        digits: significant digits that were written.
        mass_given: the mass is its author's, and not compared.
    """
    new, old = computed.inertia, written.inertia
    x, y, z = new.p_BoBcm_B
    size = max(math.sqrt(x * x + y * y + z * z), new.gyradius)
    pairs = [(a, b, size, 0.0) for a, b in zip(new.p_BoBcm_B, old.p_BoBcm_B, strict=True)]
    if not mass_given:
        pairs.append((new.mass, old.mass, new.mass, 0.0))
    pairs += _moments(computed, written, digits)
    # `not ... <=` so that a NaN differs.
    return any(
        not abs(a - b) <= half_unit(b, digits) + rounding + _RELATIVE_SLACK * scale for a, b, scale, rounding in pairs
    )


def _moments(computed: LinkInertia, written: Written, digits: int) -> Iterator[tuple[float, float, float, float]]:
    """Each moment and product, principal moments too: computed, written, its scale, and what rounding moves it by."""
    # Loaded where digests differ: of most blocks nothing is computed.
    from sdfinertia.inertia.principal_axes import principal_moments

    new, old = computed.inertia.I_BBcm_B, written.inertia.I_BBcm_B
    noise = _TURNING * new.trace
    # A tensor in other axes than the link's was rounded there, and turned when it was read.
    turned = noise + _rounding(written.tensor, digits) if written.tensor != old else 0.0
    for a, b in zip(new[:3], old[:3], strict=True):
        yield a, b, a, turned
    for a, b, product in zip(new[3:], old[3:], (new.ixx * new.iyy, new.ixx * new.izz, new.iyy * new.izz), strict=True):
        yield a, b, math.sqrt(abs(product)), noise + turned
    is_diagonal = written.tensor[3:] == (0.0, 0.0, 0.0)
    rounding = 0.0 if is_diagonal else noise + _rounding(written.tensor, digits)
    moments = sorted(computed.principal_axes().moments)
    for a, b in zip(moments, principal_moments(written.tensor), strict=True):
        yield a, b, a, rounding


def _rounding(tensor: InertiaTensor, digits: int) -> float:
    """What rounding the entries of a tensor moves its eigenvalues by at most (Weyl; Frobenius norm)."""
    moments, products = tensor[:3], tensor[3:]
    return math.hypot(*(half_unit(value, digits) for value in (*moments, *products, *products)))
