"""What is found in the examples of all rules, and where one is for another, word by word, as `findings.txt` has it.

Written anew by `SDFINERTIA_WRITE_PAGES=1 .venv/bin/python -m pytest tests/rules/test_exact_findings.py`.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from builders.pages import compare, read_pages
from rules.test_plausibility import FIRES

from sdfinertia.documents.checking import check
from sdfinertia.options import Options
from sdfinertia.rules.registry import RULE_OF_CODE

if TYPE_CHECKING:
    from collections.abc import Iterator

_PAGES = Path(__file__).with_name("findings.txt")
_EXAMPLES = Path(__file__).parents[2] / "docs/examples/rules"
_ALL = Options(select=tuple(RULE_OF_CODE))
_INSIDE = {f"{code} {name}": inside for code, cases in FIRES.items() for name, inside in cases.items()}


def _examples() -> list[str]:
    paths = (path for path in sorted(_EXAMPLES.rglob("*")) if path.suffix in (".sdf", ".urdf", ".xml"))
    return [path.relative_to(_EXAMPLES).as_posix() for path in paths]


def _page(name: str) -> Iterator[str]:
    path = _EXAMPLES / name
    content = _INSIDE[name] if name in _INSIDE else path.read_bytes()
    data = content if isinstance(content, bytes) else f"<sdf version='1.12'>{content}</sdf>".encode()
    for kind, options in (("", Options()), ("all ", _ALL)):
        for each in check(data, options, filename=str(path) if name not in _INSIDE else "/nowhere/m.sdf"):
            facts = f"{each.is_fixable} {each.is_minor} {each.number} {' '.join(each.also)}"
            line = f"{kind}{each.location.line}: {each.code} {each.link}: {each.message}; {each.remedy} {facts}"
            yield re.sub(r" \(tried.*\)", "", line).replace(str(_EXAMPLES), "")


@pytest.fixture(scope="module")
def known() -> dict[str, list[str]]:
    return read_pages(_PAGES, [*_examples(), *_INSIDE], _page)


@pytest.mark.parametrize("name", [*_examples(), *_INSIDE])
def test_all_that_is_found_is_what_it_was(name: str, known: dict[str, list[str]]) -> None:
    compare(list(_page(name)), known[name])


def test_no_other_examples_are_known(known: dict[str, list[str]]) -> None:
    assert list(known) == [*_examples(), *_INSIDE]
