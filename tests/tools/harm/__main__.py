"""The command: `make harm`, or `make harm HARM="--command OTHER/bin/sdfinertia DIRECTORY..."`."""

import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from harm.bodies import UnreadError
from harm.judging import MARGIN, Judged, judged
from harm.robots import Inertial, Robot, Tree, read

FIXTURES = Path(__file__).parents[3] / "fixtures"
SUFFIXES = (".sdf", ".urdf", ".world")
REPAIR = ("repair", "--keep-going")
# Each kind of write, and whether it may make no link worse.
WRITES = {
    "fill": ("fill", "--keep-going"),
    "fill --missing": ("fill", "--keep-going", "--missing"),
    "repair": REPAIR,
    **{f"repair --by {mode}": (*REPAIR, "--by", mode) for mode in ("twin", "geometry", "nearest")},
    "check --fix": ("check", "--fix", "--exit-zero"),
}
VERDICTS = ("better", "same", "worse", "new", "asked", "not read")
# Files given to one process, and the longest that it may take (s).
BATCH, LONGEST = 8, 300.0


class Case(NamedTuple):
    kind: str
    file: str
    judged: Judged


class Trial:
    """A copy of a tree on which commands are run; its files are as they were after each."""

    def __init__(self, root: Path, copy: Path, command: Sequence[str], seconds: float) -> None:
        self.copy, self.command, self.end = copy, command, _processor_seconds() + seconds
        shutil.copytree(root, copy, copy_function=_copied, ignore=shutil.ignore_patterns(".git"), symlinks=False,
                        ignore_dangling_symlinks=True, dirs_exist_ok=True)  # fmt: skip
        self.tree = Tree(copy)
        self.files = {path: path.read_bytes() for path in sorted(copy.rglob("*")) if path.suffix in SUFFIXES}
        self.robots: dict[Path, Robot | UnreadError] = {path: _read(path) for path in self.files}
        self.cases: list[Case] = []
        self.late: Counter[str] = Counter()

    def batches(self) -> Iterator[list[Path]]:
        paths = list(self.files)
        yield from (paths[at : at + BATCH] for at in range(0, len(paths), BATCH))

    def run(self, kind: str, arguments: Sequence[str], paths: Sequence[Path]) -> str:
        """The output of a command about files; nothing after its time limit."""
        left = LONGEST if _processor_seconds() < self.end else 0.01
        shown = [*self.command, *arguments, *map(str, paths)]
        try:
            done = subprocess.run(shown, capture_output=True, text=True, timeout=left, cwd=self.copy)
        except subprocess.TimeoutExpired:
            self.late[kind] += len(paths)
            return ""
        if "Traceback (most" in done.stderr or done.stderr.startswith("Usage: "):
            raise SystemExit(f"{shlex.join(shown)} cannot be judged:\n{done.stderr}")
        return done.stdout

    def write(self, kind: str, arguments: Sequence[str], paths: Sequence[Path]) -> None:
        """Runs a write, judges its result, and restores the files."""
        self.run(kind, arguments, paths)
        for path in paths:
            if path.read_bytes() == self.files[path]:
                continue
            try:
                before = self.robots[path]
                if isinstance(before, UnreadError):
                    raise before
                after = read(path)
                found = judged(before, after, self.tree, path)
            except UnreadError as error:
                found = [Judged("all links", "not read", str(error))]
            name = path.relative_to(self.copy).as_posix()
            self.cases += [Case(kind, name, one) for one in found]
            path.write_bytes(self.files[path])

    def writes(self) -> None:
        for kind, arguments in WRITES.items():
            for paths in self.batches():
                self.write(kind, (*arguments, "--jobs", "1"), paths)

    def lumps(self) -> None:
        """The masses of `show --lumped`, beside the sums of the written ones."""
        for paths in self.batches():
            for document in _documents(self.run("show --lumped", ("show", "--lumped", "--format", "json"), paths)):
                path = Path(document["path"])
                robot = self.robots.get(path)
                for body in document["bodies"]:
                    if body["origin"] == "lumped" and body["inertia"] is not None:
                        one = _lump(body["name"], body["inertia"]["mass"], robot)
                        self.cases.append(Case("show --lumped", path.relative_to(self.copy).as_posix(), one))

    def remedies(self) -> None:
        """The commands that `check` prints, each once for a file with all the links that it is printed for."""
        for paths in self.batches():
            found: dict[tuple[Path, tuple[str, ...]], dict[str, None]] = defaultdict(dict)
            for more in ((), ("--why",), ("--format", "json"), ("--why", "--format", "json")):
                printed = self.run("remedies", ("check", "--jobs", "1", *more), paths)
                if "json" in more:
                    printed = "\n".join(_texts(_documents(f"[{printed or '{}'}]")))
                for path, arguments, links in commands(printed, paths):
                    found[path, arguments].update(dict.fromkeys(links))
            for (path, arguments), named in found.items():
                chosen = [word for link in named for word in ("--link", link)]
                going = ["--keep-going"] if arguments[0] in ("fill", "repair") else []
                self.write("remedy: " + " ".join(arguments), [*arguments, *going, *chosen, "--jobs", "1"], [path])


