"""Every element knows its file, its line, and the macro calls and includes that it comes through."""

from pathlib import Path

import pytest
from builders.xacros import HEAD, expanded, robot

from sdfinertia.markup import Document, Element
from sdfinertia.xacro.expansion import Expansion

pytest.importorskip("xacro")

LEG = f"""{HEAD}
<xacro:macro name="leg" params="n *o">
  <link name="${{n}}_hip">
    <xacro:if value="${{n == 'a'}}">
      <visual/>
    </xacro:if>
    <inertial>
      <xacro:insert_block name="o"/>
      <!-- sdfinertia: ignore SDI103 -->
    </inertial>
  </link>
  <xacro:foot n="${{n}}"/>
</xacro:macro>
<xacro:macro name="foot" params="n"><link name="${{n}}_foot"/></xacro:macro>
</robot>
"""
ROBOT = """<xacro:include filename="leg.xacro"/>
<xacro:leg n="a"><origin xyz="1 0 0"/></xacro:leg>
<xacro:leg n="b">
  <origin xyz="2 0 0"/>
</xacro:leg>
<xacro:property name="more"><link name="more"/></xacro:property>
<xacro:insert_block name="more"/>"""


@pytest.fixture
def expansion(project: Path) -> Expansion:
    Path("leg.xacro").write_text(LEG)
    return expanded(robot(ROBOT))


def element(expansion: Expansion, *names: str) -> Element:
    """The element that names lead to: of links their own, else those of elements."""
    found = Document(expansion.data, "r").roots[0]
    for name in names:
        found = next(child for child in found.children if name in (child.attribute("name"), child.name))
    return found


PLACES = {
    "a link of a macro": (("a_hip",), "leg.xacro:4:3", ["leg r.urdf.xacro:3:1"]),
    "its other copy": (("b_hip",), "leg.xacro:4:3", ["leg r.urdf.xacro:4:1"]),
    "in a condition": (("a_hip", "visual"), "leg.xacro:6:7", ["leg r.urdf.xacro:3:1"]),
    "a block": (("b_hip", "inertial", "origin"), "r.urdf.xacro:5:3", ["leg r.urdf.xacro:4:1"]),
    "through two macros": (("b_foot",), "leg.xacro:15:37", ["foot leg.xacro:13:3", "leg r.urdf.xacro:4:1"]),
    "a property of elements": (("more",), "r.urdf.xacro:7:29", []),
}


@pytest.mark.parametrize(("names", "location", "calls"), PLACES.values(), ids=PLACES.keys())
def test_an_element_knows_where_it_is_from(expansion, names, location, calls):
    place = expansion.place(element(expansion, *names).line)
    assert str(expansion.location(place)) == location
    assert [f"{call.macro} {call.location}" for call in expansion.calls(place)] == calls
    assert expansion.element(place).name == element(expansion, *names).name


def test_a_comment_that_speaks_to_us_has_a_place_and_outlives_xacro(project: Path) -> None:
    expansion = expanded(
        robot(
            '<xacro:macro name="m"><inertial/></xacro:macro>\n<link name="l">\n<!-- sdfinertia: ignore SDI103 -->\n'
            "<!-- other -->\n<xacro:m/>\n</link>"
        )
    )
    line = expansion.data[: expansion.data.index(b"<!-- sdfinertia")].count(b"\n") + 1
    assert str(expansion.location(expansion.place(line))) == "r.urdf.xacro:4:1"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_places_hold_for_all_line_ends_and_letters(project: Path, end: str, mark: str) -> None:
    text = f'{mark}<?xml version="1.0"?>\n{HEAD}<!-- é ü -->\n<link name="é"/>\n<link name="l"/></robot>\n'
    Path("r.xacro").write_bytes(text.replace("\n", end).encode())
    expansion = expanded("r.xacro")
    place = expansion.place(element(expansion, "l").line)
    assert str(expansion.location(place)) == "r.xacro:5:1"
    assert expansion.element(place).attribute("name") == "l"
