"""Runs the steps of a run with one package, in a fresh copy of the trees."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from same.comparison import Difference, Outcome, differences, tree_of
from same.masks import Mask, directory_mask
from same.runs import CommandLine, Run, command_line
from same.sides import environment

# Far beyond what any process of the table takes on a busy machine.
_PATIENCE = 600.0
_TRACEBACK = b"Traceback (most recent call last)"


class Compared(NamedTuple):
    """What a run of both sides came to."""

    run: Run
    processes: int
    files: int
    differences: tuple[Difference, ...]
    crashes: tuple[str, ...]


def compared(
    run: Run, packages: tuple[Path, Path], trees: Mapping[str, Path], place: Path, masks: tuple[Mask, ...], lines: int
) -> Compared:
    """Runs both sides, one after the other at the same path, and compares what they did."""
    base, head = (outcome(run, package, trees, place) for package in packages)
    crashes = {name for side in (base, head) for name, content in side.streams.items() if _TRACEBACK in content}
    everywhere = tuple(directory_mask(str(package), b"PACKAGE") for package in packages)
    found = tuple(differences(base, head, (*masks, *everywhere), lines))
    return Compared(run, len(base.streams) // 3, len({*base.tree, *head.tree}), found, tuple(sorted(crashes)))


def outcome(run: Run, package: Path, trees: Mapping[str, Path], place: Path) -> Outcome:
    """What one side does; the place is removed afterwards."""
    copy = place / "tree"
    try:
        # A repository of its own, so that nothing above it counts.
        (copy / ".git").mkdir(parents=True)
        (place / "home").mkdir()
        (place / "temporary").mkdir()
        for name in sorted(run.trees()):
            shutil.copytree(trees[name], copy / name, symlinks=True, copy_function=_copy)
        for directory in copy.glob("**/"):
            directory.chmod(0o755)  # a tree that may only be read keeps its copy from being written
        streams: dict[str, bytes] = {}
        for paths in list(run.lots(copy)):
            for number, step in enumerate(run.steps, start=1):
                label = f"{number}: {step}" + (f" [{paths[0]}]" if run.each else "")
                streams.update(_streams(label, command_line(step, paths), package, place))
        return Outcome(streams, tree_of(copy))
    finally:
        shutil.rmtree(place)


def _copy(source: str, target: str) -> None:
    shutil.copyfile(source, target)
    Path(target).chmod(0o644)


def _program(arguments: Sequence[str]) -> tuple[str, ...]:
    """What the interpreter runs: a walk beside this module, or the command."""
    walk = Path(__file__).with_name(arguments[0])
    return (str(walk), *arguments[1:]) if walk.suffix == ".py" else ("-m", "sdfinertia", *arguments)


def _streams(label: str, line: CommandLine, package: Path, place: Path) -> dict[str, bytes]:
    copy = place / "tree"
    given = b"" if line.standard_input is None else (copy / line.standard_input).read_bytes()
    try:
        done = subprocess.run(
            [sys.executable, *_program(line.arguments)],
            input=given,
            capture_output=True,
            cwd=copy,
            env=environment(package, place),
            timeout=_PATIENCE,
        )
    except subprocess.TimeoutExpired as expired:
        status, output, errors = f"no end in {_PATIENCE:.0f} s", expired.stdout or b"", expired.stderr or b""
    else:
        status, output, errors = str(done.returncode), done.stdout, done.stderr
    return {f"{label}: exit status": status.encode(), f"{label}: stdout": output, f"{label}: stderr": errors}
