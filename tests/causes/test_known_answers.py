"""Mistakes that people found by hand and published, and what is said of them."""

from __future__ import annotations

import pytest
from causes.links import block, case, causes, likeliest, mesh, proposed, sphere, twin

from sdfinertia.causes.case import Case, Diagnosis
from sdfinertia.causes.diagnosis import diagnose
from sdfinertia.inertia.spatial_inertia import InertiaTensor
from sdfinertia.shapes import Bounds


def test_a_lost_decimal_point_is_named_and_certain_beside_the_mesh() -> None:
    # RealManRobot/rm_models RX75-6FB, Link1, and the body of its mesh.
    written = block(
        "2661.9E-6 -31.029E-6 9.34E-6 2302.5E-6 151.466E-6 1676359E-6", "1.559", (0.000488, -0.013727, -0.010765)
    )
    six = InertiaTensor(0.00280221, 0.00244329, 0.00171269, -2.73685e-05, 7.63214e-06, 0.000183244)
    body = mesh([value / 1.559 for value in six], (-0.00045, -0.01425, -0.01216), 5.2e-4)
    box = Bounds((-0.0409, -0.0661, -0.1022), (0.0409, 0.041, 0.0398))
    found = likeliest(case(written, body, box=box))
    assert found.cause == "decimal-point"
    assert found.is_certain
    assert proposed(found).entry_texts.izz == "1676.359E-6"
    assert proposed(found).tensor.izz == pytest.approx(0.001676359)
    assert "izz" in found.sentence
    assert any("the only one" in sentence for sentence in found.evidence)


