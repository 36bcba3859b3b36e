"""What each rule says of its documented mistake: place, link, message and remedy."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from sdfinertia.documents.checking import check
from sdfinertia.options import Options

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
SAID = Path(__file__).with_name("examples.txt").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("code", sorted(path.name for path in (EXAMPLES / "rules").iterdir()))
def test_a_documented_mistake_is_reported_with_its_place_and_remedy(
    code: str, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for each in (f"rules/{code}", "meshes"):
        shutil.copytree(EXAMPLES / each, project / each)
    monkeypatch.chdir(project / "rules" / code)
    [path] = Path().glob("wrong.*")
    # Where a mesh was looked for is the machine's.
    found = [re.sub(r" \(tried .*?\)", "", str(finding)) for finding in check(path, Options(select=("ALL",)))]
    assert [line for line in found if f" {code} " in line] == [line for line in SAID if f" {code} " in line] != []
