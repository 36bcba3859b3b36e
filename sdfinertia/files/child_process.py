"""Child processes that end when this process does, however it ends."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager

# Linux kills the child when the thread that started it ends; that thread waits for the child. Elsewhere, and if this
# process ends before the child has requested that, a thread of the child sees the end of a pipe that only this process
# can write to. No module is imported from the current directory.
_WATCH = """
import sys as _sys
if not getattr(_sys.flags, "safe_path", False):
    del _sys.path[0]
import os as _os, threading as _threading
def _end_with_parent(pipe):
    if _sys.platform == "linux":
        import ctypes
        ctypes.CDLL(None).prctl(1, 9, 0, 0, 0)
    def wait():
        _os.read(pipe, 1)
        _os._exit(1)
    _threading.Thread(target=wait, daemon=True).start()
if _sys.argv[1] != "-":
    _end_with_parent(int(_sys.argv[1]))
del _sys.argv[1]
"""


@contextmanager
def child_process(
    program: str,
    arguments: Sequence[str] = (),
    *,
    flags: Sequence[str] = (),
    environment: Mapping[str, str] | None = None,
    keeps_messages: bool = False,
) -> Iterator[subprocess.Popen[bytes]]:
    """A Python that runs a program, with pipes to it; killed at the end of the block."""
    with ExitStack() as closed_at_end, ExitStack() as closed_here:
        watched: tuple[int, ...] = ()
        # Windows passes no descriptors; there a child ends with its standard input or its limit of time.
        if sys.platform != "win32":
            reading, writing = os.pipe()
            closed_here.callback(os.close, reading)
            closed_at_end.callback(os.close, writing)
            watched = (reading,)
        process = subprocess.Popen(
            [sys.executable, *flags, "-c", _WATCH + program, *map(str, watched or "-"), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE if keeps_messages else subprocess.DEVNULL,
            env=environment,
            pass_fds=watched,
        )
        closed_here.close()
        closed_at_end.enter_context(process)
        closed_at_end.callback(process.kill)
        yield process


def finished(
    command: Sequence[str], *, given: bytes, environment: Mapping[str, str], limit: float
) -> subprocess.CompletedProcess[bytes]:
    """Runs another program; a TimeoutError if it takes longer than the limit (s)."""
    try:
        return subprocess.run(command, input=given, env=environment, timeout=limit, capture_output=True, check=False)
    except subprocess.TimeoutExpired:
        raise TimeoutError(f"it did not end within {limit:g} s") from None
