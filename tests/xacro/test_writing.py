"""`fill` and `repair` write into the source of xacro where that makes the inertials that are wanted, and no more."""

import json
from pathlib import Path
from typing import Any

import pytest
from builders.xacros import HEAD, by_xacro, expanded, link, quadruped, robot

from sdfinertia.documents.repairing import repair
from sdfinertia.errors import SdfInertiaError, WriteError
from sdfinertia.files import atomic_file
from sdfinertia.links.inputs import Status
from sdfinertia.markup import Document, Element

pytest.importorskip("xacro")


def without_inertials(data: bytes, names: tuple[str, ...]) -> list[tuple[str, bytes]]:
    """Every element of a document but the inertials of links, with its attributes."""
    found: list[tuple[str, bytes]] = []

    def add(element: Element) -> None:
        found.append((element.name, element.raw_attributes))
        for child in element.children:
            if not (child.name == "inertial" and element.attribute("name") in names):
                add(child)

    for root in Document(data, "r").roots:
        add(root)
    return found


def test_a_block_is_written_once_for_all_links_that_it_makes(command, project: Path) -> None:
    path = quadruped(project)
    leg = Path("quadruped/urdf/leg.xacro")
    before, text = expanded(path).data, leg.read_text()
    outcome = command("fill", path)
    assert outcome.status == 0
    assert "4 links filled in 1 file." in outcome.messages
    assert "written at quadruped/urdf/leg.xacro:44:5" in outcome.messages
    block = """      <!-- sdfinertia: auto density=1200 -->
      <inertial>
        <!-- sdfinertia: inputs=3d8610aa7198 values=9d0a59fe5132 -->
        <origin xyz="0 0 -0.1" rpy="0 0 0"/>
        <mass value="0.301592894745"/>
        <inertia ixx="0.00103546893862" ixy="0" ixz="0" iyy="0.00103546893862" iyz="0" izz="6.03185789489e-5"/>
      </inertial>
"""
    assert leg.read_text() == text.replace("      <!-- sdfinertia: auto density=1200 -->\n", block)
    names = tuple(f"{leg}_thigh" for leg in ("fl", "fr", "rl", "rr"))
    assert without_inertials(expanded(path).data, names) == without_inertials(before, names)
    assert b"SDI001" not in command("check", path).output
    assert "1 file unchanged." in command("fill", path).messages


def test_what_differs_between_links_or_is_given_from_outside_stays_where_it_is_written(project: Path) -> None:
    macro = link("${n}").replace("<mass", '<origin xyz="0 ${y} 0"/>\n<mass')
    robot(f'<xacro:macro name="m" params="n y">{macro}</xacro:macro><xacro:m n="a" y="0.1"/><xacro:m n="b" y="0.2"/>')
    result = repair("r.urdf.xacro", by="nearest")
    assert [each.status for each in result.links] == [Status.REPAIRED] * 2
    assert b'<origin xyz="0 ${y} 0"/>' in result.content
    assert b'izz="0.333999556"' in result.content
    macro = link("l").replace("<mass", '<xacro:insert_block name="o"/>\n<mass')
    robot(f'<xacro:macro name="m" params="*o">{macro}</xacro:macro>\n<xacro:m><origin xyz="0 0.1 0"/></xacro:m>')
    result = repair("r.urdf.xacro", by="nearest")
    assert result.links[0].status is Status.REPAIRED
    assert result.content.count(b"<origin") == 1


