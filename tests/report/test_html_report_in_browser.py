"""The page of a report in a browser: it opens from a file, and shows things where the numbers say."""

from __future__ import annotations

import base64
import math
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from builders.browser import NEEDS_CHROMIUM, logged, waiting
from builders.drawn_links import drawn_link

from sdfinertia.documents import open_document
from sdfinertia.documents.checking import check
from sdfinertia.documents.filling import fill_document
from sdfinertia.documents.scene import DrawnLink, Scene, scenes_of
from sdfinertia.errors import Location
from sdfinertia.options import Options
from sdfinertia.report import FindingsReport
from sdfinertia.report.html_report import findings_html, html_report
from sdfinertia.rules.rule import Finding

pytest.importorskip("selenium.webdriver", reason="selenium is not installed")

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.support.ui import Select

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


def com_in_model(link: DrawnLink) -> tuple[float, float, float]:
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
    return findings_html(FindingsReport(findings, list(map(str, files)), [scene]))


@pytest.fixture
def world(browser: Any, world_page: str, tmp_path: Path) -> Any:
    return opened(browser, world_page, tmp_path)


def near(pixels: Pixels, colour: tuple[int, int, int]) -> npt.NDArray[np.bool_]:
    return np.asarray((abs(pixels - np.array(colour)) <= 60).all(axis=2))


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


def distance(page: Any) -> float:
    view = np.array(page.execute_script("return sdfinertia.camera()")["view"]).reshape(4, 4).T
    return float(np.linalg.norm(np.linalg.inv(view)[:3, 3] - np.array([1.5, 0.0, 1.0])))


# What a card, the tree and the table promise --------------------------------------------------------------------------


def test_findings_are_chosen_by_rule_and_by_level(browser: Any, tmp_path: Path) -> None:
    found = [("SDI101", "m::a"), ("SDI202", "m::a"), ("SDI202", "m::b"), ("SDI204", "m::b"), ("SDI103", "m::c")]
    findings = [Finding(code, "is wrong", Location("m.sdf", 1, 1), link) for code, link in found]
    links = tuple(drawn_link(f"m::{name}", file="m.sdf") for name in "abc")
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


def test_what_cannot_be_drawn_is_said(browser: Any, tmp_path: Path) -> None:
    mesh = "<collision name='c'><geometry><mesh><uri>gone.stl</uri></mesh></geometry></collision>"
    path = tmp_path / "m.sdf"
    path.write_text(f"<sdf version='1.11'><model name='m'><link name='l'>{mesh}</link></model></sdf>")
    page = opened(browser, html_report("t", scenes_of(open_document(path, Options()))), tmp_path)
    assert "no mesh was found" in page.find_element("id", "empty").text
    assert "1 shape is not drawn, see the notes" in page.find_element("id", "hint").text
    assert "gone.stl" in page.find_element("id", "notes").text
    assert logged(page) == []
