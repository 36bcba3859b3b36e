"""The command: `make same BASE=COMMIT`, or `make same SAME="--quick --only 'fill*'"`."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from fnmatch import fnmatchcase
from pathlib import Path

from same.masks import ALWAYS, LENIENT
from same.runs import RUNS
from same.sides import SideError, base_package, head_package, trees
from same.trial import Compared, compared


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs both sides, prints what differs and a summary; returns the exit status."""
    given = _parser().parse_args(arguments)
    found, missing = trees()
    chosen = [run for run in RUNS if fnmatchcase(run.name, given.only) and (run.quick or not given.quick)]
    if given.list:
        for run in chosen:
            print(f"{run.name:<20}{run.steps[0]}" + (f" (and {len(run.steps) - 1} more)" if run.steps[1:] else ""))
        return 0
    for line in missing:
        print(line, file=sys.stderr)
    runs = [run for run in (whole.within(list(found)) for whole in chosen) if run is not None]
    if not runs:
        print(f"there is nothing to run: {given.only} names no run that the trees allow", file=sys.stderr)
        return 2
    started = time.monotonic()
    try:
        packages = (base_package(given.base), head_package())
    except SideError as error:
        print(error, file=sys.stderr)
        return 2
    masks = ALWAYS if given.strict else LENIENT
    done: list[Compared] = []
    with _scratch() as directory, ThreadPoolExecutor(given.jobs) as executor:
        awaited = [
            executor.submit(compared, run, packages, found, Path(directory, run.name), masks, given.lines)
            for run in runs
        ]
        try:
            for future in as_completed(awaited):
                done.append(future.result())
                _tell(done[-1], time.monotonic() - started)
        except BaseException:
            executor.shutdown(wait=False, cancel_futures=True)  # those that are under way end by themselves
            raise
    return _summary(done, given.base, time.monotonic() - started)


def _scratch() -> tempfile.TemporaryDirectory[str]:
    """A directory in memory where there is one: each run copies the trees, and waits for the disk otherwise."""
    shared = "/dev/shm"
    return tempfile.TemporaryDirectory(prefix="sdfinertia-same-", dir=shared if os.access(shared, os.W_OK) else None)


def _tell(result: Compared, seconds: float) -> None:
    verdict = f"{len(result.differences)} differences" if result.differences else "same"
    print(
        f"{seconds:>5.0f} s  {result.run.name:<20}{result.processes:>5} processes a side{result.files:>7} files  "
        f"{verdict}",
        flush=True,
    )
    for difference in result.differences:
        print(f"  {result.run.name}: {difference.what}")
        if difference.modes[0] != difference.modes[1]:
            print(f"    base: {difference.modes[0]}, head: {difference.modes[1]}")
        for line in difference.lines:
            print(f"    {line}")
    for name in result.crashes:
        print(f"  {result.run.name}: a traceback in {name}; nothing after it was compared")


def _summary(done: Sequence[Compared], base: str, seconds: float) -> int:
    differences = sum(len(result.differences) for result in done)
    print(
        f"\n{base} beside the working tree: {len(done)} runs, {sum(result.processes for result in done):,} processes a "
        f"side, {sum(result.files for result in done):,} files compared in {seconds:.0f} s "
        f"({_processor_seconds():.0f} s of processors): "
        f"{differences or 'no'} difference{'' if differences == 1 else 's'}"
    )
    return int(differences > 0)


def _processor_seconds() -> float:
    """Of all processes that were run: what a busy machine does not change."""
    taken = os.times()
    return taken.children_user + taken.children_system


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="make same", description="Tells in what two commits behave differently.")
    parser.add_argument("--base", default="HEAD", metavar="COMMIT", help="what the working tree is compared with")
    parser.add_argument("--only", default="*", metavar="PATTERN", help="the runs whose name matches")
    parser.add_argument("--quick", action="store_true", help="a part of the runs, within a minute")
    parser.add_argument("--list", action="store_true", help="list the runs, and run none")
    parser.add_argument("--strict", action="store_true", help="compare the digests in provenance comments too")
    parser.add_argument("--lines", type=int, default=20, metavar="N", help="of each difference, at most (default 20)")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="runs at a time (default 2)")
    return parser


if __name__ == "__main__":
    sys.exit(main())
