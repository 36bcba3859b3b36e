"""Whether a block that was filled before still is what its file says."""

from __future__ import annotations

import math
from typing import NamedTuple

from sdfinertia.inertia.spatial_inertia import SpatialInertia
from sdfinertia.links.computation import Computation
from sdfinertia.links.inertia import link_inertia
from sdfinertia.links.inputs import read_link_inputs
from sdfinertia.links.provenance import Provenance, values_digest
from sdfinertia.links.surroundings import Surroundings
from sdfinertia.options import Options
from sdfinertia.sdf.inertial import read_inertial, written_numbers
from sdfinertia.sdf.model import Link

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


def verify(link: Link, provenance: Provenance, options: Options, surroundings: Surroundings) -> Verification:
    """Whether a block that was filled before is clean, stale or edited; nothing is computed if its digests match.

    Args:
        options: where to look for files; what shaped the numbers is taken from the provenance.

    Raises:
        SdfInertiaError: the link cannot be computed any more.
    """
    inertial = link.inertial
    if inertial is None or is_edited(link, provenance):
        return Verification(EDITED)
    recorded = provenance.applied_to(options)
    inputs = read_link_inputs(link, recorded, surroundings, mass_given=provenance.mass_given)
    if inputs.digest(provenance.options) == provenance.inputs:
        return Verification(CLEAN)
    inertia = link_inertia(inputs, surroundings, is_static=link.model.is_static)
    computation = Computation(recorded, inputs, inertia)
    written = read_inertial(inertial)
    if not differs_from(inertia.inertia, written, recorded.digits, mass_given=provenance.mass_given):
        return Verification(CLEAN, computation)
    # With few digits, what is added so that libsdformat takes a tensor is more than half a unit of the last.
    same = computation.text().numbers() == written_numbers(inertial)
    return Verification(CLEAN if same else STALE, computation)


def is_edited(link: Link, provenance: Provenance) -> bool:
    """Whether the numbers in a block are others than those it was filled with."""
    numbers = written_numbers(link.inertial) if link.inertial is not None else None
    return numbers is None or values_digest(numbers) != provenance.values


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
