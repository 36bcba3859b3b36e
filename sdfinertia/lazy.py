"""Cached values: properties of an object, and functions of the options of a run."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

__all__ = ["by_identity", "cached_property"]

_Given = TypeVar("_Given")
_Found = TypeVar("_Found")

if TYPE_CHECKING or sys.version_info >= (3, 12):
    from functools import cached_property
else:

    class cached_property:  # noqa: N801  # by its name
        """Python's own without its lock, as since 3.12."""

        def __init__(self, find):
            self.find, self.name, self.__doc__ = find, find.__name__, find.__doc__

        def __get__(self, owner, kind):
            if owner is None:
                return self
            value = owner.__dict__[self.name] = self.find(owner)
            return value


def by_identity(function: Callable[[_Given], _Found]) -> Callable[[_Given], _Found]:
    """The function with its last result cached by identity: hashing all options takes longer than most lookups."""
    last: list[tuple[_Given, _Found]] = []

    def found(given: _Given) -> _Found:
        # One tuple, so that a thread sees both.
        for known, result in last:
            if known is given:
                return result
        result = function(given)
        last[:] = [(given, result)]
        return result

    return found
