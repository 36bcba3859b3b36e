"""The command: `make fuzz`, `make fuzz FUZZ="fill obj" FUZZ_SECONDS=600`, or with a file to try one input again."""

import argparse
import importlib.util
import sys
from collections.abc import Sequence
from pathlib import Path

from fuzzing import campaign
from fuzzing.harnesses import HARNESSES

BUILD = Path(__file__).parents[3] / "build/fuzz"


def main(arguments: Sequence[str] | None = None) -> int:
    """Fuzzes, prints a line for each harness, and returns 1 if an input broke a contract."""
    given = _parser().parse_args(arguments)
    if given.replay is not None:
        for name in given.names:
            HARNESSES[name].try_input(given.replay.read_bytes())
        return 0
    if importlib.util.find_spec("atheris") is None:
        python = ".".join(map(str, sys.version_info[:2]))
        print(
            f"atheris, which finds the inputs, is not installed for Python {python} on {sys.platform}. It has wheels "
            "for Python 3.10 to 3.13 on x86-64 Linux: make fuzz PYTHON=python3.13 VENV=.venv-fuzz",
            file=sys.stderr,
        )
        return 2
    print(f"{'':<14}{'executions':>11}{'edges':>8}{'of seeds':>9}{'features':>9}{'corpus':>7}{'MB':>6}")
    status = 0
    for outcome in campaign.run(given.names, given.seconds, given.jobs, given.directory):
        print(
            f"{outcome.name:<14}{outcome.executions:>11,}{outcome.edges:>8,}{outcome.edges_of_seeds:>9,}"
            f"{outcome.features:>9,}{outcome.corpus:>7,}{outcome.megabytes:>6,}",
            flush=True,
        )
        if outcome.found or outcome.status:
            status = 1
            for path in outcome.found:
                print(f"  try it again: python -m fuzzing {outcome.name} --replay {path}")
            print(f"  ended with status {outcome.status}; see {outcome.log}", flush=True)
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="make fuzz", description="Looks for bytes that break the contract.")
    known = ", ".join(HARNESSES)
    parser.add_argument("names", nargs="*", type=_name, default=list(HARNESSES), metavar="NAME", help=f"of {known}")
    parser.add_argument("--seconds", type=int, default=60, metavar="N", help="for each harness (default 60)")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="harnesses at a time (default 2)")
    parser.add_argument("--directory", type=Path, default=BUILD, help="where corpora and findings are kept")
    parser.add_argument("--replay", type=Path, metavar="FILE", help="give one input to the harnesses, without fuzzing")
    return parser


def _name(text: str) -> str:
    if text not in HARNESSES:
        raise argparse.ArgumentTypeError(f"there is no harness {text}, but {', '.join(HARNESSES)}")
    return text


if __name__ == "__main__":
    sys.exit(main())
