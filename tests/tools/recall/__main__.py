"""The command: `make recall`, `make recall RECALL=--list` for findings on links as they are, `--why` for causes."""

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from causes import atlas

from recall import rules, why
from recall.cases import models


def main(arguments: Sequence[str] | None = None) -> int:
    """Injects every mistake into links that are right, and prints the findings."""
    given = _parser().parse_args(arguments)
    root = models()
    lines: Iterable[str]
    if given.fit:
        # Git and clones are needed for nothing else.
        from recall import fit, labels

        known = list(labels.labels(atlas.directory(), Path(given.fit)))
        injected = why.scored_mistakes(root, given.links or 100)
        lines = fit.report(known, labels.of_atlas(atlas.directory()), injected)
    elif given.why:
        lines = why.report(root, given.links or 200)
    else:
        lines = rules.report(root, given.links or 100, listed=given.list)
    is_said = False
    for line in lines:
        print(line, flush=True)
        is_said = True
    if not is_said:
        print(f"there are no links below {root} that are right", file=sys.stderr)
    return 0 if is_said else 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="make recall", description=__doc__)
    parser.add_argument("--links", type=int, help="how many links that are right, at most (100)")
    parser.add_argument(
        "--why", action="store_true", help="tell how often the cause is named, of mistakes in so many links each (200)"
    )
    parser.add_argument("--fit", metavar="CLONES", help="fit what causes are trusted with to labels, given clones")
    parser.add_argument("--list", action="store_true", help="list the findings on the files as they are")
    return parser


if __name__ == "__main__":
    sys.exit(main())
