from __future__ import annotations

import math
import re
import shlex
from typing import TYPE_CHECKING, Any

import pytest
from builders.documents import collision, inertial, one_link
from builders.findings import codes, findings
from hypothesis import example, given
from hypothesis import strategies as st

from sdfinertia.documents.checking import check
from sdfinertia.documents.filling import fill
from sdfinertia.inertia import InertiaTensor
from sdfinertia.inertia.rigid_transform import rotation_from_rpy
from sdfinertia.options import Options

if TYPE_CHECKING:
    from pathlib import Path

BOX = collision("<geometry><box><size>1 1 1</size></box></geometry>")
FLAT = collision("<geometry><plane/></geometry>")
NAMES = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")


def tensor(numbers: str) -> str:
    """An `<inertia>` of the moments ixx iyy izz and, where they are there, the products ixy ixz iyz."""
    return "<inertia>" + "".join(f"<{n}>{v}</{n}>" for n, v in zip(NAMES, numbers.split(), strict=False)) + "</inertia>"


def block(numbers: str = "0.1 0.1 0.1", mass: str = "<mass>1</mass>", more: str = "") -> str:
    return f"<inertial>{more}{mass}{tensor(numbers)}</inertial>"


def mass(text: str) -> str:
    return block(mass=f"<mass>{text}</mass>")


def table(cases: dict[str, dict[str, str]]) -> list[Any]:
    return [pytest.param(code, link, id=f"{code} {name}") for code in cases for name, link in cases[code].items()]


