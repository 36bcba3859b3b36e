"""Messages of JSON-RPC between streams and values: the header with the length, and the JSON behind it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from math import isfinite
from typing import Any, NoReturn

from sdfinertia.errors import ResourceError

STREAM = "<stdin>"
# Longer headers and messages are refused: no editor sends them, and memory is finite (bytes).
MAX_HEADER, MAX_MESSAGE = 1 << 13, 1 << 28
_PIECE = 1 << 16


def bodies(read: Callable[[int], bytes]) -> Iterator[bytes]:
    """The bodies of the messages in a stream, as `read` returns its pieces, until it ends.

    Raises:
        ResourceError: where the next message begins is unknown.
    """
    buffer = bytearray()
    while True:
        length = _length(buffer, read)
        if length is None:
            return
        if length > MAX_MESSAGE:
            raise ResourceError(f"a message of {length:,} bytes is over the limit of {MAX_MESSAGE:,}", file=STREAM)
        while len(buffer) < length:
            if not _more(buffer, read):
                raise ResourceError("the input ends within a message", file=STREAM)
        yield bytes(buffer[:length])
        del buffer[:length]


def _length(buffer: bytearray, read: Callable[[int], bytes]) -> int | None:
    """The length in the next header, which is taken from the buffer; None at the end of the stream."""
    found: str | None = None
    size = 0
    while True:
        line = _line(buffer, read)
        if line is None:
            if found is not None:
                raise ResourceError("the input ends within a message", file=STREAM)
            return None
        size += len(line)
        if size > MAX_HEADER:
            _refuse_header()
        name, colon, value = line.decode("latin-1").strip().partition(":")
        if not name and not colon:
            break
        if not colon:
            _refuse_header()
        if name.strip().lower() == "content-length":
            found = value.strip()
    # More digits than a length can have are not converted.
    if found is None or not (found.isascii() and found.isdigit() and len(found) < 20):
        _refuse_header()
    return int(found)


def _line(buffer: bytearray, read: Callable[[int], bytes]) -> bytes | None:
    """The next line, taken from the buffer; None at the end of the stream."""
    while (end := buffer.find(b"\n")) < 0:
        if len(buffer) > MAX_HEADER:
            _refuse_header()
        if not _more(buffer, read):
            if buffer:
                raise ResourceError("the input ends within a message", file=STREAM)
            return None
    line = bytes(buffer[: end + 1])
    del buffer[: end + 1]
    return line


def _more(buffer: bytearray, read: Callable[[int], bytes]) -> bool:
    try:
        piece = read(_PIECE)
    except OSError as error:
        raise ResourceError(f"cannot be read: {error.strerror}", file=STREAM) from None
    buffer += piece
    return bool(piece)


def _refuse_header() -> NoReturn:
    raise ResourceError("this is not a message of the language server protocol: it has no Content-Length", file=STREAM)


def value_of(body: bytes) -> Any:
    """The value of a body.

    Raises:
        ValueError: it is not JSON.
    """
    try:
        return json.loads(body, parse_constant=_refuse_constant, parse_float=_finite)
    except RecursionError:
        raise ValueError("it is nested too deep") from None


def _finite(text: str) -> float:
    if not isfinite(number := float(text)):
        _refuse_constant(text)
    return number


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def framed(value: Any) -> bytes:
    """A message with its header.

    Raises:
        ValueError: it is not a value of JSON.
    """
    body = json.dumps(value, allow_nan=False, separators=(",", ":")).encode("ascii")
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
