"""`check` judges the robot that xacro makes, and tells what it finds at the source."""

import json
import shutil
from collections import Counter
from pathlib import Path

import pytest
from builders.xacros import HEAD, by_xacro, link, quadruped, robot

from sdfinertia.documents.checking import check, check_document
from sdfinertia.documents.opened import OpenDocument, open_document
from sdfinertia.options import Options

xacro = pytest.importorskip("xacro")

TWO = f"""<xacro:macro name="leg" params="n ixx:=0.001">
{link("${n}_hip", "${ixx} 0.001 0.5")}
</xacro:macro>
<xacro:leg n="a"/>
<xacro:leg n="b"/>"""


def test_one_block_is_one_finding_with_the_links_that_it_makes(command, project: Path) -> None:
    robot(TWO)
    outcome = command("check", "--no-why", "--select", "SDI103", "r.urdf.xacro")
    assert outcome.status == 1
    assert outcome.output.decode().splitlines() == [
        "r.urdf.xacro:6:1 SDI103 r::a_hip: physically impossible: moments 0.001 + 0.001 < 0.5 kg·m²",
        "  fix: sdfinertia fill --all --link r::a_hip --link r::b_hip r.urdf.xacro",
    ]
    details = command("check", "-v", "--no-why", "--select", "SDI103", "r.urdf.xacro").output.decode()
    assert "; in 2 links: a_hip, b_hip (macro 'leg' called at r.urdf.xacro:11:1, r.urdf.xacro:12:1)" in details
    assert "1 finding in 1 file (1 file checked)" in outcome.messages


def test_only_the_links_that_are_wrong_are_named(project: Path) -> None:
    robot(TWO.replace('n="b"', 'n="b" ixx="0.5"'))
    (finding,) = [each for each in check("r.urdf.xacro") if each.code == "SDI103"]
    assert "in 2 links" not in finding.trace
    assert finding.trace.endswith("(macro 'leg' called at r.urdf.xacro:11:1)")


def test_the_findings_are_those_of_what_xacro_itself_makes(project: Path) -> None:
    document = open_document(robot(TWO + '<xacro:leg n="c"/>'), Options())
    here = check_document(OpenDocument(document.robot, document.options)).findings
    piped = check(by_xacro(Path("r.urdf.xacro")).data, filename="r.urdf")
    assert Counter((each.code, each.link, each.message) for each in here) == Counter(
        (each.code, each.link, each.message) for each in piped
    )
    assert len(here) > 1


def test_a_robot_of_several_files_is_judged_whole(command, project: Path) -> None:
    path = quadruped(project)
    found = json.loads(command("check", "--format", "json", path).output)["findings"]
    told = [(each["code"], each["file"], each["line"], each["link"]) for each in found]
    assert told == [
        ("SDI103", "quadruped/urdf/leg.xacro", 34, "quadruped::fl_foot"),
        ("SDI001", "quadruped/urdf/leg.xacro", 44, "quadruped::fl_thigh"),
        ("SDI103", "quadruped/urdf/leg.xacro", 16, "quadruped::fl_hip"),
    ]
    assert "; it uses the properties foot_moment (quadruped/urdf/masses.xacro:5:3)" in found[0]["message"]
    assert "in 4 links: fl_thigh, fr_thigh, rl_thigh, rr_thigh (macro 'segment' called at" in found[1]["message"]


@pytest.mark.parametrize(
    ("form", "place"),
    [
        ("github", "file=quadruped/urdf/leg.xacro,line=16,col=9"),
        ("sarif", '"uri": "quadruped/urdf/leg.xacro"'),
        ("junit", "quadruped/urdf/leg.xacro:16:9"),
    ],
)
def test_every_format_points_into_the_source(command, project: Path, form: str, place: str) -> None:
    assert place in command("check", "--format", form, quadruped(project)).output.decode()


def test_a_cause_is_told_of_the_source(command, project: Path) -> None:
    robot(TWO)
    lines = command("check", "--why", "--select", "SDI103", "r.urdf.xacro").output.decode().splitlines()
    assert lines[0].startswith("r.urdf.xacro:6:1 SDI103")
    assert lines[1].startswith("  why: ")


SUPPRESSED = TWO.replace("<inertial>", "<inertial>\n<!-- sdfinertia: ignore SDI103 -->")


def test_a_comment_in_the_source_suppresses(command, project: Path) -> None:
    robot(SUPPRESSED)
    outcome = command("check", "r.urdf.xacro")
    assert (outcome.status, outcome.output) == (0, b"")
    assert "not counted: 2 suppressed in the files." in outcome.messages


def test_a_comment_before_a_macro_call_suppresses_too(command, project: Path) -> None:
    robot(
        '<xacro:macro name="m"><inertial><mass value="1"/>'
        '<inertia ixx="0.001" ixy="0" ixz="0" iyy="0.001" iyz="0" izz="0.5"/></inertial></xacro:macro>\n'
        '<link name="l">\n<!-- sdfinertia: ignore SDI103 -->\n<xacro:m/></link>'
    )
    assert command("check", "--select", "SDI103,SDI801", "r.urdf.xacro").status == 0


