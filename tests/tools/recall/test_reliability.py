"""The table of share against right, and its input."""

import json
from pathlib import Path

from recall.reliability import Told, halves, labelled, report, table

TOLD = [Told(f"family {k % 7}", share, k % 10 < 10 * share) for k in range(140) for share in (0.2, 0.95)]


def test_families_are_whole_in_one_half_and_labels_that_are_not_there_said_to_be_skipped(tmp_path: Path) -> None:
    one, other = halves(TOLD)
    assert not {each.family for each in one} & {each.family for each in other}
    assert len(one) + len(other) == len(TOLD)
    assert [{*half} for half in halves(reversed(TOLD))] == [{*one}, {*other}]
    assert any("skipped" in line for line in report(TOLD, tmp_path))


def test_a_row_says_what_was_told_and_what_was_right() -> None:
    lines = list(table(TOLD))
    assert lines[1].split() == ["0.0", "to", "0.3", "140", "0.20", "0.20"]
    assert lines[2].split()[:5] == ["0.9", "to", "1.0", "140", "0.95"]
    assert lines[-1].startswith("Brier score 0.")


def test_a_labelled_finding_is_judged_by_its_accepted_causes(tmp_path: Path) -> None:
    written = {"mass": "2.0", "origin_xyz": None, "origin_rpy": None}
    written |= {"ixx": "0.01", "ixy": "0", "ixz": "0", "iyy": "0.01", "iyz": "0", "izz": "0.01"}
    one = {
        "link": "r::link_6",
        "rule": "SDI102",
        "family": "some robot",
        "confidence": "certain",
        "accepted": ["zeros"],
        "written": {**written, "ixx": "0", "iyy": "0", "izz": "0"},
        "numbers": {"mass": 2.0, "com": [0.0, 0.0, 0.0], "six": [0.0] * 6},
        "geometry": None,
    }
    path = tmp_path / "why_open.json"
    path.write_text(json.dumps({"entries": [one, {**one, "confidence": "unknown"}]}))
    (told,) = labelled(path)
    assert (told.family, told.is_right) == ("some robot", True)
    assert sum("labelled findings" in line for line in report([], tmp_path)) == 1
