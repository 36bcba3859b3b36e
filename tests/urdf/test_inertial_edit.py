"""What `fill` writes into URDF, byte for byte."""

import re

import pytest

from sdfinertia.documents.filling import fill
from sdfinertia.options import Options

BOX = '<collision><geometry><box size="1 2 3"/></geometry></collision>'
MOVED = '<collision><origin xyz="0.5 0 -1"/><geometry><box size="1 2 3"/></geometry></collision>'
TENSOR = 'ixx="6500" ixy="0" ixz="0" iyy="5000" iyz="0" izz="2500"'
WHOLE = f'<origin xyz="0 0 0" rpy="0 0 0"/><mass value="6000"/><inertia {TENSOR}/>'
MISSING = Options(missing=True, provenance=False)
ALL = Options(all=True, provenance=False)
_DIGESTS = re.compile(r"inputs=[0-9a-f]{12} values=[0-9a-f]{12}")


def filled(text: str, options: Options = ALL) -> str:
    """The text after filling; digests in provenance comments are replaced by #. A second run must change nothing."""
    result = fill(text.encode(), options, filename="r.urdf")
    assert result.errors == ()
    again = fill(result.content, options, filename="r.urdf")
    assert again.errors == ()
    assert again.content == result.content
    return _DIGESTS.sub("#", result.content.decode())


def robot(inside: str) -> str:
    return f'<robot name="r"><link name="l">{inside}</link></robot>'


# What stands in the block, and what must stand there after filling; the mass that is there is kept.
BLOCKS = {
    "values that change, and no others": (
        '<origin xyz="1 2 3" rpy="0 0 0.0"/><mass value="6e3"/><inertia ixx="6500.0" ixy="1" ixz="0" iyy="1" '
        'iyz="-0.0" izz="2500"/>',
        '<origin xyz="0 0 0" rpy="0 0 0.0"/><mass value="6e3"/><inertia ixx="6500.0" ixy="0" ixz="0" iyy="5000" '
        'iyz="-0.0" izz="2500"/>',
    ),
    "a text that says the number stays": (
        '<origin rpy="0 0 0" xyz="0.0  -0 0e5"/><mass value="+6000."/>' + f"<inertia {TENSOR}/>",
        None,
    ),
    "order and quotes": (
        "<inertia izz='1' ixx='1' ixy='0' ixz=\"0\" iyy='1' iyz='0'/><mass value='6000'/><origin xyz='0 0 0'/>",
        "<inertia izz='2500' ixx='6500' ixy='0' ixz=\"0\" iyy='5000' iyz='0'/><mass value='6000'/>"
        "<origin xyz='0 0 0'/>",
    ),
    "spaces, and attributes of others": (
        '<origin  xyz = "1 0 0"   frame="f" /><mass\tvalue ="6000"\nunit="kg"/>' + f"<inertia {TENSOR} />",
        '<origin  xyz = "0 0 0"   frame="f" /><mass\tvalue ="6000"\nunit="kg"/>' + f"<inertia {TENSOR} />",
    ),
    "missing attributes come last, quoted as their neighbours": (
        "<origin rpy='1 0 0'/><mass value='6000'/><inertia iyy = '5000' ixx='1' density='3' />",
        "<origin rpy='0 0 0' xyz='0 0 0'/><mass value='6000'/>"
        "<inertia iyy = '5000' ixx='6500' density='3' ixy='0' ixz='0' iyz='0' izz='2500' />",
    ),
    "a rotation that is zero is not added": (
        f'<origin xyz="0 0 1"/><mass value="6000"/><inertia {TENSOR}/>',
        f'<origin xyz="0 0 0"/><mass value="6000"/><inertia {TENSOR}/>',
    ),
    "an origin that is zero is not added": (f'<mass value="6000"/><inertia {TENSOR}/>', None),
    "a missing tensor": ('<mass value="6000"/>', f'<mass value="6000"/><inertia {TENSOR}/>'),
    "a missing mass": (
        f"<origin xyz='0 0 0'/><!-- c --><inertia {TENSOR}/>",
        f"<origin xyz='0 0 0'/><mass value=\"6000\"/><!-- c --><inertia {TENSOR}/>",
    ),
    "long forms and comments within": (
        '<origin xyz="1 0 0"> <!-- a --></origin><mass value="6000"></mass><inertia ><!-- b --></inertia>',
        f'<origin xyz="0 0 0"> <!-- a --></origin><mass value="6000"></mass><inertia {TENSOR} ><!-- b --></inertia>',
    ),
    "the first of two counts": (f'<mass value="6000"/><mass value="7"/><inertia {TENSOR}/><inertia ixx="1"/>', None),
    "look-alikes and unknown children": (
        f'<x:mass value="1"/><!-- <mass value="7"/> --><density value="2"/><mass value="6000"/><inertia {TENSOR}/>',
        None,
    ),
    "tabs between numbers are no number to others": (
        f'<origin xyz="0\t0 0"/><mass value="6000"/><inertia {TENSOR}/>',
        f'<origin xyz="0 0 0"/><mass value="6000"/><inertia {TENSOR}/>',
    ),
}


