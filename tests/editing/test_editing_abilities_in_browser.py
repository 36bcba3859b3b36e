"""What can be changed in the page, each by the mouse, and that what is saved is what was shown; and the page beside it:
the disk, other names of this machine, and models of many links.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from builders.browser import logged
from builders.editor import (
    BOX,
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
    pixel,
    pulled,
    rewritten,
    saved,
    served,
    typed,
    until,
    version,
)

import sdfinertia
from sdfinertia.editing.changes import Mirror
from sdfinertia.editing.draft import open_draft
from sdfinertia.inertia.spatial_inertia import SpatialInertia
from sdfinertia.mesh.surface.vertex_clustering import clustered
from sdfinertia.shapes import PRIMITIVES

pytestmark = NEEDS_EDITOR

# With products of inertia, off the origin, in axes of its own.
TURNED = (
    "<inertial>\n<pose>0.1 0.2 0.3 0.2 0.4 0.6</pose><mass>5</mass>\n<inertia><ixx>1</ixx><ixy>0.1</ixy>"
    "<ixz>0.2</ixz><iyy>1.1</iyy><iyz>0.3</iyz><izz>1.2</izz></inertia></inertial>"
)


def sdf(*links: str) -> str:
    return f"<sdf version='1.11'>\n<model name='m'>\n{''.join(links)}</model></sdf>\n"


def link(inside: str, name: str = "l") -> str:
    return f"<link name='{name}'>\n{inside}\n</link>\n"


@contextmanager
def editing(browser: Any, path: Path, text: str) -> Iterator[Any]:
    path.write_text(text)
    with contextmanager(edited)(path) as address:
        yield opened(browser, address)


def masked(text: str, *names: str) -> str:
    """The text without the numbers in elements of these names."""
    for name in names:
        text = re.sub(f"<{name}>[^<]*<", f"<{name}><", text)
    return text


def near(a: SpatialInertia, b: SpatialInertia) -> None:
    assert a.mass == pytest.approx(b.mass, rel=1e-9)
    assert a.p_BoBcm_B == pytest.approx(b.p_BoBcm_B, abs=1e-9)
    assert a.I_BBcm_B == pytest.approx(b.I_BBcm_B, rel=1e-8, abs=1e-9 * max(b.I_BBcm_B))


def is_saved_as_shown(page: Any, path: Path, shown: Any) -> None:
    body = saved(page, path)
    assert body.mass == pytest.approx(shown["mass"], rel=1e-11)
    assert body.p_BoBcm_B == pytest.approx(shown["centre"], rel=1e-11, abs=1e-13)
    assert body.I_BBcm_B == pytest.approx(shown["tensor"], rel=1e-11, abs=1e-12 * max(shown["tensor"]))


# Faces, centre, axes --------------------------------------------------------------------------------------------------


def test_a_face_of_a_body_with_products_of_inertia_moves_along_its_own_axis(browser: Any, path: Path) -> None:
    with editing(browser, path, sdf(link(TURNED + BOX))) as page:
        pick(page, "m::l")
        before = numbers(page)
        for axis in range(3):
            made = after(page, partial(pulled, page, axis, 1, before["box"][axis] / 2, 0.3))
            grown = np.subtract(made["box"], before["box"])
            assert grown[axis] == pytest.approx(0.6, abs=0.08)
            assert np.delete(grown, axis) == pytest.approx([0.0, 0.0], abs=1e-9)
            assert made["rotation"] == pytest.approx(before["rotation"], abs=1e-9)
            assert made["centre"] == before["centre"]
            is_saved_as_shown(page, path, made)
            names = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
            assert masked(path.read_text(), *names) == masked(sdf(link(TURNED + BOX)), *names)
            rewritten(page, path, sdf(link(TURNED + BOX)), before)


def test_the_centre_of_a_body_with_products_of_inertia_is_dragged_along_its_own_axis(browser: Any, path: Path) -> None:
    with editing(browser, path, sdf(link(TURNED + BOX))) as page:
        pick(page, "m::l")
        chosen(page, "edit-mode", "centre")
        # From where the axis is seen from the side.
        page.find_element("id", "canvas").send_keys("1f")
        before = numbers(page)
        base, tip = pixel(page, 0, 0, 0), pixel(page, 0, 0, 1)
        length = math.dist((base["x"], base["y"]), (tip["x"], tip["y"]))
        grab = {key: base[key] + 55 * (tip[key] - base[key]) / length for key in "xy"}
        goal = {key: grab[key] + 0.5 * (tip[key] - base[key]) for key in "xy"}
        made = after(page, lambda: dragged(page, grab, goal))
        way = np.subtract(made["centre"], before["centre"])
        assert np.linalg.norm(way) == pytest.approx(0.5, abs=0.1)
        axis = np.array(before["rotation"]).reshape(3, 3)[:, 2]
        assert way / np.linalg.norm(way) == pytest.approx(axis, abs=1e-6)
        assert made["tensor"] == before["tensor"]
        is_saved_as_shown(page, path, made)
        assert masked(path.read_text(), "pose") == masked(sdf(link(TURNED + BOX)), "pose")


# While something is dragged -------------------------------------------------------------------------------------------


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


def test_what_check_finds_is_told_while_the_centre_is_dragged(page: Any) -> None:
    pick(page, "m::l")
    chosen(page, "edit-mode", "centre")
    base, tip = pixel(page, 0, 0, 0), pixel(page, 0, 0, 1)
    length = math.dist((base["x"], base["y"]), (tip["x"], tip["y"]))
    grab = {key: base[key] + 55 * (tip[key] - base[key]) / length for key in "xy"}
    held(page, grab, {key: grab[key] - 3.2 * (tip[key] - base[key]) for key in "xy"})
    until(page, lambda: "SDI208" in page.find_element("id", "told").text)
    after(page, lambda: let_go(page))
    assert "SDI208" in page.find_element("css selector", "tr.link[data-name='m::l']").text


def test_a_face_that_is_dragged_through_the_other_is_red_and_not_kept(page: Any, path: Path) -> None:
    pick(page, "m::l")
    start = handle(page, 0, 1)
    held(page, start, along(page, start, 0, 1, -0.8))
    until(page, lambda: "thick" in page.find_element("id", "told").text)
    assert "error" in page.find_element("id", "told").get_attribute("class")
    assert not page.execute_script("return sdfinertia.editing.isSound")
    let_go(page)
    until(page, lambda: page.execute_script("return sdfinertia.editing.isSound"))
    assert numbers(page)["box"] == pytest.approx([1.0, 2.0, 3.0])
    assert not page.execute_script("return sdfinertia.editing.state().isChanged")


# Shapes ---------------------------------------------------------------------------------------------------------------

# The shape, the axis of a face and how far it is from the centre, and which dimension grows how often with it.
SHAPES = [
    ("<box><size>{} {} {}</size></box>", [1.0, 2.0, 3.0], 0, 0.5, 0, 2),
    ("<sphere><radius>{}</radius></sphere>", [0.5], 1, 0.5, 0, 1),
    ("<cylinder><radius>{}</radius><length>{}</length></cylinder>", [0.5, 1.0], 0, 0.5, 0, 1),
    ("<cylinder><radius>{}</radius><length>{}</length></cylinder>", [0.5, 1.0], 2, 0.5, 1, 2),
    ("<capsule><radius>{}</radius><length>{}</length></capsule>", [0.5, 1.0], 2, 1.0, 1, 2),
    ("<ellipsoid><radii>{} {} {}</radii></ellipsoid>", [0.5, 0.75, 1.0], 1, 0.75, 1, 1),
    ("<cone><radius>{}</radius><length>{}</length></cone>", [0.5, 1.0], 2, 0.5, 1, 2),
]


def by_hand(shape: str, sizes: list[float]) -> str:
    """A link whose numbers are those of its shape, and its author's."""
    pose = "<pose>0.2 -0.1 0.3 0.4 0.5 0.6</pose>"
    text = sdf(
        link(
            f"<inertial auto='true'/><collision name='c'>{pose}<geometry>{shape.format(*sizes)}</geometry></collision>"
        )
    )
    return sdfinertia.fill(text.encode(), sdfinertia.Options(provenance=False, digits=17)).content.decode()


