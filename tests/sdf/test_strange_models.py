"""Models and worlds that readers take anyhow: joints, frames and includes that lead nowhere, numbers that are none."""

from math import inf, pi

import pytest
from builders.documents import SOUND, collision, model

from sdfinertia.documents import OpenDocument, open_document
from sdfinertia.documents.filling import fill
from sdfinertia.documents.showing import lumped_links
from sdfinertia.errors import FrameError, InertiaError, SdfInertiaError, ValueTextError
from sdfinertia.inertia import InertiaTensor, SpatialInertia
from sdfinertia.inertia.rigid_transform import RigidTransform
from sdfinertia.options import Options
from sdfinertia.robot.robot import Assembly

BODY = SOUND + collision()


def sdf(*inside: str, version: str = "1.11") -> bytes:
    return f"<sdf version='{version}'>{''.join(inside)}</sdf>".encode()


def link(name: str, *inside: str) -> str:
    return f"<link name='{name}'>{''.join(inside)}</link>"


def opened(data: bytes) -> OpenDocument:
    return open_document(data, Options(), filename="m.sdf")


def assembly_of(data: bytes) -> Assembly:
    document = opened(data)
    (assembly,) = document.robot.assemblies(document.context)
    assert isinstance(assembly, Assembly)
    # Joints are told of once the links are.
    return assembly._replace(links=list(assembly.links), joints=list(assembly.joints))


# Joints ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("version", "kind", "axis", "expected"),
    [
        ("1.11", "revolute", "", None),
        ("1.11", "revolute", "<axis/>", (0.0, 0.0, 1.0)),
        ("1.11", "revolute", "<axis><xyz>0 3 4</xyz></axis>", (0.0, 0.6, 0.8)),
        # The child is turned by a quarter about x.
        ("1.11", "revolute", "<axis><xyz expressed_in='__model__'>0 0 2</xyz></axis>", (0.0, 1.0, 0.0)),
        ("1.11", "revolute", "<axis><xyz expressed_in='nobody'>0 0 2</xyz></axis>", None),
        ("1.11", "revolute", "<axis><xyz>0 0 0</xyz></axis>", None),
        ("1.11", "revolute", "<axis><xyz>up</xyz></axis>", None),
        ("1.11", "fixed", "<axis><xyz>0 0 1</xyz></axis>", None),
        ("1.11", "ball", "<axis><xyz>0 0 1</xyz></axis>", None),
        # Before 1.7 it was said so.
        ("1.6", "revolute", "<axis><xyz>0 0 1</xyz></axis>", (0.0, 0.0, 1.0)),
        (
            "1.6",
            "revolute",
            "<axis><xyz>0 0 1</xyz><use_parent_model_frame>1</use_parent_model_frame></axis>",
            (0.0, 1.0, 0.0),
        ),
        (
            "1.6",
            "revolute",
            "<axis><xyz>0 0 1</xyz><use_parent_model_frame>0</use_parent_model_frame></axis>",
            (0.0, 0.0, 1.0),
        ),
    ],
)
def test_a_joint_has_the_axis_that_it_says(version, kind, axis, expected):
    joint = f"<joint name='j' type='{kind}'><parent>a</parent><child>b</child>{axis}</joint>"
    turned = link("b", f"<pose>1 2 3 {pi / 2} 0 0</pose>")
    (found,) = assembly_of(sdf(model(link("a"), turned, joint), version=version)).joints
    assert found.axis == (pytest.approx(expected, abs=1e-15) if expected is not None else None)


def test_a_frame_that_is_attached_to_a_joint_without_child_leads_nowhere() -> None:
    joint = "<joint name='j' type='revolute'><parent>a</parent></joint>"
    data = sdf(model(link("a"), joint, link("b", "<pose relative_to='j'>0 0 0 0 0 0</pose>")))
    poses = {placed.link.name: placed.pose for placed in assembly_of(data).links}
    assert isinstance(poses["a"], RigidTransform)
    assert isinstance(poses["b"], SdfInertiaError)
    assert "a joint without <child> has no frame" in str(poses["b"])


# Frames ---------------------------------------------------------------------------------------------------------------


def test_an_include_that_does_not_say_whether_it_is_merged_or_of_what_is_told() -> None:
    include = "<include merge='maybe'><uri>model://x</uri></include>"
    data = sdf(model(include, link("l", "<pose relative_to='of_x'>0 0 0 0 0 0</pose>")))
    (placed,) = assembly_of(data).links
    assert isinstance(placed.pose, SdfInertiaError)
    assert "merge" in str(placed.pose)
    data = sdf(model(link("l"), "<include><name>x</name></include>"))
    document = opened(data)
    (assembly,) = document.robot.assemblies(document.context)
    list(assembly.links)
    assert any("an <include> has no <uri>" in str(error) for _, error in assembly.broken)


def test_a_frame_that_hangs_on_what_is_not_found_is_no_mistake_of_the_frame() -> None:
    frame = "<frame name='f' attached_to='{}'/>"
    include = "<include><name>x</name><uri>model://gone</uri></include>"
    lost, unknown = (sdf(model(link("l"), include, frame.format(name))) for name in ("nobody", "x::l"))
    document_lost, document_unknown = opened(lost), opened(unknown)
    for document, count in ((document_lost, 1), (document_unknown, 0)):
        ((found, _),) = document.models
        assert len(list(found.unresolved_frames(document.context))) == count  # type: ignore[attr-defined]


