"""MuJoCo's own conversions of URDF compare as equal, but for the bodies that it drops.

Geometry is left out: MuJoCo opens neither COLLADA nor `package://`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sdfinertia

if TYPE_CHECKING:
    from sdfinertia.comparing.comparison import Comparison

mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed: pip install mujoco")

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore:compiler attribute")]


def converted(urdf: bytes, *, fuses: bool) -> tuple[bytes, bytes]:
    """A robot without its geometry, and what MuJoCo makes of it; `fuses` bodies without joints with their parents.

    Raises:
        ValueError: MuJoCo refuses it.
    """
    robot = ElementTree.fromstring(urdf)
    for link in robot.iter("link"):
        for shape in (*link.findall("visual"), *link.findall("collision")):
            link.remove(shape)
    for settings in robot.findall("mujoco"):
        robot.remove(settings)
    given = {"fusestatic": str(fuses).lower(), "discardvisual": "false"}
    ElementTree.SubElement(ElementTree.SubElement(robot, "mujoco"), "compiler", given)
    source = ElementTree.tostring(robot)
    spec = mujoco.MjSpec.from_string(source.decode())
    spec.compile()
    return source, spec.to_xml().encode()


def compared(urdf: bytes, *, fuses: bool) -> Comparison:
    return sdfinertia.compare(*converted(urdf, fuses=fuses), filenames=("robot.urdf", "robot.xml"))


# Random robots --------------------------------------------------------------------------------------------------------

moments, lengths, angles = (
    st.floats(0.01, 1.0),
    st.floats(-1.0, 1.0, allow_subnormal=False),
    st.floats(-3.0, 3.0, allow_subnormal=False),
)


@st.composite
def blocks(draw: st.DrawFn) -> str:
    first, second = draw(moments), draw(moments)
    low, high = abs(first - second), first + second
    third = low + (high - low) * draw(st.floats(0.05, 0.95))
    place, turn = (" ".join(repr(draw(each)) for _ in range(3)) for each in (lengths, angles))
    return (
        f'<inertial><origin xyz="{place}" rpy="{turn}"/><mass value="{draw(moments)!r}"/>'
        f'<inertia ixx="{first!r}" iyy="{second!r}" izz="{third!r}" ixy="0" ixz="0" iyz="0"/></inertial>'
    )


@st.composite
def robots(draw: st.DrawFn) -> bytes:
    """A chain that begins at the world or not, some of whose joints are fixed."""
    count = draw(st.integers(2, 5))
    links = "".join(f'<link name="l{k}">{draw(blocks())}</link>' for k in range(count))
    joints = ""
    for k in range(1, count):
        kind = draw(st.sampled_from(["fixed", "continuous"]))
        place, turn = (" ".join(repr(draw(each)) for _ in range(3)) for each in (lengths, angles))
        joints += (
            f'<joint name="j{k}" type="{kind}"><parent link="l{k - 1}"/><child link="l{k}"/>'
            f'<origin xyz="{place}" rpy="{turn}"/><axis xyz="0 0 1"/></joint>'
        )
    world = draw(st.sampled_from(["", "fixed", "floating"]))
    if world:
        joints += f'<joint name="w" type="{world}"><parent link="world"/><child link="l0"/></joint>'
        links = f'<link name="world"/>{links}'
    return f'<robot name="r">{links}{joints}</robot>'.encode()


@given(robots())
def test_each_body_of_a_conversion_is_the_same(urdf: bytes) -> None:
    assert compared(urdf, fuses=False)


@given(robots().filter(lambda urdf: b'"floating"' in urdf or b'"continuous"' in urdf))
def test_of_a_fused_conversion_only_what_is_one_with_the_world_is_lacking(urdf: bytes) -> None:
    comparison = compared(urdf, fuses=True)
    assert not comparison.differing
    assert not comparison.of("only_in_second")
    # The root, and what is fixed to it, where nothing moves it.
    first_moved = int(urdf.partition(b'" type="continuous"')[0][-1:] if b'"continuous"' in urdf else b"9")
    assert b'"floating"' not in urdf or not comparison.unmatched
    assert all(int(link.name[-1]) < first_moved for link in comparison.unmatched)
