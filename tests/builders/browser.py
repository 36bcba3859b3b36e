"""Chromium without a screen, for tests of pages."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")

# What a module of such tests is marked by.
NEEDS_CHROMIUM = [
    pytest.mark.skipif(CHROMIUM is None or DRIVER is None, reason="chromium and chromedriver are not on PATH"),
    # The driver's sockets are closed by the collector, which says so.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]

_FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-background-networking",
    "--disable-dev-shm-usage",
    "--force-device-scale-factor=1",
    "--window-size=1500,950",
    # A name that a site gives to this machine.
    "--host-resolver-rules=MAP evil.example 127.0.0.1",
)


@contextmanager
def chromium(profile: Path, **capabilities: str) -> Iterator[Any]:
    """A driver of a browser of its own, which keeps what its pages log.

    Args:
        profile: an empty directory for it.
        capabilities: further ones, by their names.
    """
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in (*_FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    for name, value in capabilities.items():
        options.set_capability(name, value)
    driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    try:
        yield driver
    finally:
        driver.quit()