MACRO = '<xacro:macro name="m" params="n v:=1">{}</xacro:macro><xacro:m n="a"/><xacro:m n="b" v="2"/>'
ASKS = (
    '<link name="${n}"><!-- sdfinertia: auto --><collision><geometry><box size="0.1 0.1 ${v}"/></geometry></collision>'
    "</link>"
)
REFUSED = {
    "links of one block differ": (MACRO.format(ASKS), "it makes a and b, which need different numbers"),
    "an expression": (link("l", "0.001 0.001 ${0.25*2}"), "${0.25*2} is not a literal number"),
    "a parameter": (
        f'<xacro:macro name="m" params="p">{link("l", "0.001 0.001 ${p}")}</xacro:macro><xacro:m p="0.5"/>',
        "${p} is not a literal number",
    ),
    "a property": ('<xacro:property name="p" value="0.5"/>' + link("l", "0.001 0.001 ${p}"), "${p} is not a literal"),
    "a file that reads itself": (
        '<xacro:property name="t" value="${xacro.load_yaml(\'r.urdf.xacro\')}"/><a b="${len(t)}"/>' + link("l"),
        "the robot would change elsewhere too",
    ),
    "a tensor of another macro": (
        '<xacro:macro name="t"><inertia ixx="0.001" ixy="0" ixz="0" iyy="0.001" iyz="0" izz="0.5"/></xacro:macro>'
        '<link name="l"><inertial><mass value="1"/><xacro:t/></inertial></link>',
        "its <inertia> comes from elsewhere",
    ),
    "an attribute that is set": (
        '<link name="l"><inertial><mass value="1"/><inertia ixx="0.001" ixy="0" ixz="0" iyy="0.001" iyz="0">'
        '<xacro:attribute name="izz" value="0.5"/></inertia></inertial></link>',
        "its <inertia> comes from elsewhere",
    ),
}


@pytest.mark.parametrize(("text", "reason"), REFUSED.values(), ids=REFUSED.keys())
def test_a_block_that_cannot_be_written_is_to_be_pasted(command, project: Path, text: str, reason: str) -> None:
    path = robot(text)
    before = path.read_bytes()
    outcome = command(*(("fill",) if "auto" in text else ("repair", "--by", "nearest")), path)
    assert outcome.status == 2
    assert path.read_bytes() == before
    assert f": {reason}" in outcome.messages
    assert "; paste: <inertial> <!-- sdfinertia: " in outcome.messages
    assert "to paste by hand" in outcome.messages


def test_macros_of_another_repository_are_not_edited(project: Path, tmp_path: Path) -> None:
    installed = tmp_path / "installed.xacro"
    installed.write_text(f'{HEAD}<xacro:macro name="m">{link("l")}</xacro:macro></robot>')
    result = repair(robot(f'<xacro:include filename="{installed}"/><xacro:m/>'), by="nearest")
    assert not result.others
    assert f"{installed} is outside {project}; paste: <inertial>" in result.links[0].notes[-1]


def test_a_block_is_not_written_where_it_also_makes_a_link_that_stays(command, project: Path) -> None:
    robot(f'<xacro:macro name="m" params="n">{link("${n}")}</xacro:macro><xacro:m n="a"/><xacro:m n="b"/>')
    outcome = command("repair", "--by", "nearest", "--link", "a", "r.urdf.xacro")
    assert "it also makes b, which does not change" in outcome.messages


def robot_of_parts() -> Path:
    """A robot whose two links are in files that it includes."""
    for name in ("a", "b"):
        Path(f"{name}.xacro").write_text(f"{HEAD}{link(name)}</robot>")
    return robot("".join(f'<xacro:include filename="{name}.xacro"/>' for name in ("a", "b")))


def test_a_diff_shows_every_file_and_writes_none_and_one_output_does_not_hold_several(command, project):
    path = robot_of_parts()
    before = {file: file.read_bytes() for file in Path().glob("*.xacro")}
    output = command("repair", "--by", "nearest", "--diff", path).output.decode()
    assert output.count("+++ ") == 2
    assert command("repair", "--by", "nearest", "--check", path).status == 1
    outcome = command("repair", "--by", "nearest", "-o", "out.xacro", path)
    assert outcome.status == 2
    assert "3 files would change, and one is written" in outcome.messages
    assert {file: file.read_bytes() for file in before} == before
    with pytest.raises(SdfInertiaError, match="files would change, and one is named"):
        repair(path, by="nearest").write("out.xacro")


