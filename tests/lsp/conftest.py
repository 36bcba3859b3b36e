"""Editors that speak with `sdfinertia lsp` over its standard input and output."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
import threading
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest

T = TypeVar("T")
SEARCH_VARIABLES = (
    *("SDF_PATH", "GZ_SIM_RESOURCE_PATH", "IGN_GAZEBO_RESOURCE_PATH", "GAZEBO_MODEL_PATH", "GZ_FUEL_CACHE_PATH"),
    *("ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH"),
)
CLIENTS = Path(__file__).parent / "clients"
# What a busy machine may take for an answer (s).
PATIENCE = 60.0


class Editor:
    """An editor with a server of its own; texts are opened, changed and asked about, and edits are made.

    Args:
        client: whose capabilities it has.
        arguments: of the command.
    """

    def __init__(self, client: str, directory: Path, *arguments: str) -> None:
        from lsprotocol import types as lsp
        from pygls.lsp.client import LanguageClient

        self.lsp = lsp
        self.client = LanguageClient("editor", "1")
        self.published: dict[str, list[lsp.PublishDiagnosticsParams]] = {}
        self.messages: list[str] = []
        self.applied: list[lsp.WorkspaceEdit] = []
        self.registered: list[lsp.Registration] = []
        self._texts: dict[str, str] = {}
        self._numbers: dict[str, int] = {}
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._news = asyncio.Event()
        self._listen()
        capabilities = json.loads((CLIENTS / f"{client}.json").read_text())
        self.capabilities = self.client.protocol._converter.structure(capabilities, lsp.ClientCapabilities)
        self.result = self.run(self._start(directory, arguments))

    def _listen(self) -> None:
        lsp, feature = self.lsp, self.client.feature

        def published(params: Any) -> None:
            self.published.setdefault(params.uri, []).append(params)
            self._news.set()

        def shown(params: Any) -> None:
            self.messages.append(params.message)

        def apply(params: Any) -> Any:
            self.applied.append(params.edit)
            return lsp.ApplyWorkspaceEditResult(True)

        def register(params: Any) -> None:
            self.registered.extend(params.registrations)

        feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(published)
        feature(lsp.WINDOW_SHOW_MESSAGE)(shown)
        feature(lsp.WORKSPACE_APPLY_EDIT)(apply)
        feature(lsp.CLIENT_REGISTER_CAPABILITY)(register)

    async def _start(self, directory: Path, arguments: tuple[str, ...]) -> Any:
        command = (sys.executable, "-m", "sdfinertia", "lsp", *arguments)
        environment = {name: value for name, value in os.environ.items() if name not in SEARCH_VARIABLES}
        environment |= {"HOME": str(directory), "XDG_CACHE_HOME": str(directory / "cache")}
        await self.client.start_io(*command, cwd=directory, env=environment, limit=1 << 26)
        result = await self.client.initialize_async(
            self.lsp.InitializeParams(self.capabilities, process_id=os.getpid(), root_uri=directory.as_uri())
        )
        self.client.initialized(self.lsp.InitializedParams())
        return result

    def run(self, answer: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(asyncio.wait_for(answer, PATIENCE), self._loop).result()

    def tell(self, send: Callable[..., None], params: Any) -> None:
        async def sent() -> None:
            send(params)

        self.run(sent())

    def close(self) -> int:
        """Ends the server, and returns its exit status."""

        async def ended() -> int:
            await self.client.shutdown_async(None)
            self.client.exit(None)
            assert self.client._server is not None, "it was started"
            return await self.client._server.wait()

        status = self.run(ended())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        return status

    @property
    def process_id(self) -> int:
        assert self.client._server is not None, "it was started"
        return self.client._server.pid

    # Texts ----------------------------------------------------------------------------------------------------------

    def open(self, path: Path, text: str | None = None) -> list[Any]:
        """What is found in a text, or in a file, once it is open."""
        uri = path.as_uri()
        self._texts[uri] = path.read_bytes().decode() if text is None else text
        self._numbers[uri] = 1
        item = self.lsp.TextDocumentItem(uri, "xml", 1, self._texts[uri])
        self.tell(self.client.text_document_did_open, self.lsp.DidOpenTextDocumentParams(item))
        return self.diagnostics(path)

    def change(self, path: Path, text: str, *, waits: bool = True) -> list[Any]:
        uri = path.as_uri()
        self._texts[uri] = text
        self._numbers[uri] += 1
        changes = [self.lsp.TextDocumentContentChangeWholeDocument(text)]
        identifier = self.lsp.VersionedTextDocumentIdentifier(uri=uri, version=self._numbers[uri])
        params = self.lsp.DidChangeTextDocumentParams(identifier, changes)
        self.tell(self.client.text_document_did_change, params)
        return self.diagnostics(path) if waits else []

    def diagnostics(self, path: Path, *, beyond: int = 0) -> list[Any]:
        """What was published last, once it is about the text as it is now.

        Args:
            beyond: how many there were before those that are waited for.
        """

        async def found() -> list[Any]:
            uri = path.as_uri()
            while True:
                self._news.clear()
                published = self.published.get(uri, [])
                if len(published) > beyond and published[-1].version == self._numbers[uri]:
                    return list(published[-1].diagnostics)
                await self._news.wait()

        return self.run(found())

    def shut(self, path: Path) -> None:
        params = self.lsp.DidCloseTextDocumentParams(self.lsp.TextDocumentIdentifier(path.as_uri()))
        self.tell(self.client.text_document_did_close, params)

    # Questions ------------------------------------------------------------------------------------------------------

    def ask(self, question: str, path: Path, *more: Any) -> Any:
        """The answer to a question about a text, such as `code_lens`."""
        kind = "".join(word.title() for word in question.split("_"))
        params = getattr(self.lsp, f"{kind}Params")(self.lsp.TextDocumentIdentifier(path.as_uri()), *more)
        return self.run(getattr(self.client, f"text_document_{question}_async")(params))

    def place(self, path: Path, words: str, *, within: int = 1) -> Any:
        """The place of some words in a text, in UTF-16."""
        before = self._texts[path.as_uri()].partition(words)[0]
        assert before != self._texts[path.as_uri()], words
        *lines, line = re.split(r"\r\n|\r|\n", before)
        return self.lsp.Position(len(lines), len(line.encode("utf-16-le")) // 2 + within)

    def hover(self, path: Path, words: str, *, within: int = 1) -> str:
        found = self.ask("hover", path, self.place(path, words, within=within))
        return found.contents.value if found is not None else ""

    def actions(self, path: Path, words: str, *, only: list[str] | None = None, found: list[Any] | None = None) -> Any:
        """The actions that are offered at some words, by their titles."""
        place = self.place(path, words)
        context = self.lsp.CodeActionContext(found or [], only)
        actions = self.ask("code_action", path, self.lsp.Range(place, place), context)
        return {action.title: action for action in actions or ()}

    def chosen(self, path: Path, words: str, title: str) -> str:
        """The text once the action is made whose title begins with some words."""
        actions = self.actions(path, words)
        (action,) = (each for name, each in actions.items() if name.startswith(title))
        if action.edit is None:
            action = self.run(self.client.code_action_resolve_async(action))
        return self.made(path, action.edit)

    def made(self, path: Path, edit: Any) -> str:
        """The text after an edit, made as an editor does, which counts in UTF-16."""
        text, uri = self._texts[path.as_uri()], path.as_uri()
        edits = edit.document_changes[0].edits if edit.document_changes else edit.changes[uri]
        units = text.encode("utf-16-le")
        starts = [0]
        for line in re.findall(r"[^\r\n]*(?:\r\n|\r|\n)", text):
            starts.append(starts[-1] + len(line.encode("utf-16-le")))

        def offset(position: Any) -> int:
            return starts[position.line] + 2 * position.character

        for each in sorted(edits, key=lambda each: -offset(each.range.start)):
            start, stop = offset(each.range.start), offset(each.range.end)
            units = units[:start] + each.new_text.encode("utf-16-le") + units[stop:]
        return units.decode("utf-16-le")


@pytest.fixture(scope="session")
def editors(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Editor]]:
    """Makes editors, one for each client and arguments, which all tests of this process share."""
    pytest.importorskip("pygls", reason="pygls is not installed")
    made: dict[tuple[str, ...], Editor] = {}

    def editor(client: str = "vscode", *arguments: str) -> Editor:
        key = client, *arguments
        if key not in made:
            made[key] = Editor(client, tmp_path_factory.mktemp("home"), *arguments)
        return made[key]

    yield editor
    for each in made.values():
        assert each.close() == 0


@pytest.fixture
def editor(editors: Callable[..., Editor]) -> Editor:
    return editors()
