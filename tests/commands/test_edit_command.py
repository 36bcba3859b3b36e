"""The command `edit` before it serves: what it needs, and what it refuses."""

from __future__ import annotations

import builtins
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
MODEL = "<sdf version='1.11'><model name='m'><link name='l'/></model></sdf>"


@pytest.mark.parametrize(
    ("words", "name"), [(("edit",), "edit"), (("show", "--watch"), "show --watch")], ids=["edit", "watch"]
)
@pytest.mark.parametrize("library", ["starlette", "uvicorn", "watchfiles"])
def test_without_its_libraries_it_says_what_to_install(
    command: Run, project: Path, monkeypatch: pytest.MonkeyPatch, library: str, words: tuple[str, ...], name: str
) -> None:
    import sys

    (project / "m.sdf").write_text(MODEL)
    find = builtins.__import__

    def without(module: str, *rest: Any, **more: Any) -> Any:
        if module.partition(".")[0] == library:
            raise ModuleNotFoundError(f"No module named {library!r}", name=library)
        return find(module, *rest, **more)

    for module in [key for key in sys.modules if key.startswith("sdfinertia.server")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setattr(builtins, "__import__", without)
    outcome = command(*words, "m.sdf", "--no-browser")
    assert outcome.status == 2
    assert f"`sdfinertia {name}` needs the library {library}" in outcome.messages
    assert "pip install sdfinertia[edit]" in outcome.messages


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("-", "standard input"),
        ("nothing.sdf", "nothing.sdf"),
        (".", "stands for 2 files"),
        ("bad.txt", "bad.txt"),
    ],
)
def test_a_page_shows_one_file(command: Run, project: Path, path: str, told: str) -> None:
    pytest.importorskip("uvicorn", reason="uvicorn is not installed")
    for name in ("a.sdf", "b.sdf"):
        (project / name).write_text(MODEL)
    (project / "bad.txt").write_text("no SDF")
    outcome = command("edit", path, "--no-browser")
    assert outcome.status == 2
    assert told in outcome.messages


def test_what_lies_outside_the_confinement_is_not_served(command: Run, project: Path) -> None:
    pytest.importorskip("uvicorn", reason="uvicorn is not installed")
    (project / "inside").mkdir()
    (project / "m.sdf").write_text(MODEL)
    outcome = command("edit", "m.sdf", "--no-browser", "--confine", "inside")
    assert outcome.status == 2
    assert "outside" in outcome.messages


def test_a_port_that_is_taken_is_refused(command: Run, project: Path) -> None:
    pytest.importorskip("uvicorn", reason="uvicorn is not installed")
    (project / "m.sdf").write_text(MODEL)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        outcome = command("edit", "m.sdf", "--no-browser", "--port", str(port))
    assert outcome.status == 2
    assert f"port {port} cannot be had" in outcome.messages


@pytest.mark.parametrize("more", [("--json",), ("--as", "mjcf"), ("--report", "r.html"), ("other.sdf",)])
def test_watching_takes_one_file_and_no_other_form(command: Run, project: Path, more: tuple[str, ...]) -> None:
    (project / "m.sdf").write_text(MODEL)
    outcome = command("show", "--watch", "m.sdf", *more)
    assert outcome.status == 2
    assert "--watch takes one PATH" in outcome.messages


@pytest.mark.parametrize("opens", [True, False])
def test_the_page_is_opened_in_the_browser_unless_that_is_not_wanted(
    command: Run, project: Path, monkeypatch: pytest.MonkeyPatch, opens: bool
) -> None:
    pytest.importorskip("uvicorn", reason="uvicorn is not installed")
    import webbrowser

    import sdfinertia.commands.edit as module

    (project / "m.sdf").write_text(MODEL)
    _, session_of = module._server("edit")
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    monkeypatch.setattr(
        module, "_server", lambda _: (lambda session, port, tell: tell("http://127.0.0.1:1/?a"), session_of)
    )
    outcome = command("edit", "m.sdf", *(() if opens else ("--no-browser",)))
    assert outcome.output == b"http://127.0.0.1:1/?a\n"
    assert "Ctrl-C ends it; nothing is written before Save." in outcome.messages
    assert opened == (["http://127.0.0.1:1/?a"] if opens else [])
