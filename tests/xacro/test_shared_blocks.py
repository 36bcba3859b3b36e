"""A block, property or file is written only if no branch, include or call that some argument could take uses it."""

from pathlib import Path
from typing import Any

import pytest
from builders.xacros import HEAD, link, robot

from sdfinertia.documents.repairing import repair
from sdfinertia.options import Options

pytest.importorskip("xacro")

UNNAMED = HEAD.replace(' name="r"', "")
ARG = '<xacro:arg name="more" default="false"/>\n'
WHERE = '<xacro:if value="$(arg more)">{}</xacro:if>\n'
PROPERTY = '<xacro:property name="p" value="0.5"/>\n'
MACRO = f'<xacro:macro name="m" params="n">{link("${n}")}</xacro:macro>\n<xacro:m n="a"/>\n'
USED = link("l", "0.001 0.001 ${p}")
# What the robot holds, another file `part.xacro`, and why nothing is written.
KINDS = {
    "a property in a branch": (ARG + PROPERTY + USED + WHERE.format(f'<link name="l{"${p}"}"/>'), "", "also used else"),
    "a property in a file that a branch includes": (
        ARG + PROPERTY + USED + WHERE.format('<xacro:include filename="part.xacro"/>'),
        '<link name="l${p}"/>',
        "also used elsewhere",
    ),
    "a property in a file that any argument names": (
        '<xacro:arg name="more" default="empty"/>' + PROPERTY + USED + '<xacro:include filename="$(arg more).xacro"/>',
        '<link name="l${p}"/>',
        "with other arguments",
    ),
    "a property in a file elsewhere": (
        ARG + PROPERTY + USED + WHERE.format('<xacro:include filename="$(find gone)/x/y.xacro"/>'),
        "",
        "could mean any file",
    ),
    "a property that an expression puts together": (
        '<xacro:arg name="more" default="q"/><xacro:property name="q" value="1"/>'
        + PROPERTY
        + USED
        + '<link name="l${ $(arg more) }"/>',
        "",
        "put together from others",
    ),
    "a property that a branch defines again": (
        ARG + PROPERTY + WHERE.format('<xacro:include filename="part.xacro"/>') + USED,
        '<xacro:property name="p" value="0.25"/>',
        "'p' is defined several times",
    ),
    "a property in a comment that is evaluated": (
        PROPERTY + USED + "<!-- xacro:eval-comments --><!-- ${p} -->",
        "",
        "also used elsewhere",
    ),
    "a macro that a branch calls": (ARG + MACRO + WHERE.format('<xacro:m n="b"/>'), "", "could use its macro 'm'"),
    "a macro that a branch calls by way of another": (
        ARG + MACRO + '<xacro:macro name="o"><xacro:m n="b"/></xacro:macro>' + WHERE.format("<xacro:o/>"),
        "",
        "could use its macro 'm'",
    ),
    "a macro that a file calls which a branch includes": (
        ARG + MACRO + WHERE.format('<xacro:include filename="part.xacro"/>'),
        '<xacro:m n="b"/>',
        "could use its macro 'm'",
    ),
    "a macro that is called by a computed name": (
        MACRO + '<xacro:macro name="o"/><xacro:arg name="c" default="o"/><xacro:call macro="$(arg c)"/>',
        "",
        "a computed call could use it",
    ),
    "a macro that an element of a computed name calls": (
        ARG + MACRO + WHERE.format('<xacro:element xacro:name="xacro:m" n="b"/>'),
        "",
        "could use its macro 'm'",
    ),
    "a macro that another calls under a condition": (
        ARG
        + MACRO
        + '<xacro:macro name="o" params="w"><xacro:if value="${w}"><xacro:m n="b${w}"/></xacro:if></xacro:macro>'
        + '<xacro:o w="1"/><xacro:o w="$(arg more)"/>',
        "",
        "could use its macro 'm'",
    ),
    "a block that a macro may insert again": (
        ARG
        + '<xacro:macro name="m" params="n *i"><link name="${n}"><xacro:insert_block name="i"/></link>'
        + WHERE.format('<link name="${n}2"><xacro:insert_block name="i"/></link>')
        + '</xacro:macro><xacro:m n="a"><inertial><mass value="1"/>'
        '<inertia ixx="0.001" ixy="0" ixz="0" iyy="0.001" iyz="0" izz="0.5"/></inertial></xacro:m>',
        "",
        "could use its block",
    ),
}


