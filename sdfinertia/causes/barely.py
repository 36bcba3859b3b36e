"""Marginally invalid: a tensor that rounding of its last digits made physically impossible."""

from __future__ import annotations

from math import log

import numpy as np

from sdfinertia.causes.clues import Clues
from sdfinertia.causes.components import Array, matrices, second_moments
from sdfinertia.causes.hypothesis import Candidates, Telling
from sdfinertia.causes.wording import row

# What rounding shows.
_RULES = frozenset({"SDI103", "SDI107"})
_OF_CHANCE = 2.0
_MOST = 6.0

_ROUNDS = 40
_PAIRS = ((0, 1), (0, 2), (1, 2))


def within_last_digits(six: Array, halves: Array) -> Array | None:
    """A valid tensor (6,), no entry farther from that written than its half unit; None if there is none.

    The least second moment is a concave function of the entries. At any of its eigenvectors v the quadratic form vᵀΣv
    bounds it from above over the whole box, so that a bound below zero proves that no choice gives a body; otherwise it
    is raised by steps towards the corner that the eigenvector names (Frank and Wolfe 1956).

    Args:
        six: as written (kg·m²).
        halves: (6,), half a unit of the last digit of each entry, 0 where it is exact.
    """
    change = np.zeros(6)
    for count in range(_ROUNDS):
        moments, vectors = np.linalg.eigh(matrices(second_moments(six + change)))
        if moments[0] >= 0.0:
            return six + change
        v = vectors[:, 0]
        slopes = np.array([*(0.5 - v * v), *(-2.0 * v[i] * v[j] for i, j in _PAIRS)])
        corner = halves * np.sign(slopes)
        if moments[0] + float(slopes @ (corner - change)) < 0.0:
            return None
        change = change + (corner - change) * (1.0 if count == 0 else 2.0 / (count + 2.0))
    return None


def half_units(clues: Clues) -> Array:
    """(6,), half a unit of the last digit of each entry that is not zero; a bare 0 is exact."""
    return np.array(
        [numeral.half_unit if numeral is not None and numeral.significant else 0.0 for numeral in clues.numerals]
    )


def barely(clues: Clues) -> Candidates | None:
    if not clues.mass > 0.0 or not min(clues.tensor[:3]) > 0.0:
        return None
    least = float(np.linalg.eigvalsh(matrices(second_moments(clues.six)))[0])
    if least >= 0.0 and clues.case.findings.isdisjoint(_RULES):
        return None
    halves = half_units(clues)
    # No quadratic form of a unit vector changes by more.
    if least + 0.5 * float(halves[:3].sum()) + float(halves[3:].sum()) < 0.0:
        return None
    found = within_last_digits(clues.six, halves)
    if found is None or (least >= 0.0 and not clues.is_body):
        return None
    coarse = float(halves.max()) / float(clues.six[:3].max())

    telling = Telling(
        f"the triangle inequality is missed by {max(-2.0 * least, 0.0):.2g} kg·m², which rounding explains: within "
        f"half a unit of the last digits lies {row(found)}, a body",
        source="digits",
    )
    # That rounding could do it says little where it could do anything.
    bonus = min(_MOST, max(-log(max(coarse, 1e-12)) - _OF_CHANCE, 0.0))
    # Part of the largest moment that a half unit is, to be no chance.
    return Candidates(found[None], telling, bonus=bonus, decisive=coarse < 2e-3)
