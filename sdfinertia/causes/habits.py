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
    from sdfinertia.robot.inertial import WrittenBlock

# Links that must show a habit; |ln λ| from which a link shows one, within which it is near, and of a proof by a mesh.
ENOUGH = 5
_OFF, _NEAR, _PROVED, _NEARER = 0.2, 0.7, 0.05, 2.0
# Cosines between the products written and those of the mesh: opposite, and alike; how small products count nothing.
_OPPOSITE, _ALIKE, _NO_PRODUCTS = -0.8, 0.5, 0.02
_SAME_DENSITY = 0.01
# How rare a mistake everywhere is, how many links have to outweigh that, and the most that others weigh.
_RARE, _DOUBT, _MOST = 0.03, 2.0, 3.5
# A whole robot of outer meshes at the density of steel (kg/m³): nothing in it is hollow.
SOLID_STEEL, _STEEL, _EXACTLY = "solid-steel", (7700.0, 8050.0), 0.02

# Operations of an exporter on all links: how each row is undone, and whether the parallel-axis term is taken away too.
_SIGNS, _ORIGIN, _EXCHANGED = "products-cad-signs", "about-link-origin", "axes-exchanged"
_COUNT = len(EXCHANGES.origins)
_CAUSES = np.array((_SIGNS, _ORIGIN, *[_EXCHANGED] * _COUNT, *[_ORIGIN] * _COUNT))
_ORIGINS = np.concatenate((np.tile(np.arange(6), (2, 1)), EXCHANGES.origins, EXCHANGES.origins))
_PATTERNS = np.concatenate((CAD_SIGNS[None], np.ones((1, 6)), EXCHANGES.factors, EXCHANGES.factors))
_MOVED = (_CAUSES == _ORIGIN).astype(float)[:, None]


class _Vote(NamedTuple):
    """The votes of one link: +1 for, -1 against each operation, and the result of each."""

    who: tuple[str, WrittenBlock]
    marks: Array
    tensors: Array
    is_copy: npt.NDArray[np.bool_]  # where it repeats another vote, and no mesh proves it
    is_witness: bool
    density: float  # of a mesh whose tensor this is beside another mass (kg/m³); 0 for none
    at_mass: Array  # that tensor at the mass written
    solid: float  # density at the written mass of a mesh that has the centre and tensor written; 0 for none (kg/m³)


class Habits:
    """The votes of a file's links, counted when they are first needed."""

    def __init__(self, witnesses: Callable[[], Iterable[Case]] = lambda: ()) -> None:
        self._witnesses = witnesses

    @cached_property
    def _votes(self) -> list[_Vote]:
        found, seen = [], set[object]()
        for case in self._witnesses():
            with np.errstate(all="ignore"):
                vote = _vote(Clues(case)) if any(body.faces for body in case.bodies) else None
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
            links = int((marks[:, best] > 0).sum())
            for vote in votes if counted[best] >= ENOUGH else ():
                if vote.marks[best] > 0:
                    found[vote.who] = Habit(str(_CAUSES[best]), tuple(vote.tensors[best].tolist()), links)
        solid = [vote.solid for vote in votes]
        if _is_one_density(solid) and _STEEL[0] < min(solid) < _STEEL[1]:
            found.update((vote.who, Habit(SOLID_STEEL, tuple(vote.who[1].tensor), len(votes))) for vote in votes)
        dense = [vote for vote in self._votes if vote.density > 0.0]
        densities = [vote.density for vote in dense]
        if _is_one_density(densities):
            cause = "default-density" if is_default(sum(densities) / len(dense)) else "mass-changed"
            found.update((vote.who, Habit(cause, tuple(vote.at_mass.tolist()), len(dense))) for vote in dense)
        return found

    def of(self, case: Case) -> Habit | None:
        return self._found.get((case.name, case.written))

    def worth_beside(self, case: Case) -> dict[str, float]:
        """The weight of the other links for each mistake that an exporter makes everywhere."""
        others = [vote.marks > 0 for vote in self._votes if vote.who[0] != case.name]
        if not others:
            return {}
        shown, doubt = np.sum(others, axis=0), _DOUBT * _RARE
        most = {cause: int(shown[cause == _CAUSES].max()) for cause in (_SIGNS, _ORIGIN, _EXCHANGED)}
        return {
            cause: min(log((doubt + count) / (doubt + len(others) * _RARE)), _MOST) for cause, count in most.items()
        }


def _is_one_density(densities: Sequence[float]) -> bool:
    return len(densities) >= ENOUGH and max(densities) - min(densities) <= _SAME_DENSITY * min(densities)


def _vote(clues: Clues) -> _Vote | None:
    exact = [k for k, body in enumerate(clues.bodies) if body.is_exact_mesh or body.filling == "hull"]
    meshes = exact or [k for k, body in enumerate(clues.bodies) if body.faces]
    if not meshes or not clues.mass > 0.0 or not clues.largest > 0.0:
        return None
    moved = clues.mass * clues.offset_term if clues.offset_term is not None else np.zeros(6)
    tensors = clues.in_link(np.concatenate((clues.six[None], clues.six[_ORIGINS] * _PATTERNS - _MOVED * moved)))
    distances = clues.distances(tensors, np.full(len(tensors), clues.mass))[:, meshes].min(1)
    now, then = float(distances[0]), distances[1:]
    marks = np.where((now > _OFF) & (then < _NEAR) & (then * _NEARER < now), 1, 0)
    marks -= (then > _OFF) & (now < _NEAR) & (now * _NEARER < then)
    marks[0] = _of_signs(clues, exact, now, float(then[0]))
    proved = next((one for one in proportional(clues) if one.is_proof), None)
    density = proved.mass / proved.body.volume if proved is not None else 0.0
    at_mass = clues.in_link(clues.six) * (clues.mass / proved.mass if proved is not None else 1.0)
    who = (clues.case.name, clues.case.written)
    return _Vote(who, marks, tensors[1:], then > _PROVED, bool(exact), density, at_mass, _solid(clues))


def _of_signs(clues: Clues, exact: list[int], now: float, then: float) -> int:
    six = clues.six[3:]
    if not exact or np.abs(six).max() < _NO_PRODUCTS * clues.largest:
        return 0
    theirs = clues.from_bodies[exact]
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
