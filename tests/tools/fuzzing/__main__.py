"""The command: `make fuzz`, `make fuzz FUZZ="fill obj" FUZZ_SECONDS=600`, or with a file to try one input again."""

import argparse
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from fuzzing.contracts import CONTRACTS, LONGEST_INPUT

BUILD = Path(__file__).parents[3] / "build/fuzz"
MEGABYTES = 1024  # of memory, of a process with all libraries that it loads
SECONDS = 60  # for an input that never ends; the limit of processor time is lower
FINDINGS = ("crash-", "timeout-", "oom-", "leak-", "slow-unit-")


def main(arguments: Sequence[str] | None = None) -> int:
    """Fuzzes each contract in a process of its own, and returns 1 if an input broke one."""
    parser = argparse.ArgumentParser(prog="make fuzz", description="Looks for bytes that break a contract.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(CONTRACTS)}")
    parser.add_argument("--seconds", type=int, default=60, metavar="N", help="for each contract (default 60)")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="contracts at a time (default 2)")
    parser.add_argument("--directory", type=Path, default=BUILD, help="where corpora and findings are kept")
    parser.add_argument("--replay", type=Path, metavar="FILE", help="give one input to the contracts, without fuzzing")
    given = parser.parse_args(arguments)
    if unknown := set(given.names) - CONTRACTS.keys():
        parser.error(f"there is no contract {', '.join(unknown)}, but {', '.join(CONTRACTS)}")
    names = given.names or list(CONTRACTS)
    if given.replay is not None:
        for name in names:
            CONTRACTS[name].try_input(given.replay.read_bytes())
        return 0
    if importlib.util.find_spec("atheris") is None:
        parser.exit(2, "atheris, which finds the inputs, has wheels for Python 3.10 to 3.13 on x86-64 Linux\n")
    with ThreadPoolExecutor(given.jobs) as pool:
        return max(pool.map(partial(_fuzz, seconds=given.seconds, directory=given.directory), names))


def _fuzz(name: str, seconds: int, directory: Path) -> int:
    """Prints the last word of libFuzzer on one contract, and what it found; returns 1 if that is anything."""
    place = directory / name
    seeds, corpus, log, words = place / "seeds", place / "corpus", place / "log", place / "words"
    # The seeds are those of the tree as it is now.
    shutil.rmtree(seeds, ignore_errors=True)
    for each in (seeds, corpus):
        each.mkdir(parents=True, exist_ok=True)
    for index, seed in enumerate(CONTRACTS[name].seeds()):
        (seeds / f"{index:03}").write_bytes(seed)
    entries = ("".join(f"\\x{byte:02x}" for byte in word) for word in CONTRACTS[name].words())
    words.write_text("".join(f'"{entry}"\n' for entry in entries), encoding="ascii")
    before = set(place.iterdir())
    command = [
        *(sys.executable, "-m", "fuzzing.search", name, str(corpus), str(seeds), f"-max_total_time={seconds}"),
        *(f"-max_len={LONGEST_INPUT}", f"-timeout={SECONDS}", f"-rss_limit_mb={MEGABYTES}", f"-dict={words}"),
        *(f"-artifact_prefix={place}{os.sep}", "-print_final_stats=1", "-report_slow_units=1000"),
    ]
    # libFuzzer ends the process without cleaning up.
    with log.open("wb") as output, tempfile.TemporaryDirectory() as scratch:
        environment = {**os.environ, "TMPDIR": scratch}
        done = subprocess.run(command, stdout=output, stderr=subprocess.STDOUT, env=environment)
    reached = [line for line in log.read_text(encoding="utf-8", errors="replace").splitlines() if " cov: " in line]
    found = sorted(path for path in set(place.iterdir()) - before if path.name.startswith(FINDINGS))
    again = (f"  try it again: make fuzz FUZZ='{name} --replay {path}'" for path in found)
    ended = [f"  ended with status {done.returncode}; see {log}"] if done.returncode else []
    print("\n".join([f"{name}: {reached[-1] if reached else 'nothing reached'}", *again, *ended]), flush=True)
    return 1 if found or done.returncode else 0


if __name__ == "__main__":
    sys.exit(main())
