from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders.documents import BOX, collision, link

from sdfinertia.documents.checking import check
from sdfinertia.documents.filling import FillResult, fill
from sdfinertia.options import Options

if TYPE_CHECKING:
    from sdfinertia.rules.rule import Finding

SOUND = "<inertial><mass>12</mass><inertia><ixx>13</ixx><iyy>10</iyy><izz>5</izz></inertia></inertial>"


def sdf(inside: str, version: str = "1.12") -> bytes:
    return f"<sdf version='{version}'>\n<model name='m'>\n{inside}\n</model>\n</sdf>\n".encode()


def found(content: bytes, *select: str) -> list[Finding]:
    return check(content, Options(select=select), filename="/nowhere/m.sdf")


def filled(content: bytes, **options: object) -> FillResult:
    return fill(content, Options(**options), filename="/nowhere/m.sdf")  # type: ignore[arg-type]


MISPLACED = [
    ("m.sdf", b"<sdf version='1.9'><model name='m'><include><uri>u</uri><mass>1</mass></include></model></sdf>"),
    ("m.sdf", b"<sdf version='1.9'><world name='w'><model name='m'><inertial/><link name='l'/></model></world></sdf>"),
    ("m.urdf", b"<robot name='r'><link name='l'><mass value='1'/></link></robot>"),
    ("m.urdf", b"<robot name='r'><link name='l'/><inertial/></robot>"),
    ("m.urdf", b"<robot name='r'><link name='l'><visual><inertia ixx='1'/></visual></link></robot>"),
]


@pytest.mark.parametrize(("name", "content"), MISPLACED)
def test_what_belongs_in_an_inertial_is_found_elsewhere(name: str, content: bytes) -> None:
    [finding] = check(content, Options(select=("SDI108",)), filename=name)
    assert finding.remedy.startswith("write it in")


def test_a_product_with_its_axes_exchanged_is_found_where_it_contradicts() -> None:
    tensor = "ixx='1' iyy='1' izz='1' ixy='0.1' ixz='0' iyz='0'"
    for more, count in (("iyx='0.1'", 0), ("iyx='-0.1'", 1)):
        block = f"<inertial><mass value='9'/><inertia {tensor} {more}/></inertial>"
        urdf = f"<robot name='r'><link name='l'>{block}</link></robot>".encode()
        assert len(check(urdf, Options(select=("SDI108",)), filename="m.urdf")) == count


# Elements -------------------------------------------------------------------------------------------------------------

UNKNOWN = {
    "a collision misspelt": (SOUND + "<colision name='c'/>", "<colision> in <link>", "did you mean <collision>?"),
    "a density misspelt": (
        SOUND + f"<collision name='c'><densty>5</densty>{BOX}</collision>",
        "<densty> in <collision>",
        "did you mean <density>?",
    ),
    "a density in a link": (SOUND + "<density>500</density>", "<density> in <link>", "remove it"),
    "a mass misspelt": (SOUND.replace("mass>", "Mass>"), "<Mass> in <inertial>", "did you mean <mass>?"),
    "a tensor misspelt": (
        SOUND.replace("inertia>", "intertia>"),
        "<intertia> in <inertial>",
        "did you mean <inertia>?",
    ),
    "a block misspelt": (collision() + "<inertal auto='true'/>", "<inertal> in <link>", "did you mean <inertial>?"),
    "a shape": (
        SOUND + "<collision name='c'><geometry><torus/></geometry></collision>",
        "<torus> in <geometry>",
        "remove it",
    ),
    "a shape of a visual": (
        SOUND + "<visual name='v'><geometry><boxx/></geometry></visual>",
        "<boxx> in <geometry>",
        "did you mean <box>?",
    ),
}


@pytest.mark.parametrize(("inside", "what", "remedy"), UNKNOWN.values(), ids=UNKNOWN.keys())
def test_an_element_that_sdformat_does_not_have_is_told_with_what_it_may_mean(inside, what, remedy):
    [finding] = found(sdf(link(inside)), "SDI108")
    assert finding.message == f"SDFormat has no {what}"
    assert remedy in finding.remedy
    assert finding.link == "m::l"