@pytest.mark.parametrize(("before", "after"), BLOCKS.values(), ids=BLOCKS)
def test_a_block_keeps_all_but_the_values_that_change(before: str, after: str | None) -> None:
    text = robot(f"<inertial>{before}</inertial>{BOX}")
    assert filled(text) == robot(f"<inertial>{after or before}</inertial>{BOX}")


def test_the_origin_is_added_where_it_is_not_zero_and_an_empty_block_opens_up_in_its_indentation() -> None:
    text = robot(f"<inertial><mass value='6000'/></inertial>{MOVED}")
    block = f"<origin xyz='0.5 0 -1' rpy='0 0 0'/><mass value='6000'/><inertia {TENSOR}/>".replace('"', "'")
    assert filled(text) == robot(f"<inertial>{block}</inertial>{MOVED}")
    text = f"<robot name='r'>\r\n\t<link name='l'>\r\n\t\t<inertial/>\r\n\t\t{BOX}\r\n\t</link>\r\n</robot>"
    lines = ['<mass value="6000"/>', f"<inertia {TENSOR}/>"]
    block = "".join(f"\r\n\t\t\t{line}" for line in lines)
    assert filled(text) == text.replace("<inertial/>", f"<inertial>{block}\r\n\t\t</inertial>")


@pytest.mark.parametrize(
    ("inertial", "expected"),
    [
        ("<inertial/>", "<inertial>"),
        ("<inertial />", "<inertial>"),
        ('<inertial a="b" />', '<inertial a="b">'),
        ("<inertial></inertial>", "<inertial>"),
    ],
)
def test_an_empty_block_on_one_line_opens_up_on_it(inertial: str, expected: str) -> None:
    block = f'{expected}<mass value="6000"/><inertia {TENSOR}/></inertial>'
    assert filled(robot(inertial + BOX)) == robot(block + BOX)


NEW_BLOCKS = {
    "on one line": (robot(BOX), robot(f"<inertial>{WHOLE}</inertial>{BOX}")),
    "in the indentation of the link": (
        f'<robot name="r">\n   <link name="l">\n      <!-- c -->\n      {BOX}\n   </link>\n</robot>\n',
        '<robot name="r">\n   <link name="l">\n      <!-- c -->\n      <inertial>\n'
        '         <origin xyz="0 0 0" rpy="0 0 0"/>\n         <mass value="6000"/>\n'
        f"         <inertia {TENSOR}/>\n      </inertial>\n      {BOX}\n   </link>\n</robot>\n",
    ),
    "behind a comment on its line": (
        f'<robot name="r">\n  <link name="l">\n    <!-- c -->{BOX}\n  </link>\n</robot>\n',
        f'<robot name="r">\n  <link name="l">\n    <!-- c --><inertial>{WHOLE}</inertial>{BOX}\n  </link>\n</robot>\n',
    ),
    "in the commoner quote of the link": (
        f'<robot name="r"><link name="l"><visual name=\'v\'/>{BOX.replace(chr(34), chr(39))}</link></robot>',
        '<robot name="r"><link name="l">'
        f"<inertial>{WHOLE.replace(chr(34), chr(39))}</inertial><visual name='v'/>{BOX.replace(chr(34), chr(39))}"
        "</link></robot>",
    ),
}


@pytest.mark.parametrize(("before", "after"), NEW_BLOCKS.values(), ids=NEW_BLOCKS)
def test_a_new_block_stands_whole_before_the_first_child(before: str, after: str) -> None:
    assert filled(before, MISSING) == after


