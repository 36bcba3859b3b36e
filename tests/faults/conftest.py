from __future__ import annotations

import os

import pytest


@pytest.fixture(autouse=True)
def unmeasured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes that are killed or may not write cannot write down either what `make coverage` asks of them."""
    for name in [name for name in os.environ if name.startswith("COVERAGE_")]:
        monkeypatch.delenv(name)
