"""The same inputs give the same bytes, whatever the seed of hashes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import sdfinertia

pytestmark = pytest.mark.slow


SOURCES = Path(sdfinertia.__file__).parent.parent

REPORTS = tuple(part for name in ("md", "json", "sarif", "html", "xml") for part in ("--report", f"r.{name}"))
HASHED = (
    ("check", "--select", "ALL", "--why", "-v", *REPORTS),
    ("check", "--format", "json"),
    ("check", "--format", "github"),
    ("check", "--fix", "--diff"),
    ("fill", "--all", "--diff", "-v", "--keep-going", "--report", "r.json", "--report", "r.html"),
    ("repair", "--diff", "--report", "r.md"),
    ("repair", "--by", "twin", "--diff"),
    ("show", "--format", "json", "--computed", "--report", "r.html"),
    ("mesh", "--format", "json"),
    ("mesh", "--report", "r.jsonl"),
)


@pytest.mark.parametrize("arguments", HASHED, ids=lambda arguments: " ".join(arguments[:3]))
def test_no_order_of_hashes_reaches_an_output(project: Path, arguments: tuple[str, ...]) -> None:
    shutil.copytree(SOURCES / "fixtures", project / "fixtures")
    found = set()
    for seed in ("0", "1", "77"):
        done = subprocess.run(
            [sys.executable, "-m", "sdfinertia", *arguments, "fixtures"],
            capture_output=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
            timeout=120,
        )
        # How long a run took is in its messages.
        messages = [
            line for line in done.stderr.splitlines() if not line.startswith(b"slowest: ") and b" files/s" not in line
        ]
        reports = sorted(project.glob("r.*"))
        found.add((done.returncode, done.stdout, *messages, *(report.read_bytes() for report in reports)))
        for report in reports:
            report.unlink()
    assert len(found) == 1
