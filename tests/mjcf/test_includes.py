"""Models of several files: what is included is read in its place, and written where it stands."""

from pathlib import Path

import pytest

import sdfinertia
from sdfinertia.documents.filling import fill
from sdfinertia.documents.repairing import repair
from sdfinertia.editing.changes import Compute, MoveCentre, SetMass
from sdfinertia.editing.session import Session
from sdfinertia.errors import SdfInertiaError
from sdfinertia.options import Options

MAIN = (
    '<mujoco model="m">\n  <include file="parts/arm.xml"/>\n  <worldbody>\n    <include file="hand.xml"/>\n'
    "  </worldbody>\n</mujoco>\n"
)
ARM = (
    '<mujocoinclude>\n  <compiler angle="radian"/>\n  <worldbody>\n    <body name="arm">\n'
    '      <geom type="box" size="0.5 1 1.5" mass="12" euler="0 0 1.5707963267948966"/>\n'
    "      <freejoint/>\n    </body>\n  </worldbody>\n</mujocoinclude>\n"
)
HAND = (
    '<mujocoinclude>\n  <body name="hand">\n    <!-- sdfinertia: auto -->\n'
    '    <geom type="box" size="0.5 1 1.5" mass="12"/>\n  </body>\n</mujocoinclude>\n'
)


@pytest.fixture
def tree(project: Path) -> Path:
    (project / "parts").mkdir()
    (project / "robot.xml").write_text(MAIN)
    (project / "parts" / "arm.xml").write_text(ARM)
    (project / "hand.xml").write_text(HAND)
    return project


def test_settings_and_bodies_are_read_and_findings_and_suppressions_lie_where_they_stand(tree: Path) -> None:
    bodies = [each for each in sdfinertia.show("robot.xml") if "/" not in each.name]
    assert [each.name for each in bodies] == ["m::arm", "m::hand"]
    assert bodies[0].inertia is not None
    assert bodies[0].inertia.I_BBcm_B[:3] == pytest.approx((10, 13, 5))
    [finding] = sdfinertia.check("robot.xml")
    assert (finding.code, str(finding.location)) == ("SDI001", "hand.xml:2:3")
    (tree / "hand.xml").write_text(HAND.replace("auto -->", "auto -->\n    <!-- sdfinertia: ignore SDI001 -->"))
    assert sdfinertia.check("robot.xml") == []


def test_blocks_are_written_where_they_stand(tree: Path) -> None:
    result = fill("robot.xml", Options(missing=True))
    result.write()
    assert (tree / "robot.xml").read_text() == MAIN
    arm, hand = (tree / "parts" / "arm.xml").read_text(), (tree / "hand.xml").read_text()
    assert 'mass="12" fullinertia="10 13 5' in arm
    assert arm.startswith(ARM[: ARM.index("<geom")])
    assert hand.startswith(HAND[: HAND.index("    <geom")])
    assert not fill("robot.xml", Options(missing=True)).links


def test_a_walk_judges_parts_through_the_models_that_include_them(command, tree: Path) -> None:
    outcome = command("check", ".")
    assert outcome.output.count(b"SDI001") == 1
    assert b"hand.xml:2:3 SDI001" in outcome.output
    assert command("fill", ".").status == 0
    assert b"<inertial" in (tree / "hand.xml").read_bytes()
    assert command("check", ".").status == 0


def test_a_whole_model_that_another_includes_is_judged_once_and_a_part_named_by_itself_is_a_note(command, tree):
    (tree / "scene.xml").write_text('<mujoco><include file="robot.xml"/></mujoco>')
    assert command("check", ".").output.count(b"SDI001") == 1
    assert command("check", "robot.xml", "scene.xml").output.count(b"SDI001") == 1
    outcome = command("check", "hand.xml")
    assert outcome.status == 0
    assert "hand.xml: note: the file is part of an MJCF model" in outcome.messages


def test_repair_and_fix_write_included_files(command, tree: Path) -> None:
    broken = '<inertial pos="0 0 0" mass="12" diaginertia="1 1 50"/>'
    (tree / "parts" / "arm.xml").write_text(ARM.replace("      <geom", f"      {broken}\n      <geom"))
    result = repair("robot.xml", Options(), by="nearest")
    result.write()
    arm = (tree / "parts" / "arm.xml").read_text()
    assert broken not in arm
    assert "sdfinertia: repaired=" in arm
    assert "fixed 1 finding" in command("check", "--fix", "robot.xml").messages
    assert b"<inertial" in (tree / "hand.xml").read_bytes()


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("hand.xml", None, "robot.xml:4:5: the included hand.xml cannot be read"),
        ("hand.xml", '<mujocoinclude><include file="hand.xml"/></mujocoinclude>', "hand.xml is included twice"),
        ("hand.xml", '<mujocoinclude><include file="robot.xml"/></mujocoinclude>', "robot.xml is included twice"),
        ("hand.xml", '<mujocoinclude><include file="parts/arm.xml"/></mujocoinclude>', "arm.xml is included twice"),
        ("hand.xml", "<mujocoinclude>\n<body></mujocoinclude>", "hand.xml:2:7: </mujocoinclude> closes <body>"),
        ("hand.xml", "<mujocoinclude/><mujocoinclude/>", "hand.xml:1:1: an included file has one root element"),
        ("hand.xml", "<!DOCTYPE a><mujocoinclude/>", "hand.xml:1:1: DOCTYPE"),
        ("robot.xml", "<mujoco><include/></mujoco>", "robot.xml:1:9: <include> names no file"),
    ],
)
def test_what_cannot_be_included_is_one_error_at_its_place(tree, name, content, words):
    if content is None:
        (tree / name).unlink()
    else:
        (tree / name).write_text(content)
    with pytest.raises(SdfInertiaError) as caught:
        fill("robot.xml")
    assert words in str(caught.value)