def commands(printed: str, paths: Iterable[Path]) -> Iterator[tuple[Path, tuple[str, ...], tuple[str, ...]]]:
    """The commands about files in a text: the file, the arguments without links, and the links."""
    quoted = {shlex.quote(str(path)): path for path in paths}
    if not quoted:
        return
    files = "|".join(re.escape(name) for name in sorted(quoted, key=len, reverse=True))
    for verb, between, name in re.findall(
        rf"sdfinertia (check|fill|repair) ((?:(?!sdfinertia )[^\n])*?)({files})(?![\w./-])", printed
    ):
        try:
            words = [verb, *shlex.split(between)]
        except ValueError:
            continue
        links = [word for before, word in pairwise(words) if before == "--link"]
        # "LINK ..., for each of these links": their names are in the same text as JSON.
        if "LINK" in links or (verb == "check" and "--fix" not in words):
            continue
        rest = [word for at, word in enumerate(words) if word not in ("--link", "--diff") and words[at - 1] != "--link"]
        yield quoted[name], tuple(rest), tuple(links)


def main(arguments: Sequence[str] | None = None) -> int:
    """Tries every tree and prints the table; 1 where a link became worse that must not."""
    given = _parser().parse_args(arguments)
    real = os.environ.get("SDFINERTIA_REAL")
    roots = given.trees or [FIXTURES, *([Path(real)] if real and Path(real).is_dir() else [])]
    lacking = [f"directory {root}" for root in roots if not root.is_dir()]
    program, *words = shlex.split(given.command)
    found = shutil.which(program)
    if found is None:
        lacking.append(f"command {given.command}")
    if lacking:
        print(f"there is no {', '.join(lacking)}", file=sys.stderr)
        return 2
    command = [os.path.abspath(found or program), *words]
    cases: list[Case] = []
    late: Counter[str] = Counter()
    print(f"worse: further from the geometry by more than {MARGIN} in any measure")
    for root in roots:
        started = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="harm-") as scratch:
            trial = Trial(root.resolve(), Path(scratch, root.resolve().name), command, given.seconds)
            for part in (trial.writes, trial.lumps, trial.remedies):
                part()
        unread = sum(isinstance(robot, UnreadError) for robot in trial.robots.values())
        xacro = sum(1 for _ in root.rglob("*.xacro"))
        print(
            f"\n{root}: {len(trial.files)} files ({unread} not read, and {xacro} of xacro), "
            f"{sum(len(robot.links) for robot in trial.robots.values() if isinstance(robot, Robot))} links, "
            f"{time.monotonic() - started:.0f} s"
        )
        for line in table(trial.cases, trial.late, given.list):
            print(line, flush=True)
        late += trial.late
        cases += [case._replace(file=f"{root.name}/{case.file}") for case in trial.cases]
    print("\nall")
    for line in table(cases, late, 0):
        print(line)
    mended = {(case.file, case.judged.link) for case in cases if case.judged.verdict == "better" and _counts(case.kind)}
    print(f"links that repair and remedies mend: {len(mended)}")
    worse = Counter(_row(case.kind) for case in cases if case.judged.verdict == "worse")
    share = worse["remedies"] / max(sum(_row(case.kind) == "remedies" for case in cases), 1)
    print(
        f"worse: missing {worse['missing']}, lumps {worse['lumps']}, repairs and fixes {worse['repairs']}, "
        f"remedies {worse['remedies']} ({100 * share:.1f} %); wanted: 0, 0, 0 and at most 1 %"
    )
    if late:
        print(f"there was no time for {late.total()} files; more with --seconds")
    return int(bool(worse["missing"] or worse["lumps"] or worse["repairs"] or late) or share > 0.01)


