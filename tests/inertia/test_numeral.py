import pytest

from sdfinertia.inertia.inertial_text import Numeral, numeral


def known(text: str) -> Numeral:
    found = numeral(text)
    assert found is not None
    return found


@pytest.mark.parametrize("text", ["0.00123", "-.5", "12", "1676359E-6", "1.0e+3", "+2.50", "00002166", "0."])
def test_a_number_has_the_value_of_its_text(text: str) -> None:
    found = known(text)
    assert float(found.text) == float(text)


@pytest.mark.parametrize(
    "text", ["", ".", "nan", "inf", "1,5", "0x10", "${mass}", "e5", "1e-" + 5000 * "9", "0e999", "+" + 5000 * "0" + "9"]
)
def test_what_is_no_number_in_digits_is_none(text: str) -> None:
    assert numeral(text) is None


@pytest.mark.parametrize(
    ("text", "places", "expected"),
    [
        *[("1676359E-6", -3, "1676.359E-6"), ("0.000965", -1, "0.0000965"), ("0.0000965", 1, "0.000965")],
        *[("4.76593", -3, "0.00476593"), ("00002166", -7, "0.0002166"), ("-12.5", 1, "-125.")],
        *[("0.5", 3, "500."), ("250", 2, "25000")],
    ],
)
def test_the_point_moves_within_the_digits(text: str, places: int, expected: str) -> None:
    found = known(text)
    assert found.shifted(places).text == expected
    assert float(found.shifted(places).text) == pytest.approx(float(text) * 10.0**places, rel=1e-12)


@pytest.mark.parametrize(("text", "lost"), [("00002166", True), ("0.0002", False), ("0", False), ("000", False)])
def test_leading_zeros_without_a_point_have_lost_it(text: str, lost: bool) -> None:
    found = known(text)
    assert found.lost_its_point is lost
