"""A text that takes long holds up no other, and its work ends when it changes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("lsprotocol", reason="lsprotocol is not installed")

from builders.processes import is_alive

from sdfinertia.errors import SdfInertiaError, WorkerError
from sdfinertia.lsp import desks as module
from sdfinertia.lsp.desk import Text
from sdfinertia.lsp.desks import Desks, OutdatedError

# A process that answers each call with its own id; the source says how long it takes, whether it dies, what it starts.
PROGRAM = """
import collections, os, pickle, subprocess, sys, time, types
# In place of the module, whose libraries take a second to load.
for name in ("sdfinertia", "sdfinertia.lsp", "sdfinertia.lsp.desk"):
    sys.modules[name] = types.ModuleType(name)
sys.modules["sdfinertia.lsp.desk"].Text = collections.namedtuple("Text", "uri path source number units serial")
def read(size):
    return sys.stdin.buffer.read(size)
def write(answer):
    data = pickle.dumps(answer)
    sys.stdout.buffer.write(len(data).to_bytes(8, "little") + data)
    sys.stdout.buffer.flush()
def received():
    size = int.from_bytes(read(8), "little")
    return pickle.loads(read(size)) if size else sys.exit()
received()
write(None)
sources = {}
while True:
    name, text, asked = received()
    if text.source is not None:
        sources[text.uri] = text.source
    source = sources.get(text.uri, "")
    if source == "dies":
        os._exit(3)
    if source.startswith("starts "):
        open(source[7:], "w").write(str(subprocess.Popen(["sleep", "60"]).pid))
        time.sleep(60)
    time.sleep(float(source) if source else 0)
    write((True, os.getpid()))
"""
LATE = 0.2


@pytest.fixture(autouse=True)
def program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_START", PROGRAM)
    monkeypatch.setattr(module, "_LATE", LATE)


def served(work: Callable[[Desks], Coroutine[Any, Any, None]]) -> None:
    async def run() -> None:
        desks = Desks()
        try:
            await asyncio.wait_for(work(desks), 50)
        finally:
            await desks.end()

    asyncio.run(run())


def text(uri: str, source: str, serial: int = 1) -> Text:
    return Text(uri, f"/{uri}.sdf", source, 1, "utf-16", serial)


def begun(desks: Desks, *given: Any) -> asyncio.Task[Any]:
    return asyncio.get_running_loop().create_task(desks.call("check", *given))


def test_quick_texts_share_a_process() -> None:
    async def work(desks: Desks) -> None:
        found = [await desks.call("check", text(uri, "0"), None) for uri in "abab"]
        assert len(set(found)) == 1

    served(work)


def test_a_text_that_takes_long_has_a_process_of_its_own_and_the_others_another() -> None:
    async def work(desks: Desks) -> None:
        first = await desks.call("check", text("b", "0"), None)
        slow = begun(desks, text("a", "3"), None)
        await asyncio.sleep(0)
        others = [await desks.call("check", text(uri, "0"), None) for uri in "bcd"]
        assert not slow.done(), "they waited for it"
        assert len(set(others)) == 1
        assert await slow == first != others[0]
        assert await desks.call("check", text("a", "0", 2), None) == first, "it stays with its process"

    served(work)


def test_texts_that_need_other_programs_do_not_stand_before_those_that_do_not() -> None:
    async def work(desks: Desks) -> None:
        slow = begun(desks, Text("a", "/a.xacro", "1.5", 1, "utf-16", 1), None)
        await asyncio.sleep(LATE / 2)
        assert await desks.call("check", text("b", "0"), None) != await slow

    served(work)


def test_a_newer_text_ends_the_work_on_the_older_and_what_that_started(tmp_path: Path) -> None:
    async def work(desks: Desks) -> None:
        note = tmp_path / "started"
        slow = begun(desks, text("a", f"starts {note}"), None)
        while not (note.exists() and note.read_text()):
            await asyncio.sleep(0.05)
        child = int(note.read_text())
        await asyncio.sleep(2 * LATE)
        queued = begun(desks, text("a", f"starts {note}"), None)
        await asyncio.sleep(0)
        desks.outdate("a")
        for each in (slow, queued):
            with pytest.raises(OutdatedError):
                await each
        started = time.monotonic()
        assert await desks.call("check", text("a", "0", 2), None)
        assert time.monotonic() - started < 60
        assert not is_alive(child)

    served(work)


def test_what_is_asked_of_an_older_text_is_refused_at_once() -> None:
    async def work(desks: Desks) -> None:
        asked = [begun(desks, text("a", "0.1"), None) for _ in range(3)]
        other = begun(desks, text("b", "0"), None)
        await asyncio.sleep(0.01)
        desks.outdate("a")
        assert [type(each) for each in await asyncio.gather(*asked, return_exceptions=True)] == 3 * [OutdatedError]
        assert await other

    served(work)


def test_a_process_that_dies_is_an_error_of_its_text_and_the_next_call_has_a_new_one() -> None:
    async def work(desks: Desks) -> None:
        first = await desks.call("check", text("b", "0"), None)
        with pytest.raises(WorkerError, match="the process that works on it ended"):
            await desks.call("check", text("a", "dies"), None)
        assert await desks.call("check", text("b", "0"), None) != first

    served(work)


def test_no_process_outlives_the_server() -> None:
    found: list[int] = []

    async def work(desks: Desks) -> None:
        found.append(await desks.call("check", text("b", "0"), None))
        slow = begun(desks, text("a", "60"), None)
        await asyncio.sleep(2 * LATE)
        slow.cancel()

    served(work)
    assert not is_alive(found[0])


def test_a_process_that_cannot_be_started_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module.sys, "executable", "/none")

    async def work(desks: Desks) -> None:
        with pytest.raises(SdfInertiaError, match="No such file"):
            await desks.call("check", text("b", "0"), None)

    served(work)
