"""Each request has one answer, whatever it asks, and whatever happened to its text meanwhile."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("lsprotocol", reason="lsprotocol is not installed")

from builders.language_server import about, answers, applied, changed, notice, opened, place, request

from sdfinertia.errors import ResourceError
from sdfinertia.lsp.frames import MAX_MESSAGE, bodies, framed
from sdfinertia.lsp.params import path_of
from sdfinertia.options import GivenOptions, Options

URI = "file:///nowhere/m.sdf"
BOX = "<collision name='c'><geometry><box><size>1 2 3</size></box></geometry></collision>"
TEXT = f"<sdf version='1.11'><model name='m'><link name='l'><inertial auto='true'/>{BOX}</link></model></sdf>"
DATA = {"uri": URI, "version": 1, "verb": "fill", "link": "m::l", "what": ""}
HERE = {"start": place(0, 60), "end": place(0, 60)}
INVALID_PARAMS, INVALID_REQUEST, UNKNOWN, NOT_JSON, INTERNAL = -32602, -32600, -32601, -32700, -32603
NOT_INITIALIZED, CANCELLED, OUTDATED = -32002, -32800, -32801


def answer_to(number: object, sent: list[dict[str, Any]]) -> dict[str, Any]:
    (found,) = [each for each in sent if each.get("id") == number and "method" not in each]
    assert "Traceback" not in json.dumps(found)
    return found


def code_of(number: object, sent: list[dict[str, Any]]) -> int:
    code: int = answer_to(number, sent)["error"]["code"]
    return code


def resolve(**other: object) -> dict[str, Any]:
    return request(1, "codeAction/resolve", {"title": "Fill l", "kind": "quickfix", "data": {**DATA, **other}})


def apply(*arguments: object, command: str = "sdfinertia.apply") -> dict[str, Any]:
    return request(1, "workspace/executeCommand", {"command": command, "arguments": arguments})


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        (about(1, "hover", URI, position=place(-1, 0)), INVALID_PARAMS),
        (about(1, "hover", URI, position=place(0, -5)), INVALID_PARAMS),
        (about(1, "hover", URI, position=place(1 << 40, 0)), INVALID_PARAMS),
        (about(1, "hover", URI), INVALID_PARAMS),
        (request(1, "textDocument/hover"), INVALID_PARAMS),
        (request(1, "textDocument/hover", [1, 2]), INVALID_PARAMS),
        (about(1, "codeAction", URI, range=HERE, context={"diagnostics": 5}), INVALID_PARAMS),
        (request(1, "textDocument/rename", {}), UNKNOWN),
        (request(1, "no/such"), UNKNOWN),
        (request(1, "initialize", {"processId": None, "rootUri": None, "capabilities": {}}), INVALID_REQUEST),
        (resolve(verb=5), INVALID_PARAMS),
        (resolve(version="1"), INVALID_PARAMS),
        (resolve(uri=None), INVALID_PARAMS),
        (request(1, "codeAction/resolve", {"title": "x"}), INVALID_PARAMS),
        (apply(), INVALID_PARAMS),
        (apply(1, 2), INVALID_PARAMS),
        (apply([[]]), INVALID_PARAMS),
        (apply(DATA, command="other"), INVALID_PARAMS),
        (resolve(version=2), OUTDATED),
        (apply({**DATA, "version": 0}), OUTDATED),
        (apply({**DATA, "uri": "file:///never/opened.sdf"}), OUTDATED),
    ],
)
def test_what_cannot_be_answered_is_refused(asked: dict[str, Any], code: int) -> None:
    assert code_of(1, answers([opened(URI, TEXT), asked])) == code


@pytest.mark.parametrize(
    "asked",
    [
        resolve(verb="mow"),
        resolve(link="m::none"),
        resolve(verb="repair", what="magic"),
        resolve(verb="suppress", what="--><evil/>"),
        resolve(verb="suppress", what="ä"),
        resolve(verb="suppress", link="", what="SDI001"),
    ],
)
def test_an_action_that_is_not_possible_has_no_edit_and_says_why(asked: dict[str, Any]) -> None:
    sent = answers([opened(URI, TEXT), asked])
    assert "edit" not in answer_to(1, sent)["result"]
    assert [each for each in sent if each.get("method") == "window/showMessage"]


def test_a_place_beyond_the_text_and_kinds_that_are_not_known_are_answered() -> None:
    context = {"diagnostics": [], "only": ["no.such.kind"]}
    hover = about(1, "hover", URI, position=place(2000, 7))
    actions = about(2, "codeAction", URI, range=HERE, context=context)
    sent = answers([opened(URI, TEXT), hover, actions])
    assert answer_to(1, sent)["result"] is None
    assert answer_to(2, sent)["result"] == []


@pytest.mark.parametrize("uri", ["", "file://[", "file:///a%00b.sdf", "file:///\ud800.sdf", "untitled:\udfff", "x:\0"])
def test_a_text_of_any_uri_is_answered(project: Path, uri: str) -> None:
    hover = about(1, "hover", uri, position=place(0, 60))
    sent = answers([opened(uri, TEXT), hover, {**resolve(uri=uri), "id": 2}])
    assert answer_to(1, sent)["result"]
    assert "<mass>" in applied(TEXT, answer_to(2, sent)["result"]["edit"]["changes"][uri])
    (found,) = [each["params"] for each in sent if each.get("method") == "textDocument/publishDiagnostics"]
    assert [each["code"] for each in found["diagnostics"]] == ["SDI001"]


@pytest.mark.parametrize("method", ["hover", "documentSymbol", "codeLens", "documentLink", "definition"])
def test_a_text_that_is_not_open_is_not_read(tmp_path: Path, method: str) -> None:
    path = tmp_path / "m.sdf"
    path.write_text(TEXT)
    asked = about(1, method, path.as_uri(), position=place(0, 60))
    closed = notice("textDocument/didClose", {"textDocument": {"uri": path.as_uri()}})
    assert answer_to(1, answers([asked]))["result"] is None
    assert answer_to(1, answers([opened(path.as_uri(), TEXT), closed, asked]))["result"] is None


@pytest.mark.parametrize("method", ["hover", "documentSymbol", "codeLens", "documentLink", "codeAction", "definition"])
def test_nothing_is_answered_about_a_text_outside_the_confinement(tmp_path: Path, method: str) -> None:
    (tmp_path / "inside").mkdir()
    (tmp_path / "m.obj").write_text("v 0 0 0\n")
    text = TEXT.replace("<box><size>1 2 3</size></box>", "<mesh><uri>../m.obj</uri></mesh>")
    given = GivenOptions(Options(confine=str(tmp_path / "inside")), frozenset({"confine"}))
    context = {"diagnostics": []}
    for place_of_text, is_answered in ((tmp_path / "inside" / "m.sdf", True), (tmp_path / "m.sdf", False)):
        uri = place_of_text.as_uri()
        asked = about(1, method, uri, position=place(0, 60), range=HERE, context=context)
        sent = answers([opened(uri, text), asked], given)
        result = answer_to(1, sent)["result"]
        assert bool(result) == (is_answered and method not in ("definition", "documentLink"))
        assert (tmp_path / "m.obj").as_uri() not in json.dumps(result)


@pytest.mark.parametrize("asked", [resolve(), apply(DATA)])
@pytest.mark.parametrize(
    "meanwhile",
    [
        changed(URI, "<!-- typed -->" + TEXT, 2),
        notice("textDocument/didClose", {"textDocument": {"uri": URI}}),
        # Closed and opened again, which begins again with version 1.
        opened(URI, "<!-- typed -->" + TEXT),
    ],
)
def test_an_edit_of_a_text_that_changes_meanwhile_is_refused(asked: dict[str, Any], meanwhile: dict[str, Any]) -> None:
    sent = answers([opened(URI, TEXT), asked, meanwhile])
    assert code_of(1, sent) == OUTDATED
    assert not [each for each in sent if each.get("method") == "workspace/applyEdit"]


def test_a_change_that_is_not_understood_ends_what_is_known_of_the_text() -> None:
    part = {"range": HERE, "text": "x"}
    change = {"textDocument": {"uri": URI, "version": 2}, "contentChanges": [part]}
    sent = answers([opened(URI, TEXT), notice("textDocument/didChange", change), resolve(version=2)])
    assert code_of(1, sent) == OUTDATED
    assert "close it" in next(each for each in sent if each.get("method") == "window/showMessage")["params"]["message"]


def test_before_it_is_initialized_and_after_it_is_shut_down_requests_are_refused() -> None:
    hover = about(1, "hover", URI, position=place(0, 0))
    assert code_of(1, answers([hover], begins=False)) == NOT_INITIALIZED
    sent = answers([request(2, "shutdown"), hover])
    assert answer_to(2, sent)["result"] is None
    assert code_of(1, sent) == INVALID_REQUEST


def test_a_cancelled_request_is_answered() -> None:
    cancel = notice("$/cancelRequest", {"id": 1})
    hover = about(1, "hover", URI, position=place(0, 60))
    assert code_of(1, answers([opened(URI, TEXT), hover, cancel])) == CANCELLED


@pytest.mark.parametrize(
    ("message", "code"),
    [
        (b"{", NOT_JSON),
        (b"\xff\xfe", NOT_JSON),
        (b"[" * 100_000, NOT_JSON),
        (b'{"id": 1, "method": "x", "params": NaN}', NOT_JSON),
        (b'{"id": 1, "method": "x", "params": 1e999}', NOT_JSON),
        (b"[]", INVALID_REQUEST),
        (b"7", INVALID_REQUEST),
        (b'{"id": null, "method": "x"}', INVALID_REQUEST),
        (b'{"id": {}, "method": "x"}', INVALID_REQUEST),
        (b'{"id": true, "method": "x"}', INVALID_REQUEST),
        (b'{"id": 1, "method": 7}', INVALID_REQUEST),
        (b"{}", INVALID_REQUEST),
    ],
)
def test_a_message_that_is_no_request_is_refused(message: bytes, code: int) -> None:
    assert code_of(None, answers([message])) == code


def test_a_mistake_of_the_program_is_one_line_and_a_diagnostic(monkeypatch: pytest.MonkeyPatch) -> None:
    from sdfinertia.lsp.session import Version

    def fail(*_: object) -> Any:
        raise ZeroDivisionError("secret")

    monkeypatch.setattr(Version, "steps", fail)
    monkeypatch.setattr(Version, "links", fail)
    sent = answers([opened(URI, TEXT), about(1, "hover", URI, position=place(0, 60))])
    error = answer_to(1, sent)["error"]
    (found,) = [each for each in sent if each.get("method") == "textDocument/publishDiagnostics"]
    for message in (error["message"], found["params"]["diagnostics"][0]["message"]):
        assert "internal error: ZeroDivisionError" in message
        assert "secret" not in message
        assert "\n" not in message


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///a/b%20c%23.sdf", "/a/b c#.sdf"),
        ("file://localhost/a/m.sdf", "/a/m.sdf"),
        ("file:///a/%C3%A9;.sdf", "/a/é;.sdf"),
        ("file:///a/b%00c.sdf", os.path.abspath("untitled")),
        ("file:///a/\ud800.sdf", os.path.abspath("untitled")),
        ("file:///a/%E9.sdf", os.fsdecode(b"/a/\xe9.sdf")),
        ("untitled:Untitled-1", os.path.abspath("Untitled-1")),
        ("untitled:", os.path.abspath("untitled")),
        ("", os.path.abspath("untitled")),
        ("http://[", os.path.abspath("[")),
    ],
)
def test_a_uri_names_a_file(uri: str, path: str) -> None:
    assert path_of(uri) == path


# Streams --------------------------------------------------------------------------------------------------------------


def reader(data: bytes, size: int) -> Callable[[int], bytes]:
    pieces = [data[start : start + size] for start in range(0, len(data), size)]
    return lambda _: pieces.pop(0) if pieces else b""


@pytest.mark.parametrize("size", [1, 3, 10_000])
def test_messages_are_read_in_pieces_of_any_size(size: int) -> None:
    other = b"content-length:2\nContent-Type: application/vscode-jsonrpc; charset=utf-8\n\n[]"
    data = framed({"a": "é"}) + other + framed([1])
    assert list(bodies(reader(data, size))) == [b'{"a":"\\u00e9"}', b"[]", b"[1]"]


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"hello\n\n", "no Content-Length"),
        (b"\r\n", "no Content-Length"),
        (b"Content-Length: -1\r\n\r\n", "no Content-Length"),
        (b"Content-Length: \xb2\r\n\r\n", "no Content-Length"),
        (b"Content-Length: 5 5\r\n\r\n", "no Content-Length"),
        (b"Content-Length: " + 5000 * b"9" + b"\r\n\r\n", "no Content-Length"),
        (b"x" * 100_000, "no Content-Length"),
        (b"a: b\r\n" * 10_000, "no Content-Length"),
        (b"Content-Length: %d\r\n\r\n" % (MAX_MESSAGE + 1), "over the limit"),
        (b"Content-Length: 5\r\n\r\n{", "ends within a message"),
        (b"Content-Length: 5\r\n", "ends within a message"),
        (b"Content-Le", "ends within a message"),
    ],
)
def test_a_broken_stream_is_one_error(data: bytes, problem: str) -> None:
    good = framed(request(1, "initialize", {"processId": None, "rootUri": None, "capabilities": {}}))
    with pytest.raises(ResourceError, match=problem):
        list(bodies(reader(good + data, 7)))


@pytest.mark.parametrize("closed", ["<&-", ">&-", "<&- >&-"])
def test_a_closed_stream_is_one_error(project: Path, closed: str) -> None:
    command = ["sh", "-c", f'exec "$0" -m sdfinertia lsp {closed}', sys.executable]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, cwd=project, timeout=120)
    assert (done.returncode, done.stdout) == (2, b"")
    stream = "in" if "<" in closed else "out"
    assert done.stderr.decode() == f"<std{stream}>: is closed, and the editor speaks over it\n"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="/dev/full is not there")
def test_a_full_output_is_one_error(project: Path) -> None:
    hello = framed(request(1, "initialize", {"processId": None, "rootUri": None, "capabilities": {}}))
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "sdfinertia", "lsp"], input=hello, stdout=full, stderr=subprocess.PIPE, timeout=120
        )
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("data", [b"no header\r\n\r\n", b"Content-Length: 99999999999\r\n\r\n{}"])
def test_the_server_ends_after_a_broken_frame(process: Callable[..., Any], data: bytes) -> None:
    outcome = process("lsp", stdin=data)
    assert outcome.status == 2
    assert len(outcome.messages.splitlines()) == 1


def test_a_second_edit_is_not_held_up_by_an_editor_that_never_answers() -> None:
    async def talk() -> list[dict[str, Any]]:
        from builders.language_server import AtOnce

        from sdfinertia.lsp.server import Server

        sent: list[dict[str, Any]] = []
        server = Server(AtOnce(), sent.append)
        first = request("begin", "initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        for each in (first, opened(URI, TEXT), apply(DATA), {**resolve(), "id": 2}):
            server.receive(json.dumps(each).encode())
            await asyncio.sleep(0)
        await asyncio.sleep(0.2)
        return sent

    assert answer_to(2, asyncio.run(talk()))["result"]["edit"]


@pytest.mark.parametrize(
    ("arguments", "told"), [(("--select", "SDI999"), "SDI999"), (("--baseline", "none.json"), "none.json")]
)
def test_what_is_wrong_on_the_command_line_is_said_at_once(process, arguments, told):
    outcome = process("lsp", *arguments)
    assert outcome.status == 2
    assert told in outcome.messages
    assert outcome.output == b""


def test_it_ends_with_its_input(process: Callable[..., Any]) -> None:
    outcome = process("lsp")
    assert (outcome.status, outcome.output) == (0, b"")
