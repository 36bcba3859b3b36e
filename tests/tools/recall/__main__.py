"""The command: `make recall`, `make recall RECALL=--list` for findings on links as they are, `--why` for causes."""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from causes import atlas

from recall.clean_links import CleanLink, clean_links, documents, root
from recall.faults import FAULTS, is_told
from recall.injected import InjectedLink, Numbers
from recall.why import report
from sdfinertia.links.study import Study
from sdfinertia.options import Options
from sdfinertia.rules.registry import chosen_rules

# What is on by default, and all rules about numbers of links.
RUNS = {"default": (), "all": ("SDI1", "SDI2")}


def main(arguments: Sequence[str] | None = None) -> int:
    """Injects every fault into every link that is right, and prints what is found."""
    given = _parser().parse_args(arguments)
    models = root()
    if given.fit:
        # Git and clones are needed for nothing else.
        from recall import fit, labels, why

        known = list(labels.labels(atlas.directory(), Path(given.fit)))
        for line in fit.report(
            known, labels.of_atlas(atlas.directory()), why.scored_mistakes(models, given.links or 100)
        ):
            print(line, flush=True)
        return 0
    if given.why:
        for line in report(models, given.links or 200):
            print(line, flush=True)
        return 0
    links = clean_links(models, given.links or 100)
    if not links:
        print(f"there are no links below {models} that are right", file=sys.stderr)
        return 2
    meshes = sum(link.body.has_mesh for link in links)
    print(f"{len(links)} links of {models} that are right, {meshes} of them with meshes")
    recalls: dict[str, dict[str, float]] = {name: {} for name in RUNS}
    by_rule: dict[str, dict[str, Counter[str]]] = {name: defaultdict(Counter) for name in RUNS}
    print(f"\n{'fault':<28}{'links':>6}{'default':>9}{'all':>7}  rules that find it by default")
    for fault, counts in _injected(links, by_rule, recalls):
        shares = "".join(f"{100 * recalls[name].get(fault, 0.0):>{8 if name == 'default' else 6}.0f}%" for name in RUNS)
        rules = ", ".join(f"{code} {count}" for code, count in sorted(by_rule["default"][fault].items()))
        print(f"{fault:<28}{counts:>6}{shares if counts else '':>16}  {rules}")
    for name, shares_of in recalls.items():
        mean = 100 * sum(shares_of.values()) / len(shares_of)
        print(f"mean recall over {len(shares_of)} faults, {name}: {mean:.1f} %")
    print("\nfindings on the same links as they are")
    for name, select in RUNS.items():
        found = Counter(code for link in links for code in _found(link, link.body.numbers, select))
        flagged = sum(bool(_found(link, link.body.numbers, select)) for link in links)
        print(f"{name}: on {flagged} links; {_listed(found.items())}")
    _as_they_are(models, listed=given.list)
    return 0


def _injected(
    links: Sequence[CleanLink],
    by_rule: dict[str, dict[str, Counter[str]]],
    recalls: dict[str, dict[str, float]],
) -> Iterable[tuple[str, int]]:
    for fault, inject in FAULTS.items():
        wrong = [(link, inject(link.body)) for link in links]
        told = [
            (link, numbers)
            for link, numbers in wrong
            if numbers is not None and is_told(link.body.numbers, numbers, sum(x * x for x in link.body.sizes) ** 0.5)
        ]
        for name, select in RUNS.items():
            hits = 0
            for link, numbers in told:
                found = _found(link, numbers, select)
                hits += bool(found)
                by_rule[name][fault].update(found)
            if told:
                recalls[name][fault] = hits / len(told)
        yield fault, len(told)


def _found(link: CleanLink, numbers: Numbers, select: tuple[str, ...]) -> set[str]:
    """The codes of the rules that find something in a link with such numbers."""
    options = Options(select=select)
    injected: Any = InjectedLink(link.link, numbers, link.context)
    study = Study(injected, options, link.context)
    rules = [rule for rule in chosen_rules(select, ()) if rule.code.startswith(("SDI1", "SDI2"))]
    return {rule.code for rule in rules if rule.find is not None and any(True for _ in rule.find(study))}


def _as_they_are(models: Any, *, listed: bool) -> None:
    """What the default rules about numbers find in the files themselves, for people to judge."""
    found: Counter[str] = Counter()
    count = 0
    for path, document in documents(models):
        for link in document.links():
            study = document.study(link)
            count += study.hand_written is not None and not study.is_static
            for rule in chosen_rules((), ()):
                if rule.code.startswith("SDI2") and rule.find is not None:
                    for fault in rule.find(study):
                        found[rule.code] += 1
                        if listed:
                            print(f"{path} {link.scoped_name}: {rule.code} {fault.message}")
    print(f"\nby default on all {count} hand-written links that move, as the files are: {_listed(found.items())}")


def _listed(counts: Iterable[tuple[str, int]]) -> str:
    return ", ".join(f"{code} {count}" for code, count in sorted(counts)) or "none"


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
