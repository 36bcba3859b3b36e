"""Two descriptions of one robot: what is the same, what differs, and what mistake explains it."""

from __future__ import annotations

from math import acos, cos, sin
from typing import TYPE_CHECKING

import pytest

import sdfinertia
from sdfinertia.comparing.comparison import LINK_FRAME, Comparison
from sdfinertia.comparing.robots import matched, renamed
from sdfinertia.errors import ConfigurationError, SdfInertiaError
from sdfinertia.inertia.rigid_transform import rotation_from_rpy, rpy_from_rotation

if TYPE_CHECKING:
    from collections.abc import Sequence

# Of the link that is spoilt; a body, with all products, and a turned pose.
MASS, CENTRE, ANGLES = 2.5, (0.03, -0.04, 0.12), (0.3, -0.2, 0.5)
TENSOR = (0.0123, 0.0234, 0.0301, 0.0011, -0.0023, 0.0017)
NAMES = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")


def inertial(
    mass: object = MASS,
    centre: Sequence[object] = CENTRE,
    tensor: Sequence[object] = TENSOR,
    angles: Sequence[object] = (0, 0, 0),
) -> str:
    entries = " ".join(f'{name}="{value}"' for name, value in zip(NAMES, tensor, strict=True))
    origin = f'<origin xyz="{" ".join(map(str, centre))}" rpy="{" ".join(map(str, angles))}"/>'
    return f'<inertial>{origin}<mass value="{mass}"/><inertia {entries}/></inertial>'


def robot(middle: str = inertial(), *, joint: str = "revolute", offset: str = "0 0 1", name: str = "r") -> bytes:
    """A robot of three links, whose middle one is given."""
    base = inertial(4, (0.01, 0.02, 0.03), (0.05, 0.06, 0.07, 0.001, 0.002, 0.003))
    tip = inertial(0.5, (0, 0.01, 0.2), (0.002, 0.003, 0.004, 0, 0, 0))
    links = "".join(
        f'<link name="{name}">{block}</link>' for name, block in (("base", base), ("arm", middle), ("tip", tip))
    )
    joints = "".join(
        f'<joint name="{child}_joint" type="{joint}"><parent link="{parent}"/><child link="{child}"/>'
        f'<origin xyz="{offset}" rpy="0 0 0.3"/><axis xyz="0 0 1"/></joint>'
        for parent, child in (("base", "arm"), ("arm", "tip"))
    )
    return f'<robot name="{name}">{links}{joints}</robot>'.encode()


def compare(first: bytes, second: bytes, **given: object) -> Comparison:
    return sdfinertia.compare(first, second, **given)  # type: ignore[arg-type]


