"""Prints for each module how many mutants of the last `make mutate` were tried, killed, and survived."""

import json
from collections import Counter
from pathlib import Path

MUTANTS = Path("mutants")

# Exit codes of the test runner in a mutant: a failure or an error kills it, and so does the limit on its time, which
# ends it with one of these.
KILLED = {1, 3}
OUT_OF_TIME = {-24, 24, 36, 152, 255}
# No chosen test runs the changed line.
UNREACHED = {5, 33}


def outcome(code: int | None) -> str:
    """The outcome of a mutant."""
    if code is None:
        return "not tried"
    if code in UNREACHED:
        return "unreached"
    return "killed" if code in KILLED else "out of time" if code in OUT_OF_TIME else "survived"


def main() -> None:
    """Prints a line for each module, and one for all."""
    columns = ("killed", "out of time", "survived", "unreached", "not tried")
    total: Counter[str] = Counter()
    print(f"{'':42}{'mutants':>9}", *(f"{column:>12}" for column in columns))
    for path in sorted(MUTANTS.rglob("*.py.meta")):
        counts = Counter(outcome(code) for code in json.loads(path.read_text())["exit_code_by_key"].values())
        if counts:
            total += counts
            module = str(path.relative_to(MUTANTS)).removesuffix(".meta")
            print(f"{module:42}{counts.total():9,}", *(f"{counts[column]:12,}" for column in columns))
    print(f"{'all':42}{total.total():9,}", *(f"{total[column]:12,}" for column in columns))


if __name__ == "__main__":
    main()
