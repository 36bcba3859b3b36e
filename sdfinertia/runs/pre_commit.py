"""Runs as a hook of pre-commit: how one is known, and what its reader can run."""

from __future__ import annotations

import os

# The command `sdfinertia` itself lies in an environment of pre-commit's own, where no shell finds it.
FILL_HOOK = "pre-commit run sdfinertia-fill --all-files"


def is_in_pre_commit() -> bool:
    """Whether pre-commit runs this: it sets PRE_COMMIT=1 for its hooks, since version 2.5."""
    return os.environ.get("PRE_COMMIT") == "1"