def turned(tensor: tuple[float, ...], rpy: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(sdfinertia.InertiaTensor(*tensor).rotated(rotation_from_rpy(*rpy)))


# What is the same -----------------------------------------------------------------------------------------------------


def principal() -> bytes:
    axes = sdfinertia.SpatialInertia(MASS, CENTRE, TENSOR).principal()
    angles = [repr(angle) for angle in rpy_from_rotation(axes.rotation)]
    return robot(inertial(tensor=(*map(repr, axes.moments), 0, 0, 0), angles=angles))


def as_sdf() -> bytes:
    bodies = sdfinertia.inertials(robot(), filename="r.urdf")
    links = "".join(f'<link name="{name.split("::")[1]}">{body.as_sdf()}</link>' for name, body in bodies.items())
    return f'<sdf version="1.9"><model name="other">{links}</model></sdf>'.encode()


def as_mjcf(orientation: str) -> bytes:
    """Each body by `fullinertia`, or by its moments about axes that an orientation gives."""
    blocks = []
    for name, body in sdfinertia.inertials(robot(), filename="r.urdf").items():
        a, b, c, d, e, f, g, h, i = body.principal().rotation
        angle = acos(min((a + e + i - 1) / 2, 1.0))
        axis = [value / (2 * sin(angle)) for value in (h - f, c - g, d - b)] if angle else [1, 0, 0]
        place = f'pos="{" ".join(map(repr, body.p_BoBcm_B))}" mass="{body.mass!r}"'
        turn = {
            "quat": [cos(angle / 2), *(sin(angle / 2) * value for value in axis)],
            "axisangle": [*axis, angle],
            "xyaxes": [a, d, g, b, e, h],
        }
        tensor = f'{orientation}="{" ".join(map(repr, body.I_BBcm_B))}"'
        if orientation in turn:
            moments = " ".join(map(repr, body.principal().moments))
            tensor = f'{orientation}="{" ".join(map(repr, turn[orientation]))}" diaginertia="{moments}"'
        blocks.append(f'<body name="{name.split("::")[1]}"><freejoint/><inertial {place} {tensor}/></body>')
    text = f'<mujoco model="r"><compiler angle="radian"/><worldbody>{"".join(blocks)}</worldbody></mujoco>'
    return text.encode()


@pytest.mark.parametrize(
    "other",
    [
        principal(),
        as_sdf(),
        as_mjcf("fullinertia"),
        as_mjcf("quat"),
        as_mjcf("axisangle"),
        as_mjcf("xyaxes"),
        robot(name="another_name"),
        robot(inertial(f"{MASS:.3f}", [f"{value:.4f}" for value in CENTRE], [f"{value:.6f}" for value in TENSOR])),
        robot().replace(b'"arm"', b'"Arm"').replace(b'"base"', b'"BA_SE"'),
    ],
    ids=[
        *("principal axes", "SDF", "MJCF", "MJCF quat", "MJCF axisangle", "MJCF xyaxes"),
        *("another name", "zeros at the end", "case and -_"),
    ],
)
def test_a_robot_written_otherwise_is_the_same(other: bytes) -> None:
    comparison = compare(robot(), other)
    assert comparison, comparison
    assert len(comparison.of("same")) == 3
    assert comparison.totals[0].mass == pytest.approx(comparison.totals[1].mass)


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("2.5123", "2.51", True),
        ("2.5123", "2.512", True),
        ("2.5123", "2.52", False),
        # Equally many digits: no rounding made one of the other.
        ("2.50", "2.51", False),
        ("2.5", "2.51", False),
        ("2.5", "2.5000001", True),
    ],
)
def test_digits_that_a_file_lacks_are_no_difference(one: str, other: str, is_same: bool) -> None:
    assert bool(compare(robot(inertial(one)), robot(inertial(other)))) == is_same


def test_the_rounding_of_a_tensor_is_turned_with_it() -> None:
    tensor = [f"{value:.4g}" for value in turned(TENSOR, tuple(-a for a in (0.0, 0.0, 0.7)))]
    other = robot(inertial(tensor=tensor, angles=(0, 0, 0.7)))
    assert compare(robot(), other)
    assert not compare(robot(), robot(inertial(tensor=[*tensor[:5], "0.0035"], angles=(0, 0, 0.7))))


def test_a_larger_tolerance_takes_more_for_the_same() -> None:
    other = robot(inertial(MASS * 1.004))
    assert not compare(robot(), other)
    assert compare(robot(), other, tolerance=0.01)


# What differs, and why ------------------------------------------------------------------------------------------------

ABOUT_ORIGIN = tuple(sdfinertia.SpatialInertia(MASS, CENTRE, TENSOR).I_BBo_B)
EXCHANGED = (TENSOR[1], TENSOR[0], TENSOR[2], TENSOR[3], TENSOR[5], TENSOR[4])
OF_CAD = (*TENSOR[:3], *(-value for value in TENSOR[3:]))
IN_MILLIMETRES = inertial(centre=[1e3 * value for value in CENTRE], tensor=[1e6 * value for value in TENSOR])
CHANGED = inertial(3.1, (0.1, 0.2, 0.1), (0.03, 0.05, 0.04, 0.002, 0, 0))

