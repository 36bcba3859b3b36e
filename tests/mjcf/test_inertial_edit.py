"""What `fill`, `scale` and `repair` write into MJCF; all other bytes stay."""

import re
from typing import Literal

import pytest

import sdfinertia
from sdfinertia.documents.filling import fill
from sdfinertia.editing.changes import Change, MoveCentre, ResizeShape, SetMass
from sdfinertia.editing.draft import open_draft
from sdfinertia.inertia import SpatialInertia
from sdfinertia.options import Options

BOX = '<geom type="box" size="0.5 1 1.5"/>'
PLAIN = Options(missing=True, provenance=False)
OURS = '<inertial pos="0 0 0" mass="6000" fullinertia="6500 5000 2500 0 0 0"/>'


def model(inside: str) -> bytes:
    return f'<mujoco>\n  <worldbody>\n    <body name="b">{inside}</body>\n  </worldbody>\n</mujoco>\n'.encode()


def written(inside: str, options: Options = PLAIN) -> str:
    result = fill(model(inside), options, filename="m.xml")
    assert result.errors == ()
    before, after = model("|").decode().split("|")
    content = result.content.decode()
    assert content.startswith(before)
    assert content.endswith(after)
    return content[len(before) : -len(after)]


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        (f"\n      {BOX}\n    ", f"\n      {OURS}\n      {BOX}\n    "),
        (f"\n\t{BOX}\n", f"\n\t{OURS}\n\t{BOX}\n"),
        (BOX, f"{OURS}{BOX}"),
        (
            "\n      <geom type='box' size='0.5 1 1.5'/>\n    ",
            "\n      " + OURS.replace('"', "'") + "\n      <geom type='box' size='0.5 1 1.5'/>\n    ",
        ),
    ],
)
def test_a_new_block_stands_first_in_the_layout_of_its_body(inside: str, expected: str) -> None:
    assert written(inside) == expected


BOXED = Options(all=True, provenance=False, overwrite_edited=True)


NEW = 'fullinertia="13 10 5 0 0 0"'


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        # The mass is its author's.
        ('mass="12" pos="1 1 1" diaginertia="1 1 1"/>', f'mass="12" pos="0 0 0" {NEW}/>'),
        (
            'pos=\'1 1 1\' mass="12"   diaginertia = "1 1 1" />',
            f"pos='0 0 0' mass=\"12\"   {NEW.replace('=', ' = ')} />",
        ),
        ('pos="0 0 0" quat="1 1 0 0" mass="12" diaginertia="1 1 1"/>', f'pos="0 0 0" mass="12" {NEW}/>'),
        ('pos="0 0 0.0" mass="12.0" fullinertia="1 1 1 0 0 0"/>', f'pos="0 0 0.0" mass="12.0" {NEW}/>'),
        ('pos="0 0 0" mass="12" diaginertia="1 1 1"></inertial>', f'pos="0 0 0" mass="12" {NEW}></inertial>'),
        (
            'pos="0 0 0" mass="12" diaginertia="1 1 1"><!-- mine --></inertial>',
            f'pos="0 0 0" mass="12" {NEW}><!-- mine --></inertial>',
        ),
    ],
)
def test_attributes_keep_order_quotes_and_spacing(block: str, expected: str) -> None:
    assert written(f"<inertial {block}{BOX}", BOXED) == f"<inertial {expected}{BOX}"


def test_principal_axes_are_a_quaternion_and_three_moments() -> None:
    turned = '<geom type="box" size="0.5 1 1.5" mass="12" euler="10 20 30"/>'
    block = written(turned, Options(missing=True, provenance=False, axes="principal"))
    assert 'diaginertia="' in block
    assert 'quat="' in block
    assert "fullinertia" not in block
    before, after = (sdfinertia.show(model(each), filename="m.xml")[0].inertia for each in (turned, block))
    assert before is not None
    assert after is not None
    assert after.I_BBcm_B == pytest.approx(before.I_BBcm_B, rel=1e-10, abs=1e-10)


