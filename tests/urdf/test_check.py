"""What `check` says of URDF, and what `check --fix`, `scale` and `show` make of it."""

import re
from pathlib import Path

import pytest

from sdfinertia.commands.scale import run_scale
from sdfinertia.documents import open_document
from sdfinertia.documents.checking import check
from sdfinertia.inertia import InertiaTensor
from sdfinertia.inertia.rigid_transform import rotation_from_rpy
from sdfinertia.options import Options
from sdfinertia.robot.nudging import nudge_edits

BOX = '<collision><geometry><box size="1 2 3"/></geometry></collision>'
TENSOR = 'ixx="13" ixy="0" ixz="0" iyy="10" iyz="0" izz="5"'
SOUND = f'<inertial><mass value="12"/><inertia {TENSOR}/></inertial>'


def robot(inside: str) -> str:
    return f'<robot name="r">\n<link name="l">\n{inside}\n</link>\n</robot>\n'


def found(text: str) -> list[str]:
    """Code and place of each finding."""
    return [f"{each.code} {each.location.line}" for each in check(text.encode(), Options(), filename="r.urdf")]


FINDINGS = {
    "sound": (SOUND + BOX, []),
    "nothing in it": ("", []),
    "a request": (f"<!-- sdfinertia: auto -->{BOX}", ["SDI001 2"]),
    "a request beside a block": (f"<!-- sdfinertia: auto -->\n<inertial/>{BOX}", ["SDI001 4"]),
    "a malformed request": (f"{SOUND}\n<!-- sdfinertia: auto x=1 -->{BOX}", ["SDI106 4"]),
    "two requests and no block": (f"\n<!-- sdfinertia: auto --><!-- sdfinertia: auto -->{BOX}", ["SDI106 4"]),
    "a comment that asks for nothing": (f"{SOUND}{BOX}\n<!-- sdfinertia: density=1 -->", ["SDI106 4"]),
    "a suppression": (f"<!-- sdfinertia: ignore SDI104 -->{BOX}", []),
    "an idle suppression": (f"{SOUND}\n<!-- sdfinertia: ignore SDI104 -->{BOX}", ["SDI801 4"]),
    "mass": (SOUND.replace('"12"', '"-1"'), ["SDI101 3"]),
    "mass in words": (SOUND.replace('"12"', '"nan"'), ["SDI101 3"]),
    "not positive definite": (SOUND.replace('"5"', '"-5"'), ["SDI102 3"]),
    "triangle": (SOUND.replace('"13"', '"113"'), ["SDI103 3"]),
    "no inertial": (BOX, ["SDI104 2"]),
    "no tensor": ('<inertial><mass value="1"/></inertial>', ["SDI105 3"]),
    "unit tensor": (re.sub(r'(i(.)\2)="[0-9]+"', r'\1="1"', SOUND), ["SDI105 3"]),
    "no value": (SOUND.replace(' value="12"', "").replace("<mass", "\n<mass"), ["SDI106 4"]),
    "no mass": (SOUND.replace('<mass value="12"/>', ""), ["SDI106 3"]),
    "an entry is missing": (SOUND.replace('iyz="0"', "").replace("<inertia ", "\n<inertia "), ["SDI106 4"]),
    "wrong count": (SOUND.replace("<mass", '\n<origin xyz="0 0"/><mass'), ["SDI106 4"]),
    "tabs": (SOUND.replace("<mass", '\n<origin xyz="0\t0 0"/><mass'), ["SDI106 4"]),
    "twice": (SOUND.replace("<inertia ", '\n<mass value="2"/><inertia '), ["SDI106 4"]),
    "two blocks": (f"{SOUND}\n{SOUND}", ["SDI106 4"]),
    "customary": (SOUND + "<contact/><self_collide/><xacro/><gazebo/>", []),
}


@pytest.mark.parametrize(("inside", "findings"), FINDINGS.values(), ids=FINDINGS)
def test_check_finds_what_is_wrong_where_it_stands(inside: str, findings: list[str]) -> None:
    assert found(robot(inside)) == findings


