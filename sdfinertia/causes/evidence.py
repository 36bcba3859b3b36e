"""The evidence on proposals: geometry, box, density, twins, and the habits of the file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sdfinertia.causes.case import Case, Habit
from sdfinertia.causes.clues import Candidates, Clues
from sdfinertia.causes.operations import CAD_SIGNS, EXCHANGES
from sdfinertia.causes.scale import is_default, proportional
from sdfinertia.inertia import InertiaTensor
from sdfinertia.inertia.tensor_arrays import Array, are_bodies, second_moments
from sdfinertia.links.written_block import WrittenBlock

# Of |ln λ| against the geometry: right links have 0.35 in the median, one in ten has 2.6; only they come below 0.1.
_GEOMETRY, _GEOMETRY_SCALE, _NEAR_SCALE, _NEAREST = 2.5, 0.35, 0.1, 0.003
# ln of the density over the usual one (kg/m³); a mass that was made up is no unit, and costs no more than the last.
_DENSITY, _USUAL, _DENSITY_SCALE, _DENSITY_MOST = 1.5, 900.0, 1.6, 8.0
_LIGHTEST, _DENSEST = 25.0, 20_000.0  # kg/m³: the least and the largest possible
_LEAST_CHANGE = 0.02  # minimum change, as a fraction of the largest moment, for an explanation to be reported
RIGHT = -3.0  # that the numbers are right as they are, though something is found
UNKNOWN = -11.0  # a mistake that no hypothesis knows: a quarter of those seen

Flags = npt.NDArray[np.bool_]


class Results:
    """The written numbers, then the results of candidates: masses, centres, tensors, and their fit."""

    def __init__(self, clues: Clues, parts: Sequence[Candidates]) -> None:
        self.clues = clues
        self.tensors = clues.in_link(np.concatenate([clues.six[None], *(part.tensors for part in parts)]))
        self.masses: Array = np.full(len(self.tensors), clues.mass)
        self.centres: Array = np.tile(clues.centre, (len(self.tensors), 1))
        stop = 1
        for part in parts:
            start, stop = stop, stop + len(part.tensors)
            if part.masses is not None:
                self.masses[start:stop] = part.masses
            if part.centres is not None:
                self.centres[start:stop] = part.centres

    @cached_property
    def are_bodies(self) -> Flags:
        return are_bodies(self.tensors) & (self.masses > 0.0) & np.isfinite(self.masses)

    @cached_property
    def are_compared(self) -> Flags:
        """(n,), which results are bodies, and differ enough from the written numbers to be a mistake undone."""
        clues, written = self.clues, self.tensors[0]
        moved: Flags = np.abs(self.centres - clues.centre).max(1) > _LEAST_CHANGE * clues.size
        moved[0] = True
        if clues.is_about_centre:
            return moved & (self.masses > 0.0)
        # A change that makes a body of an impossible tensor is large enough.
        if not clues.is_body:
            return self.are_bodies
        changed = np.abs(self.tensors - written).max(1) > _LEAST_CHANGE * float(np.abs(written[:3]).max())
        changed |= np.abs(self.masses - clues.mass) > _LEAST_CHANGE * abs(clues.mass)
        # Another centre explains nothing where the one written is inside the box.
        changed |= moved & (clues.has_centre_outside or np.arange(len(moved)) == 0)
        return np.asarray(changed & self.are_bodies)

    @cached_property
    def distances(self) -> Array:
        found = np.full((len(self.masses), len(self.clues.bodies)), np.inf)
        chosen = self.are_compared
        if chosen.any() and len(self.clues.bodies):
            found[chosen] = self.clues.distances(self.tensors[chosen], self.masses[chosen])
        return found

    @cached_property
    def nearest(self) -> Array:
        return self.distances.min(1) if self.distances.shape[1] else np.full(len(self.masses), np.inf)

    @cached_property
    def is_outside(self) -> Flags:
        """(n,), which results spread farther along an axis than any body inside the box (σ² ≤ (hi - c)(c - lo))."""
        lower, upper = self.clues.corners
        pad = 0.05 * (upper - lower) + 1e-3 * self.clues.size
        inside = np.clip(self.centres, lower, upper)
        limits = (upper + pad - inside) * (inside - lower + pad)
        variances = second_moments(self.tensors)[:, :3] / self.masses[:, None]
        return np.asarray((variances > 1.1 * limits).any(1))

    @cached_property
    def has_centre_outside(self) -> Flags:
        return self.clues.are_outside(self.centres)

    @cached_property
    def volume(self) -> float:
        """That of the geometry, else the usual part of the box (m³); 0 where neither is known."""
        lower, upper = self.clues.corners
        of_box = float(np.prod(upper - lower))
        return self.clues.volume or (0.35 * of_box if of_box < np.inf else 0.0)

    @cached_property
    def are_possible(self) -> Flags:
        """(n,), which results are bodies inside the box, of a density that a link may have."""
        possible = self.are_bodies & ~self.is_outside & ~self.has_centre_outside
        lightest, densest = _LIGHTEST * self.volume, _DENSEST * (self.volume or np.inf)
        return np.asarray(possible & (self.masses >= lightest) & (self.masses <= densest))

    @cached_property
    def related_differences(self) -> Array:
        """(k, n), of each twin that counts: the largest |ΔI_ij| over its largest moment."""
        theirs = np.array([one.block.inertia.I_BBcm_B for one in self.clues.related], dtype=float).reshape(-1, 1, 6)
        found: Array = np.abs(self.tensors - theirs).max(2) / theirs[..., :3].max(2)
        return found


def evidence_score(results: Results) -> Array:
    """(n,), how well results fit the link; -inf for impossible ones and those that change nothing."""
    clues = results.clues
    found = np.zeros(len(results.masses))
    if clues.bodies:
        capped = np.minimum(results.nearest, 50.0)
        found = 1.2 * np.log(_NEAR_SCALE / np.clip(capped, _NEAREST, _NEAR_SCALE))
        found -= _tail(capped, _GEOMETRY, _GEOMETRY_SCALE)
    if clues.is_about_centre and clues.bodies:
        # A nearer tensor is no evidence on the centre.
        found = np.minimum(found, found[0]) if results.are_compared[0] else found
        middles = np.array([body.inertia.p_BoBcm_B for body in clues.bodies])
        apart = np.abs(results.centres[:, None] - middles).max(2).min(1) / clues.size
        found = found - _tail(apart, _GEOMETRY, 0.15)  # of the size, how far a centre is from that of the geometry
    elif clues.is_body and clues.bodies and clues.case.findings - {"SDI203"}:
        # A change that leaves the finding explains nothing.
        worse = results.nearest > 0.9 * results.nearest[0] + _LEAST_CHANGE
        worse &= results.is_outside >= results.is_outside[0]
        worse[0] = False
        found = np.where(worse, -np.inf, found)
    # Explanations that keep mass and centre are not judged by these, whether their tensor is compared or lost.
    was_outside = 1.0 if clues.has_centre_outside else 0.0
    found = found - 4.0 * results.is_outside - 12.0 * (results.has_centre_outside - was_outside)
    if results.volume:
        densities = np.log(results.masses / results.volume / _USUAL)
        beyond = 3.0 * np.maximum(densities - np.log(_DENSEST / _USUAL), 0.0)
        costs = np.minimum(_tail(densities, _DENSITY, _DENSITY_SCALE) + beyond, _DENSITY_MOST)
        found = found - costs + (costs[0] if clues.mass > 0.0 else 0.0)
    # Twins share mistakes: one that agrees with the written numbers is no evidence. Several count as one.
    apart = results.related_differences[~(results.related_differences[:, 0] < 0.03)]
    if len(apart):
        limits = [apart < 0.005, apart < 0.03, apart < 0.1, apart > 2.0]
        found = found + np.select(limits, [6.0, 4.0, 2.0, -3.0], 0.0).max(0)
    return np.where(results.are_compared, found, -np.inf)


def _tail(values: Array, weight: float, scale: float) -> Array:
    tail: Array = weight * np.log1p((values / scale) ** 2)
    return tail


# The file -------------------------------------------------------------------------------------------------------------

# Links that must show a habit; |ln λ| from which a link shows one, within which it is near, and of a proof by a mesh.
ENOUGH = 5
_OFF, _NEAR, _PROVED, _NEARER = 0.2, 0.7, 0.05, 2.0
# Cosines between the products written and those of the mesh: opposite, and alike; how small products count nothing.
_OPPOSITE, _ALIKE, _NO_PRODUCTS = -0.8, 0.5, 0.02
SOLID_STEEL, _STEEL, _EXACTLY = "solid-steel", (7700.0, 8050.0), 0.02  # kg/m³, of outer meshes: nothing is hollow

# Operations of an exporter on all links: how each row is undone, and whether the parallel-axis term is taken away too.
_SIGNS, _ORIGIN, _EXCHANGED = "products-cad-signs", "about-link-origin", "axes-exchanged"
_CAUSES = np.array((_SIGNS, _ORIGIN, *[_EXCHANGED] * len(EXCHANGES.origins)))
_ORIGINS = np.concatenate((np.tile(np.arange(6), (2, 1)), EXCHANGES.origins))
_PATTERNS = np.concatenate((CAD_SIGNS[None], np.ones((1, 6)), EXCHANGES.signs))
_MOVED = (_CAUSES == _ORIGIN).astype(float)[:, None]


_Who = tuple[str, WrittenBlock]  # the name of a link, and its numbers
Witnesses = Mapping[_Who, Callable[[], Case]]  # of a file, each to be gathered beside its meshes


class _Vote(NamedTuple):
    """The votes of one link: +1 for, -1 against each operation, and the result of each."""

    who: _Who
    marks: Array
    tensors: Array
    is_copy: npt.NDArray[np.bool_]  # where it repeats another vote, and no mesh proves it
    density: float  # of a mesh whose tensor this is beside another mass (kg/m³); 0 for none
    at_mass: Array  # that tensor at the mass written
    solid: float  # density at the written mass of a mesh that has the centre and tensor written; 0 for none (kg/m³)


class Habits:
    """The blocks of a file, and what its links vote for beside their meshes, counted when first needed."""

    def __init__(self, blocks: Sequence[WrittenBlock], witnesses: Witnesses | None = None) -> None:
        self._blocks, self._witnesses, self._vote_of = blocks, witnesses or {}, dict[_Who, _Vote | None]()
        self._unasked, self._open = iter(self._witnesses), np.ones(len(_CAUSES), np.bool_)  # not contradicted so far

    @cached_property
    def counts(self) -> Counter[InertiaTensor]:
        return Counter(block.tensor for block in self._blocks)

    @cached_property
    def has_no_centres(self) -> bool:
        return len(self._blocks) > 1 and not any(any(block.centre) for block in self._blocks)

    def habit_of(self, clues: Clues) -> Habit | None:
        own = self._vote((clues.case.name, clues.case.written), clues)
        return self._habits.get(own.who) if own is not None and self._may_be_habit(own) else None

    def _may_be_habit(self, own: _Vote) -> bool:
        """Asks other links about signs and axes, until they contradict all that a link shows: meshes take long."""
        if own.density > 0.0 or _STEEL[0] < own.solid < 1.01 * _STEEL[1]:
            return True
        while (own.marks[self._open] > 0).any():
            who = next(self._unasked, None)
            if who is None:
                return True
            vote = self._vote(who)
            if vote is not None:
                self._open &= vote.marks >= 0
        return False

    def _vote(self, who: _Who, clues: Clues | None = None) -> _Vote | None:
        if who in self._witnesses and who not in self._vote_of:
            case = self._witnesses[who]()
            with np.errstate(all="ignore"):
                self._vote_of[who] = _beside_meshes(clues if clues and clues.case is case else Clues(case))
        return self._vote_of.get(who)

    @cached_property
    def _votes(self) -> list[_Vote]:
        found, seen = [], set[object]()
        for who in self._witnesses:
            vote = self._vote(who)
            if vote is not None:
                # Copies and mirror images count once, unless a mesh proves each.
                digits = tuple(f"{abs(value):.6g}" for value in (who[1].mass, *who[1].tensor))
                found.append(vote._replace(is_copy=vote.is_copy & np.array(digits in seen)))
                seen.add(digits)
        return found

    @cached_property
    def _habits(self) -> dict[tuple[str, WrittenBlock], Habit]:
        found: dict[tuple[str, WrittenBlock], Habit] = {}
        votes = self._votes
        if len(votes) >= ENOUGH:
            marks = np.array([vote.marks for vote in votes])
            counted = ((marks > 0) & ~np.array([vote.is_copy for vote in votes])).sum(0)
            counted[(marks < 0).any(0)] = 0
            best = int(counted.argmax())
            shown = [vote for vote in votes if counted[best] >= ENOUGH and vote.marks[best] > 0]
            cause = str(_CAUSES[best])
            found.update((vote.who, Habit(cause, tuple(vote.tensors[best].tolist()), len(shown))) for vote in shown)
        solid = [vote.solid for vote in votes]
        if _is_one_density(solid) and _STEEL[0] < min(solid) < _STEEL[1]:
            found.update((vote.who, Habit(SOLID_STEEL, tuple(vote.who[1].tensor), len(votes))) for vote in votes)
        dense = [vote for vote in votes if vote.density > 0.0]
        densities = [vote.density for vote in dense]
        if _is_one_density(densities):
            cause = "default-density" if is_default(sum(densities) / len(dense)) else "mass-changed"
            found.update((vote.who, Habit(cause, tuple(vote.at_mass.tolist()), len(dense))) for vote in dense)
        return found


def _is_one_density(densities: Sequence[float]) -> bool:
    return len(densities) >= ENOUGH and max(densities) <= 1.01 * min(densities)


def _beside_meshes(clues: Clues) -> _Vote | None:
    exact = clues.exact.tolist() or [k for k, body in enumerate(clues.bodies) if body.filling == "hull"]
    meshes = exact or [k for k, body in enumerate(clues.bodies) if body.faces]
    if not meshes or not clues.mass > 0.0 or not clues.largest > 0.0:
        return None
    moved = clues.mass * clues.offset_term if clues.offset_term is not None else np.zeros(6)
    tensors = clues.in_link(np.concatenate((clues.six[None], clues.six[_ORIGINS] * _PATTERNS - _MOVED * moved)))
    distances = clues.distances(tensors, np.full(len(tensors), clues.mass))[:, meshes].min(1)
    now, then = float(distances[0]), distances[1:]
    marks = np.where((now > _OFF) & (then < _NEAR) & (then * _NEARER < now), 1, 0)
    marks -= (then > _OFF) & (now < _NEAR) & (now * _NEARER < then)
    marks[0] = _of_signs(clues, meshes, now, float(then[0]))
    marks = marks if exact else np.minimum(marks, 0)  # an open mesh as filled only contradicts
    proved = next((one for one in proportional(clues) if one.is_proof), None)
    density = proved.mass / proved.body.volume if proved is not None else 0.0
    at_mass = clues.in_link(clues.six) * (clues.mass / proved.mass if proved is not None else 1.0)
    who = (clues.case.name, clues.case.written)
    return _Vote(who, marks, tensors[1:], then > _PROVED, density, at_mass, _solid(clues))


def _of_signs(clues: Clues, meshes: list[int], now: float, then: float) -> int:
    six = clues.six[3:]
    if np.abs(six).max() < _NO_PRODUCTS * clues.largest:
        return 0
    theirs = clues.from_bodies[meshes]
    products = theirs[np.abs(theirs[:, 3:]).max(1) >= _NO_PRODUCTS * theirs[:, :3].max(1), 3:]
    cosines = products @ six / (np.linalg.norm(products, axis=1) * np.linalg.norm(six))
    if cosines.max(initial=-1.0) > _ALIKE:
        return -1
    return int(cosines.min(initial=1.0) < _OPPOSITE and then < min(now, _NEAR))


def _solid(clues: Clues) -> float:
    for body, distance in zip(clues.bodies, clues.written_distances.tolist(), strict=True):
        is_mesh = body.filling == "solid" and body.faces and body.is_closed and body.volume > 0.0
        apart = float(np.abs(clues.centre - body.inertia.p_BoBcm_B).max())
        if is_mesh and distance < _EXACTLY and apart < _EXACTLY * body.inertia.gyradius:
            return clues.mass / body.volume
    return 0.0


def is_solid_steel(clues: Clues) -> bool:
    return _STEEL[0] < _solid(clues) < 1.01 * _STEEL[1]