@pytest.mark.parametrize(("moments", "is_idle"), [(("0.001", "0.5"), False), (("0.5", "0.5"), True)])
def test_a_comment_is_idle_where_it_suppresses_nothing_in_all_links(project, moments, is_idle):
    text = SUPPRESSED.replace(", SDI202", "")
    for name, moment in zip("ab", moments, strict=True):
        text = text.replace(f'n="{name}"', f'n="{name}" ixx="{moment}"')
    robot(text)
    idle = [str(each.location) for each in check("r.urdf.xacro") if each.code == "SDI801"]
    assert idle == (["r.urdf.xacro:5:1"] if is_idle else [])


def test_a_baseline_holds_when_lines_are_added(command, project: Path) -> None:
    path = quadruped(project)
    command("check", "--write-baseline", "known.json", path)
    leg = Path("quadruped/urdf/leg.xacro")
    leg.write_text(leg.read_text().replace('<xacro:macro name="leg"', '\n\n\n<xacro:macro name="leg"'))
    outcome = command("check", "--baseline", "known.json", path)
    assert (outcome.status, outcome.output) == (0, b"")


def test_fixes_leave_xacro_alone(command, project: Path) -> None:
    path = quadruped(project)
    before = {file: file.read_bytes() for file in Path("quadruped/urdf").iterdir()}
    command("check", "--fix", path)
    assert {file: file.read_bytes() for file in before} == before


def test_a_mesh_that_is_not_found_is_told_at_the_source(command, project: Path) -> None:
    robot(
        '\n<link name="l"><!-- sdfinertia: auto -->\n<collision><geometry>\n<mesh filename="gone.stl"/></geometry>'
        "</collision></link>"
    )
    outcome = command("check", "r.urdf.xacro")
    assert outcome.status == 2
    assert outcome.output.decode().startswith("r.urdf.xacro:5:1 SDI901") or b"r.urdf.xacro:4:1" in outcome.output


# Directories ----------------------------------------------------------------------------------------------------------


def test_a_walk_expands_robots_and_names_what_none_uses_once(command, project: Path) -> None:
    quadruped(project)
    outcome = command("check", ".")
    assert outcome.output.count(b"SDI001") == 1
    # One command for findings of several links each.
    assert [
        "each of these" not in line
        for line in outcome.output.decode().splitlines()
        if "fix: sdfinertia fill --all" in line
    ] == [True]
    assert "(1 file checked)" in outcome.messages
    assert "NOT CHECKED: 1 of 2 files (macros only): ./quadruped/urdf/gripper.xacro" in outcome.messages


def test_what_two_robots_have_in_common_is_told_once(command, project: Path) -> None:
    path = quadruped(project)
    other = Path("quadruped/urdf/other.urdf.xacro")
    other.write_text(path.read_text().replace('robot name="quadruped"', 'robot name="other"'))
    outcome = command("check", "quadruped")
    assert outcome.output.count(b"leg.xacro:16:9 SDI103") == 1
    assert "(2 files checked)" in outcome.messages


def test_a_robot_that_another_includes_is_judged_through_that(command, project: Path) -> None:
    path = quadruped(project)
    whole = Path("quadruped/urdf/whole.urdf.xacro")
    whole.write_text(f'{HEAD}<xacro:include filename="$(find quadruped)/urdf/{path.name}"/></robot>')
    outcome = command("check", "quadruped")
    assert "(1 file checked)" in outcome.messages
    assert b"r::fl_hip" in outcome.output


def test_a_walk_passes_over_excluded_robots_and_semantics_of_moveit(command, project: Path) -> None:
    path = quadruped(project)
    shutil.copy(path, path.with_name("q.srdf.xacro"))
    outcome = command("check", ".", "--exclude", "quadruped.urdf.xacro")
    assert outcome.output == b""
    assert "srdf" not in outcome.messages


def test_without_the_package_a_walk_says_what_it_leaves_out(command, project, monkeypatch):
    monkeypatch.setattr("sdfinertia.xacro.expansion.find_spec", lambda _: None)
    quadruped(project)
    outcome = command("check", ".")
    assert outcome.output == b""
    assert "NOT CHECKED: 4 of 4 files (xacro is not installed)" in outcome.messages
    assert "4 xacro files were skipped, for want of the package xacro: install it with `" in outcome.messages
    assert outcome.status == 2


# Streams --------------------------------------------------------------------------------------------------------------


def test_a_pipe_brings_what_xacro_made_or_the_source_by_its_name(command, project: Path) -> None:
    path = robot(TWO)
    piped = command("check", "-", stdin=by_xacro(path).data)
    assert piped.output.count(b"and 1 more link") == 1
    source = command("check", "-", "--stdin-filename", "r.urdf.xacro", stdin=path.read_bytes())
    assert source.output.startswith(b"r.urdf.xacro:6:1 SDI103")


def test_xacro_under_another_name_is_refused_with_the_pipe_in_full(command, project: Path) -> None:
    robot(TWO, "r.xml")
    assert b"rename it to .urdf.xacro, or --exclude it" in command("check", "r.xml").output
