"""The counts of a run, its closing line, exit status and speed."""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from time import perf_counter

from sdfinertia.documents.filling import FillResult
from sdfinertia.links.study import Status
from sdfinertia.report.wording import counted


class ExitStatus(IntEnum):
    DONE = 0
    # Something was found, or would change.
    FINDINGS = 1
    # Something was refused, or could not be judged.
    REFUSED = 2
    # What shells give for a process that was stopped by Ctrl-C.
    INTERRUPTED = 130


class Tally:
    """Counts what a run did; the worst exit status wins."""

    def __init__(self, writes: bool = True, fails_on_change: bool = False, done: str = "filled") -> None:
        self.writes, self.fails_on_change, self.done = writes, fails_on_change, done
        self.changed_files = self.unchanged_files = self.refused_files = 0
        self.filled_links = self.kept_links = self.failed_links = 0
        self.matched_links = self.default_densities = self.unwritten_blocks = 0

    def add(self, result: FillResult) -> None:
        changed = sum(file.changed for file in (result, *result.others))
        self.unwritten_blocks += result.unwritten
        if changed:
            self.changed_files += changed
        elif not result.errors:
            self.unchanged_files += 1
        if result.errors:
            self.refused_files += 1
        self.matched_links += result.untouched + len(result.links)
        for link in result.links:
            self._count(link.status)
            self.default_densities += link.assumes_density

    def _count(self, status: Status) -> None:
        match status:
            case Status.FILLED | Status.REFILLED | Status.REPAIRED:
                self.filled_links += 1
            case Status.EDITED | Status.STALE:
                self.kept_links += 1
            case Status.FAILED:
                self.failed_links += 1
            case Status.WITHHELD | Status.LEFT | Status.CLEAN:
                pass

    def add_counts(self, other: Tally) -> None:
        for name in _COUNTS:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    @property
    def exit_status(self) -> ExitStatus:
        if self.refused_files or self.unwritten_blocks:
            return ExitStatus.REFUSED
        return ExitStatus.FINDINGS if self.fails_on_change and self.changed_files else ExitStatus.DONE

    def closing_line(self) -> str:
        would = "" if self.writes else "would be "
        parts = []
        if self.changed_files:
            parts.append(
                f"{counted(self.filled_links, 'link')} {would}{self.done} in {counted(self.changed_files, 'file')}"
            )
        if self.unchanged_files:
            parts.append(
                f"{counted(self.unchanged_files, 'file')} {'left' if self.writes else 'would be left'} unchanged"
            )
        if self.kept_links:
            parts.append(f"{counted(self.kept_links, 'link')} kept as edited or stale")
        if self.failed_links:
            parts.append(f"{counted(self.failed_links, 'link')} failed")
        if self.unwritten_blocks:
            parts.append(f"{counted(self.unwritten_blocks, 'block')} to paste by hand")
        if self.refused_files:
            parts.append(f"{counted(self.refused_files, 'file')} refused")
        return (", ".join(parts) or "nothing to do") + "."

    def density_line(self) -> str | None:
        if not self.default_densities:
            return None
        return (
            f"{counted(self.default_densities, 'link')} filled at the default density, 1000 kg/m³: give <density> in "
            "the file, or --density (--require-density refuses the default)."
        )


_COUNTS = tuple(name for name, value in vars(Tally()).items() if type(value) is int)


# Files that are named for having taken longest.
_SLOWEST = 3


class Pace:
    def __init__(self) -> None:
        self._started = perf_counter()
        self._files = 0
        self._slowest: list[tuple[float, str]] = []

    def add(self, path: str, seconds: float) -> None:
        self._files += 1
        self._slowest = sorted([*self._slowest, (seconds, path)], reverse=True)[:_SLOWEST]

    def lines(self) -> Iterator[str]:
        files = self._files
        if not files:
            return
        elapsed = perf_counter() - self._started
        yield f"{counted(files, 'file')} in {elapsed:.2f} s ({files / elapsed:.3g} files/s)"
        if files > 1:
            yield "slowest: " + ", ".join(f"{path} {seconds:.2f} s" for seconds, path in self._slowest)
