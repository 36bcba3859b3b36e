"""The server: messages of the protocol by pygls, and one thread that does the work in short slices.

A text is checked when nobody has typed for a moment; the next change cancels that.
"""

from __future__ import annotations

import asyncio
import gc
import os
from collections.abc import Awaitable, Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

# Loaded with this module alone: the extra `lsp` brings them.
from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from sdfinertia import __version__
from sdfinertia.errors import SdfInertiaError, unicode_text
from sdfinertia.lsp.actions import KINDS, Action, edits_of, offers
from sdfinertia.lsp.session import SharedState, Version
from sdfinertia.lsp.shown import (
    SOURCE,
    NamedFile,
    asking_links,
    diagnostics,
    hover,
    named_file_at,
    named_files,
    of_error,
    symbols,
)
from sdfinertia.mesh.readers.formats import EXTENSIONS
from sdfinertia.options import GivenOptions, Options
from sdfinertia.robot.values import MJCF_SUFFIXES, SUFFIXES
from sdfinertia.runs.configuration import OWN_FILE, SHARED_FILE
from sdfinertia.runs.work import FileTask, failure_of

_T = TypeVar("_T")

APPLY = "sdfinertia.apply"
# The pause in typing after which a text is checked, and the longest slice of work between two messages (s).
PAUSE, _SLICE = 0.25, 0.03
# Bytes of dropped texts after which their trees, of twenty times that, are collected.
_MAX_DROPPED = 8 << 20
_NAMES = ("model.config", "package.xml", OWN_FILE, SHARED_FILE)
_WATCHED = [f"**/*{suffix}" for suffix in (*SUFFIXES, *MJCF_SUFFIXES, ".xacro", *sorted(EXTENSIONS))] + [
    f"**/{name}" for name in _NAMES
]


