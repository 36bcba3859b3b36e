"""The diagnosis of a link: candidates of every hypothesis, scored, and the explanations in their order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import exp, isfinite, log
from typing import NamedTuple

import numpy as np

from sdfinertia.causes.case import ABOUT_CENTRE, Case, Diagnosis, Explanation
from sdfinertia.causes.clues import ELSEWHERE, Candidates, Clues, Telling, said
from sdfinertia.causes.drawn import of_twin, reading_of
from sdfinertia.causes.evidence import RIGHT, SOLID_STEEL, UNKNOWN, Flags, Results, evidence_score, is_solid_steel
from sdfinertia.causes.registry import HYPOTHESES, Hypothesis
from sdfinertia.inertia import InertiaTensor
from sdfinertia.inertia.nearest_valid import largest_factor
from sdfinertia.inertia.tensor_arrays import Array
from sdfinertia.links.groups import geometry_name
from sdfinertia.links.solids import ShapeBody
from sdfinertia.links.written_block import NO_TEXTS, WrittenBlock

# Conditions of SDI210: only exact meshes, within 5 % in every direction, and three times nearer than written.
_NEAR, _TO_THE_DIGITS, _NEARER = 0.05, 0.005, 3.0
_HABIT = 20.0  # the weight of a habit of the file for a mistake that a link shows with it
# The share of a certain cause; the largest share for exact digits, and for a slip that an exact mesh shows; how far a
# change may score behind and still fit as well; and the least share that is reported beside a likelier one.
_SHARE, _DECISIVE, _SLIP, _AS_WELL, _LEAST_SHARE = 0.99, 0.85, 0.95, 3.0, 0.02
_FEW_BITS = 0.6, 0.49  # of digits below those that decide, where there is a finding; of a factor
_FACTOR, _CONTRADICTED = 3.0, log(3.0)  # a factor that contradicts, as |ln λ| too
_ROUNDING = 1e-6
# Causes of the digits whose words, or whose rival among factors, the search knows better.
_ANY_FACTOR = ("tensor-units", "mass-changed")
_SEARCHED_TOO = (*_ANY_FACTOR, "decimal-point")
_FACES_OF_BOX = 12


class _Found(NamedTuple):
    hypothesis: Hypothesis
    candidates: Candidates
    first: int  # row of its first way among all results
    scores: Array

    @property
    def best(self) -> int:
        return int(self.scores.argmax())

    def has(self, quality: Flags | bool) -> bool:
        return bool(quality if isinstance(quality, bool) else quality[self.best])


class _Search(NamedTuple):
    """The ways of all hypotheses to undo a mistake in one table; row 0 is the written block, and scores nothing."""

    results: Results
    found: Sequence[_Found]
    scores: Array  # (n,), natural logarithms
    null: Sequence[float]  # of the alternatives: that the mistake is unknown, and that the numbers are right


def diagnose(case: Case, hypotheses: Sequence[Hypothesis] = HYPOTHESES) -> Diagnosis:
    """Possible mistakes in the numbers of a link, the likeliest first.

    A link without findings is only searched for likely mistakes beside an exact mesh (SDI210).
    """
    if not case.written.is_judged:
        return Diagnosis((), is_finding=True)
    clues = Clues(case)
    exact = None if clues.is_about_centre else _of_digits(case)
    if exact is not None and exact.is_certain:
        is_searched = exact.cause in _SEARCHED_TOO or any(map(_is_closed_mesh, case.bodies))
        if not (clues.is_finding and is_searched):
            return Diagnosis((exact,), clues.is_finding)
    search = _explained if clues.is_finding else _likely_mistakes
    with np.errstate(all="ignore"):  # an overflow is no valid tensor
        told = search(clues, hypotheses)
    first = told[0] if told else None
    if exact is not None:
        if first is not None and (first.cause == exact.cause or _undo_the_same(first, exact)):
            # The same, in words that know the digits; of a factor density may say whether mass or tensor has it.
            exact = replace(first, share=max(first.share, exact.share), is_certain=first.is_certain or exact.is_certain)
        elif first is not None:
            is_other_factor = exact.cause in _ANY_FACTOR and first.group == "scale" and first.is_likely
            if is_other_factor or (not exact.is_certain and first.share > exact.share):
                return Diagnosis(told, clues.is_finding)
        others = [replace(each, share=min(each.share, exact.share)) for each in told if each.cause != exact.cause]
        told = (exact, *others[:2])
    return Diagnosis(told, clues.is_finding)


def _undo_the_same(one: Explanation, other: Explanation) -> bool:
    if one.proposal is None or other.proposal is None:
        return False
    tensor, theirs = (np.array(each.inertia.I_BBcm_B) for each in (one.proposal, other.proposal))
    return bool(np.abs(tensor - theirs).max() <= _TO_THE_DIGITS * np.abs(theirs).max())


def _is_closed_mesh(body: ShapeBody) -> bool:
    """True for a closed mesh in axes that all readers take alike, a box among them."""
    return body.filling == "solid" and (body.is_exact_mesh or (body.is_closed and 0 < body.faces <= _FACES_OF_BOX))


def _of_digits(case: Case) -> Explanation | None:
    reading, meshes = reading_of(case.written, case.drawn, case.box), tuple(filter(_is_closed_mesh, case.bodies))
    if reading is None and meshes:
        reading = reading_of(case.written, (), None, meshes)
        # CAD agrees to three digits or so: signs may be a mirror's, and without a finding only principal moments count.
        of_tensor = reading.group if reading is not None and reading.centre is None else ""
        is_hint = of_tensor == "signs" or (of_tensor not in ("", "axes") and not case.findings)
        reading = reading._replace(is_certain=False) if reading is not None and not is_hint else None
    reading = reading or (of_twin(case) if not case.findings else None)
    if reading is None or not (reading.decides or (case.findings and reading.bits >= 0.0)):
        return None
    return Explanation(
        cause=reading.cause,
        group=reading.group,
        sentence=reading.sentence,
        proposal=reading.put_right(case.written),
        score=reading.bits * log(2.0),
        share=_SHARE if reading.is_certain else _DECISIVE if reading.decides else _FEW_BITS[reading.group == "scale"],
        is_certain=reading.is_certain,
        evidence=(f"{reading.bits:.0f} bits of digits agree beyond chance",),
        alternatives=0,
        source="digits",
        is_proved_by_digits=True,
    )


_Asked = Sequence[tuple[Hypothesis, Candidates]]


def _asked(clues: Clues, hypotheses: Sequence[Hypothesis]) -> tuple[_Asked, Results]:
    asked = [(one, ways) for one in hypotheses if _is_about(clues, one) and (ways := one.find(clues)) is not None]
    asked = [(one, ways) for one, ways in asked if len(ways.tensors)]
    return asked, Results(clues, [ways for _, ways in asked])


def _scored(asked: _Asked, results: Results) -> _Search:
    clues, measured = results.clues, evidence_score(results)
    scores, end, found = np.full(len(measured), -np.inf), 1, []
    for hypothesis, ways in asked:
        first, end = end, end + len(ways.tensors)
        own = scores[first:end]
        own[:] = ways.bonus + hypothesis.prior
        # A stand-in is near its source by construction: no evidence.
        if not ways.is_lost:
            own += measured[first:end]
        if clues.habit is not None and clues.habit.cause == hypothesis.name:
            place = int(np.abs(results.tensors[first:end] - clues.habit.six).max(1).argmin())
            own[place] = hypothesis.prior + _HABIT
        found.append(_Found(hypothesis, ways, first, own))
    scores[np.isnan(scores)] = -np.inf
    return _Search(results, found, scores, [UNKNOWN, RIGHT + float(measured[0])] if clues.is_body else [UNKNOWN])


def _explained(clues: Clues, hypotheses: Sequence[Hypothesis]) -> tuple[Explanation, ...]:
    return _explanations(_scored(*_asked(clues, hypotheses)))


def _is_about(clues: Clues, hypothesis: Hypothesis) -> bool:
    """True if a mistake may explain the findings: a wrong tensor explains no centre, but an unfilled block does."""
    if clues.is_about_centre:
        return hypothesis.about != "tensor" or (clues.is_template and hypothesis.group == "unpopulated")
    return hypothesis.about != "centre" or not clues.case.findings or not clues.case.findings.isdisjoint(ABOUT_CENTRE)


# A valid body beside a mesh -------------------------------------------------------------------------------------------


def _likely_mistakes(clues: Clues, hypotheses: Sequence[Hypothesis]) -> tuple[Explanation, ...]:
    """Signs, axes and reference points that an exact mesh proves on a link that is a body as it is (SDI210)."""
    written = float(clues.written_distances[clues.exact].min(initial=np.inf))
    if written < _NEAR and not is_solid_steel(clues):
        return ()
    habit = clues.habit.cause if clues.habit is not None else ""
    if clues.habit is not None and habit == SOLID_STEEL:
        density = said(clues.mass / (clues.volume or 1.0))
        what = f"every link of the file is its outer mesh, filled with steel ({density} kg/m³): nothing in it is hollow"
        evidence = (clues.habit.sentence,)
        return (Explanation(SOLID_STEEL, "scale", what, None, 0.0, _DECISIVE, False, evidence, 0, "nothing"),)
    if written < _NEAR or not (habit or len(clues.exact)):
        return ()
    # Other axes and signs leave the trace as it is.
    traces = clues.from_bodies[clues.exact, :3].sum(1) / clues.tensor.trace
    left_out = () if np.abs(np.log(traces)).min(initial=np.inf) <= _NEAR else ("axes", "signs")
    valid = [one for one in hypotheses if one.keeps_valid and one.group not in left_out]
    asked, results = _asked(clues, [*valid, *(one for one in hypotheses if one.name == habit and one not in valid)])
    # The ways without a free number that come so near to an exact mesh, or those of a habit.
    is_near = results.distances[:, clues.exact].min(1, initial=np.inf) <= min(_NEAR, written / _NEARER)
    if not (habit or is_near.any()):
        return ()
    search = _scored(asked, results)
    for one in search.found:
        rows = slice(one.first, one.first + len(one.scores))
        shown = (is_near[rows] | (one.scores >= one.hypothesis.prior + _HABIT)) & one.candidates.is_fixed
        one.scores[~shown] = -np.inf
    return _explanations(search)


# The explanations -----------------------------------------------------------------------------------------------------


def _explanations(search: _Search) -> tuple[Explanation, ...]:
    """The three likeliest; weights are exponentials of scores over the highest."""
    scores, found = search.scores, search.found
    highest = max([*search.null, float(scores.max())])
    if not isfinite(highest) or not found:
        return ()
    firsts = [one.first for one in found]
    weights = np.add.reduceat(np.exp(scores - highest), firsts).tolist()
    possible = np.isfinite(np.maximum.reduceat(scores, firsts)).tolist()
    total = sum(sorted(weights)) + sum(exp(score - highest) for score in search.null)
    ranked = sorted(zip(weights, found, possible, strict=True), key=lambda each: (-each[0], each[1].hypothesis.name))
    told: list[Explanation] = []
    for weight, one, _ in [each for each in ranked if each[2]][:3]:
        share = min(weight / total, 1.0)
        if told and share < _LEAST_SHARE:
            break
        # None has a larger share than a likelier one.
        told.append(_explanation(search, one, share, told[-1].share if told else 1.0, highest + log(total)))
    return tuple(told)


def _explanation(search: _Search, found: _Found, share: float, most: float, all_scores: float) -> Explanation:
    results, (hypothesis, candidates, first, scores), best = search.results, found, found.best
    result, top, telling = first + best, float(scores[best]), candidates.telling(best)
    same = _same_as(results, slice(first, first + len(scores)), best)
    others = int((scores[~same] > top - _AS_WELL).sum())
    habit = results.clues.habit if top >= hypothesis.prior + _HABIT else None
    certain = habit is not None and bool(results.are_bodies[result])
    certain |= (
        min(share, float(np.exp(scores[same] - all_scores).sum())) > _SHARE
        and found.has(candidates.is_certifiable)
        and _is_certain(search, found)
    )
    evidence = [*telling.evidence, *([habit.sentence] if habit else [])]
    if telling.source != ELSEWHERE:
        evidence += _evidence(results, result, is_lost=candidates.is_lost, others=others)
    return Explanation(
        cause=hypothesis.name,
        group=hypothesis.group,
        sentence=telling.sentence,
        proposal=_proposal(results, found, telling),
        score=top,
        share=min(most, max(share, _SHARE) if certain else share * _trust(results, found)),
        is_certain=certain,
        evidence=tuple(evidence),
        alternatives=others,
        source=telling.source,
        is_proved_by_digits=found.has(candidates.decisive) and not candidates.is_lost and telling.source == "digits",
        is_placeholder=hypothesis.is_placeholder,
    )


def _trust(results: Results, found: _Found) -> float:
    """The largest share that is reported: of explanations as sure as this, so many are right."""
    clues, most = results.clues, found.hypothesis.trust
    if found.hypothesis.keeps_valid and not found.candidates.is_lost and clues.is_body:
        # A mesh confirms it within some per cent, a box or cylinder to the written digits.
        near, now = results.distances[found.first + found.best], clues.written_distances
        shown = near <= np.where([body.is_exact_mesh for body in clues.bodies], _NEAR, _TO_THE_DIGITS)
        if (shown & (near * _NEARER <= now)).any():
            return _SLIP
    return max(most, _DECISIVE) if found.has(found.candidates.decisive) else most


def _same_as(results: Results, rows: slice, best: int) -> Flags:
    """(n,), which of the results in some rows are the body that the best of them is, to a thousandth."""
    tensors, masses, centres = results.tensors[rows], results.masses[rows], results.centres[rows]
    same: Flags = np.abs(tensors - tensors[best]).max(1) <= 1e-3 * np.abs(tensors[best, :3]).max()
    same &= np.abs(masses - masses[best]) <= 1e-3 * abs(masses[best])
    same &= np.abs(centres - centres[best]).max(1) <= 1e-3 * results.clues.size
    same[best] = True
    return same


def _proposal(results: Results, found: _Found, telling: Telling) -> WrittenBlock | None:
    """The block without the mistake; None where that is not in the block, or lost numbers have no stand-in."""
    result, candidates, written = found.first + found.best, found.candidates, results.clues.case.written
    six = candidates.tensors[found.best]
    if telling.source == ELSEWHERE or not np.isfinite(six).all():
        return None
    x, y, z = results.centres[result].tolist()
    return replace(
        written,
        mass=float(results.masses[result]),
        centre=(x, y, z),
        tensor=InertiaTensor(*(six + 0.0).tolist()),
        entry_texts=telling.texts if telling.texts is not None else NO_TEXTS,
        mass_text=written.mass_text if candidates.masses is None else "",
        centre_texts=written.centre_texts if candidates.centres is None else ("", "", ""),
    )


def _is_certain(search: _Search, found: _Found) -> bool:
    results, result, is_lost = search.results, found.first + found.best, found.candidates.is_lost
    decisive = found.has(found.candidates.decisive)
    if is_lost and not np.isfinite(results.tensors[result]).all():
        return decisive
    nearest = float(results.nearest[result])
    if not results.are_possible[result] or (len(results.clues.bodies) and nearest > _CONTRADICTED):
        return False
    body = InertiaTensor(*results.tensors[result].tolist())
    if any(largest_factor(body, one.block.inertia.I_BBcm_B) > _FACTOR for one in results.clues.related):
        return False
    # A stand-in for lost numbers agrees with its source by construction: no evidence.
    agrees = nearest < _CONTRADICTED
    agrees = agrees or any(each[result] < 0.1 for each in results.related_differences)  # a twin that supports it
    return decisive or (agrees and not is_lost)


def _evidence(results: Results, result: int, *, is_lost: bool, others: int) -> Iterator[str]:
    clues = results.clues
    if not np.isfinite(results.tensors[result]).all():
        yield "nothing stands in for the numbers: there is no geometry that could be computed, and no twin"
        return
    if not is_lost:
        if clues.bodies and results.are_bodies[result]:
            distances, written = results.distances[result], clues.written_distances
            # Of a mesh that is collision and visual, rounding must not choose.
            which = int((distances <= distances.min() * (1.0 + _ROUNDING)).argmax())
            is_compared = clues.is_body and written[which] < np.inf
            now = _apart(float(written[which])) if is_compared else "physically impossible"
            name = geometry_name(clues.bodies[which])
            yield f"it agrees with {name} {_apart(float(distances[which]))}, as written {now}"
        for relative, differences in zip(clues.related, results.related_differences, strict=True):
            difference, name = float(differences[result]), f"the twin {relative.name}"
            if difference < 0.1:
                yield f"{name} has it within {max(100.0 * difference, 0.001):.2g} %"
            elif difference > 2.0:
                yield f"{name} says otherwise"
    if clues.case.box is not None:
        outside = results.is_outside[result] or results.has_centre_outside[result]
        yield "it lies outside the box" if outside else "it lies inside the box"
    if clues.volume is not None:
        yield f"the density is {said(float(results.masses[result]) / clues.volume)} kg/m³"
    if others:
        yield f"{others} other change{'s' if others > 1 else ''} of this kind would do as well"


def _apart(distance: float) -> str:
    """How far: within 3 %, or within a factor of 2.1."""
    factor = exp(min(distance, 50.0))
    return f"within {max(100.0 * (factor - 1.0), 0.001):.2g} %" if factor < 2.0 else f"within a factor of {factor:.3g}"
