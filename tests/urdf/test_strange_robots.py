"""Robots that readers take anyhow: joints that lead nowhere or round, numbers that are none, colours of all kinds."""

import pytest

from sdfinertia.documents import OpenDocument, open_document
from sdfinertia.documents.checking import check
from sdfinertia.documents.filling import fill
from sdfinertia.errors import FrameError, TextError, ValueTextError
from sdfinertia.inertia.rigid_transform import RigidTransform
from sdfinertia.markup import Document
from sdfinertia.options import Options
from sdfinertia.robot import VISUAL
from sdfinertia.robot.robot import Assembly
from sdfinertia.urdf import Robot

SOUND = (
    '<inertial><mass value="12"/><inertia ixx="13" ixy="0" ixz="0" iyy="10" iyz="0" izz="5"/></inertial>'
    '<collision><geometry><box size="1 2 3"/></geometry></collision>'
)


def robot(*parts: str) -> str:
    return f'<robot name="r">{"".join(parts)}</robot>'


def link(name: str, inside: str = SOUND) -> str:
    return f'<link name="{name}">{inside}</link>'


def joint(parent: str, child: str, kind: str = "revolute", inside: str = "") -> str:
    ends = f'<parent link="{parent}"/><child link="{child}"/>'
    return f'<joint name="{parent}-{child}" type="{kind}">{ends}{inside}</joint>'


def opened(text: str) -> OpenDocument:
    return open_document(text.encode(), Options(), filename="r.urdf")


def assembly_of(text: str) -> Assembly:
    document = opened(text)
    (assembly,) = document.robot.assemblies(document.context)
    assert isinstance(assembly, Assembly)
    return assembly


# Joints ---------------------------------------------------------------------------------------------------------------


def test_links_whose_joints_stand_in_a_circle_have_no_place_and_others_do() -> None:
    text = robot(link("a"), link("b"), link("c"), joint("a", "b"), joint("b", "a"))
    found = assembly_of(text)
    poses = {placed.link.name: placed.pose for placed in found.links}
    assert isinstance(poses["a"], FrameError)
    assert isinstance(poses["b"], FrameError)
    assert "form a cycle" in str(poses["a"])
    assert isinstance(poses["c"], RigidTransform)
    assert [each.pose for each in assembly_of(text).joints] == [None, None]


def test_an_origin_that_is_malformed_leaves_its_link_without_a_place_and_so_is_a_joint_whose_child_is_no_link() -> None:
    text = robot(link("a"), link("b"), joint("a", "b", inside='<origin xyz="0 0"/>'))
    poses = [placed.pose for placed in assembly_of(text).links]
    assert isinstance(poses[0], RigidTransform)
    assert isinstance(poses[1], ValueTextError)
    (found,) = assembly_of(robot(link("a"), joint("a", "nobody"))).joints
    assert (found.child, found.pose) == ("nobody", None)


@pytest.mark.parametrize(
    ("kind", "inside", "axis"),
    [
        ("revolute", "", (1.0, 0.0, 0.0)),
        ("revolute", "<axis/>", (1.0, 0.0, 0.0)),
        ("revolute", '<axis xyz="0 0 -2"/>', (0.0, 0.0, -1.0)),
        ("prismatic", '<axis xyz="0 3 4"/>', (0.0, 0.6, 0.8)),
        ("fixed", '<axis xyz="0 0 1"/>', None),
        ("floating", '<axis xyz="0 0 1"/>', None),
        ("revolute", '<axis xyz="0 0 0"/>', None),
        ("revolute", '<axis xyz="0 1"/>', None),
        ("revolute", '<axis xyz="up"/>', None),
    ],
)
def test_a_joint_has_the_axis_that_it_says(kind: str, inside: str, axis: tuple[float, ...] | None) -> None:
    (found,) = assembly_of(robot(link("a"), link("b"), joint("a", "b", kind, inside))).joints
    assert found.axis == (pytest.approx(axis) if axis is not None else None)


def test_joints_without_ends_and_of_a_link_with_itself_are_told() -> None:
    text = robot(link("a"), '<joint name="j" type="fixed"><parent/></joint>', joint("a", "a"))
    document = opened(text)
    ((model, _),) = document.models
    problems = [defect.message for defect in model.unresolved_references(document.context)]  # type: ignore[attr-defined]
    assert problems == [
        "joint 'j' has no <parent link=...>",
        "joint 'j' has no <child link=...>",
        "joint 'a-a' connects 'a' with itself",
    ]


