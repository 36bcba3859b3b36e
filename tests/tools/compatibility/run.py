"""Runs the tests on every installed Python, with the oldest and newest libraries, and on the built distributions.

    python tests/tools/compatibility/run.py [NAME...]

Each environment is made again below build/compatibility; names choose among them. A missing interpreter is reported,
and counts as neither passed nor failed.
"""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from glob import glob
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
PLACE = ROOT / "build" / "compatibility"
OLDEST, NEWEST = "3.10", "3.13"


class Environment(NamedTuple):
    """An environment for the project: its name, the version of Python, and the trial to run in it."""

    name: str
    version: str
    run: Callable[[Path, Path], str]


class TrialError(Exception):
    """A trial failed; the text has the reason."""


def main(names: Sequence[str]) -> int:
    """Runs the environments of these names, or all, and returns the exit status."""
    unknown = set(names) - {environment.name for environment in ENVIRONMENTS}
    if unknown:
        print(f"there is no {', '.join(sorted(unknown))}; there are {', '.join(e.name for e in ENVIRONMENTS)}")
        return 2
    table = []
    for environment in ENVIRONMENTS:
        if not names or environment.name in names:
            table.append((environment.name, *outcome(environment)))
            print("{:<14}{:<8}{:>5.0f} s  {}".format(*table[-1]), flush=True)
    print("\nname          outcome  time     what was seen")
    for row in table:
        print("{:<14}{:<8}{:>5.0f} s  {}".format(*row))
    return int(any(row[1] == "failed" for row in table))


def outcome(environment: Environment) -> tuple[str, float, str]:
    """Whether an environment passed, the seconds it took, and the last words."""
    started = time.monotonic()
    python = interpreter(environment.version)
    if python is None:
        return "absent", 0.0, f"there is no Python {environment.version}"
    place = PLACE / environment.name
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    try:
        call([python, "-m", "venv", "venv"], place)
        venv = place / "venv" / ("Scripts" if os.name == "nt" else "bin")
        call([venv / "python", "-m", "pip", "install", "--quiet", "--upgrade", "pip"], place)
        seen = environment.run(venv, place)
        return "passed", time.monotonic() - started, seen
    except TrialError as failed:
        return "failed", time.monotonic() - started, str(failed)


def interpreter(version: str) -> str | None:
    """An interpreter of a version that starts: on PATH, or where pyenv keeps it."""
    kept = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    for python in (shutil.which(f"python{version}"), *sorted(glob(str(kept / f"{version}.*" / "bin" / "python")))):
        if python and subprocess.run([python, "-c", ""], capture_output=True).returncode == 0:
            return python
    return None


def call(command: Sequence[str | Path], place: Path, directory: Path | None = None) -> str:
    """The output of a command, which is also logged beside the environment."""
    context = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    done = subprocess.run(
        list(map(str, command)),
        cwd=directory or place,
        env=context,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    with (place / "log.txt").open("a", encoding="utf-8") as log:
        log.write(f"$ {' '.join(map(str, command))}\n{done.stdout}\n")
    if done.returncode:
        last = (done.stdout.strip().splitlines() or [""])[-1]
        raise TrialError(f"{Path(command[0]).name} ended with {done.returncode}: {last} (see {place / 'log.txt'})")
    return done.stdout


def suite(*constraints: str) -> Callable[[Path, Path], str]:
    """Runs the tests, with the libraries that constraints files fix."""

    def run(venv: Path, place: Path) -> str:
        fixed = [word for name in constraints for word in ("--constraint", HERE / name)]
        call([venv / "python", "-m", "pip", "install", "--quiet", "--editable", ".[test]", *fixed], place, ROOT)
        printed = call([venv / "python", "-m", "pytest", "-q", "-n", "auto", "-m", "not timing"], place, ROOT)
        return printed.strip().splitlines()[-1].strip("= ")

    return run


def distribution(pattern: str) -> Callable[[Path, Path], str]:
    """Builds both distributions, has twine check them, and tries the one in an environment with nothing else."""

    def run(venv: Path, place: Path) -> str:
        tools = place / "tools"
        call([venv / "python", "-m", "venv", tools], place)
        python = tools / venv.name / "python"
        call([python, "-m", "pip", "install", "--quiet", "build", "twine"], place)
        call([python, "-m", "build", "--outdir", place / "dist", ROOT], place)
        call([python, "-m", "twine", "check", "--strict", *(place / "dist").iterdir()], place)
        (built,) = (place / "dist").glob(pattern)
        call([venv / "python", "-m", "pip", "install", "--quiet", built], place)
        smoke(venv, place)
        return f"{built.name}, {built.stat().st_size / 1e6:.1f} MB: fills, checks, shows, scales"

    return run


def smoke(venv: Path, place: Path) -> None:
    """Every command once, on a copy of the rover."""
    rover = place / "rover"
    shutil.copytree(ROOT / "fixtures" / "rover", rover)
    command = venv / "sdfinertia"
    call([command, "--version"], place)
    call([command, "rules"], place)
    call([command, "fill", "model.sdf", "--report", "report.html"], place, rover)
    call([command, "fill", "--check", "model.sdf"], place, rover)
    call([command, "check", "model.sdf", "--report", "findings.sarif"], place, rover)
    call([command, "show", "model.sdf"], place, rover)
    call([command, "mesh", "meshes/wheel.obj"], place, rover)
    call([command, "scale", "model.sdf", "--link", "rover::imu_link", "--mass", "0.04"], place, rover)


ENVIRONMENTS = (
    Environment("python3.10", "3.10", suite()),
    Environment("python3.11", "3.11", suite()),
    Environment("python3.12", "3.12", suite()),
    Environment("python3.13", "3.13", suite()),
    Environment("oldest", OLDEST, suite("oldest.txt")),
    Environment("newest", NEWEST, suite("newest.txt")),
    Environment("wheel", NEWEST, distribution("*.whl")),
    Environment("sdist", OLDEST, distribution("*.tar.gz")),
)

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
