"""What the comparison of two commits takes for a difference, and what for none; and that its table can be run."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from same.__main__ import main
from same.comparison import Difference, Entry, Outcome, differences, tree_of
from same.masks import ALWAYS, LENIENT, masked
from same.runs import RUNS, Run, command_line
from same.sides import ROOT
from same.trial import compared
from sdfinertia.cli import main as command

_TREE = {"model.sdf": Entry("-rw-r--r--", b"<sdf/>\n")}
_STREAMS = {"1: fill: exit status": b"0", "1: fill: stdout": b""}


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"inputs=0123456789ab values=ba9876543210", b"inputs=DIGEST values=DIGEST"),
        (b"inputs=2:0123456789ab -->", b"inputs=DIGEST -->"),
        (b"3 files in 0.52 s (5.8 files/s)\n", b"3 files in SECONDS\n"),
        (b"1 file in 1,000.52 s (1e-03 files/s)\n", b"1 file in SECONDS\n"),
        (b"a\nslowest: a.sdf 0.20 s, b.sdf 0.1 s\nb", b"a\nslowest: FILES\nb"),
        (b'a\nnanobind: leaked 1 types!\n - leaked type "T"\n - ... skipped remainder\nb', b"a\nb"),
        (b"models/.sdfinertia-some.host-12-3.tmp is left", b"models/TEMPORARY is left"),
    ],
)
def test_what_two_runs_may_differ_in_is_masked(content: bytes, expected: bytes) -> None:
    assert masked(content, LENIENT) == expected


@pytest.mark.parametrize(
    "content", [b"<mass>0123456789ab</mass>", b"density=1000000", b"values=given", b"a mesh of 12 faces in 2 parts"]
)
def test_what_only_resembles_a_digest_or_a_time_is_left(content: bytes) -> None:
    assert masked(content, LENIENT) == content


def test_digests_are_compared_where_nothing_may_differ() -> None:
    content = b"inputs=0123456789ab values=ba9876543210"
    assert masked(content, ALWAYS) == content


def test_two_sides_that_did_the_same_do_not_differ() -> None:
    assert list(differences(Outcome(_STREAMS, _TREE), Outcome(dict(_STREAMS), dict(_TREE)), LENIENT, 20)) == []


@pytest.mark.parametrize(
    ("streams", "tree", "expected"),
    [
        ({"1: fill: exit status": b"2"}, {}, Difference("1: fill: exit status", ("stream",) * 2, ("-0", "+2"))),
        ({}, {"model.sdf": Entry("-rw-r--r--", b"<sdf/>\r\n")}, ("model.sdf", "-rw-r--r--", "-rw-r--r--")),
        ({}, {"model.sdf": Entry("-rw-r--r--", b"<sdf/>\xff\n")}, ("model.sdf", "-rw-r--r--", "-rw-r--r--")),
        ({}, {"model.sdf": Entry("-rw-r--r--", b"<sdf/>")}, ("model.sdf", "-rw-r--r--", "-rw-r--r--")),
        ({}, {"model.sdf": Entry("-rwxr-xr-x", b"<sdf/>\n")}, ("model.sdf", "-rw-r--r--", "-rwxr-xr-x")),
        ({}, {"empty.json": Entry("-rw-r--r--", b"")}, ("empty.json", "absent", "-rw-r--r--")),
    ],
)
def test_one_status_byte_mode_or_file_is_a_difference(streams, tree, expected):
    head = Outcome({**_STREAMS, **streams}, {**_TREE, **tree})
    [found] = differences(Outcome(_STREAMS, _TREE), head, LENIENT, 20)
    if isinstance(expected, Difference):
        assert found == expected._replace(lines=("@@ -1 +1 @@", *expected.lines))
    else:
        assert (found.what, *found.modes) == expected
        same_bytes = tree.get("model.sdf", Entry("", b"")).content in (b"", _TREE["model.sdf"].content)
        assert bool(found.lines) is not same_bytes, "what differs in bytes is shown"


def test_no_more_lines_of_a_difference_are_shown_than_asked_for() -> None:
    head = {"model.sdf": Entry("-rw-r--r--", b"line\n" * 50)}
    [found] = differences(Outcome({}, _TREE), Outcome({}, head), LENIENT, 7)
    assert len(found.lines) == 7


def test_a_tree_is_all_its_entries_hidden_ones_and_links_included(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / ".hidden").write_bytes(b"x")
    (tmp_path / "link").symlink_to("nowhere")
    assert {path: entry.content for path, entry in tree_of(tmp_path).items()} == {
        "a": b"",
        "a/.hidden": b"x",
        "link": b"nowhere",
    }


@pytest.mark.parametrize(
    ("altered", "found"), [("print('b')", ["stdout"]), ("raise SystemExit(3)", ["exit", "stdout"])]
)
def test_a_run_of_two_packages_finds_what_one_does_differently(tmp_path: Path, altered: str, found: list[str]) -> None:
    packages = (tmp_path / "base", tmp_path / "head")
    for package, text in zip(packages, ("print('a')", altered), strict=True):
        (package / "sdfinertia").mkdir(parents=True)
        (package / "sdfinertia" / "__main__.py").write_text(text + "\n")
        (package / "sdfinertia" / "__init__.py").touch()
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "model.sdf").write_text("<sdf/>")
    run = Run("fill", ("tree",), ("fill {}",))
    result = compared(run, packages, {"tree": tmp_path / "tree"}, tmp_path / "place", LENIENT, 20)
    assert [difference.what.split(": ")[-1].split()[0] for difference in result.differences] == found
    assert (result.processes, result.crashes) == (1, ())


def test_runs_have_names_of_their_own() -> None:
    assert len({run.name for run in RUNS}) == len(RUNS)


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.name)
def test_the_table_names_only_options_that_the_command_has(run: Run) -> None:
    for step in run.steps:
        words = command_line(step, ["model.sdf"]).arguments
        # What is refused, and help, are run on purpose; walks are no commands.
        if words[0].endswith(".py"):
            assert Path(ROOT, "tests", "same", words[0]).is_file()
            continue
        if "--help" in words or words == ("fill",):
            continue
        assert isinstance(command, click.Group)
        command.every_command()[words[0]].make_context(words[0], list(words[1:])).close()


def test_standard_input_is_the_file_after_the_sign() -> None:
    assert command_line("fill - --stdin-filename {} < {}", ["a b.sdf"]) == (
        ("fill", "-", "--stdin-filename", "a b.sdf"),
        "a b.sdf",
    )


def test_patterns_choose_paths_and_leave_others_out() -> None:
    run = Run("some", ("fixtures/*/model.sdf", "!fixtures/r*/model.sdf"), ("fill {}",), each=True)
    lots = list(run.lots(ROOT))
    assert ("fixtures/arm/model.sdf",) in lots
    assert ("fixtures/rover/model.sdf",) not in lots
    [paths] = Run("all", ("fixtures/rover/*/",), ("fill {}",)).lots(ROOT)
    assert paths == ("fixtures/rover/meshes",), "a pattern that ends in a slash chooses directories"


def test_a_run_keeps_to_the_trees_that_are_there() -> None:
    run = Run("some", ("fixtures/*/", "real/*/", "!real/slow"), ("fill {}",))
    kept = run.within(["fixtures"])
    assert kept is not None
    assert kept.places == ("fixtures/*/",)
    assert run.within(["reference"]) is None


def test_a_commit_that_does_not_exist_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--base", "no-such-commit", "--only", "rules"]) == 2
    assert "git rev-parse" in capsys.readouterr().err


def test_a_pattern_that_names_no_run_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--only", "nothing"]) == 2
    assert "there is nothing to run" in capsys.readouterr().err
