"""Every row of the benchmark runs, in its reduced form; peers that are not installed are passed over and named."""

import json
import math
import sys
from pathlib import Path

import pytest

from benchmarks.__main__ import _parser, main
from benchmarks.rows import ROWS

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="children are waited for as POSIX systems do")


# The cheapest rows of each kind; all of them where there is time to measure.
CHEAP = ("nothing", "primitives", "linear")


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [name if name in CHEAP else pytest.param(name, marks=pytest.mark.timing) for name in ROWS]
)
def test_a_row_runs_and_its_bars_are_computed(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    written = tmp_path / "bench.json"
    given = ["--quick", "--rows", name, "--directory", str(tmp_path / "work"), "--json", str(written)]
    assert main(given) == 0
    [row] = json.loads(written.read_text())["rows"]
    assert row["name"] == name
    assert row["bars"]
    printed = capsys.readouterr().out
    missing = [contender["missing"] for contender in row["contenders"] if contender["missing"] is not None]
    assert all(reason in printed for reason in missing)
    for contender in row["contenders"]:
        assert len(contender["samples"]) == (contender["missing"] is None), contender
    for bar in row["bars"]:
        assert bar["bar"] in printed
        assert missing if bar["met"] is None else math.isfinite(bar["median"]), bar


def test_all_rows_are_measured_unless_some_are_named_and_others_refused(capsys):
    assert _parser().parse_args([]).rows == list(ROWS)
    assert _parser().parse_args(["--rows", "world,stl"]).rows == ["world", "stl"]
    with pytest.raises(SystemExit) as stopped:
        main(["--rows", "stl,magic"])
    assert stopped.value.code == 2
    assert "there is no row magic" in capsys.readouterr().err


@pytest.mark.slow
def test_a_command_that_fails_is_told_and_the_other_rows_are_measured(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("benchmarks.peers.command", lambda: Path(sys.executable))
    written = tmp_path / "bench.json"
    given = ["--quick", "--rows", "obj,linear", "--directory", str(tmp_path / "work"), "--json", str(written)]
    assert main(given) == 1
    assert "obj: exit status 2 of" in capsys.readouterr().err
    assert [row["name"] for row in json.loads(written.read_text())["rows"]] == ["linear"]