SPOILT = {
    "rotation lost": (inertial(angles=ANGLES), inertial(), "rotation-missing", "second"),
    "rotation surplus": (inertial(), inertial(angles=ANGLES), "rotation-missing", "first"),
    "axes exchanged": (inertial(), inertial(tensor=EXCHANGED), "axes-exchanged", "either"),
    "signs": (inertial(), inertial(tensor=OF_CAD), "products-cad-signs", "either"),
    "one sign": (inertial(), inertial(tensor=(*TENSOR[:3], -TENSOR[3], *TENSOR[4:])), "product-sign", "either"),
    "about the origin": (inertial(), inertial(tensor=ABOUT_ORIGIN), "about-link-origin", "second"),
    "x1000": (inertial(), inertial(tensor=[1000 * value for value in TENSOR]), "tensor-units", "second"),
    "millimetres": (inertial(), IN_MILLIMETRES, "consistent-units", "second"),
    "mass alone": (inertial(), inertial(3.1), "mass-changed", "either"),
    "density": (inertial(), inertial(MASS * 1.2, tensor=[1.2 * x for x in TENSOR]), "other-density", "either"),
    "centre lost": (inertial(), inertial(centre=(0, 0, 0)), "centre-omitted", "second"),
    "pose lost": (inertial(angles=ANGLES), inertial(centre=(0, 0, 0)), "centre-omitted, rotation-missing", "second"),
    "sign of the centre": (inertial(), inertial(centre=(0.03, 0.04, 0.12)), "centre-sign", "either"),
    "three decimals": (inertial(), inertial(tensor=[f"{value:.3f}" for value in TENSOR]), "rounded-away", "second"),
    "a product lost": (inertial(), inertial(tensor=(*TENSOR[:4], 0, TENSOR[5])), "one-entry-wrong", "second"),
    "a point moved": (
        inertial(),
        inertial(tensor=(*TENSOR[:3], 10 * TENSOR[3], *TENSOR[4:])),
        "decimal-point",
        "second",
    ),
    "moments lost": (inertial(), inertial(tensor=(0, 0, 0, *TENSOR[3:])), "zero-moment", "second"),
    "all of it": (inertial(), CHANGED, "numbers-changed", "either"),
    "no inertial": (inertial(), "", "inertial-missing", "second"),
}


@pytest.mark.parametrize("kind", SPOILT)
def test_a_link_that_is_spoilt_is_reported_alone_with_its_cause(kind: str) -> None:
    first, second, cause, side = SPOILT[kind]
    comparison = compare(robot(first), robot(second))
    (link,) = comparison.differing
    assert (link.name, comparison.unmatched) == ("r::arm", [])
    assert (link.why.cause, link.why.likeliest.side) == (cause, side), link.why
    assert "{" not in "".join(reason.sentence for reason in link.why.reasons)


@pytest.mark.parametrize("kind", [kind for kind, (_, _, _, side) in SPOILT.items() if side == "second"])
def test_the_other_way_round_the_other_side_has_the_mistake(kind: str) -> None:
    first, second, cause, _ = SPOILT[kind]
    (link,) = compare(robot(second), robot(first)).differing
    assert any((reason.cause, reason.side) == (cause, "first") for reason in link.why.reasons), link.why


def test_geometry_says_which_side_is_right() -> None:
    box = '<collision><origin xyz="0.1 0 0"/><geometry><box size="0.2 0.3 0.4"/></geometry></collision>'
    right = (12 / 12 * (0.3**2 + 0.4**2), 12 / 12 * (0.2**2 + 0.4**2), 12 / 12 * (0.2**2 + 0.3**2), 0, 0, 0)
    wrong = (right[1], right[0], *right[2:])
    files = [robot(inertial(12, (0.1, 0, 0), tensor) + box) for tensor in (right, wrong)]
    for one, other, side in ((files[0], files[1], "first"), (files[1], files[0], "second")):
        (link,) = compare(one, other).differing
        assert link.why.geometry == side


# Link frames ----------------------------------------------------------------------------------------------------------


