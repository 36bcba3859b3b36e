"""The page of a report: that it needs nothing else, that no text breaks it, and that its numbers are those given."""

from __future__ import annotations

import base64
import json
import re
from hashlib import sha256
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from builders.documents import one_link as sdf_of
from builders.drawn_links import drawn_link
from builders.rigid_bodies import body_of

from sdfinertia.documents import open_document, scene
from sdfinertia.documents.checking import check
from sdfinertia.documents.filling import fill_document
from sdfinertia.documents.scene import DrawnLink, Scene, SceneShape, Triangles, scenes_of
from sdfinertia.errors import Location
from sdfinertia.inertia import InertiaTensor, SpatialInertia
from sdfinertia.inertia.rigid_transform import RigidTransform, rotation_from_rpy
from sdfinertia.links.inputs import Status
from sdfinertia.mesh.tessellation import SURFACES
from sdfinertia.options import Options
from sdfinertia.report import FindingsReport
from sdfinertia.report.html_report import findings_html, html_report
from sdfinertia.rules.rule import Effect, Finding

FIXTURES = Path(__file__).parents[2] / "fixtures"
VENDOR = files("sdfinertia.report").joinpath("vendor")

HOSTILE = "</script><script>alert(1)</script><!-- ' \" & \u2028 \udcff"


