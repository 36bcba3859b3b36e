"""What the tests of security share: runs that tell all that Python was asked to open, connect and start."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

WATCHED = ("open", "os.listdir", "os.scandir", "os.system", "os.exec", "os.posix_spawn", "os.fork", "subprocess.Popen")
OF_THE_NETWORK = ("socket.", "urllib.", "http.", "ftplib.", "webbrowser.")


class Watched(NamedTuple):
    """What a run came to, and the events that were watched: their names, and the path or name they were about."""

    status: int
    output: str
    messages: str
    events: list[tuple[str, str]]

    def opened(self, directory: Path) -> list[str]:
        """The paths inside a directory that were opened or listed."""
        return [
            what
            for event, what in self.events
            if event in ("open", "os.listdir", "os.scandir") and os.path.realpath(what).startswith(str(directory))
        ]


class Watch:
    """What an audit hook of this process writes down; there is one, since a hook cannot be taken off again."""

    events: list[tuple[str, str]] | None = None

    def __call__(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self.events is not None and (event in WATCHED or event.startswith(OF_THE_NETWORK)):
            about = arguments[0] if arguments and isinstance(arguments[0], (str, bytes)) else ""
            self.events.append((event, os.fsdecode(about)))


@pytest.fixture(scope="session")
def watch() -> Watch:
    made = Watch()
    sys.addaudithook(made)
    return made


@pytest.fixture
def watched(command: Callable[..., Any], watch: Watch, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Watched]:
    """Runs `sdfinertia` in the project, in this process, watched."""

    def run(*arguments: str, stdin: bytes = b"", **environment: str) -> Watched:
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        watch.events = events = []
        try:
            outcome = command(*arguments, stdin=stdin)
        finally:
            watch.events = None
        return Watched(outcome.status, outcome.output.decode("utf-8", "replace"), outcome.messages, events)

    return run
