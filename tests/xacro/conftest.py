import pytest
from builders.xacro_worker import WorkerHere


@pytest.fixture(autouse=True)
def _each(monkeypatch: pytest.MonkeyPatch) -> None:
    """Expands in this process; tests/security holds the one that others start, and its limits."""
    monkeypatch.setattr("sdfinertia.xacro.expansion.child_process", WorkerHere().child_process)
