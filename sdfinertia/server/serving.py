"""A server for one session, on this machine alone, until it is told to end."""

from __future__ import annotations

import contextlib
import secrets
import socket
from collections.abc import Callable

# Loaded with this module alone: the extra `edit` brings it.
import uvicorn

from sdfinertia.errors import ConfigurationError
from sdfinertia.server.application import application
from sdfinertia.server.session import Session

_ADDRESS = "127.0.0.1"


def serve(session: Session, port: int, tell: Callable[[str], None]) -> None:
    """Serves a session until Ctrl-C, or until its page asks for the end.

    Args:
        port: to listen on; 0 for one that is free.
        tell: is told the address, once it answers there.

    Raises:
        ConfigurationError: the port cannot be had.
    """
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
        # What comes before it answers waits in the queue of the socket.
        tell(f"http://{_ADDRESS}:{port}/{token}/")
        with contextlib.suppress(KeyboardInterrupt):
            server.run(sockets=[listener])


def _listener(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listener.bind((_ADDRESS, port))
        listener.listen()
    except (OSError, OverflowError) as error:
        listener.close()
        raise ConfigurationError(f"port {port} cannot be had: {error}", remedy="name another with --port") from None
    return listener