def test_the_provenance_comment_stands_first_on_a_line_of_its_own_with_a_given_mass_and_goes_with_it() -> None:
    text = robot(f'<!-- sdfinertia: auto --><inertial><mass value="12"/></inertial>{BOX}')
    result = filled(text, Options())
    inertia = 'ixx="13" ixy="0" ixz="0" iyy="10" iyz="0" izz="5"'
    block = f'<!-- sdfinertia: mass=given # --><mass value="12"/><inertia {inertia}/>'
    assert result == robot(f"<!-- sdfinertia: auto --><inertial>{block}</inertial>{BOX}")
    text = f'<robot name="r">\n  <link name="l">\n    <inertial>\n      <mass value="12"/>\n    </inertial>{BOX}\n'
    text += "  </link>\n</robot>\n"
    managed = fill(text.encode(), Options(all=True), filename="r.urdf").content
    assert b"<inertial>\n      <!-- sdfinertia: mass=given " in managed
    plain = fill(managed, ALL, filename="r.urdf").content
    assert plain == fill(text.encode(), ALL, filename="r.urdf").content


@pytest.mark.parametrize("digits", [5, 12])
def test_a_request_without_provenance_changes_nothing_the_second_time(digits: int) -> None:
    for number in range(1, 40):
        size = f"{number / 7} {1 / number} {number / 3}"
        moved = MOVED.replace('"1 2 3"', f'"{size}"')
        text = robot(f"<!-- sdfinertia: auto density=1.7 -->{moved}")
        assert filled(text, Options(provenance=False, digits=digits)) != text


def test_a_request_without_provenance_follows_what_changes_and_a_total_mass_is_shared_out() -> None:
    text = filled(robot(f"<!-- sdfinertia: auto -->{BOX}"), Options(provenance=False))
    wider = filled(text.replace('"1 2 3"', '"1 2.000004 3"'), Options(provenance=False))
    assert '<mass value="6000"/>' in wider
    assert 'izz="2500.00800001"' in wider
    text = f'<robot name="r"><link name="a">{BOX}</link><link name="b">{BOX}</link></robot>'
    assert filled(text, Options(missing=True, total_mass=24.0, provenance=False)).count('<mass value="12"/>') == 2


def test_principal_axes_are_written_as_rpy_with_zero_products() -> None:
    turned = BOX.replace("<geometry>", '<origin rpy="0 0 0.5"/><geometry>')
    result = filled(robot(f'<inertial><mass value="12"/></inertial>{turned}'), Options(all=True, axes="principal"))
    assert 'ixy="0" ixz="0"' in result
    assert 'iyz="0"' in result
    assert re.search(r'rpy="[^"]*[1-9]', result)
    # Back in link axes, the rotation is taken out again.
    assert '<origin xyz="0 0 0" rpy="0 0 0"/>' in filled(result, ALL)


QUATERNION = '<robot name="r" version="1.1"><link name="l"><inertial><origin xyz="0 0 0" quat_xyzw="{}"/>'
QUATERNION += f'<mass value="6000"/><inertia {TENSOR}/></inertial>{BOX}</link></robot>'


@pytest.mark.parametrize(("before", "after"), [("0 0 1 0", "0 0 0 1"), ("0 0 0 2", "0 0 0 2")])
def test_axes_turned_by_a_quaternion_are_turned_back(before: str, after: str) -> None:
    assert filled(QUATERNION.format(before)) == QUATERNION.format(after)


def test_principal_axes_beside_a_quaternion_are_refused() -> None:
    text = QUATERNION.format("0 0 1 0").replace("<geometry>", '<origin rpy="0 0 0.5"/><geometry>')
    (error,) = fill(text.encode(), Options(all=True, axes="principal"), filename="r.urdf").errors
    assert "quat_xyzw" in str(error)


def test_a_stale_block_is_refilled_and_an_edited_one_is_left() -> None:
    text = robot(f"<!-- sdfinertia: auto density=2 -->{BOX}")
    managed = fill(text.encode(), Options(), filename="r.urdf").content
    stale = managed.replace(b'size="1 2 3"', b'size="1 2 6"')
    refilled = fill(stale, Options(), filename="r.urdf")
    assert b'<mass value="24"/>' in refilled.content
    assert refilled.content == fill(text.replace("1 2 3", "1 2 6").encode(), Options(), filename="r.urdf").content
    edited = managed.replace(b'ixx="13"', b'ixx="14"')
    result = fill(edited, Options(), filename="r.urdf")
    assert result.content == edited
    assert [link.status for link in result.links] == ["edited"]