class _Page(HTMLParser):
    """The elements of a page, and the text of those that have an id or are rows."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text_of: dict[str, str] = {}
        self._script: str | None = None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._script = dict(attrs).get("id") if tag == "script" else self._script

    def handle_endtag(self, tag: str) -> None:
        self._script = None if tag == "script" else self._script

    def handle_data(self, data: str) -> None:
        if self._script:
            self.text_of[self._script] = self.text_of.get(self._script, "") + data


def data_of(page: str) -> Any:
    return json.loads(_Page(page).text_of["data"])


def rover_page() -> str:
    options = Options()
    path = FIXTURES / "rover" / "model.sdf"
    document = open_document(path, options)
    result = fill_document(document, options)
    scenes = scenes_of(document, result.links, with_computed=True, is_written=True)
    return html_report("rover", scenes, notes=result.notes, diff=b"--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n")


def one_link(**values: Any) -> list[Scene]:
    return [Scene("m", "m.sdf", (drawn_link("m::l", **values),))]


def test_the_page_names_nothing_to_be_loaded() -> None:
    page = _Page(rover_page())
    for tag, attributes in page.elements:
        assert tag not in ("link", "img", "iframe", "object", "embed", "base")
        assert not {"src", "href", "srcset", "action"} & attributes.keys()
    (policy,) = (a["content"] for _, a in page.elements if a.get("http-equiv") == "Content-Security-Policy")
    assert policy is not None
    assert "default-src 'none'" in policy
    assert "http" not in policy
    styles = re.search(r"<style>(.*?)</style>", rover_page(), re.DOTALL)[1]
    assert "url(" not in styles
    assert "@import" not in styles


def test_pages_are_small_and_the_same_for_the_same_arguments() -> None:
    assert len(html_report("t", one_link()).encode()) <= 1_500_000
    page = rover_page()
    assert page == rover_page()
    assert len(page.encode()) < 5_000_000


@pytest.mark.parametrize("name", sorted(path.parent.name for path in FIXTURES.glob("*/model.sdf")))
def test_the_report_of_every_fixture_is_below_five_megabytes(name: str) -> None:
    options = Options()
    scenes = scenes_of(open_document(FIXTURES / name / "model.sdf", options))
    assert len(html_report(name, scenes).encode()) < 5_000_000


def test_vendored_files_are_those_that_the_note_describes() -> None:
    listed = re.findall(r"^([0-9a-f]{64})  (\S+) \(", VENDOR.joinpath("NOTE").read_text("utf-8"), re.MULTILINE)
    assert len(listed) == 5
    for digest, name in listed:
        assert sha256(VENDOR.joinpath(name).read_bytes()).hexdigest() == digest


def test_libraries_arrive_in_the_page_unchanged_with_their_licence() -> None:
    texts = _Page(html_report("t", one_link())).text_of
    for name in ("three.core.min.js", "three.module.min.js", "OrbitControls.js"):
        assert json.loads(texts[name]) == VENDOR.joinpath(name).read_text("utf-8")
    assert "Permission is hereby granted" in json.loads(texts["licence-of-three"])


def test_no_text_ends_an_element_or_begins_another() -> None:
    scenes = [Scene(HOSTILE, HOSTILE, (drawn_link(HOSTILE, notes=(HOSTILE,)),))] * 2
    found = [Finding("SDI101", HOSTILE, Location(HOSTILE, 1, 1), HOSTILE, HOSTILE)]
    page = html_report(HOSTILE, scenes, findings=found, notes=[HOSTILE], diff=HOSTILE.encode("utf-8", "surrogatepass"))
    known = [Finding("SDI101", "m", Location("f", 1, 1), "l", "r")]
    plain = html_report(
        "t", [Scene("m", "f", (drawn_link("l", notes=("n",)),))] * 2, findings=known, notes=["n"], diff=b"d"
    )
    # Names are broken between their words, where hostile ones have some.
    tags = [[tag for tag, _ in _Page(each).elements if tag != "wbr"] for each in (page, plain)]
    assert tags[0] == tags[1]
    assert "alert(1)</script>" not in page
    page.encode("utf-8")
    assert data_of(page)["scenes"][0]["links"][0]["name"] == HOSTILE.replace("\udcff", "\ufffd")


def test_the_policy_allows_exactly_the_script_and_the_style_of_the_page() -> None:
    page = html_report("t", one_link())
    for kind, pattern in (("script", r'<script type="module">(.*?)</script>'), ("style", r"<style>(.*?)</style>")):
        inline = re.search(pattern, page, re.DOTALL)
        digest = base64.b64encode(sha256(inline[1].encode()).digest()).decode()
        assert f"{kind}-src &#x27;sha256-{digest}&#x27;" in page
    assert "unsafe" not in re.search(r"Content-Security-Policy[^>]*", page)[0]


def test_a_diff_is_shown_line_by_line() -> None:
    page = html_report("t", [], diff=b"--- a\n+++ b\n@@ -1 +1 @@\n-<mass>1</mass>\n+<mass>2</mass>\n \xff\n")
    assert '<span class="removed">-&lt;mass&gt;1&lt;/mass&gt;</span>' in page
    assert '<span class="added">+&lt;mass&gt;2&lt;/mass&gt;</span>' in page


def test_the_drawn_box_has_the_tensor_of_the_link() -> None:
    rotation = rotation_from_rpy(0.3, -0.7, 1.1)
    m, (a, b, c) = 7.0, (0.2, 0.5, 1.1)
    box = InertiaTensor(m / 12 * (b * b + c * c), m / 12 * (a * a + c * c), m / 12 * (a * a + b * b))
    inertia = SpatialInertia(m, (0.1, 0.2, 0.3), box.rotated(rotation))
    link = data_of(html_report("t", one_link(before=inertia)))["scenes"][0]["links"][0]
    assert link["com"] == [0.1, 0.2, 0.3]
    assert sorted(link["box"]) == pytest.approx([a, b, c], rel=1e-12)
    axes, size = np.array(link["axes"]).reshape(3, 3), np.array(link["box"])
    squares = m / 12 * size**2
    tensor = axes @ np.diag(squares.sum() - squares) @ axes.T
    assert tensor == pytest.approx(body_of(inertia).tensor, abs=1e-12)
    assert link["ellipsoid"] == pytest.approx(list(size * np.sqrt(5 / 12)), rel=1e-12)


def test_the_report_tells_where_each_density_came_from() -> None:
    page = rover_page()
    assert "battery_collision: box, 2100 kg/m³ of the collision" in page
    assert "camera_collision: box, 1400 kg/m³ of the link" in page


def test_an_inertia_that_no_body_has_is_said_to_be_impossible_and_has_no_box() -> None:
    inertia = SpatialInertia(1.0, (0.0, 0.0, 0.0), InertiaTensor(1.0, 1.0, 9.0))
    page = html_report("t", one_link(before=inertia))
    assert "impossible" in page
    assert "box" not in data_of(page)["scenes"][0]["links"][0]


def test_many_meshes_share_the_triangles_of_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scene, "PAGE_LIMIT", 3000)
    balls = [
        SceneShape(str(k), RigidTransform(), "mesh", (), Triangles(*SURFACES["sphere"]((k,)))) for k in (1.0, 2.0, 3.0)
    ]
    surfaces = data_of(html_report("t", one_link(shapes=tuple(balls))))["surfaces"]
    triangles = [len(base64.b64decode(surface["indices"])) // 6 for surface in surfaces]
    assert all(0 < count <= 1000 for count in triangles)


def test_a_report_without_links_is_only_its_notes_and_findings() -> None:
    page = html_report("t", [], findings=[finding("SDI900", "")], notes=["one file was refused"])
    assert "is wrong" in page
    assert "one file was refused" in page
    assert "<script" not in page
    assert "<canvas" not in page


# What is written, and what is computed --------------------------------------------------------------------------------

BRICK = SpatialInertia(12.0, (0.0, 0.0, 0.0), InertiaTensor(13.0, 10.0, 5.0))
SHIFTED = SpatialInertia(12.0, (0.5, 0.0, 0.0), InertiaTensor(13.0, 10.0, 5.0))


def cells_of(page: str, link: str) -> list[list[float]]:
    """The numbers of the row of a link: a list for each line, of what is written and what is computed."""
    row = re.search(rf'<tr class="link[^"]*"[^>]*data-name="{link}">(.*?)</tr>', page, re.DOTALL)
    cells = re.findall(r'<td class="number[^"]*">(.*?)</td>', row[1], re.DOTALL)
    columns = [[float(value) for value in re.findall(r'data-v="([^"]*)"', cell)] for cell in cells]
    return [list(line) for line in zip(*columns, strict=True)]


def differing(page: str) -> list[float]:
    return [float(value) for value in re.findall(r'<div class="differs"><span[^>]*data-v="([^"]*)"', page)]


def test_written_and_computed_stand_below_each_other_with_x_y_and_z_as_columns() -> None:
    page = html_report("t", one_link(before=BRICK, inertia=SHIFTED, status=Status.WRITTEN))
    written, computed = cells_of(page, "m::l")
    assert written == pytest.approx([12.0, 0.0, 0.0, 0.0, 13.0, 10.0, 5.0, 1.0, 2.0, 3.0])
    assert computed == pytest.approx([12.0, 0.5, 0.0, 0.0, 13.0, 10.0, 5.0, 1.0, 2.0, 3.0])
    assert "<td><div>written</div><div>computed</div></td>" in page
    assert differing(page) == [0.5], "only x of the centre is marked"


def test_links_that_matter_come_first_and_those_without_findings_below_a_fold() -> None:
    def link(name: str, mass: float) -> DrawnLink:
        body = SpatialInertia(mass, (0.0, 0.0, 0.0), BRICK.I_BBcm_B)
        return drawn_link(f"m::{name}", file="m.sdf", line=1, before=body)

    scene = Scene("m", "m.sdf", (link("plain", 1.0), link("minor", 2.0), link("worst", 5.0)))
    findings = [
        Finding("SDI204", "off", Location("m.sdf", 1, 1), f"m::{name}", effect=Effect(share, 0.5))
        for name, share in (("minor", 0.25), ("worst", 0.625))
    ]
    page = html_report("t", [scene], findings=findings)
    rows = re.findall(r'<tr class="(link|fold)([^"]*)".*?(?:data-name="m::(\w+)"|>(1 link[^<]*)<).*?</tr>', page)
    assert [(kind, kinds.split(), name or words) for kind, kinds, name, words in rows] == [
        ("link", ["warning"], "worst"),
        ("link", ["warning"], "minor"),
        ("fold", [], "1 link without findings"),
        ("link", ["rest"], "plain"),
    ]
    assert re.findall(r'class="share number">([^<]*)<', page) == ["62", "25", "12"]
    assert 'class="fold"' not in html_report("t", [scene], findings=[])


def test_what_a_run_replaced_is_called_before_and_without_computed_numbers_there_is_one_line() -> None:
    page = html_report("t", one_link(before=BRICK, inertia=SHIFTED, status=Status.FILLED))
    assert "<td><div>before</div><div>computed</div></td>" in page
    assert "<div>written</div>" not in page
    (line,) = cells_of(html_report("t", one_link(before=BRICK, status=Status.WRITTEN)), "m::l")
    assert line == pytest.approx([12.0, 0.0, 0.0, 0.0, 13.0, 10.0, 5.0, 1.0, 2.0, 3.0])


@pytest.mark.parametrize("form", ["sdf", "urdf"])
def test_a_link_can_be_copied_as_text_that_reads_back(form: str) -> None:
    body = SpatialInertia(2.5, (0.1, -0.2, 0.3), InertiaTensor(1.0, 1.1, 1.2, 0.01, -0.02, 0.03))
    text = data_of(html_report("t", one_link(before=body)))["scenes"][0]["links"][0]["texts"][form]
    urdf = f"<robot name='m'><link name='l'>{text}</link></robot>".encode()
    (scene,) = scenes_of(open_document(sdf_of(text) if form == "sdf" else urdf, Options()))
    assert scene.links[0].result.before == body


# Findings -------------------------------------------------------------------------------------------------------------


def finding(code: str = "SDI101", link: str = "m::l") -> Finding:
    return Finding(code, "is wrong", Location("m.sdf", 1, 2), link)


def two_links() -> list[Scene]:
    links = [drawn_link(f"m::{name}", file="m.sdf", line=line) for line, name in enumerate("lk")]
    return [Scene("m", "m.sdf", tuple(links))]


def test_findings_are_counted_in_the_head_and_listed_before_the_links() -> None:
    findings = [finding(), finding("SDI201"), finding("SDI202", "m::k")]
    page = html_report("t", two_links(), findings=findings)
    head = page[page.index("<header>") : page.index("</header>")]
    assert re.findall(r'<span class="badge [a-z]+">([^<]*)</span>', head) == ["1 error", "2 warnings"]
    assert page.index('id="findings"') < page.index('id="links"')
    assert "No findings." in html_report("t", two_links(), findings=[])
    assert "No findings." not in html_report("t", two_links())


def test_the_row_of_a_link_bears_the_codes_of_its_findings_and_the_scene_its_level() -> None:
    findings = [finding("SDI201"), finding(), finding("SDI202", "m::k")]
    page = html_report("t", two_links(), findings=findings)
    rows = re.findall(r'<tr class="link[^"]*".*?</tr>', page, re.DOTALL)
    assert [re.findall(r">(SDI[0-9]+)<", row) for row in rows] == [["SDI101", "SDI201"], ["SDI202"]]
    assert [link["level"] for link in data_of(page)["scenes"][0]["links"]] == ["error", "warning"]
    assert re.findall(r'data-about="(\d)"', page) == ["0", "1"], "one card a link"


def cards_of(page: str) -> list[tuple[str, list[str]]]:
    """The cards of a page: the link, and the codes."""
    cards = re.findall(r'<li class="finding.*?</li>', page, re.DOTALL)
    return [
        (re.sub("<[^>]*>", "", re.findall(r"<h3>(.*?)</h3>", card)[0]), re.findall(r">(SDI[0-9]+)<", card))
        for card in cards
    ]


def test_each_link_has_one_card_and_the_worst_comes_first() -> None:
    findings = [finding("SDI202", "m::k"), finding("SDI201"), finding("SDI204", "m::k"), finding()]
    page = html_report("t", two_links(), findings=findings)
    assert cards_of(page) == [("m::l", ["SDI101", "SDI201"]), ("m::k", ["SDI202", "SDI204"])]
    choices = re.findall(r'<option value="([^"]*)">', page[page.index('id="findings"') : page.index("<ol>")])
    assert set(choices) == {"", "error", "warning", "SDI101", "SDI201", "SDI202", "SDI204"}


def test_findings_of_an_included_file_are_at_each_of_its_instances() -> None:
    links = [drawn_link(f"{name}::l", "m::l", file="m.sdf", line=3) for name in ("one", "two")]
    page = html_report("t", [Scene("w", "w.sdf", tuple(links), is_world=True)], findings=[finding()])
    assert [link["level"] for link in data_of(page)["scenes"][0]["links"]] == ["error", "error"]
    assert "1 world, 2 models, 1 link, drawn 2 times" in page


def test_a_command_stands_apart_from_what_is_said_of_it(tmp_path: Path) -> None:
    moments = "<ixx>0.083333</ixx><iyy>0.083333</iyy><izz>0.16667</izz>"
    path = tmp_path / "a b.sdf"
    path.write_bytes(sdf_of(f"<inertial><mass>1</mass><inertia>{moments}</inertia></inertial>"))
    findings = [found for found in check(path) if found.code == "SDI107"]
    page = findings_html(FindingsReport(findings, [str(path)], scenes_of(open_document(path, Options()))))
    assert f"<code>sdfinertia check --fix --select SDI107 --link m::l &#x27;{path}&#x27;</code>" in page
    assert "moves its last digit" in page


def test_models_that_are_missing_are_told_in_the_head_and_in_the_tree() -> None:
    missing = (("a::lost", "it is not found"), ("gone", "it is gone"), ("b::lost", "it is not found"))
    page = html_report("t", [Scene("w", "w.sdf", (), missing=missing, is_world=True)])
    assert "2 models missing, 3 times" in page
    assert data_of(page)["scenes"][0]["missing"] == [
        {"names": ["a::lost", "b::lost"], "reason": "it is not found"},
        {"names": ["gone"], "reason": "it is gone"},
    ]


def test_mass_and_centre_of_each_model_are_told() -> None:
    far = RigidTransform(translation=(4.0, 0.0, 0.0))
    links = (drawn_link("a::l", before=BRICK), drawn_link("a::b::l", X_ML=far, before=BRICK))
    totals = data_of(html_report("t", [Scene("w", "w.sdf", links, is_world=True)]))["scenes"][0]["totals"]
    assert totals == [
        {"name": "a", "mass": 24.0, "com": [2.0, 0.0, 0.0]},
        {"name": "a::b", "mass": 12.0, "com": [4.0, 0.0, 0.0]},
    ]
