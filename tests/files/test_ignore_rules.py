"""What git finds no meaning in, and what could take long, are no rules of a `.gitignore`."""

from pathlib import Path

import pytest

from sdfinertia.files.walk import walk


def found(directory: Path, rules: bytes) -> list[str]:
    (directory / ".gitignore").write_bytes(rules)
    return [entry.name for folder in walk(str(directory)) for entry in folder.files((".sdf",))]


@pytest.mark.parametrize("pattern", ["*a*a*a*a*a*a*b", "*a" * 30 + "b", "*[a]*[a]*[a]*[a]*[a]*b", "**" * 100 + "b"])
def test_no_pattern_takes_for_ever(tmp_path: Path, pattern: str) -> None:
    name = "a" * 200 + ".sdf"
    (tmp_path / name).touch()
    assert found(tmp_path, pattern.encode()) == [name]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("line", [b"!", b"[[a].sdf", b"[a--c].sdf", b"[z-a].sdf", b"\x80.sdf", b"***\0"])
def test_a_line_without_meaning_is_passed_over_and_the_others_hold(tmp_path: Path, line: bytes) -> None:
    for name in ("a.sdf", "b.sdf"):
        (tmp_path / name).touch()
    assert found(tmp_path, line + b"\nb.sdf\n") == ["a.sdf"]


@pytest.mark.parametrize("rules", [b"\xef\xbb\xbfb.sdf", b"b.sdf\r\n", b"*.sdf\n!a.sdf", "é.sdf\nb.sdf".encode()])
def test_rules_are_read_with_marks_and_endings_of_any_kind(tmp_path: Path, rules: bytes) -> None:
    for name in ("a.sdf", "b.sdf"):
        (tmp_path / name).touch()
    assert found(tmp_path, rules) == ["a.sdf"]


def test_a_named_directory_is_walked_although_it_is_ignored_and_the_other_rules_hold(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("build/\nb.sdf\n")
    (tmp_path / "build").mkdir()
    for name in ("a.sdf", "b.sdf"):
        (tmp_path / "build" / name).touch()
    assert found(tmp_path / "build", b"") == ["a.sdf"]
    assert found(tmp_path, b"build/\nb.sdf\n") == []
