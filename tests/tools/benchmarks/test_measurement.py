"""The measuring measures: memory, time, and in which order."""

import statistics
import sys

import pytest

from benchmarks.bars import MIB
from benchmarks.measurement import CommandFailedError, Contender, rounds, run

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="children are waited for as POSIX systems do")


def python(program: str) -> tuple[str, ...]:
    return (sys.executable, "-I", "-S", "-c", program)


def test_memory_that_a_process_fills_is_in_its_peak_and_that_of_the_measuring_one_is_not():
    held = bytearray(b"x") * (200 * MIB)
    assert run(python("pass")).peak < 100 * MIB
    assert len(held) == 200 * MIB
    assert 200 * MIB <= run(python(f"bytearray(b'x') * {200 * MIB}")).peak < 230 * MIB


def test_waiting_takes_wall_time_and_working_processor_time():
    sample = run(python("import time; time.sleep(0.5)"))
    assert sample.seconds >= 0.5
    assert sample.cpu_seconds < 0.4
    sample = run(python("import time\nwhile time.process_time() < 0.3: pass"))
    assert 0.3 <= sample.cpu_seconds <= sample.seconds + 0.1
    # A program that times itself is believed.
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
def test_contenders_that_are_there_take_turns_and_a_warming_round_is_forgotten(tmp_path, warm, written):
    log, made = tmp_path / "log", tmp_path / "made"
    turns = [Contender(label, python(f"open({str(log)!r}, 'a').write({label!r})")) for label in "ab"]
    turns.append(Contender("c", ("/no/such/program",), missing="not installed"))
    turns.append(Contender("d", python(f"import os; os.remove({str(made)!r})"), made.touch))  # is prepared each time
    found = list(rounds(turns, 2, warm))
    assert log.read_text() == written
    assert [list(samples) for samples in found] == [["a", "b", "d"]] * 2