JOINTS = '<joint name="j" type="{}"><parent link="{}"/><child link="l"/></joint><link name="{}"/>'


@pytest.mark.parametrize(
    ("kind", "parent", "inside", "findings"),
    [
        ("revolute", "p", "<visual/>", ["SDI104 5"]),
        ("fixed", "p", "<visual/>", []),
        ("revolute", "p", SOUND, []),
        ("fixed", "world", BOX, []),
        ("revolute", "world", BOX, ["SDI104 2"]),
    ],
)
def test_a_joint_that_moves_needs_a_mass(kind: str, parent: str, inside: str, findings: list[str]) -> None:
    text = robot(inside).replace("</robot>", JOINTS.format(kind, parent, parent) + "</robot>")
    assert found(text) == findings


NOTHING = '<inertial><mass value="0"/><inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/></inertial>'
POINT = NOTHING.replace('"0"/><', '"0.02"/><', 1)
WEIGHTLESS = SOUND.replace('"12"', '"0"')


@pytest.mark.parametrize(
    ("kind", "inside", "other", "findings"),
    [
        ("fixed", NOTHING, SOUND, []),
        ("fixed", NOTHING + BOX, SOUND, []),
        ("fixed", POINT, SOUND, []),
        ("fixed", POINT, "<!-- sdfinertia: ignore SDI001 --><!-- sdfinertia: auto -->" + BOX, []),
        ("fixed", NOTHING, NOTHING, ["SDI101", "SDI101", "SDI102", "SDI102"]),
        ("fixed", POINT, "", ["SDI102"]),
        ("fixed", POINT.replace("0.02", "-1"), SOUND, ["SDI101"]),
        ("fixed", WEIGHTLESS, SOUND, ["SDI101"]),
        ("revolute", NOTHING, SOUND, ["SDI101", "SDI102", "SDI104"]),
        ("revolute", POINT, SOUND, ["SDI102"]),
    ],
)
def test_a_part_of_another_link_may_be_a_frame_or_a_mass_point(kind, inside, other, findings):
    text = robot(inside).replace("</robot>", JOINTS.format(kind, "p", "p") + "</robot>")
    text = text.replace('<link name="p"/>', f'<link name="p">{other}</link>')
    assert sorted(line.split()[0] for line in found(text)) == findings


def test_the_part_may_be_the_one_that_the_other_hangs_on_and_a_mass_fixed_to_what_a_joint_moves_is_enough() -> None:
    text = robot(NOTHING).replace("</robot>", f'<link name="m">{SOUND}</link>')
    assert found(text + "</robot>") == ["SDI101 3", "SDI102 3"]
    assert found(text + '<joint type="fixed"><parent link="l"/><child link="m"/></joint></robot>') == []
    text = robot("").replace("</robot>", JOINTS.format("revolute", "p", "p"))
    text += (
        f'<link name="tool">{SOUND}</link><joint type="fixed"><parent link="l"/><child link="tool"/></joint></robot>'
    )
    assert found(text) == []


def test_spinning_is_not_judged_without_a_step_and_ends_of_joints_that_name_no_link_are_told() -> None:
    text = robot(SOUND.replace('"13"', '"5.1"').replace('"10"', '"10"'))
    assert check(text.encode(), Options(select=("SDI301",), spin=1000.0), filename="r.urdf") == []
    text = robot("").replace(
        "</robot>", '<joint name="j" type="fixed"><parent link="l"/><child link="x"/></joint></robot>'
    )
    document = open_document(text.encode(), Options(), filename="r.urdf")
    ((model, _),) = document.models
    problems = [defect.message for defect in model.unresolved_references(document.context)]  # type: ignore[attr-defined]
    assert problems == ["<child> of joint 'j' names 'x', and no link has that name"]


