"""The table of share against right, and its input."""

from recall.reliability import Told, halves, report, table

TOLD = [Told(f"family {k % 7}", share, k % 10 < 10 * share) for k in range(140) for share in (0.2, 0.95)]


def test_families_are_whole_in_one_half() -> None:
    one, other = halves(TOLD)
    assert not {each.family for each in one} & {each.family for each in other}
    assert len(one) + len(other) == len(TOLD)
    assert [{*half} for half in halves(reversed(TOLD))] == [{*one}, {*other}]
    assert sum("share against right" in line for line in report(TOLD)) == 2


def test_a_row_says_what_was_told_and_what_was_right() -> None:
    lines = list(table(TOLD))
    assert lines[1].split() == ["0.0", "to", "0.3", "140", "0.20", "0.20"]
    assert lines[2].split()[:5] == ["0.9", "to", "1.0", "140", "0.95"]
    assert lines[-1].startswith("Brier score 0.")
