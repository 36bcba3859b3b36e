"""Bars: what is compared, in which direction, and what is not judged."""

import pytest

from benchmarks.bars import MIB, Bar, even_cost, growing_cost, judged, peak, rate, speedup, time_ratio
from benchmarks.measurement import Round, Sample


def one_round(**seconds: float) -> Round:
    return {label: Sample(value, value, 10 * MIB) for label, value in seconds.items()}


@pytest.mark.parametrize(
    ("bar", "seconds", "median", "met"),
    [
        (time_ratio("a", "b", 3, ""), {"a": 6, "b": 2}, 3, True),
        (time_ratio("a", "b", 2.9, ""), {"a": 6, "b": 2}, 3, False),
        (speedup("a", "b", 1.7, ""), {"a": 1, "b": 1.8}, 1.8, True),
        (speedup("a", "b", 1.7, ""), {"a": 1, "b": 1.6}, 1.6, False),
        (rate("a", 1000, 500, "files/s"), {"a": 2}, 500, True),
        (rate("a", 1000, 501, "files/s"), {"a": 2}, 500, False),
        (peak("a", 10 * MIB, ""), {"a": 1}, 10, True),
        (peak("a", 9 * MIB, ""), {"a": 1}, 10, False),
        (even_cost({"a": 10, "b": 1000}, 2, ""), {"a": 1, "b": 200}, 2, True),
        (even_cost({"a": 10, "b": 1000}, 2, ""), {"a": 1, "b": 201}, 2.01, False),
        (even_cost({"a": 10, "b": 1000}, 2, ""), {"a": 2.01, "b": 100}, 2.01, False),
        (growing_cost("start", ("a", 10), ("b", 100), 1.25, ""), {"start": 5, "a": 15, "b": 105}, 1, True),
        (growing_cost("start", ("a", 10), ("b", 100), 1.25, ""), {"start": 0, "a": 10, "b": 1000}, 11, False),
    ],
)
def test_a_bar_is_met_up_to_its_limit(bar: Bar, seconds: dict[str, float], median: float, met: bool) -> None:
    verdict = judged(bar, [one_round(**seconds)])
    assert verdict is not None
    assert verdict.median == pytest.approx(median)
    assert verdict.met is met


def test_the_median_is_that_of_the_ratios_of_each_round() -> None:
    # A load that slows two rounds down leaves their ratios alone; the medians of the times would give 20 / 5.
    rounds = [one_round(a=2, b=1), one_round(a=20, b=10), one_round(a=25, b=5)]
    verdict = judged(time_ratio("a", "b", 2, ""), rounds)
    assert verdict is not None
    assert (verdict.median, verdict.least, verdict.most, verdict.met) == (2, 2, 5, True)


@pytest.mark.parametrize("rounds", [[], [one_round(a=1)], [one_round(a=1, b=1), one_round(b=1)]])
def test_a_bar_without_what_it_needs_is_not_judged(rounds: list[Round]) -> None:
    assert judged(time_ratio("a", "b", 2, ""), rounds) is None
