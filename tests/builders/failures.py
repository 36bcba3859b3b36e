"""Calls of the system that fail."""

import os
from collections.abc import Callable
from typing import NoReturn


def refusing(number: int) -> Callable[..., NoReturn]:
    """A function that always fails with that number of `errno`."""

    def refuse(*_: object, **__: object) -> NoReturn:
        raise OSError(number, os.strerror(number))

    return refuse