def z_to_y(body: sdfinertia.SpatialInertia) -> str:
    """A block in axes x, z, -y."""
    (x, y, z), t = body.p_BoBcm_B, body.I_BBcm_B
    return inertial(body.mass, (x, z, -y), (t.ixx, t.izz, t.iyy, t.ixz, -t.ixy, -t.iyz))


def test_one_rotation_of_all_links_is_said_instead_of_its_symptoms() -> None:
    bodies = sdfinertia.inertials(robot(), filename="r.urdf")
    links = "".join(f'<link name="{name.split("::")[1]}">{z_to_y(body)}</link>' for name, body in bodies.items())
    comparison = compare(robot(), f'<robot name="r">{links}</robot>'.encode())
    assert len(comparison.differing) == 3
    for link in comparison.differing:
        assert link.why.cause == LINK_FRAME
        assert "turned by 90° about x" in link.why.likeliest.sentence
        moved = link.second.transformed(link.why.transformation)  # type: ignore[union-attr, arg-type]
        assert moved.is_close(link.first, rtol=1e-9)  # type: ignore[arg-type]


def test_a_link_frame_that_is_elsewhere_is_found_by_its_place_and_a_lost_centre_is_none() -> None:
    # Frame of the arm 0.1 m higher: its inertial, and the joint above it, are given so.
    one = robot(offset="0 0 1")
    moved = inertial(centre=(CENTRE[0], CENTRE[1], CENTRE[2] - 0.1))
    other = robot(moved).replace(b'xyz="0 0 1" rpy="0 0 0.3"', b'xyz="0 0 1.1" rpy="0 0 0.3"', 1)
    (link,) = compare(one, other).differing
    assert link.why.cause == LINK_FRAME
    assert link.why.transformation.translation == pytest.approx((0, 0, 0.1))
    # With another mass both are said.
    mass = f'<mass value="{MASS}"/>'.encode()
    lighter = other.replace(mass, b'<mass value="0.37"/>')
    (link,) = compare(one, lighter).differing
    assert link.why.cause == f"{LINK_FRAME}, mass-changed"
    (link,) = compare(robot(), robot(inertial(centre=(0, 0, 0)))).differing
    assert link.why.transformation is None


# Links joined by fixed joints -----------------------------------------------------------------------------------------


def lumped() -> bytes:
    """The robot with all links fixed, as one link."""
    bodies = list(sdfinertia.show(robot(joint="fixed"), lumped=True, filename="r.urdf"))
    body = bodies[0].inertia
    return f'<robot name="r"><link name="base">{body.as_urdf()}</link></robot>'.encode()


def test_links_are_summed_where_all_that_is_lacking_hangs_on_links_that_are_there() -> None:
    comparison = compare(robot(joint="fixed"), lumped())
    assert comparison, comparison
    assert "links joined by fixed joints are summed, since the second lacks r::arm, r::tip" in comparison.notes
    assert comparison.links[0].fixed == ("r::arm", "r::tip")
    assert compare(lumped(), robot(joint="fixed"))


def test_a_sum_that_lost_a_part_differs_and_links_that_move_are_not_summed() -> None:
    (link,) = compare(robot(inertial(2.6), joint="fixed"), lumped()).differing
    assert (link.name, link.fixed) == ("r::base", ("r::arm", "r::tip"))
    comparison = compare(robot(), lumped())
    assert [link.name for link in comparison.of("only_in_first")] == ["r::arm", "r::tip"]
    assert not comparison.of("only_in_second")


def fused() -> bytes:
    """What MuJoCo makes of the robot with a hand fixed to its arm: the base is one with the world, and gone."""
    bodies = sdfinertia.show(with_hand(), lumped=True, filename="r.urdf")
    arm = next(body.inertia for body in bodies if body.name == "r::arm + tip")
    return f'<robot name="r"><link name="arm">{arm.as_urdf()}</link></robot>'.encode()


def with_hand(middle: str = inertial()) -> bytes:
    return robot(middle).replace(b'"tip_joint" type="revolute"', b'"tip_joint" type="fixed"')