def test_fixed_joints_that_meet_again_or_lead_nowhere_lump_each_link_once() -> None:
    text = robot(
        *map(link, "abc"), *(joint(*ends, "fixed") for ends in (("a", "b"), ("a", "c"), ("b", "c"), ("c", "nobody")))
    )
    lumps = [[part.link.name for part in group.members] for group in opened(text).robot.lumps()]
    assert [sorted(parts) for parts in lumps] == [["a", "b", "c"]]


@pytest.mark.parametrize(
    ("parent", "mass", "codes"),
    [("a", "9000", ["SDI302"]), ("a", "heavy", []), ("a", "-1", []), ("nobody", "9000", [])],
)
def test_masses_are_compared_where_both_are_known(parent: str, mass: str, codes: list[str]) -> None:
    text = robot(link("a", SOUND.replace('"12"', f'"{mass}"')), link("b"), joint(parent, "b"))
    found = check(text.encode(), Options(select=("SDI302",)), filename="r.urdf")
    assert [finding.code for finding in found] == codes


def test_a_link_whose_numbers_are_none_carries_no_other() -> None:
    """A frame without mass is as good as what it is fixed to."""
    frame = '<inertial><mass value="0"/><inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/></inertial>'

    def codes(other: str) -> list[str]:
        text = robot(link("a", other), link("b", frame), joint("a", "b", "fixed"))
        return [finding.code for finding in check(text.encode(), filename="r.urdf") if finding.link == "r::b"]

    assert codes(SOUND) == []
    assert codes(SOUND.replace('"12"', '"heavy"')) != []


# Colours --------------------------------------------------------------------------------------------------------------

VISUAL_OF = '<visual><geometry><box size="1 1 1"/></geometry>{}</visual>'
NAMED = '<material name="red"><color rgba="1 0 0 1"/></material><material name="red"><color rgba="0 1 0 1"/></material>'


@pytest.mark.parametrize(
    ("material", "colour"),
    [
        ("", None),
        ('<material name="red"/>', (1.0, 0.0, 0.0, 1.0)),
        ('<material name="blue"/>', None),
        ('<material name="red"><color rgba="0 0 1 0.5"/></material>', (0.0, 0.0, 1.0, 0.5)),
        ('<material><color rgba="0 0 1"/></material>', None),
        ('<material><color rgba="0 0 2 1"/></material>', None),
        ('<material><color rgba="blue"/></material>', None),
        ("<material><color/></material>", None),
        ('<material><texture filename="a.png"/></material>', None),
    ],
)
def test_a_visual_has_the_colour_of_its_material_or_of_the_robot_s(material, colour):
    text = robot(NAMED, '<material name="none"/>', link("a", VISUAL_OF.format(material)))
    (body,) = opened(text).links()
    (solid,) = body.solids(VISUAL)
    assert solid.colour == colour


# Numbers --------------------------------------------------------------------------------------------------------------


def test_a_root_that_is_no_robot_is_told_and_line_breaks_in_an_origin_are_noted() -> None:
    with pytest.raises(TextError, match="there is no <robot> root element"):
        Robot(Document(b"<model/>", "r.urdf"))
    text = robot(link("a", '<collision><origin xyz="0&#10;0 0"/><geometry><box size="1 2 3"/></geometry></collision>'))
    notes = [note for each in fill(text.encode(), Options(missing=True)).links for note in each.notes]
    assert any("xyz of <origin>" in note for note in notes)


def test_comments_that_are_meant_may_give_numbers_once_and_others_are_passed_over() -> None:
    said = "<!-- sdfinertia: density=1 --><!-- sdfinertia: density=2 -->"
    text = robot(link("a", f'<collision>{said}<geometry><box size="1 2 3"/></geometry></collision>'))
    (error,) = fill(text.encode(), Options(missing=True)).errors
    assert "the density is given twice" in str(error)
    said = "<!-- from the CAD --><!-- sdfinertia: density=2 -->"
    text = robot(link("a", f'<collision>{said}<geometry><box size="1 2 3"/></geometry></collision>'))
    (result,) = fill(text.encode(), Options(missing=True)).links
    assert result.inertia.mass == 12.0
    (body,) = opened(robot(link("a", f"<!-- sdfinertia: auto voxel_size=0.25 -->{SOUND}"))).links()
    assert body.request.parameters.voxel_size == 0.25
