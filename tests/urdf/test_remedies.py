"""Remedies speak the format of the file: what they advise to write in URDF is URDF, and what SDF has stays in SDF."""

from pathlib import Path
from typing import Any

import pytest
from builders.meshes import box, obj, without

from sdfinertia.documents.checking import check
from sdfinertia.documents.filling import fill
from sdfinertia.options import Options

UNIT = {"urdf": '<box size="1 1 1"/>', "sdf": "<box><size>1 1 1</size></box>"}
NONE = {"urdf": "", "sdf": ""}
OPEN = {"urdf": '<mesh filename="open.obj"/>', "sdf": "<mesh><uri>open.obj</uri></mesh>"}


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """A directory with a box that lacks a face."""
    (tmp_path / "open.obj").write_text(obj(without(box(), 0)))
    return tmp_path


def document(kind: str, shape: str, *, inertial: str = "", is_auto: bool = True, visual: str = "") -> bytes:
    """A robot of one link with one collision, which asks to be computed unless it has an inertial."""
    parts = "".join(
        f"<{name} name='{name}'><geometry>{each}</geometry></{name}>"
        for name, each in (("collision", shape), ("visual", visual))
        if each
    )
    if kind == "urdf":
        block = inertial or ("<!-- sdfinertia: auto -->" if is_auto else "")
        return f'<robot name="m"><link name="l">{block}{parts}</link></robot>'.encode()
    block = inertial or ("<inertial auto='true'/>" if is_auto else "")
    return f"<sdf version='1.11'><model name='m'><link name='l'>{block}{parts}</link></model></sdf>".encode()


def refusal(directory: Path, kind: str, content: bytes, **options: Any) -> str:
    (error,) = fill(content, Options(**options), filename=str(directory / f"m.{kind}")).errors
    return error.remedy


@pytest.mark.parametrize(
    ("kind", "shapes", "options", "remedy"),
    [
        ("sdf", UNIT, {"require_density": True}, "add a <density> to the collision or the link, or use --density"),
        (
            *("urdf", UNIT, {"require_density": True}),
            "add the comment <!-- sdfinertia: density=... --> to the collision, or use --density",
        ),
        ("sdf", NONE, {}, "add one, or set auto to false"),
        ("urdf", NONE, {}, "add one, or remove the comment that asks for its inertial"),
        (
            *("sdf", OPEN, {"open_mesh": "shell"}),
            "give <sdfinertia:thickness>, or --thickness",
        ),
        (
            *("urdf", OPEN, {"open_mesh": "shell"}),
            "give <!-- sdfinertia: auto thickness=... --> in its link, or --thickness",
        ),
    ],
)
def test_what_to_write_is_said_in_the_words_of_the_format(directory, kind, shapes, options, remedy):
    assert refusal(directory, kind, document(kind, shapes[kind]), **options) == remedy


@pytest.mark.parametrize(
    ("kind", "chooses"),
    [("sdf", "<sdfinertia:open_mesh>"), ("urdf", "<!-- sdfinertia: auto open_mesh=... --> in its link")],
)
def test_what_says_how_an_open_mesh_is_taken(directory: Path, kind: str, chooses: str) -> None:
    content = document(kind, OPEN[kind])
    assert f"choose --open-mesh or {chooses}: convex_hull" in refusal(directory, kind, content)
    (finding,) = check(content, Options(select=("SDI401",)), filename=str(directory / f"m.{kind}"))
    assert f"or choose {chooses}; see `sdfinertia mesh`" in finding.remedy


@pytest.mark.parametrize(
    ("kind", "scale", "huge"),
    [
        ("sdf", "<scale>0.001 0.001 0.001</scale>", "<mesh><uri>open.obj</uri></mesh>"),
        ("urdf", 'scale="0.001 0.001 0.001"', '<mesh filename="open.obj"/>'),
    ],
)
def test_what_gives_a_mesh_its_scale(directory: Path, kind: str, scale: str, huge: str) -> None:
    small = UNIT[kind].replace("1 1 1", "0.001 0.001 0.001")
    content = document(kind, huge, visual=small)
    (finding,) = check(content, Options(select=("SDI206",)), filename=str(directory / f"m.{kind}"))
    assert finding.remedy == f"give the mesh {scale}, or export it in metres"