class Server(LanguageServer):
    """The server of one editor, with its open texts by uri."""

    def __init__(self, given: GivenOptions, baseline: str | None = None) -> None:
        # Whole texts: pygls splits lines at U+2028 too, editors do not, so that ranges of changes would differ.
        super().__init__("sdfinertia", __version__, lsp.TextDocumentSyncKind.Full)
        self._shared = SharedState(given, baseline)
        self._versions: dict[str, Version] = {}
        self._checks: dict[str, asyncio.Task[None]] = {}
        self._thread = ThreadPoolExecutor(max_workers=1)
        self._dropped = 0

    async def work(self, do: Callable[..., _T], *arguments: Any) -> _T:
        """Does something in the one thread that may."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, do, *arguments)

    # Versions -------------------------------------------------------------------------------------------------------

    def check(self, uri: str, pause: float) -> None:
        """Drops the known version of a text, and checks the present one after a pause."""
        self.drop(uri)
        self._checks[uri] = asyncio.get_running_loop().create_task(self._check(uri, pause))

    def check_all(self, *, searches: bool = False) -> None:
        """Checks all open texts again; with `searches`, files that were not found are searched again too."""
        if searches:
            self._shared.forget()
        for uri in list(self._checks):
            self.check(uri, 0.0)

    def drop(self, uri: str) -> None:
        task = self._checks.pop(uri, None)
        if task is not None:
            task.cancel()
        version = self._versions.pop(uri, None)
        if version is not None:
            self._dropped += len(version.source)
            if self._dropped > _MAX_DROPPED:
                self._dropped = 0
                self._thread.submit(gc.collect)

    async def _check(self, uri: str, pause: float) -> None:
        await asyncio.sleep(pause)
        try:
            version = await self.work(self.current, uri)
            steps = version.steps()
            while not await self.work(_advance, steps):
                pass
            await self.work(self._shared.remember)
            found = await self.work(diagnostics, version)
        except SdfInertiaError as error:
            found = [of_error(error)]
        except Exception as error:
            # A mistake of this program, which the next change may avoid.
            found = [of_error(failure_of(FileTask(_path_of(uri), Options()), error))]
        number = self.workspace.get_text_document(uri).version
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, found, number))
        # Automatic collection is off.
        await self.work(gc.collect)

    def current(self, uri: str) -> Version:
        """The present version of a text, among the files as they are now."""
        source, known = self.workspace.get_text_document(uri).source, self._versions.get(uri)
        if known is None or not self._shared.is_current(known, source):
            units = self.workspace.position_encoding or lsp.PositionEncodingKind.Utf16
            known = self._versions[uri] = self._shared.version(source, _path_of(uri), units)
        return known

    # Answers --------------------------------------------------------------------------------------------------------

    async def answer(self, uri: str, find: Callable[[Version], _T]) -> _T | None:
        """What `find` returns for a text; None if it cannot be read."""

        def found() -> _T | None:
            try:
                return find(self.current(uri))
            except SdfInertiaError:
                return None

        return await self.work(found)

    def answering(self, find: Callable[[Version, Any], object]) -> Callable[[Any], Awaitable[object]]:
        """The handler of a message about a text, that `find` answers."""

        async def handle(asked: Any) -> object:
            return await self.answer(asked.text_document.uri, lambda version: find(version, asked))

        return handle

    async def edit(self, values: Any) -> lsp.WorkspaceEdit:
        """The edit of an action, by the data that a client was given with it.

        Raises:
            SdfInertiaError: it is not possible, or changes nothing.
        """
        uri: str = values["uri"]
        asked = Action(values["verb"], values["link"], values["what"])

        def made() -> list[lsp.TextEdit]:
            version = self.current(uri)
            return version.text.text_edits(edits_of(version, asked))

        edits = await self.work(made)
        client = self.client_capabilities.workspace
        if client is None or client.workspace_edit is None or not client.workspace_edit.document_changes:
            return lsp.WorkspaceEdit(changes={uri: edits})
        number = self.workspace.get_text_document(uri).version
        identifier = lsp.OptionalVersionedTextDocumentIdentifier(uri, number)
        return lsp.WorkspaceEdit(document_changes=[lsp.TextDocumentEdit(identifier, [*edits])])

    @property
    def resolves_edits(self) -> bool:
        """Whether the client asks for the edit of an action when it is chosen."""
        document = self.client_capabilities.text_document
        actions = document.code_action if document is not None else None
        support = actions.resolve_support if actions is not None else None
        return support is not None and "edit" in support.properties

    def say(self, error: SdfInertiaError) -> None:
        self.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Warning, unicode_text(str(error))))


def _advance(steps: Generator[None, None, None]) -> bool:
    """Works for one slice; whether it is done."""
    until = monotonic() + _SLICE
    return all(monotonic() < until for _ in steps)


def _path_of(uri: str) -> str:
    """The file of a text; for one that was never saved a name in the working directory."""
    path = to_fs_path(uri)
    return path if path is not None else os.path.abspath(os.path.basename(uri.partition(":")[2]) or "untitled")


def _uri_of(named: NamedFile | None, version: Version) -> str | None:
    """The uri of the file that a mesh or an include names, or None."""
    try:
        return Path(named.path(version)).absolute().as_uri() if named is not None else None
    except SdfInertiaError:
        return None


def _definition(version: Version, asked: lsp.DefinitionParams) -> lsp.Location | None:
    uri = _uri_of(named_file_at(version, version.text.offset(asked.position)), version)
    start = lsp.Position(0, 0)
    return lsp.Location(uri, lsp.Range(start, start)) if uri is not None else None


def _document_links(version: Version, _: lsp.DocumentLinkParams) -> list[lsp.DocumentLink]:
    found = ((each, _uri_of(each, version)) for each in named_files(version))
    return [lsp.DocumentLink(version.text.range(each.start, each.stop), uri) for each, uri in found if uri]


def _code_lenses(version: Version, asked: lsp.CodeLensParams) -> list[lsp.CodeLens]:
    return [
        lsp.CodeLens(place, lsp.Command("auto → fill", APPLY, arguments=[_data(asked, Action("fill", label))]))
        for label, place in asking_links(version)
    ]


def _data(asked: lsp.CodeLensParams | lsp.CodeActionParams, action: Action) -> dict[str, str]:
    """What a client sends back for an action to be done."""
    return {"uri": asked.text_document.uri, **action._asdict()}


# What is answered about a text as it is.
_ANSWERS: dict[str, Callable[[Version, Any], object]] = {
    lsp.TEXT_DOCUMENT_HOVER: lambda version, asked: hover(version, version.text.offset(asked.position)),
    lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL: lambda version, _: symbols(version),
    lsp.TEXT_DOCUMENT_DEFINITION: _definition,
    lsp.TEXT_DOCUMENT_DOCUMENT_LINK: _document_links,
    lsp.TEXT_DOCUMENT_CODE_LENS: _code_lenses,
}


def serve(given: GivenOptions, baseline: str | None = None) -> None:
    # Trees of elements are large: they are collected when a check is done, not while it works.
    gc.disable()
    gc.freeze()
    server_for(given, baseline).start_io()


def server_for(given: GivenOptions, baseline: str | None = None) -> Server:
    server = Server(given, baseline)

    @server.feature(lsp.INITIALIZED)
    async def initialized(_: lsp.InitializedParams) -> None:
        workspace = server.client_capabilities.workspace
        watching = workspace.did_change_watched_files if workspace is not None else None
        if watching is not None and watching.dynamic_registration:
            options = lsp.DidChangeWatchedFilesRegistrationOptions([lsp.FileSystemWatcher(each) for each in _WATCHED])
            registration = lsp.Registration("files", lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
            await server.client_register_capability_async(lsp.RegistrationParams([registration]))

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    async def did_open(params: lsp.DidOpenTextDocumentParams) -> None:
        server.check(params.text_document.uri, 0.0)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    async def did_change(params: lsp.DidChangeTextDocumentParams) -> None:
        server.check(params.text_document.uri, PAUSE)

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    async def did_save(_: lsp.DidSaveTextDocumentParams) -> None:
        # Other texts may include it.
        server.check_all()

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def did_change_files(params: lsp.DidChangeWatchedFilesParams) -> None:
        server.check_all(searches=any(each.type is not lsp.FileChangeType.Changed for each in params.changes))

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    async def did_close(params: lsp.DidCloseTextDocumentParams) -> None:
        server.drop(params.text_document.uri)
        server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(params.text_document.uri, []))

    for method, find in _ANSWERS.items():
        server.feature(method)(server.answering(find))

    @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(list(KINDS), resolve_provider=True))
    async def code_actions(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        uri, context = params.text_document.uri, params.context
        known = [each for each in context.diagnostics if each.source == SOURCE]
        kinds = [str(getattr(kind, "value", kind)) for kind in context.only] if context.only is not None else None

        def find(version: Version) -> list[lsp.CodeAction]:
            return [
                lsp.CodeAction(
                    unicode_text(offer.title),
                    offer.kind,
                    [each for each in known if each.code in offer.codes] or None,
                    offer.is_preferred or None,
                    data=_data(params, offer.action),
                )
                for offer in offers(version, version.text.offset(params.range.start), kinds)
            ]

        actions = await server.answer(uri, find) or []
        if server.resolves_edits:
            return actions
        possible: list[lsp.CodeAction] = []
        for action in actions:
            try:
                action.edit = await server.edit(action.data)
            except SdfInertiaError:
                continue
            possible.append(action)
        return possible

    @server.feature(lsp.CODE_ACTION_RESOLVE)
    async def resolve_action(action: lsp.CodeAction) -> lsp.CodeAction:
        try:
            action.edit = await server.edit(action.data)
        except SdfInertiaError as error:
            server.say(error)
        return action

    @server.command(APPLY)
    # pygls converts arguments to the annotated type, and on Python 3.13 fails at a dict of texts.
    async def apply(values: Any) -> None:
        try:
            edit = await server.edit(values)
        except SdfInertiaError as error:
            server.say(error)
            return
        await server.workspace_apply_edit_async(lsp.ApplyWorkspaceEditParams(edit, "sdfinertia"))

    return server
