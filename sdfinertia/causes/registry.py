"""All hypotheses by name: the function that finds ways to undo the mistake, its prior, and its trust."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Literal, NamedTuple

from sdfinertia.causes import (
    copies,
    digits,
    operations,
    placeholders,
    reference_point,
    units,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from sdfinertia.causes.clues import Candidates, Clues


class Hypothesis(NamedTuple):
    """One mistake; `docs/reference/causes.md` has a case of each."""

    name: str
    group: str
    find: Callable[[Clues], Candidates | None]
    prior: float  # natural logarithm of how common it is among mistakes
    # The largest share: how often it is right where nothing else comes near. On geometry alone that is less than every
    # other time (labelled findings of public robots).
    trust: float = 0.45
    # Whether it explains a finding in the tensor or mass, in the centre, or in either.
    about: Literal["tensor", "centre", "both"] = "tensor"
    keeps_valid: bool = False  # it leaves a valid tensor, which only an exact mesh tells from the right one (SDI210)
    is_placeholder: bool = False  # it leaves numbers that never stood for the part, so that nothing can be undone


HYPOTHESES: tuple[Hypothesis, ...] = (
    Hypothesis(
        "about-link-origin", "reference point", reference_point.about_origin, -2.46, trust=0.84, keeps_valid=True
    ),
    Hypothesis("about-other-frame", "reference point", reference_point.about_frame, -4.0, keeps_valid=True),
    Hypothesis("angles-in-degrees", "axes", operations.degrees, -2.5, trust=0.8),
    Hypothesis("axes-exchanged", "axes", operations.axes_exchanged, -2.75, trust=0.49, keeps_valid=True),
    Hypothesis("centre-omitted", "reference point", reference_point.centre_omitted, -1.99, trust=0.83, about="centre"),
    Hypothesis("centre-sign", "signs", reference_point.centre_signs, -2.6, trust=0.49, about="centre"),
    Hypothesis("centre-units", "scale", reference_point.centre_units, -3.04, trust=0.36, about="centre"),
    Hypothesis("consistent-units", "scale", units.consistent_units, -2.99, trust=0.15, about="both"),
    Hypothesis("constant-diagonal", "unpopulated", placeholders.constant_diagonal, -3.0, trust=0.95),
    Hypothesis("copied-link", "copies", copies.copied_link, -3.4, trust=0.49, about="both"),
    Hypothesis("decimal-point", "digits", digits.decimal_point, -4.0, trust=0.47),
    Hypothesis("default-density", "scale", units.default_density, -2.6, keeps_valid=True),
    Hypothesis("digit-mistyped", "digits", digits.mistyped, -2.71, trust=0.4),
    Hypothesis("exponent", "digits", digits.exponent, -6.22),
    Hypothesis("geometry-is-the-bogus-one", "scale", copies.geometry_is_bogus, -2.55, trust=0.87),
    Hypothesis("in-other-axes", "axes", operations.other_axes, -3.77, trust=0.49, keeps_valid=True),
    Hypothesis("in-other-frame", "axes", reference_point.in_other_frame, -2.29, trust=0.49, about="both"),
    Hypothesis("listed-by-rows", "order", operations.rows_first, -4.55),
    Hypothesis("listed-in-other-order", "order", operations.listed_otherwise, -4.15, keeps_valid=True),
    Hypothesis("mass-changed", "scale", units.mass_changed, -2.03, trust=0.49),
    Hypothesis("mass-units", "scale", units.mass_units, -3.21),
    Hypothesis("mirrored-in-x", "signs", partial(operations.mirrored, 0), -3.0, about="both", keeps_valid=True),
    Hypothesis("mirrored-in-y", "signs", partial(operations.mirrored, 1), -3.02, about="both", keeps_valid=True),
    Hypothesis(
        "mirrored-in-z", "signs", partial(operations.mirrored, 2), -3.0, trust=0.49, about="both", keeps_valid=True
    ),
    Hypothesis("negative-moment", "signs", operations.negative_moments, -3.04, trust=0.49),
    Hypothesis(
        "one-number",
        "unpopulated",
        partial(placeholders.for_all_axes, is_power=False),
        -3.14,
        trust=0.88,
        is_placeholder=True,
    ),
    Hypothesis(
        "parallel-axis-subtracted", "reference point", reference_point.subtracted, -2.74, trust=0.36, keeps_valid=True
    ),
    Hypothesis("parallel-axis-wrong-way", "reference point", reference_point.moved_wrong_way, -4.4, keeps_valid=True),
    Hypothesis("parts-summed-without-parallel-axis", "reference point", copies.parts_summed, -3.0, trust=0.85),
    Hypothesis(
        "power-of-ten",
        "unpopulated",
        partial(placeholders.for_all_axes, is_power=True),
        -2.08,
        trust=0.97,
        is_placeholder=True,
    ),
    Hypothesis("product-sign", "signs", operations.single_products, -2.19, keeps_valid=True),
    Hypothesis("products-cad-signs", "signs", operations.products_of_cad, -1.12, trust=0.49, keeps_valid=True),
    Hypothesis("products-made-up", "unpopulated", placeholders.products_made_up, -3.23, trust=0.76),
    Hypothesis("rotation-inverted", "axes", operations.rotation_inverted, -3.4, keeps_valid=True),
    Hypothesis("rotation-missing", "axes", operations.rotation_missing, -3.69),
    Hypothesis("round-numbers", "unpopulated", placeholders.round_numbers, -3.58, trust=0.77, is_placeholder=True),
    Hypothesis("rounded-away", "unpopulated", placeholders.rounded_away, -2.52, trust=0.88),
    Hypothesis("rounded-digits", "barely", digits.barely, -2.04),
    Hypothesis("shape-of-another-size", "formula", copies.another_size, -2.53, trust=0.91),
    Hypothesis("tensor-units", "scale", operations.tensor_units, -1.74, trust=0.23),
    Hypothesis("twin-differs", "copies", copies.twin_differs, -4.24, trust=0.49),
    Hypothesis("unit-shape", "copies", copies.unit_shape, -2.63, trust=0.92, is_placeholder=True),
    Hypothesis("unit-tensor", "unpopulated", placeholders.unit, -2.01, trust=0.97, is_placeholder=True),
    Hypothesis("zero-moment", "unpopulated", placeholders.zero_moment, -3.07, trust=0.91, is_placeholder=True),
    Hypothesis("zeros", "unpopulated", placeholders.zeros, -2.01, trust=0.97, is_placeholder=True),
)
# All causes with their groups, those that the digits show beside primitives alone among them.
GROUP_OF_CAUSE: dict[str, str] = {
    **{one.name: one.group for one in HYPOTHESES},
    "diameter-for-radius": "formula",
    "formula-slip": "digits",
    "mass-left-out": "scale",
    "one-entry-wrong": "digits",
    "quaternion-order": "axes",
    "rotation-surplus": "axes",
    "solid-steel": "scale",
}
PRIOR_OF_CAUSE: dict[str, float] = {one.name: one.prior for one in HYPOTHESES}
