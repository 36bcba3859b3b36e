"""Results fit a screen where they are typed, whatever names files bring."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import sdfinertia
from sdfinertia import Options
from sdfinertia.errors import ResultList

ROOT = Path(__file__).parents[1]
ROVER, ARM = (ROOT / "fixtures" / name / "model.sdf" for name in ("rover", "arm"))
LINK = '<link name="{}"><inertial auto="true"/><collision name="c"><geometry><box><size>1 1 1</size></box></geometry>'
MANY = '<sdf version="1.11"><model name="m">{}</model></sdf>'
RESULTS: dict[str, Callable[[], Any]] = {
    "fill": lambda: sdfinertia.fill(ROVER),
    "repair": lambda: sdfinertia.repair(ARM),
    "scale": lambda: sdfinertia.scale(ARM, Options(link=("base",)), mass=2.0),
    "check": lambda: sdfinertia.check(ARM, why=True),
    "show": lambda: sdfinertia.show(ROVER),
    "mesh": lambda: sdfinertia.mesh(ROOT / "fixtures" / "rover" / "meshes" / "wheel.obj"),
    "body": lambda: sdfinertia.box((1, 2, 3), 1.0),
    "link": lambda: sdfinertia.fill(ROVER).links[0],
    "finding": lambda: sdfinertia.check(ARM, why=True)[0],
    "shown body": lambda: sdfinertia.show(ROVER)[0],
    "draft": lambda: sdfinertia.open_draft(ROVER),
    "file": lambda: next(iter(sdfinertia.check_many([ARM], Options(why=True)))),
    "filled file": lambda: next(iter(sdfinertia.fill_many([ROVER], write=None))),
    "moments": lambda: sdfinertia.mesh_moments(ROOT / "fixtures" / "rover" / "meshes" / "wheel.obj"),
    "options": Options,
}


def many(count: int) -> bytes:
    return MANY.format("".join(LINK.format(f"l{number}") + "</collision></link>" for number in range(count))).encode()


@pytest.mark.parametrize("result", RESULTS.values(), ids=RESULTS)
def test_a_result_fits_a_screen(result: Callable[[], Any]) -> None:
    lines = repr(result()).splitlines()
    assert 1 <= len(lines) <= 24
    assert all(len(line) <= 250 for line in lines), max(lines, key=len)


@pytest.mark.parametrize("count", [0, 1, 19, 20, 21, 500])
def test_however_many_links_there_are(count: int) -> None:
    result = sdfinertia.fill(many(count))
    lines = repr(result).splitlines()
    assert lines[0] == f"FillResult of <bytes>: {'changed' if count else 'unchanged'}"
    assert len(lines) == 1 + min(count, 20)
    if count > 20:
        assert lines[-1].strip() == f"... and {count - 19} more"


def test_a_list_of_results_is_a_list() -> None:
    found = sdfinertia.check(ARM)
    assert isinstance(found, ResultList)
    assert found == list(found)
    assert repr(found).startswith("2 results\n  ")
    assert repr(ResultList[Any]()) == "0 results"


def test_no_name_turns_the_direction_of_text() -> None:
    assert "\u202e" not in repr(sdfinertia.fill(many(1).replace(b'"l0"', '"l\u202e"'.encode())))
