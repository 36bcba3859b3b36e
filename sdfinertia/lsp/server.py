"""The server: each message of an editor and its answer. Work on texts is done in threads."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar
from urllib.parse import unquote

from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from sdfinertia import __version__
from sdfinertia.errors import ResourceError, SdfInertiaError, unicode_text
from sdfinertia.lsp.actions import KINDS, action_of, code_actions, text_edits
from sdfinertia.lsp.diagnostics import diagnostic_of_error, diagnostics_of
from sdfinertia.lsp.hover import hover_at
from sdfinertia.lsp.open_text import OpenText
from sdfinertia.lsp.text import EditorText
from sdfinertia.mesh.readers import EXTENSIONS
from sdfinertia.options import Given, Options, merged_options
from sdfinertia.robot.names import MJCF_SUFFIXES, SUFFIXES, XACRO_SUFFIX
from sdfinertia.rules.accepted import Baseline, read_baseline
from sdfinertia.runs import failure_of
from sdfinertia.runs.source_files import FileTask

# The pause in typing after which a text is checked (s).
_PAUSE = 0.25
# Descriptions, meshes, packages and configurations.
_SUFFIXES = sorted({*SUFFIXES, *MJCF_SUFFIXES, XACRO_SUFFIX, *EXTENSIONS, ".config", ".toml"})
_WATCHED = f"**/*{{{','.join(_SUFFIXES)}}}"
_MODIFIED = "the text has changed, or is closed: choose the action again"

_T = TypeVar("_T")


class Snapshot(NamedTuple):
    """A text of an editor as it was at one time."""

    uri: str
    number: int | None
    source: str


class Server(LanguageServer):
    """The server of one editor; `status` is that of the process."""

    def __init__(self, given: Given, baseline: Baseline | None = None) -> None:
        # One thread reads messages, and texts that take long have one each.
        super().__init__("sdfinertia", __version__, types.TextDocumentSyncKind.Full, max_workers=32)
        self.status = 0
        self._given, self._baseline = given, baseline
        self._turns = Counter[str]()
        self._lock = asyncio.Lock()
        self._locks = defaultdict[str, asyncio.Lock](asyncio.Lock)
        self.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(KINDS, resolve_provider=True))(actions)
        for method, handler in _HANDLERS.items():
            self.feature(method)(handler)

    def shutdown(self) -> None:
        os._exit(self.status)

    def current(self, uri: str) -> Snapshot | None:
        document = self.workspace.text_documents.get(unquote(uri))
        return Snapshot(uri, document.version, document.source) if document is not None else None

    async def work(self, snapshot: Snapshot, function: Callable[[OpenText], _T], *, expands: bool = False) -> _T:
        """The result of a function of a text, in a thread, while the text is what it was."""
        path, codec = _path_of(snapshot.uri), self.workspace.position_codec

        async def result(of: Callable[[], Any]) -> Any:
            if self.current(snapshot.uri) != snapshot:
                raise JsonRpcContentModified(_MODIFIED)
            try:
                return await asyncio.get_running_loop().run_in_executor(self.thread_pool, of)
            except SdfInertiaError:
                raise
            except Exception as error:
                # A mistake of this program, which the next change of the text may avoid.
                raise failure_of(FileTask(path, Options()), error) from None

        async with self._locks[snapshot.uri]:
            # Here xacro takes its time, beside other texts.
            given = path, EditorText(snapshot.source, codec), self._given, self._baseline
            text = await result(lambda: OpenText(*given, expands=expands))
            # One at a time: `functools.cached_property` has locks, by which two threads could wait for each other.
            async with self._lock:
                found: _T = await result(lambda: function(text))
        if self.current(snapshot.uri) != snapshot:
            raise JsonRpcContentModified(_MODIFIED)
        return found

    async def answer(self, uri: str, function: Callable[[OpenText], _T]) -> _T | None:
        """The same of the text as it is now; None if it is not open or cannot be read."""
        snapshot = self.current(uri)
        try:
            return await self.work(snapshot, function) if snapshot is not None else None
        except SdfInertiaError:
            return None

    async def check(self, uri: str, pause: float = 0.0) -> None:
        """Publishes the diagnostics of a text after a pause, unless it is to be checked again by then."""
        self._turns[uri] += 1
        turn = self._turns[uri]
        await asyncio.sleep(pause)
        snapshot = self.current(uri)
        if snapshot is None or turn != self._turns[uri]:
            return
        try:
            found = await self.work(snapshot, diagnostics_of, expands=True)
        except SdfInertiaError as error:
            found = [diagnostic_of_error(error)]
        except JsonRpcContentModified:
            return
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, found, snapshot.number))


def _path_of(uri: str) -> str:
    return to_fs_path(uri) or os.path.abspath(os.path.basename(unquote(uri.partition(":")[2])) or "untitled")


def initialized(ls: Server, _: types.InitializedParams) -> None:
    workspace = ls.client_capabilities.workspace
    watching = workspace.did_change_watched_files if workspace is not None else None
    if watching is not None and watching.dynamic_registration:
        options = types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher(_WATCHED)])
        registration = types.Registration("files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
        ls.client_register_capability(types.RegistrationParams([registration]))


def exit_(ls: Server, _: None) -> None:
    # The protocol requires a request to shut down first.
    ls.status = 0 if ls.protocol._shutdown else 1


async def did_open(ls: Server, params: types.DidOpenTextDocumentParams) -> None:
    await ls.check(params.text_document.uri)


async def did_change(ls: Server, params: types.DidChangeTextDocumentParams) -> None:
    await ls.check(params.text_document.uri, _PAUSE)


def did_close(ls: Server, params: types.DidCloseTextDocumentParams) -> None:
    ls.text_document_publish_diagnostics(types.PublishDiagnosticsParams(params.text_document.uri, []))


async def files_changed(ls: Server, _: object) -> None:
    # Open texts may use them.
    uris = [document.uri for document in ls.workspace.text_documents.values()]
    await asyncio.gather(*(ls.check(uri, _PAUSE) for uri in uris))


async def hover(ls: Server, params: types.HoverParams) -> types.Hover | None:
    return await ls.answer(params.text_document.uri, lambda text: hover_at(text, params.position))


async def actions(ls: Server, params: types.CodeActionParams) -> list[types.CodeAction] | None:
    number = ls.workspace.get_text_document(params.text_document.uri).version
    return await ls.answer(params.text_document.uri, lambda text: code_actions(text, params, number))


async def resolve(ls: Server, offered: types.CodeAction) -> types.CodeAction:
    try:
        uri, number, action = action_of(offered.data)
        snapshot = ls.current(uri)
        if snapshot is None or snapshot.number != number:
            raise JsonRpcContentModified(_MODIFIED)
        edits = await ls.work(snapshot, lambda text: text_edits(text, action))
    except SdfInertiaError as error:
        ls.window_show_message(types.ShowMessageParams(types.MessageType.Warning, unicode_text(str(error))))
        return offered
    identifier = types.OptionalVersionedTextDocumentIdentifier(uri, number)
    offered.edit = types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(identifier, edits)])
    return offered


_HANDLERS: dict[str, Callable[..., Any]] = {
    types.INITIALIZED: initialized,
    types.EXIT: exit_,
    types.TEXT_DOCUMENT_DID_OPEN: did_open,
    types.TEXT_DOCUMENT_DID_CHANGE: did_change,
    types.TEXT_DOCUMENT_DID_CLOSE: did_close,
    types.TEXT_DOCUMENT_DID_SAVE: files_changed,
    types.WORKSPACE_DID_CHANGE_WATCHED_FILES: files_changed,
    types.TEXT_DOCUMENT_HOVER: hover,
    types.CODE_ACTION_RESOLVE: resolve,
}


def serve(given: Given, baseline: str | None = None) -> int:
    try:
        sys.stdin.fileno()
        descriptor = sys.stdout.fileno()
    except (AttributeError, OSError):
        raise ResourceError("standard input or output is closed, and the editor speaks over them") from None
    server = Server(given, read_baseline(baseline, merged_options(given, {}).confine) if baseline is not None else None)
    # pygls and asyncio log tracebacks.
    logging.disable()
    # Libraries must not print between messages.
    output = os.fdopen(os.dup(descriptor), "wb")
    os.dup2(sys.stderr.fileno() if sys.stderr is not None else os.open(os.devnull, os.O_WRONLY), descriptor)
    server.start_io(stdout=output)
    return server.status
