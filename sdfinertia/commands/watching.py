"""`check --watch`: checks again when a model, mesh or configuration changes, until Ctrl-C."""

from __future__ import annotations

import gc
import os
import sys
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from threading import Event, Thread

from sdfinertia.commands.check import checked_once, require_sense
from sdfinertia.commands.check_reports import CheckRequest
from sdfinertia.commands.file_run import STANDARD_STREAM, ended
from sdfinertia.errors import ConfigurationError, ResourceError
from sdfinertia.mesh.readers.formats import EXTENSIONS
from sdfinertia.options import GivenOptions
from sdfinertia.report.terminal import ExitStatus, say
from sdfinertia.robot.suffixes import MJCF_SUFFIXES, SUFFIXES
from sdfinertia.runs.configuration import OWN_FILE, SHARED_FILE

_SUFFIXES = (*SUFFIXES, *MJCF_SUFFIXES, ".xacro", *EXTENSIONS)
_NAMES = frozenset({OWN_FILE, SHARED_FILE, "model.config", "package.xml"})
# The wait for further changes of the same writer, and the polling interval at the end (ms).
_DEBOUNCE, _POLL = 50, 100
# Clears a terminal and its scrollback.
_CLEAR = "\x1b[2J\x1b[3J\x1b[H"


def run_watched(paths: Sequence[str], given: GivenOptions, request: CheckRequest) -> int:
    """Checks again and again until Ctrl-C, and returns the exit status."""

    def run() -> int:
        require_sense(paths, given, request)
        _require_sense(paths, request)
        with suppress(KeyboardInterrupt):
            while True:
                _check_and_wait(paths, given, request)
                # Automatic collection is off.
                gc.collect()
        return ExitStatus.DONE

    return ended(run)


def _require_sense(paths: Sequence[str], request: CheckRequest) -> None:
    if STANDARD_STREAM in paths:
        raise ConfigurationError("--watch takes files and directories, not -")
    if request.fixes or request.new_baseline is not None:
        raise ConfigurationError("--watch writes no models, and cannot be combined with fixes or --write-baseline")
    for path in paths:
        if not os.path.exists(path):
            raise ResourceError("not found", file=path)
    try:
        import watchfiles  # noqa: F401
    except ImportError as error:
        from sdfinertia.installation import install_advice

        raise ConfigurationError(
            f"`sdfinertia check --watch` needs the library {error.name}",
            remedy=install_advice("edit"),
        ) from None


def _check_and_wait(paths: Sequence[str], given: GivenOptions, request: CheckRequest) -> None:
    trees = {os.path.abspath(path) for path in paths if os.path.isdir(path)}
    started = time.time()
    if sys.stdout.isatty():
        print(_CLEAR, end="", flush=True)
    with _Watch() as watch:
        # Begun first, so that no change during the check is missed.
        watch.begin(trees, is_tree=True)
        watch.known |= _checked(paths, given, request)
        sys.stdout.flush()
        places = {os.path.dirname(path) for path in (*watch.known, *map(os.path.abspath, paths))}
        watch.begin(places - trees, is_tree=False)
        if request.verbosity >= 0:
            say("waiting for changes; Ctrl-C to stop.")
        if not any(_is_newer(path, started) for path in watch.known):
            watch.wait()


def _checked(paths: Sequence[str], given: GivenOptions, request: CheckRequest) -> set[str]:
    """Checks the files once, and returns the paths that were read."""
    files_read: set[str] = {request.baseline} if request.baseline is not None else set()
    if ended(lambda: checked_once(paths, given, request, files_read=files_read)) == ExitStatus.INTERRUPTED:
        raise KeyboardInterrupt
    return {os.path.abspath(path) for path in files_read}


class _Watch:
    """Watches directories in threads of its own; `known` are files that count under any name."""

    def __init__(self) -> None:
        self.known: set[str] = set()
        self._changed, self._stop = Event(), Event()
        self._threads: list[Thread] = []
        self._failure: Exception | None = None

    def __enter__(self) -> _Watch:
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def begin(self, directories: Iterable[str], *, is_tree: bool) -> None:
        existing = [directory for directory in directories if os.path.isdir(directory)]
        if existing:
            is_ready = Event()
            thread = Thread(target=self._follow_safely, args=(existing, is_tree, is_ready), daemon=True)
            self._threads.append(thread)
            thread.start()
            is_ready.wait()
            self._require_health()

    def wait(self) -> None:
        # In short waits: an endless one cannot be interrupted on Windows.
        while not self._changed.wait(_POLL / 1000):
            pass
        self._require_health()

    def _require_health(self) -> None:
        if self._failure is not None:
            raise ResourceError(f"changes cannot be watched: {self._failure}")

    def _follow_safely(self, directories: Sequence[str], is_tree: bool, is_ready: Event) -> None:
        try:
            self._follow(directories, is_tree, is_ready)
        except Exception as error:
            # Usually there are too many directories for the system.
            self._failure = error
            self._changed.set()
        finally:
            is_ready.set()

    def _follow(self, directories: Sequence[str], is_tree: bool, is_ready: Event) -> None:
        from watchfiles import watch

        for changes in watch(
            *directories,
            watch_filter=None,
            recursive=is_tree,
            stop_event=self._stop,
            debounce=_DEBOUNCE,
            rust_timeout=_POLL,
            yield_on_timeout=True,
        ):
            is_ready.set()
            if any(path in self.known or _may_matter(path) for _, path in changes):
                self._changed.set()


def _may_matter(path: str) -> bool:
    """Whether a path could be checked; a new directory may have got files before it was watched."""
    name = os.path.basename(path)
    return name.lower().endswith(_SUFFIXES) or name in _NAMES or (os.path.isdir(path) and not name.startswith("."))


def _is_newer(path: str, since: float) -> bool:
    try:
        return os.stat(path).st_mtime > since
    except OSError:
        return False
