"""Editors, each with a server of its own."""

from __future__ import annotations

import pytest

pytest.importorskip("pygls", reason="pygls is not installed")

from typing import TYPE_CHECKING

from builders.language_client import Editor

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@pytest.fixture(scope="session")
def editors(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Editor]]:
    """Makes editors, one for each way to start the server, which all tests of this process share."""
    made: dict[tuple[str, ...], Editor] = {}

    def editor(*arguments: str, units: str = "utf-16") -> Editor:
        key = (*arguments, units)
        if key not in made:
            made[key] = Editor(tmp_path_factory.mktemp("home"), *arguments, units=units)
        return made[key]

    yield editor
    for each in made.values():
        assert each.close() == 0


@pytest.fixture
def editor(editors: Callable[..., Editor]) -> Editor:
    return editors()
