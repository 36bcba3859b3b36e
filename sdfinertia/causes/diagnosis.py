"""The diagnosis of a link: every hypothesis asked, every result measured, and the explanations in their order."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, isfinite
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sdfinertia.causes.case import NO_TEXTS, Case, Diagnosis, Explanation, WrittenBlock
from sdfinertia.causes.certainty import is_certain
from sdfinertia.causes.clues import Clues
from sdfinertia.causes.evidence import evidence_of
from sdfinertia.causes.hypothesis import ELSEWHERE, Candidates, Hypothesis, Telling
from sdfinertia.causes.registry import HYPOTHESES
from sdfinertia.causes.score import Results, evidence_score, results_of_all, score_as_written
from sdfinertia.causes.sixes import Array
from sdfinertia.causes.weights import CERTAIN, SCORE, SLIP
from sdfinertia.inertia.spatial_inertia import InertiaTensor

# More explanations than anybody reads are not told.
_MOST = 3
# What is so far behind weighs nothing.
_FAR_BEHIND = 12.0
# Parts of the largest moment, of the mass and of the size within which two results are one.
_SAME = 1e-3


class _Found(NamedTuple):
    """What one hypothesis proposes, and how it is scored.

    Attributes:
        scores: (n,), -inf for what is no body.
    """

    hypothesis: Hypothesis
    candidates: Candidates
    results: Results
    scores: Array


def diagnose(case: Case, hypotheses: Sequence[Hypothesis] = HYPOTHESES) -> Diagnosis:
    """What mistakes may have been made in the numbers of a link, the likeliest first.

    A link with which nothing is wrong by itself is only looked at for slips beside an exact mesh (SDI210).

    Args:
        hypotheses: in any order.
    """
    clues = Clues(case)
    if not clues.is_finite:
        # What is no number has no digits that could be wrong.
        return Diagnosis(case.name, (), is_finding=True)
    with np.errstate(all="ignore"):  # what overflows is no body
        if not clues.is_finding:
            return Diagnosis(case.name, _slips(clues, hypotheses), is_finding=False)
        found = _ask(clues, hypotheses)
        return Diagnosis(case.name, _explanations(clues, found, _null(clues)), is_finding=True)


def _ask(clues: Clues, hypotheses: Sequence[Hypothesis]) -> list[_Found]:
    """What each hypothesis proposes, scored in one go."""
    asked: list[tuple[Hypothesis, Candidates]] = []
    for hypothesis in sorted(hypotheses, key=lambda one: one.name):
        candidates = hypothesis.find(clues)
        if candidates is not None:
            asked.append((hypothesis, candidates))
    everything = results_of_all(clues, [candidates for _, candidates in asked if not candidates.is_lost])
    scores = evidence_score(everything)
    found, start = [], 0
    for hypothesis, candidates in asked:
        count = len(candidates.tensors)
        if candidates.is_lost:
            # That what stands in for lost numbers is near what it was taken from says nothing.
            own, results = np.zeros(count), results_of_all(clues, [candidates])
        else:
            own, results = scores[start : start + count], everything.part(start, start + count)
            start += count
        total = np.asarray(hypothesis.prior + candidates.bonus + own, dtype=float)
        found.append(_Found(hypothesis, candidates, results, np.where(np.isnan(total), -np.inf, total)))
    return found


def _null(clues: Clues) -> list[float]:
    """The scores of what is no hypothesis: that the numbers are right, and that nobody knows what is wrong."""
    scores = [SCORE.unknown]
    if clues.is_body:
        scores.append(SCORE.right + score_as_written(clues))
    return scores


def _explanations(clues: Clues, found: Sequence[_Found], null: Sequence[float]) -> tuple[Explanation, ...]:
    """The explanations, the likeliest first; of a hypothesis the likeliest way, with the weight of all its ways."""
    tops = [float(one.scores.max()) for one in found]
    highest = max([*null, *tops])
    if not isfinite(highest):
        return ()
    weights = [float(np.exp(one.scores - highest).sum()) for one in found]
    total = sum(sorted(weights)) + sum(exp(score - highest) for score in null)
    ranked = sorted(
        (k for k, top in enumerate(tops) if isfinite(top)), key=lambda k: (-weights[k], found[k].hypothesis.name)
    )
    return tuple(_explanation(clues, found[k], weights[k] / total, highest, total) for k in ranked[:_MOST])


def _explanation(clues: Clues, found: _Found, share: float, highest: float, total: float) -> Explanation:
    best = int(found.scores.argmax())
    top = float(found.scores[best])
    telling, candidates = found.candidates.tell(best), found.candidates
    near = np.flatnonzero(found.scores > top - _FAR_BEHIND)
    same = _same_as(found.results, near, best)
    own_share = float(np.exp(found.scores[near[same]] - highest).sum()) / total
    others = int((found.scores[near[~same]] > top - CERTAIN.as_well).sum())
    result = found.results.part(best, best + 1)
    is_decisive = bool(np.broadcast_to(candidates.decisive, found.scores.shape)[best])
    certain = (
        own_share > CERTAIN.share
        and bool(np.broadcast_to(candidates.is_certifiable, found.scores.shape)[best])
        and is_certain(clues, result, telling, decisive=is_decisive, is_lost=candidates.is_lost)
    )
    is_here = telling.source != ELSEWHERE
    evidence = evidence_of(clues, result, is_lost=candidates.is_lost, others=others) if is_here else ()
    return Explanation(
        cause=found.hypothesis.name,
        group=found.hypothesis.group.value,
        sentence=telling.sentence,
        proposal=_proposal(clues, found, best, telling),
        interval=telling.interval,
        score=top,
        share=min(share, 1.0),
        is_certain=certain,
        evidence=(*telling.evidence, *evidence),
        alternatives=others,
        source=telling.source,
    )


def _same_as(results: Results, chosen: npt.NDArray[np.int64], best: int) -> npt.NDArray[np.bool_]:
    """(n,), which of the results chosen are the body that the best is, but for rounding."""
    size = float(np.abs(results.tensors[best, :3]).max())
    tensors, masses, centres = results.tensors[chosen], results.masses[chosen], results.centres[chosen]
    same: npt.NDArray[np.bool_] = (
        (np.abs(tensors - results.tensors[best]).max(1) <= _SAME * size)
        & (np.abs(masses - results.masses[best]) <= _SAME * abs(results.masses[best]))
        & (np.abs(centres - results.centres[best]).max(1) <= _SAME * results.clues.size)
    )
    same |= chosen == best
    return same


def _proposal(clues: Clues, found: _Found, best: int, telling: Telling) -> WrittenBlock | None:
    """The block with the mistake undone; None where that is not in the block, or nothing stands in for what is lost."""
    results, written = found.results, clues.case.written
    if telling.source == ELSEWHERE:
        return None
    six = found.candidates.tensors[best]
    if not np.isfinite(six).all():
        return None
    values = [float(value) + 0.0 for value in six]
    x, y, z = (float(value) for value in results.centres[best])
    centre_stays = found.candidates.centres is None
    mass_stays = found.candidates.masses is None
    return WrittenBlock(
        mass=float(results.masses[best]),
        centre=(x, y, z),
        tensor=InertiaTensor(*values),
        rotation=telling.rotation if telling.rotation is not None else written.rotation,
        entry_texts=telling.texts if telling.texts is not None else NO_TEXTS,
        mass_text=written.mass_text if mass_stays else "",
        centre_texts=written.centre_texts if centre_stays else ("", "", ""),
        angle_texts=written.angle_texts if telling.rotation is None else ("", "", ""),
    )


def _slips(clues: Clues, hypotheses: Sequence[Hypothesis]) -> tuple[Explanation, ...]:
    """Signs, axes and reference points that an exact mesh proves on a link that is a body as it is (SDI210)."""
    if not _can_slip(clues):
        return ()
    exact = np.flatnonzero(clues.is_exact)
    written = float(clues.written_distances[exact].min())
    if written < SLIP.near:
        return ()
    least = min(SLIP.near, written / SLIP.nearer)
    found = [_proved(one, exact, least) for one in _ask(clues, [one for one in hypotheses if one.is_slip])]
    found = [one for one in found if np.isfinite(one.scores).any()]
    return _explanations(clues, found, _null(clues)) if found else ()


def _can_slip(clues: Clues) -> bool:
    """Whether the trace, which signs and axes leave as it is and a reference point moves, can come to a mesh's."""
    meshes = [body.inertia.I_BBcm_B.trace * clues.mass for body in clues.case.bodies if body.is_exact_mesh]
    if not meshes:
        return False
    trace, centre = float(clues.six[:3].sum()), clues.case.written.centre
    moved = 2.0 * clues.mass * sum(value * value for value in centre)
    traces = [trace, trace - moved, trace - 2.0 * moved, trace + moved]
    for frame in clues.case.frames:
        apart = sum((a - b) ** 2 for a, b in zip(centre, frame.pose.translation, strict=True))
        traces.append(trace - 2.0 * clues.mass * apart)
    # No trace is farther off than the moment that is farthest.
    return any(abs(one - mesh) <= SLIP.trace * mesh for one in traces for mesh in meshes)


def _proved(found: _Found, exact: npt.NDArray[np.int64], least: float) -> _Found:
    """The ways without a free number that come so near to an exact mesh."""
    is_near = found.results.distances[:, exact].min(1) <= least
    allowed = np.broadcast_to(found.candidates.slips, found.scores.shape)
    return found._replace(scores=np.where(allowed & is_near, found.scores, -np.inf))
