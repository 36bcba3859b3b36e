"""Fits how common each mistake is to findings of known cause, while no injected mistake is named less often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sdfinertia.causes.case import Case
from sdfinertia.causes.diagnosis import scores_of_hypotheses
from sdfinertia.causes.registry import HYPOTHESES

Array = npt.NDArray[np.float64]

NAMES = tuple(one.name for one in HYPOTHESES)
# By how much a prior (natural logarithm) is moved from what it was before, as a standard deviation.
_SPREAD = 0.4
# What one kind of injected mistakes counts for beside a label, and by how much more where it would be named less often.
_OF_INJECTED, _MORE, _ROUNDS = 0.5, 4.0, 6
_STEPS = 200


class Scored(NamedTuple):
    """A case as far as priors decide: the score of each hypothesis, that of none, and which are right."""

    scores: Array
    of_none: float
    right: npt.NDArray[np.bool_]
    kind: Hashable = None  # of an injected mistake

    @property
    def can_be_right(self) -> bool:
        return bool((np.isfinite(self.scores) & self.right).any())

    def is_named(self, change: Array) -> bool:
        scores = np.nan_to_num(self.scores + change, nan=-np.inf)
        return bool(np.isfinite(scores.max()) and self.right[int(scores.argmax())])


def scored(case: Case, right: Collection[str], kind: Hashable = None) -> Scored | None:
    """None where nothing is found that would have to be explained."""
    found = scores_of_hypotheses(case)
    if found is None:
        return None
    scores = np.array([found[0].get(name, -np.inf) for name in NAMES])
    return Scored(scores, found[1], np.array([name in right for name in NAMES]), kind)


def fit_priors(known: Sequence[Scored], injected: Sequence[Scored]) -> Array:
    """The change of each prior: the likeliest for what is known, where no kind that is injected is named less often."""
    unchanged = np.zeros(len(NAMES))
    count, before = Counter(one.kind for one in injected), _named(injected, unchanged)
    weights = dict.fromkeys(count, _OF_INJECTED)
    usable = [one for one in (*known, *injected) if one.can_be_right]
    best, least = unchanged, np.inf
    for _ in range(_ROUNDS):
        change = _likeliest(
            usable, np.array([weights[one.kind] / count[one.kind] if one.kind else 1.0 for one in usable])
        )
        now = _named(injected, change)
        fewer = {kind: before[kind] - now[kind] for kind in before if now[kind] < before[kind]}
        if sum(fewer.values()) < least:
            best, least = change, sum(fewer.values())
        if not fewer:
            break
        weights.update({kind: _MORE * weights[kind] for kind in fewer})
    return best


def _named(injected: Sequence[Scored], change: Array) -> Counter[Hashable]:
    return Counter(one.kind for one in injected if one.is_named(change))


def _likeliest(cases: Sequence[Scored], weights: Array) -> Array:
    """Least weighted -ln P(right) + |change|²/2 spread², by Adam (Kingma and Ba 2015)."""
    scores, right = np.array([one.scores for one in cases]), np.array([one.right for one in cases])
    of_none = np.array([one.of_none for one in cases])
    change, mean, square = np.zeros(len(NAMES)), np.zeros(len(NAMES)), np.zeros(len(NAMES))
    for step in range(1, _STEPS + 1):
        moved = scores + change
        top = np.maximum(moved.max(1), of_none)
        odds = np.exp(moved - top[:, None])
        among_all = odds / (odds.sum(1) + np.exp(of_none - top))[:, None]
        among_right = odds * right / (odds * right).sum(1, keepdims=True)
        slope = weights @ (among_all - among_right) + change / _SPREAD**2
        mean, square = 0.9 * mean + 0.1 * slope, 0.999 * square + 0.001 * slope**2
        size = 0.09 / (1.0 + step / 100.0)
        change = change - size * mean / (np.sqrt(square / (1.0 - 0.999**step)) + 1e-9)
    return change
