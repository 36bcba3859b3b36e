"""Live processes, and leftovers of killed ones."""

import os
from pathlib import Path


def is_alive(process: int) -> bool:
    """Whether a process runs, and is not one that has ended and was not waited for."""
    try:
        os.kill(process, 0)
        return "\nState:\tZ" not in Path(f"/proc/{process}/status").read_text()
    except OSError:
        return False