@pytest.mark.parametrize(
    ("kind", "inertial", "what"),
    [
        ("sdf", "<inertial><pose>9 0 0 0 0 0</pose><mass>1</mass></inertial>", "pose"),
        (
            "urdf",
            '<inertial><origin xyz="9 0 0"/><mass value="1"/>'
            '<inertia ixx="1" iyy="1" izz="1.1" ixy="0" ixz="0" iyz="0"/></inertial>',
            "origin",
        ),
    ],
)
@pytest.mark.parametrize("code", ["SDI201", "SDI208"])
def test_what_places_an_inertial(directory: Path, kind: str, inertial: str, what: str, code: str) -> None:
    content = document(kind, UNIT[kind], inertial=inertial)
    (finding,) = check(content, Options(select=(code,)), filename=str(directory / f"m.{kind}"))
    assert finding.remedy == f"the {what} of an <inertial> is in the link's frame, in metres"


def test_no_message_about_a_urdf_file_names_an_element_that_only_sdf_has(directory: Path) -> None:
    """Of every refusal and finding above, over URDF."""
    only_in_sdf = ("<density", "<pose", "<scale>", "<uri", "<sdfinertia:", "auto_inertia_params", "auto=", "SDF")
    contents = [document("urdf", shape) for shape in ("", UNIT["urdf"], OPEN["urdf"])]
    contents += [document("urdf", UNIT["urdf"], inertial="<inertial/>"), document("urdf", UNIT["urdf"], is_auto=False)]
    messages = []
    for content in contents:
        file = str(directory / "m.urdf")
        for options in (Options(require_density=True), Options(open_mesh="shell"), Options(all=True, missing=True)):
            result = fill(content, options, filename=file)
            messages += [str(error) for error in result.errors]
            messages += [note for link in result.links for note in link.notes]
        found = check(content, Options(select=("ALL",)), filename=file)
        messages += [f"{finding.message}; {finding.remedy}" for finding in found]
    assert len(messages) > 10
    assert [message for message in messages if any(word in message for word in only_in_sdf)] == []


# What simulators make of a link without an inertial: tried with Drake 1.51, MuJoCo 4.0 and pybullet 3.2.7.
READERS = "Gazebo drops it and its children; Drake: 0 kg; MuJoCo: 1000 kg/m³; Bullet: 1 kg"
KEPT = '<gazebo reference="j"><preserveFixedJoint>true</preserveFixedJoint></gazebo>'
NO_LUMPING = '<gazebo reference="j"><disableFixedJointLumping>1</disableFixedJointLumping></gazebo>'


@pytest.mark.parametrize(
    ("kind", "ends", "more", "is_told"),
    [
        *[("revolute", ("p", "l"), "", True), ("fixed", ("p", "l"), "", False)],
        *[("fixed", ("l", "p"), "", False), ("fixed", ("p", "l"), KEPT, True)],
        ("fixed", ("p", "l"), NO_LUMPING, True),
        ("fixed", ("p", "l"), KEPT.replace("true", "false"), False),
    ],
)
def test_a_link_without_an_inertial_is_told_unless_a_fixed_joint_lumps_it_with_a_body(kind, ends, more, is_told):
    sound = '<inertial><mass value="12"/><inertia ixx="2" ixy="0" ixz="0" iyy="2" iyz="0" izz="2"/></inertial>'
    joint = f'<joint name="j" type="{kind}"><parent link="{ends[0]}"/><child link="{ends[1]}"/></joint>{more}'
    text = document("urdf", UNIT["urdf"], is_auto=False).decode()
    text = text.replace("</robot>", f'<link name="p">{sound}</link>{joint}</robot>')
    found = [finding.message for finding in check(text.encode(), Options(select=("SDI104",)), filename="m.urdf")]
    assert found == [f"no <inertial>: {READERS}"] * is_told
