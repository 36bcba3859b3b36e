"""The page of a report in a browser: it opens from a file, and shows things where the numbers say.

Needs Chromium and its driver on PATH, and selenium; WebGL is drawn in software.
"""

from __future__ import annotations

import base64
import shutil
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from sdfinertia.documents.filling import fill_document
from sdfinertia.documents.model_scenes import scenes_of
from sdfinertia.documents.opened import open_document
from sdfinertia.documents.scene import Scene, SceneLink
from sdfinertia.options import Options
from sdfinertia.report.pages.html_report import html_report
from sdfinertia.report.pages.scene_data import equivalents

webdriver: Any = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
pytestmark = [
    pytest.mark.skipif(CHROMIUM is None or DRIVER is None, reason="chromium and chromedriver are not on PATH"),
    # The driver's sockets are closed by the collector, which says so.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]

ROVER = Path(__file__).parents[2] / "fixtures" / "rover" / "model.sdf"
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-background-networking",
    "--disable-dev-shm-usage",
    "--force-device-scale-factor=1",
    "--window-size=1500,950",
)
MARKER = (255, 196, 0)
KINDS = ("collisions", "com", "axes", "box")

Pixels = npt.NDArray[np.int64]


@pytest.fixture(scope="module")
def scene() -> Scene:
    options = Options()
    document = open_document(ROVER, options)
    result = fill_document(document, options)
    (scene,) = scenes_of(document, result.links)
    return scene


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    yield driver
    driver.quit()


@pytest.fixture
def page(browser: Any, scene: Scene, tmp_path: Path) -> Any:
    """The report of the rover, freshly opened from its file."""
    return opened(browser, html_report("rover", [scene]), tmp_path)


def opened(browser: Any, text: str, directory: Path) -> Any:
    from selenium.webdriver.support.ui import WebDriverWait

    file = directory / "report.html"
    file.write_text(text, "utf-8")
    browser.get(file.as_uri())
    shown = "return Boolean(window.sdfinertia) || !document.getElementById('trouble').hidden"
    WebDriverWait(browser, 60).until(lambda driver: driver.execute_script(shown))
    assert browser.execute_script("return document.getElementById('trouble').textContent") == ""
    return browser


def click_at(page: Any, x: float, y: float) -> None:
    from selenium.webdriver.common.action_chains import ActionChains

    canvas = page.find_element("id", "canvas")
    # Offsets count from the middle of the element.
    offsets = round(x - canvas.size["width"] / 2), round(y - canvas.size["height"] / 2)
    ActionChains(page).move_to_element_with_offset(canvas, *offsets).click().perform()


def picked_rows(page: Any) -> list[str]:
    return [row.get_attribute("data-name") for row in page.find_elements("css selector", "tr.picked")]


def com_in_model(link: SceneLink) -> tuple[float, float, float]:
    assert link.inertia is not None
    return link.X_ML.apply(link.inertia.p_BoBcm_B)


def projected(page: Any, point: tuple[float, float, float]) -> npt.NDArray[np.float64]:
    """The pixel of a point of the model, by the matrices of the camera (OpenGL's conventions)."""
    camera = page.execute_script("return sdfinertia.camera()")
    view, projection = (np.array(camera[name]).reshape(4, 4).T for name in ("view", "projection"))
    x, y, _, w = projection @ view @ np.array([*point, 1.0])
    return np.array([(x / w + 1) / 2 * camera["width"], (1 - y / w) / 2 * camera["height"]])


def screenshot(page: Any) -> bytes:
    """The canvas as it is seen."""
    png: bytes = page.find_element("id", "stage").screenshot_as_png
    return png


# The browser takes a picture apart that it made itself: in Python each pixel would be a step.
DECODE = """
const [png, done] = arguments, bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
createImageBitmap(new Blob([bytes])).then((image) => {
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
    context.drawImage(image, 0, 0);
    const pixels = context.getImageData(0, 0, image.width, image.height).data;
    let text = "";
    for (let at = 0; at < pixels.length; at += 8192) text += String.fromCharCode(...pixels.subarray(at, at + 8192));
    done([image.width, image.height, btoa(text)]);
});
"""


def decoded_png(page: Any, png: bytes) -> Pixels:
    """Rows of pixels of red, green and blue."""
    width, height, pixels = page.execute_async_script(DECODE, base64.b64encode(png).decode())
    return np.frombuffer(base64.b64decode(pixels), np.uint8).reshape(height, width, 4)[:, :, :3].astype(np.int64)


