import math

import numpy as np
import pytest
from builders.bodies import rpy_matrix, transform_matrix

from sdfinertia.errors import ConfigurationError, ValueTextError
from sdfinertia.markup import Document, Element
from sdfinertia.robot.numbers import finite, parse_numbers, three_factors
from sdfinertia.sdf.values import read_flag, read_number, read_pose, read_vector


def element(text: str) -> Element:
    return Document(f"<sdf>\n  {text}</sdf>".encode(), "m.sdf").roots[0].children[0]


def test_flags_are_words_in_any_letter_case_and_false_where_they_are_empty_or_absent() -> None:
    for value, texts in (
        (True, ("true", "1", "True", "TRUE", " \n true\t", "tRuE")),
        (False, ("false", "0", "False", "FALSE", "\r\nfalse ", "", "  ", "\n")),
    ):
        for text in texts:
            assert read_flag(element(f"<a>{text}</a>")) is value
            assert read_flag(element(f"<a b='{text}'/>"), "b") is value
    assert read_flag(None) is read_flag(element("<a/>"), "b") is False


@pytest.mark.parametrize("text", ["yes", "no", "on", "2", "-1", "1.0", "01", "t", "truee", "true false", "\u00a0true"])
def test_other_words_are_no_booleans(text: str) -> None:
    with pytest.raises(ValueTextError) as caught:
        read_flag(element(f"<a>{text}</a>"))
    assert "<a> must be true" in caught.value.problem
    assert caught.value.location == ("m.sdf", 2, 3)


NUMBERS = {"0": 0.0, "-0": 0.0, "6": 6.0, "+6": 6.0, "6.": 6.0, ".5": 0.5, "-.5e3": -500.0, "1e-3": 1e-3, "1E+3": 1e3}
NUMBERS |= {"007": 7.0, "1e308": 1e308, "1e-400": 0.0, "3.141592653589793238462643383279": math.pi}


@pytest.mark.parametrize(("text", "value"), NUMBERS.items())
def test_numbers_are_decimal_floats_of_c(text: str, value: float) -> None:
    assert parse_numbers(text) == (value,)
    assert read_number(element(f"<mass>\n {text}\t</mass>")) == value


# Then digits and a minus sign that are not ASCII, which Python's float takes some of, and such white space.
NO_NUMBERS = [
    *("nan", "NaN", "-nan", "inf", "-inf", "Infinity", "1e999", "0x10", "0x1p3", "10kg", "1,5", "0,5"),
    *("1e", "e5", "1e+", "1.2.3", "--1"),
    *["+-1", ".", "-", "1_000", "1;2", "1f", "1.0f", "1d3", "(1)", "'1'", "1/2", "one", "$mass", "${mass}"],
    *("10 kg", "- 1", "\uff11", "\u0661", "1\xa02", "1\u2003", "\u22121"),
]


@pytest.mark.parametrize("text", NO_NUMBERS)
def test_what_is_no_decimal_float_is_refused_by_name(text: str) -> None:
    assert parse_numbers(text) is None
    with pytest.raises(ValueTextError) as caught:
        read_number(element(f"<mass>{text}</mass>"))
    assert "<mass>" in caught.value.problem
    assert repr(text)[1:-1] in caught.value.problem
    assert caught.value.location == ("m.sdf", 2, 3)


@pytest.mark.parametrize("value", [10**400, -(10**400), math.inf, math.nan])
def test_what_no_float_holds_is_no_number(value: float) -> None:
    assert finite(value) is None
    assert (finite(2), finite(1e308)) == (2.0, 1e308)
    for given in (value, (1.0, value, 1.0)):
        with pytest.raises(ConfigurationError):
            three_factors(given, "--scale", "it")


@pytest.mark.parametrize("text", ["", " ", "<!-- 6 -->", "1 2"])
def test_a_number_stands_alone(text: str) -> None:
    with pytest.raises(ValueTextError, match="write a number") as caught:
        read_number(element(f"<mass>{text}</mass>"))
    assert caught.value.location == ("m.sdf", 2, 3)


def test_a_vector_is_read_around_comments_and_in_cdata() -> None:
    assert read_vector(element("<size>1 <!-- x -->\n2<!-- y --> 3</size>"), 3) == (1, 2, 3)
    assert read_vector(element("<size><![CDATA[ 1 2 3 ]]></size>"), 3) == (1, 2, 3)
    assert read_vector(element("<size>\t1\r\n2\v\f3\r</size>"), 3) == (1, 2, 3)
    assert read_vector(element("<size>&#49; 2 3</size>"), 3) == (1, 2, 3)


@pytest.mark.parametrize("text", ["", "1", "1 2", "1 2 3 4", "1,2,3", "1, 2, 3", "1 2 x", "1 2 nan"])
def test_a_vector_has_exactly_its_length(text: str) -> None:
    with pytest.raises(ValueTextError, match="3 numbers") as caught:
        read_vector(element(f"<size>{text}</size>"), 3)
    assert caught.value.location == ("m.sdf", 2, 3)


