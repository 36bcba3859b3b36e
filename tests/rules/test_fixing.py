"""What `check --fix` promises, and what is no news beside another finding."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders.documents import AUTO, BOX, collision, link
from builders.meshes import box, obj

from sdfinertia.documents.checking import check
from sdfinertia.documents.filling import fill
from sdfinertia.documents.repairing import repair
from sdfinertia.options import Options
from sdfinertia.report.findings import fix_of
from sdfinertia.report.results import counts_of

if TYPE_CHECKING:
    from pathlib import Path

GONE = "<geometry><mesh><uri>gone.stl</uri></mesh></geometry>"
SHEET = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 3 4\n"


def sdf(*inside: str) -> bytes:
    return f"<sdf version='1.12'><model name='m'>{''.join(inside)}</model></sdf>".encode()


@pytest.fixture
def project_file(project: Path) -> Path:
    (project / "sheet.obj").write_text(SHEET)
    return project / "m.sdf"


OPEN = "<geometry><mesh><uri>sheet.obj</uri></mesh></geometry>"
HOPELESS = {
    "a mesh that is gone": (link(AUTO + collision(GONE)), ["SDI901"]),
    "an open mesh": (link(AUTO + collision(OPEN)), ["SDI401"]),
    "a mass below zero": (
        link("<inertial auto='true'><mass>-1</mass></inertial>" + collision(BOX)),
        ["SDI101", "SDI901"],
    ),
    "no block, and a mesh that is gone": (link(collision(GONE)), ["SDI104"]),
    "no block, and an open mesh": (link(collision(OPEN)), ["SDI104"]),
    "no block, and no volume": (link(collision("<geometry><plane/></geometry>")), ["SDI104"]),
    "no block, and a name that another has": (link(collision(BOX)) + link("", name="l"), ["SDI104", "SDI106"]),
}


@pytest.mark.parametrize(("inside", "codes"), HOPELESS.values(), ids=HOPELESS.keys())
def test_nothing_is_promised_that_cannot_work(project_file, command, inside, codes):
    project_file.write_bytes(sdf(inside))
    findings = check(project_file)
    assert sorted(finding.code for finding in findings) == codes
    assert {fix_of(each) for each in findings} == {"none"}
    assert not any("fill --missing" in finding.remedy for finding in findings)
    assert "--fix" not in command("check", project_file).messages
    before = project_file.read_bytes()
    assert "fixed" not in command("check", "--fix", project_file).messages
    assert project_file.read_bytes() == before


GIVEN = "<density>2700</density>"
STALE = {
    "the density is given": (collision(GIVEN + BOX), ""),
    "the default density": (collision(BOX), ""),
    "the mass is given": (collision(BOX), "<mass>3</mass>"),
    "a unit in doubt": (collision("<density>2.7</density>" + BOX), ""),
    "an angle in doubt": (collision("<pose>0 0 0 0 0 90</pose>" + GIVEN + BOX), ""),
}


@pytest.mark.parametrize(("inside", "mass"), STALE.values(), ids=STALE)
def test_a_fix_is_what_fill_does_to_what_asks_or_is_stale(project_file, command, inside, mass):
    asking = sdf(link(f"<inertial auto='true'>{mass}</inertial>{inside}"))
    for text in (asking, fill(asking).content.replace(b"<size>1 2 3<", b"<size>1 2 4<")):
        project_file.write_bytes(text)
        [finding] = [each for each in check(project_file) if each.code in ("SDI001", "SDI002")]
        assert fix_of(finding) == "safe"
        command("check", "--fix", project_file)
        assert project_file.read_bytes() == fill(text).content != text


def test_a_mesh_in_millimetres_is_filled_by_no_fix(project_file: Path, command) -> None:
    (project_file.parent / "cube.obj").write_text(obj(box((60.0, 60.0, 60.0))))
    mesh = collision("<geometry><mesh><uri>cube.obj</uri></mesh></geometry>")
    before = sdf(link(AUTO + mesh), link(mesh, name="b"))
    project_file.write_bytes(before)
    findings = check(project_file)
    assert {each.code for each in findings} == {"SDI001", "SDI104", "SDI206"}
    assert {fix_of(each) for each in findings} == {"none"}
    command("fill", "--missing", "--keep-going", project_file)
    assert project_file.read_bytes() == before
    for by in ("cause", "geometry"):
        assert not repair(before, by=by, filename=str(project_file)).changed  # type: ignore[arg-type]
    accepted = check(project_file, Options(accept_size=True))
    assert {each.code: fix_of(each) for each in accepted} == {"SDI001": "safe", "SDI104": "none", "SDI206": "none"}


def test_that_a_link_is_not_filled_is_told_where_nothing_else_says_why(project_file: Path) -> None:
    content = sdf(link(AUTO + collision(OPEN)))
    for ignored, expected in (((), ["SDI401"]), (("SDI401",), ["SDI001"])):
        findings = check(content, Options(ignore=ignored), filename=str(project_file))
        assert [finding.code for finding in findings] == expected
        assert {fix_of(each) for each in findings} == {"none"}


# Densities that cancel ------------------------------------------------------------------------------------------------

MASS = "<inertial auto='true'><mass>3</mass></inertial>"
DENSITIES = {
    "nothing given": (AUTO + collision(BOX), True),
    "a mass, one collision": (MASS + collision(BOX), False),
    "a mass, two collisions without density": (MASS + collision(BOX) + collision(BOX, "d"), False),
    "a mass, one density of two": (MASS + collision("<density>7</density>" + BOX) + collision(BOX, "d"), True),
    "a mass, the other has no mass": (MASS + collision("<density>0</density>" + BOX) + collision(BOX, "d"), False),
    "a density": (AUTO + collision("<density>70</density>" + BOX), False),
    "a density of the link": ("<inertial auto='true'><density>70</density></inertial>" + collision(BOX), False),
}


@pytest.mark.parametrize(("inside", "is_assumed"), DENSITIES.values(), ids=DENSITIES.keys())
def test_the_default_density_counts_only_where_it_affects_result(inside: str, is_assumed: bool) -> None:
    content = sdf(link(inside))
    assert counts_of(fill(content))["default_densities"] == is_assumed
    refused = fill(content, Options(require_density=True)).errors
    assert [error.problem for error in refused] == ["no density is given"] * is_assumed


# Links that need no inertial ------------------------------------------------------------------------------------------


def joint(parent: str, child: str, kind: str = "fixed") -> str:
    name = f"{parent}_{child}".replace("::", "_")
    return f"<joint name='{name}' type='{kind}'><parent>{parent}</parent><child>{child}</child></joint>"


BODY = collision(BOX)
SOUND = "<inertial><mass>12</mass><inertia><ixx>13</ixx><iyy>10</iyy><izz>5</izz></inertia></inertial>"
FIXED = link(SOUND, name="a")
EXEMPT = {
    "welded to the world": link(BODY) + joint("world", "l"),
    "welded as the parent": link(BODY) + joint("l", "world"),
    "welded by way of another": link(BODY) + FIXED + joint("world", "a") + joint("a", "l"),
    "welded by way of a frame": link(BODY) + "<frame name='f' attached_to='l'/>" + joint("world", "f"),
    "welded from around its model": f"<model name='n'>{link(BODY)}</model>" + joint("world", "n::l"),
    "deformable": link("<drake:deformable_properties/>" + BODY),
    "a deformable collision": link(collision("<drake:deformable_properties/>" + BOX)),
}
MOVING = {
    "turning in the world": link(BODY) + joint("world", "l", "revolute"),
    "welded to what moves": link(BODY) + FIXED + joint("a", "l"),
    "welded by way of what turns": link(BODY) + FIXED + joint("world", "a", "revolute") + joint("a", "l"),
    "welded to what is not there": link(BODY) + joint("gone", "l"),
    "welds of another": link(BODY) + FIXED + joint("world", "a"),
    "a weld in a plugin": link(BODY) + f"<plugin name='p' filename='q'>{joint('world', 'l')}</plugin>",
}


@pytest.mark.parametrize("inside", EXEMPT.values(), ids=EXEMPT.keys())
def test_a_link_that_no_simulator_moves_as_a_rigid_body_needs_no_inertial(inside: str) -> None:
    assert check(sdf(inside), Options(select=("SDI104",))) == []


@pytest.mark.parametrize("inside", MOVING.values(), ids=MOVING.keys())
def test_a_link_that_moves_needs_one(inside: str) -> None:
    assert [finding.code for finding in check(sdf(inside), Options(select=("SDI104",)))] == ["SDI104"]
