"""The server: messages of the protocol in and out, by pygls. What takes time is done by one thread, piece by piece.

A text is looked at once nobody has typed for a moment; the next change ends that.
"""

from __future__ import annotations

import asyncio
import gc
import os
from collections.abc import Callable, Generator
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
from sdfinertia.lsp.actions import KINDS, VERBS, Deed, edits_of, offers
from sdfinertia.lsp.diagnostics import SOURCE, diagnostics, of_error
from sdfinertia.lsp.hover import hover
from sdfinertia.lsp.outline import asking_links, named_file_at, named_files, symbols
from sdfinertia.lsp.session import Surroundings, Version
from sdfinertia.mesh.readers.formats import EXTENSIONS
from sdfinertia.options import GivenOptions, Options
from sdfinertia.robot.values import SUFFIXES
from sdfinertia.runs.configuration import OWN_FILE, SHARED_FILE
from sdfinertia.runs.work import FileTask, failure_of

_T = TypeVar("_T")

APPLY = "sdfinertia.apply"
# How long nobody types before a text is looked at, and how long the thread works before it looks up (s).
PAUSE, _SLICE = 0.25, 0.03
# Bytes of texts that were opened and are let go, after which their trees are looked for: each takes twenty times that.
_MOST_DROPPED = 8 << 20
_WATCHED = (*(f"**/*{suffix}" for suffix in (*SUFFIXES, ".xacro", *sorted(EXTENSIONS))), "**/model.config")
_WATCHED += ("**/package.xml", f"**/{OWN_FILE}", f"**/{SHARED_FILE}")


