"""Checks texts and answers requests on them, in a process of its own: `sdfinertia.lsp.desks` sends the calls."""

from __future__ import annotations

import gc
import os
import pickle
import signal
import threading
from collections.abc import Callable, Generator
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from time import monotonic
from typing import Any

from lsprotocol import types as lsp

from sdfinertia.errors import SdfInertiaError, unicode_text
from sdfinertia.lsp.actions import Action, edits_of, offers
from sdfinertia.lsp.session import SharedState, Version
from sdfinertia.lsp.shown import (
    SOURCE,
    NamedFile,
    asking_links,
    diagnostics,
    hover,
    named_file_at,
    named_files,
    symbols,
)
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.options import Options
from sdfinertia.runs.work import FileTask, failure_of

APPLY = "sdfinertia.apply"
# Calls that are no requests of the protocol: a slice of a check, files may have come or gone, a text is closed.
CHECK, FORGET, DROP, EDIT = "check", "forget", "drop", "edit"
# The longest slice of a check between two calls (s).
_SLICE = 0.03
# Bytes of dropped texts after which their trees, of twenty times that, are collected.
_MAX_DROPPED = 8 << 20


class Text(NamedTuple):
    """The text of an editor as one message brought it; `number` is the version of the editor."""

    uri: str
    path: str
    source: str | None
    number: int
    units: str
    # Differs for every message.
    serial: int


class Desk:
    """The texts of an editor that one process works on."""

    def __init__(self, shared: SharedState) -> None:
        self._shared = shared
        self._texts: dict[str, Text] = {}
        self._versions: dict[str, tuple[int, Version]] = {}
        self._steps: dict[str, Generator[None, None, None]] = {}
        self._dropped = 0

    def do(self, name: str, text: Text, params: Any) -> Any:
        """The result of a call.

        Args:
            text: without its source if it was given in a call before.
            params: the parameters of a request, the data of an action, or whether a check begins.

        Raises:
            SdfInertiaError: there is none.
        """
        try:
            if name == FORGET:
                return self._shared.forget()
            if name == DROP or text.source is not None:
                self._drop(text.uri)
            if name == DROP:
                return None
            if text.source is not None:
                self._texts[text.uri] = text
            if name == CHECK:
                return self._check(text, begins=params)
            return _ANSWERS[name](self._version(text), params)
        except SdfInertiaError:
            raise
        except Exception as error:
            # A bug of this program, which the next change of the text may avoid.
            raise failure_of(FileTask(text.path, Options()), error) from None

    def _version(self, text: Text) -> Version:
        serial, version = self._versions.get(text.uri, (-1, None))
        if version is None or serial != text.serial or not self._shared.is_current(version):
            source = self._texts[text.uri].source
            assert source is not None, "it was kept with its source"
            version = self._shared.version(source, text.path, text.units, text.number)
            self._versions[text.uri] = text.serial, version
        return version

    def _check(self, text: Text, *, begins: bool) -> list[lsp.Diagnostic] | None:
        """The diagnostics once the text is checked; None after a slice of the work."""
        if begins:
            self._versions.pop(text.uri, None)
            self._steps.pop(text.uri, None)
        version = self._version(text)
        steps = self._steps.get(text.uri)
        if steps is None:
            steps = self._steps[text.uri] = version.steps()
        until = monotonic() + _SLICE
        if not all(monotonic() < until for _ in steps):
            return None
        del self._steps[text.uri]
        self._shared.remember()
        # Files may have changed since the check began, and another call read the text anew.
        return diagnostics(version) if version.result is not None else self._check(text, begins=True)

    def _drop(self, uri: str) -> None:
        self._versions.pop(uri, None)
        self._steps.pop(uri, None)
        dropped = self._texts.pop(uri, None)
        if dropped is not None and dropped.source is not None:
            self._dropped += len(dropped.source)

    def rest(self, *, is_checked: bool) -> None:
        """Collects dropped trees: automatic collection is off."""
        if is_checked or self._dropped > _MAX_DROPPED:
            self._dropped = 0
            gc.collect()


# Answers --------------------------------------------------------------------------------------------------------------


