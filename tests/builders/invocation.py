"""The command in this process, with its two streams apart; click's own runner has them so from 8.2 only."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from typing import NamedTuple
from unittest.mock import patch

from sdfinertia.cli import main


class Invocation(NamedTuple):
    exit_code: int
    stdout_bytes: bytes
    stderr: str

    @property
    def stdout(self) -> str:
        return self.stdout_bytes.decode()


def invoke(arguments: Sequence[str], stdin: str = "") -> Invocation:
    given, out, err = (io.TextIOWrapper(io.BytesIO(content), "utf-8") for content in (stdin.encode(), b"", b""))
    status: object = None
    with patch.object(sys, "stdin", given), redirect_stdout(out), redirect_stderr(err):
        try:
            main(list(arguments), prog_name="sdfinertia")
        except SystemExit as stopped:
            status = stopped.code
    texts = []
    for stream in (out, err):
        stream.flush()
        assert isinstance(stream.buffer, io.BytesIO)
        texts.append(stream.buffer.getvalue())
    assert isinstance(status, int), "the exit status is a number"
    return Invocation(int(status), texts[0], texts[1].decode())