def test_reports_hold_the_changes_of_every_file(command, project: Path) -> None:
    path = robot_of_parts()
    command("repair", "--by", "nearest", "--report", "r.json", "--report", "r.html", path)
    (file,) = json.loads(Path("r.json").read_text())["files"]
    assert (file["changed"], file["others"]) == (False, ["a.xacro", "b.xacro"])
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads(Path(__file__).parents[2].joinpath("docs/reference/schema.json").read_text())
    jsonschema.validate(json.loads(Path("r.json").read_text()), schema)
    assert "a.xacro" in Path("r.html").read_text()


def test_a_document_is_left_as_it_is_by_what_does_not_know_xacro_and_so_is_sdf_that_xacro_makes(command, project):
    path = robot(link("l", "0.01 0.01 0.01"))
    outcome = command("scale", "--mass", "2", "--link", "l", path)
    assert outcome.status == 2
    assert "xacro cannot be edited this way; use `sdfinertia fill` or `sdfinertia repair`" in outcome.messages
    box = '<collision name="c"><geometry><box><size>1 1 1</size></box></geometry></collision>'
    asking = f'<link name="l"><inertial auto="true"/>{box}</link>'
    head = '<sdf version="1.11" xmlns:xacro="http://www.ros.org/wiki/xacro"><model name="m">'
    Path("m.sdf.xacro").write_text(f"{head}\n<xacro:if value='1'>\n{asking}</xacro:if></model></sdf>")
    assert command("check", "m.sdf.xacro").output.startswith(b"m.sdf.xacro:3:")
    outcome = command("fill", "m.sdf.xacro")
    assert outcome.status == 2
    assert "xacro that makes SDF is not edited; paste: <inertial>" in outcome.messages


def test_a_file_written_before_one_that_fails_is_named(command, project, monkeypatch):
    path = robot_of_parts()
    write = atomic_file.replace_file

    def fails_on_the_second(name: str, *arguments: Any, **options: Any) -> list[str]:
        if name == "b.xacro":
            raise WriteError("cannot be written: No space left on device", file=name)
        return write(name, *arguments, **options)

    monkeypatch.setattr("sdfinertia.documents.filling.replace_file", fails_on_the_second)
    outcome = command("repair", "--by", "nearest", path)
    assert outcome.status == 2
    assert "b.xacro: cannot be written: No space left on device; already written: a.xacro" in outcome.messages
    result = repair(robot_of_parts(), by="nearest")
    with pytest.raises(WriteError, match=r"already written: a\.xacro"):
        result.write()


FREE = {
    "a macro that a branch could call": (
        '<xacro:macro name="m" params="n">' + link("${n}") + '</xacro:macro><xacro:m n="a"/>'
        '<xacro:arg name="more" default="0"/><xacro:if value="$(arg more)"><xacro:m n="b"/></xacro:if>'
    ),
    "a macro that is called by a computed name": (
        '<xacro:macro name="m">' + link("l") + '</xacro:macro><xacro:arg name="c" default="m"/>'
        '<xacro:call macro="$(arg c)"/>'
    ),
    "a block that is given to a macro": (
        '<xacro:macro name="m" params="*i"><link name="l"><xacro:insert_block name="i"/></link></xacro:macro>'
        '<xacro:m><inertial><mass value="1"/><inertia ixx="0.001" ixy="0" ixz="0" iyy="0.001" iyz="0" izz="0.5"/>'
        "</inertial></xacro:m>"
    ),
    "links in a loop of macros": (
        '<xacro:macro name="m" params="n">' + link("l${n}") + '<xacro:if value="${n > 0}"><xacro:m n="${n - 1}"/>'
        '</xacro:if></xacro:macro><xacro:m n="3"/>'
    ),
    "a property in what stays": '<xacro:property name="p" value="0.001"/>' + link("l", "0.001 0.001 0.5", "${p * 1e3}"),
}


