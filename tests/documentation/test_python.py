"""What the API reference and the guide to Python show happens, and help on a function fits a screen."""

from __future__ import annotations

import doctest
import inspect
import pydoc
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import sdfinertia
from sdfinertia import parametrization

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
# A part of a page that Python is asked for line by line.
_SESSION = re.compile(r"^```pycon\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_MAX_LINES = 40


PAGES = [
    ROOT / "docs" / "guides" / "python.md",
    ROOT / "docs" / "reference" / "api" / "index.md",
]


def examples() -> Iterator[doctest.DocTest]:
    """The examples in the docstrings of what is public, and in the pages on Python."""
    finder = doctest.DocTestFinder(exclude_empty=True)
    # Of a module what stands in front alone: its names are public ones of their own, or private.
    for module in (sdfinertia, parametrization):
        assert module.__doc__
        yield doctest.DocTestParser().get_doctest(module.__doc__, {}, module.__name__, module.__file__, 0)
    for name in sdfinertia.__all__:
        value = getattr(sdfinertia, name)
        # A class with those of ours that it inherits from.
        family = [each for each in getattr(value, "__mro__", ()) if each.__module__.startswith("sdfinertia.")]
        for each in family or [value]:
            yield from finder.find(each, f"sdfinertia.{name}", globs={}, extraglobs={})
    for page in PAGES:
        sessions = "\n".join(_SESSION.findall(page.read_text(encoding="utf-8")))
        yield doctest.DocTestParser().get_doctest(sessions, {}, page.name, str(page), 0)


EXAMPLES = [example for example in examples() if example.examples]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_what_an_example_shows_happens(example, tmp_path, monkeypatch):
    shutil.copytree(ROOT / "fixtures", tmp_path / "fixtures")
    monkeypatch.chdir(tmp_path)
    said: list[str] = []
    copy = doctest.DocTest(example.examples, {"sdfinertia": sdfinertia}, example.name, example.filename, 0, "")
    # What is longer than a line of a page may be broken there.
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    doctest.DocTestRunner(optionflags=flags).run(copy, out=said.append)
    assert not said, "".join(said)


FUNCTIONS = [name for name in sdfinertia.__all__ if inspect.isfunction(getattr(sdfinertia, name))]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_help_on_a_function_fits_a_screen(name: str) -> None:
    lines = pydoc.plain(pydoc.render_doc(getattr(sdfinertia, name))).splitlines()
    assert len(lines) <= _MAX_LINES, "\n".join(lines)
    # The signature stands on one line before Python 3.13.
    assert all(len(line) <= 125 for line in lines if "->" not in line)


def test_each_public_name_is_on_one_page_of_the_reference() -> None:
    pages = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs" / "reference" / "api").glob("*.md"))]
    names = [name for page in pages for listed in re.findall(r"members: \[(.*)\]", page) for name in listed.split(", ")]
    modules = {
        name for page in pages for name in re.findall(r"(?m)^::: sdfinertia\.(?:documents\.meshes\.)?(\w+)$", page)
    }
    # The page of errors is made from them.
    assert sorted([*names, *modules, "errors", "__version__"]) == sorted(sdfinertia.__all__)


def test_arrays_are_converted_by_a_module_of_the_package() -> None:
    assert sdfinertia.parametrization is parametrization
