"""The command in this process, with its two streams apart."""

from __future__ import annotations

from inspect import signature

from click.testing import CliRunner

# Before click 8.2 they are one stream unless this says otherwise; since then there is no such argument.
_APART = {"mix_stderr": False} if "mix_stderr" in signature(CliRunner).parameters else {}


def cli_runner() -> CliRunner:
    return CliRunner(**_APART)
