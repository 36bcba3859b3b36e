"""The states of a link, in the words of reports."""

from __future__ import annotations

from enum import Enum


class Status(str, Enum):
    """The state of a block, or the result of a run for its link; the values are the words of reports.

    Attributes:
        word: that of pages, which show the file as it is.
    """

    word: str

    def __new__(cls, value: str, word: str = "") -> Status:
        status = str.__new__(cls, value)
        status._value_, status.word = value, word or value
        return status

    # Filled before, and still what the file gives; nothing is reported.
    CLEAN = "clean", "written"

    FILLED = "filled", "filled now"
    # Its block was stale.
    REFILLED = "refilled", "filled now"
    # Its mistake was undone.
    REPAIRED = "repaired", "filled now"
    # Computed, but not written because another link of the file failed.
    WITHHELD = "withheld"
    # Its inputs changed, and it was left so.
    STALE = "stale"
    # Edited by hand, and left so.
    EDITED = "edited"
    LEFT = "left"
    FAILED = "failed", "refused"

    # Of pages alone: an explicit inertial that was not filled, or whose status is unknown.
    WRITTEN = "written"
    # It requests to be filled, or a run that wrote would fill it.
    WOULD_BE_FILLED = "would be filled"
    # A mesh file, which has nothing written.
    COMPUTED = "computed"
    NOTHING = "no inertial"
    UNREADABLE = "unreadable"

    def __str__(self) -> str:
        return str.__str__(self)