@pytest.mark.parametrize("text", ["1 ", "1", "1.", " "])
def test_long_texts_are_refused_and_not_quoted_at_length(text: str) -> None:
    with pytest.raises(ValueTextError) as caught:
        read_number(element(f"<mass>{text * 3000}x</mass>"))
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    "text",
    [
        *("<pose/>", "<pose></pose>", "<pose> \n </pose>", "<pose><!-- 1 --></pose>"),
        *("<pose rotation_format='quat_xyzw'/>", "<pose degrees='true'> </pose>"),
        "<pose rotation_format='quat_xyzw'>0 0 0 0 0 0 0</pose>",
    ],
)
def test_a_blank_pose_and_the_zero_quaternion_are_the_identity(text: str) -> None:
    assert transform_matrix(read_pose(element(text)).transform()).tolist() == np.eye(4).tolist()
    assert transform_matrix(read_pose(None).transform()).tolist() == np.eye(4).tolist()


@pytest.mark.parametrize(
    ("text", "angles"),
    [
        ("<pose>1 2 3 0.1 -0.2 0.3</pose>", (0.1, -0.2, 0.3)),
        ("<pose rotation_format='euler_rpy'>1 2 3 4 5 6</pose>", (4, 5, 6)),
        ("<pose degrees='true'>1 2 3 10 20 -30</pose>", tuple(map(math.radians, (10, 20, -30)))),
        ("<pose degrees='1' rotation_format='euler_rpy'>1 2 3 90 0 0</pose>", (math.pi / 2, 0, 0)),
        ("<pose degrees='false'>1 2 3 1 0 0</pose>", (1, 0, 0)),
        ("<pose degrees=''>1 2 3 1 0 0</pose>", (1, 0, 0)),
    ],
)
def test_rotations_are_fixed_axis_roll_pitch_yaw(text: str, angles: tuple[float, float, float]) -> None:
    X = transform_matrix(read_pose(element(text)).transform())
    np.testing.assert_allclose(X[:3, :3], rpy_matrix(*angles), atol=1e-15)
    assert X[:3, 3].tolist() == [1, 2, 3]


@pytest.mark.parametrize("scale", [1.0, 0.9997, 17.0, 1e-3])
def test_a_quaternion_is_x_y_z_w_and_is_normalised(scale: float) -> None:
    half = math.radians(30)
    x, w = scale * math.sin(half), scale * math.cos(half)
    X = transform_matrix(
        read_pose(element(f"<pose rotation_format='quat_xyzw'>1 2 3 {x!r} 0 0 {w!r}</pose>")).transform()
    )
    np.testing.assert_allclose(X[:3, :3], rpy_matrix(math.radians(60), 0, 0), atol=1e-15)
    assert X[:3, 3].tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    "text",
    [
        "<pose>0</pose>",
        "<pose>1 2 3</pose>",
        "<pose>1 2 3 0 0</pose>",
        "<pose>1 2 3 0 0 0 1</pose>",
        "<pose rotation_format='quat_xyzw'>1 2 3 0 0 0</pose>",
        "<pose rotation_format='quat_xyzw'>1 2 3 0 0 0 1 0</pose>",
        "<pose rotation_format='quat_wxyz'>1 2 3 1 0 0 0</pose>",
        "<pose rotation_format='quat_xyzw' degrees='true'>1 2 3 0 0 0 1</pose>",
        *("<pose degrees='maybe'>1 2 3 0 0 0</pose>", "<pose>1 2 3 0 0 nan</pose>"),
        *("<pose>1, 2, 3, 0, 0, 0</pose>", "<pose>1 2 3 0 0 pi</pose>"),
    ],
)
def test_other_poses_are_errors_at_their_line(text: str) -> None:
    with pytest.raises(ValueTextError) as caught:
        read_pose(element(text))
    assert caught.value.location == ("m.sdf", 2, 3)


@pytest.mark.parametrize(
    ("text", "attribute", "frame"),
    [
        ("<pose relative_to=' a::b '>0 0 0 0 0 0</pose>", "relative_to", "a::b"),
        ("<pose relative_to='  '/>", "relative_to", ""),
        ("<pose relative_to=''/>", "relative_to", ""),
        ("<pose/>", "relative_to", ""),
        ("<pose frame='a'>0 0 0 0 0 0</pose>", "frame", "a"),
        ("<pose frame='a'>0 0 0 0 0 0</pose>", "relative_to", ""),
    ],
)
def test_the_frame_of_a_pose_is_trimmed_and_blank_is_unset(text: str, attribute: str, frame: str) -> None:
    assert read_pose(element(text), attribute).relative_to == frame
