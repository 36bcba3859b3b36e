"""All hypotheses, by name: what finds the ways to undo each mistake, and beside it how common and how trusted it is."""

from __future__ import annotations

from functools import partial
from math import sqrt

from sdfinertia.causes import (
    axes,
    barely,
    beside_geometry,
    centres,
    copies,
    digits,
    formulas,
    order,
    reference_point,
    scale,
    signs,
    unpopulated,
)
from sdfinertia.causes.hypothesis import Group, Hypothesis

HYPOTHESES: tuple[Hypothesis, ...] = (
    Hypothesis("about-corner", Group.REFERENCE, formulas.about_corner, prior=-3.6),
    Hypothesis(
        "about-link-origin", Group.REFERENCE, reference_point.about_origin, prior=-2.6, trust=0.6, keeps_valid=True
    ),
    Hypothesis("about-other-frame", Group.REFERENCE, reference_point.about_frame, prior=-4.0, keeps_valid=True),
    Hypothesis("angles-in-degrees", Group.AXES, axes.degrees, prior=-2.5, trust=0.8),
    Hypothesis("axes-exchanged", Group.AXES, axes.axes_exchanged, prior=-2.8, trust=0.6, keeps_valid=True),
    Hypothesis(
        "box-formula-without-a-twelfth",
        Group.FORMULA,
        partial(formulas.slip, {"box": (sqrt(12.0),) * 3}, "without its 1/12"),
        prior=-4.0,
        trust=0.7,
    ),
    Hypothesis("centre-omitted", Group.REFERENCE, centres.omitted, prior=-2.0, trust=0.75, about="centre"),
    Hypothesis("centre-sign", Group.SIGNS, centres.signs, prior=-2.6, about="centre"),
    Hypothesis("centre-units", Group.SCALE, centres.units, prior=-3.0, about="centre"),
    Hypothesis("consistent-units", Group.SCALE, scale.consistent_units, prior=-3.0, trust=0.3, about="both"),
    Hypothesis("constant-diagonal", Group.UNPOPULATED, unpopulated.constant_diagonal, prior=-3.0, trust=0.95),
    Hypothesis("copied-link", Group.COPIES, copies.copied_link, prior=-3.0, trust=0.75, about="both"),
    Hypothesis("decimal-point", Group.DIGITS, digits.decimal_point, prior=-4.0),
    Hypothesis("decimal-point, products-cad-signs", Group.DIGITS, digits.decimal_point_and_signs, prior=-5.4),
    Hypothesis("default-density", Group.SCALE, scale.default_density, prior=-2.6),
    Hypothesis(
        "diameter-for-radius",
        Group.FORMULA,
        partial(formulas.slip, {"cylinder": (2.0, 1.0), "ball": (2.0,)}, "with the diameter for the radius"),
        prior=-4.0,
        trust=0.7,
    ),
    Hypothesis("digit-mistyped", Group.DIGITS, digits.mistyped, prior=-3.0, trust=0.4),
    Hypothesis("entry-omitted", Group.DIGITS, order.omitted, prior=-4.5, trust=0.9),
    Hypothesis("exponent", Group.DIGITS, digits.exponent, prior=-6.2),
    Hypothesis("geometry-is-the-bogus-one", Group.SCALE, beside_geometry.geometry_is_bogus, prior=-2.5, trust=0.7),
    Hypothesis("in-other-axes", Group.AXES, axes.other_axes, prior=-4.0, trust=0.6, keeps_valid=True),
    Hypothesis("in-other-frame", Group.AXES, centres.other_frame, prior=-2.5, trust=0.6, about="both"),
    Hypothesis("izz-lost", Group.ORDER, order.product_in_slot_of_izz, prior=-4.5),
    Hypothesis("listed-by-rows", Group.ORDER, order.rows_first, prior=-4.6),
    Hypothesis("listed-in-other-order", Group.ORDER, order.listed_otherwise, prior=-4.2),
    Hypothesis("mass-changed", Group.SCALE, scale.mass_changed, prior=-2.0, trust=0.4),
    Hypothesis("mass-units", Group.SCALE, scale.mass_units, prior=-3.2),
    Hypothesis("mesh-in-millimetres", Group.SCALE, scale.mesh_in_millimetres, prior=-2.6, trust=0.8),
    Hypothesis("mirrored-in-x", Group.SIGNS, partial(beside_geometry.mirrored, 0), prior=-3.0, keeps_valid=True),
    Hypothesis("mirrored-in-y", Group.SIGNS, partial(beside_geometry.mirrored, 1), prior=-3.0, keeps_valid=True),
    Hypothesis("mirrored-in-z", Group.SIGNS, partial(beside_geometry.mirrored, 2), prior=-3.0, keeps_valid=True),
    Hypothesis("negative-moment", Group.SIGNS, signs.negative_moments, prior=-3.2, trust=0.6),
    Hypothesis("one-entry-wrong", Group.DIGITS, order.one_entry, prior=-8.5),
    Hypothesis("one-number", Group.UNPOPULATED, unpopulated.one_number, prior=-3.0, trust=0.85, is_placeholder=True),
    Hypothesis("parallel-axis-subtracted", Group.REFERENCE, reference_point.subtracted, prior=-3.4, keeps_valid=True),
    Hypothesis(
        "parallel-axis-wrong-way", Group.REFERENCE, reference_point.moved_wrong_way, prior=-4.4, keeps_valid=True
    ),
    Hypothesis(
        "parts-summed-without-parallel-axis", Group.REFERENCE, beside_geometry.parts_summed, prior=-3.0, trust=0.7
    ),
    Hypothesis(
        "power-of-ten", Group.UNPOPULATED, unpopulated.power_of_ten, prior=-2.0, trust=0.95, is_placeholder=True
    ),
    Hypothesis("product-sign", Group.SIGNS, signs.single_products, prior=-2.2, keeps_valid=True),
    Hypothesis("products-cad-signs", Group.SIGNS, signs.products_of_cad, prior=-1.6, trust=0.6, keeps_valid=True),
    Hypothesis("products-made-up", Group.UNPOPULATED, unpopulated.products_made_up, prior=-3.5, trust=0.7),
    Hypothesis("rotation-inverted", Group.AXES, axes.rotation_inverted, prior=-3.4, keeps_valid=True),
    Hypothesis("rotation-missing", Group.AXES, axes.rotation_missing, prior=-3.6),
    Hypothesis("rotation-surplus", Group.AXES, axes.rotation_surplus, prior=-4.0, keeps_valid=True),
    Hypothesis(
        "round-numbers", Group.UNPOPULATED, unpopulated.round_numbers, prior=-3.5, trust=0.8, is_placeholder=True
    ),
    Hypothesis("rounded-away", Group.UNPOPULATED, unpopulated.rounded_away, prior=-2.5, trust=0.85),
    Hypothesis("rounded-digits", Group.BARELY, barely.barely, prior=-3.0),
    Hypothesis("row-major", Group.ORDER, order.row_major, prior=-4.5, trust=0.6),
    Hypothesis("shape-of-another-size", Group.FORMULA, formulas.another_size, prior=-2.5, trust=0.9),
    Hypothesis("sibling-differs", Group.COPIES, copies.sibling_differs, prior=-4.8, trust=0.4),
    Hypothesis("tensor-units", Group.SCALE, scale.tensor_units, prior=-1.8),
    Hypothesis("thin-rod-formula", Group.FORMULA, formulas.thin_rod, prior=-2.5, trust=0.8),
    Hypothesis("twin-differs", Group.COPIES, copies.twin_differs, prior=-4.5, trust=0.6),
    Hypothesis("unit-shape", Group.COPIES, copies.unit_shape, prior=-2.5, trust=0.9, is_placeholder=True),
    Hypothesis("unit-tensor", Group.UNPOPULATED, unpopulated.unit, prior=-2.0, trust=0.97, is_placeholder=True),
    Hypothesis("y-up", Group.AXES, axes.y_up, prior=-4.6, about="both", keeps_valid=True),
    Hypothesis("zero-moment", Group.UNPOPULATED, unpopulated.zero_moment, prior=-3.0, trust=0.8, is_placeholder=True),
    Hypothesis("zeros", Group.UNPOPULATED, unpopulated.zeros, prior=-2.0, trust=0.97, is_placeholder=True),
)
HYPOTHESIS_OF_NAME: dict[str, Hypothesis] = {hypothesis.name: hypothesis for hypothesis in HYPOTHESES}
