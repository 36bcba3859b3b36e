"""The nudge of a tensor's last digit, judged by conditions written down here and not by the package's own."""

import math
import re
from typing import NamedTuple

import pytest
from builders.bodies import is_accepted_by_gz_math
from hypothesis import assume, given
from hypothesis import strategies as st

from sdfinertia.documents import open_document
from sdfinertia.documents.checking import check
from sdfinertia.markup import Edit, splice
from sdfinertia.options import Options
from sdfinertia.robot import Link
from sdfinertia.robot.nudging import nudge_edits

NAMES = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
EPSILON = 2.0**-52


class Written(NamedTuple):
    """The six texts of a tensor, in the order of NAMES."""

    ixx: str
    ixy: str
    ixz: str
    iyy: str
    iyz: str
    izz: str


def diagonal(ixx: str, iyy: str, izz: str) -> Written:
    return Written(ixx, "0", "0", iyy, "0", izz)


def document(written: Written, mass: str = "1") -> bytes:
    entries = "".join(f"<{name}>{value}</{name}>" for name, value in zip(NAMES, written, strict=True))
    inertial = f"<inertial><mass>{mass}</mass><inertia>{entries}</inertia></inertial>"
    return f'<sdf version="1.12"><model name="m"><link name="l">{inertial}</link></model></sdf>'.encode()


def nudged(source: bytes) -> bytes:
    (link,) = open_document(source, Options()).links()
    return splice(source, nudge_edits(link))


def entries_of(source: bytes) -> Written:
    return Written(*(re.search(rf"<{name}>(.*?)</{name}>", source.decode())[1] for name in NAMES))  # type: ignore[index]


def is_reported(source: bytes) -> bool:
    return any(finding.code == "SDI107" for finding in check(source))


def largest_change(before: Written, after: Written) -> float:
    largest = max(float(before.ixx), float(before.iyy), float(before.izz))
    return max(abs(float(a) - float(b)) for a, b in zip(before, after, strict=True)) / largest


ROUNDED = [
    pytest.param(diagonal("0.083333", "0.083333", "0.166667"), id="square plate"),
    pytest.param(diagonal("0.0833333", "0.3333333", "0.4166667"), id="oblong plate"),
    pytest.param(diagonal("0.166667", "0.083333", "0.083333"), id="upright plate"),
    pytest.param(diagonal("8.33333e-05", "8.33333e-05", "1.666667e-04"), id="exponents"),
    pytest.param(diagonal("8.33333E-5", "8.33333E-5", "1.666667E-4"), id="capital exponents"),
    pytest.param(diagonal("+0.083333", ".083333", "0.166667"), id="signs and points"),
    pytest.param(diagonal("83333.", "83333.", "166667."), id="bare points"),
    pytest.param(diagonal("83333", "83333", "166667"), id="whole numbers"),
    pytest.param(diagonal("8333300", "8333300", "16666700"), id="trailing zeros"),
    pytest.param(diagonal("8.3333e6", "8.3333e6", "1.66667e7"), id="large"),
    pytest.param(diagonal("0.08333333333333333", "0.08333333333333332", "0.166666666666672"), id="all digits"),
    pytest.param(diagonal("1.99999", "1.99999", "4"), id="the largest has lost its zeros"),
    pytest.param(diagonal("0.000499995", "0.000499995", "0.001"), id="the largest is a power of ten"),
    pytest.param(diagonal("0.499995", "0.5", "1"), id="two have lost their zeros"),
    pytest.param(Written("1", "0", "0.001", "1", "0", "2"), id="products have more digits than moments"),
]


@pytest.mark.parametrize("written", ROUNDED)
def test_a_rounded_tensor_is_accepted_after_a_nudge_of_its_moments_alone(written: Written) -> None:
    before = document(written)
    assert not is_accepted_by_gz_math(written)
    assert is_reported(before)
    after = nudged(before)
    new = entries_of(after)
    assert is_accepted_by_gz_math(new)
    assert check(after) == []  # so that a second nudge is none
    assert largest_change(written, new) <= 2e-4  # no larger than rounding to five digits
    assert (new.ixy, new.ixz, new.iyz) == (written.ixy, written.ixz, written.iyz)
    steps = [float(new[index]) - float(written[index]) for index in (0, 3, 5)]
    assert steps == pytest.approx([steps[0]] * 3, rel=1e-4, abs=4 * EPSILON * float(new.izz))
    pattern = rb"<i[xyz]{2}>.*?</i[xyz]{2}>"
    assert re.sub(pattern, b"", before) == re.sub(pattern, b"", after)