def test_links_are_summed_beside_others_that_are_lacking_where_the_sums_agree() -> None:
    comparison = compare(with_hand(), fused())
    assert not comparison.differing
    assert [link.name for link in comparison.unmatched] == ["r::base"]
    assert comparison.of("same")[0].fixed == ("r::tip",)
    back = compare(fused(), with_hand())
    assert [link.name for link in back.of("only_in_second")] == ["r::base"]


def test_sums_that_do_not_agree_are_not_taken() -> None:
    comparison = compare(with_hand(), f'<robot name="r"><link name="arm">{inertial()}</link></robot>'.encode())
    assert not comparison.differing
    assert [link.name for link in comparison.unmatched] == ["r::base", "r::tip"]


def test_the_world_of_urdf_is_no_link_that_another_lacks() -> None:
    world = b'<link name="world"/><joint name="w" type="fixed"><parent link="world"/><child link="base"/></joint>'
    fixed = robot().replace(b"</robot>", world + b"</robot>")
    assert compare(fixed, robot())
    assert compare(robot(), fixed)
    heavy = fixed.replace(b'<link name="world"/>', b'<link name="world">%s</link>' % inertial().encode())
    assert [link.name for link in compare(heavy, robot()).unmatched] == ["r::world"]


def test_links_are_summed_on_request() -> None:
    shifted = robot(inertial(2.4), joint="fixed").replace(b'<mass value="4"/>', b'<mass value="4.1"/>')
    assert len(compare(robot(joint="fixed"), shifted).differing) == 2
    assert len(compare(robot(joint="fixed"), shifted, lumped=True).differing) == 1


def test_the_centre_of_all_is_at_the_zero_position() -> None:
    total = compare(robot(), robot()).totals[0]
    assert total.mass == 7.0
    # Both joints turn by 0.3 and rise by 1.
    x = 4 * 0.01 + 2.5 * (0.03 * cos(0.3) + 0.04 * sin(0.3)) - 0.5 * 0.01 * sin(0.6)
    assert total.centre[0] == pytest.approx(x / 7)
    assert total.centre[2] == pytest.approx((4 * 0.03 + 2.5 * 1.12 + 0.5 * 2.2) / 7)


BALL = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
BALL_OF_SDF = "<inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>"
BALL_OF_MJCF = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
TWO_BALLS = {
    "URDF": f'<robot name="r"><link name="tip">{BALL}</link><link name="base">{BALL}</link>'
    '<joint name="j" type="fixed"><parent link="base"/><child link="tip"/><origin xyz="1 0 4"/></joint></robot>',
    "MJCF": f'<mujoco><worldbody><body name="base" pos="0 1 2" euler="30 0 60">{BALL_OF_MJCF}'
    f'<body name="tip" pos="1 0 4">{BALL_OF_MJCF}</body></body></worldbody></mujoco>',
    "SDF": f'<sdf version="1.9"><model name="r"><link name="base"><pose>1 2 3 0 0 0.4</pose>{BALL_OF_SDF}</link>'
    f'<link name="tip"><pose relative_to="base">1 0 4 0 0 0</pose>{BALL_OF_SDF}</link><joint name="j" type="fixed">'
    "<parent>base</parent><child>tip</child></joint></model></sdf>",
}


@pytest.mark.parametrize("first", TWO_BALLS)
@pytest.mark.parametrize("second", TWO_BALLS)
def test_the_centre_of_all_does_not_depend_on_where_a_format_places_the_root(first: str, second: str) -> None:
    comparison = compare(TWO_BALLS[first].encode(), TWO_BALLS[second].encode())
    for total in comparison.totals:
        assert total.centre == pytest.approx((0.5, 0.0, 2.0))