VERSIONS = [
    ("capsule", "geometry", "1.7", "1.8"),
    ("ellipsoid", "geometry", "1.7", "1.8"),
    ("cone", "geometry", "1.10", "1.11"),
    ("polyline", "geometry", "1.4", "1.5"),
    ("empty", "geometry", "1.2", "1.3"),
    ("density", "collision", "1.10", "1.11"),
    ("auto_inertia_params", "collision", "1.10", "1.11"),
    ("density", "inertial", "1.10", "1.11"),
    ("auto_inertia_params", "inertial", "1.10", "1.11"),
    ("fluid_added_mass", "inertial", "1.9", "1.10"),
    ("enable_wind", "link", "1.5", "1.6"),
    ("light", "link", "1.5", "1.6"),
    ("particle_emitter", "link", "1.5", "1.6"),
    ("battery", "link", "1.4", "1.5"),
    ("audio_sink", "link", "1.3", "1.4"),
    ("must_be_base_link", "link", "1.3", "1.4"),
]
PLACES = {
    "link": "{}",
    "inertial": "<inertial>{}</inertial>",
    "collision": "<collision name='c'>{}</collision>",
    "geometry": "<visual name='v'><geometry>{}</geometry></visual>",
}


@pytest.mark.parametrize(("name", "parent", "before", "since"), VERSIONS)
def test_an_element_of_a_later_version_is_told_with_the_version_that_has_it(name, parent, before, since):
    inside = link(PLACES[parent].format(f"<{name}/>"))
    [finding] = found(sdf(inside, before), "SDI108")
    assert finding.message == f"SDFormat {before} has no <{name}> in <{parent}>: it came with {since}"
    assert since in finding.remedy
    for version in (since, "1.12"):
        assert found(sdf(inside, version), "SDI108") == []


KNOWN = {
    "all that there is": SOUND
    + "<pose/><gravity/><kinematic/><self_collide/><velocity_decay/><sensor/><projector/><audio_source/><battery/>"
    + f"<collision name='c'><pose/>{BOX}<surface/><max_contacts/><laser_retro/><density/></collision>",
    "namespaces": SOUND + f"<drake:x/><collision name='c'><gz:y/>{BOX}</collision>",
    "namespaces in a block": SOUND.replace("<mass>", "<gz:mass/><mass>"),
    "plugins": SOUND + "<plugin name='p'><colision/></plugin>",
    "deeper elements, which others have": SOUND + "<sensor name='s'><anything/></sensor>",
    "in a visual": SOUND + "<visual name='v'><anything/></visual>",
    "in a comment": SOUND + "<!-- <colision/> -->",
}


@pytest.mark.parametrize("inside", KNOWN.values(), ids=KNOWN.keys())
def test_what_sdformat_has_and_what_is_for_others_is_left_alone(inside: str) -> None:
    assert found(sdf(link(inside)), "SDI108") == []


def test_a_finding_points_at_the_element() -> None:
    [finding] = found(sdf(f"<link name='l'>\n{SOUND}\n  <colision/></link>"), "SDI108")
    assert finding.location[1:] == (5, 3)


@pytest.mark.parametrize(("wrong", "right"), [("iyx", "ixy"), ("izx", "ixz"), ("izy", "iyz"), ("Ixx", "ixx")])
def test_fill_tells_an_unknown_moment_in_a_block_that_it_fills_as_check_does(wrong: str, right: str) -> None:
    inside = f"<inertial auto='true'><inertia><{wrong}>0</{wrong}></inertia></inertial>{collision()}"
    sentence = f"unknown <{wrong}> in its <inertia>; did you mean <{right}>?"
    result = filled(sdf(link(inside)))
    assert result.changed
    assert sentence in result.links[0].notes
    [finding] = found(result.content, "SDI106")
    assert f"{finding.message}; {finding.remedy}" == sentence


