"""How often the cause of a mistake is named: mistakes injected into links that are right, with geometry and without."""

from __future__ import annotations

import random
import time
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from causes import atlas

from recall import habits
from recall.cases import WrittenLink, written_links
from recall.mistakes import MISTAKES, Injected, digits_of, printed
from recall.priors import Scored, scored
from recall.reliability import Told
from recall.reliability import report as reliability
from sdfinertia.causes.case import Case, Diagnosis, Explanation
from sdfinertia.causes.clues import Clues
from sdfinertia.causes.diagnosis import diagnose
from sdfinertia.inertia import InertiaTensor
from sdfinertia.inertia.inertial_text import numeral
from sdfinertia.links.written_block import EntryTexts, WrittenBlock

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

# Beyond this factor of its geometry a link is not known to be right.
_NEAR = np.log(3.0)
# Tolerance of a right proposal, as a part of the largest moment.
_RIGHT = 0.02
# The limits of rules of `check`: SDI204, SDI205, SDI207, SDI208, SDI209.
_HEAVIER, _LIGHTER, _SLACK, _LEAST_GYRADIUS, _OUTSIDE = 3.0, 7.0, 4.0, 1.0 / 40.0, 0.5


def right_links(root: Path) -> list[WrittenLink]:
    """Links that are right: bodies near their geometry with their centre in the box, each kind once."""
    found: dict[object, WrittenLink] = {}
    for link in written_links(root):
        if is_right(link.case):
            found.setdefault((link.case.written.mass, link.case.written.tensor), link)
    return [link._replace(case=with_digits(link.case)) for link in found.values()]


def right_cases(root: Path) -> list[Case]:
    return [link.case for link in right_links(root)]


def is_right(case: Case) -> bool:
    """Whether no evidence is against the numbers of a link."""
    clues = Clues(case)
    if not clues.is_body or not len(clues.bodies) or case.box is None:
        return False
    inside = case.box.distance_outside(case.written.centre) <= 0.0
    return inside and float(clues.written_distances.min()) < _NEAR and not set(findings(case))


def with_digits(case: Case) -> Case:
    """The case with texts of its six numbers, where those of the file are in other axes."""
    texts = case.written.entry_texts
    if not all(texts) or any(digits_of(text) > 12 for text in texts):
        texts = EntryTexts(*(printed(value, "0.123456") for value in case.written.tensor))
        tensor = InertiaTensor(*(float(text) for text in texts))
        return replace(case, written=replace(case.written, tensor=tensor, entry_texts=texts))
    return case


def findings(case: Case) -> Iterator[str]:
    """The codes of the rules with findings in the numbers."""
    clues = Clues(case)
    if not clues.is_body:
        yield "SDI103"
        return
    if case.box is None or not case.box.diagonal > 0.0:
        return
    body = case.written.inertia
    limits = case.box.padded(0.05, 0.0).variance_limits(case.box.nearest(body.p_BoBcm_B))
    if any(variance > _SLACK * limit for variance, limit in zip(body.variances, limits, strict=True)):
        yield "SDI205"
    if body.gyradius < _LEAST_GYRADIUS * case.box.diagonal:
        yield "SDI207"
    if case.box.distance_outside(body.p_BoBcm_B) > _OUTSIDE * case.box.diagonal:
        yield "SDI208"
    if len(clues.bodies):
        distance = float(clues.written_distances.min())
        xx, yy, zz, *products = case.written.tensor
        if distance > np.log(_HEAVIER) and xx == yy == zz and not any(products):
            yield "SDI209"
        if distance > np.log(_LIGHTER):
            yield "SDI204"


