"""The page of a report in a browser: it opens from a file, and shows things where the numbers say."""

from __future__ import annotations

import base64
import math
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pytest
from builders.browser import NEEDS_CHROMIUM, logged, waiting
from builders.robots import Written, urdf

from sdfinertia.documents.checking import check
from sdfinertia.documents.filling import fill_document
from sdfinertia.documents.opened import open_document
from sdfinertia.documents.scene import Scene, SceneLink, scenes_of
from sdfinertia.errors import Location
from sdfinertia.inertia.spatial_inertia import InertiaTensor, SpatialInertia
from sdfinertia.options import Options
from sdfinertia.report.formats import FindingsReport
from sdfinertia.report.html_report import findings_page, html_report
from sdfinertia.report.quantities import equivalents_of
from sdfinertia.rules.registry import RULES
from sdfinertia.rules.rule import Finding

pytest.importorskip("selenium.webdriver", reason="selenium is not installed")

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = NEEDS_CHROMIUM

ROVER = Path(__file__).parents[2] / "fixtures" / "rover" / "model.sdf"
MARKER = (255, 196, 0)
KINDS = ("bodies", "com", "axes", "box")

Pixels = npt.NDArray[np.int64]


@pytest.fixture(scope="module")
def scene() -> Scene:
    options = Options()
    document = open_document(ROVER, options)
    result = fill_document(document, options)
    (scene,) = scenes_of(document, result.links, is_written=True)
    return scene


@pytest.fixture
def page(browser: Any, scene: Scene, tmp_path: Path) -> Any:
    """The report of the rover, freshly opened from its file."""
    return opened(browser, html_report("rover", [scene]), tmp_path)


def corners_of(body: SpatialInertia) -> Iterator[tuple[float, ...]]:
    """The corners of the equivalent box of a body, in the frame of the body."""
    drawn = equivalents_of(body)
    axes = np.array(drawn.axes.rotation).reshape(3, 3)
    for signs in product((-0.5, 0.5), repeat=3):
        yield tuple(axes @ (np.array(drawn.box) * signs) + np.array(body.p_BoBcm_B))


def opened(browser: Any, text: str, directory: Path) -> Any:
    file = directory / "report.html"
    file.write_text(text, "utf-8")
    browser.get(file.as_uri())
    shown = "return Boolean(window.sdfinertia) || !document.getElementById('trouble').hidden"
    waiting(browser).until(lambda driver: driver.execute_script(shown))
    assert browser.execute_script("return document.getElementById('trouble').textContent") == ""
    return browser


def click_at(page: Any, x: float, y: float) -> None:
    canvas = page.find_element("id", "canvas")
    # Offsets count from the middle of the element.
    offsets = round(x - canvas.size["width"] / 2), round(y - canvas.size["height"] / 2)
    ActionChains(page).move_to_element_with_offset(canvas, *offsets).click().perform()


def until(page: Any, script: str, wanted: str | None = None) -> None:
    def is_so(driver: Any) -> bool:
        value = driver.execute_script(script)
        return value == wanted if wanted is not None else bool(value)

    waiting(page).until(is_so)


def press(page: Any, *keys: str) -> None:
    for key in keys:
        ActionChains(page).send_keys(key).perform()


def picked_rows(page: Any) -> list[str]:
    return [row.get_attribute("data-name") for row in page.find_elements("css selector", "tr.picked")]


def com_in_model(link: SceneLink) -> tuple[float, float, float]:
    return link.X_ML.apply(link.inertia.p_BoBcm_B)


def projected(page: Any, point: tuple[float, float, float]) -> npt.NDArray[np.float64]:
    """The pixel of a point of the model, by the matrices of the camera (OpenGL's conventions)."""
    camera = page.execute_script("return sdfinertia.camera()")
    view, projection = (np.array(camera[name]).reshape(4, 4).T for name in ("view", "projection"))
    x, y, _, w = projection @ view @ np.array([*point, 1.0])
    return np.array([(x / w + 1) / 2 * camera["width"], (1 - y / w) / 2 * camera["height"]])


def stage(page: Any) -> tuple[float, float, float, float]:
    """Where the canvas is on the page, and how large; text beside it may move it by a part of a pixel."""
    box = page.find_element("id", "stage").rect
    return box["x"], box["y"], box["width"], box["height"]


