"""The parameters of messages of an editor, and the capabilities of the server."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any
from urllib.parse import unquote, urlsplit

from lsprotocol import converters
from lsprotocol import types as lsp

from sdfinertia.lsp.actions import KINDS, Action
from sdfinertia.lsp.desk import APPLY

CONVERTER = converters.get_converter()
# Units in which places are counted.
_UNITS = ("utf-16", "utf-8", "utf-32")


class RefusedError(Exception):
    """A request is refused; with the code of the protocol."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = int(code)


def capabilities(units: str) -> dict[str, Any]:
    """The capabilities of the server."""
    return {
        "positionEncoding": units,
        # Whole texts: with partial changes, places would have to be counted as each editor counts them.
        "textDocumentSync": {"openClose": True, "change": int(lsp.TextDocumentSyncKind.Full), "save": True},
        "hoverProvider": True,
        "definitionProvider": True,
        "documentSymbolProvider": True,
        "codeActionProvider": {"codeActionKinds": [*KINDS], "resolveProvider": True},
        "codeLensProvider": {"resolveProvider": False},
        "documentLinkProvider": {"resolveProvider": False},
        "executeCommandProvider": {"commands": [APPLY]},
    }


def units_of(wanted: Iterable[lsp.PositionEncodingKind | str]) -> str:
    """The first units of an editor that are known."""
    names = (str(getattr(each, "value", each)) for each in wanted)
    return next((each for each in names if each in _UNITS), _UNITS[0])


def number_of(message: dict[str, Any]) -> str | int | None:
    number = message.get("id")
    return number if isinstance(number, str) or type(number) is int else None


def params_of(method: str, params: object) -> Any:
    """The parameters of a message.

    Raises:
        RefusedError: they are not those of the method.
    """
    expected: Any = lsp.METHOD_TO_TYPES[method][2]
    try:
        return CONVERTER.structure(params, expected) if expected is not None else None
    except Exception:
        # The converter raises errors of many types.
        raise RefusedError(lsp.ErrorCodes.InvalidParams, f"the parameters are not those of {method}") from None


def action_of(data: object) -> tuple[str, int, Action]:
    """The uri and the version of the text that an action is about, and the action."""
    fields = data if isinstance(data, dict) else {}
    uri, number = fields.get("uri"), fields.get("version")
    words = [word for name in Action._fields if isinstance(word := fields.get(name), str)]
    if not isinstance(uri, str) or type(number) is not int or len(words) < len(Action._fields):
        raise RefusedError(lsp.ErrorCodes.InvalidParams, "this is not the data of an action of this server")
    return uri, number, Action(*words)


def path_of(uri: str) -> str:
    """The file of a text; for one that was never saved a name in the working directory."""
    try:
        scheme, host, path, *_ = urlsplit(uri)
    except ValueError:
        scheme, host, path = "", "", ""
    path = unquote(path, errors="surrogateescape")
    if scheme != "file" or not _can_be_named(path):
        name = os.path.basename(unquote(uri.partition(":")[2], errors="replace"))
        return os.path.abspath(name if _can_be_named(name) else "untitled")
    if host and host != "localhost":
        return f"//{host}{path}"
    # A drive letter of Windows.
    return path[1:] if os.name == "nt" and path[2:3] == ":" else path


def _can_be_named(path: str) -> bool:
    try:
        return b"\0" not in os.fsencode(path) and path != ""
    except UnicodeError:
        return False