@pytest.mark.parametrize(("shape", "sizes", "axis", "half", "which", "times"), SHAPES)
def test_each_simple_shape_is_dragged_by_its_faces_and_its_inertia_goes_with_it(
    browser: Any, path: Path, shape: str, sizes: list[float], axis: int, half: float, which: int, times: int
) -> None:
    with editing(browser, path, by_hand(shape, sizes)) as page:
        pick(page, "m::l")
        chosen(page, "edit-mode", "shape")
        made = after(page, lambda: pulled(page, axis, 1, half, 0.2))
        found = made["shapes"][0]["dimensions"]
        expected = [size + 0.2 * times * (k == which) for k, size in enumerate(sizes)]
        assert found == pytest.approx(expected, abs=0.05)
        assert found[which] > sizes[which]
        body = saved(page, path)
        near(body, open_draft(by_hand(shape, found).encode(), filename="m.sdf").inertia("m::l"))
        outside = [text.split("</inertial>")[1] for text in (path.read_text(), by_hand(shape, sizes))]
        names = ("size", "radius", "length", "radii")
        assert masked(outside[0], *names) == masked(outside[1], *names)


# Computing and mirroring ----------------------------------------------------------------------------------------------


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


def test_a_link_is_mirrored_to_its_twin_with_the_right_signs(browser: Any, path: Path) -> None:
    left = link("<pose>1 2 0 0 0 0</pose>" + TURNED + BOX, "left")
    right = link("<pose>1 -2 0 0 0 1.5</pose>" + WRITTEN + BOX)
    text = sdf(left, right)
    expected = open_draft(text.encode(), filename="m.sdf").changed(Mirror("m::l", "m::left", "y"))
    with editing(browser, path, text) as page:
        pick(page, "m::l")
        chosen(page, "edit-source", "m::left")
        made = after(page, lambda: page.find_element("id", "edit-mirror").click(), link=1)
        assert made["mass"] == 5.0
        saved(page, path)
        assert path.read_bytes() == expected.content