# Names ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "pairs"),
    [
        (["r::a", "r::b"], ["r::b", "r::a"], [(0, 1), (1, 0)]),
        (["r::a"], ["s::a"], [(0, 0)]),
        (["r::left::arm", "r::right::arm"], ["s::left::arm", "s::right::arm"], [(0, 0), (1, 1)]),
        (["r::left::arm"], ["s::arm"], [(0, 0)]),
        (["r::Left-Arm"], ["s::left_arm"], [(0, 0)]),
        # Neither of two that a name could mean.
        (["r::arm"], ["s::x::arm", "s::y::arm"], []),
        (["r::arm"], ["s::ARM", "s::Arm"], []),
        (["r::arm", "r::ARM"], ["s::arm"], [(0, 0)]),
    ],
)
def test_links_are_matched_by_name_where_that_is_unique(
    first: list[str], second: list[str], pairs: list[tuple[int, int]]
) -> None:
    assert matched(first, second) == pairs


# What cannot be compared ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (b"", "the file is empty"),
        (b"solid mesh", "root element"),
        (robot(inertial("heavy")), "write a number"),
        (robot().replace(b'name="tip"', b'name="base"'), "two links are called 'r::base'"),
        (b'<robot name="r"/>', "has no links to compare"),
    ],
)
def test_what_cannot_be_read_is_one_error(other: bytes, message: str) -> None:
    with pytest.raises(SdfInertiaError, match=message):
        compare(robot(), other)
    with pytest.raises(SdfInertiaError, match=message):
        compare(other, robot())


@pytest.mark.parametrize("tolerance", [-1.0, float("nan"), float("inf"), "0.1", None, True])
def test_a_tolerance_is_a_number_from_zero_up(tolerance: object) -> None:
    with pytest.raises(ConfigurationError, match="tolerance must be a number"):
        compare(robot(), robot(), tolerance=tolerance)


@pytest.mark.parametrize("mass", ["1e300", "1e-300", "-2", "0"])
def test_numbers_that_no_body_has_are_compared_without_an_exception(mass: str) -> None:
    for tensor in (TENSOR, (0, 0, 0, 0, 0, 0), (1e300,) * 6, (-1, 2, 3, 0, 0, 0)):
        strange = robot(inertial(mass, tensor=tensor))
        assert compare(strange, strange)
        assert [link.name for link in compare(robot(), strange).differing] == ["r::arm"]
        assert [link.name for link in compare(strange, robot()).differing] == ["r::arm"]


def test_the_order_of_the_links_changes_nothing_but_their_order() -> None:
    spoilt = robot(inertial(angles=ANGLES))
    found = [repr(compare(robot(), spoilt)), repr(compare(robot(), spoilt))]
    assert found[0] == found[1]
    assert found[0].startswith("Comparison(2 links equal, 1 different, 0 unmatched)\n  r::arm: differs")


@pytest.mark.parametrize(
    ("first", "second", "renames", "pairs", "said"),
    [
        (("r::fer_link0", "r::fer_link1"), ("s::link0", "s::link1"), (), [(0, 0), (1, 1)], "the prefix 'fer_'"),
        (("r::base", "r::a"), ("s::base_link", "s::a_link"), (), [(0, 0), (1, 1)], "the suffix '_link' of the second"),
        (("r::world", "r::x_a", "r::x_b"), ("s::world", "s::a", "s::b"), (), [(0, 0), (1, 1), (2, 2)], "'x_'"),
        (("r::left_a", "r::left_b"), ("s::c", "s::d"), (), [], ""),
        (("r::hand", "r::foot"), ("s::palm", "s::foot"), ("hand=palm",), [(0, 0), (1, 1)], ""),
        (("r::j1_l", "r::j2_l"), ("s::k1", "s::k2"), ("j*_l=k*",), [(0, 0), (1, 1)], ""),
    ],
)
def test_names_are_matched_without_what_one_side_has_throughout_and_as_renamed(first, second, renames, pairs, said):
    left, right, notes = renamed(first, second, renames)
    assert matched(left, right) == pairs
    assert said in "".join(notes)


@pytest.mark.parametrize("rename", ["a", "=b", "a=", "a=*", "x=y"])
def test_a_rename_that_names_nothing_is_refused(rename: str) -> None:
    with pytest.raises(ConfigurationError, match="--rename"):
        renamed(("r::a",), ("s::b",), (rename,))
