"""Whether an explanation is certain, and may be written without asking: being the only valid change is not enough."""

from __future__ import annotations

import numpy as np

from sdfinertia.causes.clues import Clues
from sdfinertia.causes.components import eigenvalues, largest_ratios, whitenings
from sdfinertia.causes.hypothesis import Telling
from sdfinertia.causes.score import Flags, Results

# What certain asks for.
SHARE = 0.99
DECISIVE = 0.85  # the share that exact digits are trusted with at most
SLIP = 0.95  # and a slip within what an exact mesh shows
_DENSEST = 20_000.0
_CONTRADICTED = 1.0986  # ln 3
_OTHER = 0.02  # part from which a mass, or a moment, is another
AS_WELL = 3.0  # what a change may be behind and do as well


def is_certain(
    clues: Clues, result: Results, telling: Telling, *, decisive: bool, is_lost: bool, factors: Results | None
) -> bool:
    """Whether nothing speaks against a result whose share is above all others, and something for it."""
    if is_lost and not np.isfinite(result.tensors).all():
        return decisive
    if not result.are_bodies[0] or result.is_outside[0] or result.has_centre_outside[0]:
        return False
    if not _have_likely_density(result)[0] or not _is_narrow(telling):
        return False
    nearest = float(result.nearest[0])
    if len(clues.bodies) and nearest > _CONTRADICTED:
        return False
    if any(distance > _CONTRADICTED for distance in _distances_of_related(clues, result)):
        return False
    # What stands in for lost numbers agrees with what it was taken from, which shows nothing.
    agrees = nearest < _CONTRADICTED and (factors is None or not _do_as_well(factors, result).any())
    agrees = agrees or any(difference[0] < 0.1 for difference in result.related_differences)  # a twin that supports it
    return decisive or (agrees and not is_lost)


def _have_likely_density(results: Results) -> Flags:
    volume, lightest = results.clues.volume, 50.0  # kg/m³
    if volume is None:
        volume, lightest = results.box_volume, 10.0  # where only the box is known, which no link fills
    if volume is None:
        return np.isfinite(results.masses)
    densities = results.masses / volume
    return np.asarray((densities >= lightest) & (densities <= _DENSEST))


def _do_as_well(factors: Results, result: Results) -> Flags:
    """(n,), which factors give another body that the geometry, hollow and drawn simply as parts are, cannot rule out.

    It rules out what is off by more than a factor of 3. What is within some per cent of it, and three times nearer than
    any other, is still distinguished from that other.
    """
    size, mass = float(result.tensors[0, :3].max()), float(result.masses[0])
    are_other = np.abs(factors.tensors - result.tensors).max(1) > _OTHER * size
    are_other |= np.abs(factors.masses - mass) > _OTHER * mass
    possible = factors.are_compared & ~factors.is_outside & ~factors.has_centre_outside & _have_likely_density(factors)
    nearest = float(result.nearest[0])
    # |ln λ| within which a geometry tells one factor from another that is.
    limit = _CONTRADICTED if nearest > 0.05 else 3.0 * nearest  # times as far
    return np.asarray(are_other & possible & (factors.nearest < limit))


def _is_narrow(telling: Telling) -> bool:
    if telling.interval is None or telling.source in ("twin", "sibling", "geometry"):
        return True
    # Half the interval of a lost entry, as a part of its middle.
    return telling.interval.high - telling.interval.low <= 0.15 * (telling.interval.high + telling.interval.low)


def _distances_of_related(clues: Clues, result: Results) -> list[float]:
    """The largest |ln λ| of a result against each twin and sibling that counts."""
    if not clues.related:
        return []
    theirs = np.array([relative.block.inertia.I_BBcm_B for relative in clues.related], dtype=float)
    # A rod has no moment about its axis, and is no measure of others.
    theirs = theirs[eigenvalues(theirs)[:, 2] > 1e-7 * theirs[:, :3].max(1)]
    return [float(distance) for distance in largest_ratios(result.tensors, whitenings(theirs))[0]]