def screenshot(page: Any) -> str:
    """The canvas as it is seen, without its legend, in a form that takes little time to make and to take apart."""
    page.execute_script("document.getElementById('legend').hidden = true")
    x, y, width, height = stage(page)
    clip = {"x": math.floor(x), "y": math.floor(y), "width": width, "height": height, "scale": 1}
    asked = {"optimizeForSpeed": True, "clip": clip}
    return str(page.execute_cdp_cmd("Page.captureScreenshot", asked)["data"])


def pixels_of(page: Any) -> Pixels:
    """Rows of pixels of red, green and blue of the canvas as it is seen, which the browser takes apart."""
    script = """
        const [image, done] = arguments
        const bytes = Uint8Array.from(atob(image), character => character.charCodeAt(0))
        createImageBitmap(new Blob([bytes])).then(picture => {
            const canvas = new OffscreenCanvas(picture.width, picture.height).getContext("2d")
            canvas.drawImage(picture, 0, 0)
            const data = canvas.getImageData(0, 0, picture.width, picture.height).data
            let text = ""
            for (let k = 0; k < data.length; k += 32768)
                text += String.fromCharCode(...data.subarray(k, k + 32768))
            done([picture.width, picture.height, btoa(text)])
        })
    """
    width, height, data = page.execute_async_script(script, screenshot(page))
    return np.frombuffer(base64.b64decode(data), np.uint8).reshape(height, width, 4)[:, :, :3].astype(np.int64)


def test_the_report_opens_from_a_file_without_errors_and_loads_nothing(page: Any) -> None:
    assert logged(page) == []
    loaded = page.execute_script("return performance.getEntriesByType('resource').map((entry) => entry.name)")
    assert [name for name in loaded if not name.startswith("blob:")] == []
    visible = {kind: page.execute_script(f"return sdfinertia.isVisible('{kind}')") for kind in KINDS}
    assert visible == {"bodies": True, "com": True, "axes": False, "box": False}, "the robot first"


def test_a_toggle_hides_its_kind_and_no_other(page: Any) -> None:
    page.find_element("css selector", "#shown summary").click()
    page.find_element("id", "toggle-every").click()
    before = screenshot(page)
    for kind in KINDS:
        page.find_element("id", f"toggle-{kind}").click()
        visible = {each: page.execute_script(f"return sdfinertia.isVisible('{each}')") for each in KINDS}
        assert visible == {each: each != kind for each in KINDS}
        assert screenshot(page) != before, kind
        page.find_element("id", f"toggle-{kind}").click()
        assert screenshot(page) == before, kind


def test_a_click_on_a_centre_of_mass_picks_the_row_of_its_link(page: Any, scene: Scene) -> None:
    for link in scene.links:
        press(page, "\ue00c")
        spot = page.execute_script(f"return sdfinertia.projectCom({link.name!r})")
        click_at(page, spot["x"], spot["y"])
        assert picked_rows(page) == [link.name]
        row = page.find_element("css selector", "tr.picked")
        assert link.name.split("::")[-1] in row.text
        assert row.get_attribute("aria-selected") == "true"
        assert page.find_element("id", "picked-name").text.split("\n")[0] == link.name


def test_a_click_on_a_collision_picks_its_link_and_one_beside_picks_none(page: Any, scene: Scene) -> None:
    press(page, "m")
    (wheel,) = (link for link in scene.links if link.name == "rover::front_right_wheel")
    # The outer side of the wheel, which nothing stands in front of.
    x, y = projected(page, wheel.X_ML.apply((0.0, -0.04, -0.09)))
    assert page.execute_script(f"return sdfinertia.linkAt({x}, {y})") == wheel.name
    click_at(page, x, y)
    assert picked_rows(page) == [wheel.name]
    click_at(page, 3, 3)
    assert picked_rows(page) == []


def test_rows_are_picked_by_mouse_and_keyboard(page: Any, scene: Scene) -> None:
    rows = page.find_elements("css selector", "tr.link")
    plain = screenshot(page)
    rows[0].click()
    assert picked_rows(page) == [scene.links[0].name]
    assert screenshot(page) != plain
    rows[0].send_keys(Keys.ARROW_DOWN)
    page.switch_to.active_element.send_keys(Keys.ENTER)
    assert picked_rows(page) == [scene.links[1].name]
    page.switch_to.active_element.send_keys(Keys.ESCAPE)
    assert picked_rows(page) == []


