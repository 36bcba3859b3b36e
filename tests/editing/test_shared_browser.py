"""One browser serves test after test, and one that died in a test is not given to the next."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from builders.browser import SharedBrowser


class Driver:
    """What `SharedBrowser` asks of a driver, and what was done with it."""

    def __init__(self) -> None:
        self.window_handles = ["first"]
        self.address = "about:blank"
        self.current = "first"
        self.is_dead = False
        self.has_ended = False
        self.logged = ["a mistake"]
        self.switch_to = self

    def window(self, name: str) -> None:
        self.current = name

    def close(self) -> None:
        self.window_handles = [name for name in self.window_handles if name != self.current]

    def get(self, address: str) -> None:
        if self.is_dead:
            raise ConnectionError("no browser")
        self.address = address

    def get_log(self, _: str) -> list[str]:
        told, self.logged = self.logged, []
        return told

    def quit(self) -> None:
        self.has_ended = True


@pytest.fixture
def shared() -> Iterator[Any]:
    browser = SharedBrowser(Driver)
    yield contextmanager(browser.for_a_test)
    browser.end()


def test_the_next_test_has_the_same_browser_without_pages_tabs_and_logs_of_the_one_before(shared: Any) -> None:
    with shared() as first:
        first.get("http://page")
        first.window_handles = ["first", "tab"]
        first.window("tab")
    with shared() as second:
        assert second is first
        assert (second.address, second.window_handles, second.current) == ("about:blank", ["first"], "first")
        assert second.logged == []
    assert not first.has_ended


def test_a_test_in_which_the_browser_dies_fails_and_the_next_has_a_new_one(shared: Any) -> None:
    with pytest.raises(ConnectionError), shared() as first:
        first.is_dead = True
    assert first.has_ended
    with shared() as second:
        assert second is not first
    assert not second.has_ended
