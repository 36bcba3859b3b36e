"""Serves an editor over standard input and output."""

from __future__ import annotations

import asyncio
import gc
import io
import os
import sys
import threading
from contextlib import suppress
from typing import Any, TextIO

from sdfinertia.errors import ResourceError, SdfInertiaError
from sdfinertia.files.regular_file import write_whole
from sdfinertia.lsp.desks import Desks
from sdfinertia.lsp.frames import STREAM, bodies, framed
from sdfinertia.lsp.server import Server
from sdfinertia.options import GivenOptions
from sdfinertia.rules.baseline import read_baseline


def serve(given: GivenOptions, baseline: str | None = None) -> int:
    """Serves until the editor ends it or its input ends, and returns the exit status.

    Raises:
        SdfInertiaError: a stream is closed, or its messages are not those of the protocol.
    """
    source, sink = _descriptor(sys.stdin, STREAM), _descriptor(sys.stdout, "<stdout>")
    known = read_baseline(baseline, given.options.confine) if baseline is not None else None
    gc.freeze()
    return asyncio.run(_serve(given, known, source, sink))


def _descriptor(stream: TextIO | None, name: str) -> int:
    if stream is not None:
        with suppress(io.UnsupportedOperation):
            return stream.fileno()
    raise ResourceError("is closed, and the editor speaks over it", file=name)


async def _serve(given: GivenOptions, baseline: object, source: int, sink: int) -> int:
    loop, messages = asyncio.get_running_loop(), asyncio.Queue[bytes | SdfInertiaError | None]()

    def listen() -> None:
        last: SdfInertiaError | None = None
        try:
            # Without Python's buffer, whose lock a waiting thread would hold when the process ends.
            for body in bodies(lambda size: os.read(source, size)):
                loop.call_soon_threadsafe(messages.put_nowait, body)
        except SdfInertiaError as error:
            last = error
        loop.call_soon_threadsafe(messages.put_nowait, last)

    broken: list[OSError] = []

    def send(message: dict[str, Any]) -> None:
        try:
            write_whole(lambda data: os.write(sink, data), framed(message))
        except OSError as error:
            broken.append(error)
            messages.put_nowait(None)

    desks = Desks(given, baseline)
    server = Server(desks, send)
    threading.Thread(target=listen, daemon=True).start()
    try:
        while server.status is None and (message := await messages.get()) is not None:
            if isinstance(message, SdfInertiaError):
                raise message
            server.receive(message)
            # An answer starts from the texts at the time of its request.
            await asyncio.sleep(0)
    finally:
        await desks.end()
    # The editor is gone: no error.
    if broken and not isinstance(broken[0], BrokenPipeError):
        raise ResourceError(f"cannot be written: {broken[0].strerror}", file="<stdout>")
    return server.status or 0