def test_nothing_outside_the_confinement_is_opened(tree: Path) -> None:
    (tree.parent / "secret.xml").write_text(HAND)
    (tree / "robot.xml").write_text(MAIN.replace("hand.xml", "../secret.xml"))
    with pytest.raises(SdfInertiaError, match="outside"):
        fill("robot.xml", Options(confine=str(tree)))
    (tree / "mesh.xml").write_text(
        '<mujoco><asset><mesh name="m" file="../secret.obj"/></asset><worldbody><body name="b"><freejoint/>'
        '<geom type="mesh" mesh="m"/></body></worldbody></mujoco>'
    )
    result = fill("mesh.xml", Options(confine=str(tree), missing=True))
    assert "outside" in str(result.errors[0])


def test_includes_in_great_numbers_end_in_one_error(tree: Path) -> None:
    for number in range(300):
        (tree / f"{number}.xml").write_text(f'<mujocoinclude><include file="{number + 1}.xml"/></mujocoinclude>')
    (tree / "robot.xml").write_text('<mujoco><include file="0.xml"/></mujoco>')
    with pytest.raises(SdfInertiaError, match="more than 256 files"):
        fill("robot.xml")


def test_scaling_writes_the_file_in_which_the_body_stands(command, tree: Path) -> None:
    hand = HAND.replace(
        "    <!-- sdfinertia: auto -->\n", '    <inertial pos="0 0 1" mass="2" diaginertia="1 1.5 2"/>\n'
    )
    (tree / "hand.xml").write_text(hand)
    result = sdfinertia.scale("robot.xml", Options(link=("m::hand",)), mass=4.0)
    assert not result.changed
    assert [part.path for part in result.others if part.changed] == ["hand.xml"]
    diff = command("scale", "robot.xml", "--link", "m::hand", "--mass", "4", "--diff").output
    assert b"+++ hand.xml" in diff
    assert b"robot.xml" not in diff
    assert command("scale", "robot.xml", "--link", "m::hand", "--mass", "4", "-o", "other.xml").status == 2
    assert command("scale", "robot.xml", "--link", "m::hand", "--mass", "4").status == 0
    assert (tree / "hand.xml").read_text() == hand.replace(
        'mass="2" diaginertia="1 1.5 2"', 'mass="4" diaginertia="2 3 4"'
    )
    assert (tree / "robot.xml").read_text() == MAIN


def test_each_file_is_edited_by_hand_and_saved(tree: Path) -> None:
    block = '<inertial pos="0 0 1" mass="2" diaginertia="1 1.5 2"/>'
    (tree / "hand.xml").write_text(HAND.replace("<!-- sdfinertia: auto -->", block))
    (tree / "parts" / "arm.xml").write_text(ARM.replace("      <geom", f"      {block}\n      <geom"))
    draft = sdfinertia.open_draft("robot.xml")
    draft = draft.changed(SetMass("m::hand", 4.0, is_linked=True)).changed(MoveCentre("m::arm", (0.0, 0.0, 2.0)))
    assert [line for line in draft.diff().split(b"\n") if line.startswith(b"+++")] == [
        b"+++ parts/arm.xml",
        b"+++ hand.xml",
    ]
    saved, _ = draft.save()
    assert not saved.is_changed
    assert 'mass="4" diaginertia="2 3 4"' in (tree / "hand.xml").read_text()
    assert 'pos="0 0 2"' in (tree / "parts" / "arm.xml").read_text()
    assert (tree / "robot.xml").read_text() == MAIN
    undone, _ = saved.undone().undone().save()
    assert not undone.is_changed
    assert block in (tree / "hand.xml").read_text()
    assert block in (tree / "parts" / "arm.xml").read_text()


def test_what_asks_is_computed_on_the_page_in_each_file(tree: Path) -> None:
    saved, _ = sdfinertia.open_draft("robot.xml", Options(missing=True)).changed(Compute("")).save()
    assert not saved.is_changed
    assert "fullinertia" in (tree / "hand.xml").read_text()
    assert "fullinertia" in (tree / "parts" / "arm.xml").read_text()


def test_a_page_sees_that_an_included_file_changed(tree: Path) -> None:
    session = Session("robot.xml", Options())
    version = session.status()["version"]
    (tree / "hand.xml").write_text(HAND.replace('mass="12"', 'mass="13"'))
    assert session.status() | {"isChecked": True} == {
        "version": version + 1,
        "onDisk": "same",
        "isChanged": False,
        "isChecked": True,
    }


def test_save_refuses_where_an_included_file_of_the_model_changed_elsewhere(tree: Path) -> None:
    session = Session("robot.xml", Options(missing=True))
    session.change({"version": session.status()["version"], "change": "Compute", "values": {}})
    arm = ARM.replace("<geom", "<!-- new -->\n      <geom")
    (tree / "parts" / "arm.xml").write_text(arm)
    assert session.status()["onDisk"] == "changed"
    with pytest.raises(SdfInertiaError, match=r"changed on disk"):
        session.save({"version": session.status()["version"]})
    assert (tree / "parts" / "arm.xml").read_text() == arm
    assert not session.reload()["isChanged"]
