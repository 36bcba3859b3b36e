"""Changing a document in a real browser: handles by the mouse, typed numbers, undo, save, the disk, a second tab."""

from __future__ import annotations

import math
import re
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from builders.browser import logged
from builders.editor import (
    NEEDS_EDITOR,
    TWO_LINKS,
    after,
    along,
    dragged,
    edited,
    handle,
    numbers,
    opened,
    pick,
    rewritten,
    saved,
    typed,
    undone,
    until,
    version,
)

from sdfinertia.inertia.solids import equivalent_box

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = NEEDS_EDITOR


def test_a_face_is_dragged_by_its_arrow_and_the_moments_follow(page: Any, path: Path) -> None:
    pick(page, "m::l")
    before = numbers(page)
    for axis, side in [(0, 1), (1, -1), (2, 1)]:
        start = handle(page, axis, side)
        made = after(page, partial(dragged, page, start, along(page, start, axis, side, 0.4)))
        expected = [1.0, 2.0, 3.0]
        # Opposite faces go together; a pixel is some millimetres.
        expected[axis] += 0.8
        assert made["box"] == pytest.approx(expected, abs=0.08)
        assert (made["mass"], made["centre"]) == (12.0, [0.0, 0.0, 0.0])
        assert [made["box"][k] for k in range(3) if k != axis] == pytest.approx(
            [expected[k] for k in range(3) if k != axis]
        )
        body = saved(page, path)
        assert equivalent_box(body.mass, body.principal().moments) == pytest.approx(made["box"], rel=1e-10)
        rewritten(page, path, TWO_LINKS, before)
    assert logged(page) == []


TYPED = [
    ("edit-mass", 24.0, "mass", 24.0),
    ("edit-density", 1000.0, "mass", 6000.0),
    ("edit-centre-1", 0.25, "centre", [0.0, 0.25, 0.0]),
    ("edit-size-2", 4.0, "box", [1.0, 2.0, 4.0]),
    ("edit-moments-0", 12.5, "moments", [12.5, 10.0, 5.0]),
    ("edit-tensor-0", 12.5, "tensor", [12.5, 10.0, 5.0, 0.0, 0.0, 0.0]),
    ("edit-products-0", 0.5, "tensor", [13.0, 10.0, 5.0, 0.5, 0.0, 0.0]),
    ("edit-rpy-2", 30.0, "rpy", [0.0, 0.0, math.radians(30.0)]),
    ("edit-shape-c-0", 2.0, "box", [2.0, 2.0, 3.0]),
]


def test_numbers_are_typed(page: Any) -> None:
    pick(page, "m::l")
    before = numbers(page)
    for field, value, number, expected in TYPED:
        made = after(page, partial(typed, page, field, value))
        assert made[number] == pytest.approx(expected, rel=1e-9, abs=1e-9), field
        assert undone(page) == before


def test_what_no_body_has_is_red_and_saved_only_where_that_is_said(page: Any, path: Path) -> None:
    pick(page, "m::l")
    made = after(page, lambda: typed(page, "edit-tensor-2", 50.0))
    assert made["unphysical"].startswith("a mass of")
    assert "box" not in made
    assert not page.execute_script("return sdfinertia.editing.isSound")
    told = page.find_element("id", "told")
    assert "m::l: a mass of" in told.text
    assert "error" in told.get_attribute("class")
    assert "error" in page.find_element("css selector", "tr.link[data-name='m::l']").get_attribute("class")
    assert "error" in page.find_element("css selector", ".node.picked").get_attribute("class")
    page.find_element("id", "save").click()
    question = page.switch_to.alert
    assert "m::l: a mass of" in question.text
    question.dismiss()
    assert page.find_element("id", "told").text == "Nothing was written."
    assert path.read_text() == TWO_LINKS
    page.find_element("id", "save").click()
    page.switch_to.alert.accept()
    until(page, lambda: not page.execute_script("return sdfinertia.editing.state().isChanged"))
    assert path.read_text() == TWO_LINKS.replace("izz>5<", "izz>50<")
    assert "saved anyway: m::l" in page.find_element("id", "told").text


def test_undo_and_redo_by_buttons_and_keys_and_save_writes_what_is_shown(page: Any, path: Path) -> None:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    def keys(letter: str) -> None:
        ActionChains(page).key_down(Keys.CONTROL).send_keys(letter).key_up(Keys.CONTROL).perform()

    pick(page, "m::l")
    after(page, lambda: typed(page, "edit-mass", 24.0))
    assert "+<mass>24</mass>" in page.find_element("id", "diff-lines").get_attribute("textContent")
    assert after(page, lambda: page.find_element("id", "undo").click())["mass"] == 12.0
    assert after(page, lambda: page.find_element("id", "redo").click())["mass"] == 24.0
    assert after(page, lambda: keys("z"))["mass"] == 12.0
    assert not page.find_element("id", "diff").is_displayed()
    assert after(page, lambda: keys("y"))["mass"] == 24.0
    assert path.read_text() == TWO_LINKS, "nothing is written before Save"
    after(page, lambda: keys("s"))
    expected = (
        TWO_LINKS.replace("12.0", "24").replace(">13<", ">26<").replace(">10<", ">20<").replace("izz>5<", "izz>10<")
    )
    assert path.read_text() == expected


def told(page: Any) -> str:
    return str(page.find_element("id", "told").text)


@pytest.mark.parametrize(
    ("field", "value"), [("edit-mass", -3.0), ("edit-mass", 0.0), ("edit-density", -1.0), ("edit-shape-c-1", -2.0)]
)
def test_what_cannot_be_is_refused_in_its_field_without_a_request(page: Any, field: str, value: float) -> None:
    pick(page, "m::l")
    first = version(page)
    page.execute_script("window.asked = []; const ask = fetch; window.fetch = (...a) => (asked.push(a[0]), ask(...a))")
    typed(page, field, value)
    box = page.find_element("id", field)
    until(page, lambda: "must be above 0" in box.find_element("xpath", "..").text)
    assert not page.execute_script("return arguments[0].validity.valid", box)
    asked = page.execute_script("return asked.filter((name) => !/status|state/.test(name))")
    assert asked == []
    assert logged(page) == []
    made = after(page, lambda: typed(page, field, 2.0))
    assert version(page) > first
    assert made["mass"] > 0.0
    assert "must be above 0" not in page.find_element("id", "editor").text


def test_another_page_gets_nothing_from_the_server(page: Any, address: str, tmp_path: Path) -> None:
    wrong = re.sub(r"/[^/]+/$", "/wrong/", address)
    page.get(wrong)
    assert "whole address" in page.find_element("tag name", "body").text
    other = tmp_path / "other.html"
    other.write_text("<p>other</p>")
    page.get(other.as_uri())
    script = (
        f"const done = arguments[0]; fetch('{address}save', {{method: 'POST', body: '{{}}'}})"
        ".then(() => done('answered'), () => done('refused'));"
    )
    assert page.execute_async_script(script) == "refused"


def sdf(*links: str) -> str:
    return f"<sdf version='1.11'>\n<model name='m'>\n{''.join(links)}</model></sdf>\n"


def link(inside: str, name: str = "l") -> str:
    return f"<link name='{name}'>\n{inside}\n</link>\n"


@contextmanager
def editing(browser: Any, path: Path, text: str) -> Iterator[Any]:
    path.write_text(text)
    with contextmanager(edited)(path) as address:
        yield opened(browser, address)


# The shape, the axis of a face and how far it is from the centre, and which dimension grows how often with it.
