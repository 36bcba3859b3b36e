"""The site that mkdocs makes: its groups, and a search that works from disk."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from builders.browser import CHROMIUM
from builders.devtools import Tab, tab

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
GROUPS = ["Start", "Fix a robot", "Formats", "In CI and editors", "Python", "At scale", "Explanations", "Reference"]

pytestmark = [pytest.mark.slow, pytest.mark.skipif(CHROMIUM is None, reason="chromium is not on PATH")]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    for library in ("mkdocs", "material", "mkdocstrings", "manifold3d"):
        pytest.importorskip(library, reason=f"{library} is not installed: pip install -e .[docs]")
    directory = tmp_path_factory.mktemp("site")
    words = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", str(directory)]
    subprocess.run(words, cwd=ROOT, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}, check=True, timeout=300)
    return directory


@pytest.fixture
def page(site: Path, tmp_path: Path) -> Iterator[Tab]:
    with tab(tmp_path) as opened:
        opened.open((site / "index.html").as_uri())
        yield opened


def test_the_search_works_from_disk_and_asks_no_other_host(page: Tab) -> None:
    assert page.value("document.readyState == 'complete'")
    page.value("document.querySelector('[data-md-component=search-query]').focus(), true")
    page.write("mass in grams")
    links = page.value("[...document.querySelectorAll('a.md-search-result__link')].map(link => link.href)")
    assert "/guides/densities.html" in links[0]
    assert [address for address in page.asked_for if not address.startswith(("file:", "data:"))] == []


def test_pages_are_in_groups(page: Tab) -> None:
    items = ".md-nav--primary > .md-nav__list > .md-nav__item > :is(label, a, .md-nav__link)"
    found = page.value(f"[...document.querySelectorAll('{items}')].map(each => each.textContent.trim())")
    assert found == GROUPS
