"""What xacro makes of a file is what it makes here, with packages and arguments found, and errors at their place."""

import sys
from pathlib import Path

import pytest
from builders.xacros import HEAD, by_xacro, expanded, is_same, robot, without_banner

from sdfinertia.errors import SdfInertiaError
from sdfinertia.files.child_process import child_process
from sdfinertia.markup import Document
from sdfinertia.options import Options
from sdfinertia.xacro import expansion
from sdfinertia.xacro.expansion import arguments_for

pytest.importorskip("xacro")

PART = f"""{HEAD}<xacro:property name="w" value="2"/>
<xacro:macro name="m" params="n"><link name="${{n}}"/></xacro:macro></robot>"""
FEATURES = {
    "properties": """<xacro:property name="a" value="2"/><link name="l${a * 2}"/>""",
    "a property of elements": """
        <xacro:property name="a"><link name="l"/></xacro:property><xacro:insert_block name="a"/>""",
    "conditions": """
        <xacro:if value="${1 == 1}"><link name="a"/></xacro:if>
        <xacro:unless value="1"><link name="b"/></xacro:unless>""",
    "blocks": """
        <xacro:macro name="m" params="*o **c">
            <link name="l"><xacro:insert_block name="o"/><xacro:insert_block name="c"/></link>
        </xacro:macro>
        <xacro:m><visual/><x><collision/></x></xacro:m>""",
    "defaults": """
        <xacro:property name="p" value="3"/>
        <xacro:macro name="m" params="a:=1 b:=^ p:=^|4"><link name="${a}${b}${p}"/></xacro:macro>
        <xacro:property name="b" value="7"/><xacro:m/>""",
    "an element and an attribute": """
        <xacro:element xacro:name="${1 and 'link'}"><xacro:attribute name="name" value="l"/></xacro:element>""",
    "a macro called by name": """
        <xacro:macro name="m" params="n"><link name="${n}"/></xacro:macro><xacro:call macro="m" n="l"/>""",
    "an include": """<xacro:include filename="part.xacro"/><xacro:m n="${w}"/>""",
    "an include with a namespace": """<xacro:include filename="part.xacro" ns="p"/><xacro:p.m n="${p.w}"/>""",
    "includes by a pattern": """<xacro:include filename="par*.xacro"/><xacro:m n="a"/>""",
    "an include that need not be there": """<xacro:include filename="gone.xacro" optional="true"/><link name="l"/>""",
    "tables": """<xacro:property name="t" value="${dict(a=[1, 2])}"/><link name="l${t['a'][1]}"/>""",
    "a list that is computed": """<link name="l${[2 * i for i in range(3)][-1]}"/>""",
    "yaml": """<link name="${xacro.load_yaml('c.yaml')['size'][1]}" mass="${load_yaml('c.yaml').mass}"/>""",
    "units in yaml": """<link name="${xacro.load_yaml('c.yaml')['angle']}"/>""",
    "arguments": """<xacro:arg name="a" default="x"/><link name="$(arg a)"/><link name="$(eval 2 * 3)"/>""",
    "mathematics": """<link name="${math.sin(pi / 2)} ${sqrt(2)} ${radians(180)}"/>""",
    "dollars": """<link name="$${a} $$(b) $ $5"/>""",
    "comments and texts": """
        <!-- a --><gazebo><plugin>a &lt; b &amp; ${1 + 1}</plugin>
        <!-- xacro:eval-comments --><!-- ${2} --></gazebo>""",
    "scopes": """
        <xacro:macro name="m"><xacro:property name="g" value="1" scope="global"/></xacro:macro>
        <xacro:m/><link name="${g}"/>""",
    "quotes and line ends in values": """<link name='"a"&#10;b\tc'/>""",
}


@pytest.mark.parametrize("text", FEATURES.values(), ids=FEATURES.keys())
def test_the_document_is_that_of_xacro_itself(project: Path, text: str) -> None:
    Path("part.xacro").write_text(PART)
    Path("c.yaml").write_text("size: [1, 2]\nmass: 3\nangle: !degrees 180\n")
    path = robot(text)
    assert is_same(without_banner(by_xacro(path)), Document(expanded(path).data, str(path)))


def test_a_package_is_found_by_its_name_in_the_repository_and_by_the_environment(project, tmp_path, monkeypatch):
    (project / "descriptions/arm/urdf").mkdir(parents=True)
    (project / "descriptions/arm/package.xml").write_text("<package><name>my_arm</name></package>")
    (project / "descriptions/arm/urdf/part.xacro").write_text(PART)
    path = robot('<xacro:include filename="$(find my_arm)/urdf/part.xacro"/><xacro:m n="$(find my_arm)"/>')
    assert f'name="{project}/descriptions/arm"'.encode() in expanded(path).data
    path = robot('<xacro:include filename="package://my_arm/urdf/part.xacro"/><xacro:m n="l"/>')
    assert b'name="l"' in expanded(path).data
    (project / "descriptions").rename(tmp_path / "elsewhere")
    with pytest.raises(SdfInertiaError, match=r"package not found: my_arm \(tried .*ROS_PACKAGE_PATH"):
        expanded(path)
    monkeypatch.setenv("ROS_PACKAGE_PATH", str(tmp_path / "elsewhere"))
    assert b'name="l"' in expanded(path).data
    # A directory of the name, as one that is installed without its package.xml.
    monkeypatch.delenv("ROS_PACKAGE_PATH")
    (tmp_path / "elsewhere/arm/package.xml").unlink()
    (tmp_path / "elsewhere/arm").rename(tmp_path / "elsewhere/my_arm")
    assert b'name="l"' in expanded(path, resource_path=(str(tmp_path / "elsewhere"),)).data