def test_centres_of_mass_are_drawn_where_the_numbers_say(page: Any, scene: Scene) -> None:
    spots = np.array([projected(page, com_in_model(link)) for link in scene.links])
    pixels = pixels_of(page)
    is_marker = (abs(pixels - np.array(MARKER)) <= 3).all(axis=2)
    told = [page.execute_script(f"return sdfinertia.projectCom({link.name!r})") for link in scene.links]
    assert np.array([[spot["x"], spot["y"]] for spot in told]) == pytest.approx(spots, abs=0.01)
    alone = [spot for k, spot in enumerate(spots) if np.delete(np.linalg.norm(spots - spot, axis=1), k).min() > 2 * 8]
    assert len(alone) >= 5
    moved = np.modf(stage(page)[:2])[0]
    for x, y in alone + moved:
        left, top = round(x) - 9, round(y) - 9
        rows, columns = np.nonzero(is_marker[top : top + 19, left : left + 19])
        # A pixel's own middle is half a pixel from its corner.
        assert (columns.mean() + left + 0.5, rows.mean() + top + 0.5) == pytest.approx((x, y), abs=0.6)


def test_equivalent_boxes_are_drawn_where_the_numbers_say(page: Any, scene: Scene) -> None:
    press(page, "v", "m", "x", "y")
    pixels = pixels_of(page)
    # The stage is a light grey, and lines of what is written or computed have little green.
    is_line = pixels[:, :, 1] < 150
    assert is_line.mean() < 0.05
    for link in scene.links:
        for corner in corners_of(link.inertia):
            x, y = projected(page, link.X_ML.apply(corner))
            near = is_line[round(y) - 3 : round(y) + 4, round(x) - 3 : round(x) + 4]
            assert near.any(), (link.name, corner)


def test_an_ellipsoid_can_take_the_place_of_the_box(page: Any) -> None:
    press(page, "y")
    before = screenshot(page)
    page.execute_script(
        "const solid = document.getElementById('solid'); solid.value = 'ellipsoid';"
        "solid.dispatchEvent(new Event('change'));"
    )
    assert screenshot(page) != before
    assert page.execute_script("return sdfinertia.isVisible('box')")


def test_the_row_of_another_model_brings_that_model_into_view(browser: Any, scene: Scene, tmp_path: Path) -> None:
    other = Scene("</script><b>", "other.sdf", (SceneLink("other::alone", written=scene.links[1].inertia),))
    page = opened(browser, html_report("two", [scene, other]), tmp_path)
    page.find_element("css selector", "tr[data-name='other::alone']").click()
    assert picked_rows(page) == ["other::alone"]
    assert page.find_element("id", "scene").get_attribute("value") == "1"
    spot = page.execute_script("return sdfinertia.projectCom('other::alone')")
    assert page.execute_script(f"return sdfinertia.linkAt({spot['x']}, {spot['y']})") == "other::alone"
    assert logged(page) == []


# A world, findings, and what is written beside what is computed -------------------------------------------------------

WORLD = """<sdf version='1.11'><world name='yard'>
<model name='ground_plane'><static>true</static><link name='g'><collision name='c'><geometry><plane><size>100 100</size>
</plane></geometry></collision></link></model>
<include><uri>cart.sdf</uri><name>one</name></include>
<include><uri>cart.sdf</uri><name>two</name><pose>3 0 0 0 0 0</pose></include>
<include><uri>gone.sdf</uri><name>lost</name></include></world></sdf>"""
CART = """<sdf version='1.11'><model name='cart'>
<link name='body'><pose>0 0 1 0 0 0</pose>
<inertial><pose>0.5 0 0 0 0 0</pose><mass>1000</mass>
<inertia><ixx>166.7</ixx><iyy>166.7</iyy><izz>900</izz></inertia></inertial>
<collision name='c'><geometry><box><size>1 1 1</size></box></geometry></collision>
<visual name='v'><geometry><box><size>1 1 1</size></box></geometry>
<material><diffuse>0 0 1 1</diffuse></material></visual></link>
<link name='knob'><pose>0 0 2 0 0 0</pose><inertial auto='true'/>
<collision name='c'><geometry><sphere><radius>0.2</radius></sphere></geometry></collision></link>
<joint name='hinge' type='revolute'><parent>body</parent><child>knob</child><axis><xyz>0 0 1</xyz></axis></joint>
</model></sdf>"""
PINK = (179, 33, 127)