@pytest.mark.parametrize("text", FREE.values(), ids=FREE.keys())
def test_what_xacro_makes_of_an_edited_source_has_the_new_numbers_and_no_other_difference(project, text):
    path = robot(text)
    before = by_xacro(path)
    result = repair(path, by="nearest")
    assert result.changed
    result.write()
    after = by_xacro(path)
    names = tuple(each.name.rpartition("::")[2] for each in result.links)
    assert without_inertials(after.data, names) == without_inertials(before.data, names)
    made = [each.child("inertial") for each in after.roots[0].children_named("link")]
    parts = [(each.child("mass"), each.child("inertia")) for each in made]
    numbers = [[float(value) for part in pair for value in part.attributes.values()] for pair in parts]
    assert numbers == [list(each.text.numbers()[6:]) for each in result.links]
    assert not repair(path, by="nearest").changed


# Several robots -------------------------------------------------------------------------------------------------------


def two_robots(project: Path, size: str) -> None:
    quadruped(project)
    Path("part.xacro").write_text(
        f"{HEAD}<xacro:macro name='m' params='s'>\n"
        + ASKS.replace("${n}", "l").replace("${v}", "${s}")
        + "\n</xacro:macro></robot>"
    )
    robot('<xacro:include filename="part.xacro"/><xacro:m s="1"/>', "a.urdf.xacro")
    robot(f'<xacro:include filename="part.xacro"/><xacro:m s="{size}"/>', "b.urdf.xacro")


SHARED = '<xacro:include filename="part.xacro"/><xacro:m n="{}"/>'
OTHERS = {
    "one that reads the text of the file": (
        SHARED.format("b") + '<xacro:property name="t" value="${xacro.load_yaml(\'part.xacro\')}"/><a b="${len(t)}"/>',
        "b.urdf.xacro would change elsewhere too; paste: <inertial>",
    ),
    "one whose link stays": (SHARED.format("c"), " with another centre or tensor: one block"),
}


@pytest.mark.parametrize(("other", "reason"), OTHERS.values(), ids=OTHERS.keys())
def test_a_block_is_not_written_where_another_robot_of_the_run_would_change_otherwise(command, project, other, reason):
    Path("part.xacro").write_text(f'{HEAD}<xacro:macro name="m" params="n">{link("${n}")}</xacro:macro></robot>')
    robot(SHARED.format("a"), "a.urdf.xacro")
    robot(other, "b.urdf.xacro")
    before = Path("part.xacro").read_bytes()
    outcome = command("repair", "--by", "nearest", "--link", "[ab]", "a.urdf.xacro", "b.urdf.xacro")
    assert outcome.status == 2
    assert reason in outcome.messages
    assert Path("part.xacro").read_bytes() == before


def test_a_robot_that_does_not_expand_is_refused_by_itself(command, project: Path) -> None:
    Path("part.xacro").write_text(f'{HEAD}<xacro:macro name="m" params="n">{link("${n}")}</xacro:macro></robot>')
    robot(SHARED.format("a"), "a.urdf.xacro")
    robot(SHARED.format("$(arg gone)"), "b.urdf.xacro")
    outcome = command("repair", "--by", "nearest", "a.urdf.xacro", "b.urdf.xacro")
    assert outcome.status == 2
    assert "argument 'gone' has no value" in outcome.messages
    assert 'izz="0.333999556"' in Path("part.xacro").read_text()


def test_the_hook_fills_the_robots_that_are_named_and_passes_over_macros(command, project, monkeypatch):
    two_robots(project, "1")
    monkeypatch.setenv("PRE_COMMIT", "1")
    before = Path("part.xacro").read_bytes()
    outcome = command("fill", "--keep-going", "--", "part.xacro")
    assert (outcome.status, outcome.messages) == (0, "")
    assert Path("part.xacro").read_bytes() == before
    outcome = command("fill", "--keep-going", "--", "part.xacro", "a.urdf.xacro", "b.urdf.xacro")
    assert outcome.status == 0
    assert "a.urdf.xacro: 1 link filled" in outcome.messages
    assert "sdfinertia: inputs=" in Path("part.xacro").read_text()
    Path("c.urdf.xacro").write_text(f'{HEAD}<link name="$(arg gone)"/></robot>')
    assert "argument 'gone' has no value" in command("fill", "--", "c.urdf.xacro").messages
