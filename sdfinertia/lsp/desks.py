"""The processes that work on texts: shared ones, and for each text that takes long one of its own."""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from sdfinertia.errors import WorkerError
from sdfinertia.lsp.desk import DROP, FORGET, Text
from sdfinertia.named_tuple import NamedTuple

# A call that takes longer than this leaves the shared process to its text (s).
_LATE = 0.5
# How many texts have a process of their own, and for how long one that has nothing to do is kept (s).
_MOST, _KEPT = 4, 60.0
# Texts that name these wait for xacro or Open CASCADE: they share a process of their own from the start.
_SLOW = (".xacro", "<xacro:", ".step", ".stp")
# Modules come from the search path of this process, never from the working directory.
_START = "import sys; sys.path[:] = sys.argv[1:]; from sdfinertia.lsp.desk import main; main()"
_PACKAGES = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


_NO_TEXT = Text("", "", None, 0, "", -1)


class OutdatedError(Exception):
    """The text of the request has changed or is closed."""


class _Call(NamedTuple):
    name: str
    text: Text
    params: Any
    answer: asyncio.Future[Any]

    def refuse(self, error: Exception) -> None:
        if not self.answer.done():
            self.answer.set_exception(error)


class _Desk:
    """A process and its queue; started with its first call, and again after one that it does not survive."""

    def __init__(self, setting: bytes, late: Callable[[_Desk], None]) -> None:
        self.calls: deque[_Call] = deque()
        self.running: _Call | None = None
        self.is_late = False
        self._setting, self._late = setting, late
        self._process: Process | None = None
        self._creation: asyncio.Task[Process] | None = None
        self._work: asyncio.Task[None] | None = None
        # The text that the process has of each document.
        self._known: dict[str, int] = {}

    def put(self, call: _Call) -> None:
        self.calls.append(call)
        if self._work is None or self._work.done():
            self._work = asyncio.get_running_loop().create_task(self._run())

    def send(self, name: str, text: Text = _NO_TEXT, *, starts: bool = False) -> None:
        """Queues a call without waiting for its answer, if there is a process."""
        if starts or self._process is not None:
            answer = asyncio.get_running_loop().create_future()
            answer.add_done_callback(lambda answer: answer.cancelled() or answer.exception())
            self.put(_Call(name, text, None, answer))

    async def _run(self) -> None:
        while self.calls:
            call = self.calls.popleft()
            if call.answer.done():
                continue
            self.running = call
            try:
                is_done, answer = await self._answered(call)
            except Exception as error:
                # Whatever the error, the call is answered, and the next ones go to a new process.
                self.kill()
                why = getattr(error, "strerror", None) or "it may lack memory"
                call.refuse(WorkerError(f"the process that works on it ended: {why}", file=call.text.path))
            else:
                if not is_done:
                    call.refuse(answer)
                elif not call.answer.done():
                    call.answer.set_result(answer)
            finally:
                self.running, self.is_late = None, False

    async def _answered(self, call: _Call) -> tuple[bool, Any]:
        process = self._process = self._process or await self._started()
        text = call.text
        if call.name == DROP:
            self._known.pop(text.uri, None)
        elif self._known.get(text.uri) == text.serial:
            text = text._replace(source=None)
        elif call.name != FORGET:
            self._known[text.uri] = text.serial
        timer = asyncio.get_running_loop().call_later(_LATE, self._grow_late)
        try:
            await _send(process, pickle.dumps((call.name, text, call.params)))
            answer = await _received(process)
        finally:
            timer.cancel()
        found: tuple[bool, Any] = pickle.loads(answer)  # noqa: S301  # from a process of this program
        return found

    def _grow_late(self) -> None:
        self.is_late = True
        self._late(self)

    async def _started(self) -> Process:
        self._known = {}
        command = [sys.executable, "-I", "-X", "utf8", "-c", _START, *filter(os.path.isabs, sys.path), _PACKAGES]
        # A group of its own, so that its children end with it.
        errors = DEVNULL if sys.stderr is None else None
        creation = asyncio.create_subprocess_exec(
            *command, stdin=PIPE, stdout=PIPE, stderr=errors, start_new_session=True
        )
        # Not cancelled with the work: a lost process could not be ended.
        self._creation = asyncio.get_running_loop().create_task(creation)
        process = self._process = await asyncio.shield(self._creation)
        await _send(process, self._setting)
        await _received(process)
        return process

    def kill(self) -> None:
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            with suppress(ProcessLookupError, PermissionError):
                if hasattr(os, "killpg"):
                    os.killpg(process.pid, signal.SIGKILL)
                else:
                    process.kill()

    async def end(self) -> None:
        if self._work is not None:
            self._work.cancel()
        if self._creation is not None:
            with suppress(OSError):
                self._process = await self._creation
                self.kill()
                await self._creation.result().wait()


