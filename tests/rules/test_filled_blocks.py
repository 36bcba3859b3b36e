from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING, Any

import pytest
from builders.documents import AUTO, BOX, collision, link, model, one_link
from builders.documents import mesh as mesh_of
from builders.meshes import cube, obj

from sdfinertia.documents.checking import check
from sdfinertia.documents.filling import fill
from sdfinertia.options import Options

if TYPE_CHECKING:
    from pathlib import Path

HAND = "<inertial><mass>12</mass><inertia><ixx>13</ixx><iyy>10</iyy><izz>5</izz></inertia></inertial>"


def mesh(uri: str, more: str = "") -> str:
    return collision(f"<geometry>{mesh_of(uri, more)}</geometry>")


def sdf(*inside: str) -> str:
    return f"<sdf version='1.11'>{''.join(inside)}</sdf>"


def findings(text: str, *select: str, path: str = "/nowhere/m.sdf", **options: Any) -> list[tuple[str, str]]:
    found = check(text.encode(), Options(select=select, **options), filename=path)
    return [(finding.code, finding.link) for finding in found]


def filled(text: str, path: str = "/nowhere/m.sdf", **options: Any) -> str:
    result = fill(text.encode(), Options(**options), filename=path)
    assert result.errors == ()
    assert result.changed
    return result.content.decode()


MANAGED = filled(sdf(model(link(AUTO, collision("<density>100</density>" + BOX)))))

# SDI001 ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "inside",
    [
        link(AUTO, collision()),
        link("<inertial auto='1'/>", collision()),
        link("<inertial auto=' TRUE '></inertial>", collision()),
        link("<inertial auto='true'><mass>1</mass><inertia><ixx>1</ixx></inertia></inertial>", collision()),
        link("<inertial auto='true'><density>7</density></inertial>", collision()),
        link(AUTO),
        link(AUTO, HAND, collision()),
        "<static>true</static>" + link(AUTO, collision()),
    ],
)
def test_what_asks_to_be_computed_is_unfilled(inside: str) -> None:
    assert findings(sdf(model(inside)), "SDI001") == [("SDI001", "m::l")]


@pytest.mark.parametrize(
    "inside",
    [
        link(HAND, collision()),
        link(HAND.replace("<inertial>", "<inertial auto='false'>"), collision()),
        link(HAND.replace("<inertial>", "<inertial auto='0'>"), collision()),
        link(HAND.replace("<inertial>", "<inertial auto=''>"), collision()),
        link(HAND.replace("<inertial>", "<inertial gz:auto='true'>"), collision()),
        link(HAND.replace("<inertial>", "<inertial Auto='true'>"), collision()),
        link(HAND, AUTO, collision()),
        link(collision()),
        link(f"<!-- {AUTO} -->", HAND, collision()),
        link(f"<plugin name='p'>{AUTO}</plugin>", HAND, collision()),
        link(HAND, collision(AUTO + BOX)),
        f"<plugin name='p'>{link(AUTO, collision())}</plugin>",
        f"<gz:system>{model(link(AUTO, collision()))}</gz:system>",
        f"<frame name='f'>{link(AUTO, collision())}</frame>",
        "<![CDATA[" + link(AUTO, collision()) + "]]>",
        AUTO,
    ],
)
def test_what_does_not_ask_is_not_unfilled(inside: str) -> None:
    assert findings(sdf(model(inside)), "SDI001") == []


# SDI002 and SDI003 ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "shown"),
    [
        ("1 2 3", "1 2 3.03", "mass 600 → 606"),
        ("<density>100<", "<density>101<", "mass 600 → 606"),
        ("<density>100</density>", "", "mass 600 → 6000"),
        (f"</density>{BOX}", f"</density><pose>0.01 0 0 0 0 0</pose>{BOX}", "x 0 → 0.01"),
        (f"</density>{BOX}", f"</density><pose>0 0 0 0 0 0.01</pose>{BOX}", "ixy 0 → "),
        ("</link>", collision(name="d") + "</link>", "mass 600 → 6600"),
    ],
)
def test_what_changed_since_it_was_filled_is_stale_with_old_and_new(old: str, new: str, shown: str) -> None:
    assert MANAGED.count(old) == 1
    [finding] = check(MANAGED.replace(old, new).encode())
    assert (finding.code, finding.link) == ("SDI002", "m::l")
    assert shown in finding.message


ROD = "<cylinder><radius>5e-6</radius><length>1</length></cylinder>"
GIVEN = AUTO.replace("/>", "><mass>1</mass></inertial>")


