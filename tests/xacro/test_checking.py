"""`check` judges the robot that xacro makes, and tells what it finds at the source."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from builders.xacros import HEAD, by_xacro, link, quadruped, robot

from sdfinertia.documents import OpenDocument, open_document
from sdfinertia.documents.checking import check, check_document
from sdfinertia.options import Options

xacro = pytest.importorskip("xacro")

TWO = f"""<xacro:macro name="leg" params="n ixx:=0.001">
{link("${n}_hip", "${ixx} 0.001 0.5")}
</xacro:macro>
<xacro:leg n="a"/>
<xacro:leg n="b"/>"""


def test_one_block_is_one_finding_with_the_links_that_it_makes(command, project: Path) -> None:
    robot(TWO.replace("${ixx} 0", "0.001 0").replace('ixx="${ixx}"', 'ixx="0.001"'))
    outcome = command("check", "--no-why", "--select", "SDI103", "r.urdf.xacro")
    assert outcome.status == 1
    assert outcome.output.decode().splitlines() == [
        "r.urdf.xacro:6:1 SDI103 r::a_hip: physically impossible: moments 0.001 + 0.001 < 0.5 kg·m²",
        "  fix: sdfinertia fill --all --link r::a_hip --link r::b_hip r.urdf.xacro",
    ]
    details = command("check", "-v", "--no-why", "--select", "SDI103", "r.urdf.xacro").output.decode()
    assert "; in 2 links: a_hip, b_hip (macro 'leg' called at r.urdf.xacro:11:1, r.urdf.xacro:12:1)" in details
    assert "1 finding in 1 file (1 file checked)" in outcome.messages


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


SUPPRESSED = TWO.replace("<inertial>", "<inertial>\n<!-- sdfinertia: ignore SDI103 -->")


def test_a_comment_in_the_source_suppresses(command, project: Path) -> None:
    robot(SUPPRESSED)
    outcome = command("check", "r.urdf.xacro")
    assert (outcome.status, outcome.output) == (0, b"")
    assert "not counted: 2 suppressed in the files." in outcome.messages


@pytest.mark.parametrize(("moments", "is_idle"), [(("0.001", "0.5"), False), (("0.5", "0.5"), True)])
def test_a_comment_is_idle_where_it_suppresses_nothing_in_all_links(project, moments, is_idle):
    text = SUPPRESSED.replace(", SDI202", "")
    for name, moment in zip("ab", moments, strict=True):
        text = text.replace(f'n="{name}"', f'n="{name}" ixx="{moment}"')
    robot(text)
    idle = [str(each.location) for each in check("r.urdf.xacro") if each.code == "SDI801"]
    assert idle == (["r.urdf.xacro:5:1"] if is_idle else [])


def test_fixes_leave_xacro_alone(command, project: Path) -> None:
    path = quadruped(project)
    before = {file: file.read_bytes() for file in Path("quadruped/urdf").iterdir()}
    command("check", "--fix", path)
    assert {file: file.read_bytes() for file in before} == before


# Directories ----------------------------------------------------------------------------------------------------------


def test_a_walk_expands_robots_and_names_what_none_uses_once(command, project: Path) -> None:
    quadruped(project)
    outcome = command("check", ".")
    assert outcome.output.count(b"SDI001") == 1
    fixed = [line for line in outcome.output.decode().splitlines() if line.startswith("  fix: ")]
    assert [line.partition(" (")[0].rpartition(" ")[0] for line in fixed] == [
        "  fix: paste by",
        "  fix: sdfinertia fill",
        "  fix: paste by",
    ]
    assert sum(line.endswith("</inertial> for fl_hip alone") for line in fixed) == 1
    assert "(1 file checked)" in outcome.messages
    assert "NOT CHECKED: 1 of 2 files (macros only): ./quadruped/urdf/gripper.xacro" in outcome.messages


def test_a_robot_that_another_includes_is_judged_through_that(command, project: Path) -> None:
    path = quadruped(project)
    whole = Path("quadruped/urdf/whole.urdf.xacro")
    whole.write_text(f'{HEAD}<xacro:include filename="$(find quadruped)/urdf/{path.name}"/></robot>')
    outcome = command("check", "quadruped")
    assert "(1 file checked)" in outcome.messages
    assert b"r::fl_hip" in outcome.output


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


def fixes(command: Any, path: Path) -> list[str]:
    lines = command("check", path).output.decode().splitlines()
    return [line.removeprefix("  fix: ") for line in lines if line.startswith("  fix: ")]


def test_a_command_that_would_refuse_is_no_fix_and_the_block_is_to_be_pasted(command, project: Path) -> None:
    box = '<collision name="c"><geometry><box><size>1 1 1</size></box></geometry></collision>'
    Path("m.sdf.xacro").write_text(
        '<sdf version="1.11" xmlns:xacro="http://www.ros.org/wiki/xacro"><model name="m">'
        f'<xacro:if value="1"><link name="l"><inertial auto="true"/>{box}</link></xacro:if></model></sdf>'
    )
    Path("values.yaml").write_text("arm: {mass: 2.5, ixx: 0.9}")
    values = "<xacro:property name=\"p\" value=\"${xacro.load_yaml('values.yaml')['arm']}\"/>"
    robot(values + link("l", "${p['ixx']} 0.001 0.001", "${p['mass']}"))
    (fix,) = fixes(command, Path("m.sdf.xacro"))
    assert fix.startswith("paste by hand (xacro that makes SDF is not edited): <inertial> <!-- sdf")
    (fix,) = fixes(command, Path("r.urdf.xacro"))
    assert fix.startswith("paste by hand (${p['ixx']} is not a literal number; its numbers are in values.yaml): <")
    assert fix.endswith("</inertial>")
