from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders import meshes as meshes_of
from builders.meshes import obj

from sdfinertia.documents.checking import check
from sdfinertia.documents.filling import FillResult, fill
from sdfinertia.options import Options
from sdfinertia.report.results import warning_lines

if TYPE_CHECKING:
    from pathlib import Path

    from sdfinertia.rules.rule import Finding

SOUND = "<inertial><mass>12</mass><inertia><ixx>13</ixx><iyy>10</iyy><izz>5</izz></inertia></inertial>"
AUTO = "<inertial auto='true'/>"


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """A directory with cubes of some edges (m)."""
    for edge in (0.1, 1, 2.54, 20, 39.37, 49, 60, 100, 101):
        (tmp_path / f"cube{edge}.obj").write_text(obj(meshes_of.cube(size=edge)))
    return tmp_path


def cube(edge: float, kind: str = "collision", inside: str = "", *, inside_solid: str = "") -> str:
    mesh = f"<mesh><uri>cube{edge}.obj</uri>{inside}</mesh>"
    return f"<{kind} name='{kind[0]}'>{inside_solid}<geometry>{mesh}</geometry></{kind}>"


def box(edge: float, kind: str = "collision", inside: str = "") -> str:
    size = f"<box><size>{edge} {edge} {edge}</size></box>"
    return f"<{kind} name='{kind[0]}'>{inside}<geometry>{size}</geometry></{kind}>"


def sdf(inside: str, more: str = "") -> bytes:
    return (
        f"<sdf version='1.12'>\n<model name='m'>{more}\n<link name='l'>\n{inside}\n</link>\n</model>\n</sdf>\n".encode()
    )


def found(content: bytes, directory: Path) -> list[Finding]:
    return check(content, Options(select=("SDI206",)), filename=str(directory / "m.sdf"))


def filled(content: bytes, directory: Path, **options: object) -> FillResult:
    return fill(content, Options(**options), filename=str(directory / "m.sdf"))  # type: ignore[arg-type]


def turned(solid: str) -> str:
    return solid.replace("<geometry>", "<pose>500 0 0 0 0 0.785398163</pose><geometry>")


SCALES = {
    "long": (cube(60), "60 m long", "<scale>0.001 0.001 0.001</scale>"),
    "long as it is turned": (turned(cube(49)), "69.3 m long", "<scale>0.001 0.001 0.001</scale>"),
    "heavy": (cube(20), "8e+06 kg heavy", "<scale>0.001 0.001 0.001</scale>"),
    "collisions in millimetres": (cube(100) + cube(0.1, "visual"), "collisions 1000 times as large", "0.001"),
    "visuals in millimetres": (cube(0.1) + cube(100, "visual"), "visuals 1000 times as large", "0.001"),
    "nearly a thousand": (cube(101) + cube(0.1, "visual"), "collisions 1010 times as large", "0.001"),
    "inches": (cube(2.54) + cube(0.1, "visual"), "collisions 25.4 times as large", "0.03937"),
    "inches taken for metres": (cube(39.37) + cube(1, "visual"), "collisions 39.37 times as large", "0.0254"),
    "a mesh beside a box": (cube(100) + box(0.1, "visual"), "collisions 1000 times as large", "0.001"),
}


@pytest.mark.parametrize(("inside", "what", "remedy"), SCALES.values(), ids=SCALES.keys())
def test_a_mesh_that_is_near_certainly_not_in_metres_is_told(directory, inside, what, remedy):
    [finding] = found(sdf(AUTO + inside), directory)
    assert what in finding.message
    assert remedy in finding.remedy
    assert finding.location.line == 4


SOUND_SCALES = {
    "of a room's size": cube(49),
    "scaled": cube(60, inside="<scale>0.001 0.001 0.001</scale>"),
    "a large box without a mesh": box(200),
    "a mesh for looks beside a large box": box(200) + cube(100, "visual"),
    "alike": cube(1) + cube(2.54, "visual"),
    "twenty times": cube(20) + cube(1, "visual"),
    "a stand-in": box(0.1) + box(100, "visual"),
    "a mesh that is gone": cube(7),
}


@pytest.mark.parametrize("inside", SOUND_SCALES.values(), ids=SOUND_SCALES.keys())
def test_what_may_be_meant_is_left_alone(directory: Path, inside: str) -> None:
    messages = [finding.message for finding in found(sdf(SOUND + inside), directory)]
    assert messages == []


def scaled(factor: float, kind: str = "collision") -> str:
    return cube(1, kind, f"<scale>{factor} {factor} {factor}</scale>")


