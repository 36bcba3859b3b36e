"""A page that changes a document of two links, in a browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from builders.browser import chromium
from builders.editor import TWO_LINKS, opened, served


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    # What is not saved is not asked about.
    with chromium(tmp_path_factory.mktemp("profile"), unhandledPromptBehavior="accept") as driver:
        yield driver


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "m.sdf"
    file.write_text(TWO_LINKS)
    return file


@pytest.fixture
def address(path: Path) -> Iterator[str]:
    yield from served("edit", path)


@pytest.fixture
def page(browser: Any, address: str) -> Any:
    return opened(browser, address)