# Of 1 kg a rod of radius r has r²/2 about its axis, which is lost in the 1/12 kg·m² about the others where it slopes.
@pytest.mark.parametrize(
    ("inertial", "shape", "old", "new", "shown"),
    [
        (GIVEN, ROD, "5e-6", "8e-6", "principal moments 1.25e-11 0.0833333 0.0833333 → 3.2e-11 0.0833333 0.0833333"),
        (AUTO, ROD.replace("5e-6", "1e-5"), "<length>1", "<length>1.1", "mass 3.14159e-07 → 3.45575e-07, ixx "),
    ],
)
def test_what_changed_of_something_thin_or_light_is_shown(inertial, shape, old, new, shown) -> None:
    asks = one_link(inertial, collision(f"<pose>0 0 0 0.7 0.5 0.3</pose><geometry>{shape}</geometry>"))
    [finding] = check(fill(asks).content.replace(old.encode(), new.encode()))
    assert finding.message.startswith(f"stale, since geometry, pose, density or mesh changed: {shown}")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("1 2 3", " 1.0\n2e0 <!-- wide --> 3.000 "),
        ("1 2 3", "1 2 3.0000000000001"),
        ("<density>100<", "<density> 1e2 <"),
        ("name='c'", "name='other'"),
        ("</density>", "</density><pose/>"),
        ("</density>", "</density><pose>0 0 0 0 0 0</pose>"),
        ("</density>", "</density><!-- note --><gz:density>5</gz:density>"),
        # Half a turn of a box about its own axis.
        ("</density>", "</density><pose degrees='1'>0 0 0 0 0 180</pose>"),
        ("<link name='l'>", "<link name='renamed'><visual name='v'/><pose>1 2 3 0 0 0</pose>"),
        ("<model name='m'>", "<model name='m'><static>true</static>"),
        ("</model>", link(HAND, name="k") + "</model>"),
        ("<mass>", "<!-- weighed --><mass>"),
        ("<mass>600<", "<mass> 6.00e2 <"),
        ("<ixx>", "\n<ixx>\t"),
        ("<inertial>", "<inertial auto='false'>"),
        ("<inertial>", "<inertial><gz:note>1</gz:note>"),
    ],
)
def test_what_changes_no_number_is_no_finding(old: str, new: str) -> None:
    assert MANAGED.count(old) == 1
    assert findings(MANAGED.replace(old, new)) == []


def test_an_edited_block_says_what_is_written_and_what_would_be() -> None:
    [finding] = check(MANAGED.replace("<ixx>650<", "<ixx>651<").encode())
    assert (finding.code, finding.link) == ("SDI003", "m::l")
    assert "ixx 651 → 650" in finding.message


def test_a_block_without_its_comment_is_hand_written_and_never_stale() -> None:
    mine = re.sub("<!-- sdfinertia:.*?-->", "", MANAGED)
    assert mine != MANAGED
    assert findings(mine.replace("1 2 3", "1 2 4").replace("<ixx>6", "<ixx>7"), "SDI0") == []


# SDI104 ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "inside",
    [
        link(collision()),
        link(collision("")),
        link(mesh("gone.stl")),
        "<static>false</static>" + link(collision()),
        "<static/>" + link(collision()),
        link(collision(), f"<plugin name='p'>{HAND}</plugin>"),
        link(collision(HAND + BOX)),
        link(f"<!-- {HAND} -->", collision()),
        link("<gz:inertial/>", collision()),
        "<gz:static>true</gz:static>" + link(collision()),
    ],
)
def test_a_link_that_moves_and_has_no_inertial_is_missing_it(inside: str) -> None:
    assert findings(sdf(model(inside)), "SDI104") == [("SDI104", "m::l")]


@pytest.mark.parametrize(
    "inside",
    [
        link(),
        link(f"<visual name='v'>{BOX}</visual>"),
        link(HAND, collision()),
        link(AUTO, collision()),
        link("<inertial/>", collision()),
        "<static>true</static>" + link(collision()),
        "<static>1</static>" + link(collision()),
        "<static> True </static>" + model(link(collision()), name="n"),
        link(f"<gz:more>{collision()}</gz:more>"),
        link(f"<sensor name='s'><contact>{collision()}</contact></sensor>"),
        f"<plugin name='p'>{link(collision())}</plugin>",
    ],
)
def test_a_link_that_needs_no_inertial_is_not_missing_one(inside: str) -> None:
    assert findings(sdf(model(inside)), "SDI104") == []


# SDI901 ---------------------------------------------------------------------------------------------------------------

GONE = {
    "a mesh": link(AUTO, mesh("gone.stl")),
    "a format": link(AUTO, mesh("part.blend")),
    "a frame": link(AUTO, collision("<pose relative_to='gone'/>" + BOX)),
    "a dimension": link(AUTO, collision("<geometry><box/></geometry>")),
    "a geometry": link(AUTO, collision("")),
    "all collisions": link(AUTO),
    "a density": link(AUTO, collision("<density>-1</density>" + BOX)),
    "the mass": link("<inertial auto='true'><mass>10kg</mass></inertial>", collision()),
    "the name of a collision": link(AUTO, collision(), collision()),
    "the include that a frame needs": link(AUTO, collision("<pose relative_to='p'/>" + BOX))
    + "<include><uri>gone</uri><name>p</name></include>",
    "a cycle of frames": "<frame name='f'><pose relative_to='g'/></frame>"
    "<frame name='g'><pose relative_to='f'/></frame>" + link(AUTO, collision("<pose relative_to='f'/>" + BOX)),
    "an option of the provenance": link(
        "<inertial><!-- sdfinertia: magic=3 inputs=0123456789ab values=0123456789ab --><mass>1</mass></inertial>",
        collision(),
    ),
}