@pytest.mark.parametrize(
    ("inside", "is_found"),
    [
        *((SOUND + scaled(edge), edge > 50) for edge in (49.9, 50.1)),
        *((AUTO + scaled(edge), edge > 10) for edge in (9.99, 10.01)),
        *((SOUND + scaled(0.01) + scaled(edge, "visual"), 9 < edge < 11) for edge in (8.9, 9.1, 10.9, 11.1)),
        *((SOUND + scaled(1) + scaled(edge, "visual"), edge in (25.2, 25.6)) for edge in (25.1, 25.2, 25.6, 25.7)),
        *((SOUND + scaled(1) + scaled(edge, "visual"), edge in (39, 39.7)) for edge in (38.9, 39, 39.7, 39.8)),
    ],
)
def test_each_limit_of_a_size_has_two_sides(directory, inside, is_found):
    assert bool(found(sdf(inside), directory)) is is_found


def test_a_mesh_of_a_static_model_may_be_a_landscape(directory: Path) -> None:
    assert found(sdf(SOUND + cube(60)), directory) != []
    assert found(sdf(SOUND + cube(60), "<static>true</static>"), directory) == []


@pytest.mark.parametrize("density", ["0.9", "2.7", "7.85", "9.99"])
@pytest.mark.parametrize("place", ["collision", "link"])
def test_a_density_in_grams_per_cubic_centimetre_is_told(tmp_path: Path, density: str, place: str) -> None:
    given = f"<density>{density}</density>"
    inside = (
        AUTO + box(1, inside=given) if place == "collision" else f"<inertial auto='true'>{given}</inertial>{box(1)}"
    )
    [finding] = found(sdf(inside), tmp_path)
    assert f"density of {density} kg/m³" in finding.message
    assert finding.location.line == 4
    assert f"write {float(density) * 1000:g} if it is in g/cm³" in finding.remedy


@pytest.mark.parametrize("density", ["0", "1", "1.0", "10", "15", "1000", "-1", "two", ""])
def test_a_density_that_a_solid_may_have_or_another_rule_judges_is_left_alone(tmp_path: Path, density: str) -> None:
    assert found(sdf(AUTO + box(1, inside=f"<density>{density}</density>")), tmp_path) == []


def test_a_density_beside_a_given_mass_is_a_weight(tmp_path: Path) -> None:
    inside = "<inertial auto='true'><mass>3</mass></inertial>" + box(1, inside="<density>2.7</density>")
    assert found(sdf(inside), tmp_path) == []


@pytest.mark.parametrize(
    ("pose", "is_told"),
    [
        ("<pose>0 0 0 0 0 90</pose>", True),
        ("<pose>0 0 0 -180 0 0</pose>", True),
        ("<pose>0 0 0 0 6.4 0</pose>", True),
        ("<pose>0 0 0 0 0 6.2832</pose>", False),
        ("<pose>0 0 0 -6.28319 0 3.2</pose>", False),
        ("<pose>90 80 70 0 0 0</pose>", False),
        ("<pose degrees='true'>0 0 0 0 0 90</pose>", False),
        ("<pose rotation_format='quat_xyzw'>0 0 0 0 0 7 7</pose>", False),
        ("<pose>0 0 0 0 0 ninety</pose>", False),
        ("<pose/>", False),
    ],
)
@pytest.mark.parametrize("place", ["link", "inertial", "collision"])
def test_an_angle_beyond_a_full_turn_is_told(tmp_path: Path, pose: str, is_told: bool, place: str) -> None:
    inertial = SOUND.replace("<mass>", f"{pose}<mass>") if place == "inertial" else SOUND
    inside = (pose if place == "link" else "") + inertial + box(1, inside=pose if place == "collision" else "")
    findings = found(sdf(inside), tmp_path)
    assert bool(findings) == is_told
    if is_told:
        assert "more than a full turn" in findings[0].message


# What fill says -------------------------------------------------------------------------------------------------------

REFUSED = {
    "long": (cube(60), "60 m long: a mesh of it is in millimetres"),
    "heavy": (cube(20), "8e+06 kg heavy: a mesh of it is in millimetres"),
    "a thousand times its visuals": (cube(100) + cube(0.1, "visual"), "collisions 1000 times as large as its visuals"),
    "in inches": (cube(2.54) + cube(0.1, "visual"), "collisions 25.4 times as large as its visuals"),
}


@pytest.mark.parametrize(("inside", "what"), REFUSED.values(), ids=REFUSED.keys())
def test_nothing_is_filled_from_a_mesh_in_millimetres_until_that_is_accepted(directory, inside, what):
    content = sdf(AUTO + inside)
    result = filled(content, directory)
    [error] = result.errors
    assert what in error.problem
    assert error.problem.endswith("and nothing is filled from it")
    assert "<scale>" in error.remedy
    assert error.remedy.endswith("--accept-size takes it as it is")
    assert result.content == content
    accepted = filled(content, directory, accept_size=True)
    assert not accepted.errors
    assert len(list(warning_lines(accepted))) == 1
    assert b"<mass>" in accepted.content
    # It is consent of a run, and shapes no number: the block is clean without it.
    assert [each.code for each in check(accepted.content, filename=str(directory / "m.sdf"))] == ["SDI206"]


