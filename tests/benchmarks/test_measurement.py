"""The measuring measures: memory, time, and in which order."""

from __future__ import annotations

import statistics
import sys
from pathlib import Path

import pytest

from benchmarks.bars import MIB
from benchmarks.measurement import CommandFailedError, Contender, rounds, run

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="children are waited for as POSIX systems do")


def python(program: str) -> tuple[str, ...]:
    return (sys.executable, "-I", "-S", "-c", program)


def test_memory_that_a_process_fills_is_in_its_peak() -> None:
    assert 200 * MIB <= run(python(f"bytearray(b'x') * {200 * MIB}")).peak < 230 * MIB


def test_memory_of_the_measuring_process_is_not_in_the_peak() -> None:
    held = bytearray(b"x") * (200 * MIB)
    assert run(python("pass")).peak < 100 * MIB
    assert len(held) == 200 * MIB


def test_waiting_takes_wall_time_and_no_cpu_time() -> None:
    sample = run(python("import time; time.sleep(0.5)"))
    assert sample.seconds >= 0.5
    assert sample.cpu_seconds < 0.4


def test_working_takes_cpu_time() -> None:
    sample = run(python("import time\nwhile time.process_time() < 0.3: pass"))
    assert 0.3 <= sample.cpu_seconds <= sample.seconds + 0.1


def test_a_program_that_times_itself_is_believed() -> None:
    assert run(python("print('{\"seconds\": 12.5}')"), times_itself=True).seconds == 12.5


def test_a_command_that_fails_is_told_with_its_last_words() -> None:
    with pytest.raises(CommandFailedError, match=r"(?s)exit status 3.*no such luck"):
        run(python("import sys; sys.stderr.write('no such luck'); sys.exit(3)"))


@pytest.mark.parametrize("variable", ["PYTHONPATH", "PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE", "SDF_PATH"])
def test_what_would_change_the_measured_program_is_kept_from_it(monkeypatch: pytest.MonkeyPatch, variable: str) -> None:
    program = python(f"import os, sys; sys.exit({variable!r} in os.environ)")
    monkeypatch.setenv(variable, "/nowhere")
    run(program)


@pytest.mark.timing
def test_a_command_takes_as_long_as_itself() -> None:
    pair = [Contender(label, python("sum(range(1_000_000))")) for label in "ab"]
    ratios = [samples["a"].seconds / samples["b"].seconds for samples in rounds(pair, 5)]
    assert 1 / 3 < statistics.median(ratios) < 3


@pytest.mark.parametrize(("warm", "written"), [(False, "abab"), (True, "ababab")])
def test_contenders_take_turns_and_a_warming_round_is_forgotten(tmp_path: Path, warm: bool, written: str) -> None:
    log = tmp_path / "log"
    turns = [Contender(label, python(f"open({str(log)!r}, 'a').write({label!r})")) for label in "ab"]
    found = list(rounds(turns, 2, warm))
    assert log.read_text() == written
    assert [list(samples) for samples in found] == [["a", "b"], ["a", "b"]]


def test_a_contender_that_is_missing_does_not_run() -> None:
    there, missing = Contender("a", python("pass")), Contender("b", ("/no/such/program",), missing="not installed")
    assert [list(samples) for samples in rounds([there, missing], 2)] == [["a"], ["a"]]


def test_each_run_is_prepared_anew(tmp_path: Path) -> None:
    file = tmp_path / "file"
    remove = python(f"import os; os.remove({str(file)!r})")
    assert len(list(rounds([Contender("a", remove, file.touch)], 3))) == 3
