"""Runs commands as processes of their own, in turn, and measures them."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

PROGRAMS = Path(__file__).with_name("programs")
# Variables that would change how the measured programs start, search for files, or write.
_LEFT_OUT = ("PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE", "PYTHONDEVMODE", "PYTHONWARNINGS", "SDF_PATH")


class CommandFailedError(Exception):
    """A measured command ended with another exit status than it should."""


@dataclass(frozen=True)
class Sample:
    """Wall and processor time (s) and peak memory (bytes) of one run."""

    seconds: float
    cpu_seconds: float
    peak: int


@dataclass(frozen=True)
class Contender:
    """A command that does a row's work; `missing` says why it cannot run."""

    label: str
    command: Sequence[str | os.PathLike[str]]
    prepare: Callable[[], object] = lambda: None
    missing: str = ""
    statuses: tuple[int, ...] = (0,)


Round = Mapping[str, Sample]


def run(contender: Contender) -> Sample:
    with tempfile.TemporaryDirectory() as directory:
        errors = Path(directory, "errors")
        launcher = [sys.executable, "-I", "-S", PROGRAMS / "run_measured.py", directory, os.devnull, errors]
        environment = {name: value for name, value in os.environ.items() if name not in _LEFT_OUT}
        done = subprocess.run([*launcher, *contender.command], capture_output=True, env=environment, check=True)
        found = json.loads(done.stdout)
        if found["status"] not in contender.statuses:
            said = errors.read_text(encoding="utf-8", errors="replace")[-2000:]
            raise CommandFailedError(
                f"exit status {found['status']} of {' '.join(map(str, contender.command))}\n{said}"
            )
        return Sample(found["seconds"], found["cpu_seconds"], found["peak"])


def rounds(contenders: Sequence[Contender], count: int) -> Iterator[Round]:
    """Rounds in which each contender that is not missing runs once, in turn."""
    for _ in range(count):
        samples = {}
        for contender in contenders:
            if not contender.missing:
                contender.prepare()
                os.sync()
                samples[contender.label] = run(contender)
        yield samples
