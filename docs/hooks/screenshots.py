"""Takes the pictures of pages in the documentation, from what the program shows of a rover with two mistakes.

`make pictures` writes docs/pictures/rover_report.png and rover_edit.png. Each holds in a chunk of text what `check`
finds in the rover, by which a test notices that a picture shows words of an older version.
"""

from __future__ import annotations

import os
import re
import shutil
import struct
import tempfile
import zlib
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import sdfinertia

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "docs" / "pictures"
REPORT, EDIT = PICTURES / "rover_report.png", PICTURES / "rover_edit.png"
_SIZE = (1400, 820)
_KEYWORD = b"Findings\0\0\0\0\0"
# Entries that are ten times too large, by the name of their link.
_MISTAKES = {"front_left_wheel": ("izz",), "tilt_link": ("ixx", "iyy", "izz")}


def rover(directory: Path) -> Path:
    """The rover of the fixtures, filled, with two mistakes."""
    path = shutil.copytree(ROOT / "fixtures" / "rover", directory / "rover") / "model.sdf"
    sdfinertia.fill(path, sdfinertia.Options(provenance=False)).write()
    text = path.read_text(encoding="utf-8")
    for link, entries in _MISTAKES.items():
        for entry in entries:
            found = re.search(rf'<link name="{link}">.*?<{entry}>([^<]*)<', text, re.DOTALL)
            assert found is not None, f"the rover has a {link} with an {entry}"
            text = f"{text[: found.start(1)]}{10 * float(found[1]):.12g}{text[found.end(1) :]}"
    path.write_text(text, encoding="utf-8")
    return path


def said(path: Path) -> str:
    """What `check` says of it, a line a finding."""
    findings = sdfinertia.check(path, sdfinertia.Options(why=True))
    return "\n".join(f"{each.code} {each.link}: {each.message}; {each.why}" for each in findings)


def text_in(picture: Path) -> str:
    """What the findings were when it was taken."""
    data, place = picture.read_bytes(), 8
    while place < len(data):
        (length,) = struct.unpack_from(">I", data, place)
        body = data[place + 8 : place + 8 + length]
        if data[place + 4 : place + 8] == b"iTXt" and body.startswith(_KEYWORD):
            return body[len(_KEYWORD) :].decode("utf-8")
        place += length + 12
    return ""


def _keep(png: bytes, text: str, picture: Path) -> None:
    """Writes a picture with a text before its end."""
    body = b"iTXt" + _KEYWORD + text.encode("utf-8")
    chunk = struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))
    end = png.rindex(b"IEND") - 4
    picture.write_bytes(png[:end] + chunk + png[end:])


@contextmanager
def _browser(directory: Path) -> Iterator[Any]:
    from builders.browser import started

    driver = started(directory / "profile")
    try:
        # A window is higher than what it shows.
        driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": _SIZE[0], "height": _SIZE[1], "deviceScaleFactor": 1, "mobile": False},
        )
        driver.execute_cdp_cmd("Emulation.setScrollbarsHidden", {"hidden": True})
        yield driver
    finally:
        driver.quit()


def main() -> None:
    """Takes both pictures."""
    from builders.editor import edited, opened, pick
    from click.testing import CliRunner

    from sdfinertia.cli import main as command

    with tempfile.TemporaryDirectory() as name, _browser(Path(name)) as driver:
        path = rover(Path(name))
        text = said(path)
        # Messages name the file as it is named here.
        os.chdir(path.parent)
        CliRunner().invoke(command, ["check", "--no-cache", "--why", "--report", "page.html", path.name])
        opened(driver, (path.parent / "page.html").as_uri(), "window.sdfinertia")
        _keep(_shown(driver), text, REPORT)
        for address in edited(Path(path.name)):
            pick(opened(driver, address), "rover::chassis")
            _keep(_shown(driver), text, EDIT)


def _shown(driver: Any) -> bytes:
    """The page as a picture, without the line on how to use it."""
    from builders.editor import until

    driver.execute_script("document.querySelector('#help-line button')?.click()")
    until(driver, lambda: driver.execute_async_script("requestAnimationFrame(() => setTimeout(arguments[0], 500, 1))"))
    png: bytes = driver.get_screenshot_as_png()
    return png


if __name__ == "__main__":
    main()
