"""The labelled findings of public robots, gathered from clones of their repositories as `check --why` gathers them."""

import json
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from causes import atlas

from recall.fit import Known
from recall.priors import Scored, scored
from sdfinertia.causes.case import ABOUT_CENTRE, Case
from sdfinertia.documents import open_document
from sdfinertia.documents.checking import check_document
from sdfinertia.documents.corrections import Explainer
from sdfinertia.errors import SdfInertiaError
from sdfinertia.options import Options
from sdfinertia.rules.rule import ABOUT_NUMBERS

_FILES = ("why_open.json", "why_open2.json")


def labels(directory: Path, clones: Path) -> Iterator[Known]:
    """Each label that is still found; `clones` holds OWNER+NAME/repo, bare or not."""
    entries = defaultdict(list)
    for file in _FILES:
        for one in json.loads((directory / file).read_text(encoding="utf-8"))["entries"]:
            entries[one["repository"], one["commit"], one["path"]].append(one)
    with TemporaryDirectory() as temporary:
        for (repository, commit, path), of_file in sorted(entries.items()):
            tree = Path(temporary) / f"{repository.replace('/', '+')}@{commit}"
            clone = clones / repository.replace("/", "+") / "repo"
            if not tree.exists() and clone.is_dir():
                subprocess.run(["git", "clone", "-qsn", clone.resolve(), tree], check=True)
                subprocess.run(["git", "-C", tree, "checkout", "-qf", commit], check=False)
            if (tree / path).is_file():
                yield from _known(tree / path, of_file)


def _known(path: Path, entries: list[dict[str, Any]]) -> Iterator[Known]:
    try:
        document = open_document(path, Options())
        found = check_document(document).findings
    except SdfInertiaError:
        return
    explainer = Explainer(document)
    for one in entries:
        codes = frozenset(each.code for each in found if each.link == one["link"]) & ABOUT_NUMBERS
        code = one["rule"] if one["rule"] in codes else next(iter(sorted(codes)), "")
        for link in document.links() if code else ():
            case = explainer.case(link) if link.scoped_name == one["link"] else None
            if case is not None and _has_numbers(case, one["numbers"]):
                part = codes & ABOUT_CENTRE if code in ABOUT_CENTRE else codes - ABOUT_CENTRE
                case = replace(case, findings=part - {"SDI210"})
                named = (frozenset(one.get(key, ())) for key in ("accepted", "plausible", "excluded"))
                yield Known(one["family"], case, *named)
                break


def _has_numbers(case: Case, numbers: dict[str, Any]) -> bool:
    six, written = numbers["six"], case.written.tensor
    if six[0] is None:
        return True
    theirs = (six[0], six[3], six[5], six[1], six[2], six[4])
    return max(abs(a - b) for a, b in zip(theirs, written, strict=True)) <= 1e-6 * max(map(abs, theirs))


def of_atlas(directory: Path) -> list[Scored]:
    """The entries of the atlas whose cause is a hypothesis."""
    entries = (one for one in atlas.entries(directory / "atlas.json") if one.meant)
    return [each for one in entries if (each := scored(one.case, one.meant)) is not None]
