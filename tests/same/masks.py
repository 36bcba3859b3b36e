"""What two runs of the same program may differ in, replaced by a word, so that what is left can be compared."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Mask(NamedTuple):
    """Bytes that are replaced: a pattern, and what stands in their place."""

    pattern: re.Pattern[bytes]
    word: bytes


# The pace that -v tells, and the files that took longest, which depend on the machine's load.
_TIMES = (
    Mask(re.compile(rb"in [0-9.,]+ s \([0-9.,e+-]+ files/s\)"), b"in SECONDS"),
    Mask(re.compile(rb"^slowest: .*$", re.MULTILINE), b"slowest: FILES"),
)
# They carry the host's name and the process's number.
_TEMPORARY_FILES = (Mask(re.compile(rb"\.sdfinertia-[^\s/]+-[0-9]+-[0-9]+\.tmp"), b"TEMPORARY"),)
# What libigl's binding says at the end of a process, in an order that changes from run to run, and cut at that.
_LEAKS = (
    Mask(re.compile(rb"^(?:nanobind: | - leaked | - \.\.\. skipped |See https://nanobind\.).*\n", re.MULTILINE), b""),
)
# What the page of `edit` learns meanwhile.
_PACE = (Mask(re.compile(rb'"isChecked":(?:true|false)'), b'"isChecked":CHECKED'),)
_DIGESTS = (Mask(re.compile(rb"\b(inputs|values)=(?:[0-9]+:)?[0-9a-f]{6,64}\b"), rb"\1=DIGEST"),)

ALWAYS: tuple[Mask, ...] = (*_TIMES, *_PACE, *_TEMPORARY_FILES, *_LEAKS)
LENIENT: tuple[Mask, ...] = (*ALWAYS, *_DIGESTS)


def directory_mask(directory: str, word: bytes) -> Mask:
    """A mask of a directory's absolute path: a package's, which tracebacks name."""
    return Mask(re.compile(re.escape(directory.encode())), word)


def masked(content: bytes, masks: Sequence[Mask] | Iterable[Mask]) -> bytes:
    """The content with all that the masks match replaced."""
    for mask in masks:
        content = mask.pattern.sub(mask.word, content)
    return content
