"""Contracts for any request to the server of `edit`: one answer that the page can read, and no internal error."""

import asyncio
import json
from typing import Any, NoReturn

from fuzzing.table_contracts import scratch_directory
from sdfinertia.options import Options

TOKEN, HOST = "t", b"127.0.0.1:1"
# Between the requests of one input, which are answered one after the other by one session.
BETWEEN = b"\n---\n"
_STATUSES = {200, 400, 403, 404, 405, 409, 413, 415, 422}

_BOX = b"<collision name='c'><geometry><box><size>1 2 3</size></box></geometry></collision>"
_SDF = (
    b"<sdf version='1.11'><model name='m'><link name='l'><inertial><mass>%b</mass><inertia><ixx>%b</ixx><ixy>0</ixy>"
    b"<ixz>0</ixz><iyy>%b</iyy><iyz>0</iyz><izz>%b</izz></inertia></inertial>%b</link><link name='%b'>%b</link>"
    b"</model></sdf>"
)
# With plain numbers, with a name that is not text, and with numbers at both limits of doubles.
DOCUMENTS = (
    _SDF % (b"12", b"13", b"10", b"5", _BOX, b"k", _BOX),
    _SDF % (b"12", b"13", b"10", b"5", _BOX, b"k\xe4", _BOX),
    _SDF % (b"1e308", b"1e308", b"1e308", b"1e308", _BOX, b"k", b""),
    _SDF % (b"1e-320", b"1", b"1", b"1e-320", _BOX.replace(b"3", b"1e200"), b"k", _BOX),
    b"<robot name='m'><link name='l'><inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' "
    b"izz='9'/></inertial></link><link name='k'><collision><geometry><sphere radius='1'/></geometry></collision>"
    b"</link></robot>",
)


def answering_holds(data: bytes) -> None:
    """Each request has one answer, and none is that something is wrong with the server."""
    # The extra `edit` brings what they need.
    from sdfinertia.editing.application import application
    from sdfinertia.editing.session import Session

    path = scratch_directory("server") / "model"
    path.write_bytes(DOCUMENTS[data[0] % len(DOCUMENTS) if data else 0])
    session = Session(str(path), Options())
    serve = application(session, TOKEN, 1)

    async def ask_all() -> None:
        for request in data[1:].split(BETWEEN)[:8]:
            line, _, body = request.partition(b"\n")
            await _ask(serve, line.split(b" "), body)

    asyncio.run(ask_all())


async def _ask(serve: Any, words: list[bytes], body: bytes) -> None:
    usual = (b"POST", b"", b"application/json", HOST, b"http://" + HOST)
    given = (*words, *[b""] * len(usual))
    verb, name, kind, host, origin = (word or other for word, other in zip(given, usual, strict=False))
    # Servers give methods and paths as text.
    method, path = verb.decode("ascii", "replace"), f"/{TOKEN}/{name.decode('utf-8', 'replace')}"
    headers = [(b"host", host), (b"origin", origin), (b"content-type", kind)]
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "scheme": "http",
        "path": path, "raw_path": path.encode(), "query_string": b"", "root_path": "", "headers": headers,
        "client": ("127.0.0.1", 2), "server": ("127.0.0.1", 1),
    }  # fmt: skip
    parts = [{"type": "http.request", "body": body, "more_body": False}]
    answered: list[Any] = []

    async def receive() -> Any:
        return parts.pop(0) if parts else {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        answered.append(message)

    await serve(scope, receive, send)
    (start,) = (message for message in answered if message["type"] == "http.response.start")
    assert start["status"] in _STATUSES, f"{method} {path}: {start['status']}"
    assert start["status"] == 403 or (host, origin) == usual[3:], "another site is answered"
    told = dict(start["headers"])
    assert told[b"x-content-type-options"] == b"nosniff"
    content = b"".join(message.get("body", b"") for message in answered[1:])
    assert not answered[-1].get("more_body", False)
    if told.get(b"content-type") == b"application/json":
        json.loads(content, parse_constant=_refuse)


def _refuse(name: str) -> NoReturn:
    raise AssertionError(f"an answer holds {name}")
