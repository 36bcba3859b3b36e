"""The harness itself, on the fixtures: it injects what it says, and rules find it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from recall.__main__ import main
from recall.clean_links import FIXTURES, clean_links, root
from recall.faults import FAULTS, Body, is_told
from recall.injected import Numbers
from sdfinertia.inertia.rigid_transform import RigidTransform
from sdfinertia.inertia.solids import box
from sdfinertia.inertia.spatial_inertia import InertiaTensor

RIGHT = Numbers(6.0, (0.2, 0.1, 0.0), InertiaTensor(1.0, 1.5, 2.0, 0.3, -0.2, 0.1))
OTHER = Numbers(1.0, (0.0, 0.0, 0.0), InertiaTensor(0.1, 0.1, 0.1))
BODY = Body(RIGHT, (1.0, 2.0, 3.0), RigidTransform(translation=(0.0, 0.0, 5.0)), (OTHER,), True, 1)


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_changes_numbers_by_what_can_be_told(fault: str) -> None:
    wrong = FAULTS[fault](BODY)
    assert wrong is not None
    assert is_told(RIGHT, wrong, 3.7)
    assert not is_told(RIGHT, RIGHT, 3.7)


def test_a_tensor_about_the_origin_is_that_of_the_parallel_axis_theorem() -> None:
    part = box((1.0, 2.0, 3.0), 1.0)
    right = Numbers(part.mass, (1.0, 2.0, 3.0), part.I_BBcm_B)
    body = BODY._replace(numbers=right)
    wrong = FAULTS["about the link's origin"](body)
    assert wrong is not None
    assert wrong.tensor == part.transformed(RigidTransform(translation=(1.0, 2.0, 3.0))).I_BBo_B
    back = FAULTS["parallel axes subtracted"](body._replace(numbers=wrong))
    assert back is not None
    assert back.tensor == pytest.approx(right.tensor)


@pytest.mark.parametrize("fault", ["axes exchanged", "rotation missing", "rotation transposed", "degrees for radians"])
def test_turning_a_tensor_keeps_its_trace(fault: str) -> None:
    wrong = FAULTS[fault](BODY)
    assert wrong is not None
    assert wrong.tensor.trace == pytest.approx(RIGHT.tensor.trace)


def test_the_fixtures_stand_in_where_there_are_no_real_models(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SDFINERTIA_REAL", str(tmp_path / "gone"))
    assert root() == FIXTURES
    monkeypatch.setenv("SDFINERTIA_REAL", str(tmp_path))
    assert root() == tmp_path


def test_it_tells_what_is_found_and_the_same_every_time(monkeypatch, capsys):
    monkeypatch.delenv("SDFINERTIA_REAL", raising=False)
    assert [link.name for link in clean_links(FIXTURES, 2)] == [link.name for link in clean_links(FIXTURES, 9)[:2]]
    texts = []
    for _ in range(2):
        assert main(["--links", "2", "--list"]) == 0
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1]
    assert re.search(r"^tensor / 1e6 \(mm for m\) +2 +100% +100%  SDI207 2$", texts[0], re.MULTILINE)
    assert "default: on 0 links; none" in texts[0]
    assert "mean recall over" in texts[0]


def test_a_directory_without_links_that_are_right_is_told(monkeypatch, capsys, tmp_path):
    monkeypatch.setenv("SDFINERTIA_REAL", str(tmp_path))
    assert main([]) == 2
    assert "that are right" in capsys.readouterr().err
