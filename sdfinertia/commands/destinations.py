"""Files that options name for output, and the files that they may replace."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from sdfinertia.named_tuple import NamedTuple


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
    from sdfinertia.rules.baseline import is_baseline

    return Destination(path, is_baseline)
