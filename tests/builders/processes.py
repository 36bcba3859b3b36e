"""Live processes, and leftovers of killed ones."""

import os
import subprocess
import sys
from pathlib import Path


def is_alive(process: int) -> bool:
    """Whether a process runs, and is not one that has ended and was not waited for."""
    try:
        os.kill(process, 0)
        return "\nState:\tZ" not in Path(f"/proc/{process}/status").read_text()
    except OSError:
        return False


def leftover(directory: Path) -> Path:
    """A temporary file that a process of this machine left, which was killed as it wrote."""
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    path = directory / f".sdfinertia-{os.uname().nodename}-{dead.pid}-0.tmp"
    path.write_bytes(b"partial")
    return path