def table(cases: Sequence[Case], late: Counter[str], most: int) -> Iterator[str]:
    """Counts of each kind, and the worst links."""
    kinds = dict.fromkeys([*WRITES, "show --lumped", *sorted({case.kind for case in cases}), *late])
    yield f"{'kind':<48}{'files':>6}{'links':>7}" + "".join(f"{name:>9}" for name in VERDICTS) + f"{'late':>7}"
    for kind in kinds:
        own = [case for case in cases if case.kind == kind]
        counts = Counter(case.judged.verdict for case in own)
        files = len({case.file for case in own})
        shown = "".join(f"{counts[name]:>9}" for name in VERDICTS)
        yield f"{kind[:47]:<48}{files:>6}{len(own):>7}{shown}{late[kind]:>7}"
    reasons = Counter(case.judged.why for case in cases if case.judged.verdict == "not read")
    if reasons and most:
        yield "not read: " + ", ".join(f"{why} {count}" for why, count in reasons.most_common())
    for kind in kinds:
        worst = [case for case in cases if case.judged.verdict == "worse" and case.kind == kind]
        for case in sorted(worst, key=lambda case: -case.judged.harm)[:most]:
            yield f"  worse, {case.kind}: {case.file} {case.judged.link}: {case.judged.why}"


def _row(kind: str) -> str:
    """The row of the table in which a kind counts."""
    if kind.startswith("remedy"):
        return "remedies"
    return {"fill": "missing", "fill --missing": "missing", "show --lumped": "lumps"}.get(kind, "repairs")


def _counts(kind: str) -> bool:
    return kind == "repair" or kind.startswith("remedy")


def _processor_seconds() -> float:
    """The processor time of all commands, which does not depend on the load of the machine."""
    taken = os.times()
    return taken.children_user + taken.children_system


def _copied(source: str, target: str) -> None:
    """Models are copied, as they are written to; all else is shared."""
    if source.endswith(SUFFIXES):
        shutil.copyfile(source, target)
        return
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)


def _read(path: Path) -> Robot | UnreadError:
    try:
        return read(path)
    except UnreadError as error:
        return error


def _documents(printed: str) -> list[Any]:
    try:
        return json.loads(printed or "[]")  # type: ignore[no-any-return]
    except json.JSONDecodeError:
        return []


def _texts(value: Any) -> Iterator[str]:
    """All strings of a JSON document."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner)


def _lump(name: str, mass: float, robot: Robot | UnreadError | None) -> Judged:
    model, _, links = name.rpartition("::") if "::" in name.partition(" + ")[0] else ("", "", name)
    named = [
        link for link in getattr(robot, "links", ()) if link.name in {f"{model}::{one}" for one in links.split(" + ")}
    ]
    if len(named) != len(links.split(" + ")) or any(
        link.asks or isinstance(link.inertial, UnreadError) for link in named
    ):
        return Judged(name, "not read", "lump")
    written = sum(link.inertial.mass for link in named if isinstance(link.inertial, Inertial))
    if abs(mass - written) > 1e-6 * max(abs(written), 1e-9):
        return Judged(name, "worse", f"{mass:.6g} kg, written {written:.6g} kg", abs(mass - written))
    return Judged(name, "same")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="make harm", description=__doc__)
    parser.add_argument("trees", nargs="*", type=Path, help="directories (the fixtures, and SDFINERTIA_REAL)")
    parser.add_argument("--command", default="sdfinertia", help="the command to try (sdfinertia)")
    parser.add_argument("--seconds", type=float, default=600.0, help="of the processor, for each tree (600)")
    parser.add_argument("--list", type=int, default=12, help="how many of the worst links to list of each kind (12)")
    return parser


if __name__ == "__main__":
    sys.exit(main())