@pytest.mark.parametrize(("text", "part", "reason"), KINDS.values(), ids=KINDS.keys())
def test_what_some_argument_could_use_is_printed(command, project, text, part, reason):
    path = robot(text)
    Path("part.xacro").write_text(f"{UNNAMED}{part}</robot>")
    Path("empty.xacro").write_text(f"{UNNAMED}</robot>")
    before = path.read_bytes()
    outcome = command("repair", "--by", "nearest", path)
    assert outcome.status == 2
    assert path.read_bytes() == before
    assert reason in outcome.messages
    assert "; paste: <inertial>" in outcome.messages


FREE = {
    "a call in no branch": MACRO,
    "a macro that nothing calls": MACRO + '<xacro:macro name="o"><xacro:m n="b"/></xacro:macro>',
    "a branch that uses something else": ARG + MACRO + WHERE.format('<link name="b"/>'),
    "a property in a comment": PROPERTY + USED + "<!-- ${p} -->",
    "a property whose name is part of another": PROPERTY + USED + '<xacro:property name="pp" value="1"/><a b="${pp}"/>',
    "an include of a package in quotes": PROPERTY
    + USED
    + "<xacro:if value=\"${len('$(dirname)') > 1000}\"><link name='n'/></xacro:if>",
}


@pytest.mark.parametrize("text", FREE.values(), ids=FREE.keys())
def test_what_no_argument_could_use_elsewhere_is_written(project: Path, text: str) -> None:
    result = repair(robot(text), by="nearest")
    assert result.changed, result.links
    assert not result.unwritten


def shared(other: str, name: str = "b.urdf.xacro") -> None:
    Path("part.xacro").write_text(f"{UNNAMED}{PROPERTY}{MACRO.split('<xacro:m ', maxsplit=1)[0]}</robot>")
    robot('<xacro:include filename="part.xacro"/><xacro:m n="a"/>', "a.urdf.xacro")
    robot(other, name)


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        ('<xacro:include filename="part.xacro"/><xacro:m n="$(arg gone)"/>', "cannot be judged: argument 'gone'"),
        (ARG + '<xacro:include filename="part.xacro"/>' + WHERE.format('<xacro:m n="b"/>'), "could use its macro 'm'"),
        (ARG + WHERE.format('<xacro:include filename="part.xacro"/><xacro:m n="b"/>'), "could use its macro 'm'"),
    ],
)
def test_robots_of_the_repository_that_include_the_file_are_judged_too(project: Path, other: str, reason: str) -> None:
    shared(other)
    result = repair("a.urdf.xacro", by="nearest")
    assert not result.others
    assert reason in result.links[0].notes[-1]
    assert repair("a.urdf.xacro", Options(exclude=("b.urdf.xacro",)), by="nearest").others


def test_robots_that_include_other_files_are_not_judged(project: Path) -> None:
    shared('<link name="$(arg gone)"/>')
    assert repair("a.urdf.xacro", by="nearest").others


def test_a_file_written_before_one_that_fails_is_named(command, project, monkeypatch):
    from sdfinertia.errors import WriteError
    from sdfinertia.files import atomic_file

    shared('<link name="l"/>')
    path = Path("a.urdf.xacro")
    path.write_text(path.read_text().replace("</robot>", f"{link('own')}\n</robot>"))
    write = atomic_file.replace_file

    def fails_on_the_second(name: str, *arguments: Any, **options: Any) -> list[str]:
        if name == "part.xacro":
            raise WriteError("cannot be written: No space left on device", file=name)
        return write(name, *arguments, **options)

    monkeypatch.setattr(atomic_file, "replace_file", fails_on_the_second)
    outcome = command("repair", "--by", "nearest", path)
    assert outcome.status == 2
    assert "part.xacro: cannot be written: No space left on device; already written: a.urdf.xacro" in outcome.messages
    path.write_text(path.read_text().replace(link("own"), "").replace("</robot>", f"{link('new')}\n</robot>"))
    result = repair(path, by="nearest")
    with pytest.raises(WriteError, match=r"already written: a\.urdf\.xacro"):
        result.write()