def test_the_report_opens_from_a_file_without_errors_and_loads_nothing(page: Any) -> None:
    assert page.get_log("browser") == []
    loaded = page.execute_script("return performance.getEntriesByType('resource').map((entry) => entry.name)")
    assert [name for name in loaded if not name.startswith("blob:")] == []
    assert all(page.execute_script(f"return sdfinertia.isVisible('{kind}')") for kind in KINDS)


def test_a_toggle_hides_its_kind_and_no_other(page: Any) -> None:
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
        spot = page.execute_script(f"return sdfinertia.projectCom({link.name!r})")
        click_at(page, spot["x"], spot["y"])
        assert picked_rows(page) == [link.name]
        row = page.find_element("css selector", "tr.picked")
        assert link.name.split("::")[-1] in row.text
        assert row.get_attribute("aria-selected") == "true"
        assert page.find_element("id", "picked-name").text == link.name


def test_a_click_on_a_collision_picks_its_link_and_one_beside_picks_none(page: Any, scene: Scene) -> None:
    page.find_element("id", "toggle-com").click()
    (wheel,) = (link for link in scene.links if link.name == "rover::front_right_wheel")
    # The outer side of the wheel, which nothing stands in front of.
    x, y = projected(page, wheel.X_ML.apply((0.0, -0.04, -0.09)))
    assert page.execute_script(f"return sdfinertia.linkAt({x}, {y})") == wheel.name
    click_at(page, x, y)
    assert picked_rows(page) == [wheel.name]
    click_at(page, 3, 3)
    assert picked_rows(page) == []


def test_rows_are_picked_by_mouse_and_keyboard(page: Any, scene: Scene) -> None:
    from selenium.webdriver.common.keys import Keys

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
    pixels = decoded_png(page, screenshot(page))
    is_marker = (abs(pixels - np.array(MARKER)) <= 3).all(axis=2)
    told = [page.execute_script(f"return sdfinertia.projectCom({link.name!r})") for link in scene.links]
    assert np.array([[spot["x"], spot["y"]] for spot in told]) == pytest.approx(spots, abs=0.01)
    alone = [spot for k, spot in enumerate(spots) if np.delete(np.linalg.norm(spots - spot, axis=1), k).min() > 2 * 8]
    assert len(alone) >= 5
    for x, y in alone:
        left, top = round(x) - 9, round(y) - 9
        rows, columns = np.nonzero(is_marker[top : top + 19, left : left + 19])
        # A pixel's own middle is half a pixel from its corner.
        assert (columns.mean() + left + 0.5, rows.mean() + top + 0.5) == pytest.approx((x, y), abs=0.6)


def test_equivalent_boxes_are_drawn_where_the_numbers_say(page: Any, scene: Scene) -> None:
    for kind in ("collisions", "com", "axes"):
        page.find_element("id", f"toggle-{kind}").click()
    pixels = decoded_png(page, screenshot(page))
    # The stage is a light grey, and lines of the accent have little blue.
    is_line = pixels[:, :, 2] < 150
    assert is_line.mean() < 0.05
    for link in scene.links:
        drawn = equivalents(link.inertia)
        assert drawn is not None
        assert link.inertia is not None
        axes = np.array(drawn.axes.rotation).reshape(3, 3)
        for signs in product((-0.5, 0.5), repeat=3):
            corner = axes @ (np.array(drawn.box) * signs) + np.array(link.inertia.p_BoBcm_B)
            x, y = projected(page, link.X_ML.apply(tuple(corner)))
            near = is_line[round(y) - 2 : round(y) + 3, round(x) - 2 : round(x) + 3]
            assert near.any(), (link.name, signs)


def test_an_ellipsoid_can_take_the_place_of_the_box(page: Any) -> None:
    before = screenshot(page)
    page.execute_script(
        "const solid = document.getElementById('solid'); solid.value = 'ellipsoid';"
        "solid.dispatchEvent(new Event('change'));"
    )
    assert screenshot(page) != before
    assert page.execute_script("return sdfinertia.isVisible('box')")


def test_the_row_of_another_model_brings_that_model_into_view(browser: Any, scene: Scene, tmp_path: Path) -> None:
    other = Scene("</script><b>", "other.sdf", (SceneLink("other::alone", inertia=scene.links[1].inertia),))
    page = opened(browser, html_report("two", [scene, other]), tmp_path)
    page.find_element("css selector", "tr[data-name='other::alone']").click()
    assert picked_rows(page) == ["other::alone"]
    assert page.find_element("id", "scene").get_attribute("value") == "1"
    spot = page.execute_script("return sdfinertia.projectCom('other::alone')")
    assert page.execute_script(f"return sdfinertia.linkAt({spot['x']}, {spot['y']})") == "other::alone"
    assert page.get_log("browser") == []
