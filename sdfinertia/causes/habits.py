"""Habits of a file: one mistake that many of its links show beside their meshes, and none contradicts."""

from __future__ import annotations

from functools import cached_property
from math import log
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from sdfinertia.causes.case import Case, Habit
from sdfinertia.causes.clues import Clues
from sdfinertia.causes.operations import CAD_SIGNS, EXCHANGES
from sdfinertia.causes.units import is_default, proportional

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from sdfinertia.inertia.tensor_arrays import Array
    from sdfinertia.links.solids import ShapeBody
    from sdfinertia.robot.inertial import WrittenBlock

# Links that must show a habit; |ln λ| from which a link shows one, within which it is near, and of a proof by a mesh.
ENOUGH = 5
_OFF, _NEAR, _PROVED, _NEARER = 0.2, 0.7, 0.05, 2.0
# Cosines between the products written and those of the mesh: opposite, and alike; how small products count nothing.
_OPPOSITE, _ALIKE, _NO_PRODUCTS = -0.8, 0.5, 0.02
_SAME_DENSITY = 0.01

# Operations of an exporter on all links: how each row is undone, and whether the parallel-axis term is taken away too.
_SIGNS, _ORIGIN, _EXCHANGED = "products-cad-signs", "about-link-origin", "axes-exchanged"
_COUNT = len(EXCHANGES.origins)
_CAUSES = (_SIGNS, _ORIGIN, *[_EXCHANGED] * _COUNT, *[_ORIGIN] * _COUNT)
_ORIGINS = np.concatenate((np.tile(np.arange(6), (2, 1)), EXCHANGES.origins, EXCHANGES.origins))
_PATTERNS = np.concatenate((CAD_SIGNS[None], np.ones((1, 6)), EXCHANGES.factors, EXCHANGES.factors))
_PLACES_OF = {cause: [k for k, each in enumerate(_CAUSES) if each == cause] for cause in (_SIGNS, _ORIGIN, _EXCHANGED)}
_MOVED = np.array([cause == _ORIGIN for cause in _CAUSES], dtype=float)[:, None]
DENSITY = "default-density"
# A whole robot of outer meshes at the density of steel (kg/m³): nothing in it is hollow.
SOLID_STEEL, _STEEL, _EXACTLY = "solid-steel", (7700.0, 8050.0), 0.02


class _Vote(NamedTuple):
    """The votes of one link: +1 for, -1 against each operation; the result of each; and the density of its tensor."""

    who: tuple[str, WrittenBlock]
    marks: Array
    tensors: Array
    is_copy: npt.NDArray[np.bool_]  # where it repeats another vote, and no mesh proves it
    is_witness: bool
    density: float
    at_mass: Array
    solid: float  # density at the written mass of a mesh that has the centre and tensor written; 0 for none (kg/m³)


class Habits:
    """The votes of a file's links, counted when they are first needed."""

    def __init__(self, witnesses: Callable[[], Iterable[Case]] = lambda: ()) -> None:
        self._witnesses = witnesses

    @cached_property
    def _votes(self) -> list[_Vote]:
        found, seen = [], set[object]()
        for case in self._witnesses():
            if not any(body.faces for body in case.bodies):
                continue
            with np.errstate(all="ignore"):
                vote = _vote(Clues(case))
            if vote is not None:
                # Copies and mirror images count once, unless a mesh proves each.
                digits = (f"{case.written.mass:.6g}", *(f"{abs(value):.6g}" for value in case.written.tensor))
                found.append(vote._replace(is_copy=vote.is_copy & np.array(digits in seen)))
                seen.add(digits)
        return found

    @cached_property
    def _found(self) -> dict[tuple[str, WrittenBlock], Habit]:
        found: dict[tuple[str, WrittenBlock], Habit] = {}
        votes = [vote for vote in self._votes if vote.is_witness]
        if len(votes) >= ENOUGH:
            marks = np.array([vote.marks for vote in votes])
            counted = ((marks > 0) & ~np.array([vote.is_copy for vote in votes])).sum(0)
            counted[(marks < 0).any(0)] = 0
            best = int(counted.argmax())
            for vote in votes if counted[best] >= ENOUGH else ():
                if vote.marks[best] > 0:
                    found[vote.who] = Habit(
                        _CAUSES[best], tuple(vote.tensors[best].tolist()), int((marks[:, best] > 0).sum())
                    )
        solid = [vote.solid for vote in votes]
        is_one = len(votes) >= ENOUGH and np.ptp(solid) <= _SAME_DENSITY * min(solid)
        if is_one and _STEEL[0] < min(solid) < _STEEL[1]:
            found.update((vote.who, Habit(SOLID_STEEL, tuple(vote.who[1].tensor), len(votes))) for vote in votes)
        dense = [vote for vote in self._votes if vote.density > 0.0]
        densities = np.array([vote.density for vote in dense])
        if len(dense) >= ENOUGH and np.ptp(densities) <= _SAME_DENSITY * densities.min():
            cause = DENSITY if is_default(float(densities.mean())) else "mass-changed"
            found.update((vote.who, Habit(cause, tuple(vote.at_mass.tolist()), len(dense))) for vote in dense)
        return found

    def of(self, case: Case) -> Habit | None:
        return self._found.get((case.name, case.written))

    @cached_property
    def _shown(self) -> tuple[npt.NDArray[np.str_], npt.NDArray[np.bool_]]:
        """(n,) names of links, and (n, k) which operations they show."""
        names = np.array([vote.who[0] for vote in self._votes], dtype=str)
        return names, np.array([vote.marks > 0 for vote in self._votes]).reshape(-1, len(_CAUSES))

    def shown_by_others(self, case: Case) -> dict[str, tuple[int, int]]:
        """For each cause, how many other links show it at most, and how many there are."""
        if not self._votes:
            return {}
        names, marks = self._shown
        others = marks[names != case.name]
        counts = others.sum(0)
        return {cause: (int(counts[places].max()), len(others)) for cause, places in _PLACES_OF.items()}