@pytest.mark.parametrize("axes", ["link", "principal"])
@pytest.mark.parametrize("euler", ["0 0 0", "10 20 30", "0 90 0", "90 90 0", "0 0 180"])
def test_a_second_run_changes_nothing_and_an_edit_is_found(axes: Literal["link", "principal"], euler: str) -> None:
    data = model(f'\n      <geom type="box" size="0.5 1 1.5" mass="12" euler="{euler}"/>\n    ')
    once = fill(data, Options(missing=True, axes=axes), filename="m.xml")
    assert b"<!-- sdfinertia: " in once.content
    again = fill(once.content, Options(), filename="m.xml")
    assert (again.content, again.links) == (once.content, ())
    assert sdfinertia.check(once.content, filename="m.xml") == []
    edited = re.sub(rb'(<inertial[^>]*mass=")12', rb"\g<1>13", once.content)
    assert [finding.code for finding in sdfinertia.check(edited, filename="m.xml")] == ["SDI003"]
    moved = once.content.replace(b'size="0.5 1 1.5"', b'size="0.5 1 2.5"')
    assert [finding.code for finding in sdfinertia.check(moved, filename="m.xml")] == ["SDI002"]
    assert b"sdfinertia" in fill(moved, Options(), filename="m.xml").content


def test_a_body_asks_by_a_comment_which_stays_and_what_asks_for_nothing_is_left() -> None:
    ask = "\n      <!-- sdfinertia: auto density=2 -->\n      "
    assert sdfinertia.check(model(ask + BOX + "\n    "), filename="m.xml")[0].code == "SDI001"
    block = written(ask + BOX + "\n    ", Options(provenance=False))
    assert block.startswith(ask)
    assert 'mass="12"' in block
    assert written(BOX, Options()) == BOX
    assert OURS in written(BOX, Options(all=True, provenance=False))


def scaled(block: str, **by: float) -> SpatialInertia:
    result = sdfinertia.scale(model(block + BOX), Options(link=("*b",)), filename="m.xml", **by)
    assert result.errors == ()
    assert b"diaginertia" not in result.content or b"fullinertia" not in result.content
    inertia = sdfinertia.show(result.content, filename="m.xml")[0].inertia
    assert inertia is not None
    return inertia


@pytest.mark.parametrize(
    "block",
    [
        '<inertial pos="1 2 3" mass="12" diaginertia="13 10 5"/>',
        '<inertial pos="1 2 3" quat="1 0 0 1" mass="12" diaginertia="10 13 5"/>',
        '<inertial pos="1 2 3" mass="12" fullinertia="13 10 5 0 0 0"/>',
    ],
)
def test_scaling_keeps_the_notation(block: str) -> None:
    by_mass = scaled(block, mass=24)
    assert (by_mass.mass, by_mass.p_BoBcm_B) == (24, (1, 2, 3))
    assert by_mass.I_BBcm_B == pytest.approx((26, 20, 10, 0, 0, 0), abs=1e-9)
    by_size = scaled(block, size=2)
    assert by_size.mass == pytest.approx(96)
    assert by_size.I_BBcm_B == pytest.approx((416, 320, 160, 0, 0, 0), abs=1e-9)


def test_products_beside_an_orientation_take_its_place() -> None:
    block = '<inertial pos="0 0 0" euler="0 0 30" mass="12" diaginertia="13 10 5"/>'
    result = sdfinertia.scale(model(block + BOX), Options(link=("*b",)), size=(1, 2, 1), filename="m.xml")
    assert b"euler" not in result.content
    inertia = sdfinertia.show(result.content, filename="m.xml")[0].inertia
    assert inertia is not None
    assert inertia.I_BBcm_B == pytest.approx(result.links[0].after.I_BBcm_B, rel=1e-10)


BLOCK = '<inertial pos="0 0 0" quat="1 0 0 1" mass="12" diaginertia="10 13 5"/>'


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (SetMass("MuJoCo Model::b", 24.0), 'pos="0 0 0" quat="1 0 0 1" mass="24" diaginertia="20 26 10"'),
        (
            MoveCentre("MuJoCo Model::b", (0.1, 0.0, 0.0)),
            'pos="0.1 0 0" quat="1 0 0 1" mass="12" diaginertia="10 13 5"',
        ),
        (ResizeShape("MuJoCo Model::b", "#1", (1.0, 2.0, 4.0)), 'size="0.5 1 2"'),
    ],
)
def test_what_is_changed_by_hand_keeps_the_notation(change: Change, expected: str) -> None:
    data = model(BLOCK + BOX)
    draft = open_draft(data, filename="m.xml").changed(change)
    assert expected in draft.content.decode()
    assert draft.undone().content == data
