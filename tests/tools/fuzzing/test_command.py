"""The command that fuzzes, without fuzzing: its output, its reading of libFuzzer's, and that a break is seen."""

import importlib.util
from dataclasses import replace
from typing import Any

import pytest

from fuzzing import campaign, document_contracts, harnesses
from fuzzing.__main__ import main
from fuzzing.harnesses import HARNESSES

LOG = """INFO: seed corpus: files: 5 min: 20b max: 99b total: 300b rss: 70Mb
#6	INITED cov: 61 ft: 62 corp: 4/200b exec/s: 0 rss: 71Mb
#99	NEW    cov: 70 ft: 81 corp: 9/400b lim: 65536 exec/s: 50 rss: 72Mb L: 40/99 MS: 1 Custom-
#900	DONE   cov: 75 ft: 93 corp: 11/500b lim: 65536 exec/s: 60 rss: 90Mb
stat::number_of_executed_units: 900
stat::peak_rss_mb:              91
"""
DOCUMENT = b"""\0<sdf version='1.11'><model name='m'><link name='l'><inertial auto='true'/>
<collision name='c'><geometry><box><size>1 1 1</size></box></geometry></collision></link></model></sdf>"""


def test_without_atheris_the_command_says_what_has_it_and_an_unknown_name_is_refused(monkeypatch, capsys):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert main(["fill"]) == 2
    assert "PYTHON=" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["fil"])
    assert "provenance" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("found", [(), ("crash-1",)])
def test_each_harness_has_a_line_and_what_was_found_can_be_tried_again(tmp_path, monkeypatch, capsys, found):
    def run_libfuzzer(command: list[str], stdout: Any, **_: object) -> Any:
        stdout.write(LOG.encode())
        for name in found:
            (tmp_path / "obj" / name).write_bytes(b"\0v 0 0 0\n")
        return type("Done", (), {"returncode": 77 if found else 0})

    monkeypatch.setattr(importlib.util, "find_spec", lambda name: object())
    monkeypatch.setattr(campaign.subprocess, "run", run_libfuzzer)
    assert main(["obj", "--directory", str(tmp_path), "--seconds", "1"]) == bool(found)
    told = capsys.readouterr().out
    assert told.splitlines()[1].split() == ["obj", "900", "75", "61", "93", "11", "91"]
    assert len(list((tmp_path / "obj/seeds").iterdir())) == len(list(HARNESSES["obj"].seeds()))
    assert ("--replay" in told) == bool(found)
    for name in found:
        assert main(["obj", "--replay", str(tmp_path / "obj" / name)]) == 0


def other_quotes(result: Any) -> Any:
    return replace(result, content=result.content.replace(b"name='c'", b'name="c"'))


def no_edits(result: Any) -> Any:
    return replace(result, content=result.content.replace(b"<mass>", b"<mass> "), edits=())


@pytest.mark.parametrize(
    ("spoilt", "problem"),
    [(other_quotes, "outside of blocks"), (no_edits, "edits do not make")],
)
def test_a_fill_that_changes_what_it_may_not_breaks_the_contract(monkeypatch, spoilt, problem):
    real_fill = document_contracts.fill
    document_contracts.filling_holds(DOCUMENT)
    monkeypatch.setattr(document_contracts, "fill", lambda *given, **named: spoilt(real_fill(*given, **named)))
    with pytest.raises(AssertionError, match=problem):
        document_contracts.filling_holds(DOCUMENT)


def test_a_second_run_that_changes_the_file_breaks_the_contract(monkeypatch: pytest.MonkeyPatch) -> None:
    real_fill, runs = document_contracts.fill, iter((b"", b" ", b"  "))

    def restless(data: bytes, *arguments: Any, **keywords: Any) -> Any:
        result = real_fill(data, *arguments, **keywords)
        return replace(result, content=result.content + next(runs))

    monkeypatch.setattr(document_contracts, "fill", restless)
    with pytest.raises(AssertionError, match="second run"):
        document_contracts.filling_holds(DOCUMENT)


def test_an_input_that_takes_too_long_breaks_the_contract(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = iter((0.0, 5.5))
    monkeypatch.setattr(harnesses.time, "process_time", lambda: next(seconds))
    with pytest.raises(AssertionError, match="took"):
        HARNESSES["baseline"].try_input(b"{}")
