"""Fits how common each mistake is to findings of known cause, while no injected mistake is named less often."""

from collections.abc import Collection, Hashable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sdfinertia.causes.case import Case
from sdfinertia.causes.clues import Clues
from sdfinertia.causes.diagnosis import _SHARE, _asked, _scored
from sdfinertia.causes.registry import HYPOTHESES

Array = npt.NDArray[np.float64]

# Prior and trust of each hypothesis before they were fitted to anything.
_BEFORE = """
about-link-origin: -2.6 0.6; axes-exchanged: -2.8 0.6; centre-omitted: -2.0 0.75;
centre-sign: -2.6 0.45; centre-units: -3.0 0.45; consistent-units: -3.0 0.3; constant-diagonal: -3.0 0.95;
copied-link: -3.0 0.75; decimal-point: -4.0 0.45; default-density: -2.6 0.45; geometry-is-the-bogus-one: -2.5
0.7; in-other-axes: -4.0 0.6; in-other-frame: -2.5 0.6; listed-in-other-order: -4.2 0.45; mass-changed: -2.0
0.4; mass-units: -3.2 0.45; mirrored-in-x: -3.0 0.45; mirrored-in-y: -3.0 0.45; mirrored-in-z: -3.0 0.45;
negative-moment: -3.2 0.6; one-number: -3.0 0.85; parallel-axis-subtracted: -3.4 0.45;
parallel-axis-wrong-way: -4.4 0.45; parts-summed-without-parallel-axis: -3.0 0.7; power-of-ten: -2.0 0.95;
product-sign: -2.2 0.45; products-cad-signs: -1.6 0.6; products-made-up: -3.5 0.7; rotation-inverted: -3.4
0.45; rotation-missing: -3.6 0.45; round-numbers: -3.5 0.8; rounded-away: -2.5 0.85; shape-of-another-size:
-2.5 0.9; tensor-units: -1.8 0.45; unit-tensor: -2.0 0.97; zero-moment: -3.0 0.8; zeros:
-2.0 0.97
"""
_VALUES = {
    name: tuple(map(float, values.split()))
    for name, _, values in (one.strip().partition(": ") for one in _BEFORE.split(";"))
}
_BY_NAME = {one.name: _VALUES.get(one.name, (one.prior, one.trust)) for one in HYPOTHESES}
UNFITTED = tuple(one._replace(prior=_BY_NAME[one.name][0], trust=_BY_NAME[one.name][1]) for one in HYPOTHESES)
NAMES = tuple(one.name for one in HYPOTHESES)
# Standard deviation of the change of a prior (natural logarithm).
_SPREAD = 0.4
# Weight of a kind of injected mistakes beside a label, and its growth where it would be named less often.
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


def scored(case: Case, right: Collection[str], kind: Hashable = None) -> Scored | None:
    """The scores of a case; None without a finding to explain."""
    clues = Clues(case)
    if not case.written.is_judged or not clues.is_finding:
        return None
    with np.errstate(all="ignore"):
        _, found, _, null = _scored(*_asked(clues, UNFITTED))
        score_of = {one.hypothesis.name: float(np.logaddexp.reduce(one.scores)) for one in found}
    scores = np.array([score_of.get(name, -np.inf) for name in NAMES])
    return Scored(scores, float(np.logaddexp.reduce(null)), np.array([name in right for name in NAMES]), kind)


def fit_priors(known: Sequence[Scored], injected: Sequence[Scored]) -> Array:
    """The change of each prior: the likeliest for the known findings.

    No kind that is injected is named, or has a share that a certain cause needs, less often.
    """
    unchanged, of = np.zeros(len(NAMES)), _Kinds(injected)
    before = of.named(unchanged)
    weights = np.full(len(of.kinds), _OF_INJECTED)
    usable = [one for one in (*known, *injected) if one.can_be_right]
    place = {kind: k for k, kind in enumerate(of.kinds)}
    best, least = unchanged, np.inf
    for _ in range(_ROUNDS):
        counts = [weights[place[one.kind]] / of.counts[place[one.kind]] if one.kind else 1.0 for one in usable]
        change = _likeliest(usable, np.array(counts))
        fewer = np.maximum(before - of.named(change), 0.0)
        if fewer.sum() < least:
            best, least = change, float(fewer.sum())
        if not least:
            break
        weights[fewer.any(0)] *= _MORE
    # Few priors cause the remaining losses: they are reset one after the other.
    while least:
        tries = [np.where(np.arange(len(NAMES)) == k, 0.0, best) for k in np.flatnonzero(best)]
        owed = [float(np.maximum(before - of.named(each), 0.0).sum()) for each in tries]
        best, least = tries[int(np.argmin(owed))], min(owed)
    return best


class _Kinds:
    """Injected mistakes in arrays, by their kinds."""

    def __init__(self, injected: Sequence[Scored]) -> None:
        self.kinds = list(dict.fromkeys(one.kind for one in injected))
        self._kind = np.array([self.kinds.index(one.kind) for one in injected])
        self.counts = np.bincount(self._kind)
        self._scores = np.array([one.scores for one in injected])
        self._right = np.array([one.right for one in injected])
        self._of_none = np.array([one.of_none for one in injected])

    def named(self, change: Array) -> Array:
        """(2, k), how many of each kind are named, and how many with a share that a certain cause needs."""
        scores = np.nan_to_num(self._scores + change, nan=-np.inf)
        rows, best = np.arange(len(scores)), scores.argmax(1)
        total = np.logaddexp(np.logaddexp.reduce(scores, axis=1), self._of_none)
        is_right = self._right[rows, best] & np.isfinite(scores[rows, best])
        is_sure = is_right & (np.exp(scores[rows, best] - total) > _SHARE)
        return np.array([np.bincount(self._kind[each], minlength=len(self.kinds)) for each in (is_right, is_sure)])


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
