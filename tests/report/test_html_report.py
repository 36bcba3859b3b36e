"""The page of a report: that it needs nothing else, that no text breaks it, and that its numbers are those given."""

from __future__ import annotations

import base64
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sdfinertia.documents.filling import fill_document
from sdfinertia.documents.model_scenes import scenes_of
from sdfinertia.documents.opened import open_document
from sdfinertia.documents.scene import Scene, SceneLink, SceneShape, Triangles
from sdfinertia.inertia.rigid_transform import RigidTransform, rotation_from_rpy
from sdfinertia.inertia.spatial_inertia import InertiaTensor, SpatialInertia
from sdfinertia.links.result import LinkStatus
from sdfinertia.options import Options
from sdfinertia.report.pages import scene_data
from sdfinertia.report.pages.html_report import ReportTable, html_report
from sdfinertia.shapes.primitives import PRIMITIVES

FIXTURES = Path(__file__).parents[2] / "fixtures"

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
    scenes = scenes_of(document, result.links)
    return html_report("rover", scenes, notes=result.notes, diff="--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n")


def one_link(**values: Any) -> list[Scene]:
    return [Scene("m", "m.sdf", (SceneLink("m::l", **values),))]


def test_the_page_names_nothing_to_be_loaded() -> None:
    page = _Page(rover_page())
    for tag, attributes in page.elements:
        assert tag not in ("link", "img", "iframe", "object", "embed", "base")
        assert not {"src", "href", "srcset", "action"} & attributes.keys()
    policies = [a["content"] for _, a in page.elements if a.get("http-equiv") == "Content-Security-Policy"]
    assert policies
    assert policies[0] is not None
    assert "default-src 'none'" in policies[0]
    assert "http" not in policies[0]
    styles = re.search(r"<style>(.*?)</style>", rover_page(), re.DOTALL)
    assert styles is not None
    assert "url(" not in styles[1]
    assert "@import" not in styles[1]


def test_the_same_arguments_give_the_same_page_and_it_is_small() -> None:
    page = rover_page()
    assert page == rover_page()
    assert len(page.encode()) < 5_000_000


@pytest.mark.parametrize("name", sorted(path.parent.name for path in FIXTURES.glob("*/model.sdf")))
def test_the_report_of_every_fixture_is_below_five_megabytes(name: str) -> None:
    options = Options()
    scenes = scenes_of(open_document(FIXTURES / name / "model.sdf", options))
    assert len(html_report(name, scenes).encode()) < 5_000_000


def test_vendored_files_are_those_that_the_note_describes() -> None:
    from hashlib import sha256
    from importlib.resources import files

    vendor = files("sdfinertia.report").joinpath("vendor")
    listed = re.findall(r"^([0-9a-f]{64})  (\S+) \(", vendor.joinpath("NOTE").read_text("utf-8"), re.MULTILINE)
    assert len(listed) == 4
    for digest, name in listed:
        assert sha256(vendor.joinpath(name).read_bytes()).hexdigest() == digest


def test_libraries_arrive_in_the_page_unchanged_with_their_licence() -> None:
    from importlib.resources import files

    vendor = files("sdfinertia.report").joinpath("vendor")
    texts = _Page(html_report("t", one_link())).text_of
    for name in ("three.core.min.js", "three.module.min.js", "OrbitControls.js"):
        assert json.loads(texts[name]) == vendor.joinpath(name).read_text("utf-8")
    assert "Permission is hereby granted" in json.loads(texts["licence-of-three"])


def test_no_text_ends_an_element_or_begins_another() -> None:
    scenes = [Scene(HOSTILE, HOSTILE, (SceneLink(HOSTILE, status=HOSTILE, notes=(HOSTILE,)),))] * 2
    table = ReportTable(HOSTILE, (HOSTILE,), ((HOSTILE,),))
    page = html_report(HOSTILE, scenes, tables=[table], notes=[HOSTILE], diff=HOSTILE)
    plain = html_report(
        "t", [Scene("m", "f", (SceneLink("l", notes=("n",)),))] * 2, tables=[table], notes=["n"], diff="d"
    )
    assert [tag for tag, _ in _Page(page).elements] == [tag for tag, _ in _Page(plain).elements]
    assert "alert(1)</script>" not in page
    page.encode("utf-8")
    assert data_of(page)["scenes"][0]["links"][0]["name"] == HOSTILE.replace("\udcff", "\ufffd")


def test_the_policy_allows_exactly_the_script_and_the_style_of_the_page() -> None:
    from hashlib import sha256

    page = html_report("t", one_link())
    for kind, pattern in (("script", r'<script type="module">(.*?)</script>'), ("style", r"<style>(.*?)</style>")):
        inline = re.search(pattern, page, re.DOTALL)
        assert inline is not None
        digest = base64.b64encode(sha256(inline[1].encode()).digest()).decode()
        assert f"{kind}-src &#x27;sha256-{digest}&#x27;" in page
        assert "unsafe" not in re.search(r"Content-Security-Policy[^>]*", page)[0]  # type: ignore[index]


def test_a_diff_is_shown_line_by_line() -> None:
    page = html_report("t", [], diff=b"--- a\n+++ b\n@@ -1 +1 @@\n-<mass>1</mass>\n+<mass>2</mass>\n \xff\n")
    assert '<span class="removed">-&lt;mass&gt;1&lt;/mass&gt;</span>' in page
    assert '<span class="added">+&lt;mass&gt;2&lt;/mass&gt;</span>' in page


