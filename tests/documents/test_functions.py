"""The functions of the package beside `fill` and `check`: meshes, what stands in files, showing, scaling, repairing."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from builders.documents import AUTO, inertial, link, model, one_link, sdf, solid
from builders.meshes import OBJ_BOX as BOX

import sdfinertia
from sdfinertia import SpatialInertia
from sdfinertia.documents import open_document
from sdfinertia.errors import ConfigurationError, InertiaError, ValueTextError
from sdfinertia.inertia import InertiaTensor

ROOT = Path(__file__).parents[2]
FOREARM = ROOT / "docs" / "examples" / "mistakes" / "forearm.urdf"
BRICK = sdfinertia.box((1, 2, 3), 1000.0)

MODEL = """<sdf version="1.11"><model name="m">
  <link name="a"><inertial><pose>0 0 1 0 0 0</pose><mass>2</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia>
  </inertial><collision name="c"><geometry><box><size>1 1 1</size></box></geometry></collision></link>
  <link name="b"><inertial auto="true"/>
  <collision name="c"><geometry><box><size>1 2 3</size></box></geometry></collision></link>
  <link name="c"/>
</model></sdf>
"""
ROBOT = """<robot name="r"><link name="a"><inertial><origin xyz="0 0 1"/><mass value="2"/>
<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link><link name="b"/></robot>
"""


def assert_same(body: SpatialInertia, expected: SpatialInertia) -> None:
    assert (body.mass, *body.p_BoBcm_B, *body.I_BBcm_B) == pytest.approx(
        (expected.mass, *expected.p_BoBcm_B, *expected.I_BBcm_B), rel=1e-12, abs=1e-9
    )


# Meshes ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "expected"),
    {
        "water": ({}, BRICK.shifted((0.5, 1, 1.5))),
        "steel": ({"density": 7850.0}, sdfinertia.box((1, 2, 3), 7850.0).shifted((0.5, 1, 1.5))),
        "millimetres": ({"scale": 1e-3}, sdfinertia.box((1e-3, 2e-3, 3e-3), 1000.0).shifted((5e-4, 1e-3, 1.5e-3))),
        "stretched and mirrored": ({"scale": (1, -2, 1)}, sdfinertia.box((1, 4, 3), 1000.0).shifted((0.5, -2, 1.5))),
        "an array": ({"scale": np.array([1.0, 1.0, 2.0])}, sdfinertia.box((1, 2, 6), 1000.0).shifted((0.5, 1, 3))),
    }.values(),
)  # fmt: skip
def test_a_mesh_is_a_body(tmp_path: Path, arguments: dict[str, Any], expected: SpatialInertia) -> None:
    (tmp_path / "box.obj").write_text(BOX)
    assert_same(sdfinertia.mesh(tmp_path / "box.obj", **arguments), expected)
    assert_same(sdfinertia.mesh(BOX.encode(), filename="box.obj", **arguments), expected)


@pytest.mark.parametrize(
    "before",
    [
        "from sdfinertia.mesh.store import MeshStore; import sdfinertia; sdfinertia.mesh_is_closed",
        "import sdfinertia; sdfinertia.fill(b'<sdf version=\"1.11\"/>')",
        "from sdfinertia import mesh",
    ],
)
def test_mesh_is_the_function_whatever_was_loaded_before(before: str) -> None:
    program = (
        f"{before}\nimport sdfinertia\nfrom sdfinertia import mesh\nassert mesh is sdfinertia.mesh\n"
        "import inspect; assert inspect.isfunction(mesh), mesh\n"
        "from sdfinertia.mesh.store import MeshStore\nassert inspect.isclass(MeshStore)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


# What stands in a file ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "text", "link"), [("m.sdf", MODEL, "m::a"), ("r.urdf", ROBOT, "r::a")])
def test_the_inertials_of_a_file_are_those_that_stand_there(tmp_path: Path, name: str, text: str, link: str) -> None:
    expected = {link: SpatialInertia(2.0, (0.0, 0.0, 1.0), InertiaTensor(1.0, 1.0, 1.0))}
    (tmp_path / name).write_text(text)
    assert sdfinertia.inertials(tmp_path / name) == expected
    assert sdfinertia.inertials(text.encode(), filename=name) == expected
    with pytest.raises(ConfigurationError, match="no link matches the pattern other"):
        sdfinertia.inertials(tmp_path / name, sdfinertia.Options(link=("other",)))


def test_an_inertial_that_cannot_be_read_is_no_silence() -> None:
    with pytest.raises(ValueTextError, match="link 'm::a'") as refused:
        sdfinertia.inertials(MODEL.replace("<mass>2<", "<mass>2 kg<").encode())
    assert refused.value.location is not None


def test_show_tells_of_links_their_collisions_and_meshes(tmp_path: Path) -> None:
    bodies: dict[tuple[str, str], Any] = {
        (body.name, body.origin): body for body in sdfinertia.show(MODEL.encode(), computed=True)
    }
    assert set(bodies) == {
        ("m::a", "written"), ("m::a / c", "collision"), ("m::b", "computed"), ("m::b / c", "collision"),
        ("m::c", "computed"),
    }  # fmt: skip
    written = bodies["m::a", "written"]
    assert (written.inertia.mass, written.computed.mass) == (2.0, 2.0)
    assert bodies["m::b", "computed"].inertia == BRICK
    assert bodies["m::c", "computed"].problem
    (tmp_path / "box.obj").write_text(BOX)
    heavy = sdfinertia.Options(density=2000.0)
    for source, filename in ((tmp_path / "box.obj", ""), (BOX.encode(), "box.obj")):
        (body,) = sdfinertia.show(source, heavy, filename=filename)
        assert body.inertia.mass == pytest.approx(12_000)


# Files changed --------------------------------------------------------------------------------------------------------


def test_scale_rescales_what_is_named_and_writes_when_told(tmp_path: Path) -> None:
    path = tmp_path / "m.sdf"
    path.write_text(MODEL)
    named = sdfinertia.Options(link=("m::a",))
    result = sdfinertia.scale(path, named, mass=4.0)
    assert result.changed
    assert path.read_text() == MODEL
    (link,) = result.links
    assert (link.name, link.before.mass, link.after.mass, link.after.I_BBcm_B.ixx) == ("m::a", 2.0, 4.0, 2.0)
    assert result.write() == []
    assert sdfinertia.inertials(path)["m::a"] == link.after
    assert sdfinertia.scale(path, named, density=8.0).links[0].after.mass == 8.0
    stretched = sdfinertia.scale(path, named, size=(1, 1, 2)).links[0].after
    assert (stretched.mass, stretched.p_BoBcm_B) == (8.0, (0.0, 0.0, 2.0))
    assert sdfinertia.scale(path, named, size=2).links[0].after.I_BBcm_B.ixx == 2.0 * 32


def test_repair_is_a_function_beside_fill_and_check(tmp_path: Path) -> None:
    path = tmp_path / "m.sdf"
    # A cube of this mass has thirds.
    path.write_text(MODEL.replace("<ixx>1</ixx><iyy>1</iyy><izz>1<", "<ixx>.7</ixx><iyy>.33</iyy><izz>.33<"))
    result = sdfinertia.repair(path, by="nearest")
    assert isinstance(result, sdfinertia.RepairResult)
    assert result.changed
    result.write()
    assert sdfinertia.inertials(path)["m::a"].is_physically_valid()
    with pytest.raises(ConfigurationError, match="by must be one of cause, twin, geometry, nearest, not 'magic'"):
        sdfinertia.repair(path, by="magic")  # type: ignore[arg-type]


@pytest.mark.parametrize("function", ["fill", "check", "repair", "show", "inertials"])
@pytest.mark.parametrize("text", [MODEL, "\n  <?xml version='1.0'?>" + MODEL, "\ufeff" + ROBOT])
def test_the_text_of_a_document_is_refused_with_what_to_pass(function: str, text: str) -> None:
    with pytest.raises(ConfigurationError, match=r"text of a document; the path .*; pass bytes"):
        getattr(sdfinertia, function)(text)


def test_a_file_whose_name_begins_as_a_document_does_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("<m>.sdf").write_text(MODEL)
    assert sdfinertia.fill("<m>.sdf").changed


# An inertia as others take it -----------------------------------------------------------------------------------------


def test_a_plate_is_written_so_that_libsdformat_takes_it_with_as_many_digits_as_are_asked_for() -> None:
    third = SpatialInertia(1 / 3, (1 / 3, 0, 0), InertiaTensor(1 / 3, 1 / 3, 1 / 3))
    assert "<mass>0.333</mass>" in third.as_sdf(digits=3)
    assert 'mass value="0.333333333333"' in third.as_urdf()
    assert 'mass="0.33"' in third.as_mjcf(digits=2)
    # Rounding the thin plate's moments to six digits breaks ixx + iyy = izz by a unit of the last.
    plate = sdfinertia.box((0.123456, 0.654321, 1e-9), 1000.0)
    (inertia,) = sdfinertia.inertials(one_link(plate.as_sdf(6))).values()
    assert inertia.is_physically_valid(rtol=0.0)


def test_what_no_body_has_is_written_as_it_is_and_what_rounding_leaves_of_zero_as_zero() -> None:
    wrong = SpatialInertia(1.0, (0.0, 0.0, 0.0), InertiaTensor(1.0, 1.0, 9.0, 0.5))
    assert "<izz>9</izz>" in wrong.as_sdf()
    assert 'izz="9"' in wrong.as_urdf()
    assert 'fullinertia="1 1 9 0.5 0 0"' in wrong.as_mjcf()
    rounded = SpatialInertia(1.0, (5e-19, 0.1, 0.0), InertiaTensor(1.0, 1.0, 1.2, 5e-19, 1e-18, 0.0))
    assert not [text for text in (rounded.as_sdf(), rounded.as_urdf(), rounded.as_mjcf()) if "e-" in text]


def test_drake_is_asked_for_where_it_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pydrake", None)
    monkeypatch.setitem(sys.modules, "pydrake.multibody.tree", None)
    with pytest.raises(ConfigurationError, match=r"as_drake needs the library pydrake.*pip install drake"):
        BRICK.as_drake()


def test_a_result_that_changed_nothing_writes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "m.sdf"
    path.write_text("<sdf version='1.11'><model name='m'><link name='l'/></model></sdf>")
    before = path.stat()
    assert sdfinertia.fill(path).write() == []
    after = path.stat()
    assert (after.st_mtime_ns, after.st_ino) == (before.st_mtime_ns, before.st_ino)


def test_functions_travel_from_one_process_to_another_and_documents_do_not() -> None:
    """A document would take all that was read with it; who gets None opens it anew."""
    assert pickle.loads(pickle.dumps(sdfinertia.fill)) is sdfinertia.fill
    document = open_document(b"<sdf version='1.11'><model name='m'/></sdf>", sdfinertia.Options())
    assert pickle.loads(pickle.dumps(document)) is None


# Whole robots ---------------------------------------------------------------------------------------------------------


def test_the_mass_and_the_centre_of_a_robot_are_those_of_all_links_in_their_places() -> None:
    def placed(name: str, mass: float, pose: str) -> str:
        return link(inertial(mass, (1.0, 1.0, 1.0)), f"<pose>{pose}</pose>", name=name)

    robot = sdf(model(placed("a", 1.0, "0 0 0 0 0 0"), placed("b", 3.0, "2 0 -4 0 0 0")))
    assert sdfinertia.total_mass(robot) == 4.0
    assert sdfinertia.center_of_mass(robot) == pytest.approx((1.5, 0.0, -3.0))
    asking = sdf(model(link(AUTO, solid("<box><size>0.1 0.1 0.1</size></box>"))))
    assert sdfinertia.total_mass(asking) == pytest.approx(1.0)
    assert sdfinertia.total_mass(asking, sdfinertia.Options(density=2700)) == pytest.approx(2.7)
    with pytest.raises(InertiaError, match="no link has a mass"):
        sdfinertia.center_of_mass(sdf(model(link(""))))


def test_a_finding_and_its_cause_are_sentences() -> None:
    (finding,) = sdfinertia.check(FOREARM, sdfinertia.Options(why=True))
    assert str(finding).startswith(f"{FOREARM}:7:7 SDI103 arm::forearm: physically impossible: ")
    assert str(finding).endswith(f"; {finding.remedy}")
    said = "decimal-point (certain): the decimal point of izz 1364126E-6 is 3 places too far right: 1364.126E-6"
    assert str(finding.why) == str(finding.why.explanations[0]) == said