NEAR = {
    "element": ("<colision/>", "unknown_elements", "did you mean <collision>?"),
    "in the block": ("<inertial><inertias/></inertial>", "unknown_elements", "did you mean <inertia>?"),
    "text of mass": ("<inertial><mass>2</mass></inertial>", "unknown_elements", 'write <mass value="..."/>'),
    "entry": ('<inertial><inertia ixX="1"/></inertial>', "unknown_moments", "did you mean ixx?"),
}


@pytest.mark.parametrize(("inside", "of_what", "remedy"), NEAR.values(), ids=NEAR)
def test_near_misses_are_told(inside: str, of_what: str, remedy: str) -> None:
    (link,) = open_document(robot(inside).encode(), Options(), filename="r.urdf").links()
    assert [defect.remedy for defect in getattr(link.model.format, of_what)(link)] == [remedy]


def test_a_refused_tensor_is_nudged_in_its_own_form() -> None:
    block = (
        '<inertial><mass value="2"/><inertia ixx="0.5" iyy=\'5e-1\' izz="1.0001" ixy="0" ixz="0" iyz="0"/></inertial>'
    )
    (link,) = open_document(robot(block).encode(), Options(), filename="r.urdf").links()
    new = [edit.replacement.decode() for edit in nudge_edits(link)]
    assert new == ["0.5001", "0.5001", "1.0002"]


# Scaling --------------------------------------------------------------------------------------------------------------


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path / "r.urdf"


def scaled(path: Path, block: str, **scaling: float | str) -> str:
    path.write_text(robot(block))
    assert run_scale(str(path), ["r::*"], **scaling) == 0  # type: ignore[arg-type]
    return path.read_text().splitlines()[2]


def test_scaling_keeps_axes_and_the_text_of_equal_numbers_and_that_of_the_size_moves_the_centre(path: Path) -> None:
    block = '<inertial><origin rpy="0.3 0 1" xyz=\'0.10 0 -2.\'/><mass value="12.0"/><inertia {} ixx="13" /></inertial>'
    block = block.format('iyy="10" izz="5.0" ixy="0" ixz="0.0" iyz="0"')
    expected = block.replace('"12.0"', '"24"').replace('"13"', '"26"').replace('"10"', '"20"').replace('"5.0"', '"10"')
    assert scaled(path, block, mass=24.0) == expected
    block = SOUND.replace("<mass", '<origin xyz="0.5 0.0 0"/><mass')
    line = scaled(path, block, size="2")
    assert 'xyz="1 0.0 0"' in line
    assert '<mass value="96"/>' in line
    assert 'ixx="416"' in line


def test_a_thin_turned_body_is_scaled_in_its_principal_axes_with_their_rotation(tmp_path: Path) -> None:
    tensor = InertiaTensor(1e-12, 1.0, 1.0).rotated(rotation_from_rpy(0.1, 0.4, 0.3))
    entries = " ".join(f'{name}="{value!r}"' for name, value in tensor._asdict().items())
    block = f'<inertial><mass value="1"/><inertia {entries}/></inertial>'
    path = tmp_path / "thin.urdf"
    path.write_text(f'<robot name="r"><link name="a">{block}</link></robot>', encoding="utf-8")
    assert run_scale(str(path), ["r::a"], mass=2.0) == 0
    (link,) = open_document(path, Options()).links()
    written = link.written_inertia()
    assert written.inertia.I_BBcm_B == pytest.approx([2.0 * value for value in tensor], abs=1e-9)


@pytest.mark.parametrize(
    ("block", "words"),
    [
        ("", "no <inertial> to scale"),
        (f"<!-- sdfinertia: auto -->{SOUND}", "a comment asks for its inertial to be computed"),
        (SOUND.replace('izz="5"', ""), "<inertia> has no izz"),
        ('<inertial><mass value="1"/></inertial>', "has no <inertia>"),
    ],
)
def test_what_cannot_be_scaled_is_refused(path, block, words, capsys):
    path.write_text(robot(block))
    assert run_scale(str(path), ["r::*"], mass=1.0) == 2
    assert words in capsys.readouterr().err
