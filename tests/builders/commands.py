"""The types of the fixtures `command` and `process`: functions that run the command and return its outcome."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Run = Callable[..., Any]
