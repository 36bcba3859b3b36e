import math
import random

import numpy as np
import numpy.typing as npt
import pytest
from builders.bodies import is_accepted_by_gz_math, rpy_matrix, tensor_matrix

from sdfinertia.errors import InertiaError, SdfInertiaError, ValueTextError
from sdfinertia.inertia import InertiaTensor, SpatialInertia
from sdfinertia.inertia.inertial_text import InertialText, format_number, inertial_text
from sdfinertia.inertia.rigid_transform import RigidTransform, rotation_from_rpy
from sdfinertia.inertia.solids import box, cylinder
from sdfinertia.markup import Document
from sdfinertia.sdf import Robot
from sdfinertia.sdf.model import Link


def matrix_of(text: InertialText) -> npt.NDArray[np.float64]:
    xx, xy, xz, yy, yz, zz = map(float, text.tensor)
    return tensor_matrix(xx, yy, zz, xy, xz, yz)


def written(inertia: SpatialInertia, digits: int = 12, *, principal_axes: bool = False) -> InertialText:
    return inertial_text(inertia, digits=digits, principal_axes=principal_axes)


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (6.0, 12, "6"),
        (6.000000000001, 12, "6"),
        (6.00000000001, 12, "6.00000000001"),
        (0.1 + 0.2, 12, "0.3"),
        (2500.0, 12, "2500"),
        (1 / 3, 12, "0.333333333333"),
        (-1 / 3, 3, "-0.333"),
        *[(0.0, 12, "0"), (-0.0, 12, "0"), (1e-300, 12, "1e-300"), (123456.0, 3, "1.23e5"), (999.9996, 6, "1000")],
        *[(1e15, 12, "1e15"), (1.5e-7, 12, "1.5e-7"), (100000.0, 12, "100000"), (0.1, 17, "0.10000000000000001")],
    ],
)
def test_numbers_are_written_with_their_digits_in_the_shortest_form(value: float, digits: int, text: str) -> None:
    assert format_number(value, digits) == text


@pytest.mark.parametrize("digits", [1, 3, 12, 17])
def test_a_written_number_is_within_half_a_unit_of_its_last_digit(digits: int) -> None:
    generator = random.Random(digits)
    for _ in range(500):
        value = generator.uniform(-10, 10) * 10.0 ** generator.randint(-30, 30)
        unit = 10.0 ** (math.floor(math.log10(abs(value))) - digits + 1)
        assert abs(float(format_number(value, digits)) - value) <= 0.5000001 * unit + abs(value) * 2**-52


@pytest.mark.parametrize(
    ("part", "kept"), [(0.99e-14, False), (-0.99e-14, False), (1.01e-14, True), (-1.01e-14, True), (0.0, False)]
)
def test_products_below_1e_14_of_the_largest_moment_are_zero(part: float, kept: bool) -> None:
    for place in range(3):
        products = [0.0, 0.0, 0.0]
        products[place] = part * 7.0
        text = written(SpatialInertia(1.0, (0.0, 0.0, 0.0), InertiaTensor(7.0, 6.0, 5.0, *products)))
        assert [entry != "0" for entry in (text.tensor[1], text.tensor[2], text.tensor[4])] == [
            kept and place == other for other in range(3)
        ]


@pytest.mark.parametrize(
    ("centre", "written_centre"),
    [
        # Gyradius 1: unit mass, moments summing to two.
        ((0.9e-14, 0.0, 0.0), "0 0 0"),
        ((1.1e-14, 0.0, 0.0), "1.1e-14 0 0"),
        ((100.0, 0.9e-12, -0.9e-12), "100 0 0"),
        ((100.0, 1.1e-12, -1.1e-12), "100 1.1e-12 -1.1e-12"),
        ((-0.5, 0.9e-14, 0.0), "-0.5 0 0"),
    ],
)
def test_centre_coordinates_below_1e_14_of_the_size_are_zero(centre, written_centre):
    tensor = InertiaTensor(2 / 3, 2 / 3, 2 / 3)
    assert written(SpatialInertia(1.0, centre, tensor)).pose == f"{written_centre} 0 0 0"


def random_rotation(generator: random.Random) -> RigidTransform:
    return RigidTransform(rotation_from_rpy(*(generator.uniform(-3, 3) for _ in range(3))), (1.0, -2.0, 0.5))


@pytest.mark.parametrize("digits", [3, 6, 12, 16, 17])
def test_every_written_tensor_passes_libsdformats_test_of_thin_bodies(digits: int) -> None:
    generator = random.Random(digits)
    for _ in range(150):
        sizes = [10.0 ** generator.uniform(-7, 2) for _ in range(2)]
        thin = 10.0 ** generator.uniform(-9, -4)
        body = generator.choice(
            [
                box((sizes[0], sizes[1], thin), 1000.0),
                box((sizes[0], thin, thin * generator.random()), 1000.0),
                cylinder(thin, sizes[0], 1000.0),
                cylinder(sizes[0], thin, 1000.0),
            ]
        )
        if generator.random() < 0.7:
            body = body.transformed(random_rotation(generator))
        try:
            text = written(body, digits)
        except InertiaError:
            # Rounded away from any body's tensor: more digits are asked for, rather than something else written.
            assert digits < 12
            continue
        assert is_accepted_by_gz_math(text.tensor), text