# Undoing, the disk ----------------------------------------------------------------------------------------------------


def test_with_unsaved_changes_what_is_on_disk_is_not_overwritten_and_can_be_taken(page: Any, path: Path) -> None:
    pick(page, "m::l")
    after(page, lambda: typed(page, "edit-mass", 24.0))
    other = TWO_LINKS.replace("12.0", "15.0")
    path.write_text(other)
    page.find_element("id", "save").click()
    until(page, lambda: "changed on disk" in page.find_element("id", "told").text)
    assert path.read_text() == other
    until(page, lambda: page.find_elements("id", "keep"))
    page.find_element("id", "keep").click()
    until(page, lambda: "changed on disk in lines" in page.find_element("id", "told").text)
    assert after(page, lambda: page.find_element("id", "reload").click())["mass"] == 15.0
    assert not page.find_element("id", "save").is_enabled()
    assert path.read_text() == other


def test_a_mesh_and_an_included_file_that_change_on_disk_are_shown_as_they_are_now(browser: Any, path: Path) -> None:
    corners, faces = PRIMITIVES["box"].surface((1.0, 1.0, 1.0))

    def write_mesh(size: float) -> None:
        lines = ["v {} {} {}".format(*(size * point)) for point in corners]
        lines += ["f {} {} {}".format(*(face + 1)) for face in faces]
        (path.parent / "a.obj").write_text("\n".join(lines))

    write_mesh(1.0)
    part = path.parent / "part.sdf"
    part.write_text(f"<sdf version='1.11'><model name='p'>{link(WRITTEN, 'far')}</model></sdf>")
    mesh = "<visual name='v'><geometry><mesh><uri>a.obj</uri></mesh></geometry></visual>"
    include = "<include><uri>part.sdf</uri></include>"
    with editing(browser, path, sdf(link(WRITTEN.replace("12.0", "1200") + mesh), include)) as page:
        until(page, lambda: "to come" not in page.find_element("id", "hint").text)
        small = page.execute_script("return sdfinertia.radius()")
        first = version(page)
        write_mesh(10.0)
        until(page, lambda: page.execute_script("return sdfinertia.radius()") > 3 * small)
        assert version(page) > first
        part.write_text(part.read_text().replace("12.0", "15.0"))
        until(page, lambda: "15" in page.find_element("css selector", "tr.link[data-name='m::p::far']").text)
        assert logged(page) == []


def test_by_a_name_that_a_site_gave_to_this_machine_nothing_is_answered(browser: Any, path: Path) -> None:
    with contextmanager(served)("edit", path) as address:
        browser.get(address.replace("127.0.0.1", "evil.example"))
        assert browser.find_element("tag name", "body").text == "This host name is not served."


# Many links -----------------------------------------------------------------------------------------------------------


def test_a_model_of_two_hundred_links_opens_its_meshes_follow_and_it_is_changed_as_any(browser, path):
    corners, faces, _ = clustered(*PRIMITIVES["sphere"].surface((0.1,)), 900)
    assert len(faces) > 700
    shape = "".join("f {} {} {}\n".format(*(face + 1)) for face in faces)
    links = []
    for k in range(200):
        # No two are the same file.
        positions = "".join("v {:.6g} {:.6g} {:.6g}\n".format(*point) for point in corners * (1.0 + k / 1000.0))
        (path.parent / f"{k}.obj").write_text(positions + shape)
        mesh = f"<visual name='v'><geometry><mesh><uri>{k}.obj</uri></mesh></geometry></visual>"
        links.append(link(f"<pose>{k % 20} {k // 20} 0 0 0 0</pose>{WRITTEN}{mesh}", f"l{k}"))
    with editing(browser, path, sdf(*links)) as page:
        assert len(page.find_elements("css selector", "tr.link")) == 200
        until(page, lambda: "to come" not in page.find_element("id", "hint").text)
        assert "drawn coarser" in page.find_element("id", "hint").text
        assert page.execute_script("return sdfinertia.radius()") > 9.0
        pick(page, "m::l150")
        made = after(page, lambda: typed(page, "edit-mass", 24.0), link=150)
        assert made["mass"] == 24.0
        page.find_element("id", "save").click()
        until(page, lambda: not page.execute_script("return sdfinertia.editing.state().isChanged"))
        assert path.read_text().count("<mass>24</mass>") == 1
        assert logged(page) == []
