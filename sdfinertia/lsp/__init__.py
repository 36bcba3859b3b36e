"""The language server: the findings and edits of the commands, shown while a model is typed. It writes no file."""

from __future__ import annotations

from sdfinertia.errors import ConfigurationError, install_advice
from sdfinertia.options import Given


def run_lsp(given: Given, *, baseline: str | None = None) -> int:
    try:
        from sdfinertia.lsp.server import serve
    except ImportError:
        raise ConfigurationError(
            "`sdfinertia lsp` needs the library pygls, version 2 or newer",
            remedy=install_advice("lsp"),
        ) from None
    return serve(given, baseline)
