"""Nothing that is written makes a robot worse: what is judged, what is left, and what a group of fixed links weighs."""

from __future__ import annotations

import pytest

import sdfinertia
from sdfinertia import Options
from sdfinertia.documents import open_document
from sdfinertia.documents.repairing import repair
from sdfinertia.documents.scene import scenes_of
from sdfinertia.inertia import InertiaTensor, SpatialInertia
from sdfinertia.inertia.rigid_transform import IDENTITY
from sdfinertia.links.groups import group_of, harm_of, worse
from sdfinertia.report.scene_data import totals_of
from sdfinertia.robot import Axis

BOX = '<collision><geometry><box size="1 1 1"/></geometry></collision>'
TEN = '<inertial><mass value="10"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
FIXED = '<joint name="j" type="fixed"><parent link="{}"/><child link="{}"/><origin xyz="0 0 1"/></joint>'
BAR = SpatialInertia(1.0, (0.0, 0.0, 0.5), InertiaTensor(1.0, 1.0, 0.1))
HINGE = Axis("hinge", (0.0, 0.0, 0.0), (1.0, 0.0, 0.0))


def robot(*parts: str) -> bytes:
    return f'<robot name="r">{"".join(parts)}</robot>'.encode()


def link(name: str, inside: str = "") -> str:
    return f'<link name="{name}">{inside}</link>'


def moved(body: SpatialInertia, z: float) -> SpatialInertia:
    return SpatialInertia(body.mass, (0.0, 0.0, z), body.I_BBcm_B)


# What is judged -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        (moved(BAR, 0.4), BAR, ""),
        (BAR, moved(BAR, 0.3), "its centre of mass would be 200 mm off"),
        (
            BAR,
            SpatialInertia(1.0, (0.0, 0.0, 0.5), InertiaTensor(1.0, 2.0, 1.5)),
            "a principal moment would be",
        ),
        (BAR, SpatialInertia(9.0, (0.0, 0.0, 0.5), InertiaTensor(9.0, 9.0, 0.9)), ""),
        (SpatialInertia(1.0, (0.0, 0.0, 0.5), InertiaTensor(1.0, 1.0, -0.1)), BAR, ""),
        (None, BAR, ""),
    ],
    ids=["nearer", "the centre", "a moment", "the same at another mass", "impossible before", "nothing before"],
)
def test_a_body_that_comes_further_from_its_geometry_is_harm(before, after, words):
    found = worse(before, after, BAR, None, "its geometry")
    assert found.startswith(words)
    assert bool(found) == bool(words)


def test_a_tensor_is_judged_about_the_joint_and_its_axis() -> None:
    before = SpatialInertia(1.0, (0.0, 0.0, 0.0), InertiaTensor(1.25, 1.25, 0.1))
    after = SpatialInertia(1.0, (0.0, 0.0, 0.0), InertiaTensor(1.0, 1.0, 0.1))
    assert worse(before, after, BAR, HINGE, "it") != ""
    assert worse(before, BAR, BAR, HINGE, "it") == ""
    flat = SpatialInertia(1.0, (0.0, 0.0, 0.0), InertiaTensor(1.0, 2.0, 3.0))
    turned = SpatialInertia(1.0, (0.0, 0.0, 0.0), InertiaTensor(3.0, 2.0, 1.0))
    assert "its moment about joint hinge would be 2.99 × off" in worse(flat, turned, flat, HINGE, "it")


# What is left ---------------------------------------------------------------------------------------------------------


def test_a_link_without_shapes_is_judged_with_what_is_drawn_of_those_fixed_to_it() -> None:
    text = robot(link("a", TEN), link("b", TEN + BOX), FIXED.format("a", "b"))
    document = open_document(text, Options(), filename="r.urdf")
    first, _ = map(document.study, document.links())
    tensor = InertiaTensor(1.0, 1.0, 1.0)
    assert harm_of(first, SpatialInertia(10.0, (0.0, 0.0, 0.01), tensor)) == ""
    found = harm_of(first, SpatialInertia(10.0, (0.0, 0.0, -1.0), tensor))
    assert found.startswith("with the links fixed to it, its centre of mass would be 500 mm off what is drawn")


SLAB = '<collision><origin xyz="0 0 0.5"/><geometry><box size="0.1 0.1 1"/></geometry></collision>'
VISUAL = SLAB.replace("collision", "visual")
# A marker at the joint, where the visual is the part.
MARKER = '<collision><geometry><box size="0.02 0.02 0.02"/></geometry></collision>'


def test_a_repair_by_geometry_leaves_a_stand_in() -> None:
    numbers = '<origin xyz="0 0 0.5"/><mass value="1"/>'
    numbers += '<inertia ixx="0.08" ixy="0" ixz="0" iyy="0.08" iyz="0" izz="0.2"/>'
    text = robot(link("l", f"<inertial>{numbers}</inertial>{VISUAL}{MARKER}"))
    (found,) = repair(text, Options(select=("SDI103",)), by="geometry", filename="r.urdf").links
    assert found.text is None
    assert "not repaired: computed from its geometry, its centre of mass would be 500 mm off" in found.notes[0]


