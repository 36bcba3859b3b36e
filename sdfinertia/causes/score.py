"""The score of what hypotheses propose: natural logarithms that add up, of geometry, box, density and twins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from sdfinertia.causes.clues import OUTSIDE, Clues
from sdfinertia.causes.hypothesis import Candidates
from sdfinertia.causes.sixes import Array, are_bodies, eigenvalues, second_moments
from sdfinertia.causes.weights import SCORE

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Results:
    """What comes of candidates: masses, centres and tensors, and how they compare with what is known.

    Args:
        tensors: (n, 6), in link axes (kg·m²).
        masses: (n,) (kg).
        centres: (n, 3), in the link (m).
        begins_as_written: whether the first undoes nothing: what the others are compared with.
    """

    clues: Clues
    tensors: Array
    masses: Array
    centres: Array
    begins_as_written: bool = False

    def part(self, chosen: slice | npt.NDArray[np.int64]) -> Results:
        """Some of them, with what is known of these already."""
        found = Results(self.clues, self.tensors[chosen], self.masses[chosen], self.centres[chosen])
        for name in ("are_bodies", "are_compared", "distances", "nearest", "is_outside", "has_centre_outside"):
            if name in self.__dict__:
                found.__dict__[name] = self.__dict__[name][chosen]
        return found

    @cached_property
    def are_bodies(self) -> Flags:
        """(n,), which results a body can have."""
        return are_bodies(self.tensors) & (self.masses > 0.0) & np.isfinite(self.masses)

    @cached_property
    def are_compared(self) -> Flags:
        """(n,), which results are bodies, and differ from what is written by enough to be a mistake undone."""
        # What makes a body of what is none has changed enough.
        clues = self.clues
        if not clues.is_body:
            return self.are_bodies
        written = clues.in_link(clues.six)
        changed = np.abs(self.tensors - written).max(1) > SCORE.told * float(np.abs(written[:3]).max())
        changed |= np.abs(self.masses - clues.mass) > SCORE.told * abs(clues.mass)
        # Another centre explains nothing where the one written is inside the box.
        if clues.has_centre_outside:
            changed |= np.abs(self.centres - clues.centre).max(1) > SCORE.told * clues.size
        if self.begins_as_written:
            changed[0] = True
        return np.asarray(changed & self.are_bodies)

    @cached_property
    def distances(self) -> Array:
        """(n, k), the largest |ln λ| against each body of the geometry; infinite for what is not compared."""
        found = np.full((len(self.masses), len(self.clues.bodies)), np.inf)
        chosen = self.are_compared
        if chosen.any() and len(self.clues.bodies):
            found[chosen] = self.clues.distances(self.tensors[chosen], self.masses[chosen])
        return found

    @cached_property
    def nearest(self) -> Array:
        """(n,), the least distance over the bodies; infinite without any."""
        return self.distances.min(1) if self.distances.shape[1] else np.full(len(self.masses), np.inf)

    @cached_property
    def is_outside(self) -> Flags:
        """(n,), which results spread farther along an axis than any body inside the box (σ² ≤ (hi - c)(c - lo))."""
        box = self.clues.box
        if box is None:
            return np.zeros(len(self.masses), dtype=bool)
        lower, upper = box
        pad = 0.05 * (upper - lower) + 1e-3 * self.clues.size
        inside = np.clip(self.centres, lower, upper)
        limits = (upper + pad - inside) * (inside - lower + pad)
        variances = second_moments(self.tensors)[:, :3] / self.masses[:, None]
        return np.asarray((variances > SCORE.box_slack * limits).any(1))

    @cached_property
    def has_centre_outside(self) -> Flags:
        """(n,), whose centre is outside the box by more than a part of its diagonal."""
        box = self.clues.box
        if box is None:
            return np.zeros(len(self.masses), dtype=bool)
        lower, upper = box
        beyond = np.maximum(lower - self.centres, self.centres - upper).max(1)
        return np.asarray(beyond > OUTSIDE * self.clues.size)

    @cached_property
    def densities(self) -> Array | None:
        """(n,), of the geometry's volume, else of what a link fills of its box (kg/m³); None without either.

        Simple shapes may stand for a part that they do not fill: where these are too small for the mass, the part fills
        so much more of the box as makes it likeliest.
        """
        volume = self.clues.volume
        if volume is None:
            return self.masses / (self.box_volume * SCORE.box_filled) if self.box_volume else None
        densities: Array = self.masses / volume
        if self.box_volume and self.clues.is_of_simple_shapes:
            densities = np.minimum(densities, np.maximum(self.masses / self.box_volume, SCORE.density_middle))
        return densities

    @cached_property
    def box_volume(self) -> float | None:
        """Of the box (m³); None where it is flat or there is none."""
        if self.clues.box is None:
            return None
        volume = float(np.prod(self.clues.box[1] - self.clues.box[0]))
        return volume if volume > 0.0 else None

    @cached_property
    def kin_differences(self) -> list[Array]:
        """For each twin or sibling that counts (n,): the largest |ΔI_ij| over sqrt(T_ii T_jj)."""
        found = []
        for relative in self.clues.kin:
            theirs = np.array(relative.block.inertia.I_BBcm_B, dtype=float)
            moments = np.sqrt(theirs[:3])
            scale = np.array([*theirs[:3], moments[0] * moments[1], moments[0] * moments[2], moments[1] * moments[2]])
            found.append(np.asarray((np.abs(self.tensors - theirs) / scale).max(1)))
        return found


def results_of_all(clues: Clues, parts: Sequence[Candidates]) -> Results:
    """What is written, and after it what the candidates of several hypotheses come to, one after the other."""
    tensors = clues.in_link(np.concatenate([clues.six[None], *(part.tensors for part in parts)]))
    masses, centres = np.full(len(tensors), clues.mass), np.empty((len(tensors), 3))
    centres[:] = clues.centre
    stop = 1
    for part in parts:
        start, stop = stop, stop + len(part.tensors)
        if part.in_link is not None:
            tensors[start:stop] = part.in_link
        if part.masses is not None:
            masses[start:stop] = part.masses
        if part.centres is not None:
            centres[start:stop] = part.centres
    return Results(clues, tensors, masses, centres, begins_as_written=True)


def evidence_score(results: Results) -> Array:
    """(n,), how well results go with what is known of the link; -inf for what is no body, or changes nothing.

    Args:
        results: the first of them as written.
    """
    clues = results.clues
    score = np.where(results.are_compared, 0.0, -np.inf)
    chosen = np.flatnonzero(results.are_compared)
    if not len(chosen):
        return score
    found = _nearness(results.nearest[chosen]) if len(clues.bodies) else _naturalness(results, chosen)
    if clues.is_about_centre and clues.bodies:
        middles = np.array([body.inertia.p_BoBcm_B for body in clues.bodies])
        apart = np.abs(results.centres[chosen][:, None] - middles).max(2).min(1) / clues.size
        found = found - _tail(apart, SCORE.geometry, SCORE.centre_scale)
    elif clues.is_body and len(clues.bodies) and results.begins_as_written:
        # What leaves the finding where it is explains nothing.
        worse = results.nearest[chosen] > SCORE.removes * results.nearest[0] + SCORE.told
        worse &= results.is_outside[chosen] >= results.is_outside[0]
        worse[chosen == 0] = False
        found = np.where(worse & (clues.case.findings != frozenset()), -np.inf, found)
    found = found + SCORE.outside_box * results.is_outside[chosen]
    # Mass and centre as written are no worse for what leaves them, whether its tensor is compared or lost.
    was_outside = 1.0 if clues.has_centre_outside else 0.0
    found = found + SCORE.centre_outside * (results.has_centre_outside[chosen] - was_outside)
    if results.densities is not None:
        found = found - _density_cost(results.densities[chosen])
        if clues.mass > 0.0:
            found = found + _density_cost(results.densities[:1])
    # Twins share mistakes: one that agrees with what is written says nothing. Many versions of a file say what one says.
    kinship = [_kinship(each[chosen]) for each in results.kin_differences if not each[0] < SCORE.shared]
    if kinship:
        found = found + np.max(kinship, axis=0) + (np.min(kinship, axis=0) if len(kinship) > 1 else 0.0)
    score[chosen] += found
    return score


def _density_cost(densities: Array) -> Array:
    usual = _tail(np.log(densities / SCORE.density_middle), SCORE.density, SCORE.density_scale)
    beyond = np.maximum(np.log(densities / SCORE.densest), 0.0) + np.maximum(np.log(SCORE.lightest / densities), 0.0)
    cost: Array = np.minimum(usual + SCORE.impossible * beyond, SCORE.density_most)
    return cost


def _tail(values: Array, weight: float, scale: float) -> Array:
    """Weight · ln(1 + (value/scale)²): the logarithm of a density with heavy tails."""
    return weight * np.log1p((values / scale) ** 2)


def _nearness(distances: Array) -> Array:
    """What a distance from the geometry is worth."""
    capped = np.minimum(distances, 50.0)
    near = SCORE.near * np.log(SCORE.near_scale / np.clip(capped, SCORE.nearest, SCORE.near_scale))
    return near - _tail(capped, SCORE.geometry, SCORE.geometry_scale)


def _naturalness(results: Results, chosen: npt.NDArray[np.int64]) -> Array:
    """How much a tensor is like those of real links, where there is no geometry."""
    six, mass = results.tensors[chosen], results.masses[chosen]
    gyradius = np.sqrt(0.5 * six[:, :3].sum(1) / mass) / (mass / 1000.0) ** (1.0 / 3.0)
    spread = eigenvalues(second_moments(six))
    flatness = -np.log(np.maximum(spread[:, 2] / spread[:, 0], SCORE.flattest))
    skewness = np.abs(six[:, 3:]).max(1) / six[:, :3].max(1)
    worth: Array = (
        -_tail(np.log(gyradius / SCORE.gyradius_middle), SCORE.gyradius, SCORE.gyradius_scale)
        - SCORE.flat * np.maximum(flatness - SCORE.flat_from, 0.0)
        - SCORE.skewed * np.log(np.maximum(skewness / SCORE.skewed_from, 1.0))
    )
    return worth


def _kinship(differences: Array) -> Array:
    """What agreement with a twin is worth."""
    worth = np.where(differences > 2.0, SCORE.twin_against, 0.0)
    worth[differences < 0.1] = SCORE.twin_like
    worth[differences < 0.03] = SCORE.twin_near
    worth[differences < 0.005] = SCORE.twin_exact
    return worth
