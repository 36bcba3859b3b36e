"""The command `scale`: what is written, what stays, and what is refused."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from sdfinertia import fill
from sdfinertia.commands.scale import parse_size, run_scale
from sdfinertia.documents import open_document
from sdfinertia.inertia import InertiaTensor, SpatialInertia
from sdfinertia.inertia.solids import rescaled_in_size
from sdfinertia.options import Options

HEAD = '<?xml version="1.0"?>\n<sdf version="1.11">\n  <model name="m">\n'
TAIL = "  </model>\n</sdf>\n"
BOX = '<collision name="{0}"><geometry><box><size>1 2 3</size></box></geometry></collision>'

ARM = """    <link name="arm">
      <inertial>
        <!-- from the data sheet -->
        <pose>0.10 0.0 -0.2 0 0 0</pose>
        <mass>12.0</mass> <!-- kg -->
        <inertia>
          <ixx>13.0</ixx>
          <ixy>0.0</ixy>
          <ixz>0</ixz>
          <iyy>10</iyy>
          <iyz>0</iyz>
          <izz>5</izz>
        </inertia>
      </inertial>
    </link>
"""


@pytest.fixture(autouse=True)
def at_home(project: Path) -> None:
    """Runs each test in a project of its own."""


def written(*links: str, name: str = "model.sdf") -> Path:
    path = Path(name)
    path.write_bytes((HEAD + "".join(links) + TAIL).encode())
    return path


def inertial_of(path: Path | bytes, link: str = "m::arm") -> SpatialInertia:
    (found,) = (each for each in open_document(path, Options()).links() if each.scoped_name == link)
    written = found.written_inertia()
    return written.inertia


# What is written ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("how", "texts"),
    [
        ({"mass": 24.0}, {"12.0<": "24<", "13.0<": "26<", "10<": "20<", "5<": "10<"}),
        # The centre moves, and the tensor grows by the third and the fifth power.
        (
            {"size": "2"},
            {"0.10 0.0 -0.2 0": "0.2 0.0 -0.4 0", "12.0<": "96<", "13.0<": "416<", "10<": "320<", "5<": "160<"},
        ),
    ],
)
def test_what_is_scaled_changes_its_own_text_and_nothing_else(how: dict[str, Any], texts: dict[str, str]) -> None:
    path = written(ARM)
    expected = path.read_text()
    assert run_scale("model.sdf", ["m::arm"], **how) == 0
    for old, new in texts.items():
        expected = expected.replace(old, new)
    assert path.read_text() == expected


def test_three_sizes_stretch_along_the_axes_of_the_link() -> None:
    path = written(ARM)
    assert run_scale("model.sdf", ["m::arm"], size=" 1 1 2 ") == 0
    # The box of 1 x 2 x 3 m that it is becomes one of 1 x 2 x 6.
    assert inertial_of(path) == SpatialInertia(24.0, (0.1, 0.0, -0.4), InertiaTensor(80.0, 74.0, 10.0))


@pytest.mark.parametrize(("density", "mass"), [(1000.0, 12_000.0), (2.0, 24.0)])
def test_a_density_gives_the_mass_of_the_volume_of_the_collisions(density: float, mass: float) -> None:
    # Each of the two boxes is of 6 m³, whatever densities they have; what has none is no part of the body.
    path = written(
        ARM.replace(
            "    </link>\n",
            f"{BOX.format('a')}{BOX.format('b').replace('</coll', '<density>7</density></coll')}"
            f"{BOX.format('air').replace('</coll', '<density>0</density></coll')}</link>\n",
        )
    )
    assert run_scale("model.sdf", ["m::arm"], density=density) == 0
    scaled = inertial_of(path)
    assert scaled.mass == mass
    assert scaled.p_BoBcm_B == (0.1, 0.0, -0.2)
    assert scaled.I_BBcm_B == pytest.approx([mass / 12 * entry for entry in (13, 10, 5, 0, 0, 0)])


@pytest.mark.parametrize(
    "pose",
    [
        "<pose>0.1 0.2 0.3 0.4 -0.5 0.60</pose>",
        '<pose degrees="true">0.1 0.2 0.3 20 -30 40</pose>',
        '<pose rotation_format="quat_xyzw">0.1 0.2 0.3 0.1 0.2 0.3 0.9</pose>',
    ],
)
@pytest.mark.parametrize("size", ["2", "1 2 3", "-1 1 1"])
def test_a_turned_tensor_is_scaled_in_the_axes_it_was_given_in(pose: str, size: str) -> None:
    path = written(ARM.replace("<pose>0.10 0.0 -0.2 0 0 0</pose>", pose))
    before = inertial_of(path)
    angles = pose.split(">")[1].split()[3:]
    assert run_scale("model.sdf", ["m::arm"], size=size) == 0
    after, expected = inertial_of(path), rescaled_in_size(before, parse_size(size))
    assert after.mass == pytest.approx(expected.mass, rel=1e-11)
    assert after.p_BoBcm_B == pytest.approx(expected.p_BoBcm_B, rel=1e-11)
    assert after.I_BBcm_B == pytest.approx(expected.I_BBcm_B, abs=1e-11 * expected.I_BBcm_B.trace)
    text = path.read_text()
    if "=" not in pose:
        assert " ".join(angles).replace("</pose", "</pose>") in text, "angles in radians keep their text"
    if size == "2":
        assert "<ixx>416<" in text, "principal moments stay principal moments"
        assert "<ixy>0.0<" in text


@pytest.mark.parametrize("how", [{"mass": 12.0}, {"size": "1"}, {"size": "1 1 1"}])
def test_what_is_so_already_is_not_written(how: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    path = written(ARM)
    os.utime(path, (1, 1))
    assert run_scale("model.sdf", ["m::arm"], **how) == 0
    assert path.stat().st_mtime == 1
    assert "m::arm: unchanged" in capsys.readouterr().err


def test_a_managed_block_is_handed_over_to_its_author(capsys: pytest.CaptureFixture[str]) -> None:
    path = written(f'    <link name="arm">\n      <inertial auto="true"/>\n      {BOX.format("a")}\n    </link>\n')
    path.write_bytes(fill("model.sdf").content)
    assert "<!-- sdfinertia: " in path.read_text()
    assert run_scale("model.sdf", ["m::arm"], mass=12.0) == 0
    text = path.read_text()
    assert "sdfinertia:" not in text
    assert "<inertial>\n        <pose>" in text, "the comment goes with its line"
    assert inertial_of(path).I_BBcm_B == (13.0, 10.0, 5.0, 0.0, 0.0, 0.0)
    assert "provenance comment removed" in capsys.readouterr().err
    assert not fill("model.sdf").changed, "no later fill takes it back"


# Where it goes --------------------------------------------------------------------------------------------------------


def test_output_goes_to_another_file_or_to_standard_output(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    path = written(ARM)
    before = path.read_bytes()
    assert run_scale("model.sdf", ["m::arm"], mass=24.0, output="-") == 0
    captured = capsysbinary.readouterr()
    assert inertial_of(captured.out).mass == 24.0
    assert captured.err.decode() == "m::arm: 12 → 24 kg, 13 10 5 → 26 20 10 kg·m²\n1 link scaled.\n"
    assert run_scale("model.sdf", ["m::arm"], mass=24.0, output="other.sdf") == 0
    assert inertial_of(Path("other.sdf")).mass == 24.0
    assert path.read_bytes() == before
    assert run_scale("model.sdf", ["m::arm"], mass=12.0, output="same.sdf") == 0
    assert Path("same.sdf").read_bytes() == before, "written whether or not anything changed"


def test_a_diff_writes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    path = written(ARM)
    before = path.read_bytes()
    assert run_scale("model.sdf", ["m::arm"], mass=24.0, diff=True) == 0
    captured = capsys.readouterr()
    assert path.read_bytes() == before
    assert "-        <mass>12.0</mass> <!-- kg -->\n+        <mass>24</mass> <!-- kg -->\n" in captured.out
    assert "1 link would be scaled." in captured.err


# What is refused ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("link", "message"),
    [
        ('    <link name="arm"/>\n', "it has no <inertial> to scale"),
        (ARM.replace("<inertial>", '<inertial auto="true">'), "run `sdfinertia fill` first"),
        ('    <link name="arm"><inertial><mass>1</mass></inertial></link>\n', "no explicit <mass> and <inertia>"),
        ('    <link name="arm"><inertial/></link>\n', "no explicit <mass> and <inertia>"),
        (ARM.replace("<mass>12.0</mass>", ""), "no explicit <mass> and <inertia>"),
        (ARM.replace("<iyy>10</iyy>", ""), "its <inertia> has no <iyy>"),
        (ARM.replace("<mass>12.0<", "<mass>0<"), "mass and tensor are physically impossible"),
        (ARM.replace("<ixx>13.0<", "<ixx>-13.0<"), "mass and tensor are physically impossible"),
        (ARM.replace("<ixx>13.0<", "<ixx>130<"), "mass and tensor are physically impossible"),
        (ARM.replace("<mass>12.0<", "<mass>12kg<"), "<mass> is '12kg', not a number"),
        (ARM.replace("0.10 0.0 -0.2 0 0 0", "0.10 0.0 -0.2"), "write 6 numbers"),
        (ARM.replace("<pose>", '<pose relative_to="x">'), "relative to a frame"),
        (ARM + ARM, "two links of model 'm' are named 'arm'"),
    ],
)
def test_a_link_without_an_inertial_that_can_be_scaled_is_refused(link, message, capsys):
    path = written(link, ARM.replace('"arm"', '"other"'))
    before = path.read_bytes()
    assert run_scale("model.sdf", ["m::*"], mass=24.0) == 2
    lines = capsys.readouterr().err.splitlines()
    assert any("link 'm::arm'" in line and line.startswith("model.sdf:") and message in line for line in lines)
    assert lines[-1] == "model.sdf: not written."
    assert path.read_bytes() == before, "no link of a file is written if one failed"
