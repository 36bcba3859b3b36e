"""`fill` and `repair` write into the source of xacro where that makes the inertials that are wanted, and no more."""

import json
from pathlib import Path

import pytest
from builders.xacros import HEAD, expanded, link, quadruped, robot

from sdfinertia.documents.filling import fill
from sdfinertia.documents.repairing import repair
from sdfinertia.errors import SdfInertiaError
from sdfinertia.links.status import Status
from sdfinertia.markup.document import Document, Element
from sdfinertia.options import Options

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
    assert "1 file left unchanged." in command("fill", path).messages


def test_a_stale_block_is_written_anew_in_the_source(command, project: Path) -> None:
    path = quadruped(project)
    command("fill", path)
    leg = Path("quadruped/urdf/leg.xacro")
    leg.write_text(leg.read_text().replace('length="0.2"', 'length="0.3"'))
    assert b"SDI002" in command("check", path).output
    command("fill", path)
    assert leg.read_text().count("sdfinertia: inputs=") == 1
    assert 'value="0.452389342117"' in leg.read_text()
    assert b"SDI002" not in command("check", path).output


def test_a_number_that_is_a_property_is_changed_there(command, project: Path) -> None:
    path = quadruped(project)
    outcome = command("repair", "--by", "geometry", "--link", "*_foot", path)
    assert "4 links repaired in 2 files." in outcome.messages
    assert '<xacro:property name="foot_moment" value="8e-6"/>' in Path("quadruped/urdf/masses.xacro").read_text()
    assert '<xacro:property name="foot_mass" value="0.05"/>' in Path("quadruped/urdf/masses.xacro").read_text()
    leg = Path("quadruped/urdf/leg.xacro").read_text()
    assert '<inertia ixx="8e-6" ixy="0" ixz="0" iyy="8e-6" iyz="0" izz="${foot_moment}"/>' in leg
    assert '<mass value="${foot_mass}"/>' in leg