FILLED = {
    "its visuals are in millimetres": (AUTO + cube(0.1) + cube(100, "visual"), 1),
    "a box beside a small mesh": (AUTO + box(100) + cube(0.1, "visual"), 1),
    "a block with a density of its own": (AUTO + cube(60, inside_solid="<density>500</density>"), 1),
    "a small mesh on a large box": (AUTO + cube(1) + box(60).replace("'c'", "'d'"), 1),
    "the mass is given": ("<inertial auto='true'><mass>2e6</mass></inertial>" + cube(20), 0),
    "over ten metres": (AUTO + cube(2.54) + cube(1, "visual"), 0),
    "a density in grams": (AUTO + box(1, inside="<density>2.7</density>"), 1),
}


@pytest.mark.parametrize(("inside", "warnings"), FILLED.values(), ids=FILLED.keys())
def test_what_may_be_meant_or_is_not_filled_from_is_no_reason_to_refuse(directory, inside, warnings):
    result = filled(sdf(inside), directory)
    assert not result.errors
    assert len(list(warning_lines(result))) == warnings


@pytest.mark.parametrize(
    ("inside", "said"),
    [
        (cube(1, inside="<scale>1e9 1e9 1e9</scale>"), "1e+09 m long: a mesh of it has the scale 1e+09 1e+09 1e+09"),
        (cube(1, inside="<scale>1 60 1</scale>"), "60 m long: a mesh of it has the scale 1 60 1"),
        (
            cube(0.1, inside="<scale>1000 1000 1000</scale>") + cube(0.1, "visual"),
            "collisions 1000 times as large as its visuals: a mesh of it has the scale 1000 1000 1000",
        ),
        (cube(100, inside="<scale>0.9 0.9 0.9</scale>"), "90 m long: a mesh of it is in millimetres"),
    ],
)
def test_a_scale_that_enlarges_a_mesh_is_named_and_not_its_unit(directory: Path, inside: str, said: str) -> None:
    [finding] = found(sdf(AUTO + inside), directory)
    assert finding.message == said
    assert finding.remedy.startswith("correct that scale" if "the scale" in said else "give the mesh <scale>")


def test_a_total_mass_is_not_shared_out_with_a_mesh_in_millimetres(directory: Path) -> None:
    content = sdf(AUTO + cube(60)).replace(b"</model>", f"<link name='k'>{AUTO}{box(1)}</link></model>".encode())
    assert len(filled(content, directory, total_mass=5.0).errors) == 2


# Stand-ins ------------------------------------------------------------------------------------------------------------

GIVEN = "<inertial auto='true'><mass>10</mass></inertial>"


@pytest.mark.parametrize(
    ("inside", "note"),
    [
        (GIVEN + box(0.01), "the given mass makes its collisions weigh 1e+07 kg/m³"),
        (AUTO + box(0.1) + box(2.1, "visual"), "its visuals are 21 times as large as its collisions"),
    ],
)
def test_collisions_that_stand_in_for_a_shape_get_a_note(tmp_path: Path, inside: str, note: str) -> None:
    [link] = filled(sdf(inside), tmp_path).links
    [said] = link.notes
    assert said.startswith(note)
    assert "the tensor is theirs" in said


@pytest.mark.parametrize("inside", [GIVEN + box(0.03), AUTO + box(0.1) + box(1.9, "visual"), AUTO + box(0.01)])
def test_collisions_that_may_be_the_shape_get_none(tmp_path: Path, inside: str) -> None:
    [link] = filled(sdf(inside), tmp_path).links
    assert link.notes == ()


@pytest.mark.parametrize(
    ("density", "said"),
    [(2.7, "write 2700 if it is in g/cm³"), (9.9, "write 9900"), (1.0, ""), (10.0, ""), (2700.0, "")],
)
@pytest.mark.parametrize("place", ["comment", "option"])
def test_a_density_below_ten_is_said_in_urdf_and_by_option(density: float, said: str, place: str) -> None:
    given = f" density={density}" if place == "comment" else ""
    robot = (
        f"<robot name='r'><link name='l'><!-- sdfinertia: auto{given} -->"
        "<collision><geometry><box size='0.1 0.1 0.1'/></geometry></collision></link></robot>"
    )
    options = Options(select=("SDI206",), density=density if place == "option" else None)
    remedies = [finding.remedy for finding in check(robot.encode(), options)]
    assert [said in remedy for remedy in remedies] == ([True] if said else [])
    (filled,) = fill(robot.encode(), options).links
    assert len(filled.warnings) == bool(said)


@pytest.mark.parametrize(("inside", "is_found"), [(AUTO, True), ("", True), (SOUND, False)])
def test_a_density_of_the_run_is_said_where_a_link_is_computed(directory, inside, is_found):
    options = Options(select=("SDI206",), density=2.7)
    assert bool(check(sdf(inside + box(1)), options, filename=str(directory / "m.sdf"))) is is_found
