"""The server: each message of an editor, and its one answer. It holds the texts; `Desks` work on them.

A text is checked when nobody has typed for a moment; the next change cancels that.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

# Loaded with this module alone: the extra `lsp` brings it.
from lsprotocol import types as lsp

from sdfinertia import __version__
from sdfinertia.errors import SdfInertiaError, WorkerError, one_line, unicode_text
from sdfinertia.lsp.desk import APPLY, CHECK, EDIT, Text
from sdfinertia.lsp.desks import OutdatedError
from sdfinertia.lsp.frames import value_of
from sdfinertia.lsp.params import (
    CONVERTER,
    RefusedError,
    action_of,
    capabilities,
    number_of,
    params_of,
    path_of,
    units_of,
)
from sdfinertia.lsp.shown import of_error
from sdfinertia.mesh.readers.formats import EXTENSIONS
from sdfinertia.options import Options
from sdfinertia.robot.suffixes import MJCF_SUFFIXES, SUFFIXES
from sdfinertia.runs.configuration import OWN_FILE, SHARED_FILE
from sdfinertia.runs.work import FileTask, failure_of

# The pause in typing after which a text is checked (s).
PAUSE = 0.25
_NAMES = ("model.config", "package.xml", OWN_FILE, SHARED_FILE)
_WATCHED = [f"**/*{suffix}" for suffix in (*SUFFIXES, *MJCF_SUFFIXES, ".xacro", *sorted(EXTENSIONS))] + [
    f"**/{name}" for name in _NAMES
]
_ERRORS, _LSP_ERRORS = lsp.ErrorCodes, lsp.LSPErrorCodes


class Workers(Protocol):
    """The workers on texts: `Desks`."""

    async def call(self, name: str, text: Text, params: Any = None) -> Any: ...
    def outdate(self, uri: str) -> None: ...
    def free(self, uri: str) -> None: ...
    def close(self, uri: str) -> None: ...
    def forget(self) -> None: ...


class Server:
    """The server of one editor, with its open texts by uri; `status` is that of the process, once it is to end."""

    def __init__(self, desks: Workers, send: Callable[[dict[str, Any]], None], pause: float = PAUSE) -> None:
        self.status: int | None = None
        self._desks, self._send, self._pause = desks, send, pause
        self._client: lsp.ClientCapabilities | None = None
        self._units = units_of(())
        self._is_shut = False
        self._texts: dict[str, Text] = {}
        self._checks: dict[str, asyncio.Task[None]] = {}
        self._answering: dict[str | int, asyncio.Task[None]] = {}
        self._awaited: dict[str | int, asyncio.Future[Any]] = {}
        self._serials = itertools.count(1)

    # Messages -------------------------------------------------------------------------------------------------------

    def receive(self, body: bytes) -> None:
        """Takes one message; each request is answered once, now or later."""
        try:
            message = value_of(body)
        except ValueError:
            self._refuse(None, RefusedError(_ERRORS.ParseError, "the message is not JSON"))
            return
        fields = message if isinstance(message, dict) else {}
        method, params, number = fields.get("method"), fields.get("params"), number_of(fields)
        if isinstance(method, str) and "id" not in fields:
            self._notice(method, params)
        elif isinstance(method, str) and number is not None:
            task = asyncio.get_running_loop().create_task(self._answer(number, method, params))
            self._answering[number] = task
            task.add_done_callback(lambda task: self._answered(number, task))
        elif method is None and number is not None and ("result" in fields or "error" in fields):
            answer = self._awaited.pop(number, None)
            if answer is not None and not answer.done():
                answer.set_result(fields.get("result"))
        else:
            self._refuse(
                None,
                RefusedError(_ERRORS.InvalidRequest, "the message is neither a request nor a notice nor an answer"),
            )

    def _answered(self, number: str | int, task: asyncio.Task[None]) -> None:
        if task.cancelled():
            # Perhaps before it began.
            self._refuse(number, RefusedError(_LSP_ERRORS.RequestCancelled, "the request is cancelled"))
        if self._answering.get(number) is task:
            del self._answering[number]

    async def _answer(self, number: str | int, method: str, params: object) -> None:
        """Answers a request."""
        try:
            result = CONVERTER.unstructure(await self._result(method, params))
            self._send({"jsonrpc": "2.0", "id": number, "result": result})
        except RefusedError as refused:
            self._refuse(number, refused)
        except OutdatedError:
            changed = "the text has changed, or is closed: ask again"
            self._refuse(number, RefusedError(_LSP_ERRORS.ContentModified, changed))
        except SdfInertiaError as error:
            self._refuse(number, RefusedError(_LSP_ERRORS.RequestFailed, str(error)))
        except Exception as error:
            failure = failure_of(FileTask(method, Options()), error)
            self._refuse(number, RefusedError(_ERRORS.InternalError, str(failure)))

    def _refuse(self, number: str | int | None, refused: RefusedError) -> None:
        error = {"code": refused.code, "message": one_line(unicode_text(str(refused)))}
        self._send({"jsonrpc": "2.0", "id": number, "error": error})

    async def _result(self, method: str, params: object) -> object:
        """The result of a request.

        Raises:
            RefusedError: it cannot be answered.
        """
        if self._is_shut:
            raise RefusedError(_ERRORS.InvalidRequest, "the server is shut down")
        if (method == lsp.INITIALIZE) != (self._client is None):
            code = _ERRORS.ServerNotInitialized if self._client is None else _ERRORS.InvalidRequest
            raise RefusedError(code, f"the server is {'not yet' if self._client is None else 'already'} initialized")
        if method == lsp.SHUTDOWN:
            self._shut_down()
            return None
        handle = _REQUESTS.get(method)
        if handle is None:
            raise RefusedError(_ERRORS.MethodNotFound, f"there is no method {method[:80]!r}")
        return await handle(self, params_of(method, params))

    def _notice(self, method: str, params: object) -> None:
        """Takes a notification; malformed ones are ignored, but for a change of a text, which drops the text."""
        if method == lsp.EXIT:
            self.status = 0 if self._is_shut else 1
        elif method == lsp.CANCEL_REQUEST:
            number = params.get("id") if isinstance(params, dict) else None
            task = self._answering.get(number) if isinstance(number, (str, int)) else None
            if task is not None:
                task.cancel()
        elif method in _NOTICES and self._client is not None and not self._is_shut:
            try:
                _NOTICES[method](self, params_of(method, params))
            except RefusedError:
                if method == lsp.TEXT_DOCUMENT_DID_CHANGE:
                    self._lose(params)

    def _ask(self, method: str, params: object) -> asyncio.Future[Any]:
        """Sends a request to the editor."""
        number = f"sdfinertia-{next(self._serials)}"
        answer = self._awaited[number] = asyncio.get_running_loop().create_future()
        body = CONVERTER.unstructure(params)
        self._send({"jsonrpc": "2.0", "id": number, "method": method, "params": body})
        return answer

    def _notify(self, method: str, params: object) -> None:
        self._send({"jsonrpc": "2.0", "method": method, "params": CONVERTER.unstructure(params)})

    def _say(self, message: str) -> None:
        params = lsp.ShowMessageParams(lsp.MessageType.Warning, unicode_text(message))
        self._notify(lsp.WINDOW_SHOW_MESSAGE, params)

    # Beginning and end ----------------------------------------------------------------------------------------------

    async def initialize(self, params: lsp.InitializeParams) -> dict[str, Any]:
        self._client = params.capabilities
        general = self._client.general
        self._units = units_of((general and general.position_encodings) or ())
        return {
            "capabilities": capabilities(self._units),
            "serverInfo": {"name": "sdfinertia", "version": __version__},
        }

    def initialized(self, _: object) -> None:
        workspace = self._client.workspace if self._client is not None else None
        watching = workspace.did_change_watched_files if workspace is not None else None
        if watching is not None and watching.dynamic_registration:
            options = lsp.DidChangeWatchedFilesRegistrationOptions([lsp.FileSystemWatcher(each) for each in _WATCHED])
            registration = lsp.Registration("files", lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
            self._ask(lsp.CLIENT_REGISTER_CAPABILITY, lsp.RegistrationParams([registration]))

    def _shut_down(self) -> None:
        self._is_shut = True
        for task in (*self._checks.values(), *self._answering.values()):
            if task is not asyncio.current_task():
                task.cancel()

    # Texts ----------------------------------------------------------------------------------------------------------

    def did_open(self, params: lsp.DidOpenTextDocumentParams) -> None:
        opened = params.text_document
        self._take(opened.uri, opened.text, opened.version, 0.0)

    def did_change(self, params: lsp.DidChangeTextDocumentParams) -> None:
        uri, changes = params.text_document.uri, params.content_changes
        if any(not isinstance(each, lsp.TextDocumentContentChangeWholeDocument) for each in changes):
            raise RefusedError(_ERRORS.InvalidParams, "whole texts are taken")
        if uri in self._texts and changes:
            self._take(uri, changes[-1].text, params.text_document.version, self._pause)

    def did_save(self, _: object) -> None:
        # Other texts may include it.
        self._check_all()

    def did_change_files(self, params: lsp.DidChangeWatchedFilesParams) -> None:
        if any(each.type is not lsp.FileChangeType.Changed for each in params.changes):
            # Search missing files again.
            self._desks.forget()
        self._check_all()

    def did_close(self, params: lsp.DidCloseTextDocumentParams) -> None:
        self._drop(params.text_document.uri)

    def _take(self, uri: str, source: str, number: int, pause: float) -> None:
        """Keeps a text with its version, both of one message, and checks it after a pause."""
        self._texts[uri] = Text(uri, path_of(uri), source, number, self._units, next(self._serials))
        self._desks.outdate(uri)
        self._check(uri, pause)

    def _lose(self, params: object) -> None:
        """Drops the text of a malformed change: answers about it could be wrong."""
        named = params.get("textDocument") if isinstance(params, dict) else None
        uri = named.get("uri") if isinstance(named, dict) else None
        if isinstance(uri, str) and uri in self._texts:
            self._drop(uri)
            self._say(f"{uri}: a change of its text is not understood; close it, and open it again")

    def _drop(self, uri: str) -> None:
        if self._texts.pop(uri, None) is not None:
            self._desks.outdate(uri)
            self._desks.close(uri)
            self._checks.pop(uri).cancel()
        self._notify(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, lsp.PublishDiagnosticsParams(uri, []))

    def _check_all(self) -> None:
        for uri in self._texts:
            self._check(uri, 0.0)

    def _check(self, uri: str, pause: float) -> None:
        """Checks a text after a pause; a check that runs ends."""
        task = self._checks.get(uri)
        if task is not None:
            task.cancel()
        self._checks[uri] = asyncio.get_running_loop().create_task(self._checked(self._texts[uri], pause))

    async def _checked(self, text: Text, pause: float) -> None:
        try:
            await asyncio.sleep(pause)
            found = await self._desks.call(CHECK, text, True)
            while found is None:
                found = await self._desks.call(CHECK, text, False)
        except OutdatedError:
            return
        except asyncio.CancelledError:
            self._desks.free(text.uri)
            raise
        except SdfInertiaError as error:
            found = [of_error(error)]
        if self._texts.get(text.uri) is text:
            published = lsp.PublishDiagnosticsParams(text.uri, found, text.number)
            self._notify(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, published)

    # Answers --------------------------------------------------------------------------------------------------------

    async def about_text(self, method: str, params: Any) -> Any:
        """The answer about a text; None if it is not open or cannot be read."""
        text = self._texts.get(params.text_document.uri)
        if text is None:
            return None
        try:
            return await self._desks.call(method, text, params)
        except WorkerError:
            # The error is not about the text.

            raise
        except SdfInertiaError:
            return None

    async def code_actions(self, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        actions: list[lsp.CodeAction] = await self.about_text(lsp.TEXT_DOCUMENT_CODE_ACTION, params) or []
        if self._resolves_edits:
            return actions
        possible: list[lsp.CodeAction] = []
        for action in actions:
            try:
                action.edit = await self._edit(action.data)
            except SdfInertiaError:
                continue
            possible.append(action)
        return possible

    async def resolve_action(self, action: lsp.CodeAction) -> lsp.CodeAction:
        try:
            action.edit = await self._edit(action.data)
        except SdfInertiaError as error:
            self._say(str(error))
        return action

    async def execute(self, params: lsp.ExecuteCommandParams) -> None:
        given = params.arguments or ()
        if params.command != APPLY or len(given) != 1:
            raise RefusedError(_ERRORS.InvalidParams, f"the only command is {APPLY}, with the data of an action")
        try:
            edit = await self._edit(given[0])
        except SdfInertiaError as error:
            self._say(str(error))
            return
        await self._ask(lsp.WORKSPACE_APPLY_EDIT, lsp.ApplyWorkspaceEditParams(edit, "sdfinertia"))

    async def _edit(self, data: object) -> lsp.WorkspaceEdit:
        """The edit of an action, by the data that a client was given with it.

        Raises:
            OutdatedError: the text is not the one that the action was offered for.
            SdfInertiaError: it is not possible, or changes nothing.
        """
        uri, number, action = action_of(data)
        text = self._texts.get(uri)
        if text is None or text.number != number:
            raise OutdatedError
        edits = await self._desks.call(EDIT, text, action)
        if self._texts.get(uri) is not text:
            raise OutdatedError
        workspace = self._client.workspace if self._client is not None else None
        if workspace is None or workspace.workspace_edit is None or not workspace.workspace_edit.document_changes:
            return lsp.WorkspaceEdit(changes={uri: edits})
        identifier = lsp.OptionalVersionedTextDocumentIdentifier(uri, text.number)
        return lsp.WorkspaceEdit(document_changes=[lsp.TextDocumentEdit(identifier, edits)])

    @property
    def _resolves_edits(self) -> bool:
        """Whether the client resolves the edit of an action when it is chosen."""
        document = self._client.text_document if self._client is not None else None
        actions = document.code_action if document is not None else None
        support = actions.resolve_support if actions is not None else None
        return support is not None and "edit" in support.properties


def _about(method: str) -> Callable[[Server, Any], Awaitable[Any]]:
    return lambda server, params: server.about_text(method, params)


_ABOUT_TEXT = (
    *(lsp.TEXT_DOCUMENT_HOVER, lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL, lsp.TEXT_DOCUMENT_DEFINITION),
    *(lsp.TEXT_DOCUMENT_DOCUMENT_LINK, lsp.TEXT_DOCUMENT_CODE_LENS),
)
_REQUESTS: dict[str, Callable[[Server, Any], Awaitable[Any]]] = {
    lsp.INITIALIZE: Server.initialize,
    **{method: _about(method) for method in _ABOUT_TEXT},
    lsp.TEXT_DOCUMENT_CODE_ACTION: Server.code_actions,
    lsp.CODE_ACTION_RESOLVE: Server.resolve_action,
    lsp.WORKSPACE_EXECUTE_COMMAND: Server.execute,
}
_NOTICES: dict[str, Callable[[Server, Any], None]] = {
    lsp.INITIALIZED: Server.initialized,
    lsp.TEXT_DOCUMENT_DID_OPEN: Server.did_open,
    lsp.TEXT_DOCUMENT_DID_CHANGE: Server.did_change,
    lsp.TEXT_DOCUMENT_DID_SAVE: Server.did_save,
    lsp.TEXT_DOCUMENT_DID_CLOSE: Server.did_close,
    lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES: Server.did_change_files,
}