class Server(LanguageServer):
    """A server of one editor.

    Args:
        given: the options of the command line.
        baseline: a file of known findings that are not reported, or None.
    """

    def __init__(self, given: GivenOptions, baseline: str | None = None) -> None:
        # Each change brings the whole text: lines end otherwise for pygls than for editors, where a text holds U+2028.
        super().__init__("sdfinertia", __version__, lsp.TextDocumentSyncKind.Full)
        self._around = Surroundings(given, baseline)
        self._versions: dict[str, Version] = {}
        self._looking: dict[str, asyncio.Task[None]] = {}
        self._thread = ThreadPoolExecutor(max_workers=1)
        self._dropped = 0

    async def work(self, do: Callable[..., _T], *arguments: Any) -> _T:
        """What comes of something that only one thread may do."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, do, *arguments)

    # Versions -------------------------------------------------------------------------------------------------------

    def take(self, uri: str, pause: float) -> None:
        """Lets go of the version of a text, and looks at the one there is now once it stays for a while."""
        self.drop(uri)
        self._looking[uri] = asyncio.get_running_loop().create_task(self._look(uri, pause))

    def take_all(self) -> None:
        """Looks at every open text anew, and at all that lies around them."""
        self._around.forget()
        for uri in list(self._looking):
            self.take(uri, 0.0)

    def drop(self, uri: str) -> None:
        task = self._looking.pop(uri, None)
        if task is not None:
            task.cancel()
        version = self._versions.pop(uri, None)
        if version is not None:
            self._dropped += len(version.text.data)
            if self._dropped > _MOST_DROPPED:
                self._dropped = 0
                self._thread.submit(gc.collect)

    async def _look(self, uri: str, pause: float) -> None:
        await asyncio.sleep(pause)
        try:
            version = await self.work(self.current, uri)
            steps = version.steps()
            while not await self.work(_advance, steps):
                pass
            await self.work(self._around.remember)
            found = await self.work(diagnostics, version)
        except SdfInertiaError as error:
            found = [of_error(error)]
        except Exception as error:
            # A mistake of the program: the next change may lead past it.
            found = [of_error(failure_of(FileTask(_path_of(uri), Options()), error))]
        number = self.workspace.get_text_document(uri).version
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, found, number))
        # Python does not look for garbage by itself while a text is looked at.
        await self.work(gc.collect)

    def current(self, uri: str) -> Version:
        """The text as it is now, among what is around it now."""
        text, known = self.workspace.get_text_document(uri).source, self._versions.get(uri)
        if known is None or not self._around.is_current(known, text):
            units = self.workspace.position_encoding or lsp.PositionEncodingKind.Utf16
            known = self._versions[uri] = self._around.version(text, _path_of(uri), units)
        return known

    # Answers --------------------------------------------------------------------------------------------------------

    async def answer(self, uri: str, find: Callable[[Version], _T]) -> _T | None:
        """What is found in a text; None where it cannot be read."""

        def found() -> _T | None:
            try:
                return find(self.current(uri))
            except SdfInertiaError:
                return None

        return await self.work(found)

    def workspace_edit(self, uri: str, version: Version, edits: list[lsp.TextEdit]) -> lsp.WorkspaceEdit:
        client = self.client_capabilities.workspace
        if client is not None and client.workspace_edit is not None and client.workspace_edit.document_changes:
            number = self.workspace.get_text_document(uri).version
            identifier = lsp.OptionalVersionedTextDocumentIdentifier(uri, number)
            return lsp.WorkspaceEdit(document_changes=[lsp.TextDocumentEdit(identifier, [*edits])])
        return lsp.WorkspaceEdit(changes={uri: edits})

    async def edit(self, uri: str, deed: Deed) -> lsp.WorkspaceEdit:
        """The edit of a deed.

        Raises:
            SdfInertiaError: it cannot be done.
        """

        def made() -> tuple[Version, list[lsp.TextEdit]]:
            version = self.current(uri)
            return version, version.text.text_edits(edits_of(version, deed))

        return self.workspace_edit(uri, *await self.work(made))

    @property
    def resolves(self) -> bool:
        """Whether the client asks for the edit of an action once it is chosen."""
        document = self.client_capabilities.text_document
        actions = document.code_action if document is not None else None
        asked = actions.resolve_support if actions is not None else None
        return asked is not None and "edit" in asked.properties

    def say(self, error: SdfInertiaError) -> None:
        """Tells a person why nothing was done."""
        self.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Warning, unicode_text(str(error))))


def _advance(steps: Generator[None, None, None]) -> bool:
    """Works for a moment; whether that was the end."""
    until = monotonic() + _SLICE
    return all(monotonic() < until for _ in steps)


def _path_of(uri: str) -> str:
    """The file of a text, by which uris and configuration are found; a name here for one that was never saved."""
    path = to_fs_path(uri)
    return path if path is not None else os.path.abspath(os.path.basename(uri.partition(":")[2]) or "untitled")


def _deed(values: Any) -> tuple[str, Deed]:
    """The text and the deed that a client sends back as they were sent to it."""
    verb = next(verb for verb in VERBS if verb == values["verb"])
    return str(values["uri"]), Deed(verb, str(values["link"]), str(values["what"]))


def _record(uri: str, deed: Deed) -> dict[str, str]:
    return {"uri": uri, **deed._asdict()}


def serve(given: GivenOptions, baseline: str | None = None) -> None:
    """Serves the editor at standard input and output until it ends."""
    gc.disable()
    gc.freeze()
    server_for(given, baseline).start_io()


def server_for(given: GivenOptions, baseline: str | None = None) -> Server:
    """A server with all that it answers."""
    server = Server(given, baseline)

    @server.feature(lsp.INITIALIZED)
    async def initialized(_: lsp.InitializedParams) -> None:
        workspace = server.client_capabilities.workspace
        watching = workspace.did_change_watched_files if workspace is not None else None
        if watching is not None and watching.dynamic_registration:
            watchers = [lsp.FileSystemWatcher(pattern) for pattern in _WATCHED]
            options = lsp.DidChangeWatchedFilesRegistrationOptions(watchers)
            registration = lsp.Registration("files", lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
            await server.client_register_capability_async(lsp.RegistrationParams([registration]))

    # The text -------------------------------------------------------------------------------------------------------

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    async def did_open(params: lsp.DidOpenTextDocumentParams) -> None:
        server.take(params.text_document.uri, 0.0)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    async def did_change(params: lsp.DidChangeTextDocumentParams) -> None:
        server.take(params.text_document.uri, PAUSE)

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    async def did_save(_: lsp.DidSaveTextDocumentParams) -> None:
        # Others may include it.
        server.take_all()

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def did_change_files(_: lsp.DidChangeWatchedFilesParams) -> None:
        server.take_all()

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    async def did_close(params: lsp.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        server.drop(uri)
        server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))

    # Looking --------------------------------------------------------------------------------------------------------

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    async def hovered(params: lsp.HoverParams) -> lsp.Hover | None:
        def find(version: Version) -> lsp.Hover | None:
            return hover(version, version.text.offset(params.position))

        return await server.answer(params.text_document.uri, find)

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def document_symbols(params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol] | None:
        return await server.answer(params.text_document.uri, symbols)

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    async def definition(params: lsp.DefinitionParams) -> lsp.Location | None:
        def find(version: Version) -> lsp.Location | None:
            named = named_file_at(version, version.text.offset(params.position))
            start = lsp.Position(0, 0)
            uri = Path(named.path(version.context)).absolute().as_uri() if named is not None else None
            return lsp.Location(uri, lsp.Range(start, start)) if uri is not None else None

        return await server.answer(params.text_document.uri, find)

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_LINK, lsp.DocumentLinkOptions(resolve_provider=True))
    async def document_links(params: lsp.DocumentLinkParams) -> list[lsp.DocumentLink] | None:
        uri = params.text_document.uri

        def find(version: Version) -> list[lsp.DocumentLink]:
            # Each is looked for once it is followed: a world may name thousands.
            return [
                lsp.DocumentLink(version.text.range(each.start, each.stop), data=[uri, each.start])
                for each in named_files(version)
            ]

        return await server.answer(uri, find)

    @server.feature(lsp.DOCUMENT_LINK_RESOLVE)
    async def resolved_link(link: lsp.DocumentLink) -> lsp.DocumentLink:
        uri, start = link.data if isinstance(link.data, list) else ("", 0)

        def find(version: Version) -> str | None:
            named = named_file_at(version, start)
            return Path(named.path(version.context)).absolute().as_uri() if named is not None else None

        link.target = await server.answer(str(uri), find)
        return link

    # Doing ----------------------------------------------------------------------------------------------------------

    @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(list(KINDS), resolve_provider=True))
    async def code_actions(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        uri, only = params.text_document.uri, params.context.only
        of_client = [each for each in params.context.diagnostics if each.source == SOURCE]

        def find(version: Version) -> list[lsp.CodeAction]:
            kinds = [str(getattr(kind, "value", kind)) for kind in only] if only is not None else None
            return [
                lsp.CodeAction(
                    unicode_text(offer.title),
                    offer.kind,
                    [each for each in of_client if each.code in offer.codes] or None,
                    offer.is_preferred or None,
                    data=_record(uri, offer.deed),
                )
                for offer in offers(version, version.text.offset(params.range.start), kinds)
            ]

        actions = await server.answer(uri, find) or []
        if server.resolves:
            return actions
        possible: list[lsp.CodeAction] = []
        for action in actions:
            try:
                action.edit = await server.edit(*_deed(action.data))
            except SdfInertiaError:
                continue
            possible.append(action)
        return possible

    @server.feature(lsp.CODE_ACTION_RESOLVE)
    async def resolved_action(action: lsp.CodeAction) -> lsp.CodeAction:
        try:
            action.edit = await server.edit(*_deed(action.data))
        except SdfInertiaError as error:
            server.say(error)
        return action

    @server.feature(lsp.TEXT_DOCUMENT_CODE_LENS)
    async def code_lenses(params: lsp.CodeLensParams) -> list[lsp.CodeLens] | None:
        uri = params.text_document.uri

        def find(version: Version) -> list[lsp.CodeLens]:
            return [
                lsp.CodeLens(place, lsp.Command("auto → fill", APPLY, arguments=[_record(uri, Deed("fill", label))]))
                for label, place in asking_links(version)
            ]

        return await server.answer(uri, find)

    @server.command(APPLY)
    async def apply(values: dict[str, str]) -> None:
        try:
            edit = await server.edit(*_deed(values))
        except SdfInertiaError as error:
            server.say(error)
            return
        await server.workspace_apply_edit_async(lsp.ApplyWorkspaceEditParams(edit, "sdfinertia"))

    return server
