"""Fuzzing of several harnesses, each in a process of its own, and its outcomes."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from fuzzing.harnesses import HARNESSES, LONGEST_INPUT, Harness

MEGABYTES = 1024  # of memory, of a process with all libraries that it loads
# libFuzzer's limit of wall-clock time, for an input that never ends; the limit of processor time is lower.
_SECONDS = 60

_SEARCHED = ("SDF_PATH", "GZ_SIM_RESOURCE_PATH", "IGN_GAZEBO_RESOURCE_PATH", "GAZEBO_MODEL_PATH", "GZ_FUEL_CACHE_PATH",
             "ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH")  # fmt: skip
_FOUND = ("crash-", "timeout-", "oom-", "leak-", "slow-unit-")
_STARTED = re.compile(r"INITED cov: (\d+) ft: (\d+)")
_REACHED = re.compile(r"cov: (\d+) ft: (\d+) corp: (\d+)")
_STATISTIC = re.compile(r"stat::(\w+):\s+(\d+)")


@dataclass(frozen=True)
class Outcome:
    """The outcome of fuzzing one harness."""

    name: str
    executions: int
    edges_of_seeds: int
    edges: int
    features: int
    corpus: int
    megabytes: int
    found: tuple[Path, ...]
    log: Path
    status: int


def run(names: list[str], seconds: int, jobs: int, directory: Path) -> Iterator[Outcome]:
    """Fuzzes harnesses, some at a time."""
    with ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(lambda name: _fuzz(name, HARNESSES[name], seconds, directory / name), names)


def _fuzz(name: str, harness: Harness, seconds: int, directory: Path) -> Outcome:
    seeds, corpus, log = directory / "seeds", directory / "corpus", directory / "log"
    # The seeds are those of the tree as it is now.
    shutil.rmtree(seeds, ignore_errors=True)
    for each in (seeds, corpus):
        each.mkdir(parents=True, exist_ok=True)
    for index, seed in enumerate(harness.seeds()):
        (seeds / f"{index:03}").write_bytes(seed)
    words = directory / "words"
    words.write_text("".join(_dictionary_entry(word) for word in harness.words), encoding="ascii")
    before = set(directory.iterdir())
    command = [
        *(sys.executable, "-m", "fuzzing.search", name, str(corpus), str(seeds)),
        *(f"-max_total_time={seconds}", f"-max_len={LONGEST_INPUT}", f"-timeout={_SECONDS}"),
        *(f"-rss_limit_mb={MEGABYTES}", f"-dict={words}", f"-artifact_prefix={directory}{os.sep}"),
        *("-print_final_stats=1", "-report_slow_units=1000"),
    ]
    environment = {name: value for name, value in os.environ.items() if name not in _SEARCHED}
    # libFuzzer ends the process without cleaning up.
    with log.open("wb") as output, tempfile.TemporaryDirectory() as scratch:
        environment["TMPDIR"] = scratch
        done = subprocess.run(command, stdout=output, stderr=subprocess.STDOUT, env=environment)
    found = sorted(path for path in set(directory.iterdir()) - before if path.name.startswith(_FOUND))
    return _outcome(name, log, tuple(found), done.returncode)


def _outcome(name: str, log: Path, found: tuple[Path, ...], status: int) -> Outcome:
    text = log.read_text(encoding="utf-8", errors="replace")
    statistics = {key: int(value) for key, value in _STATISTIC.findall(text)}
    started, reached = _STARTED.search(text), _REACHED.findall(text)
    edges, features, corpus = map(int, reached[-1]) if reached else (0, 0, 0)
    return Outcome(
        name,
        statistics.get("number_of_executed_units", 0),
        int(started[1]) if started else 0,
        edges,
        features,
        corpus,
        statistics.get("peak_rss_mb", 0),
        found,
        log,
        status,
    )


def _dictionary_entry(word: bytes) -> str:
    return '"' + "".join(f"\\x{byte:02x}" for byte in word) + '"\n'
