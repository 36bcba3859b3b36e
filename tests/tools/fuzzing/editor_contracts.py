"""Contracts for any messages and texts of an editor: one answer each, and edits equal to those of the bytes."""

import json
from collections import Counter
from contextlib import suppress
from functools import cache
from typing import Any

from builders.language_server import about, answers, applied, notice, opened, place, request

from fuzzing.server_contracts import BETWEEN
from fuzzing.table_contracts import scratch_directory
from sdfinertia.documents.filling import fill
from sdfinertia.errors import SdfInertiaError
from sdfinertia.files.former_outputs import json_object
from sdfinertia.lsp.actions import Action, edits_of, offers
from sdfinertia.lsp.frames import bodies, framed
from sdfinertia.lsp.session import SharedState, Version
from sdfinertia.lsp.shown import asking_links, diagnostics, hover, named_files, symbols
from sdfinertia.markup.document import splice
from sdfinertia.options import GivenOptions, Options

URI = "file:///nowhere/m.sdf"
UNITS = ("utf-16", "utf-8", "utf-32")
ENCODINGS = ("", "ISO-8859-1", "windows-1252", "Shift_JIS", "GB18030", "koi8-r", "UTF-16", "nothing")


def messages_hold(data: bytes) -> None:
    """Whatever comes, as a stream or as messages, each request has one answer, and none is a mistake of the server."""
    if data[:1] < b"\x10":
        _stream_holds(data[1:])
        return
    messages = data[1:].split(BETWEEN)[:12]
    asked = Counter(number for number in map(_number_of, messages) if number is not None)
    sent = answers([*messages, request("end", "textDocument/hover", None)])
    given = Counter(repr(each["id"]) for each in sent if "method" not in each and each["id"] is not None)
    ended = any(_method_of(each) == "exit" for each in messages)
    assert ended or given == asked + Counter(("'begin'", "'end'")), "each request has one answer"
    for each in sent:
        assert b"Traceback" not in framed(each)
        assert b"internal error" not in framed(each), each
        assert "\n" not in each.get("error", {}).get("message", "")


def _stream_holds(data: bytes) -> None:
    pieces = [data[start : start + 7] for start in range(0, len(data), 7)]
    with suppress(SdfInertiaError):
        for body in bodies(lambda _: pieces.pop(0) if pieces else b""):
            assert body in data


def _method_of(body: bytes) -> object:
    return json_object(body).get("method")


def _number_of(body: bytes) -> str | None:
    """The id of a request, as Python writes it."""
    message = json_object(body)
    number = message.get("id")
    is_number = isinstance(number, str) or type(number) is int
    try:
        framed(message)
    except ValueError:
        # It has values that JSON lacks.
        return None
    return repr(number) if isinstance(message.get("method"), str) and is_number else None


@cache
def _shared() -> SharedState:
    return SharedState(GivenOptions())


