"""The command `lsp` before and after it serves an editor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest


@pytest.mark.parametrize(
    ("arguments", "told"), [(("--select", "SDI999"), "SDI999"), (("--baseline", "none.json"), "none.json")]
)
def test_what_is_wrong_on_the_command_line_is_said_at_once(process, arguments, told):
    pytest.importorskip("lsprotocol", reason="lsprotocol is not installed")
    outcome = process("lsp", *arguments)
    assert outcome.status == 2
    assert told in outcome.messages
    assert outcome.output == b""


def test_it_ends_with_its_input(process: Callable[..., Any]) -> None:
    pytest.importorskip("lsprotocol", reason="lsprotocol is not installed")
    outcome = process("lsp")
    assert (outcome.status, outcome.output) == (0, b"")
