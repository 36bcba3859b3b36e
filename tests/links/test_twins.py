from __future__ import annotations

import pytest

from sdfinertia.inertia import InertiaTensor
from sdfinertia.inertia.inertial_text import negated_text
from sdfinertia.inertia.rigid_transform import rotation_from_rpy
from sdfinertia.links.twins import MIRROR_X, MIRROR_Y, Look, matrix_between, seen_through
from sdfinertia.links.written_block import EntryTexts, WrittenBlock
from sdfinertia.robot.twins import NamedTwin, twin_names
from sdfinertia.shapes import Bounds

ACROSS = NamedTwin("", True, False)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("left_arm", "right_arm"),
        ("arm_left_1", "arm_right_1"),
        ("LeftShoulder", "RightShoulder"),
        ("leftarm", "rightarm"),
        ("LEFT_KNEE", "RIGHT_KNEE"),
        ("l_hip_2", "r_hip_2"),
        ("LINK_HIP_YAW_L", "LINK_HIP_YAW_R"),
        ("wheel_l", "wheel_r"),
        ("FL_hip", "FR_hip"),
        ("fl_hipx", "fr_hipx"),
        ("RL_calf", "RR_calf"),
        ("HL_HIP", "HR_HIP"),
        ("LF_SHANK", "RF_SHANK"),
        ("LH_ADAPTER", "RH_ADAPTER"),
        ("ML_foot", "MR_foot"),
        ("RW_Flap", "LW_Flap"),
        ("L1Wheel", "R1Wheel"),
        ("LShoulder", "RShoulder"),
        ("left_leg_l_joint", "right_leg_r_joint"),
    ],
)
def test_left_and_right_are_twins_by_name(one: str, other: str) -> None:
    assert NamedTwin(other, True, False) in twin_names(one)
    assert NamedTwin(one, True, False) in twin_names(other)


@pytest.mark.parametrize(
    ("one", "other", "is_across"),
    [
        *[("FL_hip", "RL_hip", False), ("FL_HIP", "HL_HIP", False), ("LF_HIP", "LH_HIP", False)],
        *[("front_leg", "rear_leg", False), ("FL_hip", "RR_hip", True), ("front_left_abad", "rear_right_abad", True)],
    ],
)
def test_front_and_back_and_opposite_corners_are_twins_by_name(one: str, other: str, is_across: bool) -> None:
    assert NamedTwin(other, is_across, True) in twin_names(one)


@pytest.mark.parametrize("name", ["link_1", "robot11_link_2", "base", "torso", "wheel", "roll", "offset", "arm1", ""])
def test_what_has_no_side_has_no_twin_by_name(name: str) -> None:
    assert twin_names(name) == []


@pytest.mark.parametrize("name", ["L1Wheel", "left_arm", "FL_hip", "LF_SHANK_2"])
def test_no_number_is_exchanged(name: str) -> None:
    digits = [character for character in name if character.isdigit()]
    assert all([character for character in twin.name if character.isdigit()] == digits for twin in twin_names(name))


def test_left_for_right_comes_before_front_for_back() -> None:
    names = [twin.name for twin in twin_names("FL_hip")]
    assert names.index("FR_hip") < names.index("RR_hip") < names.index("HL_hip")


# How one lies to the other --------------------------------------------------------------------------------------------


def test_twins_are_taken_for_mirror_images_across_y_where_nothing_tells_more() -> None:
    assert matrix_between(Look(), Look(), ACROSS) == MIRROR_Y
    assert matrix_between(Look(), Look(), NamedTwin("", False, True)) == MIRROR_X


def test_the_centre_of_mass_tells_the_plane_of_the_mirror() -> None:
    matrix = matrix_between(Look((0.1, 0.2, 0.3)), Look((0.1, 0.2, -0.3)), ACROSS)
    assert matrix == (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, -1.0)


def test_the_shapes_tell_how_the_axes_lie_to_each_other() -> None:
    turn = (0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0)
    tensor = InertiaTensor(1.0, 2.0, 2.5, 0.1, 0.2, -0.3)
    twin = Look((0.1, 0.02, 0.0), Bounds((-0.1, -0.05, -0.02), (0.4, 0.05, 0.03)), (tensor, (0.12, 0.01, 0.0)))
    own = Look(
        (-0.02, 0.1, 0.0), Bounds((-0.05, -0.1, -0.02), (0.05, 0.4, 0.03)), (tensor.rotated(turn), (-0.01, 0.12, 0.0))
    )
    assert matrix_between(twin, own, ACROSS) == turn


# Numbers in other axes ------------------------------------------------------------------------------------------------


def test_a_mirror_across_y_turns_two_products_and_keeps_the_digits() -> None:
    block = WrittenBlock(
        2.0,
        (0.1, 0.2, 0.3),
        InertiaTensor(1e-3, 2e-3, 2.5e-3, 1e-5, -2e-5, 3e-5),
        entry_texts=EntryTexts("1e-3", "2e-3", "2.5e-3", "1e-5", "-2e-5", "+3e-5"),
        mass_text="2",
        centre_texts=("0.1", "0.20", "0.3"),
    )
    seen = seen_through(block, MIRROR_Y)
    assert seen.centre == (0.1, -0.2, 0.3)
    assert seen.centre_texts == ("0.1", "-0.20", "0.3")
    assert seen.tensor == InertiaTensor(1e-3, 2e-3, 2.5e-3, -1e-5, -2e-5, -3e-5)
    assert seen.entry_texts == EntryTexts("1e-3", "2e-3", "2.5e-3", "-1e-5", "-2e-5", "-3e-5")
    assert seen.rotation == block.rotation


@pytest.mark.parametrize("matrix", [MIRROR_Y, MIRROR_X, rotation_from_rpy(0.3, -0.4, 1.0)])
@pytest.mark.parametrize("rpy", [(0.0, 0.0, 0.0), (0.5, 0.2, -1.0)])
def test_the_body_that_is_seen_is_the_image_of_the_other(matrix: tuple, rpy: tuple) -> None:
    block = WrittenBlock(2.0, (0.1, 0.2, 0.3), InertiaTensor(1.0, 2.0, 2.5, 0.1, -0.2, 0.3), rotation_from_rpy(*rpy))
    seen = seen_through(block, matrix).inertia
    assert seen.I_BBcm_B == pytest.approx(block.inertia.I_BBcm_B.rotated(matrix))
    x, y, z = (sum(matrix[3 * row + k] * block.centre[k] for k in range(3)) for row in range(3))
    assert seen.p_BoBcm_B == pytest.approx((x, y, z))


@pytest.mark.parametrize(
    ("text", "negated"),
    [("1e-3", "-1e-3"), ("-2", "2"), ("+3", "-3"), ("0", "0"), ("-0.0", "-0.0"), ("0e-3", "0e-3"), ("", "")],
)
def test_a_number_is_negated_in_its_own_digits(text: str, negated: str) -> None:
    assert negated_text(text) == negated
