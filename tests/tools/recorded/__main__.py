"""The command: `make recorded` compares, `make recorded RECORD=--write` records anew.

The program of another tree: PYTHONSAFEPATH=1 PYTHONPATH=TREE:tests:tests/tools:tests/differential python -m recorded
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
import time
import zlib
from pathlib import Path
from typing import TYPE_CHECKING
from unittest import mock

import sdfinertia
from recorded.documents import write_documents
from recorded.runs import OPTIONS, Corpus, copied

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

ROOT = Path(__file__).parents[3]
RECORD = Path(__file__).with_name("record.txt")
CORPORA = {
    "fixtures": ROOT / "fixtures",
    "examples": ROOT / "docs" / "examples",
    "generated": None,
    # Data of others, where it is present.
    "reference": ROOT.parent / "shared" / "reference",
    "real": ROOT.parent / "shared" / "real",
    "bugs": ROOT.parent / "shared" / "bugs" / "cases",
}
# One document of so many is filled with each option.
EVERY = 12
# By document and by command.
Entries = dict[str, dict[str, str]]


def read_record() -> Entries:
    paragraphs = re.split(r"\n(?! )", RECORD.read_text(encoding="utf-8").strip())
    lines = {name: rest for name, *rest in (paragraph.split("\n ") for paragraph in paragraphs)}
    return {name: dict(line.split(": ", 1) for line in rest) for name, rest in lines.items()}


def write_record(entries: Entries) -> None:
    """A document a paragraph, a command a line."""
    with RECORD.open("w", encoding="utf-8", newline="\n") as file:
        for name in sorted(entries):
            file.write("\n ".join([name, *(f"{command}: {value}" for command, value in entries[name].items())]) + "\n")


def found_now(corpora: Sequence[str], only: str = "") -> Entries:
    """What the program that Python imports does; nothing of the user's environment shapes it."""
    with tempfile.TemporaryDirectory(prefix="recorded-") as scratch:
        kept = {name: value for name, value in os.environ.items() if name in ("PATH", "PYTHONPATH", "LD_LIBRARY_PATH")}
        with mock.patch.dict(os.environ, {**kept, "HOME": scratch}, clear=True):
            return {name: entries for each in corpora for name, entries in _of(each, Path(scratch, each), only)}


def _of(corpus: str, folder: Path, only: str) -> Iterator[tuple[str, dict[str, str]]]:
    source = CORPORA[corpus]
    if source is None:
        write_documents(folder)
    else:
        copied(source, folder)
    documents = Corpus(folder)
    for path in documents.paths:
        name = f"{corpus}/{path.relative_to(documents.root).as_posix()}"
        if only in name:
            has_options = zlib.crc32(name.encode()) % EVERY == 0 or "options" in name
            yield name, documents.entries(path, OPTIONS if has_options else ())


def differences(expected: Mapping[str, str], found: Mapping[str, str]) -> Iterator[str]:
    """For each command of a document that differs, the words that do."""
    for command in dict.fromkeys([*expected, *found]):
        old, new = expected.get(command, "no entry"), found.get(command, "no entry")
        if old != new:
            olds, news = (text.split(" ; " if " ; " in old + new else " ") for text in (old, new))
            gone, came = [word for word in olds if word not in news], [word for word in news if word not in olds]
            yield f"{command}: {' '.join(gone) or 'nothing'} -> {' '.join(came) or 'nothing'}"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="recorded", description="What differs from the record, or a new record.")
    parser.add_argument("--write", action="store_true", help="record anew")
    parser.add_argument("--only", default="", metavar="TEXT", help="only documents with this in their names")
    given = parser.parse_args(arguments)
    corpora = [name for name, source in CORPORA.items() if source is None or source.is_dir()]
    started = time.monotonic()
    found = found_now(corpora, given.only)
    old = read_record() if RECORD.exists() else {}
    looked = {name for name in old if name.partition("/")[0] in corpora and given.only in name} | found.keys()
    pairs = {name: (old.get(name, {}), found.get(name, {})) for name in sorted(looked)}
    lines = [f"{name} | {line}" for name, (before, after) in pairs.items() for line in differences(before, after)]
    print(*lines, *(f"{name}: not here, skipped" for name in CORPORA if name not in corpora), sep="\n")
    total = sum(len(before | after) for before, after in pairs.values())
    print(f"the program in {Path(sdfinertia.__file__).parent}")
    print(f"{len(lines)} of {total} entries of {len(pairs)} documents differ, in {time.monotonic() - started:.0f} s")
    if given.write:
        write_record({name: entries for name, entries in old.items() if name not in looked} | found)
    return 1 if lines and not given.write else 0


if __name__ == "__main__":
    sys.exit(main())
