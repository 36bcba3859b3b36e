"""The command: `make bench`, or `make bench BENCH="--rows stl,obj --runs 3"`."""

import argparse
import json
import os
import platform
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks import peers
from benchmarks.measurement import CommandFailedError, rounds
from benchmarks.rows import ROWS
from benchmarks.table import Measured, as_json, bars_table, times_table
from benchmarks.workloads import FULL, QUICK, Workloads

BUILD = Path(__file__).parents[3] / "build"
# A run of a tenth of a second varies by as much as a longer one does in all.
_BRIEF_TIMES = 4


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures, prints tables, writes JSON; returns the exit status, which missed bars do not change."""
    given = _parser().parse_args(arguments)
    workloads = Workloads(given.directory)
    measured: list[Measured] = []
    status = 0
    try:
        for name in given.rows:
            try:
                measured.append(_measured(name, workloads, given.runs, given.quick))
            except CommandFailedError as error:
                print(f"{name}: {error}", file=sys.stderr)
                status = 1
    except KeyboardInterrupt:
        print("interrupted; what follows is what was measured until then", file=sys.stderr)
        status = 1
    finally:
        workloads.close()
    context = _context(workloads, given.quick)
    print(", ".join(f"{key} {value}" for key, value in context.items()))
    print(f"\n{times_table(measured)}\n\n{bars_table(measured, judge=not given.quick)}")
    if given.quick:
        print("\nThe work was too little for the bars to mean anything.")
    given.json.parent.mkdir(parents=True, exist_ok=True)
    given.json.write_text(json.dumps(as_json(measured, context), indent=1) + "\n", encoding="utf-8")
    return status


def _measured(name: str, workloads: Workloads, runs: int, quick: bool) -> Measured:
    _say(f"{name}: making what is needed ...")
    row = ROWS[name](workloads, QUICK if quick else FULL)
    count = 1 if quick else runs * _BRIEF_TIMES if row.brief else runs
    samples = []
    for samples_of_round in rounds(row.contenders, count, warm=row.brief and not quick, settled=not quick):
        samples.append(samples_of_round)
        _say(f"{name}: round {len(samples)} of {count}")
    return Measured(name, row, samples)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _context(workloads: Workloads, quick: bool) -> dict[str, Any]:
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    return {
        **peers.versions(),
        "system": platform.platform(),
        "cores": os.cpu_count(),
        "load": f"({load})",
        "file system": _file_system(workloads.directory),
        "reduced": quick,
    }


def _file_system(directory: Path) -> str:
    """The kind of file system that a directory lies in: on a tmpfs no bar about a disk means anything."""
    try:
        mounts = [line.split()[1:3] for line in Path("/proc/mounts").read_text(encoding="utf-8").splitlines()]
    except OSError:
        return "unknown"
    here = directory.resolve()
    within = [(place, kind) for place, kind in mounts if here.is_relative_to(place)]
    return max(within, key=lambda mount: len(mount[0]))[1]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="make bench", description="Measures sdfinertia beside other programs.")
    parser.add_argument("--rows", type=_row_names, default=list(ROWS), metavar="NAMES", help=f"of {', '.join(ROWS)}")
    parser.add_argument("--runs", type=int, default=5, metavar="N", help="rounds of each row (default 5)")
    parser.add_argument("--quick", action="store_true", help="tiny sizes, one round: to see that everything runs")
    parser.add_argument("--directory", type=Path, default=BUILD / "bench", help="where workloads are kept")
    parser.add_argument("--json", type=Path, default=BUILD / "bench.json", metavar="FILE", help="where samples go")
    return parser


def _row_names(text: str) -> list[str]:
    names = text.split(",")
    unknown = [name for name in names if name not in ROWS]
    if unknown:
        raise argparse.ArgumentTypeError(f"there is no row {', '.join(unknown)}")
    return names


if __name__ == "__main__":
    sys.exit(main())
