"""The web server of a session: it admits requests of the page that was opened, on this machine, and no others.

Each must know a secret token, name this machine as its host (against DNS rebinding), and come from the page itself.
"""

from __future__ import annotations

import contextlib
import json
import secrets
import socket
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.base import BaseHTTPMiddleware, RequestResponseEndpoint
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from sdfinertia.editing.session import Session, StaleError
from sdfinertia.errors import ConfigurationError, SdfInertiaError
from sdfinertia.report.html_report import page_policy
from sdfinertia.report.json_records import json_of

if TYPE_CHECKING:
    from starlette.requests import Request

_ADDRESS = "127.0.0.1"
# A change is a few numbers and a name.
_LONGEST_REQUEST = 1 << 16
_HEADERS = {
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


def application(session: Session, token: str, port: int, close: Callable[[], None] = lambda: None) -> Starlette:
    async def guard(request: Request, answer: RequestResponseEndpoint) -> Response:
        response = _refusal(request, token, port) or await answer(request)
        for name, value in _HEADERS.items():
            response.headers.setdefault(name, value)
        return response

    async def page(_: Request) -> Response:
        policy = f"{page_policy(session.live)}; frame-ancestors 'none'"
        return HTMLResponse(await run_in_threadpool(session.page), headers={"content-security-policy": policy})

    async def mesh(request: Request) -> Response:
        content = await run_in_threadpool(session.mesh, request.path_params["name"])
        return Response(content, media_type="application/octet-stream")

    def get(answer: Callable[[], object]) -> Callable[[Request], Any]:
        async def endpoint(_: Request) -> Response:
            return _json(await run_in_threadpool(answer))

        return endpoint

    def post(answer: Callable[[dict[str, Any]], object]) -> Callable[[Request], Any]:
        async def endpoint(request: Request) -> Response:
            asked = await _asked(request)
            return _json(await run_in_threadpool(answer, asked))

        return endpoint

    async def refused(_: Request, error: Any) -> Response:
        if isinstance(error, StaleError):
            return _json({"error": str(error), "state": await run_in_threadpool(session.state)}, 409)
        return _json({"error": error.problem, "remedy": error.remedy}, 422)

    posts = {name: getattr(session, name) for name in ("change", "preview", "undo", "redo", "save", "reload")}
    routes = [
        Route("/{token}/", page),
        Route("/{token}/mesh/{name}", mesh),
        Route("/{token}/status", get(session.status)),
        Route("/{token}/state", get(session.state)),
        *(Route(f"/{{token}}/{name}", post(answer), methods=["POST"]) for name, answer in posts.items()),
        Route("/{token}/close", post(lambda _: close()), methods=["POST"]),
    ]
    middleware = [Middleware(BaseHTTPMiddleware, dispatch=guard)]
    return Starlette(routes=routes, middleware=middleware, exception_handlers={SdfInertiaError: refused})


def _refusal(request: Request, token: str, port: int) -> Response | None:
    host, origin = request.headers.get("host", ""), request.headers.get("origin", "")
    if host not in (f"{_ADDRESS}:{port}", f"localhost:{port}"):
        return PlainTextResponse("This host name is not served.", 403)
    if (origin or request.method != "GET") and origin != f"http://{host}":
        return PlainTextResponse("Only the page itself may send requests.", 403)
    parts = request.scope["path"].split("/", 2)
    if len(parts) < 3 or not secrets.compare_digest(parts[1].encode(), token.encode()):
        return PlainTextResponse("Open the whole address that the command printed.", 404)
    return None


async def _asked(request: Request) -> dict[str, Any]:
    if request.headers.get("content-type", "").partition(";")[0] != "application/json":
        raise HTTPException(415, "the request must be JSON")
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > _LONGEST_REQUEST:
            raise HTTPException(413, "the request is too long")
    # Else it is not JSON, or has numbers of thousands of digits or brackets nested too deep.
    with contextlib.suppress(ValueError, RecursionError):
        asked = json.loads(body)
        if isinstance(asked, dict):
            return asked
    raise HTTPException(400, "the request must be a JSON object")


def _json(answer: object, status: int = 200) -> Response:
    return Response(json_of(answer), status, media_type="application/json")


def serve(session: Session, port: int, report: Callable[[str], None]) -> None:
    """Serves a session until Ctrl-C, or until its page ends it."""
    with contextlib.closing(_listener(port)) as listener:
        port = listener.getsockname()[1]
        token = secrets.token_urlsafe(32)

        def close() -> None:
            server.should_exit = True

        config = uvicorn.Config(
            application(session, token, port, close),
            log_level="warning",
            access_log=False,
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
    try:
        return socket.create_server((_ADDRESS, port))
    except (OSError, OverflowError) as error:
        raise ConfigurationError(
            f"cannot listen on port {port}: {error}", remedy="choose another one with --port"
        ) from None
