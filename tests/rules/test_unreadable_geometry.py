"""SDI902 and the closing line: a link that was not judged is never clean."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import pytest

from sdfinertia.documents import open_document
from sdfinertia.documents.checking import check, check_document
from sdfinertia.options import Options

if TYPE_CHECKING:
    from pathlib import Path

    from sdfinertia.links import Unjudged
    from sdfinertia.rules.rule import Finding

POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"
# What a body of 10 cm hardly has, and nobody sees who cannot see the 10 cm.
ABSURD = "<inertial><mass>1</mass><inertia><ixx>900</ixx><iyy>800</iyy><izz>700</izz></inertia></inertial>"
AUTO = "<inertial auto='true'/>"
BOX = "<box><size>1 1 1</size></box>"
OPEN = "v 0 0 0\nv 30 0 0\nv 0 30 0\nv 0 0 30\nf 1 3 2\nf 1 2 4\nf 1 4 3\n"


def mesh(uri: str) -> str:
    return f"<mesh><uri>{uri}</uri></mesh>"


def solid(geometry: str, kind: str = "collision", name: str = "c") -> str:
    return f"<{kind} name='{name}'><geometry>{geometry}</geometry></{kind}>\n"


def sdf(*solids: str, inertial: str = ABSURD, static: str = "") -> str:
    links = f"<link name='l'>{inertial}\n{''.join(solids)}</link>"
    return f"<sdf version='1.11'><model name='m'>{static}{links}</model></sdf>"


@pytest.fixture
def meshes(project: Path) -> Path:
    (project / "pointer.stl").write_bytes(POINTER)
    (project / "short.stl").write_bytes(bytes(80) + struct.pack("<I", 12) + bytes(100))
    (project / "open.obj").write_text(OPEN)
    (project / "fbx.fbx").write_bytes(b"Kaydara FBX Binary")
    return project


def judged(text: str, folder: Path, *select: str) -> tuple[list[Finding], list[Unjudged]]:
    document = open_document(text.encode(), Options(select=select), filename=str(folder / "m.sdf"))
    result = check_document(document)
    return list(result.findings), list(result.unjudged)


UNREADABLE = {
    "a Git LFS pointer": (solid(mesh("pointer.stl")), "pointer.stl: holds a Git LFS pointer, not a mesh"),
    "a mesh cut short": (solid(mesh("short.stl")), "short.stl: "),
    "a format that is not read": (solid(mesh("fbx.fbx")), "fbx.fbx: "),
    "a word for a number": (
        solid("<cylinder><radius>abc</radius><length>1</length></cylinder>"),
        "collision 'c': <radius> is 'abc': write a number",
    ),
    "a negative size": (solid("<box><size>1 -2 3</size></box>"), "collision 'c': box size y must be positive"),
    "a missing dimension": (solid("<sphere/>"), "collision 'c': <sphere> has no <radius>"),
    "a pose of two numbers": (
        solid(BOX).replace("<geometry>", "<pose>0 0</pose><geometry>"),
        "write 6 numbers",
    ),
    "two shapes in one": (solid(BOX + BOX.replace("box", "sphere")), "one <geometry> holds several shapes"),
    "two of one name": (solid(BOX) + solid(BOX), "two collisions are named 'c'"),
    "a visual": (solid(BOX) + solid(mesh("pointer.stl"), "visual", "v"), "visual 'v': "),
    "a loop that crosses itself": (
        solid(
            "<polyline><point>0 0</point><point>1 1</point><point>1 0</point><point>0 1</point><height>1</height>"
            "</polyline>"
        ),
        "of the polyline crosses itself",
    ),
}


@pytest.mark.parametrize("select", [(), ("ALL",)], ids=["by default", "by every rule"])
@pytest.mark.parametrize("name", UNREADABLE)
def test_what_is_there_and_cannot_be_read_is_one_finding_at_its_place(name, select, meshes):
    solids, words = UNREADABLE[name]
    findings, unjudged = judged(sdf(solids), meshes, *select)
    [finding] = [each for each in findings if each.code == "SDI902"]
    assert finding.link == "m::l"
    assert finding.message.startswith("cannot be checked against its geometry: ")
    assert words in finding.message
    assert (finding.location.line > 1, unjudged) == (True, [])


def test_each_cause_is_a_finding_of_its_own(meshes: Path) -> None:
    solids = [
        solid(mesh("pointer.stl"), name="first"),
        solid(BOX, name="sound"),
        solid(mesh("short.stl"), name="second"),
        solid("<sphere><radius>abc</radius></sphere>", "visual", "third"),
        # The file of the first.
        solid(mesh("pointer.stl"), "visual", "fourth"),
    ]
    findings, _ = judged(sdf(*solids), meshes, "ALL")
    found = [(each.location.line, each.message) for each in findings if each.code == "SDI902"]
    assert [line for line, _ in found] == [2, 4, 5]
    assert all(name in message for name, (_, message) in zip(("'first'", "'second'", "'third'"), found, strict=True))


URDF_INERTIAL = "<inertial><mass value='1'/><inertia ixx='900' ixy='0' ixz='0' iyy='800' iyz='0' izz='700'/></inertial>"


@pytest.mark.parametrize(
    ("geometry", "words"),
    [
        ("<mesh filename='pointer.stl'/>", "holds a Git LFS pointer"),
        ("<cylinder radius='abc' length='1'/>", "radius of <cylinder> is 'abc': write a number"),
        ("<box size='1 -2 3'/>", "box size y must be positive"),
        ("", "the <geometry> holds no shape"),
    ],
)
def test_the_same_is_found_in_urdf(geometry: str, words: str, meshes: Path) -> None:
    robot = (
        f"<robot name='r'><link name='l'>{URDF_INERTIAL}<visual><geometry>{geometry}</geometry></visual></link></robot>"
    )
    [finding] = check(robot.encode(), filename=str(meshes / "r.urdf"))
    assert finding.code == "SDI902"
    assert words in finding.message


JUDGED = {
    "a plane": sdf(solid("<plane/>"), solid(mesh("pointer.stl"), "visual")),
    "nothing drawn": sdf(solid("<empty/>"), inertial=ABSURD),
    "a point that marks a place": sdf(solid("<sphere><radius>0</radius></sphere>"), inertial=ABSURD),
    "a link that never moves": sdf(solid(mesh("pointer.stl")), static="<static>true</static>"),
    "a link that asks to be filled": sdf(solid(mesh("pointer.stl")), inertial=AUTO),
    "a link without numbers": sdf(solid(mesh("pointer.stl"), "visual"), inertial=""),
    "an open mesh, whose box is known": sdf(solid(mesh("open.obj"))),
}


@pytest.mark.parametrize("name", JUDGED)
def test_what_no_rule_needs_is_no_finding(name: str, meshes: Path) -> None:
    findings, unjudged = judged(JUDGED[name], meshes)
    assert "SDI902" not in {finding.code for finding in findings}
    assert unjudged == []


def test_a_contact_point_does_not_keep_the_rest_of_a_link_from_being_judged(meshes: Path) -> None:
    point = solid("<sphere><radius>0</radius></sphere>", name="point")
    findings, _ = judged(sdf(solid(BOX.replace("1 1 1", ".1 .1 .1")), point), meshes)
    assert [finding.code for finding in findings] == ["SDI202"]


@pytest.mark.parametrize("code", ["SDI203", "SDI204", "SDI403"])
def test_an_open_mesh_is_counted_where_a_rule_has_nothing_else_to_go_by(code: str, meshes: Path) -> None:
    findings, [reason] = judged(sdf(solid(mesh("open.obj"))), meshes, code)
    assert (findings, reason.uri, reason.is_finding) == ([], "", False)
    assert "the mesh is not closed" in reason.problem


@pytest.mark.parametrize("code", ["SDI201", "SDI203", "SDI204", "SDI210", "SDI401", "SDI403"])
def test_the_command_tells_it_whatever_rule_is_selected(code: str, meshes: Path, command) -> None:
    (meshes / "m.sdf").write_text(sdf(solid(mesh("pointer.stl"))))
    outcome = command("check", "--select", code, "m.sdf")
    assert (outcome.status, outcome.output.count(b" SDI902 ")) == (1, 1)
    assert command("check", "--select", "SDI101", "m.sdf").status == 0


# What is not found ----------------------------------------------------------------------------------------------------

MISSING = sdf(solid(mesh("model://x/y.stl")), solid(mesh("model://x/z.stl"), "visual", "v"))
LINE = "1 link not checked against geometry, not found"


def test_what_is_not_found_is_counted_by_link_in_the_closing_line(project: Path, command) -> None:
    (project / "m.sdf").write_text(MISSING)
    (project / "n.sdf").write_text(MISSING)
    outcome = command("check", "m.sdf")
    assert (outcome.status, outcome.output) == (0, b"")
    assert f"{LINE}: model://x/y.stl and 1 more (details with -v)\n" in outcome.messages
    assert "2 links not checked against geometry, not found" in command("check", ".").messages


def test_whether_a_centre_lies_outside_is_not_said_where_a_visual_is_not_found(meshes: Path) -> None:
    body = "<mass>1</mass><inertia><ixx>.1</ixx><iyy>.1</iyy><izz>.1</izz></inertia>"
    away = f"<inertial><pose>5 0 0 0 0 0</pose>{body}</inertial>"
    found, _ = judged(sdf(solid(BOX), inertial=away), meshes)
    assert [each.code for each in found] == ["SDI208"]
    found, unjudged = judged(sdf(solid(BOX), solid(mesh("model://x/z.stl"), "visual", "v"), inertial=away), meshes)
    assert (found, len(unjudged)) == ([], 1)


def test_a_frame_that_is_not_found_is_no_finding_of_this_rule(meshes: Path) -> None:
    lost = solid(BOX).replace("<geometry>", "<pose relative_to='nobody'/><geometry>")
    findings, [reason] = judged(sdf(lost), meshes)
    assert "SDI902" not in {finding.code for finding in findings}
    assert (reason.uri, reason.is_finding) == ("", False)
    assert "nobody" in reason.problem