@pytest.mark.parametrize(
    "written",
    [
        pytest.param(diagonal("-1", "-1", "-3.00001"), id="no moment above zero"),
        pytest.param(diagonal("0", "0", "0"), id="nothing"),
    ],
)
def test_what_no_nudge_makes_a_body_of_is_left(written: Written) -> None:
    assert nudged(document(written)) == document(written)


def test_a_tensor_without_all_moments_is_left_and_an_exponent_far_from_its_number_written_anew() -> None:
    source = document(diagonal("1.0001", "1.0001", "2.0003")).replace(b"<iyy>1.0001</iyy>", b"")
    assert nudged(source) == source
    shifted = "0." + "0" * 30 + "{}e31"
    written = diagonal(shifted.format("10001"), shifted.format("10001"), shifted.format("20003"))
    found = entries_of(nudged(document(written)))
    assert is_accepted_by_gz_math(found)
    assert all("e31" not in text and len(text) < 12 for text in (found.ixx, found.iyy, found.izz))


def test_comments_and_white_space_stay() -> None:
    source = document(diagonal(" 0.083333\n<!-- measured --> ", "\t0.083333", "0.166667<!-- too -->"))
    after = nudged(source)
    assert not is_reported(after)
    assert b"<!-- measured -->" in after
    assert b"<!-- too -->" in after
    assert re.sub(rb"[0-9.]+", b"#", source) == re.sub(rb"[0-9.]+", b"#", after)


@pytest.mark.parametrize(
    "written",
    [
        pytest.param(diagonal("10", "4", "2"), id="breaks the triangle inequality"),
        pytest.param(diagonal("-1", "1", "1"), id="negative"),
        pytest.param(diagonal("0.08", "0.08", "0.17"), id="rounded to two digits"),
        pytest.param(diagonal("0.083333", "0.083334", "0.166667"), id="an accepted plate"),
        pytest.param(diagonal("0", "1", "1"), id="an accepted rod"),
        pytest.param(diagonal("0.1", "0.2", "0.3"), id="accepted, a last bit over"),
        pytest.param(diagonal("1", "1", "1.5"), id="an accepted cube"),
    ],
)
def test_what_is_accepted_or_wrong_by_more_than_rounding_is_not_for_nudging(written: Written) -> None:
    assert not is_reported(document(written))


@given(
    sides=st.tuples(st.floats(0.01, 10.0), st.floats(0.01, 10.0)),
    mass=st.floats(1e-3, 1e3),
    digits=st.integers(5, 12),
    style=st.sampled_from(["g", "e", "f"]),
)
def test_any_rounded_plate_is_mended_by_a_small_nudge(sides, mass, digits, style):
    a, b = sides
    moments = (mass * b * b / 12, mass * a * a / 12, mass * (a * a + b * b) / 12)
    places = digits - 1 - math.floor(math.log10(max(moments))) if style == "f" else digits - (style == "e")
    assume(places >= 0)
    written = diagonal(*(f"{moment:.{places}{style}}" for moment in moments))
    before = document(written, repr(mass))
    if not is_reported(before):
        assert is_accepted_by_gz_math(written) or check(before), "what is refused is reported under some code"
        return
    after = nudged(before)
    assert is_accepted_by_gz_math(entries_of(after))
    assert not is_reported(after)
    assert largest_change(written, entries_of(after)) <= 2e-4


def test_what_a_reader_would_not_get_from_the_file_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    source = document(diagonal("0.083333", "0.083333", "0.166667"))
    assert nudged(source) != source
    monkeypatch.setattr(
        Link,
        "edits",
        lambda link, new: [
            Edit(link.inertial.element.inner_start, link.inertial.element.inner_start, b"<mass>1</mass>")
        ],
    )
    assert nudged(source) == source
