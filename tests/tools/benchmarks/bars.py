"""Bars: quantities of a round of measurements, and their limits."""

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.measurement import Round

MIB = 1 << 20


@dataclass(frozen=True)
class Bar:
    """A limit that a row has to reach."""

    text: str
    quantity: Callable[[Round], float]
    limit: float
    needs: tuple[str, ...]
    at_least: bool = False
    unit: str = ""


@dataclass(frozen=True)
class Verdict:
    """How a bar was met: the median of its quantity over the rounds, the extremes, and whether the median meets it."""

    median: float
    least: float
    most: float
    met: bool


def judged(bar: Bar, rounds: Sequence[Round]) -> Verdict | None:
    """The verdict on a bar, or None if a contender that it needs has not run."""
    if not rounds or any(label not in samples for label in bar.needs for samples in rounds):
        return None
    values = [bar.quantity(samples) for samples in rounds]
    median = statistics.median(values)
    met = median >= bar.limit if bar.at_least else median <= bar.limit
    return Verdict(median, min(values), max(values), met)


def time_ratio(of: str, to: str, at_most: float, text: str) -> Bar:
    """A bar on the time of one contender by that of another in the same round."""
    return Bar(text, lambda samples: samples[of].seconds / samples[to].seconds, at_most, (of, to))


def speedup(of: str, over: str, at_least: float, text: str) -> Bar:
    """A bar on how many times faster one contender is than another."""
    return Bar(text, lambda samples: samples[over].seconds / samples[of].seconds, at_least, (of, over), at_least=True)


def rate(of: str, count: int, at_least: float, unit: str) -> Bar:
    """A bar on the number of things done in a second, of `count`."""
    text = f"≥ {at_least:g} {unit}"
    return Bar(text, lambda samples: count / samples[of].seconds, at_least, (of,), at_least=True, unit=unit)


def peak(of: str, at_most: float, text: str) -> Bar:
    """A bar on the memory of a contender."""
    return Bar(text, lambda samples: samples[of].peak / MIB, at_most / MIB, (of,), unit="MiB")


def peak_ratio(of: str, to: str, at_most: float, text: str) -> Bar:
    """A bar on the memory of one contender by that of another in the same round."""
    return Bar(text, lambda samples: samples[of].peak / samples[to].peak, at_most, (of, to))


def even_cost(sizes: Mapping[str, int], at_most: float, text: str) -> Bar:
    """A bar on how far the costs per piece of the contenders, which do the same for so many pieces, lie apart."""

    def spread(samples: Round) -> float:
        costs = [samples[label].seconds / size for label, size in sizes.items()]
        return max(costs) / min(costs)

    return Bar(text, spread, at_most, tuple(sizes))


def growing_cost(start: str, few: tuple[str, int], many: tuple[str, int], at_most: float, text: str) -> Bar:
    """A bar on the cost of each further piece of many, by that of each of few, over what one piece takes."""

    def growth(samples: Round) -> float:
        seconds = [samples[label].seconds for label in (start, few[0], many[0])]
        return (seconds[2] - seconds[1]) / (many[1] - few[1]) / ((seconds[1] - seconds[0]) / few[1])

    return Bar(text, growth, at_most, (start, few[0], many[0]))