@pytest.mark.parametrize("inside", [case for name, case in GONE.items() if name != "an option of the provenance"])
def test_a_link_that_cannot_be_computed_is_said_to_be_so(inside: str) -> None:
    assert findings(sdf(model(inside)), "SDI9") == [("SDI901", "m::l")]


def test_two_links_of_one_name_that_ask_to_be_computed_cannot_be() -> None:
    twice = sdf(model(link(AUTO, collision()), link(AUTO, collision())))
    assert fill(twice.encode(), filename="/nowhere/m.sdf").errors
    assert findings(twice, "SDI9") == [("SDI901", "m::l")] * 2


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("cube.obj", "gone.obj"),
        ("<collision name='c'>", "<collision name='c'><pose relative_to='gone'/>"),
        ("<collision name='c'>", "<collision name='c'><density>-1</density>"),
        ("<scale>1 1 1</scale>", "<scale>1 1 0</scale>"),
        ("<scale>1 1 1</scale>", "<submesh><name>lid</name></submesh>"),
    ],
)
def test_a_filled_link_that_cannot_be_verified_is_said_to_be_so(project: Path, old: str, new: str) -> None:
    (project / "cube.obj").write_text(obj(cube()))
    path = str(project / "m.sdf")
    managed = filled(sdf(model(link(AUTO, mesh("cube.obj", "<scale>1 1 1</scale>")))), path)
    assert findings(managed, path=path) == []
    assert managed.count(old) == 1
    assert findings(managed.replace(old, new), path=path) == [("SDI901", "m::l")]


def test_a_filled_link_whose_provenance_is_not_understood_cannot_be_verified() -> None:
    later = MANAGED.replace("<!-- sdfinertia: ", "<!-- sdfinertia: magic=3 ")
    assert later != MANAGED
    assert findings(later) == [("SDI901", "m::l")]


@pytest.mark.parametrize(
    "inside",
    [
        *(case.replace(AUTO, HAND) for case in GONE.values() if AUTO in case),
        link(AUTO, collision()),
        link(AUTO, collision()) + "<include><uri>gone</uri></include>",
        link(AUTO, collision(), mesh("gone.stl").replace("collision", "visual")),
        link(AUTO, collision("<pose>1 2 3 0 0 0</pose>" + BOX)) + "<frame name='f' attached_to='gone'/>",
    ],
)
def test_a_link_that_is_its_authors_or_needs_nothing_that_is_gone_is_not(inside: str) -> None:
    assert findings(sdf(model(inside)), "SDI901") == []


@pytest.mark.parametrize(
    "inside",
    [
        "<frame name='f' attached_to='gone'/>",
        "<frame name='f'><pose relative_to='g'/></frame><frame name='g'><pose relative_to='f'/></frame>",
    ],
)
def test_a_frame_that_no_link_needs_and_that_leads_nowhere_is_told_all_the_same(inside: str) -> None:
    assert findings(sdf(model(link(HAND, collision()), inside))) != []


# What mends them ------------------------------------------------------------------------------------------------------

FILLED = MANAGED[MANAGED.index("<link") : MANAGED.index("</model>")]
BROKEN = {
    "SDI001": link(AUTO, collision()),
    "SDI002": FILLED.replace("1 2 3", "1 2 4"),
    "SDI003": FILLED.replace("<ixx>6", "<ixx>7"),
    "SDI104": link(collision()),
}
OTHER = link(AUTO, collision(), name="other")


@pytest.mark.parametrize("name", ["m.sdf", "my robot.sdf", 'it\'s "it".sdf', "-m.sdf", "a[b]*.sdf"])
@pytest.mark.parametrize(("code", "inside"), BROKEN.items(), ids=BROKEN.keys())
def test_the_command_of_a_remedy_mends_what_it_is_for(project, command, name, code, inside):
    (project / name).write_text(sdf(model(inside, OTHER)))
    [finding] = check(name, Options(select=(code,), link=("m::l",)))
    words = shlex.split(finding.remedy.partition(" fills it")[0])
    assert words[:2] == ["sdfinertia", "fill"]
    assert command(*words[1:]).status == 0
    assert [(found.code, found.link) for found in check(name)] == [("SDI001", "m::other")]


@pytest.mark.parametrize("name", ["a link", "l[1]", "l*", "it's", "-l", "l&amp;r", "ß"])
def test_the_command_names_links_of_any_name(project: Path, command, name: str) -> None:
    (project / "m.sdf").write_text(
        sdf(model(link(AUTO, collision()), f'<link name="{name}">{AUTO}{collision()}</link>')), encoding="utf-8"
    )
    first, second = check("m.sdf")
    assert command(*shlex.split(second.remedy)[1:]).status == 0
    assert [finding.link for finding in check("m.sdf")] == [first.link]
