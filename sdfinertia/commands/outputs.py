"""Where the commands write: the input itself, another file, standard output, reports and baselines."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from sdfinertia.errors import ConfigurationError
from sdfinertia.files.temporary_file import Leftovers
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.report.terminal import print_bytes, say

if TYPE_CHECKING:
    from sdfinertia.runs.work import FileTask

STANDARD_STREAM = "-"
# Names under which the system gives standard output to those who write files.
_STANDARD_OUTPUT = (STANDARD_STREAM, "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1")


class Destination(NamedTuple):
    """A file that an option names for output; it may be replaced if `is_former` holds for its content."""

    path: str
    is_former: Callable[[bytes], bool]


def document_at(path: str) -> Destination:
    from sdfinertia.files.former_outputs import is_document

    return Destination(path, is_document)


def report_at(path: str) -> Destination:
    from sdfinertia.files.former_outputs import is_report

    return Destination(path, partial(is_report, path))


def baseline_at(path: str) -> Destination:
    from sdfinertia.rules.accepted import is_baseline

    return Destination(path, is_baseline)


def is_standard_output(path: str) -> bool:
    return path in _STANDARD_OUTPUT


class Outputs:
    """Writes all files of a run alike, and removes the temporary files of killed runs."""

    def __init__(self) -> None:
        self._leftovers = Leftovers()

    def require_sense(self, destinations: Sequence[Destination], confine: str | None) -> None:
        """Refuses outputs that cannot be written, before any work is done."""
        places: set[str] = set()
        for path, is_former in destinations:
            if is_standard_output(path):
                continue
            # Loaded where there is a file to write.
            from sdfinertia.files.atomic_file import refuse_unwritable

            place = os.path.realpath(path)
            if place in places:
                raise ConfigurationError("is given for two outputs", file=path)
            places.add(place)
            refuse_unwritable(path, is_former, confine)

    def put_document(
        self, source: FileTask, original: bytes, content: bytes, output: str | None, confine: str | None
    ) -> None:
        if output is None and source.data is not None:
            output = STANDARD_STREAM
        if output is not None and is_standard_output(output):
            print_bytes(content)
            return
        if output is None and content == original:
            self.remove_leftovers_beside(source.path, confine)
            return
        # Loaded where there is a file to write.
        from sdfinertia.files.atomic_file import is_same_file, replace_file

        if output is not None and not is_same_file(output, source.path):
            self.put(document_at(output), content, confine)
            return
        path = output or source.path
        self.remove_leftovers_beside(path, confine)
        if content != original:
            for note in replace_file(path, content, expected=original, confine=confine):
                say(note)

    def put(self, destination: Destination, content: bytes, confine: str | None) -> None:
        from sdfinertia.files.atomic_file import write_file

        path, is_former = destination
        if is_standard_output(path):
            print_bytes(content)
            return
        self.remove_leftovers_beside(path, confine)
        for note in write_file(path, content, may_replace=is_former, confine=confine):
            say(note)

    def remove_leftovers_beside(self, path: str, confine: str | None) -> None:
        self._leftovers.remove_beside(path, confine)