FIRES = {
    "SDI101": {
        "zero": mass("0"),
        "minus zero": mass("-0.0"),
        "negative": mass("-1.5"),
        "a tiny negative": mass("-1e-300"),
        "not a number": mass("nan"),
        "infinite": mass("INF"),
        "minus infinity in words": mass("-infinity"),
        "a minus before a comment": mass("-<!-- kg -->1"),
        "the first of two": block(mass="<mass>0</mass><mass>1</mass>"),
        "asked to be computed with": "<inertial auto='true'><mass>-2</mass></inertial>" + BOX,
        "without collisions": mass("0"),
    },
    "SDI102": {
        "a negative moment": block("-0.1 0.1 0.1"),
        "a moment below zero by more than rounding": block("-0.001 1 1"),
        "products too large": block("0.1 0.1 0.1 0.2"),
        "all three products too large": block("1 1 1 -0.9 0.9 0.9"),
        "no moment at all": block("0 0 0"),
        "products alone": block("0 0 0 0.1 0.1 0.1"),
        "at a scale of micrograms": block("-1e-12 1e-12 1e-12"),
        "a rod without thickness": block("0 1 1"),
        "the same by its products": block("0.1 0.1 0.2 0.1"),
        "turned by its pose": block("1 1 1 2", more="<pose>1 2 3 0.1 0.2 0.3</pose>"),
    },
    "SDI103": {
        "10 4 2": block("10 4 2"),
        "in another order": block("2 10 4"),
        "by a thousandth": block("1 1 2.002"),
        "a rod with the wrong moment": block("0.00001 1 1.1"),
        "only in principal axes": block("1 1 1.5 0.9"),
        "at a scale of micrograms": block("1e-12 2e-12 4e-12"),
        "beside collisions": block("10 4 2") + BOX,
    },
    "SDI105": {
        "nothing in it": "<inertial/>",
        "a mass alone": "<inertial><mass>0.2</mass></inertial>" + BOX,
        "a mass and a pose": "<inertial><pose>0 0 1 0 0 0</pose><mass>0.2</mass></inertial>",
        "the unit tensor": block("1 1 1 0 0 0"),
        "the unit tensor otherwise written": block("1.0 1e0 +1. -0 0.0"),
        "an empty tensor": "<inertial><mass>1</mass><inertia/></inertial>",
        "one moment of the unit tensor": "<inertial><mass>1</mass><inertia><iyy>1</iyy></inertia></inertial>",
        "auto switched off": "<inertial auto='false'><mass>3</mass></inertial>" + BOX,
        "a tensor inside a look-alike": f"<inertial><mass>1</mass><gz:keep>{tensor('2 2 2')}</gz:keep></inertial>",
        "a tensor inside a comment": f"<inertial><mass>1</mass><!-- {tensor('2 2 2')} --></inertial>",
        "a namespaced tensor": "<inertial><mass>1</mass><gz:inertia><ixx>2</ixx></gz:inertia></inertial>",
    },
    "SDI106": {
        "a pose of five numbers": block(more="<pose>0 0 0 0 0</pose>"),
        "a pose of seven that are no quaternion": block(more="<pose>0 0 0 0 0 0 1</pose>"),
        "a quaternion of six": block(more="<pose rotation_format='quat_xyzw'>0 0 0 0 0 1</pose>"),
        "a pose in another frame": block(more="<pose relative_to='l'>0 0 0 0 0 0</pose>"),
        "an empty pose in another frame": block(more="<pose relative_to='f'/>"),
        "an unknown entry of the tensor": "<inertial><inertia><ixx>2</ixx><iyx>0</iyx></inertia></inertial>",
        "a mass with its unit": mass("10kg"),
        "a mass with a comma": mass("0,5"),
        "two masses in one": mass("1 2"),
        "an empty mass": block(mass="<mass/>"),
        "a hexadecimal moment": block("0x1 1 1"),
        "an empty moment": "<inertial><inertia><ixx/></inertia></inertial>",
        "a moment that is not a number": block("nan 1 1"),
        "two masses": block(mass="<mass>1</mass><mass>2</mass>"),
        "two tensors": block(more=tensor("1 2 2")),
        "two of a moment": "<inertial><inertia><ixx>2</ixx><ixx>3</ixx></inertia></inertial>",
        "two poses": block(more="<pose/><pose/>"),
        "two blocks": block() + block(),
        "two blocks of one that asks": "<inertial auto='true'/>" + block() + BOX,
        "a second mass where auto asks": "<inertial auto='true'><mass>1</mass><mass>2</mass></inertial>" + BOX,
        "an auto that is no boolean": block().replace("<inertial>", "<inertial auto='yes'>") + BOX,
        "two densities in one": block(more="<density>1 2</density>"),
    },
    "SDI107": {
        "a plate to five digits": block("0.083333 0.083333 0.16667"),
        "a plate of thirds": block("0.33333 0.66666 1"),
        "a plate to nine digits": block("0.083333333 0.083333333 0.166666667"),
        "a plate to fifteen digits": block("0.333333333333333 0.333333333333333 0.666666666666670"),
        "a rod a hair below zero": block("-1e-7 1 1"),
        "far from its frame": block("0.083333 0.083333 0.16667", more="<pose>1 2 3 0 0 0</pose>"),
        "with collisions": block("0.083333 0.083333 0.16667") + BOX,
    },
}


@pytest.mark.parametrize(("code", "link"), table(FIRES))
def test_a_rule_finds_what_it_is_for(code: str, link: str) -> None:
    assert set(codes(one_link(link), code)) == {code}


