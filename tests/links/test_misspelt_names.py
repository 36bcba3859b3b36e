"""A misspelt name that would shape the numbers of a link stops it where it is computed, in every format."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders.documents import BOX, collision, link

from sdfinertia.documents.checking import check
from sdfinertia.documents.filling import FillResult, fill
from sdfinertia.options import Options

if TYPE_CHECKING:
    from pathlib import Path

AUTO = "<inertial auto='true'/>"
MESH = "<collision name='c'><geometry><mesh><uri>a.stl</uri>{}</mesh></geometry></collision>"


def sdf(inside: str) -> bytes:
    return f"<sdf version='1.11'><model name='m'>{link(inside)}</model></sdf>".encode()


def urdf(inside: str) -> bytes:
    return f"<robot name='r'><link name='l'>{inside}</link></robot>".encode()


def mjcf(inside: str) -> bytes:
    return f"<mujoco><worldbody><body name='b'>{inside}</body></worldbody></mujoco>".encode()


def filled(text: bytes, **options: bool) -> FillResult:
    return fill(text, Options(**options), filename="/nowhere/m.any")  # type: ignore[arg-type]


ASKED = "<!-- sdfinertia: auto -->"
SPHERE = "<geometry><sphere radius='1'/></geometry>"
MISSPELT = {
    "density of a link": (sdf(f"<inertial auto='true'><desnity>320</desnity></inertial>{collision()}"), "<density>"),
    "density of a collision": (sdf(f"{AUTO}<collision name='c'><densty>5</densty>{BOX}</collision>"), "<density>"),
    "mass": (sdf(f"<inertial auto='true'><Mass>3</Mass></inertial>{collision()}"), "<mass>"),
    "mass with two letters exchanged": (sdf(f"<inertial auto='1'><msas>3</msas></inertial>{collision()}"), "<mass>"),
    "pose": (sdf(f"{AUTO}<collision name='c'><psoe>1 0 0 0 0 0</psoe>{BOX}</collision>"), "<pose>"),
    "pose of a link": (sdf(f"<poes>1 0 0 0 0 0</poes>{AUTO}{collision()}"), "<pose>"),
    "parameters": (
        sdf(f"<inertial auto='1'><auto_inertia_parms/></inertial>{collision()}"),
        "<auto_inertia_params>",
    ),
    "size": (sdf(AUTO + collision().replace("size>", "siez>")), "<size>"),
    "size beside another": (sdf(AUTO + collision().replace("<size>", "<sizes>1 1 1</sizes><size>")), "<size>"),
    "radius": (
        sdf(f"{AUTO}<collision name='c'><geometry><sphere><raduis>1</raduis></sphere></geometry></collision>"),
        "<radius>",
    ),
    "scale of a mesh": (sdf(AUTO + MESH.format("<sclae>.001 .001 .001</sclae>")), "<scale>"),
    "submesh": (sdf(AUTO + MESH.format("<submehs><name>a</name></submehs>")), "<submesh>"),
    "a collision beside another": (sdf(f"{AUTO}{collision()}<colision name='d'>{BOX}</colision>"), "<collision>"),
    "URDF origin": (urdf(f"{ASKED}<collision><orgin xyz='1 0 0'/>{SPHERE}</collision>"), "<origin>"),
    "URDF xyz": (urdf(f"{ASKED}<collision><origin xzy='1 0 0'/>{SPHERE}</collision>"), "xyz"),
    "URDF rpy of a form with more": (
        urdf(f"{ASKED}<collision name='c'><origin xyz='1 0 0' ryp='1 0 0'/>{SPHERE}<contact/></collision>"),
        "rpy",
    ),
    "URDF scale": (
        urdf(f"{ASKED}<collision><geometry><mesh filename='a.stl' sclae='1 1 1'/></geometry></collision>"),
        "scale",
    ),
    "URDF radius": (urdf(f"{ASKED}<collision>{SPHERE.replace('radius', 'raduis')}</collision>"), "radius"),
    "URDF mass": (urdf(f"{ASKED}<inertial><maas value='2'/></inertial><collision>{SPHERE}</collision>"), "<mass>"),
    "MJCF density": (mjcf(f"{ASKED}<geom size='1' desnity='320'/>"), "density"),
    "MJCF mass": (mjcf(f"{ASKED}<geom size='1' mas='3'/>"), "mass"),
    "MJCF pos": (mjcf(f"{ASKED}<geom size='1' psos='3 0 0'/>"), "pos"),
    "MJCF geom": (mjcf(f"{ASKED}<geom size='1'/><goem size='2'/>"), "<geom>"),
}


@pytest.mark.parametrize(("text", "meant"), MISSPELT.values(), ids=MISSPELT.keys())
def test_a_misspelt_name_is_an_error_of_the_link_that_is_computed(text: bytes, meant: str) -> None:
    result = filled(text)
    assert not result.changed
    [error] = result.errors
    assert error.remedy == f"did you mean {meant}?"
    assert error.location is not None
    assert not any("did you mean" in note for note in result.notes)
    found = [each for each in check(text, filename="/nowhere/m.any") if each.remedy == error.remedy]
    assert [(each.code, each.location) for each in found] == [("SDI901", error.location)]


HAND = "<inertial><mass>12</mass><inertia><ixx>13</ixx><iyy>10</iyy><izz>5</izz></inertia>{}</inertial>"
WRONG = f"<collision name='c'><desnity>5</desnity>{BOX}</collision>"


def test_a_hand_written_link_is_judged_and_refused_only_where_it_would_be_computed() -> None:
    text = sdf(HAND.format("") + WRONG)
    assert [each.code for each in check(text, filename="/nowhere/m.sdf")] == ["SDI108"]
    assert not filled(text).errors
    assert filled(text, all=True).errors
    assert filled(sdf(WRONG), missing=True).errors


def test_a_filled_block_stays_clean_until_it_is_computed_again() -> None:
    text = filled(sdf(AUTO + collision())).content.replace(b"<geometry>", b"<!-- x --><geometry>")
    text = text.replace(b"<!-- x -->", b"<desnity>5</desnity>")
    assert [each.code for each in check(text, filename="/nowhere/m.sdf")] == ["SDI108"]
    assert not filled(text).errors
    stale = text.replace(b"1 2 3", b"1 2 4")
    assert filled(stale).errors
    assert [each.code for each in check(stale, filename="/nowhere/m.sdf")] == ["SDI901"]


SOUND = {
    "an unlike name": sdf(f"{AUTO}<collision name='c'><colour/>{BOX}</collision>"),
    "a namespace": sdf(f"{AUTO}<collision name='c'><a:desnity>1</a:desnity>{BOX}</collision>"),
    "a version that lacks it": sdf(f"<inertial auto='1'><density>5</density></inertial>{collision()}").replace(
        b"1.11", b"1.9"
    ),
    "a slip that shapes nothing": sdf(f"{AUTO}{collision()}<visul name='v'/><sensr/>"),
    "a slip in another link": sdf(f"{AUTO}{collision()}</link><link name='k'><colision name='c'/>"),
    "URDF's customary ones": urdf(f"{ASKED}<collision><contact/>{SPHERE}<verbose/></collision><origin xzy='1'/>"),
    "attributes of others": mjcf(f"{ASKED}<geom size='1' a:desnity='3' user='1' solref='1'/>"),
}


@pytest.mark.parametrize("text", SOUND.values(), ids=SOUND.keys())
def test_what_is_no_slip_or_shapes_nothing_stops_no_link(text: bytes) -> None:
    result = filled(text)
    assert result.changed
    assert not result.errors


@pytest.mark.parametrize("arguments", [("fill",), ("fill", "-q"), ("fill", "--check"), ("show",), ("check",)])
def test_every_command_says_it_once(command, project: Path, arguments: tuple[str, ...]) -> None:
    text = sdf(f"<inertial auto='true'><desnity>320</desnity></inertial>{collision()}")
    (project / "m.sdf").write_bytes(text)
    outcome = command(*arguments, "m.sdf")
    said = outcome.output.decode() + outcome.messages
    assert said.count("SDFormat has no <desnity> in <inertial>") == 1
    assert outcome.status == (0 if arguments == ("show",) else 2)
    assert (project / "m.sdf").read_bytes() == text
