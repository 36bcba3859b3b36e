from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _each(quick_xacro: None) -> None:
    pass
