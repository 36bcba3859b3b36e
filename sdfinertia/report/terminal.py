"""The output of a run: lines on standard output and standard error, its counts, its speed and its exit status."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
import threading
import time
from collections import Counter
from enum import IntEnum
from typing import TYPE_CHECKING

from sdfinertia.errors import WriteError, counted, printable, unicode_text
from sdfinertia.files.regular_file import write_whole
from sdfinertia.links.provenance import Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from types import TracebackType

    from rich.progress import Progress as RichProgress

    from sdfinertia.documents.filling import FillResult
    from sdfinertia.options import Options


# The style of errors, as rich names it.
ERROR = "red"
# Styles of lines on standard output, as terminals know them.
BOLD, DIM = "1", "2"
# From this many files on, a terminal shows a progress bar.
_PROGRESS_FROM = 4
# Refresh interval (s): faster than the eye can follow is of no use.
_REFRESH_EVERY = 0.1
# Columns that lines have at least, however narrow a terminal is.
_LEAST_WIDTH = 40
# How long a single file takes before a terminal shows it (s).
_SILENT_FOR = 2.0


def say(text: str, *, style: str = "") -> None:
    """Writes one line to standard error, in a style of rich on a terminal."""
    if sys.stderr is None:
        return
    text = unicode_text(printable(text))
    if style and has_colour():
        # Loaded on a terminal only: it costs more than filling a file.
        from rich.console import Console

        Console(stderr=True, highlight=False, soft_wrap=True).print(text, style=style, markup=False)
        return
    _write_to_standard_error(text)


def say_lines(lines: Sequence[str], *, heading_style: str = "") -> None:
    """Writes many lines to standard error at once; headings are not indented."""
    if has_colour():
        for line in lines:
            say(line, style="" if line.startswith(" ") else heading_style)
    elif lines:
        # At once: standard error is flushed after each line.
        _write_to_standard_error("\n".join(unicode_text(printable(line)) for line in lines))


def _write_to_standard_error(text: str) -> None:
    if sys.stderr is None:
        return
    encoding = sys.stderr.encoding or "utf-8"
    sys.stderr.write(text.encode(encoding, "replace").decode(encoding) + "\n")


def is_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


def has_colour() -> bool:
    return is_terminal() and _wants_colour()


def _wants_colour() -> bool:
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def print_text(text: str) -> None:
    """Writes several lines to standard output; their names are printable already."""
    text = unicode_text(text)
    text = text if text.endswith("\n") else text + "\n"
    print_bytes(text.encode(_encoding(), "replace"))


def _encoding() -> str:
    return getattr(sys.stdout, "encoding", None) or "utf-8"


def wrapped(text: str) -> str:
    """Lines that fit the terminal; as they are where standard output is none."""
    if sys.stdout is None or not sys.stdout.isatty():
        return text
    width = max(_LEAST_WIDTH, shutil.get_terminal_size().columns)
    wrapper = textwrap.TextWrapper(width, subsequent_indent=" " * 6, break_long_words=False, break_on_hyphens=False)
    return "".join(f"{wrapper.fill(line)}\n" for line in text.splitlines())


def print_line(text: str) -> None:
    """Writes one line to standard output; any text is safe."""
    print_bytes((unicode_text(printable(text)) + "\n").encode(_encoding(), "replace"))


def print_styled(lines: Iterable[tuple[str, str]]) -> None:
    is_styled = sys.stdout is not None and sys.stdout.isatty() and _wants_colour()
    text = "".join(f"\x1b[{style}m{line}\x1b[0m\n" if style and is_styled else f"{line}\n" for line, style in lines)
    is_unicode = _encoding().lower().startswith("utf")
    print_text(text if is_unicode else text.replace("─", "-"))


def print_bytes(data: bytes) -> None:
    if sys.stdout is None:
        raise WriteError("is closed", file="standard output")
    sys.stdout.flush()
    # Without a buffer (PYTHONUNBUFFERED) a call may take only a part.
    write_whole(sys.stdout.buffer.write, data)
    sys.stdout.buffer.flush()


class _Clock:
    """On a terminal, a line that counts the seconds of a file that takes long, until it is stopped."""

    def __init__(self, doing: str) -> None:
        self._doing = unicode_text(printable(doing))
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._tick, daemon=True)
        self._thread.start()

    def _tick(self) -> None:
        started = time.monotonic()
        wait, is_shown = _SILENT_FOR, False
        while not self._done.wait(wait):
            sys.stderr.write(f"\r{self._doing}: {time.monotonic() - started:.0f} s ")
            sys.stderr.flush()
            wait, is_shown = 1.0, True
        if is_shown:
            # Erases the line.
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def stop(self) -> None:
        self._done.set()
        self._thread.join()


class Progress:
    """The progress of a run on a terminal: a bar for several files, the seconds for `only`, a single one."""

    def __init__(self, total: int, *, quiet: bool, doing: str = "filling", only: str = "") -> None:
        self._clock: _Clock | None = None
        if only and not quiet and is_terminal() and os.environ.get("TERM") != "dumb":
            self._clock = _Clock(f"{doing} {only}")
        self._bar: RichProgress | None = None
        self._done = 0
        self._next_look = 0.0
        if total >= _PROGRESS_FROM and not quiet and is_terminal():
            from rich.console import Console
            from rich.progress import Progress as RichProgress

            # It would refresh itself in a thread, beside which no process can be forked in safety.
            self._bar = RichProgress(console=Console(stderr=True), transient=True, auto_refresh=False)
            self._task = self._bar.add_task(doing, total=total)

    def __enter__(self) -> Progress:
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop_clock()
        if self._bar is not None:
            self._bar.stop()

    def stop_clock(self) -> None:
        """Stops the clock, before anything else is written."""
        if self._clock is not None:
            self._clock.stop()
            self._clock = None

    def advance(self, *, remaining: int) -> None:
        self._done += 1
        if self._bar is not None:
            is_due = time.monotonic() >= self._next_look
            self._bar.update(self._task, completed=self._done, total=self._done + remaining, refresh=is_due)
            if is_due:
                self._next_look = time.monotonic() + _REFRESH_EVERY


# The end of a run -----------------------------------------------------------------------------------------------------


class ExitStatus(IntEnum):
    DONE = 0
    # There are findings, or changes to be made.
    FINDINGS = 1
    # Something was refused, or could not be judged.
    REFUSED = 2
    # The status that shells give a process stopped by Ctrl-C.
    INTERRUPTED = 130


_COUNTED_AS = {
    Status.FILLED: "filled",
    Status.REFILLED: "filled",
    Status.REPAIRED: "filled",
    Status.EDITED: "kept",
    Status.STALE: "kept",
    Status.FAILED: "failed",
}


def counts_of(result: FillResult) -> Counter[str]:
    """The results for a file; the counts of several files can be added."""
    counts = Counter[str]()
    for link in result.links:
        counts[_COUNTED_AS.get(link.status, "")] += 1
        if link.assumes_density:
            counts["default_densities"] += 1
    changed, is_refused = sum([file.changed for file in (result, *result.others)]), bool(result.errors)
    counts["matched"] = result.untouched + len(result.links)
    if changed or is_refused:
        counts["changed"], counts["refused"] = changed, int(is_refused)
    else:
        counts["unchanged"] = 1
    if result.unwritten:
        counts["unwritten"] = result.unwritten
    return counts


def status_of(counts: Counter[str], *, fails_on_change: bool) -> ExitStatus:
    """The worst status wins."""
    if counts["refused"] or counts["unwritten"]:
        return ExitStatus.REFUSED
    return ExitStatus.FINDINGS if fails_on_change and counts["changed"] else ExitStatus.DONE


def closing_line(counts: Counter[str], done: str, *, writes: bool) -> str:
    would = "" if writes else "would be "
    parts = (
        ("changed", f"{counted(counts['filled'], 'link')} {would}{done} in {counted(counts['changed'], 'file')}"),
        ("unchanged", f"{counted(counts['unchanged'], 'file')} {would}left unchanged"),
        ("kept", f"{counted(counts['kept'], 'link')} kept as edited or stale"),
        ("failed", f"{counted(counts['failed'], 'link')} failed"),
        ("unwritten", f"{counted(counts['unwritten'], 'block')} to paste by hand"),
        ("refused", f"{counted(counts['refused'], 'file')} refused"),
    )
    return (", ".join(text for what, text in parts if counts[what]) or "nothing to do") + "."


def asking_lines(counts: Counter[str], options: Options) -> Iterator[str]:
    """How links are chosen, where none requested to be filled and none was filled before."""
    if any(counts[name] for name in ("filled", "kept", "failed", "refused", "unwritten", "managed")):
        return
    missing = 0 if options.missing else counts["missing"]
    written = 0 if options.all else counts["all"]
    if missing or written:
        ways = [f"--missing fills {counted(missing, 'link')} without <inertial>"] if missing else []
        ways += (
            [f"--all computes {counted(written, 'hand-written inertial')} again, keeping the masses"] if written else []
        )
        request = 'write <inertial auto="true"> (SDF) or <!-- sdfinertia: auto --> (URDF) in a link'
        yield f"no link asks to be filled: {request}; {'; '.join(ways)}"


def density_line(counts: Counter[str]) -> str | None:
    if not counts["default_densities"]:
        return None
    return (
        f"{counted(counts['default_densities'], 'link')} filled at the default density, 1000 kg/m³: give <density> in "
        "the file, or --density (--require-density refuses the default)."
    )


# How many of the slowest files are named.
_SLOWEST = 3


class Pace:
    def __init__(self) -> None:
        self._started = time.perf_counter()
        self._files = 0
        self._slowest: list[tuple[float, str]] = []

    def add(self, path: str, seconds: float) -> None:
        self._files += 1
        if len(self._slowest) == _SLOWEST and seconds < self._slowest[-1][0]:
            return
        self._slowest = sorted([*self._slowest, (seconds, path)], reverse=True)[:_SLOWEST]

    def lines(self) -> Iterator[str]:
        files = self._files
        if not files:
            return
        elapsed = time.perf_counter() - self._started
        yield f"{counted(files, 'file')} in {elapsed:.2f} s ({files / elapsed:.3g} files/s)"
        if files > 1:
            yield "slowest: " + ", ".join(f"{path} {seconds:.2f} s" for seconds, path in self._slowest)