@pytest.mark.parametrize(
    ("radius", "words"), [("0.001", "its visuals are a marker"), ("0.22", "")], ids=["a dot", "the part"]
)
def test_a_repair_by_geometry_leaves_a_frame_with_a_body_to_keep_away_from(radius: str, words: str) -> None:
    sphere = '<geometry><sphere radius="{}"/></geometry>'
    drawn = f"<visual>{sphere.format(radius)}</visual><collision>{sphere.format(0.22)}</collision>"
    numbers = '<mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="3"/>'
    text = robot(link("l", f"<inertial>{numbers}</inertial>{drawn}"))
    (found,) = repair(text, Options(select=("SDI103",)), by="geometry", filename="r.urdf").links
    assert (found.text is None) == bool(words)
    assert words in " ".join(found.notes)


@pytest.mark.parametrize(
    ("collision", "warnings"),
    [(MARKER, ["collisions of 0.02 × 0.02 × 0.02 m stand in for visuals of 0.1 × 0.1 × 1 m"]), (SLAB, [])],
    ids=["a marker", "the part"],
)
def test_fill_all_warns_where_collisions_stand_in_for_visuals(collision: str, warnings: list[str]) -> None:
    (filled,) = sdfinertia.fill(robot(link("l", TEN + VISUAL + collision)), Options(all=True), filename="r.urdf").links
    assert [each.message.partition(":")[0] for each in filled.warnings] == warnings


# What a group weighs --------------------------------------------------------------------------------------------------


def test_a_link_without_an_inertial_adds_nothing_to_its_group() -> None:
    text = robot(link("a", BOX), link("b", TEN), FIXED.format("a", "b"))
    (body,) = sdfinertia.show(text, lumped=True, filename="r.urdf")
    assert (body.name, body.inertia.mass, body.inertia.p_BoBcm_B) == ("r::a + b", 10.0, (0.0, 0.0, 1.0))
    document = open_document(text, Options(), filename="r.urdf")
    (scene,) = scenes_of(document, with_computed=True)
    assert totals_of(scene) == [{"name": "r", "mass": 10.0, "com": [0.0, 0.0, 1.0]}]


@pytest.mark.parametrize(
    ("parts", "filled", "note"),
    [
        ((link("a", BOX), link("b", TEN), FIXED.format("a", "b")), [], "1 link fixed to others that have the mass"),
        ((link("a", TEN), link("b", BOX), FIXED.format("a", "b")), [], "1 link fixed to others that have the mass"),
        ((link("a", BOX), link("b", BOX), FIXED.format("a", "b")), ["r::a", "r::b"], ""),
        ((link("a", BOX), link("tool"), link("camera")), ["r::a"], "2 frames without collisions"),
        (
            (link("a", BOX), link("b", BOX.replace("1 1 1", ".001 .001 .001")), FIXED.format("a", "b")),
            ["r::a"],
            "1 fixed marker smaller than 5 mm",
        ),
        ((link("a", BOX.replace("1 1 1", ".001 .001 .001")),), ["r::a"], ""),
    ],
    ids=["below a mass", "on a mass", "without any", "frames", "a marker", "a small part"],
)
def test_missing_fills_what_check_finds_missing_and_counts_the_rest(parts, filled, note):
    text = robot(*parts)
    found = sdfinertia.check(text, Options(select=("SDI104",)), filename="r.urdf")
    result = sdfinertia.fill(text, Options(missing=True), filename="r.urdf")
    assert [each.link for each in found] == [each.name for each in result.links] == filled
    assert list(result.notes) == ([f"left without <inertial>: {note}"] if note else [])


SDF_JOINTS = (
    "<joint name='weld' type='fixed'><parent>a</parent><child>b</child></joint>"
    "<joint name='hinge' type='revolute'><parent>base</parent><child>a</child><axis><xyz>0 1 0</xyz></axis></joint>"
)


def test_a_group_of_sdf_has_its_links_at_their_places_and_the_axis_that_moves_it() -> None:
    links = "<link name='base'/><link name='a'><pose>0 0 1 0 0 0</pose></link>"
    links += "<link name='b'><pose>0 0 3 0 0 0</pose></link>"
    text = f"<sdf version='1.9'><model name='m'>{links}{SDF_JOINTS}</model></sdf>"
    document = open_document(text.encode(), Options(), filename="m.sdf")
    base, _, b = document.links()
    group = group_of(document.study(b)).seen_from(document.study(b))
    assert [(study.link.name, X_LG.translation) for study, X_LG in group.members] == [
        ("b", (0.0, 0.0, 0.0)),
        ("a", (0.0, 0.0, -2.0)),
    ]
    assert group.axis == Axis("hinge", (0.0, 0.0, -2.0), (0.0, 1.0, 0.0))
    assert [(study.link.name, X_LG) for study, X_LG in group_of(document.study(base)).members] == [("base", IDENTITY)]


@pytest.mark.parametrize(
    ("kind", "axis"), [("revolute", Axis("h", (0.0, 0.0, -1.0), (0.0, 0.0, 1.0))), ("prismatic", None)]
)
def test_a_group_of_urdf_has_the_axis_of_the_joint_that_turns_its_first_link(kind: str, axis: Axis | None) -> None:
    joint = f'<joint name="h" type="{kind}"><parent link="base"/><child link="a"/><axis xyz="0 0 2"/></joint>'
    text = robot(link("base"), link("a"), link("b"), FIXED.format("a", "b"), joint)
    document = open_document(text, Options(), filename="r.urdf")
    *_, b = document.links()
    group = group_of(document.study(b)).seen_from(document.study(b))
    assert [study.link.name for study, _ in group.members] == ["b", "a"]
    assert group.axis == axis