def _uri_of(named: NamedFile | None, version: Version) -> str | None:
    """The uri of the file that a mesh or an include names, or None."""
    try:
        return Path(named.path(version)).absolute().as_uri() if named is not None else None
    except (SdfInertiaError, ValueError):
        return None


def _definition(version: Version, params: lsp.DefinitionParams) -> lsp.Location | None:
    uri = _uri_of(named_file_at(version, version.text.offset(params.position)), version)
    start = lsp.Position(0, 0)
    return lsp.Location(uri, lsp.Range(start, start)) if uri is not None else None


def _document_links(version: Version, _: lsp.DocumentLinkParams) -> list[lsp.DocumentLink]:
    found = ((each, _uri_of(each, version)) for each in named_files(version))
    return [lsp.DocumentLink(version.text.range(each.start, each.stop), uri) for each, uri in found if uri]


def _code_lenses(version: Version, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
    return [
        lsp.CodeLens(
            place, lsp.Command("auto → fill", APPLY, arguments=[_data(params, version, Action("fill", label))])
        )
        for label, place in asking_links(version)
    ]


def _data(params: lsp.CodeLensParams | lsp.CodeActionParams, version: Version, action: Action) -> Any:
    """The arguments that a client sends back to run an action."""
    return {"uri": params.text_document.uri, "version": version.number, **action._asdict()}


def _code_actions(version: Version, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    known = [each for each in params.context.diagnostics if each.source == SOURCE]
    only = params.context.only
    kinds = [str(getattr(kind, "value", kind)) for kind in only] if only is not None else None
    return [
        lsp.CodeAction(
            unicode_text(offer.title),
            offer.kind,
            [each for each in known if each.code in offer.codes] or None,
            offer.is_preferred or None,
            data=_data(params, version, offer.action),
        )
        for offer in offers(version, version.text.offset(params.range.start), kinds)
    ]


def _edit(version: Version, action: Action) -> list[lsp.TextEdit]:
    return version.text.text_edits(edits_of(version, action))


_ANSWERS: dict[str, Callable[[Version, Any], Any]] = {
    lsp.TEXT_DOCUMENT_HOVER: lambda version, params: hover(version, version.text.offset(params.position)),
    lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL: lambda version, _: symbols(version),
    lsp.TEXT_DOCUMENT_DEFINITION: _definition,
    lsp.TEXT_DOCUMENT_DOCUMENT_LINK: _document_links,
    lsp.TEXT_DOCUMENT_CODE_LENS: _code_lenses,
    lsp.TEXT_DOCUMENT_CODE_ACTION: _code_actions,
    EDIT: _edit,
}


# The process, which is killed and writes down nothing of what it ran --------------------------------------------------


def main() -> None:  # pragma: no cover
    """Answers the calls on standard input until that ends, and takes with it the processes that it started."""
    output = os.fdopen(os.dup(1), "wb")
    # Libraries must not print between the answers.
    os.dup2(2, 1)
    calls: SimpleQueue[Any] = SimpleQueue()
    threading.Thread(target=_listen, args=(calls,), daemon=True).start()
    # Trees of elements are large: they are collected when a check is done, not while it works.
    gc.disable()
    desk = Desk(SharedState(*calls.get()))
    gc.freeze()
    _write(output, None)
    while True:
        name, text, params = calls.get()
        try:
            answer = True, desk.do(name, text, params)
        except SdfInertiaError as error:
            answer = False, error
        _write(output, answer)
        desk.rest(is_checked=name == CHECK and answer != (True, None))


def _listen(calls: SimpleQueue[Any]) -> None:  # pragma: no cover
    with suppress(OSError):
        while size := int.from_bytes(_read(8), "little"):
            calls.put(pickle.loads(_read(size)))  # noqa: S301  # from the server
    # The server is gone: a check or a child that still works would outlive it.
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(0)


def _read(size: int) -> bytes:  # pragma: no cover
    """Bytes of standard input, as many as `size`; none at its end."""
    pieces: list[bytes] = []
    while size:
        piece = os.read(0, size)
        if not piece:
            return b""
        pieces.append(piece)
        size -= len(piece)
    return b"".join(pieces)


def _write(output: Any, answer: object) -> None:  # pragma: no cover
    data = pickle.dumps(answer)
    output.write(len(data).to_bytes(8, "little") + data)
    output.flush()