VALID = {
    "explicit and sound": block() + BOX,
    "no block": BOX,
    "nothing": "",
    "asks to be computed": "<inertial auto='true'/>" + BOX,
    "a plate, exactly": block("0.5 0.5 1"),
    "a plate whose sum is rounded": block("0.1 0.7 0.8"),
    "a plate to five digits": block("0.083333 0.083333 0.16667"),
    "a plate that rounds upwards where its halves round down": block("0.50003 0.50003 1.0001"),
    "a rod along a space diagonal": block("0.66667 0.66667 0.66667 -0.33333 -0.33333 -0.33333"),
    "a rod of five digits that is nearly one": block("0.00012345 1.0001 1.0001"),
    "a very light body": block("1e-15 1e-15 1e-15", mass="<mass>1e-9</mass>"),
    "a very heavy body": block("1e15 1e15 1e15", mass="<mass>1e9</mass>"),
    "a centre far from its frame": block(more="<pose>1000 -2000 3000 1 2 3</pose>"),
    "faults inside a look-alike": f"<plugin name='p'>{mass('-1')}{tensor('10 4 2')}</plugin>{block()}",
    "faults inside a comment": f"<!-- {mass('-1')} -->{block()}",
    "faults in a collision": BOX.replace("<geometry>", mass("-1") + "<geometry>") + block(),
    "faults of a namespaced child": block(more="<gz:mass>-1</gz:mass><gz:inertia><ixx>-1</ixx></gz:inertia>"),
}
NEAR = {
    "SDI101": {**VALID, "tiny": mass("1e-300"), "no mass": block(mass=""), "with a comment": mass("1<!-- -1 -->")},
    "SDI102": VALID,
    "SDI103": {**VALID, "not positive definite, which is another rule's": block("-1 2 2")},
    "SDI105": {
        **VALID,
        "unit moments with a product": block("1 1 1 0.1"),
        "nearly the unit tensor": block("1 1 1.0001"),
        "twice the unit tensor": block("2 2 2"),
        "the unit tensor below what asks": block("1 1 1").replace("<inertial>", "<inertial auto='1'>") + BOX,
        "one moment": "<inertial><inertia><ixx>0.9</ixx></inertia></inertial>",
    },
    "SDI106": {
        **VALID,
        "a quaternion": block(more="<pose rotation_format='quat_xyzw'>0 0 0 0 0 0 1</pose>"),
        "degrees": block(more="<pose degrees='true'>0 0 0 0 0 90</pose>"),
        "a blank pose": block(more="<pose> </pose>"),
        "a blank frame": block(more="<pose relative_to=''>0 0 0 0 0 0</pose>"),
        "all that SDFormat has there": block(
            more="<density/><auto_inertia_params><a/><a/><voxel_size>1</voxel_size></auto_inertia_params>"
            "<fluid_added_mass><xx>1</xx><pp>2</pp></fluid_added_mass>"
        ),
        "namespaced children twice": block(more="<drake:mass>1</drake:mass><drake:mass>1</drake:mass>"),
        "comments inside numbers": mass("<!-- kg --> 1 <!-- 2 -->"),
        "CDATA inside numbers": mass("<![CDATA[1]]>"),
        "line breaks inside a pose": block(more="<pose>\n0 0 0\r\n\t0 0 0\n</pose>"),
        "no tensor": "<inertial><mass>1</mass></inertial>",
        "a mass that another rule judges": mass("-1"),
        "a mass that is no number, which another rule judges": mass("nan"),
        "another infinite mass": mass("+infinity"),
    },
    "SDI107": {
        **{name: link for name, link in VALID.items() if not re.search("digits|round|rod", name)},
        "a rod": block("0 1 1"),
        "a plate whose sum is rounded in its last bit": block("0.1 0.7 0.8"),
        "a plate of seventeen digits": block("0.33333333333333331 0.33333333333333331 0.66666666666666663"),
        "impossible, which is another rule's": block("10 4 2"),
        "not positive definite, which is another rule's": block("-1 2 2"),
        "no mass, which is another rule's": block("0.1 0.1 0.1", mass="<mass>0</mass>"),
    },
}


@pytest.mark.parametrize(("code", "link"), table(NEAR))
def test_a_rule_leaves_alone_what_is_not_for_it(code: str, link: str) -> None:
    assert codes(one_link(link), code) == []


@pytest.mark.parametrize(
    "text", ["nan", "NaN", "inf", "-inf", "infinity", "+infinity", "1e999", "-nan", "10kg", "", "1 2", "0", "-1"]
)
def test_a_mass_that_is_wrong_is_one_finding(text: str) -> None:
    assert len(codes(one_link(mass(text)), "SDI101", "SDI106")) == 1


def test_six_entries_that_are_one_number_are_told_as_a_placeholder() -> None:
    [finding] = findings(one_link(inertial(1.0, (0.01,) * 6)), "SDI102", "SDI103")
    assert finding.message == "all six entries are 0.01: a placeholder"


