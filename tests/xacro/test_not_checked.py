"""What was not checked is said first, fails where nothing was checked, and is no finding."""

import json
from pathlib import Path

import pytest

from sdfinertia.documents import is_xacro

pytest.importorskip("xacro", reason="xacro is not installed")


NAMESPACE = 'xmlns:xacro="http://www.ros.org/wiki/xacro"'
WRONG = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="5"/></inertial>'


def macro(parameters: str, name: str = "leg") -> str:
    link = f'<link name="${{name}}">{WRONG}</link>'
    return f'<robot {NAMESPACE}>\n<xacro:macro name="{name}" params="{parameters}">\n{link}\n</xacro:macro>\n</robot>'


def urdf(value: str, above: str = "") -> str:
    link = f'<link name="l">{WRONG}</link>'.replace('mass value="1"', f'mass value="{value}"')
    return f'<robot name="r" {NAMESPACE}>{above}\n{link}\n</robot>'


def test_directories_in_which_nothing_is_checked_fail_and_say_which_robot_to_add(command, project):
    (project / "leg.xacro").write_text(macro("name side *origin"))
    for quiet in ((), ("--quiet",)):
        outcome = command("check", *quiet, ".")
        assert (outcome.status, outcome.output) == (2, b"")
        assert outcome.messages.startswith("NOT CHECKED: 1 of 1 file (macros only): ./leg.xacro; ")
        assert (
            '<xacro:include filename="leg.xacro"/><xacro:leg name="" side=""><origin/></xacro:leg>' in outcome.messages
        )
    assert command("check", "--write-baseline", "known.json", ".").status == 2
    message = command("check", ".").messages
    robot = message[message.index("<robot") : message.index("</robot>") + len("</robot>")].replace(
        'name=""', 'name="a"'
    )
    (project / "robot.urdf.xacro").write_text(robot)
    outcome = command("check", ".")
    assert outcome.status == 1
    assert "NOT CHECKED" not in outcome.messages


def test_macros_whose_parameters_have_defaults_are_called_with_them_unless_a_robot_uses_them(command, project):
    (project / "leg.xacro").write_text(macro("name:=hip side:='left'"))
    outcome = command("check", "-v", ".")
    assert outcome.status == 1
    assert b"leg.xacro:3:" in outcome.output
    assert b"SDI103 leg::hip" in outcome.output
    assert b"macro 'leg' judged with its defaults, at ./leg.xacro:2:1" in outcome.output
    (project / "leg.xacro").write_text(macro("name:=hip"))
    (project / "robot.xacro").write_text(
        f'<robot name="r" {NAMESPACE}><xacro:include filename="leg.xacro"/><xacro:leg name="a"/></robot>'
    )
    outcome = command("check", ".")
    assert b"r::a" in outcome.output
    assert b"hip" not in outcome.output


@pytest.mark.parametrize("form", ["json", "github", "sarif", "junit"])
def test_every_format_says_what_was_not_checked(command, project: Path, form: str) -> None:
    (project / "leg.xacro").write_text(macro("name"))
    output = command("check", "--format", form, ".").output.decode()
    assert "leg.xacro" in output
    assert "macros only" in output
    if form == "json":
        found = json.loads(output)
        assert found["checked"] == []
        assert found["not_checked"] == [{"file": "./leg.xacro", "why": "macros only"}]


# URDF files with xacro in them ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "above"), [("${m}", '<xacro:property name="m" value="2"/>'), ("${1 + 1}", ""), ("$(eval 1 + 1)", "")]
)
def test_a_urdf_file_with_xacro_in_it_is_expanded_with_a_note(command, project, text, above):
    (project / "r.urdf").write_text(urdf(text, above))
    outcome = command("check", "r.urdf")
    assert outcome.status == 1
    assert outcome.output.startswith(b"r.urdf:2:")
    assert b"SDI103" in outcome.output
    assert "r.urdf: note: has elements or values of xacro, and is expanded" in outcome.messages


@pytest.mark.parametrize(
    ("above", "is_expanded"),
    [
        ("<!-- <xacro:leg/> ${m} -->", False),
        ("<!-- a --> <link name='${m}'/> <!-- b -->", True),
        ("<gazebo><![CDATA[ <!-- ]]></gazebo> <link name='${m}'/> <!-- b -->", True),
        ("<?a <!-- ?> <link name='${m}'/> <!-- b -->", True),
        ("<gazebo a='${m}'><![CDATA[ <xacro:leg/> ]]></gazebo>", False),
    ],
)
def test_comments_and_the_content_of_other_elements_are_no_xacro(above: str, is_expanded: bool) -> None:
    text = '<?xml version="1.0"?>' + urdf("1", above)
    assert is_xacro("r.urdf", text.encode()) == is_expanded


@pytest.mark.parametrize(
    ("text", "above", "words"),
    [
        ("${m}", "", "name 'm' is not defined"),
        ("$(arg m)", "", "argument 'm' has no value; give it with --xacro-arg m:=VALUE"),
        ("1", "<xacro:leg/>", "unknown macro name"),
    ],
)
def test_a_urdf_file_that_others_make_whole_is_passed_over(command, project, text, above, words):
    (project / "part.urdf").write_text(urdf(text, above))
    (project / "whole.urdf").write_text(urdf("1"))
    outcome = command("check", ".")
    assert b"part.urdf" not in outcome.output
    assert outcome.status == 1
    assert outcome.messages.startswith("NOT CHECKED: 1 of 2 files (parts of robots): ")
    assert words in outcome.messages
    outcome = command("fill", "--check", ".")
    assert outcome.status == 0
    assert words in outcome.messages
    assert command("fill", "--check", "part.urdf").status == 2


# Arguments ------------------------------------------------------------------------------------------------------------

ARM = urdf("1").replace(
    "<link", '<xacro:arg name="side" default="x"/><xacro:if value="${\'$(arg side)\' == \'left\'}"><link'
)
ARM = ARM.replace("</link>", f'</link></xacro:if><link name="base">{WRONG}</link>')


@pytest.mark.parametrize("arguments", [("check",), ("show",), ("fill", "--check")])
def test_an_argument_that_no_file_declares_is_an_error(command, project: Path, arguments: tuple[str, ...]) -> None:
    (project / "arm.xacro").write_text(ARM)
    outcome = command(*arguments, "--xacro-arg", "sied:=left", "arm.xacro")
    assert (outcome.status, outcome.output) == (2, b"")
    assert "no xacro file declares the argument 'sied'; did you mean side?" in outcome.messages
    assert command(*arguments, "--xacro-arg", "side:=left", "arm.xacro").status < 2


@pytest.mark.parametrize("arguments", [("check",), ("show",), ("fill", "--check")])
def test_an_argument_of_a_configuration_is_refused_where_it_is_nearly_a_declared_one(command, project, arguments):
    (project / "arm.xacro").write_text(ARM)
    (project / "sdfinertia.toml").write_text('[xacro-arg]\nsied = "left"\n')
    outcome = command(*arguments, "arm.xacro")
    assert (outcome.status, outcome.output) == (2, b"")
    assert "no xacro file declares the argument 'sied'; did you mean side?" in outcome.messages
    assert "sdfinertia.toml" in outcome.messages
    # Another file of the same configuration may declare it.
    (project / "sdfinertia.toml").write_text('[xacro-arg]\nload = "1"\n')
    assert command(*arguments, "arm.xacro").status < 2