@pytest.mark.parametrize(
    ("moments", "digits", "texts"),
    [
        # A lamina: ixx + iyy = izz, and three digits of each break the inequality: 1.23 + 2.34 < 3.58.
        ((1.2345, 2.3449, 3.5794), 3, ("1.24", "2.35", "3.59")),
        # 0.0123 + 3.56 < 3.58 by eight units of a thousandth: one unit of izz, 0.01, mends it, and not one of each.
        ((0.01234, 3.5649, 3.57724), 3, ("0.0223", "3.57", "3.59")),
        # What is valid when rounded is not nudged.
        ((1.111, 2.222, 3.333), 2, ("1.1", "2.2", "3.3")),
    ],
)
def test_a_plate_is_nudged_by_units_of_the_last_digit_of_its_largest_moment(moments, digits, texts):
    text = written(SpatialInertia(1.0, (0.0, 0.0, 0.0), InertiaTensor(*moments)), digits)
    assert text.tensor == (texts[0], "0", "0", texts[1], "0", texts[2])
    assert is_accepted_by_gz_math(text.tensor)


def test_digits_count_for_every_number_and_a_tensor_of_no_body_is_an_error() -> None:
    with pytest.raises(InertiaError):
        written(SpatialInertia(1.0, (0.0, 0.0, 0.0), InertiaTensor(1.0, 1.0, 5.0)))
    with pytest.raises(InertiaError):
        written(SpatialInertia(1.0, (0.0, 0.0, 0.0), InertiaTensor(0.0, 0.0, 0.0)))
    body = box((0.1, 0.2, 0.3), 1234.5678).transformed(random_rotation(random.Random(4)))
    for digits in (4, 9, 15):
        text = written(body, digits)
        for number in (*text.pose.split(), text.mass, *text.tensor):
            significant = number.partition("e")[0].replace(".", "").replace("-", "").lstrip("0")
            assert len(significant) <= digits


# Principal axes -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(10))
def test_principal_axes_have_zero_products_and_say_the_same_inertia(seed: int) -> None:
    generator = random.Random(seed)
    body = box((1.0, 2.0, 3.0), 10.0).transformed(random_rotation(generator))
    text, plain = written(body, principal_axes=True), written(body)
    assert (text.tensor[1], text.tensor[2], text.tensor[4]) == ("0", "0", "0")
    assert text.pose.split()[:3] == plain.pose.split()[:3]
    R = rpy_matrix(*map(float, text.pose.split()[3:]))
    np.testing.assert_allclose(R @ matrix_of(text) @ R.T, matrix_of(plain), atol=1e-9)
    assert np.linalg.det(R) == pytest.approx(1.0)


@pytest.mark.parametrize("angle", [1e-13, 1e-12, 0.3, 1.0])
def test_the_axes_are_stable_where_moments_coincide(angle: float) -> None:
    turned = cylinder(0.5, 2.0, 1000.0).transformed(RigidTransform(rotation_from_rpy(0.0, 0.0, angle), (0.0, 0.0, 0.0)))
    assert written(turned, principal_axes=True).pose == "0 0 0 0 0 0"
    cube = box((1.0, 1.0, 1.0), 1.0).transformed(RigidTransform(rotation_from_rpy(0.3, angle, 1.0), (0.0, 0.0, 0.0)))
    assert written(cube, principal_axes=True).pose == "0 0 0 0 0 0"


# Reading --------------------------------------------------------------------------------------------------------------


def link_with(inside: str) -> Link:
    text = f"<sdf version='1.11'><model name='m'><link name='l'><inertial>{inside}</inertial></link></model></sdf>"
    (link,) = Robot(Document(text.encode(), "m.sdf")).models()[0].all_links()
    return link


def read_written(inside: str) -> SpatialInertia:
    written = link_with(inside).written_inertia()
    return written.inertia


def test_an_explicit_inertial_is_read_in_the_link_frame_with_defaults_for_what_is_absent() -> None:
    inertia = read_written(
        "<mass>2</mass><pose>1 2 3 0 0 1.5707963267948966</pose>"
        "<inertia><ixx>3</ixx><iyy>4</iyy><izz>5</izz><ixz>0.5</ixz></inertia>"
    )
    assert inertia.mass == 2.0
    assert inertia.p_BoBcm_B == (1.0, 2.0, 3.0)
    # Turned by a right angle about z: x becomes y.
    assert inertia.I_BBcm_B == pytest.approx((4.0, 3.0, 5.0, 0.0, 0.0, 0.5))
    inertia = read_written("<inertia><ixx>3</ixx></inertia>")
    assert inertia == SpatialInertia(1.0, (0.0, 0.0, 0.0), InertiaTensor(3.0, 1.0, 1.0))


@pytest.mark.parametrize("text", ["0", "-1", "-0", "0.0", "nan", "inf", "", " ", "10kg", "0,5", "1 2", "1e-400"])
def test_a_given_mass_is_a_number_above_zero(text: str) -> None:
    with pytest.raises(ValueTextError, match="<mass>") as caught:
        link_with(f"\n<mass>{text}</mass>").given_mass()
    assert caught.value.location == ("m.sdf", 2, 1)


def test_a_given_mass_is_kept_as_it_was_written() -> None:
    assert link_with("<mass> 12.00 </mass>").given_mass() == (12.0, "12.00")
    assert link_with("").given_mass() is None


@pytest.mark.parametrize(
    "inside", ["<pose>1 2 3</pose>", "<mass>x</mass>", "<inertia><ixx/></inertia>", "<inertia><ixx>1 1</ixx></inertia>"]
)
def test_a_malformed_inertial_is_an_error(inside: str) -> None:
    with pytest.raises(SdfInertiaError):
        read_written(inside)