@pytest.fixture(scope="module")
def world_page(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The page of `check` on a world with two carts, whose body no body can have."""
    directory = tmp_path_factory.mktemp("world")
    files = [directory / "world.sdf", directory / "cart.sdf"]
    files[0].write_text(WORLD)
    files[1].write_text(CART)
    findings = [found for file in files for found in check(file)]
    assert {found.code for found in findings} >= {"SDI001", "SDI103"}
    (scene,) = scenes_of(open_document(files[0], Options()), with_computed=True)
    return findings_page(FindingsReport(findings, RULES, list(map(str, files)), [scene]))


@pytest.fixture
def world(browser: Any, world_page: str, tmp_path: Path) -> Any:
    return opened(browser, world_page, tmp_path)


def near(pixels: Pixels, colour: tuple[int, int, int]) -> npt.NDArray[np.bool_]:
    return np.asarray((abs(pixels - np.array(colour)) <= 60).all(axis=2))


def rows_of(page: Any, selector: str) -> list[str]:
    return [
        row.get_attribute("data-name") for row in page.find_elements("css selector", selector) if row.is_displayed()
    ]


def test_the_whole_world_is_seen_with_every_instance_and_its_plane(world: Any) -> None:
    assert world.execute_script("return sdfinertia.drawnScene()") == "yard"
    assert 2 < world.execute_script("return sdfinertia.radius()") < 10, "an endless plane makes no model small"
    for name in ("one::body", "two::body", "one::knob", "two::knob"):
        spot = world.execute_script(f"return sdfinertia.projectCom({name!r})")
        size = world.find_element("id", "canvas").size
        assert 0 < spot["x"] < size["width"]
        assert 0 < spot["y"] < size["height"]
    one, two = (world.execute_script(f"return sdfinertia.projectCom('{name}::body')") for name in ("one", "two"))
    assert one != two
    assert logged(world) == []


def test_what_is_missing_is_in_the_tree_with_the_reason(world: Any) -> None:
    (group,) = world.find_elements("css selector", ".node.group.error")
    assert "1 model missing" in group.text
    (node,) = world.find_elements("css selector", ".node.missing")
    assert node.is_displayed()
    assert "gone.sdf" in node.text
    assert "1 model missing" in world.find_element("css selector", "header").text


def test_what_is_written_is_a_ghost_with_an_arrow_to_what_is_computed(world: Any) -> None:
    press(world, "v", "m", "x", "b")
    written, computed = (projected(world, (x, 0.0, 1.0)) for x in (0.5, 0.0))
    pixels = pixels_of(world)
    for part in (0.1, 0.5, 0.9):
        x, y = written + part * (computed - written)
        window = pixels[round(y) - 2 : round(y) + 3, round(x) - 2 : round(x) + 3]
        assert near(window, PINK).any(), part
    press(world, "g")
    assert not near(pixels_of(world), PINK).any()


# What is proposed, and the equivalent solid of what is computed.
GREEN, BLUE = (0, 122, 77), (0, 104, 176)


def test_what_is_written_proposed_and_computed_is_drawn_together(browser: Any, tmp_path: Path) -> None:
    """A tensor about the origin of the link, which is a body too, and about its centre not quite that of the box."""
    right, shape = (0.0026, 0.036, 0.0365), (0.002, 0.03, 0.031)
    shift = 2.0 * 0.3**2
    written = right[0], right[1] + shift, right[2] + shift
    xx, yy, zz = written
    texts = [f"{value:.9g}" for value in (xx, 0.0, 0.0, yy, 0.0, zz)]
    link = Written("arm", "2", texts, (shape[0], 0.0, 0.0, shape[1], 0.0, shape[2]), "0.3 0 0")
    (tmp_path / "r.urdf").write_bytes(urdf(link))
    command = [sys.executable, "-m", "sdfinertia", "check", "-q", "--why", "--report", "r.html", "r.urdf"]
    assert subprocess.run(command, cwd=tmp_path, check=False).returncode == 1
    page = opened(browser, (tmp_path / "r.html").read_text("utf-8"), tmp_path)
    legend = page.find_element("id", "legend").text
    assert all(word in legend for word in ("as written", "computed", "proposed", "warning"))
    page.find_element("css selector", "tr.link .own").click()
    press(page, "v", "m", "x")
    pixels = pixels_of(page)
    for (xx, yy, zz), colour in ((written, PINK), (right, GREEN), (shape, BLUE)):
        for corner in corners_of(SpatialInertia(2.0, (0.3, 0.0, 0.0), InertiaTensor(xx, yy, zz))):
            x, y = projected(page, corner)
            window = pixels[round(y) - 3 : round(y) + 4, round(x) - 3 : round(x) + 4]
            assert near(window, colour).any(), (colour, corner)
    assert page.execute_script("return sdfinertia.isVisible('besides')")
    press(page, "w")
    assert not page.execute_script("return sdfinertia.isVisible('besides')")


def test_a_finding_picks_its_link_and_a_link_its_findings(world: Any) -> None:
    finding = world.find_element("css selector", ".finding[data-about]")
    assert finding.is_displayed(), "it is in the first screen"
    start = distance(world)
    finding.find_element("css selector", ".wrong").click()
    assert len(picked_rows(world)) == 1
    assert "picked" in finding.get_attribute("class")
    assert distance(world) < start, "it is zoomed to"
    press(world, "\ue00c")
    assert "picked" not in finding.get_attribute("class")
    assert distance(world) == pytest.approx(start, rel=1e-6), "and back"
    world.find_element("css selector", "tr[data-name='one::body'] .own").click()
    picked = world.find_elements("css selector", ".finding.picked")
    assert picked
    assert all("cart::body" in each.text for each in picked)


def test_the_next_finding_is_a_key_away_and_its_link_has_the_colour_of_its_level(world: Any) -> None:
    hues = {name: world.execute_script(f"return sdfinertia.hueOf('{name}')") for name in ("one::body", "two::body")}
    error = world.execute_script(
        "return getComputedStyle(document.documentElement).getPropertyValue('--error-body').trim()"
    )
    assert set(hues.values()) == {error}
    seen = set()
    for _ in world.find_elements("css selector", ".finding"):
        press(world, "n")
        seen.add(world.find_element("css selector", ".finding.picked").text)
    assert len(seen) == len(world.find_elements("css selector", ".finding"))


def test_the_command_that_mends_a_finding_and_the_text_of_a_link_are_copied(world: Any) -> None:
    command = world.find_element("css selector", ".finding .command")
    command.find_element("css selector", "button").click()
    wanted = command.find_element("css selector", "code").text
    assert wanted.startswith("sdfinertia ")
    until(world, "return sdfinertia.copied()", wanted)
    world.find_element("css selector", "tr[data-name='one::body'] .own").click()
    detail = next(each for each in world.find_elements("css selector", ".detail") if each.is_displayed())
    assert "density of that volume" in detail.text
    detail.find_element("css selector", "[data-copy=mjcf]").click()
    until(world, "return String(sdfinertia.copied()).includes('mass=\"1000\"')")


# The tree, units, and keys --------------------------------------------------------------------------------------------


def test_search_leaves_what_matches(world: Any) -> None:
    press(world, "/")
    press(world, *"two::k")
    assert rows_of(world, ".node") == ["two::knob"]
    assert rows_of(world, "tr.link") == ["two::knob"]
    press(world, "\ue007")
    assert picked_rows(world) == ["two::knob"]


def shown(page: Any) -> set[str]:
    names = ("one::body", "one::knob", "two::body", "two::knob")
    return {name for name in names if page.execute_script(f"return sdfinertia.isShown('{name}')")}


def test_links_and_models_are_hidden_and_shown_alone(world: Any) -> None:
    node = world.find_element("css selector", ".node.model[data-name='two']")
    world.execute_script("arguments[0].querySelector('.eye').click()", node)
    assert shown(world) == {"one::body", "one::knob"}
    press(world, "a")
    world.find_element("css selector", "tr[data-name='two::knob'] .own").click()
    press(world, "i")
    assert shown(world) == {"two::knob"}
    press(world, "a", "h")
    assert shown(world) == {"one::body", "one::knob", "two::body"}
    spot = world.execute_script("return sdfinertia.projectCom('two::knob')")
    assert world.execute_script(f"return sdfinertia.linkAt({spot['x']}, {spot['y']})") != "two::knob"


def test_a_joint_is_drawn_when_it_is_picked(world: Any) -> None:
    before = screenshot(world)
    world.find_element("css selector", ".node.joint[data-name='one::hinge']").click()
    assert "revolute: body → knob" in world.find_element("id", "picked-name").text
    assert screenshot(world) != before


def test_what_has_no_findings_has_its_visuals_in_their_colours_and_quiet(browser: Any, tmp_path: Path) -> None:
    (tmp_path / "cart.sdf").write_text(CART)
    scenes = scenes_of(open_document(tmp_path / "cart.sdf", Options()))
    page = opened(browser, html_report("cart", scenes), tmp_path)
    press(page, "m")
    pixels = pixels_of(page)
    assert (pixels[:, :, 2] > 1.6 * pixels[:, :, 0] + 20).mean() > 0.01
    press(page, "v")
    pixels = pixels_of(page)
    assert not (pixels[:, :, 2] > 1.6 * pixels[:, :, 0] + 20).any()


def test_collisions_are_drawn_once_they_are_asked_for(world: Any) -> None:
    assert not world.execute_script("return sdfinertia.isVisible('collisions')")
    assert world.execute_script("return sdfinertia.isVisible('bodies')"), "a link without visuals has its collisions"
    press(world, "c")
    assert world.execute_script("return sdfinertia.isVisible('collisions')")


def number_of(page: Any) -> str:
    text: str = page.find_element("css selector", "tr[data-name='one::body'] td.mass div").text
    return text


def test_units_change_with_a_key(world: Any) -> None:
    assert number_of(world) == "1000"
    press(world, "k")
    assert number_of(world) == "1e+06"
    assert world.find_element("css selector", "th.mass small").text == "g"
    press(world, "l")
    assert "g·mm²" in world.find_element("css selector", "#links thead").text
    press(world, "k", "l")
    assert number_of(world) == "1000"


def distance(page: Any) -> float:
    view = np.array(page.execute_script("return sdfinertia.camera()")["view"]).reshape(4, 4).T
    return float(np.linalg.norm(np.linalg.inv(view)[:3, 3] - np.array([1.5, 0.0, 1.0])))


def test_keys_go_nearer_and_farther_look_along_axes_and_save_a_picture(world: Any) -> None:
    start = distance(world)
    press(world, "+")
    near_by = distance(world)
    press(world, "-", "-")
    assert near_by < start < distance(world)
    for key, axis in [("1", (1, 0, 0)), ("4", (0, -1, 0)), ("5", (0, 0, 1))]:
        press(world, key)
        view = np.array(world.execute_script("return sdfinertia.camera()")["view"]).reshape(4, 4).T
        assert view[2, :3] == pytest.approx(axis, abs=1e-3)
    press(world, "p")
    assert world.execute_script("return sdfinertia.picture()").startswith("data:image/png;base64,")


def test_the_keys_are_said_and_the_help_for_the_first_visit_is_put_away(world: Any) -> None:
    assert "? for all keys" in world.find_element("id", "help-line").text
    press(world, "?")
    text = world.find_element("id", "keys").text
    assert all(word in text for word in ("nearer", "hide what is picked", "kg or g", "next finding", "PNG"))
    press(world, "\ue00c")
    assert not world.find_element("id", "keys").is_displayed()
    world.find_element("id", "help-done").click()
    assert not world.find_element("id", "help-line").is_displayed()
    world.refresh()
    until(world, "return Boolean(window.sdfinertia)")
    assert not world.find_element("id", "help-line").is_displayed()
    world.execute_script("localStorage.clear()")


# What a card, the tree and the table promise --------------------------------------------------------------------------


def test_what_is_picked_stands_out_and_the_rest_is_faint(world: Any) -> None:
    def opacity(name: str) -> float:
        script = f"return sdfinertia.opacityOf('{name}')"
        return float(world.execute_script(script))

    world.find_element("css selector", ".node.link[data-name='one::body'] .label").click()
    assert opacity("one::body") > 0.5
    assert opacity("two::body") < 0.2
    assert world.execute_script("return sdfinertia.isVisible('box')")
    press(world, "\ue00c")
    assert opacity("two::body") == 1.0


PLACEHOLDER = """<sdf version='1.11'><model name='p'>
<link name='small'><inertial><mass>0.001</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>
<collision name='c'><geometry><box><size>0.1 0.1 0.1</size></box></geometry></collision></link>
<link name='large'><pose>1 0 0 0 0 0</pose><inertial><mass>1</mass>
<inertia><ixx>0.1667</ixx><iyy>0.1667</iyy><izz>0.1667</izz></inertia></inertial>
<collision name='c'><geometry><box><size>1 1 1</size></box></geometry></collision></link></model></sdf>"""


def test_a_solid_much_larger_than_its_link_is_cut_off_and_its_true_size_said(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "p.sdf"
    path.write_text(PLACEHOLDER)
    findings = check(path)
    scenes = scenes_of(open_document(path, Options()))
    page = opened(browser, findings_page(FindingsReport(findings, RULES, [str(path)], scenes)), tmp_path)
    assert page.execute_script("return sdfinertia.radius()") < 2.0, "the robot is seen, and not its placeholder"
    assert "1 solid is over 3 times the link and cut off" in page.find_element("id", "hint").text
    page.find_element("css selector", ".finding .wrong").click()
    size = math.sqrt(6.0 * 1.0 / 0.001)
    assert f"box written: {size:.6g} m × " in page.find_element("id", "picked-name").text
    assert distance(page) < 10.0


def test_findings_are_chosen_by_rule_and_by_level(browser: Any, tmp_path: Path) -> None:
    found = [("SDI101", "m::a"), ("SDI202", "m::a"), ("SDI202", "m::b"), ("SDI204", "m::b"), ("SDI103", "m::c")]
    findings = [Finding(code, "is wrong", Location("m.sdf", 1, 1), link) for code, link in found]
    links = tuple(SceneLink(f"m::{name}", file="m.sdf") for name in "abc")
    page = opened(browser, html_report("t", [Scene("m", "m.sdf", links)], findings=findings), tmp_path)

    def shown() -> list[list[str]]:
        cards = [card for card in page.find_elements("css selector", ".finding") if card.is_displayed()]
        return [[each.text for each in card.find_elements("css selector", ".wrong .badge") if each.is_displayed()]
                for card in cards]  # fmt: skip

    def choose(name: str, value: str) -> None:
        Select(page.find_element("id", f"filter-{name}")).select_by_value(value)

    assert [len(card) for card in shown()] == [2, 1, 2], "the worst first"
    choose("level", "error")
    assert shown() == [["SDI101"], ["SDI103"]]
    choose("level", "")
    choose("rule", "SDI202")
    assert shown() == [["SDI202"], ["SDI202"]]
    press(page, "\ue00c", "n", "n")
    assert picked_rows(page) == ["m::b"], "what is not shown is passed over"


def test_the_tree_tells_what_is_missing_once_and_folds(browser: Any, tmp_path: Path) -> None:
    missing = tuple((f"m{k}::model://chair", f"'model://chair{k % 4}' is not found, tried: x") for k in range(112))
    link = SceneLink("left_front::camera_optical_frame")
    page = opened(browser, html_report("w", [Scene("w", "w.sdf", (link,), missing=missing, is_world=True)]), tmp_path)
    (group,) = page.find_elements("css selector", ".node.group.error")
    assert group.text == "4 models missing, 112 times"
    assert group.get_attribute("aria-expanded") == "false"
    assert not rows_of(page, ".node.missing")
    group.click()
    labels = [each.text for each in page.find_elements("css selector", ".node.missing .label")]
    assert labels == [f"model://chair{k} × 28" for k in range(4)]
    label = page.find_element("css selector", ".node.link .label")
    assert label.get_attribute("innerHTML") == "camera_<wbr>optical_<wbr>frame"


def test_the_tree_is_worked_by_keyboard_alone(world: Any) -> None:
    first = world.find_element("css selector", "#nodes .node")
    assert [each.get_attribute("tabindex") for each in world.find_elements("css selector", ".node")].count("0") == 1
    world.execute_script("arguments[0].focus()", first)
    press(world, "\ue012")
    assert first.get_attribute("aria-expanded") == "false"
    assert not rows_of(world, ".node.link")
    press(world, "\ue014", "\ue015", "\ue015")
    assert world.switch_to.active_element.get_attribute("role") == "treeitem"
    while "link" not in world.switch_to.active_element.get_attribute("class"):
        press(world, "\ue015")
    name = world.switch_to.active_element.get_attribute("data-name")
    press(world, "\ue007")
    assert picked_rows(world) == [name]


def test_the_decimal_points_of_a_column_are_below_each_other(world: Any) -> None:
    ends = world.execute_script(
        "return [...document.querySelectorAll('#links td:nth-of-type(2) .q :first-child')]"
        ".map((part) => part.getBoundingClientRect().right)"
    )
    assert len(ends) > 3
    assert max(ends) - min(ends) < 0.5


@pytest.mark.parametrize("width", [1400, 1000, 700])
def test_no_number_is_cut_at_any_width(world: Any, width: int) -> None:
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    world.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        widths = world.execute_script(
            "const { clientWidth, scrollWidth } = document.getElementById('numbers');"
            "return [clientWidth, scrollWidth, document.documentElement.scrollWidth]"
        )
    finally:
        world.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert widths[1] <= widths[0]
    assert widths[2] <= width


def test_everything_that_can_be_worked_has_a_name(world: Any) -> None:
    nodes = world.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    worked = {"button", "combobox", "checkbox", "searchbox", "treeitem", "image", "link", "dialog"}
    named = [(node["role"]["value"], node.get("name", {}).get("value", "")) for node in nodes if not node["ignored"]]
    found = [(role, name) for role, name in named if role in worked]
    assert {role for role, _ in found} >= {"button", "combobox", "searchbox", "treeitem"}
    assert [role for role, name in found if not name.strip()] == []
    assert {"View", "Solid", "Mass", "Length", "Severity", "Rule"} <= {
        name for role, name in found if role == "combobox"
    }


def test_fit_does_what_f_does(world: Any) -> None:
    world.find_element("css selector", "tr[data-name='one::knob'] .own").click()
    picked = distance(world)
    press(world, "-", "f")
    assert distance(world) == pytest.approx(picked, rel=1e-6)
    press(world, "-")
    world.find_element("id", "fit").click()
    assert distance(world) == pytest.approx(picked, rel=1e-6)


def test_what_is_printed_is_the_picture_the_findings_and_the_numbers(world: Any) -> None:
    world.execute_script("dispatchEvent(new Event('beforeprint'))")
    world.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        shown = {
            name: world.find_element("css selector", name).is_displayed()
            for name in ("#printed", "#findings", "#links", "#tree", ".bar", "#stage")
        }
        assert shown == {
            "#printed": True, "#findings": True, "#links": True, "#tree": False, ".bar": False, "#stage": False
        }  # fmt: skip
        assert world.execute_script("return document.getElementById('printed').naturalWidth") > 100
    finally:
        world.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_errors_and_warnings_differ_for_the_colour_blind(browser: Any, world: Any, scheme: str) -> None:
    world.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    )
    try:
        script = "return getComputedStyle(document.documentElement).getPropertyValue('--{}').trim()"
        error, warning = (world.execute_script(script.format(name)) for name in ("error-body", "warning-body"))
    finally:
        world.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    # Whatever the hues are to an eye, the one is much lighter; signs say the same.
    light = [
        sum(w * int(c[k : k + 2], 16) for w, k in ((0.2126, 1), (0.7152, 3), (0.0722, 5))) for c in (error, warning)
    ]
    assert light[1] > 1.8 * light[0]
    badges = world.find_elements("css selector", "#counts .badge")
    assert badges
    signs = {
        world.execute_script("return getComputedStyle(arguments[0], '::before').content", badge) for badge in badges
    }
    assert len(signs) == len(badges)


def test_what_cannot_be_drawn_is_said(browser: Any, tmp_path: Path) -> None:
    mesh = "<collision name='c'><geometry><mesh><uri>gone.stl</uri></mesh></geometry></collision>"
    path = tmp_path / "m.sdf"
    path.write_text(f"<sdf version='1.11'><model name='m'><link name='l'>{mesh}</link></model></sdf>")
    page = opened(browser, html_report("t", scenes_of(open_document(path, Options()))), tmp_path)
    assert "no mesh was found" in page.find_element("id", "empty").text
    assert "1 shape is not drawn, see the notes" in page.find_element("id", "hint").text
    assert "gone.stl" in page.find_element("id", "notes").text
    assert logged(page) == []


ROOM = """<sdf version='1.11'><world name='w'><model name='room'><link name='walls'><visual name='v'><geometry>
<box><size>10 10 3</size></box></geometry></visual></link></model>{}</world></sdf>"""


def test_rooms_are_cut_open(browser: Any, tmp_path: Path) -> None:
    ball = "<visual name='v'><geometry><sphere><radius>0.3</radius></sphere></geometry></visual>"
    balls = "".join(
        f"<model name='m{k}'><pose>{k - 3} {k - 3} -1 0 0 0</pose><link name='l'>{ball}</link></model>"
        for k in range(6)
    )
    path = tmp_path / "w.sdf"
    path.write_text(ROOM.format(balls))
    page = opened(browser, html_report("t", scenes_of(open_document(path, Options()))), tmp_path)
    assert "rooms cut open" in page.find_element("id", "hint").text
    press(page, "5")
    x, y = projected(page, (0.0, 0.0, -1.0))
    assert page.execute_script(f"return sdfinertia.linkAt({x}, {y})") == "m3::l"
    before = pixels_of(page)[round(y), round(x)]
    page.execute_script("document.querySelector(\".node.model[data-name='m3'] .eye\").click()")
    after = pixels_of(page)[round(y), round(x)]
    assert (before != after).any(), "it is seen through the ceiling"


def test_one_row_of_the_table_is_reached_by_tab_and_the_others_by_arrows(page: Any) -> None:
    reached = page.find_elements("css selector", "tr.link[tabindex='0']")
    assert len(reached) == 1
    page.execute_script("arguments[0].focus()", reached[0])
    press(page, "\ue015")
    after = page.find_elements("css selector", "tr.link[tabindex='0']")
    assert [row.get_attribute("data-link") for row in after] == ["1"]