def test_what_only_has_one_moment_is_unpopulated_and_the_geometry_proposed() -> None:
    body = mesh((0.1, 0.12, 0.15, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.5)
    box = Bounds((-0.6, -0.6, -0.6), (0.6, 0.6, 0.6))
    found = likeliest(case(block("0 0 0 0 0 108.5602", "850.6"), body, box=box))
    assert (found.group, found.source) == ("unpopulated", "geometry")
    assert proposed(found).tensor.ixx == pytest.approx(85.06)


def test_zeros_beside_a_sphere_are_certain_and_get_its_moment() -> None:
    # DeepRobotics Lite3, FL_FOOT: 2/5 m r².
    body, box = sphere(0.022)
    found = likeliest(case(block("0 0 0 0 0 0", "0.02"), body, box=box))
    assert (found.cause, found.source, found.is_certain) == ("zeros", "geometry", True)
    assert proposed(found).tensor.ixx == pytest.approx(3.872e-6)


def talos(*bodies: object) -> Case:
    # PAL Robotics Talos, gripper_motor: its maintainers later wrote all three products negative.
    written = block(".000115 .000052 .000025 .000153 .000034 .00019", "0.143", (0.02270, 0.01781, -0.00977))
    box = Bounds((-0.03, -0.03, -0.05), (0.07, 0.06, 0.03))
    return case(written, *bodies, box=box)  # type: ignore[arg-type]


def test_products_with_cad_signs_are_likely_by_geometry_and_not_barely() -> None:
    six = InertiaTensor(0.00011, 0.00016, 0.00018, -0.00004, -0.00002, -0.00003)
    found = likeliest(talos(mesh([value / 0.143 for value in six], (0.0227, 0.0178, -0.0098), 1.1e-4)))
    assert found.cause == "products-cad-signs"
    assert proposed(found).entry_texts.ixy == "-.000052"


def test_what_rounding_cannot_explain_is_never_called_barely() -> None:
    assert "rounded-digits" not in causes(talos())


@pytest.mark.parametrize("has_mesh", [True, False], ids=["mesh", "no mesh"])
def test_twins_of_multiples_of_one_step_are_rounded_and_the_right_one_proposed(*, has_mesh: bool) -> None:
    # dexhand thumb_tip_1, left and right.
    body = mesh(
        [value / 0.02317 for value in (1.977e-06, 1.494e-06, 1.498e-06, 4.101e-07, -4.779e-07, 8.349e-07)],
        (0.0092, -0.0043, 0.0075),
        1.9e-5,
    )
    box = Bounds((-0.0025, -0.0192, -0.005), (0.0207, 0.0102, 0.0198))
    right = twin("2e-06 0.0 0.0 2e-06 1e-06 2e-06", "0.02317")
    written = block("2e-06 0.0 -0.0 1e-06 1e-06 2e-06", "0.02317", (0.0092, -0.0043, 0.0075))
    found = likeliest(case(written, *[body][:has_mesh], box=box, relatives=(right,)))
    assert (found.cause, found.source) == ("rounded-away", "twin")
    assert "rounded to 1e-06: nothing is left of the tensor" in found.sentence
    assert proposed(found).tensor == (2e-6, 2e-6, 2e-6, 0.0, 0.0, 1e-6)


def test_a_product_in_the_slot_of_izz_leaves_an_interval_for_it() -> None:
    # Digit, left_elbow: the maintainer wrote izz 0.009437.
    written = block("0.000476 2.9e-05 0.001403 0.009564 1.5e-05 -9e-06", "0.550582", (0.107996, -0.000521, -0.017765))
    six = InertiaTensor(0.0004433, 0.007065, 0.006957, -3.613e-05, 0.001232, 1.55e-05)
    body = mesh([value / 0.550582 for value in six], (0.1674, 0.0011, -0.0254), 8e-4)
    box = Bounds((-0.0365, -0.0371, -0.0791), (0.3999, 0.0388, 0.0154))
    found = likeliest(case(written, body, box=box))
    assert found.cause == "izz-lost"
    assert found.interval is not None
    assert found.interval.entry == "izz"
    assert 0.009 < found.interval.low < 0.009437 < found.interval.high < 0.0101


def test_a_zero_that_comma_and_point_lost_is_read_from_its_leading_zeros() -> None:
    found = likeliest(case(block("0.0002431 0 0 00002166 0 0.0003012", "0.4")))
    assert found.cause == "decimal-point"
    assert proposed(found).entry_texts.iyy == "0.0002166"
    assert found.is_certain


def test_an_earlier_mass_is_found_by_the_products_that_vanish() -> None:
    # compas_fab, ABB IRB4600 link_2: products are exactly those of 30 kg at the centre.
    found = likeliest(case(block("-2.96 2.256 -9.588 -18.72601 -0.816 -14.95", "120.0", (0.94, 0.08, -0.34))))
    assert (found.cause, found.is_certain) == ("parallel-axis-subtracted", True)
    assert proposed(found).tensor == pytest.approx((0.7, 11.25, 11.75, 0.0, 0.0, 0.0), abs=1e-4)
    assert "30 kg" in found.sentence


def test_exponents_of_a_run_are_found_by_the_exponents_of_the_rest() -> None:
    # rm_models RXR-6FB-V Link2: the maintainer wrote 1028E-6 750E-6 6677E-6.
    found = likeliest(case(block("6726.989E-6 -1.6E-6 4.669E-6 1028.143E-3 750.591E-3 6677.994E-3", "1.384")))
    assert (found.cause, found.is_certain) == ("exponent", True)
    assert proposed(found).entry_texts.iyz == "750.591E-6"


def test_moments_below_zero_are_named() -> None:
    written = block("-0.0012073 -1.816e-05 4.673e-05 -0.0011993 0.00016652 0.00031183", "0.526649872")
    assert likeliest(case(written)).cause == "negative-moment"


def test_a_link_that_is_right_has_no_explanation() -> None:
    body, box = sphere(0.022)
    found = diagnose(case(block("3.872e-6 0 0 3.872e-6 0 3.872e-6", "0.02"), body, box=box))
    assert found == Diagnosis("link", (), is_finding=False)
