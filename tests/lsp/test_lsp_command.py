"""The command `lsp` before and after it serves an editor."""

from __future__ import annotations

import asyncio
import builtins
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


@pytest.mark.parametrize("library", ["pygls", "lsprotocol"])
def test_without_its_libraries_it_says_what_to_install(
    command: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, library: str
) -> None:
    find = builtins.__import__

    def without(module: str, *rest: Any, **more: Any) -> Any:
        if module.partition(".")[0] == library:
            raise ModuleNotFoundError(f"No module named {library!r}", name=library)
        return find(module, *rest, **more)

    for module in [key for key in sys.modules if key.startswith("sdfinertia.lsp")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setattr(builtins, "__import__", without)
    outcome = command("lsp")
    assert outcome.status == 2
    # Where none is installed it is the first that is missed.
    assert re.search(r"`sdfinertia lsp` needs the library (pygls|lsprotocol)", outcome.messages)
    assert "pip install sdfinertia[lsp]" in outcome.messages


@pytest.mark.parametrize(
    ("arguments", "told"), [(("--select", "SDI999"), "SDI999"), (("--baseline", "none.json"), "none.json")]
)
def test_what_is_wrong_on_the_command_line_is_said_at_once(
    process: Callable[..., Any], arguments: tuple[str, ...], told: str
) -> None:
    pytest.importorskip("pygls", reason="pygls is not installed")
    outcome = process("lsp", *arguments)
    assert outcome.status == 2
    assert told in outcome.messages
    assert outcome.output == b""


def test_it_ends_with_its_input(process: Callable[..., Any]) -> None:
    pytest.importorskip("pygls", reason="pygls is not installed")
    outcome = process("lsp")
    assert (outcome.status, outcome.output) == (0, b"")


def test_a_mistake_of_the_program_is_a_diagnostic(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pygls", reason="pygls is not installed")
    from lsprotocol import types as lsp
    from pygls.workspace import Workspace

    from sdfinertia.lsp.server import server_for
    from sdfinertia.lsp.session import Version
    from sdfinertia.options import GivenOptions

    def steps(_: Version) -> Any:
        raise ZeroDivisionError("secret")

    monkeypatch.setattr(Version, "steps", steps)
    server = server_for(GivenOptions())
    server.protocol._workspace = Workspace(None)
    uri = (tmp_path / "m.sdf").as_uri()
    server.workspace.put_text_document(lsp.TextDocumentItem(uri, "xml", 1, "<sdf/>"))
    published: list[Any] = []
    monkeypatch.setattr(server, "text_document_publish_diagnostics", published.append)
    asyncio.run(server._check(uri, 0.0))
    server.shutdown()
    ((found,),) = [each.diagnostics for each in published]
    assert "internal error: ZeroDivisionError" in found.message
    assert "secret" not in found.message
