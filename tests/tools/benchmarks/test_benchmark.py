"""Every row of the benchmark runs, in its reduced form."""

import json
import sys
from pathlib import Path

import pytest

from benchmarks import rows
from benchmarks.__main__ import main
from benchmarks.measurement import CommandFailedError, Contender, run
from benchmarks.rows import ROWS

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="children are waited for as POSIX systems do")


@pytest.mark.slow
@pytest.mark.parametrize("name", ROWS)
def test_a_row_runs_and_its_limits_are_judged(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    if name == "collada":
        pytest.importorskip("collada", reason="trimesh writes COLLADA with pycollada")
    written = tmp_path / "bench.json"
    assert main(["--quick", "--rows", name, "--directory", str(tmp_path / "work"), "--json", str(written)]) == 0
    [samples] = json.loads(written.read_text())[name]
    assert all(sample["seconds"] > 0.0 and sample["peak"] > rows.MIB for sample in samples.values())
    printed = capsys.readouterr().out
    assert all(label in printed for label in samples)


def test_a_row_that_is_not_there_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["--rows", "stl,magic"])
    assert stopped.value.code == 2
    assert "there is no row magic" in capsys.readouterr().err


def test_a_command_that_fails_is_told_with_its_last_words() -> None:
    program = (sys.executable, "-c", "import sys; sys.stderr.write('no such luck'); sys.exit(3)")
    with pytest.raises(CommandFailedError, match=r"(?s)exit status 3.*no such luck"):
        run(Contender("", program))
