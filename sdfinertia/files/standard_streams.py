"""Standard output and standard error of a command: a failing stream ends in one error, never in a traceback."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, BinaryIO, TextIO

from sdfinertia.errors import WriteError
from sdfinertia.files.regular_file import reason_of, write_whole


@contextmanager
def guarded_streams() -> Iterator[None]:
    """Streams for the output of a command, its help and libraries; a WriteError if standard output fails.

    Where the reader of a pipe has gone (e.g. `head`), the BrokenPipeError stays: commands of a shell then stop quietly.
    """
    output, messages = sys.stdout, sys.stderr
    _occupy_closed_descriptors()
    sys.stdout = _text(_Output, output)
    if messages is not None:
        # None where it is closed, which libraries expect.
        sys.stderr = _text(_Messages, messages)
    try:
        yield
        sys.stdout.flush()
    finally:
        sys.stdout, sys.stderr = output, messages


class _Output(io.BufferedIOBase):
    """The bytes of a stream, which is None where it is closed."""

    def __init__(self, stream: BinaryIO | None) -> None:
        self._stream = stream

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return self._stream is not None and self._stream.isatty()

    def fileno(self) -> int:
        return super().fileno() if self._stream is None else self._stream.fileno()

    def write(self, data: Any) -> int:
        if self._stream is None:
            raise WriteError("is closed", file="standard output")
        try:
            # Without a buffer (PYTHONUNBUFFERED) a call may take only a part.
            write_whole(self._stream.write, data)
        except OSError as error:
            self._fail(error)
        return len(data)

    def flush(self) -> None:
        # A stream flushes once more when it is deleted; the one below may be closed by then.
        if self._stream is not None and not self._stream.closed:
            try:
                self._stream.flush()
            except OSError as error:
                self._fail(error)

    def _fail(self, error: OSError) -> None:
        self._leave_to_nobody()
        if isinstance(error, BrokenPipeError):
            raise error
        raise WriteError(f"cannot be written: {reason_of(error)}", file="standard output") from None

    def _leave_to_nobody(self) -> None:
        """Discards the buffer of the stream, which would fail again at exit with another status."""
        with suppress(OSError), open(os.devnull, "wb") as nowhere:
            os.dup2(nowhere.fileno(), self.fileno())


class _Messages(_Output):
    """Messages: if they cannot be written, as on a full disk, the work is still done; the exit status reports it."""

    def _fail(self, error: OSError) -> None:
        self._leave_to_nobody()


def _text(kind: Callable[[BinaryIO | None], Any], stream: TextIO | None) -> TextIO:
    if stream is None:
        return io.TextIOWrapper(kind(None), "utf-8")
    if not hasattr(stream, "buffer"):
        return stream
    # A character that the encoding lacks is no reason to fail.
    errors = "replace" if stream.errors == "strict" else stream.errors
    return io.TextIOWrapper(
        kind(stream.buffer),
        stream.encoding,
        errors,
        line_buffering=getattr(stream, "line_buffering", False),
        write_through=getattr(stream, "write_through", False),
    )


def _occupy_closed_descriptors() -> None:
    """Opens those of 0, 1 and 2 that are closed, so that no file gets their number, and messages with it."""
    for number, stream in enumerate((sys.stdin, sys.stdout, sys.stderr)):
        if stream is None:
            try:
                os.fstat(number)
            except OSError:
                # So that use of the descriptor's number still fails.
                os.open(os.devnull, os.O_RDONLY if number else os.O_WRONLY)