def test_changes_against_the_old_numbers_are_told() -> None:
    old = SpatialInertia(2.0, (0.0, 0.0, 0.0), InertiaTensor(1.0, 1.0, 1.0))
    new = SpatialInertia(3.0, (0.0, 0.3, 0.4), InertiaTensor(1.5, 1.0, 1.0))
    page = html_report("t", one_link(inertia=new, before=old, status=LinkStatus.FILLED))
    assert "mass was 2 kg (+50 %)" in page
    assert "centre moved by 0.5 m" in page
    assert "tensor changed by 50 %" in page
    assert "mass was" not in html_report("t", one_link(inertia=new, before=new, status=LinkStatus.FILLED))


def test_the_drawn_box_has_the_tensor_of_the_link() -> None:
    rotation = rotation_from_rpy(0.3, -0.7, 1.1)
    m, (a, b, c) = 7.0, (0.2, 0.5, 1.1)
    box = InertiaTensor(m / 12 * (b * b + c * c), m / 12 * (a * a + c * c), m / 12 * (a * a + b * b))
    inertia = SpatialInertia(m, (0.1, 0.2, 0.3), box.rotated(rotation))
    link = data_of(html_report("t", one_link(inertia=inertia)))["scenes"][0]["links"][0]
    assert link["com"] == [0.1, 0.2, 0.3]
    assert sorted(link["box"]) == pytest.approx([a, b, c], rel=1e-12)
    axes, size = np.array(link["axes"]).reshape(3, 3), np.array(link["box"])
    squares = m / 12 * size**2
    tensor = axes @ np.diag(squares.sum() - squares) @ axes.T
    xx, yy, zz, xy, xz, yz = inertia.I_BBcm_B
    assert tensor == pytest.approx(np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]), abs=1e-12)
    assert link["ellipsoid"] == pytest.approx(list(size * np.sqrt(5 / 12)), rel=1e-12)


def test_the_report_tells_where_each_density_came_from() -> None:
    page = rover_page()
    assert "battery_collision: box, 2100 kg/m³ of the collision" in page
    assert "camera_collision: box, 1400 kg/m³ of the link" in page


def test_an_inertia_that_no_body_has_is_said_to_be_impossible_and_has_no_box() -> None:
    inertia = SpatialInertia(1.0, (0.0, 0.0, 0.0), InertiaTensor(1.0, 1.0, 9.0))
    page = html_report("t", one_link(inertia=inertia))
    assert "impossible" in page
    assert "box" not in data_of(page)["scenes"][0]["links"][0]


def test_triangles_and_poses_arrive_as_they_were() -> None:
    triangles = Triangles(*PRIMITIVES["box"].surface((1.0, 2.0, 3.0)))
    X_LG = RigidTransform(rotation_from_rpy(0.1, 0.2, 0.3), (4.0, 5.0, 6.0))
    shapes = (
        SceneShape("one", X_LG, "mesh", triangles=triangles),
        SceneShape("two", X_LG, "mesh", triangles=triangles),
    )
    data = data_of(html_report("t", one_link(shapes=shapes)))
    one, two = data["scenes"][0]["links"][0]["shapes"]
    assert one["surface"] == two["surface"] == 0
    r, t = X_LG
    assert one["pose"] == [*r[:3], t[0], *r[3:6], t[1], *r[6:], t[2]]
    (surface,) = data["surfaces"]
    positions = np.frombuffer(base64.b64decode(surface["positions"]), "<f4").reshape(-1, 3)
    indices = np.frombuffer(base64.b64decode(surface["indices"]), "<u2").reshape(-1, 3)
    assert np.array_equal(positions, triangles.vertices)
    assert np.array_equal(indices, triangles.faces)


def test_many_meshes_share_the_triangles_of_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scene_data, "_PAGE_LIMIT", 3000)
    balls = [
        SceneShape(str(k), RigidTransform(), "mesh", (), Triangles(*PRIMITIVES["sphere"].surface((k,))))
        for k in (1.0, 2.0, 3.0)
    ]
    surfaces = data_of(html_report("t", one_link(shapes=tuple(balls))))["surfaces"]
    triangles = [len(base64.b64decode(surface["indices"])) // 6 for surface in surfaces]
    assert all(0 < count <= 1000 for count in triangles)


def test_a_report_without_links_is_only_its_notes_and_tables() -> None:
    table = ReportTable("Findings", ("Place", "Finding"), (("a.sdf:1:1", "is no SDF"),))
    page = html_report("t", [], tables=[table], notes=["one file was refused"])
    assert "<td>is no SDF</td>" in page
    assert "one file was refused" in page
    assert "<script" not in page
    assert "<canvas" not in page


@pytest.mark.parametrize("value", [1e30, 1e308, float("inf"), float("nan")])
def test_what_is_too_large_to_be_drawn_stays_in_the_table(value: float) -> None:
    far = RigidTransform(translation=(value, 0.0, 0.0))
    box = SceneShape("b", RigidTransform(), "box", (value, 1.0, 1.0))
    inertia = SpatialInertia(1.0, (value, 0.0, 0.0), InertiaTensor(value, value, value))
    page = html_report("t", one_link(X_ML=far, shapes=(box, box._replace(X_LG=far)), inertia=inertia))
    link = data_of(page)["scenes"][0]["links"][0]
    assert link["shapes"] == []
    assert "com" not in link
    assert f"{value:.4g}" in page