def test_a_property_with_the_other_sign_gets_the_other_sign_and_cannot_have_two_values(project: Path) -> None:
    robot('<xacro:property name="p" value="-0.5"/>\n' + link("l", "0.001 0.001 ${-p}"))
    result = repair("r.urdf.xacro", by="nearest")
    assert b'<xacro:property name="p" value="-0.333999556"/>' in result.content
    robot('<xacro:property name="p" value="0.001"/>' + link("l", "${p} ${p} 0.5").replace("1.4 1.4", "1.4 1.2"))
    result = repair("r.urdf.xacro", by="geometry")
    assert not result.changed
    assert "a property in r.urdf.xacro would need two values; paste: <inertial>" in result.links[0].notes[-1]


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
    "an expression": (link("l", "0.001 0.001 ${0.25*2}"), "${0.25*2} computes a number"),
    "a parameter": (
        f'<xacro:macro name="m" params="p">{link("l", "0.001 0.001 ${p}")}</xacro:macro><xacro:m p="0.5"/>',
        "'p' is not a property",
    ),
    "a property that is used twice": (
        '<xacro:property name="p" value="0.5"/>' + link("l", "0.001 0.001 ${p}") + '<link name="l${p}"/>',
        "the property 'p' is also used elsewhere",
    ),
    "a property that is computed": (
        '<xacro:property name="p" value="${1 / 2}"/>' + link("l", "0.001 0.001 ${p}"),
        "the property 'p' is not a literal number",
    ),
    "a property that is given twice": (
        '<xacro:property name="p" value="0.5"/><xacro:property name="p" value="0.5"/>' + link("l", "0.001 0.001 ${p}"),
        "'p' is defined several times",
    ),
    "a property that is a number that stays too": (
        '<xacro:property name="p" value="0.001"/>' + link("l", "${p} 0.002 0.5").replace('ixy="0"', 'ixy="${p}"'),
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
        "izz of its <inertia> comes from elsewhere",
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


def test_nothing_is_written_that_changes_more_than_the_inertials(project: Path) -> None:
    # What is read back from the text of the file itself no look at names can foresee.
    text = '<xacro:property name="t" value="${xacro.load_yaml(\'r.urdf.xacro\')}"/><link name="n${len(str(t))}"/>\n'
    path = robot(text + link("l"))
    path.write_text(path.read_text().replace(HEAD, "<!-- {a: 1} -->\n" + HEAD))
    with pytest.raises(SdfInertiaError):
        repair(path, by="nearest")


def test_a_block_that_a_text_depends_on_is_left(project: Path) -> None:
    Path("n.yaml").write_text("izz: p")
    # The property is named by a text that is put together, and so used where nobody sees it.
    robot(
        '<xacro:property name="p" value="0.5"/>\n'
        '<xacro:macro name="m" params="x"><gazebo value="${x}"/></xacro:macro>\n'
        '<xacro:property name="again" value="$${p}"/>\n' + link("l", "0.001 0.001 ${p}")
    )
    result = repair("r.urdf.xacro", by="nearest")
    assert not result.changed
    assert result.unwritten == 1


def test_blocks_that_can_be_written_are_though_others_cannot(command, project: Path) -> None:
    path = robot(link("a") + "\n" + link("b", "0.001 0.001 ${0.25*2}"))
    outcome = command("repair", "--by", "nearest", path)
    assert outcome.status == 2
    assert "1 link repaired in 1 file, 1 block to paste by hand." in outcome.messages
    assert "${0.25*2}" in path.read_text()
    assert 'izz="0.333999556"' in path.read_text()


def test_a_diff_shows_every_file_and_writes_none_and_one_output_does_not_hold_several(command, project):
    path = quadruped(project)
    before = {file: file.read_bytes() for file in Path("quadruped/urdf").iterdir()}
    output = command("repair", "--by", "geometry", "--link", "*_foot", "--diff", path).output.decode()
    assert output.count("+++ quadruped/urdf/") == 2
    assert {file: file.read_bytes() for file in before} == before
    assert command("repair", "--by", "geometry", "--check", "--link", "*_foot", path).status == 1
    outcome = command("repair", "--by", "geometry", "--link", "*_foot", "-o", "out.xacro", path)
    assert outcome.status == 2
    assert "3 files would change, and one is written" in outcome.messages
    with pytest.raises(SdfInertiaError, match="files would change, and one is named"):
        fill(path).write("out.xacro")


def test_reports_hold_the_changes_of_every_file(command, project: Path) -> None:
    path = quadruped(project)
    command("repair", "--by", "geometry", "--link", "*_foot", "--report", "r.md", "--report", "r.json", path)
    assert Path("r.md").read_text().count("+++ quadruped/urdf/") == 2
    (file,) = json.loads(Path("r.json").read_text())["files"]
    assert (file["changed"], file["others"]) == (False, ["quadruped/urdf/masses.xacro", "quadruped/urdf/leg.xacro"])
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads(Path(__file__).parents[2].joinpath("docs/reference/schema.json").read_text())
    jsonschema.validate(json.loads(Path("r.json").read_text()), schema)
    command("fill", "--report", "f.html", path)
    assert "quadruped/urdf/leg.xacro" in Path("f.html").read_text()


def test_the_source_comes_out_of_a_pipe_that_it_went_into(command, project: Path) -> None:
    path = robot(ASKS.replace("${n}", "l").replace("${v}", "1"))
    outcome = command("fill", "-", "--stdin-filename", "r.urdf.xacro", stdin=path.read_bytes())
    assert outcome.output.startswith(HEAD.encode())
    assert b"sdfinertia: inputs=" in outcome.output


def test_the_results_of_the_api_write_all_files(project: Path) -> None:
    path = quadruped(project)
    result = fill(path, Options())
    assert (result.changed, [Path(each.path).name for each in result.others]) == (False, ["leg.xacro"])
    result.write()
    assert not fill(path, Options()).others


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


def test_show_and_its_page_take_the_robot(command, project: Path) -> None:
    path = quadruped(project)
    outcome = command("show", "--report", "page.html", path)
    assert b"quadruped::fl_calf" in outcome.output
    assert "quadruped::fl_calf" in Path("page.html").read_text()
    assert b"quadruped::payload" in command("show", "--xacro-arg", "payload:=true", path).output


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


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_robots_that_agree_share_a_block(command, project: Path, jobs: str) -> None:
    two_robots(project, "1")
    outcome = command("fill", "--jobs", jobs, "--exclude", "quadruped", ".")
    assert outcome.status == 0
    assert Path("part.xacro").read_text().count("sdfinertia: inputs=") == 1
    assert command("fill", "--check", "a.urdf.xacro", "b.urdf.xacro").status == 0


@pytest.mark.parametrize(
    "paths", [["a.urdf.xacro", "b.urdf.xacro"], ["b.urdf.xacro", "a.urdf.xacro"], ["b.urdf.xacro"]]
)
def test_robots_that_need_different_numbers_write_nothing_however_often(command, project, paths):
    two_robots(project, "2")
    before = {file: file.read_bytes() for file in Path().glob("*.xacro")}
    for _ in range(2):
        outcome = command("fill", *paths)
        assert outcome.status == 2
        both = ("urdf.xacro gives this block ", "10 kg", "20 kg")
        alone = ("it makes l and l in a.urdf.xacro, which need different numbers",)
        assert all(words in outcome.messages for words in (both if len(paths) > 1 else alone))
        assert {file: file.read_bytes() for file in before} == before


def test_filling_a_directory_without_the_package_says_what_it_leaves_out(command, project, monkeypatch):
    monkeypatch.setattr("sdfinertia.xacro.expansion.find_spec", lambda _: None)
    quadruped(project)
    assert "4 xacro files were skipped, for want of the package xacro: install it with" in command("fill", ".").messages


def test_the_hook_fills_the_robots_that_use_a_macro(command, project, monkeypatch):
    two_robots(project, "1")
    monkeypatch.setenv("PRE_COMMIT", "1")
    outcome = command("fill", "--keep-going", "--", "part.xacro")
    assert outcome.status == 0
    assert "a.urdf.xacro: 1 link filled" in outcome.messages
    assert "sdfinertia: inputs=" in Path("part.xacro").read_text()
    assert "quadruped" not in outcome.messages
    Path("c.urdf.xacro").write_text(f'{HEAD}<link name="$(arg gone)"/></robot>')
    assert "argument 'gone' has no value" in command("fill", "--", "c.urdf.xacro").messages
