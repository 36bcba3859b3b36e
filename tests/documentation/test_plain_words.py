"""Messages, docstrings and pages say things in the field's own words: a list of phrases to avoid, and what to say.

A phrase is added as a line of `INSTEAD`: a regular expression, and the plain words for it.
"""

from __future__ import annotations

import ast
import re
import tokenize
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]

INSTEAD = {
    # Physics.
    r"\bno body\b": "physically impossible",
    r"\ba body can (have|be)\b": "valid",
    r"\bare impossible bodies\b": "are physically impossible",
    r"(?<![`.\w-])gyradius(?![`\w-])": "radius of gyration",
    r"\b(heavier|heavily) to turn\b|\bturns? (\w+ )?heavily\b": "has too much inertia",
    r"\bsit in the middle\b": "as if all mass were at one point",
    r"\bsixes\b|\b(the|all) six (?!entries|numbers)": "the tensor, its entries",
    r"\bthe geometry is another\b": "but the geometry differs",
    r"\bsomebody wrote\b|\bnobody has filled\b|\bto have (a number|some)\b": "a placeholder, probably invented",
    r"\bface inside out\b|\bfaces inside out\b": "face inward",
    r"\bcrack(s)?\b": "T-junctions",
    r"\bclosed by (a )?lids?\b|\blids would\b": "hole caps",
    r"\bnear certainly\b": "almost certainly",
    # What is done.
    r"\bmend(s|ed|ing|able|er)?\b": "fix",
    r"\bleft as (it|they) (is|are|was|were)\b|\bis as it was\b|\b(is|are) so already\b": "unchanged",
    r"\btakes? (it|them) out\b": "remove",
    r"\banew\b": "again",
    r"\ball the same\b": "anyway",
    r"\bunasked\b": "on request only",
    r"\b(tells?|told) of\b": "reports",
    r"\bwhat bec(omes|ame|ome) of\b": "the policy, the result",
    r"\bpass(es|ed)? over\b": "skip",
    r"\bwhoever\b": "the caller, the reader",
    # What is not there.
    r"\bis not found\b|\bis not there\b|\bare not there\b": "not found",
    r"\bcould not be judged\b": "not fully checked",
    r"(?<!there )\bis no (?!exception\b|longer\b|more\b)": "is not a",
    r"\bnobody can guess\b": "unguessable",
    # How it is said.
    r"\bgo(es)? (not|with neither)\b": "cannot be combined with",
    r"\bgo(es)? without saying\b": "omit",
    r"\bgoes by\b|\bgo by\b": "uses",
    r"\bmakes? of (it|them)\b": "computes",
    r"\bstands? (for|there|beside|where|so|already)\b|\bstands?\.": "is, means",
    r"\bwhere it stands\b": "in place",
    r"\band no (SDF|URDF|mesh|model)\b": "not",
    r"\ba image\b": "an image",
}

# Of docstrings and comments: relative clauses without a noun, and words for which the field has its own.
OF_CODE = {
    r"\btold\b": "reported, parsed",
    r"\blooked (at|for|up)\b": "read, searched, checked",
    r"\basked( for)?\b": "requested",
    r"\bsomebody\b": "the author, the user",
    r"\bwhat (is|was|were) (asked|compared|drawn|found|left|lost|read|said|seen|told|written)\b": "the noun for it",
}


MODULES = sorted(ROOT.joinpath("sdfinertia").rglob("*.py"))
PAGES = (ROOT / "README.md", *sorted(ROOT.joinpath("docs").rglob("*.md")))


def texts_of(path: Path) -> Iterator[str]:
    """A page, or the docstrings and texts of a module, each on one line; what is put into a text is `{}`."""
    if path.suffix == ".md":
        yield path.read_text(encoding="utf-8")
        return
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
        # A single word is a key or a name.
        elif isinstance(node, ast.Constant) and " " in str(node.value):
            yield str(node.value)


def words_of_code(path: Path) -> Iterator[str]:
    """The docstrings and comments of a module."""
    source = path.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
            yield ast.get_docstring(node) or ""
    for token in tokenize.generate_tokens(StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.string


def found_in(phrases: dict[str, str], path: Path, texts: Iterator[str]) -> Iterator[str]:
    every = re.compile("|".join(f"(?:{phrase})" for phrase in phrases), re.IGNORECASE)
    for text in texts:
        for match in every.finditer(" ".join(text.split())):
            plain = next(each for phrase, each in phrases.items() if re.search(phrase, match[0], re.IGNORECASE))
            yield f"{path.relative_to(ROOT)}: {match[0]!r}: say {plain!r}"


def test_a_phrase_that_needs_reading_twice_is_not_used() -> None:
    assert [found for path in (*MODULES, *PAGES) for found in found_in(INSTEAD, path, texts_of(path))] == []


def test_a_comment_names_things_by_the_nouns_of_the_field() -> None:
    assert [found for path in MODULES for found in found_in(OF_CODE, path, words_of_code(path))] == []


@pytest.mark.parametrize("text", ["It is not there.", "so mend it", "what becomes\nof it"])
def test_a_phrase_is_seen(text: str) -> None:
    assert len(list(found_in(INSTEAD, ROOT / "m.py", iter([text])))) == 1