async def _send(process: Process, data: bytes) -> None:
    assert process.stdin is not None, "it is a pipe"
    process.stdin.write(len(data).to_bytes(8, "little") + data)
    await process.stdin.drain()


async def _received(process: Process) -> bytes:
    assert process.stdout is not None, "it is a pipe"
    size = int.from_bytes(await process.stdout.readexactly(8), "little")
    return await process.stdout.readexactly(size)


class Desks:
    """The processes of one server.

    Args:
        setting: the arguments of `SharedState`.
    """

    def __init__(self, *setting: object) -> None:
        self._setting = pickle.dumps(setting)
        # The shared ones by whether they wait for other programs, and those of one text by its uri.
        self._shared = {is_slow: self._desk() for is_slow in (False, True)}
        self._own: dict[str, _Desk] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._left: list[_Desk] = []
        # Its libraries load while the editor initialises.
        self._shared[False].send(FORGET, starts=True)

    def _desk(self) -> _Desk:
        return _Desk(self._setting, self._give)

    async def call(self, name: str, text: Text, params: Any = None) -> Any:
        """The result of a call about a text; calls about one are done in their order.

        Raises:
            OutdatedError: there is a newer text.
            SdfInertiaError: there is none.
        """
        call = _Call(name, text, params, asyncio.get_running_loop().create_future())
        own = self._own.get(text.uri)
        if own is not None:
            self._keep(text.uri)
        desk = own or self._shared[_is_slow(text)]
        desk.put(call)
        if desk.is_late:
            self._give(desk)
        return await call.answer

    def outdate(self, uri: str) -> None:
        """Refuses the calls about a text, which has changed or is closed."""
        for desk in self._all():
            for call in (*desk.calls, *([desk.running] if desk.running is not None else ())):
                if call.text.uri == uri:
                    call.refuse(OutdatedError())
        self.free(uri)

    def free(self, uri: str) -> None:
        """Ends work on a text whose answer is no longer needed."""
        for desk in self._all():
            if desk.is_late and desk.running is not None and desk.running.text.uri == uri:
                self._give(desk)

    def close(self, uri: str) -> None:
        own = self._own.pop(uri, None)
        if own is not None:
            self._timers.pop(uri).cancel()
            own.kill()
            self._left.append(own)
        for desk in self._shared.values():
            desk.send(DROP, _NO_TEXT._replace(uri=uri))

    def forget(self) -> None:
        """Searches again for files that were not found."""
        for desk in self._all():
            desk.send(FORGET)

    def _all(self) -> list[_Desk]:
        return [*self._shared.values(), *self._own.values()]

    def _give(self, desk: _Desk) -> None:
        """Gives a late process its text if others wait; ends it if its answer is no longer needed."""
        call = desk.running
        if call is None:
            return
        if call.answer.done():
            desk.kill()
            return
        kind = next((kind for kind, each in self._shared.items() if each is desk), None)
        uri = call.text.uri
        others = [each for each in desk.calls if each.text.uri != uri]
        if kind is None or not others or call.text.serial < 0 or len(self._own) >= _MOST:
            return
        self._own[uri], self._shared[kind] = desk, self._desk()
        self._keep(uri)
        desk.calls = deque(each for each in desk.calls if each.text.uri == uri)
        for each in others:
            self._shared[kind].put(each)

    def _keep(self, uri: str) -> None:
        """Ends the process of a text after it was idle for a while."""
        if uri in self._timers:
            self._timers[uri].cancel()
        self._timers[uri] = asyncio.get_running_loop().call_later(_KEPT, self._leave, uri)

    def _leave(self, uri: str) -> None:
        own = self._own[uri]
        if own.running is not None or own.calls:
            self._keep(uri)
            return
        del self._own[uri], self._timers[uri]
        own.kill()
        self._left.append(own)

    async def end(self) -> None:
        for desk in (*self._all(), *self._left):
            await desk.end()


def _is_slow(text: Text) -> bool:
    source = (text.source or "").lower()
    return text.path.lower().endswith(_SLOW[0]) or any(suffix in source for suffix in _SLOW)
