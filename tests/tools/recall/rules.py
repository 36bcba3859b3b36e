"""How often the rules find a mistake: mistakes in the numbers of links that are right, in the files as they are."""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from recall.cases import WrittenLink, documents
from recall.injected import InjectedLink
from recall.mistakes import MISTAKES
from recall.why import right_links
from sdfinertia.links import Study
from sdfinertia.links.written_block import WrittenBlock
from sdfinertia.options import Options
from sdfinertia.rules import chosen_rules

# The default rules, and all rules about numbers of links.
RUNS = {"default": (), "all": ("SDI1", "SDI2")}


def report(root: Path, most: int, *, listed: bool) -> Iterator[str]:
    """The whole answer of `make recall`; nothing where no link is right."""
    links = right_links(root)
    # Sorted by name, so that every run draws the same links.
    links = random.Random(28).sample(sorted(links, key=lambda link: link.case.name), min(most, len(links)))
    if not links:
        return
    yield f"{len(links)} links of {root} that are right"
    yield f"\n{'mistake':<28}{'links':>6}{'default':>9}{'all':>7}  rules that find it by default"
    recalls: dict[str, list[float]] = {name: [] for name in RUNS}
    for name in MISTAKES:
        wrong = list(_injected(name, links))
        found = {run: [_found(link, block, select) for link, block in wrong] for run, select in RUNS.items()}
        shares = {run: sum(map(bool, codes)) / max(len(wrong), 1) for run, codes in found.items()}
        if not wrong:
            yield f"{name:<28}{0:>6}"
            continue
        for run, share in shares.items():
            recalls[run].append(share)
        rules = Counter(code for codes in found["default"] for code in codes)
        yield (
            f"{name:<28}{len(wrong):>6}"
            + "".join(f"{100 * share:>{width}.0f}%" for share, width in zip(shares.values(), (8, 6), strict=True))
            + f"  {_listed(rules.items())}"
        )
    for run, each in recalls.items():
        yield f"mean recall over {len(each)} mistakes, {run}: {100 * sum(each) / max(len(each), 1):.1f} %"
    yield "\nfindings on the same links as they are"
    for run, select in RUNS.items():
        codes = [_found(link, link.case.written, select) for link in links]
        yield f"{run}: on {sum(map(bool, codes))} links; {_listed(Counter(c for each in codes for c in each).items())}"
    yield from _as_they_are(root, listed=listed)


def _injected(name: str, links: Sequence[WrittenLink]) -> Iterator[tuple[WrittenLink, WrittenBlock]]:
    """Each link in which a mistake changes the numbers, and nothing of its shapes, by enough to be one."""
    chance, cases = random.Random(name), [link.case for link in links]
    for link in links:
        made = MISTAKES[name](link.case, chance, cases)
        if made is None or made.case.bodies != link.case.bodies or made.case.box != link.case.box:
            continue
        if link.case.box is not None and is_told(link.case.written, made.case.written, link.case.box.diagonal):
            yield link, made.case.written


def is_told(right: WrittenBlock, wrong: WrittenBlock, diagonal: float) -> bool:
    """Whether numbers differ by enough to be a mistake: a tenth of the largest moment, of the mass or of the size."""
    tensors = right.inertia.I_BBcm_B, wrong.inertia.I_BBcm_B
    return (
        max(abs(a - b) for a, b in zip(*tensors, strict=True)) > 0.1 * max(tensors[0][:3])
        or abs(wrong.mass - right.mass) > 0.1 * right.mass
        or max(abs(a - b) for a, b in zip(right.centre, wrong.centre, strict=True)) > 0.1 * diagonal
    )


def _found(link: WrittenLink, block: WrittenBlock, select: tuple[str, ...]) -> set[str]:
    """The codes of the findings in a link with such numbers."""
    injected: Any = InjectedLink(link.link, block, link.context)
    study = Study(injected, Options(select=select), link.context)
    rules = [rule for rule in chosen_rules(select, ()) if rule.code.startswith(("SDI1", "SDI2"))]
    return {rule.code for rule in rules if rule.find is not None and any(True for _ in rule.find(study))}


def _as_they_are(root: Path, *, listed: bool) -> Iterator[str]:
    """The findings of the default rules about numbers in the files themselves, for people to judge."""
    found: Counter[str] = Counter()
    count = 0
    for path, document in documents(root):
        for link in document.links():
            study = document.study(link)
            count += study.hand_written is not None and not study.is_static
            for rule in chosen_rules((), ()):
                if rule.code.startswith("SDI2") and rule.find is not None:
                    for fault in rule.find(study):
                        found[rule.code] += 1
                        if listed:
                            yield f"{path.relative_to(root)} {link.scoped_name}: {rule.code} {fault.message}"
    yield f"\nby default on all {count} hand-written links that move, as the files are: {_listed(found.items())}"


def _listed(counts: Iterable[tuple[str, int]]) -> str:
    return ", ".join(f"{code} {count}" for code, count in sorted(counts)) or "none"
