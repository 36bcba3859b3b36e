"""Headless Chromium by its DevTools protocol, for tests of the requests of a page."""

import json
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from builders.browser import CHROMIUM, FLAGS

_PATIENCE = 60.0


class Tab:
    """A page; `asked_for` are the addresses of its requests."""

    def __init__(self, socket: Any) -> None:
        self._socket = socket
        self._count = 0
        self.asked_for: list[str] = []
        self._call("Network.enable")

    def open(self, address: str) -> None:
        self._call("Page.navigate", url=address)

    def value(self, expression: str) -> Any:
        """The value of an expression of JavaScript, once it is truthy."""
        end = time.monotonic() + _PATIENCE
        while time.monotonic() < end:
            found = self._call("Runtime.evaluate", expression=expression, returnByValue=True)["result"].get("value")
            if found:
                return found
            time.sleep(0.05)
        raise AssertionError(f"nothing came of {expression}")

    def write(self, text: str) -> None:
        self._call("Input.insertText", text=text)

    def _call(self, method: str, **parameters: Any) -> Any:
        self._count += 1
        self._socket.send(json.dumps({"id": self._count, "method": method, "params": parameters}))
        while True:
            message = json.loads(self._socket.recv())
            if message.get("method") == "Network.requestWillBeSent":
                self.asked_for.append(message["params"]["request"]["url"])
            if message.get("id") == self._count:
                return message["result"]


@contextmanager
def tab(profile: Path) -> Iterator[Tab]:
    """A page in a browser of its own; `profile` is a directory for it."""
    from websocket import create_connection

    words = [CHROMIUM or "", *FLAGS, f"--user-data-dir={profile}", "--remote-debugging-port=0", "about:blank"]
    browser = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        told = profile / "DevToolsActivePort"
        end = time.monotonic() + _PATIENCE
        while not (told.is_file() and told.read_text()) and time.monotonic() < end:
            time.sleep(0.05)
        port = told.read_text().split()[0]
        with urlopen(f"http://127.0.0.1:{port}/json") as answer:
            pages = [each for each in json.load(answer) if each["type"] == "page"]
        socket = create_connection(pages[0]["webSocketDebuggerUrl"], timeout=_PATIENCE, suppress_origin=True)
        try:
            yield Tab(socket)
        finally:
            socket.close()
    finally:
        browser.kill()
        browser.wait()
