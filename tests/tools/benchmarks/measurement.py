"""Runs commands as processes of their own, in turn, and measures them."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

PROGRAMS = Path(__file__).with_name("programs")
# Variables that would change how the measured programs start, search for files, or write.
_LEFT_OUT = ("PYTHONPATH", "PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE", "PYTHONDEVMODE", "PYTHONWARNINGS")
_SEARCH = ("SDF_PATH", "GZ_SIM_RESOURCE_PATH", "IGN_GAZEBO_RESOURCE_PATH", "GAZEBO_MODEL_PATH", "ROS_PACKAGE_PATH")


class CommandFailedError(Exception):
    """A measured command ended with another exit status than it should."""


@dataclass(frozen=True)
class Sample:
    """The time and memory of one run."""

    seconds: float
    cpu_seconds: float
    peak: int


@dataclass(frozen=True)
class Contender:
    """A command that does a row's work."""

    label: str
    command: Sequence[str | os.PathLike[str]]
    prepare: Callable[[], None] | None = None
    times_itself: bool = False
    missing: str | None = None
    status: int = 0


Round = Mapping[str, Sample]


def run(command: Sequence[str | os.PathLike[str]], times_itself: bool = False, status: int = 0) -> Sample:
    """Runs a command once."""
    with tempfile.TemporaryDirectory() as directory:
        output, errors = os.path.join(directory, "output"), os.path.join(directory, "errors")
        place = output if times_itself else os.devnull
        launcher = [sys.executable, "-I", "-S", str(PROGRAMS / "run_measured.py"), directory, place, errors]
        environment = {name: value for name, value in os.environ.items() if name not in (*_LEFT_OUT, *_SEARCH)}
        done = subprocess.run([*launcher, *command], capture_output=True, env=environment, check=True)
        found = json.loads(done.stdout)
        if found["status"] != status:
            said = Path(errors).read_text(encoding="utf-8", errors="replace")[-2000:]
            raise CommandFailedError(f"exit status {found['status']} of {' '.join(map(str, command))}\n{said}")
        sample = Sample(found["seconds"], found["cpu_seconds"], found["peak"])
        if times_itself:
            sample = replace(sample, seconds=json.loads(Path(output).read_bytes())["seconds"])
        return sample


def rounds(contenders: Sequence[Contender], count: int, warm: bool = False, settled: bool = False) -> Iterator[Round]:
    """Rounds in which each contender that is not missing runs once, in turn."""
    for number in range(-int(warm), count):
        samples = {}
        for contender in contenders:
            if contender.missing is None:
                if contender.prepare is not None:
                    contender.prepare()
                if settled:
                    os.sync()
                samples[contender.label] = run(contender.command, contender.times_itself, contender.status)
        if number >= 0:
            yield samples
