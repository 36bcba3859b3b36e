"""Results fit a screen where they are typed, and are tables in a notebook, whatever names files bring."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import sdfinertia
from sdfinertia import Options
from sdfinertia.display import ResultList, table

ROOT = Path(__file__).parents[1]
ROVER, ARM = (ROOT / "fixtures" / name / "model.sdf" for name in ("rover", "arm"))
LINK = '<link name="{}"><inertial auto="true"/><collision name="c"><geometry><box><size>1 1 1</size></box></geometry>'
MANY = '<sdf version="1.11"><model name="m">{}</model></sdf>'
EVIL = "<script>alert(1)</script>\u202e\x1b[2J"

RESULTS: dict[str, Callable[[], Any]] = {
    "fill": lambda: sdfinertia.fill(ROVER),
    "repair": lambda: sdfinertia.repair(ARM),
    "scale": lambda: sdfinertia.scale(ARM, Options(link=("base",)), mass=2.0),
    "check": lambda: sdfinertia.check(ARM, why=True),
    "show": lambda: sdfinertia.show(ROVER),
    "mesh": lambda: sdfinertia.mesh(ROOT / "fixtures" / "rover" / "meshes" / "wheel.obj"),
    "body": lambda: sdfinertia.box((1, 2, 3), 1.0),
}
# Of those without a table.
SINGLE: dict[str, Callable[[], Any]] = {
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


@pytest.mark.parametrize("result", [*RESULTS.values(), *SINGLE.values()], ids=[*RESULTS, *SINGLE])
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
    shown = result._repr_html_()
    assert shown.count("<tr>") == 1 + min(count, 200)
    assert ("and 300 more" in shown) is (count == 500)


@pytest.mark.parametrize("result", RESULTS.values(), ids=RESULTS)
def test_a_notebook_shows_a_table(result: Callable[[], Any]) -> None:
    shown = result()._repr_html_()
    assert re.fullmatch(r"<table>.*</table>", shown, re.DOTALL)
    rows = re.findall(r"<tr>(.*?)</tr>", shown, re.DOTALL)
    assert len({len(re.findall("<t[hd]>", row)) for row in rows}) == 1, "every row has a cell under every heading"


def test_a_list_of_results_is_a_list() -> None:
    found = sdfinertia.check(ARM)
    assert isinstance(found, ResultList)
    assert found == list(found)
    assert repr(found).startswith("2 results\n  ")
    assert repr(ResultList[Any]()) == "0 results"
    assert ResultList[Any]()._repr_html_().startswith("<table>")


def test_no_name_is_markup_or_moves_the_cursor() -> None:
    document = many(1).replace(b'"l0"', f'"{EVIL}"'.replace("<", "&lt;").replace("\x1b", "").encode())
    result = sdfinertia.fill(document)
    assert "<script>" not in result._repr_html_()
    assert "\u202e" not in result._repr_html_() + repr(result)
    assert "<td>&lt;b&gt;\\x1b</td>" in table(("a",), [("<b>\x1b",)])
