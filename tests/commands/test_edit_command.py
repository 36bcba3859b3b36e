"""The command `edit` before it serves: what it needs, and what it refuses."""

from __future__ import annotations

import builtins
import json
import os
import shlex
import signal
import socket
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest
from builders.xacros import robot

if TYPE_CHECKING:
    from pathlib import Path

    from builders.commands import Run

# What the page of a document needs.
EDITING = ("starlette", "uvicorn")
MODEL = "<sdf version='1.11'><model name='m'><link name='l'/></model></sdf>"


LIBRARIES = [
    *(("edit m.sdf", library, "edit") for library in EDITING),
    ("lsp", "pygls", "lsp"),
]


@pytest.fixture
def model(project: Path) -> Path:
    pytest.importorskip("uvicorn", reason="uvicorn is not installed")
    (project / "m.sdf").write_text(MODEL)
    return project / "m.sdf"


@pytest.mark.parametrize(("words", "library", "extra"), LIBRARIES)
def test_without_its_libraries_it_says_what_to_install(command, project, monkeypatch, words, library, extra):
    (project / "m.sdf").write_text(MODEL)
    find = builtins.__import__

    def without(module: str, *rest: Any, **more: Any) -> Any:
        if module.partition(".")[0] == library:
            raise ModuleNotFoundError(f"No module named {library!r}", name=library)
        return find(module, *rest, **more)

    loaded = ("sdfinertia.editing.application", "sdfinertia.lsp")
    for module in [key for key in sys.modules if key.startswith(loaded)]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setattr(builtins, "__import__", without)
    outcome = command(*words.split())
    assert outcome.status == 2
    assert f"`sdfinertia {words.removesuffix(' m.sdf')}` needs the library {library}" in outcome.messages
    assert f"[{extra}]'`" in outcome.messages


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("-",), "standard input"),
        (("nothing.sdf",), "nothing.sdf"),
        ((".",), "holds 2 files"),
        (("bad.txt",), "bad.txt"),
        (("m.sdf", "--confine", "inside"), "outside"),
    ],
)
def test_a_page_shows_one_file_inside_the_confinement(command, project, model, arguments, told):
    (project / "b.sdf").write_text(MODEL)
    (project / "bad.txt").write_text("no SDF")
    (project / "inside").mkdir()
    outcome = command("edit", *arguments, "--no-browser")
    assert outcome.status == 2
    assert told in outcome.messages


def test_a_port_that_is_taken_is_refused(command: Run, model: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        outcome = command("edit", "m.sdf", "--no-browser", "--port", str(port))
    assert outcome.status == 2
    assert f"cannot listen on port {port}" in outcome.messages


@pytest.fixture
def unserved(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server tells its address and ends."""
    import sdfinertia.commands.edit as module

    monkeypatch.setattr(module, "_server", lambda: lambda session, port, tell: tell("http://127.0.0.1:1/?a"))


@pytest.mark.parametrize("opens", [True, False])
def test_the_page_is_opened_in_the_browser_unless_that_is_not_wanted(command, model, unserved, monkeypatch, opens):
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    outcome = command("edit", "m.sdf", *(() if opens else ("--no-browser",)))
    assert outcome.output == b"http://127.0.0.1:1/?a\n"
    assert "stop with Ctrl-C; nothing is written before Save." in outcome.messages
    assert len(opened) == opens


def test_a_robot_that_xacro_makes_is_said_to_be_only_shown(command, project, model, unserved):
    pytest.importorskip("xacro", reason="xacro is not installed")
    robot('<link name="l"/>')
    outcome = command("edit", "r.urdf.xacro", "--no-browser")
    assert "r.urdf.xacro is made by xacro, and only shown: change its numbers in the macros." in outcome.messages
    assert "nothing is written before Save" not in outcome.messages


# A browser as others of the machine see it: its arguments are told, and what it was given to open.
BROWSER = """import json, os, stat, sys
from urllib.parse import urlparse
from urllib.request import url2pathname
place = url2pathname(urlparse(sys.argv[1]).path)
modes = [stat.S_IMODE(os.stat(each).st_mode) for each in (place, os.path.dirname(place))]
with open("told.json.new", "w") as file:
    json.dump({"arguments": sys.argv[1:], "place": place, "modes": modes, "page": open(place).read()}, file)
os.rename("told.json.new", "told.json")
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")
def test_others_do_not_learn_the_token_from_the_process_of_the_browser(project: Path, model: Path) -> None:
    (project / "browser.py").write_text(BROWSER)
    environment = {**os.environ, "BROWSER": f"{shlex.quote(sys.executable)} browser.py %s"}
    server = subprocess.Popen(
        [sys.executable, "-m", "sdfinertia", "edit", "m.sdf"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=environment,
        umask=0,
    )
    try:
        address = server.stdout.readline().strip()
        token = address.split("/")[3]
        until = time.monotonic() + 60
        while not (project / "told.json").exists() and time.monotonic() < until:
            time.sleep(0.02)
        told = json.loads((project / "told.json").read_text())
        assert len(token) > 40
        assert token not in json.dumps(told["arguments"])
        assert told["modes"] == [0o600, 0o700]
        assert f'content="0; url={address}"' in told["page"]
        assert os.path.exists(told["place"])
    finally:
        server.send_signal(signal.SIGINT)
        server.communicate(timeout=60)
    assert not os.path.exists(os.path.dirname(told["place"]))
