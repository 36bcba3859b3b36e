"""The rules of `.gitignore` mean what git takes them for, in time that grows with the sizes of pattern and name."""

import random
import re
import shutil
import subprocess
import time
from pathlib import Path

import pytest
from builders.thoroughness import trials

from sdfinertia.files.walk import IgnoreRules

PIECES = [
    *("*", "**", "?", "a", "b", "ab", "/", "/", "[ab]", "[!a]", "[^b]", "[a-b]", "[]a]", "[", "\\a", "\\*", "!", "#")
]
PIECES += [" ", "\\ ", "[[:alpha:]]", "[a\\]b]", "[b-a]", "[a-]", ".", "é", "**/", "/**", "[[:no:]]", "\\", "[!]a]"]
# git compares what stands before the first wildcard by itself, and then takes stars there for those of a folder.
QUIRK = re.compile(r"[^/*]\*\*+/|//")
NAMES = ["a", "b", "ab", "ba", "*", "a b", "a ", "é", "]", "-", "!a", "#a", "[", "\\"]


@pytest.mark.skipif(shutil.which("git") is None, reason="git itself is the reference")
@pytest.mark.parametrize("seed", range(trials(10, 100)))
def test_random_rules_mean_what_git_takes_them_for(tmp_path: Path, seed: int) -> None:
    chosen = random.Random(seed)
    subprocess.run(["git", "init", "-q", tmp_path], check=True, capture_output=True)
    paths = sorted({"/".join(chosen.choices(NAMES, k=chosen.randint(1, 4))) for _ in range(60)})
    lines = ("".join(chosen.choices(PIECES, k=chosen.randint(1, 6))) for _ in range(12))
    for line in (line for line in lines if not QUIRK.search(line)):
        (tmp_path / ".git/info/exclude").write_text(line + "\n")
        done = subprocess.run(
            ["git", "-c", "core.quotePath=false", "check-ignore", "-z", "-v", "-n", "--stdin", "--no-index"],
            input="\0".join(paths).encode(), cwd=tmp_path, capture_output=True,
        )  # fmt: skip
        fields = done.stdout.decode().split("\0")
        # git answers for a path in an ignored directory by the rule of the directory, which a walk does not enter.
        told = {path: bool(pattern) for pattern, path in zip(fields[2::4], fields[3::4], strict=True)}
        rules = IgnoreRules(line.encode() + b"\n")
        for path in paths:
            parts = path.split("/")
            above = ("/".join(parts[:count]) for count in range(1, len(parts)))
            ours = rules.verdict(path, is_directory=False) is not None
            ours = ours or any(rules.verdict(directory, is_directory=True) for directory in above)
            assert ours == told[path], (line, path)


@pytest.mark.timing
@pytest.mark.parametrize(
    ("pattern", "name"),
    [
        ("*a*a*a*a*a*a*b", "a" * 200),
        ("*a" * 30 + "b", "a" * 255),
        ("**/a/" * 12 + "b", "/".join(["a"] * 60)),
        ("*[a]*[a]*[a]*[a]*[a]*b", "a" * 255),
        ("**" * 100 + "b", "a" * 255),
    ],
)
def test_no_pattern_takes_long(pattern: str, name: str) -> None:
    started = time.process_time()
    assert IgnoreRules(pattern.encode()).verdict(name, is_directory=False) is None
    assert time.process_time() - started < 0.5


@pytest.mark.parametrize(
    ("rules", "path", "verdict"),
    [
        *[("*.sdf\n!a.sdf\n", "a.sdf", False), ("!a.sdf\n*.sdf\n", "a.sdf", True), ("\ufeffa\n", "a", True)],
        *[("a\r\nb", "a", True), ("a\n", "b", None), ("a/\n", "a", None), ("x/**\n", "x", None)],
        *[("x/**\n", "x/y/z", True), ("**/z\n", "z", True), ("x/**/z\n", "x/z", True), ("\n# a\n\n", "a", None)],
    ],
)
def test_the_last_rule_that_speaks_of_a_file_counts(rules: str, path: str, verdict: bool | None) -> None:
    assert IgnoreRules(rules.encode()).verdict(path, is_directory=False) is verdict