def bodies_of_witness(bodies: Sequence[ShapeBody]) -> tuple[ShapeBody, ...]:
    """The bodies that a vote rests on: solids, and hulls where no mesh is closed."""
    are_open = have_open_meshes_alone(bodies)
    return tuple(body for body in bodies if body.filling == "solid" or (are_open and body.filling == "hull"))


def have_open_meshes_alone(bodies: Sequence[ShapeBody]) -> bool:
    return not any(body.is_exact_mesh for body in bodies) and any(body.faces for body in bodies)


def _vote(clues: Clues) -> _Vote | None:
    exact = [k for k, body in enumerate(clues.bodies) if body.is_exact_mesh or body.filling == "hull"]
    meshes = exact or [k for k, body in enumerate(clues.bodies) if body.faces]
    if not meshes or not clues.mass > 0.0 or not clues.largest > 0.0:
        return None
    term = clues.offset_term
    moved = clues.mass * term if term is not None else np.zeros(6)
    tensors = clues.in_link(clues.six[_ORIGINS] * _PATTERNS - _MOVED * moved)
    both = np.concatenate((clues.in_link(clues.six)[None], tensors))
    distances = clues.distances(both, np.full(len(both), clues.mass))[:, meshes].min(1)
    now, then = distances[0], distances[1:]
    marks = np.where((now > _OFF) & (then < _NEAR) & (then * _NEARER < now), 1, 0)
    marks -= (then > _OFF) & (now < _NEAR) & (now * _NEARER < then)
    marks[0] = _of_signs(clues, exact, float(now), float(then[0]))
    density, at_mass = _density(clues)
    who = (clues.case.name, clues.case.written)
    return _Vote(who, marks, tensors, then > _PROVED, bool(exact), density, at_mass, _solid(clues))


def _of_signs(clues: Clues, exact: list[int], now: float, then: float) -> int:
    six = clues.six[3:]
    if not exact or np.abs(six).max() < _NO_PRODUCTS * clues.largest:
        return 0
    theirs = clues.from_bodies[exact]
    counts = np.abs(theirs[:, 3:]).max(1) >= _NO_PRODUCTS * theirs[:, :3].max(1)
    if not counts.any():
        return 0
    lengths = np.linalg.norm(theirs[counts, 3:], axis=1) * np.linalg.norm(six)
    cosines = theirs[counts, 3:] @ six / lengths
    if cosines.max() > _ALIKE:
        return -1
    return int(cosines.min() < _OPPOSITE and then < min(now, _NEAR))


def _density(clues: Clues) -> tuple[float, Array]:
    """The density of a tensor that is a mesh's beside another mass (kg/m³), and the tensor at its mass; 0 for none."""
    of_mesh = [one for one in proportional(clues) if one.is_proof]
    if not of_mesh:
        return 0.0, clues.six
    return of_mesh[0].mass / of_mesh[0].body.volume, clues.in_link(clues.six) * (clues.mass / of_mesh[0].mass)


def _solid(clues: Clues) -> float:
    for body, distance in zip(clues.bodies, clues.written_distances.tolist(), strict=True):
        is_mesh = body.filling == "solid" and body.faces and body.is_closed and body.volume > 0.0
        apart = float(np.abs(clues.centre - body.inertia.p_BoBcm_B).max())
        if is_mesh and distance < _EXACTLY and apart < _EXACTLY * body.inertia.gyradius:
            return clues.mass / body.volume
    return 0.0


def worth_of_others(shown: int, links: int) -> float:
    """The weight of other links for a mistake that an exporter makes everywhere."""
    rare, doubt, most = 0.03, 2.0, 3.5  # how rare it is, and how many links have to outweigh that
    return min(log((doubt * rare + shown) / (doubt * rare + links * rare)), most)
