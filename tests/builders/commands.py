"""What the fixtures `command` and `process` give: functions that run the command and tell what came of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Run = Callable[..., Any]
