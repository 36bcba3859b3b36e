"""Changing a document in a real browser: handles by the mouse, typed numbers, undo, save, the disk, a second tab."""

from __future__ import annotations

import math
import os
import re
import subprocess
import sys
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from builders.browser import logged
from builders.editor import (
    LEFT,
    NEEDS_EDITOR,
    TWO_LINKS,
    WRITTEN,
    after,
    along,
    chosen,
    dragged,
    edited,
    handle,
    held,
    let_go,
    numbers,
    opened,
    pick,
    pulled,
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


def test_a_face_alone_takes_the_centre_with_it_and_the_density_can_stay(page: Any) -> None:
    pick(page, "m::l")
    page.find_element("id", "edit-alone").click()
    page.find_element("id", "edit-density-stays").click()
    start = handle(page, 2, 1)
    made = after(page, lambda: dragged(page, start, along(page, start, 2, 1, 0.6)))
    grown = made["box"][2] - 3.0
    assert grown == pytest.approx(0.6, abs=0.08)
    assert made["centre"] == pytest.approx([0.0, 0.0, grown / 2], abs=1e-9)
    assert made["mass"] == pytest.approx(12.0 * (1 + grown / 3), rel=1e-9)


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


def test_save_says_what_was_written_and_can_be_undone(page: Any, path: Path) -> None:
    pick(page, "m::l")
    after(page, lambda: typed(page, "edit-mass", 24.0))
    saved(page, path)
    until(page, lambda: told(page).startswith(f"Saved 1 change (m::l) to {path}."))
    page.find_element("css selector", "#told a").click()
    diff = page.find_element("id", "diff").text
    assert diff.startswith("What Save wrote")
    assert "+<mass>24</mass>" in diff
    assert page.find_element("id", "undo").is_enabled()
    assert undone(page)["mass"] == 12.0
    assert page.find_element("id", "save").text == "Save (1)"
    assert page.find_element("id", "diff").text.startswith("What Save would write")
    saved(page, path)
    assert path.read_text() == TWO_LINKS
    assert after(page, lambda: page.find_element("id", "redo").click())["mass"] == 24.0


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


def test_escape_takes_back_what_is_typed_in_a_field_and_keeps_the_link(page: Any) -> None:
    pick(page, "m::l")
    first = version(page)
    box = page.find_element("id", "edit-mass")
    box.send_keys("9\ue00c")
    assert float(box.get_attribute("value")) == 12.0
    assert page.find_element("id", "picked-name").text == "m::l"
    assert version(page) == first


def test_an_edit_by_hand_that_ends_the_watching_of_check_says_so_and_offers_to_compute(page: Any, path: Path) -> None:
    pick(page, "m::k")
    after(page, lambda: page.find_element("id", "edit-compute").click(), link=1)
    computed = numbers(page, 1)["mass"]
    assert "no longer" not in told(page)
    after(page, lambda: typed(page, "edit-mass", 24.0), link=1)
    until(page, lambda: "m::k now has numbers by hand: check no longer watches" in told(page))
    made = after(page, lambda: page.find_element("id", "compute-instead").click(), link=1)
    assert made["mass"] == pytest.approx(24.0)
    assert computed != 24.0
    page.find_element("id", "save").click()
    until(page, lambda: told(page).startswith("Saved 3 changes (m::k)"))
    assert "sdfinertia: mass=given" in path.read_text()


def test_the_twin_is_the_first_that_is_offered_to_be_mirrored(browser: Any, path: Path) -> None:
    names = ("base", "left_hip", "right_knee", "right_hip")
    links = "".join(LEFT.replace("name='l'", f"name='{name}'") for name in names)
    path.write_text(f"<sdf version='1.11'><model name='m'>{links}</model></sdf>")
    with contextmanager(edited)(path) as address:
        page = opened(browser, address)
        pick(page, "m::left_hip")
        options = page.find_elements("css selector", "#edit-source option")
        assert [option.text for option in options] == ["m::right_hip (twin)", "m::base", "m::right_knee"]
        assert page.find_element("id", "edit-mirror-axis").get_attribute("value") == "y"


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


def test_the_server_ends_when_it_is_asked_for_in_the_page(browser: Any, path: Path) -> None:
    command = [sys.executable, "-m", "sdfinertia", "edit", str(path), "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        page = opened(browser, server.stdout.readline().strip())
        page.find_element("id", "close").click()
        assert server.wait(timeout=60) == 0
    browser.get("about:blank")
    assert os.path.exists(path)


def sdf(*links: str) -> str:
    return f"<sdf version='1.11'>\n<model name='m'>\n{''.join(links)}</model></sdf>\n"


def link(inside: str, name: str = "l") -> str:
    return f"<link name='{name}'>\n{inside}\n</link>\n"


@contextmanager
def editing(browser: Any, path: Path, text: str) -> Iterator[Any]:
    path.write_text(text)
    with contextmanager(edited)(path) as address:
        yield opened(browser, address)


def test_while_a_face_is_dragged_the_numbers_follow_and_nothing_is_kept_before_it_is_let_go(page: Any) -> None:
    pick(page, "m::l")
    first = version(page)
    start = handle(page, 2, 1)
    held(page, start, along(page, start, 2, 1, 0.5))
    until(page, lambda: float(page.find_element("id", "edit-size-2").get_attribute("value")) > 3.8)
    assert float(page.find_element("id", "edit-moments-0").get_attribute("value")) > 14.0
    assert version(page) == first
    assert not page.execute_script("return sdfinertia.editing.state().isChanged")
    made = after(page, lambda: let_go(page))
    assert made["box"][2] == pytest.approx(4.0, abs=0.08)


# The shape, the axis of a face and how far it is from the centre, and which dimension grows how often with it.


def test_an_open_mesh_is_computed_by_the_policy_that_is_picked(browser: Any, path: Path) -> None:
    corners = "".join(f"v {x} {y} {z}\n" for z in (0, 1) for y in (0, 1) for x in (0, 1))
    (path.parent / "open.obj").write_text(f"{corners}f 1 3 4 2\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n")
    mesh = "<collision name='c'><geometry><mesh><uri>open.obj</uri></mesh></geometry></collision>"
    text = sdf(link(WRITTEN + mesh))
    with editing(browser, path, text) as page:
        pick(page, "m::l")
        page.find_element("id", "edit-policies").click()
        until(page, lambda: page.find_elements("id", "policy-convex_hull"))
        rows = page.find_element("id", "editor").text
        assert "not closed" in rows, "what refuses says why"
        assert "12 kg" in rows
        after(page, lambda: page.find_element("id", "policy-convex_hull").click())
        body = saved(page, path)
        assert "open-mesh=convex_hull" in path.read_text()
        assert body.mass == 12.0
        assert body.p_BoBcm_B == pytest.approx([0.5, 0.5, 0.5])


def test_by_a_name_that_a_site_gave_to_this_machine_nothing_is_answered(browser: Any, path: Path) -> None:
    with contextmanager(edited)(path) as address:
        browser.get(address.replace("127.0.0.1", "evil.example"))
        assert browser.find_element("tag name", "body").text == "This host name is not served."


# The shape, the axis of a face and how far it is from the centre, and which dimension grows how often with it.
SHAPES = [
    ("<box><size>1.0 2.0 3.0</size></box>", [1.0, 2.0, 3.0], 0, 0.5, 0, 2),
    ("<cylinder><radius>0.5</radius><length>1.0</length></cylinder>", [0.5, 1.0], 2, 0.5, 1, 2),
    ("<capsule><radius>0.5</radius><length>1.0</length></capsule>", [0.5, 1.0], 2, 1.0, 1, 2),
]


@pytest.mark.parametrize(("shape", "sizes", "axis", "half", "which", "times"), SHAPES)
def test_a_simple_shape_is_dragged_by_its_faces(browser, path, shape, sizes, axis, half, which, times) -> None:
    collision = f"<collision name='c'><geometry>{shape}</geometry></collision>"
    with editing(browser, path, sdf(link(WRITTEN + collision))) as page:
        pick(page, "m::l")
        chosen(page, "edit-mode", "shape")
        made = after(page, lambda: pulled(page, axis, 1, half, 0.2))
        expected = [size + 0.2 * times * (k == which) for k, size in enumerate(sizes)]
        assert made["shapes"][0]["dimensions"] == pytest.approx(expected, abs=0.05)
        assert made["shapes"][0]["dimensions"][which] > sizes[which]
        assert made["mass"] > 12.0


def test_with_unsaved_changes_what_is_on_disk_is_not_overwritten_and_can_be_taken(page: Any, path: Path) -> None:
    pick(page, "m::l")
    after(page, lambda: typed(page, "edit-mass", 24.0))
    other = TWO_LINKS.replace("12.0", "15.0")
    path.write_text(other)
    page.find_element("id", "save").click()
    until(page, lambda: "changed on disk" in page.find_element("id", "told").text)
    assert path.read_text() == other
    until(page, lambda: page.find_elements("id", "reload"))
    assert after(page, lambda: page.find_element("id", "reload").click())["mass"] == 15.0
    assert not page.find_element("id", "save").is_enabled()
    assert path.read_text() == other