@dataclass
class Tally:
    """The results for one mistake.

    Attributes:
        links: that it was injected into.
        told: that a rule finds.
        silent: that none does.
        slips: of the silent ones, those of which SDI210 names the cause; `false_slips` those of which it names another.
        instead: the causes named in place of the right one.
        shares: the reported causes, each with its file and share.
    """

    links: int = 0
    told: int = 0
    first: int = 0
    certain_right: int = 0
    certain_wrong: int = 0
    silent: int = 0
    slips: int = 0
    false_slips: int = 0
    instead: Counter[str] = field(default_factory=Counter)
    shares: list[Told] = field(default_factory=list)

    def add(self, injected: Injected, diagnosis: Diagnosis) -> None:
        self.links += 1
        best = diagnosis.likeliest
        named = best is not None and best.cause in injected.causes
        if not diagnosis.is_finding:
            self.silent += 1
            self.slips += named
            self.false_slips += best is not None and not named
            return
        self.told += 1
        self.first += named
        if best is not None:
            self.shares.append(Told(injected.case.name.partition(" ")[0], best.share, named))
        if not named:
            self.instead[best.cause if best is not None else "nothing"] += 1
        if best is not None and best.is_certain:
            if named and has_right_numbers(best, injected.right, injected.case.written):
                self.certain_right += 1
            else:
                self.certain_wrong += 1

    def __iadd__(self, other: Tally) -> Tally:
        for name in ("links", "told", "first", "certain_right", "certain_wrong", "silent", "slips", "false_slips"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        return self


def has_right_numbers(best: Explanation, right: WrittenBlock | None, written: WrittenBlock) -> bool:
    """Whether the proposal has the right numbers; where these are lost the cause alone is judged."""
    if right is None or best.proposal is None:
        return right is None
    proposed, truth = best.proposal.inertia, right.inertia
    size = max(truth.I_BBcm_B[:3])
    apart = max(abs(a - b) for a, b in zip(proposed.I_BBcm_B, truth.I_BBcm_B, strict=True))
    # Digits that did not survive the mistake cannot come back.
    lost = 2.0 * max(half_unit_of(text) for text in written.entry_texts)
    return apart <= _RIGHT * size + lost and abs(proposed.mass - truth.mass) <= _RIGHT * truth.mass


def half_unit_of(text: str) -> float:
    """Half a unit of the last digit of a number; 0 for a bare zero."""
    found = numeral(text)
    return found.half_unit if found is not None and found.significant else 0.0


def injected(cases: Sequence[Case], count: int, *, with_geometry: bool) -> Iterator[tuple[str, Injected]]:
    """Every mistake in `count` links, in the order of names; links repeat where there are few."""
    for name, mistake in MISTAKES.items():
        chance = random.Random(name)
        order = sorted(cases, key=lambda case: case.name)
        chance.shuffle(order)
        found = 0
        for attempt in range(2 * max(count, len(order))):
            made = mistake(order[attempt % len(order)], chance, order)
            if made is None or (made.case.written == order[attempt % len(order)].written and not made.case.bodies):
                continue
            yield name, _as_found(made, with_geometry=with_geometry)
            found += 1
            if found == count:
                break


def _as_found(made: Injected, *, with_geometry: bool) -> Injected:
    case = made.case
    if not with_geometry:
        relatives = tuple(replace(one, is_near_geometry=None, has_same_geometry=None) for one in case.relatives)
        other = all(not one.is_twin for one in relatives)
        # That another link has another geometry is known only where it is.
        case = replace(case, bodies=(), box=None, relatives=case.relatives if other else relatives)
    return made._replace(case=replace(case, findings=frozenset(findings(case))))


def scored_mistakes(root: Path, count: int) -> list[Scored]:
    """Injected mistakes with the scores of all hypotheses, each of its kind, beside geometry, none and exact meshes."""
    cases = right_cases(root)
    found = []
    for which, links in (("geometry", cases), ("nothing", cases), ("meshes", beside_exact_meshes(cases))):
        for name, made in injected(links, count, with_geometry=which != "nothing"):
            one = scored(made.case, made.causes, (which, name))
            found += [one] if one is not None else []
    return found


def tallies(cases: Sequence[Case], count: int, *, with_geometry: bool) -> tuple[dict[str, Tally], float]:
    """The results for every mistake, and the processor time of a diagnosis (ms)."""
    found: dict[str, Tally] = {name: Tally() for name in MISTAKES}
    seconds, links = 0.0, 0
    for name, made in injected(cases, count, with_geometry=with_geometry):
        start = time.process_time()
        diagnosis = diagnose(made.case)
        seconds += time.process_time() - start
        links += 1
        found[name].add(made, diagnosis)
    return found, 1e3 * seconds / max(links, 1)


def lines(found: dict[str, Tally], *, verbose: bool = True) -> Iterable[str]:
    """The table of one run."""
    yield (
        f"{'mistake':<28}{'links':>6}{'told':>6}{'first':>8}{'certain':>9}{'wrong':>7}{'silent':>8}{'SDI210':>8}"
        f"{'else':>6}  instead"
    )
    total = Tally()
    for name, tally in found.items():
        total += tally
        yield _line(name, tally, verbose=verbose)
    yield _line("all", total, verbose=False)


def _line(name: str, tally: Tally, *, verbose: bool) -> str:
    def share(count: int) -> str:
        return f"{100 * count / tally.told:.1f}%" if tally.told else ""

    instead = ", ".join(f"{cause} {count}" for cause, count in tally.instead.most_common(4)) if verbose else ""
    return (
        f"{name:<28}{tally.links:>6}{tally.told:>6}{share(tally.first):>8}{share(tally.certain_right):>9}"
        f"{share(tally.certain_wrong):>7}{tally.silent:>8}{tally.slips:>8}{tally.false_slips:>6}  {instead}"
    )


def beside_exact_meshes(cases: Sequence[Case]) -> list[Case]:
    """Links whose numbers are those of their mesh, in six digits: the subjects of SDI210."""
    found = []
    for case in cases:
        exact = sorted((body for body in case.bodies if body.is_exact_mesh), key=lambda body: body.kind.value)
        if exact:
            body = exact[0].inertia.scaled_to_mass(case.written.mass)
            texts = EntryTexts(*(f"{value:.6g}" for value in body.I_BBcm_B))
            tensor = InertiaTensor(*(float(text) for text in texts))
            written = replace(case.written, centre=body.p_BoBcm_B, tensor=tensor, entry_texts=texts)
            found.append(replace(case, written=written))
    return found


def clean_claims(cases: Sequence[Case]) -> Counter[str]:
    """The causes reported for links that are right: none should be certain, and no slip named."""
    found: Counter[str] = Counter()
    for case in cases:
        best = diagnose(case).likeliest
        if best is not None:
            found[best.cause] += 1
    return found


def report(root: Path, count: int) -> Iterator[str]:
    """The whole answer of `make recall RECALL=--why`."""
    cases = right_cases(root)
    yield f"{len(cases)} links of {root} that are right"
    if not cases:
        return
    told: list[Told] = []
    for with_geometry in (True, False):
        found, milliseconds = tallies(cases, count, with_geometry=with_geometry)
        which = "with" if with_geometry else "without"
        yield f"\nmistakes {which} geometry; {milliseconds:.2f} ms of processor time a link"
        yield from lines(found)
        told += [each for tally in found.values() for each in tally.shares]
    yield from reliability(told, atlas.directory())
    exact = beside_exact_meshes(cases)
    if exact:
        yield "\nhabits of a file"
        yield from habits.lines(exact)
        yield "\nmistakes that leave a body, beside an exact mesh"
        found, _ = tallies(exact, count, with_geometry=True)
        yield from lines({name: tally for name, tally in found.items() if tally.silent}, verbose=False)
    claims = clean_claims([*cases, *exact])
    yield "\non the links as they are: " + (
        ", ".join(f"{cause} {n}" for cause, n in sorted(claims.items())) or "nothing"
    )
