"""A page that changes a document of two links, in a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from builders.editor import TWO_LINKS, edited, opened

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "m.sdf"
    file.write_text(TWO_LINKS)
    return file


@pytest.fixture
def address(path: Path) -> Iterator[str]:
    yield from edited(path)


@pytest.fixture
def page(browser: Any, address: str) -> Any:
    return opened(browser, address)