def test_arguments_are_given_and_what_is_not_given_is_told(project: Path) -> None:
    path = robot('<link\n name="$(arg side)"/>')
    with pytest.raises(SdfInertiaError) as refused:
        expanded(path)
    assert str(refused.value) == "r.urdf.xacro:2:1: argument 'side' has no value; give it with --xacro-arg side:=VALUE"
    assert b'name="left"' in expanded(path, xacro_arg=("side:=left",)).data


@pytest.mark.parametrize(
    ("entries", "found"),
    [
        (("a:=1", "a:=2"), {"a": "2"}),
        (("a:=b:=c", "d:="), {"a": "b:=c", "d": ""}),
        (("*.urdf.xacro a:=1", "other.xacro a:=2"), {"a": "1"}),
        (("urdf/*.xacro a:=1",), {"a": "1"}),
    ],
)
def test_arguments_may_be_for_some_paths(entries: tuple[str, ...], found: dict[str, str]) -> None:
    assert arguments_for("urdf/r.urdf.xacro", Options(xacro_arg=entries)) == found


@pytest.mark.parametrize("entry", ["a", "a=1", ":=1"])
def test_an_argument_that_is_none_is_refused(entry: str) -> None:
    with pytest.raises(SdfInertiaError, match="takes NAME:=VALUE"):
        arguments_for("r.xacro", Options(xacro_arg=(entry,)))


def test_a_table_of_the_configuration_gives_arguments_and_cannot_say_that_its_tree_is_to_be_trusted(command, project):
    Path("sdfinertia.toml").write_text('[xacro-arg]\nmass = 2.5\non = true\n[xacro-arg."*.urdf.xacro"]\nname = "a b"\n')
    robot('<link name="$(arg name) $(arg mass) $(arg on)$(arg more)"/>')
    outcome = command("show", "--xacro-arg", "more:=!", "r.urdf.xacro")
    assert b"r::a b 2.5 true!" in outcome.output
    Path("sdfinertia.toml").write_text("[xacro-arg]\nmass = [1]\n")
    assert "xacro-arg must hold texts and numbers, not [1]" in command("show", "r.urdf.xacro").messages
    Path("sdfinertia.toml").write_text("trust-xacro = true\n")
    robot("")
    assert "trust-xacro cannot be set in a configuration file" in command("check", "r.urdf.xacro").messages


ERRORS = {
    "an unknown macro": ("\n<xacro:m/>", ":3:1: unknown macro name: xacro:m"),
    "an unknown property": (
        '<link/>\n<link name="${a}"/>',
        ":3:1: name 'a' is not defined when evaluating expression 'a'",
    ),
    "a condition": ('\n <xacro:if value="maybe"/>', ':3:2: Xacro conditional "maybe"'),
    "a file that is not there": ('\n<xacro:include filename="gone.xacro"/>', ":3:1: file not found: "),
    "what is not closed": ("\n<link>", ":4:1: </robot> closes <link>, opened at line 3"),
    "in a macro": (
        '<xacro:macro name="m">\n<link name="${a}"/></xacro:macro>\n<xacro:m/>',
        ":3:1: name 'a' is not defined when evaluating expression 'a', macro 'm' called at r.urdf.xacro:4:1",
    ),
    "a variable": ('<link name="$(env NO_SUCH)"/>', "environment variable 'NO_SUCH' is not set; set it"),
    "an argument of an expression": ("<link name=\"${xacro.arg('a')}\"/>", "argument 'a' has no value; give it with"),
    "an unknown substitution": ('<link name="$(fnid a)"/>', "unknown substitution '$(fnid a)'; xacro has find"),
}


@pytest.mark.parametrize(("text", "told"), ERRORS.values(), ids=ERRORS.keys())
def test_an_error_is_told_at_its_place(project: Path, text: str, told: str) -> None:
    with pytest.raises(SdfInertiaError) as refused:
        expanded(robot(text))
    assert told in str(refused.value)
    assert str(refused.value).startswith("r.urdf.xacro:")


def test_an_error_in_an_included_file_is_told_there_and_what_xacro_warns_of_is_noted(command, project):
    Path("part.xacro").write_text(f'{HEAD}\n<link name="${{a}}"/></robot>')
    robot('<xacro:include filename="part.xacro"/>')
    assert command("check", "r.urdf.xacro").output.startswith(b"part.xacro:3:1 SDI900 name 'a' is not defined")
    robot('<xacro:include filename="none*.xacro"/><link name="l"/>')
    assert "note: xacro: Include tag's filename spec" in command("check", "r.urdf.xacro").messages


def test_without_the_package_it_is_said_how_to_get_it(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expansion, "child_process", child_process)
    monkeypatch.setattr(sys, "path", [entry for entry in sys.path if not Path(entry, "xacro/__init__.py").exists()])
    with pytest.raises(
        SdfInertiaError,
        match=r"the package xacro is not installed, or is too old; install it with `.*pip install .*\[xacro\]'`",
    ):
        expanded(robot(""))
