"""The command: `make bench`, or `make bench BENCH="--rows stl,obj --runs 3"`."""

import argparse
import json
import os
import platform
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import median

from benchmarks.measurement import CommandFailedError, Round, rounds
from benchmarks.rows import MIB, ROWS, Row
from benchmarks.workloads import FULL, QUICK, Workloads

BUILD = Path(__file__).parents[3] / "build"
# A run of a tenth of a second varies by as much as a longer one does in all.
_BRIEF_TIMES = 4


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures, prints tables, writes JSON; returns the exit status, which missed limits do not change."""
    given = _parser().parse_args(arguments)
    workloads = Workloads(given.directory)
    print(f"{platform.platform()}, Python {platform.python_version()}, {os.cpu_count()} cores")
    found, status = {}, 0
    for name in given.rows:
        row = ROWS[name](workloads, QUICK if given.quick else FULL)
        count = 1 if given.quick else given.runs * (_BRIEF_TIMES if row.is_brief else 1)
        try:
            samples = list(rounds(row.contenders, count))
        except CommandFailedError as error:
            print(f"{name}: {error}", file=sys.stderr)
            status = 1
            continue
        print("\n".join(("", f"{name}: {row.work}", *_times(row, samples))), flush=True)
        if not given.quick:
            print("\n".join(_limits(row, samples)))
        found[name] = [{label: asdict(sample) for label, sample in each.items()} for each in samples]
    given.json.parent.mkdir(parents=True, exist_ok=True)
    given.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return status


def _times(row: Row, samples: Sequence[Round]) -> Iterator[str]:
    for contender in row.contenders:
        if contender.missing:
            yield f"  {contender.label:<32} {contender.missing}"
            continue
        own = [each[contender.label] for each in samples]
        seconds = [sample.seconds for sample in own]
        times = f"{median(seconds):8.3f} s ({min(seconds):.3f} to {max(seconds):.3f})"
        cpu, peak = median(sample.cpu_seconds for sample in own), max(sample.peak for sample in own) / MIB
        yield f"  {contender.label:<32} {times}, CPU {cpu:.3f} s, peak {peak:,.0f} MiB"


def _limits(row: Row, samples: Sequence[Round]) -> Iterator[str]:
    for limit in row.limits:
        if all(label in samples[0] for label in limit.needs):
            found = median(map(limit.quantity, samples))
            verdict = "met" if found <= limit.most else f"MISSED by {found / limit.most:.2f} ×"
            yield f"  {limit.text:<32} {found:8.3g}  {verdict}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="make bench", description="Measures sdfinertia beside other programs.")
    parser.add_argument("--rows", type=_row_names, default=list(ROWS), metavar="NAMES", help=f"of {', '.join(ROWS)}")
    parser.add_argument("--runs", type=int, default=3, metavar="N", help="rounds of each row (default 3)")
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
