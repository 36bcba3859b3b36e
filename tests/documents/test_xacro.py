from __future__ import annotations

from pathlib import Path

import pytest

from sdfinertia.documents.xacro import LiteralXacro, open_literal_xacro
from sdfinertia.errors import TextError
from sdfinertia.options import Options
from sdfinertia.robot.values import COLLISION, VISUAL

HEAD = '<robot name="x" xmlns:xacro="http://www.ros.org/wiki/xacro">\n'
SIX = 'ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="{}"'


def link(izz: str, name: str = "l", mass: str = "2", shape: str = "") -> str:
    inertial = f'<inertial><mass value="{mass}"/><inertia {SIX.format(izz)}/></inertial>'
    return f'<link name="{name}">{inertial}{shape}</link>\n'


def opened(text: str, filename: str = "r.xacro") -> LiteralXacro:
    return open_literal_xacro(f"{HEAD}{text}</robot>\n".encode(), Options(), filename=filename)


def texts_of(xacro: LiteralXacro) -> dict[str, tuple[str, str]]:
    """Mass and izz of each link as they read."""
    found = {}
    for each in xacro.document.links():
        texts = each.written_texts()
        assert texts is not None
        found[each.name] = texts.mass, texts.tensor[-1]
    return found


def test_literal_numbers_are_read_wherever_a_link_stands() -> None:
    xacro = opened(f'<xacro:macro name="m" params="p"><xacro:if value="1">{link("1.5")}</xacro:if></xacro:macro>')
    assert texts_of(xacro) == {"l": ("2", "1.5")}
    assert xacro.macros == 0
    assert xacro.remedy(next(iter(xacro.properties))) == "edit the xacro source"


def test_a_property_is_followed_to_where_its_number_stands() -> None:
    xacro = opened(
        '<xacro:property name="z" value="1.25"/>\n'
        + link("${z}", mass="${ m }")
        + '<xacro:property name="m" value="3"/>'
    )
    assert texts_of(xacro) == {"l": ("3", "1.25")}
    assert (
        xacro.remedy(next(iter(xacro.properties)))
        == "edit the xacro source: mass is m at r.xacro:4:1, izz is z at r.xacro:2:1"
    )


@pytest.mark.parametrize(("value", "read"), [("1.25", "-1.25"), ("-1.25", "1.25"), ("+1", "-1")])
def test_a_property_with_the_other_sign_is_one_step_too(value: str, read: str) -> None:
    xacro = opened(f'<xacro:property name="z" value="{value}"/>' + link("${-z}"))
    assert texts_of(xacro) == {"l": ("2", read)}


@pytest.mark.parametrize(
    ("before", "izz"),
    [
        pytest.param("", "${z}", id="a parameter of a macro"),
        pytest.param('<xacro:property name="z" value="1"/>', "${2 * z}", id="computed"),
        pytest.param('<xacro:property name="z" value="${y}"/>', "${z}", id="two steps"),
        pytest.param('<xacro:property name="z" value="a box"/>', "${z}", id="no number"),
        pytest.param(
            '<xacro:property name="z" value="1"/><xacro:property name="z" value="2"/>', "${z}", id="two values"
        ),
        pytest.param("", "$(arg z)", id="an argument"),
    ],
)
def test_what_a_program_makes_is_left_to_it_and_counted(before: str, izz: str) -> None:
    xacro = opened(before + link(izz))
    assert texts_of(xacro) == {}
    assert xacro.macros == 1
    (note,) = xacro.notes()
    assert "macros" in note
    assert "xacro FILE" in note


def test_a_macro_in_an_inertial_makes_its_numbers() -> None:
    text = '<link name="l"><inertial><mass value="1"/><xacro:box_inertia m="1"/></inertial></link>'
    assert opened(text).macros == 1


def test_a_link_without_inertial_is_none_of_ours() -> None:
    assert opened('<link name="l"/>').macros == 0


def test_a_property_of_a_file_that_is_included_is_found(tmp_path: Path) -> None:
    (tmp_path / "const.xacro").write_text(HEAD + '<xacro:property name="z" value="1.25"/></robot>')
    xacro = opened('<xacro:include filename="const.xacro"/>' + link("${z}"), str(tmp_path / "r.xacro"))
    assert texts_of(xacro) == {"l": ("2", "1.25")}
    assert f"izz is z at {tmp_path / 'const.xacro'}:2:1" in xacro.remedy(next(iter(xacro.properties)))


def test_links_stand_on_their_own_lines() -> None:
    xacro = opened("\n\n" + link("1") + "<!-- two\nlines -->\n" + link("1", name="m"))
    assert [each.line for each in xacro.document.links()] == [4, 7]


def test_lines_may_end_as_on_other_systems() -> None:
    text = HEAD + "\n" + link("1") + "<!-- two\nlines -->\n" + link("1", name="m") + "</robot>"
    for end in ("\n", "\r\n", "\r"):
        xacro = open_literal_xacro(text.replace("\n", end).encode(), Options(), filename="r.xacro")
        assert [each.line for each in xacro.document.links()] == [3, 6]


@pytest.mark.parametrize(("head", "name"), [("", "\udce4"), ("<?xml version='1.0' encoding='ISO-8859-1'?>", "ä")])
def test_a_byte_in_a_name_is_text_if_the_file_says_in_which_encoding(head: str, name: str) -> None:
    text = f"{head}<robot name='ä'>{link('1', name='${p}_ä')}</robot>"
    xacro = open_literal_xacro(text.encode("latin-1"), Options(), filename="r.xacro")
    assert [each.scoped_name for each in xacro.document.links()] == [f"{name}::{{p}}_{name}"]


def test_a_parameter_in_a_name_stands_in_braces() -> None:
    xacro = opened(link("1", name="${prefix}_hip"))
    assert [each.scoped_name for each in xacro.document.links()] == ["x::{prefix}_hip"]


def test_shapes_that_a_program_makes_are_left_out_and_packages_are_found_by_name() -> None:
    shapes = (
        '<visual><geometry><mesh filename="file://$(find p)/m.stl"/></geometry></visual>'
        '<collision><geometry><box size="${a} 1 1"/></geometry></collision>'
        '<collision><geometry><box size="1 2 3"/></geometry></collision>'
    )
    (found,) = opened(link("1", shape=shapes)).document.links()
    assert [solid.shape().uri for solid in found.solids(VISUAL)] == ["package://p/m.stl"]  # type: ignore[union-attr]
    assert [solid.shape().dimensions for solid in found.solids(COLLISION)] == [(1.0, 2.0, 3.0)]  # type: ignore[union-attr]


def test_another_root_is_refused() -> None:
    with pytest.raises(TextError, match="no <robot>"):
        open_literal_xacro(b"<sdf/>", Options(), filename="r.xacro")


def test_a_file_without_macros_has_nothing_said_of_it() -> None:
    assert list(opened(link("1")).notes()) == []
    assert list(opened(link("${f(2)}")).notes())


@pytest.mark.parametrize("name", ["gone.xacro", "$(find p)/$(arg which).xacro", "$(arg which)", ""])
def test_properties_of_files_that_are_not_found_are_not_known(name: str, tmp_path: Path) -> None:
    xacro = opened(f'<xacro:include filename="{name}"/>' + link("${z}") + link("1", "m"), str(tmp_path / "r.xacro"))
    assert texts_of(xacro) == {"m": ("2", "1")}
    assert xacro.macros == 1
