"""Fits how common mistakes are, and how far each is trusted, to findings whose cause is known; families stay whole."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from sdfinertia.causes.case import Case, Explanation
from sdfinertia.causes.clues import Clues
from sdfinertia.causes.diagnosis import diagnose, scored
from sdfinertia.causes.registry import HYPOTHESES, Hypothesis

# How far a prior may go from where it stood, as a standard deviation (natural logarithms); what a trust starts with.
_SPREAD, _BEFORE, _STEPS, _STEP = 1.0, 4.0, 400, 0.05
FOLDS, SEED = 5, 28
_LEAST, _MOST, _PRINTED = 0.05, 0.97, 0.75


class Known(NamedTuple):
    """A finding whose cause is known."""

    family: str
    case: Case
    accepted: frozenset[str]
    plausible: frozenset[str] = frozenset()
    excluded: frozenset[str] = frozenset()
    weight: float = 1.0
    is_judged: bool = True  # of a label, which trust is counted on; else only how common a mistake is


class Weights(NamedTuple):
    priors: Mapping[str, float]
    trusts: Mapping[str, float]

    def hypotheses(self) -> list[Hypothesis]:
        return [
            one._replace(prior=self.priors.get(one.name, one.prior), trust=self.trusts.get(one.name, one.trust))
            for one in HYPOTHESES
        ]


def fit(known: Sequence[Known]) -> Weights:
    """Priors by penalised likelihood, and trusts by how often what is most likely is right."""
    priors = fitted_priors(known)
    hypotheses = Weights(priors, {}).hypotheses()
    before = {one.name: one.trust for one in HYPOTHESES}
    right = {name: _BEFORE * trust for name, trust in before.items()}
    count = dict.fromkeys(before, _BEFORE)
    for one in known:
        best = first(one.case, hypotheses) if one.is_judged else None
        if best is not None and not best.is_certain and best.share >= 0.5 * before[best.cause]:
            right[best.cause] += best.cause in one.accepted
            count[best.cause] += 1.0
    return Weights(priors, {name: _as_told(right[name] / count[name]) for name in before})


def _as_told(rate: float) -> float:
    """What is right less often than four times in five is not printed, which is for shares of a half and more."""
    return min(max(rate, _LEAST), _MOST) if not 0.5 <= rate < _PRINTED else 0.49


def first(case: Case, hypotheses: Sequence[Hypothesis]) -> Explanation | None:
    return diagnose(case, hypotheses).likeliest


def fitted_priors(known: Sequence[Known]) -> dict[str, float]:
    names = [one.name for one in HYPOTHESES]
    start = np.array([one.prior for one in HYPOTHESES])
    rows, accepted, weights = [], [], []
    for one in known:
        clues = Clues(one.case)
        if not clues.is_finding:
            continue
        evidence, nothing = scored(clues)
        row = np.array([*(evidence.get(name, -np.inf) for name in names), nothing])
        is_right = np.array([*(name in one.accepted for name in names), False])
        if np.isfinite(row[is_right]).any():
            rows.append(row)
            accepted.append(is_right)
            weights.append(one.weight)
    evidence_of, right, weight = np.array(rows), np.array(accepted), np.array(weights)[:, None]
    theta = start.copy()
    for _ in range(_STEPS):
        total = evidence_of + np.append(theta, 0.0)
        total -= total.max(1, keepdims=True)
        all_of = np.exp(total)
        true = np.where(right, all_of, 0.0) + 1e-300 * right
        gradient = (weight * (true / true.sum(1, keepdims=True) - all_of / all_of.sum(1, keepdims=True))).sum(0)[:-1]
        theta += _STEP * (gradient - (theta - start) / _SPREAD**2)
    return dict(zip(names, theta.round(1).tolist(), strict=True))


class Judged(NamedTuple):
    """What was told of one label by weights that its family had no part in."""

    family: str
    cause: str
    share: float
    is_certain: bool
    is_right: bool
    is_plausible: bool


def apart(known: Sequence[Known], seed: int = SEED) -> Iterator[Judged]:
    """Every label judged by weights fitted to the other families."""
    names = sorted({one.family for one in known if one.is_judged})
    random.Random(seed).shuffle(names)
    fold_of = {name: k % FOLDS for k, name in enumerate(names)}
    for fold in range(FOLDS):
        hypotheses = fit([one for one in known if fold_of.get(one.family) != fold]).hypotheses()
        for one in known:
            if one.is_judged and fold_of[one.family] == fold:
                yield from judged(one, hypotheses)


def judged(one: Known, hypotheses: Sequence[Hypothesis] = HYPOTHESES) -> Iterator[Judged]:
    """Nothing where the truth is unknown, and neither it nor certainty is claimed."""
    best = first(one.case, hypotheses)
    cause = best.cause if best is not None else ""
    is_known = bool(one.accepted or (one.accepted | one.plausible | one.excluded) & {cause})
    if is_known or (best is not None and best.is_certain):
        share, is_certain = (best.share, best.is_certain) if best is not None else (0.0, False)
        yield Judged(one.family, cause, share, is_certain, cause in one.accepted, cause in one.plausible)


def summary(judged: Iterable[Judged]) -> Iterator[str]:
    told = list(judged)
    count = max(len(told), 1)
    right, plausible = sum(one.is_right for one in told), sum(one.is_plausible for one in told)
    brier = sum((one.share - one.is_right) ** 2 for one in told) / count
    printed = [one for one in told if one.share >= 0.5]
    certain = [one for one in told if one.is_certain]
    yield (
        f"{len(told)} labels: right {100 * right / count:.1f} %, right or plausible "
        f"{100 * (right + plausible) / count:.1f} %, Brier score {brier:.3f}"
    )
    yield (
        f"printed {len(printed)}, right {sum(one.is_right for one in printed)}, plausible "
        f"{sum(one.is_plausible for one in printed)}; certain {len(certain)}, wrong "
        f"{sum(not (one.is_right or one.is_plausible) for one in certain)}"
    )


def table(weights: Weights) -> Iterator[str]:
    """The weights that are not those of the registry."""
    for one in HYPOTHESES:
        prior, trust = weights.priors[one.name], round(weights.trusts[one.name], 2)
        if abs(prior - one.prior) > 1e-9 or abs(trust - one.trust) > 1e-9:
            yield f"{one.name}: prior {one.prior} -> {prior}, trust {one.trust} -> {trust}"