# References -----------------------------------------------------------------------------------------------------------

A, B = link(SOUND, name="a"), link(SOUND, name="b")


def joint(parent: str, child: str, more: str = "") -> str:
    return f"<joint name='j' type='fixed'>{more}<parent>{parent}</parent><child>{child}</child></joint>"


LOST = {
    "a parent": (A + joint("front", "a"), "<parent> of joint 'j' does not exist: there is no frame 'front'"),
    "a child": (A + joint("a", "front"), "<child> of joint 'j' does not exist: there is no frame 'front'"),
    "a parent in a nested model": (A + joint("n::a", "a"), "<parent> of joint 'j' does not exist"),
    "a link relative to itself": (link("<pose relative_to='l'/>"), "the pose of link 'l' is relative to itself"),
    "a joint relative to itself": (
        A + B + joint("a", "b", "<pose relative_to='j'/>"),
        "the pose of joint 'j' is relative to itself",
    ),
    "a joint that is its own child": (A + joint("a", "j"), "joint 'j' names itself as its <child>"),
    "a link relative to nothing": (
        link("<pose relative_to='front'/>"),
        "relative_to of link 'l' does not exist: there is no frame 'front'",
    ),
}


@pytest.mark.parametrize(("inside", "message"), LOST.values(), ids=LOST.keys())
def test_a_name_that_stands_for_nothing_is_told(inside: str, message: str) -> None:
    [finding] = found(sdf(inside), "SDI109")
    assert finding.message.startswith(message)


NAMED = {
    "links": A + B + joint("a", "b"),
    "the world": A + joint("world", "a"),
    "the model's frame": A + joint("__model__", "a"),
    "a frame": A + B + "<frame name='f' attached_to='a'/>" + joint("f", "b"),
    "a link of a nested model": A + f"<model name='n'>{B}</model>" + joint("a", "n::b"),
    "a model that is not there to be looked at": A + "<include><uri>model://x</uri></include>" + joint("a", "x::b"),
    "a name with blanks round it": A + B + joint(" a ", "\nb "),
    "poses relative to others": A
    + link("<pose relative_to='a'/>", name="b")
    + link("<pose relative_to='__model__'/>", name="c"),
    "a link of an older world": A.replace("'a'", "'x::a'") + B + joint("x::a", "b"),
    "a joint in a plugin": f"<plugin name='p' filename='q'>{joint('x', 'y')}</plugin>",
}


@pytest.mark.parametrize("inside", NAMED.values(), ids=NAMED.keys())
def test_a_name_that_stands_for_something_or_may_is_left_alone(inside: str) -> None:
    assert found(sdf(inside), "SDI109") == []


def test_a_frame_of_a_pose_before_1_7_has_another_attribute() -> None:
    assert found(sdf(link("<pose frame='l'/>"), "1.6"), "SDI109") != []
    assert found(sdf(link("<pose frame='gone'/>"), "1.7"), "SDI109") == []


@pytest.mark.parametrize(
    ("frames", "number"),
    [
        (
            "<frame name='n::__model__' attached_to='n::k'/>"
            "<link name='n::k'><pose relative_to='n::__model__'/></link>",
            0,
        ),
        ("<frame name='n::o::__model__' attached_to='l'/><frame name='f' attached_to='n::o::__model__'/>", 0),
        ("<frame name='n::__model__' attached_to='lost'/>", 1),
        ("<frame name='f' attached_to='n::__model__'/>", 1),
    ],
)
def test_flattened_names_of_model_frames_lead_nowhere_only_if_they_do(frames: str, number: int) -> None:
    # The pose of `n::__model__` is relative to `n::k` by default, so it is given here relative to the model.
    frames = frames.replace("attached_to='n::k'/>", "attached_to='n::k'><pose relative_to='__model__'/></frame>")
    assert len(found(sdf(link(SOUND) + frames, "1.7"), "SDI106")) == number
