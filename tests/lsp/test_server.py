"""The server answers each request, reads no file that is not open, and ends when it is told to."""

from __future__ import annotations

import pytest

pytest.importorskip("pygls", reason="pygls is not installed")

from typing import TYPE_CHECKING

from builders.language_client import Editor
from lsprotocol import types
from pygls.exceptions import JsonRpcException

if TYPE_CHECKING:
    from pathlib import Path

MODEL = '<sdf version="1.9"><model name="m"><link name="l"/></model></sdf>\n'


def test_a_file_that_is_not_open_is_not_read(editor, tmp_path: Path) -> None:
    path = tmp_path / "model.sdf"
    path.write_text(MODEL)
    editor.texts[path.as_uri()] = MODEL
    assert editor.hover(path, "<link") == ""
    assert editor.actions(path, "<link") == {}


@pytest.mark.parametrize("uri", ["untitled:Untitled-1", "file:///nowhere/m.sdf", "file:///no%00where", "a", ""])
def test_a_text_of_any_uri_is_checked(editor, uri: str) -> None:
    item = types.TextDocumentItem(uri, "xml", 1, "<sdf>")
    editor.numbers[uri] = 1
    editor.tell(types.TEXT_DOCUMENT_DID_OPEN, types.DidOpenTextDocumentParams(item))
    assert editor.diagnostics(Uri(uri))


class Uri(str):
    __slots__ = ()

    def as_uri(self) -> str:
        return self


def test_an_unknown_request_is_refused_and_the_next_is_answered(editor, tmp_path: Path) -> None:
    with pytest.raises(JsonRpcException, match="Method Not Found"):
        editor.ask("textDocument/nothing")
    assert editor.open(tmp_path / "model.sdf", MODEL) == []


@pytest.mark.slow
def test_slow_xacro_holds_up_neither_another_text_nor_the_end(tmp_path: Path) -> None:
    pytest.importorskip("xacro", reason="xacro is not installed")
    editor, slow = Editor(tmp_path), tmp_path / "slow.xacro"
    editor.open(slow, '<robot name="r" xmlns:xacro="x">${[i for i in range(10**9)]}</robot>', waits=False)
    assert editor.open(tmp_path / "model.sdf", MODEL) == []
    assert slow.as_uri() not in editor.published
    assert editor.close() == 0
    assert slow.as_uri() not in editor.published


def test_an_editor_that_leaves_without_shutting_it_down_is_told_by_the_status(tmp_path: Path) -> None:
    assert Editor(tmp_path).close(shuts_down=False) == 1


def test_it_ends_with_its_input_and_prints_no_traceback(process) -> None:
    outcome = process("lsp", stdin=b"Content-Length: 2\r\n\r\n{}Content-Length: 3\r\n\r\n{{{")
    assert (outcome.status, outcome.messages) == (0, "")
