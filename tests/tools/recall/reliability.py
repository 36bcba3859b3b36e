"""Reliability of shares: how many of the causes reported at 90 % are right, with families kept apart."""

import json
import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from causes import atlas

from sdfinertia.causes.diagnosis import diagnose

_BINS = (0.0, 0.3, 0.5, 0.7, 0.9, 1.0)
# The seed that divides families into two halves.
_SEED = 28


class Told(NamedTuple):
    """A first cause: of which family, at which share, and whether it was right."""

    family: str
    share: float
    is_right: bool


def halves(told: Iterable[Told]) -> tuple[list[Told], list[Told]]:
    """The reported causes in two parts of about equal size; each family is whole in one of them."""
    families: dict[str, list[Told]] = {}
    for each in told:
        families.setdefault(each.family, []).append(each)
    names = sorted(families)
    random.Random(_SEED).shuffle(names)
    one: list[Told] = []
    other: list[Told] = []
    for name in names:
        (one if len(one) <= len(other) else other).extend(families[name])
    return one, other


def table(told: Sequence[Told]) -> Iterator[str]:
    """Share against right, and the Brier score."""
    yield f"{'share':<14}{'told':>6}{'mean':>8}{'right':>8}"
    for low, high in pairwise(_BINS):
        some = [each for each in told if low <= each.share < high or each.share == high == 1.0]
        if some:
            mean, right = sum(each.share for each in some), sum(each.is_right for each in some)
            yield f"{low:.1f} to {high:.1f}{'':<4}{len(some):>6}{mean / len(some):>8.2f}{right / len(some):>8.2f}"
    if told:
        yield f"Brier score {sum((each.share - each.is_right) ** 2 for each in told) / len(told):.3f} of {len(told)}"


def labelled(path: Path) -> Iterator[Told]:
    """The labelled findings of public robots, each by the facts in its entry alone: no file, no other link."""
    for one in json.loads(path.read_text(encoding="utf-8"))["entries"]:
        best = diagnose(atlas.labelled_case(one)).likeliest
        if best is not None and one["confidence"] != "unknown":
            yield Told(one["family"], best.share, best.cause in one["accepted"])


def report(injected: Iterable[Told], directory: Path) -> Iterator[str]:
    """The tables: of mistakes that were injected, by files, and of labelled findings, by families of robots."""
    sources: list[tuple[str, list[Told]]] = [("injected mistakes, by files", list(injected))]
    if (directory / "why_open.json").is_file():
        sources.append(("labelled findings, by families", list(labelled(directory / "why_open.json"))))
    else:
        yield f"\nlabelled findings: skipped, there is no {directory / 'why_open.json'} (SDFINERTIA_MISTAKES names it)"
    for name, told in sources:
        for half, part in zip(("one half", "the other half"), halves(told), strict=True):
            if part:
                yield f"\nshare against right: {name}, {half}"
                yield from table(part)
