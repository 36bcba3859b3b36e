"""Whether an explanation is certain, and may be written without asking: being the only valid change is not enough."""

from __future__ import annotations

from math import isfinite

import numpy as np

from sdfinertia.causes.clues import Clues
from sdfinertia.causes.hypothesis import Telling
from sdfinertia.causes.score import Results
from sdfinertia.causes.sixes import eigenvalues, largest_ratios, whitenings
from sdfinertia.causes.weights import CERTAIN


def is_certain(clues: Clues, result: Results, telling: Telling, *, decisive: bool, is_lost: bool) -> bool:
    """Whether nothing speaks against a result whose share is above all others, and something for it.

    Against it speak that it is no body, that it lies outside the box or has an unlikely density, and a geometry, a twin
    or a sibling that differs from it by more than a factor of 3. For it speak exact digits, a geometry near it, or a
    twin. Of what is lost and has no stand-in, the cause may be certain and there is no result to judge.

    Args:
        result: one alone.
        decisive: whether the digits prove the cause.
        is_lost: whether the result stands in for numbers that are lost.
    """
    if is_lost and not np.isfinite(result.tensors).all():
        return decisive
    if not result.are_bodies[0] or result.is_outside[0] or result.has_centre_outside[0]:
        return False
    if not _has_likely_density(result) or not _is_narrow(telling):
        return False
    nearest = float(result.nearest[0])
    if len(clues.bodies) and nearest > CERTAIN.contradicted:
        return False
    if any(distance > CERTAIN.contradicted for distance in _kin_distances(clues, result)):
        return False
    # What stands in for lost numbers agrees with what it was taken from, which shows nothing.
    agrees = nearest < CERTAIN.supported or any(difference[0] < CERTAIN.alike for difference in result.kin_differences)
    return decisive or (agrees and not is_lost)


def _has_likely_density(result: Results) -> bool:
    """Whether the density is between 50 and 20,000 kg/m³, of the volume where it is known, else of the box."""
    mass, volume = float(result.masses[0]), result.clues.volume
    if volume is not None:
        return CERTAIN.lightest <= mass / volume <= CERTAIN.densest
    if result.box_volume is None:
        return isfinite(mass)
    return CERTAIN.lightest_in_box <= mass / result.box_volume <= CERTAIN.densest


def _is_narrow(telling: Telling) -> bool:
    """Whether a lost entry is known from elsewhere, or what is left to it is narrow."""
    if telling.interval is None or telling.source in ("twin", "sibling", "geometry"):
        return True
    return telling.interval.high - telling.interval.low <= CERTAIN.interval * (
        telling.interval.high + telling.interval.low
    )


def _kin_distances(clues: Clues, result: Results) -> list[float]:
    """The largest |ln λ| of a result against each twin and sibling that counts."""
    if not clues.kin:
        return []
    theirs = np.array([relative.block.inertia.I_BBcm_B for relative in clues.kin], dtype=float)
    # A rod has no moment about its axis, and is no measure of others.
    theirs = theirs[eigenvalues(theirs)[:, 2] > 1e-7 * theirs[:, :3].max(1)]
    return [float(distance) for distance in largest_ratios(result.tensors, whitenings(theirs))[0]]
