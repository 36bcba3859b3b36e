"""Fits priors and trusts of the mistakes to findings of known cause; families stay whole."""

import random
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from recall.priors import NAMES, UNFITTED, Array, Scored, fit_priors, scored
from sdfinertia.causes.case import Case, Explanation
from sdfinertia.causes.diagnosis import diagnose
from sdfinertia.causes.registry import HYPOTHESES, Hypothesis

# Number of findings as which the former trust counts.
_BEFORE = 4.0
FOLDS, SEEDS = 5, (28, 1, 2)
_LEAST, _MOST, _PRINTED = 0.05, 0.97, 0.75


class Known(NamedTuple):
    """A finding whose cause is known."""

    family: str
    case: Case
    accepted: frozenset[str]
    plausible: frozenset[str] = frozenset()
    excluded: frozenset[str] = frozenset()

    def decides(self, cause: str) -> bool:
        """Whether a cause is known to be right, or to be wrong."""
        return bool(self.accepted or (self.plausible | self.excluded) & {cause})


def fit(known: Sequence[Known], hypotheses: Sequence[Hypothesis] = UNFITTED) -> dict[str, float]:
    """The trust of each hypothesis: how often it is right where it comes first, with the former trust as a prior."""
    before = {one.name: one.trust for one in hypotheses}
    right = {name: _BEFORE * trust for name, trust in before.items()}
    count = dict.fromkeys(before, _BEFORE)
    for one in known:
        best = first(one.case, hypotheses)
        if best is None or not one.decides(best.cause):
            continue
        if not best.is_certain and best.share >= 0.5 * before[best.cause]:
            right[best.cause] += best.cause in one.accepted
            count[best.cause] += 1.0
    return {name: round(_as_told(right[name] / count[name]), 2) for name in before}


def weighed(known: Sequence[Known], others: Sequence[Scored], injected: Sequence[Scored]) -> list[Hypothesis]:
    """The hypotheses with priors and trusts fitted to labels; `others` are findings whose cause is known elsewhere."""
    labels = [each for one in known if (each := scored(one.case, one.accepted)) is not None]
    change: Array = fit_priors([*labels, *others], injected) if injected else np.zeros(len(NAMES))
    moved = [one._replace(prior=round(one.prior + float(by), 2)) for one, by in zip(UNFITTED, change, strict=True)]
    trusts = fit(known, moved)
    return [one._replace(trust=trusts[one.name]) for one in moved]


def _as_told(rate: float) -> float:
    """The trust for a rate; 0.49 between a half and three in four, so that such a cause is not printed."""
    return min(max(rate, _LEAST), _MOST) if not 0.5 <= rate < _PRINTED else 0.49


def first(case: Case, hypotheses: Sequence[Hypothesis]) -> Explanation | None:
    return diagnose(case, hypotheses).likeliest


class Judged(NamedTuple):
    """The diagnosis of one label by weights fitted without its family."""

    family: str
    cause: str
    share: float
    is_certain: bool
    is_right: bool
    is_plausible: bool


def apart(
    known: Sequence[Known], seed: int, others: Sequence[Scored] = (), injected: Sequence[Scored] = ()
) -> Iterator[Judged]:
    """Every label judged by weights fitted to the other families."""
    names = sorted({one.family for one in known})
    random.Random(seed).shuffle(names)
    fold_of = {name: k % FOLDS for k, name in enumerate(names)}
    for fold in range(FOLDS):
        hypotheses = weighed([one for one in known if fold_of[one.family] != fold], others, injected)
        for one in known:
            if fold_of[one.family] == fold:
                yield from judged(one, hypotheses)


def judged(one: Known, hypotheses: Sequence[Hypothesis] = HYPOTHESES) -> Iterator[Judged]:
    """Nothing where the truth is unknown, and neither it nor certainty is claimed."""
    best = first(one.case, hypotheses)
    cause = best.cause if best is not None else ""
    if one.decides(cause) or (best is not None and best.is_certain):
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


def report(known: Sequence[Known], others: Sequence[Scored] = (), injected: Sequence[Scored] = ()) -> Iterator[str]:
    """How the weights do, and how those do that are fitted to the other families; then what is to be changed."""
    yield "as they are"
    yield from summary(each for one in known for each in judged(one))
    for seed in SEEDS:
        yield f"families apart, seed {seed}"
        yield from summary(apart(known, seed, others, injected))
    for one, new in zip(HYPOTHESES, weighed(known, others, injected), strict=True):
        if new != one:
            yield f"{one.name}: prior {one.prior} -> {new.prior}, trust {one.trust} -> {new.trust}"
