"""Random documents, filled, beside a straightforward evaluation of their text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders.thoroughness import trials
from random_models import PART, Documents, write_meshes
from straightforward import difference, evaluate, written

from sdfinertia.documents.filling import fill
from sdfinertia.options import Options

if TYPE_CHECKING:
    from pathlib import Path

SHARDS, DOCUMENTS = 4, trials(60, 2000)
# By the digits written: half a unit of the last, and what two orders of arithmetic differ in.
TOLERANCES = {12: 5e-12 + 1e-13, 17: 1e-13}


@pytest.mark.parametrize("shard", range(SHARDS))
def test_random_documents_come_out_as_a_straightforward_evaluation_says(tmp_path: Path, shard: int) -> None:
    part = tmp_path / "part.sdf"
    part.write_text(PART, encoding="utf-8")
    documents = Documents(write_meshes(tmp_path, seed=shard), part)
    largest, links = dict.fromkeys(TOLERANCES, 0.0), 0
    for turn, seed in enumerate(range(shard, DOCUMENTS, SHARDS)):
        text = documents.document(seed)
        digits = (12, 17)[turn % 2]
        result = fill(text.encode(), Options(digits=digits), filename=str(tmp_path / "model.sdf"))
        assert not result.errors, f"seed {seed}: {result.errors[0]}"
        expected, found = evaluate(text), written(result.content.decode())
        assert found.keys() == expected.keys(), f"seed {seed}"
        for name, body in expected.items():
            apart = difference(body, found[name])
            assert apart <= TOLERANCES[digits], f"seed {seed}, link {name}: {apart}"
            largest[digits], links = max(largest[digits], apart), links + 1
    assert links >= DOCUMENTS // SHARDS
    print(f"{links} links, largest relative difference by digits written: {largest}")
