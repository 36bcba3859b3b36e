"""Serves an editor over standard input and output."""

from __future__ import annotations

import asyncio
import gc
import os
import sys
import threading
from typing import Any

from sdfinertia.errors import ResourceError, SdfInertiaError
from sdfinertia.files.regular_file import write_whole
from sdfinertia.lsp.desks import Desks
from sdfinertia.lsp.frames import STREAM, bodies, framed
from sdfinertia.lsp.server import Server
from sdfinertia.options import GivenOptions
from sdfinertia.rules.accepted import read_baseline


def serve(given: GivenOptions, baseline: str | None = None) -> int:
    """Serves until the editor ends it or its input ends, and returns the exit status.

    Raises:
        SdfInertiaError: a stream is closed, or what comes over it is not the protocol.
    """
    if sys.stdin is None or sys.stdout is None:
        name = STREAM if sys.stdin is None else "<stdout>"
        raise ResourceError("is closed, and the editor speaks over it", file=name)
    known = read_baseline(baseline, given.options.confine) if baseline is not None else None
    gc.freeze()
    return asyncio.run(_serve(given, known, sys.stdin.fileno(), sys.stdout.fileno()))


async def _serve(given: GivenOptions, baseline: object, source: int, sink: int) -> int:
    loop, messages = asyncio.get_running_loop(), asyncio.Queue[Any]()

    def listen() -> None:
        last: object = None
        try:
            # Without a buffer of Python's, which a thread that waits for input would hold when the process ends.
            for body in bodies(lambda size: os.read(source, size)):
                loop.call_soon_threadsafe(messages.put_nowait, body)
        except SdfInertiaError as error:
            last = error
        loop.call_soon_threadsafe(messages.put_nowait, last)

    def send(message: dict[str, Any]) -> None:
        try:
            write_whole(lambda data: os.write(sink, data), framed(message))
        except OSError as error:
            messages.put_nowait(error)

    desks = Desks(given, baseline)
    server = Server(desks, send)
    threading.Thread(target=listen, daemon=True).start()
    try:
        while server.status is None and await _received(server, messages):
            pass
    finally:
        await desks.end()
    return server.status or 0


async def _received(server: Server, messages: asyncio.Queue[Any]) -> bool:
    """Takes the next message; whether the editor is still there."""
    message = await messages.get()
    if isinstance(message, BrokenPipeError):
        return False
    if isinstance(message, OSError):
        raise ResourceError(f"cannot be written: {message.strerror}", file="<stdout>")
    if isinstance(message, SdfInertiaError):
        raise message
    if message is not None:
        server.receive(message)
        # An answer begins with the texts as they are when it is asked for.
        await asyncio.sleep(0)
    return message is not None
