"""Every notation of a body, written and read, is what Drake or MuJoCo takes it for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from builders.mjcf import compiled_body

import sdfinertia
from sdfinertia import RigidTransform, SpatialInertia
from sdfinertia.inertia.rigid_transform import rotation_from_rpy

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.oracle

X_BC = RigidTransform(rotation_from_rpy(0.3, -1.1, 2.0), (0.4, -0.7, 1.3))
BODIES = {
    "box": sdfinertia.box((1, 2, 3), 1000.0),
    "turned": sdfinertia.cylinder(0.1, 0.7, 2700.0).transformed(X_BC),
    "welded": sum(
        [sdfinertia.box((0.1, 0.02, 0.004), 2700.0), sdfinertia.sphere(0.01, 7850.0).shifted((0.01, 0.02, -0.02))]
    ),
}
BODY = pytest.mark.parametrize("name", BODIES)

SDF = "<sdf version='1.11'><model name='m'><link name='l'>{}</link></model></sdf>"
URDF = "<robot name='m'><link name='l'>{}</link></robot>"
MJCF = "<mujoco><worldbody><body name='l'><freejoint/>{}<geom size='0.1' mass='0'/></body></worldbody></mujoco>"

# What people and programs write, and `as_sdf` and its like do not: tensors in turned axes.
TURNED_SDF = {
    "angles": "<pose>0.1 -0.2 0.3 0.4 -0.5 0.6</pose>",
    "degrees": "<pose degrees='true'>0.1 -0.2 0.3 30 -45 60</pose>",
    "quaternion": "<pose rotation_format='quat_xyzw'>0.1 -0.2 0.3 0.1 0.2 0.3 0.927361849549570</pose>",
    "none": "",
}
TENSOR = "<inertia><ixx>2</ixx><iyy>3</iyy><izz>4</izz><ixy>0.1</ixy><ixz>-0.2</ixz><iyz>0.3</iyz></inertia>"
TURNED_MJCF = {
    "quat": 'diaginertia="2 3 4" quat="0.9 0.1 0.2 0.3"',
    "quat of another length": 'diaginertia="2 3 4" quat="-3 1 0.5 2"',
    "xyaxes": 'diaginertia="2 3 4" xyaxes="1 2 0.5 0 1 1"',
    "full": 'fullinertia="2 3 4 0.1 -0.2 0.3"',
    "diagonal": 'diaginertia="2 3 4"',
}


@pytest.fixture
def drake(readers: Any, tmp_path: Path) -> Any:
    """What Drake reads of the one link of a text."""
    pytest.importorskip("pydrake.multibody.tree", reason="Drake is not installed: pip install drake")

    def read(text: str, suffix: str) -> Any:
        path = tmp_path / f"model.{suffix}"
        path.write_text(text, encoding="utf-8")
        return readers.drake(path)["m::l"]

    return read


def ours(readers: Any, body: SpatialInertia) -> Any:
    return readers.reading(body.mass, body.com, body.inertia)


def mujoco_reading(inertial: str) -> Any:
    mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed: pip install mujoco")
    model = mujoco.MjModel.from_xml_string(MJCF.format(inertial))
    return compiled_body(model, 1)


@BODY
def test_drake_reads_the_same_body_from_sdf_and_urdf(readers: Any, drake: Any, name: str) -> None:
    body = BODIES[name]
    readers.assert_agree(ours(readers, body), drake(SDF.format(body.as_sdf()), "sdf"))
    readers.assert_agree(ours(readers, body), drake(URDF.format(body.as_urdf()), "urdf"))


@BODY
def test_mujoco_reads_the_same_body_from_mjcf(readers: Any, name: str) -> None:
    body = BODIES[name]
    readers.assert_agree(ours(readers, body), mujoco_reading(body.as_mjcf()))


@pytest.mark.parametrize("pose", TURNED_SDF.values(), ids=TURNED_SDF)
def test_an_inertial_of_sdf_is_read_as_drake_reads_it(readers: Any, drake: Any, pose: str) -> None:
    text = f"<inertial>{pose}<mass>2.5</mass>{TENSOR}</inertial>"
    readers.assert_agree(ours(readers, SpatialInertia.from_sdf(text)), drake(SDF.format(text), "sdf"))


@pytest.mark.parametrize("origin", ["<origin xyz='0.1 -0.2 0.3' rpy='0.4 -0.5 0.6'/>", "<origin rpy='1 2 3'/>", ""])
def test_an_inertial_of_urdf_is_read_as_drake_reads_it(readers: Any, drake: Any, origin: str) -> None:
    numbers = "<inertia ixx='2' iyy='3' izz='4' ixy='0.1' ixz='-0.2' iyz='0.3'/>"
    text = f"<inertial>{origin}<mass value='2.5'/>{numbers}</inertial>"
    readers.assert_agree(ours(readers, SpatialInertia.from_urdf(text)), drake(URDF.format(text), "urdf"))


@pytest.mark.parametrize("axes", TURNED_MJCF.values(), ids=TURNED_MJCF)
def test_an_inertial_of_mjcf_is_read_as_mujoco_reads_it(readers: Any, axes: str) -> None:
    text = f'<inertial pos="0.1 -0.2 0.3" mass="2.5" {axes}/>'
    readers.assert_agree(ours(readers, SpatialInertia.from_mjcf(text)), mujoco_reading(text))


@BODY
def test_an_inertia_of_drake_comes_back(readers: Any, drake: Any, name: str) -> None:
    body = BODIES[name]
    again = SpatialInertia.from_drake(body.as_drake())
    assert again.is_close(body, rtol=1e-12)
    readers.assert_agree(ours(readers, again), readers.from_drake(body.as_drake()))


@BODY
def test_pi_o_is_what_drake_has_about_the_origin(drake: Any, name: str) -> None:
    body = BODIES[name]
    theirs = body.as_drake()
    about_origin = theirs.CalcRotationalInertia().CopyToFullMatrix3()
    entries = [about_origin[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
    pi_o = [theirs.get_mass(), *(theirs.get_mass() * theirs.get_com()), *entries]
    assert SpatialInertia.from_pi_o(pi_o).is_close(body, rtol=1e-12)
    assert SpatialInertia.from_pi_o(sdfinertia.parametrization.pi_o_from_pi_cm(body)).is_close(body, rtol=1e-12)
