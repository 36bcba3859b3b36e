"""All hypotheses by name: the function that finds ways to undo the mistake, its prior, and its trust."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal, NamedTuple

from sdfinertia.causes import foreign, operations, scale
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


# A mistake that leaves a body; numbers that never stood for the part.
_VALID = partial(Hypothesis, keeps_valid=True)
_PLACEHOLDER = partial(Hypothesis, group="unpopulated", is_placeholder=True)
_MIRRORED = {f"mirrored-in-{axis}": partial(operations.mirrored, k) for k, axis in enumerate("xyz")}

HYPOTHESES: tuple[Hypothesis, ...] = (
    _VALID("about-link-origin", "reference point", operations.about_origin, -2.46, 0.84),
    _VALID("axes-exchanged", "axes", operations.axes_exchanged, -2.75, 0.49),
    Hypothesis("centre-omitted", "reference point", operations.centre_omitted, -1.99, 0.83, "centre"),
    Hypothesis("centre-units", "scale", scale.centre_units, -3.04, 0.36, "centre"),
    Hypothesis("consistent-units", "scale", partial(scale.in_units, "consistent-units"), -2.99, 0.15, "both"),
    Hypothesis("constant-diagonal", "unpopulated", foreign.constant_diagonal, -3.0, 0.95),
    Hypothesis("copied-from-other-robot", "copies", foreign.copied_from_other_robot, -3.0, 0.8),
    Hypothesis("copied-link", "copies", foreign.copied_link, -3.4, 0.49, "both"),
    Hypothesis("decimal-point", "digits", operations.decimal_point, -4.0, 0.47),
    _VALID("default-density", "scale", partial(scale.another_mass, True), -2.6),
    Hypothesis("geometry-is-the-bogus-one", "scale", foreign.geometry_is_bogus, -2.55, 0.87),
    _VALID("in-other-axes", "axes", operations.other_axes, -3.77, 0.49),
    Hypothesis("in-other-frame", "axes", operations.in_other_frame, -2.29, 0.49, "both"),
    _VALID("listed-in-other-order", "order", operations.listed_otherwise, -4.15),
    Hypothesis("mass-changed", "scale", partial(scale.another_mass, False), -2.03, 0.49),
    Hypothesis("mass-units", "scale", partial(scale.in_units, "mass-units"), -3.21),
    *(_VALID(name, "signs", find, -3.0, about="both") for name, find in _MIRRORED.items()),
    Hypothesis("negative-moment", "signs", operations.negative_moments, -3.04, 0.49),
    _PLACEHOLDER("one-number", find=foreign.one_for_all_axes, prior=-3.14, trust=0.88),
    _VALID("parallel-axis-subtracted", "reference point", operations.subtracted, -2.74, 0.36),
    Hypothesis("parts-summed-without-parallel-axis", "reference point", foreign.parts_summed, -3.0, 0.85),
    _PLACEHOLDER("power-of-ten", find=foreign.power_of_ten, prior=-2.08, trust=0.97),
    _VALID("product-sign", "signs", operations.single_products, -2.19),
    _VALID("products-cad-signs", "signs", operations.products_of_cad, -1.12, 0.49),
    Hypothesis("products-made-up", "unpopulated", foreign.products_made_up, -3.23, 0.76),
    _PLACEHOLDER("round-numbers", find=foreign.round_numbers, prior=-3.58, trust=0.49),
    Hypothesis("rounded-away", "unpopulated", foreign.rounded_away, -2.52, 0.88),
    Hypothesis("shape-of-another-size", "formula", foreign.another_size, -2.53, 0.91, "both"),
    Hypothesis("tensor-units", "scale", partial(scale.in_units, "tensor-units"), -1.74, 0.23),
    Hypothesis("thin-rod-formula", "formula", foreign.thin_rod, -3.0, 0.8),
    _PLACEHOLDER("unit-tensor", find=foreign.unit, prior=-2.01, trust=0.97),
    _PLACEHOLDER("zero-moment", find=foreign.zero_moment, prior=-3.07, trust=0.91),
    _PLACEHOLDER("zeros", find=foreign.zeros, prior=-2.01, trust=0.97),
)
