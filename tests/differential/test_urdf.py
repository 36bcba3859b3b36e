"""Random URDF documents, filled, beside a straightforward evaluation of their text."""

from __future__ import annotations

import pytest
import straightforward_urdf
from builders.thoroughness import trials
from random_models import write_meshes
from random_robots import Robots
from straightforward import difference

from sdfinertia.documents.filling import fill
from sdfinertia.options import Options

SHARDS, DOCUMENTS = 2, trials(30, 1000)
# Half a unit of the last of twelve digits, and what two orders of arithmetic differ in.
TOLERANCE = 1e-11


@pytest.mark.parametrize("shard", range(SHARDS))
def test_random_robots_come_out_as_a_straightforward_evaluation_says(tmp_path, shard, monkeypatch):
    monkeypatch.chdir(tmp_path)
    robots = Robots(write_meshes(tmp_path, seed=shard))
    largest, links = 0.0, 0
    for seed in range(shard, DOCUMENTS, SHARDS):
        text = robots.document(seed)
        result = fill(text.encode(), Options(), filename=str(tmp_path / "robot.urdf"))
        assert not result.errors, f"seed {seed}: {result.errors[0]}"
        new = result.content.decode()
        expected, found = straightforward_urdf.evaluate(text), straightforward_urdf.written(new)
        assert found.keys() == expected.keys(), f"seed {seed}"
        for name, body in expected.items():
            apart = difference(body, found[name])
            assert apart <= TOLERANCE, f"seed {seed}, link {name}: {apart}"
            largest, links = max(largest, apart), links + 1
        again = fill(result.content, Options(), filename=str(tmp_path / "robot.urdf"))
        assert again.content == result.content, f"seed {seed}: a second run changes it"
    assert links >= DOCUMENTS // SHARDS
    print(f"{links} links, largest relative difference: {largest}")