# Worlds ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("second", "kind"),
    [
        ("<pose>0 0 1 0 0 0</pose>", RigidTransform),
        ("<pose>0 0</pose>", ValueTextError),
        ("<pose relative_to='f'>0 0 1 0 0 0</pose>", FrameError),
    ],
)
def test_a_second_model_of_a_name_stands_where_it_says_by_itself(second: str, kind: type) -> None:
    world = "<world name='w'><frame name='f'/>" + model(link("l")) + model(second, link("l")) + "</world>"
    first, other = (placed.pose for placed in assembly_of(sdf(world)).links)
    assert isinstance(first, RigidTransform)
    assert isinstance(other, kind)
    assert kind is not FrameError or "another model of the world has its name" in str(other)


def test_a_joint_of_a_second_model_of_a_name_has_no_place_where_the_model_has_none() -> None:
    joint = "<joint name='j' type='revolute'><parent>a</parent><child>b</child></joint>"
    twice = model(link("a"), link("b"), joint) + model("<pose>0 0</pose>", link("a"), link("b"), joint)
    found = assembly_of(sdf(f"<world name='w'>{twice}</world>")).joints
    assert [each.pose is None for each in found] == [False, True]


@pytest.mark.parametrize(
    ("profiles", "expected"),
    [
        ("<physics default='maybe'><max_step_size>0.5</max_step_size></physics>", 0.5),
        (
            "<physics default='maybe'><max_step_size>0.5</max_step_size></physics>"
            "<physics default='true'><max_step_size>0.25</max_step_size></physics>",
            0.25,
        ),
        ("<physics><max_step_size>long</max_step_size></physics>", None),
        ("<physics><max_step_size>-1</max_step_size></physics>", None),
        ("", None),
    ],
)
def test_the_step_of_a_world_is_that_of_the_profile_that_holds_at_first(profiles: str, expected: float | None) -> None:
    (body,) = opened(sdf(f"<world name='w'>{profiles}{model(link('l'))}</world>")).links()
    assert body.model.simulation_step(body, 0.0) == (expected or 0.0)


# Numbers --------------------------------------------------------------------------------------------------------------


def test_each_link_of_sdf_is_a_body_of_its_own_whatever_fixes_it() -> None:
    joint = "<joint name='j' type='fixed'><parent>a</parent><child>b</child></joint>"
    document = opened(sdf(model(link("a", BODY), link("b"), joint)))
    found = lumped_links(document)
    assert [(body.name, body.inertia.mass if body.inertia else None) for body in found] == [
        ("m::a", 12.0),
        ("m::b", None),
    ]
    document.options = Options(link=("m::a",))
    assert [body.name for body in lumped_links(document)] == ["m::a"]


@pytest.mark.parametrize("number", ["2.5", "0", "-3"])
def test_a_number_of_hulls_that_is_none_is_refused(number: str) -> None:
    settings = f"<convex_decomposition><max_convex_hulls>{number}</max_convex_hulls></convex_decomposition>"
    mesh = f"<geometry><mesh optimization='convex_decomposition'><uri>a.obj</uri>{settings}</mesh></geometry>"
    data = sdf(model(link("l", "<inertial auto='true'/>", f"<collision name='c'>{mesh}</collision>")))
    (error,) = fill(data).errors
    assert "<max_convex_hulls> must be a whole number above zero" in str(error)


def test_a_parameter_without_text_is_not_given() -> None:
    said = "<auto_inertia_params><sdfinertia:method/><sdfinertia:voxel_size>0.5</sdfinertia:voxel_size>"
    data = sdf(model(link("l", f"<inertial auto='true'>{said}</auto_inertia_params></inertial>", collision())))
    (body,) = opened(data).links()
    parameters = body.request.parameters
    assert (parameters.method, parameters.voxel_size) == (None, 0.5)


@pytest.mark.parametrize("written_as", ["SDF", "URDF"])
@pytest.mark.parametrize(
    "tensor", [InertiaTensor(0.0, 0.0, 0.0), InertiaTensor(1.0, 1.0, 9.0), InertiaTensor(inf, inf, inf)]
)
def test_what_no_body_can_have_is_not_written_in_place_of_a_body(written_as: str, tensor: InertiaTensor) -> None:
    if written_as == "SDF":
        data = sdf(model(link("l", BODY)))
    else:
        entries = '<inertia ixx="13" ixy="0" ixz="0" iyy="10" iyz="0" izz="5"/>'
        data = (
            f'<robot name="m"><link name="l"><inertial><mass value="12"/>{entries}</inertial></link></robot>'.encode()
        )
    (body,) = opened(data).links()
    with pytest.raises(InertiaError, match="scaled and written with 9 digits, its tensor is physically impossible"):
        body.scale_edits(SpatialInertia(2.0, (0.0, 0.0, 0.0), tensor), None, digits=9)