def texts_hold(data: bytes) -> None:
    """An action in a text equals its edits of the bytes, and the fill of a file equals that of `fill`."""
    kind, rest = data[0] if data else 0, data[1:].decode("utf-8", "replace")
    encoding, units = ENCODINGS[kind % len(ENCODINGS)], UNITS[kind // len(ENCODINGS) % len(UNITS)]
    text = f'<?xml version="1.0" encoding="{encoding}"?>\n{rest}' if encoding else rest
    path = scratch_directory("editor") / ("m.urdf" if "<robot" in rest else "m.sdf")
    try:
        version = _shared().version(text, str(path), units)
        for _ in version.steps():
            pass
    except SdfInertiaError:
        return
    places = [each.range for each in diagnostics(version)] + [each for _, each in asking_links(version)]
    places += [version.text.range(each.start, each.stop) for each in named_files(version)]
    places += [each.range for each in symbols(version)]
    for each in places:
        # A place beyond its line is refused here.
        applied(text, [{"range": {"start": _json(each.start), "end": _json(each.end)}, "newText": ""}], units)
    for link in list(version.links())[:4]:
        start = link.element.inner_start
        assert version.text.offset(version.text.position(start)) == start
        with suppress(SdfInertiaError):
            hover(version, start)
        for offer in offers(version, start):
            _action_holds(version, text, offer.action, units)


def _json(position: Any) -> dict[str, int]:
    return place(position.line, position.character)


def _action_holds(version: Version, text: str, action: Action, units: str) -> None:
    data = version.text.data
    try:
        edits = edits_of(version, action)
    except SdfInertiaError:
        return
    made = applied(text, version.text.text_edits(edits), units)
    codec = next(
        codec for codec in ("utf-8", "latin-1", "cp1252", "shift_jis", "gb18030", "koi8-r") if _is(data, codec, text)
    )
    expected = splice(data, sorted(edits, key=lambda edit: edit.start))
    assert made.encode(codec, "replace") == expected, action
    if action == Action("fill"):
        assert expected == fill(data, Options(), filename=version.path).content


def _is(data: bytes, codec: str, text: str) -> bool:
    try:
        return data.decode(codec) == text
    except UnicodeError:
        return False


# Inputs to begin from -------------------------------------------------------------------------------------------------


def conversations() -> Any:
    """Messages of editors: a text is opened, asked about in every way, changed meanwhile and closed."""
    box = "<collision name='c'><geometry><box><size>1 2 3</size></box></geometry></collision>"
    text = f"<sdf version='1.11'><model name='m'><link name='l'><inertial auto='true'/>{box}</link></model></sdf>"
    here = {"start": place(0, 60), "end": place(0, 60)}
    data = {"uri": URI, "version": 1, "verb": "fill", "link": "m::l", "what": ""}
    change = {"textDocument": {"uri": URI, "version": 2}, "contentChanges": [{"text": text + " "}]}
    asked = (
        about(1, "hover", URI, position=place(0, 60)),
        about("two", "documentSymbol", URI),
        about(3, "definition", URI, position=place(9, 0)),
        about(4, "codeLens", URI),
        about(5, "documentLink", URI),
        about(6, "codeAction", URI, range=here, context={"diagnostics": [], "only": ["quickfix"], "triggerKind": 1}),
        request(7, "codeAction/resolve", {"title": "Fill l", "kind": "quickfix", "data": data}),
        request(8, "workspace/executeCommand", {"command": "sdfinertia.apply", "arguments": [data]}),
        notice("textDocument/didChange", change),
        notice("$/cancelRequest", {"id": 6}),
        notice("textDocument/didSave", {"textDocument": {"uri": URI}}),
        notice("workspace/didChangeWatchedFiles", {"changes": [{"uri": URI, "type": 1}]}),
        notice("textDocument/didClose", {"textDocument": {"uri": URI}}),
        request(9, "shutdown"),
        notice("exit"),
    )
    for each in asked:
        yield _input(opened(URI, text), each)
        yield _input(opened(URI, text), each, asked[8], each, about(99, "hover", URI, position=place(-1, 2**40)))
    yield _input(opened(URI, text), *asked[:8], *asked[11:])
    yield b"\0" + framed(asked[0]) + framed(asked[1]) + b"Content-Length: 99999999999\r\n\r\n{}"
    yield b"\x10[]" + BETWEEN + b'{"id": 1}' + BETWEEN + b'{"jsonrpc": "2.0", "id": null, "method": "x"}'


def _input(*messages: dict[str, Any]) -> bytes:
    return b"\x10" + BETWEEN.join(json.dumps(each).encode() for each in messages)


WORDS = b"""textDocument/hover textDocument/codeAction codeAction/resolve workspace/executeCommand textDocument/didOpen
 textDocument/didChange textDocument/didClose textDocument/documentSymbol textDocument/codeLens initialize initialized
 shutdown exit $/cancelRequest $/setTrace workspace/symbol textDocument/rename "id" "method" "params" "result" "error"
 "jsonrpc" null true -1 2147483648 1e400 NaN "" [] {} "position" "line" "character" "version" "uri" "untitled:a"
 "file:///a%00b" "file://[" "\\ud800" "suppress" "repair" "unsafe-fix" "cause" "what" "link" "arguments" "only" 9999
 Content-Length: \r\n""".split()
