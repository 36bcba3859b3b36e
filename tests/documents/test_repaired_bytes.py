"""Repairs of examples change nothing outside of the inertials."""

import re
from pathlib import Path

import pytest

from sdfinertia import repair
from sdfinertia.errors import SdfInertiaError

EXAMPLES = Path(__file__).parents[2] / "docs/examples"
_BLOCK = re.compile(rb"(?s)\s*<inertial\b[^>]*?/>|\s*<inertial\b.*?</inertial>")
MODELS = sorted(path for kind in ("*.sdf", "*.urdf", "*.xml") for path in EXAMPLES.rglob(kind))


def _repaired(path: Path) -> tuple[bytes, bytes]:
    original = content = path.read_bytes()
    for by in ("cause", "nearest", "geometry"):
        try:
            content = repair(content, by=by, filename=str(path)).content
        except SdfInertiaError:
            continue
    return original, content


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.relative_to(EXAMPLES).as_posix())
def test_a_repair_changes_nothing_outside_of_inertials(path: Path) -> None:
    original, content = _repaired(path)
    assert _BLOCK.sub(b"", content) == _BLOCK.sub(b"", original)


def test_some_of_these_are_repaired() -> None:
    assert sum(original != content for original, content in map(_repaired, MODELS)) >= 3
