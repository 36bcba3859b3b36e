"""The page of `sdfinertia edit` in a browser, used by mouse and keyboard: picking, typing, dragging, saving."""

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Any
from urllib.request import Request, urlopen

import numpy as np
import pytest

from builders.browser import NEEDS_CHROMIUM, waiting
from sdfinertia.editing.draft import open_draft
from sdfinertia.inertia import SpatialInertia
from sdfinertia.options import Options

_MISSING = [name for name in ("selenium", "uvicorn", "starlette") if find_spec(name) is None]
# Tests by mouse and keyboard need all of this.
NEEDS_EDITOR = [*NEEDS_CHROMIUM, pytest.mark.skipif(bool(_MISSING), reason=f"{' and '.join(_MISSING)} not installed")]

BOX = "<collision name='c'><geometry><box><size>1 2 3</size></box></geometry></collision>"
WRITTEN = (
    "<inertial>\n<mass>12.0</mass>\n<inertia><ixx>13</ixx><ixy>0</ixy><ixz>0</ixz><iyy>10</iyy><iyz>0</iyz>"
    "<izz>5</izz></inertia></inertial>"
)
LEFT = f"<link name='l'>\n{WRITTEN}\n{BOX}</link>"
RIGHT = f"<link name='k'>\n<pose>4 0 0 0 0 0</pose><inertial auto='true'/>\n{BOX}</link>"
TWO_LINKS = f"<sdf version='1.11'>\n<model name='m'>\n{LEFT}\n{RIGHT}\n</model></sdf>\n"


def served(*words: object) -> Iterator[str]:
    """The address that the command prints in a process of its own; it is ended by Ctrl-C."""
    command = [sys.executable, "-m", "sdfinertia", *map(str, words), "--no-browser"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert server.stdout is not None
    assert server.stderr is not None
    try:
        yield server.stdout.readline().strip()
    finally:
        server.send_signal(signal.SIGINT)
        server.communicate(timeout=60)
    assert server.returncode == 0


def edited(path: Path) -> Iterator[str]:
    """The address of a session that changes a document, served by a thread of this process until it is asked to end."""
    from sdfinertia.editing.application import serve
    from sdfinertia.editing.session import Session

    told: Queue[str] = Queue()
    session = Session(str(path), Options(), keeps=True)
    server = Thread(target=serve, args=(session, 0, told.put))
    server.start()
    address = told.get()
    try:
        yield address
    finally:
        host = "/".join(address.split("/")[:3])
        headers = {"content-type": "application/json", "origin": host}
        with urlopen(Request(f"{address}close", b"{}", headers)) as answer:
            assert answer.status == 200
        server.join(60)
    assert not server.is_alive()


def opened(browser: Any, address: str, ready: str = "window.sdfinertia?.editing?.isReady") -> Any:
    browser.get(address)
    until(browser, lambda: browser.execute_script(f"return Boolean({ready})"))
    assert browser.execute_script("return document.getElementById('trouble').textContent") == ""
    browser.execute_script("window.onbeforeunload = null")
    return browser


def until(page: Any, is_so: Callable[[], Any]) -> None:
    waiting(page).until(lambda _: is_so())


def pick(page: Any, name: str) -> None:
    page.find_element("css selector", f"tr.link[data-name='{name}'] .own").click()
    until(page, lambda: page.find_element("id", "editor").text.startswith(name))


def numbers(page: Any, link: int = 0) -> Any:
    return page.execute_script(f"return sdfinertia.editing.state().links['{link}'].numbers")


def version(page: Any) -> int:
    return int(page.execute_script("return sdfinertia.editing.state().version"))


def after(page: Any, action: Callable[[], Any], link: int = 0) -> Any:
    """The numbers of a link after an action that changes them."""
    before = version(page)
    action()
    until(page, lambda: version(page) > before)
    return numbers(page, link)


def undone(page: Any) -> Any:
    """The numbers of the first link after undo."""
    return after(page, lambda: page.find_element("id", "undo").click())


def rewritten(page: Any, path: Path, text: str, expected: Any) -> None:
    """Writes the document as another program does, and waits until the first link has its numbers."""
    path.write_text(text)
    until(page, lambda: numbers(page) == expected)


def typed(page: Any, field: str, value: float) -> None:
    from selenium.webdriver.common.keys import Keys

    box = page.find_element("id", field)
    box.send_keys(Keys.CONTROL, "a")
    box.send_keys(repr(value), Keys.ENTER)


def chosen(page: Any, select: str, value: str) -> None:
    from selenium.webdriver.support.ui import Select

    Select(page.find_element("id", select)).select_by_value(value)


def dragged(page: Any, start: Any, end: Any) -> None:
    """Drags from one pixel of the canvas to another, as a hand does: in steps."""
    _drag(page, start, end).release().perform()


def _drag(page: Any, start: Any, end: Any) -> Any:
    from selenium.webdriver.common.action_chains import ActionChains

    canvas = page.find_element("id", "canvas")
    middle = np.array([canvas.size["width"] / 2, canvas.size["height"] / 2])
    a, b = (np.array([point["x"], point["y"]]) - middle for point in (start, end))
    chain = ActionChains(page, duration=0).move_to_element_with_offset(canvas, round(a[0]), round(a[1]))
    chain.click_and_hold()
    spot = np.round(a)
    for part in (0.3, 0.6, 1.0):
        step = np.round(a + part * (b - a)) - spot
        chain.move_by_offset(int(step[0]), int(step[1]))
        spot += step
    return chain


def pixel(page: Any, *offset: float) -> Any:
    return page.execute_script(f"return sdfinertia.editing.pixel({list(offset)})")


def handle(page: Any, axis: int, side: int) -> Any:
    return page.execute_script(f"return sdfinertia.editing.handle({axis}, {side})")


def along(page: Any, start: Any, axis: int, side: int, length: float) -> Any:
    """The pixel to which a handle goes whose face is moved outward by a length."""
    offset = [0.0, 0.0, 0.0]
    half = (numbers(page)["box"])[axis] / 2
    offset[axis] = side * half
    here = pixel(page, *offset)
    offset[axis] = side * (half + length)
    there = pixel(page, *offset)
    return {key: start[key] + there[key] - here[key] for key in "xy"}


def held(page: Any, start: Any, end: Any) -> None:
    """Drags as `dragged` does, and does not let go."""
    _drag(page, start, end).perform()


def saved(page: Any, path: Path) -> SpatialInertia:
    page.find_element("id", "save").click()
    until(page, lambda: not page.execute_script("return sdfinertia.editing.state().isChanged"))
    return open_draft(path).inertia("m::l")
