"""The command `lsp` before and after it serves an editor."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable
from typing import Any

import pytest


def test_without_its_library_it_says_what_to_install(
    command: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    find = builtins.__import__

    def without(module: str, *rest: Any, **more: Any) -> Any:
        if module.partition(".")[0] == "lsprotocol":
            raise ModuleNotFoundError("No module named 'lsprotocol'", name="lsprotocol")
        return find(module, *rest, **more)

    for module in [key for key in sys.modules if key.startswith("sdfinertia.lsp")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setattr(builtins, "__import__", without)
    outcome = command("lsp")
    assert outcome.status == 2
    assert "`sdfinertia lsp` needs the library lsprotocol" in outcome.messages
    assert "[lsp]'`" in outcome.messages


@pytest.mark.parametrize(
    ("arguments", "told"), [(("--select", "SDI999"), "SDI999"), (("--baseline", "none.json"), "none.json")]
)
def test_what_is_wrong_on_the_command_line_is_said_at_once(
    process: Callable[..., Any], arguments: tuple[str, ...], told: str
) -> None:
    pytest.importorskip("lsprotocol", reason="lsprotocol is not installed")
    outcome = process("lsp", *arguments)
    assert outcome.status == 2
    assert told in outcome.messages
    assert outcome.output == b""


def test_it_ends_with_its_input(process: Callable[..., Any]) -> None:
    pytest.importorskip("lsprotocol", reason="lsprotocol is not installed")
    outcome = process("lsp")
    assert (outcome.status, outcome.output) == (0, b"")
