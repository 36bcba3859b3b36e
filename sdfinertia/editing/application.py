"""The web server of a session: it admits requests of the page that was opened, on this machine, and no others.

Any site can send requests to a port of this machine. So each must know a secret token, name this machine as its host
(against DNS rebinding), and, where it changes anything, come from the page itself. No part of a request is a path.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import secrets
import socket
from collections.abc import AsyncIterator, Callable, Iterable
from functools import partial
from secrets import compare_digest
from typing import TYPE_CHECKING, Any

# Loaded with this module alone: the extra `edit` brings it.
import uvicorn

# Loaded with this module alone: the extra `edit` brings them.
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from sdfinertia.editing.session import Session, StaleError
from sdfinertia.errors import ConfigurationError, SdfInertiaError
from sdfinertia.report.html_report import page_policy
from sdfinertia.report.json_records import json_of

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

# A change is a few numbers and a name.
_LONGEST_QUESTION = 1 << 16
# Wait for further changes of the same writer, and interval at which the list of watched files is renewed (ms).
_DEBOUNCE, _POLL = 50, 500

_POLICY = "content-security-policy"
_NO_FRAMES = "frame-ancestors 'none'"
_HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


def application(session: Session, token: str, port: int, close: Callable[[], None] = lambda: None) -> ASGIApp:
    answers = {
        "change": session.change,
        "preview": session.preview,
        "undo": session.undo,
        "redo": session.redo,
        "save": session.save,
        "reload": lambda _: session.reload(),
        "keep": lambda _: session.keep(),
        "policies": lambda question: session.policies(str(question.get("link", ""))),
    }
    routes = [
        Route("/", partial(_page, session), methods=["GET"]),
        Route("/status", partial(_answer, lambda _: session.status(), session), methods=["GET"]),
        Route("/state", partial(_answer, lambda _: session.state(), session), methods=["GET"]),
        Route("/mesh/{name}", partial(_mesh, session), methods=["GET"]),
        *(Route(f"/{name}", partial(_answer, answer, session), methods=["POST"]) for name, answer in answers.items()),
        Route("/close", partial(_close, close), methods=["POST"]),
    ]
    return _Guard(Starlette(routes=routes, lifespan=partial(_watching, session)), token, port)


class _Guard:
    """Admits requests that have the token, name this machine as host, and come from the page itself."""

    def __init__(self, inner: ASGIApp, token: str, port: int) -> None:
        self._inner = inner
        self._token = token
        self._hosts = (f"127.0.0.1:{port}", f"localhost:{port}")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._inner(scope, receive, send)
        elif scope["type"] == "http":
            refusal = self._refusal(scope)

            async def send_with_headers(message: Message) -> None:
                if message["type"] == "http.response.start":
                    given = dict(message["headers"])
                    added = {_POLICY: f"default-src 'none'; {_NO_FRAMES}", **_HEADERS}
                    pairs = [(name.encode(), value.encode()) for name, value in added.items()]
                    message["headers"] = [*given.items(), *(pair for pair in pairs if pair[0] not in given)]
                await send(message)

            if refusal is not None:
                await refusal(scope, receive, send_with_headers)
                return
            path = "/" + scope["path"].split("/", 2)[2]
            await self._inner({**scope, "path": path, "raw_path": path.encode()}, receive, send_with_headers)

    def _refusal(self, scope: Scope) -> Response | None:
        headers: dict[bytes, bytes] = dict(scope["headers"])
        host = headers.get(b"host", b"").decode("latin-1")
        if host not in self._hosts:
            return PlainTextResponse("This host name is not served.", 403)
        origin = headers.get(b"origin", b"").decode("latin-1")
        if (origin or scope["method"] != "GET") and origin != f"http://{host}":
            return PlainTextResponse("Only the page itself may send requests.", 403)
        parts = scope["path"].split("/", 2)
        if len(parts) < 3 or not compare_digest(parts[1].encode(), self._token.encode()):
            return PlainTextResponse("Open the whole address that the command printed.", 404)
        return None


async def _page(session: Session, _: Request) -> Response:
    policy = f"{page_policy(session.live)}; {_NO_FRAMES}"
    return HTMLResponse(await run_in_threadpool(session.page), headers={_POLICY: policy})


async def _mesh(session: Session, request: Request) -> Response:
    try:
        content = await run_in_threadpool(session.mesh, request.path_params["name"])
    except ConfigurationError as error:
        return _json({"error": error.problem}, 404)
    except SdfInertiaError as error:
        return _json({"error": error.problem}, 422)
    return Response(content, media_type="application/octet-stream")


async def _answer(answer: Callable[[dict[str, Any]], dict[str, Any]], session: Session, request: Request) -> Response:
    question: object = {}
    if request.method == "POST":
        if request.headers.get("content-type", "").partition(";")[0] != "application/json":
            return _json({"error": "the request must be JSON"}, 415)
        body = b""
        async for part in request.stream():
            body += part
            if len(body) > _LONGEST_QUESTION:
                return _json({"error": "the request is too long"}, 413)
        try:
            question = json.loads(body)
        except (ValueError, RecursionError):
            # Not JSON, numbers of thousands of digits, or brackets nested too deep.
            question = None
    if not isinstance(question, dict):
        return _json({"error": "the request must be a JSON object"}, 400)
    try:
        return _json(await run_in_threadpool(answer, question))
    except StaleError as error:
        return _json({"error": str(error), "state": await run_in_threadpool(session.state)}, 409)
    except SdfInertiaError as error:
        return _json({"error": error.problem, "remedy": error.remedy}, 422)


def _json(answer: object, status: int = 200) -> Response:
    return Response(json_of(answer), status, media_type="application/json")


async def _close(close: Callable[[], None], _: Request) -> Response:
    close()
    return _json({})


@contextlib.asynccontextmanager
async def _watching(session: Session, _: Starlette) -> AsyncIterator[None]:
    """Watches the disk, and searches findings, while the application runs."""
    stop = asyncio.Event()
    tasks = [asyncio.create_task(work(session, stop)) for work in (_watch, _check)]
    try:
        yield
    finally:
        stop.set()
        await asyncio.gather(*tasks)


async def _check(session: Session, stop: asyncio.Event) -> None:
    """Searches findings link by link where that takes long, so that requests are answered between links."""
    while not stop.is_set():
        if not await run_in_threadpool(session.check_on):
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(stop.wait(), _POLL / 1000)


async def _watch(session: Session, stop: asyncio.Event) -> None:
    from watchfiles import awatch

    while not stop.is_set():
        directories = _directories(await run_in_threadpool(session.watched_files))
        changes = awatch(
            *directories,
            watch_filter=None,
            recursive=False,
            stop_event=stop,
            debounce=_DEBOUNCE,
            rust_timeout=_POLL,
            yield_on_timeout=True,
        )
        async for changed in changes:
            if changed:
                await run_in_threadpool(session.compare_with_disk, [path for _, path in changed])
            if _directories(await run_in_threadpool(session.watched_files)) != directories:
                break


def _directories(files: Iterable[str]) -> list[str]:
    return sorted({directory for directory in map(os.path.dirname, files) if os.path.isdir(directory)})


_ADDRESS = "127.0.0.1"


def serve(session: Session, port: int, report: Callable[[str], None]) -> None:
    """Serves a session until Ctrl-C, or until its page ends it."""
    listener = _listener(port)
    with contextlib.closing(listener):
        port = listener.getsockname()[1]
        token = secrets.token_urlsafe(32)

        def close() -> None:
            server.should_exit = True

        config = uvicorn.Config(
            application(session, token, port, close),
            log_level="warning",
            access_log=False,
            lifespan="on",
            ws="none",
            server_header=False,
            timeout_graceful_shutdown=1,
        )
        server = uvicorn.Server(config)
        # Requests that come earlier wait in the queue of the socket.
        report(f"http://{_ADDRESS}:{port}/{token}/")
        with contextlib.suppress(KeyboardInterrupt):
            server.run(sockets=[listener])


def _listener(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listener.bind((_ADDRESS, port))
        listener.listen()
    except (OSError, OverflowError) as error:
        listener.close()
        raise ConfigurationError(
            f"cannot listen on port {port}: {error}", remedy="choose another one with --port"
        ) from None
    return listener
