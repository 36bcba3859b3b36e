"""What is printed of rows and bars."""

import pytest

from benchmarks.bars import MIB, rate, time_ratio
from benchmarks.measurement import Contender, Sample
from benchmarks.rows import Row
from benchmarks.table import Measured, bars_table, times_table


def cells(table: str) -> list[list[str]]:
    """The cells of a table's lines, without its head."""
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]


def measured(*seconds: float, at_most: float = 2, missing: str | None = None, times_itself: bool = False) -> Measured:
    contenders = [
        Contender("ours", ("ours",), times_itself=times_itself),
        Contender("theirs", ("theirs",), missing=missing),
    ]
    row = Row("some work", contenders, [time_ratio("ours", "theirs", at_most, "the bar"), rate("ours", 100, 50, "/s")])
    samples = [{"ours": Sample(value, value, 3 * MIB), "theirs": Sample(1, 1, MIB)} for value in seconds]
    return Measured("some", row, samples if missing is None else [{"ours": sample["ours"]} for sample in samples])


def test_times_are_medians_with_extremes_and_peaks_and_what_could_not_run_is_named_with_its_reason() -> None:
    ours, theirs = cells(times_table([measured(1, 4, 2)]))
    assert ours == ["some work", "ours", "2", "1", "4", "2", "3", "3"]
    assert theirs == ["", "theirs", "1", "1", "1", "1", "1", "3"]
    # The processor time of a program that times itself is not that of its work.
    assert cells(times_table([measured(1, times_itself=True)]))[0] == ["some work", "ours", "1", "1", "1", "", "3", "1"]
    one = measured(1, missing="theirs is not installed")
    assert cells(times_table([one]))[1][:3] == ["", "theirs", "theirs is not installed"]
    assert cells(bars_table([one]))[0][-1] == "not measured: theirs is not installed"


@pytest.mark.parametrize(
    ("seconds", "at_most", "figure", "judgement"),
    [(2, 2, "2", "met"), (3, 2, "3", "MISSED by 1.50 ×"), (0.25, 0.5, "1/4", "met"), (1, 0.5, "1", "MISSED by 2.00 ×")],
)
def test_a_bar_is_told_as_met_or_missed_and_by_how_much(seconds, at_most, figure, judgement):
    one = [measured(seconds, at_most=at_most)]
    assert cells(bars_table(one))[0] == ["some work", "the bar", figure, figure, figure, judgement]
    assert cells(bars_table(one, judge=False))[0][-1] == "not judged"
    assert cells(bars_table([measured(4)]))[1] == ["", "≥ 50 /s", *["25 /s"] * 3, "MISSED by 2.00 ×"]
