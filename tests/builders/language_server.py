"""A language server in this process: messages in, messages out, and edits made as an editor makes them."""

import asyncio
import json
import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from sdfinertia.lsp.desk import DROP, FORGET, Desk, Text
from sdfinertia.lsp.server import Server
from sdfinertia.lsp.session import SharedState
from sdfinertia.options import GivenOptions

CODECS = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}
NOTHING_GIVEN = GivenOptions()
_WIDTHS = {"utf-8": 1, "utf-16": 2, "utf-32": 4}


class AtOnce:
    """Runs each call of a server at once, in this process."""

    def __init__(self, given: GivenOptions = NOTHING_GIVEN) -> None:
        self._desk = Desk(SharedState(given))

    async def call(self, name: str, text: Text, asked: Any = None) -> Any:
        # Lets other messages come between.
        await asyncio.sleep(0)
        return self._desk.do(name, text, asked)

    def outdate(self, uri: str) -> None:
        pass

    def free(self, uri: str) -> None:
        pass

    def close(self, uri: str) -> None:
        self._desk.do(DROP, Text(uri, "", None, 0, "", -1), None)

    def forget(self) -> None:
        self._desk.do(FORGET, Text("", "", None, 0, "", -1), None)


def answers(
    messages: Iterable[bytes | dict[str, Any]], given: GivenOptions = NOTHING_GIVEN, *, begins: bool = True
) -> list[dict[str, Any]]:
    """All messages of a server, until it is idle.

    Args:
        begins: whether it is initialized first, by a request of the id "begin".
    """
    sent: list[dict[str, Any]] = []

    async def talk() -> None:
        def send(message: dict[str, Any]) -> None:
            sent.append(message)
            if "method" in message and "id" in message:
                # Requests to the editor are granted.
                server.receive(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": None}).encode())

        server = Server(AtOnce(given), send, 0.0)
        first = request("begin", "initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        for each in (*([first] if begins else ()), *messages):
            server.receive(each if isinstance(each, bytes) else json.dumps(each).encode())
            await asyncio.sleep(0)
        waiting = asyncio.all_tasks() - {asyncio.current_task()}
        if waiting:
            await asyncio.wait(waiting, timeout=60)

    asyncio.run(talk())
    return sent


def request(number: object, method: str, params: object = None) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def notice(method: str, params: object = None) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": method, "params": params}


def opened(uri: str, text: str, version: int = 1) -> dict[str, Any]:
    item = {"uri": uri, "languageId": "xml", "version": version, "text": text}
    return notice("textDocument/didOpen", {"textDocument": item})


def changed(uri: str, text: str, version: int) -> dict[str, Any]:
    identifier = {"uri": uri, "version": version}
    return notice("textDocument/didChange", {"textDocument": identifier, "contentChanges": [{"text": text}]})


def about(number: object, method: str, uri: str, **more: object) -> dict[str, Any]:
    return request(number, f"textDocument/{method}", {"textDocument": {"uri": uri}, **more})


def place(line: int, character: int) -> dict[str, int]:
    return {"line": line, "character": character}


def applied(text: str, edits: Sequence[Any], units: str = "utf-16") -> str:
    """A text after edits, made as an editor makes them: by lines, and by units in a line.

    Args:
        edits: as objects of lsprotocol, or as JSON.
    """
    data, codec = text.encode(CODECS[units], "surrogatepass"), CODECS[units]
    starts, ends = [0], list[int]()
    for match in re.finditer(r"\r\n|\r|\n", text):
        ends.append(len(text[: match.start()].encode(codec, "surrogatepass")))
        starts.append(len(text[: match.end()].encode(codec, "surrogatepass")))
    ends.append(len(data))

    def offset(position: Any) -> int:
        line, character = (
            (position["line"], position["character"])
            if isinstance(position, dict)
            else (position.line, position.character)
        )
        found = starts[line] + _WIDTHS[units] * character
        assert found <= ends[line], "a place beyond the end of its line"
        return found

    spans = []
    for each in edits:
        if isinstance(each, dict):
            spans.append((offset(each["range"]["start"]), offset(each["range"]["end"]), each["newText"]))
        else:
            spans.append((offset(each.range.start), offset(each.range.end), each.new_text))
    spans.sort(key=lambda span: span[:2])
    assert all(a[1] <= b[0] for a, b in pairwise(spans)), "edits overlap"
    for start, stop, new in reversed(spans):
        data = data[:start] + new.encode(codec, "surrogatepass") + data[stop:]
    return data.decode(codec, "surrogatepass")
