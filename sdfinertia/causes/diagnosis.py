"""The diagnosis of a link: every hypothesis asked, every result measured, and the explanations in their order."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import exp, isfinite, log
from typing import Any

import numpy as np
import numpy.typing as npt

from sdfinertia.causes.case import ABOUT_CENTRE, NO_TEXTS, Case, Diagnosis, Explanation, WrittenBlock
from sdfinertia.causes.certainty import AS_WELL, DECISIVE, SHARE, SLIP, is_certain
from sdfinertia.causes.clues import Clues
from sdfinertia.causes.components import Array
from sdfinertia.causes.evidence import evidence_of
from sdfinertia.causes.hypothesis import ELSEWHERE, Candidates, Group, Hypothesis, Telling
from sdfinertia.causes.registry import HYPOTHESES, HYPOTHESIS_OF_NAME
from sdfinertia.causes.score import RIGHT, UNKNOWN, Results, evidence_score, results_of_all
from sdfinertia.inertia.spatial_inertia import InertiaTensor
from sdfinertia.named_tuple import NamedTuple

# What SDI210 asks for: only exact meshes, within 5 % in every direction, and three times nearer than written.
_NEAR, _NEARER = 0.05, 3.0
# Mistakes that an exporter makes in all links; |ln λ| from which a link shows one; links whose word the others have to
# outweigh, how rare the mistake is, and the most that they add.
_OF_EXPORTERS = ("about-link-origin", "axes-exchanged", "products-cad-signs")
_OFF, _DOUBT, _RARE, _MAX_HABIT = 0.35, 2.0, 0.03, 3.5


class _Found(NamedTuple):
    hypothesis: Hypothesis
    candidates: Candidates
    results: Results
    first: int
    scores: Array


def diagnose(case: Case, hypotheses: Sequence[Hypothesis] = HYPOTHESES) -> Diagnosis:
    """What mistakes may have been made in the numbers of a link, the likeliest first.

    A link with which nothing is wrong by itself is only looked at for likely mistakes beside an exact mesh (SDI210).
    """
    if not case.written.is_judged:
        return Diagnosis(case.name, (), is_finding=True)
    clues = Clues(case)
    with np.errstate(all="ignore"):  # what overflows is no body
        if not clues.is_finding:
            return Diagnosis(case.name, _likely_mistakes(clues, hypotheses), is_finding=False)
        found, null = _ask(clues, hypotheses)
        return Diagnosis(case.name, _explanations(clues, found, null), is_finding=True)


def _ask(clues: Clues, hypotheses: Sequence[Hypothesis]) -> tuple[list[_Found], list[float]]:
    """What each hypothesis proposes, and the scores of what is none; all in one go."""
    asked: list[tuple[Hypothesis, Candidates]] = []
    for hypothesis in sorted(hypotheses, key=lambda one: one.name):
        candidates = hypothesis.find(clues) if _is_about(clues, hypothesis) else None
        if candidates is not None and len(candidates.tensors):
            asked.append((hypothesis, candidates))
    results = results_of_all(clues, [candidates for _, candidates in asked])
    measured = evidence_score(results)
    habits = _habits(clues)
    scores, first = np.empty(len(measured)), 1
    found = []
    for hypothesis, candidates in asked:
        end = first + len(candidates.tensors)
        scores[first:end] = hypothesis.prior + candidates.bonus + habits.get(hypothesis.name, 0.0)
        if not candidates.is_lost:
            # That a stand-in is near what it was taken from says nothing.
            scores[first:end] += measured[first:end]
        found.append(_Found(hypothesis, candidates, results, first, scores[first:end]))
        first = end
    scores[np.isnan(scores)] = -np.inf
    # What is no hypothesis: that nobody knows what is wrong, and that the numbers are right.
    return found, [UNKNOWN, RIGHT + float(measured[0])] if clues.is_body else [UNKNOWN]


def _is_about(clues: Clues, hypothesis: Hypothesis) -> bool:
    """Whether a mistake is in what is found: a centre is not explained by a tensor, but by a block never filled in."""
    if clues.is_about_centre:
        if hypothesis.group is Group.FORMULA:
            return True  # which says itself where a shape has its centre
        return hypothesis.about != "tensor" or (clues.is_template and hypothesis.group is Group.UNPOPULATED)
    return hypothesis.about != "centre" or not clues.case.findings or not clues.case.findings.isdisjoint(ABOUT_CENTRE)


def _habits(clues: Clues) -> dict[str, float]:
    """What the other links of the file add to a mistake that an exporter makes everywhere."""
    file = clues.case.file
    if file is None:
        return {}
    seen = file.habits(_shown)
    others = [name for link, name in seen.items() if link != clues.case.name]
    # As common in the file as elsewhere, or commoner: so many links have to outweigh that it is rare.
    most = _DOUBT * _RARE + len(others) * _RARE
    return {name: min(log((_DOUBT * _RARE + others.count(name)) / most), _MAX_HABIT) for name in _OF_EXPORTERS}


def _shown(case: Case) -> str:
    """The mistake of exporters that brings a link much nearer to its geometry; "" where none does, or need not."""
    clues = Clues(case)
    now = float(clues.written_distances.min()) if clues.is_body and clues.bodies else 0.0
    if now <= _OFF:
        return ""
    made = ((name, HYPOTHESIS_OF_NAME[name].find(clues)) for name in _OF_EXPORTERS)
    found = [(name, each.tensors) for name, each in made if each is not None and not each.is_lost]
    if not found:
        return ""
    tensors = clues.in_link(np.concatenate([tensors for _, tensors in found]))
    nearest = clues.distances(tensors, np.full(len(tensors), clues.mass)).min(1)
    names = [name for name, tensors in found for _ in tensors]
    return names[int(nearest.argmin())] if nearest.min() < 0.5 * now else ""


def _explanations(clues: Clues, found: Sequence[_Found], null: Sequence[float]) -> tuple[Explanation, ...]:
    """The explanations, the likeliest first; of a hypothesis the likeliest way, with the weight of all its ways."""
    ends = list(accumulate(len(one.scores) for one in found))
    scores = np.concatenate([np.zeros(0), *(one.scores for one in found)])
    tops = np.maximum.reduceat(scores, [0, *ends[:-1]]).tolist() if found else []
    highest = max([*null, *tops])
    if not isfinite(highest):
        return ()
    shares = np.exp(scores - highest)
    weights = [float(shares[start:stop].sum()) for start, stop in zip([0, *ends], ends, strict=False)]
    total = sum(sorted(weights)) + sum(exp(score - highest) for score in null)
    ranked = sorted(
        (k for k, top in enumerate(tops) if isfinite(top)), key=lambda k: (-weights[k], found[k].hypothesis.name)
    )
    rest = [found[k] for k in ranked]
    # More explanations than anybody reads are not told.
    return tuple(_explanation(clues, found[k], weights[k] / total, highest, total, rest) for k in ranked[:3])


def _explanation(
    clues: Clues, found: _Found, share: float, highest: float, total: float, everything: Sequence[_Found]
) -> Explanation:
    candidates, results, best = found.candidates, found.results, int(found.scores.argmax())
    top, telling = float(found.scores[best]), candidates.telling(best)
    near = np.flatnonzero(found.scores > top - 12.0)  # what is so far behind weighs nothing
    same = _same_as(results, found.first + near, found.first + best)
    others = int((found.scores[near[~same]] > top - AS_WELL).sum())
    result = results.part(slice(found.first + best, found.first + best + 1))
    decisive = _of(candidates.decisive, best)
    factors = _factors(everything) if found.hypothesis.group is Group.SCALE else None
    certain = (
        share > SHARE
        and float(np.exp(found.scores[near[same]] - highest).sum()) / total > SHARE
        and bool(_of(candidates.is_certifiable, best))
        and is_certain(clues, result, telling, decisive=bool(decisive), is_lost=candidates.is_lost, factors=factors)
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
        share=_calibrated(clues, found, best, min(share, 1.0), result, is_certain=certain),
        is_certain=certain,
        evidence=(*telling.evidence, *evidence),
        alternatives=others,
        source=telling.source,
        is_proved_by_digits=bool(decisive) and not candidates.is_lost and telling.source == "digits",
        is_placeholder=found.hypothesis.is_placeholder,
    )


def _calibrated(clues: Clues, found: _Found, best: int, share: float, result: Results, *, is_certain: bool) -> float:
    """The share that is told: of those as sure as this, so many are right."""
    if is_certain:
        return max(share, SHARE)
    trust = found.candidates.trust
    most = found.hypothesis.trust if trust is None else _of(trust, best)
    if _of(found.candidates.decisive, best):
        most = max(most, DECISIVE)
    exact = np.flatnonzero(clues.is_exact)
    if found.hypothesis.keeps_valid and len(exact) and clues.is_body:
        near, before = float(result.distances[0, exact].min()), float(clues.written_distances[exact].min())
        if near <= _NEAR and near * _NEARER <= before:
            most = SLIP
    return share * most


def _factors(found: Sequence[_Found]) -> Results | None:
    factors = [one for one in found if one.hypothesis.group is Group.SCALE and not one.candidates.is_lost]
    rows = [np.arange(one.first, one.first + len(one.scores)) for one in factors]
    return factors[0].results.part(np.concatenate(rows)) if rows else None


def _of(values: Any, index: int) -> Any:
    """What is said of one candidate, where it is said of each or of all."""
    return values[index] if isinstance(values, np.ndarray) else values


def _same_as(results: Results, near: npt.NDArray[np.int64], best: int) -> npt.NDArray[np.bool_]:
    """(n,), which of the results that are near are the body that the best is, to a thousandth."""
    limits = (float(np.abs(results.tensors[best, :3]).max()), abs(results.masses[best]), results.clues.size)
    parts = (results.tensors, results.masses[:, None], results.centres)
    same: npt.NDArray[np.bool_] = np.ones(len(near), dtype=bool)
    for values, limit in zip(parts, limits, strict=True):
        same &= np.abs(values[near] - values[best]).max(1) <= 1e-3 * limit
    same |= near == best
    return same


def _proposal(clues: Clues, found: _Found, best: int, telling: Telling) -> WrittenBlock | None:
    """The block with the mistake undone; None where that is not in the block, or nothing stands in for what is lost."""
    results, which, written = found.results, found.first + best, clues.case.written
    six = found.candidates.tensors[best]
    if telling.source == ELSEWHERE or not np.isfinite(six).all():
        return None
    x, y, z = results.centres[which].tolist()
    centre_stays = found.candidates.centres is None
    mass_stays = found.candidates.masses is None
    return WrittenBlock(
        mass=float(results.masses[which]),
        centre=(x, y, z),
        tensor=InertiaTensor(*(six + 0.0).tolist()),
        rotation=telling.rotation if telling.rotation is not None else written.rotation,
        entry_texts=telling.texts if telling.texts is not None else NO_TEXTS,
        mass_text=written.mass_text if mass_stays else "",
        centre_texts=written.centre_texts if centre_stays else ("", "", ""),
        angle_texts=written.angle_texts if telling.rotation is None else ("", "", ""),
    )


def _likely_mistakes(clues: Clues, hypotheses: Sequence[Hypothesis]) -> tuple[Explanation, ...]:
    """Signs, axes and reference points that an exact mesh proves on a link that is a body as it is (SDI210)."""
    if not _can_come_to_a_mesh(clues):
        return ()
    exact = np.flatnonzero(clues.is_exact)
    written = float(clues.written_distances[exact].min())
    if written < _NEAR:
        return ()
    least = min(_NEAR, written / _NEARER)
    asked, null = _ask(clues, [one for one in hypotheses if one.keeps_valid])
    found = [_proved(one, exact, least) for one in asked]
    found = [one for one in found if np.isfinite(one.scores).any()]
    return _explanations(clues, found, null) if found else ()


def _can_come_to_a_mesh(clues: Clues) -> bool:
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
    # No trace is farther off than the moment that is farthest: e^0.05 - 1.
    return any(abs(one - mesh) <= 0.053 * mesh for one in traces for mesh in meshes)


def _proved(found: _Found, exact: npt.NDArray[np.int64], least: float) -> _Found:
    """The ways without a free number that come so near to an exact mesh."""
    own = slice(found.first, found.first + len(found.scores))
    is_near = found.results.distances[own][:, exact].min(1) <= least
    allowed = np.broadcast_to(found.candidates.is_fixed, found.scores.shape)
    return found._replace(scores=np.where(allowed & is_near, found.scores, -np.inf))