@pytest.mark.parametrize("static", ["true", "1", "TRUE"])
@pytest.mark.parametrize("link", ["<inertial/>", block("1 1 1"), "<inertial><mass>2</mass></inertial>"])
def test_default_tensors_of_static_models_are_no_finding(static: str, link: str) -> None:
    assert codes(one_link(link, before=f"<static>{static}</static>"), "SDI105") == []
    assert codes(one_link(link, before="<static>false</static>"), "SDI105") == ["SDI105"]


def test_a_unit_tensor_that_was_computed_is_no_default() -> None:
    # 2/5 · 2.5 kg · (1 m)²
    ball = "<collision name='c'><geometry><sphere><radius>1</radius></sphere></geometry></collision>"
    filled = fill(
        one_link(f"<inertial auto='true'><mass>2.5</mass></inertial>{ball}"), filename="/nowhere/m.sdf"
    ).content
    assert b"<ixx>1</ixx>" in filled
    assert codes(filled) == []


# Rounding -------------------------------------------------------------------------------------------------------------

angles = st.floats(-math.pi, math.pi)
ratios = st.floats(0.0, 1.0)


def turned(moments: tuple[float, float, float], rpy: tuple[float, float, float], digits: int) -> str:
    numbers = InertiaTensor(*moments).rotated(rotation_from_rpy(*rpy))
    return block(" ".join(f"{number:.{digits}g}" for number in numbers))


@given(ratios, st.floats(0.1, 10.0), st.tuples(angles, angles, angles), st.integers(-9, 3), st.integers(5, 9))
@example(0.0, 1.00005, (0.0, 0.7, 0.0), 0, 5)
@example(0.50003, 1.000064, (0.0, 0.0, 0.0), 0, 5)
@example(0.5, 1 / 6, (0.0, 0.0, 0.0), 0, 5)
def test_plates_and_rods_rounded_to_five_digits_are_not_impossible(part, size, rpy, exponent, digits):
    high = size * 10.0**exponent
    content = one_link(turned((part * high, (1 - part) * high, high), rpy, digits))
    assert not any("impossible" in finding.message for finding in findings(content, "SDI102", "SDI103"))


@given(st.floats(0.05, 0.95), st.floats(0.1, 10.0), st.tuples(angles, angles, angles))
def test_a_moment_one_per_cent_above_the_sum_of_the_others_is_impossible_in_any_axes(part, size, rpy):
    content = one_link(turned((part * size, (1 - part) * size, 1.01 * size), rpy, 5))
    assert codes(content, "SDI102", "SDI103", "SDI107") == ["SDI103"]


@given(st.floats(-14.0, -0.5), st.sampled_from(["plate", "rod"]))
def test_a_defect_of_any_size_is_at_most_one_finding(exponent: float, kind: str) -> None:
    defect = 10.0**exponent
    numbers = f"0.5 0.5 {1 + defect!r}" if kind == "plate" else f"{-defect!r} 1 1"
    found = codes(one_link(block(numbers)), "SDI102", "SDI103", "SDI107")
    # libsdformat's slack, 10 epsilons of half the trace, is 2.2e-15.
    assert len(found) == (defect > 3e-15)


# What mends them ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("link", ["<inertial><mass>1</mass></inertial>", block("1 1 1"), block("10 4 2")])
@pytest.mark.parametrize("shape", ["", FLAT, BOX.replace("collision", "visual")])
def test_no_command_is_promised_where_there_is_nothing_to_compute_from(link: str, shape: str) -> None:
    [finding] = findings(one_link(link + shape), "SDI103", "SDI105")
    assert finding.remedy
    assert "sdfinertia fill" not in finding.remedy


def test_the_command_that_nudges_is_about_its_link_alone(project: Path, command) -> None:
    plate = block("0.083333 0.083333 0.16667")
    links = "".join(f"<link name='{name}'>{plate}</link>" for name in "ab")
    (project / "m.sdf").write_text(f"<sdf version='1.11'><model name='m'>{links}</model></sdf>")
    first, second = check("m.sdf", Options(select=("SDI107",)))
    assert "m::b" in second.remedy
    command(*shlex.split(second.remedy.partition(" moves its")[0])[1:])
    assert [finding.link for finding in check("m.sdf", Options(select=("SDI107",)))] == [first.link] == ["m::a"]
