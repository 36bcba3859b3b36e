"""Editors that speak with `sdfinertia lsp` over its standard input and output, by the client of pygls."""

from __future__ import annotations

import asyncio
import os
import re
import sys
import threading
from typing import TYPE_CHECKING, Any, TypeVar

from lsprotocol import types
from pygls.lsp.client import LanguageClient

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from pathlib import Path

T = TypeVar("T")
# What a busy machine may take for an answer (s).
PATIENCE = 60.0


class Editor:
    """An editor with a server of its own; `units` are those in which it counts."""

    def __init__(self, home: Path, *arguments: str, units: str = "utf-16") -> None:
        self.client = LanguageClient("editor", "1")
        self.published: dict[str, list[types.PublishDiagnosticsParams]] = {}
        self.messages: list[str] = []
        self.registered: list[types.Registration] = []
        self.texts: dict[str, str] = {}
        self.numbers: dict[str, int] = {}
        self.units = units
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()
        self._news = asyncio.Event()

        def take(params: types.PublishDiagnosticsParams) -> None:
            self.published.setdefault(params.uri, []).append(params)
            self._news.set()

        self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(take)
        self.client.feature(types.WINDOW_SHOW_MESSAGE)(lambda params: self.messages.append(params.message))
        self.client.feature(types.CLIENT_REGISTER_CAPABILITY)(
            lambda params: self.registered.extend(params.registrations)
        )
        self.result = self.run(self._start(home, arguments))

    async def _start(self, home: Path, arguments: tuple[str, ...]) -> types.InitializeResult:
        environment = {**os.environ, "HOME": str(home), "XDG_CACHE_HOME": str(home / "cache")}
        command = (sys.executable, "-m", "sdfinertia", "lsp", *arguments)
        await self.client.start_io(*command, cwd=home, env=environment, limit=1 << 26)
        watching = types.DidChangeWatchedFilesClientCapabilities(dynamic_registration=True)
        capabilities = types.ClientCapabilities(
            workspace=types.WorkspaceClientCapabilities(did_change_watched_files=watching),
            general=types.GeneralClientCapabilities(position_encodings=[self.units]),
        )
        result = await self.client.initialize_async(types.InitializeParams(capabilities, process_id=os.getpid()))
        self.client.initialized(types.InitializedParams())
        return result

    def run(self, answer: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(asyncio.wait_for(answer, PATIENCE), self._loop).result()

    def tell(self, method: str, params: Any = None) -> None:
        async def told() -> None:
            self.client.protocol.notify(method, params)

        self.run(told())

    def ask(self, method: str, params: Any = None) -> Any:
        async def answered() -> Any:
            return await self.client.protocol.send_request_async(method, params)

        return self.run(answered())

    def close(self, *, shuts_down: bool = True) -> int:
        """Ends the server, and returns its exit status."""
        if shuts_down:
            self.ask(types.SHUTDOWN)
        self.tell(types.EXIT)
        assert self.client._server is not None
        status = self.run(self.client._server.wait())
        self._loop.call_soon_threadsafe(self._loop.stop)
        return status

    # Texts ----------------------------------------------------------------------------------------------------------

    def open(self, path: Path, text: str | None = None, *, waits: bool = True) -> list[types.Diagnostic]:
        uri = path.as_uri()
        self.texts[uri], self.numbers[uri] = path.read_bytes().decode() if text is None else text, 1
        self.published.pop(uri, None)
        item = types.TextDocumentItem(uri, "xml", 1, self.texts[uri])
        self.tell(types.TEXT_DOCUMENT_DID_OPEN, types.DidOpenTextDocumentParams(item))
        return self.diagnostics(path) if waits else []

    def change(self, path: Path, text: str, *, waits: bool = True) -> list[types.Diagnostic]:
        uri = path.as_uri()
        self.texts[uri] = text
        self.numbers[uri] += 1
        change = types.TextDocumentContentChangeWholeDocument(text)
        identifier = types.VersionedTextDocumentIdentifier(self.numbers[uri], uri)
        self.tell(types.TEXT_DOCUMENT_DID_CHANGE, types.DidChangeTextDocumentParams(identifier, [change]))
        return self.diagnostics(path) if waits else []

    def changed_on_disk(self, path: Path) -> None:
        """Tells the server of a change, as it asked to be told."""
        event = types.FileEvent(path.as_uri(), types.FileChangeType.Changed)
        self.tell(types.WORKSPACE_DID_CHANGE_WATCHED_FILES, types.DidChangeWatchedFilesParams([event]))

    def diagnostics(self, path: Path, *, beyond: int = 0) -> list[types.Diagnostic]:
        """The last diagnostics of the text as it is now, once more than `beyond` have come."""

        async def found() -> list[types.Diagnostic]:
            uri = path.as_uri()
            while True:
                self._news.clear()
                published = self.published.get(uri, [])
                if len(published) > beyond and published[-1].version == self.numbers[uri]:
                    return list(published[-1].diagnostics)
                await self._news.wait()

        return self.run(found())

    def shut(self, path: Path) -> None:
        identifier = types.TextDocumentIdentifier(path.as_uri())
        self.tell(types.TEXT_DOCUMENT_DID_CLOSE, types.DidCloseTextDocumentParams(identifier))

    # Questions ------------------------------------------------------------------------------------------------------

    def place(self, path: Path, words: str) -> types.Position:
        """The place of the second character of some words."""
        before, found, _ = self.texts[path.as_uri()].partition(words)
        assert found, words
        *lines, line = re.split(r"\r\n|\r|\n", before)
        return types.Position(len(lines), len(line.encode("utf-16-le")) // 2 + 1)

    def hover(self, path: Path, words: str) -> str:
        identifier = types.TextDocumentIdentifier(path.as_uri())
        found = self.ask(types.TEXT_DOCUMENT_HOVER, types.HoverParams(identifier, self.place(path, words)))
        return found.contents.value if found is not None else ""

    def actions(
        self, path: Path, words: str, only: list[str] | None = None, found: list[types.Diagnostic] | None = None
    ) -> dict[str, types.CodeAction]:
        """The actions that are offered at some words, by their titles."""
        identifier, place = types.TextDocumentIdentifier(path.as_uri()), self.place(path, words)
        context = types.CodeActionContext(found or [], only)
        params = types.CodeActionParams(identifier, types.Range(place, place), context)
        return {action.title: action for action in self.ask(types.TEXT_DOCUMENT_CODE_ACTION, params) or ()}

    def resolve(self, action: types.CodeAction) -> types.CodeAction:
        return self.ask(types.CODE_ACTION_RESOLVE, action)

    def chosen(self, path: Path, words: str, title: str) -> str:
        """The text after the action whose title begins with some words."""
        (action,) = (each for name, each in self.actions(path, words).items() if name.startswith(title))
        return self.edited(path, self.resolve(action))

    def edited(self, path: Path, action: types.CodeAction) -> str:
        """The text after an edit, made as an editor that counts in UTF-16 does."""
        assert action.edit is not None and action.edit.document_changes is not None  # noqa: PT018
        (change,) = action.edit.document_changes
        assert (change.text_document.uri, change.text_document.version) == (path.as_uri(), self.numbers[path.as_uri()])
        return applied(self.texts[path.as_uri()], change.edits)


def applied(text: str, edits: list[types.TextEdit]) -> str:
    units = text.encode("utf-16-le")
    starts = [0, *(len(text[: each.end()].encode("utf-16-le")) for each in re.finditer(r"\r\n|\r|\n", text))]

    def offset(position: types.Position) -> int:
        return starts[position.line] + 2 * position.character

    for each in sorted(edits, key=lambda each: -offset(each.range.start)):
        start, stop = offset(each.range.start), offset(each.range.end)
        units = units[:start] + each.new_text.encode("utf-16-le") + units[stop:]
    return units.decode("utf-16-le")
