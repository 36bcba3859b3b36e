"""Chromium without a screen, for tests of pages."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")

# The marks of a module of such tests.
NEEDS_CHROMIUM = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None or DRIVER is None, reason="chromium and chromedriver are not on PATH"),
    # The garbage collector closes the driver's sockets, with a warning.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]

FLAGS = (
    *("--headless=new", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"),
    *("--disable-background-networking", "--disable-dev-shm-usage", "--force-device-scale-factor=1"),
    # The processor draws all pixels: those of WebGL once, and of the page only those that changed.
    *("--webgl-antialiasing-mode=none", "--disable-gpu-compositing"),
    *("--disable-back-forward-cache", "--window-size=1500,950"),
    # A foreign site whose name resolves to this machine.
    "--host-resolver-rules=MAP evil.example 127.0.0.1",
)


def started(profile: Path) -> Any:
    """A driver of a browser of its own, which keeps what its pages log; `profile` is a directory for it."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM or ""
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    # Pages with unsaved changes close without a prompt.
    options.set_capability("unhandledPromptBehavior", "accept")
    return webdriver.Chrome(options=options, service=Service(DRIVER))


class SharedBrowser:
    """One browser that tests use one after the other; after a crash the next test starts another."""

    def __init__(self, start: Callable[[], Any]) -> None:
        self._start = start
        self._driver: Any = None

    def for_a_test(self) -> Iterator[Any]:
        """The driver of the browser, which shows an empty page and has logged nothing."""
        if self._driver is None:
            self._driver = self._start()
        driver = self._driver
        yield driver
        try:
            first, *others = driver.window_handles
            for other in others:
                driver.switch_to.window(other)
                driver.close()
            driver.switch_to.window(first)
            # Messages of a page whose server has ended must not reach the next test.
            driver.get("about:blank")
            driver.get_log("browser")
        except Exception:
            self.end()
            raise

    def end(self) -> None:
        driver, self._driver = self._driver, None
        if driver is not None:
            driver.quit()


def waiting(page: Any) -> Any:
    """A waiter for conditions, with short polls and a limit of a minute."""
    from selenium.common.exceptions import StaleElementReferenceException
    from selenium.webdriver.support.ui import WebDriverWait

    # Elements may be replaced meanwhile.
    return WebDriverWait(page, 60, poll_frequency=0.02, ignored_exceptions=[StaleElementReferenceException])


def logged(page: Any) -> list[Any]:
    """The log of the page since the last call, without WebGL's messages on performance."""
    return [entry for entry in page.get_log("browser") if "GPU stall due to ReadPixels" not in entry["message"]]
